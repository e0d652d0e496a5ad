"""Shared reads: which tiles form rings, how boxes are cut, and what a kernel with rings gives on the device."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr

import headrace
from headrace import api
from headrace.arch.figures import Interconnect
from headrace.cli.main import run
from headrace.ir.dialects import ktdp
from headrace.scheduler.linear import linear
from headrace.scheduler.plan import SHARED_READS
from headrace.scheduler.shared import SHARE, cut_box, rings


def test_tiles_of_a_grid_row_read_the_same_rows() -> None:
    tile = ktdp.GetComputeTileIdOp.build(result_types=[[IndexType(), IndexType()]])
    stride = arith.ConstantOp(IntegerAttr(64, IndexType()))
    row, column = (linear(arith.MuliOp(r, stride.result).result) for r in tile.results)
    assert rings([row], (2, 3)) == [[0, 1, 2], [3, 4, 5]]
    assert rings([column], (2, 3)) == [[0, 3], [1, 4], [2, 5]]
    assert rings([row, column], (2, 3)) is None
    halves = linear(arith.DivSIOp(tile.results[1], arith.ConstantOp(IntegerAttr(2, IndexType())).result).result)
    assert rings([halves], (1, 4)) == [[0, 1], [2, 3]]
    assert rings([halves], (1, 3)) is None


@pytest.mark.parametrize(
    ("sizes", "members", "shape"),
    [
        ((64, 256), 4, (16, 4, 1, 2, 4)),
        ((4, 256), 8, (1, 2, 2, 1, 2)),
        ((8, 4096), 8, (1, 64, 1, 1, 4)),
        ((1, 16, 64), 16, (1, 1, 1, 1, 1)),
    ],
)
def test_cut(sizes: tuple[int, ...], members: int, shape: tuple[int, ...]) -> None:
    cut = cut_box(sizes, members, 64, 64)
    assert cut is not None
    assert (cut.rows, cut.columns, cut.slices_a_row, cut.chunk_rows, cut.chunk_columns) == shape
    assert cut.chunks * cut.chunk_rows * cut.chunk_columns == cut.rows * cut.columns


def test_chunks_turn_at_once_where_a_link_has_room_for_two_of_each_member() -> None:
    cut = cut_box((64, 256), 4, 64, 64)
    assert cut is not None and cut.turning and 2 * cut.members * cut.vectors <= 64
    assert [cut.ahead(300, spent) for spent in (1, 8, 1000)] == [4, 3, 2]
    shallow = cut_box((64, 256), 4, 64, 4)
    assert shallow is not None and not shallow.turning and shallow.vectors == 2


@pytest.mark.parametrize(("sizes", "members"), [((64, 250), 4), ((3, 64), 2), ((2, 3, 64), 2), ((64, 256), 1)])
def test_what_does_not_divide_is_not_shared(sizes: tuple[int, ...], members: int) -> None:
    assert cut_box(sizes, members, 64, 64) is None


def test_links_are_shared_by_ways_of_one_length() -> None:
    joint = Interconnect("ring", ("MNILU",), 128, 4, 64)
    assert joint.path(0, 7, 8) == [(0, 7)]
    neighbours = [(k, (k + 1) % 8) for k in range(8)]
    assert set(joint.rates(neighbours, 8).values()) == {128}
    opposite = [(k, (k + 3) % 8) for k in range(8)]
    assert set(joint.rates(opposite, 8).values()) == {42}
    assert joint.rates([*neighbours, *opposite], 8)[0, 1] == 128
    mesh = Interconnect("mesh", ("MNILU",), 128, 4)
    assert mesh.path(0, 5, 16) == [(0, 1), (1, 5)]


def test_every_tile_is_in_one_ring() -> None:
    kernel = Path(__file__).parent.parent / "corpus" / "llm" / "matmul_512.mlir"
    program = headrace.compile(kernel, device="spyre")
    shared = [op.attributes["headrace.share"] for op in program.schedule.walk() if "headrace.share" in op.attributes]
    assert shared
    for attr in shared:
        members = [n.value.data for ring in attr.data for n in ring.data]  # type: ignore[attr-defined]
        assert sorted(members) == list(range(32))


def test_sharing_is_a_decision_that_can_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    """Named like a pass, or by an attribute of the kernel: no ring of tiles is left, and the result is the same."""
    kernel = Path(__file__).parents[1] / "corpus" / "llm" / "matmul_512.mlir"
    text = kernel.read_text()
    marked = text.replace("attributes {", "attributes {headrace.reads_apart, ", 1)
    assert marked != text
    apart = api.CompileOptions(disabled=frozenset({SHARED_READS}))
    for source, options in ((text, apart), (marked, None)):
        assert SHARE not in str(headrace.compile(source, "spyre", options=options).schedule)
    assert SHARE in str(headrace.compile(text, "spyre").schedule)
    cycles: list[int] = []
    for flags in ([], ["--disable-pass", SHARED_READS]):
        assert run(["run", str(kernel), "--check=levels", "--json", *flags]) == 0
        cycles.append(json.loads(capsys.readouterr().out)["cycles"])
    assert cycles == [15377, 55366]
