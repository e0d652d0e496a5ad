"""The positional interface, and transfers that overlap device work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headrace.ir.diagnostics import HeadraceError
from headrace.runtime import Device, JobPlan, SymbolicArgument, SymbolKind, launch_jobplan, prepare_kernel
from tests.codegen.programs import generate, multiply
from tests.runtime.test_launch import operands, right

ARTEFACTS = Path(__file__).parent.parent / "codegen" / "artefacts"
A, D = SymbolKind.ADDRESS, SymbolKind.DIMENSION


@pytest.fixture(scope="module")
def plan() -> JobPlan:
    return prepare_kernel(ARTEFACTS / "rows-v1-digests", Device.open(ARTEFACTS / "frozen.mlir"))


def tensors(plan: JobPlan, rows: int = 256) -> list[Any]:
    x = np.random.default_rng(0).standard_normal((256, 128)).astype(np.float16)
    device = plan.device
    return [device.tensor(x), device.tensor(np.zeros((256, 128), np.float16)), device.empty((rows, 1), "f16", "shape")]


def test_symbols_by_slot(plan: JobPlan) -> None:
    x, out, shape = tensors(plan, 48)
    slots = [SymbolicArgument(A, 0), SymbolicArgument(A, 1), SymbolicArgument(D, 2, 0)]
    launch_jobplan(plan, [x, out, shape], slots).result()
    assert np.array_equal(out.numpy()[:48], 2 * x.numpy()[:48]) and not out.numpy()[48:].any()
    launch_jobplan(plan, [x, out], [*slots[:2], SymbolicArgument(D, 0, value=64)], plan.device.stream()).result()
    assert out.numpy()[48:64].any() and not out.numpy()[64:].any()


@pytest.mark.parametrize(
    ("slots", "message"),
    [
        ([SymbolicArgument(A, 0)], "takes 3 arguments, 1 symbolic arguments were given"),
        ([SymbolicArgument(A, 0), SymbolicArgument(A, 7), SymbolicArgument(D, 0, 0)], "slot 1 names tensor 7 of 3"),
        ([SymbolicArgument(A, 0), SymbolicArgument(A, 1), SymbolicArgument(D, 0, 2)], "names dimension 2"),
        ([SymbolicArgument(A, 0), SymbolicArgument(A, 1), SymbolicArgument(A, 1)], "takes an integer, not Tensor"),
        ([SymbolicArgument(A, 0), SymbolicArgument(A, 1), SymbolicArgument(D, 0, value=17)], "granularity 16"),
        (None, "takes an integer, not Tensor"),
    ],
)
def test_wrong_slots(plan: JobPlan, slots: Any, message: str) -> None:
    with pytest.raises(HeadraceError, match=message):
        launch_jobplan(plan, tensors(plan), slots)


def test_arguments_that_are_no_tensors(plan: JobPlan) -> None:
    with pytest.raises(HeadraceError, match="launch argument 1 is no device tensor but int"):
        launch_jobplan(plan, [tensors(plan)[0], 3, 4])  # type: ignore[list-item]
    with pytest.raises(HeadraceError, match="takes 3 arguments, 2 tensors"):
        launch_jobplan(plan, tensors(plan)[:2])


def test_tensors_in_order() -> None:
    device = Device.open("sample")
    kernel = device.prepare(generate(multiply()))
    t = operands(device)
    launch_jobplan(kernel, [t["a"], t["b"], t["c"]]).result()
    assert right(t)


def test_a_transfer_without_barrier_overlaps_device_work() -> None:
    device = Device.open("sample")
    kernel = device.prepare(generate(multiply()))
    t, spare = operands(device), device.empty((4, 64), "f16", "spare")
    stream = device.stream()

    def figures(barrier: bool) -> tuple[int, int, int]:
        for _ in range(3):
            kernel.launch(stream, **t)
        copy = stream.to_device(spare, np.ones((4, 64), np.float16), barrier)
        stream.synchronize()
        device.trace()
        runs = [r for r in stream.lane.records if r[1] == "compute"]
        return copy.spans[0].start, copy.spans[0].end, runs[-1][5]

    start, _, end = figures(True)
    assert start >= end
    start, _, end = figures(False)
    assert start < end
    assert np.array_equal(spare.numpy(), np.ones((4, 64), np.float16))
