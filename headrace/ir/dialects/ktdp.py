"""The `ktdp` dialect: memory views, access tiles, loads and stores, runtime arguments.

Access tiles are in `ktdp_access`, communication between tiles in `ktdp_inter_tile` and `ktdp_inter_tile_parts`, types
and attributes in `ktdp_types`; all names are available here.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineSetAttr,
    DenseArrayBase,
    IndexType,
    MemRefType,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._syntax import parse_attributes, print_attributes
from headrace.ir.dialects.ktdp_access import (
    ConstructAccessTileOp,
    ConstructIndirectAccessTileOp,
    RegionTerminatorOp,
    warn,
)
from headrace.ir.dialects.ktdp_inter_tile import (
    INTER_TILE_OPS,
    InterTileConsumeOp,
    InterTileProduceOp,
    InterTileReduceOp,
    YieldPartialOp,
    YieldReducedOp,
)
from headrace.ir.dialects.ktdp_inter_tile_parts import (
    PART_OPS,
    InterTileAllToAllOp,
    InterTileGatherOp,
    InterTileReduceScatterOp,
    InterTileScatterOp,
)
from headrace.ir.dialects.ktdp_types import (
    AccessTileType,
    MemorySpaceAttr,
    RuntimeArgType,
    SpyreMemorySpaceAttr,
    TileFutureType,
    parse_short_type,
    print_short_type,
)

__all__ = [
    "AccessTileType",
    "ConstructAccessTileOp",
    "ConstructDistributedMemoryViewOp",
    "ConstructIndirectAccessTileOp",
    "ConstructMemoryViewOp",
    "GetComputeTileIdOp",
    "InterTileAllToAllOp",
    "InterTileConsumeOp",
    "InterTileGatherOp",
    "InterTileProduceOp",
    "InterTileReduceOp",
    "InterTileReduceScatterOp",
    "InterTileScatterOp",
    "Ktdp",
    "LoadOp",
    "MemorySpaceAttr",
    "RegionTerminatorOp",
    "RuntimeArgExtractOp",
    "RuntimeArgType",
    "SpyreMemorySpaceAttr",
    "StoreOp",
    "TileFutureType",
    "YieldPartialOp",
    "YieldReducedOp",
]

INDEX = IndexType()


def _mixed_list(parser: Parser) -> list[int | SSAValue]:
    """`[4, %n]`."""

    def one() -> int | SSAValue:
        operand = parser.parse_optional_unresolved_operand()
        if operand is not None:
            return parser.resolve_operand(operand, INDEX)
        return parser.parse_integer(allow_boolean=False)

    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, one)


def _split(values: Sequence[int | SSAValue]) -> tuple[DenseArrayBase, list[SSAValue]]:
    return (
        DenseArrayBase.from_list(i64, [v if isinstance(v, int) else DYNAMIC_INDEX for v in values]),
        [v for v in values if not isinstance(v, int)],
    )


def _print_mixed(printer: Printer, static: DenseArrayBase, dynamic: Sequence[SSAValue]) -> None:
    rest = iter(dynamic)
    printer.print_string("[")
    for i, n in enumerate(static.get_values()):  # pyright: ignore[reportAttributeAccessIssue]
        printer.print_string(", " if i else "")
        if n == DYNAMIC_INDEX:
            printer.print_ssa_value(next(rest))
        else:
            printer.print_string(str(n))
    printer.print_string("]")


@irdl_op_definition
class GetComputeTileIdOp(DialectOp):
    """`%x, %y = ktdp.get_compute_tile_id : index, index`: coordinates of the running tile, one per grid dimension."""

    name = "ktdp.get_compute_tile_id"
    coords = var_result_def()
    traits = traits_def(Pure())

    def __init__(self, count: int = 1):
        super().__init__(result_types=[[INDEX] * count])

    @classmethod
    def parse(cls, parser: Parser) -> GetComputeTileIdOp:
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        return cls.build(result_types=[types], attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_list([r.type for r in self.coords], printer.print_attribute)

    def verify_(self) -> None:
        if not self.coords:
            raise VerifyException("expected at least one result")
        for i, r in enumerate(self.coords):
            if r.type != INDEX:
                raise VerifyException(f"result #{i} must be of type 'index', but is {r.type}")


@irdl_op_definition
class ConstructMemoryViewOp(DialectOp):
    """`%v = ktdp.construct_memory_view %p, sizes: [4, %n], strides: [%n, 1] {coordinate_set = .., memory_space = ..}
    : memref<4x?xf16>`.

    Element at coordinates i lies `sum(i_k * strides_k)` elements after `offset`. No access is made.
    """

    name = "ktdp.construct_memory_view"
    offset = operand_def(IndexType())
    sizes = var_operand_def(IndexType())
    strides = var_operand_def(IndexType())
    static_sizes = prop_def(DenseArrayBase)
    static_strides = prop_def(DenseArrayBase)
    coordinate_set = opt_prop_def(AffineSetAttr)
    memory_space = prop_def()
    result = result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    def __init__(
        self,
        offset: SSAValue,
        sizes: Sequence[int | SSAValue],
        strides: Sequence[int | SSAValue],
        coordinate_set: AffineSetAttr | None,
        memory_space: Attribute,
        result_type: Attribute,
    ):
        static_sizes, dynamic_sizes = _split(sizes)
        static_strides, dynamic_strides = _split(strides)
        super().__init__(
            operands=[offset, dynamic_sizes, dynamic_strides],
            result_types=[result_type],
            properties={
                "static_sizes": static_sizes,
                "static_strides": static_strides,
                "coordinate_set": coordinate_set,
                "memory_space": memory_space,
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> ConstructMemoryViewOp:
        start = parser.pos
        offset = parser.parse_operand(INDEX)
        lists = []
        for keyword in ("sizes", "strides"):
            parser.parse_punctuation(",")
            parser.parse_keyword(keyword)
            parser.parse_punctuation(":")
            lists.append(_split(_mixed_list(parser)))
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        result = parser.parse_type()
        if "memory_space" not in properties:
            parser.raise_error("'ktdp.construct_memory_view' op requires attribute 'memory_space'", start)
        if "coordinate_set" not in properties:
            warn(
                parser,
                "'ktdp.construct_memory_view' op requires attribute 'coordinate_set'; the whole view is assumed",
                start,
            )
        (sizes, dynamic_sizes), (strides, dynamic_strides) = lists
        properties.update(static_sizes=sizes, static_strides=strides)
        return cls.build(
            operands=[offset, dynamic_sizes, dynamic_strides],
            result_types=[result],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.offset)
        printer.print_string(", sizes: ")
        _print_mixed(printer, self.static_sizes, self.sizes)
        printer.print_string(", strides: ")
        _print_mixed(printer, self.static_strides, self.strides)
        print_attributes(printer, self, ("static_sizes", "static_strides"))
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        sizes, strides = self.static_sizes.get_values(), self.static_strides.get_values()  # pyright: ignore
        if len(sizes) != len(strides):
            raise VerifyException(f"sizes and strides must have the same length ({len(sizes)} vs {len(strides)})")
        t = self.result.type
        if not isinstance(t, MemRefType):
            raise VerifyException(f"result must be a ranked memref, but is {t}")
        if len(sizes) != len(t.get_shape()):
            raise VerifyException(
                f"sizes have {len(sizes)} entries, but the result memref has rank {len(t.get_shape())}"
            )
        for what, static, dynamic in (("sizes", sizes, self.sizes), ("strides", strides, self.strides)):
            if sum(n == DYNAMIC_INDEX for n in static) != len(dynamic):
                raise VerifyException(f"number of dynamic {what} operands must match the dynamic entries")
        for k, (n, extent) in enumerate(zip(sizes, t.get_shape(), strict=True)):
            if n != DYNAMIC_INDEX and n < 0:
                raise VerifyException(f"size {n} of dimension {k} is negative")
            if n != DYNAMIC_INDEX and n != extent:
                found = "?" if extent == DYNAMIC_INDEX else str(extent)
                raise VerifyException(f"literal size {n} of dimension {k} contradicts the memref's extent {found}")
        if self.coordinate_set is not None:
            points = self.coordinate_set.data
            if points.num_dims != len(sizes):
                raise VerifyException(
                    f"coordinate_set has {points.num_dims} dimensions, but the view has rank {len(sizes)}"
                )
            if points.num_symbols != len(self.sizes):
                raise VerifyException(
                    f"coordinate_set has {points.num_symbols} symbols, but there are {len(self.sizes)} dynamic sizes"
                )
        own = t.memory_space
        if type(own).__name__ != "NoneAttr" and own != self.memory_space:
            raise VerifyException(f"memory space {own} of the memref differs from memory_space = {self.memory_space}")


@irdl_op_definition
class ConstructDistributedMemoryViewOp(DialectOp):
    """`%d = ktdp.construct_distributed_memory_view(%a, %b : T, U) : V`: one global domain over several views."""

    name = "ktdp.construct_distributed_memory_view"
    views = var_operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, views: Sequence[SSAValue], result_type: Attribute):
        super().__init__(operands=[views], result_types=[result_type])

    @classmethod
    def parse(cls, parser: Parser) -> ConstructDistributedMemoryViewOp:
        parser.parse_punctuation("(")
        views: list[SSAValue] = []
        if parser.parse_optional_punctuation(")") is None:
            names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
            views = list(parser.resolve_operands(names, types, parser.pos))
            parser.parse_punctuation(")")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.build(operands=[views], result_types=[parser.parse_type()], attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string("(")
        if self.views:
            printer.print_list(self.views, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list([v.type for v in self.views], printer.print_attribute)
        printer.print_string(")")
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        t = self.result.type
        if not isinstance(t, MemRefType):
            raise VerifyException(f"result must be a ranked memref, but is {t}")
        for i, v in enumerate(self.views):
            if not isinstance(v.type, MemRefType):
                raise VerifyException(f"operand #{i} must be a ranked memref, but is {v.type}")
            if v.type.element_type != t.element_type:
                raise VerifyException(
                    f"element type {v.type.element_type} of operand #{i} must match the result's {t.element_type}"
                )
            if len(v.type.get_shape()) != len(t.get_shape()):
                raise VerifyException(
                    f"rank {len(v.type.get_shape())} of operand #{i} must match the result's {len(t.get_shape())}"
                )


def _tile_shape(t: Attribute) -> tuple[int, ...]:
    assert isinstance(t, AccessTileType)
    return t.get_shape()


def _verify_data(what: str, data: Attribute, tile: Attribute) -> None:
    if not isinstance(tile, AccessTileType):
        raise VerifyException(f"expected an access tile, but got {tile}")
    if not isinstance(data, TensorType):
        raise VerifyException(f"{what} must be a ranked tensor, but is {data}")
    if tuple(data.get_shape()) != _tile_shape(tile):
        raise VerifyException(f"shape of the {what} {data} must match the shape of the access tile {tile}")


def _verify_element(tile: SSAValue, data: Attribute) -> None:
    """The element type is the view's, where the view is in sight."""
    owner = tile.owner
    base = getattr(owner, "base", None)
    if base is not None and isinstance(base.type, MemRefType | TensorType) and isinstance(data, TensorType):
        if base.type.element_type != data.element_type:
            raise VerifyException(
                f"element type {data.element_type} must match the view's element type {base.type.element_type}"
            )


@irdl_op_definition
class LoadOp(DialectOp):
    """`%x = ktdp.load %t : <3x64xindex> -> tensor<3x64xf16>`: read the elements of an access tile."""

    name = "ktdp.load"
    access_tile = operand_def()
    result = result_def()
    traits = traits_def(MemoryReadEffect())

    def __init__(self, access_tile: SSAValue, result_type: Attribute):
        super().__init__(operands=[access_tile], result_types=[result_type])

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        tile = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        t = parse_short_type(parser, AccessTileType)
        parser.parse_punctuation("->")
        result = parser.parse_type()
        return cls.build(operands=[parser.resolve_operand(tile, t)], result_types=[result], attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.access_tile)
        print_attributes(printer, self)
        printer.print_string(" : ")
        print_short_type(printer, self.access_tile.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        _verify_data("result", self.result.type, self.access_tile.type)
        _verify_element(self.access_tile, self.result.type)


@irdl_op_definition
class StoreOp(DialectOp):
    """`ktdp.store %x, %t : tensor<3x64xf16>, <3x64xindex>`: write the elements of an access tile."""

    name = "ktdp.store"
    data_tile = operand_def()
    access_tile = operand_def()
    traits = traits_def(MemoryWriteEffect())

    def __init__(self, data_tile: SSAValue, access_tile: SSAValue):
        super().__init__(operands=[data_tile, access_tile])

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        data = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        tile = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        data_type = parser.parse_type()
        parser.parse_punctuation(",")
        tile_type = parse_short_type(parser, AccessTileType)
        return cls.build(
            operands=[parser.resolve_operand(data, data_type), parser.resolve_operand(tile, tile_type)],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.data_tile)
        printer.print_string(", ")
        printer.print_ssa_value(self.access_tile)
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.data_tile.type)
        printer.print_string(", ")
        print_short_type(printer, self.access_tile.type)

    def verify_(self) -> None:
        _verify_data("data", self.data_tile.type, self.access_tile.type)
        _verify_element(self.access_tile, self.data_tile.type)
        owner = self.access_tile.owner
        if isinstance(owner, ConstructAccessTileOp) and isinstance(owner.base.type, TensorType):
            raise VerifyException("a store through a tensor base has no effect")


EXTRACTION_KINDS = ("value", "granularity", "upperbound")


@irdl_op_definition
class RuntimeArgExtractOp(DialectOp):
    """`%n = ktdp.runtime_arg_extract value from %a : <index, granularity=8> -> index`: also granularity, upperbound."""

    name = "ktdp.runtime_arg_extract"
    arg = operand_def()
    kind = prop_def(StringAttr)
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, kind: str, arg: SSAValue, result_type: Attribute):
        super().__init__(operands=[arg], result_types=[result_type], properties={"kind": StringAttr(kind)})

    @classmethod
    def parse(cls, parser: Parser) -> RuntimeArgExtractOp:
        at = parser.pos
        kind = parser.parse_optional_identifier()
        if kind not in EXTRACTION_KINDS:
            parser.raise_error(f"expected one of {', '.join(EXTRACTION_KINDS)}", at)
        parser.parse_keyword("from")
        arg = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        t = parse_short_type(parser, RuntimeArgType)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation("->")
        result = parser.parse_type()
        return cls.build(
            operands=[parser.resolve_operand(arg, t)],
            result_types=[result],
            properties={"kind": StringAttr(kind)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.kind.data} from ")
        printer.print_ssa_value(self.arg)
        printer.print_string(" : ")
        print_short_type(printer, self.arg.type)
        print_attributes(printer, self, ("kind",))
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        t = self.arg.type
        if not isinstance(t, RuntimeArgType):
            raise VerifyException(f"operand must be a runtime_arg, but is {t}")
        if self.kind.data == "value":
            if self.result.type != t.underlying:
                raise VerifyException(f"result type {self.result.type} must match the underlying type {t.underlying}")
            return
        if t.parameter(self.kind.data) is None:
            raise VerifyException(f"the runtime_arg has no {self.kind.data}")
        if self.result.type != INDEX:
            raise VerifyException(f"result of '{self.kind.data}' must be of type 'index', but is {self.result.type}")


Ktdp = Dialect(
    "ktdp",
    [
        GetComputeTileIdOp,
        ConstructMemoryViewOp,
        ConstructDistributedMemoryViewOp,
        ConstructAccessTileOp,
        ConstructIndirectAccessTileOp,
        RegionTerminatorOp,
        LoadOp,
        StoreOp,
        RuntimeArgExtractOp,
        *INTER_TILE_OPS,
        *PART_OPS,
    ],
    [AccessTileType, RuntimeArgType, TileFutureType, MemorySpaceAttr, SpyreMemorySpaceAttr],
)
