"""The lowered program computes what the scheduled one does, whatever the order in which its units run."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from headrace.arch import Device, load_device
from headrace.interp import dataflow
from headrace.interp.memory import Memory
from headrace.interp.schedule import run_schedule
from headrace.ir.text import parse_module
from headrace.numerics import dtypes
from headrace.scheduler.lower import lower_program

from . import extra, inputs

F16 = dtypes.get("f16")
AT = {"a": 4096, "b": 69632, "c": 135168}
ROWS = 64

PROGRAMS: dict[str, tuple[Callable[[], str], dict[str, Any]]] = {
    "multiply": (inputs.multiply, {}),
    "corelets": (inputs.parallel_multiply, {}),
    "rotating": (lambda: inputs.rotating(2), {}),
    "rotating-again": (lambda: inputs.rotating(2, trips=4, again=True), {}),
    "rotating-uneven": (lambda: inputs.rotating(2, trips=3, again=True), {}),
    "rotating-remainder": (lambda: inputs.rotating(2, True), {}),
    "three-buffers": (lambda: inputs.rotating(3, True), {}),
    "row-buffers": (extra.row_buffers, {}),
    "rows-from-behind": (lambda: extra.row_buffers("7 - %p, 0"), {}),
    "mixed-corelets": (extra.mixed_corelets, {}),
    "tail": (extra.tail, {}),
    "columns": (extra.columns, {}),
    "transposed": (extra.transposed, {}),
    "resident": (extra.resident, {}),
    "in-place": (extra.in_place, {}),
    "guarded": (extra.guarded, {}),
    "splat": (extra.splat, {}),
    "coordinated": (extra.coordinated, {}),
    "scalars": (extra.scalars, {"rows": 2, "x": 1.5, "n": -3}),
    "dynamic-rows": (extra.dynamic_rows, {"rows": 4, "pitch": 96}),
    "hoisted": (extra.hoisted, {}),
    "constant-addresses": (extra.constant_addresses, {}),
    "math": (
        lambda: inputs.multiply(
            """%h = math.exp %i : f16
                  %s = arith.constant 1.5 : f16
                  %t = arith.cmpf olt, %h, %j : f16
                  %x = arith.select %t, %s, %j : f16
                  %w = arith.extf %x : f16 to f32
                  %y = arith.truncf %w : f32 to f16
                  %m = arith.addf %y, %h : f16"""
        ),
        {},
    ),
}


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Device:
    path = tmp_path_factory.mktemp("device") / "toy.mlir"
    path.write_text(inputs.TOY)
    return load_device(str(path))


def memory() -> Memory:
    rng = np.random.default_rng(7)
    result = Memory()
    for name, at in AT.items():
        result.add(name, at, rng.standard_normal((ROWS, 64)).astype(np.float16), F16)
    return result


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_values_in_every_order(name: str, device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    make, scalars = PROGRAMS[name]
    text = make()
    wanted = memory()
    run_schedule(parse_module(text), {**AT, **scalars}, wanted, device=device)
    assert wanted.read("c", (ROWS, 64), F16).tobytes() != memory().read("c", (ROWS, 64), F16).tobytes()
    module = parse_module(text)
    lower_program(module, device)
    module.verify()
    original = dataflow.run_program
    for seed in range(6):
        order = random.Random(seed)

        def shuffled(host: Any, op: Any, order: random.Random = order) -> None:
            order.shuffle(host.pending)
            original(host, op)

        monkeypatch.setattr(dataflow, "run_program", shuffled)
        found = memory()
        dataflow.run_dataflow(module, {**AT, **scalars}, found, device)
        for n in AT:
            assert found.read(n, (ROWS, 64), F16).tobytes() == wanted.read(n, (ROWS, 64), F16).tobytes(), (n, seed)
