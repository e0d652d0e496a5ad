"""Kernels in which every tile loads a box, delivers it to others, and stores what it got."""

from __future__ import annotations

from collections.abc import Sequence

INDEX_MAP = "affine_map<(a, b, c) -> (a, b, c)>"


def box(shape: Sequence[int]) -> str:
    """The set of a box at the origin."""
    names = "abc"[: len(shape)]
    bounds = ", ".join(f"{v} >= 0, -{v} + {n - 1} >= 0" for v, n in zip(names, shape, strict=True))
    return f"affine_set<({', '.join(names)}) : ({bounds})>"


def view(name: str, pointer: str, tiles: int, shape: Sequence[int], element: str) -> str:
    """A view of one box a tile, and the running tile's access tile `%<name>t`."""
    r, c = shape
    memref = f"memref<{tiles}x{r}x{c}x{element}>"
    return f"""
    %{name}v = ktdp.construct_memory_view %{pointer}, sizes: [{tiles}, {r}, {c}], strides: [{r * c}, {c}, 1] {{
      coordinate_set = {box((tiles, r, c))}, memory_space = #ktdp.memory_space<global>}} : {memref}
    %{name}t = ktdp.construct_access_tile %{name}v[%me, 0, 0] {{
      access_tile_set = {box((1, r, c))}, access_tile_order = {INDEX_MAP}}} : {memref} -> !ktdp.access_tile<1x{r}x{c}xindex>
"""  # noqa: E501


def kernel(
    tiles: int,
    groups: int,
    partial: Sequence[int],
    out: Sequence[int],
    producers: str,
    delivery: str,
    where: str = "",
    combiner: str = "",
    element: str = "f32",
) -> str:
    """A kernel over `x` (tiles x partial) and `y` (tiles x out). `delivery`: the operation behind `inter_tile_`;
    `where`: the constraint of tiles that store ("": all); `combiner`: computes `%t` of `%a` and `%b`."""
    a, b = (f"tensor<{s[0]}x{s[1]}x{element}>" for s in (partial, out))
    future = f"<({a}), groups = affine_set<(g) : (g >= 0, -g + {groups - 1} >= 0)>>"
    identity = f", identity(%zero : {a})" if combiner else ""
    region = f" {{\n^bb0(%a: {a}, %b: {a}):\n{combiner} : {a}\nktdp.yield_reduced %t : {a}\n}}" if combiner else ""
    store = f"ktdp.store %r3, %yt : tensor<1x{out[0]}x{out[1]}x{element}>, <1x{out[0]}x{out[1]}xindex>"
    if where:
        step = where.split("mod")[1].split("==")[0].strip()
        store = f"""
    %step = arith.constant {step} : index
    %rest = arith.remui %me, %step : index
    %zero_index = arith.constant 0 : index
    %mine = arith.cmpi eq, %rest, %zero_index : index
    scf.if %mine {{
      {store}
    }}"""
    return f"""
module {{
  func.func @deliver(%x: index, %y: index) attributes {{grid = [{tiles}]}} {{
    %me = ktdp.get_compute_tile_id : index
    %zero = arith.constant dense<0.0> : {a}
{view("x", "x", tiles, partial, element)}
    %p3 = ktdp.load %xt : <1x{partial[0]}x{partial[1]}xindex> -> tensor<1x{partial[0]}x{partial[1]}x{element}>
    %p = tensor.collapse_shape %p3 [[0, 1], [2]] : tensor<1x{partial[0]}x{partial[1]}x{element}> into {a}
    %f = ktdp.inter_tile_produce producer_tiles_per_group = {producers} -> {future} {{
    ^bb0(%gid: index):
      ktdp.yield_partial %p : {a}
    }}
    %r = ktdp.inter_tile_{delivery}{identity} : {future} -> {b}{region}
    %r3 = tensor.expand_shape %r [[0, 1], [2]] output_shape [1, {out[0]}, {out[1]}] : {b} into tensor<1x{out[0]}x{out[1]}x{element}>
{view("y", "y", tiles, out, element)}
    {store}
    return
  }}
}}
"""  # noqa: E501
