"""Shared by the stream tests: the five graphs, systems, one-call compile and run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from headrace.ir.text import parse_file, parse_module
from headrace.stream.interpreter import Program
from headrace.stream.pipeline import Options, compile_graph
from headrace.stream.simulator import Simulator
from headrace.stream.system import DeviceSpec, LinkSpec, System

GRAPHS = Path(__file__).parents[1] / "corpus" / "stream"
NAMES = ("a_chain", "b_diamond", "d_loop", "e_twodev", "f_dyn")


def graph(name: str) -> ModuleOp:
    """One of the five graphs."""
    return parse_file(GRAPHS / f"{name}.mlir")


def system(names: Sequence[str], unified: bool = False, **fields: Any) -> System:
    """Devices with all links between them."""
    devices = {n: DeviceSpec(n, **fields) for n in names}
    links = {(a, b): LinkSpec(a, b, 10.0, 1000, unified) for a in names for b in names if a != b}
    return System(devices, links)


def compiled(source: str | ModuleOp, options: Options | None = None) -> ModuleOp:
    """A text or module at the command level."""
    module = parse_module(source) if isinstance(source, str) else source
    return compile_graph(module, options)


def simulated(module: ModuleOp, arguments: Sequence[Any], where: System | None = None) -> tuple[Any, Simulator]:
    """Results and the simulator of one invocation, ledger checked."""
    simulator = Simulator(where or System())
    results = Program(module, simulator).run(arguments)
    simulator.ledger.check()
    return results, simulator
