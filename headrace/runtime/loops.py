"""Native loops of host transfers: element conversions and copies of boxes. They run without the interpreter's lock."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import ir

from headrace.machine.native import cache as native
from headrace.numerics import dtypes, rounding
from headrace.numerics.llvm_backend import LLVMBackend

_LANES = 16
_LINE = 128
_I64, _I8 = ir.IntType(64), ir.IntType(8)


@cache
def conversion(source: str, target: str) -> Any:
    """``convert(from, to, n)``: ``n`` elements of ``source`` to ``target`` (``f16 bf16 df16 f32``), contiguous."""
    name = "convert"
    content = f"{source} {target}".encode()
    addresses = native.functions("convert", content, lambda: _build(source, target, name), (name,))
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    return kind(addresses[name])


def _build(source: str, target: str, name: str) -> ir.Module:
    """``void convert(source *from, target *to, i64 n)``: whole vectors, then single elements."""
    module = ir.Module(name=f"{source}-{target}")
    wide = ir.IntType(64)
    a, b = (ir.IntType(dtypes.get(t).bits) for t in (source, target))
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [a.as_pointer(), b.as_pointer(), wide]), name)
    start, end, count = function.args
    entry = function.append_basic_block("entry")
    builder = ir.IRBuilder(entry)
    whole = builder.and_(count, wide(-_LANES))
    for lanes, first, last in ((_LANES, wide(0), whole), (1, whole, count)):
        before = builder.block
        head, body, after = (function.append_basic_block(f"{what}{lanes}") for what in ("head", "body", "after"))
        builder.branch(head)
        builder.position_at_end(head)
        index = builder.phi(wide)
        index.add_incoming(first, before)
        builder.cbranch(builder.icmp_signed("<", index, last), body, after)
        builder.position_at_end(body)
        places = [builder.gep(p, [index]) for p in (start, end)]
        if lanes > 1:
            kinds = [ir.VectorType(t, lanes).as_pointer() for t in (a, b)]
            places = [builder.bitcast(p, t) for p, t in zip(places, kinds, strict=True)]
        raw = builder.load(places[0], align=a.width // 8)
        builder.store(_element(LLVMBackend(builder), raw, source, target), places[1], align=b.width // 8)
        index.add_incoming(builder.add(index, wide(lanes)), builder.block)
        builder.branch(head)
        builder.position_at_end(after)
    builder.ret_void()
    return module


def _element(b: LLVMBackend, raw: Any, source: str, target: str) -> Any:
    """One element, as :meth:`DType.encode` defines it: signs of overflow and payloads of NaN survive."""
    x = rounding.unpack(b, raw, source)
    if target == "f32":
        return b.bits(x)
    packed = rounding.pack(b, rounding.finish32(b, x, target), target)
    bits = b.bits(x)
    if target == "df16":
        signed = b.ior(b.trunc(b.iand(b.lshr(bits, 16), 0x8000), 16), 0x7FFF)
        return b.select(b.icmp("eq", packed, 0x7FFF), signed, packed)
    if target == "bf16":
        top = b.trunc(b.lshr(bits, 16), 16)
        top = b.select(b.icmp("eq", b.iand(top, 0x7F), 0), b.ior(top, 0x40), top)
        return b.select(b.fcmp("uno", x, x), top, packed)
    return packed


@cache
def boxes() -> Any:
    """``boxes(from, to, n0, n1, from0, from1, to0, to1, size)``: ``n0 * n1`` runs of ``size`` bytes; steps in bytes."""
    address = native.functions("boxes", b"1", _build_boxes, ("boxes",))["boxes"]
    return ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * 7)(address)


def _build_boxes() -> ir.Module:
    """Runs of one stick (128 bytes) are copied by vector moves, others by ``memcpy``."""
    module = ir.Module(name="boxes")
    pointer = _I8.as_pointer()
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [pointer, pointer, *[_I64] * 7]), "boxes")
    start, end, n0, n1, from0, from1, to0, to1, size = function.args
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    half = ir.VectorType(_I64, 8).as_pointer()
    memcpy = module.declare_intrinsic("llvm.memcpy", [pointer, pointer, _I64])

    def loop(count: Any, body: Callable[[Any], None]) -> None:
        before = builder.block
        head, inner, after = (function.append_basic_block(what) for what in ("head", "body", "after"))
        builder.branch(head)
        builder.position_at_end(head)
        index = builder.phi(_I64)
        index.add_incoming(_I64(0), before)
        builder.cbranch(builder.icmp_signed("<", index, count), inner, after)
        builder.position_at_end(inner)
        body(index)
        index.add_incoming(builder.add(index, _I64(1)), builder.block)
        builder.branch(head)
        builder.position_at_end(after)

    def nest(sticks: bool) -> None:
        def row(i: Any) -> None:
            a, b = builder.gep(start, [builder.mul(i, from0)]), builder.gep(end, [builder.mul(i, to0)])

            def run(j: Any) -> None:
                x, y = builder.gep(a, [builder.mul(j, from1)]), builder.gep(b, [builder.mul(j, to1)])
                if not sticks:
                    builder.call(memcpy, [y, x, size, ir.IntType(1)(0)])
                    return
                for at in (0, _LINE // 2):
                    places = [builder.bitcast(builder.gep(p, [_I64(at)]), half) for p in (x, y)]
                    builder.store(builder.load(places[0], align=1), places[1], align=1)

            loop(n1, run)

        loop(n0, row)

    whole, part, done = (function.append_basic_block(what) for what in ("sticks", "runs", "done"))
    builder.cbranch(builder.icmp_signed("==", size, _I64(_LINE)), whole, part)
    for block, sticks in ((whole, True), (part, False)):
        builder.position_at_end(block)
        nest(sticks)
        builder.branch(done)
    builder.position_at_end(done)
    builder.ret_void()
    return module
