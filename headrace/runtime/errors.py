"""Errors of the runtime: input errors without a source position."""

from __future__ import annotations

from headrace.ir.diagnostics import HeadraceError, error


def runtime_error(message: str, *notes: str) -> HeadraceError:
    """A :class:`HeadraceError` with one diagnostic."""
    return error(None, message, [(None, note) for note in notes])


class StreamError(HeadraceError):
    """Work on a stream failed. The stream takes no more work until :meth:`headrace.runtime.Stream.reset`."""
