"""The quick constructor makes what the general one makes."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AffineSetAttr,
    DenseArrayBase,
    IndexType,
    MemRefType,
    StringAttr,
    VectorType,
    f32,
    i8,
    i32,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap, AffineSet
from xdsl.irdl import IRDLOperation

from headrace.ir.construct import create_op, operand_groups
from headrace.ir.dialects import agen, dataflow, headrace_ops, ktdf, symbol, uniform
from headrace.ir.location import copy_loc, set_loc
from headrace.ir.text import parse_module
from headrace.ir.types import integer_attr, integer_values, memref_type

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


def test_groups_as_the_general_constructor() -> None:
    index = [create_op(arith.ConstantOp, (), (INDEX,), {"value": integer_attr(n, INDEX)}).result for n in range(4)]
    token = ktdf.CreateTokenOp()
    slots = ktdf.FifoAllocateOp(index[:1], [ktdf.FifoSlotType(StringAttr("a"), StringAttr("b"), DYNAMIC_INDEX, f32)])
    row = VectorType(f32, [4])
    view = dataflow.GetLogicalMemoryViewOp(
        index[0], index[1], AffineMapAttr(AffineMap.identity(1)), MemRefType(f32, [4]), "byte"
    )
    box = AffineSetAttr(AffineSet(1, 0, ()))
    made: list[tuple[IRDLOperation, list[Any], list[Any]]] = [
        (token, [], [token.token.type]),
        (slots, [index[:1]], [[slots.slots[0].type]]),
        (view, [index[0], index[1]], [view.result.type]),
        (ktdf.StageOp([], [token.token], Region(Block()), ["x", "y"]), [[], [token]], []),
        (ktdf.StageOp([token.token], [], Region(Block())), [[token.token], []], []),
        (dataflow.SyncSendOp(index[0], 3, True), [index[0]], []),
        (dataflow.SyncRecvOp(index[0]), [index[0]], []),
        (
            agen.VectorLoadOp(
                view.result,
                index[2:],
                AffineMapAttr(AffineMap.identity(1)),
                box,
                AffineMapAttr(AffineMap.identity(1)),
                row,
            ),
            [view, index[2:], None],
            [row],
        ),
    ]
    for op, operands, results in made:
        general = type(op).build(
            operands=operands,
            result_types=results,
            properties=op.properties,
            attributes=op.attributes,
            regions=[Region(Block()) for _ in op.regions],
        )
        for one in (op, general):
            assert all(r.parent is one for r in one.regions)
        states = [{k: v for k, v in _state(one).items() if k != "regions"} for one in (op, general)]
        assert states[0] == states[1] and len(op.regions) == len(general.regions)


def test_groups_may_be_any_sequence() -> None:
    index = [create_op(arith.ConstantOp, (), (INDEX,), {"value": integer_attr(n, INDEX)}) for n in range(2)]
    pair = arith.AddiOp(index[0].result, index[1].result)
    for group in (pair.operands, tuple(index), [index[0], index[1].result]):
        computed = headrace_ops.ComputeOp("arith.addi", group, pair.result_types, {})  # type: ignore[arg-type]
        assert tuple(computed.inputs) == tuple(pair.operands) and tuple(computed.result_types) == (INDEX,)


def test_groups_of_operands() -> None:
    index = [create_op(arith.ConstantOp, (), (INDEX,), {"value": integer_attr(n, INDEX)}).result for n in range(4)]
    source, destination = memref.AllocOp([], [], MemRefType(f32, [4])), memref.AllocOp([], [], MemRefType(f32, [4]))
    walk = AffineMap.identity(1)
    op = ktdf.DataTransferOp.build_from(
        source.memref, walk, index[:1], [index[1]], destination.memref, walk, index[2:3], [4]
    )
    names = ("source", "source_indices", "source_sizes", "destination", "dest_indices", "dest_sizes")
    expected = [(v,) if isinstance(v := getattr(op, name), SSAValue) else tuple(v) for name in names]
    assert (
        operand_groups(op)
        == expected
        == [(source.memref,), (index[0],), (index[1],), (destination.memref,), (index[2],), ()]
    )
    assert integer_values(op.properties["static_source_sizes"]) == (DYNAMIC_INDEX,)
    for kind in (i8, i32, i64):
        numbers = (0, -1, 127, -128)
        assert integer_values(DenseArrayBase.from_list(kind, numbers)) == numbers


def test_types_of_buffers() -> None:
    space = StringAttr("near")
    for shape in ([2, DYNAMIC_INDEX], (3,), []):
        assert memref_type(f32, shape) == MemRefType(f32, shape)
        assert memref_type(f32, shape, memory_space=space) == MemRefType(f32, shape, memory_space=space)
    assert memref_type(f32, [4]) is memref_type(f32, (4,))


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


def test_locations_reach_what_has_none() -> None:
    source = parse_module(TEXT)
    loop = next(op for op in source.walk() if op.name == "scf.for")
    inner = list(loop.walk())[1:]
    own, place = inner[0].location, source.location
    for op in inner[1:]:
        set_loc(op, None)
    copy_loc(source, loop)
    assert inner[0].location == own and all(op.location == place for op in (loop, *inner[1:]))
