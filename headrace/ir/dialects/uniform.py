"""The `uniform` dialect: one program text for many units, specialised by maps or by parallel regions."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IndexType, UnitAttr, i32
from xdsl.ir import Attribute, Block, BlockArgument, Dialect, OpResult, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.construct import DialectOp, init_op
from headrace.ir.dialects._syntax import (
    check_parent,
    parse_attributes,
    parse_types,
    parse_yield_operands,
    print_attributes,
    print_types,
    print_yield_operands,
)
from headrace.ir.types import INDEX, segment_sizes

#: Ops whose results are scalar values: a mapping that starts with one may hold only these.
SCALAR_VALUE_OPS = frozenset({"symbol.create_symbol"})


def parse_mapping(parser: Parser) -> tuple[list[SSAValue], list[UnresolvedOperand]]:
    """Parse `([%key -> %value], ...)`; keys are `index`, the type of the values follows later in the text."""
    keys: list[SSAValue] = []
    values: list[UnresolvedOperand] = []

    def entry() -> None:
        parser.parse_punctuation("[")
        keys.append(parser.parse_operand(IndexType()))
        parser.parse_punctuation("->")
        values.append(parser.parse_unresolved_operand())
        parser.parse_punctuation("]")

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, entry)
    return keys, values


def print_mapping(printer: Printer, keys: Sequence[SSAValue], values: Sequence[SSAValue]) -> None:
    """Print `([%key -> %value], ...)`."""
    printer.print_string("(")
    for position, (key, value) in enumerate(zip(keys, values, strict=True)):
        printer.print_string(", [" if position else "[")
        printer.print_ssa_value(key)
        printer.print_string(" -> ")
        printer.print_ssa_value(value)
        printer.print_string("]")
    printer.print_string(")")


def parse_query(parser: Parser) -> list[SSAValue]:
    """Parse `(map:%m, key:%k)`."""
    parser.parse_punctuation("(")
    parser.parse_keyword("map")
    parser.parse_punctuation(":")
    operands = [parser.parse_operand(IndexType())]
    parser.parse_punctuation(",")
    parser.parse_keyword("key")
    parser.parse_punctuation(":")
    operands.append(parser.parse_operand(IndexType()))
    parser.parse_punctuation(")")
    return operands  # pyright: ignore[reportReturnType]


def print_query(printer: Printer, map: SSAValue, key: SSAValue) -> None:
    """Print `(map:%m, key:%k)`."""
    printer.print_string("(map:")
    printer.print_ssa_value(map)
    printer.print_string(", key:")
    printer.print_ssa_value(key)
    printer.print_string(")")


@irdl_op_definition
class DefImmutableMappingOp(DialectOp):
    """`%m = uniform.def_immutable_mapping([%a -> %x], [%b -> %y]):index, f32`:
    pairs unit handles (or constants) with values of one kind.
    """

    name = "uniform.def_immutable_mapping"
    keys = var_operand_def(IndexType())
    values = var_operand_def()
    result = result_def(IndexType())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    def __init__(self, keys: Sequence[SSAValue], values: Sequence[SSAValue]):
        sizes = segment_sizes(len(keys), len(values))
        init_op(self, (*keys, *values), (INDEX,), {AttrSizedOperandSegments.attribute_name: sizes})

    def verify_(self) -> None:
        if len(self.keys) != len(self.values):
            raise VerifyException("Mismatching keys/values sizes in DefImmutableMapping")
        if not self.keys:
            return
        names = [owner.name if isinstance(owner := key.owner, IRDLOperation) else "" for key in self.keys]
        if names[0] == "dataflow.get_unit" and any(name != names[0] for name in names):
            raise VerifyException("All Keys are not of same type")
        if not all(isinstance(value, OpResult) for value in self.values):
            raise VerifyException("map values must be results of operations")
        names = [value.op.name for value in self.values if isinstance(value, OpResult)]
        if names[0] in SCALAR_VALUE_OPS:
            if not all(name in SCALAR_VALUE_OPS for name in names):
                raise VerifyException("All map values are expected to be scalar values.")
        elif any(name != names[0] for name in names):
            raise VerifyException("All map values should be of same type.")
        if any(value.type != self.values[0].type for value in self.values):
            raise VerifyException("All map values should be of same type.")

    @classmethod
    def parse(cls, parser: Parser) -> DefImmutableMappingOp:
        keys, names = parse_mapping(parser)
        _, attributes = parse_attributes(parser, cls)
        types = parse_types(parser)
        if len(types) > 2:
            parser.raise_error(f"expected the map type and at most one value type, but got {len(types)} types")
        kind = types[1] if len(types) == 2 else IndexType()
        values = [parser.resolve_operand(name, kind) for name in names]
        return cls.build(operands=[keys, values], result_types=types[:1], attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_mapping(printer, self.keys, self.values)
        print_attributes(printer, self)
        printer.print_string(":")
        types = [self.result.type]
        if self.values and self.values[0].type != IndexType():
            types.append(self.values[0].type)  # pyright: ignore[reportArgumentType]
        printer.print_list(types, printer.print_attribute)


@irdl_op_definition
class QueryMapOp(DialectOp):
    """`%x = uniform.query_map(map:%m, key:%u) : f32`: the value paired with the key that *is* `key`."""

    name = "uniform.query_map"
    map = operand_def(IndexType())
    key = operand_def(IndexType())
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, map: SSAValue, key: SSAValue, result_type: Attribute | None = None):
        init_op(self, (map, key), (INDEX if result_type is None else result_type,))

    @property
    def mapping(self) -> DefImmutableMappingOp | None:
        """The defining op of the map, None if it is not a `def_immutable_mapping`."""
        owner = self.map.owner
        return owner if isinstance(owner, DefImmutableMappingOp) else None

    @classmethod
    def parse(cls, parser: Parser) -> QueryMapOp:
        operands = parse_query(parser)
        _, attributes = parse_attributes(parser, cls)
        return cls.build(operands=operands, result_types=parse_types(parser, 1), attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_query(printer, self.map, self.key)
        print_attributes(printer, self)
        print_types(printer, self.result_types)


@irdl_op_definition
class YieldOp(DialectOp):
    """`uniform.yield %x : index`: terminator of the regions of this dialect."""

    name = "uniform.yield"
    arguments = var_operand_def()
    traits = traits_def(IsTerminator())

    def __init__(self, *arguments: SSAValue):
        super().__init__(operands=[arguments])

    def verify_(self) -> None:
        check_parent(self, "uniform.uniformize_regions", "uniform.equalize_pattern")

    @classmethod
    def parse(cls, parser: Parser) -> YieldOp:
        attributes = parser.parse_optional_attr_dict()
        return cls.build(operands=[parse_yield_operands(parser)], attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)
        print_yield_operands(printer, self.arguments)


def _parse_unit_regions(parser: Parser) -> tuple[list[SSAValue], list[int], list[Region]]:
    """Parse `{ ( (%arg -> %unit,+) region )* }`."""
    units: list[SSAValue] = []
    sizes: list[int] = []
    regions: list[Region] = []
    parser.parse_punctuation("{")
    while parser.parse_optional_punctuation("}") is None:
        parser.parse_punctuation("(")
        argument = parser.parse_argument(expect_type=False).resolve(IndexType())
        parser.parse_punctuation("->")
        listed = [parser.parse_operand(IndexType())]
        while parser.parse_optional_punctuation(",") is not None:
            listed.append(parser.parse_operand(IndexType()))
        parser.parse_punctuation(")")
        region = parser.parse_region([argument])
        if region.block.last_op is None or not isinstance(region.block.last_op, YieldOp):
            region.block.add_op(YieldOp())
        units += listed
        sizes.append(len(listed))
        regions.append(region)
    return units, sizes, regions


class _UnitRegionsOp(DialectOp):
    """Regions that each belong to a list of units."""

    units = var_operand_def(IndexType())
    list_sizes = prop_def(DenseArrayBase)
    bodies = var_region_def("single_block")

    def unit_lists(self) -> list[list[SSAValue]]:
        """The units of each region."""
        lists: list[list[SSAValue]] = []
        start = 0
        for size in self.list_sizes.get_values():  # pyright: ignore[reportAttributeAccessIssue]
            lists.append(list(self.units[start : start + int(size)]))
            start += int(size)
        return lists

    def verify_lists(self) -> None:
        """Sizes agree, no unit twice, and every unit comes from the right op."""
        if not self.bodies:
            raise VerifyException("expected at least one region")
        sizes = [int(size) for size in self.list_sizes.get_values()]  # pyright: ignore[reportAttributeAccessIssue]
        if len(sizes) != len(self.bodies) or sum(sizes) != len(self.units):
            raise VerifyException("unit lists, list sizes and regions do not agree")
        if len(set(self.units)) != len(self.units):
            raise VerifyException("duplicated unit SSAs found!")
        for region in self.bodies:
            if [argument.type for argument in region.block.args] != [IndexType()]:
                raise VerifyException("each region takes one argument of type index, its unit")
        for units in self.unit_lists():
            allowed = {"dataflow.get_unit"} | ({"dataflow.create_group"} if len(units) == 1 else set())
            for unit in units:
                owner = unit.owner
                if isinstance(owner, Block) or owner.name not in allowed:
                    raise VerifyException(f"units must be defined by one of: {', '.join(sorted(allowed))}")

    def print_unit_regions(self, printer: Printer) -> None:
        """Print `{ (%arg -> %unit,+) region ... }`."""
        printer.print_string(" {")
        for units, region in zip(self.unit_lists(), self.bodies, strict=True):
            printer.print_string(" (")
            printer.print_ssa_value(region.block.args[0])
            printer.print_string(" -> ")
            printer.print_list(units, printer.print_ssa_value)
            printer.print_string(") ")
            printer.print_region(region, print_entry_block_args=False, print_empty_block=False)
        printer.print_string(" }")


@irdl_op_definition
class UniformizeRegionsOp(_UnitRegionsOp):
    """`%r = uniform.uniformize_regions -> index { (%i -> %a) { uniform.yield %i : index } (%j -> %b) { ... } }`:
    A unit runs the region whose list holds it; the results are that region's yielded values.
    """

    name = "uniform.uniformize_regions"
    region_indices = opt_prop_def(DenseArrayBase, prop_name="regIndices")
    region_locales = opt_prop_def(ArrayAttr, prop_name="regLocales")
    newly_added = opt_prop_def(UnitAttr)
    outputs = var_result_def()

    def __init__(
        self, units: Sequence[Sequence[SSAValue]], bodies: Sequence[Region], result_types: Sequence[Attribute] = ()
    ):
        super().__init__(
            operands=[[unit for listed in units for unit in listed]],
            result_types=[result_types],
            regions=[bodies],
            properties={"list_sizes": DenseArrayBase.from_list(i32, [len(listed) for listed in units])},
        )

    def verify_(self) -> None:
        self.verify_lists()
        for region in self.bodies:
            last = region.block.last_op
            if isinstance(last, YieldOp) and len(last.arguments) != len(self.outputs):
                raise VerifyException("each yield must have as many operands as the operation has results")

    @classmethod
    def parse(cls, parser: Parser) -> UniformizeRegionsOp:
        types: list[Attribute] = []
        if parser.parse_optional_punctuation("->") is not None:
            types.append(parser.parse_type())
            while parser.parse_optional_punctuation(",") is not None:
                types.append(parser.parse_type())
        units, sizes, regions = _parse_unit_regions(parser)
        properties, attributes = parse_attributes(parser, cls)
        properties["list_sizes"] = DenseArrayBase.from_list(i32, sizes)
        return cls.build(
            operands=[units], result_types=[types], regions=[regions], properties=properties, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        if self.outputs:
            printer.print_string(" -> ")
            printer.print_list(self.result_types, printer.print_attribute)
        self.print_unit_regions(printer)
        print_attributes(printer, self, hidden={"list_sizes", "newly_added"})


@irdl_op_definition
class EqualizePatternOp(_UnitRegionsOp):
    """`uniform.equalize_pattern { (%i -> %a) { uniform.yield } (%j -> %b) { uniform.yield } }`:
    as `uniformize_regions`, without results: all regions hold the same sequence of operations.
    """

    name = "uniform.equalize_pattern"

    def __init__(self, units: Sequence[Sequence[SSAValue]], bodies: Sequence[Region]):
        super().__init__(
            operands=[[unit for listed in units for unit in listed]],
            regions=[bodies],
            properties={"list_sizes": DenseArrayBase.from_list(i32, [len(listed) for listed in units])},
        )

    def verify_(self) -> None:
        self.verify_lists()
        if len(self.bodies) < 2:
            raise VerifyException("expected more than one region")
        names = [[op.name for op in region.block.ops] for region in self.bodies]
        if any(len(sequence) != len(names[0]) for sequence in names):
            raise VerifyException("regions have different operation size.")
        if any(sequence != names[0] for sequence in names):
            raise VerifyException("Operation sequences different.")

    @classmethod
    def parse(cls, parser: Parser) -> EqualizePatternOp:
        units, sizes, regions = _parse_unit_regions(parser)
        _, attributes = parse_attributes(parser, cls)
        properties: dict[str, Attribute] = {"list_sizes": DenseArrayBase.from_list(i32, sizes)}
        return cls.build(operands=[units], regions=[regions], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        self.print_unit_regions(printer)
        print_attributes(printer, self, hidden={"list_sizes"})


def possible_keys(key: SSAValue) -> list[SSAValue]:
    """All values a query key may be: the units of the enclosing program or region for a block argument, else itself."""
    if not isinstance(key, BlockArgument):
        return [key]
    owner = key.block.parent_op()
    if isinstance(owner, _UnitRegionsOp):
        position = next(i for i, region in enumerate(owner.bodies) if region is key.block.parent)
        listed = owner.unit_lists()[position]
    elif owner is not None and owner.name == "dataflow.program_unit":
        listed = list(owner.operands)
    else:
        return [key]
    expanded: list[SSAValue] = []
    for unit in listed:
        group = unit.owner
        is_group = not isinstance(group, Block) and group.name == "dataflow.create_group"
        expanded += list(group.operands) if is_group else [unit]  # pyright: ignore[reportAttributeAccessIssue]
    return expanded


Uniform = Dialect(
    "uniform",
    [DefImmutableMappingOp, QueryMapOp, UniformizeRegionsOp, EqualizePatternOp, YieldOp],
    [],
)
