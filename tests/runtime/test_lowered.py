"""From ScheduleIR through lowering and code generation to values on the device, on both engines."""

from __future__ import annotations

import numpy as np
import pytest

from headrace.arch import Device as Architecture
from headrace.arch import load_device
from headrace.codegen import compile_to_spyrecode
from headrace.codegen.objdump import dump_json, dump_text
from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module
from headrace.runtime import Device
from headrace.scheduler.lower import lower_program
from tests.codegen.programs import generate, multiply
from tests.scheduler.lower import inputs


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Architecture:
    path = tmp_path_factory.mktemp("device") / "toy.mlir"
    path.write_text(inputs.TOY)
    return load_device(str(path))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (inputs.multiply(), range(4)),
        (inputs.parallel_multiply(), range(4)),
        (inputs.rotating(), [*range(16), *range(18, 34)]),
        (inputs.rotating(3), [*range(16), *range(18, 34)]),
        (inputs.rotating(2, True), range(36)),
    ],
    ids=["multiply", "corelets", "double buffers", "triple buffers", "remainder"],
)
def test_lowered_programs(toy: Architecture, text: str, rows: object) -> None:
    module = parse_module(text)
    lower_program(module, toy)
    code = compile_to_spyrecode(module, toy)
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((36, 64)).astype(np.float16) for _ in range(2))
    want = np.zeros_like(a)
    want[list(rows)] = (a * b)[list(rows)]  # type: ignore[call-overload]
    cycles = set()
    for engine in ("native", "reference"):
        device = Device.open(toy, engine=engine)
        t = {"a": device.tensor(a), "b": device.tensor(b), "c": device.empty((36, 64), "f16")}
        cycles.add(device.prepare(code).launch(**t).result().cycles)
        assert np.array_equal(t["c"].numpy(), want)
    assert len(cycles) == 1


def test_dump() -> None:
    code = generate(multiply())
    text = dump_text(code)
    for part in (
        "a: address, dtype f16",
        "  -5 = (a + 256) / 64",
        "ComputeOnHost 6 symbols",
        "VOP arith.mulf",
        "test.mlir:",
    ):
        assert part in text
    data = dump_json(code)
    assert [u["kind"] for u in data["programs"][0]["units"]] == ["MNILU", "L1LU", "SFU", "L1SU", "MNISU"]
    assert data["programs"][0]["units"][0]["instances"][1]["core"] == 1


def test_faults_point_into_the_source() -> None:
    text = multiply().replace(
        "%z = dataflow.get_logical_memory_view %lx, %c512",
        "%far = arith.constant 99999999 : index\n          %z = dataflow.get_logical_memory_view %lx, %far",
    )
    device = Device.open("sample")
    kernel = device.prepare(generate(text))
    t = {n: device.empty((4, 64), "f16") for n in "abc"}
    with pytest.raises(HeadraceError, match="outside L1") as e:
        kernel.launch(**t).result()
    line = e.value.diagnostics[0].loc.line  # type: ignore[union-attr]
    assert "agen." in text.splitlines()[line - 1]


def test_deadlock_is_reported_with_places() -> None:
    text = multiply().replace(
        "dataflow.sync_send %peer {headrace.signal = 1", "dataflow.sync_send %peer {headrace.signal = 7", 1
    )
    device = Device.open("sample")
    kernel = device.prepare(generate(text))
    with pytest.raises(HeadraceError, match="deadlock") as e:
        kernel.launch(**{n: device.empty((4, 64), "f16") for n in "abc"}).result()
    assert any(n.loc is not None for n in e.value.diagnostics[0].notes)
