"""The server: an editor's requests over standard input and output, with `pygls` doing the protocol.

Texts are analysed when they are opened and `DELAY` seconds after the last change; a request in between analyses
at once.
Whatever goes wrong with one text or request is reported to the editor's log, and the server goes on.
"""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import Callable
from functools import wraps
from pathlib import PurePosixPath
from typing import Any, ParamSpec, TypeVar
from urllib.parse import unquote, urlparse

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from headrace import __version__
from headrace.lsp import features
from headrace.lsp.analysis import Analysis, Problem, analyse
from headrace.lsp.completion import completion as complete

#: Seconds between the last change of a text and its diagnostics.
DELAY = 0.2

_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "remark": types.DiagnosticSeverity.Information,
    "note": types.DiagnosticSeverity.Hint,
}
_KIND = {
    "op": types.CompletionItemKind.Function,
    "dialect": types.CompletionItemKind.Module,
    "pass": types.CompletionItemKind.Event,
    "option": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.Variable,
    "symbol": types.CompletionItemKind.Reference,
    "alias": types.CompletionItemKind.Constant,
    "type": types.CompletionItemKind.Class,
}

P = ParamSpec("P")
R = TypeVar("R")


class HeadraceServer(LanguageServer):
    """Keeps one analysis per open text."""

    def __init__(self) -> None:
        super().__init__("headrace", __version__)
        self._analyses: dict[str, tuple[str, Analysis]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def analysis(self, uri: str) -> Analysis:
        """The analysis of the present text."""
        text = self.workspace.get_text_document(uri).source
        kept = self._analyses.get(uri)
        if kept is None or kept[0] != text:
            kept = self._analyses[uri] = text, analyse(text, PurePosixPath(unquote(urlparse(uri).path)).name or uri)
        return kept[1]

    def schedule(self, uri: str, delay: float) -> None:
        """Publish diagnostics after `delay` seconds unless the text changes again."""
        timer = self._timers.pop(uri, None)
        if timer is not None:
            timer.cancel()
        if delay <= 0:
            self.publish(uri)
        else:
            self._timers[uri] = asyncio.get_running_loop().call_later(delay, self.publish, uri)

    def publish(self, uri: str) -> None:
        """Send the diagnostics of a text."""
        self._timers.pop(uri, None)
        try:
            document = self.workspace.get_text_document(uri)
            analysis = self.analysis(uri)
            found = [self._diagnostic(problem, analysis, document) for problem in analysis.problems]
        except Exception:
            self.log(f"{uri}: {traceback.format_exc()}")
            return
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, document.version))

    def forget(self, uri: str) -> None:
        """Drop a closed text and its diagnostics."""
        timer = self._timers.pop(uri, None)
        if timer is not None:
            timer.cancel()
        self._analyses.pop(uri, None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def log(self, message: str) -> None:
        """Write to the editor's log."""
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, f"headrace: {message}"))

    def range(self, analysis: Analysis, document: TextDocument, start: int, end: int) -> types.Range:
        """A range in the units of the client."""
        lines = document.lines
        places = [types.Position(*analysis.lines.position(offset)) for offset in (start, end)]
        return document.position_codec.range_to_client_units(lines, types.Range(*places))

    def offset(self, analysis: Analysis, document: TextDocument, position: types.Position) -> int:
        """The character offset of a position of the client."""
        place = document.position_codec.position_from_client_units(document.lines, position)
        return analysis.lines.offset(place.line, place.character)

    def _diagnostic(self, problem: Problem, analysis: Analysis, document: TextDocument) -> types.Diagnostic:
        related = [
            types.DiagnosticRelatedInformation(
                types.Location(document.uri, self.range(analysis, document, note.start, note.end)), note.message
            )
            for note in problem.notes
        ]
        return types.Diagnostic(
            self.range(analysis, document, problem.start, problem.end),
            problem.message,
            severity=_SEVERITY[problem.severity],
            source="headrace",
            related_information=related or None,
        )


def _safely(function: Callable[P, R]) -> Callable[P, R | None]:
    """Log what a handler raises and answer with nothing."""

    @wraps(function)
    def guarded(*args: P.args, **options: P.kwargs) -> R | None:
        try:
            return function(*args, **options)
        except FileNotFoundError:  # Neither open nor on disk: there is no answer.
            return None
        except Exception:
            server = args[0]
            assert isinstance(server, HeadraceServer)
            server.log(traceback.format_exc())
            return None

    return guarded


def make_server() -> HeadraceServer:
    """A server with all its features."""
    server = HeadraceServer()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    @_safely
    def did_open(ls: HeadraceServer, params: types.DidOpenTextDocumentParams) -> None:
        ls.schedule(params.text_document.uri, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    @_safely
    def did_change(ls: HeadraceServer, params: types.DidChangeTextDocumentParams) -> None:
        ls.schedule(params.text_document.uri, DELAY)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    @_safely
    def did_close(ls: HeadraceServer, params: types.DidCloseTextDocumentParams) -> None:
        ls.forget(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    @_safely
    def hover(ls: HeadraceServer, params: types.HoverParams) -> types.Hover | None:
        analysis, document, offset = _where(ls, params)
        found = features.hover(analysis, offset)
        if found is None:
            return None
        text = types.MarkupContent(types.MarkupKind.Markdown, found.text)
        return types.Hover(text, ls.range(analysis, document, found.start, found.end))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    @_safely
    def definition(ls: HeadraceServer, params: types.DefinitionParams) -> types.Location | None:
        analysis, document, offset = _where(ls, params)
        found = features.definition(analysis, offset)
        return types.Location(document.uri, ls.range(analysis, document, *found)) if found is not None else None

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=[".", "%", "@", "#", "!", "-", ",", "("]),
    )
    @_safely
    def completion(ls: HeadraceServer, params: types.CompletionParams) -> types.CompletionList:
        analysis, document, offset = _where(ls, params)
        items = [
            types.CompletionItem(
                item.label,
                kind=_KIND[item.kind],
                detail=item.detail or None,
                documentation=types.MarkupContent(types.MarkupKind.Markdown, item.documentation)
                if item.documentation
                else None,
                filter_text=item.label,
                text_edit=types.TextEdit(ls.range(analysis, document, item.start, item.end), item.text),
            )
            for item in complete(analysis, offset)
        ]
        return types.CompletionList(False, items)

    return server


def _where(ls: HeadraceServer, params: Any) -> tuple[Analysis, TextDocument, int]:
    analysis = ls.analysis(params.text_document.uri)
    document = ls.workspace.get_text_document(params.text_document.uri)
    return analysis, document, ls.offset(analysis, document, params.position)


def serve() -> None:
    """Speak with an editor over standard input and output until it says `exit`."""
    reader, writer = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # Whatever prints must not disturb the protocol.
    make_server().start_io(reader, writer)
