"""Control flow: loops with data-dependent ends, branches, calls, dynamic sizes; equal at every level."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from headrace.ir.text import parse_module
from headrace.stream.levels import check_levels, random_arguments
from headrace.stream.pipeline import Options
from headrace.stream.system import System
from tests.stream.common import system

WHILE_ON_DATA = """
func.func @f(%x: tensor<4xf32>, %limit: f32) -> (tensor<4xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%a = %x, %k = %c0) : (tensor<4xf32>, index) -> (tensor<4xf32>, index) {
    %s = tensor.extract %a[%c1] : tensor<4xf32>
    %more = arith.cmpf olt, %s, %limit : f32
    %few = arith.constant 9 : index
    %again = arith.cmpi slt, %k, %few : index
    %go = arith.andi %more, %again : i1
    scf.condition(%go) %a, %k : tensor<4xf32>, index
  } do {
  ^bb0(%b: tensor<4xf32>, %j: index):
    %one = arith.constant dense<0.75> : tensor<4xf32>
    %c = arith.addf %b, %one : tensor<4xf32>
    %n = arith.addi %j, %c1 : index
    scf.yield %c, %n : tensor<4xf32>, index
  }
  return %r#0, %r#1 : tensor<4xf32>, index
}
"""

SWAP_IN_WHILE = """
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%a = %x, %b = %y, %k = %c0) : (tensor<4xf32>, tensor<4xf32>, index) -> (tensor<4xf32>, tensor<4xf32>, index) {
    %go = arith.cmpi slt, %k, %n : index
    scf.condition(%go) %b, %a, %k : tensor<4xf32>, tensor<4xf32>, index
  } do {
  ^bb0(%p: tensor<4xf32>, %q: tensor<4xf32>, %j: index):
    %s = arith.addf %p, %q : tensor<4xf32>
    %m = arith.addi %j, %c1 : index
    scf.yield %s, %p, %m : tensor<4xf32>, tensor<4xf32>, index
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
"""  # noqa: E501

CALLS = """
func.func private @double(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %b = arith.addf %a, %a : tensor<?x4xf32>
  return %b : tensor<?x4xf32>
}
func.func private @step(%a: tensor<?x4xf32>, %c: i1) -> (tensor<?x4xf32>, index) {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> (tensor<?x4xf32>) {
    %b = func.call @double(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    scf.yield %b : tensor<?x4xf32>
  } else {
    %b = math.absf %a : tensor<?x4xf32>
    scf.yield %b : tensor<?x4xf32>
  }
  %d = tensor.dim %r, %c0 : tensor<?x4xf32>
  return %r, %d : tensor<?x4xf32>, index
}
func.func @f(%x: tensor<?x4xf32>, %n: index) -> (tensor<?x4xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %t = %c0) -> (tensor<?x4xf32>, index) {
    %odd = arith.remui %i, %c2 : index
    %c = arith.cmpi eq, %odd, %c0 : index
    %b, %d = func.call @step(%a, %c) : (tensor<?x4xf32>, i1) -> (tensor<?x4xf32>, index)
    %u = arith.addi %t, %d : index
    scf.yield %b, %u : tensor<?x4xf32>, index
  }
  return %r#0, %r#1 : tensor<?x4xf32>, index
}
"""

TWO_DEVICES = """
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.global private mutable @state {stream.affinity = #hal.device.affinity<@dev_b>} = dense<1.0> : tensor<4x4xf32>
func.func @f(%x: tensor<4x4xf32> {iree.abi.affinity = #hal.device.affinity<@dev_a>}, %n: index)
    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : index
  %first = util.global.load @state : tensor<4x4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %small = arith.cmpi slt, %i, %two : index
    %s = scf.if %small -> (tensor<4x4xf32>) {
      %t = flow.tensor.transfer %a : tensor<4x4xf32> to #hal.device.affinity<@dev_b>
      %g = util.global.load @state : tensor<4x4xf32>
      %u = arith.addf %t, %g {stream.affinity = #hal.device.affinity<@dev_b>} : tensor<4x4xf32>
      util.global.store %u, @state : tensor<4x4xf32>
      %back = flow.tensor.transfer %u : tensor<4x4xf32> to #hal.device.affinity<@dev_a>
      scf.yield %back : tensor<4x4xf32>
    } else {
      %m = arith.negf %b {stream.affinity = #hal.device.affinity<@dev_a>} : tensor<4x4xf32>
      scf.yield %m : tensor<4x4xf32>
    }
    scf.yield %s, %a : tensor<4x4xf32>, tensor<4x4xf32>
  }
  %end = util.global.load @state : tensor<4x4xf32>
  return %r#0, %end : tensor<4x4xf32>, tensor<4x4xf32>
}
"""

NESTED = """
func.func @f(%x: tensor<3x?xf32>, %n: index) -> (tensor<3x?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %s = %z) -> (tensor<3x?xf32>, f32) {
    %in = scf.for %j = %c0 to %i step %c1 iter_args(%b = %a) -> (tensor<3x?xf32>) {
      %c = arith.addf %b, %x : tensor<3x?xf32>
      scf.yield %c : tensor<3x?xf32>
    }
    %v = tensor.extract %in[%c1, %c0] : tensor<3x?xf32>
    %p = arith.constant 0.5 : f32
    %big = arith.cmpf ogt, %v, %p : f32
    %o = scf.if %big -> (tensor<3x?xf32>) {
      %d = arith.subf %in, %x : tensor<3x?xf32>
      scf.yield %d : tensor<3x?xf32>
    } else {
      scf.yield %a : tensor<3x?xf32>
    }
    %t = arith.addf %s, %v : f32
    scf.yield %o, %t : tensor<3x?xf32>, f32
  }
  return %r#0, %r#1 : tensor<3x?xf32>, f32
}
"""

PROGRAMS = {
    "while_on_data": (WHILE_ON_DATA, {"limit": np.float32(3.0)}),
    "swap_in_while": (SWAP_IN_WHILE, {}),
    "calls": (CALLS, {"n": 5}),
    "two_devices": (TWO_DEVICES, {"n": 4}),
    "nested": (NESTED, {"n": 4}),
}


@pytest.mark.parametrize("favour", ["min-peak-memory", "max-concurrency"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_equal_at_every_level(name: str, favour: str) -> None:
    text, values = PROGRAMS[name]
    for trips in (None, 0, 1):
        module = parse_module(text)
        arguments: list[Any] = random_arguments(module, dynamic=5)
        function = next(f for f in module.body.block.ops if getattr(f, "sym_name", None) and f.sym_name.data == "f")
        for i, argument in enumerate(function.regions[0].blocks[0].args):
            if argument.name_hint in values:
                arguments[i] = values[argument.name_hint]
            if argument.name_hint == "n" and trips is not None:
                arguments[i] = trips
        where = system(["dev_a", "dev_b"]) if "dev_b" in text else System()
        results = check_levels(module, arguments, Options(favour, where), "f", invocations=2)
        assert not [r for r in results if not r.equal], trips
