"""Device records: what the machine reads of a device, kept as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headrace.arch import device_of_text, load_device, shipped_devices
from headrace.arch.files import read_device_file
from headrace.arch.record import DeviceRecord, record_of
from headrace.ir.diagnostics import HeadraceError

TOY = Path(__file__).parent / "toy.mlir"


@pytest.mark.parametrize("name", [*shipped_devices(), TOY])
def test_a_record_survives_json(name: str | Path) -> None:
    record = load_device(name).record
    again = DeviceRecord.from_json(json.loads(json.dumps(record.to_json())))
    assert again == record and list(again.memories) == list(record.memories) and list(again.units) == list(record.units)
    assert record_of(again) is again


@pytest.mark.parametrize("name", shipped_devices())
def test_a_record_says_what_the_model_says(name: str) -> None:
    device = load_device(name)
    record = record_of(device)
    assert (record.name, record.digest, record.clock_mhz) == (device.name, device.digest, device.clock_mhz)
    assert record.scratchpad.kind == device.scratchpad.kind and record.compute == device.compute_kind
    for kind, unit in record.units.items():
        assert unit.lanes == device.unit(kind).lane_table and unit.timing == device.unit_timing(kind)
        assert all(size == device.word_size(kind, memory) for memory, size in unit.words.items())
    for (source, target), path in record.paths.items():
        assert path.timing == device.datapath_timing(source, target)
        assert path.depth == device.queue_depth(source, target)


def test_what_a_record_lacks() -> None:
    record = load_device("spyre").record
    with pytest.raises(HeadraceError, match="has no memory 'L9'; known: DDR"):
        record.memory("L9")
    with pytest.raises(HeadraceError, match="has no execution unit 'GPU'; known: MNILU"):
        record.unit("GPU")
    broken = record.to_json()
    del broken["digest"]
    with pytest.raises(TypeError):
        DeviceRecord.from_json(broken)


def test_alignment_of_tensors() -> None:
    """Words of 384 and 256 bytes in device memory; words of other memories do not matter."""
    text = read_device_file("spyre")[0].replace('"DDR" = 128', '"DDR" = 384', 1)
    text = text.replace('"DDR" = 128', '"DDR" = 256')
    record = device_of_text(text.replace('"L1" = 128', '"L1" = 512'), "own.mlir").record
    assert record.tensor_alignment(128) == 768 and load_device("spyre").record.tensor_alignment(128) == 128
