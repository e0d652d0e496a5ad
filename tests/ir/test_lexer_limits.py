"""Texts that once made the lexer run for ever."""

import pytest

from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module


def test_unclosed_string_is_refused_at_once():
    """A string that is never closed, long enough for a backtracking pattern never to end."""
    with pytest.raises(HeadraceError):
        parse_module('module attributes {a = "' + "x" * 5000 + "\n}")
