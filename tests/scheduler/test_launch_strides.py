"""Strides that are arguments: compiled for the value given, refused with the way out where none is given."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headrace import api
from headrace.cli.main import run
from headrace.ir.diagnostics import HeadraceError
from headrace.runtime import Device

KERNEL = """
func.func @scaled(%x: index, %y: index, %n: {argument}, %ld: i32) attributes {{grid = [2]}} {{
  {value}
  %c4 = arith.constant 4 : index
  %t = ktdp.get_compute_tile_id : index
  %row = arith.muli %t, %c4 : index
  %i = arith.index_cast %ld : i32 to index
  %two = arith.constant 2 : index
  %pitch = arith.muli %i, %two : index
  %xv = ktdp.construct_memory_view %x, sizes: [8, 128], strides: [{stride}, 1] {{
    coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 127 >= 0)>,
    memory_space = #ktdp.spyre_memory_space<HBM>}} : memref<8x128xf16>
  %yv = ktdp.construct_memory_view %y, sizes: [8, 128], strides: [128, 1] {{
    coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 127 >= 0)>,
    memory_space = #ktdp.spyre_memory_space<HBM>}} : memref<8x128xf16>
  %xt = ktdp.construct_access_tile %xv[%row, 0] {{
    access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 127 >= 0)>,
    access_tile_order = affine_map<(d0, d1) -> (d0, d1)>}} : memref<8x128xf16> -> !ktdp.access_tile<4x128xindex>
  %a = ktdp.load %xt : !ktdp.access_tile<4x128xindex> -> tensor<4x128xf16>
  %b = arith.addf %a, %a : tensor<4x128xf16>
  %yt = ktdp.construct_access_tile %yv[%row, 0] {{
    access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 127 >= 0)>,
    access_tile_order = affine_map<(d0, d1) -> (d0, d1)>}} : memref<8x128xf16> -> !ktdp.access_tile<4x128xindex>
  ktdp.store %b, %yt : tensor<4x128xf16>, !ktdp.access_tile<4x128xindex>
  return
}}
"""
EXTRACT = "%v = ktdp.runtime_arg_extract value from %n : <index, granularity=64> -> index"


def kernel(stride: str) -> str:
    """The kernel with row stride `stride` of `x`: `%n`, `%v` (its extracted value), `%pitch` (2 * `%ld`), `%t`."""
    runtime = stride == "%v"
    argument = "!ktdp.runtime_arg<index, granularity=64>" if runtime else "index"
    return KERNEL.format(argument=argument, value=EXTRACT if runtime else "", stride=stride)


@pytest.mark.parametrize("device", ["spyre", "tri"])
@pytest.mark.parametrize(
    ("stride", "given", "fixed"),
    [("%n", {"n": 192}, {"n": 192}), ("%v", {"n": 256}, {"n": 256}), ("%pitch", {"ld": 80, "n": 7}, {"ld": 80})],
)
def test_a_stride_that_is_given(
    stride: str, given: dict[str, Any], fixed: dict[str, int], device: str, tmp_path: Path
) -> None:
    path = tmp_path / "k.mlir"
    path.write_text(kernel(stride))
    values = {"n": 64, "ld": 1, **given}
    arguments = [x for n, v in values.items() for x in ("--arg", f"{n}={v}")]
    assert run(["run", str(path), "--device", device, "--check=levels", "--sanitize", "--json", *arguments]) == 0
    program = api.compile(path, device, options=api.CompileOptions(arguments=given))
    assert {a["name"]: a["value"] for a in program.code.arguments if "value" in a} == fixed


def test_a_launch_with_another_value() -> None:
    device = Device.open("spyre")
    program = api.compile(kernel("%n"), "spyre", options=api.CompileOptions(arguments={"n": 192}))
    launched = device.prepare(program.code)
    rows = np.arange(8 * 192, dtype=np.float16).reshape(8, 192) / 64
    x, y = device.tensor(rows.reshape(-1)[: 7 * 192 + 128], name="x"), device.empty((8, 128), "f16", "y")
    launched.launch(x=x, y=y, n=192, ld=3).result()
    assert np.array_equal(y.numpy(), rows[:, :128] + rows[:, :128])
    with pytest.raises(HeadraceError) as problem:
        launched.launch(x=x, y=y, n=128, ld=3)
    assert problem.value.diagnostics[0].message == (
        "kernel 'scaled': argument 'n' = 128, and the kernel was compiled for 192"
    )


@pytest.mark.parametrize(
    ("stride", "way"),
    [
        ("%n", "; give --arg n=VALUE to compile for one value"),
        ("%pitch", "; give --arg ld=VALUE to compile for one value"),
        ("%row", ""),
    ],
)
def test_a_stride_that_is_open(stride: str, way: str) -> None:
    with pytest.raises(HeadraceError) as problem:
        api.compile(kernel(stride), "spyre")
    found = problem.value.diagnostics[0]
    message = "a stride that is only known at launch is not supported by construct-three-stage-pipeline"
    assert (found.message, found.loc and found.loc.line) == (message + way, 10)


CORPUS = Path(__file__).parents[1] / "corpus"


def opened(text: str) -> tuple[str, dict[str, int]]:
    """A kernel whose constant strides above 1 are arguments, and their values."""
    given: dict[str, int] = {}

    def replace(found: re.Match[str]) -> str:
        parts = [x.strip() for x in found[1].split(",")]
        given.update({f"st{x}": int(x) for x in parts if x.isdigit() and int(x) > 1})
        return f"strides: [{', '.join(f'%st{x}' if f'st{x}' in given else x for x in parts)}]"

    text = re.sub(r"strides: \[([^\]]*)\]", replace, text)
    more = "".join(f", %{n}: index" for n in given)
    return re.sub(r"(func\.func @\w+\([^)]*)\)", lambda m: f"{m[1]}{more})", text, count=1), given


@pytest.mark.parametrize(
    "name", ["gather/embedding_backward", "llm/matmul_tails", "comm/all_max", "access/transpose_view"]
)
def test_given_strides_cost_nothing(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same cycles as with the strides written into the kernel, and the same values."""
    cycles = []
    text = (CORPUS / f"{name}.mlir").read_text()
    for kernel_text, given in ((text, {}), opened(text)):
        (tmp_path / "k.mlir").write_text(kernel_text)
        arguments = [x for n, v in given.items() for x in ("--arg", f"{n}={v}")]
        assert run(["run", str(tmp_path / "k.mlir"), "--check=levels", "--json", *arguments]) == 0
        cycles.append(json.loads(capsys.readouterr().out)["cycles"])
    assert given and cycles[0] == cycles[1]
