"""ktdp: lenient forms, warnings, generic forms, extents."""

from __future__ import annotations

from pathlib import Path

import pytest

from headrace.ir.diagnostics import DiagnosticEngine, HeadraceError
from headrace.ir.equal import modules_equal
from headrace.ir.text import parse_module, print_module

PROGRAMS = sorted((Path(__file__).parents[2] / "interp" / "programs").glob("*.mlir"))

VIEW = """#id = affine_map<(d0, d1) -> (d0, d1)>
#two = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>
func.func @f(%v: memref<8x64xf16>, %x: memref<8xi32>, %w: tensor<1x8xf32>, %p: index) {
  BODY
  return
}
"""
FUTURE = "groups = affine_set<(g) : (g == 0)>"
ALL = "affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>"
LENIENT = {
    "differ from its set's 2x64": "%t = ktdp.construct_access_tile %v[0, 0] {access_tile_set = #two, "
    "access_tile_order = #id} : memref<8x64xf16> -> !ktdp.access_tile<1x64xindex>",
    "must be in parentheses": "%t = ktdp.construct_indirect_access_tile intermediate_variables (%k, %c) "
    "%v[ind(%x[%k]), %c] {variables_space_set = #two, variables_space_order = #id} "
    ": memref<8x64xf16>, memref<8xi32> -> !ktdp.access_tile<2x64xindex>",
    "requires attribute 'coordinate_set'": "%m = ktdp.construct_memory_view %p, sizes : [4], strides : [1] "
    "{memory_space = #ktdp.spyre_memory_space<L0>} : memref<4xf16>",
    "must be in parentheses ": f"%f = ktdp.inter_tile_produce producer_tiles_per_group = {ALL} -> "
    f"!ktdp.tile_future<tensor<1x8xf32>, {FUTURE}> {{\n^bb0(%g: index):\nktdp.yield_partial %w : tensor<1x8xf32>\n}}",
    "not part of the syntax": f"%f = ktdp.inter_tile_produce producer_tiles_per_group = {ALL} : tensor<1x8xf32> -> "
    f"<(tensor<1x8xf32>), {FUTURE}> {{\n^bb0(%g: index):\nktdp.yield_partial %w : tensor<1x8xf32>\n}}",
    "the value is reshaped": f"%z = tensor.empty() : tensor<8xf32>\n%f = ktdp.inter_tile_produce "
    f"producer_tiles_per_group = {ALL} -> <(tensor<1x8xf32>), {FUTURE}> {{\n^bb0(%g: index):\n"
    "ktdp.yield_partial %w : tensor<1x8xf32>\n}\n"
    f"%r = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = {ALL}, identity(%z : tensor<8xf32>) : "
    f"<(tensor<1x8xf32>), {FUTURE}> -> tensor<8xf32> {{\n^bb0(%a: tensor<1x8xf32>, %b: tensor<1x8xf32>):\n"
    "ktdp.yield_reduced %a : tensor<1x8xf32>\n}",
}


@pytest.mark.parametrize("message", LENIENT)
def test_lenient_form_warns_and_strict_refuses(message: str) -> None:
    text = VIEW.replace("BODY", LENIENT[message])
    found = DiagnosticEngine()
    module = parse_module(text, diagnostics=found)
    assert message.strip() in found.warnings[0].message
    assert found.warnings[0].loc is not None
    assert modules_equal(module, parse_module(print_module(module)))
    with pytest.raises(HeadraceError, match=message.strip()):
        parse_module(text, strict=True)


def test_names_of_intermediate_variables_are_local() -> None:
    body = LENIENT["must be in parentheses"].replace(", %c]", ", (%c)]")
    text = VIEW.replace("BODY", f"%k = arith.constant 3 : index\n{body}\n%u = arith.addi %k, %p : index")
    module = parse_module(text, strict=True)
    assert modules_equal(module, parse_module(print_module(module, keep_names=True)))


def test_captured_variables_come_first() -> None:
    body = LENIENT["must be in parentheses"].replace("ind(%x[%k]), %c", "ind(%x[%k * 2 + %p]), (%c + 1)")
    printed = print_module(parse_module(VIEW.replace("BODY", body), strict=True), keep_names=True)
    assert "ind(%x[%p + %k * 2]), (%c + 1)" in printed


def test_generic_form() -> None:
    body = LENIENT["must be in parentheses"].replace(", %c]", ", (%c)]")
    module = parse_module(VIEW.replace("BODY", body), strict=True)
    generic = print_module(module, generic=True)
    assert '"ktdp.region_terminator"' in generic
    assert "operandSegmentSizes = array<i32: 1, 1, 0, 0>" in generic
    assert modules_equal(module, parse_module(generic))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_programs_round_trip(path: Path) -> None:
    module = parse_module(path.read_text())
    printed = print_module(module)
    again = parse_module(printed)
    assert modules_equal(module, again)
    assert print_module(again) == printed
