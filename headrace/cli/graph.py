"""`headrace graph compile|run|explain FILE`: asynchronous scheduling of a graph of kernels over a system."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headrace.cli.common import CheckFailed, UsageProblem, numbers, pairs, print_json, table

VERBS = ("compile", "run", "explain")
FAVOURS = {"memory": "min-peak-memory", "time": "max-concurrency", "debug": "debug"}


@dataclass(frozen=True)
class GraphRequest:
    """What the command line asks for."""

    verb: str
    file: str
    system: str | None = None
    function: str | None = None
    favour: str = "memory"
    inputs: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    seed: int = 0
    dynamic: int = 24
    output: str | None = None
    check: str | None = None
    print_ir_after_all: bool = False
    print_ir_after: tuple[str, ...] = ()
    trace: str | None = None
    threads: bool = False
    fuse_bindings: bool = False
    invocations: int = 1
    json: bool = False


def run_graph(request: GraphRequest) -> int:
    """Do it; returns the exit status."""
    from headrace.ir.text import parse_file, parse_module, print_module, verify_op
    from headrace.stream.pipeline import Options, compile_graph, pass_names
    from headrace.stream.system import System, load_system

    if request.verb not in VERBS:
        raise UsageProblem(f"'{request.verb}' is not one of {', '.join(VERBS)}")
    if request.favour not in FAVOURS:
        raise UsageProblem(f"--favour takes {', '.join(FAVOURS)}, not '{request.favour}'")
    if request.check not in (None, "levels", "passes"):
        raise UsageProblem(f"--check takes levels or passes, not '{request.check}'")
    for name in request.print_ir_after:
        if name not in pass_names():
            raise UsageProblem(f"no pass named '{name}'; there are {', '.join(pass_names())}")
    system = load_system(request.system) if request.system is not None else System()
    module = parse_module(sys.stdin.read(), "<stdin>") if request.file == "-" else parse_file(request.file)
    options = Options(FAVOURS[request.favour], system, request.fuse_bindings)
    original = module.clone() if request.verb != "compile" else None

    def after(name: str, level: Any) -> None:
        verify_op(level)
        if request.print_ir_after_all or name in request.print_ir_after:
            sys.stderr.write(f"// -----// IR after {name} //----- //\n{print_module(level, keep_names=True)}\n")

    compile_graph(module, options, after)
    if request.verb == "compile":
        text = print_module(module, keep_names=True)
        if request.output is not None:
            Path(request.output).write_text(text + "\n", encoding="utf-8")
        if request.json:
            from headrace.stream.statistics import static_figures

            print_json({"file": request.file, **static_figures(module), "slabs": options.report})
        elif request.output is None:
            sys.stdout.write(text + "\n")
        return 0
    if request.verb == "explain":
        from headrace.stream.explain import explain

        lines = explain(module)
        if request.json:
            print_json({"file": request.file, "explanations": lines})
        else:
            sys.stdout.write("".join(f"{line}\n" for line in lines))
        return 0
    return _run(request, module, original, options)


def _arguments(request: GraphRequest, module: Any) -> list[Any]:
    import numpy as np
    from xdsl.dialects.builtin import TensorType

    from headrace.graph.interpreter import find_function
    from headrace.interp.arguments import check_number
    from headrace.ir.diagnostics import error
    from headrace.ir.types import dtype_of
    from headrace.stream.levels import random_arguments

    function = find_function(module, request.function)
    values = random_arguments(module, request.function, request.seed, request.dynamic)
    names = [a.name_hint or f"arg{i}" for i, a in enumerate(function.body.blocks[0].args)]
    kinds = list(function.function_type.inputs.data)
    given = numbers("--arg", request.args)
    for option, items in (("--input", request.inputs), ("--arg", request.args)):
        for name, text in pairs(option, items).items():
            if name not in names:
                raise UsageProblem(f"{option}: no argument '{name}'; there are {', '.join(names)}")
            at = names.index(name)
            kind, dtype = kinds[at], dtype_of(kinds[at])
            if isinstance(kind, TensorType) != (option == "--input"):
                raise UsageProblem(f"{option}: '{name}' is {'a tensor' if option == '--arg' else 'a scalar'}")
            try:
                if option == "--input":
                    array = np.load(text, allow_pickle=False)
                    wanted = [n if n >= 0 else None for n in kind.get_shape()]  # pyright: ignore
                    if array.ndim != len(wanted) or any(
                        w is not None and w != n for w, n in zip(wanted, array.shape, strict=True)
                    ):
                        raise error(None, f"--input {name}: shape {list(array.shape)} does not fit {kind}")
                    values[at] = dtype.round_to(array) if dtype.is_float else array.astype(dtype.value_dtype)
                else:
                    check_number(None, name, dtype, number := given[name])
                    values[at] = dtype.value_dtype.type(number) if dtype.is_float else number
            except (OSError, ValueError) as problem:
                raise error(None, f"{option} {name}: {problem}") from None
    return values


def _run(request: GraphRequest, module: Any, original: Any, options: Any) -> int:
    import numpy as np

    from headrace.stream.interpreter import Program
    from headrace.stream.levels import check_levels
    from headrace.stream.pipeline import Options
    from headrace.stream.simulator import Simulator
    from headrace.stream.statistics import run_figures, static_figures

    arguments = _arguments(request, original)
    tile = tile_runner(options.system)
    simulator = Simulator(options.system)
    program = Program(module, simulator, tile)
    results: Any = ()
    for _ in range(request.invocations):
        results = program.run(arguments, request.function)
    problems = [*simulator.ledger.problems, *simulator.ledger.leaks()]
    report: dict[str, Any] = {
        "file": request.file,
        "favour": request.favour,
        **static_figures(module),
        **run_figures(simulator, options.report),
        "ledger": problems,
    }
    if request.threads:
        from headrace.stream.threads import ThreadExecutor

        executor = ThreadExecutor(options.system)
        with executor:
            threaded = Program(module, executor, tile).run(arguments, request.function)
        from headrace.stream.levels import compare

        report["threads"] = {"seconds": round(executor.seconds, 6), "difference": compare(threaded, results)}
    if request.check is not None:
        again = Options(options.favour, options.system, options.fuse_bindings)
        levels = check_levels(original, arguments, again, request.function, tile, request.invocations)
        report["check"] = [{"level": r.name, "equal": r.equal, "detail": r.detail} for r in levels]
    if request.trace is not None:
        Path(request.trace).write_text(json.dumps(simulator.chrome_trace()) + "\n", encoding="utf-8")
    if request.output is not None:
        directory = Path(request.output)
        directory.mkdir(parents=True, exist_ok=True)
        for index, value in enumerate(results):
            np.save(directory / f"result{index}.npy", np.asarray(value))
    if request.json:
        print_json(report)
    else:
        sys.stdout.write("\n".join(_text(report)) + "\n")
    failed = [r for r in report.get("check", ()) if not r["equal"]]
    if failed or problems or report.get("threads", {}).get("difference"):
        from headrace.ir.diagnostics import error

        what = failed[0]["level"] + ": " + failed[0]["detail"] if failed else (problems or ["threads differ"])[0]
        raise CheckFailed(error(None, f"the check failed at {what}").diagnostics)
    return 0


def tile_runner(system: Any) -> Any:
    """Runs tile kernels on simulated devices as the system names them."""
    from headrace.stream.tiles import TileRunner

    def compile_kernel(text: str, device: str) -> Any:
        from headrace.api import compile as compile_ktir

        return compile_ktir(text, device=device).code

    return TileRunner(compile_kernel, system)


def _text(report: dict[str, Any]) -> list[str]:
    lines = [f"graph {report['file']}, objective {report['favour']}"]
    rows = [("", "count")]
    rows += [
        (label, str(report[key]))
        for label, key in (
            ("executions", "executions"), ("concurrent groups", "concurrent_groups"), ("waits of the host", "waits"),
            ("joins", "joins"), ("copies", "copies"), ("copies in loops", "copies_in_loops"), ("fills", "fills"),
            ("allocations", "allocations"), ("deallocations", "deallocations"),
        )
    ]  # fmt: skip
    lines += table(rows, "  ", 1)
    slabs = [("device", "slab", "bound", "peak", "busy")]
    used = {s["device"]: s for s in report["slabs"] if s["function"] != "initializer"}
    for device in sorted({*report["peak_bytes"], *report["utilisation"]}):
        slab = used.get(device, {})
        dynamic = slab.get("dynamic_bins", 0)
        slabs.append(
            (
                device,
                str(report["transient_peak_bytes"].get(device, 0)),
                str(slab.get("bound_bytes", 0)) + (f" + {dynamic} dynamic" if dynamic else ""),
                str(report["peak_bytes"].get(device, "-")),
                f"{100 * report['utilisation'].get(device, 0.0):.1f} %",
            )
        )
    lines += table(slabs, "  ", 1)
    ratio = report["makespan_ns"] / report["bound_ns"] if report["bound_ns"] else 1.0
    lines.append(
        f"  makespan {report['makespan_ns']} ns, bound {report['bound_ns']} ns by {report['bound_by']}: {ratio:.3f}"
    )
    if "threads" in report:
        lines.append(f"  threads  {report['threads']['seconds']} s")
    for item in report.get("check", ()):
        lines.append(f"  {item['level']:<26} {'equal' if item['equal'] else item['detail']}")
    lines += [f"  ledger: {p}" for p in report["ledger"]]
    return lines
