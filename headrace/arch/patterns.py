"""Applies the rewrite patterns of a device file (PDL) at a checkpoint, greedily until nothing changes.

    apply_patterns(func, device, "pre_scheduling")

Patterns are indexed by the name of their root op, so an op costs nothing unless a pattern could start at it. Beyond
what PDL itself offers (types, attributes, operands, results, ranges of them, benefits, negated constraints) patterns
may call the native functions registered here:

| name | kind | signature |
|---|---|---|
| `ktdf_arch.mapped_to` | constraint | (op) -> attribute: the op has `ktdf_arch.maps_to` |
| `ktdf_arch.has_feature` | constraint | (op, name) -> attribute: the op's features hold `name` |
| `ktdf_arch.has_feature` | constraint | (op, name, required) -> attribute: and the value matches `required` |
| `ktdf_arch.map_to` | rewrite | (op, attribute): set `ktdf_arch.maps_to` |
| `ktdf_arch.set_feature` | rewrite | (op, name, value): set one entry of `ktdf_arch.features` |
| `headrace.to_compute` | rewrite | (op, key): replace the op by `headrace.compute {op = key}` with all its attributes |
| `headrace.copy_attributes` | rewrite | (from, to): copy all attributes of one op to another |
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from xdsl.context import Context
from xdsl.dialects import pdl
from xdsl.dialects.builtin import DictionaryAttr, StringAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.traits import is_side_effect_free

from headrace.arch.model import Device
from headrace.ir.context import make_context
from headrace.ir.diagnostics import did_you_mean, error
from headrace.ir.dialects.headrace_ops import ComputeOp
from headrace.ir.dialects.ktdf_arch import DeviceOp
from headrace.ir.dialects.ktdf_arch_features import FEATURES, MAPS_TO, feature_matches
from headrace.ir.lean import import_lean
from headrace.ir.location import copy_loc

if TYPE_CHECKING:
    from xdsl.interpreters.pdl import PDLMatcher
else:
    PDLMatcher = import_lean("xdsl.interpreters.pdl").PDLMatcher

Constraint = Callable[[Sequence[Any]], Sequence[Attribute] | None]
"""Takes the matched arguments; None refuses, a sequence (the results, perhaps empty) accepts."""

CHECKPOINTS = ("pre_mapping", "pre_scheduling", "post_scheduling", "post_lowering")


# ------------------------------------------------------------------------------------------------ matching


def _is_range(value: SSAValue) -> bool:
    return isinstance(value.type, pdl.RangeType)


class _Matcher(PDLMatcher):
    """PDL matching with ranges of operands and types, and with constraints that bind results."""

    def match_operation(self, ssa_val: SSAValue, pdl_op: pdl.OperationOp, xdsl_op: Operation) -> bool:
        ranged = [value for value in (*pdl_op.operand_values, *pdl_op.type_values) if _is_range(value)]
        if not ranged:
            return super().match_operation(ssa_val, pdl_op, xdsl_op)
        if ssa_val in self.matching_context:
            return self.matching_context[ssa_val] == xdsl_op
        if pdl_op.opName is not None and xdsl_op.name != pdl_op.opName.data:
            return False
        names = [name.data for name in pdl_op.attributeValueNames.data]
        for name, value in zip(names, pdl_op.attribute_values, strict=True):
            attribute = xdsl_op.get_attr_or_prop(name)
            assert isinstance(value, OpResult) and isinstance(value.op, pdl.AttributeOp)
            if attribute is None or not self.match_attribute(value, value.op, name, attribute):
                return False
        types = list(xdsl_op.result_types)
        if not self._match_list(pdl_op.operand_values, list(xdsl_op.operands)):
            return False
        if not self._match_list(pdl_op.type_values, types):
            return False
        self.matching_context[ssa_val] = xdsl_op
        return True

    def _match_list(self, wanted: Sequence[SSAValue], given: Sequence[Any]) -> bool:
        """Match a list with at most one range, which takes what the others leave."""
        spare = len(given) - sum(not _is_range(value) for value in wanted)
        if spare < 0 or (spare > 0 and not any(_is_range(value) for value in wanted)):
            return False
        position = 0
        for value in wanted:
            assert isinstance(value, OpResult)
            if _is_range(value):
                taken = tuple(given[position : position + spare])
                position += spare
                if self.matching_context.setdefault(value, taken) != taken:  # pyright: ignore[reportArgumentType]
                    return False
                continue
            item = given[position]
            position += 1
            match value.op:
                case pdl.OperandOp():
                    matched = self.match_operand(value, value.op, item)
                case pdl.ResultOp():
                    matched = self.match_result(value, value.op, item)
                case pdl.TypeOp():
                    matched = self.match_type(value, value.op, item)
                case _:
                    matched = False
            if not matched:
                return False
        return True

    def check(self, constraint: pdl.ApplyNativeConstraintOp) -> bool:
        """Evaluate a native constraint and bind its results."""
        arguments = [self.get_constant_or_matched_value(argument) for argument in constraint.args]
        results = _CONSTRAINTS[constraint.constraint_name.data](arguments)
        if constraint.is_negated.value.data:
            return results is None
        if results is None:
            return False
        for value, result in zip(constraint.res, results, strict=False):
            self.matching_context[value] = result
        return True


@dataclass(eq=False)
class _Pattern:
    """One compiled pattern."""

    root_value: SSAValue
    root: pdl.OperationOp
    constraints: list[pdl.ApplyNativeConstraintOp]
    rewrite: pdl.RewriteOp

    def match(self, op: Operation) -> _Matcher | None:
        matcher = _Matcher()
        if not matcher.match_operation(self.root_value, self.root, op):
            return None
        return matcher if all(matcher.check(constraint) for constraint in self.constraints) else None


@dataclass
class PatternSet:
    """Patterns by the name of their root op, best benefit first, then in file order."""

    by_root: dict[str, list[_Pattern]] = field(default_factory=dict)
    anywhere: list[_Pattern] = field(default_factory=list)

    def candidates(self, op: Operation) -> Iterable[_Pattern]:
        """Patterns that could start at an op."""
        named = self.by_root.get(op.name)
        if named is None:
            return self.anywhere
        return (*named, *self.anywhere) if self.anywhere else named

    def __bool__(self) -> bool:
        return bool(self.by_root or self.anywhere)


def compile_patterns(patterns: Sequence[pdl.PatternOp]) -> PatternSet:
    """Index patterns and check that the native functions they call exist. HeadraceError otherwise."""
    compiled = PatternSet()
    for pattern in sorted(patterns, key=lambda op: -op.benefit.value.data):
        rewrite = pattern.body.block.last_op
        assert isinstance(rewrite, pdl.RewriteOp)
        for op in pattern.walk():
            known = _CONSTRAINTS if isinstance(op, pdl.ApplyNativeConstraintOp) else _REWRITES
            if isinstance(op, pdl.ApplyNativeConstraintOp | pdl.ApplyNativeRewriteOp):
                name = op.constraint_name.data
                if name not in known:
                    what = "constraint" if known is _CONSTRAINTS else "rewrite"
                    raise error(op, f"unknown native {what} '{name}'{did_you_mean(name, known)}")
        root = _root_of(pattern, rewrite)
        assert isinstance(root, OpResult) and isinstance(root.op, pdl.OperationOp)
        made = _Pattern(
            root,
            root.op,
            [op for op in pattern.body.block.ops if isinstance(op, pdl.ApplyNativeConstraintOp)],
            rewrite,
        )
        name = root.op.opName
        if name is None:
            compiled.anywhere.append(made)
        else:
            compiled.by_root.setdefault(name.data, []).append(made)
    return compiled


def _root_of(pattern: pdl.PatternOp, rewrite: pdl.RewriteOp) -> SSAValue:
    """The named root, else the last op of the pattern whose results no other op of it uses."""
    if rewrite.root is not None:
        return rewrite.root
    operations = [op for op in pattern.body.block.ops if isinstance(op, pdl.OperationOp)]
    used = {
        value.op.parent_
        for op in operations
        for value in op.operand_values
        if isinstance(value, OpResult) and isinstance(value.op, pdl.ResultOp | pdl.ResultsOp)
    }
    free = [op for op in operations if op.op not in used]
    return (free or operations)[-1].op


# ------------------------------------------------------------------------------------------------ rewriting


@lru_cache(maxsize=1)
def _context() -> Context:
    return make_context()


@dataclass(eq=False)
class Rewriter:
    """Runs the rewrite part of a matched pattern; native rewrites get it as first argument."""

    root: Operation
    values: dict[SSAValue, Any]
    touched: list[Operation] = field(default_factory=list)
    """Operations that are new or changed, or use a replaced value."""
    erased: dict[int, Operation] = field(default_factory=dict)
    """Erased operations by identity; holding them keeps an identity from being used again."""

    def run(self, rewrite: pdl.RewriteOp) -> None:
        """Execute the body of a `pdl.rewrite`."""
        assert rewrite.body is not None
        for op in rewrite.body.block.ops:
            self._step(op)

    def _step(self, op: Operation) -> None:
        match op:
            case pdl.AttributeOp():
                self.values[op.output] = op.value
            case pdl.TypeOp():
                self.values[op.result] = op.constantType
            case pdl.ResultOp():
                self.values[op.val] = self.value(op.parent_).results[op.index.value.data]
            case pdl.ResultsOp():
                self.values[op.val] = tuple(self.value(op.parent_).results)
            case pdl.OperationOp():
                self.values[op.op] = self._create(op)
            case pdl.ReplaceOp():
                new = self.value(op.repl_operation) if op.repl_operation is not None else None
                results = list(new.results) if new is not None else self._flatten(op.repl_values)
                self.replace(self.value(op.op_value), results)
            case pdl.EraseOp():
                self.erase(self.value(op.op_value))
            case pdl.ApplyNativeRewriteOp():
                results = _REWRITES[op.constraint_name.data](self, [self.value(value) for value in op.args])
                for value, result in zip(op.res, results or (), strict=False):
                    self.values[value] = result
            case _:
                raise error(op, f"'{op.name}' is not supported in a rewrite")

    def value(self, value: SSAValue) -> Any:
        """What a value of the pattern stands for: matched, made by the rewrite, or constant."""
        if value in self.values:
            return self.values[value]
        match value.owner:
            case pdl.AttributeOp(value=constant) | pdl.TypeOp(constantType=constant) if constant is not None:
                return constant
            case pdl.ResultOp() as op:
                return self.value(op.parent_).results[op.index.value.data]
            case _:
                raise error(self.root, "a device pattern uses a value in its rewrite that it does not match")

    def _flatten(self, values: Iterable[SSAValue]) -> list[Any]:
        flat: list[Any] = []
        for value in values:
            item = self.value(value)
            flat += item if isinstance(item, tuple) else [item]
        return flat

    def _create(self, op: pdl.OperationOp) -> Operation:
        assert op.opName is not None
        op_class = _context().get_optional_op(op.opName.data)
        if op_class is None:
            raise error(op, f"the pattern creates the unknown operation '{op.opName.data}'")
        names = [name.data for name in op.attributeValueNames.data]
        attributes = {name: self.value(value) for name, value in zip(names, op.attribute_values, strict=True)}
        inherent = op_class.get_irdl_definition().properties if issubclass(op_class, IRDLOperation) else {}
        types = self._flatten(op.type_values)
        if not op.type_values and any(isinstance(use.operation, pdl.ReplaceOp) for use in op.op.uses):
            types = list(self.root.result_types)
        return self.insert(
            op_class.create(
                operands=self._flatten(op.operand_values),
                result_types=types,
                properties={name: value for name, value in attributes.items() if name in inherent},
                attributes={name: value for name, value in attributes.items() if name not in inherent},
            )
        )

    def insert(self, op: Operation) -> Operation:
        """Insert a new op before the root."""
        block = self.root.parent_block()
        assert block is not None
        copy_loc(self.root, op)
        block.insert_op_before(op, self.root)
        self.touched.append(op)
        return op

    def replace(self, old: Operation, results: Sequence[SSAValue]) -> None:
        """Replace the results of an op and erase it. HeadraceError if counts or types differ."""
        if [value.type for value in results] != list(old.result_types):
            given = ", ".join(str(value.type) for value in results) or "nothing"
            wanted = ", ".join(map(str, old.result_types)) or "nothing"
            raise error(old, f"a device pattern replaces '{old.name}' ({wanted}) by values of type {given}")
        for result, new in zip(old.results, results, strict=True):
            self.touched += [use.operation for use in result.uses]
            if new.name_hint is None:
                new.name_hint = result.name_hint
            result.replace_all_uses_with(new)
        self.erase(old)

    def erase(self, op: Operation) -> None:
        """Erase an op, and producers that thereby lose their last use and have no effect."""
        producers = [value.op for value in op.operands if isinstance(value, OpResult)]
        self.erased[id(op)] = op
        op.detach()
        op.erase()
        for producer in producers:
            unused = not any(result.uses.get_length() for result in producer.results)
            if id(producer) not in self.erased and unused and is_side_effect_free(producer):
                self.erase(producer)


NativeRewrite = Callable[[Rewriter, Sequence[Any]], Sequence[Any] | None]


# ------------------------------------------------------------------------------------------------ native functions


def _mapped_to(arguments: Sequence[Any]) -> Sequence[Attribute] | None:
    value = arguments[0].attributes.get(MAPS_TO)
    return None if value is None else [value]


def _has_feature(arguments: Sequence[Any]) -> Sequence[Attribute] | None:
    op, name = arguments[0], arguments[1]
    features = op.attributes.get(FEATURES)
    value = features.data.get(name.data) if isinstance(features, DictionaryAttr) else None
    if value is None or (len(arguments) > 2 and not feature_matches(name.data, arguments[2], value)):
        return None
    return [value]


def _map_to(rewriter: Rewriter, arguments: Sequence[Any]) -> None:
    op, value = arguments
    op.attributes[MAPS_TO] = value
    rewriter.touched.append(op)


def _set_feature(rewriter: Rewriter, arguments: Sequence[Any]) -> None:
    op, name, value = arguments
    features = op.attributes.get(FEATURES)
    entries = dict(features.data) if isinstance(features, DictionaryAttr) else {}
    entries[name.data] = value
    op.attributes[FEATURES] = DictionaryAttr(entries)
    rewriter.touched.append(op)


def _plain(attr: Attribute) -> Attribute:
    """An enumeration of a dialect as the string that `headrace.compute` takes."""
    return StringAttr(str(attr.data.value)) if isinstance(attr, EnumAttribute) else attr


def _to_compute(rewriter: Rewriter, arguments: Sequence[Any]) -> None:
    op, key = arguments
    assert isinstance(key, StringAttr)
    attributes = {k: _plain(v) for k, v in {**op.properties, **op.attributes}.items()}
    new = rewriter.insert(ComputeOp(key.data, op.operands, op.result_types, attributes))
    rewriter.replace(op, new.results)


def _copy_attributes(rewriter: Rewriter, arguments: Sequence[Any]) -> None:
    source, target = arguments
    inherent = target.get_irdl_definition().properties if isinstance(target, IRDLOperation) else {}
    for name, value in {**source.properties, **source.attributes}.items():
        (target.properties if name in inherent else target.attributes).setdefault(name, value)


_CONSTRAINTS: dict[str, Constraint] = {
    "ktdf_arch.mapped_to": _mapped_to,
    "ktdf_arch.has_feature": _has_feature,
}
_REWRITES: dict[str, NativeRewrite] = {
    "ktdf_arch.map_to": _map_to,
    "ktdf_arch.set_feature": _set_feature,
    "headrace.to_compute": _to_compute,
    "headrace.copy_attributes": _copy_attributes,
}


def register_constraint(name: str, function: Constraint) -> None:
    """Make a native constraint available to device files."""
    _CONSTRAINTS[name] = function


def register_rewrite(name: str, function: NativeRewrite) -> None:
    """Make a native rewrite available to device files."""
    _REWRITES[name] = function


# ------------------------------------------------------------------------------------------------ driver

_sets: WeakKeyDictionary[Device, dict[frozenset[str], PatternSet]] = WeakKeyDictionary()


def pattern_set(device: Device, groups: Iterable[str]) -> PatternSet:
    """The compiled patterns of a device for a set of enabled groups; cached on the device."""
    key = frozenset(groups)
    cached = _sets.setdefault(device, {})
    if key not in cached:
        cached[key] = compile_patterns(device.patterns_of_groups(sorted(key)))
    return cached[key]


def _walk(root: Operation) -> Iterator[Operation]:
    """Operations below (and on) `root` in order, devices left out."""
    if isinstance(root, DeviceOp):
        return
    yield root
    for region in root.regions:
        for block in region.blocks:
            for op in block.ops:
                yield from _walk(op)


def apply_patterns(root: Operation, device: Device, checkpoint: str | Iterable[str]) -> bool:
    """Apply a device's patterns below `root` (a function or a module); whether anything changed.

    `checkpoint` is the name of a checkpoint, or the enabled groups. HeadraceError if the patterns do not converge.
    """
    patterns = pattern_set(device, [checkpoint] if isinstance(checkpoint, str) else checkpoint)
    if not patterns:
        return False
    pending = deque(op for op in _walk(root) if patterns.candidates(op))
    limit = 10 * len(pending) + 100
    gone: dict[int, Operation] = {}
    rewrites = 0
    while pending:
        op = pending.popleft()
        if id(op) in gone:
            continue
        for pattern in patterns.candidates(op):
            matcher = pattern.match(op)
            if matcher is None:
                continue
            rewrites += 1
            if rewrites > limit:
                raise error(
                    op,
                    f"the patterns of device '{device.name}' do not converge at '{op.name}'",
                )
            rewriter = Rewriter(op, dict(matcher.matching_context))
            rewriter.run(pattern.rewrite)
            gone |= rewriter.erased
            pending.extend(new for new in rewriter.touched if id(new) not in gone and patterns.candidates(new))
            break
    return rewrites > 0


__all__ = [
    "CHECKPOINTS",
    "PatternSet",
    "Rewriter",
    "apply_patterns",
    "compile_patterns",
    "pattern_set",
    "register_constraint",
    "register_rewrite",
]
