"""Pass options, pipeline text, and the generic passes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from headrace.ir.context import make_context
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.passes import Pass, PassManager, load_pass, parse_pipeline
from headrace.ir.text import parse_module, print_module


@dataclass
class Example(Pass):
    name = "example"
    summary = "An example"
    tile_size: int = 8
    verbose: bool = False
    sizes: list[int] = field(default_factory=list)
    mode: str | None = None

    def apply(self, op: Any, ctx: Any) -> None: ...


def test_options() -> None:
    item = Example.from_options({"tile-size": "16", "verbose": "true", "sizes": "1,2", "mode": "x"})
    assert item == Example(16, True, [1, 2], "x")
    assert item.options_text() == "{tile-size=16 verbose=true sizes=1,2 mode=x}"
    with pytest.raises(HeadraceError, match="pass 'example' has no option 'tile-sice'; did you mean 'tile-size'"):
        Example.from_options({"tile-sice": "1"})
    with pytest.raises(HeadraceError, match="option 'tile-size' of pass 'example' cannot be 'x'"):
        Example.from_options({"tile-size": "x"})


def test_pipeline_text() -> None:
    items = parse_pipeline("builtin.module(a,func.func(b{x=1 y={1,2}},c),d{z='p q'})")
    assert [str(item) for item in items] == ["a", "func.func(b{x=1 y=1,2},c)", "d{z=p q}"]
    assert items[1].items is not None and items[1].items[0].options == {"x": "1", "y": "1,2"}
    for bad in ("a,,b", "a(b", "a{x=1", "a)", "(", "f" * 3 + "(" * 40):
        with pytest.raises(HeadraceError):
            parse_pipeline(bad)
    with pytest.raises(HeadraceError, match="'canonicalise' does not name a pass; did you mean 'canonicalize'"):
        load_pass("canonicalise", {"canonicalize": "x:y"})


def run(pipeline: str, text: str) -> str:
    module = parse_module(text)
    PassManager(make_context()).run(module, pipeline)
    return print_module(module)


def test_canonicalize_folds_and_inlines() -> None:
    text = run(
        "canonicalize",
        """
        func.func @f(%a: index, %c: i1) -> (index, i32, i1) {
          %c0 = arith.constant 0 : index
          %c4 = arith.constant 4 : index
          %c7 = arith.constant 7 : i32
          %t = arith.constant true
          %r = scf.for %i = %c0 to %c4 step %c4 iter_args(%p = %a) -> (index) {
            %n = arith.addi %i, %p : index
            scf.yield %n : index
          }
          %e = arith.muli %c7, %c7 : i32
          %cmp = arith.cmpi ult, %c0, %c4 : index
          %s = scf.if %cmp -> (i32) { scf.yield %e : i32 } else { scf.yield %c7 : i32 }
          %unused = tensor.empty() : tensor<4xf32>
          return %r, %s, %cmp : index, i32, i1
        }
        """,
    )
    assert text == (
        "module {\n"
        "  func.func @f(%arg0: index, %arg1: i1) -> (index, i32, i1) {\n"
        "    %c49_i32 = arith.constant 49 : i32\n"
        "    %true = arith.constant true\n"
        "    return %arg0, %c49_i32, %true : index, i32, i1\n"
        "  }\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("op", "a", "b", "result"),
    [
        ("divsi", -7, 2, -3), ("remsi", -7, 2, -1), ("floordivsi", -7, 2, -4), ("ceildivsi", 7, 2, 4),
        ("divui", -1, 2, 2**31 - 1), ("muli", 2**30, 4, 0), ("addi", 2**31 - 1, 1, -(2**31)), ("shrui", -1, 31, 1),
        ("shrsi", -8, 1, -4), ("minui", -1, 3, 3), ("maxsi", -1, 3, 3), ("xori", 5, 3, 6),
    ],
)  # fmt: skip
def test_integer_folding(op: str, a: int, b: int, result: int) -> None:
    text = run(
        "canonicalize",
        f"func.func @f() -> i32 {{ %a = arith.constant {a} : i32 %b = arith.constant {b} : i32 "
        f"%r = arith.{op} %a, %b : i32 return %r : i32 }}",
    )
    assert f"arith.constant {result} : i32" in text and "arith." + op not in text


def test_division_by_zero_is_kept() -> None:
    text = run(
        "canonicalize",
        "func.func @f() -> i32 { %a = arith.constant 1 : i32 %b = arith.constant 0 : i32 "
        "%r = arith.divsi %a, %b : i32 return %r : i32 }",
    )
    assert "arith.divsi" in text


def test_cse_and_licm() -> None:
    text = run(
        "builtin.module(func.func(cse,loop-invariant-code-motion))",
        """
        func.func @f(%a: index, %b: index, %m: memref<4xindex>) {
          %c1 = arith.constant 1 : index
          scf.for %i = %a to %b step %c1 {
            %x = arith.muli %a, %b : index
            %y = arith.muli %a, %b : index
            %d = arith.divsi %a, %b : index
            %z = arith.addi %x, %y : index
            %w = arith.addi %z, %d : index
            memref.store %w, %m[%i] : memref<4xindex>
          }
          return
        }
        """,
    )
    before, _, inside = text.partition("scf.for")
    assert before.count("arith.muli") == 1 and "arith.addi" in before and "arith.divsi" not in before
    assert "arith.muli" not in inside and "arith.divsi" in inside and "memref.store" in inside


def test_affine_composition() -> None:
    text = run(
        "canonicalize",
        """
        func.func @f(%a: index) -> index {
          %c4 = arith.constant 4 : index
          %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 2)>(%a)[%c4]
          %1 = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%0, %a)
          %2 = affine.min affine_map<(d0) -> (d0, 8)>(%c4)
          %3 = arith.addi %1, %2 : index
          return %3 : index
        }
        """,
    )
    assert "affine_map<(d0) -> ((d0 + 8) * 3 + d0)>" in text and "affine.min" not in text
