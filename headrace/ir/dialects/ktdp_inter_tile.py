"""`ktdp` operations that move tensors between compute tiles: produce, consume, reduce, and their yields."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineSetAttr, IndexType, TensorType
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
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
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.analysis.groups import producers_by_group
from headrace.ir.construct import DialectOp
from headrace.ir.dialects._syntax import parse_attributes, parse_yield_operands, print_attributes, print_yield_operands
from headrace.ir.dialects.ktdp_access import warn
from headrace.ir.dialects.ktdp_types import TileFutureType, parse_short_type, print_short_type

INDEX = IndexType()


def parse_set(parser: Parser, keyword: str) -> AffineSetAttr:
    """`keyword = affine set`."""
    parser.parse_keyword(keyword)
    parser.parse_punctuation("=")
    at = parser.pos
    attr = parser.parse_attribute()
    if not isinstance(attr, AffineSetAttr):
        parser.raise_error(f"expected an affine set after '{keyword} ='", at)
    return attr


def _optional_set(parser: Parser, keyword: str) -> AffineSetAttr | None:
    if parser.parse_optional_keyword(keyword) is None:
        return None
    parser.parse_punctuation("=")
    attr = parser.parse_attribute()
    if not isinstance(attr, AffineSetAttr):
        parser.raise_error(f"expected an affine set after '{keyword} ='")
    return attr


class _Yield(DialectOp):
    """Shared syntax of the yields."""

    def __init__(self, values: Sequence[SSAValue] = ()):
        super().__init__(operands=[values])

    @classmethod
    def parse(cls, parser: Parser):
        values = parse_yield_operands(parser)
        return cls.build(operands=[values], attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        print_yield_operands(printer, self.operands)
        print_attributes(printer, self)


@irdl_op_definition
class YieldPartialOp(_Yield):
    """`ktdp.yield_partial %p : tensor<8xf32>`: the running tile's contribution."""

    name = "ktdp.yield_partial"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())

    def verify_(self) -> None:
        if not isinstance(self.parent_op(), InterTileProduceOp):
            raise VerifyException("expects parent op 'ktdp.inter_tile_produce'")


@irdl_op_definition
class YieldReducedOp(_Yield):
    """`ktdp.yield_reduced %s : tensor<8xf32>`: the combined value."""

    name = "ktdp.yield_reduced"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())

    def verify_(self) -> None:
        parent = self.parent_op()
        if parent is None or parent.name not in ("ktdp.inter_tile_reduce", "ktdp.inter_tile_reduce_scatter"):
            raise VerifyException("expects parent op 'ktdp.inter_tile_reduce' or 'ktdp.inter_tile_reduce_scatter'")


def future_of(t: Attribute) -> TileFutureType:
    """`t` as the type of a future. Raises VerifyException for other types."""
    if not isinstance(t, TileFutureType):
        raise VerifyException(f"expected a tile_future, but got {t}")
    return t


@irdl_op_definition
class InterTileProduceOp(DialectOp):
    """`%f = ktdp.inter_tile_produce producer_tiles_per_group = #s -> <(T), groups = #g> { ^bb0(%gid: index): ... }`:
    the producers of each group run the region; the future stands for what they yield.
    """

    name = "ktdp.inter_tile_produce"
    producer_tiles_per_group = prop_def(AffineSetAttr)
    body = region_def("single_block")
    future = result_def()

    def __init__(self, producer_tiles_per_group: AffineSetAttr, future_type: TileFutureType, body: Region):
        super().__init__(
            result_types=[future_type],
            regions=[body],
            properties={"producer_tiles_per_group": producer_tiles_per_group},
        )

    @classmethod
    def parse(cls, parser: Parser) -> InterTileProduceOp:
        producers = parse_set(parser, "producer_tiles_per_group")
        properties, attributes = parse_attributes(parser, cls)
        at = parser.pos
        if parser.parse_optional_punctuation(":") is not None:
            warn(parser, "the type of the partial before '->' is not part of the syntax", at)
            parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        parser.parse_punctuation("->")
        future = parse_short_type(parser, TileFutureType)
        region = parser.parse_region()
        properties["producer_tiles_per_group"] = producers
        return cls.build(result_types=[future], regions=[region], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" producer_tiles_per_group = ")
        printer.print_attribute(self.producer_tiles_per_group)
        print_attributes(printer, self, ("producer_tiles_per_group",))
        printer.print_string(" -> ")
        print_short_type(printer, self.future.type)
        printer.print_string(" ")
        printer.print_region(self.body)

    def verify_(self) -> None:
        future = future_of(self.future.type)
        block = self.body.block
        if [a.type for a in block.args] != [INDEX]:
            raise VerifyException("region must have exactly one block argument of type 'index'")
        if self.producer_tiles_per_group.data.num_symbols != 1:
            raise VerifyException(
                "producer_tiles_per_group must have exactly one symbol, "
                f"but has {self.producer_tiles_per_group.data.num_symbols}"
            )
        owner: dict[int, int] = {}
        for g, tiles in (producers_by_group(self.producer_tiles_per_group.data, future.groups.data) or {}).items():
            for tile in tiles:
                if owner.setdefault(tile, g) != g:
                    raise VerifyException(
                        f"producer sets must be disjoint, but groups {owner[tile]} and {g} share tile {tile} (R1)"
                    )
        last = block.last_op
        if not isinstance(last, YieldPartialOp):
            raise VerifyException("region must end with 'ktdp.yield_partial'")
        partials = list(future.partials)
        if len(last.values) != len(partials):
            raise VerifyException(
                f"{len(last.values)} values yielded, but the future has {len(partials)} partial types"
            )
        for i, (v, t) in enumerate(zip(last.values, partials, strict=True)):
            if v.type != t:
                raise VerifyException(f"yielded value #{i} has type {v.type}, but the partial type is {t}")


def _verify_results(results: Sequence[SSAValue], future: TileFutureType) -> None:
    partials = list(future.partials)
    if len(results) != len(partials):
        raise VerifyException(f"{len(results)} results, but the future has {len(partials)} partial types")
    for i, (r, t) in enumerate(zip(results, partials, strict=True)):
        if r.type != t:
            raise VerifyException(f"result #{i} has type {r.type}, but the partial type is {t}")


def verify_consumers(consumers: AffineSetAttr, dependency: AffineSetAttr | None) -> None:
    """Dimensions and symbols of the sets of a delivery."""
    if consumers.data.num_dims != 1 or consumers.data.num_symbols != 1:
        raise VerifyException("consumer_tiles_per_group must have exactly one dimension and one symbol")
    if dependency is not None and (dependency.data.num_dims != 1 or dependency.data.num_symbols not in (1, 2)):
        raise VerifyException("producer_dependency_per_consumer must have one dimension and one or two symbols")


@irdl_op_definition
class InterTileConsumeOp(DialectOp):
    """`%r = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #s : <(T), groups = #g> -> T`: a copy."""

    name = "ktdp.inter_tile_consume"
    future = operand_def()
    consumer_tiles_per_group = prop_def(AffineSetAttr)
    producer_dependency_per_consumer = opt_prop_def(AffineSetAttr)
    res = var_result_def()

    def __init__(
        self, future: SSAValue, consumer_tiles_per_group: AffineSetAttr, dependency: AffineSetAttr | None = None
    ):
        super().__init__(
            operands=[future],
            result_types=[list(future_of(future.type).partials)],
            properties={
                "consumer_tiles_per_group": consumer_tiles_per_group,
                "producer_dependency_per_consumer": dependency,
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> InterTileConsumeOp:
        parser.parse_punctuation("(")
        name = parser.parse_unresolved_operand()
        parser.parse_punctuation(")")
        consumers = parse_set(parser, "consumer_tiles_per_group")
        dependency = None
        if parser.parse_optional_punctuation(",") is not None:
            dependency = parse_set(parser, "producer_dependency_per_consumer")
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        future = parse_short_type(parser, TileFutureType)
        parser.parse_punctuation("->")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        properties["consumer_tiles_per_group"] = consumers
        if dependency is not None:
            properties["producer_dependency_per_consumer"] = dependency
        return cls.build(
            operands=[parser.resolve_operand(name, future)],
            result_types=[types],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string("(")
        printer.print_ssa_value(self.future)
        printer.print_string(") consumer_tiles_per_group = ")
        printer.print_attribute(self.consumer_tiles_per_group)
        if self.producer_dependency_per_consumer is not None:
            printer.print_string(", producer_dependency_per_consumer = ")
            printer.print_attribute(self.producer_dependency_per_consumer)
        print_attributes(printer, self, ("consumer_tiles_per_group", "producer_dependency_per_consumer"))
        printer.print_string(" : ")
        print_short_type(printer, self.future.type)
        printer.print_string(" -> ")
        printer.print_list([r.type for r in self.res], printer.print_attribute)

    def verify_(self) -> None:
        _verify_results(self.res, future_of(self.future.type))
        verify_consumers(self.consumer_tiles_per_group, self.producer_dependency_per_consumer)


def _collapsed(results: Sequence[Attribute], future: TileFutureType) -> bool:
    """The older rule: results are the partials without unit dimensions (equal element types and counts)."""
    if len(results) != len(future.partials):
        return False
    for r, t in zip(results, future.partials, strict=True):
        if not isinstance(r, TensorType) or not isinstance(t, TensorType) or r.element_type != t.element_type:
            return False
        if r != t and [n for n in r.get_shape() if n != 1] != [n for n in t.get_shape() if n != 1]:
            return False
    return True


def parse_identities(parser: Parser) -> list[SSAValue]:
    """What follows `identity`: `(%a, %b : T, U)`."""
    parser.parse_punctuation("(")
    if parser.parse_optional_punctuation(")") is not None:
        return []
    names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    identities = list(parser.resolve_operands(names, types, parser.pos))
    parser.parse_punctuation(")")
    return identities


def print_identities(printer: Printer, identities: Sequence[SSAValue]) -> None:
    """`identity(%a, %b : T, U)`."""
    printer.print_string("identity(")
    if identities:
        printer.print_list(identities, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([v.type for v in identities], printer.print_attribute)
    printer.print_string(")")


def verify_combiner(op: Operation, identities: Sequence[SSAValue] | None, partials: Sequence[Attribute]) -> None:
    """Rules of identities (None: checked elsewhere) and of a combiner's region."""
    if identities is not None and [v.type for v in identities] != list(partials):
        raise VerifyException("identity types must match the partial types (R11)")
    block = op.regions[0].block
    if [a.type for a in block.args] != [*partials, *partials]:
        raise VerifyException(f"region must have {2 * len(partials)} block arguments of the partial types")
    last = block.last_op
    if not isinstance(last, YieldReducedOp):
        raise VerifyException("region must end with 'ktdp.yield_reduced'")
    if [v.type for v in last.values] != list(partials):
        raise VerifyException("values of 'ktdp.yield_reduced' must match the partial types")


@irdl_op_definition
class InterTileReduceOp(DialectOp):
    """`%s = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #s, identity(%z : T) : <(T), ..> -> T {..}`:
    the consumers of each group get the partial values of its producers, combined by the region.
    """

    name = "ktdp.inter_tile_reduce"
    future = operand_def()
    identities = var_operand_def()
    consumer_tiles_per_group = prop_def(AffineSetAttr)
    producer_dependency_per_consumer = opt_prop_def(AffineSetAttr)
    body = region_def("single_block")
    res = var_result_def()

    def __init__(
        self,
        future: SSAValue,
        identities: Sequence[SSAValue],
        consumer_tiles_per_group: AffineSetAttr,
        body: Region,
        dependency: AffineSetAttr | None = None,
    ):
        super().__init__(
            operands=[future, identities],
            result_types=[list(future_of(future.type).partials)],
            regions=[body],
            properties={
                "consumer_tiles_per_group": consumer_tiles_per_group,
                "producer_dependency_per_consumer": dependency,
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> InterTileReduceOp:
        parser.parse_punctuation("(")
        name = parser.parse_unresolved_operand()
        parser.parse_punctuation(")")
        consumers = parse_set(parser, "consumer_tiles_per_group")
        parser.parse_punctuation(",")
        dependency = _optional_set(parser, "producer_dependency_per_consumer")
        if dependency is not None:
            parser.parse_punctuation(",")
        parser.parse_keyword("identity")
        identities = parse_identities(parser)
        properties, attributes = parse_attributes(parser, cls)
        parser.parse_punctuation(":")
        future = parse_short_type(parser, TileFutureType)
        parser.parse_punctuation("->")
        at = parser.pos
        results = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        if isinstance(future, TileFutureType) and results != list(future.partials) and _collapsed(results, future):
            warn(parser, "results of 'ktdp.inter_tile_reduce' must have the partial types; the value is reshaped", at)
        region = parser.parse_region()
        properties["consumer_tiles_per_group"] = consumers
        if dependency is not None:
            properties["producer_dependency_per_consumer"] = dependency
        return cls.build(
            operands=[parser.resolve_operand(name, future), identities],
            result_types=[results],
            regions=[region],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string("(")
        printer.print_ssa_value(self.future)
        printer.print_string(") consumer_tiles_per_group = ")
        printer.print_attribute(self.consumer_tiles_per_group)
        printer.print_string(", ")
        if self.producer_dependency_per_consumer is not None:
            printer.print_string("producer_dependency_per_consumer = ")
            printer.print_attribute(self.producer_dependency_per_consumer)
            printer.print_string(", ")
        print_identities(printer, self.identities)
        print_attributes(printer, self, ("consumer_tiles_per_group", "producer_dependency_per_consumer"))
        printer.print_string(" : ")
        print_short_type(printer, self.future.type)
        printer.print_string(" -> ")
        printer.print_list([r.type for r in self.res], printer.print_attribute)
        printer.print_string(" ")
        printer.print_region(self.body)

    def verify_(self) -> None:
        future = future_of(self.future.type)
        results = [r.type for r in self.res]
        if not _collapsed(results, future):
            _verify_results(self.res, future)
        verify_consumers(self.consumer_tiles_per_group, self.producer_dependency_per_consumer)
        partials = list(future.partials)
        if [v.type for v in self.identities] not in (partials, results):
            raise VerifyException("identity types must match the result types")
        verify_combiner(self, None, partials)


INTER_TILE_OPS = (
    YieldPartialOp,
    YieldReducedOp,
    InterTileProduceOp,
    InterTileConsumeOp,
    InterTileReduceOp,
)
