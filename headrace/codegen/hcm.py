"""Host compute metadata: the symbol table of a launch and the layout of the correction buffer.

``{"vdci": {}, "senConstants": [], "symbols": [...], "layout": [...], "checks": [...]}``. ``symbols`` declares inputs
(``{"id": -1, "input": {"kind": "address", "arg": 0}}``) and derived values (``{"id": -4, "expr": [...]}``) in
evaluation order; ``layout`` places values in the buffer (little endian, 8 bytes).
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from headrace.codegen.symbols import Expr, MisalignedError, SymbolError, evaluate, from_json, readable


@dataclass(frozen=True)
class HostCompute:
    """Decoded metadata: per symbol id its expression over arguments, and (id, offset) of the buffer."""

    symbols: dict[int, Expr]
    layout: tuple[tuple[int, int], ...]

    def run(self, values: Sequence[int | None], names: Sequence[str], size: int) -> bytes:
        """The correction buffer for argument values (addresses in bytes, scalars as they are).

        Raises :class:`SymbolError`; the message names the arguments, their values and the word size.
        """
        buffer = bytearray(size)
        for symbol, offset in self.layout:
            e = self.symbols[symbol]
            try:
                struct.pack_into("<q", buffer, offset, evaluate(e, values))
            except MisalignedError as error:
                raise MisalignedError(self._misaligned(e, values, names)) from error
            except SymbolError as error:
                raise SymbolError(f"{readable(e, names)}: {error}") from None
        return bytes(buffer)

    @staticmethod
    def _misaligned(e: Expr, values: Sequence[int | None], names: Sequence[str]) -> str:
        used = ", ".join(f"argument '{names[i]}' = {values[i]}" for i in e.inputs)
        word = next((x.args[1] for x in _divisions(e) if _fails(x, values)), None)
        size = f"{evaluate(word, values)} bytes" if word is not None else "the unit"
        what = f"the address {readable(e, names)} is not a multiple of the word size, {size}"
        return f"misaligned address: {used}: {what}"


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
    entries = metadata.get("symbols", [])
    layout = metadata.get("layout", [])
    if not isinstance(entries, list) or not isinstance(layout, list):
        raise SymbolError("'symbols' and 'layout' must be arrays")
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), int):
            raise SymbolError(f"{entry!r} is no symbol")
        if entry["id"] in symbols:
            raise SymbolError(f"symbol {entry['id']} is declared twice")
        if "input" in entry:
            slot = entry["input"].get("arg") if isinstance(entry["input"], dict) else None
            if not isinstance(slot, int) or not 0 <= slot < arguments:
                raise SymbolError(f"symbol {entry['id']} names launch argument {slot!r} of {arguments}")
            symbols[entry["id"]] = Expr("input", (slot,))
        else:
            symbols[entry["id"]] = from_json(entry.get("expr"), symbols)
    places: list[tuple[int, int]] = []
    for entry in layout:
        symbol, offset, width = (entry.get(k) if isinstance(entry, dict) else None for k in ("id", "offset", "width"))
        if symbol not in symbols:
            raise SymbolError(f"layout entry {entry!r} names an unknown symbol")
        if not isinstance(offset, int) or width != 8 or not 0 <= offset <= size - 8:
            raise SymbolError(f"layout entry {entry!r} lies outside the buffer of {size} bytes")
        places.append((symbol, offset))
    offsets = sorted(offset for _, offset in places)
    if any(b - a < 8 for a, b in itertools.pairwise(offsets)):
        raise SymbolError("layout entries overlap")
    return HostCompute(symbols, tuple(places))
