"""Collectives between devices: what everyone receives, at the async and the command level, on both executors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from headrace.ir.diagnostics import HeadraceError
from headrace.ir.text import parse_module
from headrace.stream.interpreter import Program
from headrace.stream.pipeline import Options, passes
from headrace.stream.simulator import Simulator
from headrace.stream.system import System
from headrace.stream.threads import ThreadExecutor
from tests.stream.common import system

DEVICES = ("dev_a", "dev_b", "dev_c")
WHERE = system(DEVICES)


def program(
    kind: str,
    count: int,
    out: int,
    parameters: tuple[int, ...] = (),
    element: str = "f32",
    ranks: int = 3,
    again: int = 1,
) -> str:
    """Each device takes part in a collective of its own input; results of `out` elements start as zeros."""
    from headrace.ir.dialects.stream_async import COLLECTIVE_PARAMETER

    keyword = COLLECTIVE_PARAMETER.get(kind.split()[0])
    size = {"f32": 4, "si32": 4, "bf16": 2, "ui8": 1}[element]
    tensor = {"f32": "f32", "si32": "i32", "bf16": "bf16", "ui8": "i8"}[element]
    names = DEVICES[:ranks]
    lines = [f"util.global private @{d} : !hal.device" for d in names]
    views = ", ".join(["!hal.buffer_view"] * ranks)
    lines.append(f"util.func public @f({', '.join(f'%x{i}: !hal.buffer_view' for i in range(ranks))}) -> ({views}) {{")
    lines += [f"%k{i} = arith.constant {i} : index" for i in range(ranks)]
    lines += ["%c0 = arith.constant 0 : index", "%zero = arith.constant 0 : i8"]
    for name, number in (("count", count), ("n", ranks), ("in", 6 * size), ("out", out * size)):
        lines.append(f"%{name} = arith.constant {number} : index")
    for i, device in enumerate(names):
        on = f"on(#hal.device.affinity<@{device}>)"
        lines += [
            f"%ch{i} = stream.channel.create {on} rank(%k{i}) count(%n) : !stream.channel",
            f"%i{i} = stream.tensor.import {on} %x{i} : !hal.buffer_view -> tensor<6x{tensor}> in "
            f"!stream.resource<external>{{%in}}",
            f"%z{i} = stream.async.splat {on} %zero : i8 -> !stream.resource<external>{{%out}}",
        ]
        if keyword is not None:
            lines.append(f"%p{i} = arith.constant {parameters[i]} : i32")
    for turn in range(again):
        for i, device in enumerate(names):
            parameter = f" {keyword}(%p{i})" if keyword is not None else ""
            before = f"%z{i}" if turn == 0 else f"%r{i}_{turn - 1}"
            lines.append(
                f"%r{i}_{turn} = stream.async.collective<{kind} : {element}>[%count] "
                f"on(#hal.device.affinity<@{device}>) channel(%ch{i}){parameter} "
                f"%i{i}[%c0 to %in for %in], {before}[%c0 to %out for %out] : "
                f"!stream.resource<external>{{%in}} -> {before} as !stream.resource<external>{{%out}}"
            )
    for i, device in enumerate(names):
        lines.append(
            f"%e{i} = stream.tensor.export on(#hal.device.affinity<@{device}>) %r{i}_{again - 1} : "
            f"tensor<{out}x{tensor}> in !stream.resource<external>{{%out}} -> !hal.buffer_view"
        )
    lines += [f"util.return {', '.join(f'%e{i}' for i in range(ranks))} : {views}", "}"]
    return "\n".join(lines)


def lowered(text: str, favour: str = "min-peak-memory") -> ModuleOp:
    """A text at the async level taken to the command level."""
    module = parse_module(text)
    options = Options(favour, WHERE)
    found = passes(options)
    for _, run in found[[name for name, _ in found].index("schedule-execution") :]:
        run(module)
    module.verify()
    return module


def everywhere(text: str, inputs: list[Any]) -> list[tuple[Any, ...]]:
    """Results at the async level, simulated, in random orders, and on threads."""
    found = [Program(parse_module(text), Simulator(WHERE)).run(inputs)]
    for favour in ("min-peak-memory", "max-concurrency"):
        module = lowered(text, favour)
        for seed in (None, 1, 2):
            simulator = Simulator(WHERE, seed=seed)
            found.append(Program(module, simulator).run(inputs))
            simulator.ledger.check()
            assert all(s.kept for s in simulator.ledger.storages if s.number in simulator.present)
        with ThreadExecutor(WHERE) as executor:
            found.append(Program(module, executor).run(inputs))
            executor.ledger.check()
    return found


X = [np.arange(6, dtype=np.float32) + 10 * r for r in range(3)]
SUM = X[0] + X[1] + X[2]
ZERO = np.zeros(6, np.float32)


@pytest.mark.parametrize(
    "kind,count,parameters,expected",
    [
        ("all_gather", 2, (), [np.concatenate([x[:2] for x in X])] * 3),
        ("all_reduce with sum", 6, (), [SUM] * 3),
        ("all_reduce with maximum", 6, (), [X[2]] * 3),
        ("all_reduce with average", 6, (), [SUM / 3] * 3),
        ("all_to_all", 6, (), [np.concatenate([x[2 * r : 2 * r + 2] for x in X]) for r in range(3)]),
        ("broadcast", 6, (1, 1, 1), [X[1]] * 3),
        ("reduce with product", 6, (2, 2, 2), [ZERO, ZERO, X[0] * X[1] * X[2]]),
        ("reduce_scatter with sum", 2, (), [np.concatenate([SUM[2 * r : 2 * r + 2], ZERO[:4]]) for r in range(3)]),
        ("send_recv", 6, (1 | 2 << 16, 2 | 0 << 16, 0 | 1 << 16), [X[2], X[0], X[1]]),
        ("send_recv", 6, (1 | 0xFFFF << 16, 0xFFFF | 0 << 16, 0xFFFF | 0xFFFF << 16), [ZERO, X[0], ZERO]),
    ],
)
def test_kinds(kind: str, count: int, parameters: tuple[int, ...], expected: list[Any]) -> None:
    for results in everywhere(program(kind, count, 6, parameters), X):
        for got, want in zip(results, expected, strict=True):
            np.testing.assert_array_equal(got, want)


def test_integers_and_short_floats() -> None:
    numbers = [np.array([100, -7, 3, 0, 1, 2], np.int32) * (r + 1) for r in range(3)]
    for results in everywhere(program("all_reduce with average", 6, 6, element="si32"), numbers):
        np.testing.assert_array_equal(results[0], [200, -14, 6, 0, 2, 4])
    halves = [np.array([1.0, 256.0, 3.0, 0.5, 1e30, 2.0], np.float32)] * 3
    for results in everywhere(program("all_reduce with sum", 6, 6, element="bf16"), halves):
        assert results[1][1] == 768.0 and results[1][3] == 1.5
    small = [np.array([200, 1, 2, 3, 4, 255], np.uint8).view(np.int8)] * 3
    for results in everywhere(program("all_reduce with maximum", 6, 6, element="ui8"), small):
        np.testing.assert_array_equal(np.asarray(results[2]).view(np.uint8), [200, 1, 2, 3, 4, 255])


def test_one_after_the_other() -> None:
    """Collectives of the same participants keep their order."""
    for results in everywhere(program("all_reduce with sum", 6, 6, again=4), X):
        np.testing.assert_array_equal(results[0], SUM)


def test_links_are_used() -> None:
    module = lowered(program("all_reduce with sum", 6, 6))
    simulator = Simulator(WHERE)
    Program(module, simulator).run(X)
    assert {"dev_a -> dev_b", "dev_b -> dev_c", "dev_c -> dev_a"} <= set(simulator.utilisation())
    assert [e for e in simulator.trace if e.name == "all_reduce"]


SEND = """
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @f(%x: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %c24 = arith.constant 24 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = stream.channel.create on(#hal.device.affinity<@dev_a>) : !stream.channel
  %b = stream.channel.create on(#hal.device.affinity<@dev_b>) : !stream.channel
  %in = stream.tensor.import on(#hal.device.affinity<@dev_a>) %x : !hal.buffer_view -> tensor<6xf32> in !stream.resource<external>{%c24}
  %out, %t0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) : !stream.resource<external>{%c24} => !stream.timepoint
  %t1 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) with(%in as %i: !stream.resource<external>{%c24}) {
    stream.cmd.collective<send : f32>[%c6] channel(%a) param(%one : i32) {
      ro %i[%c0 for %c24] : !stream.resource<external>{%c24}
    }
  } => !stream.timepoint
  %t2 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%t0) => with(%out as %o: !stream.resource<external>{%c24}) {
    stream.cmd.collective<recv : f32>[%c6] channel(%b) param(%zero : i32) {
      wo %o[%c0 for %c24] : !stream.resource<external>{%c24}
    }
  } => !stream.timepoint
  %j = stream.timepoint.join max(%t1, %t2) => !stream.timepoint
  %r = stream.timepoint.await %j => %out : !stream.resource<external>{%c24}
  %e = stream.tensor.export %r : tensor<6xf32> in !stream.resource<external>{%c24} -> !hal.buffer_view
  util.return %e : !hal.buffer_view
}
"""  # noqa: E501


def test_send_and_receive() -> None:
    module = parse_module(SEND)
    results = Program(module, Simulator(system(DEVICES[:2]))).run(X[:1])
    np.testing.assert_array_equal(results[0], X[0])
    with ThreadExecutor(system(DEVICES[:2])) as executor:
        np.testing.assert_array_equal(Program(module, executor).run(X[:1])[0], X[0])


def test_split() -> None:
    """Two of three participants go on among themselves, in the order of their keys."""
    text = program("all_gather", 2, 6).replace("%i0 =", "%q = arith.constant 9 : index\n%i0 =")
    for i in range(3):
        text = text.replace(f"channel(%ch{i})", f"channel(%s{i})")
    kinds = "!stream.channel -> !stream.channel"
    splits = [f"%s{i} = stream.channel.split %ch{i}, %k{i // 2}, %key{i} : {kinds}" for i in range(3)]
    keys = [f"%key{i} = arith.constant {5 - i} : index" for i in range(3)]
    ranks = [f"%rank{i} = stream.channel.rank %s{i} : index" for i in range(3)]
    text = text.replace("%r0_0 =", "\n".join([*keys, *splits, *ranks, "%r0_0 ="]))
    for results in everywhere(text, X):
        np.testing.assert_array_equal(results[0], [10, 11, 0, 1, 0, 0])
        np.testing.assert_array_equal(results[1], [10, 11, 0, 1, 0, 0])
        np.testing.assert_array_equal(results[2], [20, 21, 0, 0, 0, 0])


EXECUTORS: list[Callable[[System], Any]] = [Simulator, ThreadExecutor]


@pytest.mark.parametrize("make", EXECUTORS)
def test_failure_reaches_the_other_participant(make: Callable[[System], Any]) -> None:
    """The sender gets no memory and never starts: the receiver fails of the same, it does not wait for ever."""
    affinity, buffer = "on(#hal.device.affinity<@dev_a>)", "!stream.resource<transient>"
    text = SEND.replace(
        f"%t1 = stream.cmd.execute {affinity} with",
        f"""%huge = arith.constant 1000000 : index
  %big, %t9 = stream.resource.alloca uninitialized {affinity} : {buffer}{{%huge}} => !stream.timepoint
  %t1 = stream.cmd.execute {affinity} await(%t9) => with""",
    )
    executor = make(system(DEVICES[:2], memory_bytes=1000))
    with pytest.raises(HeadraceError, match="out of memory"):
        Program(parse_module(text), executor).run(X[:1])
    if isinstance(executor, ThreadExecutor):
        executor.close()


@pytest.mark.parametrize("make", EXECUTORS)
def test_participant_that_never_comes(make: Callable[[System], Any]) -> None:
    text = program("all_reduce with sum", 6, 6)
    module = lowered(text)
    last = [op for op in module.walk() if op.name == "stream.cmd.collective"][-1]
    last.detach()
    executor = make(WHERE)
    with pytest.raises(HeadraceError, match=r"deadlock.*all_reduce lacks participant 2"):
        Program(module, executor).run(X)
    assert not executor.held()
    if isinstance(executor, ThreadExecutor):
        executor.close()


@pytest.mark.parametrize("make", EXECUTORS)
def test_participants_that_differ(make: Callable[[System], Any]) -> None:
    module = lowered(program("broadcast", 6, 6, (0, 0, 1)))
    executor = make(WHERE)
    with pytest.raises(HeadraceError, match="broadcast: participants name the roots"):
        Program(module, executor).run(X)
    assert not executor.held()
    if isinstance(executor, ThreadExecutor):
        executor.close()


def test_reading_too_early_is_refused() -> None:
    text = program("all_reduce with sum", 6, 6, ranks=2)
    lines = text.splitlines()
    export = next(line for line in lines if line.startswith("%e0"))
    lines.remove(export)
    at = next(i for i, line in enumerate(lines) if line.startswith("%r1_0"))
    early = "%s0 = stream.async.clone %r0_0 : !stream.resource<external>{%out} -> !stream.resource<external>{%out}"
    lines[at:at] = [early]
    at = next(i for i, line in enumerate(lines) if line.startswith("%e1"))
    lines[at:at] = [export]
    with pytest.raises(HeadraceError, match="before all participants have come"):
        Program(parse_module("\n".join(lines)), Simulator(WHERE)).run(X[:2])
