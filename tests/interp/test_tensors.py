# ruff: noqa: E501 (MLIR text)
"""Tensor, linalg and control-flow operations of the interpreters on small functions without memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from headrace.interp import ktir
from headrace.interp.engine import Session, find_kernel, finish, functions_of
from headrace.interp.ktir import KtirFrame
from headrace.interp.memory import Memory
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module

RNG = np.random.default_rng(7)


def call(text: str, *arguments: Any, strict: bool = False) -> tuple[Any, ...]:
    """Results of the only function of a module."""
    module = parse_module(text)
    session = Session(ktir.LEAVES, ktir.CONTROLS, functions_of(module), Memory(), strict)
    return finish(KtirFrame(session, 0, (1,)).call(find_kernel(module), arguments))


def f16(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float16)


def test_scalars_wrap_and_truncate() -> None:
    text = """func.func @f(%a: i32, %b: i32) -> (i32, i32, i32, i1, index) {
      %s = arith.addi %a, %b : i32
      %d = arith.divsi %a, %b : i32
      %r = arith.remsi %a, %b : i32
      %c = arith.cmpi ult, %a, %b : i32
      %i = arith.index_cast %b : i32 to index
      return %s, %d, %r, %c, %i : i32, i32, i32, i1, index
    }"""
    assert call(text, 2**31 - 1, 1) == (-(2**31), 2**31 - 1, 0, False, 1)
    assert call(text, -7, 2) == (-5, -3, -1, False, 2)
    with pytest.raises(HeadraceError, match="division by zero"):
        call(text, 1, 0)


def test_elementwise_rounds_once() -> None:
    a, b = f16(3, 5), f16(3, 5)
    text = """func.func @f(%a: tensor<3x5xf16>, %b: tensor<3x5xf16>) -> (tensor<3x5xf16>, tensor<3x5xf32>, tensor<3x5xi1>) {
      %p = arith.mulf %a, %b : tensor<3x5xf16>
      %w = arith.extf %p : tensor<3x5xf16> to tensor<3x5xf32>
      %c = arith.cmpf ogt, %a, %b : tensor<3x5xf16>
      return %p, %w, %c : tensor<3x5xf16>, tensor<3x5xf32>, tensor<3x5xi1>
    }"""
    p, w, c = call(text, a, b)
    np.testing.assert_array_equal(p, a * b)
    np.testing.assert_array_equal(w, (a * b).astype(np.float32))
    np.testing.assert_array_equal(c, a > b)


def test_named_operations_use_outs_for_the_type_only() -> None:
    a, b = f16(2, 4), f16(2, 4)
    text = """func.func @f(%a: tensor<2x4xf16>, %b: tensor<2x4xf16>) -> (tensor<2x4xf16>, tensor<2x4xf16>) {
      %e = tensor.empty() : tensor<2x4xf16>
      %s = linalg.add ins(%a, %b : tensor<2x4xf16>, tensor<2x4xf16>) outs(%e : tensor<2x4xf16>) -> tensor<2x4xf16>
      %m = linalg.max ins(%a, %s : tensor<2x4xf16>, tensor<2x4xf16>) outs(%e : tensor<2x4xf16>) -> tensor<2x4xf16>
      return %s, %m : tensor<2x4xf16>, tensor<2x4xf16>
    }"""
    s, m = call(text, a, b, strict=True)
    np.testing.assert_array_equal(s, a + b)
    np.testing.assert_array_equal(m, np.maximum(a, a + b))


def test_transpose_and_broadcast() -> None:
    a = f16(2, 3)
    text = """func.func @f(%a: tensor<2x3xf16>) -> (tensor<3x2xf16>, tensor<2x4x3xf16>) {
      %e = tensor.empty() : tensor<3x2xf16>
      %t = linalg.transpose ins(%a : tensor<2x3xf16>) outs(%e : tensor<3x2xf16>) permutation = [1, 0]
      %o = tensor.empty() : tensor<2x4x3xf16>
      %b = linalg.broadcast ins(%a : tensor<2x3xf16>) outs(%o : tensor<2x4x3xf16>) dimensions = [1]
      return %t, %b : tensor<3x2xf16>, tensor<2x4x3xf16>
    }"""
    t, b = call(text, a)
    np.testing.assert_array_equal(t, a.T)
    np.testing.assert_array_equal(b, np.broadcast_to(a[:, None], (2, 4, 3)))


def test_sum_of_16_bits_accumulates_in_f32() -> None:
    a = f16(3, 300)
    text = """func.func @f(%a: tensor<3x300xf16>, %i: tensor<3xf16>) -> tensor<3xf16> {
      %s = linalg.reduce { arith.addf } ins(%a : tensor<3x300xf16>) outs(%i : tensor<3xf16>) dimensions = [1]
      return %s : tensor<3xf16>
    }"""
    start = f16(3)
    total = start.astype(np.float32)
    for k in range(300):
        total = total + a[:, k].astype(np.float32)
    (got,) = call(text, a, start)
    np.testing.assert_array_equal(got, total.astype(np.float16))


def test_maximum_over_two_dimensions() -> None:
    a = RNG.standard_normal((3, 4, 5)).astype(np.float32)
    text = """func.func @f(%a: tensor<3x4x5xf32>) -> tensor<4xf32> {
      %i = arith.constant dense<0xFF800000> : tensor<4xf32>
      %m = linalg.reduce ins(%a : tensor<3x4x5xf32>) outs(%i : tensor<4xf32>) dimensions = [0, 2]
      (%in: f32, %acc: f32) {
        %v = arith.maximumf %acc, %in : f32
        linalg.yield %v : f32
      }
      return %m : tensor<4xf32>
    }"""
    np.testing.assert_array_equal(call(text, a)[0], a.max(axis=(0, 2)))


def test_matmul_extends_to_the_output_type() -> None:
    a, b = f16(4, 6), f16(6, 3)
    text = """func.func @f(%a: tensor<4x6xf16>, %b: tensor<6x3xf16>) -> tensor<4x3xf32> {
      %z = arith.constant dense<0.0> : tensor<4x3xf32>
      %m = linalg.matmul ins(%a, %b : tensor<4x6xf16>, tensor<6x3xf16>) outs(%z : tensor<4x3xf32>) -> tensor<4x3xf32>
      return %m : tensor<4x3xf32>
    }"""
    expected = np.zeros((4, 3), np.float32)
    for k in range(6):
        expected += a[:, k, None].astype(np.float32) * b[None, k].astype(np.float32)
    np.testing.assert_array_equal(call(text, a, b)[0], expected)


def test_generic_with_reduction_and_index() -> None:
    a = RNG.standard_normal((3, 4)).astype(np.float32)
    text = """
    #m = affine_map<(d0, d1) -> (d0, d1)>
    #r = affine_map<(d0, d1) -> (d0)>
    func.func @f(%a: tensor<3x4xf32>, %z: tensor<3xf32>, %zi: tensor<3xi64>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xi64>) {
      %s = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<3x4xf32>) outs(%z : tensor<3xf32>) {
      ^bb0(%x: f32, %acc: f32):
        %q = arith.mulf %x, %x : f32
        %t = arith.addf %acc, %q : f32
        linalg.yield %t : f32
      } -> tensor<3xf32>
      %best:2 = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<3x4xf32>) outs(%z, %zi : tensor<3xf32>, tensor<3xi64>) {
      ^bb0(%x: f32, %m: f32, %k: i64):
        %j = linalg.index 1 : index
        %i = arith.index_cast %j : index to i64
        %c = arith.cmpf ogt, %x, %m : f32
        %v = arith.select %c, %x, %m : f32
        %w = arith.select %c, %i, %k : i64
        linalg.yield %v, %w : f32, i64
      } -> (tensor<3xf32>, tensor<3xi64>)
      return %s, %best#0, %best#1 : tensor<3xf32>, tensor<3xf32>, tensor<3xi64>
    }"""
    low = np.full(3, -np.inf, np.float32)
    s, v, k = call(text, a, low, np.zeros(3, np.int64))
    np.testing.assert_array_equal(v, a.max(axis=1))
    np.testing.assert_array_equal(k, a.argmax(axis=1))
    assert np.all(s == -np.inf)


def test_slices_and_shapes() -> None:
    a = f16(4, 6)
    text = """func.func @f(%a: tensor<4x6xf16>, %o: index) -> (tensor<2x3xf16>, tensor<4x6xf16>, tensor<2x2x6xf16>, tensor<24xf16>) {
      %s = tensor.extract_slice %a[1, %o] [2, 3] [1, 2] : tensor<4x6xf16> to tensor<2x3xf16>
      %t = tensor.insert_slice %s into %a[0, 0] [2, 3] [1, 1] : tensor<2x3xf16> into tensor<4x6xf16>
      %x = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 6] : tensor<4x6xf16> into tensor<2x2x6xf16>
      %c = tensor.collapse_shape %a [[0, 1]] : tensor<4x6xf16> into tensor<24xf16>
      return %s, %t, %x, %c : tensor<2x3xf16>, tensor<4x6xf16>, tensor<2x2x6xf16>, tensor<24xf16>
    }"""
    s, t, x, c = call(text, a, 1)
    np.testing.assert_array_equal(s, a[1:3, 1:6:2])
    expected = a.copy()
    expected[:2, :3] = s
    np.testing.assert_array_equal(t, expected)
    assert x.shape == (2, 2, 6)
    np.testing.assert_array_equal(c, a.reshape(-1))
    with pytest.raises(HeadraceError, match="leaves dimension 1 of extent 6"):
        call(text, a, 2)


def test_generate_and_splat() -> None:
    text = """func.func @f(%n: index) -> (tensor<?x3xindex>, tensor<2xf32>, index) {
      %c = arith.constant 1.5 : f32
      %s = tensor.splat %c : tensor<2xf32>
      %g = tensor.generate %n {
      ^bb0(%i: index, %j: index):
        %k = arith.muli %i, %j : index
        tensor.yield %k : index
      } : tensor<?x3xindex>
      %one = arith.constant 1 : index
      %two = arith.constant 2 : index
      %e = tensor.extract %g[%one, %two] : tensor<?x3xindex>
      return %g, %s, %e : tensor<?x3xindex>, tensor<2xf32>, index
    }"""
    g, s, e = call(text, 4)
    np.testing.assert_array_equal(g, np.outer(np.arange(4), np.arange(3)))
    np.testing.assert_array_equal(s, [1.5, 1.5])
    assert e == 2


def test_loops_carry_values() -> None:
    text = """func.func @f(%n: index) -> (i32, i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %z = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
        %k = arith.index_cast %i : index to i32
        %odd = arith.andi %k, %one : i32
        %is = arith.cmpi eq, %odd, %one : i32
        %v = scf.if %is -> (i32) {
          scf.yield %k : i32
        } else {
          scf.yield %z : i32
        }
        %t = arith.addi %a, %v : i32
        scf.yield %t : i32
      }
      %w = scf.while (%x = %one) : (i32) -> i32 {
        %go = arith.cmpi slt, %x, %s : i32
        scf.condition(%go) %x : i32
      } do {
      ^bb0(%x: i32):
        %d = arith.addi %x, %x : i32
        scf.yield %d : i32
      }
      return %s, %w : i32, i32
    }"""
    assert call(text, 10) == (25, 32)


def test_strict_empty_is_poison() -> None:
    text = """func.func @f(%a: tensor<4xf16>) -> tensor<4xf16> {
      %e = tensor.empty() : tensor<4xf16>
      %s = arith.addf %a, %e : tensor<4xf16>
      return %s : tensor<4xf16>
    }"""
    a = f16(4)
    np.testing.assert_array_equal(call(text, a)[0], a)
    with pytest.raises(HeadraceError, match="never written"):
        call(text, a, strict=True)


def test_strict_empty_filled_by_slices_is_defined() -> None:
    a = f16(4)
    text = """func.func @f(%a: tensor<4xf16>) -> tensor<8xf16> {
      %e = tensor.empty() : tensor<8xf16>
      %s = tensor.insert_slice %a into %e[0] [4] [1] : tensor<4xf16> into tensor<8xf16>
      %t = tensor.insert_slice %a into %s[4] [4] [1] : tensor<4xf16> into tensor<8xf16>
      return %t : tensor<8xf16>
    }"""
    np.testing.assert_array_equal(call(text, a, strict=True)[0], np.concatenate([a, a]))


def test_older_names_of_linalg() -> None:
    a, b = RNG.standard_normal((4, 8)).astype(np.float32), RNG.integers(0, 256, (4, 8)).astype(np.int8)
    text = """func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xi8>) -> (tensor<4x4xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<2x3xf32>) {
      %z = arith.constant 0.0 : f32
      %low = arith.constant -1.0 : f64
      %high = arith.constant 3.0 : f64
      %seed = arith.constant 7 : i32
      %e = tensor.empty() : tensor<4x4xf32>
      %g = tensor.empty() : tensor<2x3xf32>
      %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
      %0 = linalg.matmul_transpose_b ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
      %1 = linalg.elemwise_binary {cast = #linalg.type_fn<cast_unsigned>, fun = #linalg.binary_fn<mul>} ins(%a, %b : tensor<4x8xf32>, tensor<4x8xi8>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
      %2 = linalg.elemwise_unary {fun = #linalg.unary_fn<square>} ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
      %3 = linalg.fill_rng_2d ins(%low, %high, %seed : f64, f64, i32) outs(%g : tensor<2x3xf32>) -> tensor<2x3xf32>
      return %0, %1, %2, %3 : tensor<4x4xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<2x3xf32>
    }"""
    product, mixed, squared, random = call(text, a, b)
    np.testing.assert_allclose(product, a @ a.T, rtol=1e-5)
    np.testing.assert_array_equal(mixed, a * b.view(np.uint8).astype(np.float32))
    np.testing.assert_array_equal(squared, a * a)
    wanted = np.empty((2, 3), np.float32)
    for row, column in np.ndindex(2, 3):
        number = (row + 7) * 1103515245 + 12345
        number = (column + number) * 1103515245 + 12345
        number = (number + 2**31) % 2**32 - 2**31
        wanted[row, column] = (2147483647 + number) * (4.0 * 2.3283064e-10) - 1.0
    np.testing.assert_allclose(random, wanted, rtol=1e-6)
