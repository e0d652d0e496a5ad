"""What is wrong with an operation that breaks its definition, in MLIR's order and words.

xDSL checks the declared operands, results, regions, attributes and traits; what it reports is meant for the author of
the definition. `explain` looks at the operation again, only once it has failed, in the order in which MLIR verifies:
counts, the parent, attributes, operands, results, regions, and last whatever the operation's own verifier said.

Attributes of a dialect on any operation (`ktdf_arch.features` on an `arith.addf`) are that dialect's to check:
`attribute_problem`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    AnyOf,
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    OptionalDef,
    ParamAttrConstraint,
    RangeLengthConstraint,
    RangeOf,
    SingleBlockRegionDef,
    SingleOf,
    VariadicDef,
    VerificationContext,
)
from xdsl.irdl.operations import OptPropertyDef, VarSingleBlockRegionDef, verify_variadic_size
from xdsl.traits import HasParent
from xdsl.utils.exceptions import VerifyException

from headrace.ir.diagnostics import Diagnostic, make
from headrace.ir.guard import MALFORMED, malformed

#: Dialects that verify their discardable attributes wherever they stand: `function(op)` raises `VerifyException`.
_ATTRIBUTE_VERIFIERS = {"ktdf_arch": "headrace.ir.dialects.ktdf_arch_features:verify_attributes"}

_TYPES: dict[type[Any], str] = {
    builtin.IndexType: "index",
    builtin.MemRefType: "memref of any type values",
    builtin.UnrankedMemRefType: "unranked.memref of any type values",
    builtin.TensorType: "ranked tensor of any type values",
    builtin.UnrankedTensorType: "unranked tensor of any type values",
    builtin.VectorType: "vector of any type values",
    builtin.IntegerType: "integer",
    builtin.NoneType: "none type",
}

_ATTRIBUTES: dict[type[Any], str] = {
    builtin.StringAttr: "string attribute",
    builtin.IntegerAttr: "arbitrary integer attribute",
    builtin.FloatAttr: "arbitrary float attribute",
    builtin.AffineMapAttr: "AffineMap attribute",
    builtin.AffineSetAttr: "IntegerSet attribute",
    builtin.ArrayAttr: "array attribute",
    builtin.DictionaryAttr: "dictionary of named attribute values",
    builtin.UnitAttr: "unit attribute",
    builtin.SymbolRefAttr: "symbol reference attribute",
}

_SIGNS = {
    builtin.Signedness.SIGNLESS: "signless",
    builtin.Signedness.SIGNED: "signed",
    builtin.Signedness.UNSIGNED: "unsigned",
}


#: The file in which xDSL checks definitions.
_DEFINITION = verify_variadic_size.__code__.co_filename


def _type_name(kind: Attribute) -> str:
    if isinstance(kind, builtin.IntegerType):
        return f"{kind.width.data}-bit {_SIGNS[kind.signedness.data]} integer"
    if isinstance(kind, builtin.AnyFloat):
        return f"{kind.bitwidth}-bit float" if kind.name.startswith("f") else f"{kind.name} type"
    return _TYPES.get(type(kind), str(kind))


def _each(constraint: Any) -> Any:
    """The constraint on every value of a range, None for another kind."""
    if isinstance(constraint, RangeLengthConstraint):
        return _each(constraint.constraint)
    return constraint.constr if isinstance(constraint, RangeOf | SingleOf) else None


def constraint_words(constraint: Any) -> str | None:
    """A constraint on a type or attribute as ODS describes it, None where there are no such words."""
    if (each := _each(constraint)) is not None:
        return constraint_words(each)
    if isinstance(constraint, EqAttrConstraint):
        return _type_name(constraint.attr)
    if isinstance(constraint, BaseAttr):
        base: Any = constraint.attr
        name = getattr(base, "name", "")
        return _TYPES.get(base) or _ATTRIBUTES.get(base) or name.partition(".")[2] or name or None
    if isinstance(constraint, AnyOf):
        parts = [constraint_words(item) for item in constraint.attr_constrs]
        return None if None in parts else " or ".join(dict.fromkeys(part for part in parts if part is not None))
    if isinstance(constraint, ParamAttrConstraint):
        base = constraint.base_attr
        if base is builtin.IntegerAttr:
            inner = constraint.param_constrs[1]
            kind = inner.attr if isinstance(inner, EqAttrConstraint) else None
            if kind == builtin.i1:
                return "bool attribute"
            return f"{_type_name(kind)} attribute" if kind is not None else None
        return _TYPES.get(base) or _ATTRIBUTES.get(base)
    return None


def _count(found: int, definitions: Sequence[tuple[str, Any]], what: str, one: str) -> str | None:
    """The words for a wrong number of operands or results."""
    fixed = sum(not isinstance(definition, VariadicDef) for _, definition in definitions)
    if fixed == len(definitions):
        if found == fixed:
            return None
        if fixed == 0:
            return f"requires zero {what}s"
        return f"requires {one}" if fixed == 1 else _expected(f"expected {fixed} {what}s", what, found)
    return _expected(f"expected {fixed} or more {what}s", what, found) if found < fixed else None


def _expected(text: str, what: str, found: int) -> str:
    return f"{text}, but found {found}" if what == "operand" else text


def _segments(op: IRDLOperation, definition: Any) -> str | None:
    for option, found, definitions, what in (
        (AttrSizedOperandSegments, len(op.operands), definition.operands, "operand"),
        (AttrSizedResultSegments, len(op.results), definition.results, "result"),
    ):
        chosen = next((item for item in definition.options if isinstance(item, option)), None)
        if chosen is None:
            continue
        name = option.attribute_name
        sizes = (op.properties if chosen.as_property else op.attributes).get(name)
        numbers: list[int] = [0] * len(definitions)
        if sizes is not None:
            if not isinstance(sizes, builtin.DenseArrayBase) or sizes.elt_type != builtin.i32:
                return f"requires dense i32 array attribute '{name}'"
            numbers = [int(size) for size in sizes.get_values()]
        if any(size < 0 for size in numbers):
            return f"'{name}' attribute cannot have negative elements"
        if sum(numbers) != found:
            return (
                f"{what} count ({found}) does not match with the total size ({sum(numbers)}) "
                f"specified in attribute '{name}'"
            )
        if len(numbers) != len(definitions):
            return (
                f"'{name}' attribute for specifying {what} segments must have {len(definitions)} elements, "
                f"but got {len(numbers)}"
            )
        for position, (size, (_, item)) in enumerate(zip(numbers, definitions, strict=True)):
            if (size > 1 and isinstance(item, OptionalDef)) or (size != 1 and not isinstance(item, VariadicDef)):
                wanted = "0 or 1 elements" if isinstance(item, OptionalDef) else "1 element"
                return f"{what} group #{position} requires {wanted}, but found {size}"
    return None


def _parent(op: IRDLOperation) -> str | None:
    parent = op.parent_op()
    for trait in op.get_traits_of_type(HasParent):
        if parent is None or not isinstance(parent, trait.op_types):
            names = [kind.name for kind in trait.op_types]
            if len(names) == 1:
                return f"expects parent op '{names[0]}'"
            return f"expects parent op to be one of '{', '.join(names)}'"
    return None


def _attributes(op: IRDLOperation, definition: Any) -> str | None:
    hidden = {AttrSizedOperandSegments.attribute_name, AttrSizedResultSegments.attribute_name}
    for name, item in definition.properties.items():
        value = op.properties.get(name)
        if name in hidden:
            continue
        if value is None:
            if not isinstance(item, OptPropertyDef):
                return f"requires attribute '{name}'"
            continue
        try:
            item.constr.verify(value, VerificationContext())
        except VerifyException as problem:
            words = constraint_words(item.constr)
            return f"attribute '{name}' failed to satisfy constraint: {words or malformed(problem)}"
    return None


def _values(op: IRDLOperation, definitions: Sequence[tuple[str, Any]], what: str) -> str | None:
    """The first operand or result of a type that its definition does not allow."""
    position = 0
    for name, item in definitions:
        found: Any = getattr(op, name)
        values = () if found is None else tuple(found) if isinstance(found, Sequence) else (found,)
        words = constraint_words(item.constr)
        each = _each(item.constr)
        for number, value in enumerate(values):
            if each is None or words is None:
                break
            try:
                each.verify(value.type, VerificationContext())
            except VerifyException:
                shape = "variadic of " if isinstance(item, VariadicDef) and not isinstance(item, OptionalDef) else ""
                return f"{what} #{position + number} must be {shape}{words}, but got '{value.type}'"
        position += len(values)
    return None


def _regions(op: IRDLOperation, definition: Any) -> str | None:
    position, wanted = 0, len(definition.regions)
    if len(op.regions) != wanted and not any(isinstance(item, VariadicDef) for _, item in definition.regions):
        return f"requires {('zero regions', 'one region')[wanted]}" if wanted < 2 else f"expected {wanted} regions"
    for name, item in definition.regions:
        found: Any = getattr(op, name)
        regions = () if found is None else tuple(found) if isinstance(found, tuple) else (found,)
        for region in regions:
            blocks = len(region.blocks)
            if isinstance(item, SingleBlockRegionDef | VarSingleBlockRegionDef) and blocks != 1:
                if blocks > 1:
                    return f"expects region #{position} to have 0 or 1 blocks"
                return f"region #{position} ('{name}') failed to verify constraint: region with 1 blocks"
            position += 1
    return None


def _from_definition(problem: Exception) -> bool:
    """Whether xDSL's check of the definition raised the problem, not a verifier of ours."""
    at = problem.__traceback__
    while at is not None:
        code = at.tb_frame.f_code
        if code.co_name in ("verify", "verify_variadic_size") and code.co_filename == _DEFINITION:
            return True
        at = at.tb_next
    return False


def explain(op: Operation, problem: Exception) -> str:
    """What to say about an operation whose verifier raised `problem`."""
    if not isinstance(op, IRDLOperation):
        return malformed(problem)
    definition = op.get_irdl_definition()
    if isinstance(problem, KeyError) and problem.args and problem.args[0] in definition.properties:
        return f"requires attribute '{problem.args[0]}'"
    if not _from_definition(problem):
        return malformed(problem)
    sized = [type(option) for option in definition.options]
    checks: list[Callable[[], str | None]] = [lambda: _segments(op, definition), lambda: _parent(op)]
    if AttrSizedOperandSegments not in sized:
        checks.insert(0, lambda: _count(len(op.operands), definition.operands, "operand", "a single operand"))
    if AttrSizedResultSegments not in sized:
        checks.insert(0, lambda: _count(len(op.results), definition.results, "result", "one result"))
    checks += [
        lambda: _attributes(op, definition),
        lambda: _values(op, definition.operands, "operand"),
        lambda: _values(op, definition.results, "result"),
        lambda: _regions(op, definition),
    ]
    for check in checks:
        try:
            found = check()
        except MALFORMED:  # Groups that the segments do not describe.
            break
        if found is not None:
            return found
    return malformed(problem)


def redefinitions(table: Operation) -> Iterator[Diagnostic]:
    """The symbols that a symbol table defines more than once, at the later definitions."""
    seen: dict[str, Operation] = {}
    for block in table.regions[0].blocks:
        for op in block.ops:
            name = op.properties.get("sym_name") or op.attributes.get("sym_name")
            if isinstance(name, builtin.StringAttr) and (first := seen.setdefault(name.data, op)) is not op:
                notes = [(first, "see existing symbol definition here")]
                yield make("error", op, f"redefinition of symbol named '{name.data}'", notes)


def attribute_problem(op: Operation) -> str | None:
    """What a dialect has against its discardable attributes on `op`, None if nothing."""
    for key in op.attributes:
        path = _ATTRIBUTE_VERIFIERS.get(key.partition(".")[0]) if "." in key else None
        if path is not None:
            module, _, function = path.partition(":")
            try:
                getattr(import_module(module), function)(op)
            except MALFORMED as problem:
                return malformed(problem)
            return None
    return None
