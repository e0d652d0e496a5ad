"""Comparisons, tolerances, data files, sampled tiles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headrace.check.compare import compare, ordinals
from headrace.check.data import fill, load_values, random_values, save_values
from headrace.check.levels import ENOUGH, LIMIT, sample_tiles, tracked, written_masks
from headrace.check.tolerance import Tolerance
from headrace.interp.buffers import BufferInfo
from headrace.interp.memory import Memory
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module
from headrace.numerics import dtypes

F16, F32, BF16, I32 = (dtypes.get(n) for n in ("f16", "f32", "bf16", "i32"))


def info(name: str = "x", dtype: object = F16, shape: tuple[int, ...] = (4, 8), role: str = "input") -> BufferInfo:
    strides = tuple(int(np.prod(shape[i + 1 :], dtype=int)) for i in range(len(shape)))
    return BufferInfo(name, name, role, dtype, shape, strides, int(np.prod(shape)) * dtype.bytes)  # type: ignore[arg-type, attr-defined]


def test_equal_bits() -> None:
    a = np.array([1.0, np.nan, 0.0], np.float16)
    assert compare("x", a, a.copy(), F16).match
    signed = a.copy()
    signed[2] = -0.0
    found = compare("x", a, signed, F16)
    assert not found.match
    assert found.wrong == 1 and found.first is not None
    assert found.first.coordinate == (2,)


def test_first_difference_has_coordinates_and_values() -> None:
    a = np.zeros((3, 4), np.float32)
    b = a.copy()
    b[1, 2] = 1.0
    b[2, 3] = np.nan
    found = compare("out", a, b, F32)
    assert str(found.first) == "out[1, 2]: expected 0.0, found 1.0"
    assert found.wrong == 2 and found.max_abs_err == np.inf and found.max_ulp == np.inf


def test_ulp() -> None:
    one = np.array([1.0], np.float16)
    next_one = np.nextafter(one, np.float16(2))
    assert compare("x", one, next_one, F16).max_ulp == 1
    assert ordinals(np.array([-0.0], np.float32), F32)[0] == 0
    assert compare("x", np.array([3], np.int32), np.array([5], np.int32), I32).max_abs_err == 2


def test_tolerance_allows_another_order_only() -> None:
    a = np.array([100.0, 1.0], np.float32)
    near = np.nextafter(a, np.float32(1000))
    assert not compare("x", a, near, F32).match
    assert compare("x", a, near, F32, Tolerance(64)).match
    assert not compare("x", a, a * np.float32(1.01), F32, Tolerance(64)).match


def test_mask() -> None:
    a, b = np.zeros(4, np.float16), np.array([0, 1, 0, 0], np.float16)
    mask = np.array([True, False, True, False])
    found = compare("x", a, b, F16, mask=mask)
    assert found.match and found.compared == 2


def test_random_values_depend_on_name_and_seed_only() -> None:
    assert np.array_equal(random_values(info(), 1), random_values(info(), 1))
    assert not np.array_equal(random_values(info(), 1), random_values(info(), 2))
    assert not np.array_equal(random_values(info("y"), 1), random_values(info(), 1))
    ints = random_values(info(dtype=I32, shape=(100,)), 0)
    assert ints.min() >= 0 and ints.max() <= 7


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("dtype", [F16, BF16, F32, I32])
def test_files_travel_exactly(tmp_path: Path, dtype: object, raw: bool) -> None:
    b = info(dtype=dtype)
    values = random_values(b, 3)
    path = save_values(b, values, str(tmp_path), raw)
    assert np.array_equal(load_values(b, str(path), raw), values)


def test_bad_files(tmp_path: Path) -> None:
    np.save(tmp_path / "shape.npy", np.zeros((4, 7), np.float16))
    np.save(tmp_path / "type.npy", np.zeros((4, 8), np.float64))
    np.save(tmp_path / "fine.npy", np.full((4, 8), 1.001, np.float32))
    (tmp_path / "text.npy").write_text("no array")
    for name, message in (("shape", "has shape 4x7"), ("type", "expects float16"), ("text", "cannot read")):
        with pytest.raises(HeadraceError, match=message):
            load_values(info(), str(tmp_path / f"{name}.npy"))
    with pytest.raises(HeadraceError, match="no bf16 values"):
        load_values(info(dtype=BF16), str(tmp_path / "fine.npy"))
    with pytest.raises(HeadraceError, match="did you mean 'weights'"):
        fill((info("weights"),), {"weigths": "x.npy"}, 0)


def test_tracked_memory_knows_what_was_written() -> None:
    memory = Memory()
    memory.add("out", 256, np.zeros((4, 8), np.float16), F16)
    twin = tracked(memory)
    twin.main.write_box(256 + 16, (2, 8), (16, 2), F16, np.ones((2, 8)))
    twin.main.write_points(np.array([256]), F16, np.array([2.0]))
    mask = written_masks([info("out", role="output")], twin)["out"]
    assert mask[1:3].all() and mask[0, 0] and mask.sum() == 17
    assert not memory.main.named("out").data.any()


def test_sampling() -> None:
    module = parse_module("module { func.func @f() { return } }")
    assert sample_tiles((32,), LIMIT, [info()], module) is None
    found = sample_tiles((32,), LIMIT + 1, [info()], module)
    assert found is not None and len(found) == 4 and {0, 31} <= set(found)
    assert found == sample_tiles((32,), LIMIT + 1, [info()], module)
    assert sample_tiles((32,), LIMIT + 1, [info(role="inout")], module) is None
    assert sample_tiles((32,), 16 * ENOUGH, [info()], module) == [0, 31]
    assert sample_tiles((32,), 32 * ENOUGH, [info()], module) == [31]
    assert sample_tiles((32,), 99 * ENOUGH, [info()], module) == [31]
