"""`headrace opt`: read MLIR, run passes, print MLIR, like `mlir-opt`.

    headrace opt kernel.mlir --canonicalize --cse
    headrace opt --pass-pipeline='builtin.module(canonicalize,func.func(cse))' < kernel.mlir
    headrace opt --split-input-file --verify-diagnostics errors.mlir

No third-party argument parser is imported here: start-up time matters in tests.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from headrace.ir.diagnostics import Diagnostic, DiagnosticEngine, HeadraceError, did_you_mean

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from headrace.ir.passes import Pass, PipelineItem

_HELP = """\
usage: headrace opt [FILE] [--pass-pipeline=PIPELINE | --PASS[=OPTIONS] ...] [options]

Read MLIR from FILE (or standard input), verify it, run passes, print MLIR.

options:
  -o FILE                          write there instead of to standard output
  --pass-pipeline=PIPELINE         passes in MLIR's syntax: builtin.module(a,func.func(b{x=1 y=2}))
  --PASS, --PASS='x=1 y=2'         run a pass on the module; several run in the given order
  --list-passes                    list the passes with their options and exit
  --show-dialects                  list the dialects and exit
  --dump-pass-pipeline             print the pipeline to standard error before running it
  --split-input-file               treat the parts between '// -----' lines as separate files
  --verify-diagnostics             compare diagnostics with // expected-error@+1 {{text}} comments
  --verify-each=0                  do not verify after each pass
  --strict                         refuse what MLIR refuses; without it such forms give warnings
  --allow-unregistered-dialect     accept operations of unknown dialects in generic form
  --mlir-print-op-generic          print the generic form
  --mlir-print-debuginfo           print locations
  --mlir-timing                    print the seconds of parser, passes and printer to standard error
  --ktir-to-dfir, --kEmitDFIR      the scheduler's whole pipeline; --disable-PASS leaves a pass out
  --device=FILE, --device-name=N   the device of these pipelines; --split-dfir-output-dir=DIR: files of --kEmitDFIR
  --keep-names                     keep the value names of the input
  --mlir-print-ir-before-all, --mlir-print-ir-after-all
  --mlir-print-ir-before=PASS, --mlir-print-ir-after=PASS
                                   print the IR around passes to standard error

examples:
  headrace opt add.mlir --canonicalize
  headrace opt - --pass-pipeline='builtin.module(func.func(cse))' < add.mlir
"""


class UsageError(Exception):
    """The command line is wrong."""


@dataclass
class Options:
    """What the command line asks for."""

    file: str | None = None
    output: str | None = None
    pipeline: list[PipelineItem] = field(default_factory=list["PipelineItem"])
    split: bool = False
    verify_diagnostics: bool = False
    verify_each: bool = True
    strict: bool = False
    unregistered: bool = False
    generic: bool = False
    debuginfo: bool = False
    keep_names: bool = False
    dump_pipeline: bool = False
    timing: bool = False
    disabled: set[str] = field(default_factory=set[str])
    before: set[str] = field(default_factory=set[str])
    after: set[str] = field(default_factory=set[str])
    action: str = "run"


_SWITCHES = {
    "split-input-file": "split",
    "verify-diagnostics": "verify_diagnostics",
    "verify-each": "verify_each",
    "strict": "strict",
    "allow-unregistered-dialect": "unregistered",
    "mlir-print-op-generic": "generic",
    "mlir-print-debuginfo": "debuginfo",
    "keep-names": "keep_names",
    "dump-pass-pipeline": "dump_pipeline",
    "mlir-timing": "timing",
}
#: Names of the scheduler's whole pipeline.
_PIPELINES = ("ktir-to-dfir", "kEmitDFIR")


def registry() -> dict[str, str]:
    """All passes: the generic ones, the scheduler's and those of graphs."""
    from importlib.util import find_spec

    from headrace.ir.passes import PASSES

    found = dict(PASSES)
    if find_spec("headrace.scheduler.plan") is not None:
        from headrace.scheduler.plan import PASSES as SCHEDULER

        found.update(SCHEDULER)
    if find_spec("headrace.stream.registry") is not None:
        from headrace.stream.registry import PASSES as STREAM

        found.update(STREAM)
    return found


def parse_arguments(argv: Sequence[str]) -> Options:
    """Read the command line; `UsageError` says what is wrong with it."""
    options = Options()
    arguments = list(argv)
    passes: dict[str, str] | None = None
    whole: list[tuple[int, str, str]] = []
    given: dict[str, str] = {}
    position = 0
    while position < len(arguments):
        text = arguments[position]
        position += 1
        if not text.startswith("-") or text == "-":
            if options.file is not None:
                raise UsageError(f"only one input file is read, but got '{options.file}' and '{text}'")
            options.file = text
            continue
        name, equals, value = text.lstrip("-").partition("=")

        def take(name: str = name, equals: str = equals, value: str = value) -> str:
            nonlocal position
            if equals:
                return value
            if position >= len(arguments):
                raise UsageError(f"'--{name}' needs a value")
            position += 1
            return arguments[position - 1]

        if name in ("h", "help"):
            options.action = "help"
        elif name in ("list-passes", "show-dialects"):
            options.action = name
        elif name == "o":
            options.output = take()
        elif name in ("pass-pipeline", "p"):
            from headrace.ir.passes import parse_pipeline

            options.pipeline.extend(parse_pipeline(take()))
        elif name in _SWITCHES:
            if equals and value not in ("0", "1", "true", "false"):
                raise UsageError(f"'--{name}' takes no value '{value}'")
            setattr(options, _SWITCHES[name], not equals or value in ("1", "true"))
        elif name in _PIPELINES:
            whole.append((len(options.pipeline), name, value))
        elif name in ("device", "device-filename"):
            given["device-filename"] = take()
        elif name == "device-name":
            given["device-name"] = take()
        elif name == "split-dfir-output-dir":
            given["output-dir"] = take()
        elif name == "wrap-program-dfir-disable":
            options.disabled.add("wrap-program-dfir")
        elif name == "disable-split-dfir-output":
            options.disabled.add("emit-split-dfir")
        elif name.startswith("disable-"):
            passes = registry() if passes is None else passes
            if name.removeprefix("disable-") not in passes:
                raise UsageError(f"unknown option '{text}'{did_you_mean(name.removeprefix('disable-'), passes)}")
            options.disabled.add(name.removeprefix("disable-"))
        elif name in ("mlir-print-ir-before-all", "mlir-print-ir-after-all"):
            (options.before if "before" in name else options.after).add("*")
        elif name in ("mlir-print-ir-before", "mlir-print-ir-after"):
            (options.before if "before" in name else options.after).update(take().split(","))
        else:
            passes = registry() if passes is None else passes
            if name not in passes:
                known = [*passes, *_SWITCHES, "pass-pipeline", "list-passes", "show-dialects"]
                raise UsageError(f"unknown option '{text}'{did_you_mean(name, known)}")
            from headrace.ir.passes import PipelineItem, parse_pipeline

            if equals and value.startswith("{"):
                options.pipeline.extend(parse_pipeline(name + value))
            elif equals:
                options.pipeline.extend(parse_pipeline(f"{name}{{{value}}}"))
            else:
                options.pipeline.append(PipelineItem(name))
    for at, name, value in reversed(whole):
        told = " ".join([*(f"{key}={text}" for key, text in given.items()), value.strip("{}")])
        options.pipeline[at:at] = whole_pipeline(told, name == "kEmitDFIR")
    options.pipeline = [item for item in options.pipeline if item.name not in options.disabled]
    return options


def whole_pipeline(options: str = "", split: bool = False) -> list[PipelineItem]:
    """The passes from KTIR to DataflowIR in the scheduler's order, with the pattern checkpoints of the device file.

    `options` (`device-filename=F output-dir=D ...`) go to every pass that has them. With `split` the pipeline begins
    with a declaration of the device and ends with the files of DataflowIR (where a directory is given).
    """
    from importlib import import_module

    from headrace.ir.passes import PipelineItem, load_pass

    plan: Any = import_module("headrace.scheduler.plan")
    given = dict(part.partition("=")[::2] for part in options.strip("{}").split())  # pyright: ignore
    known = registry()
    items: list[PipelineItem] = []

    def add(name: str, **extra: str) -> None:
        fields = load_pass(name, known).option_fields()
        chosen = {key: value for key, value in given.items() if key in fields}
        items.append(PipelineItem(name, {**chosen, **extra}))  # pyright: ignore

    if split or "device-filename" in given or "device-name" in given:
        add("ensure-device-declaration")
    for step in (*plan.SPLIT, *plan.SHAPE, *plan.LOWER):
        if step.checkpoint:
            add("ktdfarch-apply-patterns", groups=step.name)
        else:
            add(step.name)
    if split and "output-dir" in given:
        add("emit-split-dfir")
    return items


def _list_passes() -> str:
    from headrace.ir.passes import load_pass

    lines: list[str] = []
    known = registry()
    for name in sorted(known):
        try:
            cls = load_pass(name, known)
        except (ImportError, AttributeError) as problem:
            lines.append(f"  --{name}: not installed ({problem})")
            continue
        lines.append(f"  --{name}: {cls.summary}")
        for key, item in cls.option_fields().items():
            kind = item.type if isinstance(item.type, str) else getattr(item.type, "__name__", str(item.type))
            lines.append(f"      {key}: {kind}")
    return "\n".join(lines) + "\n"


def _show_dialects() -> str:
    from headrace.ir.context import dialect_exists
    from headrace.ir.dialects import DIALECTS

    return "Available dialects: " + ", ".join(sorted(name for name in DIALECTS if dialect_exists(name))) + "\n"


def _announce(word: str, names: set[str]) -> Any:
    def observer(item: Pass, op: Operation) -> None:
        if "*" in names or item.name in names:
            from headrace.ir.text import print_module

            sys.stderr.write(f"// -----// IR Dump {word} {type(item).__name__} ({item.name}) //----- //\n")
            sys.stderr.write(print_module(op) + "\n")

    return observer


def process(text: str, filename: str, first_line: int, options: Options, diagnostics: DiagnosticEngine) -> str:
    """Parse, run the pipeline and print one part of the input; raises `HeadraceError`."""
    from time import perf_counter

    from headrace.ir.context import make_context
    from headrace.ir.diagnostics import collecting
    from headrace.ir.text import parse_module, print_module

    with collecting(diagnostics):
        context = make_context(options.unregistered)
        started = perf_counter()
        module = parse_module(text, filename, options.strict, context, diagnostics=diagnostics, first_line=first_line)
        seconds = {"Parser": perf_counter() - started}
        if options.pipeline:
            from headrace.ir.passes import PassManager

            manager = PassManager(
                context,
                registry(),
                options.verify_each,
                before=[*_stopwatch(seconds, -1), *([_announce("Before", options.before)] if options.before else ())],
                after=[*_stopwatch(seconds, 1), *([_announce("After", options.after)] if options.after else ())],
            )
            manager.run(module, options.pipeline)
        started = perf_counter()
        text = print_module(module, options.generic, options.debuginfo, options.keep_names)
        seconds["Output"] = perf_counter() - started
        if options.timing:
            sys.stderr.write(_timing_text(seconds))
        return text


def _stopwatch(seconds: dict[str, float], sign: int) -> list[Any]:
    def observer(item: Pass, op: Operation) -> None:
        from time import perf_counter

        seconds[item.name] = seconds.get(item.name, 0.0) + sign * perf_counter()

    return [observer]


def _timing_text(seconds: dict[str, float]) -> str:
    total = sum(seconds.values())
    lines = [
        "===" + "-" * 73 + "===",
        f"  Total Execution Time: {total:.4f} seconds",
        "  ----Wall Time----  ----Name----",
    ]
    for name, value in [*seconds.items(), ("Total", total)]:
        lines.append(f"    {value:.4f} ({100 * value / total if total else 0:5.1f}%)  {name}")
    return "\n".join(lines) + "\n"


def split_parts(text: str) -> list[tuple[str, int]]:
    """The parts between `// -----` lines, each with the number of its first line."""
    parts: list[tuple[str, int]] = []
    lines = text.splitlines(keepends=True)
    start = 0
    for index, line in enumerate(lines):
        if line.strip() == "// -----":
            parts.append(("".join(lines[start:index]), start + 1))
            start = index + 1
    parts.append(("".join(lines[start:]), start + 1))
    return parts


def run_opt(argv: Sequence[str]) -> int:
    """Run the driver; returns the exit status (0 good, 1 the input is wrong, 2 usage)."""
    try:
        options = parse_arguments(argv)
    except UsageError as problem:
        sys.stderr.write(f"headrace opt: {problem}\n")
        return 2
    except HeadraceError as problem:
        sys.stderr.write(f"{problem}\n")
        return 2
    if options.action != "run":
        sys.stdout.write(
            {"help": lambda: _HELP, "list-passes": _list_passes, "show-dialects": _show_dialects}[options.action]()
        )
        return 0
    try:
        text, filename = _read(options.file)
    except HeadraceError as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    if options.dump_pipeline:
        sys.stderr.write(
            f"Pass Manager with {len(options.pipeline)} passes:\n"
            f"builtin.module({','.join(map(str, options.pipeline))})\n"
        )
    parts = split_parts(text) if options.split else [(text, 1)]
    outputs: list[str] = []
    status = 0
    for body, first_line in parts:
        diagnostics = DiagnosticEngine()
        failed: list[Diagnostic] = []
        output = ""
        try:
            output = process(body, filename, first_line, options, diagnostics)
        except HeadraceError as problem:
            failed = problem.diagnostics
        produced = [*diagnostics.diagnostics, *(item for item in failed if item not in diagnostics.diagnostics)]
        if options.verify_diagnostics:
            from headrace.cli.expected import compare

            problems = compare(body, filename, first_line, produced)
            for problem in problems:
                sys.stderr.write(f"{problem}\n")
            status = 1 if problems else status
            outputs.append("" if failed else output)
            continue
        for item in produced:
            sys.stderr.write(f"{item}\n")
        if failed:
            status = 1
        else:
            outputs.append(output)
    result = "\n// -----\n".join(outputs)
    if status == 0 or options.split:
        if options.output not in (None, "-"):
            with open(options.output, "w", encoding="utf-8") as stream:  # type: ignore[arg-type]
                stream.write(result)
        else:
            sys.stdout.write(result)
    return status


def _read(file: str | None) -> tuple[str, str]:
    if file in (None, "-"):
        return sys.stdin.read(), "<stdin>"
    try:
        with open(file, encoding="utf-8") as stream:  # type: ignore[arg-type]
            return stream.read(), str(file)
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "not UTF-8 text"
        raise HeadraceError(Diagnostic("error", f"cannot read '{file}': {reason}")) from None


if __name__ == "__main__":
    raise SystemExit(run_opt(sys.argv[1:]))
