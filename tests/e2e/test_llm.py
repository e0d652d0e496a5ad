"""Kernels of language models: every level agrees, and products are near the machine's limit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from headrace.cli.main import run

CORPUS = Path(__file__).parent.parent / "corpus" / "llm"
DEVICES = ["spyre", "spyre-balanced", "sample", "tri"]
LARGE = {
    "bert_intermediate", "decode_16x4096", "decode_1x4096", "decode_64x4096", "matmul_1024", "matmul_2048",
    "matmul_1024_pid_1d", "matmul_4096", "matmul_512", "mlp_gate_4096", "flash_32x2048", "paged_decode_4096",
    "paged_decode_gqa_4096", "matmul_rows_2048", "matmul_silu_mul_2048", "rmsnorm_matmul_2048",
}  # fmt: skip
"""Kernels of real sizes: 10^8 to 7 * 10^10 multiplications, for which interpreters of single operations take hours.
Their small forms (the same text with smaller constants) run at all levels, they themselves on the device."""
KERNELS = sorted(p.stem for p in CORPUS.glob("*.mlir"))
SMALL = [k for k in KERNELS if k not in LARGE]
QUICK = ["k_loop_pointer", "linear_bias", "matmul_tails", "rows16_decode", "stick_weights", "flash_causal_i32",
         "paged_decode_one", "matmul_exp_gate", "fused_qkv"]


def checked(kernel: str, device: str, capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    """Run a kernel; its report."""
    status = run(["run", str(CORPUS / f"{kernel}.mlir"), "--device", device, "--json", *options])
    captured = capsys.readouterr()
    assert status in (0, 3), captured.err
    report = json.loads(captured.out)
    if "--check=levels" in options:
        assert report["check"]["status"] == "match", report["check"]["levels"]
    if "--sanitize" in options:
        assert report["sanitizer"]["status"] == "clean", report["sanitizer"]["reports"]
    return report


@pytest.mark.parametrize("kernel", QUICK)
def test_levels(kernel: str, capsys: pytest.CaptureFixture[str]) -> None:
    checked(kernel, "spyre", capsys, "--check=levels")


@pytest.mark.parametrize("device", ["sample", "tri"])
def test_levels_without_matrix_unit(device: str, capsys: pytest.CaptureFixture[str]) -> None:
    checked("matmul_i32", device, capsys, "--check=levels")


@pytest.mark.all
@pytest.mark.parametrize("kernel", SMALL)
@pytest.mark.parametrize("device", DEVICES)
def test_levels_everywhere(kernel: str, device: str, capsys: pytest.CaptureFixture[str]) -> None:
    checked(kernel, device, capsys, "--check=levels", "--sanitize")


@pytest.mark.all
@pytest.mark.parametrize(("most", "dataflow"), [(1 << 20, "match"), (1 << 18, "skipped")])
def test_levels_with_shared_reads(
    most: int, dataflow: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tiles that pass on what they read cannot be sampled at the level of units: all of them run there, or none."""
    monkeypatch.setattr("headrace.check.levels.TOGETHER", most)
    report = checked("matmul_512", "spyre", capsys, "--check=levels")
    assert report["check"]["coverage"] == {"tiles": 4, "of": 32}
    assert [x["status"] for x in report["check"]["levels"]] == ["reference", "match", dataflow, "match"]


def test_small_product_is_near_the_bound(capsys: pytest.CaptureFixture[str]) -> None:
    report = checked("matmul_512", "spyre", capsys)
    assert report["bound"]["by"] == "DDR" and report["efficiency"] >= 0.5


@pytest.mark.parametrize(("kernel", "least"), [("k_loop", 0.25), ("decode_1x4096", 0.95)])
def test_a_vector_unit_fetches_the_right_operand_once(
    kernel: str, least: float, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checked(kernel, "sample", capsys)["efficiency"] >= least


@pytest.mark.all
@pytest.mark.parametrize(
    ("kernel", "device", "least"),
    [
        ("matmul_4096", "spyre", 0.80), ("matmul_2048", "spyre", 0.65), ("matmul_2048", "spyre-balanced", 0.80),
        ("decode_1x4096", "spyre", 0.9), ("decode_16x4096", "spyre", 0.9), ("decode_64x4096", "spyre", 0.9),
        ("matmul_512", "sample", 0.25), ("matmul_1024", "sample", 0.25),
    ],
)  # fmt: skip
def test_efficiency(kernel: str, device: str, least: float, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(kernel, device, capsys)["efficiency"] >= least
