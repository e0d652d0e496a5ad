"""What a program cannot express as one affine walk, and the arithmetic that finds out.

The scalariser asks tensors for elements at linear coordinates. Where a tensor operation needs the quotient or the
remainder of a coordinate, or picks one of several sources by its value, one of these requests is raised;
`tensor-legalization` grants it by rewriting the kernel, `construct-three-stage-pipeline` reports it as an error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from headrace.scheduler.linear import Linear


@dataclass(frozen=True)
class DomainDim:
    """Stands for domain dimension `index` as a term of a linear form."""

    index: int


class CutRequest(Exception):
    """A change of the program that fusing needs."""


class Refactor(CutRequest):
    """Domain dimension `dim` must become two: its index is `outer * factor + inner`."""

    def __init__(self, dim: int, factor: int):
        super().__init__(f"dimension {dim} by {factor}")
        self.dim, self.factor = dim, factor


class CutDomain(CutRequest):
    """The store must be cut at `position` of domain dimension `dim`; where that is impossible, `value` (a result of
    `op`) must be kept in memory."""

    def __init__(self, dim: int, position: int, value: SSAValue, op: Operation, reason: str):
        super().__init__(reason)
        self.dim, self.position, self.value, self.op, self.reason = dim, position, value, op, reason
        self.store = 0


class Materialise(CutRequest):
    """Tensor `value` must be kept in memory: `reason` says why it cannot be fused into its users."""

    def __init__(self, value: SSAValue, op: Operation, reason: str):
        super().__init__(reason)
        self.value, self.op, self.reason = value, op, reason


class KeepIndices(CutRequest):
    """Indices that a program with reductions computes with must come from memory; `users` compute with them."""

    def __init__(self, users: Sequence[Operation]):
        super().__init__("indices together with a reduction")
        self.users = list(users)


class KeepStates(CutRequest):
    """The loop `op`, which carries `value`, cannot be a reduction over its iterations: what it carries must be kept in
    memory."""

    def __init__(self, value: SSAValue, op: Operation):
        super().__init__("it gathers what does not depend on the iteration")
        self.value, self.op = value, op


class KeepLoad(CutRequest):
    """What the load `op` reads should be kept in the scratchpad first."""

    def __init__(self, op: Operation, reason: str = "it walks device memory against its grain"):
        super().__init__(reason)
        self.op = op


Span = Callable[[Linear], tuple[int, int] | None]
"""Least and greatest value of a linear form over the iteration domain, where known."""

Extent = Callable[[int], int | None]
"""Extent of a domain dimension, where it is a constant."""


def without_units(form: Linear, extent: Extent) -> Linear:
    """The form without dimensions of extent 1: their index is 0."""
    return form.without({t for t in form.terms if isinstance(t, DomainDim) and extent(t.index) == 1})


def divide(form: Linear, n: int, span: Span, extent: Extent, value: SSAValue, op: Operation) -> tuple[Linear, Linear]:
    """Quotient (rounded down) and remainder of a coordinate by n > 0, both linear.

    Raises Refactor where a dimension has to be cut in two for that, CutDomain where the store has to be, Materialise
    where neither helps.
    """
    if n == 1:
        return form, Linear()
    form = without_units(form, extent)
    quotient, rest = Linear(form.const // n), Linear(form.const % n)
    for term, c in form.terms.items():
        q = c // n if abs(c) >= n or c % n == 0 else 0
        quotient = quotient + Linear(0, {term: q} if q else {})
        rest = rest + Linear(0, {term: c - q * n} if c - q * n else {})
    known = span(rest)
    if known is not None:
        shift = known[0] // n
        if known[1] - shift * n < n:
            return quotient + shift, rest + (-shift * n)
    for term, c in sorted(
        ((t, c) for t, c in rest.terms.items() if isinstance(t, DomainDim)), key=lambda x: -abs(x[1])
    ):
        size = extent(term.index)  # type: ignore[attr-defined]
        if size is None or c <= 0:
            continue
        if n % c == 0 and 1 < n // c < size and size % (n // c) == 0:
            raise Refactor(term.index, n // c)  # type: ignore[attr-defined]
        first = -(-(n - rest.const) // c)
        if 0 < first < size and len(rest.terms) == 1 and c * size <= 4 * n:
            raise CutDomain(term.index, first, value, op, "its coordinates are divided unevenly")  # type: ignore[attr-defined]
    raise Materialise(value, op, f"its coordinates are divided by {n}")


def locate(
    form: Linear, bounds: Sequence[int], span: Span, extent: Extent, value: SSAValue, op: Operation
) -> int:
    """Which of the intervals (-inf, b0), [b0, b1), ..., [bk, inf) a coordinate lies in, for all points of the domain.

    Raises CutDomain where it lies in several, Refactor or Materialise where that cannot be cut at once.
    """
    form = without_units(form, extent)
    known = span(form)
    if known is None:
        raise Materialise(value, op, "the position of a part is only known at launch")
    low = sum(1 for b in bounds if known[0] >= b)
    high = sum(1 for b in bounds if known[1] >= b)
    if low == high:
        return low
    border = bounds[low]
    terms = sorted(((t, c) for t, c in form.terms.items() if isinstance(t, DomainDim)), key=lambda x: -abs(x[1]))
    for term, c in terms:
        size = extent(term.index)  # type: ignore[attr-defined]
        others = span(form + Linear(0, {term: -c}))
        if size is None or others is None or c <= 0:
            continue
        first = -(-(border - others[0]) // c)
        if 0 < first < size and others[1] + c * (first - 1) < border:
            raise CutDomain(term.index, first, value, op, "its parts come from different tensors")  # type: ignore[attr-defined]
    raise Materialise(value, op, "its parts come from different tensors")
