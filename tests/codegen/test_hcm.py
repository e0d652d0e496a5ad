"""Host compute: array evaluation is the exact one, in results and in errors; hostile metadata is refused quickly."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headrace.codegen import hcm
from headrace.codegen.hcm import HostCompute, decode
from headrace.codegen.symbols import OPERATIONS, Expr, SymbolError, const, evaluate

NUMBERS = st.one_of(
    st.integers(-300, 300),
    st.sampled_from([0, 1, -1, 64, 128, 1 << 34, (1 << 62), (1 << 63) - 1, -(1 << 63), 3037000500, -3037000500]),
    st.integers(-(1 << 63), (1 << 63) - 1),
)
LEAVES = st.one_of(NUMBERS.map(const), st.integers(0, 3).map(lambda k: Expr("input", (k,))))
TREES = st.recursive(
    LEAVES, lambda sub: st.tuples(st.sampled_from(sorted(OPERATIONS)), sub, sub).map(lambda t: Expr(t[0], t[1:])),
    max_leaves=20,
)  # fmt: skip


def outcome(action: Any) -> Any:
    try:
        return action()
    except SymbolError as e:
        return str(e)


@settings(max_examples=150, deadline=None)
@given(st.lists(TREES, min_size=1, max_size=12), st.lists(NUMBERS, min_size=4, max_size=4))
def test_arrays_are_exact(trees: list[Expr], values: list[int]) -> None:
    host = HostCompute(dict(enumerate(trees)), tuple((k, 8 * k) for k in range(len(trees))))
    size = 8 * len(trees) + 8
    exact = outcome(lambda: host.run_exactly(values, "abcd", size))
    found = host._arrays.run(values)
    if found is not None:
        assert not isinstance(exact, str)
        assert found.tolist() == [evaluate(t, values) for t in trees]
    assert outcome(lambda: host.run(values, "abcd", size)) == exact
    assert outcome(lambda: host.run(values, "abcd", size)) == exact, "the second time from memory"


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 30), st.integers(1, 500))
def test_many_addresses(base: int, count: int) -> None:
    trees = [Expr("divexact", (Expr("add", (Expr("input", (0,)), const(128 * k))), const(64))) for k in range(count)]
    host = HostCompute(dict(enumerate(trees)), tuple((k, 8 * k) for k in range(count)))
    raw = host.run([128 * base], ["a"], 8 * count)
    words = [int.from_bytes(raw[8 * k : 8 * k + 8], "little", signed=True) for k in range(count)]
    assert words == [2 * base + 2 * k for k in range(count)]
    with pytest.raises(SymbolError, match=r"argument .a. = \d+: the address \(a \+ 0\) / 64 is not a multiple"):
        host.run([128 * base + 1], ["a"], 8 * count)


def test_odd_offsets() -> None:
    trees = [Expr("add", (Expr("input", (0,)), const(k))) for k in range(30)]
    host = HostCompute(dict(enumerate(trees)), tuple((k, 9 * k) for k in range(30)))
    assert host.run([5], ["a"], 300) == host.run_exactly([5], ["a"], 300)


def test_hostile_metadata() -> None:
    doubling: list[Any] = [{"id": -1, "input": {"kind": "dimension", "arg": 0}}]
    doubling += [{"id": -k, "expr": ["add", ["sym", 1 - k], ["sym", 1 - k]]} for k in range(2, 200)]
    with pytest.raises(SymbolError, match="has more than 65536 operations"):
        decode({"symbols": doubling, "layout": []}, 8, 1)
    deep: Any = 1
    for _ in range(5000):
        deep = ["add", deep, 1]
    with pytest.raises(SymbolError, match="nested too deeply"):
        decode({"symbols": [{"id": -1, "expr": deep}], "layout": []}, 8, 1)
    for bad in ({"id": True, "expr": 1}, {"id": -1, "input": {"arg": True}}, {"id": -1, "expr": ["eval", 1, 2]}, 3):
        with pytest.raises(SymbolError):
            decode({"symbols": [bad], "layout": []}, 8, 1)
    big = decode({"symbols": [{"id": -1, "expr": 1 << 70}], "layout": [{"id": -1, "offset": 0, "width": 8}]}, 8, 0)
    with pytest.raises(SymbolError, match="does not fit 64 bits"):
        big.run([], [], 8)


def test_the_memory_is_bounded() -> None:
    host = HostCompute({0: Expr("input", (0,))}, ((0, 0),))
    for k in range(1000):
        host.run([k], ["a"], 8)
    assert host._remembered.cache_info().currsize == hcm.REMEMBERED
