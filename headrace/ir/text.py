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
from headrace.ir.parser import Parser
from headrace.ir.printer import attribute_text, op_text
from headrace.ir.verify import verify as verify_op

__all__ = ["attribute_text", "op_text", "parse_file", "parse_module", "print_module", "verify_op"]


def parse_module(
    text: str,
    filename: str = "<stdin>",
    strict: bool = False,
    ctx: Context | None = None,
    verify: bool = True,
    diagnostics: DiagnosticEngine | None = None,
    first_line: int = 1,
    make_parser: Callable[..., Parser] = Parser,
) -> ModuleOp:
    """Parse and verify a text.

    Several top-level operations are put into one module. Warnings (lenient forms) go to `diagnostics`, or to the
    innermost `diagnostics.collecting()`. Raises `HeadraceError` with located diagnostics; never anything else.
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
        raise _located(problem, filename, text, first_line) from None
    except HeadraceError:
        raise
    except RecursionError:
        message = "the input is nested too deeply"
    except MALFORMED as problem:
        message = malformed(problem)
    place = parser.source.locate(parser.pos) if parser is not None else None
    raise HeadraceError(Diagnostic("error", message, place))


def _located(problem: ParseError, filename: str, text: str, first_line: int) -> HeadraceError:
    from headrace.ir.location import SourceFile

    source = SourceFile(filename, text, first_line)
    notes: list[Diagnostic] = []
    if isinstance(problem, MultipleSpansParseError):
        notes = [
            Diagnostic("note", message or problem.ref_text or "", source.locate(span.start))
            for span, message in problem.refs
        ]
    message = problem.msg[:1].lower() + problem.msg[1:] if problem.msg[:2].istitle() else problem.msg
    return HeadraceError(Diagnostic("error", message, source.locate(min(problem.span.start, len(text))), tuple(notes)))


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
