"""The forecast is near the simulated cycles, and an explanation lists what there was to choose."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import headrace
from headrace.check import launch
from headrace.cli.main import run
from headrace.scheduler.forecast import MOST, Shortened, forecast
from headrace.scheduler.unit_steps import Program
from tests.machine.test_corpus import PAIRS, compile_or_why, read_refused, with_data

CORPUS = Path(__file__).parents[1] / "corpus"
KERNELS = (
    "access/runtime_columns", "bodies/cast_chain", "comm/all_reduce_ring", "comm/relayout_load",
    "comm/store_two_buffers", "control/triangular_loops", "elementwise/chain", "elementwise/column_major",
    "elementwise/runtime_rows", "elementwise/three_programs", "gather/gather_in_loop", "llm/k_loop", "llm/matmul_f16",
    "reductions/column_sum", "reductions/softmax", "triton/first_iteration_differs", "triton/layernorm_f16",
    "triton/rope_interleaved",
)  # fmt: skip
"""Short kernels of every kind: streams, tails, sizes of a launch, reductions, gathers, products, exchanges, branches of
the coordinator."""


def error_of(kernel: str, device: str, values: dict[str, int] | None = None) -> float:
    """Relative error of the forecast."""
    program = compile_or_why(f"{kernel}.mlir", device)
    assert not isinstance(program, str), program
    _, memory, scalars = with_data(program)
    opened = headrace.Device.open(program.device)
    scalars = {**scalars, **(values or {})}
    cycles = launch.place(opened, program.code, program.buffers.buffers, memory, scalars).start().cycles
    known = {n: v for n, v in scalars.items() if isinstance(v, int)}
    return forecast(program.schedule, program.device, known).cycles / cycles - 1


def quantiles(errors: Iterable[float]) -> tuple[float, float]:
    """(median, 95th percentile) of absolute errors."""
    sizes = sorted(abs(e) for e in errors)
    return statistics.median(sizes), sizes[int(0.95 * len(sizes))]


@pytest.mark.parametrize("device", ["spyre", "spyre-balanced"])
def test_forecasts_are_near_the_simulated_cycles(device: str) -> None:
    median, high = quantiles(error_of(kernel, device) for kernel in KERNELS)
    assert median <= 0.03 and high <= 0.15


@pytest.mark.parametrize("device", ["sample", "tri"])
def test_forecasts_on_other_devices(device: str) -> None:
    fitting = [k for k in KERNELS if not k.startswith(("comm/", "llm/")) and k != "elementwise/chain"]
    median, high = quantiles(error_of(kernel, device) for kernel in fitting)
    assert median <= 0.05 and high <= 0.20


VECTORS = ("bodies/spyreop_f16", "llm/matmul_f32", "tensors/dense_window")
MORE = ("tensors/generate_causal", "triton/upsample_nearest")


@pytest.mark.parametrize("kernel", [*VECTORS, *(pytest.param(k, marks=pytest.mark.all) for k in MORE)])
def test_what_vectors_cost(kernel: str) -> None:
    """What a pattern of the device file makes of intrinsics has its price; elements that are spread are loaded an
    iteration before their use; constants and positions are spread once, loop variables each time."""
    assert abs(error_of(kernel, "tri")) <= 0.05


def test_a_distributed_loop_of_one_iteration() -> None:
    """One of the instances runs it: it does not wait for the other at the port."""
    assert abs(error_of("reductions/tile_sum", "sample")) <= 0.02


@pytest.mark.all
@pytest.mark.parametrize("device", ["sample", "spyre", "spyre-balanced", "tri"])
def test_forecasts_over_the_corpus(device: str) -> None:
    long = ("_4096", "_2048", "_1024", "_16384", "_32x2048", "decode_", "mlp_")
    errors = []
    refused = {file for file, d in read_refused() if d == device}
    for file in [f for f, d in PAIRS if d == device]:
        if not any(x in file for x in long) and file not in refused:
            errors.append(error_of(file.removesuffix(".mlir"), device))
    median, high = quantiles(errors)
    assert len(errors) > 150 and median <= 0.10 and high <= 0.25


def test_explain_lists_alternatives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(CORPUS / "elementwise" / "loop_blocks.mlir")
    assert run(["compile", path, "-o", str(tmp_path), "--explain", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)["explain"]
    found = {d["what"]: d for d in report["decisions"]}
    assert list(found) == ["tile size", "buffer depth", "loop order", "coarsening level", "corelet split"]
    for d in found.values():
        assert len(d["alternatives"]) >= 2 and d["chosen"] in {a["choice"] for a in d["alternatives"]}
        assert any(a["choice"] == d["chosen"] and a["estimate"] == report["estimate"] for a in d["alternatives"])
    split = {a["choice"]: a["estimate"] for a in found["corelet split"]["alternatives"]}
    assert split["no split"] >= split["outer loop"]


def test_explain_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compile", str(CORPUS / "elementwise" / "add.mlir"), "-o", str(tmp_path), "--explain"]) == 0
    out = capsys.readouterr().out
    assert "  estimate   " in out and "  tile size: 24 tiles" in out and "  * 24 tiles" in out


@settings(max_examples=200, deadline=None)
@example(trips=[5], rate=1.0, start=0.0, noise=[4.0] + [0.0] * 15)
@given(
    trips=st.lists(st.integers(2, 600), min_size=1, max_size=4),
    rate=st.floats(1, 300),
    start=st.floats(0, 5000),
    noise=st.lists(st.floats(0, 3000), min_size=16, max_size=16),
)
def test_a_whole_program_takes_as_long_as_any_part_of_it(
    trips: list[int], rate: float, start: float, noise: list[float]
) -> None:
    """Whatever the parts differ in: what was played of a program is part of its forecast."""
    inside = {k: [(n, float(MOST * n))] for k, n in enumerate(trips)}
    plan = Shortened(Program(events=1e3 * MOST, trips=inside))
    played: list[float] = []

    def once(cut: Mapping[int, float]) -> float:
        amount = 1.0
        for k, n in enumerate(trips):
            amount *= max(1.0, n * cut.get(k, 1.0))
        played.append(start + rate * amount + noise[len(played) % len(noise)])
        return played[-1]

    assert plan.cycles(once) >= max(played) * (1 - 1e-9)
