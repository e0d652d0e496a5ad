"""Scalar instructions in Python: the reference engine, the sequencer and tests use them."""

from __future__ import annotations

from headrace.codegen import isa
from headrace.machine.result import F_DIVISION, F_REMAINDER

_MASK = (1 << 64) - 1


class ScalarFault(Exception):
    """A fault of a scalar instruction: number (of :data:`headrace.machine.result.FAULTS`) and the values that
    go with it."""

    def __init__(self, number: int, a: int, b: int) -> None:
        super().__init__(number, a, b)
        self.number, self.a, self.b = number, a, b


def signed(x: int) -> int:
    """``x`` wrapped to a signed 64-bit number."""
    x &= _MASK
    return x - (1 << 64) if x >> 63 else x


def _quotient(a: int, b: int) -> int:
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def _divide(op: str, a: int, b: int) -> int:
    if b == 0:
        raise ScalarFault(F_DIVISION, a, b)
    ua, ub = a & _MASK, b & _MASK
    match op:
        case "DIVS":
            return _quotient(a, b)
        case "REMS":
            return a - _quotient(a, b) * b
        case "DIVU":
            return ua // ub
        case "REMU":
            return ua % ub
        case "FLOORDIVS":
            return a // b
        case "CEILDIVS":
            return -(-a // b)
        case "CEILDIVU":
            return -(-ua // ub)
        case _:
            if _quotient(a, b) * b != a:
                raise ScalarFault(F_REMAINDER, a, b)
            return _quotient(a, b)


def _binary(op: str, a: int, b: int) -> int:
    ua, ub = a & _MASK, b & _MASK
    match op:
        case "ADD":
            return a + b
        case "SUB":
            return a - b
        case "MUL":
            return a * b
        case "MINS":
            return min(a, b)
        case "MAXS":
            return max(a, b)
        case "MINU":
            return min(ua, ub)
        case "MAXU":
            return max(ua, ub)
        case "AND":
            return a & b
        case "OR":
            return a | b
        case "XOR":
            return a ^ b
        case "SHL":
            return a << (ub & 63)
        case "SHRS":
            return a >> (ub & 63)
        case "SHRU":
            return ua >> (ub & 63)
        case _:
            return _divide(op, a, b)


def compare(pred: str, a: int, b: int) -> bool:
    """Result of ``CMP``."""
    if pred[0] == "u":
        a, b = a & _MASK, b & _MASK
    kind = pred if pred in ("eq", "ne") else pred[1:]
    return {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[kind]


def scalar(ins: isa.Instruction, r: list[int]) -> None:
    """Execute a scalar instruction on registers ``r``. Raises :class:`ScalarFault`."""
    match ins.op:
        case "LI":
            value = ins["value"]
        case "MOV":
            value = r[ins["ra"]]
        case "CMP":
            value = int(compare(ins["pred"], r[ins["ra"]], r[ins["rb"]]))
        case "SEL":
            value = r[ins["rt"]] if r[ins["cond"]] else r[ins["rf"]]
        case "ADDR":
            value = r[ins["base"]] + ins["disp"] + sum(r[t.reg] * t.stride for t in ins["terms"])
        case _:
            value = _binary(ins.op, r[ins["ra"]], r[ins["rb"]])
    r[ins["rd"]] = signed(value)
