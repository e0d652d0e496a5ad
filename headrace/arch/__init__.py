"""The device model: memories, units, datapaths, routes and timing, read from `ktdf_arch` device files.

```
from headrace.arch import load_device

device = load_device("spyre")           # or the path of a device file
device.route("DDR", "SFU")              # ['DDR', 'MNILU', 'L1', 'L1LU', 'SFU']
device.lanes(f16)                       # SIMD lanes of the compute unit
```
"""

from headrace.arch.loader import declare_device, device_of, device_of_text, import_device, load_device, shipped_devices
from headrace.arch.model import Datapath, Device, Memory, Unit

__all__ = [
    "Datapath",
    "Device",
    "Memory",
    "Unit",
    "declare_device",
    "device_of",
    "device_of_text",
    "import_device",
    "load_device",
    "shipped_devices",
]
