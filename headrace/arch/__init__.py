"""The device model: memories, units, datapaths, routes and timing, read from `ktdf_arch` device files.

```
from headrace.arch import load_device

device = load_device("spyre")           # or the path of a device file
device.route("DDR", "SFU")              # ['DDR', 'MNILU', 'L1', 'L1LU', 'SFU']
device.lanes(f16)                       # SIMD lanes of the compute unit
```

The names are loaded when first used: a kernel that was compiled before needs a `record` only, which has no IR.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headrace.arch.files import shipped_devices
    from headrace.arch.loader import declare_device, device_of, device_of_text, import_device, load_device
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


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'headrace.arch' has no attribute '{name}'")
    file = "model" if name[0].isupper() else "files" if name == "shipped_devices" else "loader"
    return getattr(import_module(f"headrace.arch.{file}"), name)
