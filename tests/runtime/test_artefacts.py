"""Artefacts written elsewhere and earlier: version 1 stays readable, damage never passes."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headrace.cli.main import run
from headrace.codegen import SpyreCode
from headrace.ir.diagnostics import HeadraceError
from headrace.runtime import Device

ARTEFACTS = Path(__file__).parent.parent / "codegen" / "artefacts"


@pytest.fixture(scope="module")
def device() -> Device:
    return Device.open(ARTEFACTS / "frozen.mlir")


def doubled(device: Device, directory: Path | SpyreCode, rows: int) -> bool:
    """Whether the kernel of the artefact gives x + x in its first rows and leaves the rest."""
    kernel = device.prepare(directory)
    x = np.random.default_rng(rows).standard_normal((256, 128)).astype(np.float16)
    out = device.tensor(np.zeros((256, 128), np.float16))
    kernel.launch(x=device.tensor(x), out=out, rows=rows).result()
    found = out.numpy()
    kernel.close()
    return np.array_equal(found[:rows], x[:rows] + x[:rows]) and not found[rows:].any()


@pytest.mark.parametrize("name", ["rows-v1", "rows-v1-digests"])
def test_version_1_is_readable_for_ever(device: Device, name: str) -> None:
    for rows in range(16, 257, 48):
        assert doubled(device, ARTEFACTS / name, rows)


def test_every_admissible_shape(device: Device) -> None:
    code = SpyreCode.read(ARTEFACTS / "rows-v1-digests")
    for rows in range(16, 257, 16):
        assert doubled(device, code, rows)
    kernel = device.prepare(code)
    x, out = device.empty((256, 128), "f16"), device.empty((256, 128), "f16")
    for rows, message in (
        (0, "granularity 16"),
        (24, "granularity 16"),
        (272, "upper bound 256"),
        (1 << 64, "64 bits"),
    ):
        with pytest.raises(HeadraceError, match=message):
            kernel.launch(x=x, out=out, rows=rows)


def test_a_static_kernel_is_one_step(device: Device) -> None:
    kernel = device.prepare(ARTEFACTS / "static-v1")
    assert kernel.step_types == ["Compute"] and kernel.num_steps() == 1
    assert kernel.get_step_type(0) == "Compute" and kernel.job_allocation_size() % 128 == 0
    with pytest.raises(HeadraceError, match="there is no step 1"):
        kernel.get_step_type(1)
    with pytest.raises(HeadraceError, match="where nothing is allocated"):
        kernel.launch()
    memory = device.empty((1 << 16,), "i8", "all", address=0)
    a, b = (np.random.default_rng(k).standard_normal((96, 64)).astype(np.float16) for k in range(2))
    device.write(2048, a)
    device.write(24576, b)
    kernel.launch().result()
    assert np.array_equal(np.frombuffer(device.read(36864, 12288), np.float16).reshape(96, 64), a + b)
    memory.free()


def test_rewriting_gives_the_same_bytes(tmp_path: Path) -> None:
    root = ARTEFACTS / "rows-v1-digests"
    SpyreCode.read(root).write(tmp_path / "new")
    for file in root.iterdir():
        assert file.read_bytes() == (tmp_path / "new" / file.name).read_bytes()
    assert [p.name for p in tmp_path.iterdir()] == ["new"], "no temporary is left"


def mutate(rng: random.Random, path: Path, kind: str) -> None:
    raw = bytearray(path.read_bytes())
    at = rng.randrange(len(raw))
    match kind:
        case "flip":
            raw[at] ^= 1 << rng.randrange(8)
        case "truncate":
            del raw[at:]
        case "drop":
            del raw[at : at + rng.randrange(1, 9)]
        case "insert":
            raw[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 9)))
        case "zero":
            raw[at : at + 16] = bytes(len(raw[at : at + 16]))
    path.write_bytes(bytes(raw))


def offset_classes(root: Path) -> list[tuple[str, int, int]]:
    """Every class of offsets: the areas of the image, and each JSON file."""
    image = SpyreCode.read(root).image
    size = (root / "init_binary.bin").stat().st_size
    ends = sorted(
        {0, 128, image.sequencer_params_offset, size, *(s.offset for p in image.programs for s in p.sections)}
    )
    classes = [("init_binary.bin", a, b) for a, b in pairwise(ends)]
    return classes + [(f, 0, (root / f).stat().st_size) for f in ("spyrecode.json", "manifest.json", "debug.json")]


def damage(device: Device, tmp_path: Path, count: int) -> Counter[str]:
    source = ARTEFACTS / "rows-v1-digests"
    rng = random.Random(11)
    classes = offset_classes(source)
    outcomes: Counter[str] = Counter()
    before = device.allocator.statistics()
    for n in range(count):
        root = tmp_path / f"m{n}"
        shutil.copytree(source, root)
        name, low, high = classes[n % len(classes)]
        path = root / name
        raw = bytearray(path.read_bytes())
        if n % 3:
            raw[rng.randrange(low, high)] ^= 1 << rng.randrange(8)
            path.write_bytes(bytes(raw))
        elif n % 2:
            path.write_bytes(bytes(raw[: rng.randrange(low, high)]))
        else:
            mutate(rng, path, rng.choice(["drop", "insert", "zero"]))
        try:
            assert doubled(device, root, 48), f"mutation {n} of {name} gave a wrong result"
            outcomes["right"] += 1
        except HeadraceError as e:
            assert str(root) in str(e) and "error:" in str(e)
            outcomes["refused"] += 1
        shutil.rmtree(root)
    assert device.allocator.statistics()["allocations"] == before["allocations"]
    return outcomes


def test_mutations_are_refused_or_harmless(device: Device, tmp_path: Path) -> None:
    outcomes = damage(device, tmp_path, 150)
    assert outcomes["refused"] > 100


@pytest.mark.all
def test_a_thousand_mutations(device: Device, tmp_path: Path) -> None:
    outcomes = damage(device, tmp_path, 1000)
    assert sum(outcomes.values()) == 1000 and outcomes["refused"] > 700


def test_flipped_code_of_an_image_without_digests(device: Device, tmp_path: Path) -> None:
    """Without digests the image still has its own checksums."""
    rng = random.Random(2)
    for n in range(40):
        root = tmp_path / f"m{n}"
        shutil.copytree(ARTEFACTS / "rows-v1", root)
        mutate(rng, root / "init_binary.bin", rng.choice(["flip", "truncate", "drop"]))
        try:
            assert doubled(device, root, 32)
        except HeadraceError as e:
            assert str(root) in str(e)


@pytest.mark.parametrize("name", ["spyrecode.json", "manifest.json", "debug.json", "init_binary.bin"])
def test_no_link_leads_out_of_the_directory(tmp_path: Path, name: str) -> None:
    root = tmp_path / "kernel"
    shutil.copytree(ARTEFACTS / "rows-v1", root)
    (root / name).rename(tmp_path / name)
    (root / name).symlink_to(tmp_path / name)
    with pytest.raises(HeadraceError, match=f"'{name}'"):
        SpyreCode.read(root)


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "a/b", "", ".", "..", "x\0y", "\\\\host\\share"])
def test_no_path_leads_out_of_the_directory(tmp_path: Path, path: str) -> None:
    root = tmp_path / "kernel"
    shutil.copytree(ARTEFACTS / "rows-v1", root)
    plans = json.loads((root / "spyrecode.json").read_text())
    plans["JobPreparationPlan"][1]["properties"]["init_bin_file"] = path
    (root / "spyrecode.json").write_text(json.dumps(plans))
    with pytest.raises(HeadraceError, match="is not a plain name inside the directory"):
        SpyreCode.read(root)


def edited(tmp_path: Path, name: str, change: Any) -> Path:
    root = tmp_path / "kernel"
    shutil.copytree(ARTEFACTS / "rows-v1", root)
    data = json.loads((root / name).read_text())
    change(data)
    (root / name).write_text(json.dumps(data))
    return root


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("spyrecode.json", lambda d: d["JobPreparationPlan"][0]["properties"].update(static_size=str(1 << 40)),
         "'static_size' is 1099511627776 bytes"),
        ("spyrecode.json", lambda d: d["JobPreparationPlan"][0]["properties"].update(dynamic_size=str(1 << 60)),
         "'dynamic_size' is"),
        ("spyrecode.json", lambda d: d["JobPreparationPlan"][1]["properties"].update(dev_ptr="120259084352"),
         "no multiple of 128"),
        ("manifest.json", lambda d: d.update(version=2), "version 2, this reader knows version 1"),
        ("manifest.json", lambda d: d.update(grid=[-1]), "'grid' is malformed"),
        ("manifest.json", lambda d: d["buffers"][0].update(shape=[1 << 50, 2]), "an entry of 'buffers' is malformed"),
        ("manifest.json", lambda d: d["buffers"].append(7), "an entry of 'buffers' is malformed"),
        ("manifest.json", lambda d: d["arguments"][2].update(upperbound=-3), "'arguments' is missing or malformed"),
        ("manifest.json", lambda d: d["device"].update(digest="00" * 32), "compiled for another device"),
    ],
)  # fmt: skip
def test_what_asks_for_too_much_or_is_malformed(tmp_path: Path, name: str, change: Any, message: str) -> None:
    with pytest.raises(HeadraceError, match=message):
        SpyreCode.read(edited(tmp_path, name, change))


def test_json_that_python_would_take(tmp_path: Path) -> None:
    for text in ('{"format": NaN}', '{"a": 1, "a": 2}', "[" * 100000, '{"a": ' + "9" * 5000 + "}", "\xff"):
        root = tmp_path / "kernel"
        shutil.copytree(ARTEFACTS / "rows-v1", root)
        (root / "manifest.json").write_bytes(text.encode("latin-1"))
        with pytest.raises(HeadraceError, match=r"manifest.json' (cannot be read as JSON|: not written)|manifest.json"):
            SpyreCode.read(root)
        shutil.rmtree(root)


def test_files_of_two_kernels_do_not_mix(tmp_path: Path) -> None:
    code = SpyreCode.read(ARTEFACTS / "rows-v1-digests")
    code.write(tmp_path / "one")
    code.manifest["kernel"] = "other"
    code.write(tmp_path / "two")
    shutil.copy(tmp_path / "one" / "manifest.json", tmp_path / "two" / "manifest.json")
    assert SpyreCode.read(tmp_path / "two").name == "runtime_rows"
    data = json.loads((tmp_path / "one" / "manifest.json").read_text())
    data["buffers"][0]["bytes"] -= 2
    (tmp_path / "one" / "manifest.json").write_text(json.dumps(data))
    with pytest.raises(HeadraceError, match=r"'manifest.json' is damaged or of another kernel"):
        SpyreCode.read(tmp_path / "one")


def test_a_damaged_debug_table_says_that_it_may_go(tmp_path: Path) -> None:
    root = tmp_path / "kernel"
    shutil.copytree(ARTEFACTS / "rows-v1-digests", root)
    (root / "debug.json").write_text("7")
    with pytest.raises(HeadraceError, match="it may be deleted"):
        SpyreCode.read(root)
    (root / "debug.json").unlink()
    assert SpyreCode.read(root).debug is None


def test_the_command_line_runs_a_directory_from_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only the directory and the device file come along."""
    shutil.copytree(ARTEFACTS / "rows-v1", tmp_path / "kernel")
    x = np.random.default_rng(0).standard_normal((256, 128)).astype(np.float16)
    np.save(tmp_path / "x.npy", x)
    command = ["run", str(tmp_path / "kernel"), "--json", "--input", f"x={tmp_path / 'x.npy'}", "--arg", "rows=64"]
    assert run(command) == 1
    assert "unknown device 'frozen'" in capsys.readouterr().err
    assert run([*command, "--device", "spyre"]) == 1
    assert "was compiled for device 'frozen'" in capsys.readouterr().err
    elsewhere = ["--device", str(ARTEFACTS / "frozen.mlir"), "--output", str(tmp_path / "results")]
    assert run([*command, *elsewhere]) == 0
    assert json.loads(capsys.readouterr().out)["cycles"] > 0
    assert np.array_equal(np.load(tmp_path / "results" / "out.npy")[:64], x[:64] + x[:64])
