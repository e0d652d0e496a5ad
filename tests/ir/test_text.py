"""Round trips, naming, aliases, affine text, floats, locations and bad input of the text layer."""

from __future__ import annotations

from pathlib import Path

import pytest

from headrace.ir.context import make_context
from headrace.ir.diagnostics import Diagnostic, DiagnosticEngine, HeadraceError, error
from headrace.ir.equal import difference, modules_equal
from headrace.ir.location import Location, loc_of
from headrace.ir.text import parse_file, parse_module, print_module

CORPUS = sorted((Path(__file__).parents[1] / "corpus").rglob("*.mlir"))


def round_trip(text: str) -> str:
    """Print, and check that printing is a fixed point and parsing gives the same module back, in all forms."""
    module = parse_module(text, ctx=make_context(True))
    printed = print_module(module)
    again = parse_module(printed, ctx=make_context(True))
    assert difference(module, again) is None
    assert print_module(again) == printed
    for options in ({"generic": True}, {"debuginfo": True}, {"keep_names": True}):
        assert modules_equal(module, parse_module(print_module(module, **options), ctx=make_context(True)))
    return printed


@pytest.mark.parametrize("path", CORPUS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_corpus_round_trip(path: Path) -> None:
    round_trip(path.read_text())


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("(i)[g] -> (i - 4*g)", "(d0)[s0] -> (d0 - s0 * 4)"),
        ("()[g] -> (32*(g+1))", "()[s0] -> ((s0 + 1) * 32)"),
        ("(a) -> (-a + 0)", "(d0) -> (-d0)"),
        ("()[g] -> (g-1)", "()[s0] -> (s0 - 1)"),
        ("(a, b) -> (a + 1 + b)", "(d0, d1) -> (d0 + d1 + 1)"),
        ("(a) -> (2*a + 3*a)", "(d0) -> (d0 * 5)"),
        ("(a) -> (a - a)", "(d0) -> (0)"),
        ("(a) -> ((4*a) mod 4)", "(d0) -> (0)"),
        ("(a) -> ((4*a + 8) floordiv 4)", "(d0) -> (d0 + 2)"),
        ("(a)[s] -> (s * a)", "(d0)[s0] -> (d0 * s0)"),
        ("(a)[s] -> (s + a)", "(d0)[s0] -> (d0 + s0)"),
        ("(a) -> (a - (a floordiv 8) * 8)", "(d0) -> (d0 mod 8)"),
        ("(a, b) -> (a - (b + 1))", "(d0, d1) -> (d0 - (d1 + 1))"),
        ("(a) -> ((a + 1) ceildiv 2 - 3)", "(d0) -> ((d0 + 1) ceildiv 2 - 3)"),
        ("() -> ()", "() -> ()"),
    ],
)
def test_affine_map_text(source: str, printed: str) -> None:
    assert f"#map = affine_map<{printed}>\n" in round_trip(f'"test.op"() {{m = affine_map<{source}>}} : () -> ()')


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("() : ()", "() : (0 == 0)"),
        ("(i) : (i <= 31, i >= 0)", "(d0) : (-d0 + 31 >= 0, d0 >= 0)"),
        ("(i)[s] : (i == 2*s)", "(d0)[s0] : (d0 - s0 * 2 == 0)"),
        ("(i) : (i mod 2 == 0)", "(d0) : (d0 mod 2 == 0)"),
    ],
)
def test_affine_set_text(source: str, printed: str) -> None:
    assert f"#set = affine_set<{printed}>\n" in round_trip(f'"test.op"() {{m = affine_set<{source}>}} : () -> ()')


def test_aliases_before_their_definition_in_order_of_need() -> None:
    text = round_trip(
        '"test.op"() {a = #second, b = #first, c = affine_set<(i) : (i >= 0)>} : () -> ()\n'
        "#first = affine_map<(i) -> (i)>\n#second = affine_map<(i) -> (i + 1)>\n"
    )
    assert text.startswith(
        "#map = affine_map<(d0) -> (d0 + 1)>\n#map1 = affine_map<(d0) -> (d0)>\n#set = affine_set<(d0) : (d0 >= 0)>\n"
    )
    assert "{a = #map, b = #map1, c = #set}" in text


def test_value_names() -> None:
    text = round_trip(
        """
        func.func @f(%x: index, %y: i1) {
          %a = arith.constant 7 : index
          %b = arith.constant 7 : index
          %c = arith.constant -1 : i32
          %d = arith.constant 2.0 : f32
          %e = arith.constant true
          %p:6 = "test.pack"() : () -> (index, index, index, index, index, index)
          %q, %r = "test.pack"() : () -> (index, i1)
          "test.use"(%p#3, %q, %r) ({
          ^bb0(%u: index):
            %v = arith.addi %u, %p#0 : index
          }, {
            %w = arith.addi %a, %b : index
          }) : (index, index, i1) -> ()
          return
        }
        """
    )
    for line in (
        "func.func @f(%arg0: index, %arg1: i1) {",
        "%c7 = arith.constant 7 : index",
        "%c7_0 = arith.constant 7 : index",
        "%c-1_i32 = arith.constant -1 : i32",
        "%cst = arith.constant 2.000000e+00 : f32",
        "%true = arith.constant true",
        '%0:6 = "test.pack"()',
        '%1:2 = "test.pack"()',
        '"test.use"(%0#3, %1#0, %1#1) ({',
        "^bb0(%arg2: index):",
        "%2 = arith.addi %arg2, %0#0 : index",
        "%2 = arith.addi %c7, %c7_0 : index",
    ):
        assert line in text


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("0.0 : f32", "0.000000e+00 : f32"),
        ("0.1 : f32", "1.000000e-01 : f32"),
        ("0.333333343 : f32", "0.333333343 : f32"),
        ("16777215.0 : f32", "0x4B7FFFFF : f32"),
        ("1.23456789e-10 : f32", "1.23456786E-10 : f32"),
        ("0xFF800000 : f32", "0xFF800000 : f32"),
        ("0x7FC00000 : f32", "0x7FC00000 : f32"),
        ("0xFC00 : f16", "0xFC00 : f16"),
        ("-1.0e+4 : f16", "-1.000000e+04 : f16"),
        ("0.1 : f64", "1.000000e-01 : f64"),
        ("dense<[1.0, 2.5]> : tensor<2xbf16>", "dense<[1.000000e+00, 2.500000e+00]> : tensor<2xbf16>"),
        ("dense<0xFF800000> : tensor<4xf32>", "dense<0xFF800000> : tensor<4xf32>"),
        ("dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", "dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>"),
        ("dense<true> : tensor<4xi1>", "dense<true> : tensor<4xi1>"),
    ],
)
def test_constants(source: str, printed: str) -> None:
    assert f"arith.constant {printed}\n" in round_trip(f"%0 = arith.constant {source}")


def test_attributes_are_sorted_and_symbols_quoted() -> None:
    text = round_trip(
        'func.func private @"a b"() attributes {z, "q r" = 1, b = [1, 2.0], a = {y = 1 : i8, x = @"s t"::@u}}'
    )
    assert (
        'func.func private @"a b"() attributes {a = {x = @"s t"::@u, y = 1 : i8}, b = [1, 2.000000e+00], '
        '"q r" = 1 : i64, z}' in text
    )


def test_default_dialect() -> None:
    text = round_trip(
        """
        func.func @f(%c: i1) {
          func.call @f(%c) : (i1) -> ()
          scf.if %c { func.call @f(%c) : (i1) -> () }
          return
        }
        """
    )
    assert "    call @f(%arg0) : (i1) -> ()\n" in text
    assert "      func.call @f(%arg0) : (i1) -> ()\n" in text
    assert "    return\n" in text
    assert text.startswith("module {\n")


def test_every_operation_has_a_location() -> None:
    module = parse_module("func.func @f() {\n  %0 =\n   arith.constant 1 : i32\n  return\n}", "k.mlir")
    places = [loc_of(op) for op in module.walk()]
    assert places == [
        Location("k.mlir", 1, 1), Location("k.mlir", 1, 1), Location("k.mlir", 3, 4), Location("k.mlir", 4, 3),
    ]  # fmt: skip
    clone = next(iter(module.ops)).clone()
    assert loc_of(clone) == Location("k.mlir", 1, 1)
    with pytest.raises(HeadraceError) as caught:
        raise error(clone, "wrong", [(module, "because of this")])
    assert str(caught.value).splitlines() == [
        "k.mlir:1:1: error: wrong", "func.func @f() {", "^",
        "k.mlir:1:1: note: because of this", "func.func @f() {", "^",
    ]  # fmt: skip


def test_several_modules_and_bare_functions() -> None:
    module = parse_module("module { func.func @a() { return } }\nmodule @m { }\nfunc.func @b() { return }")
    assert [op.name for op in module.ops] == ["builtin.module", "builtin.module", "func.func"]
    assert print_module(parse_module("")) == "module {\n}\n"


@pytest.mark.parametrize("form", [
    "scf.for %i = %a to %b step %c {{ {body} }}",
    "scf.for %i = %a to %b step %c : index {{ {body} scf.yield }}",
    "%r = scf.for %i = %a to %b step %c iter_args(%v = %x) -> f32 {{ {body} scf.yield %v : f32 }}",
    "%r = scf.for %i = %a to %b step %c iter_args(%v = %x) -> (f32) : index {{ {body} scf.yield %v : f32 }}",
    "%r = scf.for %i = %a to %b step %c : index iter_args(%v = %x) -> (f32) {{ {body} scf.yield %v : f32 }}",
])  # fmt: skip
def test_loop_forms(form: str) -> None:
    text = f"func.func @f(%a: index, %b: index, %c: index, %x: f32) {{ {form.format(body='')} return }}"
    printed = round_trip(text)
    assert "scf.for %arg4 = %arg0 to %arg1 step %arg2" in printed


def expect_error(text: str, **options: bool) -> Diagnostic:
    with pytest.raises(HeadraceError) as caught:
        parse_module(text, "k.mlir", **options)
    return caught.value.diagnostics[0]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("func.fun @f() { return }", 1, 1, "custom op 'func.fun' is unknown; did you mean 'func.func'?"),
        ("func.func @f() {\n  retrun\n}", 2, 3, "custom op 'retrun' is unknown; did you mean 'return'?"),
        ("func.func @f() {\n  return %x : i32\n}", 2, 10, "use of undeclared SSA value name '%x'"),
        ("func.func @f(%a: i32) {\n  %a = arith.negf %a : i32\n}", 2, 3, None),
        ("func.func @f() {", 1, 17, None),
        ("func.func @f() { return } }", 1, 27, None),
        ('"test.op"() : () -> ()', 1, 1, "operation 'test.op' being parsed with an unregistered dialect"),
        ("#a = #b\n#b = #a\n", 1, 6, None),
        ("func.func @f(%a: !ktdp.no) { return }", 1, None, None),
        ("module { \x00 }", 1, 10, None),
        (
            "func.func @f(%a: index) {\n  %0 = affine.apply affine_map<(i, j) -> (i * j)>(%a, %a)\n return }",
            2,
            43,
            None,
        ),
        ("func.func @f(%a: i32) {\n  arith.addi %a, %a : i32\n}", 1, 1, None),
    ],
)
def test_errors_have_a_place(text: str, line: int, column: int | None, message: str | None) -> None:
    found = expect_error(text)
    assert found.loc is not None and found.loc.file == "k.mlir"
    if message is not None:
        assert found.message == message
        assert (found.loc.line, found.loc.col) == (line, column)


def test_verifier_reports_several_errors() -> None:
    with pytest.raises(HeadraceError) as caught:
        parse_module(
            "func.func @f(%a: i32, %b: f32) {\n  %0 = arith.addf %a, %a : i32\n"
            "  %1 = arith.addi %b, %b : f32\n  return\n}"
        )
    assert [d.loc.line for d in caught.value.diagnostics if d.loc] == [2, 3]


def test_deep_nesting_is_refused_not_crashed_on() -> None:
    found = expect_error("func.func @f(%c: i1) { " + "scf.if %c { " * 3000)
    assert "nested too deeply" in found.message
    round_trip("func.func @f(%c: i1) { " + "scf.if %c { " * 60 + "} " * 60 + "return }")


def test_lenient_forms_warn_and_strict_refuses() -> None:
    text = (
        "func.func @f(%c: tensor<4xi1>, %x: tensor<4xf16>) {\n"
        "  %0 = arith.select %c, %x, %x : tensor<4xf16>\n  return\n}"
    )
    diagnostics = DiagnosticEngine()
    parse_module(text, diagnostics=diagnostics)
    assert [d.loc.line for d in diagnostics.warnings if d.loc] == [2]
    assert expect_error(text, strict=True).message.startswith("a condition that is not i1")


def test_unreadable_files() -> None:
    with pytest.raises(HeadraceError, match=r"cannot read 'no-such-file.mlir': No such file"):
        parse_file("no-such-file.mlir")


def test_ids_that_drop_out_of_a_subscript_are_no_operands() -> None:
    text = """
func.func @f(%a: memref<256xf16>, %b: memref<64xf16>, %i: index, %j: index) {
  ktdf.data_transfer from %a[%i * 0 + %j] size [64] to %b[%j * 0] size [64] : memref<256xf16>, memref<64xf16>
  return
}"""
    module = parse_module(text)
    printed = print_module(module)
    assert "from %arg0[%arg3] size [64] to %arg1[0]" in printed
    assert difference(module, parse_module(printed)) is None


@pytest.mark.parametrize("text", ["d\u00e9j\u00e0", "a\U0001f600b", "tab\there", '"quoted"'])
def test_strings_outside_of_ascii_read_back(text: str) -> None:
    quoted = text.replace('"', '\\"').replace("\t", "\\t")
    for use in (f'ktdf_arch.device @d import("{quoted}")', f'"test.op"() {{name = "{quoted}"}} : () -> ()'):
        assert round_trip(use).isascii()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "func.func @f(%v: vector<2xf32>) -> vector<2xf32> {\n"
            "  %0 = vector.shuffle %v, %v [99999999999999999999999, 1] : vector<2xf32>, vector<2xf32>\n"
            "  return %0 : vector<2xf32>\n}",
            "'vector.shuffle' op is malformed",
        ),
        (
            '"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({\n^bb0(%a: i32):\n^bb1(%b: i32):\n'
            '  "func.return"() : () -> ()\n}) : () -> ()',
            "'func.func' op empty block: expect at least a terminator",
        ),
    ],
)
def test_refused_with_a_place(text: str, message: str) -> None:
    with pytest.raises(HeadraceError) as caught:
        parse_module(text)
    assert caught.value.diagnostics[0].message.startswith(message)
    assert caught.value.diagnostics[0].loc is not None


def test_a_default_that_is_written_means_the_same() -> None:
    text = """
func.func @f(%m: memref<8xf32>, %i: index) {{
  %0 = "vector.load"(%m, %i) <{{nontemporal = {}}}> : (memref<8xf32>, index) -> vector<4xf32>
  return
}}
"""
    written, other = parse_module(text.format("false")), parse_module(text.format("true"))
    assert modules_equal(written, parse_module(print_module(written)))
    assert modules_equal(other, parse_module(print_module(other)))
    assert not modules_equal(written, other)
