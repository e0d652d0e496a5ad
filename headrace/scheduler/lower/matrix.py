"""Matrix steps in unit programs: the same operations on vectors."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from headrace.ir.diagnostics import error
from headrace.ir.dialects import headrace_matrix as matrix
from headrace.scheduler.lower.compute import shape_of, vector_of
from headrace.scheduler.lower.units import Handler, UnitProgram


def emit_matrix(unit: UnitProgram, op: Operation) -> None:
    """One `headrace.matrix_*` operation."""
    spec = unit.device.unit(unit.kind).matrix
    if spec is None:
        raise error(op, f"'{op.name}' on unit kind '{unit.kind}', which has no headrace.feature.matrix")
    if not any(o.name == "headrace.matrix_setup" for o in unit.prologue):
        unit.hoist(matrix.MatrixSetupOp(spec.k, spec.n, spec.accumulator_rows))
    if isinstance(op, matrix.MatrixReadOp):
        t = op.result.type
        vector = VectorType(t.element_type, [prod(shape_of(op.result))])  # type: ignore[attr-defined]
        new = unit.add(matrix.MatrixReadOp(unit.value(op.row), vector))
        unit.scopes[-1].values[op.result] = new.result
        return
    operands = []
    for v in op.operands:
        is_data = hasattr(v.type, "get_shape")
        operands.append(vector_of(unit, op, v) if is_data else unit.value(v))
    unit.add(
        type(op).create(operands=operands, properties=dict(op.properties), attributes=dict(op.attributes))
    )


HANDLERS: dict[str, Handler] = {cls.name: emit_matrix for cls in matrix.MATRIX_OPS}
