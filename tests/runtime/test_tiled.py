"""Tiled launches: a kernel for one tile serves larger tensors; whatever would give wrong numbers is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headrace
from headrace.ir.diagnostics import HeadraceError
from headrace.runtime import Device, Kernel

CORPUS = Path(__file__).parent.parent / "corpus"


@pytest.fixture(scope="module")
def prepared() -> tuple[Device, Kernel]:
    program = headrace.compile(CORPUS / "elementwise" / "add.mlir", "spyre")
    device = Device.open(program.device)
    return device, device.prepare(program)


def tensors(device: Device, rows: int, columns: int = 64) -> dict[str, Any]:
    rng = np.random.default_rng(rows)
    x, y = (rng.standard_normal((rows, columns)).astype(np.float16) for _ in range(2))
    return {"x": device.tensor(x, name="x"), "y": device.tensor(y, name="y"),
            "out": device.empty((rows, columns), "f16", "out")}  # fmt: skip


def test_five_tiles(prepared: tuple[Device, Kernel]) -> None:
    device, kernel = prepared
    one = kernel.launch(**tensors(device, 96)).result()
    before = device.counters
    t = tensors(device, 480)
    launch = kernel.launch(**t)
    total = launch.result()
    assert np.array_equal(t["out"].numpy(), t["x"].numpy() + t["y"].numpy())
    assert [r.cycles for r in launch.results()] == [one.cycles] * 5 and total.cycles == 5 * one.cycles
    assert sum(u.busy for u in total.units.values()) == 5 * sum(u.busy for u in one.units.values())
    after = device.counters
    assert {k: after[k] - before[k] for k in ("launches", "computes", "host_computes")} == {
        "launches": 1, "computes": 5, "host_computes": 5,
    }  # fmt: skip


def test_an_operand_of_the_kernels_size_is_used_by_every_tile(prepared: tuple[Device, Kernel]) -> None:
    device, kernel = prepared
    t = tensors(device, 192)
    y = device.tensor(np.full((96, 64), 2, np.float16))
    kernel.launch(x=t["x"], y=y, out=t["out"]).result()
    assert np.array_equal(t["out"].numpy(), t["x"].numpy() + np.float16(2))


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ({"x": (100, 64), "y": (100, 64), "out": (100, 64)}, "dimension 0 is no multiple"),
        ({"x": (48, 64), "y": (96, 64), "out": (96, 64)}, "dimension 0 is smaller"),
        ({"x": (96, 128), "y": (96, 128), "out": (96, 128)}, "dimension 1 is not the outermost"),
        ({"x": (192, 128), "y": (192, 128), "out": (192, 128)}, r"dimensions \[0, 1\] exceed"),
        ({"x": (192, 64), "y": (288, 64), "out": (192, 64)}, "needs 3 tiles, another one 2"),
        ({"x": (192, 64), "y": (192, 64), "out": (96, 64)}, "every tile would overwrite it"),
        ({"x": (96, 64, 1), "y": (96, 64), "out": (96, 64)}, "rank 3 instead of 2"),
    ],
)
def test_refused_before_anything_runs(prepared: tuple[Device, Kernel], shapes: dict[str, Any], message: str) -> None:
    device, kernel = prepared
    before = device.counters["launches"]
    with pytest.raises(HeadraceError, match=message) as e:
        kernel.launch(**{n: device.empty(s, "f16", n) for n, s in shapes.items()})
    assert "has shape 96x64, tensor" in str(e.value)
    assert device.counters["launches"] == before and device.default_stream.query()


def test_not_allowed(prepared: tuple[Device, Kernel], monkeypatch: pytest.MonkeyPatch) -> None:
    device, kernel = prepared
    monkeypatch.setattr(kernel, "allow_tiled", False)
    with pytest.raises(HeadraceError, match="argument 'x' has shape 96x64, tensor 'x' has 192x64") as e:
        kernel.launch(**tensors(device, 192))
    assert "tiled" not in str(e.value)
    for text, value in (("0", False), ("1", True), ("", None)):
        monkeypatch.setenv("HEADRACE_TILED_LAUNCH", text)
        assert device.prepare(kernel.code).allow_tiled is value


def test_a_kernel_over_columns_is_not_tiled_unless_somebody_vouches() -> None:
    program = headrace.compile(CORPUS / "reductions" / "column_softmax.mlir", "sample")
    device = Device.open(program.device)
    kernel = device.prepare(program.code)
    x, out = (device.empty((80, 128), "f32", n) for n in ("x", "out"))
    with pytest.raises(HeadraceError, match="not known to walk 'x' row by row"):
        kernel.launch(x=x, out=out)
    kernel.allow_tiled = True
    assert len(kernel.launch(x=x, out=out).results()) == 2
