"""MLIR's text to IR: xDSL's parser with located operations, late aliases, MLIR's affine rules and better messages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    BoolAttr,
    CallSiteLoc,
    DenseResourceAttr,
    FileLineColLoc,
    FusedLoc,
    IndexType,
    IntAttr,
    IntegerAttr,
    LocationAttr,
    ModuleOp,
    NameLoc,
    NoneAttr,
    ShapedType,
    StringAttr,
    UnknownLoc,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap, AffineSet
from xdsl.parser import UnresolvedOperand
from xdsl.parser.core import ForwardDeclaredValue
from xdsl.parser.generic_parser import ParserState
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import MultipleSpansParseError, ParseError
from xdsl.utils.lexer import Input, Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from headrace.ir.affine import AffineParser
from headrace.ir.diagnostics import DiagnosticEngine, did_you_mean, engine
from headrace.ir.guard import MALFORMED, malformed
from headrace.ir.lexer import FastTokens, Lexer
from headrace.ir.location import RangeLoc, SourceFile, SourceLoc, unchecked
from headrace.ir.resources import Blob, parse_metadata, with_blob
from headrace.ir.shaped import ShapedParser
from headrace.ir.upstream import lookup

_LOCATIONS = (UnknownLoc, FileLineColLoc, NameLoc, CallSiteLoc, FusedLoc)
_ALIAS_DEFINITION = re.compile(r"^[ \t]*([#!][A-Za-z_$.\-][\w$.\-]*)[ \t]*=(?!=)", re.MULTILINE)


_FLAT = r"(?:[^<>\"\n-]++|->|-|>=|<=)*+"
_NESTED = rf"(?:[^<>\"\n-]++|->|-|>=|<=|<{_FLAT}>)*+"
_BODY = rf"<(?:[^<>\"\n-]++|->|-|>=|<=|<{_NESTED}>)*+>"
_REUSABLE = re.compile(rf"(?:tensor|memref|vector|affine_map|affine_set|strided|array|[!#][a-zA-Z]\w*\.[\w.]+){_BODY}")
"""The text of a type or attribute on one line, its angle brackets balanced, without strings."""
_ALIAS = re.compile(r"[!#][\w$-]++(?![\w$.-])")
_REUSED_NAMES = frozenset({"tensor", "memref", "vector", "affine_map", "affine_set", "strided", "array"})
_NUMBER_NAME = re.compile(r"[su]?i[0-9]+|index|b?f[0-9]+")


_CLAUSES: dict[str, dict[str, str]] = {
    **{name: {"alignment": "alignment"} for name in ("memref.alloc", "memref.alloca", "memref.global")},
    **{
        f"{dialect}.{verb}": {"alignment": "alignment", "nontemporal": "nontemporal"}
        for dialect, verbs in (
            ("memref", ("load", "store")),
            ("vector", ("load", "store", "maskedload", "maskedstore")),
        )
        for verb in verbs
    },
    "pdl.apply_native_constraint": {"is_negated": "isNegated"},
}
"""Per operation, the properties that newer MLIR writes as `name = value` or `name(value)` outside the dictionary."""

_WITHOUT_UNKNOWN_OPERATIONS = frozenset({"affine", "arith", "builtin", "cf", "func", "pdl", "scf"})
"""Dialects of which every operation is known: another name is a mistake even where unregistered ones are allowed."""

DEEPEST = 400
"""Calls for a type or attribute inside each other, up to two for each pair of brackets."""


class Parser(FastTokens, ShapedParser):
    """A recursive descent parser over one text.

    `strict` refuses what MLIR refuses although real files contain it; without it such forms are accepted and reported
    to `diagnostics` as warnings.
    """

    def __init__(
        self,
        ctx: Context,
        input: str,
        name: str = "<stdin>",
        *,
        strict: bool = False,
        diagnostics: DiagnosticEngine | None = None,
        first_line: int = 1,
    ) -> None:
        self.source = SourceFile(name, input, first_line)
        self.strict = strict
        self.diagnostics = diagnostics if diagnostics is not None else engine()
        self._alias_offsets: dict[str, int] | None = None
        self._alias_active: list[str] = []
        self._alias_early: set[str] = set()
        self._op_stack: list[type[Operation]] = []
        self._forward_spans: dict[str, Span] = {}
        self._definition_spans: dict[SSAValue, Span] = {}
        self.resources: dict[str, Blob] = {}
        self._argument_locations: dict[int, Any] = {}
        self._known: dict[str, Any] = {}
        self._warnings = 0
        self._depth = 0
        self._scope: list[tuple[dict[str, tuple[SSAValue, ...]], str]] = []
        super().__init__(ctx, "", name)
        self._parser_state = ParserState(Lexer(Input(input, name)))

    # ---- messages ---------------------------------------------------------------------------------------------------

    def warn(self, message: str, at: Span | int | None = None) -> None:
        """Report a warning at a span or offset (default: the current token); with `strict` it is an error."""
        offset = at.start if isinstance(at, Span) else self._current_token.span.start if at is None else at
        if self.strict:
            self.raise_error(message, offset)
        self._warnings += 1
        self.diagnostics.warning(self.source.locate(offset), message)

    # ---- types and attributes seen before ---------------------------------------------------------------------------

    def parse_optional_type(self) -> Any:
        token: Any = self._parser_state.current_token
        kind, text = token.kind, token.text
        if kind is MLIRTokenKind.BARE_IDENT and (found := self._known.get(text)) is not None:
            self._consume_token()
            return found
        self._deeper()
        if (kind is MLIRTokenKind.BARE_IDENT and text in _REUSED_NAMES) or (
            kind is MLIRTokenKind.EXCLAMATION_IDENT and "." in text
        ):
            found = self._reuse(token.start, super().parse_optional_type)
        else:
            found = super().parse_optional_type()
            if found is not None and kind is MLIRTokenKind.BARE_IDENT and _NUMBER_NAME.fullmatch(text):
                self._known[text] = found
        self._depth -= 1
        return found

    def parse_optional_attribute(self) -> Attribute | None:
        token: Any = self._parser_state.current_token
        kind, text = token.kind, token.text
        self._deeper()
        if (kind is MLIRTokenKind.BARE_IDENT and text in _REUSED_NAMES) or (
            kind is MLIRTokenKind.HASH_IDENT and "." in text
        ):
            found = self._reuse(token.start, super().parse_optional_attribute)
        else:
            found = super().parse_optional_attribute()
        self._depth -= 1
        return found

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            self.raise_error("types and attributes are nested too deeply")

    def _reuse(self, start: int, parse: Callable[[], Any]) -> Any:
        """What `parse` makes of the text at `start`, or what it made of the same characters before.

        Types and attributes follow from their text alone, unless it names an alias or draws a warning.
        """
        match = _REUSABLE.match(self.source.text, start)
        if match is None:
            return parse()
        text = match[0]
        found = self._known.get(text)
        state = self._parser_state
        if found is not None:
            state.lexer.pos = match.end()
            state.current_token = state.lexer.lex()
            return found
        warnings = self._warnings
        found = parse()
        closing = self.source.text.rfind(">", start, self._current_token.span.start) + 1
        if found is not None and closing == match.end() and warnings == self._warnings and not _ALIAS.search(text):
            self._known[text] = found
        return found

    # ---- aliases ----------------------------------------------------------------------------------------------------

    def _resolve_alias(self, alias: str, span: Span) -> Attribute:
        found = self.attribute_aliases.get(alias)
        if found is not None:
            return found
        if self._alias_offsets is None:
            self._alias_offsets = {}
            for match in _ALIAS_DEFINITION.finditer(self.source.text):
                self._alias_offsets.setdefault(match.group(1), match.end())
        offset = self._alias_offsets.get(alias)
        if offset is None:
            known = set(self._alias_offsets) | set(self.attribute_aliases)
            self.raise_error(f"undefined symbol alias id '{alias[1:]}'{did_you_mean(alias, known)}", span)
        if alias in self._alias_active:
            self.raise_error(f"alias '{alias}' is defined in terms of itself", span)
        token, position = self._parser_state.current_token, self.lexer.pos
        self._alias_active.append(alias)
        self._resume_from(offset)
        value = self.parse_attribute()
        self._alias_active.pop()
        self.lexer.pos, self._parser_state.current_token = position, token
        self.attribute_aliases[alias] = value
        self._alias_early.add(alias)
        return value

    def _parse_extended_type_or_attribute(self, attr_or_dialect_name: str, is_type: bool = True) -> Any:
        # The name has been consumed; a following `<` makes it an opaque dialect attribute.
        if "." not in attr_or_dialect_name and self._current_token.kind != MLIRTokenKind.LESS:
            end = self._current_token.span.start
            alias = ("!" if is_type else "#") + attr_or_dialect_name
            start = self.source.text.rfind(alias, 0, end)
            return self._resolve_alias(alias, Span(start if start >= 0 else end, end, self.lexer.input))
        return super()._parse_extended_type_or_attribute(attr_or_dialect_name, is_type)  # pyright: ignore

    def _parse_alias_def(self) -> None:
        alias = self._current_token.text
        if "." in alias:
            what = "attribute" if alias[0] == "#" else "type"
            self.raise_error(f"{what} names with a '.' are reserved for dialect-defined names")
        if alias in self._alias_early:
            self._alias_early.discard(alias)
            self._consume_token()
            self.parse_punctuation("=")
            self.parse_attribute()
            return
        super()._parse_alias_def()

    # ---- affine -----------------------------------------------------------------------------------------------------

    def parse_affine_map(self) -> AffineMap:
        return AffineParser(self._parser_state).parse_affine_map()

    def parse_affine_set(self) -> AffineSet:
        return AffineParser(self._parser_state).parse_affine_set()

    def _parse_builtin_affine_map(self) -> AffineMapAttr:
        with self.in_angle_brackets():
            return AffineMapAttr(self.parse_affine_map())

    def _parse_builtin_affine_set(self) -> AffineSetAttr:
        with self.in_angle_brackets():
            return AffineSetAttr(self.parse_affine_set())

    def parse_affine_map_of_ssa_ids(self) -> tuple[AffineMap, Sequence[SSAValue[IndexType]]]:
        found, spans = AffineParser(self._parser_state).parse_affine_map_of_ssa_ids()
        return found, [self.resolve_operand(UnresolvedOperand(span, 0), IndexType()) for span in spans]

    # ---- arguments -------------------------------------------------------------------------------------------------

    def parse_optional_argument(self, expect_type: bool = True) -> Any:
        found = super().parse_optional_argument(expect_type)
        if found is not None and self._current_token.text == "loc":
            location = self.parse_optional_location()
            if expect_type:
                found.location = location  # pyright: ignore[reportAttributeAccessIssue]
            else:  # Newer MLIR prints a location after induction variables too.
                self._argument_locations[found.name.start] = location
        return found

    def _place_arguments(self, arguments: Sequence[Any]) -> None:
        """Arguments without a location of their own are where their names stand."""
        for argument in arguments:
            if argument.location is None:
                start = argument.name.start
                argument.location = SourceLoc(self.source, start, self._argument_locations.pop(start, None))

    def _parse_optional_block_arg_list(self, block: Any) -> Any:
        if self._current_token.kind != MLIRTokenKind.L_PAREN:
            return None

        def argument() -> None:
            if self._current_token.kind != MLIRTokenKind.PERCENT_IDENT:
                self.raise_error("expected a block argument")
            span = self._consume_token().span
            self.parse_punctuation(":")
            kind = self.parse_type()
            location = self.parse_optional_location()
            if location is None:
                location = SourceLoc(self.source, span.start)
            made = block.insert_arg(kind, len(block.args), location)
            self._register_ssa_definition(span.text[1:], (made,), span)

        self.parse_comma_separated_list(self.Delimiter.PAREN, argument)
        return block

    # ---- resources --------------------------------------------------------------------------------------------------

    def _parse_builtin_dense_resource_attr(self) -> DenseResourceAttr:
        self.parse_punctuation("<")
        key = self.parse_identifier()
        self.parse_punctuation(">")
        self.parse_punctuation(":")
        at = self.pos
        kind = self.parse_type()
        if not isinstance(kind, ShapedType):
            self.raise_error(f"`dense_resource` expected a shaped type, but got '{kind}'", at)
        return with_blob(DenseResourceAttr.from_params(key, kind), self.resources.setdefault(key, Blob()))

    def _parse_file_metadata_dictionary(self) -> None:
        parse_metadata(self)

    # ---- locations --------------------------------------------------------------------------------------------------

    def parse_optional_location(self) -> LocationAttr | None:
        if self.parse_optional_keyword("loc") is None:
            return None
        self.parse_punctuation("(")
        found = self._parse_location()
        self.parse_punctuation(")")
        return found

    def _parse_location(self) -> LocationAttr:
        self._deeper()
        found = self._parse_nested_location()
        self._depth -= 1
        return found

    def _parse_nested_location(self) -> LocationAttr:
        if self._current_token.kind == MLIRTokenKind.STRING_LIT:
            name = StringAttr(self.parse_str_literal())
            if self.parse_optional_punctuation(":") is not None:
                line = self.parse_integer(False, False)
                self.parse_punctuation(":")
                column = self.parse_integer(False, False)
                if self.parse_optional_keyword("to") is not None:
                    end = line
                    if self.parse_optional_punctuation(":") is None:
                        end = self.parse_integer(False, False)
                        self.parse_punctuation(":")
                    last = self.parse_integer(False, False)
                    start = FileLineColLoc(name, IntAttr(line), IntAttr(column))
                    return RangeLoc(start, end, last)  # pyright: ignore[reportReturnType]
                return FileLineColLoc(name, IntAttr(line), IntAttr(column))
            if self.parse_optional_punctuation("(") is not None:
                inner: Attribute = self._parse_location()
                self.parse_punctuation(")")
            else:
                inner = NoneAttr()
            return unchecked(NameLoc, desc=name, location=inner)
        if self._current_token.kind == MLIRTokenKind.HASH_IDENT:
            at = self._current_token.span
            found = self.parse_attribute()
            if not isinstance(found, (*_LOCATIONS, RangeLoc)):
                self.raise_error(f"expected a location, but the alias names '{found}'", at)
            return found  # pyright: ignore[reportReturnType]
        if self._current_token.text == "fused":
            self._consume_token()
            metadata: Attribute = NoneAttr()
            if self.parse_optional_punctuation("<") is not None:
                metadata = self.parse_attribute()
                self.parse_punctuation(">")
            parts = self.parse_comma_separated_list(self.Delimiter.SQUARE, self._parse_location)
            return unchecked(FusedLoc, locations=ArrayAttr(parts), metadata=metadata)
        if self._current_token.text == "callsite":
            self._consume_token()
            self.parse_punctuation("(")
            callee = self._parse_location()
            self.parse_keyword("at")
            caller = self._parse_location()
            self.parse_punctuation(")")
            return unchecked(CallSiteLoc, callee=callee, caller=caller)
        return super()._parse_location()

    # ---- operations -------------------------------------------------------------------------------------------------

    def parse_operation(self) -> Operation:
        start = self._current_token.span
        bound = self._parse_op_result_list()
        token = self._current_token
        offset = token.span.start
        explicit: Attribute | None = None
        if token.kind == MLIRTokenKind.BARE_IDENT:
            self._consume_token()
            op_type = self._op_type(token.text, token.span)
            parse = lookup(op_type).parse or op_type.parse
            self._enter(op_type)
            op = self._guarded(op_type, token.span, parse, self)
            self._leave()
            explicit = self.parse_optional_location()
        else:
            name = self.expect(self.parse_optional_str_literal, "operation name expected")
            if not name:
                self.raise_error("empty operation name is invalid", token.span)
            op_type = self._op_type(name, token.span, True)
            self._enter(op_type)
            op = self._guarded(op_type, token.span, self._parse_generic_operation, op_type)
            self._leave()
            if op.location.name != "unknown_loc":
                explicit = op.location
        op.location = SourceLoc(self.source, offset, explicit)  # pyright: ignore[reportAttributeAccessIssue]
        if bound:
            given = sum(size for _, size in bound)
            if len(op.results) != given:
                self.raise_error(f"operation defines {len(op.results)} results but was provided {given} to bind", start)
            position = 0
            for span, size in bound:
                self._register_ssa_definition(span.text[1:], op.results[position : position + size], span)
                position += size
        return op

    def _guarded(
        self, op_type: type[Operation], at: Span, parse: Callable[[Any], Operation], argument: Any
    ) -> Operation:
        """`parse(argument)`; what its constructors raise becomes an error at the name of the operation."""
        try:
            return parse(argument)
        except ParseError:
            raise
        except MALFORMED as problem:
            self.raise_error(f"'{op_type.name}' op {malformed(problem)}", at)

    def _enter(self, op_type: type[Operation]) -> None:
        self._parser_state.dialect_stack.append(op_type.dialect_name())
        self._op_stack.append(op_type)

    def _leave(self) -> None:
        self._op_stack.pop()
        self._parser_state.dialect_stack.pop()

    def _op_type(self, name: str, span: Span, generic: bool = False) -> type[Operation]:
        found = self.ctx.get_optional_op(name, dialect_stack=self._parser_state.dialect_stack)
        dialect, dot, _ = name.partition(".")
        if found is not None and (
            not issubclass(found, UnregisteredOp) or (generic and dialect not in _WITHOUT_UNKNOWN_OPERATIONS)
        ):
            return found
        dialects = sorted({*self.ctx.registered_dialect_names})
        if dot and dialect not in dialects:
            hint = did_you_mean(dialect, dialects)
            if generic:
                self.raise_error(f"operation '{name}' being parsed with an unregistered dialect{hint}", span)
            self.raise_error(f"Dialect `{dialect}' not found for custom op '{name}'{hint}", span)
        for other in [dialect] if dot else ["func", "builtin"]:
            self.ctx.get_optional_dialect(other)
        names = [op.name for op in self.ctx.loaded_ops]
        hint = did_you_mean(name, names)
        if not hint and not dot:
            hint = did_you_mean(name, [item.partition(".")[2] for item in names])
        if generic and dot:
            hint = f" found in dialect ('{dialect}') that does not allow unknown operations{hint}"
            self.raise_error(f"unregistered operation '{name}'{hint}", span)
        self.raise_error(f"custom op '{name}' is unknown{hint}", span)

    def _get_op_by_name(self, name: str) -> type[Operation]:
        return self._op_type(name, self._current_token.span, True)

    # ---- regions and values -----------------------------------------------------------------------------------------

    def parse_optional_region(self, arguments: Sequence[Any] | None = None) -> Region | None:
        if self._current_token.kind != MLIRTokenKind.L_BRACE:
            return None
        if arguments:
            self._place_arguments(arguments)
        isolated = bool(self._op_stack) and self._op_stack[-1].has_trait(IsolatedFromAbove, value_if_unregistered=False)
        values, forward, scope = self.ssa_values, self.forward_ssa_references, self._scope
        blocks, missing = self.blocks, self.forward_block_references
        if isolated:
            self.ssa_values, self.forward_ssa_references = {}, {}
        self.blocks, self.forward_block_references, self._scope = {}, defaultdict(list), []
        region = self._parse_region_body(arguments)
        if isolated:
            self._check_forward()
        for table, name in self._scope:
            table.pop(name, None)
        self.ssa_values, self.forward_ssa_references, self._scope = values, forward, scope
        self.blocks, self.forward_block_references = blocks, missing
        return region

    def _parse_region_body(self, arguments: Sequence[Any] | None) -> Region:
        """The blocks between the braces; names defined there are noted in `_scope`."""
        opening = self._consume_token().span
        region = Region()
        labelled = self._current_token.kind == MLIRTokenKind.CARET_IDENT
        if arguments or (arguments is not None and not labelled):
            if labelled:
                self.raise_error("invalid block name in region with named arguments")
            entry = Block(arg_types=[argument.type for argument in arguments])
            for value, argument in zip(entry.args, arguments, strict=True):
                self._register_ssa_definition(argument.name.text[1:], (value,), argument.name)
                value.location = argument.location
            self._parse_block_body(entry)
            region.add_block(entry)
        elif self._current_token.kind not in (MLIRTokenKind.CARET_IDENT, MLIRTokenKind.R_BRACE):
            entry = Block()
            self._parse_block_body(entry)
            region.add_block(entry)
        while self.parse_optional_punctuation("}") is None:
            if self._current_token.kind != MLIRTokenKind.CARET_IDENT:
                if self._current_token.kind == MLIRTokenKind.EOF:
                    end = self._current_token.span
                    raise MultipleSpansParseError(end, "expected '}'", "", [(opening, "the region starts here")])
                self.raise_error("expected an operation, a block or '}'")
            region.add_block(self._parse_block())
        for name, spans in self.forward_block_references.items():
            self.raise_error(f"reference to an undefined block '^{name}'{did_you_mean(name, self.blocks)}", spans[0])
        return region

    def _check_forward(self) -> None:
        for name in self.forward_ssa_references:
            self.raise_error(
                f"use of undeclared SSA value name '%{name}'{did_you_mean(name, self.ssa_values)}",
                self._forward_spans.get(name),
            )

    def parse_optional_attr_dict(self) -> dict[str, Attribute]:
        if self._current_token.kind != MLIRTokenKind.BARE_IDENT or not self._op_stack:
            return super().parse_optional_attr_dict()
        names = _CLAUSES.get(self._op_stack[-1].name, {})
        found: dict[str, Attribute] = {}
        while (key := names.get(self._current_token.text)) is not None:
            if key in found:
                self.raise_error(f"'{self._current_token.text}' is given twice")
            self._consume_token()
            closing = None if self.parse_optional_punctuation("=") is not None else ")"
            if closing is not None:
                self.parse_punctuation("(")
            found[key] = (
                IntegerAttr(self.parse_integer(), 64)
                if key == "alignment"
                else BoolAttr.from_bool(self.parse_boolean())
            )
            if closing is not None:
                self.parse_punctuation(")")
        at = self._current_token.span
        written = super().parse_optional_attr_dict()
        if twice := sorted(found.keys() & written.keys()):
            self.raise_error(f"'{twice[0]}' is given twice", at)
        return {**written, **found}

    def parse_optional_unresolved_operand(self) -> UnresolvedOperand | None:
        token = self._parse_optional_token(MLIRTokenKind.PERCENT_IDENT)
        if token is None:
            return None
        number = self._parse_optional_token(MLIRTokenKind.HASH_IDENT)
        if number is None:
            return UnresolvedOperand(token.span, 0)
        if not number.text[1:].isdecimal():
            self.raise_error("expected an integer as the number of a result", number.span)
        return UnresolvedOperand(token.span, int(number.text[1:]))

    def resolve_operand(self, operand: UnresolvedOperand, type: Any) -> SSAValue[Any]:
        name, index = operand.operand_name, operand.index
        values = self.ssa_values.get(name)
        if values is None:
            self._forward_spans.setdefault(name, operand.span)
            references = self.forward_ssa_references.setdefault(name, {})
            found = references.get(index)
            if found is None:
                found = references[index] = ForwardDeclaredValue(type)
                return found
        elif index >= len(values):
            self.raise_error(f"'%{name}' has {len(values)} results, but '#{index}' is used", operand.span)
        else:
            found = values[index]
        known = found.type
        if known is not type and known != type:
            self.raise_error(
                f"use of value '%{name}' expects different type than prior uses: '{type}' vs '{known}'", operand.span
            )
        return found

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        if name in self.ssa_values:
            self.raise_error(f"redefinition of SSA value '%{name}'", span)
        self.ssa_values[name] = tuple(values)
        self._scope.append((self.ssa_values, name))
        references = self.forward_ssa_references.pop(name, None)
        for index, value in (references or {}).items():
            used = f"%{name}" if len(values) == 1 else f"%{name}#{index}"
            if index >= len(values):
                self.raise_error(f"'{used}' was used before, but '%{name}' has {len(values)} results", span)
            found = values[index]
            if not value.uses:  # the operation that uses it is not built yet: it encloses this definition
                where = self._forward_spans[name]
                message = f"'{used}' does not dominate this use: a region of the same operation defines it"
                self.raise_error(message, where)
            if found.type != value.type:
                self.raise_error(
                    f"definition of '{used}' with type '{found.type}', but it was used with type '{value.type}'", span
                )
            value.replace_all_uses_with(found)
        if not name[0].isdecimal():
            for value in values:
                value.name_hint = name

    def value_of(self, operand: UnresolvedOperand) -> SSAValue | None:
        """The value an operand names if it is already defined (to infer a type the text leaves out)."""
        values = self.ssa_values.get(operand.operand_name)
        return values[operand.index] if values is not None and operand.index < len(values) else None

    # ---- whole files ------------------------------------------------------------------------------------------------

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse a whole text. One top-level module is returned as it is; anything else is put into a new module."""
        ops: list[Operation] = []
        while (kind := self._current_token.kind) != MLIRTokenKind.EOF:
            if kind in (MLIRTokenKind.HASH_IDENT, MLIRTokenKind.EXCLAMATION_IDENT):
                self._parse_alias_def()
            elif kind == MLIRTokenKind.FILE_METADATA_BEGIN:
                self._parse_file_metadata_dictionary()
            elif (op := self.parse_optional_operation()) is not None:
                ops.append(op)
            else:
                self.raise_error("expected operation name in quotes" if ops else "expected an operation")
        self._check_forward()
        if len(ops) == 1 and isinstance(ops[0], ModuleOp):
            return ops[0]
        module = ModuleOp(ops)
        nowhere = FileLineColLoc(StringAttr(self.source.name), IntAttr(0), IntAttr(0))
        module.location = SourceLoc(self.source, 0, nowhere)  # pyright: ignore[reportAttributeAccessIssue]
        return module
