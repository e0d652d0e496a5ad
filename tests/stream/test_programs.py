"""Small programs with one point each: copies, globals, loops, slices, constants, host reads, placement."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module, verify_op
from headrace.stream.interpreter import Program
from headrace.stream.levels import check_levels, random_arguments
from headrace.stream.pipeline import Options, compile_graph
from headrace.stream.simulator import Simulator
from headrace.stream.statistics import static_figures
from headrace.stream.system import System


def figures(text: str, invocations: int = 3, **options: Any) -> dict[str, int]:
    """Check all levels, then count."""
    module = parse_module(text)
    found = check_levels(module, random_arguments(module), Options(**options), invocations=invocations)
    assert not [r for r in found if not r.equal]
    verify_op(module)
    return static_figures(module)


KV_CACHE = """
util.global private mutable @cache = dense<0.0> : tensor<16x8xf32>
func.func @step(%row: tensor<1x8xf32>, %position: index) -> tensor<16xf32> {
  %old = util.global.load @cache : tensor<16x8xf32>
  %new = tensor.insert_slice %row into %old[%position, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<16x8xf32>
  util.global.store %new, @cache : tensor<16x8xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %sum = linalg.reduce { arith.addf } ins(%new : tensor<16x8xf32>) outs(%i : tensor<16xf32>) dimensions = [1]
  return %sum : tensor<16xf32>
}
"""


def test_cache_is_updated_in_place() -> None:
    found = figures(KV_CACHE)
    assert found["copies"] == 1  # the row itself
    module = parse_module(KV_CACHE)
    compile_graph(module)
    simulator = Simulator(System())
    program = Program(module, simulator)
    for position in range(4):
        (total,) = program.run([np.full((1, 8), position + 1, np.float32), position])
    assert list(total[:5]) == [8, 16, 24, 32, 0]
    assert sum(simulator.used.values()) >= 16 * 8 * 4


def test_value_read_later_is_copied_before_it_is_written() -> None:
    found = figures(
        """
        func.func @f(%x: tensor<8x8xf32>, %r: tensor<2x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
          %a = math.absf %x : tensor<8x8xf32>
          %b = tensor.insert_slice %r into %a[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<8x8xf32>
          %c = arith.addf %a, %b : tensor<8x8xf32>
          return %b, %c : tensor<8x8xf32>, tensor<8x8xf32>
        }"""
    )
    assert found["copies"] == 2


def test_borrowed_input_is_never_written() -> None:
    text = """
    func.func @f(%x: tensor<8x8xf32>, %r: tensor<2x8xf32>) -> tensor<8x8xf32> {
      %b = tensor.insert_slice %r into %x[4, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<8x8xf32>
      return %b : tensor<8x8xf32>
    }"""
    assert figures(text)["copies"] == 2
    module = compile_graph(parse_module(text))
    x, r = np.ones((8, 8), np.float32), np.zeros((2, 8), np.float32)
    Program(module, Simulator(System())).run([x, r])
    assert x.all()


def test_kernels_write_where_an_update_would_copy() -> None:
    found = figures(
        """
        func.func @f(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<8x8xf32> {
          %z = arith.constant 0.0 : f32
          %e = tensor.empty() : tensor<8x8xf32>
          %t = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
          %a = math.absf %x : tensor<4x8xf32>
          %b = arith.negf %y : tensor<4x8xf32>
          %u = tensor.insert_slice %a into %t[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
          %v = tensor.insert_slice %b into %u[4, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
          return %v : tensor<8x8xf32>
        }"""
    )
    assert found["copies"] == 0


def test_slices_are_read_where_they_lie() -> None:
    found = figures(
        """
        func.func @f(%x: tensor<8x8xf32>) -> tensor<4x8xf32> {
          %s = tensor.extract_slice %x[4, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
          %a = math.absf %s : tensor<4x8xf32>
          return %a : tensor<4x8xf32>
        }"""
    )
    assert found["copies"] == 0


LOOP_UPDATE = """
func.func @f(%x: tensor<8x8xf32>, %r: tensor<1x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8x8xf32>) {
    %b = tensor.insert_slice %r into %a[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
    scf.yield %b : tensor<8x8xf32>
  }
  return %t : tensor<8x8xf32>
}
"""


def test_update_in_a_loop_copies_once_outside() -> None:
    found = figures(LOOP_UPDATE)
    assert found["copies"] == 2  # the input once; the row, which is what the loop does
    assert found["copies_in_loops"] == 1


def test_values_that_change_places_in_a_loop() -> None:
    figures(
        """
        func.func @f(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %n: index) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
            %c = arith.addf %a, %b : tensor<8x8xf32>
            scf.yield %b, %c : tensor<8x8xf32>, tensor<8x8xf32>
          }
          return %r#0, %r#1 : tensor<8x8xf32>, tensor<8x8xf32>
        }"""
    )


def test_growing_tensor_in_a_loop() -> None:
    figures(
        """
        func.func @f(%x: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?x8xf32>) {
            %d = tensor.dim %a, %c0 : tensor<?x8xf32>
            %e = arith.addi %d, %c1 : index
            %b = tensor.empty(%e) : tensor<?x8xf32>
            %z = arith.constant 1.0 : f32
            %f = linalg.fill ins(%z : f32) outs(%b : tensor<?x8xf32>) -> tensor<?x8xf32>
            %g = math.absf %f : tensor<?x8xf32>
            scf.yield %g : tensor<?x8xf32>
          }
          return %r : tensor<?x8xf32>
        }"""
    )


def test_constants_are_uploaded_once() -> None:
    found = figures(
        """
        func.func @f(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
          %k = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
          %a = arith.mulf %x, %k : tensor<2x2xf32>
          return %a : tensor<2x2xf32>
        }"""
    )
    assert found["copies"] == 0


def test_host_reads_a_value() -> None:
    found = figures(
        """
        func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
          %c0 = arith.constant 0 : index
          %zero = arith.constant 0.0 : f32
          %a = math.absf %x : tensor<8xf32>
          %s = tensor.extract %a[%c0] : tensor<8xf32>
          %big = arith.cmpf ogt, %s, %zero : f32
          %r = scf.if %big -> (tensor<8xf32>) {
            %b = arith.negf %a : tensor<8xf32>
            scf.yield %b : tensor<8xf32>
          } else {
            scf.yield %a : tensor<8xf32>
          }
          return %r : tensor<8xf32>
        }"""
    )
    assert found["waits"] == 2


def test_wide_patterns() -> None:
    figures(
        """
        func.func @f(%x: tensor<8xf64>, %v: f64) -> (tensor<8xf64>, tensor<8xf64>) {
          %e = tensor.empty() : tensor<8xf64>
          %k = arith.constant 1.1 : f64
          %a = linalg.fill ins(%k : f64) outs(%e : tensor<8xf64>) -> tensor<8xf64>
          %b = linalg.fill ins(%v : f64) outs(%e : tensor<8xf64>) -> tensor<8xf64>
          return %a, %b : tensor<8xf64>, tensor<8xf64>
        }"""
    )


def test_given_dispatches() -> None:
    figures(
        """
        flow.executable private @k {
          flow.executable.export public @twice
          builtin.module {
            func.func @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
              %y = arith.addf %x, %x : tensor<8xf32>
              return %y : tensor<8xf32>
            }
          }
        }
        util.func public @f(%x: tensor<8xf32>) -> tensor<8xf32> {
          %a = flow.dispatch @k::@twice(%x) : (tensor<8xf32>) -> tensor<8xf32>
          %b = flow.dispatch @k::@twice(%a) : (tensor<8xf32>) -> tensor<8xf32>
          util.return %b : tensor<8xf32>
        }"""
    )


@pytest.mark.parametrize(
    "text,message",
    [
        (
            """util.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
              %a = util.call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
              util.return %a : tensor<4xf32>
            }
            util.func public @f(%x: tensor<4xf32>) -> tensor<4xf32> {
              %a = util.call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
              util.return %a : tensor<4xf32>
            }""",
            "recursive call of 'g'",
        ),
        (
            """util.func private @g(tensor<4xf32>) -> tensor<4xf32>
            util.func public @f(%x: tensor<4xf32>) -> tensor<4xf32> {
              %a = util.call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
              util.return %a : tensor<4xf32>
            }""",
            "without a body cannot be scheduled",
        ),
        (
            """util.global private mutable @g : tensor<?xf32>
            util.func public @f(%x: tensor<4xf32>) -> tensor<4xf32> {
              util.return %x : tensor<4xf32>
            }""",
            "a global of dynamic shape",
        ),
    ],
)
def test_what_cannot_be_scheduled_is_said(text: str, message: str) -> None:
    with pytest.raises(HeadraceError, match=message):
        compile_graph(parse_module(text))
