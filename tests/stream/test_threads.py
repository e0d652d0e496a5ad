"""The threaded executor: the same results, and devices that really overlap."""

from __future__ import annotations

import threading

import pytest

from headrace.graph.kernels import Kernel
from headrace.stream.interpreter import Program
from headrace.stream.levels import compare, random_arguments
from headrace.stream.pipeline import Options
from headrace.stream.threads import ThreadExecutor
from tests.stream.common import NAMES, compiled, graph, simulated, system

BRANCHES = """
func.func @f(%x: tensor<8xf32> {{iree.abi.affinity = #hal.device.affinity<@dev_a>}},
             %y: tensor<8xf32> {{iree.abi.affinity = #hal.device.affinity<@{second}>}})
    -> (tensor<8xf32>, tensor<8xf32>) {{
  %a = math.absf %x : tensor<8xf32>
  %b = arith.negf %y : tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}}
"""


@pytest.mark.parametrize("favour", ["min-peak-memory", "max-concurrency"])
@pytest.mark.parametrize("name", NAMES)
def test_same_results(name: str, favour: str) -> None:
    where = system(["dev_a", "dev_b"])
    module = graph(name)
    arguments = random_arguments(module, dynamic=8)
    compiled(module, Options(favour, where))
    expected, _ = simulated(module, arguments, where)
    with ThreadExecutor(where) as executor:
        found = Program(module, executor).run(arguments)
        executor.ledger.check()
    assert compare(found, expected) == ""


def test_devices_run_at_the_same_time() -> None:
    """Two kernels that wait for each other end only if both devices run."""
    where = system(["dev_a", "dev_b"])
    module = compiled(BRANCHES.format(second="dev_b"), Options(system=where))
    meeting = threading.Barrier(2)
    original = Kernel.run
    with ThreadExecutor(where) as executor:
        program = Program(module, executor)
        for kernel in program.kernels.values():

            def run(self: Kernel, arguments: object) -> object:
                meeting.wait()
                return original(self, arguments)  # type: ignore[arg-type]

            kernel.run = run.__get__(kernel)  # type: ignore[method-assign]
        program.run(random_arguments(module_of(BRANCHES)))


def module_of(text: str):
    """The parsed branches."""
    from headrace.ir.text import parse_module

    return parse_module(text.format(second="dev_b"))
