"""`headrace compile FILE`: KTIR to a SpyreCode directory, with a look at every level."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.cli.common import UsageProblem, numbers, print_json, progress, shape_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.dialects.builtin import ModuleOp

    from headrace.api import CompileOptions, Program
    from headrace.scheduler.decisions import Explanation

EMITS = ("ktir", "schedule", "dfir", "spyrecode")


@dataclass(frozen=True)
class CompileRequest:
    """The command line of `compile`."""

    file: str
    device: str
    kernel: str | None
    output: str | None
    emit: str
    print_all: bool
    print_after: tuple[str, ...]
    save_ir: str | None
    arguments: tuple[str, ...]
    disabled: tuple[str, ...]
    strict: bool
    json: bool
    explain: bool = False


def pass_names(names: tuple[str, ...], option: str) -> frozenset[str]:
    """Check names of passes. Raises UsageProblem."""
    from headrace.ir.diagnostics import did_you_mean
    from headrace.scheduler.plan import PLAN, SHARED_READS

    known = [*(s.name for s in PLAN), *([SHARED_READS] if option == "--disable-pass" else [])]
    for name in names:
        if name not in known:
            raise UsageProblem(
                f"{option}: no pass named '{name}'{did_you_mean(name, known)}; the plan: {', '.join(known)}"
            )
    return frozenset(names)


def observer(request: CompileRequest) -> Callable[[str, ModuleOp], None] | None:
    """Prints or saves the IR after passes, as asked for."""
    wanted = pass_names(request.print_after, "--print-ir-after")
    if not (request.print_all or wanted or request.save_ir):
        return None
    count = 0

    def after(name: str, module: ModuleOp) -> None:
        nonlocal count
        from headrace.ir.text import print_module

        count += 1
        text = print_module(module)
        text = text if text.endswith("\n") else text + "\n"
        if request.print_all or name in wanted:
            sys.stderr.write(f"// -----// IR after {name} //----- //\n{text}")
        if request.save_ir is not None:
            write_text(Path(request.save_ir) / f"{count:02}-{name}.mlir", text)

    return after


def write_text(path: Path, text: str) -> Path:
    """Write a file, making its directory. Raises HeadraceError."""
    from headrace.ir.diagnostics import error

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    except OSError as problem:
        raise error(None, f"cannot write '{path}': {problem.strerror}") from None
    return path


def run_compile(request: CompileRequest) -> int:
    """Compile and write; returns the exit status."""
    from headrace import api
    from headrace.ir.diagnostics import collecting

    emits = [e for e in request.emit.split(",") if e]
    for e in emits:
        if e not in EMITS:
            raise UsageProblem(f"--emit: no level named '{e}'; the levels are {', '.join(EMITS)}")
    options = api.CompileOptions(
        after=observer(request),
        disabled=pass_names(request.disabled, "--disable-pass"),
        arguments=numbers("--arg", request.arguments),
        strict=request.strict,
    )
    source = sys.stdin.read() + "\n" if request.file == "-" else Path(request.file)
    with progress(f"compiling {request.file}"), collecting() as warnings:
        program = api.compile(source, request.device, request.kernel, options)
    for w in warnings.warnings:
        sys.stderr.write(f"{w}\n")
    folder = Path(request.output or program.name)
    written = [str(p) for e in emits for p in _emit(program, e, folder)]
    explanation = _explained(program, options) if request.explain else None
    if request.json:
        print_json(
            {
                "kernel": program.name,
                "device": program.device.name,
                "grid": list(program.grid),
                "programs": program.programs,
                "passes": list(program.passes),
                "arguments": program.code.arguments,
                "buffers": program.manifest["buffers"],
                "symbols": program.manifest["symbols"],
                "bound": program.bound,
                "files": written,
                "seconds": {k: round(v, 6) for k, v in program.seconds.items()},
                "warnings": [str(w) for w in warnings.warnings],
                **({"explain": explanation.to_json()} if explanation is not None else {}),
            }
        )
        return 0
    sys.stdout.write("\n".join([*summary(program), *(explanation.lines() if explanation is not None else [])]) + "\n")
    sys.stdout.write(f"written: {', '.join(written)}\n")
    return 0


def _explained(program: Program, options: CompileOptions) -> Explanation:
    """What the schedule chose, and what else there was."""
    from headrace.api import copy_module
    from headrace.interp.engine import argument_names, find_kernel
    from headrace.scheduler.decisions import explain
    from headrace.scheduler.split.launch_strides import fix_strides

    known = program.buffers.scalars if program.buffers is not None else {}
    values = {n: v for n, v in {**known, **options.arguments}.items() if isinstance(v, int)}

    def make() -> ModuleOp:
        module = copy_module(program.ktir)
        kernel = find_kernel(module, program.name)
        fix_strides(kernel, argument_names(kernel), options.arguments)
        return module

    return explain(make, program.device, values, options.disabled)


def _emit(program: Program, level: str, folder: Path) -> list[Path]:
    from headrace.ir.text import print_module

    if level == "ktir":
        return [write_text(folder / "ktir.mlir", print_module(program.ktir) + "\n")]
    if level == "schedule":
        return [write_text(folder / "schedule.mlir", print_module(program.schedule) + "\n")]
    if level == "dfir":
        from headrace.scheduler.lower.emit_split_dfir import emit_split_dfir

        return emit_split_dfir(program.dataflow, folder / "dfir")
    return [program.write(folder)]


def summary(program: Program) -> list[str]:
    """What was done, a line a level."""
    from headrace.codegen import plan

    buffers: Any = program.buffers.buffers if program.buffers is not None else ()
    listed = ", ".join(f"{b.name} {shape_text(b.shape)}x{b.dtype.name} {b.role}" for b in buffers)
    instructions = sum(len(s.code) for p in program.code.image.programs for s in p.sections)
    kinds: dict[str, int] = {}
    for p in program.code.image.programs:
        for s in p.sections:
            kind = program.code.image.kinds[s.kind]
            kinds[kind] = max(kinds.get(kind, 0), len(s.units))
    symbols = len(program.manifest["symbols"])
    launches = sum(isinstance(c, plan.ComputeOnDevice) for c in program.code.execution)
    return [
        f"kernel {program.name} on {program.device.name}, grid {shape_text(program.grid)}",
        f"  ktir       {listed or 'no buffers found'}",
        f"  schedule   {len(program.passes)} passes, {_count(len(program.programs), 'program')}; {_buffering(program)}",
        f"  dataflow   {', '.join(f'{n} {k}' for k, n in kinds.items())}",
        f"  spyrecode  {instructions} instructions, {program.code.allocation.static_size} bytes, "
        f"{_count(symbols, 'symbol')} fixed at launch, {_count(launches, 'launch', 'es')} on the device",
    ]


def _buffering(program: Program) -> str:
    """On-chip buffers of the schedule."""
    casts = [op for op in program.schedule.walk() if op.name == "builtin.unrealized_conversion_cast"]
    kinds = {str(op.results[0].type) for op in casts}
    doubled = any(op.name == "ktdf.select_memref" for op in program.schedule.walk())
    text = f"{_count(len(casts), 'scratchpad buffer')} of {_count(len(kinds), 'type')}"
    return text + (", double buffered" if doubled else "")


def _count(n: int, noun: str, plural: str = "s") -> str:
    return f"{n} {noun}{'' if n == 1 else plural}"
