"""Kernels whose tiles give each other data: every level agrees where cores are joined; refused elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headrace
from headrace.cli.main import run

CORPUS = Path(__file__).parent.parent / "corpus" / "comm"
LARGE = ("all_reduce_512k", "all_reduce_f16_ring")
KERNELS = sorted(p.stem for p in CORPUS.glob("*.mlir") if p.stem not in LARGE)
OWN = ("two_buffers", "store_two_buffers")
"""Kernels that reach device memory only: any device runs them."""
QUICK = (
    "all_reduce_f16",
    "all_reduce_ring",
    "all_to_all",
    "broadcast_in_loop",
    "broadcast_tree",
    "gather_columns_to_one",
    "half_of_the_tiles",
    "relayout_to_columns",
    "rotate_in_loop",
    "store_two_buffers",
)


def checked(kernel: str, device: str, capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    """Run a kernel; its report."""
    status = run(["run", str(CORPUS / f"{kernel}.mlir"), "--device", device, "--json", *options])
    captured = capsys.readouterr()
    assert status in (0, 3), captured.err
    report = json.loads(captured.out)
    assert report["check"]["status"] == "match", report["check"]["levels"]
    return report


@pytest.mark.parametrize("kernel", QUICK)
def test_levels(kernel: str, capsys: pytest.CaptureFixture[str]) -> None:
    checked(kernel, "spyre", capsys, "--check=levels", "--sanitize")


@pytest.mark.all
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("device", ["spyre", "spyre-balanced"])
def test_levels_everywhere(kernel: str, device: str, capsys: pytest.CaptureFixture[str]) -> None:
    checked(kernel, device, capsys, "--check=levels", "--sanitize")


@pytest.mark.all
@pytest.mark.parametrize("kernel", KERNELS)
def test_passes(kernel: str, capsys: pytest.CaptureFixture[str]) -> None:
    checked(kernel, "spyre", capsys, "--check=passes")


@pytest.mark.parametrize("kernel", OWN)
@pytest.mark.parametrize("device", ["sample", "tri"])
def test_buffers_in_device_memory_need_no_interconnect(
    kernel: str, device: str, capsys: pytest.CaptureFixture[str]
) -> None:
    checked(kernel, device, capsys, "--check=levels", "--sanitize")


@pytest.mark.parametrize(("kernel", "what"), [
    ("all_reduce_f16", "communication between tiles"), ("relayout_load", "access to another core's scratchpad"),
])  # fmt: skip
@pytest.mark.parametrize("device", ["sample", "tri"])
def test_refused_without_interconnect(kernel: str, what: str, device: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", str(CORPUS / f"{kernel}.mlir"), "--device", device]) == 1
    message = capsys.readouterr().err
    assert f"{what} needs an interconnect between cores, which device '{device}' does not have" in message
    assert f"{kernel}.mlir:" in message


def test_ring_is_near_the_bound(capsys: pytest.CaptureFixture[str]) -> None:
    """32 tensors of 512 KB: both halves of the ring at the pace of a core's way onto it."""
    assert run(["run", str(CORPUS / "all_reduce_512k.mlir"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["bound"] == {"cycles": 7936, "by": "interconnect"} and report["efficiency"] >= 0.85


def test_a_value_that_others_overwrite_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A tile loads its rows, then others write there, then the rows are used."""
    lines = (CORPUS / "relayout_store.mlir").read_text().splitlines()
    store = next(k for k, line in enumerate(lines) if "ktdp.store %c, %dt" in line)
    load = next(k for k, line in enumerate(lines) if "%r = ktdp.load" in line)
    moved = [*lines[:store], *lines[store + 1 : load + 1], lines[store], *lines[load + 1 :]]
    (tmp_path / "early.mlir").write_text("\n".join(moved))
    assert run(["compile", str(tmp_path / "early.mlir"), "-o", str(tmp_path / "out")]) == 1
    assert "the loaded value is used after a store to the same memory" in capsys.readouterr().err


def test_coordinates_known_only_at_launch_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (CORPUS / "relayout_load.mlir").read_text()
    text = text.replace("%y: index)", "%y: index, %n: index)").replace("%d[0, %me * 64]", "%d[0, %n]")
    (tmp_path / "late.mlir").write_text(text)
    assert run(["compile", str(tmp_path / "late.mlir"), "-o", str(tmp_path / "out")]) == 1
    message = capsys.readouterr().err
    assert "accesses a distributed view at coordinates only known at launch" in message and "late.mlir:" in message


def test_a_kernel_reads_what_another_one_left_in_the_scratchpads() -> None:
    x = np.random.default_rng(0).standard_normal((32, 64)).astype(np.float16)
    with headrace.Device.open("spyre") as device:
        write, read = (
            device.prepare(headrace.compile(CORPUS / f"handover_{name}.mlir", device="spyre").code)
            for name in ("write", "read")
        )
        y = device.empty((32, 64), "f16")
        write.launch(x=device.tensor(x)).result()
        read.launch(y=y).result()
        np.testing.assert_array_equal(y.numpy(), (x + x) * (x + x))
