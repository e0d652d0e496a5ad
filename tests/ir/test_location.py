"""Where diagnostics point."""

import pytest

from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("  %r = arith.addi %x, %x : f32", 19),
        ('  %r = "arith.addi"(%x, %x) : (f32, f32) -> f32', 21),
        ("  %0 = math.sqrt %x : f32\n  %1 = arith.addi %0, %0 : f32", 19),
        ("  %r = arith.addi %later, %later : i32\n  %later = arith.constant 1 : i32", 19),
        ("  %r = arith.addi\n      %x, %x : f32", 8),
    ],
)
def test_errors_point_at_the_operand(text: str, column: int) -> None:
    """By its name, by its place among those of the line; at the operation where the line does not show it."""
    with pytest.raises(HeadraceError) as caught:
        parse_module(f"func.func @f(%x: f32) {{\n{text}\n  return\n}}\n")
    (found,) = caught.value.diagnostics
    assert found.message.startswith(("'arith.addi' op operand #0", "operand #0 does not dominate"))
    assert found.loc is not None and found.loc.col == column
