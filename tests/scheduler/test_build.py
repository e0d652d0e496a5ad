"""The IR-building layer of the scheduler."""

from __future__ import annotations

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, f32, i1
from xdsl.ir import Block, Operation, Region

from headrace.ir.text import parse_module
from headrace.ir.walk import walk_ops
from headrace.scheduler.build import INDEX, alloc_op, constant_op, erase_dead, for_op

TEXT = """
func.func @f(%n: index, %m: memref<8xindex>, %yes: i1) {
  %a = arith.constant 1 : index
  %b = arith.addi %a, %n : index
  %kept = arith.muli %n, %n : index
  scf.for %i = %a to %n step %a {
    %c = arith.addi %b, %i : index
    scf.if %yes {
      %d = arith.addi %c, %i : index
    }
    %e = arith.addi %c, %c : index
    memref.store %kept, %m[%i] : memref<8xindex>
  }
  %g = arith.addi %b, %b : index
  cf.br ^end
^end:
  %h = arith.addi %b, %a : index
  return
}
"""


def _same(a: Operation, b: Operation) -> bool:
    own, other = [(x.properties, x.attributes, tuple(x.operands), tuple(x.result_types)) for x in (a, b)]
    return own == other and len(a.regions) == len(b.regions)


def test_dead_operations_go_in_chains_through_regions_and_blocks() -> None:
    module = parse_module(TEXT)
    function = next(walk_ops(module, "func.func"))
    assert erase_dead(function.regions[0], lambda op: op.name.startswith("arith."))
    left = [op.name for op in walk_ops(function) if op.name.startswith("arith.")]
    assert left == ["arith.constant", "arith.muli"]
    assert not erase_dead(function.regions[0], lambda op: op.name.startswith("arith."))


def test_dead_operations_of_several_blocks_in_any_order() -> None:
    """A block that stands in front of the one that defines what it uses."""
    function = next(walk_ops(parse_module(TEXT), "func.func"))
    first, end = function.regions[0].blocks
    between = Block()
    defined = constant_op(7)
    between.add_op(defined)
    between.add_op(scf.YieldOp())
    end.insert_op_before(arith.AddiOp(defined.result, defined.result), end.last_op or defined)
    function.regions[0].detach_block(end)
    function.regions[0].insert_block(end, 1)
    function.regions[0].add_block(between)
    assert list(function.regions[0].blocks) == [first, end, between]
    erase_dead(function.regions[0], lambda op: op.name.startswith("arith."))
    assert [op.name for op in between.ops] == ["scf.yield"]


def test_made_as_by_the_general_constructors() -> None:
    zero, one = constant_op(0), constant_op(-1)
    assert (zero.result.name_hint, one.result.name_hint) == ("c0", "cm1")
    assert _same(constant_op(5), arith.ConstantOp(IntegerAttr(5, INDEX)))
    assert _same(constant_op(1, i1), arith.ConstantOp(IntegerAttr(1, i1)))
    sized = MemRefType(f32, [DYNAMIC_INDEX, 4])
    assert _same(alloc_op(sized, [zero.result]), memref.AllocOp([zero.result], [], sized))
    body, other = (Block([scf.YieldOp(zero.result)], arg_types=[INDEX, INDEX]) for _ in range(2))
    made = for_op(zero.result, one.result, one.result, body, [zero.result])
    assert _same(made, scf.ForOp(zero.result, one.result, one.result, [zero.result], Region(other)))
    made.verify()
