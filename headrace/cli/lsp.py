"""`headrace lsp`: the language server on standard input and output."""

from __future__ import annotations

from importlib.util import find_spec


def run_lsp() -> int:
    """Serve until the editor ends the session; returns the exit status."""
    if find_spec("pygls") is None:
        from headrace.cli.common import UsageProblem

        raise UsageProblem("the language server needs pygls: pip install 'headrace[lsp]'")
    from headrace.lsp.server import serve

    serve()
    return 0
