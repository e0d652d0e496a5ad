"""Device records on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from headrace.arch import load_device
from headrace.arch.files import DEVICES
from headrace.ir.diagnostics import HeadraceError, collecting
from headrace.runtime import devices
from headrace.runtime.cache import ArtefactCache
from headrace.runtime.devices import open_record


@pytest.fixture
def cache(tmp_path: Path) -> ArtefactCache:
    return ArtefactCache(tmp_path / "cache")


def kept(cache: ArtefactCache) -> list[Path]:
    assert cache.root is not None
    return sorted((cache.root / "devices").glob("*")) if cache.root.is_dir() else []


def test_read_without_making_it_again(cache: ArtefactCache, monkeypatch: pytest.MonkeyPatch) -> None:
    made = open_record("tri", cache)
    assert made == load_device("tri").record and len(kept(cache)) == 1
    monkeypatch.setattr(devices, "_make", lambda *_: pytest.fail("made again"))
    assert open_record("tri", cache) == made
    monkeypatch.undo()
    assert open_record(load_device("tri"), cache) is load_device("tri").record and open_record(made, cache) is made


def test_another_text_is_another_entry(cache: ArtefactCache, tmp_path: Path) -> None:
    file = tmp_path / "mine.mlir"
    text = (DEVICES / "tri.mlir").read_text()
    file.write_text(text)
    first = open_record(file, cache)
    file.write_text(text.replace("latency = 200", "latency = 201"))
    second = open_record(file, cache)
    assert (first.memories["DRAM"].timing.latency, second.memories["DRAM"].timing.latency) == (200, 201)
    assert len(kept(cache)) == 2


def test_a_damaged_entry_is_made_again(cache: ArtefactCache) -> None:
    made = open_record("tri", cache)
    (path,) = kept(cache)
    whole = path.read_bytes()
    for raw in (b"", whole[:-40], whole.replace(b'"latency": 200', b'"latency": 2'), b'{"digest": 1, "extra": {}}'):
        path.write_bytes(raw)
        assert open_record("tri", cache) == made
        assert path.read_bytes() == whole


def test_warnings_come_every_time(cache: ArtefactCache, tmp_path: Path) -> None:
    file = tmp_path / "mine.mlir"
    file.write_text((DEVICES / "tri.mlir").read_text().replace("clock_mhz = 1000", "clock_mhz = 1000 : f32"))
    with collecting() as engine:
        open_record(file, cache)
    assert engine.warnings and kept(cache) == []


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    assert open_record("tri", ArtefactCache(tmp_path / "cache")).name == "tri"
    assert open_record("tri", ArtefactCache(None)).name == "tri"


def test_unknown_names(cache: ArtefactCache) -> None:
    with pytest.raises(HeadraceError, match="unknown device 'spyr'; did you mean 'spyre'"):
        open_record("spyr", cache)
    with pytest.raises(HeadraceError, match=r"cannot read device file 'no\.mlir'"):
        open_record("no.mlir", cache)
