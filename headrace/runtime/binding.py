"""Launch arguments to launch values: every check that can be made before anything is queued."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from headrace.ir.diagnostics import HeadraceError, did_you_mean
from headrace.numerics import dtypes
from headrace.runtime.errors import runtime_error
from headrace.runtime.tensor import Tensor

if TYPE_CHECKING:
    from headrace.codegen.spyrecode import SpyreCode
    from headrace.runtime.device import Device


class ShapeError(HeadraceError):
    """A tensor of another shape than the kernel was compiled for; a tiled launch may still be possible."""


class Argument:
    """One argument of a kernel: its value (an address in bytes, or a number) from what the caller gave."""

    def __init__(self, device: Device, kernel: str, entry: Mapping[str, Any], buffer: Mapping[str, Any]):
        self.device, self.entry = device, entry
        self.name = str(entry["name"])
        self.where = f"kernel '{kernel}': argument '{self.name}'"
        self.is_address = entry["kind"] == "address"
        self.dtype = buffer.get("dtype") or entry.get("dtype")
        self.mixed = bool(buffer.get("mixed"))
        self.before, self.bytes = int(buffer.get("before") or 0), int(buffer.get("bytes") or 0)
        self.role = str(buffer.get("role", ""))
        shape = buffer.get("shape")
        self.shape: tuple[int, ...] | None = None
        if shape is not None and _is_row_major(shape, buffer["strides"]):
            self.shape = tuple(shape)
        self.granularity, self.upperbound = entry.get("granularity"), entry.get("upperbound")
        self.fixed = entry.get("value")

    def value(self, given: Any) -> int:
        """Checked value. Raises :class:`HeadraceError`; :class:`ShapeError` if only the shape is wrong."""
        if self.is_address:
            if (
                type(given) is Tensor
                and given.device is self.device
                and given.alive
                and given.kernel_shape == self.shape
                and given.dtype.name == self.dtype
                and given.device_bytes >= self.bytes
                and given.chunks == 1
            ):
                return given.address + self.before
            return self._address(given)
        return self._scalar(given)

    def _address(self, given: Any) -> int:
        where = self.where
        if not isinstance(given, Tensor):
            raise runtime_error(f"{where} is an address and takes a device tensor, not {type(given).__name__}")
        if given.device is not self.device:
            raise runtime_error(f"{where}: tensor '{given.name}' lives on another device")
        if not given.alive:
            raise runtime_error(f"{where}: tensor '{given.name}' was freed")
        if given.chunks != 1:
            raise runtime_error(
                f"{where}: tensor '{given.name}' is spread over {given.chunks} chunks; a kernel takes one range"
            )
        if self.dtype and self.dtype != given.dtype.name and not self.mixed:
            raise runtime_error(f"{where} holds {self.dtype}, tensor '{given.name}' holds {given.dtype.name}")
        if self.shape is not None and self.shape != given.kernel_shape:
            want, got = (_text(s) for s in (self.shape, given.kernel_shape))
            raise ShapeError(runtime_error(f"{where} has shape {want}, tensor '{given.name}' has {got}").diagnostics)
        if given.device_bytes < self.bytes:
            raise runtime_error(f"{where} spans {self.bytes} bytes, tensor '{given.name}' has {given.device_bytes}")
        return given.address + self.before

    def _scalar(self, given: Any) -> int:
        where, entry = self.where, self.entry
        if entry["kind"] == "scalar" and "dtype" in entry:  # a float travels by its bits
            if isinstance(given, bool) or not isinstance(given, int | float | np.integer | np.floating):
                raise runtime_error(f"{where} is a scalar and takes a number, not {type(given).__name__}")
            dtype = dtypes.get(entry["dtype"])
            return int(np.asarray(dtype.encode(np.asarray(given, np.float64).astype(dtype.value_dtype))).reshape(-1)[0])
        if isinstance(given, bool) or not isinstance(given, int | np.integer):
            raise runtime_error(f"{where} is a scalar and takes an integer, not {type(given).__name__}")
        number = int(given)
        if not -(1 << 63) <= number < 1 << 63:
            raise runtime_error(f"{where} = {number} does not fit 64 bits")
        if self.fixed is not None and number != self.fixed:
            raise runtime_error(f"{where} = {number}, and the kernel was compiled for {self.fixed}")
        if self.granularity is not None and (number % self.granularity or number < self.granularity):
            raise runtime_error(f"{where} = {number} is not a positive multiple of its granularity {self.granularity}")
        if entry["kind"] == "runtime_arg" and number < 0:
            raise runtime_error(f"{where} = {number} is negative")
        if self.upperbound is not None and number > self.upperbound:
            raise runtime_error(f"{where} = {number} is above its upper bound {self.upperbound}")
        return number


class Signature:
    """All arguments of a kernel."""

    def __init__(self, device: Device, code: SpyreCode):
        self.kernel = code.name
        buffers = {b.get("argument"): b for b in code.manifest["buffers"]}
        self.arguments = [Argument(device, code.name, a, buffers.get(a["name"], {})) for a in code.arguments]
        self.names = [a.name for a in self.arguments]
        self._known = set(self.names)
        roots = set(self.names)
        self.fixed_output = next(
            (str(b.get("name")) for b in code.manifest["buffers"] if b.get("argument") not in roots and _stored(b)),
            None,
        )

    def names_match(self, given: Mapping[str, Any]) -> None:
        """Raise :class:`HeadraceError` for an unknown or missing argument."""
        if given.keys() == self._known:
            return
        names = self.names
        unknown = [n for n in given if n not in names]
        if unknown:
            raise runtime_error(
                f"kernel '{self.kernel}' has no argument '{unknown[0]}'; it takes {', '.join(names) or 'none'}"
                f"{did_you_mean(unknown[0], names)}"
            )
        missing = [n for n in names if n not in given]
        raise runtime_error(f"kernel '{self.kernel}': argument '{missing[0]}' is missing; it takes {', '.join(names)}")

    def values(self, given: Mapping[str, Any]) -> list[int]:
        """Values in the order of the signature."""
        self.names_match(given)
        return [a.value(given[a.name]) for a in self.arguments]

    def tiles(
        self, given: Mapping[str, Any], refused: ShapeError, rows: Sequence[str] | None = None
    ) -> list[list[int]]:
        """Values per iteration of a tiled launch over tensors that are larger than the kernel's in one dimension.

        ``rows``: the arguments that may be larger (None: any). Raises ``refused`` with the reason as a note if the
        shapes do not allow it.
        """
        count = 0
        starts: list[tuple[int, int]] = []
        for a in self.arguments:
            try:
                starts.append((a.value(given[a.name]), 0))
                if a.role != "input" and a.is_address and a.role:
                    why = f"output '{a.name}' is as large as the kernel's; every tile would overwrite it"
                    raise _no_tiles(refused, why)
            except ShapeError:
                try:
                    tile = tiling(a.shape or (), given[a.name])
                except ValueError as e:
                    raise _no_tiles(refused, f"argument '{a.name}': {e}") from None
                if rows is not None and a.name not in rows:
                    why = f"the kernel is not known to walk '{a.name}' row by row (allow_tiled = True asserts it)"
                    raise _no_tiles(refused, why) from None
                if count and tile.count != count:
                    why = f"argument '{a.name}' needs {tile.count} tiles, another one {count}"
                    raise _no_tiles(refused, why) from None
                count = tile.count
                starts.append((given[a.name].address + a.before, tile.step))
        if self.fixed_output is not None:
            raise _no_tiles(refused, f"output '{self.fixed_output}' lies at a fixed address")
        return [[start + k * step for start, step in starts] for k in range(count)]


@dataclass(frozen=True)
class Tiling:
    """``count`` iterations; the address advances by ``step`` bytes."""

    count: int
    step: int


def tiling(compiled: Sequence[int], tensor: Tensor) -> Tiling:
    """How a kernel for a ``compiled`` shape walks over a larger tensor. ValueError with the reason if it cannot."""
    actual = tensor.kernel_shape
    if len(actual) != len(compiled):
        raise ValueError(f"rank {len(actual)} instead of {len(compiled)}")
    larger = [d for d, (n, m) in enumerate(zip(actual, compiled, strict=True)) if n != m]
    for d in larger:
        if actual[d] < compiled[d]:
            raise ValueError(f"dimension {d} is smaller than the kernel's ({actual[d]} < {compiled[d]})")
        if not compiled[d] or actual[d] % compiled[d]:
            raise ValueError(f"dimension {d} is no multiple of the kernel's ({actual[d]}, {compiled[d]})")
    if len(larger) != 1:
        raise ValueError(f"dimensions {larger} exceed the kernel's; one may")
    (d,) = larger
    if prod(compiled[:d]) != 1:
        raise ValueError(f"dimension {d} is not the outermost one, so strides differ from the compiled ones")
    row = prod(actual[d + 1 :]) * tensor.dtype.bytes
    return Tiling(actual[d] // compiled[d], compiled[d] * row)


def _no_tiles(refused: ShapeError, reason: str) -> HeadraceError:
    return runtime_error(refused.diagnostics[0].message, f"a tiled launch is not possible: {reason}")


def _stored(buffer: Mapping[str, Any]) -> bool:
    return str(buffer.get("role", "input")) != "input"


def _text(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "scalar"


def _is_row_major(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether a buffer is a plain row-major array, so that a tensor must have its very shape."""
    step = 1
    for n, stride in zip(reversed(shape), reversed(strides), strict=True):
        if n != 1 and stride != step:
            return False
        step *= n
    return True
