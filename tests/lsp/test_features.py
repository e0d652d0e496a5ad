"""Analysis, hover, definition and completion on texts, without a server."""

import random
from pathlib import Path

import pytest

from headrace.ir.outline import enclosing_item
from headrace.lsp.analysis import analyse
from headrace.lsp.completion import completion
from headrace.lsp.features import definition, hover
from headrace.lsp.tokens import token_at

ROOT = Path(__file__).parent.parent


def cursor(text):
    """The text without its `|`, and the offset of it."""
    offset = text.index("|")
    return text[:offset] + text[offset + 1 :], offset


def hover_at(text):
    text, offset = cursor(text)
    found = hover(analyse(text), offset)
    return found.text if found is not None else None


def target(text):
    text, offset = cursor(text)
    found = definition(analyse(text), offset)
    return (text.count("\n", 0, found[0]) + 1, text[slice(*found)]) if found is not None else None


def labels(text):
    text, offset = cursor(text)
    return [item.label for item in completion(analyse(text), offset)]


def messages(text):
    made = analyse(text)
    return [(made.lines.position(p.start)[0] + 1, text[p.start : p.end], p.severity, p.message) for p in made.problems]


# ---- diagnostics ----------------------------------------------------------------------------------------------------


def test_errors_of_several_functions():
    found = messages(
        "func.func @a(%x: index) -> index {\n  %y = arith.addi %x, %z : index\n  return %y : index\n}\n"
        "func.func @b(%x: f32) {\n  %y = arith.adf %x, %x : f32\n  return\n}\n"
        "func.func @c(%x: f32) -> index {\n  return %x : f32\n}\n"
        "func.func @d(%x: index) {\n  %y = func.call @a(%x) : (index) -> index\n  return\n}\n"
    )
    assert [(line, text) for line, text, _, _ in found] == [(2, "%z"), (6, "arith.adf"), (10, "return")]
    assert all(severity == "error" for _, _, severity, _ in found)


def test_missing_brace_does_not_hide_the_next_function():
    found = messages("func.func @a() {\n  return\nfunc.func @b(%x: f32) {\n  %y = arith.oops %x : f32\n  return\n}\n")
    assert (4, "arith.oops") in [(line, text) for line, text, _, _ in found]


def test_parts_are_modules_of_their_own():
    found = messages("func.func @a() {\n  return\n}\n// -----\nfunc.func @a() {\n  retur\n}\n")
    assert [(line, text) for line, text, _, _ in found] == [(6, "retur")]


def test_lenient_forms_and_legality_are_warnings():
    kernel = "func.func @k() attributes {grid = [0]} {\n  %i = ktdp.get_compute_tile_id : index\n  return\n}\n"
    ((line, _, severity, message),) = messages(kernel)
    assert (line, severity) == (1, "warning") and "grid extents must be positive" in message
    ((_, _, severity, message),) = messages("func.func @f(%x: f32) {\n  %y = arith.maxf %x, %x : f32\n  return\n}\n")
    assert severity == "warning" and "maximumf" in message


def test_notes_are_related_places():
    made = analyse("func.func @f() {\n  %y = arith.negf %x : f32\n  %x = arith.constant 1.0 : f32\n  return\n}\n")
    (problem,) = made.problems
    assert "does not dominate" in problem.message
    assert [made.lines.position(note.start)[0] for note in problem.notes] == [2]


def test_error_at_the_end_marks_the_last_token():
    ((line, text, _, _),) = messages("func.func @f() {\n  return\n\n\n")
    assert (line, text) == (2, "return")


@pytest.mark.parametrize("path", sorted((ROOT / "corpus").rglob("*.mlir"))[:40], ids=lambda path: path.stem)
def test_corpus_has_no_errors(path):
    assert [item for item in messages(path.read_text()) if item[2] == "error"] == []


# ---- hover ----------------------------------------------------------------------------------------------------------

FUNCTION = """\
#map = affine_map<(d0) -> (d0 + 1)>
func.func @f(%x: tensor<4xf16>, %n: index) -> index {
  %a, %b = ktdp.get_compute_tile_id : index, index
  %c:2 = scf.for %i = %a to %b step %n iter_args(%s = %n, %t = %n) -> (index, index) {
    %k = affine.apply #map(%i)
    scf.yield %k, %t : index, index
  }
  cf.br ^end(%c#1 : index)
^end(%r: index):
  return %r : index
}
"""


def put(before, after=""):
    """FUNCTION with the cursor inside `before|after`."""
    assert FUNCTION.count(before + after) >= 1, before + after
    return FUNCTION.replace(before + after, f"{before}|{after}", 1)


def test_hover_on_an_operation():
    text = hover_at(put("ktdp.get_compute", "_tile_id"))
    assert text.startswith("```mlir\n() -> (index, index)\n```")
    assert "Coordinates of the running tile" in text and "`coords` (any, variadic)" in text
    assert "scf.for" in hover_at(put("%c:2 = scf.f", "or"))
    assert "func.return" in hover_at(put("  ret", "urn %r"))
    assert "A memory; `size` is in bytes." in hover_at('ktdf_arch.device @d {\n  %m = mem|ory {kind = "M"}\n}')
    assert "Read the elements" in hover_at('"ktdp.lo|ad"() : () -> ()')


def test_hover_on_values():
    assert "%x : tensor<4xf16>" in hover_at(put("@f(%", "x:")) and "Argument of `func.func` `@f`" in hover_at(
        put("(%x", ":")
    )
    text = hover_at(put("= %a to %", "b step"))
    assert "%b : index" in text and "Result 1 of `ktdp.get_compute_tile_id`" in text
    assert "%c#0 : index\n%c#1 : index" in hover_at(put("  %", "c:2 ="))
    assert "%c#1 : index" in hover_at(put("^end(%", "c#1"))
    assert "Argument of `scf.for`" in hover_at(put("#map(%", "i)"))


def test_hover_on_aliases_types_symbols_and_passes():
    assert "affine_map<(d0) -> (d0 + 1)>" in hover_at(put("apply #m", "ap"))
    assert "1 sign, 6 exponent" in hover_at("func.func private @f(!spyreop.d|f16)")
    assert "func.func private @g()" in hover_at(
        "func.func private @g()\nfunc.func @f() {\n  call @|g() : () -> ()\n  return\n}"
    )
    text = hover_at("// RUN: headrace opt %s --double-buf|fering\n")
    assert "Precondition" in text and "`buffers` (int)" in text
    assert hover_at("// double| trouble") is None


# ---- definition -----------------------------------------------------------------------------------------------------


def test_definition_of_values():
    assert target(put("= %", "a to")) == (3, "%a")
    assert target(put("step %", "n iter")) == (2, "%n")
    assert target(put("#map(%", "i)")) == (4, "%i")
    assert target(put("yield %k, %", "t")) == (4, "%t")
    assert target(put("^end(%c#", "1")) == (4, "%c")
    assert target(put("return %", "r")) == (9, "%r")
    # Before the definition, in a graph region.
    assert target('"test.op"(%|later) : (index) -> ()\n%later = arith.constant 1 : index\n') == (2, "%later")


def test_definition_of_aliases_blocks_and_symbols():
    assert target(put("apply #m", "ap")) == (1, "#map")
    assert target(put("cf.br ^e", "nd")) == (9, "^end")
    text = (
        "module @a {\n  func.func @f() { return }\n}\nmodule @b {\n  func.func @f() { return }\n"
        "  func.func @g() {\n    call @|f() : () -> ()\n    return\n  }\n}\n"
    )
    assert target(text) == (5, "@f")
    assert target(text.replace("call @|f", "call @f").replace("module @b", "module @b attributes {u = @a::@|f}")) == (
        2,
        "@f",
    )
    assert target('#loc = loc("a":1:2)\nfunc.func @f() {\n  return loc(#l|oc)\n}') == (1, "#loc")


def test_definition_in_a_text_that_does_not_parse():
    text = "func.func @f(%x: f32) {\n  %y = arith.addf %x %x : f32\n  %z = arith.mulf %|y, %x : f32\n  call @g() :\n}\n"
    assert target(text) == (2, "%y")
    assert target(text.replace("%|y", "%y").replace("%y, %x", "%y, %|x")) == (1, "%x")
    assert target("func.func private @g()\nfunc.func @f() {\n  call @|g( : () -> ()\n}\n") == (1, "@g")


# ---- completion -----------------------------------------------------------------------------------------------------


def test_completion_of_operations():
    found = labels("func.func @f() {\n  %x = ktdp.construct_|\n}")
    assert found == [
        "ktdp.construct_access_tile",
        "ktdp.construct_distributed_memory_view",
        "ktdp.construct_indirect_access_tile",
        "ktdp.construct_memory_view",
    ]
    assert {"ktdf", "ktdf_arch", "ktdf_lowering", "ktdp"} <= set(labels("func.func @f() {\n  kt|\n}"))
    assert "return" in labels("func.func @f() {\n  ret|\n}")
    assert labels("// a comment: ktdp.|") == []
    text, offset = cursor("func.func @f() {\n  ktdp.lo|\n}")
    (item,) = completion(analyse(text), offset)
    assert text[item.start : item.end] == "ktdp.lo" and item.detail.startswith("Read the elements")


def test_completion_of_names():
    assert labels("#map = affine_map<() -> ()>\n#mop = 1\nfunc.func @f() {a = #ma|}") == ["#map", "#math"]
    assert labels("func.func @f(%abc: f32, %abd: f32) {\n  arith.addf %ab|\n}") == ["%abc", "%abd"]
    assert labels("func.func @f(%abc: f32) {\n  return\n}\nfunc.func @g(%abe: f32) {\n  arith.addf %ab|\n}") == ["%abe"]
    assert "@helper" in labels("func.func private @helper()\nfunc.func @g() {\n  call @he|\n}")
    assert "!ktdp.access_tile" in labels("func.func @f(%x: !ktdp.|)")
    assert all(name.startswith("#") for name in labels("func.func @f() {a = #vectorchain.|"))


def test_completion_of_passes():
    assert labels("// RUN: headrace opt %s --double-|") == ["double-buffering"]
    assert labels("// RUN: headrace opt %s --pass-pipeline='builtin.module(cse,path-|") == ["path-expansion"]
    assert labels('// RUN: headrace opt %s --pass-pipeline="builtin.module(double-buffering{bu|') == ["buffers"]
    assert labels("// RUN: headrace compile %s --disable-pass tile-|") == [
        "tile-communication", "tile-scf-for-loops", "tile-size-selection",
    ]  # fmt: skip
    assert labels('module attributes {pass_pipeline = "builtin.module(cs|"} {}') == ["cse"]
    assert "split-input-file" in labels("// RUN: headrace opt --split|")


# ---- any text -------------------------------------------------------------------------------------------------------


def test_every_position_of_broken_texts():
    """Every prefix of a text, with the cursor at its end and in its middle: answers or nothing, never an exception."""
    for end in range(0, len(FUNCTION), 7):
        made = analyse(FUNCTION[:end])
        for offset in {end, end // 2, end - 1, 0} - {-1}:
            hover(made, offset)
            definition(made, offset)
            completion(made, offset)


@pytest.mark.parametrize("name", ["ktdp", "ktdf", "ktdf_arch", "dataflow", "agen", "uniform", "upstream"])
def test_mutated_texts(name):
    """Pieces of real texts cut, doubled and swapped: answers or nothing, never an exception."""
    draw = random.Random(name)
    text = sorted((ROOT / "lit" / name).glob("*.mlir"))[0].read_text()
    for _ in range(12):
        broken = text
        for _ in range(draw.randint(1, 4)):
            a, b = sorted(draw.randrange(len(broken) + 1) for _ in range(2))
            piece = broken[a : min(b, a + 40)]
            broken = (
                broken[:a]
                + draw.choice(["", piece * 2, piece[::-1], "{", "}", '"', "%", "#"])
                + broken[a + len(piece) :]
            )
        made = analyse(broken)
        for offset in (draw.randrange(len(broken) + 1) for _ in range(6)):
            hover(made, offset)
            definition(made, offset)
            completion(made, offset)


def test_tokens_and_items():
    assert token_at("  %a#1, x", 3).text == "%a#1"
    assert token_at("call @f(", 7).text == "@f"
    assert token_at("", 0) is None
    text = "module {\n  func.func @a() {\n  }\n  func.func @b() {\n    x\n  }\n}\n"
    start, end = enclosing_item(text, text.index("x"))
    assert text[start:end].strip().startswith("func.func @b") and text[start:end].strip().endswith("}")
