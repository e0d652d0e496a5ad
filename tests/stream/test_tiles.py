"""Tile kernels inside a graph: compiled, run on the simulated device, equal at every level."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from headrace.cli.graph import tile_runner
from headrace.cli.main import run
from headrace.ir.text import parse_module
from headrace.stream.executor import Executor
from headrace.stream.interpreter import Program
from headrace.stream.pipeline import Options, compile_graph
from headrace.stream.simulator import Simulator
from headrace.stream.system import DeviceSpec, System
from headrace.stream.threads import ThreadExecutor

ADD = Path(__file__).parents[1] / "corpus" / "elementwise" / "add.mlir"


def text() -> str:
    """x + y + y by two dispatches of the add kernel, then an elementwise operation of the host's kind."""
    kernel = ADD.read_text()
    body = kernel[kernel.index("func.func") : kernel.rindex("}")]
    kind = "tensor<96x64xf16>"
    return f"""
    flow.executable private @tile {{
      flow.executable.export public @add
      builtin.module {{
        {body}
      }}
    }}
    util.func public @f(%x: {kind}, %y: {kind}) -> {kind} {{
      %a = flow.dispatch @tile::@add(%x, %y) : ({kind}, {kind}) -> {kind}
      %b = flow.dispatch @tile::@add(%a, %y) : ({kind}, {kind}) -> {kind}
      %c = arith.negf %b : {kind}
      util.return %c : {kind}
    }}
    """


def test_tile_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "graph.mlir"
    path.write_text(text())
    x, y = (np.random.default_rng(s).standard_normal((96, 64)).astype(np.float16) for s in (1, 2))
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    arguments = [f"--input=x={tmp_path / 'x.npy'}", f"--input=y={tmp_path / 'y.npy'}"]
    assert run(["graph", "run", str(path), *arguments, "--check=levels", "--json", "-o", str(tmp_path / "out")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert all(level["equal"] for level in found["check"])
    assert found["dispatches"] == 3
    result = np.load(tmp_path / "out" / "result0.npy")
    assert np.array_equal(result, -((x + y).astype(np.float16) + y).astype(np.float16))


SCALE = """
    flow.executable private @tile {
      flow.executable.export public @scaled
      builtin.module {
        func.func @scaled(%s: f32, %in: index, %out: index) attributes {grid = [1]} {
          %z = arith.constant 0 : index
          %iv = ktdp.construct_memory_view %in, sizes: [64], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64xf32>
          %ov = ktdp.construct_memory_view %out, sizes: [64], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64xf32>
          %it = ktdp.construct_access_tile %iv[%z] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<64xf32> -> !ktdp.access_tile<64xindex>
          %x = ktdp.load %it : !ktdp.access_tile<64xindex> -> tensor<64xf32>
          %f = tensor.splat %s : tensor<64xf32>
          %y = arith.mulf %x, %f : tensor<64xf32>
          %ot = ktdp.construct_access_tile %ov[%z] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<64xf32> -> !ktdp.access_tile<64xindex>
          ktdp.store %y, %ot : tensor<64xf32>, !ktdp.access_tile<64xindex>
          return
        }
      }
    }
    util.func public @f(%s: f32, %x: tensor<64xf32> {iree.abi.affinity = #hal.device.affinity<@dev_a>},
                        %y: tensor<64xf32> {iree.abi.affinity = #hal.device.affinity<@dev_b>}) -> (tensor<64xf32>, tensor<64xf32>) {
      %a = flow.dispatch @tile::@scaled(%s, %x) : (f32, tensor<64xf32>) -> tensor<64xf32>
      %b = flow.dispatch @tile::@scaled(%s, %y) : (f32, tensor<64xf32>) -> tensor<64xf32>
      util.return %a, %b : tensor<64xf32>, tensor<64xf32>
    }
"""  # noqa: E501


@pytest.mark.parametrize("make", [Simulator, ThreadExecutor])
def test_each_device_has_its_own(make: type[Executor]) -> None:
    """A kernel runs on the simulated device of its affinity; a scalar may stand before the addresses."""
    specs = [DeviceSpec("dev_a", device="spyre"), DeviceSpec("dev_b", device="sample")]
    system = System({s.name: s for s in specs})
    tile = tile_runner(system)
    module = parse_module(SCALE)
    compile_graph(module, Options(system=system))
    x, y = (np.random.default_rng(s).standard_normal(64).astype(np.float32) for s in (1, 2))
    executor = make(system)
    a, b = Program(module, executor, tile).run([np.float32(1.5), x, y])
    executor.drain()
    if isinstance(executor, ThreadExecutor):
        executor.close()
    assert np.array_equal(a, x * np.float32(1.5))
    assert np.array_equal(b, y * np.float32(1.5))
    assert {place: device.name for place, device in tile.devices.items()} == {"dev_a": "spyre", "dev_b": "sample"}
