"""Every table entry on every type: NumPy and native code give the same bits."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from headrace.numerics import semantics
from headrace.numerics.dtypes import ALL, DType

from .jit import Case, Native

FLOATS = [t for t in ALL.values() if t.is_float]
INTS = [t for t in ALL.values() if not t.is_float]
SPECIAL_FLOATS = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, np.inf, -np.inf, np.nan, 65504.0, 65520.0, 1e-8, -1e-8, 5.96e-8,
    3.4e38, -3.4e38, 1.2e-38, 1e-45, 88.7, -88.7, 88.8, 710.0, -745.0, 0.4999999, 3.0, 2.0**31, -(2.0**31), 2.0**63,
    np.pi, np.pi / 2, 1e22, 8589934592.0, -4.66e-10, 2.0**-31, 1e300, -1e-310,
]  # fmt: skip
COUNT = 1024


def _conversions() -> list[Case]:
    cases = []
    for a in FLOATS:
        for b in FLOATS:
            if a.bits < b.bits:
                cases.append(Case("arith.extf", (a,), (b,)))
            elif a.bits > b.bits:
                cases.append(Case("arith.truncf", (a,), (b,)))
    for f in FLOATS:
        for i in INTS:
            cases += [Case(f"arith.{n}", (i,), (f,)) for n in ("sitofp", "uitofp")]
            cases += [Case(f"arith.{n}", (f,), (i,)) for n in ("fptosi", "fptoui")]
    for a in INTS:
        for b in INTS:
            if "index" in (a.name, b.name):
                cases += [Case(f"arith.{n}", (a,), (b,)) for n in ("index_cast", "index_castui")]
            elif a.bits < b.bits:
                cases += [Case(f"arith.{n}", (a,), (b,)) for n in ("extsi", "extui")]
            elif a.bits > b.bits:
                cases.append(Case("arith.trunci", (a,), (b,)))
    for a in ALL.values():
        for b in ALL.values():
            if a.bits == b.bits and "index" not in (a.name, b.name):
                cases.append(Case("arith.bitcast", (a,), (b,)))
    return cases


def _params(op: semantics.ScalarOp) -> list[tuple[tuple[str, object], ...]]:
    if not op.params:
        return [()]
    if op.params[0].choices:
        return [((op.params[0].name, choice),) for choice in op.params[0].choices]
    if op.name == "spyreop.softplus":
        return [(("beta", 1.0), ("threshold", 20.0)), (("beta", -0.5), ("threshold", 3.0))]
    return [tuple((spec.name, spec.default) for spec in op.params)]


def cases() -> list[Case]:
    """Every entry on every type it takes."""
    found = _conversions()
    for name in semantics.names():
        op = semantics.get(name)
        if op.domain == "cast" or op.arity == 0:
            continue
        types = {"float": FLOATS, "int": INTS, "any": list(ALL.values())}[op.domain]
        for t in types:
            ins = (ALL["i1"], t, t) if name == "arith.select" else (t,) * op.arity
            found += [Case(name, ins, op.result_dtypes(ins), params) for params in _params(op)]
    return found


CASES = cases()
NAMES = sorted({case.name for case in CASES})
# The wide forms of the costly entries add nothing to what eight lanes show.
WIDE = [c for c in CASES if c.name.startswith("arith.") and c.ins[0].name in ("f16", "df16", "i1")]


@cache
def native(lanes: int, name: str) -> Native:
    pool = WIDE if lanes == 64 else CASES
    return Native([case for case in pool if case.name == name], lanes)


def samples(dtype: DType, rng: np.random.Generator, size: int) -> np.ndarray:
    """Raw bits: special values, uniform bit patterns, and ordinary numbers."""
    if not dtype.is_float:
        edges = [0, 1, -1, 2, -2, 3, 7, 31, 32, 63, 64, -(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1]
        wide = rng.integers(-(2**63), 2**63 - 1, size, dtype=np.int64)
        wide[: size // 3] = rng.integers(-9, 9, size // 3)
        wide[rng.integers(0, size, size // 4)] = rng.choice(np.array(edges, dtype=np.int64), size // 4)
        return dtype.encode(wide & 1 if dtype.bits == 1 else wide)
    random = rng.integers(0, 1 << dtype.bits, size, dtype=np.uint64).astype(dtype.storage_dtype)
    if dtype.name == "f16":  # a signalling NaN becomes quiet when it is loaded
        random = np.where(np.isnan(dtype.decode(random)), random | np.uint16(0x200), random)
    ordinary = dtype.encode(rng.normal(size=size) * rng.choice([0.01, 1.0, 10.0, 1000.0], size))
    special = dtype.encode(rng.choice(np.array(SPECIAL_FLOATS), size))
    kind = rng.integers(0, 3, size)
    return np.choose(kind, [random, ordinary, special]).astype(dtype.storage_dtype)


def compare(case: Case, lanes: int, raw: list[np.ndarray]) -> None:
    op = semantics.get(case.name)
    values = [t.decode(r) for t, r in zip(case.ins, raw, strict=True)]
    expected = op.numpy(values, case.ins, case.outs, dict(case.params))
    got = native(lanes, case.name).run(case, raw)
    for dtype, e, g in zip(case.outs, expected if op.results > 1 else [expected], got, strict=True):
        assert e.dtype == dtype.value_dtype
        bits = dtype.encode(e)
        if not np.array_equal(bits, g):
            where = np.flatnonzero(bits != g)[0]
            shown = [str(v[where]) for v in values]
            pytest.fail(f"{case.symbol} lanes {lanes} on {shown}: numpy {bits[where]:#x}, native {g[where]:#x}")


@pytest.mark.parametrize("name", NAMES)
def test_same_bits(name: str) -> None:
    rng = np.random.default_rng(sum(name.encode()))
    for case in (c for c in CASES if c.name == name):
        unary16 = len(case.ins) == 1 and case.ins[0].bits == 16
        size = 65536 if unary16 else COUNT
        if unary16:
            raw = [np.arange(65536, dtype=np.uint16)]
        else:
            raw = [samples(t, rng, size) for t in case.ins]
        compare(case, 8, raw)


@pytest.mark.parametrize("name", sorted({c.name for c in WIDE}))
def test_same_bits_full_vector(name: str) -> None:
    rng = np.random.default_rng(7)
    for case in (c for c in WIDE if c.name == name):
        compare(case, 64, [samples(t, rng, COUNT) for t in case.ins])


@pytest.mark.parametrize("name", NAMES)
def test_same_bits_scalar(name: str) -> None:
    rng = np.random.default_rng(11)
    for case in [c for c in CASES if c.name == name and c.ins[0].name in ("f16", "f32", "f64", "i1", "i32", "i64")]:
        compare(case, 0, [samples(t, rng, 256) for t in case.ins])
