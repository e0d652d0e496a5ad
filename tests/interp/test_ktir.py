# ruff: noqa: E501 (MLIR text)
"""KTIR: the example kernels against NumPy, views, tiles, out-of-view rules, phases, inter-tile operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from headrace.interp.buffers import find_buffers
from headrace.interp.ktir import run_ktir
from headrace.interp.memory import Memory
from headrace.interp.placement import fetch, place
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module
from headrace.numerics import dtypes

F16, F32, I32 = (dtypes.get(n) for n in ("f16", "f32", "i32"))
RNG = np.random.default_rng(11)


def run(text: str, arrays: Mapping[str, np.ndarray], strict: bool = False, **args: Any) -> dict[str, np.ndarray]:
    """All buffers of a kernel after it ran on `arrays`."""
    module = parse_module(text)
    found = find_buffers(module, args=args)
    memory, given = place(found, arrays)
    run_ktir(module, given, memory, strict=strict)
    return {b.name: fetch(memory, b) for b in found.buffers}


def view(
    name: str, source: str, sizes: str, strides: str, kind: str, bounds: str, space: str = "memory_space<global>"
) -> str:
    return (
        f"%{name} = ktdp.construct_memory_view {source}, sizes: [{sizes}], strides: [{strides}] "
        f"{{coordinate_set = {bounds}, memory_space = #ktdp.{space}}} : {kind}\n"
    )


ROWS = """
#row = affine_set<(r, c) : (r == 0, c >= 0, -c + 7 >= 0)>
#all = affine_set<(r, c) : (r >= 0, -r + 3 >= 0, c >= 0, -c + 7 >= 0)>
#id = affine_map<(r, c) -> (r, c)>
#swap = affine_map<(r, c) -> (c, r)>
"""


def copy_kernel(
    order: str = "#id", tile: str = "1x8", where: str = "%me, 0", target: str = "%me, 0", points: str = "#row"
) -> str:
    return (
        ROWS
        + f"""func.func @copy(%x: index, %y: index) attributes {{grid = [4]}} {{
      %me = ktdp.get_compute_tile_id : index
      {view("xv", "%x", "4, 8", "8, 1", "memref<4x8xf32>", "#all")}
      {view("yv", "%y", "4, 8", "8, 1", "memref<4x8xf32>", "#all")}
      %t = ktdp.construct_access_tile %xv[{where}] {{access_tile_set = {points}, access_tile_order = {order}}}
        : memref<4x8xf32> -> !ktdp.access_tile<{tile}xindex>
      %v = ktdp.load %t : <{tile}xindex> -> tensor<{tile}xf32>
      %u = ktdp.construct_access_tile %yv[{target}] {{access_tile_set = {points}, access_tile_order = {order}}}
        : memref<4x8xf32> -> !ktdp.access_tile<{tile}xindex>
      ktdp.store %v, %u : tensor<{tile}xf32>, <{tile}xindex>
      return
    }}"""
    )


def test_copy_rows() -> None:
    x = RNG.standard_normal((4, 8)).astype(np.float32)
    np.testing.assert_array_equal(run(copy_kernel(), {"x": x})["y"], x)


def test_order_transposes_the_tile_not_the_coordinates() -> None:
    x = RNG.standard_normal((4, 8)).astype(np.float32)
    text = copy_kernel(order="#swap", tile="8x1")
    np.testing.assert_array_equal(run(text, {"x": x})["y"], x)


def test_non_rectangular_tile() -> None:
    x = RNG.standard_normal((4, 8)).astype(np.float32)
    triangle = "affine_set<(r, c) : (r >= 0, -r + 3 >= 0, c >= 0, r - c >= 0)>"
    text = copy_kernel(tile="4x4", where="0, 0", target="0, 0", points=triangle)
    y = np.full((4, 8), 9, np.float32)
    expected = y.copy()
    for r in range(4):
        expected[r, : r + 1] = x[r, : r + 1]
    np.testing.assert_array_equal(run(text, {"x": x, "y": y})["y"], expected)


def test_outside_a_static_view_is_an_error_with_tile_coordinates_and_view() -> None:
    with pytest.raises(HeadraceError) as e:
        run(copy_kernel(where="%me + 1, 0"), {})
    text = str(e.value)
    assert "'ktdp.load' on tile 3 loads from coordinate [4, 0] outside the view of sizes [4, 8]" in text
    assert "the view of sizes [4, 8] is made here" in text


def test_outside_every_buffer() -> None:
    module = parse_module(copy_kernel())
    memory = Memory()
    memory.add("x", 128, np.zeros((4, 8), np.float32), F32)
    memory.add("y", 512, np.zeros((3, 8), np.float32), F32)
    with pytest.raises(
        HeadraceError, match=r"'ktdp.store' on tile 3 stores to coordinate \[3, 0\].*outside every buffer"
    ):
        run_ktir(module, {"x": 128, "y": 512}, memory)


DYNAMIC = (
    ROWS
    + """#dyn = affine_set<(i)[n] : (i >= 0, -i + n - 1 >= 0)>
#sixteen = affine_set<(i) : (i >= 0, -i + 15 >= 0)>
#one = affine_map<(i) -> (i)>
func.func @scale(%x: index, %y: index, %n: index) attributes {grid = [2]} {
  %me = ktdp.get_compute_tile_id : index
  %xv = ktdp.construct_memory_view %x, sizes: [%n], strides: [1] {coordinate_set = #dyn, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?xf16>
  %yv = ktdp.construct_memory_view %y, sizes: [%n], strides: [1] {coordinate_set = #dyn, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?xf16>
  %t = ktdp.construct_access_tile %xv[%me * 16] {access_tile_set = #sixteen, access_tile_order = #one} : memref<?xf16> -> !ktdp.access_tile<16xindex>
  %v = ktdp.load %t : <16xindex> -> tensor<16xf16>
  %w = arith.addf %v, %v : tensor<16xf16>
  %u = ktdp.construct_access_tile %yv[%me * 16] {access_tile_set = #sixteen, access_tile_order = #one} : memref<?xf16> -> !ktdp.access_tile<16xindex>
  ktdp.store %w, %u : tensor<16xf16>, <16xindex>
  return
}"""
)


def test_dynamic_view_reads_zero_and_drops_stores_outside() -> None:
    x = RNG.standard_normal(21).astype(np.float16)
    module = parse_module(DYNAMIC)
    found = find_buffers(module, args={"n": 21})
    assert [(b.name, b.role, b.shape) for b in found.buffers] == [("x", "input", (21,)), ("y", "output", (21,))]
    memory, args = place(found, {"x": x})
    result = run_ktir(module, args, memory)
    np.testing.assert_array_equal(fetch(memory, found.buffers[1]), x + x)
    assert len(result.warnings) == 2
    assert "zero is read" in result.warnings[0].message
    with pytest.raises(HeadraceError, match="outside the view"):
        run_ktir(module, args, memory, strict=True)


def by_index(access: str, extent: str, kind: str, points: str) -> str:
    """Four rows read or written at the indices of a view with `extent` elements."""
    there = "%y" if access == "store" else "%x"
    rows = (
        f"%r = ktdp.construct_indirect_access_tile intermediate_variables(%i, %j) {there}v[ind(%pv[%i]), (%j)] "
        "{variables_space_set = #all, variables_space_order = #id} "
        f": memref<4x8xf32>, {kind} -> !ktdp.access_tile<4x8xindex>"
    )
    ends = ("%t", "%r") if access == "store" else ("%r", "%t")
    return f"""{ROWS}
#dyn = affine_set<(i)[n] : (i >= 0, -i + n - 1 >= 0)>
#three = affine_set<(i) : (i >= 0, -i + 2 >= 0)>
func.func @rows(%x: index, %p: index, %y: index) attributes {{grid = [1]}} {{
  %n = arith.constant 3 : index
  {view("xv", "%x", "4, 8", "8, 1", "memref<4x8xf32>", "#all")}
  {view("yv", "%y", "4, 8", "8, 1", "memref<4x8xf32>", "#all")}
  {view("pv", "%p", extent, "1", kind, points)}
  {rows}
  %t = ktdp.construct_access_tile {"%x" if access == "store" else "%y"}v[0, 0] {{access_tile_set = #all, access_tile_order = #id}}
    : memref<4x8xf32> -> !ktdp.access_tile<4x8xindex>
  %v = ktdp.load {ends[0]} : <4x8xindex> -> tensor<4x8xf32>
  ktdp.store %v, {ends[1]} : tensor<4x8xf32>, <4x8xindex>
  return
}}"""


@pytest.mark.parametrize("access", ["load", "store"])
def test_points_without_an_index(access: str) -> None:
    """Beyond a dynamic extent of a view of indices zero is read and nothing is stored; beyond another one is an error."""
    x = RNG.standard_normal((4, 8)).astype(np.float32)
    y = RNG.standard_normal((4, 8)).astype(np.float32)
    at = np.array([3, 0, 2], np.int32)
    arrays = {"x": x, "y": y, "p": at}
    module = parse_module(by_index(access, "%n", "memref<?xi32>", "#dyn"))
    found = find_buffers(module)
    memory, args = place(found, {b.name: arrays[b.name] for b in found.buffers})
    result = run_ktir(module, args, memory)
    wanted = np.zeros_like(y)
    if access == "store":
        wanted = y.copy()
        wanted[at] = x[:3]
    else:
        wanted[:3] = x[at]
    written = next(b for b in found.buffers if b.name == "y")
    np.testing.assert_array_equal(fetch(memory, written), wanted)
    (warning,) = result.warnings
    assert "the index at coordinate [3] is outside the index view of sizes [3]" in warning.message
    with pytest.raises(HeadraceError, match="outside the index view"):
        run_ktir(module, args, memory, strict=True)
    with pytest.raises(HeadraceError, match="outside the index view"):
        run(by_index(access, "3", "memref<3xi32>", "#three"), {"x": x, "p": at})


def test_local_memory_is_private_and_starts_unwritten() -> None:
    text = (
        ROWS
        + f"""func.func @local(%y: index) attributes {{grid = [4]}} {{
      %me = ktdp.get_compute_tile_id : index
      %c64 = arith.constant 64 : index
      {view("lv", "%c64", "1, 8", "8, 1", "memref<1x8xf32>", "#row", "memory_space<ct_local>")}
      {view("yv", "%y", "4, 8", "8, 1", "memref<4x8xf32>", "#all")}
      %t = ktdp.construct_access_tile %lv[0, 0] {{access_tile_set = #row, access_tile_order = #id}} : memref<1x8xf32> -> !ktdp.access_tile<1x8xindex>
      %v = ktdp.load %t : <1x8xindex> -> tensor<1x8xf32>
      %u = ktdp.construct_access_tile %yv[%me, 0] {{access_tile_set = #row, access_tile_order = #id}} : memref<4x8xf32> -> !ktdp.access_tile<1x8xindex>
      ktdp.store %v, %u : tensor<1x8xf32>, <1x8xindex>
      return
    }}"""
    )
    module = parse_module(text)
    found = find_buffers(module)
    assert [(b.name, b.role, b.shape, b.address) for b in found.buffers] == [
        ("y", "output", (4, 8), None),
        ("lx_256", "input", (4, 1, 8), 256),
    ]
    data = RNG.standard_normal((4, 1, 8)).astype(np.float32)
    memory, args = place(found, {"lx_256": data})
    run_ktir(module, args, memory)
    np.testing.assert_array_equal(fetch(memory, found.buffers[0]), data[:, 0])
    memory, args = place(found, {})
    with pytest.raises(HeadraceError, match="byte 256 of local memory of tile 0 is never written"):
        run_ktir(module, args, memory)


def test_constant_addresses_count_elements() -> None:
    text = (
        copy_kernel()
        .replace("%x: index, %y: index", "%y: index")
        .replace("%me = ktdp", "%x = arith.constant 100 : index\n%me = ktdp", 1)
    )
    found = find_buffers(parse_module(text))
    assert [(b.name, b.root, b.address, b.extent) for b in found.buffers] == [
        ("y", "y", None, 128),
        ("at_400", None, 400, 128),
    ]
    in_bytes = 'module attributes {headrace.address_unit = "byte"} {' + text[text.index("func.func") :] + "}"
    found = find_buffers(parse_module(ROWS + in_bytes))
    assert found.buffers[1].name == "at_100"


def test_later_program_text_sees_all_tiles_stores() -> None:
    """Tile t reads what tile 3 - t stored; the load comes later in the text, so every tile has stored."""
    x = RNG.standard_normal((4, 8)).astype(np.float32)
    text = (
        copy_kernel()
        .replace("%x: index, %y: index", "%x: index, %y: index, %z: index")
        .replace(
            "      return",
            f"""      %c3 = arith.constant 3 : index
      %other = arith.subi %c3, %me : index
      {view("zv", "%z", "4, 8", "8, 1", "memref<4x8xf32>", "#all")}
      %t2 = ktdp.construct_access_tile %yv[%other, 0] {{access_tile_set = #row, access_tile_order = #id}} : memref<4x8xf32> -> !ktdp.access_tile<1x8xindex>
      %v2 = ktdp.load %t2 : <1x8xindex> -> tensor<1x8xf32>
      %u2 = ktdp.construct_access_tile %zv[%me, 0] {{access_tile_set = #row, access_tile_order = #id}} : memref<4x8xf32> -> !ktdp.access_tile<1x8xindex>
      ktdp.store %v2, %u2 : tensor<1x8xf32>, <1x8xindex>
      return""",
        )
    )
    out = run(text, {"x": x})
    np.testing.assert_array_equal(out["z"], x[::-1])


ROW_SUM = """
#row  = affine_set<(r, c) : (r == 0, c >= 0, -c + 7 >= 0)>
#id   = affine_map<(r, c) -> (r, c)>
#all  = affine_set<(i)[g] : (i - 4*g >= 0, -i + 4*g + 3 >= 0)>
#grp  = affine_set<(g) : (g == 0)>
module {
  func.func @row_sum(%x: index, %y: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %me = ktdp.get_compute_tile_id : index
    %zero = arith.constant dense<0.0> : tensor<1x8xf32>
    %xv = ktdp.construct_memory_view %x, sizes: [4, 8], strides: [8, 1] {
      coordinate_set = affine_set<(r, c) : (r >= 0, -r + 3 >= 0, c >= 0, -c + 7 >= 0)>,
      memory_space = #ktdp.memory_space<global>} : memref<4x8xf32>
    %xt = ktdp.construct_access_tile %xv[%me, 0] {
      access_tile_set = #row, access_tile_order = #id} : memref<4x8xf32> -> !ktdp.access_tile<1x8xindex>
    %p = ktdp.load %xt : <1x8xindex> -> tensor<1x8xf32>
    %f = ktdp.inter_tile_produce producer_tiles_per_group = #all
         -> <(tensor<1x8xf32>), groups = #grp> {
    ^bb0(%gid: index):
      ktdp.yield_partial %p : tensor<1x8xf32>
    }
    %s = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #all, identity(%zero : tensor<1x8xf32>)
         : <(tensor<1x8xf32>), groups = #grp> -> tensor<1x8xf32> {
    ^bb0(%a: tensor<1x8xf32>, %b: tensor<1x8xf32>):
      %t = arith.addf %a, %b : tensor<1x8xf32>
      ktdp.yield_reduced %t : tensor<1x8xf32>
    }
    %is0 = arith.cmpi eq, %me, %c0 : index
    scf.if %is0 {
      %yv = ktdp.construct_memory_view %y, sizes: [1, 8], strides: [8, 1] {
        coordinate_set = #row, memory_space = #ktdp.memory_space<global>} : memref<1x8xf32>
      %yt = ktdp.construct_access_tile %yv[0, 0] {
        access_tile_set = #row, access_tile_order = #id} : memref<1x8xf32> -> !ktdp.access_tile<1x8xindex>
      ktdp.store %s, %yt : tensor<1x8xf32>, <1x8xindex>
    }
    return
  }
}
"""


def test_all_reduce() -> None:
    x = RNG.standard_normal((4, 8)).astype(np.float32)
    total = np.zeros(8, np.float32)
    for row in x:
        total = total + row
    np.testing.assert_array_equal(run(ROW_SUM, {"x": x})["y"][0], total)


def test_result_on_a_tile_that_is_no_consumer_is_poison() -> None:
    only0 = "consumer_tiles_per_group = affine_set<(i)[g] : (i == 0)>"
    text = ROW_SUM.replace("consumer_tiles_per_group = #all", only0)
    run(text, {})
    with pytest.raises(HeadraceError, match="tile 1 is no consumer"):
        run(text.replace("arith.cmpi eq, %me, %c0", "arith.cmpi sge, %me, %c0"), {})


def test_deadlock_names_the_waiting_tiles() -> None:
    module = parse_module(ROW_SUM)
    found = find_buffers(module)
    memory, args = place(found, {})
    with pytest.raises(HeadraceError, match="tile 0 waits for tiles \\[3\\]"):
        run_ktir(module, args, memory, tiles=[0, 1, 2])


def test_distributed_view_reads_other_tiles_memory() -> None:
    text = """
#p0 = affine_set<(r, c) : (r >= 0, -r + 3 >= 0, c >= 0, -c + 5 >= 0)>
#p1 = affine_set<(r, c) : (r - 4 >= 0, -r + 5 >= 0, c >= 0, -c + 5 >= 0)>
#all = affine_set<(r, c) : (r >= 0, -r + 5 >= 0, c >= 0, -c + 5 >= 0)>
#id = affine_map<(r, c) -> (r, c)>
func.func @gather(%y: index) attributes {grid = [2]} {
  %c0 = arith.constant 0 : index
  %me = ktdp.get_compute_tile_id : index
  %a = ktdp.construct_memory_view %c0, sizes: [4, 6], strides: [6, 1] {coordinate_set = #p0, memory_space = #ktdp.memory_space<ct_local, ct_id = 0>} : memref<4x6xf16>
  %b = ktdp.construct_memory_view %c0, sizes: [2, 6], strides: [1, 2] {coordinate_set = #p1, memory_space = #ktdp.memory_space<ct_local, ct_id = 1>} : memref<2x6xf16>
  %d = ktdp.construct_distributed_memory_view(%a, %b : memref<4x6xf16>, memref<2x6xf16>) : memref<6x6xf16>
  %t = ktdp.construct_access_tile %d[0, 0] {access_tile_set = #all, access_tile_order = #id} : memref<6x6xf16> -> !ktdp.access_tile<6x6xindex>
  %v = ktdp.load %t : <6x6xindex> -> tensor<6x6xf16>
  %yv = ktdp.construct_memory_view %y, sizes: [6, 6], strides: [6, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<6x6xf16>
  %u = ktdp.construct_access_tile %yv[0, 0] {access_tile_set = #all, access_tile_order = #id} : memref<6x6xf16> -> !ktdp.access_tile<6x6xindex>
  ktdp.store %v, %u : tensor<6x6xf16>, <6x6xindex>
  return
}"""
    module = parse_module(text)
    memory = Memory()
    data = RNG.standard_normal((6, 6)).astype(np.float16)
    memory.local(0).write_box(0, (4, 6), (12, 2), F16, data[:4])
    memory.local(1).write_box(0, (2, 6), (2, 4), F16, data[4:])
    memory.add("y", 0, np.zeros((6, 6), np.float16), F16)
    run_ktir(module, {"y": 0}, memory)
    np.testing.assert_array_equal(memory.read("y", (6, 6), F16), data)
