"""`ktdp` operations that deliver parts of tensors between compute tiles: gather, scatter, all-to-all, reduce-scatter.

The inter-tile document describes them; the syntax is that of the other deliveries with lists of dimensions behind the
consumer set.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import AffineSetAttr, ArrayAttr, IntegerAttr, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._syntax import parse_attributes, print_attributes
from headrace.ir.dialects.ktdp_inter_tile import (
    future_of,
    parse_identities,
    parse_set,
    print_identities,
    verify_combiner,
    verify_consumers,
)
from headrace.ir.dialects.ktdp_types import TileFutureType, parse_short_type, print_short_type


def dimension_list(values: Sequence[int]) -> ArrayAttr:
    """A list of dimensions as an attribute."""
    return ArrayAttr([IntegerAttr(n, i64) for n in values])


def numbers(attr: Attribute) -> tuple[int, ...]:
    """The dimensions in a list attribute."""
    assert isinstance(attr, ArrayAttr)
    return tuple(n.value.data for n in attr.data if isinstance(n, IntegerAttr))


def _dimensions(parser: Parser, keyword: str) -> ArrayAttr:
    parser.parse_keyword(keyword)
    parser.parse_punctuation("=")
    values = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False)
    )
    return dimension_list(values)


class _Parts(DialectOp):
    """Shared syntax and rules. `LISTS`: names of the lists of dimensions; `DEPENDS`: whether a dependency set may
    stand behind them; `COMBINES`: whether identities and a combiner do."""

    LISTS: ClassVar[tuple[str, ...]]
    DEPENDS: ClassVar[bool] = True
    COMBINES: ClassVar[bool] = False

    @classmethod
    def parse(cls, parser: Parser):
        parser.parse_punctuation("(")
        name = parser.parse_unresolved_operand()
        parser.parse_punctuation(")")
        given: dict[str, Attribute] = {"consumer_tiles_per_group": parse_set(parser, "consumer_tiles_per_group")}
        for keyword in cls.LISTS:
            parser.parse_punctuation(",")
            given[keyword] = _dimensions(parser, keyword)
        identities: list[SSAValue] = []
        combiner = False
        while not combiner and parser.parse_optional_punctuation(",") is not None:
            if cls.COMBINES and parser.parse_optional_keyword("identity") is not None:
                identities, combiner = parse_identities(parser), True
            elif cls.DEPENDS and "producer_dependency_per_consumer" not in given:
                key = "producer_dependency_per_consumer"
                given[key] = parse_set(parser, key)
            else:
                parser.raise_error(f"unexpected clause in '{cls.name}'")
        if cls.COMBINES and not combiner:
            parser.raise_error("expected ', identity(...)'")
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        future = parse_short_type(parser, TileFutureType)
        parser.parse_punctuation("->")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        operands: list[SSAValue | Sequence[SSAValue]] = [parser.resolve_operand(name, future)]
        return cls.build(
            operands=[*operands, identities] if cls.COMBINES else operands,
            result_types=[types],
            regions=[parser.parse_region()] if cls.COMBINES else [],
            properties={**properties, **given},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string("(")
        printer.print_ssa_value(self.operands[0])
        printer.print_string(") consumer_tiles_per_group = ")
        printer.print_attribute(self.properties["consumer_tiles_per_group"])
        for keyword in self.LISTS:
            printer.print_string(f", {keyword} = {list(numbers(self.properties[keyword]))}")
        hidden = ["consumer_tiles_per_group", *self.LISTS]
        if "producer_dependency_per_consumer" in self.properties:
            hidden.append("producer_dependency_per_consumer")
            printer.print_string(", producer_dependency_per_consumer = ")
            printer.print_attribute(self.properties["producer_dependency_per_consumer"])
        if self.COMBINES:
            printer.print_string(", ")
            print_identities(printer, self.operands[1:])
        print_attributes(printer, self, hidden)
        printer.print_string(" : ")
        print_short_type(printer, self.operands[0].type)
        printer.print_string(" -> ")
        printer.print_list([r.type for r in self.results], printer.print_attribute)
        if self.COMBINES:
            printer.print_string(" ")
            printer.print_region(self.regions[0])

    def verify_(self) -> None:
        future = future_of(self.operands[0].type)
        dependency = self.properties.get("producer_dependency_per_consumer")
        consumers = self.properties["consumer_tiles_per_group"]
        assert isinstance(consumers, AffineSetAttr)
        verify_consumers(consumers, dependency if isinstance(dependency, AffineSetAttr) else None)
        partials = list(future.partials)
        if len(self.results) != len(partials):
            raise VerifyException(f"{len(self.results)} results, but the future has {len(partials)} partial types")
        listed: set[int] = set()
        for keyword in self.LISTS:
            dims = numbers(self.properties[keyword])
            rule = "R12" if keyword in ("gather_dimensions", "concat_dimensions") else "R9"
            if not dims:
                raise VerifyException(f"{keyword} must not be empty ({rule})")
            if list(dims) != sorted(set(dims)):
                raise VerifyException(f"{keyword} must be distinct and ascending, but is {list(dims)} ({rule})")
            for t in partials:
                rank = len(t.get_shape()) if isinstance(t, TensorType) else 0
                if dims[0] < 0 or dims[-1] >= rank:
                    raise VerifyException(f"{keyword} {list(dims)} has no axis of {t} in it ({rule})")
            listed |= set(dims)
        for i, (r, t) in enumerate(zip(self.results, partials, strict=True)):
            assert isinstance(t, TensorType)
            if (
                not isinstance(r.type, TensorType)
                or r.type.element_type != t.element_type
                or len(r.type.get_shape()) != len(t.get_shape())
            ):
                raise VerifyException(f"result #{i} has type {r.type}; element type and rank must be those of {t}")
            for k, (a, b) in enumerate(zip(r.type.get_shape(), t.get_shape(), strict=True)):
                if k not in listed and a != b:
                    raise VerifyException(
                        f"result #{i} has extent {a} in dimension {k}, which is not listed; the partial has {b}"
                    )
        if self.COMBINES:
            verify_combiner(self, self.operands[1:], partials)


@irdl_op_definition
class InterTileGatherOp(_Parts):
    """`%r = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #s, gather_dimensions = [0] : <(T), ..> -> U`:
    every consumer gets the partials of its producers side by side, in ascending tile id.
    """

    LISTS: ClassVar[tuple[str, ...]] = ("gather_dimensions",)
    name = "ktdp.inter_tile_gather"
    future = operand_def()
    consumer_tiles_per_group = prop_def(AffineSetAttr)
    gather_dimensions = prop_def(ArrayAttr)
    producer_dependency_per_consumer = opt_prop_def(AffineSetAttr)
    res = var_result_def()


@irdl_op_definition
class InterTileScatterOp(_Parts):
    """`%r = ktdp.inter_tile_scatter(%f) consumer_tiles_per_group = #s, scatter_dimensions = [0] : <(T), ..> -> U`:
    the one producer's partial in equal parts, one for each consumer, in ascending tile id.
    """

    LISTS: ClassVar[tuple[str, ...]] = ("scatter_dimensions",)
    DEPENDS: ClassVar[bool] = False
    name = "ktdp.inter_tile_scatter"
    future = operand_def()
    consumer_tiles_per_group = prop_def(AffineSetAttr)
    scatter_dimensions = prop_def(ArrayAttr)
    res = var_result_def()


@irdl_op_definition
class InterTileAllToAllOp(_Parts):
    """`%r = ktdp.inter_tile_all_to_all(%f) consumer_tiles_per_group = #s, split_dimensions = [0], concat_dimensions =
    [1] : <(T), ..> -> U`: consumer k gets part k of every producer's partial, side by side.
    """

    LISTS: ClassVar[tuple[str, ...]] = ("split_dimensions", "concat_dimensions")
    name = "ktdp.inter_tile_all_to_all"
    future = operand_def()
    consumer_tiles_per_group = prop_def(AffineSetAttr)
    split_dimensions = prop_def(ArrayAttr)
    concat_dimensions = prop_def(ArrayAttr)
    producer_dependency_per_consumer = opt_prop_def(AffineSetAttr)
    res = var_result_def()


@irdl_op_definition
class InterTileReduceScatterOp(_Parts):
    """`%r = ktdp.inter_tile_reduce_scatter(%f) consumer_tiles_per_group = #s, scatter_dimensions = [0],
    identity(%z : T) : <(T), ..> -> U {..}`: consumer k gets part k of the combined partials.
    """

    LISTS: ClassVar[tuple[str, ...]] = ("scatter_dimensions",)
    COMBINES: ClassVar[bool] = True
    name = "ktdp.inter_tile_reduce_scatter"
    future = operand_def()
    identities = var_operand_def()
    consumer_tiles_per_group = prop_def(AffineSetAttr)
    scatter_dimensions = prop_def(ArrayAttr)
    producer_dependency_per_consumer = opt_prop_def(AffineSetAttr)
    body = region_def("single_block")
    res = var_result_def()


PART_OPS = (InterTileReduceScatterOp, InterTileGatherOp, InterTileAllToAllOp, InterTileScatterOp)
