"""Device patterns: matching, native functions, checkpoints, convergence and speed."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import pytest
from xdsl.ir import Operation

from headrace.arch import Device, load_device
from headrace.arch.patterns import apply_patterns
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module, print_module

TOY = Path(__file__).parent / "toy.mlir"


def device(patterns: str) -> Device:
    text = f'ktdf_arch.device @d {{\n%m = memory {{kind = "M"}}\npatterns {{\n{patterns}\n}}\n}}'
    return Device(parse_module(text).body.block.first_op)  # pyright: ignore[reportArgumentType]


def function(body: str) -> Operation:
    text = f"func.func @f(%a: f32, %b: f32) -> f32 {{\n{body}\nreturn %r : f32\n}}"
    found = parse_module(text).body.block.first_op
    assert found is not None
    return found


def test_map_to_pins_unmapped_ops() -> None:
    toy = load_device(TOY)
    f = function('%x = math.exp %a : f32\n%r = math.exp %x {ktdf_arch.maps_to = "X"} : f32')
    assert not apply_patterns(f, toy, "post_scheduling")
    assert apply_patterns(f, toy, "pre_scheduling")
    text = print_module(f)
    assert 'maps_to = "ALU"' in text and 'maps_to = "X"' in text
    assert not apply_patterns(f, toy, "pre_scheduling")


REPLACE = """
  pdl.pattern : benefit({benefit}) {{
    %t = type
    %x = operand : %t
    %op = operation "math.exp" (%x : !pdl.value) -> (%t : !pdl.type)
    rewrite %op {{
      %key = attribute = "{key}"
      %new = operation "headrace.compute" (%x : !pdl.value) {{"op" = %key}} -> (%t : !pdl.type)
      replace %op with %new
    }}
  }}"""


def test_better_benefit_wins() -> None:
    f = function("%r = math.exp %a : f32")
    patterns = REPLACE.format(benefit=1, key="slow") + REPLACE.format(benefit=2, key="fast")
    assert apply_patterns(f, device(patterns), "pre_mapping")
    assert 'op = "fast"' in print_module(f)


def test_attributes_and_locations_are_carried_over() -> None:
    patterns = """pdl.pattern : benefit(1) {
      %types = types
      %values = operands
      %op = operation "arith.addf" (%values : !pdl.range<value>) -> (%types : !pdl.range<type>)
      rewrite %op {
        %key = attribute = "arith.addf"
        apply_native_rewrite "headrace.to_compute" (%op, %key : !pdl.operation, !pdl.attribute)
      }
    }"""
    f = function("%r = arith.addf %a, %b {beta = 2.0 : f32} : f32")
    assert apply_patterns(f, device(patterns), "pre_mapping")
    compute = next(op for op in f.walk() if op.name == "headrace.compute")
    assert "beta" in compute.attributes
    assert len(compute.operands) == 2
    from headrace.ir.location import loc_of

    place = loc_of(compute)
    assert place is not None and place.line == 2


def test_nested_match_and_dead_producer() -> None:
    patterns = """pdl.pattern : benefit(1) {
      %t = type
      %x = operand : %t
      %inner = operation "arith.negf" (%x : !pdl.value) -> (%t : !pdl.type)
      %value = result 0 of %inner
      %op = operation "arith.negf" (%value : !pdl.value) -> (%t : !pdl.type)
      rewrite %op {
        replace %op with (%x : !pdl.value)
      }
    }"""
    f = function("%x = arith.negf %a : f32\n%r = arith.negf %x : f32")
    assert apply_patterns(f, device(patterns), "pre_mapping")
    assert "negf" not in print_module(f)


def test_features() -> None:
    patterns = """pdl.pattern : benefit(1) {
      %t = type
      %x = operand : %t
      %op = operation "math.exp" (%x : !pdl.value) -> (%t : !pdl.type)
      %name = attribute = "ktdf_arch.feature.simd"
      %have = apply_native_constraint "ktdf_arch.has_feature" (%op, %name : !pdl.operation, !pdl.attribute)
        : !pdl.attribute
      %other = attribute = "ktdf_arch.feature.compute"
      apply_native_constraint "ktdf_arch.has_feature" (%op, %other : !pdl.operation, !pdl.attribute) {isNegated = true}
      rewrite %op {
        %unit = attribute = unit
        apply_native_rewrite "ktdf_arch.set_feature" (%op, %other, %unit
          : !pdl.operation, !pdl.attribute, !pdl.attribute)
      }
    }"""
    f = function("%x = math.exp %a {ktdf_arch.features = {ktdf_arch.feature.simd}} : f32\n%r = math.exp %x : f32")
    assert apply_patterns(f, device(patterns), "pre_mapping")
    assert print_module(f).count("ktdf_arch.feature.compute") == 1


def test_patterns_that_do_not_converge() -> None:
    forever = """pdl.pattern : benefit(1) {
      %t = type
      %x = operand : %t
      %op = operation "math.exp" (%x : !pdl.value) -> (%t : !pdl.type)
      rewrite %op {
        %k = attribute = "A"
        apply_native_rewrite "ktdf_arch.map_to" (%op, %k : !pdl.operation, !pdl.attribute)
      }
    }"""
    with pytest.raises(HeadraceError, match=r"do not converge at 'math\.exp'"):
        apply_patterns(function("%r = math.exp %a : f32"), device(forever), "pre_mapping")


def test_unknown_native_function() -> None:
    patterns = REPLACE.format(benefit=1, key="x").replace(
        "replace %op with %new", 'apply_native_rewrite "ktdf_arch.map_too" (%op, %key : !pdl.operation, !pdl.attribute)'
    )
    with pytest.raises(HeadraceError, match=r"unknown native rewrite 'ktdf_arch\.map_too'; did you mean"):
        apply_patterns(function("%r = math.exp %a : f32"), device(patterns), "pre_mapping")


INTRINSICS = {
    "exp": "spyreop.exp %x : f16",
    "gelu": "spyreop.gelu %x : f16",
    "sigmoid": "spyreop.sigmoid %x : f16",
    "silu": "spyreop.silu %x : f16",
    "sqrt": "spyreop.sqrt %x : f16",
    "rsqrt": "spyreop.rsqrt %x : f16",
    "reciprocal": "spyreop.reciprocal %x : f16",
    "realdiv": "spyreop.realdiv %x, %y : f16",
    "softplus": "spyreop.softplus %x beta 2.0 threshold 20.0 : f16",
    "select": "spyreop.select %x, %y, %x : f16",
    "layernormnorm": "spyreop.layernormnorm %x squares %y scale %x weight %y bias %x : f16",
}


@pytest.mark.parametrize("name", INTRINSICS)
def test_intrinsics_become_instructions(name: str) -> None:
    text = f"func.func @f(%x: f16, %y: f16) -> f16 {{\n%r = {INTRINSICS[name]}\nreturn %r : f16\n}}"
    module = parse_module(text)
    before = next(op for op in module.walk() if op.name.startswith("spyreop."))
    operands = len(before.operands)
    for shipped in ("spyre", "tri", "sample"):
        changed = module.clone()
        assert apply_patterns(changed, load_device(shipped), "pre_scheduling")
        changed.verify()
        compute = next(op for op in changed.walk() if op.name == "headrace.compute")
        assert f'op = "spyreop.{name}"' in print_module(changed)
        assert len(compute.operands) == operands
        assert not any(op.name.startswith("spyreop.") for op in changed.walk())
    if name == "softplus":
        assert "beta = 2.0" in print_module(changed)


def test_long_bodies_take_milliseconds() -> None:
    toy = load_device(TOY)
    names = ["%a", *(f"%v{i}" for i in range(63)), "%r"]
    lines = [f"{new} = math.exp {old} : f32" for old, new in pairwise(names)]
    apply_patterns(function("%r = math.exp %a : f32"), toy, "pre_scheduling")
    f = function("\n".join(lines))
    start = time.perf_counter()
    assert apply_patterns(f, toy, "pre_scheduling")
    assert time.perf_counter() - start < 0.1
