"""The simulated device: functional and timed in one run.

```
from headrace.machine import SimDevice

sim = SimDevice(load_device("spyre"))
sim.memory.register(address, size)          # ranges exist when registered (the runtime's allocator does it)
sim.memory.write(address, array)            # host to device
result = sim.compute(entry_address)         # RunResult: cycles, units, bytes, ports
sim.memory.read(address, size)              # device to host
```

`memory` and `loader` hold the bytes; `plan` finds out who talks to whom; `timing` has the figures and
`docs/timing.md` the model; `reference` is the model in plain Python and `native` the same in machine code.
"""

from headrace.machine.device import SimDevice
from headrace.machine.memory import GlobalMemory, LocalMemories
from headrace.machine.native.cache import counters
from headrace.machine.result import RunResult, UnitReport
from headrace.machine.timing import LinkTiming, MemoryTiming, PathTiming, Timing, UnitTiming

__all__ = [
    "GlobalMemory",
    "LinkTiming",
    "LocalMemories",
    "MemoryTiming",
    "PathTiming",
    "RunResult",
    "SimDevice",
    "Timing",
    "UnitReport",
    "UnitTiming",
    "counters",
]
