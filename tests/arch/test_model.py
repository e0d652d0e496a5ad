"""The device model on the small device of the reference, and on the shipped ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.dialects.builtin import MemRefType, StringAttr, f16, f32, i8, i64

from headrace.arch import Device, load_device, shipped_devices
from headrace.arch.figures import DatapathTiming, MemoryTiming
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def toy() -> Device:
    return load_device(HERE / "toy.mlir")


def device(body: str, attributes: str = "") -> Device:
    head = f"ktdf_arch.device @d {f'attributes {{{attributes}}} ' if attributes else ''}"
    module = parse_module(f"{head}{{\n{body}\n}}")
    return Device(module.body.block.first_op)  # pyright: ignore[reportArgumentType]


def test_toy(toy: Device) -> None:
    assert list(toy.memories) == ["MAIN", "PAD", "ALU_REGISTERS"]  # the last: no memory stands beside the ALU
    assert [(m.level, m.parent, m.size) for m in list(toy.memories.values())[:2]] == [(0, None, 4096), (1, "MAIN", 512)]
    assert toy.compute_kind == "ALU"
    assert (toy.lanes(f32), toy.lanes(f16)) == (4, 1)
    assert toy.route("MAIN", "ALU") == ["MAIN", "DIN", "PAD", "RD", "ALU"]
    assert toy.route("ALU", "MAIN") == ["ALU", "WR", "PAD", "DOUT", "MAIN"]
    assert toy.queue_depth("RD", "ALU") == 2
    assert toy.cores is None
    assert toy.local_memory("DIN") is toy.memory("PAD")
    assert toy.local_memory("RD") is None
    assert toy.corelets(["RD", "ALU", "WR"]) == 1


def test_defaults_of_missing_timing(toy: Device) -> None:
    assert toy.clock_mhz == 1000
    assert toy.memory_timing("MAIN") == MemoryTiming(1, None, None, False)
    assert toy.datapath_timing("RD", "ALU") == DatapathTiming(1, None)
    timing = toy.unit_timing("ALU")
    assert (timing.issue, timing.latency, timing.cycles("exp")) == (1, 1, 1)


def test_unknown_kinds_name_the_known_ones(toy: Device) -> None:
    for ask in (lambda: toy.memory("L1"), lambda: toy.unit("SFU"), lambda: toy.route("MAIN", "SFU")):
        with pytest.raises(HeadraceError, match="known: "):
            ask()


def test_spaces_of_a_device_without_mapping(toy: Device) -> None:
    assert toy.space_to_kind(StringAttr("PAD")) == "PAD"
    with pytest.raises(HeadraceError, match="maps no memory"):
        toy.space_to_kind(StringAttr("X"))
    assert toy.memory_of(MemRefType(f32, [4], memory_space=StringAttr("PAD"))).kind == "PAD"


def test_interchangeable_groups_are_counted() -> None:
    lane = """group share(%p) {
      %alu = exec_unit {kind = "ALU", ktdf_arch.features = {ktdf_arch.feature.compute}}
      %r = memory {kind = "REG"}
    }"""
    other = """group share(%p) { %x = exec_unit {kind = "X"} }"""
    counted = device(f"""%m = memory {{kind = "M"}}
      group {{headrace.instances = 8}} share(%m) {{
        %p = memory {{kind = "P"}}
        {lane}
        {lane}
        {other}
        {lane}
      }}""")
    assert counted.cores == 8
    assert counted.corelets("ALU") == 3
    assert counted.corelets(["ALU", "X"]) == 1
    assert counted.unit("ALU").instances == 3
    assert counted.memory("REG").instances == 3
    assert counted.memory("P").instances == 1
    assert counted.memory("REG").level == 2


def test_second_compute_unit_is_an_error() -> None:
    unit = 'exec_unit {kind = "%s", ktdf_arch.features = {ktdf_arch.feature.compute}}'
    with pytest.raises(HeadraceError, match="found second compute resource 'B' beside 'A'"):
        device(f'%m = memory {{kind = "M"}}\n%a = {unit % "A"}\n%b = {unit % "B"}')


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('%m = memory {kind = "M", headrace.timing = {speed = 1}}', "unknown entry 'speed'"),
        (
            '%m = memory {kind = "M", headrace.timing = {bytes_per_cycle = 1, read_bytes_per_cycle = 1}}',
            "both one and two bandwidths",
        ),
        ('%m = memory {kind = "M", size = 4, headrace.reserved = 8}', "exceeds memory 'M'"),
        ('%m = memory {kind = "M", headrace.timing = 3}', "requires a dictionary"),
        (
            '%m = memory {kind = "M"}\n%u = exec_unit {kind = "U", headrace.timing = {op_cycles = {exp = 0}}}',
            "op_cycles.exp",
        ),
        ('%u = exec_unit {kind = "U"}', "has no memory"),
    ],
)
def test_bad_timing_is_located(body: str, message: str) -> None:
    with pytest.raises(HeadraceError, match=message) as caught:
        device(body)
    assert caught.value.diagnostics[0].loc is not None


def test_digest_ignores_names_and_layout(toy: Device) -> None:
    text = (HERE / "toy.mlir").read_text()
    renamed = text.replace("%din", "%loader").replace("#Main", "#Memory").replace("\n", "\n\n")
    again = Device(parse_module(renamed).body.block.first_op)  # pyright: ignore[reportArgumentType]
    assert again.digest == toy.digest
    other = Device(parse_module(text.replace("4096", "8192")).body.block.first_op)  # pyright: ignore[reportArgumentType]
    assert other.digest != toy.digest


def test_table_and_picture(toy: Device) -> None:
    rows = toy.describe()
    assert {row.section for row in rows} == {"device", "memory", "unit", "datapath"}
    assert next(row for row in rows if row.name == "ALU").details["lanes"] == "f32 4"
    assert '"RD" -> "ALU"' in toy.to_dot()


# ------------------------------------------------------------------------------------------------ shipped devices


def test_shipped_devices_load() -> None:
    assert shipped_devices() == ["sample", "spyre", "spyre-balanced", "tri"]
    for name in shipped_devices():
        loaded = load_device(name)
        assert loaded.name == name
        main, compute = loaded.global_memory.kind, loaded.compute_kind
        assert loaded.route(main, compute) and loaded.route(compute, main)
        assert loaded.patterns("pre_scheduling")
        assert loaded.describe()


def test_sample_facts() -> None:
    sample = load_device("sample")
    assert sample.memory("DDR").size == 1 << 30
    assert sample.memory("L1").size == 1 << 20
    assert sample.memory("SFU_REG").size == 2048
    assert (sample.lanes(f16), sample.lanes(f32)) == (64, 1)
    assert sample.corelets(["L1LU", "SFU", "L1SU"]) == 2
    assert sample.corelets("MNILU") == 1
    assert sample.unit("MNILU").double_buffer_last and sample.unit("MNISU").double_buffer_last
    assert sample.word_size("MNILU", "DDR") == sample.word_size("MNISU", "L1") == 64
    assert sample.word_size("L1LU", "L1") == 1
    assert sample.access_sizes("L1LU", "L1") == [(64, 1), (2, 1)]
    assert sample.local_memory("SFU") is sample.memory("SFU_REG")
    assert sample.unit("L1LU").splat and sample.unit("L1LU").zero_pad
    granularity = {path.name: path.granularity for path in sample.datapaths}
    assert granularity["DDR->MNILU"] == granularity["MNISU->DDR"] == (64,)
    assert granularity["L1LU->SFU"] == granularity["SFU->L1SU"] == (64, 2)
    assert [sample.queue_depth("L1", "L1LU"), sample.queue_depth("L1LU", "SFU")] == [16, 16]


def test_both_spellings_of_a_memory_space() -> None:
    spaces = ["#ktdp.memory_space<global>", "#ktdp.spyre_memory_space<HBM>"]
    pads = ["#ktdp.memory_space<ct_local>", "#ktdp.spyre_memory_space<LX>"]
    text = "\n".join(f"func.func private @f{i}(memref<4xf16, {space}>)" for i, space in enumerate(spaces + pads))
    types = [op.function_type.inputs.data[0] for op in parse_module(text).body.block.ops]  # pyright: ignore
    for name, kinds in {"spyre": ("DDR", "L1"), "tri": ("DRAM", "L2")}.items():
        loaded = load_device(name)
        assert [loaded.memory_of(kind).kind for kind in types] == [kinds[0]] * 2 + [kinds[1]] * 2
        assert [loaded.memory_level(kind.memory_space) for kind in types] == [0, 0, 1, 1]


def test_spyre() -> None:
    spyre = load_device("spyre")
    assert (spyre.cores, spyre.clock_mhz) == (32, 1500)
    assert spyre.memory("DDR").timing.half_duplex
    assert spyre.memory("DDR").timing.read_bytes_per_cycle == 128
    assert spyre.memory("L1").size == 2 << 20
    assert spyre.memory("L1").allocatable == 1677696
    assert [spyre.lanes(kind) for kind in (f16, f32, i8, i64)] == [64, 32, 128, 16]
    matrix = spyre.unit("PT").matrix
    assert matrix is not None and matrix.macs_per_cycle == 512
    assert spyre.interconnect is not None and spyre.interconnect.topology == "ring"
    balanced = load_device("spyre-balanced")
    assert balanced.memory("DDR").timing.read_bytes_per_cycle == 32 * 128
    assert balanced.digest != spyre.digest


def test_machine_of_another_shape() -> None:
    tri = load_device("tri")
    assert [(memory.kind, memory.level) for memory in tri.memories.values()] == [
        ("DRAM", 0),
        ("L2", 1),
        ("L1", 2),
        ("REGS", 3),
    ]
    assert tri.route("DRAM", "VALU") == ["DRAM", "GIN", "L2", "TIN", "L1", "VLD", "VALU"]
    assert tri.corelets(["VLD", "VALU", "VST"]) == 1
    assert (tri.lanes(f32), tri.lanes(f16)) == (16, 32)
