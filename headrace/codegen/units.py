"""Unit instances and memories of a module, numbered in order of first use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.ir import Operation

from headrace.arch import Device
from headrace.codegen.image import Memory, Unit
from headrace.ir.diagnostics import error

_SPACE_TAGS = {"hbm": (0, ("global", "HBM")), "lx": (1, ("ct_local", "LX"))}
"""Tags that ``dataflow.get_unit`` uses for memory spaces instead of the memory's kind: level, and names of the
space."""


def tagged_memory(device: Device, tag: str) -> str | None:
    """Memory kind of the tag ``hbm`` or ``lx``: the one that the device maps the space to, else the one at its
    level."""
    level, names = _SPACE_TAGS[tag]
    spaces = [f"#ktdp.memory_space<{names[0]}>", f"#ktdp.spyre_memory_space<{names[1]}>"]
    for memory in device.memories.values():
        if any(str(alias) in spaces for alias in memory.aliases):
            return memory.kind
    return next((m.kind for m in device.memories.values() if m.level == level), None)


@dataclass(frozen=True)
class UnitHandle:
    """What one ``dataflow.get_unit`` names: device kind, core and corelet (-1 where it has none)."""

    name: str
    kind: str
    core: int
    corelet: int
    memory: bool


@dataclass(frozen=True)
class MemoryHandle:
    """A memory as code sees it."""

    kind: str
    scope: str


class UnitTable:
    """Numbers of unit kinds, unit instances and memories."""

    def __init__(self, device: Device):
        self.device = device
        self.kinds: list[str] = []
        self.units: list[UnitHandle] = []
        self.memories: list[MemoryHandle] = []
        self._unit_numbers: dict[str, int] = {}  # by name: equal names are one unit
        self._kinds = {kind.lower(): (kind, False) for kind in device.units}
        self._kinds |= {kind.lower(): (kind, True) for kind in device.memories}
        for tag in _SPACE_TAGS:
            kind = tagged_memory(device, tag)
            if kind is not None and tag not in self._kinds:
                self._kinds[tag] = (kind, True)

    def handle(self, op: Any) -> UnitHandle:
        """The unit or memory that a ``dataflow.get_unit`` names. Unknown types are errors."""
        tag = op.unit_type.data
        found = self._kinds.get(tag.lower())
        if found is None:
            raise error(op, f"device '{self.device.name}' has no unit or memory of type '{tag}'")
        core, corelet = op.attributes.get("core"), op.attributes.get("corelet")
        return UnitHandle(
            op.unit_name.data,
            found[0],
            -1 if core is None else core.value.data,
            -1 if corelet is None else corelet.value.data,
            found[1],
        )

    def number(self, unit: UnitHandle) -> int:
        """Unit number of an instance."""
        number = self._unit_numbers.get(unit.name)
        if number is None:
            number = self._unit_numbers[unit.name] = len(self.units)
            self.units.append(unit)
            self.kind_number(unit.kind)
        return number

    def kind_number(self, kind: str) -> int:
        """Number of a unit kind."""
        if kind not in self.kinds:
            self.kinds.append(kind)
        return self.kinds.index(kind)

    def memory(self, unit: UnitHandle, op: Operation) -> MemoryHandle:
        """The memory behind a handle."""
        if not unit.memory:
            raise error(op, f"'{unit.name}' is no memory")
        level = self.device.memory_level(unit.kind)
        return MemoryHandle(unit.kind, "global" if level == 0 else "core" if level == 1 else "unit")

    def memory_number(self, memory: MemoryHandle) -> int:
        """Number of a memory in the image."""
        if memory not in self.memories:
            self.memories.append(memory)
        return self.memories.index(memory)

    def word_size(self, unit_kind: str, memory_kind: str) -> int:
        """Bytes of an address word of a unit at a memory."""
        return self.device.word_size(unit_kind, memory_kind)

    def image_units(self) -> list[Unit]:
        """The unit table of the image."""
        return [Unit(self.kinds.index(u.kind), u.core, u.corelet) for u in self.units]

    def image_memories(self) -> list[Memory]:
        """The memory table of the image."""
        return [Memory(m.kind, m.scope) for m in self.memories]
