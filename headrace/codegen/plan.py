"""Commands of the two job plans, as data, and their JSON.

Names and number encoding follow the implemented interface (every number a decimal string). The specification's
spellings are accepted when reading: ``size`` for ``static_size``, ``file_path``, ``direction`` 0/1, ``oshape``,
``iargs``, plain numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Any

SEGMENT_BITS = 34
PROGRAM_BASE = 7 << SEGMENT_BITS
"""First address of segment 7, the program segment."""
PROGRAM_END = 8 << SEGMENT_BITS


ALIGN = 128
"""Every address in a plan is a multiple of this."""


class PlanError(Exception):
    """A command that breaks the interface; the message names command and property."""


@dataclass(frozen=True)
class Allocate:
    """Reserve program memory: ``static_size`` once, ``dynamic_size`` per launch (bytes)."""

    static_size: int
    dynamic_size: int = 0


@dataclass(frozen=True)
class InitTransfer:
    """Copy a file of the directory to ``dev_ptr`` (an address of segment 7)."""

    init_bin_file: str
    dev_ptr: int
    size: int


@dataclass(frozen=True)
class ComputeOnHost:
    """Evaluate ``hcm`` on the launch's arguments into the host buffer ``ohandle`` of ``size`` bytes."""

    ihandle: str
    ishape: tuple[str, ...]
    ohandle: str
    size: int
    hcm: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class DataTransfer:
    """Copy between a host buffer and the device; ``to_host`` False is host to device."""

    to_host: bool
    host_handle: str
    dev_ptr: int
    size: int


@dataclass(frozen=True)
class ComputeOnDevice:
    """Start the device at ``job_bin_ptr``."""

    job_bin_ptr: int
    name: str | None = None


Command = Allocate | InitTransfer | ComputeOnHost | DataTransfer | ComputeOnDevice


def to_json(command: Command) -> dict[str, Any]:
    """The ``{"command", "properties"}`` object."""
    match command:
        case Allocate(static, dynamic):
            properties: dict[str, Any] = {"static_size": str(static), "dynamic_size": str(dynamic)}
        case InitTransfer(file, ptr, size):
            properties = {"init_bin_file": file, "dev_ptr": str(ptr), "size": str(size)}
        case ComputeOnHost(ihandle, ishape, ohandle, size, hcm):
            properties = {"ihandle": ihandle, "ishape": list(ishape), "ohandle": ohandle, "size": str(size), "hcm": hcm}
        case DataTransfer(to_host, handle, ptr, size):
            direction = "true" if to_host else "false"
            properties = {"dirn": direction, "host_handle": handle, "dev_ptr": str(ptr), "size": str(size)}
        case ComputeOnDevice(ptr, name):
            properties = {"job_bin_ptr": str(ptr)} | ({"name": name} if name else {})
    return {"command": type(command).__name__, "properties": properties}


def from_json(entry: Any, where: str, load_hcm: Callable[[str], Any]) -> Command:
    """Read one entry. ``where`` names it in messages; ``load_hcm`` reads a metadata file (specification form).

    Raises :class:`PlanError`.
    """
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), str):
        raise PlanError(f"{where}: not an object with a 'command'")
    name = entry["command"]
    fields = entry.get("properties", {k: v for k, v in entry.items() if k != "command"})
    if not isinstance(fields, dict):
        raise PlanError(f"{where} ({name}): 'properties' is no object")
    get = _Properties(f"{where} ({name})", fields)
    match name:
        case "Allocate":
            if get.has("static_size"):
                return Allocate(get.number("static_size"), get.number("dynamic_size") if get.has("dynamic_size") else 0)
            if get.has("size"):
                return Allocate(get.number("size"))
            raise get.missing("static_size")
        case "InitTransfer":
            return InitTransfer(get.text("init_bin_file", "file_path"), get.pointer("dev_ptr"), get.number("size"))
        case "ComputeOnHost":
            ihandle = get.text("ihandle")
            return ComputeOnHost(
                "" if ihandle == "iargs" else ihandle,
                get.shape("ishape"),
                get.text("ohandle"),
                get.number("size") if get.has("size") else prod(int(x) for x in get.shape("oshape")),
                get.metadata("hcm", load_hcm),
            )
        case "DataTransfer":
            return DataTransfer(get.direction(), get.text("host_handle"), get.address("dev_ptr"), get.number("size"))
        case "ComputeOnDevice":
            label = get.text("name") if get.has("name") else None
            return ComputeOnDevice(get.pointer("job_bin_ptr"), label)
    raise PlanError(f"{where}: unknown command '{name}'")


@dataclass(frozen=True)
class _Properties:
    where: str
    values: dict[str, Any]

    def has(self, key: str) -> bool:
        return key in self.values

    def missing(self, key: str) -> PlanError:
        return PlanError(f"{self.where}: property '{key}' is missing")

    def value(self, *keys: str) -> Any:
        for key in keys:
            if key in self.values:
                return self.values[key]
        raise self.missing(keys[0])

    def text(self, *keys: str) -> str:
        value = self.value(*keys)
        if not isinstance(value, str):
            raise PlanError(f"{self.where}: property '{keys[0]}' is {value!r}, expected text")
        return value

    def number(self, key: str) -> int:
        return self._number(key, self.value(key))

    def _number(self, key: str, value: Any) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 63:
            return value
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20 and int(value) < 1 << 63:
            return int(value)
        raise PlanError(f"{self.where}: property '{key}' is {value!r}, expected an unsigned decimal number below 2^63")

    def address(self, key: str) -> int:
        value = self.value(key)
        if isinstance(value, str) and value.lower().startswith("0x"):
            try:
                return int(value, 16)
            except ValueError:
                pass
        return self._number(key, value)

    def pointer(self, key: str) -> int:
        """An address of segment 7."""
        value = self.address(key)
        if not PROGRAM_BASE <= value < PROGRAM_END:
            raise PlanError(
                f"{self.where}: '{key}' = {value:#x} lies outside the program segment "
                f"[{PROGRAM_BASE:#x}, {PROGRAM_END:#x})"
            )
        return value

    def shape(self, key: str) -> tuple[str, ...]:
        value = self.value(key)
        if not isinstance(value, list):
            raise PlanError(f"{self.where}: property '{key}' is no array")
        if not all(isinstance(x, str) for x in value):
            raise PlanError(f"{self.where}: property '{key}' holds an element that is no decimal string")
        return tuple(str(self._number(key, x)) for x in value)

    def direction(self) -> bool:
        value = self.value("dirn", "direction")
        known = {"false": False, "true": True, "0": False, "1": True}
        text = str(value).lower()
        if text not in known:
            raise PlanError(f"{self.where}: unknown direction {value!r}")
        return known[text]

    def metadata(self, key: str, load: Callable[[str], Any]) -> dict[str, Any]:
        value = self.value(key)
        if isinstance(value, str):
            value = load(value)
        if not isinstance(value, dict) or "vdci" not in value or "senConstants" not in value:
            raise PlanError(f"{self.where}: '{key}' is no object with 'vdci' and 'senConstants'")
        return value


def check_order(plan: list[Command]) -> list[str]:
    """Messages for broken ordering and handle rules of an execution plan (empty: the plan is good)."""
    errors = []
    buffers: dict[str, int] = {}
    seen_device = False
    computes = 0
    for n, c in enumerate(plan):
        where = f"JobExecPlan[{n}] ({type(c).__name__})"
        if isinstance(c, ComputeOnHost):
            if c.ihandle and c.ihandle not in buffers:
                errors.append(f"{where}: input handle '{c.ihandle}' names no host buffer")
            if c.ohandle in buffers:
                errors.append(f"{where}: output handle '{c.ohandle}' is used twice")
            buffers[c.ohandle] = c.size
            follower = plan[n + 1] if n + 1 < len(plan) else None
            if not isinstance(follower, DataTransfer) or follower.to_host or follower.host_handle != c.ohandle:
                errors.append(f"{where}: must be followed by the host-to-device transfer of '{c.ohandle}'")
            elif follower.size != c.size:
                errors.append(f"{where}: makes {c.size} bytes, but the transfer moves {follower.size}")
            if seen_device:
                errors.append(f"{where}: host compute after device work")
        elif isinstance(c, DataTransfer):
            if c.to_host and c.host_handle in buffers:
                errors.append(f"{where}: host buffer '{c.host_handle}' is used twice")
            elif not c.to_host and c.host_handle not in buffers:
                errors.append(f"{where}: '{c.host_handle}' names no host buffer")
            elif not c.to_host and not PROGRAM_BASE <= c.dev_ptr <= PROGRAM_END - c.size:
                errors.append(
                    f"{where}: 'dev_ptr' = {c.dev_ptr:#x} lies outside the program segment "
                    f"[{PROGRAM_BASE:#x}, {PROGRAM_END:#x})"
                )
            if c.to_host:
                buffers[c.host_handle] = c.size
                if any(isinstance(x, ComputeOnHost) for x in plan) and not seen_device:
                    errors.append(f"{where}: device-to-host transfer before any device compute")
        elif isinstance(c, ComputeOnDevice):
            seen_device = True
            computes += 1
        else:
            errors.append(f"{where}: not allowed in JobExecPlan")
    if not computes and any(isinstance(c, ComputeOnHost) for c in plan):
        errors.append("JobExecPlan: host compute without a device compute")
    return errors
