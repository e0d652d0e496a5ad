"""The two doors of the IR: text to module and module to text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import MultipleSpansParseError, ParseError

from headrace.ir.context import make_context
from headrace.ir.diagnostics import Diagnostic, DiagnosticEngine, HeadraceError
from headrace.ir.guard import MALFORMED, PARSE_FRAMES, frames, malformed
from headrace.ir.outline import blank, enclosing_item
from headrace.ir.parser import Parser
from headrace.ir.printer import attribute_text, op_text
from headrace.ir.verify import verify as verify_op

__all__ = ["attribute_text", "op_text", "parse_file", "parse_module", "print_module", "verify_op"]


#: How many syntax errors are reported after the first.
_FURTHER = 9


def parse_module(
    text: str,
    filename: str = "<stdin>",
    strict: bool = False,
    ctx: Context | None = None,
    verify: bool = True,
    diagnostics: DiagnosticEngine | None = None,
    first_line: int = 1,
    make_parser: Callable[..., Parser] = Parser,
    recover: bool = True,
) -> ModuleOp:
    """Parse and verify a text.

    Several top-level operations are put into one module. Warnings (lenient forms) go to `diagnostics`, or to the
    innermost `diagnostics.collecting()`. Raises `HeadraceError` with located diagnostics; never anything else.
    With `recover`, the syntax errors of other functions than the first wrong one are reported too.
    `make_parser` is called as `Parser` is: a subclass can watch the parse.
    """
    parser: Parser | None = None
    try:
        with frames(PARSE_FRAMES):
            parser = make_parser(
                ctx if ctx is not None else make_context(),
                text,
                filename,
                strict=strict,
                diagnostics=diagnostics,
                first_line=first_line,
            )
            module = parser.parse_module()
            if verify:
                verify_op(module)
            return module
    except ParseError as problem:
        first = _located(problem, filename, text, first_line)
        further = _further(text, problem.span.start, filename, strict, ctx, first_line) if recover else []
        raise HeadraceError([first, *further]) from None
    except HeadraceError:
        raise
    except RecursionError:
        message = "the input is nested too deeply"
    except MALFORMED as problem:
        message = malformed(problem)
    place = parser.source.locate(parser.pos) if parser is not None else None
    raise HeadraceError(Diagnostic("error", message, place))


def _further(
    text: str, offset: int, filename: str, strict: bool, ctx: Context | None, first_line: int
) -> list[Diagnostic]:
    """Syntax errors behind the one at `offset`: the function around each is blanked out and the rest parsed again."""
    found: list[Diagnostic] = []
    while len(found) < _FURTHER:
        item = enclosing_item(text, offset)
        if item is None or text[item[0] : item[1]].lstrip()[:1] in ("#", "!", "", "{"):
            break  # no function: what follows may use what is missing here
        remaining = blank(text, *item)
        if remaining == text:
            break
        text = remaining
        try:
            with frames(PARSE_FRAMES):
                context = ctx if ctx is not None else make_context()
                quiet = DiagnosticEngine()
                Parser(context, text, filename, strict=strict, diagnostics=quiet, first_line=first_line).parse_module()
            break
        except ParseError as problem:
            if problem.span.start <= offset:
                break
            offset = problem.span.start
            found.append(_located(problem, filename, text, first_line))
        except (HeadraceError, RecursionError, *MALFORMED):
            break
    return found


def _located(problem: ParseError, filename: str, text: str, first_line: int) -> Diagnostic:
    from headrace.ir.location import SourceFile

    source = SourceFile(filename, text, first_line)
    notes: list[Diagnostic] = []
    if isinstance(problem, MultipleSpansParseError):
        notes = [
            Diagnostic("note", message or problem.ref_text or "", source.locate(span.start))
            for span, message in problem.refs
        ]
    message = problem.msg
    if message[:2].istitle() and not message.startswith("Dialect `"):  # The one of MLIR's messages with a capital.
        message = message[:1].lower() + message[1:]
    return Diagnostic("error", message, source.locate(min(problem.span.start, len(text))), tuple(notes))


def parse_file(
    path: str | Path,
    strict: bool = False,
    ctx: Context | None = None,
    verify: bool = True,
    diagnostics: DiagnosticEngine | None = None,
) -> ModuleOp:
    """`parse_module` of a file; a missing or unreadable file is a `HeadraceError` too."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "not UTF-8 text"
        raise HeadraceError(Diagnostic("error", f"cannot read '{path}': {reason}")) from None
    return parse_module(text, str(path), strict, ctx, verify, diagnostics)


def print_module(op: Operation, generic: bool = False, debuginfo: bool = False, keep_names: bool = False) -> str:
    """The text of a module (or any operation) as MLIR prints it, with aliases first.

    `keep_names` keeps the value names of the source text instead of MLIR's numbering.
    """
    return op_text(op, generic=generic, debuginfo=debuginfo, keep_names=keep_names)
