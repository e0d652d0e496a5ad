"""A kernel that fails, a device out of memory, a cancelled invocation: at the right wait, with everything freed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from headrace.graph.kernels import Kernel
from headrace.ir.diagnostics import HeadraceError
from headrace.stream.interpreter import Program
from headrace.stream.levels import random_arguments
from headrace.stream.pipeline import Options
from headrace.stream.simulator import Simulator
from headrace.stream.system import System
from headrace.stream.threads import ThreadExecutor
from tests.stream.common import compiled, graph, system

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
