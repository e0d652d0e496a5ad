"""Boundaries that keep bad input from looking like a bug: depth of recursion, what malformed operations raise."""

from __future__ import annotations

import re
import struct
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
    ArithmeticError, struct.error,
)  # fmt: skip


def malformed(problem: Exception) -> str:
    """What to say about an operation for which a parser or verifier raised one of `MALFORMED`."""
    text = str(problem).strip().removeprefix("Operation does not verify: ")
    if isinstance(problem, LookupError | TypeError | AttributeError | ArithmeticError | struct.error) or not text:
        return f"is malformed ({type(problem).__name__}{': ' + text if text else ''})"
    return _plain(text)


#: xDSL's words and MLIR's.
_WORDS = (
    (re.compile(r"^(?:property|attribute) '(\w+)' expected in operation '.*'$"), r"requires attribute '\1'"),
    (re.compile(r"^'[\w.]+' (must be the last operation in its parent block|expects parent op )"), r"\1"),
    (re.compile(r"^(operand|result) '(\w+)' at position (\d+) does not verify:\n"), r"\1 #\3 ('\2') "),
    (re.compile(r"\bUnexpected attribute (.*)$"), r"has the unexpected type \1"),
    (re.compile(r"\bExpected attribute (.*) but got (.*)$"), r"must be \1, but is \2"),
    (re.compile(r"(?<=\) )(.*) should be of base attribute ([\w.]+)$"), r"must be \2, but is \1"),
    (re.compile(r"^(.*) should be of base attribute ([\w.]+)$"), r"expected \2, but got \1"),
)


def _plain(text: str) -> str:
    for pattern, words in _WORDS:
        text = pattern.sub(words, text)
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
