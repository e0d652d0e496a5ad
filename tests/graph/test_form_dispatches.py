"""Dispatch formation: what is fused, what stays on the host, and that results do not change."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import TensorType

from headrace.graph.form_dispatches import form_dispatches
from headrace.graph.inputs import prepare
from headrace.graph.interpreter import GraphState, find_function
from headrace.ir.text import parse_file, parse_module, verify_op

GRAPHS = Path(__file__).parents[1] / "corpus" / "stream"
DISPATCHES = {"a_chain": 4, "b_diamond": 5, "d_loop": 1, "e_twodev": 3, "f_dyn": 3}


@pytest.mark.parametrize("name", sorted(DISPATCHES))
def test_corpus(name: str) -> None:
    module = parse_file(GRAPHS / f"{name}.mlir")
    function = find_function(module)
    rng = np.random.default_rng(1)
    arguments = [
        rng.standard_normal([24 if n < 0 else n for n in t.get_shape()]).astype(np.float32)
        if isinstance(t, TensorType)
        else 3
        for t in function.function_type.inputs.data
    ]
    before = GraphState(module).run(None, arguments)
    form_dispatches(prepare(module))
    verify_op(module)
    after = GraphState(module).run(None, arguments)
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))
    assert sum(op.name == "flow.dispatch" for op in module.walk()) == DISPATCHES[name]


def test_equal_kernels_are_one() -> None:
    module = parse_module(
        """
        func.func @f(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
          %a = math.exp %x : tensor<8xf32>
          %b = math.exp %a : tensor<8xf32>
          return %a, %b : tensor<8xf32>, tensor<8xf32>
        }"""
    )
    form_dispatches(prepare(module))
    assert sum(op.name == "flow.dispatch" for op in module.walk()) == 2
    assert sum(op.name == "flow.executable" for op in module.walk()) == 1


def test_calls_are_inlined() -> None:
    module = parse_module(
        """
        util.func private @g(%x: tensor<8xf32>) -> tensor<8xf32> {
          %a = math.exp %x : tensor<8xf32>
          util.return %a : tensor<8xf32>
        }
        util.func public @f(%x: tensor<8xf32>) -> tensor<8xf32> {
          %a = util.call @g(%x) : (tensor<8xf32>) -> tensor<8xf32>
          %b = util.call @g(%a) : (tensor<8xf32>) -> tensor<8xf32>
          util.return %b : tensor<8xf32>
        }"""
    )
    x = np.linspace(-1, 1, 8, dtype=np.float32)
    before = GraphState(module).run(None, [x])
    form_dispatches(prepare(module))
    assert np.array_equal(before[0], GraphState(module).run(None, [x])[0])
    assert not any(op.name == "util.call" for op in module.walk())
