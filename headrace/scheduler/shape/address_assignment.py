"""address-assignment: give every staging buffer its place in the scratchpad.

Precondition: `memref.alloc` with constant shapes. Postcondition: none is left; each is an `unrealized_conversion_cast`
of a constant byte address. Addresses
start afresh in each program, are aligned to the widest word of the units that use the memory (at least 128 bytes), stay
inside the allocatable part (the
device's `headrace.compiler_region` if it names one) and clear of the ranges that the kernel's own scratchpad views
cover. Where that does not fit, accumulators in the compute unit's registers are packed: aligned to their elements, and
in the place of others whose block has ended.

    %a = memref.alloc() : memref<64xf16, "L1">  ->  %a = unrealized_conversion_cast %c128 : index to memref<64xf16,
    "L1">
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp, UnrealizedConversionCastOp
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.arch import Device
from headrace.ir.construct import create_op
from headrace.ir.diagnostics import HeadraceError, error
from headrace.ir.passes import Pass
from headrace.ir.types import dtype_of
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import ancestors, constant_op, walk_ops
from headrace.scheduler.device import attr_kind, device_of, free_ranges, owned_ranges, programs

ALIGNMENT = 128


@dataclass
class AddressAssignment(Pass):
    """Assign scratchpad addresses per program."""

    name = "address-assignment"

    def apply(self, module: ModuleOp, ctx: object) -> None:
        device = device_of(module)
        owned = owned_ranges(module, device)
        for program in programs(module, mapped=True):
            assign(program, device, owned)


def assign(program: func.FuncOp, device: Device, owned: dict[str, list[tuple[int, int]]]) -> None:
    """Place the buffers of one program, first fit in program order."""
    allocs = [op for op in walk_ops(program, "memref.alloc") if isinstance(op, memref.AllocOp)]
    try:
        placed = place(allocs, device, owned)
    except HeadraceError:
        placed = place(allocs, device, owned, packed=True)
    for op, address, _ in placed:
        constant = constant_op(address)
        cast = create_op(UnrealizedConversionCastOp, (constant.result,), (op.results[0].type,))
        cast.results[0].name_hint = op.results[0].name_hint
        for new in (constant, cast):
            ktdf.copy_loc(op, new)
            Rewriter.insert_op(new, InsertPoint.before(op))
        op.results[0].replace_all_uses_with(cast.results[0])
        op.detach()
        op.erase()


Placed = list[tuple[memref.AllocOp, int, int]]
"""Buffers with their addresses and bytes."""


def place(
    allocs: Sequence[memref.AllocOp], device: Device, owned: dict[str, list[tuple[int, int]]], packed: bool = False
) -> Placed:
    """Addresses of buffers. Where `packed`, those in the compute unit's own memory lie close together, and take the
    place of what lived in blocks that have ended: one unit uses them one after the other. Raises HeadraceError where
    they do not fit."""
    local = device.local_memory(device.compute_kind)
    free: dict[str, list[tuple[int, int]]] = {}
    placed: Placed = []
    for op in allocs:
        t = op.results[0].type
        assert isinstance(t, MemRefType)
        kind = attr_kind(device, t.memory_space)
        if op.operands:
            raise error(op, f"address-assignment: failed to allocate {kind} memory: the size is only known at launch")
        size = dtype_of(t.element_type).bytes
        for n in t.get_shape():
            size *= n
        spaces = free.setdefault(kind, free_ranges(device, kind, owned))
        alignment = ALIGNMENT
        if packed and local is not None and kind == local.kind:
            alignment = dtype_of(t.element_type).bytes
            around = {b.parent_block() for b in (op, *ancestors(op))}
            spaces = free_ranges(device, kind, owned)
            for other, address, n in placed:
                if other.parent_block() in around and attr_kind(device, other.results[0].type.memory_space) == kind:  # type: ignore[attr-defined]
                    spaces = without(spaces, address, address + n)
        address = take(spaces, size, alignment)
        if address is None:
            limit = sum(b - a for a, b in free_ranges(device, kind, owned))
            notes = [(o, f"{o.results[0].type}: {n} bytes at {at}") for o, at, n in placed]
            notes.append((op, f"{t}: {size} bytes do not fit"))
            raise error(
                op,
                f"address-assignment: failed to allocate {kind} memory: the program exceeds its {limit} bytes",
                notes,
            )
        placed.append((op, address, size))
    return placed


def without(free: Sequence[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """Free ranges less [start, end)."""
    pieces = [p for a, b in free for p in ((a, min(b, start)), (max(a, end), b))]
    return [p for p in pieces if p[0] < p[1]]


def take(free: list[tuple[int, int]], size: int, alignment: int = ALIGNMENT) -> int | None:
    """Cut an aligned piece from the first free range that holds it."""
    for i, (start, end) in enumerate(free):
        at = -(-start // alignment) * alignment
        if at + size <= end:
            free[i : i + 1] = without([(start, end)], at, at + size)
            return at
    return None
