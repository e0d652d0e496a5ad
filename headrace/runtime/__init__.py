"""Host side: device memory, prepared kernels, launches, streams.

``Device.open("spyre")``, ``device.tensor(array)``, ``device.prepare(code)``,
``kernel.launch(stream, name=tensor, ...)``.
"""

from headrace.runtime.allocator import Allocator
from headrace.runtime.device import Device
from headrace.runtime.errors import StreamError
from headrace.runtime.kernel import Kernel, Launch
from headrace.runtime.stream import Stream
from headrace.runtime.tensor import Tensor

__all__ = ["Allocator", "Device", "Kernel", "Launch", "Stream", "StreamError", "Tensor"]
