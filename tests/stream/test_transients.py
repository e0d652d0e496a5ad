"""Storage for transients that the caller provides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from headrace.graph.interpreter import find_function
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module
from headrace.stream.interpreter import Program
from headrace.stream.levels import check_levels
from headrace.stream.pipeline import Options
from headrace.stream.simulator import Simulator
from headrace.stream.statistics import static_figures
from headrace.stream.system import System
from headrace.stream.threads import ThreadExecutor
from tests.stream.common import compiled

CHAIN = """
func.func @f(%x: tensor<8x8xf32>, %storage: !hal.buffer) -> tensor<8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.matmul ins(%a, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%b, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = hal.tensor.transients %c : tensor<8x8xf32> from %storage : !hal.buffer
  return %r : tensor<8x8xf32>
}
"""
DYNAMIC = CHAIN.replace("tensor<8x8xf32>", "tensor<?x?xf32>").replace(
    "tensor.empty()", "tensor.empty(%n, %n)").replace(
    "%z = arith", "%c0 = arith.constant 0 : index\n  %n = tensor.dim %x, %c0 : tensor<?x?xf32>\n  %z = arith").replace(
    "%c : tensor<?x?xf32> from", "%c : tensor<?x?xf32>{%n, %n} from")  # fmt: skip
X = np.random.default_rng(0).standard_normal((8, 8)).astype(np.float32)


@pytest.mark.parametrize("text", [CHAIN, DYNAMIC])
def test_nothing_is_allocated_for_transients(text: str) -> None:
    module = parse_module(text)
    storage = np.zeros(4096, np.uint8)
    results = check_levels(module, [X, storage], Options())
    assert not [r for r in results if not r.equal]
    assert static_figures(module)["allocations"] == 1 and static_figures(module)["deallocations"] == 0
    assert storage.any()
    query = Program(module, Simulator(System()))
    (needed,) = query.run([X, storage], "f_transients_size")
    assert needed == 2 * 256
    for make in (Simulator, ThreadExecutor):
        executor: Any = make(System())
        (found,) = Program(module, executor).run([X, np.zeros(needed, np.uint8)], "f")
        executor.ledger.check()
        assert found.shape == (8, 8)
        if isinstance(executor, ThreadExecutor):
            executor.close()


def test_constant_size_is_noted() -> None:
    module = compiled(CHAIN)
    reflection = find_function(module, "f").attributes["iree.reflection"]
    assert reflection.data["iree.abi.transients.size.constant"].value.data == 512  # type: ignore[attr-defined]


def test_too_small_a_storage_is_refused() -> None:
    simulator = Simulator(System())
    with pytest.raises(HeadraceError, match="leaves a buffer of 300 bytes"):
        Program(compiled(CHAIN), simulator).run([X, np.zeros(300, np.uint8)], "f")
    assert not simulator.held()


def test_storage_must_be_an_argument() -> None:
    text = CHAIN.replace("from %storage", "from %other").replace(
        "%z = arith", "%other = util.optimization_barrier %storage : !hal.buffer\n  %z = arith"
    )
    with pytest.raises(HeadraceError, match="an argument of the function"):
        compiled(text)
