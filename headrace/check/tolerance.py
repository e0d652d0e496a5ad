"""When two levels may differ: only where a kernel has operations whose result depends on their order.

Elementwise kernels are bit-exact between all levels. A sum, product or contraction may be taken in another order by a
schedule; then an element may differ by `2 n eps |terms|`, with `n` terms and the epsilon of the accumulator, plus half
a unit in the last place for the final rounding (design decision 8).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, ShapedType
from xdsl.ir import Operation

from headrace.ir.analysis.inter_tile import tiles_around
from headrace.ir.upstream.linalg import CONTRACTIONS, STRUCTURED
from headrace.numerics.dtypes import DType

ORDERED = (CONTRACTIONS | STRUCTURED | {"linalg.reduce"}) - {"linalg.elementwise"}
"""Named operations that add in an order that the schedule chooses."""

EPSILON = {"f16": 2.0**-11, "bf16": 2.0**-8, "df16": 2.0**-10, "f32": 2.0**-24, "f64": 2.0**-53}
"""Half a unit in the last place of 1, by type."""


@dataclass(frozen=True)
class Tolerance:
    """At most `terms` values are added into one element, in f32 or wider.

    The magnitude of the terms is taken from the largest result of the buffer: a bound for sums without cancellation;
    a kernel that cancels needs the interpreter's own error bound.
    """

    terms: int

    def allowed(self, expected: NDArray[Any], dtype: DType) -> NDArray[np.float64]:
        """Largest absolute error per element."""
        finite = np.abs(np.where(np.isfinite(expected), expected, 0).astype(np.float64))
        largest = float(finite.max(initial=0.0))
        accumulator = EPSILON["f64"] if dtype.name == "f64" else EPSILON["f32"]
        return 2.0 * self.terms * accumulator * largest + 2.0 * EPSILON[dtype.name] * finite


def tolerance_of(module: ModuleOp) -> Tolerance | None:
    """The tolerance a kernel needs; None (bit-exact) if none of its operations depends on an order."""
    terms = 0
    for op in module.walk():
        if op.name in ORDERED or (op.name == "linalg.generic" and _reduces(op)):
            terms = max(terms, _largest(op))
        elif op.name in ("ktdp.inter_tile_reduce", "ktdp.inter_tile_reduce_scatter"):
            if any(inner.name in ("arith.addf", "arith.mulf") for inner in op.walk()):
                terms = max(terms, tiles_around(op) or 1)
        elif op.name.startswith("spyreop.") and any(part in op.name for part in ("reduce", "matmul", "exx2")):
            terms = max(terms, _largest(op))
    return Tolerance(terms) if terms else None


def _reduces(op: Operation) -> bool:
    kinds = op.properties.get("iterator_types")
    return kinds is not None and "reduction" in str(kinds)


def _largest(op: Operation) -> int:
    """A safe number of terms: the elements of the largest operand."""
    sizes = [
        prod(n for n in v.type.get_shape() if n != DYNAMIC_INDEX)
        for v in op.operands
        if isinstance(v.type, ShapedType)
    ]
    return max(sizes, default=1)
