"""The positional interface of the reference runtime over :class:`headrace.runtime.Kernel`, which is a job plan."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from headrace.runtime.device import Device
from headrace.runtime.errors import runtime_error
from headrace.runtime.kernel import Kernel, Launch
from headrace.runtime.stream import Stream
from headrace.runtime.tensor import Tensor

JobPlan = Kernel
"""``num_steps``, ``get_step_type``, ``job_allocation_size`` are the same."""


class SymbolKind(IntEnum):
    """What a symbol slot of a kernel takes."""

    ADDRESS = 0
    DIMENSION = 1


@dataclass(frozen=True)
class SymbolicArgument:
    """The value of one symbol slot: the address of tensor ``tensor_id`` of the launch, or its extent in ``dim_index``.

    ``value`` (if not -1) replaces the extent.
    """

    kind: SymbolKind
    tensor_id: int
    dim_index: int = -1
    value: int = -1


def prepare_kernel(directory: str | os.PathLike[str], device: Device) -> JobPlan:
    """Load a SpyreCode directory on a device; complete when it returns."""
    return device.prepare(directory)


def launch_jobplan(
    plan: JobPlan,
    tensors: Sequence[Tensor],
    symbolic: Sequence[SymbolicArgument] | None = None,
    stream: Stream | None = None,
) -> Launch:
    """Launch with positional arguments.

    Without ``symbolic`` the tensors are the kernel's arguments in order. With it there is one entry per argument, in
    order. Raises :class:`HeadraceError` for a wrong count or kind; a wrong order cannot be seen.
    """
    for n, t in enumerate(tensors):
        if not isinstance(t, Tensor):
            raise runtime_error(f"kernel '{plan.name}': launch argument {n} is no device tensor but {type(t).__name__}")
    arguments = plan.arguments
    given: Sequence[Any] = tensors
    if symbolic is not None:
        given = [_value(plan.name, k, s, tensors) for k, s in enumerate(symbolic)]
    if len(given) != len(arguments):
        what = "symbolic arguments" if symbolic is not None else "tensors"
        raise runtime_error(f"kernel '{plan.name}' takes {len(arguments)} arguments, {len(given)} {what} were given")
    return plan.launch(stream, **{a["name"]: v for a, v in zip(arguments, given, strict=True)})


def _value(kernel: str, slot: int, symbol: SymbolicArgument, tensors: Sequence[Tensor]) -> Any:
    where = f"kernel '{kernel}': symbol slot {slot}"
    if not 0 <= symbol.tensor_id < len(tensors):
        raise runtime_error(f"{where} names tensor {symbol.tensor_id} of {len(tensors)}")
    tensor = tensors[symbol.tensor_id]
    if symbol.kind == SymbolKind.ADDRESS:
        return tensor
    if symbol.value >= 0:
        return symbol.value
    if not 0 <= symbol.dim_index < len(tensor.shape):
        raise runtime_error(f"{where} names dimension {symbol.dim_index} of tensor '{tensor.name}' ({tensor.ndim}-d)")
    return tensor.shape[symbol.dim_index]
