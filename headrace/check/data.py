"""Values for a kernel's buffers: from files, or seeded random ones; and results back to files."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.interp.buffer_info import BufferInfo
from headrace.ir.diagnostics import HeadraceError, did_you_mean, error
from headrace.numerics import dtypes

TRAVELS_AS = {"bf16": "float32", "df16": "float32", "index": "int64", "i1": "bool"}
"""NumPy type of a `.npy` file for the types that NumPy lacks or names differently."""
MOST_CHOICES = 1 << 24
"""Most legal indices to choose from without repetition."""


def random_values(buffer: BufferInfo, seed: int) -> NDArray[Any]:
    """Seeded values of a buffer's shape: small normals, 0..7 for integers, legal indices for index buffers: in order
    where two neighbours are the ends of a range, else each once where there are enough of them, so that no order
    between stores through them matters.

    The values depend on the seed, the buffer's name and its shape only.
    """
    rng = np.random.default_rng([seed, *buffer.name.encode()])
    dtype = buffer.dtype
    if dtype.is_float:
        values = rng.standard_normal(buffer.shape, np.float32)
        return np.asarray(dtype.round_to(values)).astype(dtype.value_dtype, copy=False)
    if dtype.name == "i1":
        return rng.integers(0, 2, buffer.shape).astype(bool)
    low, limit, count = buffer.index_low, buffer.index_limit, prod(buffer.shape)
    if limit is not None and dtype.name != "index":
        limit = min(limit, int(np.iinfo(dtype.value_dtype).max) + 1)
    if limit is not None and low >= limit:  # no value is legal everywhere
        low = 0
    if buffer.ordered:
        return np.sort(rng.integers(low, limit or low + 8, count)).reshape(buffer.shape).astype(dtype.value_dtype)
    if limit is not None and count <= limit - low <= MOST_CHOICES:
        return (low + rng.permutation(limit - low)[:count]).reshape(buffer.shape).astype(dtype.value_dtype)
    return rng.integers(low, limit or low + 8, buffer.shape).astype(dtype.value_dtype)


def load_values(buffer: BufferInfo, path: str, raw: bool = False) -> NDArray[Any]:
    """Values of a buffer from a `.npy` file; `raw`: storage patterns. Raises HeadraceError for wrong shape or type."""
    try:
        array = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as problem:
        raise error(None, f"cannot read '{path}': {getattr(problem, 'strerror', None) or problem}") from None
    if not isinstance(array, np.ndarray):
        raise error(None, f"'{path}' holds several arrays; expected one .npy array")
    if tuple(array.shape) != buffer.shape:
        raise error(
            None, f"'{path}' has shape {_shape(array.shape)}, buffer '{buffer.name}' has {_shape(buffer.shape)}"
        )
    dtype = buffer.dtype
    if raw:
        storage = np.dtype(dtype.storage_dtype)
        if array.dtype.itemsize != storage.itemsize or array.dtype.kind not in "uib":
            raise error(None, f"'{path}' holds {array.dtype}, --raw expects {storage} patterns for '{buffer.name}'")
        return np.asarray(dtype.decode(np.ascontiguousarray(array).view(storage)))
    wanted = TRAVELS_AS.get(dtype.name, np.dtype(dtype.value_dtype).name)
    if array.dtype.name != wanted:
        raise error(None, f"'{path}' holds {array.dtype.name}, buffer '{buffer.name}' ({dtype.name}) expects {wanted}")
    values = np.asarray(array)
    if dtype.name in ("bf16", "df16"):
        rounded = np.asarray(dtype.round_to(values))
        if not np.array_equal(rounded, values, equal_nan=True):
            raise error(None, f"'{path}' holds values that are no {dtype.name} values; round them first")
    return values.astype(dtype.value_dtype, copy=False)


def save_values(buffer: BufferInfo, values: NDArray[Any], directory: str, raw: bool = False) -> Path:
    """Write `<name>.npy`; `raw`: storage patterns. Raises HeadraceError if it cannot be written."""
    path = Path(directory) / f"{buffer.name}.npy"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, np.asarray(buffer.dtype.encode(values)) if raw else values)
    except OSError as problem:
        raise error(None, f"cannot write '{path}': {problem.strerror}") from None
    return path


def fill(
    buffers: tuple[BufferInfo, ...], files: Mapping[str, str], seed: int, raw: bool = False
) -> dict[str, NDArray[Any]]:
    """Values by buffer name: given files, random for other inputs; buffers that are only written stay zero."""
    known = {b.name: b for b in buffers}
    for name in files:
        if name not in known:
            raise error(None, f"no buffer named '{name}'; the kernel has {', '.join(known)}{did_you_mean(name, known)}")
    values: dict[str, NDArray[Any]] = {}
    for b in buffers:
        if b.name in files:
            values[b.name] = load_values(b, files[b.name], raw)
        elif b.is_input:
            values[b.name] = random_values(b, seed)
    return values


def _shape(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape)) or "scalar"


def buffers_of_manifest(manifest: Mapping[str, Any]) -> tuple[BufferInfo, ...]:
    """The buffers that a SpyreCode's manifest describes. Raises HeadraceError if an entry is damaged."""
    found: list[BufferInfo] = []
    for entry in manifest.get("buffers", []):
        try:
            found.append(
                BufferInfo(
                    name=str(entry["name"]),
                    root=entry["argument"],
                    role=entry["role"],
                    dtype=dtypes.get(entry["dtype"]),
                    shape=tuple(int(n) for n in entry["shape"]),
                    strides=tuple(int(n) for n in entry["strides"]),
                    extent=int(entry["bytes"]),
                    address=entry["address"],
                    before=int(entry["before"]),
                    local=entry["space"] == "local",
                    index_limit=entry["index_limit"],
                    index_low=int(entry.get("index_low") or 0),
                    ordered=bool(entry.get("ordered")),
                    mixed_types=bool(entry["mixed"]),
                )
            )
        except (KeyError, TypeError, ValueError) as problem:
            raise HeadraceError(error(None, f"the manifest's buffer list is damaged: {problem}").diagnostics) from None
    return tuple(found)
