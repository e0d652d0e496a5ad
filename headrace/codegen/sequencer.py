"""The sequencer program: the coordinator tree as instructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from headrace.codegen import symbols
from headrace.codegen.builder import CodeBuilder, Located
from headrace.codegen.coordinator import Call, Compute, Condition, Loop
from headrace.codegen.symbols import Expr
from headrace.ir.diagnostics import error

_SCALAR = {
    "add": "ADD",
    "sub": "SUB",
    "mul": "MUL",
    "div": "DIVS",
    "rem": "REMS",
    "floor": "FLOORDIVS",
    "ceildiv": "CEILDIVS",
    "min": "MINS",
    "max": "MAXS",
    "divexact": "DIVX",
}
_MAY_TRAP = ("div", "rem", "floor", "ceildiv", "divexact")


@dataclass
class Callee:
    """What the sequencer must know of a program: its number, and the arguments it wants as expressions over its own."""

    number: int
    arguments: list[Expr]


@dataclass
class SequencerCode:
    """Code, parameter words (launch expressions) and the launch-time checks of addresses computed on the device."""

    code: list[Located] = field(default_factory=list)
    params: list[Expr] = field(default_factory=list)
    checks: list[Expr] = field(default_factory=list)


class Sequencer:
    """Emits the sequencer program. ``addresses`` are the kernel inputs that are addresses."""

    def __init__(self, callees: dict[str, Callee], addresses: set[int]):
        self.callees = callees
        self.addresses = addresses
        self.builder = CodeBuilder()
        self.out = SequencerCode()
        self._registers: dict[Expr, int] = {}

    def run(self, items: Sequence[Any]) -> SequencerCode:
        """Code of the whole tree."""
        self._items(items)
        self.out.code = self.builder.finish()
        return self.out

    def _items(self, items: Sequence[Any]) -> None:
        for item in items:
            self.builder.op = item.op
            match item:
                case Call():
                    self._call(item)
                case Loop():
                    self._loop(item)
                case Condition():
                    self._condition(item)
                case Compute():
                    self._compute(item)

    def reg(self, e: Expr) -> int:
        """Register holding an expression."""
        b = self.builder
        if e.value is not None:
            return b.constant(e.value)
        if e.at_launch:
            e = symbols.exact_divisions(e, self.addresses)
            if e not in self.out.params:
                self.out.params.append(e)
            return b.pure("PARAM", "rd", [], index=self.out.params.index(e))
        if e.op == "iv":
            return self._registers[e]
        ra, rb = self.reg(e.args[0]), self.reg(e.args[1])
        name = _SCALAR[e.op]
        if e.op == "divexact" or (e.op in _MAY_TRAP and not e.args[1].value):
            rd = b.register()
            b.emit(name, rd=rd, ra=ra, rb=rb)
            return rd
        return b.scalar(name, ra, rb)

    def _call(self, call: Call) -> None:
        callee = self.callees[call.program]
        own = {Expr("iv", (("arg", k),)): e for k, e in enumerate(call.args)}
        values = [symbols.exact_divisions(symbols.substitute(e, own), self.addresses) for e in callee.arguments]
        for e in values:
            self.out.checks += [c for c in symbols.alignment_checks(e) if c not in self.out.checks]
        sources = [self.reg(e) for e in values]
        b = self.builder
        first = 0
        for k, source in enumerate(sources):
            rd = b.register()
            first = first if k else rd
            b.emit("MOV", rd=rd, ra=source)
        b.emit("CALL", program=callee.number, first=first, count=len(sources))

    def _loop(self, loop: Loop) -> None:
        b = self.builder
        lb, ub, step = self.reg(loop.lb), self.reg(loop.ub), self.reg(loop.step)
        for leaf, init, _ in loop.carried:
            source = self.reg(init)
            self._registers[leaf] = b.register(depth=b.depth + 1)
            b.emit("MOV", rd=self._registers[leaf], ra=source)
        iv = self._registers[loop.leaf] = b.register(depth=b.depth + 1)
        b.open()
        self._items(loop.body)
        b.op = loop.op
        self._assign([(self._registers[leaf], value) for leaf, _, value in loop.carried])
        body = b.close()
        b.emit("LOOP", iv=iv, lb=lb, ub=ub, step=step)
        b.append(body)
        b.emit("ENDLOOP")
        for result, (leaf, _, _) in zip(loop.results, loop.carried, strict=True):
            self._registers[result] = b.register()
            b.emit("MOV", rd=self._registers[result], ra=self._registers[leaf])

    def _assign(self, pairs: list[tuple[int, Expr]]) -> None:
        b = self.builder
        sources = []
        for _, value in pairs:
            copy = b.register()
            b.emit("MOV", rd=copy, ra=self.reg(value))
            sources.append(copy)
        for (rd, _), source in zip(pairs, sources, strict=True):
            b.emit("MOV", rd=rd, ra=source)

    def _condition(self, item: Condition) -> None:
        b = self.builder
        cond = self.reg(item.cond)
        targets = [b.register() for _ in item.results]
        branches = []
        for which, items in enumerate((item.true, item.false)):
            b.open()
            self._items(items)
            b.op = item.op
            self._assign([(rd, r[1 + which]) for rd, r in zip(targets, item.results, strict=True)])
            branches.append(b.close())
        b.emit("IF", cond=cond)
        b.append(branches[0])
        if branches[1]:
            b.emit("ELSE")
            b.append(branches[1])
        b.emit("ENDIF")
        for rd, r in zip(targets, item.results, strict=True):
            self._registers[r[0]] = rd

    def _compute(self, item: Compute) -> None:
        b = self.builder
        regs = [self.reg(e) for e in item.operands]
        uses = [("r", r) for r in regs]
        if item.name == "CMP":
            rd = b.pure("CMP", "rd", uses, pred=item.pred, ra=regs[0], rb=regs[1])
        elif item.name == "SEL":
            rd = b.pure("SEL", "rd", uses, cond=regs[0], rt=regs[1], rf=regs[2])
        elif len(regs) == 2:
            rd = b.scalar(item.name, *regs)
        else:
            raise error(item.op, f"the sequencer has no instruction for '{item.op.name}'")
        self._registers[item.leaf] = rd
