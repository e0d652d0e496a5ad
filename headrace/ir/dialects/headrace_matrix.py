"""Matrix steps of the `headrace` dialect: what a unit with the feature `headrace.feature.matrix` does.

A matrix unit holds two blocks of `k x n` elements, of which one is used and the other (the *shadow*) is filled, and
`accumulator_rows` rows of n sums. Operands are flat: tensors in ScheduleIR, vectors in DataflowIR. `order` says how an
operand's elements come: `row` means row-major in (block row, column) or (accumulator row, k), `column` the transpose.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import IndexType, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._syntax import parse_attributes, parse_types, print_attributes, print_types


def element_count(t: Attribute) -> int:
    """Elements of a tensor or vector type of static shape."""
    count = 1
    for n in t.get_shape():  # type: ignore[attr-defined]
        count *= n
    return count


def _parse(cls: Any, parser: Parser) -> Any:
    """Operands, attributes, `:` and the types of all but the row number."""
    names = []
    if cls not in (MatrixSwapOp, MatrixClearOp, MatrixSetupOp):
        names.append(parser.parse_unresolved_operand())
        while parser.parse_optional_punctuation(",") is not None:
            names.append(parser.parse_unresolved_operand())
    properties, attributes = parse_attributes(parser, cls)
    types: list[Attribute] = []
    if cls in (MatrixFillOp, MatrixMultiplyOp, MatrixLoadOp, MatrixReadOp):
        types = list(parse_types(parser, 1))
    wanted: list[Attribute] = [] if cls is MatrixReadOp else list(types)
    if cls in (MatrixMultiplyOp, MatrixLoadOp, MatrixReadOp):
        wanted.append(IndexType())
    operands = parser.resolve_operands(names, wanted, parser.pos)
    results = types if cls is MatrixReadOp else []
    return cls.build(operands=operands, result_types=results, properties=properties, attributes=attributes)


def _print(self: Any, printer: Printer) -> None:
    if self.operands:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
    print_attributes(printer, self)
    types = [v.type for v in self.operands if v.type != IndexType()] + list(self.result_types)
    if types:
        print_types(printer, types)


def _check_order(order: StringAttr | None) -> bool:
    if order is not None and order.data not in ("row", "column"):
        raise VerifyException(f"'order' must be row or column, but is {order.data}")
    return order is not None and order.data == "column"


@irdl_op_definition
class MatrixFillOp(DialectOp):
    """Put elements into the shadow block: row `at` of it, or (`order = "column"`) its columns `at .. at + count`.

    ```
    headrace.matrix_fill %w {at = 0 : i64} : vector<64xf16>
    headrace.matrix_fill %w {at = 8 : i64, count = 8 : i64, order = "column"} : vector<64xf16>
    ```
    """

    name = "headrace.matrix_fill"
    data = operand_def()
    at = prop_def(IntegerAttr)
    count = opt_prop_def(IntegerAttr)
    order = opt_prop_def(StringAttr)

    def __init__(self, data: SSAValue, at: int, count: int = 1, column: bool = False):
        super().__init__(
            operands=[data],
            properties={
                "at": IntegerAttr(at, i64),
                "count": IntegerAttr(count, i64) if column else None,
                "order": StringAttr("column") if column else None,
            },
        )

    @property
    def columns(self) -> int:
        """How many columns the operand holds; 0 for a row."""
        return self.count.value.data if self.count is not None and _check_order(self.order) else 0

    def verify_(self) -> None:
        column = _check_order(self.order)
        if self.at.value.data < 0:
            raise VerifyException(f"'at' must not be negative, but is {self.at.value.data}")
        if column != (self.count is not None):
            raise VerifyException("'count' belongs to the order column")
        if self.count is not None and (
            self.count.value.data < 1 or element_count(self.data.type) % self.count.value.data
        ):
            raise VerifyException("the operand does not hold 'count' whole columns")

    parse = classmethod(_parse)  # pyright: ignore[reportAssignmentType]
    print = _print


@irdl_op_definition
class MatrixSwapOp(DialectOp):
    """The shadow block becomes the one in use when it is filled; the new shadow block is all zeros.

    ```
    headrace.matrix_swap
    ```
    """

    name = "headrace.matrix_swap"
    parse = classmethod(_parse)  # pyright: ignore[reportAssignmentType]
    print = _print


@irdl_op_definition
class MatrixMultiplyOp(DialectOp):
    """`acc[row + i] += x[i] . W` for `rows` rows x of the operand, k in ascending order, each sum rounded once.

    ```
    headrace.matrix_multiply %x, %row {rows = 8 : i64} : vector<64xf16>
    ```
    """

    name = "headrace.matrix_multiply"
    data = operand_def()
    row = operand_def(IndexType())
    rows = prop_def(IntegerAttr)
    order = opt_prop_def(StringAttr)
    macs = opt_prop_def(IntegerAttr)

    def __init__(self, data: SSAValue, row: SSAValue, rows: int, column: bool = False, macs: int | None = None):
        super().__init__(
            operands=[data, row],
            properties={
                "rows": IntegerAttr(rows, i64),
                "order": StringAttr("column") if column else None,
                "macs": None if macs is None else IntegerAttr(macs, i64),
            },
        )

    @property
    def column(self) -> bool:
        """Whether the operand is stored k-major."""
        return _check_order(self.order)

    def verify_(self) -> None:
        _check_order(self.order)
        if self.rows.value.data < 1 or element_count(self.data.type) % self.rows.value.data:
            raise VerifyException("the operand does not hold 'rows' whole rows")

    parse = classmethod(_parse)  # pyright: ignore[reportAssignmentType]
    print = _print


@irdl_op_definition
class MatrixClearOp(DialectOp):
    """Set the first `rows` accumulator rows to zero.

    ```
    headrace.matrix_clear {rows = 64 : i64}
    ```
    """

    name = "headrace.matrix_clear"
    rows = prop_def(IntegerAttr)

    def __init__(self, rows: int):
        super().__init__(properties={"rows": IntegerAttr(rows, i64)})

    def verify_(self) -> None:
        if self.rows.value.data < 1:
            raise VerifyException(f"'rows' must be at least 1, but is {self.rows.value.data}")

    parse = classmethod(_parse)  # pyright: ignore[reportAssignmentType]
    print = _print


@irdl_op_definition
class MatrixLoadOp(DialectOp):
    """Set the first elements of an accumulator row.

    ```
    headrace.matrix_load %v, %row : vector<64xf32>
    ```
    """

    name = "headrace.matrix_load"
    data = operand_def()
    row = operand_def(IndexType())

    def __init__(self, data: SSAValue, row: SSAValue):
        super().__init__(operands=[data, row])

    parse = classmethod(_parse)  # pyright: ignore[reportAssignmentType]
    print = _print


@irdl_op_definition
class MatrixReadOp(DialectOp):
    """The first elements of an accumulator row.

    ```
    %v = headrace.matrix_read %row : vector<64xf32>
    ```
    """

    name = "headrace.matrix_read"
    row = operand_def(IndexType())
    result = result_def()

    def __init__(self, row: SSAValue, result_type: Attribute):
        super().__init__(operands=[row], result_types=[result_type])

    parse = classmethod(_parse)  # pyright: ignore[reportAssignmentType]
    print = _print


@irdl_op_definition
class MatrixSetupOp(DialectOp):
    """The shape of the unit's blocks and accumulators, once at the top of a program that uses them.

    ```
    headrace.matrix_setup {k = 8 : i64, n = 64 : i64, rows = 64 : i64}
    ```
    """

    name = "headrace.matrix_setup"
    k = prop_def(IntegerAttr)
    n = prop_def(IntegerAttr)
    rows = prop_def(IntegerAttr)

    def __init__(self, k: int, n: int, rows: int):
        super().__init__(
            properties={"k": IntegerAttr(k, i64), "n": IntegerAttr(n, i64), "rows": IntegerAttr(rows, i64)}
        )

    parse = classmethod(_parse)  # pyright: ignore[reportAssignmentType]
    print = _print


MATRIX_OPS = (
    MatrixSetupOp,
    MatrixFillOp,
    MatrixSwapOp,
    MatrixMultiplyOp,
    MatrixClearOp,
    MatrixLoadOp,
    MatrixReadOp,
)
