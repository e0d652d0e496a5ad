"""Loops whose bounds are read from memory, against NumPy: none, some and all of the iterations that there can be. At
every level, with the sanitizer."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from headrace.cli.main import run

CORPUS = Path(__file__).parent.parent / "corpus"
Arrays = dict[str, NDArray[Any]]


def ints(*values: int) -> NDArray[Any]:
    return np.array(values, np.int32)


def attention(q: NDArray[Any], k: NDArray[Any], v: NDArray[Any]) -> NDArray[Any]:
    """One query (64) over keys and values (n x 64)."""
    scores = k.astype(np.float64) @ q.astype(np.float64) / 8
    p = np.exp(scores - scores.max(initial=-np.inf))
    return p @ v.astype(np.float64) / p.sum() if len(k) else np.zeros(64)


def jagged(a: Arrays) -> Arrays:
    o = a["offs"]
    return {"y": np.stack([a["x"][lo:hi].sum(0) for lo, hi in pairwise(o)])}


def bag(a: Arrays) -> Arrays:
    o = a["offs"]
    bags = [a["table"][a["ids"][lo:hi]] for lo, hi in pairwise(o)]
    sums = np.stack([b.sum(0) for b in bags])
    return {"sums": sums, "means": sums / np.array([[max(1, len(b))] for b in bags])}


def bag_max(a: Arrays) -> Arrays:
    o = a["offs"]
    bags = [a["table"][a["ids"][lo:hi]] for lo, hi in pairwise(o)]
    return {"y": np.stack([b.max(0, initial=-np.inf) for b in bags])}


def paged(a: Arrays) -> Arrays:
    out = np.zeros((2, 2, 64))
    for s in range(2):
        k, v = (a[c][a["bt"][s]].reshape(48, 2, 64)[: a["lens"][s]] for c in ("kc", "vc"))
        for h in range(2):
            out[s, h] = attention(a["q"][s, h], k[:, h], v[:, h])
    return {"o": out}


def varlen(a: Arrays) -> Arrays:
    out = np.zeros((12, 64))
    for lo, hi in pairwise(a["cu"]):
        for i in range(lo, hi):
            out[i] = attention(a["q"][i], a["kc"][lo:hi], a["vc"][lo:hi])
    return {"o": out}


def experts(a: Arrays) -> Arrays:
    out = np.zeros((4, 64, 96))
    for e, n in enumerate(a["counts"]):
        rows = -(-n // 16) * 16
        out[e, :rows] = a["a"][e, :rows].astype(np.float64) @ a["w"][e].astype(np.float64)
    return {"c": out}


def padded(a: Arrays) -> Arrays:
    out = np.zeros((4, 10, 128))
    for s in range(a["nseq"][0]):
        lo, hi = a["cu"][s : s + 2]
        out[s, : hi - lo] = a["x"][lo:hi]
    return {"y": out}


def trips(a: Arrays) -> Arrays:
    y, last = np.zeros((4, 64)), np.zeros((4, 12, 64))
    for t, n in enumerate(a["n"] - 3):
        y[t] = a["x"][t, : max(0, n)].sum()
        last[t, max(0, n)] = y[t]
    return {"y": y, "last": last}


def falling(a: Arrays) -> Arrays:
    y = np.zeros((4, 1, 64))
    for t, n in enumerate(a["n"]):
        for i in reversed(range(n)):
            y[t] = y[t] / 2 + a["x"][t, i]
    return {"y": y}


def argmax(a: Arrays) -> Arrays:
    parts = [a["x"][t, :n] for t, n in enumerate(a["n"])]
    return {"best": np.array([p.max(initial=-np.inf) for p in parts]),
            "where": np.array([p.argmax() if len(p) else -1 for p in parts])}  # fmt: skip


def packed_exp(a: Arrays) -> Arrays:
    lo, hi = a["cu"][0], a["cu"][-1]
    y = np.zeros((10, 64))
    y[lo:hi] = np.exp(a["x"][lo:hi].astype(np.float64))
    return {"y": y}


def means(a: Arrays) -> Arrays:
    return {"y": np.stack([a["x"].reshape(4, 8, 64)[t, :n].sum(0) / max(1, n) for t, n in enumerate(a["lens"])])}


def segments(a: Arrays) -> Arrays:
    y = np.zeros(40)
    for lo, hi in pairwise(a["offs"]):
        y[lo:hi] = a["x"][lo:hi] / (a["x"][lo:hi] ** 2).sum()
    return {"y": y}


def flash(a: Arrays) -> Arrays:
    out = np.zeros((8, 64))
    for lo, hi in pairwise(a["cu"]):
        for i in range(lo, hi):
            out[i] = attention(a["q"][i], a["kc"][lo:hi], a["vc"][lo:hi])
    return {"o": out}


RNG = np.random.default_rng(11)


def normal(*shape: int, kind: str = "f4") -> NDArray[Any]:
    return RNG.standard_normal(shape).astype(kind)


Case = tuple[str, Callable[[Arrays], Arrays], Arrays]
CASES: dict[str, Case] = {
    "rows": ("control/jagged_row_sums", jagged, {"offs": ints(0, 5, 5, 6, 12), "x": normal(12, 96)}),
    "all rows": ("control/jagged_row_sums", jagged, {"offs": ints(0, 0, 12, 12, 12), "x": normal(12, 96)}),
    "bags": ("gather/embedding_bag_offsets", bag, {
        "offs": ints(0, 4, 4, 19, 20), "ids": RNG.integers(0, 30, 20).astype(np.int32), "table": normal(30, 64)}),
    "largest of bags": ("gather/embedding_bag_max", bag_max, {
        "offs": ints(0, 0, 7, 8, 8, 16), "ids": RNG.integers(0, 24, 16), "table": normal(24, 80, kind="f2")}),
    "pages": ("llm/paged_decode_lens", paged, {
        "lens": ints(37, 8), "bt": RNG.integers(0, 12, (2, 6)).astype(np.int32), "q": normal(2, 2, 64, kind="f2"),
        "kc": normal(12, 8, 2, 64, kind="f2"), "vc": normal(12, 8, 2, 64, kind="f2")}),
    "full and empty pages": ("llm/paged_decode_lens", paged, {
        "lens": ints(48, 0), "bt": RNG.integers(0, 12, (2, 6)).astype(np.int32), "q": normal(2, 2, 64, kind="f2"),
        "kc": normal(12, 8, 2, 64, kind="f2"), "vc": normal(12, 8, 2, 64, kind="f2")}),
    "packed": ("llm/varlen_attention", varlen, {
        "cu": ints(0, 5, 6, 12), "q": normal(12, 64, kind="f2"), "kc": normal(16, 64, kind="f2"),
        "vc": normal(16, 64, kind="f2")}),
    "experts": ("llm/expert_counts_gemm", experts, {
        "counts": ints(0, 64, 17, 16), "a": normal(4, 64, 64, kind="f2"), "w": normal(4, 64, 96, kind="f2")}),
    "padded": ("control/ragged_to_padded", padded, {
        "nseq": ints(3), "cu": ints(0, 3, 3, 10, 99), "x": normal(10, 128, kind="f2")}),
    "trips": ("control/trips_then_values", trips, {"n": ints(0, 3, 4, 11), "x": normal(4, 8)}),
    "falling": ("control/last_rows_first", falling, {"n": ints(0, 1, 9, 4), "x": normal(4, 9, 64)}),
    "rows of extents": ("masked/packed_rows_by_extent", packed_exp, {
        "cu": ints(1, 6, 6, 10), "x": normal(10, 64, kind="f2")}),
    "means": ("masked/column_means_by_extent", means, {"lens": ints(0, 8, 3, 1), "x": normal(32, 64).reshape(-1)}),
    "segments": ("masked/segments_by_extent", segments, {"offs": ints(0, 17, 17, 40), "x": normal(40)}),
    "flash": ("llm/varlen_flash_blocks", flash, {
        "cu": ints(0, 5, 8), "q": normal(8, 64, kind="f2"), "kc": normal(8, 64, kind="f2"),
        "vc": normal(8, 64, kind="f2")}),
    "argmax": ("control/argmax_of_loaded_length", argmax, {"n": ints(0, 12, 1, 5), "x": normal(4, 12)}),
}


@pytest.mark.parametrize("device", ["sample", "spyre"])
@pytest.mark.parametrize("case", CASES)
def test_values(case: str, device: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kernel, reference, inputs = CASES[case]
    given: list[str] = []
    for name, values in inputs.items():
        np.save(tmp_path / f"in_{name}.npy", values)
        given += ["--input", f"{name}={tmp_path / f'in_{name}.npy'}"]
    status = run(
        ["run", str(CORPUS / f"{kernel}.mlir"), "--device", device, "--check=levels", "--sanitize", "--json",
         "--output", str(tmp_path), *given]
    )  # fmt: skip
    captured = capsys.readouterr()
    assert status == 0, captured.err or captured.out
    assert json.loads(captured.out)["check"]["status"] == "match"
    for name, expected in reference(inputs).items():
        np.testing.assert_allclose(np.load(tmp_path / f"{name}.npy"), expected, rtol=2e-2, atol=2e-2)
