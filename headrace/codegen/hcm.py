"""Host compute metadata: the symbol table of a launch and the layout of the correction buffer.

``{"vdci": {}, "senConstants": [], "symbols": [...], "layout": [...]}``. ``symbols`` declares inputs
(``{"id": -1, "input": {"kind": "address", "arg": 0}}``) and derived values (``{"id": -4, "expr": [...]}``) in
evaluation order; ``layout`` places values in the buffer (little endian, 8 bytes).

Metadata is data: nothing in it is ever executed as code. All symbols are evaluated together, operation by operation on
arrays of 64-bit integers; where an array operation could overflow or divide wrongly, the exact evaluation decides, so
results and errors are always those of :func:`headrace.codegen.symbols.evaluate`.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from headrace.codegen.symbols import Expr, MisalignedError, SymbolError, evaluate, from_json, readable

MAX_NODES = 1 << 16
"""Most operations of one symbol, with everything it refers to written out."""
REMEMBERED = 64
"""Correction buffers that a kernel remembers, by argument values."""
_FEW = 24
"""Operations up to which plain Python is faster than arrays."""
_MIN, _MAX = -(1 << 63), (1 << 63) - 1


class HostCompute:
    """Decoded metadata: per symbol id its expression over arguments, and (id, offset) of the buffer."""

    def __init__(self, symbols: dict[int, Expr], layout: tuple[tuple[int, int], ...]):
        self.symbols, self.layout = symbols, layout
        self._arrays = _Arrays([symbols[i] for i, _ in layout])
        self._offsets = np.array([offset for _, offset in layout], np.int64)
        self._words = not (self._offsets % 8).any()
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._evaluate)

    def run(self, values: Sequence[int | None], names: Sequence[str], size: int) -> bytes:
        """The correction buffer for argument values (addresses in bytes, scalars as they are).

        Raises :class:`SymbolError`; the message names the arguments, their values and the word size.
        """
        return self._remembered(tuple(values), tuple(names), size)

    def _evaluate(self, values: tuple[int | None, ...], names: tuple[str, ...], size: int) -> bytes:
        found = self._arrays.run(values) if len(self._arrays.order) > _FEW else None
        if found is None:
            return self.run_exactly(values, names, size)
        if self._words and size % 8 == 0:
            buffer = np.zeros(size // 8, "<i8")
            buffer[self._offsets // 8] = found
            return buffer.tobytes()
        out = bytearray(size)
        for offset, value in zip(self._offsets.tolist(), found.tolist(), strict=True):
            struct.pack_into("<q", out, offset, value)
        return bytes(out)

    def run_exactly(self, values: Sequence[int | None], names: Sequence[str], size: int) -> bytes:
        """The same as :meth:`run`, one expression after the other in exact integers."""
        buffer = bytearray(size)
        for symbol, offset in self.layout:
            e = self.symbols[symbol]
            try:
                struct.pack_into("<q", buffer, offset, evaluate(e, values))
            except MisalignedError as error:
                raise MisalignedError(self._misaligned(e, values, names)) from error
            except SymbolError as error:
                raise SymbolError(f"{readable(e, names)}: {error}") from None
            except struct.error:
                raise SymbolError(f"{readable(e, names)}: value {evaluate(e, values)} does not fit 64 bits") from None
        return bytes(buffer)

    @staticmethod
    def _misaligned(e: Expr, values: Sequence[int | None], names: Sequence[str]) -> str:
        used = ", ".join(f"argument '{names[i]}' = {values[i]}" for i in e.inputs)
        word = next((x.args[1] for x in _divisions(e) if _fails(x, values)), None)
        size = f"{evaluate(word, values)} bytes" if word is not None else "the unit"
        what = f"the address {readable(e, names)} is not a multiple of the word size, {size}"
        return f"misaligned address: {used}: {what}"


class _Arrays:
    """Expressions as array operations: equal nodes once, nodes of one depth and operation together."""

    def __init__(self, roots: Sequence[Expr]):
        self.order: dict[Expr, int] = {}
        depth: dict[Expr, int] = {}
        groups: dict[tuple[int, str], list[Expr]] = {}
        for root in roots:
            stack = [(root, False)]
            while stack:
                e, ready = stack.pop()
                if e in self.order:
                    continue
                leaf = e.op in ("const", "input", "iv")
                if not leaf and not ready:
                    stack.append((e, True))
                    stack += [(a, False) for a in reversed(e.args)]
                    continue
                self.order[e] = len(self.order)
                depth[e] = 0 if leaf else 1 + max(depth[a] for a in e.args)
                if not leaf:
                    groups.setdefault((depth[e], e.op), []).append(e)
        slots = self.order
        self.roots = np.array([slots[r] for r in roots], np.int64)
        self.inputs = [(slots[e], e.args[0]) for e in slots if e.op == "input"]
        constants = {slots[e]: e.args[0] for e in slots if e.op == "const"}
        self.exact_only = any(e.op == "iv" for e in slots) or any(not _MIN <= c <= _MAX for c in constants.values())
        self.template = np.zeros(len(slots), np.int64)
        if not self.exact_only:
            for slot, value in constants.items():
                self.template[slot] = value
        self.steps = [
            (op, *(np.array([slots[x] for x in column], np.int64) for column in
                   (group, [e.args[0] for e in group], [e.args[1] for e in group])))
            for (_, op), group in sorted(groups.items())
        ]  # fmt: skip

    def run(self, values: Sequence[int | None]) -> np.ndarray | None:
        """Values of the roots; None where only exact evaluation can tell (overflow, division, missing values)."""
        if self.exact_only:
            return None
        table = self.template.copy()
        for slot, argument in self.inputs:
            value = values[argument]
            if value is None or not _MIN <= value <= _MAX:
                return None
            table[slot] = value
        with np.errstate(all="ignore"):
            for op, target, left, right in self.steps:
                result = _OPERATIONS[op](table[left], table[right])
                if result is None:
                    return None
                table[target] = result
        return table[self.roots]


def _add(x: np.ndarray, y: np.ndarray) -> np.ndarray | None:
    r = x + y
    return None if (((x ^ r) & (y ^ r)) < 0).any() else r


def _sub(x: np.ndarray, y: np.ndarray) -> np.ndarray | None:
    r = x - y
    return None if (((x ^ y) & (x ^ r)) < 0).any() else r


def _mul(x: np.ndarray, y: np.ndarray) -> np.ndarray | None:
    largest = np.abs(x.astype(np.float64)) * np.abs(y.astype(np.float64))
    return None if (largest >= 9.2e18).any() else x * y


def _division(divide: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[..., np.ndarray | None]:
    def checked(x: np.ndarray, y: np.ndarray) -> np.ndarray | None:
        return None if (y == 0).any() or (x == _MIN).any() else divide(x, y)

    return checked


def _truncated(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    q = x // y
    return q + ((q * y != x) & ((x < 0) != (y < 0)))


def _exact(x: np.ndarray, y: np.ndarray) -> np.ndarray | None:
    return None if (y == 0).any() or (x == _MIN).any() or (x % y).any() else x // y


_OPERATIONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray | None]] = {
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "div": _division(_truncated),
    "rem": _division(lambda x, y: x - y * _truncated(x, y)),
    "floor": _division(lambda x, y: x // y),
    "ceildiv": _division(lambda x, y: -(-x // y)),
    "min": np.minimum,
    "max": np.maximum,
    "divexact": _exact,
}
"""Operations of :data:`headrace.codegen.symbols.OPERATIONS` on arrays; None where a result could be inexact."""


def _divisions(e: Expr) -> list[Expr]:
    if e.op in ("const", "input", "iv"):
        return []
    return [x for a in e.args for x in _divisions(a)] + ([e] if e.op == "divexact" else [])


def _fails(e: Expr, values: Sequence[int | None]) -> bool:
    try:
        evaluate(e, values)
    except MisalignedError:
        return True
    return False


def decode(metadata: dict[str, Any], size: int, arguments: int) -> HostCompute:
    """Read metadata. ``arguments`` is the number of launch slots, ``size`` the buffer's bytes. Raises
    :class:`SymbolError`."""
    symbols: dict[int, Expr] = {}
    sizes: dict[int, int] = {}
    entries = metadata.get("symbols", [])
    layout = metadata.get("layout", [])
    if not isinstance(entries, list) or not isinstance(layout, list):
        raise SymbolError("'symbols' and 'layout' must be arrays")
    for entry in entries:
        if not isinstance(entry, dict) or type(entry.get("id")) is not int:
            raise SymbolError(f"{entry!r} is no symbol")
        if entry["id"] in symbols:
            raise SymbolError(f"symbol {entry['id']} is declared twice")
        if "input" in entry:
            slot = entry["input"].get("arg") if isinstance(entry["input"], dict) else None
            if type(slot) is not int or not 0 <= slot < arguments:
                raise SymbolError(f"symbol {entry['id']} names launch argument {slot!r} of {arguments}")
            symbols[entry["id"]], sizes[entry["id"]] = Expr("input", (slot,)), 1
            continue
        try:
            size_of = _nodes(entry.get("expr"), sizes)
            if size_of > MAX_NODES:
                raise SymbolError(f"symbol {entry['id']} has more than {MAX_NODES} operations")
            symbols[entry["id"]] = from_json(entry.get("expr"), symbols)
        except RecursionError:
            raise SymbolError(f"symbol {entry['id']} is nested too deeply") from None
        sizes[entry["id"]] = size_of
    places: list[tuple[int, int]] = []
    for entry in layout:
        symbol, offset, width = (entry.get(k) if isinstance(entry, dict) else None for k in ("id", "offset", "width"))
        if type(symbol) is not int or symbol not in symbols:
            raise SymbolError(f"layout entry {entry!r} names an unknown symbol")
        if type(offset) is not int or width != 8 or not 0 <= offset <= size - 8:
            raise SymbolError(f"layout entry {entry!r} lies outside the buffer of {size} bytes")
        places.append((symbol, offset))
    offsets = sorted(offset for _, offset in places)
    if any(b - a < 8 for a, b in itertools.pairwise(offsets)):
        raise SymbolError("layout entries overlap")
    return HostCompute(symbols, tuple(places))


def _nodes(value: Any, sizes: dict[int, int]) -> int:
    """Operations of an expression with its symbols written out; unknown symbols count nothing (the reader refuses
    them)."""
    if not isinstance(value, list):
        return 1
    if len(value) == 2 and value[0] == "sym":
        return sizes.get(value[1], 0) if isinstance(value[1], int) else 0
    return 1 + sum(_nodes(x, sizes) for x in value[1:])
