"""The quick constructor makes what the general one makes."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation

from headrace.ir.construct import create_op
from headrace.ir.dialects import dataflow, symbol, uniform
from headrace.ir.types import integer_attr

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
