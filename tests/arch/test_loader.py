"""Finding devices: names, files, imports and the declarations of a module."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.dialects.builtin import StringAttr

from headrace.arch import declare_device, device_of, load_device
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module, print_module

HERE = Path(__file__).parent
SMALL = 'ktdf_arch.device @{name} {{\n  %m = memory {{kind = "M", size = {size}}}\n}}\n'


def test_unknown_name() -> None:
    with pytest.raises(HeadraceError) as caught:
        load_device("spyr")
    text = str(caught.value)
    assert "unknown device 'spyr'; did you mean 'spyre'?" in text
    assert "sample, spyre, spyre-balanced, tri" in text


def test_missing_file() -> None:
    with pytest.raises(HeadraceError, match=r"cannot read device file 'nowhere/x\.mlir'"):
        load_device("nowhere/x.mlir")


def test_file_with_two_devices(tmp_path: Path) -> None:
    path = tmp_path / "two.mlir"
    path.write_text(SMALL.format(name="a", size=4) + SMALL.format(name="b", size=8))
    with pytest.raises(HeadraceError, match="expected exactly one device"):
        load_device(path)
    assert load_device(path, name="b").memory("M").size == 8
    path.write_text("module {\n}\n")
    with pytest.raises(HeadraceError, match="no device in this file"):
        load_device(path)


def test_import_merges_the_declaration(tmp_path: Path) -> None:
    (tmp_path / "d.mlir").write_text(SMALL.format(name="d", size=4))
    program = tmp_path / "program.mlir"
    program.write_text(
        'ktdf_arch.device @d attributes {headrace.clock_mhz = 7, mem_space_mapping = #ktdf_arch.map<"x" = "M">} '
        'import("d.mlir")\nfunc.func @f() {\n  return\n}\n'
    )
    module = parse_module(program.read_text(), str(program))
    found = device_of(list(module.body.block.ops)[-1])
    assert found.clock_mhz == 7
    assert found.space_to_kind(StringAttr("x")) == "M"
    assert load_device(tmp_path / "d.mlir").clock_mhz == 1000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (SMALL.format(name="other", size=4), "no device named 'd'"),
        ('ktdf_arch.device @d import("e.mlir")\n', "recursive importing is prohibited"),
        ("nonsense", "the device file has errors"),
        (None, "cannot read 'd.mlir'"),
    ],
)
def test_bad_import(tmp_path: Path, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / "d.mlir").write_text(content)
    program = tmp_path / "program.mlir"
    module = parse_module('ktdf_arch.device @d import("d.mlir")\n', str(program))
    with pytest.raises(HeadraceError, match=f"unable to import device graph: .*{message}") as caught:
        device_of(module)
    assert caught.value.diagnostics[0].loc is not None


def test_device_of_needs_exactly_one() -> None:
    with pytest.raises(HeadraceError, match="expected exactly one"):
        device_of(parse_module("func.func @f() {\n  return\n}"))
    two = 'ktdf_arch.device @a import("a.mlir")\nktdf_arch.device @b import("b.mlir")\n'
    with pytest.raises(HeadraceError, match="expected exactly one"):
        device_of(parse_module(two))


def test_maps_to_selects_a_device() -> None:
    text = SMALL.format(name="a", size=4) + SMALL.format(name="b", size=8)
    module = parse_module(text + "func.func @f() attributes {ktdf_arch.maps_to = @b} {\n  return\n}")
    assert device_of(list(module.body.block.ops)[-1]).name == "b"


def test_declare_device() -> None:
    module = parse_module("func.func @f() {\n  return\n}")
    spyre = load_device("spyre")
    declare_device(module, spyre)
    declare_device(module, spyre)
    assert print_module(module).count('import("spyre.mlir")') == 1
    assert device_of(module).digest == spyre.digest
