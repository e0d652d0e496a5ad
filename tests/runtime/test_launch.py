"""Prepare once, launch many times: values, counters, argument errors before anything runs, streams, memory."""

from __future__ import annotations

import gc
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headrace.arch.files import read_device_file
from headrace.codegen import SpyreCode
from headrace.ir.diagnostics import HeadraceError
from headrace.runtime import Device, Tensor
from tests.codegen.programs import generate, multiply, program


@pytest.fixture(scope="module")
def code() -> SpyreCode:
    return generate(multiply())


@pytest.fixture
def device() -> Device:
    return Device.open("sample")


def operands(device: Device, seed: int = 0) -> dict[str, Tensor]:
    rng = np.random.default_rng(seed)
    a, b = (rng.standard_normal((4, 64)).astype(np.float16) for _ in range(2))
    return {"a": device.tensor(a, name="a"), "b": device.tensor(b, name="b"), "c": device.empty((4, 64), "f16", "c")}


def right(t: dict[str, Tensor]) -> bool:
    return np.array_equal(t["c"].numpy(), t["a"].numpy() * t["b"].numpy())


def test_launch_and_relaunch_at_other_addresses(device: Device, code: SpyreCode) -> None:
    kernel = device.prepare(code)
    assert kernel.step_types == ["HostCompute", "H2D", "Compute"]
    first = operands(device)
    result = kernel.launch(device.default_stream, **first).result()
    assert right(first) and result.cycles > 0
    second = operands(device, 1)
    before = device.counters
    again = kernel.launch(**second).result()
    after = device.counters
    assert right(second) and again.cycles == result.cycles
    changed = {k: after[k] - before[k] for k in after if after[k] != before[k]}
    assert changed == {"launches": 1, "host_computes": 1, "h2d": 1, "computes": 1}


def test_from_a_directory(device: Device, code: SpyreCode, tmp_path: Path) -> None:
    code.write(tmp_path)
    t = operands(device)
    device.prepare(tmp_path).launch(**t).result()
    assert right(t)


def test_what_cannot_be_prepared(device: Device) -> None:
    with pytest.raises(HeadraceError, match="cannot prepare a int"):
        device.prepare(3)
    with pytest.raises(HeadraceError, match="no such directory"):
        device.prepare("nowhere")


def test_two_kernels_share_the_program_segment(device: Device, code: SpyreCode) -> None:
    one, two = device.prepare(code), device.prepare(code)
    t, u = operands(device, 1), operands(device, 2)
    two.launch(**u)
    one.launch(**t)
    assert right(t) and right(u)
    one.close()
    v = operands(device, 3)
    two.launch(**v).result()
    assert right(v)
    with pytest.raises(HeadraceError, match="is closed"):
        one.launch(**v)


def test_results_of_one_launch_feed_the_next(device: Device, code: SpyreCode) -> None:
    kernel = device.prepare(code)
    t = operands(device)
    d = device.empty((4, 64), "f16")
    kernel.launch(a=t["a"], b=t["b"], c=t["c"])
    kernel.launch(a=t["c"], b=t["b"], c=d)
    b = t["b"].numpy()
    assert np.array_equal(d.numpy(), t["a"].numpy() * b * b)


def test_a_thousand_relaunches_leave_memory_flat(device: Device, code: SpyreCode) -> None:
    kernel = device.prepare(code)
    t = operands(device)
    kernel.launch(**t).result()
    before, compiled = device.allocator.statistics(), device.counters["compilations"]
    for _ in range(10):
        kernel.launch(**t).result()
    gc.collect()
    objects = len(gc.get_objects())
    for _ in range(1000):
        kernel.launch(**t)
    device.synchronize()
    gc.collect()
    assert abs(len(gc.get_objects()) - objects) < 200
    assert device.allocator.statistics() == before
    assert device.counters["compilations"] == compiled
    assert device.counters["launches"] == 1011


def test_dropping_tensors_and_kernels_frees_memory(device: Device, code: SpyreCode) -> None:
    kernel = device.prepare(code)
    t = operands(device)
    gate = threading.Event()
    device.default_stream.callback(gate.wait)
    kernel.launch(**t)
    del t
    gc.collect()
    assert device.allocator.statistics()["allocations"] == 4, "queued work keeps its tensors"
    gate.set()
    device.synchronize()
    del kernel
    gc.collect()
    assert device.allocator.statistics()["allocated_bytes"] == 0


def change(name: str, value: Any) -> Any:
    def apply(device: Device, t: dict[str, Any]) -> None:
        if value is None:
            del t[name]
        else:
            t[name] = value(device) if callable(value) else value

    return apply


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (change("bb", lambda d: d.empty((4, 64), "f16")), "no argument 'bb'; it takes a, b, c"),
        (change("b", None), "argument 'b' is missing"),
        (change("a", lambda d: d.empty((4, 64), "f32")), "argument 'a' holds f16, tensor '.*' holds f32"),
        (change("a", 4096), "is an address and takes a device tensor, not int"),
        (change("a", np.zeros((4, 64), np.float16)), "takes a device tensor, not ndarray"),
        (change("a", lambda d: Device.open("sample").empty((4, 64), "f16", "far")), "'far' lives on another device"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_runs(
    device: Device, code: SpyreCode, edit: Any, message: str
) -> None:
    kernel = device.prepare(code)
    t: dict[str, Any] = operands(device)
    before = device.counters
    edit(device, t)
    with pytest.raises(HeadraceError, match=message):
        kernel.launch(**t)
    assert device.default_stream.query()
    assert {k: v for k, v in device.counters.items() if k != "h2d"} == {k: v for k, v in before.items() if k != "h2d"}


def test_freed_and_misaligned_tensors(device: Device, code: SpyreCode) -> None:
    kernel = device.prepare(code)
    t = operands(device)
    t["a"].free()
    with pytest.raises(HeadraceError, match="'a' was freed"):
        kernel.launch(**t)
    t = operands(device)
    odd = Tensor(device, (4, 64), t["a"].dtype, t["a"].address + 2, "odd")
    with pytest.raises(HeadraceError, match=r"misaligned address: argument 'a' = \d+: .* word size, 64 bytes"):
        kernel.launch(a=odd, b=t["b"], c=t["c"])
    odd._alive = False


KIND = "!ktdp.runtime_arg<index, granularity=64, upperbound=512>"


def test_runtime_arguments(device: Device) -> None:
    text = program(
        "%n = symbol.create_symbol {SymbolId = -1 : i64} : index\n"
        "          scf.for %i = %c0 to %n step %c1 {\n          }",
        arguments=f"%rows: {KIND}",
        outer_arguments="%n: index",
        symbols="symbol.create_id %n {symbol_id = -1 : si64} : index",
        coordinator=f"""
      %n = ktdp.runtime_arg_extract value from %rows : {KIND} -> index
      call @p(%n) : (index) -> ()""",
    )
    kernel = device.prepare(generate(text))
    for value in (64, 512):
        kernel.launch(rows=value).result()
    for value, message in (
        (0, "not a positive multiple of its granularity 64"),
        (100, "= 100 is not a positive multiple"),
        (576, "= 576 is above its upper bound 512"),
        (2.0, "takes an integer, not float"),
        (True, "takes an integer, not bool"),
    ):
        with pytest.raises(HeadraceError, match=message):
            kernel.launch(rows=value)


def test_the_sequencer_loops_over_calls_with_other_addresses(device: Device) -> None:
    call = "call @local_schedule_0(%a, %b, %c) : (index, index, index) -> ()"
    loop = """
      %zero = arith.constant 0 : index
      %three = arith.constant 3 : index
      %one = arith.constant 1 : index
      %size = arith.constant 512 : index
      scf.for %i = %zero to %three step %one {
        %d = arith.muli %i, %size : index
        %x = arith.addi %a, %d : index
        %y = arith.addi %b, %d : index
        %z = arith.addi %c, %d : index
        call @local_schedule_0(%x, %y, %z) : (index, index, index) -> ()
      }"""
    code = generate(multiply().replace(call, loop))
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((12, 64)).astype(np.float16) for _ in range(2))
    t = {"a": device.tensor(a), "b": device.tensor(b), "c": device.empty((12, 64), "f16")}
    kernel = device.prepare(code)
    result = kernel.launch(**t).result()
    assert right(t) and len(result.calls) == 3
    odd = Tensor(device, (12, 64), t["a"].dtype, t["a"].address + 2, "odd")
    with pytest.raises(HeadraceError, match="misaligned address: argument 'a'"):
        kernel.launch(a=odd, b=t["b"], c=t["c"])
    odd._alive = False


def test_another_device_refuses_the_kernel(code: SpyreCode) -> None:
    with pytest.raises(HeadraceError, match="was compiled for device 'sample'"):
        Device.open("spyre").prepare(code)


def test_full_memory_leaves_the_device_unchanged(code: SpyreCode) -> None:
    device = Device.open("sample", capacity=4096)
    held = device.empty((1024,), "f16", "held")
    before = device.allocator.blocks
    with pytest.raises(HeadraceError, match="device memory is full") as e:
        device.prepare(code)
    assert "'held' holds 2048 bytes" in str(e.value)
    with pytest.raises(HeadraceError, match="device memory is full"):
        device.empty((2048,), "f16")
    assert device.allocator.blocks == before and held.alive


@pytest.mark.parametrize("dtype", ["f16", "bf16", "df16", "f32", "f64", "i1", "i8", "i16", "i32", "i64"])
def test_tensor_round_trip(device: Device, dtype: str) -> None:
    rng = np.random.default_rng(3)
    if dtype[0] == "i":
        values = rng.integers(0, 2, (3, 5)).astype(bool) if dtype == "i1" else rng.integers(-100, 100, (3, 5))
        values = values.astype({"i1": np.bool_}.get(dtype, f"int{dtype[1:]}"))
    else:
        values = rng.standard_normal((3, 5)).astype(np.float32)
    t = device.tensor(values, dtype)
    back = t.numpy()
    assert back.shape == (3, 5)
    assert np.array_equal(device.tensor(back, dtype).raw(), t.raw())
    if dtype in ("f32", "f64") or dtype[0] == "i":
        assert np.array_equal(back, values)
    else:
        assert np.allclose(back.astype(np.float32), values, rtol=0.01)
    t.copy_from(np.zeros((3, 5), values.dtype))
    assert not t.numpy().any()
    t.copy_from_raw(device.tensor(values, dtype).raw())
    assert np.array_equal(t.numpy(), back)


def test_tensor_errors(device: Device) -> None:
    with pytest.raises(HeadraceError, match="complex64"):
        device.tensor(np.zeros(3, np.complex64))
    with pytest.raises(HeadraceError, match="does not fit i8"):
        device.tensor(np.array([300]), "i8")
    with pytest.raises(HeadraceError, match=r"shape \(3,\)"):
        device.empty((3,), "f32").copy_from(np.zeros(4))


def test_tensors_lie_at_words_of_the_device(tmp_path: Path) -> None:
    """A device whose memory unit moves 256 bytes at a time; the third tensor would lie between two of them."""
    text = read_device_file("spyre")[0].replace('"DDR" = 128', '"DDR" = 256').replace('"L1" = 128', '"L1" = 256')
    (tmp_path / "own.mlir").write_text(text)
    device = Device.open(tmp_path / "own.mlir")
    tensors = [device.empty((192,), "f16", n) for n in "abc"]
    assert [t.address for t in tensors] == [0, 512, 1024]
