"""Host side: device memory, prepared kernels, launches, streams.

``Device.open("spyre")``, ``device.tensor(array)``, ``device.prepare(code)``,
``kernel.launch(stream, name=tensor, ...)``. ``docs/runtime.md`` is a tutorial.
"""

from headrace.runtime.allocator import Allocator, CompositeAddress, OutOfMemoryError
from headrace.runtime.device import Device
from headrace.runtime.errors import StreamError
from headrace.runtime.jobplan import JobPlan, SymbolicArgument, SymbolKind, launch_jobplan, prepare_kernel
from headrace.runtime.kernel import Kernel, Launch
from headrace.runtime.layout import Layout
from headrace.runtime.operation import Event, Operation
from headrace.runtime.stream import Stream
from headrace.runtime.tensor import Tensor
from headrace.runtime.timeline import HostTiming

__all__ = [
    "Allocator",
    "CompositeAddress",
    "Device",
    "Event",
    "HostTiming",
    "JobPlan",
    "Kernel",
    "Launch",
    "Layout",
    "Operation",
    "OutOfMemoryError",
    "Stream",
    "StreamError",
    "SymbolKind",
    "SymbolicArgument",
    "Tensor",
    "launch_jobplan",
    "prepare_kernel",
]
