"""Tokens of MLIR's text by one regular expression, and the questions parsers ask about them without detours.

`FastTokens` is mixed into each parser that reads these tokens; it answers what xDSL's `GenericParser` and `BaseParser`
answer, with fewer calls for a token. Strings with escapes, quoted symbols, the end of the text and whatever is no token
go through xDSL's lexer.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

from xdsl.parser.generic_parser import GenericParser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input, Span, Token
from xdsl.utils.mlir_lexer import KIND_BY_PUNCTUATION_SPELLING, MLIRLexer, MLIRToken, MLIRTokenKind, StringLiteral

_SUFFIX = r"(?:[0-9]++|[a-zA-Z$._-][a-zA-Z0-9$._-]*+)"
_TOKEN = re.compile(
    r"(?:\s++|//[^\n]*+)*+(?:"
    r"([a-zA-Z_][a-zA-Z0-9_$.]*+)"
    rf"|(%{_SUFFIX})"
    r"|(->|\{-\#|\#-\}|\.\.\.|[:,()\[\]<>=+/*?|{}-])"
    r"|(0x[0-9a-fA-F]++)"
    r"|([0-9]++\.[0-9]*+(?:[eE][+-]?[0-9]++)?)"
    r"|([0-9]{1,4000}+(?![0-9]))"
    rf"|(\#{_SUFFIX})"
    rf"|(!{_SUFFIX})"
    rf"|(\^{_SUFFIX})"
    r"|(@[a-zA-Z_][a-zA-Z0-9_$.]*+)"
    r'|("[^"\\\n\v\f]*+")'
    r")",
    re.ASCII,
)
"""Decimal numbers end at 4,000 digits: Python converts no more."""
_KINDS: tuple[MLIRTokenKind | None, ...] = (
    None,
    MLIRTokenKind.BARE_IDENT,
    MLIRTokenKind.PERCENT_IDENT,
    None,
    MLIRTokenKind.INTEGER_LIT,
    MLIRTokenKind.FLOAT_LIT,
    MLIRTokenKind.INTEGER_LIT,
    MLIRTokenKind.HASH_IDENT,
    MLIRTokenKind.EXCLAMATION_IDENT,
    MLIRTokenKind.CARET_IDENT,
    MLIRTokenKind.AT_IDENT,
    MLIRTokenKind.STRING_LIT,
)
"""Kinds by group; punctuation (None) by its spelling."""
_PUNCTUATION: dict[str, MLIRTokenKind] = {str(text): kind for text, kind in KIND_BY_PUNCTUATION_SPELLING.items()}
_BARE, _INTEGER = MLIRTokenKind.BARE_IDENT, MLIRTokenKind.INTEGER_LIT


class TextToken(Token[MLIRTokenKind, str]):
    """A token that knows its text (`start` to `end` of the source); its span is made when asked for."""

    __slots__ = ("_input", "_span", "end", "kind", "start", "text")

    def __init__(self, kind: MLIRTokenKind, text: str, start: int, end: int, source: Input[str]) -> None:
        self.kind = kind
        self.text = text  # pyright: ignore[reportIncompatibleMethodOverride, reportAttributeAccessIssue]
        self.start = start
        self.end = end
        self._input = source
        self._span: Span[str] | None = None

    @property
    def span(self) -> Span[str]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The place of the token."""
        if self._span is None:
            self._span = Span(self.start, self.end, self._input)
        return self._span


class Lexer(MLIRLexer):
    """MLIR's tokens, one match each."""

    # Possessive repetition: a string that is never closed is given up at once.
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    def lex(self) -> MLIRToken:
        """The next token."""
        source = self.input
        match = _TOKEN.match(source.content, self.pos)
        if match is None:
            return self._lex_rare()
        group = match.lastindex
        assert group is not None
        text = match[group]
        self.pos = end = match.end()
        return TextToken(_KINDS[group] or _PUNCTUATION[text], text, end - len(text), end, source)

    def _lex_rare(self) -> MLIRToken:
        self._consume_whitespace()
        start = self.pos
        head = self.input.content[start : start + 2]
        if head[:1].isdecimal() and head[:1].isascii():
            self._refuse(start, "integer literal is too large")
        if head[:1] in ("#", "!", "^", "%") and head != "#-":
            self._refuse(start, f"expected an identifier after '{head[0]}'")
        if not head.isascii() and head[:1] != '"' and head[:2] != '@"':
            self._refuse(start, f"unexpected character: {head[0] if not head[0].isascii() else head[1]}")
        try:
            found = super().lex()
            kind = found.kind
            if kind is MLIRTokenKind.BYTES_LIT and _is_text(StringLiteral.from_span(found.span).bytes_contents):
                kind = MLIRTokenKind.STRING_LIT
        except UnicodeDecodeError:
            self._refuse(start, "string is not valid UTF-8")
        return TextToken(kind, found.text, found.span.start, found.span.end, self.input)

    def _refuse(self, at: int, message: str) -> NoReturn:
        raise ParseError(Span(at, at + 1, self.input), message)


def _is_text(data: bytes) -> bool:
    """Whether bytes are UTF-8, as the escapes in which the printer puts characters outside of ASCII are."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class FastTokens(GenericParser[MLIRTokenKind, str]):
    """The questions that parsers ask for every token."""

    def _consume_token(self, expected_kind: MLIRTokenKind | None = None) -> MLIRToken:
        state = self._parser_state
        token = state.current_token
        assert expected_kind is None or token.kind is expected_kind, f"unexpected token, expected {expected_kind}"
        state.current_token = state.lexer.lex()
        return token

    def _parse_optional_token(self, expected_kind: MLIRTokenKind) -> MLIRToken | None:
        state = self._parser_state
        token = state.current_token
        if token.kind is not expected_kind:
            return None
        state.current_token = state.lexer.lex()
        return token

    def parse_optional_characters(self, text: str) -> str | None:
        """Take the next token if that is its text."""
        state = self._parser_state
        if state.current_token.text != text:
            return None
        state.current_token = state.lexer.lex()
        return text

    def parse_optional_punctuation(self, punctuation: Any) -> Any:
        """Take a punctuation if it is next."""
        state = self._parser_state
        if state.current_token.kind is not _PUNCTUATION[punctuation]:
            return None
        state.current_token = state.lexer.lex()
        return punctuation

    def parse_punctuation(self, punctuation: Any, context_msg: str = "") -> Any:
        """Take a punctuation that must be next."""
        state = self._parser_state
        if state.current_token.kind is not _PUNCTUATION[punctuation]:
            self.raise_error(f"Expected '{punctuation}'{context_msg}")
        state.current_token = state.lexer.lex()
        return punctuation

    def parse_optional_keyword(self, keyword: str) -> str | None:
        """Take an identifier if it is next."""
        state = self._parser_state
        token = state.current_token
        if token.text != keyword or token.kind is not _BARE:
            return None
        state.current_token = state.lexer.lex()
        return keyword

    def parse_optional_integer(self, allow_boolean: bool = True, allow_negative: bool = True) -> int | None:
        """An integer, decimal or hexadecimal; `true` and `false` count as 1 and 0 if allowed."""
        token = self._consume_if_number(allow_boolean, allow_negative)
        if token is None:
            return None
        text = token.text
        if text == "-":
            token = self._parse_optional_token(_INTEGER)
            if token is None:
                self.raise_error("Expected integer literal after '-'")
            return -self._integer(token)
        return int(text == "true") if token.kind is _BARE else self._integer(token)

    def _consume_if_number(self, allow_boolean: bool, allow_negative: bool) -> MLIRToken | None:
        token = self._parser_state.current_token
        kind = token.kind
        if (
            kind is _INTEGER
            or (allow_negative and kind is MLIRTokenKind.MINUS)
            or (allow_boolean and kind is _BARE and token.text in ("true", "false"))
        ):
            return self._consume_token()
        return None

    def _integer(self, token: MLIRToken) -> int:
        text = token.text
        return int(text, 16) if text[:2] == "0x" else int(text)
