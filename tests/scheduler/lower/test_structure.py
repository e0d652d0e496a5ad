"""What the lowering emits: units, signals, symbols, views, transfers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from headrace.arch import Device, load_device
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module, print_module
from headrace.scheduler.build import walk_ops
from headrace.scheduler.lower import lower_program
from headrace.scheduler.lower.emit_split_dfir import emit_split_dfir
from headrace.scheduler.lower.normalize_grid_to_1d import normalize_grid

from . import extra, inputs


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Device:
    path = tmp_path_factory.mktemp("device") / "toy.mlir"
    path.write_text(inputs.TOY)
    return load_device(str(path))


def lower(text: str, device: Device) -> ModuleOp:
    module = parse_module(text)
    lower_program(module, device)
    module.verify()
    return module


def programs(module: ModuleOp) -> dict[str, list[str]]:
    """Operation names of each program unit without its prologue, by unit type."""
    result: dict[str, list[str]] = {}
    skipped = ("uniform.", "symbol.", "dataflow.get_logical", "arith.", "scf.yield", "agen.yield", "dataflow.return")
    for op in walk_ops(module, "dataflow.program_unit"):
        kind = op.operands[0].owner.properties["type"].data
        result[kind] = [o.name for o in walk_ops(op) if not o.name.startswith(skipped)]
    return result


def test_worked_example(device: Device) -> None:
    module = lower(inputs.multiply(), device)
    assert programs(module) == {
        "mnilu": ["agen.composite_load_and_store", "agen.composite_load_and_store", "dataflow.sync_send"],
        "l1lu": ["dataflow.sync_recv", "scf.for", *["agen.vector_load", "dataflow.send"] * 2],
        "sfu": ["scf.for", "dataflow.receive", "dataflow.receive", "vectorchain.binary", "dataflow.send"],
        "l1su": ["scf.for", "dataflow.receive", "agen.vector_store", "dataflow.sync_send"],
        "mnisu": ["dataflow.sync_recv", "agen.composite_load_and_store"],
    }
    ids = [op.properties["symbol_id"].value.data for op in walk_ops(module, "symbol.create_id")]
    assert ids == [-1, -2, -3, -1, -2, -3, -4, -5, -6, -7, -8, -9]
    (load, *_) = walk_ops(module, "agen.composite_load_and_store")
    assert str(load.properties["load_time_addr_map"].data) == "(d0) -> (d0, 0)"
    assert str(load.properties["time_set"].data) == "(d0) : (d0 >= 0, ((d0 * -1) + 1) >= 0)"


def test_wrapped_layout(device: Device) -> None:
    module = lower(inputs.multiply(), device)
    (program,) = [op for op in module.body.block.ops if isinstance(op, ModuleOp) and op.sym_name is not None]
    declaration, outer, inner = program.body.block.ops
    assert declaration.properties["sym_name"].data == "local_schedule_0_body"
    assert not declaration.regions[0].blocks
    assert outer.properties["sym_name"].data == "local_schedule_0"
    assert "grid" not in outer.attributes
    assert {op.name for op in outer.regions[0].block.ops} == {
        "arith.constant", "arith.addi", "arith.divsi", "symbol.create_id", "func.call", "func.return",
    }  # fmt: skip
    (body,) = inner.regions[0].block.ops
    assert body.properties["sym_name"].data == "local_schedule_0_body"
    assert body.attributes["grid"] is not None
    assert not body.regions[0].block.args


def test_nothing_of_the_schedule_is_left_and_text_round_trips(device: Device) -> None:
    for text in (inputs.multiply(), inputs.parallel_multiply(), inputs.rotating(3, remainder=True)):
        module = lower(text, device)
        printed = print_module(module)
        assert not re.search(r"\b(ktdf|ktdf_lowering|ktdp|linalg|tensor|memref)\.[a-z]", printed)
        assert print_module(parse_module(printed)) == printed


def test_corelets(device: Device) -> None:
    module = lower(inputs.parallel_multiply(), device)
    names = [op.properties["name"].data for op in walk_ops(module, "dataflow.get_unit")]
    assert names[:8] == [
        "C0-mnilu",
        "C1-mnilu",
        "C0-mnisu",
        "C1-mnisu",
        "C0-l1lu-CL0",
        "C1-l1lu-CL0",
        "C0-l1lu-CL1",
        "C1-l1lu-CL1",
    ]
    found = programs(module)
    assert found["mnilu"][-2:] == ["dataflow.sync_send"] * 2
    assert found["mnisu"][:2] == ["dataflow.sync_recv"] * 2


def test_uneven_chunks(device: Device) -> None:
    module = lower(inputs.parallel_multiply("%c1"), device)
    load = next(
        op for op in walk_ops(module, "dataflow.program_unit") if "l1lu" in str(op.operands[0].owner.properties["type"])
    )
    loop = next(walk_ops(load, "scf.for"))
    mapping = loop.operands[0].owner.operands[0].owner
    assert [v.owner.value.value.data for v in mapping.values] == [0, 1, 0, 1]


def test_double_buffers(device: Device) -> None:
    module = lower(inputs.rotating(2), device)
    found = programs(module)
    assert found["mnilu"] == [
        "scf.for", "dataflow.sync_recv", *["agen.composite_load_and_store"] * 2, "dataflow.sync_send",
        *["dataflow.sync_recv"] * 2,
    ]  # fmt: skip
    assert found["l1lu"][:4] == ["dataflow.sync_send", "dataflow.sync_send", "scf.for", "dataflow.sync_recv"]
    loops = {
        op.operands[0].owner.properties["type"].data: next(walk_ops(op, "scf.for"))
        for op in walk_ops(module, "dataflow.program_unit")
    }
    first = [v.owner.value.value.data for v in loops["l1lu"].iter_args]
    last = [v.owner.value.value.data for v in loops["mnilu"].iter_args]
    assert first == [0x0, 0x2000] and last == [0x1000, 0x3000]


def test_three_buffers_rotate(device: Device) -> None:
    module = lower(inputs.rotating(3), device)
    loop = next(walk_ops(module, "scf.for"))
    assert len(loop.iter_args) == 6
    assert programs(module)["l1lu"][:3] == ["dataflow.sync_send"] * 3


@pytest.mark.parametrize(("trips", "ahead"), [(4, True), (3, False)])
def test_a_rotation_runs_ahead_into_the_next_iteration_around_it(device: Device, trips: int, ahead: bool) -> None:
    """Four tiles leave two buffers where they were, so the credits are around the outer loop; three do not."""
    module = lower(inputs.rotating(2, trips=trips, again=True), device)
    found = programs(module)["l1lu"]
    first = found.index("dataflow.sync_send")
    assert (first < found.index("scf.for")) is ahead


def test_elements_that_are_spread_come_one_iteration_ahead(device: Device) -> None:
    module = lower(extra.splat(), device)
    found = programs(module)["l1lu"]
    loop = found.index("scf.for")
    assert found[loop - 1] == "agen.vector_load"
    assert found[loop + 1 :] == [
        "agen.vector_load", "agen.vector_load", "dataflow.send", "vectorchain.shuffle", "dataflow.send",
    ]  # fmt: skip
    (inner,) = (op for op in walk_ops(module, "scf.for") if op.results)
    assert str(inner.results[0].type) == "vector<1xf16>"


def test_locations_are_kept(device: Device) -> None:
    module = lower(inputs.multiply(), device)
    source = inputs.multiply().splitlines()
    for op in walk_ops(module, "agen.composite_load_and_store", "vectorchain.binary"):
        place = op.location.location
        expected = "arith.mulf" if op.name == "vectorchain.binary" else "ktdf.data_transfer"
        assert expected in source[place.line - 1]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("attributes {grid = [2]} {\n\n      %c0", "{\n\n      %c0", "Function missing 'grid' attribute"),
        ('{applicable_units = ["SFU"]}', '{applicable_units = ["GPU"]}', "no unit of kind 'GPU'"),
        ('{applicable_units = ["SFU"]}', "", "No units found for stage"),
        ("depends_in(none) depends_out(%p#3)", "depends_in(%p#4) depends_out(%p#3)", "Circular token dependency"),
        (
            "%m = arith.mulf %i, %j : f16",
            "%k = arith.addf %i, %i : f16\n%m = tensor.extract %u[%c0, %c0] : tensor<1x64xf16>",
            "unsupported operation",
        ),
    ],
)
def test_diagnostics(device: Device, old: str, new: str, message: str) -> None:
    text = inputs.multiply()
    assert old in text
    with pytest.raises(HeadraceError, match=message):
        lower(text.replace(old, new), device)


def test_split_files(device: Device, tmp_path: Path) -> None:
    module = lower(inputs.multiply(), device)
    paths = emit_split_dfir(module, tmp_path / "out")
    assert [p.name for p in paths] == ["global.mlir", "local_schedule_0.mlir"]
    top = parse_module(paths[0].read_text())
    assert [op.properties["sym_name"].data for op in top.body.block.ops] == ["kernel", "local_schedule_0"]
    assert not any("sym_visibility" in op.properties for op in top.body.block.ops)
    program = parse_module(paths[1].read_text())
    assert [op.name for op in program.body.block.ops] == ["func.func", "func.func", "builtin.module"]
    with pytest.raises(HeadraceError, match="output-dir not specified"):
        emit_split_dfir(module)


def test_grid_becomes_one_dimensional() -> None:
    text = """func.func @f() attributes {grid = [2, 3]} {
      %r, %c = ktdp.get_compute_tile_id : index, index
      %s = arith.addi %r, %c : index
      return
    }"""
    module = parse_module(text)
    normalize_grid(module)
    module.verify()
    (func,) = module.body.block.ops
    assert str(func.attributes["grid"].data[0].value.data) == "6"
    assert [op.name for op in func.regions[0].block.ops] == [
        "ktdp.get_compute_tile_id", "arith.constant", "arith.divui", "arith.remui", "arith.addi", "func.return",
    ]  # fmt: skip


@pytest.mark.parametrize("grid", ["[]", "[2, 0]", "[2, 3, 4]"])
def test_bad_grids(grid: str) -> None:
    text = (
        f"func.func @f() attributes {{grid = {grid}}} {{ %r, %c = ktdp.get_compute_tile_id : index, index\n return }}"
    )
    with pytest.raises(HeadraceError):
        normalize_grid(parse_module(text, verify=False))


def test_one_symbol_per_address_and_word_alignment(device: Device) -> None:
    aligned = print_module(lower(inputs.multiply(), device))
    assert aligned.count('headrace.start_unit = "word"') == 3
    odd = print_module(lower(extra.tail(), device))
    assert 'headrace.start_unit = "word"' not in odd
    literal = print_module(lower(extra.constant_addresses(), device))
    assert literal.count('headrace.start_unit = "element"') == 3
    assert "create_symbol" not in literal


def test_remainder_is_a_second_composite(device: Device) -> None:
    found = programs(lower(extra.tail(), device))
    assert found["mnilu"] == ["agen.composite_load_and_store"] * 2 + ["dataflow.sync_send"]  # 300 = 4 * 64 + 44
    found = programs(lower(extra.columns(), device))
    assert found["mnilu"] == ["scf.for", "agen.composite_load_and_store", "dataflow.sync_send"]
