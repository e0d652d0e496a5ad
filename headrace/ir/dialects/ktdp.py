"""The `ktdp` dialect: memory views, access tiles, loads and stores, runtime arguments.

Communication between tiles is in `ktdp_inter_tile`, types and attributes in `ktdp_types`; the dialect object here holds them all.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    IndexType,
    MemRefType,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Block, Dialect, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, MemoryReadEffect, MemoryWriteEffect, NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.affine import replace as replace_dims
from headrace.ir.dialects._syntax import parse_attributes, print_attributes
from headrace.ir.dialects.ktdp_inter_tile import INTER_TILE_OPS
from headrace.ir.dialects.ktdp_types import (
    AccessTileType,
    MemorySpaceAttr,
    RuntimeArgType,
    SpyreMemorySpaceAttr,
    TileFutureType,
    parse_short_type,
    print_short_type,
)
from headrace.ir.subscripts import parse_expression, parse_subscripts, print_subscripts, subscript_texts

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
    for i, n in enumerate(static.get_values()):
        printer.print_string(", " if i else "")
        if n == DYNAMIC_INDEX:
            printer.print_ssa_value(next(rest))
        else:
            printer.print_string(str(n))
    printer.print_string("]")


def _warn(parser: Parser, message: str, at: int | None = None) -> None:
    """A lenient acceptance: warn where the parser can, refuse in strict mode."""
    if getattr(parser, "strict", False):
        parser.raise_error(message, at)
    warn = getattr(parser, "warn", None)
    if warn is not None:
        warn(message, at)


@irdl_op_definition
class GetComputeTileIdOp(IRDLOperation):
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
class ConstructMemoryViewOp(IRDLOperation):
    """`%v = ktdp.construct_memory_view %p, sizes: [4, %n], strides: [%n, 1] {coordinate_set = .., memory_space = ..} : memref<4x?xf16>`.

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
            _warn(parser, "'ktdp.construct_memory_view' op requires attribute 'coordinate_set'; the whole view is assumed", start)
        (sizes, dynamic_sizes), (strides, dynamic_strides) = lists
        properties.update(static_sizes=sizes, static_strides=strides)
        return cls.build(
            operands=[offset, dynamic_sizes, dynamic_strides], result_types=[result], properties=properties, attributes=attributes
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
        sizes, strides = self.static_sizes.get_values(), self.static_strides.get_values()
        if len(sizes) != len(strides):
            raise VerifyException(f"sizes and strides must have the same length ({len(sizes)} vs {len(strides)})")
        t = self.result.type
        if not isinstance(t, MemRefType):
            raise VerifyException(f"result must be a ranked memref, but is {t}")
        if len(sizes) != len(t.get_shape()):
            raise VerifyException(f"sizes have {len(sizes)} entries, but the result memref has rank {len(t.get_shape())}")
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
                raise VerifyException(f"coordinate_set has {points.num_dims} dimensions, but the view has rank {len(sizes)}")
            if points.num_symbols != len(self.sizes):
                raise VerifyException(
                    f"coordinate_set has {points.num_symbols} symbols, but there are {len(self.sizes)} dynamic sizes"
                )
        own = t.memory_space
        if type(own).__name__ != "NoneAttr" and own != self.memory_space:
            raise VerifyException(f"memory space {own} of the memref differs from memory_space = {self.memory_space}")


@irdl_op_definition
class ConstructDistributedMemoryViewOp(IRDLOperation):
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
                raise VerifyException(f"element type {v.type.element_type} of operand #{i} must match the result's {t.element_type}")
            if len(v.type.get_shape()) != len(t.get_shape()):
                raise VerifyException(f"rank {len(v.type.get_shape())} of operand #{i} must match the result's {len(t.get_shape())}")


def _parse_symbols(parser: Parser) -> list[SSAValue]:
    """`symbols(%a, %b)`, optional."""
    if parser.parse_optional_keyword("symbols") is None:
        return []
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_operand(INDEX))


def _print_symbols(printer: Printer, symbols: Sequence[SSAValue]) -> None:
    if symbols:
        printer.print_string(" symbols(")
        printer.print_list(symbols, printer.print_ssa_value)
        printer.print_string(")")


def _parse_tile_type(parser: Parser) -> Attribute:
    """The result type of a construct op: full form only."""
    at = parser.pos
    if parser.parse_optional_characters("<") is not None:
        parser.raise_error("expected the full type '!ktdp.access_tile<...>'; the short form is not accepted here", at)
    return parser.parse_type()


def _rank_of(t: Attribute) -> int | None:
    return len(t.get_shape()) if isinstance(t, MemRefType | TensorType) else None


def _verify_space(
    points: AffineSetAttr, order: AffineMapAttr, symbols: Sequence[SSAValue], tile: Attribute, set_name: str, order_name: str
) -> None:
    """Rules that direct and indirect access tiles share: set, order, symbols and result agree."""
    n = points.data.num_dims
    if points.data.num_symbols != len(symbols):
        raise VerifyException(f"{set_name} has {points.data.num_symbols} symbols, but {len(symbols)} symbol operands were given")
    if order.data.num_dims != len(order.data.results):
        raise VerifyException(
            f"{order_name} must have as many inputs as results ({order.data.num_dims} inputs, {len(order.data.results)} results)"
        )
    if len(order.data.results) != n:
        raise VerifyException(f"{order_name} has {len(order.data.results)} results, but {set_name} has {n} dimensions")
    positions = sorted(e.position for e in order.data.results if isinstance(e, AffineDimExpr))
    if positions != list(range(n)):
        raise VerifyException(f"{order_name} must be a permutation of the dimensions of {set_name}")
    if not isinstance(tile, AccessTileType):
        raise VerifyException(f"result must be an access tile, but is {tile}")
    if len(tile.get_shape()) != n:
        raise VerifyException(f"result has rank {len(tile.get_shape())}, but {set_name} has {n} dimensions")


@irdl_op_definition
class ConstructAccessTileOp(IRDLOperation):
    """`%t = ktdp.construct_access_tile %v[%r + 1, 0] symbols(%w) {access_tile_order = .., access_tile_set = ..} : T -> !ktdp.access_tile<..>`.

    The points of the set, moved by the subscripts, in the order of the map; the last result of the map runs fastest.
    """

    name = "ktdp.construct_access_tile"
    base = operand_def()
    indices = var_operand_def()
    symbols = var_operand_def(IndexType())
    base_map = prop_def(AffineMapAttr)
    access_tile_set = prop_def(AffineSetAttr)
    access_tile_order = prop_def(AffineMapAttr)
    result = result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    def __init__(
        self,
        base: SSAValue,
        base_map: AffineMapAttr,
        indices: Sequence[SSAValue],
        symbols: Sequence[SSAValue],
        access_tile_set: AffineSetAttr,
        access_tile_order: AffineMapAttr,
        result_type: Attribute,
    ):
        super().__init__(
            operands=[base, indices, symbols],
            result_types=[result_type],
            properties={"base_map": base_map, "access_tile_set": access_tile_set, "access_tile_order": access_tile_order},
        )

    @classmethod
    def parse(cls, parser: Parser) -> ConstructAccessTileOp:
        start = parser.pos
        base = parser.parse_unresolved_operand()
        base_map, indices = parse_subscripts(parser)
        symbols = _parse_symbols(parser)
        properties, attributes = parse_attributes(parser, cls)
        for key in ("access_tile_set", "access_tile_order"):
            if key not in properties:
                parser.raise_error(f"'ktdp.construct_access_tile' op requires attribute '{key}'", start)
        parser.parse_punctuation(":")
        base_type = parser.parse_type()
        parser.parse_punctuation("->")
        result = _parse_tile_type(parser)
        properties["base_map"] = base_map
        return cls.build(
            operands=[parser.resolve_operand(base, base_type), indices, symbols],
            result_types=[result],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.base)
        print_subscripts(printer, self.base_map, self.indices)
        _print_symbols(printer, self.symbols)
        print_attributes(printer, self, ("base_map",))
        printer.print_string(" : ")
        printer.print_attribute(self.base.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        base_map = self.base_map.data
        if base_map.num_dims + base_map.num_symbols != len(self.indices):
            raise VerifyException(f"base_map has {base_map.num_dims} inputs, but there are {len(self.indices)} index operands")
        n = self.access_tile_set.data.num_dims
        if len(base_map.results) != n:
            raise VerifyException(f"access_tile_set has {n} dimensions, but there are {len(base_map.results)} subscripts")
        rank = _rank_of(self.base.type)
        if rank is None:
            raise VerifyException(f"base must be a memref or a tensor, but is {self.base.type}")
        if rank != len(base_map.results):
            raise VerifyException(f"there are {len(base_map.results)} subscripts, but the base has rank {rank}")
        _verify_space(
            self.access_tile_set, self.access_tile_order, self.symbols, self.result.type, "access_tile_set", "access_tile_order"
        )


@irdl_op_definition
class RegionTerminatorOp(IRDLOperation):
    """`ktdp.region_terminator`: implicit terminator of an indirect access tile's hidden region."""

    name = "ktdp.region_terminator"
    traits = traits_def(IsTerminator(), Pure())

    def __init__(self) -> None:
        super().__init__()

    @classmethod
    def parse(cls, parser: Parser) -> RegionTerminatorOp:
        return cls.build(attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)


@irdl_op_definition
class ConstructIndirectAccessTileOp(IRDLOperation):
    """`%t = ktdp.construct_indirect_access_tile intermediate_variables(%k, %c) %table[ind(%ids[%r + %k]), (%c)] {..} : T, I -> !ktdp.access_tile<..>`.

    Subscript maps are over (captured..., intermediate...); the intermediate variables are arguments of a hidden region.
    """

    name = "ktdp.construct_indirect_access_tile"
    base = operand_def()
    indirect_memrefs = var_operand_def()
    captured_variables = var_operand_def(IndexType())
    symbols = var_operand_def(IndexType())
    per_dim_subscript_kinds = prop_def(ArrayAttr)
    per_dim_subscript_maps = prop_def(ArrayAttr)
    variables_space_set = prop_def(AffineSetAttr)
    variables_space_order = prop_def(AffineMapAttr)
    body = region_def("single_block")
    result = result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(NoTerminator(), MemoryReadEffect())

    @classmethod
    def parse(cls, parser: Parser) -> ConstructIndirectAccessTileOp:
        start = parser.pos
        parser.parse_keyword("intermediate_variables")
        names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        block = Block(arg_types=[INDEX] * len(names))
        variables: dict[str, SSAValue] = {}
        for name, arg in zip(names, block.args, strict=True):
            arg.name_hint = name.operand_name
            variables[name.operand_name] = arg
        base = parser.parse_unresolved_operand()
        hidden = {n: parser.ssa_values.get(n) for n in variables}
        for n, arg in variables.items():
            parser.ssa_values[n] = (arg,)
        try:
            subscripts = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_subscript(parser))
        finally:
            for n, old in hidden.items():
                if old is None:
                    del parser.ssa_values[n]
                else:
                    parser.ssa_values[n] = old
        symbols = _parse_symbols(parser)
        properties, attributes = parse_attributes(parser, cls)
        for key in ("variables_space_set", "variables_space_order"):
            if key not in properties:
                parser.raise_error(f"'ktdp.construct_indirect_access_tile' op requires attribute '{key}'", start)
        parser.parse_punctuation(":")
        at = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        views = [view for view, _, _ in subscripts if view is not None]
        if len(types) != 1 + len(views):
            parser.raise_error(f"expected {1 + len(views)} types (base and one per 'ind'), but got {len(types)}", at)
        parser.parse_punctuation("->")
        result = _parse_tile_type(parser)
        captured: list[SSAValue] = []
        for _, _, operands in subscripts:
            for v in operands:
                if v not in variables.values() and v not in captured:
                    captured.append(v)
        domain = [*captured, *block.args]
        maps = []
        for _, map_, operands in subscripts:
            dims = [AffineDimExpr(domain.index(v)) for v in operands]
            exprs = tuple(replace_dims(e, dims, ()) for e in map_.data.results)
            maps.append(AffineMapAttr(AffineMap(len(domain), 0, exprs)))
        properties["per_dim_subscript_kinds"] = ArrayAttr([BoolAttr.from_bool(view is not None) for view, _, _ in subscripts])
        properties["per_dim_subscript_maps"] = ArrayAttr(maps)
        indirect = [parser.resolve_operand(v, t) for v, t in zip(views, types[1:], strict=True)]
        return cls.build(
            operands=[parser.resolve_operand(base, types[0]), indirect, captured, symbols],
            result_types=[result],
            properties=properties,
            attributes=attributes,
            regions=[Region(block)],
        )

    @property
    def kinds(self) -> list[bool]:
        """Per base dimension whether its subscript is indirect."""
        return [bool(k.value.data) for k in self.per_dim_subscript_kinds.data]  # type: ignore[attr-defined]

    def print(self, printer: Printer) -> None:
        args = self.body.block.args
        printer.print_string(" intermediate_variables(")
        printer.print_list(args, printer.print_ssa_value)
        printer.print_string(") ")
        printer.print_ssa_value(self.base)
        printer.print_string("[")
        views = iter(self.indirect_memrefs)
        domain = [*self.captured_variables, *args]
        for i, (kind, map_) in enumerate(zip(self.kinds, self.per_dim_subscript_maps.data, strict=True)):
            printer.print_string(", " if i else "")
            assert isinstance(map_, AffineMapAttr)
            if kind:
                printer.print_string("ind(")
                printer.print_ssa_value(next(views))
                print_subscripts(printer, map_, domain)
                printer.print_string(")")
            else:
                printer.print_string("(" + ", ".join(subscript_texts(printer, map_, domain)) + ")")
        printer.print_string("]")
        _print_symbols(printer, self.symbols)
        print_attributes(printer, self, ("per_dim_subscript_kinds", "per_dim_subscript_maps"))
        printer.print_string(" : ")
        printer.print_list([self.base.type, *(v.type for v in self.indirect_memrefs)], printer.print_attribute)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        n = self.variables_space_set.data.num_dims
        if len(self.body.block.args) != n:
            raise VerifyException(
                f"there are {len(self.body.block.args)} intermediate variables, but variables_space_set has {n} dimensions"
            )
        _verify_space(
            self.variables_space_set,
            self.variables_space_order,
            self.symbols,
            self.result.type,
            "variables_space_set",
            "variables_space_order",
        )
        rank = _rank_of(self.base.type)
        if rank is None:
            raise VerifyException(f"base must be a memref or a tensor, but is {self.base.type}")
        if len(self.kinds) != rank or len(self.per_dim_subscript_maps.data) != rank:
            raise VerifyException(f"there are {len(self.kinds)} subscripts, but the base has rank {rank}")
        if sum(self.kinds) != len(self.indirect_memrefs):
            raise VerifyException(f"{sum(self.kinds)} indirect subscripts, but {len(self.indirect_memrefs)} index views")
        domain = len(self.captured_variables) + n
        views = iter(self.indirect_memrefs)
        for k, (kind, map_) in enumerate(zip(self.kinds, self.per_dim_subscript_maps.data, strict=True)):
            assert isinstance(map_, AffineMapAttr)
            if map_.data.num_symbols or map_.data.num_dims != domain:
                raise VerifyException(f"subscript #{k} must have {domain} dims (captured and intermediate) and no symbols")
            if not kind:
                if len(map_.data.results) != 1:
                    raise VerifyException(f"direct subscript #{k} must have exactly one result, but has {len(map_.data.results)}")
                continue
            t = next(views).type
            view_rank = _rank_of(t)
            if view_rank is None or len(map_.data.results) != view_rank:
                raise VerifyException(f"indirect subscript #{k} has {len(map_.data.results)} results, but its index view has rank {view_rank}")
            element = t.element_type  # type: ignore[attr-defined]
            if type(element).__name__ not in ("IntegerType", "IndexType"):
                raise VerifyException(f"index view of subscript #{k} must hold integers, but holds {element}")


def _parse_subscript(parser: Parser) -> tuple[UnresolvedOperand | None, AffineMapAttr, list[SSAValue]]:
    """`ind(%view[..])`, `(expr)`, or (lenient) a bare expression."""
    if parser.parse_optional_keyword("ind") is not None:
        parser.parse_punctuation("(")
        view = parser.parse_unresolved_operand()
        map_, operands = parse_subscripts(parser)
        parser.parse_punctuation(")")
        return view, map_, operands
    at = parser.pos
    parenthesised = parser.parse_optional_punctuation("(") is not None
    map_, operands = parse_expression(parser)
    if parenthesised:
        parser.parse_punctuation(")")
    else:
        _warn(parser, "direct subscript of an indirect access tile must be in parentheses", at)
    return None, map_, operands


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
            raise VerifyException(f"element type {data.element_type} must match the view's element type {base.type.element_type}")


@irdl_op_definition
class LoadOp(IRDLOperation):
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
class StoreOp(IRDLOperation):
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
            operands=[parser.resolve_operand(data, data_type), parser.resolve_operand(tile, tile_type)], attributes=attributes
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
class RuntimeArgExtractOp(IRDLOperation):
    """`%n = ktdp.runtime_arg_extract value from %a : <index, granularity=8> -> index`: value, granularity or upper bound of an argument."""

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
    ],
    [AccessTileType, RuntimeArgType, TileFutureType, MemorySpaceAttr, SpyreMemorySpaceAttr],
)
