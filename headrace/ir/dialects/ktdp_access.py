"""`ktdp` access tiles: direct ones over a view or tensor, indirect ones through index views."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    BoolAttr,
    IndexType,
    MemRefType,
    TensorType,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, MemoryReadEffect, NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.affine import add, constant, mul
from headrace.ir.affine import replace as replace_dims
from headrace.ir.analysis.sets import linear_form, tile_shape
from headrace.ir.construct import DialectOp
from headrace.ir.dialects._syntax import check_parent, parse_attributes, print_attributes
from headrace.ir.dialects.ktdp_types import (
    AccessTileType,
)
from headrace.ir.subscripts import parse_expression, parse_subscripts, print_subscripts, subscript_texts

INDEX = IndexType()


def warn(parser: Parser, message: str, at: int | None = None) -> None:
    """A lenient acceptance: warn where the parser can, refuse in strict mode."""
    if getattr(parser, "strict", False):
        parser.raise_error(message, at)
    warn = getattr(parser, "warn", None)
    if warn is not None:
        warn(message, at)


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


def rank_of(t: Attribute) -> int | None:
    """Rank of a memref or tensor type, else None."""
    return len(t.get_shape()) if isinstance(t, MemRefType | TensorType) else None


def _verify_space(
    points: AffineSetAttr,
    order: AffineMapAttr,
    symbols: Sequence[SSAValue],
    tile: Attribute,
    set_name: str,
    order_name: str,
) -> None:
    """Rules that direct and indirect access tiles share: set, order, symbols and result agree."""
    n = points.data.num_dims
    if points.data.num_symbols != len(symbols):
        raise VerifyException(
            f"{set_name} has {points.data.num_symbols} symbols, but {len(symbols)} symbol operands were given"
        )
    if order.data.num_dims != len(order.data.results):
        raise VerifyException(
            f"{order_name} must have as many inputs as results "
            f"({order.data.num_dims} inputs, {len(order.data.results)} results)"
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


def _check_extents(
    parser: Parser, points: Attribute, order: Attribute, symbols: Sequence[SSAValue], tile: Attribute, at: int
) -> None:
    """Warn (strict: refuse) where the tile's static extents are not those of its set's bounding box."""
    if symbols or not isinstance(points, AffineSetAttr) or not isinstance(order, AffineMapAttr):
        return
    try:
        shape = tile_shape(points.data, order.data)
    except (ValueError, ZeroDivisionError):  # Unbounded, or no permutation: the verifier's business.
        return
    if isinstance(tile, AccessTileType) and len(shape) == len(tile.get_shape()) and shape != tile.get_shape():
        found = "x".join("?" if n == DYNAMIC_INDEX else str(n) for n in tile.get_shape())
        warn(parser, f"extents {found} of the access tile differ from its set's {'x'.join(map(str, shape))}", at)


@irdl_op_definition
class ConstructAccessTileOp(DialectOp):
    """`%t = ktdp.construct_access_tile %v[%r + 1, 0] symbols(%w) {..} : memref<..> -> !ktdp.access_tile<..>`.

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
            properties={
                "base_map": base_map,
                "access_tile_set": access_tile_set,
                "access_tile_order": access_tile_order,
            },
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
        _check_extents(parser, properties["access_tile_set"], properties["access_tile_order"], symbols, result, start)
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
            raise VerifyException(
                f"base_map has {base_map.num_dims} inputs, but there are {len(self.indices)} index operands"
            )
        n = self.access_tile_set.data.num_dims
        if len(base_map.results) != n:
            raise VerifyException(
                f"access_tile_set has {n} dimensions, but there are {len(base_map.results)} subscripts"
            )
        rank = rank_of(self.base.type)
        if rank is None:
            raise VerifyException(f"base must be a memref or a tensor, but is {self.base.type}")
        if rank != len(base_map.results):
            raise VerifyException(f"there are {len(base_map.results)} subscripts, but the base has rank {rank}")
        _verify_space(
            self.access_tile_set,
            self.access_tile_order,
            self.symbols,
            self.result.type,
            "access_tile_set",
            "access_tile_order",
        )


@irdl_op_definition
class RegionTerminatorOp(DialectOp):
    """`ktdp.region_terminator`: implicit terminator of an indirect access tile's hidden region."""

    name = "ktdp.region_terminator"
    traits = traits_def(IsTerminator(), Pure())

    def __init__(self) -> None:
        super().__init__()

    def verify_(self) -> None:
        check_parent(self, "ktdp.construct_indirect_access_tile")

    @classmethod
    def parse(cls, parser: Parser) -> RegionTerminatorOp:
        return cls.build(attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)


@irdl_op_definition
class ConstructIndirectAccessTileOp(DialectOp):
    """`%t = ktdp.construct_indirect_access_tile intermediate_variables(%k) %t[ind(%ids[%k]), (%k)] {..}
    : T, I -> !ktdp.access_tile<..>`.

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

    def __init__(
        self,
        base: SSAValue,
        subscripts: Sequence[tuple[SSAValue | None, AffineMapAttr]],
        captured: Sequence[SSAValue],
        symbols: Sequence[SSAValue],
        variables_space_set: AffineSetAttr,
        variables_space_order: AffineMapAttr,
        result_type: Attribute,
    ):
        """`subscripts`: per base dimension an index view (None: direct) and a map over (captured, intermediate)."""
        block = Block([RegionTerminatorOp()], arg_types=[INDEX] * variables_space_set.data.num_dims)
        super().__init__(
            operands=[base, [view for view, _ in subscripts if view is not None], captured, symbols],
            result_types=[result_type],
            properties={
                "per_dim_subscript_kinds": ArrayAttr([BoolAttr.from_bool(view is not None) for view, _ in subscripts]),
                "per_dim_subscript_maps": ArrayAttr([m for _, m in subscripts]),
                "variables_space_set": variables_space_set,
                "variables_space_order": variables_space_order,
            },
            regions=[Region(block)],
        )

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
        _check_extents(
            parser, properties["variables_space_set"], properties["variables_space_order"], symbols, result, start
        )
        block.add_op(RegionTerminatorOp())
        captured: list[SSAValue] = []
        for _, _, operands in subscripts:
            for v in operands:
                if v not in variables.values() and v not in captured:
                    captured.append(v)
        domain = [*captured, *block.args]
        maps = []
        for _, map_, operands in subscripts:
            dims = [AffineDimExpr(domain.index(v)) for v in operands]
            exprs = tuple(_in_order(replace_dims(e, dims, ()), len(domain)) for e in map_.data.results)
            maps.append(AffineMapAttr(AffineMap(len(domain), 0, exprs)))
        properties["per_dim_subscript_kinds"] = ArrayAttr(
            [BoolAttr.from_bool(view is not None) for view, _, _ in subscripts]
        )
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
                f"there are {len(self.body.block.args)} intermediate variables, "
                f"but variables_space_set has {n} dimensions"
            )
        _verify_space(
            self.variables_space_set,
            self.variables_space_order,
            self.symbols,
            self.result.type,
            "variables_space_set",
            "variables_space_order",
        )
        rank = rank_of(self.base.type)
        if rank is None:
            raise VerifyException(f"base must be a memref or a tensor, but is {self.base.type}")
        if len(self.kinds) != rank or len(self.per_dim_subscript_maps.data) != rank:
            raise VerifyException(f"there are {len(self.kinds)} subscripts, but the base has rank {rank}")
        if sum(self.kinds) != len(self.indirect_memrefs):
            raise VerifyException(
                f"{sum(self.kinds)} indirect subscripts, but {len(self.indirect_memrefs)} index views"
            )
        domain = len(self.captured_variables) + n
        views = iter(self.indirect_memrefs)
        for k, (kind, map_) in enumerate(zip(self.kinds, self.per_dim_subscript_maps.data, strict=True)):
            assert isinstance(map_, AffineMapAttr)
            if map_.data.num_symbols or map_.data.num_dims != domain:
                raise VerifyException(
                    f"subscript #{k} must have {domain} dims (captured and intermediate) and no symbols"
                )
            if not kind:
                if len(map_.data.results) != 1:
                    raise VerifyException(
                        f"direct subscript #{k} must have exactly one result, not {len(map_.data.results)}"
                    )
                continue
            t = next(views).type
            view_rank = rank_of(t)
            if view_rank is None or len(map_.data.results) != view_rank:
                raise VerifyException(
                    f"indirect subscript #{k} has {len(map_.data.results)} results, "
                    f"but its index view has rank {view_rank}"
                )
            element = t.element_type  # type: ignore[attr-defined]
            if type(element).__name__ not in ("IntegerType", "IndexType"):
                raise VerifyException(f"index view of subscript #{k} must hold integers, but holds {element}")


def _in_order(expr: AffineExpr, num_dims: int) -> AffineExpr:
    """A linear expression with its terms in the order of the dimensions; others as they are."""
    form = linear_form(expr, num_dims, ())
    if form is None:
        return expr
    found = constant(0)
    for d, coefficient in enumerate(form[0]):
        if coefficient:
            term = mul(AffineDimExpr(d), constant(coefficient))
            found = term if found == constant(0) else add(found, term)
    return add(found, constant(form[1]))


def _refuse_symbols(parser: Parser, map_: AffineMapAttr, at: int) -> None:
    if map_.data.num_symbols:
        parser.raise_error("subscripts of an indirect access tile must not have symbols", at)


def _parse_subscript(parser: Parser) -> tuple[UnresolvedOperand | None, AffineMapAttr, list[SSAValue]]:
    """`ind(%view[..])`, `(expr)`, or (lenient) a bare expression."""
    if parser.parse_optional_keyword("ind") is not None:
        parser.parse_punctuation("(")
        view = parser.parse_unresolved_operand()
        at = parser.pos
        map_, operands = parse_subscripts(parser)
        _refuse_symbols(parser, map_, at)
        parser.parse_punctuation(")")
        return view, map_, operands
    at = parser.pos
    parenthesised = parser.parse_optional_punctuation("(") is not None
    map_, operands = parse_expression(parser)
    _refuse_symbols(parser, map_, at)
    if parenthesised:
        parser.parse_punctuation(")")
    else:
        warn(parser, "direct subscript of an indirect access tile must be in parentheses", at)
    return None, map_, operands
