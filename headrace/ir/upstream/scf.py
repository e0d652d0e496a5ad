"""The `scf` dialect: every suffix form of `for`, `parallel` and `forall`, MLIR's text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    TensorType,
    UnitAttr,
    UnknownLoc,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Dialect, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator, NoTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from headrace.ir.location import SourceLoc
from headrace.ir.upstream import parser_for, printer_for, rules_for, verifier_for
from headrace.ir.upstream.arith import constant_of

index = IndexType()


def terminated(region: Region, cls: type[Any]) -> Region:
    """Give a one-block region its implicit terminator."""
    if not region.blocks:
        region.add_block(Block())
    block = region.blocks.last
    last = None if block is None else block.last_op
    if block is not None and (last is None or not last.has_trait(IsTerminator, value_if_unregistered=False)):
        block.add_op(cls())
    return region


def parse_arrow_types(parser: Any) -> list[Attribute]:
    """`-> T`, `-> (T, U)` or nothing."""
    if parser.parse_optional_punctuation("->") is None:
        return []
    found = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return list(found) if found is not None else [parser.parse_type()]


def parse_assignments(parser: Any) -> list[tuple[Any, Any]]:
    """`(%a = %x, %b = %y)`."""

    def pair() -> tuple[Any, Any]:
        argument = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        return argument, parser.parse_unresolved_operand()

    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, pair)


def print_assignments(printer: Any, arguments: Sequence[SSAValue], values: Sequence[SSAValue]) -> None:
    """`(%a = %x, %b = %y)`."""
    printer.print_string("(")
    for position, (argument, value) in enumerate(zip(arguments, values, strict=True)):
        if position:
            printer.print_string(", ")
        printer.print_ssa_value(argument)
        printer.print_string(" = ")
        printer.print_ssa_value(value)
    printer.print_string(")")


@parser_for(scf.ForOp)
def _parse_for(parser: Any) -> Operation:
    unsigned = parser.parse_optional_keyword("unsigned") is not None
    variable = parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    bounds = [parser.parse_unresolved_operand()]
    for word in ("to", "step"):
        parser.parse_keyword(word)
        bounds.append(parser.parse_unresolved_operand())
    kind: Attribute | None = None
    if parser.parse_optional_punctuation(":") is not None:
        kind = parser.parse_type()
    carried: list[tuple[Any, Any]] = []
    kinds: list[Attribute] = []
    if parser.parse_optional_keyword("iter_args") is not None:
        at = parser.pos
        carried = parse_assignments(parser)
        kinds = parse_arrow_types(parser)
        if len(kinds) != len(carried):
            parser.raise_error(f"expected {len(carried)} result types for iter_args, but got {len(kinds)}", at)
    if kind is None and parser.parse_optional_punctuation(":") is not None:
        kind = parser.parse_type()
    kind = kind if kind is not None else index
    values = [parser.resolve_operand(operand, kind) for operand in bounds]
    values += [parser.resolve_operand(operand, t) for (_, operand), t in zip(carried, kinds, strict=True)]
    arguments = [variable.resolve(kind)]
    arguments += [argument.resolve(t) for (argument, _), t in zip(carried, kinds, strict=True)]
    body = parser.parse_region(arguments)
    if not carried:
        terminated(body, scf.YieldOp)
    attributes = parser.parse_optional_attr_dict()
    properties: dict[str, Attribute] = {"unsignedCmp": UnitAttr()} if unsigned else {}
    return scf.ForOp.create(
        operands=values, result_types=kinds, properties=properties, attributes=attributes, regions=[body]
    )


@printer_for(scf.ForOp)
def _print_for(op: scf.ForOp, printer: Any) -> None:
    variable, *carried = op.body.block.args
    printer.print_string(" unsigned " if "unsignedCmp" in op.properties else " ")
    printer.print_ssa_value(variable)
    for word, value in ((" = ", op.lb), (" to ", op.ub), (" step ", op.step)):
        printer.print_string(word)
        printer.print_ssa_value(value)
    if carried:
        printer.print_string(" iter_args")
        print_assignments(printer, carried, op.iter_args)
        printer.print_string(" -> (")
        printer.print_list([value.type for value in carried], printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    if not isinstance(variable.type, IndexType):
        printer.print_string(" : ")
        printer.print_attribute(variable.type)
        printer.print_string(" ")
    printer.print_region(op.body, False, False, bool(carried))
    printer.print_op_attributes(op.attributes)


@parser_for(scf.IfOp)
def _parse_if(parser: Any) -> Operation:
    condition = parser.parse_operand(i1)
    kinds = parse_arrow_types(parser)
    regions = [terminated(parser.parse_region(), scf.YieldOp), Region()]
    if parser.parse_optional_keyword("else") is not None:
        regions[1] = terminated(parser.parse_region(), scf.YieldOp)
    attributes = parser.parse_optional_attr_dict()
    return scf.IfOp.create(operands=[condition], result_types=kinds, attributes=attributes, regions=regions)


@printer_for(scf.IfOp)
def _print_if(op: scf.IfOp, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.cond)
    if op.output:
        printer.print_string(" -> (")
        printer.print_list([value.type for value in op.output], printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(op.true_region, False, False, bool(op.output))
    if op.false_region.blocks:
        printer.print_string(" else ")
        printer.print_region(op.false_region, False, False, bool(op.output))
    printer.print_op_attributes(op.attributes)


@parser_for(scf.WhileOp)
def _parse_while(parser: Any) -> Operation:
    pairs = parse_assignments(parser) if parser._current_token.text == "(" else []
    parser.parse_punctuation(":")
    at = parser.pos
    kind = parser.parse_function_type()
    if len(pairs) != len(kind.inputs.data):
        parser.raise_error(f"expected {len(pairs)} input types, but got {len(kind.inputs.data)}", at)
    values = [parser.resolve_operand(v, t) for (_, v), t in zip(pairs, kind.inputs.data, strict=True)]
    before = parser.parse_region([a.resolve(t) for (a, _), t in zip(pairs, kind.inputs.data, strict=True)])
    parser.parse_keyword("do")
    after = terminated(parser.parse_region(), scf.YieldOp)
    found = parser.parse_optional_attr_dict_with_keyword()
    return scf.WhileOp.create(
        operands=values,
        result_types=kind.outputs.data,
        attributes=dict(found.data) if found is not None else {},
        regions=[before, after],
    )


@printer_for(scf.WhileOp)
def _print_while(op: scf.WhileOp, printer: Any) -> None:
    if op.arguments:
        printer.print_string(" ")
        print_assignments(printer, op.before_region.block.args, op.arguments)
    printer.print_string(" : ")
    printer.print_function_type(op.operand_types, op.result_types)
    printer.print_string(" ")
    printer.print_region(op.before_region, False)
    printer.print_string(" do ")
    printer.print_region(op.after_region)
    printer.print_op_attributes(op.attributes, print_keyword=True)


def _verify_without(op: Any, key: str) -> None:
    """Verify apart from a property that xDSL's class does not know."""
    value = op.properties.pop(key, None)
    try:
        op.verify_()
    finally:
        if value is not None:
            op.properties[key] = value


def flow(op: Any, end: Any, values: Sequence[Attribute], target: str, wanted: Sequence[Attribute]) -> None:
    """What a terminator passes on has the types of what receives it."""
    told = f"Operation {end.name} to {target}"
    if len(values) != len(wanted):
        raise VerifyException(
            f"region control flow edge from {told}: source has {len(values)} operands, but target successor needs "
            f"{len(wanted)}"
        )
    for position, (have, want) in enumerate(zip(values, wanted, strict=True)):
        if have != want:
            raise VerifyException(
                f"along control flow edge from {told}: source type #{position} '{have}' should match input type "
                f"#{position} '{want}'"
            )


def _ends(region: Region, cls: type[Any]) -> list[Any]:
    return [block.last_op for block in region.blocks if isinstance(block.last_op, cls)]


def _types(values: Any) -> list[Attribute]:
    return [value.type for value in values]


def check_no_arguments(op: Any) -> None:
    """No region of the operation begins with block arguments."""
    for position, region in enumerate(op.regions):
        if region.blocks and region.blocks.first.args:
            raise VerifyException(f"region #{position} should have no arguments")


@rules_for(scf.IfOp)
def _check_if(op: Any) -> None:
    check_no_arguments(op)
    if op.results and not op.regions[1].blocks:
        raise VerifyException("must have an else block if defining values")
    for region in op.regions:
        for end in _ends(region, scf.YieldOp):
            flow(op, end, _types(end.operands), "parent results", list(op.result_types))


@rules_for(scf.WhileOp)
def _check_while(op: Any) -> None:
    before, after = op.regions
    if not before.blocks or not after.blocks:
        raise VerifyException("expected two regions with one block each")
    for end in _ends(before, scf.ConditionOp):
        flow(op, end, _types(end.operands[1:]), "parent results", list(op.result_types))
        flow(op, end, _types(end.operands[1:]), "Region #1", _types(after.block.args))
    for end in _ends(after, scf.YieldOp):
        flow(op, end, _types(end.operands), "Region #0", _types(before.block.args))


@verifier_for(scf.ForOp)
def _verify_for(op: scf.ForOp) -> None:
    _verify_without(op, "unsignedCmp")
    if len(op.iter_args) != len(op.results):
        raise VerifyException("mismatch in number of loop-carried values and defined values")
    for position, (value, kind) in enumerate(zip(op.iter_args, op.result_types, strict=True)):
        if value.type != kind:
            raise VerifyException(f"types mismatch between {position}th iter operand and defined value")


@rules_for(scf.ParallelOp)
def _check_parallel(op: scf.ParallelOp) -> None:
    if not op.step:
        raise VerifyException("needs at least one tuple element for lowerBound, upperBound and step")
    for step in op.step:
        if (number := constant_of(step)) is not None and number <= 0:
            raise VerifyException("constant step operand must be positive")


@verifier_for(scf.ExecuteRegionOp)
def _verify_execute(op: scf.ExecuteRegionOp) -> None:
    _verify_without(op, "no_inline")
    first = op.region.blocks.first
    if first is None:
        raise VerifyException("region needs to have at least one block")
    if first.args:
        raise VerifyException("region cannot have any arguments")
    for end in _ends(op.region, scf.YieldOp):
        flow(op, end, _types(end.operands), "parent results", list(op.result_types))


@parser_for(scf.IndexSwitchOp)
def _parse_switch(parser: Any) -> Operation:
    value = parser.parse_operand(index)
    attributes = parser.parse_optional_attr_dict()
    kinds: list[Attribute] = []
    if parser.parse_optional_punctuation("->") is not None:
        kinds = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    cases: list[int] = []
    regions: list[Region] = []
    while parser.parse_optional_keyword("case") is not None:
        cases.append(parser.parse_integer(allow_boolean=False))
        regions.append(terminated(parser.parse_region(), scf.YieldOp))
    parser.parse_keyword("default")
    default = terminated(parser.parse_region(), scf.YieldOp)
    return scf.IndexSwitchOp(value, DenseArrayBase.from_list(i64, cases), default, regions, kinds, attributes)


@printer_for(scf.IndexSwitchOp)
def _print_switch(op: scf.IndexSwitchOp, printer: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.arg)
    printer.print_op_attributes(op.attributes)
    if op.results:
        printer.print_string(" -> ")
        printer.print_list(op.result_types, printer.print_attribute)
    printer.print_string(" ")
    for value, region in zip(op.cases.get_values(), op.case_regions, strict=True):
        printer._print_new_line()
        printer.print_string(f"case {value} ")
        printer.print_region(region, False)
    printer._print_new_line()
    printer.print_string("default ")
    printer.print_region(op.default_region, False, True, bool(op.results))


@parser_for(scf.ExecuteRegionOp)
def _parse_execute(parser: Any) -> Operation:
    kinds = parse_arrow_types(parser)
    properties: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("no_inline") is not None:
        properties["no_inline"] = UnitAttr()
    region = parser.parse_region()
    return scf.ExecuteRegionOp.create(
        result_types=kinds, properties=properties, attributes=parser.parse_optional_attr_dict(), regions=[region]
    )


@printer_for(scf.ExecuteRegionOp)
def _print_execute(op: scf.ExecuteRegionOp, printer: Any) -> None:
    print_arrow_types(printer, op.result_types)
    printer.print_string(" no_inline " if "no_inline" in op.properties else " ")
    printer.print_region(op.region, False)
    printer.print_op_attributes(op.attributes)


def _operands(parser: Any) -> list[SSAValue]:
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_operand(index))


@parser_for(scf.ParallelOp)
def _parse_parallel(parser: Any) -> Operation:
    start = max(parser.source.text.rfind("scf.parallel", 0, parser.pos), 0)
    variables = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
    )
    parser.parse_punctuation("=")
    bounds = [_operands(parser)]
    for word in ("to", "step"):
        parser.parse_keyword(word)
        bounds.append(_operands(parser))
    at = parser.pos
    inits: list[Any] = []
    if parser.parse_optional_keyword("init") is not None:
        inits = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    kinds = parse_arrow_types(parser)
    values = parser.resolve_operands(inits, kinds, at)
    body = parser.parse_region([variable.resolve(index) for variable in variables])
    end = terminated(body, scf.ReduceOp).blocks.last.last_op  # pyright: ignore[reportOptionalMemberAccess]
    if end is not None and isinstance(end.location, UnknownLoc):  # An implicit terminator stands where the loop does.
        end.location = SourceLoc(parser.source, start)  # pyright: ignore[reportAttributeAccessIssue]
    return scf.ParallelOp.build(
        operands=[*bounds, values], result_types=[kinds], attributes=parser.parse_optional_attr_dict(), regions=[body]
    )


@printer_for(scf.ParallelOp)
def _print_parallel(op: scf.ParallelOp, printer: Any) -> None:
    for word, values in (
        (" (", op.body.block.args), (") = (", op.lowerBound), (") to (", op.upperBound), (") step (", op.step),
    ):  # fmt: skip
        printer.print_string(word)
        printer.print_list(values, printer.print_ssa_value)
    printer.print_string(")")
    if op.initVals:
        printer.print_string(" init (")
        printer.print_list(op.initVals, printer.print_ssa_value)
        printer.print_string(")")
    print_arrow_types(printer, op.result_types)
    printer.print_string(" ")
    printer.print_region(op.body, False)
    printer.print_op_attributes(op.attributes)


def print_arrow_types(printer: Any, kinds: Sequence[Attribute]) -> None:
    """` -> T`, ` -> (T, U)` or nothing."""
    if kinds:
        printer.print_string(" -> " + ("(" if len(kinds) > 1 else ""))
        printer.print_list(kinds, printer.print_attribute)
        if len(kinds) > 1:
            printer.print_string(")")


@parser_for(scf.ReduceOp)
def _parse_reduce(parser: Any) -> Operation:
    values: list[SSAValue] = []
    if parser.parse_optional_punctuation("(") is not None:
        at = parser.pos
        operands = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        parser.parse_punctuation(":")
        kinds = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        parser.parse_punctuation(")")
        values = list(parser.resolve_operands(operands, kinds, at))
    regions: list[Region] = []
    for position in range(len(values)):
        if position:
            parser.parse_punctuation(",")
        regions.append(parser.parse_region())
    return scf.ReduceOp.build(operands=[values], regions=[regions], attributes=parser.parse_optional_attr_dict())


@printer_for(scf.ReduceOp)
def _print_reduce(op: scf.ReduceOp, printer: Any) -> None:
    if op.args:
        printer.print_string("(")
        printer.print_list(op.args, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([value.type for value in op.args], printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_list(op.reductions, printer.print_region)
    printer.print_op_attributes(op.attributes)


@irdl_op_definition
class InParallelOp(IRDLOperation):
    """`scf.forall.in_parallel { ... }`: the terminator of `scf.forall`: how the instances' results are put together."""

    name = "scf.forall.in_parallel"
    region = region_def()
    traits = traits_def(IsTerminator(), NoTerminator())

    def __init__(self, region: Region | None = None):
        super().__init__(regions=[region if region is not None else Region(Block())])

    def verify_(self) -> None:
        if not isinstance(self.parent_op(), ForallOp):
            raise VerifyException("expects parent op 'scf.forall'")
        for block in self.region.blocks:
            for op in block.ops:
                if op.name != "tensor.parallel_insert_slice":
                    raise VerifyException(f"expected only ParallelCombiningOpInterface ops, but found '{op.name}'")

    @classmethod
    def parse(cls, parser: Any) -> InParallelOp:
        region = parser.parse_region()
        if not region.blocks:
            region.add_block(Block())
        op = cls(region)
        op.attributes.update(parser.parse_optional_attr_dict())
        return op

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_region(self.region, False, False)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class ForallOp(IRDLOperation):
    """`scf.forall (%i, %j) in (4, %n) { ... }`:
    A multi-dimensional parallel loop whose results are assembled from its instances.
    """

    name = "scf.forall"
    dynamicLowerBound = var_operand_def(IndexType)
    dynamicUpperBound = var_operand_def(IndexType)
    dynamicStep = var_operand_def(IndexType)
    outputs = var_operand_def(TensorType)
    staticLowerBound = prop_def(DenseArrayBase)
    staticUpperBound = prop_def(DenseArrayBase)
    staticStep = prop_def(DenseArrayBase)
    mapping = opt_prop_def(ArrayAttr)
    results_ = var_result_def(TensorType)
    region = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        lower: Sequence[SSAValue | int],
        upper: Sequence[SSAValue | int],
        step: Sequence[SSAValue | int],
        outputs: Sequence[SSAValue],
        region: Region,
    ):
        dynamic: list[list[SSAValue]] = []
        static: list[DenseArrayBase[Any]] = []
        for values in (lower, upper, step):
            dynamic.append([v for v in values if isinstance(v, SSAValue)])
            static.append(DenseArrayBase.from_list(i64, [v if isinstance(v, int) else DYNAMIC_INDEX for v in values]))
        super().__init__(
            operands=[*dynamic, outputs],
            result_types=[[value.type for value in outputs]],
            properties={"staticLowerBound": static[0], "staticUpperBound": static[1], "staticStep": static[2]},
            regions=[region],
        )

    def bounds(self) -> list[list[SSAValue | int]]:
        """Lower bounds, upper bounds, steps; each an integer or a value."""
        found: list[list[SSAValue | int]] = []
        for static, dynamic in (
            (self.staticLowerBound, self.dynamicLowerBound),
            (self.staticUpperBound, self.dynamicUpperBound),
            (self.staticStep, self.dynamicStep),
        ):
            if sum(v == DYNAMIC_INDEX for v in static.get_values()) != len(dynamic):  # pyright: ignore
                raise ValueError("number of dynamic bounds must match the dynamic entries of the static ones")
            values = iter(dynamic)
            found.append([next(values) if v == DYNAMIC_INDEX else v for v in static.get_values()])  # pyright: ignore
        return found

    def verify_(self) -> None:
        ranks = {len(values) for values in self.bounds()}
        if len(ranks) != 1:
            raise VerifyException("expected as many lower bounds as upper bounds and steps")
        if len(self.region.block.args) != ranks.pop() + len(self.outputs):
            raise VerifyException("expected one region argument for each dimension and each output")
        if len(self.results) != len(self.outputs):
            raise VerifyException(f"produces {len(self.results)} results, but has only {len(self.outputs)} outputs")
        arguments = self.region.block.args[len(self.region.block.args) - len(self.outputs) :]
        for position, (output, argument, kind) in enumerate(
            zip(self.outputs, arguments, self.result_types, strict=True)
        ):
            if not output.type == argument.type == kind:
                what = "block argument" if output.type != argument.type else "result"
                raise VerifyException(f"type mismatch between {position}-th output and corresponding {what}")

    @classmethod
    def parse(cls, parser: Any) -> ForallOp:
        def value() -> SSAValue | int:
            number = parser.parse_optional_integer(allow_boolean=False)
            return number if number is not None else parser.parse_operand(index)

        def values() -> list[SSAValue | int]:
            return parser.parse_comma_separated_list(parser.Delimiter.PAREN, value)

        variables = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        if parser.parse_optional_keyword("in") is not None:
            upper = values()
            lower: list[SSAValue | int] = [0] * len(upper)
            step: list[SSAValue | int] = [1] * len(upper)
        else:
            parser.parse_punctuation("=")
            lower = values()
            parser.parse_keyword("to")
            upper = values()
            parser.parse_keyword("step")
            step = values()
        pairs: list[tuple[Any, Any]] = []
        kinds: list[Attribute] = []
        at = parser.pos
        if parser.parse_optional_keyword("shared_outs") is not None:
            pairs = parse_assignments(parser)
            kinds = parse_arrow_types(parser)
        outputs = parser.resolve_operands([v for _, v in pairs], kinds, at)
        region = parser.parse_region(
            [v.resolve(index) for v in variables] + [a.resolve(t) for (a, _), t in zip(pairs, kinds, strict=True)]
        )
        terminated(region, InParallelOp)
        op = cls(lower, upper, step, outputs, region)
        attributes = parser.parse_optional_attr_dict()
        if "mapping" in attributes:
            op.properties["mapping"] = attributes.pop("mapping")
        op.attributes.update(attributes)
        return op

    def print(self, printer: Any) -> None:
        lower, upper, step = self.bounds()
        rank = len(upper)
        arguments = list(self.region.block.args)

        def values(items: Sequence[SSAValue | int]) -> None:
            printer.print_string("(")
            for position, item in enumerate(items):
                if position:
                    printer.print_string(", ")
                if isinstance(item, int):
                    printer.print_string(str(item))
                else:
                    printer.print_ssa_value(item)
            printer.print_string(")")

        printer.print_string(" (")
        printer.print_list(arguments[:rank], printer.print_ssa_value)
        if all(v == 0 for v in lower) and all(v == 1 for v in step):
            printer.print_string(") in ")
            values(upper)
        else:
            printer.print_string(") = ")
            values(lower)
            printer.print_string(" to ")
            values(upper)
            printer.print_string(" step ")
            values(step)
        if self.outputs:
            printer.print_string(" shared_outs")
            print_assignments(printer, arguments[rank:], self.outputs)
            printer.print_string(" -> (")
            printer.print_list([value.type for value in self.outputs], printer.print_attribute)
            printer.print_string(")")
        printer.print_string(" ")
        printer.print_region(self.region, False, False, bool(self.outputs))
        mapping = {"mapping": self.mapping} if self.mapping is not None else {}
        printer.print_op_attributes({**mapping, **self.attributes})


Scf = Dialect("scf", [*scf.Scf.operations, ForallOp, InParallelOp], list(scf.Scf.attributes))
