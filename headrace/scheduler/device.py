"""How passes reach the device and the programs of a module."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute

from headrace.arch import Device
from headrace.arch.loader import device_of as declared_device
from headrace.ir.construct import operand_groups
from headrace.ir.diagnostics import error
from headrace.ir.types import dtype_of, integer_values
from headrace.scheduler.access import address_unit, mixed
from headrace.scheduler.build import walk_ops
from headrace.scheduler.linear import linear

_ATTACHED: WeakKeyDictionary[ModuleOp, Device] = WeakKeyDictionary()


def attach_device(module: ModuleOp, device: Device) -> None:
    """Make `device` the one that passes on `module` use, whatever the module declares."""
    _ATTACHED[module] = device


def device_of(module: ModuleOp) -> Device:
    """The device of a module: the attached one, else the only one it declares. Raises HeadraceError if there is
    none."""
    device = _ATTACHED.get(module)
    return device if device is not None else declared_device(module)


MAPPED = "headrace.mapped"
"""Attribute of a program whose pipelines are in their final form already: the shape passes leave it alone."""


def programs(module: ModuleOp, mapped: bool = False) -> Iterator[func.FuncOp]:
    """The program functions: public functions of the named child modules (or of the module itself where it is one
    program). Those that are `MAPPED` only on request."""
    for f in _programs(module):
        if mapped or MAPPED not in f.attributes:
            yield f


def _programs(module: ModuleOp) -> Iterator[func.FuncOp]:
    for op in module.body.block.ops:
        if isinstance(op, ModuleOp) and op.sym_name is not None:
            for f in op.body.block.ops:
                if isinstance(f, func.FuncOp) and f.body.blocks:
                    yield f
        elif isinstance(op, func.FuncOp) and op.body.blocks:
            yield op


def kind_attr(device: Device, space: Attribute) -> Attribute:
    """The device's own memory space attribute for a KTIR memory space."""
    return device.memory(device.space_to_kind(space)).space


def kind_attr_of(device: Device, kind: str) -> Attribute:
    return device.memory(kind).space


def attr_kind(device: Device, space: Attribute) -> str:
    """The memory kind that a memref's memory space names."""
    return device.space_to_kind(space)


def owned_ranges(module: ModuleOp, device: Device) -> dict[str, list[tuple[int, int]]]:
    """Per memory kind the byte ranges [start, end) that the kernel's own on-chip views cover. A view without constant
    bounds owns everything from its
    start (or the whole memory)."""
    owned: dict[str, list[tuple[int, int]]] = {}
    for op in walk_ops(module, "ktdp.construct_memory_view"):
        kind = device.space_to_kind(op.properties["memory_space"])
        memory = device.memory(kind)
        if memory.level == 0:
            continue
        size = memory.size or 0
        base = linear(op.operands[0])
        element = dtype_of(op.results[0].type.element_type).bytes  # type: ignore[attr-defined]
        unit = element if address_unit(op, base) == "element" else 1
        _, dynamic_extents, dynamic_strides = operand_groups(op)
        strides = mixed(integer_values(op.properties["static_strides"]), dynamic_strides)
        extents = mixed(integer_values(op.properties["static_sizes"]), dynamic_extents)
        if not base.is_const:
            owned.setdefault(kind, []).append((0, size))
        elif any(not isinstance(x, int) for x in (*strides, *extents)):
            owned.setdefault(kind, []).append((base.const * unit, size))
        else:
            span = sum(
                (n - 1) * abs(s)
                for n, s in zip(extents, strides, strict=True)
                if isinstance(n, int) and isinstance(s, int)
            )
            start = base.const * unit
            end = start + (span + 1) * element
            if start < 0 or (memory.size is not None and end > memory.size):
                raise error(op, f"the view covers bytes {start} to {end} of '{kind}', which has {memory.size} bytes")
            owned.setdefault(kind, []).append((start, end))
    return owned


def free_ranges(device: Device, kind: str, owned: dict[str, list[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Byte ranges [start, end) of a memory where compiler buffers may go, in address order."""
    memory = device.memory(kind)
    if memory.compiler_region is not None:
        offset, size = memory.compiler_region
        start, end = offset, offset + size
    else:
        start, end = 0, memory.allocatable if memory.allocatable is not None else 1 << 40
    free: list[tuple[int, int]] = []
    for a, b in sorted(owned.get(kind, [])):
        if a > start:
            free.append((start, min(a, end)))
        start = max(start, b)
    if start < end:
        free.append((start, end))
    return [(a, b) for a, b in free if a < b]


def allocatable(device: Device, kind: str, owned: dict[str, list[tuple[int, int]]]) -> int:
    """Bytes of a memory that compiler buffers may take, without gaps that hold nothing but the smallest ones."""
    found = free_ranges(device, kind, owned)
    least = max((b - a for a, b in found), default=0) // 16
    return sum(b - a for a, b in found if b - a >= least)
