"""Vectors of mixed types: as long as the widest type, where FIFO entries hold them; row buffers change hands by row."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from xdsl.dialects.arith import AddfOp
from xdsl.dialects.builtin import f16, f32, f64, i1, i8
from xdsl.utils.test_value import create_ssa_value

import headrace
from headrace.arch import load_device
from headrace.cli.main import run
from headrace.scheduler.build import ancestors, walk_ops
from headrace.scheduler.width import fits_entry, longest_entry, vector_width, work

CORPUS = Path(__file__).parent.parent / "corpus" / "reductions"
UNITS = ("L1LU", "SFU", "L1SU")


def test_an_entry_holds_what_the_link_carries_in_a_cycle() -> None:
    device = load_device("spyre")
    assert device.entry_lanes("L1LU", "SFU", f32) == 64
    assert fits_entry(device, UNITS, f32, 64) and not fits_entry(device, UNITS, f32, 65)
    assert not fits_entry(device, UNITS, f64, 64)


def test_a_type_that_the_file_does_not_list_is_timed_as_the_widest() -> None:
    device = load_device("sample")
    assert device.lanes(f32) == 1
    assert device.timed_lanes(f32, "SFU") == 64


def test_vectors_of_a_type_that_the_file_does_not_list_have_as_many_bytes_but_no_more_elements() -> None:
    device = load_device("sample")
    assert [device.vector_lanes(t) for t in (f16, f32, f64, i8, i1)] == [64, 32, 16, 64, 64]
    assert load_device("spyre").vector_lanes(f32) == load_device("spyre").lanes(f32)


@pytest.mark.parametrize(
    ("crossing", "inner", "per_vector", "width"),
    [
        ((f16,), (f32,), True, 64),  # half as many vectors
        ((f16,), (f32,), False, 32),  # nothing gained: the shortest
        ((f16, f64), (f32,), True, 32),  # an entry holds 32 of f64
        ((f32,), (f32,), True, 32),
    ],
)
def test_width(crossing: tuple, inner: tuple, per_vector: bool, width: int) -> None:
    found = vector_width(load_device("spyre"), UNITS, crossing, inner, lambda n: -n if per_vector else 0)
    assert found == width


@pytest.mark.parametrize(
    ("device", "crossing", "lanes", "longest"),
    [
        ("spyre", (f32,), 32, 64),
        ("spyre", (f16,), 64, 128),
        ("spyre", (f16, f32), 32, 64),
        ("spyre", (f64, f16), 16, 32),
        ("sample", (f16,), 64, 64),  # links carry a vector a cycle
    ],
)
def test_vectors_of_the_scratchpad_fill_an_entry(device: str, crossing: tuple, lanes: int, longest: int) -> None:
    assert longest_entry(load_device(device), crossing, lanes) == longest


@pytest.mark.parametrize(("size", "lanes"), [(2048, 64), (512, 32)])
def test_accumulators_are_no_longer_than_registers_hold(size: int, lanes: int, tmp_path: Path) -> None:
    """All reductions of online softmaxes, whose programs become one, share the register memory."""
    text = (Path(headrace.__file__).parent / "arch" / "devices" / "spyre.mlir").read_text()
    file = tmp_path / "spyre.mlir"
    file.write_text(text.replace('kind = "SFU_REG", size = 2048', f'kind = "SFU_REG", size = {size}'))
    program = headrace.compile(CORPUS.parent / "llm" / "flash_heads_loop.mlir", device=str(file))
    registers = [
        op.results[0].type.get_shape()[0]
        for op in walk_ops(program.schedule, "builtin.unrealized_conversion_cast")
        if "SFU_REG" in str(op.results[0].type)
    ]
    assert registers and max(registers) == lanes


def test_a_part_of_a_vector_takes_as_long_as_a_whole_one() -> None:
    x = create_ssa_value(f32)
    cycles = [work(load_device("spyre"), "SFU", [AddfOp(x, x)], n) for n in (1, 32, 33, 64)]
    assert cycles == [1, 1, 2, 2]


def test_a_row_of_two_types_fills_the_wider_one() -> None:
    program = headrace.compile(CORPUS / "layernorm_4096x1024.mlir", device="spyre-balanced")
    slots = {str(v.type) for op in walk_ops(program.schedule, "ktdf.fifo.allocate") for v in op.results}
    assert any("64xf16" in t for t in slots) and any("64xf32" in t for t in slots)
    assert not any("32xf16" in t for t in slots)


def test_row_buffers_change_hands_row_by_row() -> None:
    """The load unit waits for a row's statistic inside its loop over rows, not in front of it."""
    program = headrace.compile(CORPUS / "layernorm_4096x1024.mlir", device="spyre-balanced")
    unit = next(
        u for u in walk_ops(program.dataflow, "dataflow.program_unit")
        if u.operands[0].owner.properties["type"].data == "l1lu"  # type: ignore[union-attr]
    )  # fmt: skip
    depths = [sum(a.name == "scf.for" for a in ancestors(op)) for op in walk_ops(unit, "dataflow.sync_recv")]
    assert depths.count(2) == 2  # the mean's rows and the variance's


@pytest.mark.parametrize(("kernel", "device"), [("softmax", "sample"), ("layernorm", "sample")])
def test_no_schedule_beats_the_bound(kernel: str, device: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", str(CORPUS / f"{kernel}.mlir"), "--device", device, "--json"]) == 0
    assert 0 < json.loads(capsys.readouterr().out)["efficiency"] <= 1
