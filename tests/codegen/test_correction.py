"""The corrected binary: what the dump shows is what the device runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from headrace.cli.main import run
from headrace.codegen.correction import argument_values, corrected, correction_buffer, patched
from headrace.codegen.image import Image
from headrace.codegen.objdump import dump_json, dump_text
from headrace.codegen.spyrecode import SpyreCode
from headrace.ir.diagnostics import HeadraceError
from headrace.runtime import Device
from tests.codegen.programs import generate, multiply

ARTEFACTS = Path(__file__).parent / "artefacts"
VALUES = {"x": 0x400000080, "out": 0x800000000, "rows": 48}


@pytest.fixture(scope="module")
def code() -> SpyreCode:
    return SpyreCode.read(ARTEFACTS / "rows-v1-digests")


def test_patched_values_are_shown(code: SpyreCode) -> None:
    values = argument_values(code, VALUES)
    plain, text = dump_text(code), dump_text(code, values)
    starred = re.compile(r" -?\d+\*(?= |$)", re.MULTILINE)
    assert not starred.search(plain)
    assert "x: address, dtype f16 = 0x400000080" in text
    assert f"-12 = x / 64 = {0x400000080 // 64} ({0x400000080 // 64:#x})" in text
    line = next(line for line in text.splitlines() if line.startswith("    unit 0:"))
    assert f"{0x400000080 // 64}*" in line.split()
    shown = sorted({int(w[:-1]) for w in text.split() if re.fullmatch(r"-?\d+\*", w)})
    table = np.frombuffer(correction_buffer(code, values), np.int64)
    assert shown == sorted({int(table[src // 8]) for src, _ in patched(code).values()})


def test_the_dump_is_what_the_device_runs() -> None:
    code = generate(multiply())
    device = Device.open("sample")
    kernel = device.prepare(code)
    t = {n: device.tensor(np.ones((4, 64), np.float16)) for n in "abc"}
    kernel.launch(**t).result()
    entry = kernel._address(code.execution[-1].job_bin_ptr)
    launch = device.sim.loader.load(entry)
    image = kernel.corrected_image(**t)
    assert image == corrected(code, kernel.argument_values(**t))
    for program in image.programs:
        for s in program.sections:
            words = launch.words(s.data_offset, s.params * len(s.units)).reshape(len(s.units), s.params)
            assert words.tolist() == s.blocks
    words = launch.words(image.sequencer_params_offset, len(image.sequencer_params))
    assert words.tolist() == image.sequencer_params
    raw = image.encode()
    assert Image.decode(raw).programs[0].sections[0].blocks == image.programs[0].sections[0].blocks


def test_json_and_the_command_line(code: SpyreCode, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [f"--arg={n}={v:#x}" for n, v in VALUES.items()]
    assert run(["objdump", str(ARTEFACTS / "rows-v1"), "--json", *arguments]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["values"] == VALUES and all("value" in s for s in data["symbols"])
    unit = data["programs"][0]["units"][0]["instances"][0]
    assert unit["patched"] and unit["parameters"][unit["patched"][0]] != 0
    assert {k: v for k, v in dump_json(code)["programs"][0].items() if k == "name"} == {"name": "local_schedule_0"}
    for wrong, message in (
        (["--arg=x=128"], "argument 'out' has no value"),
        ([*arguments, "--arg=y=1"], "has no argument 'y'"),
        (["--arg=x=128", "--arg=out=0", "--arg=rows=17"], "'rows' = 17 is not admissible"),
        (["--arg=x=130", "--arg=out=0", "--arg=rows=16"], "misaligned address: argument 'x' = 130"),
    ):
        assert run(["objdump", str(ARTEFACTS / "rows-v1"), *wrong]) == 1
        assert message in capsys.readouterr().err


def test_numbers_by_name(code: SpyreCode) -> None:
    assert argument_values(code, VALUES) == [0x400000080, 0x800000000, 48]
    with pytest.raises(HeadraceError, match="takes an integer"):
        argument_values(code, {**VALUES, "rows": 1.5})
