"""What the bound counts of the bodies of programs."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import f32
from xdsl.dialects.linalg import ops as linalg

from headrace.arch import load_device
from headrace.ir.text import parse_module
from headrace.scheduler.estimate import Vectors


def test_the_price_of_a_body_grows_with_its_operations_not_with_the_paths_through_it() -> None:
    steps = 64
    body = "\n".join(f"%v{i + 1} = arith.addf %v{i}, %v{i} : f32" for i in range(steps))
    module = parse_module(
        f"""func.func @f(%x: tensor<64xf32>, %y: tensor<64xf32>) {{
          %r = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
            iterator_types = ["parallel"]}} ins(%x : tensor<64xf32>) outs(%y : tensor<64xf32>) {{
          ^bb0(%v0: f32, %o: f32):
            {body}
            linalg.yield %v{steps} : f32
          }} -> tensor<64xf32>
          return
        }}"""
    )
    device = load_device("spyre")
    generic = next(op for op in module.walk() if isinstance(op, linalg.GenericOp))
    again = generic.clone({})
    vectors = Vectors(device)
    cycles, count = vectors.price(generic, device.compute_kind)
    lanes = device.timed_lanes(f32, device.compute_kind)
    assert (cycles, count) == (steps * -(-64 // lanes), steps)
    assert vectors.price(again, device.compute_kind) == (0, steps)  # the same computation from the same values


@pytest.mark.parametrize(
    ("sides", "elements"),
    [("%x, %x", 8 * 640), ("%row, %row", 8), ("%x, %row", 8 * 640), ("%one, %one", 1), ("%o, %o", 8 * 640)],
)
def test_what_does_not_depend_on_a_dimension_counts_once_along_it(sides: str, elements: int) -> None:
    """A fold (`%o`) takes part at every point, though its result has fewer."""
    module = parse_module(
        f"""func.func @f(%a: tensor<8x640xf32>, %b: tensor<8xf32>, %c: tensor<1xf32>) {{
          %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
            affine_map<(i, j) -> (0)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}}
            ins(%a, %b, %c : tensor<8x640xf32>, tensor<8xf32>, tensor<1xf32>) outs(%b : tensor<8xf32>) {{
          ^bb0(%x: f32, %row: f32, %one: f32, %o: f32):
            %s = arith.addf {sides} : f32
            linalg.yield %s : f32
          }} -> tensor<8xf32>
          return
        }}"""
    )
    device = load_device("spyre")
    generic = next(op for op in module.walk() if isinstance(op, linalg.GenericOp))
    lanes = device.timed_lanes(f32, device.compute_kind)
    assert Vectors(device).price(generic, device.compute_kind) == (-(-elements // lanes), 1)
