"""What a kernel's buffers are. Finding them is another module and needs the interpreter; a launch needs only this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from headrace.numerics.dtypes import DType

Role = Literal["input", "output", "inout"]


@dataclass(frozen=True)
class BufferInfo:
    """One buffer of a kernel.

    `root` is the argument's name, or None for a buffer at a constant `address` (bytes). `shape` and `strides`
    (elements) are those of the view that covers the buffer from its first byte, or flat. `extent` is its size in
    bytes; it starts `before` bytes below the argument's value. Scratchpad buffers have `local` set: `address` is
    their offset, the leading dimension the tile. `index_limit`: values are used as indices below this bound, from
    `index_low`; where the buffer is `ordered`, none is below the one before it. `mixed_types`: views disagree, the
    buffer is raw bytes (i8).
    """

    name: str
    root: str | None
    role: Role
    dtype: DType
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    extent: int
    address: int | None = None
    before: int = 0
    local: bool = False
    index_limit: int | None = None
    index_low: int = 0
    ordered: bool = False
    mixed_types: bool = False

    @property
    def is_input(self) -> bool:
        return self.role in ("input", "inout")

    @property
    def is_output(self) -> bool:
        return self.role in ("output", "inout")


@dataclass(frozen=True)
class KernelBuffers:
    """The buffers of a kernel, and the arguments that reach no address with their defaults (None: must be given)."""

    kernel: str
    grid: tuple[int, ...]
    buffers: tuple[BufferInfo, ...]
    scalars: Mapping[str, Any]
