"""The quick constructor makes what the general one makes."""

from __future__ import annotations

from xdsl.dialects import arith, test
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, StringAttr, f32
from xdsl.ir import Block, Operation, Region

from headrace.ir.construct import clone_op, create_op
from headrace.ir.dialects import dataflow, symbol, uniform
from headrace.ir.location import copy_loc, set_loc
from headrace.ir.text import parse_module, print_module
from headrace.ir.types import integer_attr, memref_type

INDEX = IndexType()


def _state(op: Operation) -> dict[str, object]:
    state = dict(vars(op))
    state["results"] = [(r.type, r.index, r.op is op) for r in op.results]
    state["_operand_uses"] = [(u.operation is op, u.index) for u in state["_operand_uses"]]  # type: ignore[attr-defined]
    return state


def test_as_the_general_constructor() -> None:
    value = create_op(arith.ConstantOp, (), (INDEX,), {"value": integer_attr(3, INDEX)}).result
    quick = create_op(arith.AddiOp, (value, value), (INDEX,))
    general = arith.AddiOp.create(operands=(value, value), result_types=(INDEX,))
    assert quick.overflow_flags == general.overflow_flags  # a property with a default
    assert _state(quick) == _state(general)
    assert [(u.operation, u.index) for u in value.uses] == [(general, 1), (general, 0), (quick, 1), (quick, 0)]
    quick.verify()
    quick.erase()
    assert [u.operation for u in value.uses] == [general, general]


def test_operations_that_use_it_verify() -> None:
    unit = dataflow.GetUnitOp("C0-sfu", "sfu", 0, 1)
    number = symbol.CreateSymbolOp(-4)
    mapping = uniform.DefImmutableMappingOp([unit.unit], [number.result])
    query = uniform.QueryMapOp(mapping.result, unit.unit)
    for op in (unit, number, mapping, query, symbol.CreateIdOp(query.result, -1)):
        op.verify()
        assert _state(op) == _state(
            type(op).create(
                operands=op.operands,
                result_types=op.result_types,
                properties=op.properties,
                attributes=op.attributes,
            )
        )


TEXT = """
func.func @f(%a: index, %m: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  %s = scf.for %i = %c1 to %a step %c1 iter_args(%x_1 = %c1) -> (index) {
    %y_2_3 = arith.addi %x_1, %i : index
    scf.if %yes {
      %z = memref.load %m[%y_2_3] : memref<8xf32>
    } else {
      %w = arith.muli %y_2_3, %y_2_3 : index
    }
    scf.yield %y_2_3 : index
  }
  cf.br ^end(%s : index)
^end(%e: index):
  %c = arith.cmpi eq, %e, %e : index
  cf.cond_br %c, ^end(%s : index), ^last
^last:
  return
}
"""


def _everything(op: Operation) -> list[object]:
    """All of an operation and what is inside it; values by name and users, in order."""
    return [
        (
            inner.name, inner.location, [(v.name_hint, str(v.type)) for v in inner.operands],
            [(r.name_hint, [(u.operation.name, u.index) for u in r.uses]) for r in inner.results],
            {**inner.properties}, {**inner.attributes},
            [[(a.name_hint, a.location, [u.index for u in a.uses]) for a in b.args]
             for r in inner.regions for b in r.blocks],
        )
        for inner in op.walk()
    ]  # fmt: skip


def test_clones_as_the_general_one() -> None:
    source = parse_module(TEXT)
    general, known = source.clone(values := {}), list(values)
    expected = _everything(general), print_module(general)
    quick = clone_op(source, values := {})
    assert (_everything(quick), print_module(quick)) == expected
    assert list(values) == known
    quick.verify()


def test_clones_with_other_operands() -> None:
    source = parse_module(TEXT)
    loop = next(op for op in source.walk() if op.name == "scf.for")
    other = arith.ConstantOp(integer_attr(7, INDEX)).result
    copy = clone_op(loop, {loop.operands[1]: other})
    assert copy.operands[1] is other and copy.operands[0] is loop.operands[0] and copy.parent is None


def test_clones_of_what_is_used_before_it_stands() -> None:
    late = test.TestOp(result_types=[INDEX])
    around = test.TestOp(regions=[Region(Block([test.TestOp(operands=[late.results[0]]), late]))])
    first, second = clone_op(around).regions[0].block.ops
    assert first.operands[0] is second.results[0] and sum(1 for _ in late.results[0].uses) == 1


def test_types_of_buffers() -> None:
    space = StringAttr("near")
    for shape in ([2, DYNAMIC_INDEX], (3,), []):
        assert memref_type(f32, shape) == MemRefType(f32, shape)
        assert memref_type(f32, shape, memory_space=space) == MemRefType(f32, shape, memory_space=space)
    assert memref_type(f32, [4]) is memref_type(f32, (4,))


def test_locations_reach_what_has_none() -> None:
    source = parse_module(TEXT)
    loop = next(op for op in source.walk() if op.name == "scf.for")
    inner = list(loop.walk())[1:]
    own, place = inner[0].location, source.location
    for op in inner[1:]:
        set_loc(op, None)
    copy_loc(source, loop)
    assert inner[0].location == own and all(op.location == place for op in (loop, *inner[1:]))
