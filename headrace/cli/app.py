"""The verbs and their options, as typer commands. The work is in one file a verb."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from headrace.cli.parameters import make_plain

_MAIN_HELP = """Compile tile kernels for dataflow accelerators, run them on a simulated device, and see how far from the
hardware's limit they are."""

app = typer.Typer(
    name="headrace",
    help=_MAIN_HELP,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Device = Annotated[str, typer.Option("--device", "-d", metavar="DEVICE", help="Device by name, or a device file.")]
Kernel = Annotated[str | None, typer.Option("--kernel", metavar="NAME", help="Kernel, if there are several.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show Python tracebacks.")]
Disable = Annotated[
    list[str] | None,
    typer.Option("--disable-pass", metavar="PASS", help="Leave a pass out, or the decision shared-reads."),
]
Args = Annotated[
    list[str] | None,
    typer.Option("--arg", metavar="NAME=VALUE", help="Value of a scalar argument; strides made of it are compiled in."),
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of the random data.")]
PrintAfterAll = Annotated[
    bool, typer.Option("--print-ir-after-all", help="Print the IR after each pass to standard error.")
]
PrintAfter = Annotated[
    list[str] | None, typer.Option("--print-ir-after", metavar="PASS", help="Print the IR after one pass.")
]


@app.command("compile", epilog="Example: headrace compile add.mlir --device spyre -o out --emit=dfir,spyrecode")
def compile_verb(
    file: Annotated[str, typer.Argument(metavar="FILE", help="KTIR file ('-': standard input).")],
    device: Device = "spyre",
    kernel: Kernel = None,
    output: Annotated[
        str | None, typer.Option("-o", metavar="DIR", help="Output directory (default: the kernel's name).")
    ] = None,
    emit: Annotated[
        str, typer.Option("--emit", metavar="LEVELS", help="Comma-separated: ktir, schedule, dfir, spyrecode.")
    ] = "spyrecode",
    print_ir_after_all: PrintAfterAll = False,
    print_ir_after: PrintAfter = None,
    save_ir: Annotated[
        str | None, typer.Option("--save-ir", metavar="DIR", help="Write the IR after each pass to a file.")
    ] = None,
    arg: Args = None,
    disable_pass: Disable = None,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse text that MLIR refuses.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print the decisions of the schedule, alternatives and estimates.")
    ] = False,
    json_output: Json = False,
    debug: Debug = False,
) -> int:
    """Compile a KTIR kernel to a SpyreCode directory."""
    from headrace.cli.compile import CompileRequest, run_compile

    return run_compile(
        CompileRequest(
            file, device, kernel, output, emit, print_ir_after_all, tuple(print_ir_after or ()), save_ir,
            tuple(arg or ()), tuple(disable_pass or ()), strict, json_output, explain,
        )
    )  # fmt: skip


@app.command(
    "run",
    epilog="Example: headrace run add.mlir --input x=x.npy --output results --check=levels",
)
def run_verb(
    files: Annotated[list[str], typer.Argument(metavar="FILE_OR_DIR...", help="KTIR files or SpyreCode directories.")],
    device: Annotated[
        str | None,
        typer.Option("--device", "-d", metavar="DEVICE", help="Device by name or file (default: spyre)."),
    ] = None,
    kernel: Kernel = None,
    inputs: Annotated[
        list[str] | None, typer.Option("--input", metavar="NAME=F.npy", help="Values of a buffer; the rest are random.")
    ] = None,
    arg: Args = None,
    seed: Seed = 0,
    output: Annotated[
        str | None, typer.Option("--output", metavar="DIR", help="Write every output buffer as <name>.npy.")
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="Exchange storage patterns instead of values in .npy files.")
    ] = False,
    check: Annotated[
        str | None, typer.Option("--check", metavar="ktir|levels|passes", help="Compare with the interpreters.")
    ] = None,
    profile: Annotated[bool, typer.Option("--profile", help="Show where the time goes, and what would help.")] = False,
    trace: Annotated[
        str | None, typer.Option("--trace", metavar="OUT.json", help="Write a trace for Perfetto or chrome://tracing.")
    ] = None,
    page: Annotated[
        str | None, typer.Option("--report", metavar="OUT.html", help="Write a page: timeline, roofline, memory, IR.")
    ] = None,
    records: Annotated[
        int, typer.Option("--records", metavar="N", min=1000, help="Most records of --profile, --trace and --report.")
    ] = 200_000,
    mode: Annotated[
        str, typer.Option("--mode", metavar="timed|functional|sanitized", help="What to simulate besides values.")
    ] = "timed",
    sanitize: Annotated[
        bool, typer.Option("--sanitize", help="Report hazards: races, uninitialised reads, lost signals, deadlock.")
    ] = False,
    repeat: Annotated[int, typer.Option("--repeat", metavar="N", min=1, help="Launch this often.")] = 1,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse lenient text; accesses outside a view are errors.")
    ] = False,
    disable_pass: Disable = None,
    json_output: Json = False,
    debug: Debug = False,
) -> int:
    """Compile if needed, run on the simulated device, check, and report cycles, bound and efficiency."""
    from headrace.cli.observe import Observe
    from headrace.cli.run import RunRequest, run_run

    return run_run(
        RunRequest(
            tuple(files), device, kernel, tuple(inputs or ()), tuple(arg or ()), seed, output, raw, check, repeat,
            strict, tuple(disable_pass or ()), json_output, debug, Observe(profile, trace, page, records),
            "sanitized" if sanitize else mode,
        )
    )  # fmt: skip


@app.command(
    "sweep",
    epilog="Example: headrace sweep add.mlir --set l1.size=1M,2M,4M --set ddr.read_bytes_per_cycle=64:512:64",
)
def sweep_verb(
    file: Annotated[str, typer.Argument(metavar="KERNEL", help="KTIR file ('-': standard input).")],
    device: Device = "spyre",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUES", help="A figure of the device: A,B,C or FROM:TO:STEP; repeatable."),
    ] = None,
    kernel: Kernel = None,
    arg: Args = None,
    seed: Seed = 0,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="DIR", help="Where to write (default: sweep).")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", metavar="N", min=1, help="Processes (default: one a core).")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Run on the Dask cluster at this address.")
    ] = None,
    disable_pass: Disable = None,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse lenient text.")] = False,
    json_output: Json = False,
    debug: Debug = False,
) -> int:
    """Compile and simulate a kernel over a grid of device figures: a CSV file, plots, the fastest."""
    from headrace.cli.sweep import SweepRequest, run_sweep

    return run_sweep(
        SweepRequest(
            file, device, tuple(settings or ()), kernel, tuple(arg or ()), seed, output, jobs, scheduler,
            tuple(disable_pass or ()), strict, json_output,
        )
    )  # fmt: skip


@app.command("opt", epilog="Example: headrace opt kernel.mlir --canonicalize --cse", add_help_option=False)
def opt_verb() -> int:
    """Read MLIR, run passes, print MLIR, like mlir-opt (see headrace opt --help)."""
    return 0  # never reached: `opt` is dispatched before this parser is loaded


@app.command("objdump", epilog="Example: headrace objdump out --arg x=0x400000080 --arg n=128")
def objdump_verb(
    directory: Annotated[str, typer.Argument(metavar="DIR", help="SpyreCode directory.")],
    arg: Annotated[
        list[str] | None,
        typer.Option("--arg", metavar="NAME=VALUE", help="Value or byte address: show the corrected binary."),
    ] = None,
    json_output: Json = False,
    debug: Debug = False,
) -> int:
    """Disassemble a SpyreCode directory: programs per unit, symbols with expressions, job plans."""
    from headrace.cli.objdump import run_objdump

    return run_objdump(directory, json_output, tuple(arg or ()))


@app.command("devices", epilog="Example: headrace devices spyre --dot | dot -Tsvg -o spyre.svg")
def devices_verb(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Device by name, or a device file.")] = None,
    dot: Annotated[bool, typer.Option("--dot", help="Print the device graph for Graphviz.")] = False,
    json_output: Json = False,
    debug: Debug = False,
) -> int:
    """List the shipped devices, or print one as a table."""
    from headrace.cli.devices import run_devices

    return run_devices(name, dot, json_output)


@app.command(
    "graph",
    epilog="Example: headrace graph run model.mlir --system two_devices.json --check=levels",
)
def graph_verb(
    verb: Annotated[str, typer.Argument(metavar="compile|run|explain", help="What to do.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="Graph on tensors ('-': standard input).")],
    system: Annotated[
        str | None, typer.Option("--system", metavar="SYS", help="System file (JSON): devices and links.")
    ] = None,
    function: Annotated[
        str | None, typer.Option("--function", metavar="NAME", help="Function, if there are several.")
    ] = None,
    favour: Annotated[
        str, typer.Option("--favour", metavar="memory|time|debug", help="Objective of the schedule.")
    ] = "memory",
    inputs: Annotated[
        list[str] | None, typer.Option("--input", metavar="NAME=F.npy", help="A tensor argument; the rest are random.")
    ] = None,
    arg: Args = None,
    seed: Seed = 0,
    dynamic: Annotated[
        int, typer.Option("--dynamic", metavar="N", min=1, help="Extent of dynamic dimensions of random data.")
    ] = 24,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="PATH", help="compile: file; run: directory for results.")
    ] = None,
    check: Annotated[
        str | None, typer.Option("--check", metavar="levels|passes", help="Compare every level with the graph.")
    ] = None,
    print_ir_after_all: PrintAfterAll = False,
    print_ir_after: PrintAfter = None,
    trace: Annotated[
        str | None, typer.Option("--trace", metavar="F.json", help="Write the simulation as a Chrome trace.")
    ] = None,
    threads: Annotated[bool, typer.Option("--threads", help="Also run with one worker thread per device.")] = False,
    fuse_bindings: Annotated[
        bool, typer.Option("--fuse-bindings", help="Bindings of a kernel that are always one resource become one.")
    ] = False,
    invocations: Annotated[int, typer.Option("--invocations", metavar="N", min=1, help="Invoke this often.")] = 1,
    json_output: Json = False,
    debug: Debug = False,
) -> int:
    """Schedule a graph of kernels over one or several devices; simulate, check, explain."""
    from headrace.cli.graph import GraphRequest, run_graph

    return run_graph(
        GraphRequest(
            verb, file, system, function, favour, tuple(inputs or ()), tuple(arg or ()), seed, dynamic, output, check,
            print_ir_after_all, tuple(print_ir_after or ()), trace, threads, fuse_bindings, invocations, json_output,
        )
    )  # fmt: skip


@app.command("lsp", epilog="Example: headrace lsp (started by an editor)")
def lsp_verb(debug: Debug = False) -> int:
    """Language server for KTIR, ScheduleIR, DataflowIR and device files, on standard input and output."""
    from headrace.cli.lsp import run_lsp

    return run_lsp()


def command() -> Any:
    """The click command behind the application."""
    return make_plain(typer.main.get_command(app))
