"""Builds structured code: nested blocks, fresh registers, and loop-invariant placement of pure instructions.

A pure instruction is appended to the outermost open block in which all its operands exist, so it ends up in front of
the loops it does not depend on, and is emitted once for equal operands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import Operation

from headrace.codegen.isa import MAX_REGISTERS, Instruction, Term
from headrace.codegen.linear import Linear
from headrace.ir.diagnostics import error

Located = tuple[Instruction, Operation | None]


@dataclass
class _Block:
    code: list[Located] = field(default_factory=list)
    known: dict[Any, int] = field(default_factory=dict)


class CodeBuilder:
    """Code of one section. ``op`` (settable) is the IR operation that instructions are attributed to."""

    def __init__(self) -> None:
        self.op: Operation | None = None
        self._blocks = [_Block()]
        self._depth: dict[tuple[str, int], int] = {}
        self._next = {"r": 0, "v": 0}

    @property
    def depth(self) -> int:
        """Number of blocks open around the current position (0 at the top)."""
        return len(self._blocks) - 1

    def register(self, bank: str = "r", depth: int | None = None) -> int:
        """A fresh register that is available from ``depth`` on (default: the current block)."""
        number = self._next[bank]
        if number >= MAX_REGISTERS:
            raise error(self.op, f"the program needs more than {MAX_REGISTERS} registers")
        self._next[bank] = number + 1
        self._depth[(bank, number)] = self.depth if depth is None else depth
        return number

    def emit(self, name: str, **args: Any) -> None:
        """Append an instruction at the current position."""
        self._blocks[-1].code.append((Instruction(name, args), self.op))

    def pure(self, name: str, result: str, uses: Sequence[tuple[str, int]], bank: str = "r", **args: Any) -> int:
        """The register that holds the result of a pure instruction; ``uses`` are the (bank, register) it reads."""
        depth = max((self._depth[u] for u in uses), default=0)
        key = (name, tuple(args.items()))
        for block in self._blocks[: depth + 1]:
            if key in block.known:
                return block.known[key]
        reg = self.register(bank, depth)
        block = self._blocks[depth]
        block.code.append((Instruction(name, {result: reg, **args}), self.op))
        block.known[key] = reg
        return reg

    def scalar(self, name: str, *operands: int) -> int:
        """Result register of a pure two-operand scalar instruction."""
        a, b = operands
        return self.pure(name, "rd", [("r", a), ("r", b)], ra=a, rb=b)

    def constant(self, value: int) -> int:
        """Register holding an integer."""
        return self.pure("LI", "rd", [], value=value)

    def value(self, form: Linear) -> int:
        """Register holding a linear form. Terms that exist further out are added further out."""
        if form.is_const:
            return self.constant(form.const)
        if form.const == 0 and len(form.terms) == 1 and form.terms[0][1] == 1:
            return form.terms[0][0]
        by_depth: dict[int, list[tuple[int, int]]] = {}
        for reg, k in form.terms:
            by_depth.setdefault(self._depth[("r", reg)], []).append((reg, k))
        reg: int | None = None
        disp = form.const
        for depth in sorted(by_depth):
            terms = by_depth[depth]
            base = reg
            if base is None:
                plain = next((t for t in terms if t[1] == 1), None)
                if plain is None:
                    base = self.constant(0)
                else:
                    base = plain[0]
                    terms = [t for t in terms if t is not plain]
            if not terms and disp == 0:
                reg = base
                continue
            uses = [("r", base), *(("r", r) for r, _ in terms)]
            reg = self.pure("ADDR", "rd", uses, base=base, disp=disp, terms=tuple(Term(r, k) for r, k in terms))
            disp = 0
        assert reg is not None
        return reg

    def open(self) -> None:
        """Start a nested block (a loop body, a branch)."""
        self._blocks.append(_Block())

    def close(self) -> list[Located]:
        """End the innermost block and return its code."""
        return self._blocks.pop().code

    def append(self, code: list[Located]) -> None:
        """Append the code of a closed block."""
        self._blocks[-1].code.extend(code)

    def finish(self) -> list[Located]:
        """All code, ended by HALT."""
        self.op = None
        self.emit("HALT")
        return self._blocks[0].code
