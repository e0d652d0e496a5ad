"""Systems: the devices of a program, the links between them, and what an operation costs on them.

A system file is JSON:

```
{"devices": {"dev_a": {"gflops": 100, "gbytes_per_s": 50, "launch_ns": 2000, "memory_bytes": 1073741824, "parallel": 1,
                       "device": "spyre"}},
 "links": [{"from": "dev_a", "to": "dev_b", "gbytes_per_s": 10, "latency_ns": 2000, "unified": false}]}
```

All keys of a device and of a link are optional. `parallel`: commands a device runs at the same time. `device`: the
device file that tile kernels of this device run on. A link that is not listed has the defaults; `unified` links join
devices that see one memory. Times are whole nanoseconds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, SymbolRefAttr, UnitAttr
from xdsl.ir import Attribute

from headrace.graph.kernels import Kernel
from headrace.ir.diagnostics import Diagnostic, HeadraceError, did_you_mean, error
from headrace.ir.dialects.hal import TopologyAttr

UNNAMED = "default"
"""Name of the only device of a program that names none."""


@dataclass(frozen=True)
class DeviceSpec:
    """One device: throughput, memory, commands at the same time."""

    name: str
    gflops: float = 100.0
    gbytes_per_s: float = 50.0
    launch_ns: int = 2000
    memory_bytes: int = 1 << 40
    parallel: int = 1
    device: str | None = None


@dataclass(frozen=True)
class LinkSpec:
    """One direction between two devices."""

    source: str
    target: str
    gbytes_per_s: float = 10.0
    latency_ns: int = 2000
    unified: bool = False


@dataclass(frozen=True)
class System:
    """Devices and links by name."""

    devices: Mapping[str, DeviceSpec] = field(default_factory=dict[str, DeviceSpec])
    links: Mapping[tuple[str, str], LinkSpec] = field(default_factory=dict[tuple[str, str], LinkSpec])

    def device(self, name: str | None) -> DeviceSpec:
        """A device; one with the defaults if the system does not list it."""
        key = name or UNNAMED
        return self.devices.get(key) or DeviceSpec(key)

    def link(self, source: str | None, target: str | None) -> LinkSpec:
        """The link from one device to another."""
        key = (source or UNNAMED, target or UNNAMED)
        return self.links.get(key) or LinkSpec(*key)

    def transfer_ns(self, source: str | None, target: str | None, size: int) -> int:
        """Nanoseconds of a transfer; within one device a copy at half its memory's speed."""
        if (source or UNNAMED) == (target or UNNAMED) or self.link(source, target).unified:
            return self.memory_ns(source, 2 * size)
        link = self.link(source, target)
        return link.latency_ns + round(size / link.gbytes_per_s)

    def memory_ns(self, device: str | None, size: int) -> int:
        """Nanoseconds to move bytes in a device's memory."""
        spec = self.device(device)
        return spec.launch_ns + round(size / spec.gbytes_per_s)

    def kernel_ns(self, kernel: Kernel, device: str | None, operations: int, moved: int) -> int:
        """Nanoseconds of one dispatch: its `headrace.cost`, or the larger of compute and memory time."""
        spec = self.device(device)
        if kernel.cost is not None:
            return kernel.cost
        return spec.launch_ns + round(max(operations / spec.gflops, moved / spec.gbytes_per_s))

    def topology(self) -> TopologyAttr:
        """The links as `stream.topology` says them."""
        items: list[DictionaryAttr] = []
        for link in self.links.values():
            found: dict[str, Attribute] = {"source": SymbolRefAttr(link.source), "target": SymbolRefAttr(link.target)}
            if link.unified:
                found["unified_memory"] = UnitAttr()
            items.append(DictionaryAttr(found))
        return TopologyAttr(ArrayAttr(items))

    def describe(self, module: ModuleOp) -> None:
        """Put the topology on a module that has none."""
        if self.links and "stream.topology" not in module.attributes:
            module.attributes["stream.topology"] = self.topology()


_DEVICE_KEYS = ("gflops", "gbytes_per_s", "launch_ns", "memory_bytes", "parallel", "device")
_LINK_KEYS = ("from", "to", "gbytes_per_s", "latency_ns", "unified")


def load_system(path: str | Path) -> System:
    """Read a system file. Raises HeadraceError for a missing file, broken JSON or an unknown key."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "not UTF-8 text"
        raise HeadraceError(Diagnostic("error", f"cannot read '{path}': {reason}")) from None
    try:
        data = json.loads(text)
    except json.JSONDecodeError as problem:
        raise error(None, f"{path}:{problem.lineno}:{problem.colno}: not JSON: {problem.msg}") from None
    return parse_system(data, str(path))


def parse_system(data: Any, where: str = "system") -> System:
    """A system from the JSON object of a system file."""
    if not isinstance(data, dict) or not set(data) <= {"devices", "links"}:
        raise error(None, f"{where}: expected an object with 'devices' and 'links'")
    devices: dict[str, DeviceSpec] = {}
    for name, item in _mapping(data.get("devices", {}), f"{where}: devices").items():
        fields = _known(_mapping(item, f"{where}: device '{name}'"), _DEVICE_KEYS, f"{where}: device '{name}'")
        _numbers(fields, f"{where}: device '{name}'")
        devices[name] = DeviceSpec(name, **fields)
    links: dict[tuple[str, str], LinkSpec] = {}
    for item in data.get("links", []):
        fields = _known(_mapping(item, f"{where}: link"), _LINK_KEYS, f"{where}: link")
        if "from" not in fields or "to" not in fields:
            raise error(None, f"{where}: a link needs 'from' and 'to'")
        source, target = fields.pop("from"), fields.pop("to")
        for name in (source, target):
            if name not in devices:
                raise error(None, f"{where}: link names the unknown device '{name}'{did_you_mean(str(name), devices)}")
        _numbers(fields, f"{where}: link {source} -> {target}")
        links[source, target] = LinkSpec(source, target, **fields)
    return System(devices, links)


def _mapping(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise error(None, f"{where}: expected an object")
    return dict(value)


def _known(fields: dict[str, Any], known: tuple[str, ...], where: str) -> dict[str, Any]:
    for key in fields:
        if key not in known:
            raise error(None, f"{where}: unknown key '{key}'{did_you_mean(key, known)}")
    return fields


def _numbers(fields: dict[str, Any], where: str) -> None:
    for key, value in fields.items():
        if key == "unified":
            good = isinstance(value, bool)
        elif key == "device":
            good = isinstance(value, str)
        else:
            good = isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
            if key in ("gflops", "gbytes_per_s", "parallel"):
                good = good and value > 0
            if good and key in ("launch_ns", "memory_bytes", "parallel", "latency_ns"):
                good = isinstance(value, int)
        if not good:
            raise error(None, f"{where}: '{key}' cannot be {value!r}")
