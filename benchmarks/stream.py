"""Asynchronous scheduling: the five graphs against the reference's table, random graphs against their bounds, compile
cost against stock xDSL's parse of the same text, overlap of two devices on threads.
"""

from __future__ import annotations

import gc
import hashlib
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median
from typing import Any

from benchmarks.common import ROOT, Case
from benchmarks.parse import stock_parse

GRAPHS = ROOT / "tests" / "corpus" / "stream"
#: Executions, joins, copies, transient bytes of the reference implementation.
REFERENCE: dict[str, tuple[int, int, int, int | None]] = {
    "a_chain": (1, 1, 0, 131072),
    "b_diamond": (1, 1, 0, 262144),
    "d_loop": (1, 1, 1, 65536),
    "e_twodev": (3, 4, 2, 262144),
    "f_dyn": (1, 1, 0, None),
}
#: Seed, nodes and devices of the random graphs.
RANDOM = [(seed, nodes, devices) for seed in range(3) for nodes in (40, 120) for devices in (1, 2, 3, 4)] + [
    (3, 400, devices) for devices in (1, 2, 3, 4)
]
SMALL = [(seed, nodes, 2 + seed % 3) for seed in range(6) for nodes in (20, 40)]


def reductions(count: int) -> str:
    """Independent reductions of one input."""
    body: list[str] = []
    for i in range(count):
        body.append(
            f"""  %e{i} = tensor.empty() : tensor<64xf32>
  %i{i} = linalg.fill ins(%z : f32) outs(%e{i} : tensor<64xf32>) -> tensor<64xf32>
  %r{i} = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}} ins(%a : tensor<64x64xf32>) outs(%i{i} : tensor<64xf32>) {{
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  }} -> tensor<64xf32>"""  # noqa: E501
        )
    kinds = ", ".join(["tensor<64xf32>"] * count)
    names = ", ".join(f"%r{i}" for i in range(count))
    return (
        f"func.func @f(%a: tensor<64x64xf32>) -> ({kinds}) {{\n  %z = arith.constant 0.0 : f32\n"
        + "\n".join(body)
        + f"\n  func.return {names} : {kinds}\n}}\n"
    )


def chain(count: int) -> str:
    """Contractions one after the other."""
    kind = "tensor<64x64xf32>"
    body: list[str] = []
    last = "%a"
    for i in range(count):
        body.append(
            f"""  %e{i} = tensor.empty() : {kind}
  %i{i} = linalg.fill ins(%z : f32) outs(%e{i} : {kind}) -> {kind}
  %r{i} = linalg.matmul ins({last}, %a : {kind}, {kind}) outs(%i{i} : {kind}) -> {kind}"""
        )
        last = f"%r{i}"
    return (
        f"func.func @f(%a: {kind}) -> {kind} {{\n  %z = arith.constant 0.0 : f32\n"
        + "\n".join(body)
        + f"\n  func.return {last} : {kind}\n}}\n"
    )


def _compile_cost(name: str, text: str, runs: int = 3) -> Case:
    from headrace.ir.text import parse_module
    from headrace.stream.pipeline import compile_graph

    parse: list[float] = []
    pipeline: list[float] = []
    for _ in range(runs):
        gc.collect()
        began = time.process_time()
        stock_parse(text)
        parse.append(time.process_time() - began)
        module = parse_module(text)
        gc.collect()
        began = time.process_time()
        compile_graph(module)
        pipeline.append(time.process_time() - began)
    return Case(f"pipeline, {name}", min(pipeline), "s", min(parse), "xDSL's parse", ("<=", 5.0))


def _five_graphs() -> list[Case]:
    from headrace.ir.text import parse_file
    from headrace.stream.interpreter import Program
    from headrace.stream.levels import random_arguments
    from headrace.stream.pipeline import Options, compile_graph
    from headrace.stream.simulator import Simulator
    from headrace.stream.statistics import static_figures

    cases: list[Case] = []
    for name, (executions, joins, copies, size) in REFERENCE.items():
        module = parse_file(Path(GRAPHS / f"{name}.mlir"))
        arguments = random_arguments(module)
        options = Options()
        compile_graph(module, options)
        figures = static_figures(module)
        simulator = Simulator(options.system)
        Program(module, simulator).run(arguments)
        simulator.ledger.check()
        slabs = sum(simulator.transient_peak.values())
        exact = {k: figures[k] for k in ("executions", "joins", "copies", "waits", "copies_in_loops", "allocations")}
        exact |= {"transient_bytes": slabs, "makespan_ns": simulator.makespan, "host_waits": simulator.host_waits}
        worse = sum(
            figures[k] > r for k, r in (("executions", executions), ("joins", joins), ("copies", copies))
        ) + (size is not None and slabs > size)
        cases.append(Case(f"{name}: figures above the reference's", worse, "", goal=("<=", 0), exact=exact))
        bound = sum(r["bound_bytes"] for r in options.report)
        if bound:
            cases.append(Case(f"{name}: slab", slabs, "bytes", bound, "lower bound", ("<=", 1.0)))
    return cases


def _random_graphs() -> list[Case]:
    from headrace.ir.text import parse_module
    from headrace.stream.interpreter import Program
    from headrace.stream.levels import random_arguments
    from headrace.stream.pipeline import Options, compile_graph
    from headrace.stream.random_graphs import Features, random_graph
    from headrace.stream.simulator import Simulator

    memory: list[float] = []
    spans: list[float] = []
    problems = 0
    for seed, nodes, devices in RANDOM:
        system = _system(devices)
        text = random_graph(seed, nodes, Features(devices))
        for favour in ("min-peak-memory", "max-concurrency"):
            module = parse_module(text)
            arguments = random_arguments(module)
            options = Options(favour, system)
            compile_graph(module, options)
            simulator = Simulator(system, data=False)
            Program(module, simulator).run(arguments)
            problems += len(simulator.ledger.problems) + len(simulator.ledger.leaks())
            if favour == "min-peak-memory":
                memory += [r["slab_bytes"] / r["bound_bytes"] for r in options.report if r["bound_bytes"]]
            elif simulator.bound()[0]:
                spans.append(simulator.makespan / simulator.bound()[0])
    count = f"{len(RANDOM)} random graphs (seeds 0 to 3, 40 to 400 nodes, 1 to 4 devices)"
    return [
        Case(f"{count}: slab over bound, mean", mean(memory), "", goal=("<=", 1.05)),
        Case(f"{count}: slab over bound, worst", max(memory), "", goal=("<=", 1.15)),
        Case(f"{count}: makespan over bound, mean", mean(spans), "", goal=("<=", 1.10)),
        Case(f"{count}: findings of the ledger", problems, "", goal=("<=", 0)),
    ]


def _optima() -> list[Case]:
    """Small graphs without control flow against the optima of CP-SAT."""
    from headrace.ir.text import parse_module
    from headrace.stream.optimum import compare_with_optimum
    from headrace.stream.random_graphs import Features, random_graph

    plain = {"loops": False, "branches": False, "whiles": False, "globals": False, "host_reads": False}
    found = [
        compare_with_optimum(parse_module(random_graph(seed, nodes, Features(devices, **plain))), _system(devices))
        for seed, nodes, devices in SMALL
    ]
    count = f"{len(SMALL)} graphs of 20 and 40 nodes (seeds 0 to 5, 2 to 4 devices)"
    return [
        Case(f"{count}: makespan over CP-SAT's, mean", mean(c.ratio for c in found), "", goal=("<=", 1.05)),
        Case(f"{count}: makespan over CP-SAT's, worst", max(c.ratio for c in found), "", goal=("<=", 1.15)),
        Case(f"{count}: not proven optimal by CP-SAT", sum(not c.proven for c in found), "", goal=("<=", 0)),
    ]


def _system(devices: int) -> Any:
    """Devices `dev0` and on, each linked to each."""
    from headrace.stream.system import DeviceSpec, LinkSpec, System

    names = [f"dev{i}" for i in range(devices)]
    links = {(a, b): LinkSpec(a, b, 10.0, 1000) for a in names for b in names if a != b}
    return System({n: DeviceSpec(n) for n in names}, links)


BRANCHES = """
func.func @f(%x: tensor<{n}x{n}xf32> {{iree.abi.affinity = #hal.device.affinity<@dev_a>}},
             %y: tensor<{n}x{n}xf32> {{iree.abi.affinity = #hal.device.affinity<@{second}>}})
    -> (tensor<{n}x{n}xf32>, tensor<{n}x{n}xf32>) {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{n}x{n}xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<{n}x{n}xf32>) -> tensor<{n}x{n}xf32>
  %a = linalg.matmul ins(%x, %x : tensor<{n}x{n}xf32>, tensor<{n}x{n}xf32>) outs(%i : tensor<{n}x{n}xf32>) -> tensor<{n}x{n}xf32>
  %b = linalg.matmul ins(%y, %y : tensor<{n}x{n}xf32>, tensor<{n}x{n}xf32>) outs(%i : tensor<{n}x{n}xf32>) -> tensor<{n}x{n}xf32>
  func.return %a, %b : tensor<{n}x{n}xf32>, tensor<{n}x{n}xf32>
}}
"""  # noqa: E501


def _compiled_branches(second: str) -> str:
    """The same with a compiled matrix product (KTIR) of 1024 x 1024 f16."""
    text = (ROOT / "tests" / "corpus" / "llm" / "matmul_1024.mlir").read_text()
    kernel = text[text.index("func.func") : text.rindex("}")]
    name = kernel[kernel.index("@") + 1 : kernel.index("(")]
    kind = "tensor<1024x1024xf16>"
    return f"""
flow.executable private @tile {{
  flow.executable.export public @{name}
  builtin.module {{ {kernel} }}
}}
util.func public @f(%x: {kind} {{iree.abi.affinity = #hal.device.affinity<@dev_a>}},
                    %y: {kind} {{iree.abi.affinity = #hal.device.affinity<@{second}>}}) -> ({kind}, {kind}) {{
  %a = flow.dispatch @tile::@{name}(%x, %x) : ({kind}, {kind}) -> {kind}
  %b = flow.dispatch @tile::@{name}(%y, %y) : ({kind}, {kind}) -> {kind}
  util.return %a, %b : {kind}, {kind}
}}
"""


def _threads(runs: int = 15) -> list[Case]:
    """Two independent branches on one and on two devices, one thread a device; medians of alternating runs."""
    from headrace.cli.graph import tile_runner
    from headrace.ir.text import parse_module
    from headrace.stream.interpreter import Program
    from headrace.stream.levels import random_arguments
    from headrace.stream.pipeline import compile_graph
    from headrace.stream.system import System
    from headrace.stream.threads import ThreadExecutor

    texts: dict[str, Callable[[str], str]] = {
        "two products in NumPy": lambda second: BRANCHES.format(n=512, second=second),
        "two compiled products": _compiled_branches,
    }
    cases: list[Case] = []
    for name, text in texts.items():
        system = System()
        tile = tile_runner(system)
        found: dict[str, list[float]] = {"dev_a": [], "dev_b": []}
        programs: dict[str, Any] = {}
        for second in found:
            module = parse_module(text(second))
            programs[second] = (random_arguments(module), compile_graph(module))
        for run in range(runs + 1):
            for second, (arguments, module) in programs.items():
                with ThreadExecutor(system) as executor:
                    Program(module, executor, tile).run(arguments)
                    if run:  # the first one compiles and opens devices
                        found[second].append(executor.seconds)
        one, two = (median(times) for times in found.values())
        cases.append(Case(f"{name}, one device over two", one, "s", two, "two devices", (">=", 1.7)))
    pairs = [(_hashing(1), _hashing(2)) for _ in range(runs)]
    alone, together = (median(times) for times in zip(*pairs, strict=True))
    return [*cases, Case("the same of threads that only hash", 2 * alone, "s", together, "what this machine gives")]


def _hashing(threads: int) -> float:
    """Seconds for `threads` threads that each hash 64 MiB without the interpreter's lock."""
    data = bytes(1 << 26)
    workers = [threading.Thread(target=hashlib.sha256, args=(data,)) for _ in range(threads)]
    began = time.perf_counter()
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    return time.perf_counter() - began


def run() -> list[Case]:
    """All cases."""
    return [
        *_five_graphs(),
        _compile_cost("1,024 reductions of one input", reductions(1024)),
        _compile_cost("4,096 reductions of one input", reductions(4096), 1),
        _compile_cost("chain of 2,000 dispatches", chain(2000)),
        *_random_graphs(),
        *_optima(),
        *_threads(),
    ]
