"""A kernel that fails, a device out of memory, a cancelled invocation: at the right wait, with everything freed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from headrace.graph.kernels import Kernel
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module
from headrace.stream.interpreter import Program
from headrace.stream.levels import random_arguments
from headrace.stream.pipeline import Options
from headrace.stream.random_graphs import Features, random_graph
from headrace.stream.simulator import Simulator
from headrace.stream.system import DeviceSpec, System
from headrace.stream.threads import ThreadExecutor
from tests.stream.common import compiled, graph, system
from tests.stream.test_ownership import GROWING

EXECUTORS: list[Callable[[System], Any]] = [Simulator, ThreadExecutor]


def failing(program: Program, number: int) -> None:
    """Make the `number`-th kernel call of a program fail."""
    calls = {"left": number}
    original = Kernel.run

    def run(self: Kernel, arguments: Any) -> Any:
        calls["left"] -= 1
        if calls["left"] == 0:
            raise RuntimeError("the unit stopped")
        return original(self, arguments)

    for kernel in program.kernels.values():
        kernel.run = run.__get__(kernel)  # type: ignore[method-assign]


@pytest.mark.parametrize("make", EXECUTORS)
@pytest.mark.parametrize("name", ["a_chain", "d_loop", "e_twodev"])
def test_failing_kernel(name: str, make: Callable[[System], Any]) -> None:
    where = system(["dev_a", "dev_b"])
    module = graph(name)
    arguments = random_arguments(module)
    executor = make(where)
    program = Program(compiled(module, Options(system=where)), executor)
    failing(program, 2)
    with pytest.raises(HeadraceError, match=r"kernel '\w+' failed: the unit stopped"):
        program.run(arguments)
    assert executor.host_waits == 1
    assert not executor.held()
    if isinstance(executor, ThreadExecutor):
        executor.close()


@pytest.mark.parametrize("make", EXECUTORS)
def test_out_of_memory(make: Callable[[System], Any]) -> None:
    where = system(["dev_a", "dev_b"], memory_bytes=150000)
    module = graph("e_twodev")
    arguments = random_arguments(module)
    executor = make(where)
    program = Program(compiled(module, Options(system=where)), executor)
    with pytest.raises(HeadraceError, match="device 'dev_a' is out of memory: 65536 bytes asked for"):
        program.run(arguments)
    assert not executor.held()
    if isinstance(executor, ThreadExecutor):
        executor.close()


@pytest.mark.parametrize("make", EXECUTORS)
def test_cancelled(make: Callable[[System], Any]) -> None:
    module = graph("d_loop")
    arguments = random_arguments(module)
    executor = make(System())
    program = Program(compiled(module), executor)
    executor.cancel()
    with pytest.raises(HeadraceError, match="cancelled"):
        program.run(arguments)
    assert not executor.held()
    program.run(arguments)  # the next invocation is none the worse
    if isinstance(executor, ThreadExecutor):
        executor.close()


def test_ledger_sees_a_missing_wait() -> None:
    module = compiled(graph("e_twodev"))
    text_ops = [op for op in module.walk() if op.name == "stream.cmd.execute"]
    last = text_ops[-1]
    last.operands[0] = text_ops[0].results[0]
    simulator = Simulator(System())
    program = Program(module, simulator)
    program.run(random_arguments(graph("e_twodev")))
    assert simulator.ledger.problems


def test_ledger_sees_a_leak() -> None:
    module = compiled(graph("a_chain"))
    free = next(op for op in module.walk() if op.name == "stream.resource.dealloca")
    free.detach()
    simulator = Simulator(System())
    Program(module, simulator).run(random_arguments(graph("a_chain")))
    with pytest.raises(HeadraceError, match="never deallocated"):
        simulator.ledger.check()


@pytest.mark.parametrize("make", EXECUTORS)
@pytest.mark.parametrize("favour", ["min-peak-memory", "max-concurrency"])
@pytest.mark.parametrize("number", [1, 3, 6])
def test_failing_kernel_anywhere(number: int, favour: str, make: Callable[[System], Any]) -> None:
    """Whichever kernel fails, with loops, branches, globals and host reads around it."""
    where = system(["dev0", "dev1"])
    module = parse_module(random_graph(5, 24, Features(2)))
    arguments = random_arguments(module)
    executor = make(where)
    program = Program(compiled(module, Options(favour, where)), executor)
    kept = sum(executor.held().values())
    failing(program, number)
    with pytest.raises(HeadraceError, match=r"kernel '\w+' failed: the unit stopped"):
        program.run(arguments)
    held = [s for s in executor.ledger.storages if s.number in executor.present and not s.kept]
    assert not held and sum(executor.held().values()) >= kept
    if isinstance(executor, ThreadExecutor):
        executor.close()


@pytest.mark.parametrize("make", EXECUTORS)
def test_cancelled_while_it_runs(make: Callable[[System], Any]) -> None:
    """What has started ends, what has not fails; the next invocation is none the worse."""
    module = graph("d_loop")
    arguments = random_arguments(module)
    executor = make(System())
    program = Program(compiled(module), executor)
    original = Kernel.run
    calls = {"left": 2}

    def run(self: Kernel, values: Any) -> Any:
        calls["left"] -= 1
        if calls["left"] == 0:
            executor.cancel("the caller left")
        return original(self, values)

    for kernel in program.kernels.values():
        kernel.run = run.__get__(kernel)  # type: ignore[method-assign]
    with pytest.raises(HeadraceError, match="the caller left"):
        program.run(arguments)
    assert not executor.held()
    program.run(arguments)
    if isinstance(executor, ThreadExecutor):
        executor.close()


@pytest.mark.parametrize("make", EXECUTORS)
def test_out_of_memory_in_a_loop(make: Callable[[System], Any]) -> None:
    """A value that grows until the device is full."""
    where = System({"default": DeviceSpec("default", memory_bytes=2000)})
    module = parse_module(GROWING.replace("RESULT", "%s"))
    executor = make(where)
    program = Program(compiled(module, Options(system=where)), executor)
    data = np.ones((3, 8), np.float32)
    with pytest.raises(HeadraceError, match="device 'default' is out of memory"):
        program.run([data, 60])
    assert not executor.held()
    program.run([data, 3])
    if isinstance(executor, ThreadExecutor):
        executor.close()
