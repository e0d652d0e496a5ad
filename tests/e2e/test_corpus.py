"""Every kernel of the corpus, every level, several devices and grids: equal bit for bit, and reproducible."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import headrace
from headrace.cli.main import run

ROOT = Path(__file__).parent.parent / "corpus"
CORPUS = ROOT / "elementwise"
AREAS = ("access", "bodies", "control", "gather", "masked", "reductions", "tensors", "triton")
"""Further corpora: memory accesses, bodies, control flow, indirect access, reductions, tensor operations, what front
ends write."""
OTHERS = sorted(f"{area}/{p.stem}" for area in AREAS for p in (ROOT / area).glob("*.mlir"))
GATHERS = [k for k in OTHERS if "_16384" in k]
"""Too long for the interpreters; measured on the device alone."""
LONG = [k for k in OTHERS if "_4096x" in k]
"""Too long for the interpreters on devices whose vectors are short."""
SHORT = [k for k in OTHERS if k not in GATHERS and k not in LONG]
SCALARS = {
    "from_elements": ["s=0.5"], "scalar_arguments": ["a=1.5", "b=2.5", "n=3", "m=4"], "masked_fill": ["v=1.5"],
    "dropout_hash": ["seed=7"], "causal_scores_softmax": ["scale=0.5"],
    "layernorm_launch_length": ["n=150"], "two_launch_lengths": ["n=200", "m=150"],
    "carried_over_launch_length": ["n=150"], "two_stored_lengths": ["n=150", "m=200"],
    "swiglu_backward_blocks": ["n=100"], "taps_before_the_first_row": ["n=50"], "store_before_and_beyond": ["n=26"],
    "row_sum_pitch_is_extent": ["n=150"], "adamw_in_place": ["lr=0.01"],
    "attention_open_rows": ["m=45"], "matmul_launch_rows": ["m=77"], "batch_matmul_launch_rows": ["m=70"],
    "batches_in_turn_launch_rows": ["m=65", "q=2"],
    "suffix_sums_from_the_end": ["n=42"], "transpose_launch_tail": ["n=61"],
    "gemm_swizzled_args": ["M=40", "N=70", "K=50"],
}  # fmt: skip
"""Values of scalar arguments, by kernel."""
KERNELS = sorted(p.stem for p in CORPUS.glob("*.mlir"))
LARGE = [k for k in KERNELS if k.endswith("_4096") or k == "tail_tiles"]
SMALL = [k for k in KERNELS if k not in LARGE]
DEVICES = ("sample", "spyre", "spyre-balanced", "tri")
TOO_MANY = re.compile(r"error: grid of (\d+) tiles is larger than the (\d+) cores of device")
"""What a device with fewer cores than a kernel has tiles answers."""
ROTATING = [(k, DEVICES[i % 4]) for i, k in enumerate(SHORT) if i % 5 == 0]
"""A part of the further corpora, each kernel on one device."""

TELLING = (
    ("reductions/softmax_in_place", "sample"), ("triton/layernorm_launch_length", "sample"),
    ("access/two_launch_lengths", "tri"), ("tensors/slices_beside_ones", "spyre"), ("gather/scatter_rows", "spyre"),
    ("access/two_stored_lengths", "tri"), ("triton/qk_norm_rope_in_place", "sample"),
    ("reductions/moe_ranks", "sample"), ("access/shift_in_place", "sample"),
    ("control/masked_max_then_in_place", "sample"), ("access/local_byte_blocks", "tri"),
    ("control/carried_rolled_terms", "sample"),
)  # fmt: skip
"""Kernels on the device that tells whether they are right: short queues, short vectors, cores of another shape."""


def check(path: Path, device: str, capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    scalars = [x for value in SCALARS.get(path.stem, []) for x in ("--arg", value)]
    status = run(["run", str(path), "--device", device, "--check=levels", "--json", *options, *scalars])
    captured = capsys.readouterr()
    if (more := TOO_MANY.search(captured.err)) is not None and int(more[1]) > int(more[2]):
        return {}
    assert status in (0, 3), captured.err
    report = json.loads(captured.out)
    assert report["check"]["status"] == "match", report["check"]["levels"]
    assert report["efficiency"] is not None and 0 < report["efficiency"] <= 1
    return report


@pytest.mark.parametrize("kernel", SMALL)
def test_levels_on_spyre(kernel: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(CORPUS / f"{kernel}.mlir", "spyre", capsys)


@pytest.mark.parametrize("kernel", ["add", "chain", "tail_columns", "three_programs", "if_tile_id"])
@pytest.mark.parametrize("device", ["sample", "spyre-balanced"])
def test_levels_on_other_devices(kernel: str, device: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(CORPUS / f"{kernel}.mlir", device, capsys)


@pytest.mark.all
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("device", DEVICES)
def test_levels_everywhere(kernel: str, device: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(CORPUS / f"{kernel}.mlir", device, capsys, "--sanitize")


@pytest.mark.parametrize(("kernel", "device"), ROTATING)
def test_part_of_the_other_corpora(kernel: str, device: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(ROOT / f"{kernel}.mlir", device, capsys)


@pytest.mark.parametrize(("kernel", "device"), TELLING)
def test_where_it_tells(kernel: str, device: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(ROOT / f"{kernel}.mlir", device, capsys, "--sanitize")


@pytest.mark.all
@pytest.mark.parametrize("kernel", LONG)
@pytest.mark.parametrize("device", ["spyre", "spyre-balanced"])
def test_long_kernels(kernel: str, device: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(ROOT / f"{kernel}.mlir", device, capsys)


@pytest.mark.all
@pytest.mark.parametrize("kernel", SHORT)
@pytest.mark.parametrize("device", DEVICES)
def test_other_corpora_everywhere(kernel: str, device: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(ROOT / f"{kernel}.mlir", device, capsys, "--sanitize")


def test_gather_reaches_the_bandwidth(capsys: pytest.CaptureFixture[str]) -> None:
    for kernel in GATHERS:
        assert run(["run", str(ROOT / f"{kernel}.mlir"), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["efficiency"] >= 0.8


def test_large_kernel_on_a_sample_of_tiles(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", str(CORPUS / "add_4096.mlir"), "--check=ktir", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["check"]["status"] == "match" and report["efficiency"] >= 0.9
    assert report["check"]["coverage"] == {"tiles": 4, "of": 32}


@pytest.mark.parametrize("kernel", ["add", "runtime_rows", "three_programs"])
def test_cycles_and_binary_are_reproducible(kernel: str) -> None:
    first, second = (headrace.compile(CORPUS / f"{kernel}.mlir") for _ in range(2))
    assert first.code.files == second.code.files


def test_names_do_not_change_the_binary(tmp_path: Path) -> None:
    text = (CORPUS / "add.mlir").read_text()
    renamed = re.sub(r"@add\b", "@other", text)
    renamed = re.sub(r"%([a-z]\w*)", r"%renamed_\1", renamed)
    (tmp_path / "elsewhere.mlir").write_text(renamed)
    a = headrace.compile(CORPUS / "add.mlir")
    b = headrace.compile(tmp_path / "elsewhere.mlir")
    assert a.code.files == b.code.files
