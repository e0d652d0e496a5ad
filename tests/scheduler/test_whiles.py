"""Which loops written as `scf.while` count, and what the rewritten ones compute."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

from headrace.interp.engine import Frame, Session, finish, functions_of
from headrace.interp.ktir import CONTROLS, LEAVES
from headrace.interp.memory import Memory
from headrace.ir.text import parse_module
from headrace.ir.verify import verify
from headrace.scheduler.split.whiles import count_loops

KERNEL = """
func.func @k(%n: {t}, %a: {t}, %m: {t}) -> ({t}, {t}) {{
  %x0 = arith.constant 1 : {t}
  %r:2 = scf.while (%j = %a, %x = %x0) : ({t}, {t}) -> ({t}, {t}) {{
    {test}
    scf.condition(%go) {handed} : {t}, {t}
  }} do {{
  ^bb0(%j: {t}, %x: {t}):
    %y = arith.addi %x, %j : {t}
    {grow}
    scf.yield %k, %y : {t}, {t}
  }}
  return %r#0, %r#1 : {t}, {t}
}}
"""
BELOW = "%go = arith.cmpi slt, %j, %n : {t}"
BY_3 = "%s = arith.constant 3 : {t}\n    %k = arith.addi %j, %s : {t}"


def kernel(test: str = BELOW, grow: str = BY_3, handed: str = "%j, %x", t: str = "index") -> ModuleOp:
    """A while loop that counts %j from %a, and sums its values."""
    return parse_module(KERNEL.format(test=test.format(t=t), grow=grow.format(t=t), handed=handed, t=t))


def kept(module: ModuleOp) -> bool:
    """Whether a loop is still a while loop after the rewriting, which leaves the module valid."""
    (function,) = module.body.block.ops
    count_loops(function)
    verify(module)
    return any(op.name == "scf.while" for op in module.walk())


def results(module: ModuleOp, *arguments: int) -> tuple[int, ...]:
    """What the kernel returns."""
    (function,) = functions_of(module).values()
    session = Session(LEAVES, CONTROLS, functions_of(module), Memory())
    return tuple(int(v) for v in finish(Frame(session).call(function, arguments)))


REWRITTEN = {
    "below": BELOW,
    "not above": "%go = arith.cmpi sle, %j, %n : {t}",
    "limit first": "%go = arith.cmpi sgt, %n, %j : {t}",
    "limit first, not above": "%go = arith.cmpi sge, %n, %j : {t}",
    "a number": "%c = arith.constant 9 : {t}\n    %go = arith.cmpi sle, %j, %c : {t}",
}


@pytest.mark.parametrize("t", ["index", "i32"])
@pytest.mark.parametrize("form", REWRITTEN)
def test_a_loop_that_counts(form: str, t: str) -> None:
    """Limits on, off and before the way, from a negative start too; the counter is used behind the loop."""
    old, new = (kernel(REWRITTEN[form], t=t) for _ in range(2))
    assert not kept(new)
    for arguments in [(9, 0, 0), (10, 0, 0), (0, 0, 0), (-5, 0, 0), (2, -7, 0), (9, 9, 0)]:
        assert results(new, *arguments) == results(old, *arguments), arguments


LEFT = {
    "down": {"grow": "%s = arith.constant -3 : {t}\n    %k = arith.addi %j, %s : {t}"},
    "not at all": {"grow": "%s = arith.constant 0 : {t}\n    %k = arith.addi %j, %s : {t}"},
    "by what is not known": {"grow": "%k = arith.addi %j, %m : {t}"},
    "by itself": {"grow": "%k = arith.addi %j, %j : {t}"},
    "from another value": {"grow": "%s = arith.constant 3 : {t}\n    %k = arith.addi %x, %s : {t}"},
    "by products": {"grow": "%s = arith.constant 3 : {t}\n    %k = arith.muli %j, %s : {t}"},
    "until it is met": {"test": "%go = arith.cmpi ne, %j, %n : {t}"},
    "while above": {"test": "%go = arith.cmpi sgt, %j, %n : {t}"},
    "unsigned": {"test": "%go = arith.cmpi ult, %j, %n : {t}"},
    "to a carried limit": {"test": "%go = arith.cmpi slt, %j, %x : {t}"},
    "to a limit made anew": {"test": "%c = arith.subi %n, %x : {t}\n    %go = arith.cmpi slt, %j, %c : {t}"},
    "what goes on is exchanged": {"handed": "%x, %j"},
}


@pytest.mark.parametrize("form", LEFT)
def test_a_loop_that_does_something_else(form: str) -> None:
    assert kept(kernel(**LEFT[form]))
