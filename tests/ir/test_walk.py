"""Walks over operations."""

from __future__ import annotations

from headrace.ir.text import parse_module
from headrace.ir.walk import walk_ops

TEXT = """
func.func @f(%n: index, %yes: i1) {
  %a = arith.constant 1 : index
  %b = arith.constant 2 : index
  scf.for %i = %a to %n step %a {
    scf.if %yes {
      %c = arith.addi %i, %a : index
    } else {
      %d = arith.addi %i, %b : index
      %e = arith.addi %d, %b : index
    }
    %g = arith.addi %i, %n : index
  }
  scf.if %yes {
  }
  cf.br ^end(%n : index)
^end(%last: index):
  %h = arith.addi %last, %last : index
  return
}
func.func private @g()
"""


def test_order() -> None:
    module = parse_module(TEXT)
    assert list(walk_ops(module)) == list(module.walk())[1:]
    function = next(walk_ops(module, "func.func"))
    assert list(walk_ops(function.regions[0])) == list(function.walk())[1:]
    named = [op for op in module.walk() if op.name in ("scf.if", "arith.addi")]
    assert list(walk_ops(module, "scf.if", "arith.addi")) == named and len(named) == 7


def test_the_current_operation_may_go() -> None:
    module = parse_module(TEXT)
    seen = []
    for op in walk_ops(module):
        seen.append(op.name)
        if op.name == "scf.for":
            op.detach()
            op.erase(safe_erase=False)
        elif op.name == "arith.constant":
            op.detach()
            op.erase(safe_erase=False)
    assert seen.count("scf.for") == 1 and seen.count("arith.constant") == 2
    assert seen.count("arith.addi") == 1  # what stands in the loop went with it
    assert seen[-3:] == ["arith.addi", "func.return", "func.func"]
