"""Copies of composite accesses done at once mean what their steps mean one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.interp import composites
from headrace.interp.dataflow import run_dataflow
from headrace.interp.memory import Memory
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module

TEXT = """
func.func @k(%a: index) attributes {{grid = [1]}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {n} : index
  %out = arith.constant 1024 : index
  %x = dataflow.get_unit {{core = 0 : i32, name = "x", type = "mnilu"}} : index
  %hbm = dataflow.get_unit {{name = "hbm", type = "hbm"}} : index
  %lx = dataflow.get_unit {{core = 0 : i32, name = "lx", type = "lx"}} : index
  dataflow.program_unit iter_arg : %u -> (%x) : {{
    %v = dataflow.get_logical_memory_view %hbm, %c0 {{headrace.start_unit = "byte",
      layout_map = affine_map<(i) -> (i)>}} : index, index, memref<256xf32>
    %w = dataflow.get_logical_memory_view %lx, %c0 {{headrace.start_unit = "byte",
      layout_map = affine_map<(i) -> (i)>}} : index, index, memref<256xf32>
    %o = dataflow.get_logical_memory_view %hbm, %out {{headrace.start_unit = "byte",
      layout_map = affine_map<(i, j) -> (i * {row} + j * {column} + {constant})>}} : index, index, memref<16x16xf32>
    agen.composite_load_and_store src:%v[0] dst:%w[0] time_symbols(), load_iv(%i:vector<256xf32>)
      {{load_order = affine_map<(i) -> (i)>, load_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>,
       load_time_addr_map = affine_map<(t) -> (0)>, store_order = affine_map<(i) -> (i)>,
       store_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>, store_time_addr_map = affine_map<(t) -> (0)>,
       time_order = affine_map<(t) -> (t)>, time_set = affine_set<(t) : (t == 0)>}} {{
      agen.yield
    }} : memref<256xf32>, memref<256xf32>
    scf.for %q = %c0 to %n step %c1 {{
      agen.composite_load_and_store src:%w[%q * {a}] dst:%o[%q, {b}] time_symbols(), load_iv(%i:vector<{lanes}xf32>)
        {{load_order = affine_map<(i) -> ({sign}i)>, load_set = affine_set<(i) : (i >= 0, -i + {last} >= 0)>,
         load_time_addr_map = affine_map<(s, t) -> (s * {ls} + t * {lt})>, store_order = affine_map<(i, j) -> (i, j)>,
         store_set = affine_set<(i, j) : (i == 0, j >= 0, -j + {last} >= 0)>,
         store_time_addr_map = affine_map<(s, t) -> (s, t {store})>, time_order = affine_map<(s, t) -> ({order})>,
         time_set = affine_set<(s, t) : (s >= 0, -s + {m} >= 0, t >= 0, -t + {k} >= 0{more})>}} {{
        agen.yield
      }} : memref<256xf32>, memref<16x16xf32>
    }}
  }}
  return
}}
"""
SMALL = st.integers(0, 3)
PROGRAMS = st.fixed_dictionaries(
    {
        "n": st.integers(0, 3), "a": st.integers(0, 40), "b": SMALL, "sign": st.sampled_from(["", "-"]),
        "row": st.sampled_from([0, 3, 16]), "column": st.sampled_from([0, 1, 2]), "constant": SMALL,
        "ls": st.integers(0, 70), "lt": st.integers(0, 9), "lanes": st.integers(1, 5), "m": SMALL, "k": SMALL,
        "store": st.sampled_from(["", "* 4", "* 5 + 1", "mod 2", "floordiv 2"]),
        "order": st.sampled_from(["s, t", "t, s", "-s, t"]),
        "more": st.sampled_from(["", ", s - t >= 0", ", s - 9 >= 0"]),
    }
)  # fmt: skip


def _run(text: str) -> Any:
    memory = Memory()
    memory.main.add("a", 0, np.arange(512, dtype=np.float32).view(np.uint8))
    try:
        run_dataflow(parse_module(text), {"a": 0}, memory)
    except HeadraceError as e:
        return str(e)
    return memory.main.named("a").data.tobytes()


def _both(text: str) -> tuple[Any, Any, list[bool]]:
    """What the interpreter does with copies at once, what it does step by step, and which copies were done at once."""
    done: list[bool] = []
    inner = composites._copied

    def noted(f: Any, op: Any) -> bool:
        done.append(inner(f, op))
        return done[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(composites, "_copied", noted)
        together = _run(text)
        patch.setattr(composites, "_copied", lambda *_: False)
        return together, _run(text), done


@given(PROGRAMS)
def test_copies_at_once(numbers: dict[str, Any]) -> None:
    together, single, _ = _both(TEXT.format(last=numbers["lanes"] - 1, **numbers))
    assert together == single


PLAIN = {"n": 2, "a": 5, "b": 1, "sign": "", "row": 16, "column": 1, "constant": 0, "ls": 16, "lt": 4, "lanes": 4,
         "m": 3, "k": 1, "store": "* 4", "order": "s, t", "more": ""}  # fmt: skip


@pytest.mark.parametrize(
    "changed", [{}, {"row": 3}, {"column": 0}, {"sign": "-"}, {"store": "mod 2"}, {"more": ", s - t >= 0"}], ids=str
)
def test_copies_are_done_at_once(changed: dict[str, Any]) -> None:
    together, single, done = _both(TEXT.format(last=3, **PLAIN | changed))
    assert together == single and isinstance(together, bytes)
    assert done == [True, True, True]


def test_a_copy_that_reads_what_was_never_written_is_reported_where_it_is() -> None:
    together, single, done = _both(TEXT.format(last=3, **PLAIN | {"a": 250}))
    assert together == single and "never written" in together
    assert done == [True, True, False]


def test_a_copy_within_one_memory_goes_step_by_step() -> None:
    text = TEXT.format(last=3, **PLAIN).replace("%lx, %c0", "%hbm, %c0").replace("constant 1024", "constant 64")
    together, _, done = _both(text)
    assert isinstance(together, bytes) and done == [False, False, False]
