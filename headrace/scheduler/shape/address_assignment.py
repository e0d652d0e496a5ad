"""address-assignment: give every staging buffer its place in the scratchpad.

Precondition: `memref.alloc` with constant shapes. Postcondition: none is left; each is an `unrealized_conversion_cast`
of a constant byte address. Addresses
start afresh in each program, are aligned to the widest word of the units that use the memory (at least 128 bytes), stay
inside the allocatable part (the
device's `headrace.compiler_region` if it names one) and clear of the ranges that the kernel's own scratchpad views
cover.

    %a = memref.alloc() : memref<64xf16, "L1">  ->  %a = unrealized_conversion_cast %c128 : index to memref<64xf16,
    "L1">
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp, UnrealizedConversionCastOp
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.arch import Device
from headrace.ir.diagnostics import error
from headrace.ir.passes import Pass
from headrace.ir.types import dtype_of
from headrace.scheduler import schedule as ktdf
from headrace.scheduler.build import INDEX, walk_ops
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
    free: dict[str, list[tuple[int, int]]] = {}
    placed: list[tuple[memref.AllocOp, int, int]] = []
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
        address = take(spaces, size)
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
        constant = arith.ConstantOp(IntegerAttr(address, INDEX))
        constant.result.name_hint = f"c{address}"
        cast = UnrealizedConversionCastOp.get([constant.result], [t])
        cast.results[0].name_hint = op.results[0].name_hint
        for new in (constant, cast):
            ktdf.copy_loc(op, new)
            Rewriter.insert_op(new, InsertPoint.before(op))
        op.results[0].replace_all_uses_with(cast.results[0])
        op.detach()
        op.erase()


def take(free: list[tuple[int, int]], size: int) -> int | None:
    """Cut an aligned piece from the first free range that holds it."""
    for i, (start, end) in enumerate(free):
        at = -(-start // ALIGNMENT) * ALIGNMENT
        if at + size <= end:
            pieces = [p for p in ((start, at), (at + size, end)) if p[0] < p[1]]
            free[i : i + 1] = pieces
            return at
    return None
