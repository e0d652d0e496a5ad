"""Scalar instructions in native code; they cost no time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headrace.codegen import isa
from headrace.machine.native.dsl import I64, Value
from headrace.machine.result import F_DIVISION, F_REMAINDER

if TYPE_CHECKING:
    from headrace.machine.native.units import UnitEmitter

_PLAIN = {"ADD": "add", "SUB": "sub", "MUL": "mul", "AND": "and_", "OR": "or_", "XOR": "xor"}
_SHIFTS = {"SHL": "shl", "SHRS": "ashr", "SHRU": "lshr"}
_PICKS = {
    "MINS": ("icmp_signed", "<"),
    "MAXS": ("icmp_signed", ">"),
    "MINU": ("icmp_unsigned", "<"),
    "MAXU": ("icmp_unsigned", ">"),
}
_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def emit_scalar(e: UnitEmitter, i: int, ins: isa.Instruction) -> None:
    """Emit one scalar instruction."""
    e.set_r(ins["rd"], _value(e, i, ins))


def _value(e: UnitEmitter, i: int, ins: isa.Instruction) -> Any:
    f, b = e.f, e.f.b
    match ins.op:
        case "LI":
            return ins["value"]
        case "MOV":
            return e.r(ins["ra"])
        case "CMP":
            pred: str = ins["pred"]
            compare = b.icmp_unsigned if pred[0] == "u" else b.icmp_signed
            sign = _SIGNS[pred if pred in ("eq", "ne") else pred[1:]]
            return b.zext(compare(sign, e.r(ins["ra"]).v, e.r(ins["rb"]).v), I64)
        case "SEL":
            return f.select(e.r(ins["cond"]) != 0, e.r(ins["rt"]), e.r(ins["rf"]))
        case "ADDR":
            total = e.r(ins["base"]) + ins["disp"]
            for t in ins["terms"]:
                total = total + e.r(t.reg) * t.stride
            return total
    x, y = e.r(ins["ra"]).v, e.r(ins["rb"]).v
    if ins.op in _PLAIN:
        return getattr(b, _PLAIN[ins.op])(x, y)
    if ins.op in _SHIFTS:
        return getattr(b, _SHIFTS[ins.op])(x, b.and_(y, f.raw(63)))
    if ins.op in _PICKS:
        method, sign = _PICKS[ins.op]
        return b.select(getattr(b, method)(sign, x, y), x, y)
    return _division(e, i, ins.op, x, y)


def _division(e: UnitEmitter, i: int, op: str, x: Any, y: Any) -> Any:
    f, b = e.f, e.f.b
    zero = f.raw(0)
    e.fault_if(b.icmp_signed("==", y, zero), i, F_DIVISION, Value(f, x), Value(f, y))
    if op in ("DIVU", "REMU", "CEILDIVU"):
        if op == "REMU":
            return b.urem(x, y)
        q = b.udiv(x, y)
        return q if op == "DIVU" else b.add(q, b.zext(b.icmp_signed("!=", b.urem(x, y), zero), I64))
    minus = b.icmp_signed("==", y, f.raw(-1))
    safe = b.select(minus, f.raw(1), y)
    q = b.select(minus, b.sub(zero, x), b.sdiv(x, safe))
    rest = b.select(minus, zero, b.srem(x, safe))
    inexact = b.icmp_signed("!=", rest, zero)
    opposite = b.icmp_signed("<", b.xor(rest, y), zero)
    match op:
        case "DIVS":
            return q
        case "REMS":
            return rest
        case "FLOORDIVS":
            return b.sub(q, b.zext(b.and_(inexact, opposite), I64))
        case "CEILDIVS":
            return b.add(q, b.zext(b.and_(inexact, b.not_(opposite)), I64))
        case _:
            e.fault_if(inexact, i, F_REMAINDER, Value(f, x), Value(f, y))
            return q
