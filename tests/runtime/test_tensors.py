"""Tensors: element conversions against their definition, device layouts, sources, memory errors."""

from __future__ import annotations

import array
import ctypes
import gc
from itertools import permutations
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headrace.ir.diagnostics import HeadraceError
from headrace.numerics import dtypes
from headrace.runtime import Device, Layout, OutOfMemoryError, dlpack
from headrace.runtime.convert import decode, encode, fetch, place


@pytest.fixture
def device() -> Device:
    return Device.open("sample")


SPECIAL = np.array(
    [0.0, -0.0, np.inf, -np.inf, np.nan, 65504, 65520, 1e-8, 6e-5, 3.4e38, -3.4e38, 2**32, 4.3e9, 8.58e9, 2.0**-31],
    np.float32,
)


@pytest.mark.parametrize("target", ["f16", "bf16", "df16"])
def test_native_conversion_is_the_definition(target: str) -> None:
    dtype = dtypes.get(target)
    rng = np.random.default_rng(1)
    bits = rng.integers(0, 1 << 32, 20001, np.uint64).astype(np.uint32).view(np.float32)
    near = np.concatenate([bits, SPECIAL, np.nextafter(SPECIAL, np.float32(1)), rng.standard_normal(1000, np.float32)])
    half = np.arange(1 << 16, dtype=np.uint32).astype(np.uint16)
    for values in (near, half.view(np.float16), half.view(ml_dtypes.bfloat16)):
        if values.dtype.name == {"f16": "float16", "bf16": "bfloat16"}.get(target):
            assert np.array_equal(encode(values, dtype), values.view(np.uint16))
            continue
        with np.errstate(all="ignore"):
            single = values.astype(np.float32)
            wanted = dtype.encode(dtype.round_to(single) if target == "f16" else single)
        found = encode(values, dtype)
        quiet = 0x40 if target == "bf16" and values.dtype == np.float16 else 0  # the processor quiets f16 NaNs
        nan = np.isnan(single)
        assert np.array_equal(np.where(nan, found | quiet, found), np.where(nan, wanted | quiet, wanted))


@pytest.mark.parametrize("source", ["bf16", "df16"])
def test_native_decoding_is_the_definition(source: str) -> None:
    raw = np.arange(1 << 16, dtype=np.uint32).astype(np.uint16)
    mine, theirs = decode(raw, dtypes.get(source)), dtypes.get(source).decode(raw)
    assert np.array_equal(mine.view(np.uint32), theirs.view(np.uint32))


def reference(values: np.ndarray, layout: Layout) -> np.ndarray:
    """The identity host offset = sum(device coordinate * stride_map), element by element."""
    out = np.zeros(layout.device_size, values.dtype)
    flat = values.reshape(-1)
    for coordinate in np.ndindex(layout.device_size):
        host = [0] * len(layout.shape)
        for c, d, size in zip(coordinate, layout.host_dims, layout.device_size, strict=True):
            if d >= 0:
                host[d] = host[d] * size + c
        if layout.host_dims and layout.host_dims[0] < 0:
            if not any(coordinate):
                out[coordinate] = flat[0]
        elif all(h < n for h, n in zip(host, layout.shape, strict=True)):
            offset = sum(c * s for c, s in zip(coordinate, layout.stride_map, strict=True))
            out[coordinate] = flat[offset]
    return out


def test_stick_layouts_of_the_reference() -> None:
    for shape, order, size, strides in (
        ((5, 100, 150), (0, 1, 2), (100, 3, 5, 64), (150, 64, 15000, 1)),
        ((5, 100, 150), (1, 0, 2), (5, 3, 100, 64), (15000, 64, 150, 1)),
        ((1000, 200), (0, 1), (4, 1000, 64), (64, 200, 1)),
        ((3, 6, 40, 130), None, (6, 40, 3, 3, 64), (5200, 130, 64, 31200, 1)),
    ):
        layout = Layout.stick(shape, 2, order)
        assert (layout.device_size, layout.stride_map) == (size, strides)
    assert Layout.stick((), 2).device_size == (1, 64)
    assert Layout.stick((70,), 4).device_size == (3, 32)
    main, rest = Layout.stick((70, 100), 2).blocks()
    assert (main.size, main.host_offset, main.device_offset) == ((1, 70, 64), 0, 0)
    assert (rest.size, rest.host_offset, rest.device_offset) == ((1, 70, 36), 64, 4480)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_layout_round_trip(data: Any) -> None:
    rank = data.draw(st.integers(0, 4))
    shape = tuple(data.draw(st.integers(1, 70 if d == rank - 1 else 5)) for d in range(rank))
    order = data.draw(st.sampled_from(list(permutations(range(rank)))))
    width = data.draw(st.sampled_from([1, 2, 4, 8]))
    values = np.arange(1, 1 + int(np.prod(shape)), dtype=f"u{width}").reshape(shape)
    layout = Layout.stick(shape, width, order)
    memory = np.zeros(layout.elements, values.dtype)
    place(values, layout, memory)
    assert np.array_equal(memory.reshape(layout.device_size), reference(values, layout))
    assert np.array_equal(fetch(layout, memory), values)


@pytest.mark.parametrize("dtype", ["f16", "df16", "bf16", "f32", "i8", "i64"])
@pytest.mark.parametrize("shape", [(), (3,), (130,), (7, 100), (2, 5, 65), (2, 3, 4, 70), (0, 4)])
def test_stick_tensors(device: Device, dtype: str, shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(0).integers(-60, 60, shape).astype(np.float32 if dtype[0] != "i" else np.int64)
    t = device.tensor(values, dtype, layout="stick")
    assert np.array_equal(t.numpy().astype(values.dtype), values)
    assert t.device_bytes % 128 == 0 and t.kernel_shape[-1] * t.dtype.bytes == 128
    t.copy_from(values[::-1] if shape else values)
    assert np.array_equal(t.numpy().astype(values.dtype), values[::-1] if shape else values)


def test_bad_layouts(device: Device) -> None:
    with pytest.raises(HeadraceError, match="up to 6 dimensions"):
        device.empty((1,) * 7, "f16", layout="stick")
    with pytest.raises(HeadraceError, match="is no permutation"):
        Layout.stick((2, 3), 2, (0, 0))
    with pytest.raises(HeadraceError, match="unknown layout 'rows'"):
        device.empty((2,), "f16", layout="rows")
    with pytest.raises(HeadraceError, match="the layout is for shape"):
        device.empty((2,), "f16", layout=Layout.stick((3,), 2))
    with pytest.raises(HeadraceError, match="unknown element type"):
        device.empty((2,), "f12")


class OnlyDLPack:
    """What a foreign framework offers."""

    def __init__(self, values: np.ndarray):
        self.values = values

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.values.__dlpack_device__()


class BFloat16:
    """A framework's bfloat16 tensor: NumPy refuses it, so the capsule is made by hand."""

    def __init__(self, values: np.ndarray, device: int = 1, transposed: bool = False):
        self.bits = np.ascontiguousarray(values.astype(ml_dtypes.bfloat16)).view(np.uint16)
        self.device, self.transposed, self.deleted = device, transposed, 0

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self.device, 0)

    def __dlpack__(self, **_: Any) -> Any:
        def delete(_: Any) -> None:
            self.deleted += 1

        bits = self.bits.T if self.transposed else self.bits
        self.shape = (ctypes.c_int64 * bits.ndim)(*bits.shape)
        self.strides = (ctypes.c_int64 * bits.ndim)(*(s // 2 for s in bits.strides))
        self.managed = dlpack.DLManagedTensor()
        t = self.managed.tensor
        t.data, t.device_type, t.ndim, t.code, t.bits, t.lanes = bits.ctypes.data, 1, bits.ndim, 4, 16, 1
        t.shape, t.strides = self.shape, self.strides
        self.managed.deleter = self.deleter = dlpack.DELETER(delete)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.managed), dlpack._NAME, None)


def test_bfloat16_through_dlpack(device: Device) -> None:
    values = np.random.default_rng(0).standard_normal((5, 70)).astype(np.float32)
    rounded = values.astype(ml_dtypes.bfloat16).astype(np.float32)
    for transposed in (False, True):
        source = BFloat16(values, transposed=transposed)
        t = device.tensor(source)
        assert t.dtype.name == "bf16" and source.deleted == 1
        assert np.array_equal(t.numpy(), rounded.T if transposed else rounded)
    with pytest.raises(HeadraceError, match="on another device cannot be read"):
        device.tensor(BFloat16(values, device=2))


def test_sources_and_sinks(device: Device) -> None:
    values = np.arange(12, dtype=np.float32).reshape(3, 4)
    for source in (values, OnlyDLPack(values), memoryview(values), values.tolist()):
        t = device.tensor(source, "f32")
        assert np.array_equal(t.numpy(), values)
    assert np.array_equal(device.tensor(array.array("i", [1, 2, 3])).numpy(), [1, 2, 3])
    assert device.tensor(bytearray(b"abc"), "i8").numpy().tolist() == [97, 98, 99]
    assert np.array_equal(np.from_dlpack(t), values) and np.array_equal(np.asarray(t), values)
    assert np.array_equal(device.tensor(values.T).numpy(), values.T)
    assert np.array_equal(device.tensor(values[:, ::2], layout="stick").numpy(), values[:, ::2])
    big = values.astype(">f4")
    assert np.array_equal(device.tensor(big).numpy(), values)
    for bad in (object(), ["a"], "text"):
        with pytest.raises(HeadraceError):
            device.tensor(bad)


def test_shapes_and_capacity(device: Device) -> None:
    assert device.empty(3, "i8").shape == (3,) and device.empty([np.int64(2), 3], "i8").shape == (2, 3)
    for bad, message in (((1.5,), "no sequence of integers"), ("ab", "no sequence"), ((2, -1), "negative extent")):
        with pytest.raises(HeadraceError, match=message):
            device.empty(bad, "i8")  # type: ignore[arg-type]
    with pytest.raises(OutOfMemoryError, match="0 of 0 bytes are free"):
        Device.open("sample", capacity=0).empty((1,), "i8")


def test_interleaved_tensors(device: Device) -> None:
    values = np.random.default_rng(0).standard_normal((100, 70)).astype(np.float16)
    before = device.allocator.statistics()["allocated_bytes"]
    for layout in (None, "stick"):
        t = device.tensor(values, domains=3, layout=layout)
        assert t.chunks == 3 and len({c.domain for c in t.composite.chunks}) == 3
        assert t.composite.locate(0) == t.address
        assert np.array_equal(t.numpy(), values)
        t.free()
    assert device.allocator.statistics()["allocated_bytes"] == before
    with pytest.raises(HeadraceError, match="spread over 9 domains"):
        device.empty((4,), "f16", domains=9)


def test_double_free_and_use_after_free(device: Device) -> None:
    t = device.tensor(np.zeros(4, np.float32), name="x")
    address = t.address
    t.free()
    for use in (t.free, t.numpy, t.raw, lambda: t.copy_from(np.zeros(4)), lambda: device.default_stream.to_host(t)):
        with pytest.raises(HeadraceError, match="'x' was freed"):
            use()
    with pytest.raises(HeadraceError, match="'x' was freed already"):
        device.release(address)
    with pytest.raises(HeadraceError, match=r"outside every allocation(.|\n)*'x' \(128 bytes\) was there"):
        device.read(address, 4)


def test_foreign_addresses(device: Device) -> None:
    t = device.tensor(np.zeros(64, np.float32), name="y")
    with pytest.raises(HeadraceError, match="64 bytes inside 'y'"):
        device.release(t.address + 64)
    with pytest.raises(HeadraceError, match="nearest allocation below is 'y'"):
        device.release(3 << 34)
    with pytest.raises(HeadraceError, match="outside every allocation"):
        device.write(5 << 34, b"abc")
    with pytest.raises(HeadraceError, match="outside every allocation"):
        device.read(t.address, 512)
    assert np.array_equal(t.numpy(), np.zeros(64))


def test_full_memory_collects_garbage_first() -> None:
    device = Device.open("sample", capacity=1 << 20)
    gc.disable()
    try:
        cycle: list[Any] = [device.empty((1 << 18,), "f16", "dead")]
        cycle.append(cycle)
        del cycle
        alive = device.empty((1 << 18,), "f16", "alive")
        again = device.empty((1 << 18,), "f16", "again")
    finally:
        gc.enable()
    with pytest.raises(OutOfMemoryError) as e:
        device.empty((1,), "f16", "more")
    assert "'alive' holds 524288 bytes" in str(e.value) and "'again'" in str(e.value)
    del alive, again
    device.empty((1 << 19,), "f16")
