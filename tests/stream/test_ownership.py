"""Ownership that is known only when the program runs: values that grow in loops, retained and released resources."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from headrace.ir.text import parse_module
from headrace.stream.interpreter import Program
from headrace.stream.levels import check_levels
from headrace.stream.pipeline import Options
from headrace.stream.simulator import Simulator
from headrace.stream.system import System
from headrace.stream.threads import ThreadExecutor
from tests.stream.common import compiled, simulated

GROWING = """
func.func @f(%x0: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = math.absf %x0 : tensor<?x8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?x8xf32>) {
    %d = tensor.dim %a, %c0 : tensor<?x8xf32>
    %e = arith.addi %d, %c1 : index
    %b = tensor.empty(%e) : tensor<?x8xf32>
    %f = tensor.insert_slice %a into %b[1, 0] [%d, 8] [1, 1] : tensor<?x8xf32> into tensor<?x8xf32>
    %z = arith.constant dense<7.0> : tensor<1x8xf32>
    %g = tensor.insert_slice %z into %f[0, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<?x8xf32>
    scf.yield %g : tensor<?x8xf32>
  }
  %s = arith.negf %r : tensor<?x8xf32>
  return RESULT : tensor<?x8xf32>
}
"""
X = np.random.default_rng(0).standard_normal((3, 8)).astype(np.float32)


@pytest.mark.parametrize("favour", ["min-peak-memory", "max-concurrency"])
@pytest.mark.parametrize("result", ["%s", "%r"])
@pytest.mark.parametrize("trips", [0, 1, 6])
def test_growing_value(trips: int, result: str, favour: str) -> None:
    """Equal at every level, also where the loop does not run; nothing is left but the result."""
    module = parse_module(GROWING.replace("RESULT", result))
    results = check_levels(module, [X, trips], Options(favour), invocations=2)
    assert not [r for r in results if not r.equal]
    simulator = Simulator(System())
    Program(module, simulator).run([X, trips])
    assert sum(simulator.held().values()) <= (3 + trips) * 32
    with ThreadExecutor(System()) as executor:
        Program(module, executor).run([X, trips])
        executor.ledger.check()


def test_growing_value_frees_what_it_outgrows() -> None:
    module = compiled(GROWING.replace("RESULT", "%s"))
    peaks: dict[int, int] = {}
    for trips in (10, 20, 40):
        _, simulator = simulated(module, [X, trips])
        peaks[trips] = sum(simulator.peak.values())
    # Two sizes of the value at most, the result and the slab: linear in the last size, not in the sum of all.
    assert peaks[40] <= 3 * (3 + 40) * 32 + 512


SHARED = """
util.func public @f(%x: !hal.buffer_view, %twice: i1) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %in = stream.tensor.import %x : !hal.buffer_view -> tensor<4xf32> in !stream.resource<external>{%c16}
  %a, %t0 = stream.resource.alloca uninitialized : !stream.resource<transient>{%c16} => !stream.timepoint
  stream.resource.retain %a : !stream.resource<transient>{%c16}
  %t1 = stream.cmd.execute await(%t0) => with(%in as %i: !stream.resource<external>{%c16}, %a as %b: !stream.resource<transient>{%c16}) {
    stream.cmd.copy %i[%c0], %b[%c0], %c16 : !stream.resource<external>{%c16} -> !stream.resource<transient>{%c16}
  } => !stream.timepoint
  %only = stream.resource.is_terminal %a : !stream.resource<transient>{%c16}
  %gone = stream.resource.release %a : !stream.resource<transient>{%c16}
  %out, %t2 = stream.resource.alloca uninitialized await(%t1) => !stream.resource<external>{%c16} => !stream.timepoint
  %t3 = stream.cmd.execute await(%t2) => with(%a as %b: !stream.resource<transient>{%c16}, %out as %o: !stream.resource<external>{%c16}) {
    stream.cmd.copy %b[%c0], %o[%c0], %c16 : !stream.resource<transient>{%c16} -> !stream.resource<external>{%c16}
  } => !stream.timepoint
  %last = stream.resource.release %a : !stream.resource<transient>{%c16}
  scf.if %last {
    %t4 = stream.resource.dealloca await(%t3) => %a : !stream.resource<transient>{%c16} => !stream.timepoint
  }
  scf.if %twice {
    %more = stream.resource.release %a : !stream.resource<transient>{%c16}
  }
  %r = stream.timepoint.await %t3 => %out : !stream.resource<external>{%c16}
  %e = stream.tensor.export %r : tensor<4xf32> in !stream.resource<external>{%c16} -> !hal.buffer_view
  util.return %e : !hal.buffer_view
}
"""  # noqa: E501


@pytest.mark.parametrize("make", [Simulator, ThreadExecutor])
def test_retain_and_release(make: Any) -> None:
    values = np.arange(4, dtype=np.float32)
    executor = make(System())
    (found,) = Program(parse_module(SHARED), executor).run([values, False])
    np.testing.assert_array_equal(found, values)
    executor.ledger.check()
    assert sum(executor.held().values()) == 16
    if isinstance(executor, ThreadExecutor):
        executor.close()


def test_released_too_often() -> None:
    simulator = Simulator(System())
    Program(parse_module(SHARED), simulator).run([np.zeros(4, np.float32), True])
    assert any("released" in p for p in simulator.ledger.problems)
