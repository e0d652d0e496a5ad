"""Boundaries that keep bad input from looking like a bug: depth of recursion, what malformed operations raise."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from xdsl.utils.exceptions import VerifyException

#: Python frames that parsing and verifying may use; some eight frames for each level of nesting in the text.
PARSE_FRAMES = 6000
#: Frames for printing, enough for whatever was parsed.
PRINT_FRAMES = 20000

#: What constructors and verifiers raise for a malformed operation.
MALFORMED = (
    VerifyException, ValueError, NotImplementedError, AssertionError, LookupError, TypeError, AttributeError,
    ArithmeticError,
)  # fmt: skip


def malformed(problem: Exception) -> str:
    """What to say about an operation for which a parser or verifier raised one of `MALFORMED`."""
    text = str(problem).strip().removeprefix("Operation does not verify: ")
    if isinstance(problem, LookupError | TypeError | AttributeError | ArithmeticError) or not text:
        return f"is malformed ({type(problem).__name__}{': ' + text if text else ''})"
    return text


@contextmanager
def frames(limit: int) -> Iterator[None]:
    """Allow at least `limit` Python frames."""
    old = sys.getrecursionlimit()
    sys.setrecursionlimit(max(old, limit))
    try:
        yield
    finally:
        sys.setrecursionlimit(old)
