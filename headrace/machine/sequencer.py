"""The sequencer: runs the code section that calls programs, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from headrace.codegen import isa
from headrace.machine.memory import machine_error
from headrace.machine.result import F_STEP, FAULTS
from headrace.machine.scalar import ScalarFault, scalar


def register_count(code: Sequence[isa.Instruction]) -> int:
    """Registers that a code section names."""
    top = [0]
    for ins in code:
        top += [ins[f.name] for f in ins.opcode.fields if f.kind == "r"]
        top += [t.reg for t in ins.args.get("terms", ())]
        if ins.op == "CALL":
            top.append(ins["first"] + ins["count"])
    return max(top) + 1


def run_sequencer(
    code: Sequence[isa.Instruction],
    match: dict[int, int],
    params: Sequence[int],
    call: Callable[[int, list[int]], None],
    registers: int | None = None,
) -> None:
    """Execute ``code``; ``call(program number, arguments)`` runs a program to its end.

    ``match`` pairs LOOP/ENDLOOP and IF/ELSE/ENDIF, ``registers`` is :func:`register_count`. Raises
    :class:`HeadraceError` for a fault.
    """
    r = [0] * (register_count(code) if registers is None else registers)
    loops: dict[int, tuple[int, int]] = {}
    i = 0
    while True:
        ins = code[i]
        follow = i + 1
        match ins.op:
            case "HALT":
                return
            case "CALL":
                call(ins["program"], r[ins["first"] : ins["first"] + ins["count"]])
            case "PARAM":
                if ins["index"] >= len(params):
                    raise machine_error(f"sequencer: {ins}: there are {len(params)} parameter words")
                r[ins["rd"]] = params[ins["index"]]
            case "LOOP":
                lb, ub, step = r[ins["lb"]], r[ins["ub"]], r[ins["step"]]
                if step <= 0:
                    raise machine_error(f"sequencer: {ins}: {FAULTS[F_STEP].format(a=step)}")
                loops[i] = (ub, step)
                r[ins["iv"]] = lb
                follow = i + 1 if lb < ub else match[i] + 1
            case "ENDLOOP":
                ub, step = loops[match[i]]
                iv = code[match[i]]["iv"]
                r[iv] += step
                follow = match[i] + 1 if r[iv] < ub else i + 1
            case "IF":
                follow = i + 1 if r[ins["cond"]] else match[i] + 1
            case "ELSE":
                follow = match[i] + 1
            case "ENDIF":
                pass
            case _ if ins.opcode.group == "scalar" and ins.op not in ("ARG", "ARGX"):
                try:
                    scalar(ins, r)
                except ScalarFault as f:
                    raise machine_error(f"sequencer: {ins}: {FAULTS[f.number].format(a=f.a, b=f.b)}") from None
            case _:
                raise machine_error(f"sequencer: {ins.op} is not an instruction of the sequencer")
        i = follow
