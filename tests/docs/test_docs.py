"""The reference pages agree with the definitions, and the definitions say what the pages need."""

import pytest
from xdsl.utils.exceptions import ParseError
from xdsl.utils.mlir_lexer import MLIRTokenKind

from headrace.ir.context import make_context
from headrace.ir.describe import describe_attribute, describe_op, describe_pass, parse_docstring
from headrace.ir.parser import Parser
from tools import docs

DIALECTS = docs.dialects()
OPERATIONS = [cls for dialect in DIALECTS.values() for cls in dialect.operations if docs.ours(cls)]
ATTRIBUTES = [cls for dialect in DIALECTS.values() for cls in dialect.attributes if docs.ours(cls)]
CONTEXT = make_context()

#: Aliases that the examples use.
PRELUDE = """
#id = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0 * 64 + d1)>
#walk = affine_map<(d0) -> (d0, 0)>
#vec = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 63 >= 0)>
#line = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>
#steps = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>
"""


def complete(text: str) -> bool:
    """Whether an example is text to the letter: nothing left out, no placeholder for a type."""
    return ".." not in text and not any(mark in text for mark in (": T", " T ", "(T)", ": V"))


def test_pages_are_fresh():
    stale = docs.stale()
    assert not stale, f"run `make docs`: {', '.join(stale)}"


@pytest.mark.parametrize("cls", OPERATIONS, ids=lambda cls: cls.name)
def test_operation_has_summary_and_example(cls):
    doc = describe_op(cls)
    assert doc.text.summary
    short = doc.name.partition(".")[2]
    assert any(doc.name in text or f"{short} " in text for text in doc.text.examples), doc.text


@pytest.mark.parametrize("cls", ATTRIBUTES, ids=lambda cls: cls.name)
def test_attribute_has_docstring(cls):
    doc = describe_attribute(cls)
    assert doc.text.summary or doc.text.examples


@pytest.mark.parametrize("name", docs.passes())
def test_pass_has_conditions_and_example(name):
    doc = describe_pass(name, docs.passes()[name])
    assert doc.text.summary and doc.precondition and doc.postcondition and doc.text.examples
    assert all(len(option.note) > len("Default: `none`.") for option in doc.options), "options need a docstring"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (cls.name, text)
        for cls in OPERATIONS
        for text in describe_op(cls, errors=False).text.examples
        if complete(text) and not cls.name.startswith("ktdf_arch.") and "documented only" not in (cls.__doc__ or "")
    ],
)
def test_example_parses(name, text):
    parser = Parser(CONTEXT, PRELUDE + text, name)
    found = []
    try:
        while parser._current_token.kind != MLIRTokenKind.EOF:
            if parser._current_token.kind == MLIRTokenKind.HASH_IDENT:
                parser._parse_alias_def()
            else:
                found.append(parser.parse_operation().name)
    except ParseError as problem:
        pytest.fail(f"{text}\n{problem.msg}")
    assert name in found or name in ("arith.maxf", "arith.minf")


def test_docstring_forms():
    made = parse_docstring("`%r = a.b %x : T`: the thing.\n\n    More of it.\n", "a.b")
    assert made.summary == "The thing." and made.examples == ("%r = a.b %x : T",)
    made = parse_docstring("A thing.\n\nPrecondition: none.\n\n    before  ->  after\n\nThe end.")
    assert made.examples == ("before  ->  after",)
    assert made.body == ("Precondition: none.", "```mlir\nbefore  ->  after\n```", "The end.")
    assert parse_docstring(None).summary == ""
