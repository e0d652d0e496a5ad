"""`ktdf.data_transfer`: copies between memories and FIFO slots."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    MemRefType,
)
from xdsl.ir import (
    Attribute,
    SSAValue,
)
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp, create_op
from headrace.ir.dialects._syntax import parse_attributes, print_attributes
from headrace.ir.dialects.ktdf_types import FifoSlotType
from headrace.ir.subscripts import at_subscripts, parse_subscripts, print_subscripts
from headrace.ir.types import integers, segment_sizes

INDEX = IndexType()


@irdl_op_definition
class DataTransferOp(DialectOp):
    """`ktdf.data_transfer from %a[%i, 0] size [1, 64] to %f size [64] : memref<..>, !ktdf.fifo.slot<..>`.

    Copies a box of elements, both sides in row-major order.
    """

    name = "ktdf.data_transfer"
    source = operand_def()
    source_indices = var_operand_def(IndexType())
    source_sizes = var_operand_def(IndexType())
    destination = operand_def()
    dest_indices = var_operand_def(IndexType())
    dest_sizes = var_operand_def(IndexType())
    static_source_sizes = opt_prop_def(DenseArrayBase)
    static_dest_sizes = opt_prop_def(DenseArrayBase)
    source_map = opt_prop_def(AffineMapAttr)
    dest_map = opt_prop_def(AffineMapAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def build_from(
        cls,
        source: SSAValue,
        source_map: AffineMap | None,
        source_indices: Sequence[SSAValue],
        source_sizes: Sequence[int | SSAValue] | None,
        destination: SSAValue,
        dest_map: AffineMap | None,
        dest_indices: Sequence[SSAValue],
        dest_sizes: Sequence[int | SSAValue] | None,
    ) -> DataTransferOp:
        """A transfer from its two sides; sizes are numbers or index values, maps absent for slots."""
        static_source, dynamic_source = _split_sizes(source_sizes)
        static_dest, dynamic_dest = _split_sizes(dest_sizes)
        groups = [[source], source_indices, dynamic_source, [destination], dest_indices, dynamic_dest]
        properties = {
            "static_source_sizes": static_source,
            "static_dest_sizes": static_dest,
            "source_map": None if source_map is None else AffineMapAttr(source_map),
            "dest_map": None if dest_map is None else AffineMapAttr(dest_map),
            "operandSegmentSizes": segment_sizes(*map(len, groups)),
        }
        return create_op(
            cls, [v for group in groups for v in group], (), {k: v for k, v in properties.items() if v is not None}
        )

    @classmethod
    def parse(cls, parser: Parser) -> DataTransferOp:
        sides = []
        for keyword in ("from", "to"):
            parser.parse_keyword(keyword)
            sides.append(_parse_side(parser))
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        source_type = parser.parse_type()
        parser.parse_punctuation(",")
        dest_type = parser.parse_type()
        (a, amap, aindices, asizes), (b, bmap, bindices, bsizes) = sides
        op = cls.build_from(
            parser.resolve_operand(a, source_type),
            amap,
            aindices,
            asizes,
            parser.resolve_operand(b, dest_type),
            bmap,
            bindices,
            bsizes,
        )
        op.properties.update(properties)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        sides = (
            ("from", self.source, self.source_map, self.source_indices, self.static_source_sizes, self.source_sizes),
            ("to", self.destination, self.dest_map, self.dest_indices, self.static_dest_sizes, self.dest_sizes),
        )
        for keyword, value, map_, indices, static, dynamic in sides:
            printer.print_string(f" {keyword} ")
            printer.print_ssa_value(value)
            if map_ is not None:
                print_subscripts(printer, map_, indices)
            if static is not None:
                printer.print_string(" size [")
                rest = iter(dynamic)
                for i, n in enumerate(static.get_values()):  # pyright: ignore[reportAttributeAccessIssue]
                    printer.print_string(", " if i else "")
                    if n == DYNAMIC_INDEX:
                        printer.print_ssa_value(next(rest))
                    else:
                        printer.print_string(str(n))
                printer.print_string("]")
        print_attributes(printer, self, ("static_source_sizes", "static_dest_sizes", "source_map", "dest_map"))
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(", ")
        printer.print_attribute(self.destination.type)

    def verify_(self) -> None:
        if _element_type(self.source.type) != _element_type(self.destination.type):
            raise VerifyException(
                f"source element type {_element_type(self.source.type)} must match "
                f"the destination's {_element_type(self.destination.type)}"
            )
        _verify_side(
            "source",
            self.source.type,
            self.source_map,
            self.source_indices,
            self.static_source_sizes,
            self.source_sizes,
        )
        _verify_side(
            "dest", self.destination.type, self.dest_map, self.dest_indices, self.static_dest_sizes, self.dest_sizes
        )


def _split_sizes(sizes: Sequence[int | SSAValue] | None) -> tuple[DenseArrayBase | None, list[SSAValue]]:
    if sizes is None:
        return None, []
    static = [n if isinstance(n, int) else DYNAMIC_INDEX for n in sizes]
    return integers(*static), [n for n in sizes if not isinstance(n, int)]


def _parse_side(parser: Parser):
    value = parser.parse_unresolved_operand()
    map_: AffineMap | None = None
    indices: list[SSAValue] = []
    if at_subscripts(parser):
        attr, indices = parse_subscripts(parser)
        map_ = attr.data
    sizes: list[int | SSAValue] | None = None
    if parser.parse_optional_keyword("size") is not None:

        def one() -> int | SSAValue:
            operand = parser.parse_optional_unresolved_operand()
            if operand is not None:
                return parser.resolve_operand(operand, INDEX)
            return parser.parse_integer(allow_boolean=False)

        sizes = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, one)
    return value, map_, indices, sizes


def _element_type(t: Attribute) -> Attribute:
    if isinstance(t, FifoSlotType | MemRefType):
        return t.element_type
    raise VerifyException(f"operand must be a memref or a fifo slot, but is {t}")


def _verify_side(
    side: str,
    t: Attribute,
    map_: AffineMapAttr | None,
    indices: Sequence[SSAValue],
    static: DenseArrayBase | None,
    dynamic: Sequence[SSAValue],
) -> None:
    """The rules of one side of a transfer."""
    wanted = 0 if static is None else sum(n == DYNAMIC_INDEX for n in static.get_values())  # pyright: ignore
    if isinstance(t, FifoSlotType):
        if map_ is not None:
            raise VerifyException(f"{side}_map must be absent for fifo {side}")
        if indices:
            raise VerifyException(f"fifo {side} cannot have indices specified")
    else:
        assert isinstance(t, MemRefType)
        rank = len(t.get_shape())
        if map_ is None:
            raise VerifyException(f"{side}_map must be present for memref {side}")
        if map_.data.num_symbols:
            raise VerifyException(f"{side}_map must have 0 symbols (dims-only)")
        if len(map_.data.results) != rank:
            raise VerifyException(f"{side} memref has rank {rank} but {side}_map has {len(map_.data.results)} results")
        if len(indices) != map_.data.num_dims:
            raise VerifyException(
                f"{side}_indices count ({len(indices)}) must match the dims of {side}_map ({map_.data.num_dims})"
            )
        count_ = 0 if static is None else len(static.get_values())  # pyright: ignore[reportAttributeAccessIssue]
        if count_ != rank:
            raise VerifyException(f"{side} size count ({count_}) must match the memref's rank ({rank})")
    if wanted != len(dynamic):
        raise VerifyException(
            f"number of dynamic {side} sizes ({len(dynamic)}) must match the dynamic entries ({wanted})"
        )
