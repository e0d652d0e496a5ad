"""The directory: exact round trip, and one clear message for everything that can be wrong with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from headrace.codegen import plan
from headrace.codegen.hcm import decode
from headrace.codegen.spyrecode import SpyreCode
from headrace.codegen.symbols import MisalignedError, SymbolError
from headrace.ir.diagnostics import HeadraceError
from tests.codegen.test_isa import image

METADATA: dict[str, Any] = {
    "vdci": {},
    "senConstants": [],
    "symbols": [
        {"id": -1, "input": {"kind": "address", "arg": 0}},
        {"id": -2, "expr": ["floordiv", ["sym", -1], 64]},
        {"id": -3, "expr": ["divexact", ["add", ["sym", -1], 10240], 64]},
    ],
    "layout": [{"id": -2, "offset": 0, "width": 8}, {"id": -3, "offset": 8, "width": 8}],
}


def code() -> SpyreCode:
    raw = image().encode()
    return SpyreCode(
        [plan.Allocate(128 + len(raw)), plan.InitTransfer("init_binary.bin", plan.PROGRAM_BASE + 128, len(raw))],
        [
            plan.ComputeOnHost("", ("1",), "corr", 128, METADATA),
            plan.DataTransfer(False, "corr", plan.PROGRAM_BASE, 128),
            plan.ComputeOnDevice(plan.PROGRAM_BASE + 128, "k"),
        ],
        {"init_binary.bin": raw},
        {
            "format": "headrace-spyrecode",
            "version": 1,
            "kernel": "k",
            "device": {"name": "d", "digest": bytes(range(32)).hex()},
            "arguments": [{"name": "a", "index": 0, "kind": "address", "dtype": "f16"}],
            "buffers": [],
        },
        {"sequencer": [], "programs": [], "locations": [], "buffers": []},
    )


def test_round_trip_and_determinism(tmp_path: Path) -> None:
    code().write(tmp_path / "one")
    again = SpyreCode.read(tmp_path / "one")
    assert again == code()
    again.write(tmp_path / "two")
    for file in sorted((tmp_path / "one").iterdir()):
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()
    assert sorted(p.name for p in (tmp_path / "one").iterdir()) == [
        "debug.json",
        "init_binary.bin",
        "manifest.json",
        "spyrecode.json",
    ]


def test_numbers_are_decimal_strings(tmp_path: Path) -> None:
    code().write(tmp_path)
    plans = json.loads((tmp_path / "spyrecode.json").read_text())
    assert plans["JobPreparationPlan"][1]["properties"]["dev_ptr"] == "120259084416"
    assert plans["JobExecPlan"][1]["properties"]["dirn"] == "false"


def test_debug_is_optional_and_other_files_stay(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    code().write(tmp_path)
    (tmp_path / "debug.json").unlink()
    assert SpyreCode.read(tmp_path).debug is None
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_specification_spellings(tmp_path: Path) -> None:
    code().write(tmp_path / "spyreCodeDir")
    root = tmp_path / "spyreCodeDir"
    plans = json.loads((root / "spyrecode.json").read_text())
    prepare, run = plans["JobPreparationPlan"], plans["JobExecPlan"]
    prepare[0]["properties"] = {"size": int(prepare[0]["properties"]["static_size"])}
    file = prepare[1]["properties"].pop("init_bin_file")
    prepare[1]["properties"]["file_path"] = file
    (root / "hcm.json").write_text(json.dumps(run[0]["properties"]["hcm"]))
    run[0]["properties"] |= {"ihandle": "iargs", "hcm": "hcm.json", "oshape": ["1", "128"]}
    del run[0]["properties"]["size"]
    run[1]["properties"] = {"direction": 0, "host_handle": "corr", "dev_ptr": "0x1C00000000", "size": 128}
    (root / "spyrecode.json").write_text(json.dumps(plans))
    again = SpyreCode.read(tmp_path)
    assert (again.preparation, again.execution) == (code().preparation, code().execution)


def edit(*path: Any, value: Any = None, delete: bool = False) -> Callable[[Any], None]:
    def apply(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        if delete:
            del data[path[-1]]
        else:
            data[path[-1]] = value

    return apply


PREP, EXEC = "JobPreparationPlan", "JobExecPlan"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (edit(PREP, delete=True), "'JobPreparationPlan' is absent"),
        (edit(EXEC, value={}), "'JobExecPlan' is absent or no array"),
        (edit(PREP, 1, delete=True), "needs an Allocate and at least one InitTransfer"),
        (edit(PREP, 0, "command", value="ComputeOnDevice"), "property 'job_bin_ptr' is missing"),
        (
            edit(PREP, 1, "properties", "size", delete=True),
            r"JobPreparationPlan\[1\] \(InitTransfer\): property 'size'",
        ),
        (edit(EXEC, 0, "properties", "ishape", value="3"), "'ishape' is no array"),
        (edit(EXEC, 0, "properties", "ishape", value=[3]), "no decimal string"),
        (edit(PREP, 0, "properties", "static_size", value="-5"), "expected an unsigned decimal"),
        (edit(PREP, 0, "properties", "static_size", value="12 "), "expected an unsigned decimal"),
        (edit(PREP, 0, "properties", "static_size", value=str(1 << 63)), "below 2\\^63"),
        (edit(EXEC, 0, "properties", "ihandle", value="nobody"), "input handle 'nobody'"),
        (edit(EXEC, 1, "properties", "host_handle", value="nobody"), "'nobody' names no host buffer"),
        (edit(EXEC, 1, "properties", "dev_ptr", value="128"), "outside the program segment"),
        (edit(EXEC, 1, "properties", "dirn", value="sideways"), "unknown direction 'sideways'"),
        (edit(EXEC, 2, "properties", "job_bin_ptr", value="0"), "0x1c00000000, 0x2000000000"),
        (edit(EXEC, 2, "command", value="Dance"), "unknown command 'Dance'"),
        (edit(PREP, 1, "properties", "init_bin_file", value="other.bin"), "'other.bin', named by the plan, is missing"),
        (edit(PREP, 1, "properties", "init_bin_file", value="../x"), "not a plain name"),
        (edit(PREP, 0, "properties", "static_size", value="256"), "ends beyond the allocation"),
        (edit(EXEC, 1, delete=True), "must be followed by the host-to-device transfer"),
        (edit(EXEC, 0, "properties", "size", value="64"), "makes 64 bytes, but the transfer moves 128"),
        (edit(EXEC, 0, "properties", "hcm", value={}), "no object with 'vdci'"),
        (edit(EXEC, 0, "properties", "hcm", "symbols", value=[{"id": 1}]), "is no expression"),
        (edit(EXEC, 0, "properties", "hcm", "layout", 0, "offset", value=124), "outside the buffer"),
        (edit(EXEC, 0, "properties", "hcm", "layout", 0, "offset", value=4), "overlap"),
        (edit(EXEC, 2, "properties", "job_bin_ptr", value="120259084288"), "not the start of the image"),
    ],
)
def test_broken_plans(tmp_path: Path, change: Callable[[Any], None], message: str) -> None:
    code().write(tmp_path)
    path = tmp_path / "spyrecode.json"
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    with pytest.raises(HeadraceError, match=message):
        SpyreCode.read(tmp_path)


def test_missing_and_damaged_files(tmp_path: Path) -> None:
    with pytest.raises(HeadraceError, match="no such directory"):
        SpyreCode.read(tmp_path / "none")
    with pytest.raises(HeadraceError, match=r"'spyrecode.json' is missing"):
        SpyreCode.read(tmp_path)
    code().write(tmp_path)
    with pytest.raises(HeadraceError, match="not a directory"):
        SpyreCode.read(tmp_path / "manifest.json")
    raw = bytearray((tmp_path / "init_binary.bin").read_bytes())
    raw[300] ^= 1
    (tmp_path / "init_binary.bin").write_bytes(bytes(raw))
    with pytest.raises(HeadraceError, match="checksum"):
        SpyreCode.read(tmp_path)
    (tmp_path / "init_binary.bin").write_bytes(bytes(raw[:100]))
    with pytest.raises(HeadraceError, match="has 100 bytes"):
        SpyreCode.read(tmp_path)
    (tmp_path / "manifest.json").write_text("[]")
    code().files["init_binary.bin"]
    (tmp_path / "init_binary.bin").write_bytes(code().files["init_binary.bin"])
    with pytest.raises(HeadraceError, match="not written by this compiler"):
        SpyreCode.read(tmp_path)
    (tmp_path / "spyrecode.json").write_text("{")
    with pytest.raises(HeadraceError, match="cannot be read as JSON"):
        SpyreCode.read(tmp_path)


def test_all_faults_at_once(tmp_path: Path) -> None:
    code().write(tmp_path)
    data = json.loads((tmp_path / "spyrecode.json").read_text())
    data[EXEC][1]["properties"]["dirn"] = "?"
    data[PREP][0]["properties"]["static_size"] = "x"
    (tmp_path / "spyrecode.json").write_text(json.dumps(data))
    with pytest.raises(HeadraceError) as e:
        SpyreCode.read(tmp_path)
    assert len(e.value.diagnostics) == 2


def test_host_compute_numbers() -> None:
    host = decode(METADATA, 128, 1)
    raw = host.run([0x400000080], ["a"], 128)
    assert int.from_bytes(raw[:8], "little") == 268435458
    assert int.from_bytes(raw[8:16], "little") == 268435618
    with pytest.raises(
        MisalignedError, match=r"argument 'a' = 100: .* a / 64 is not a multiple of the word size, 64 bytes"
    ):
        host.run([100], ["a"], 128)
    with pytest.raises(SymbolError, match="declared twice"):
        decode({"symbols": METADATA["symbols"][:1] * 2, "layout": []}, 128, 1)
