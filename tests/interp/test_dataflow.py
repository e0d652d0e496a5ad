"""DataflowIR: a two-core program, channels, signals, deadlock and leftovers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headrace.interp.dataflow import run_dataflow
from headrace.interp.memory import Memory
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module
from headrace.numerics import dtypes

F16 = dtypes.get("f16")
PROGRAM = (Path(__file__).parent / "programs" / "multiply.dataflow.mlir").read_text()


class Facts:
    """Word size 64 for the DMA units on global memory, FIFOs of depth 2."""

    def word_size(self, unit_kind: str, memory_kind: str) -> int:
        return 64 if unit_kind in ("mnilu", "mnisu") and memory_kind == "hbm" else 1

    def memory_level(self, kind: str) -> int:
        return 0 if kind == "hbm" else 1

    def queue_depth(self, source: str, target: str) -> int:
        return 2


def setup() -> tuple[Memory, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    a, b = (rng.standard_normal((4, 64)).astype(np.float16) for _ in range(2))
    memory = Memory()
    memory.add("a", 4096, a, F16)
    memory.add("b", 8192, b, F16)
    memory.add("c", 12288, np.zeros((4, 64), np.float16), F16)
    return memory, a, b


ARGS = {"a": 4096, "b": 8192, "c": 12288}


def test_two_core_multiply() -> None:
    memory, a, b = setup()
    result = run_dataflow(parse_module(PROGRAM), ARGS, memory, Facts())
    np.testing.assert_array_equal(memory.read("c", (4, 64), F16), a * b)
    assert result.programs == 1
    assert result.sends == 2 * 2 * 3


def test_some_cores_only() -> None:
    memory, a, b = setup()
    run_dataflow(parse_module(PROGRAM), ARGS, memory, Facts(), tiles=[1])
    c = memory.read("c", (4, 64), F16)
    np.testing.assert_array_equal(c[2:], (a * b)[2:])
    assert not c[:2].any()


def test_missing_signal_is_a_deadlock_naming_every_unit() -> None:
    memory, _, _ = setup()
    text = PROGRAM.replace("dataflow.sync_send %qL {", "dataflow.sync_send %qL {headrace.lost = 1 : i32, ", 1)
    text = text.replace(
        "headrace.lost = 1 : i32, wait_immediately_for_async_transfers = true, headrace.signal = 1",
        "headrace.signal = 7",
    )
    with pytest.raises(HeadraceError) as e:
        run_dataflow(parse_module(text), ARGS, memory, Facts())
    message = str(e.value)
    assert "deadlock" in message
    assert "unit C0-l1lu waits for signal 1 from C0-mnilu" in message
    assert "unit C1-sfu waits for an item in the channel from C1-l1lu" in message


def test_leftover_signal_is_reported() -> None:
    memory, _, _ = setup()
    text = PROGRAM.replace(
        "          dataflow.sync_send %qS : index\n", "          dataflow.sync_send %qS : index\n" * 2, 1
    )
    with pytest.raises(HeadraceError, match="left at"):
        run_dataflow(parse_module(text), ARGS, memory, Facts())


def test_address_that_is_no_multiple_of_the_word_is_refused() -> None:
    memory, _, _ = setup()
    with pytest.raises(HeadraceError, match="not a multiple of the word size 64"):
        run_dataflow(parse_module(PROGRAM), {**ARGS, "a": 4098}, memory, Facts())


def test_access_outside_every_buffer() -> None:
    memory, _, _ = setup()
    with pytest.raises(HeadraceError, match="outside every buffer"):
        run_dataflow(parse_module(PROGRAM), {**ARGS, "a": 1 << 20}, memory, Facts())


def test_reading_scratchpad_before_the_writer() -> None:
    memory, _, _ = setup()
    text = PROGRAM.replace("dataflow.sync_recv %qD {headrace.signal = 1 : i32} : index\n", "", 1)
    with pytest.raises(HeadraceError, match=r"left at|never written"):
        run_dataflow(parse_module(text), ARGS, memory, Facts())
