"""Timing of device resources: the discardable `headrace.*` attributes of a device file, with their defaults.

- device: `headrace.clock_mhz` (default 1000); `headrace.interconnect = {topology, unit, bytes_per_cycle, hop_latency,
  depth, packet_bytes}` (`unit`: a kind or a list of kinds; `depth`: vectors or packets that a link holds, default 2;
  `packet_bytes`: most bytes that a unit sends at once, default one vector) (default: cores are not joined);
- memory: `headrace.timing = {latency, read_bytes_per_cycle, write_bytes_per_cycle}`, or one `bytes_per_cycle` for a
  half-duplex memory (default: latency 1, as fast as its ports); `headrace.reserved` bytes at its end (default 0);
  `headrace.compiler_region = {offset, size}` for the compiler's buffers (default: anywhere);
- datapath: `headrace.timing = {latency, bytes_per_cycle}` (default: latency 1, one word per cycle at a memory, one
  vector per cycle between units);
- exec_unit: `headrace.timing = {issue, latency, op_cycles = {exp = c, ...}}` (default: issue 1, latency 1, one
  vector op per cycle); in its features `headrace.feature.matrix = {k, n, accumulator_rows, fill_cycles, input,
  accumulate}` (`input`: a type, or a list of the types it takes);
- top-level group: `headrace.instances` (default: as many cores as the grid).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FloatAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation, TypeAttribute

from headrace.arch.figures import (
    DEFAULT_CLOCK_MHZ,
    DEFAULT_QUEUE_DEPTH,
    DatapathTiming,
    Interconnect,
    MemoryTiming,
    UnitTiming,
)
from headrace.ir.diagnostics import error


@dataclass(frozen=True)
class MatrixSpec:
    """Each cycle `acc[r][0..n) += x[0..k) . W` for one row r < accumulator_rows, W a resident k x n block."""

    k: int
    n: int
    accumulator_rows: int
    fill_cycles: int
    inputs: tuple[Attribute, ...]
    accumulate: Attribute

    @property
    def input(self) -> Attribute:
        """The (first) element type of blocks and rows."""
        return self.inputs[0]

    @property
    def macs_per_cycle(self) -> int:
        """Multiply-accumulates per cycle."""
        return self.k * self.n


def _dictionary(op: Operation, name: str) -> dict[str, Attribute]:
    value = op.attributes.get(name)
    if value is None:
        return {}
    if not isinstance(value, DictionaryAttr):
        raise error(op, f"'{name}' requires a dictionary")
    return dict(value.data)


def _check_keys(op: Operation, name: str, entries: Mapping[str, Attribute], known: tuple[str, ...]) -> None:
    for key in entries:
        if key not in known:
            raise error(op, f"'{name}' has unknown entry '{key}'; expected one of {', '.join(known)}")


def _integer(op: Operation, name: str, value: Attribute, minimum: int) -> int:
    if not isinstance(value, IntegerAttr) or value.value.data < minimum:
        raise error(op, f"'{name}' requires an integer of at least {minimum}, but is {value}")
    return value.value.data


def _entry(
    op: Operation, name: str, entries: Mapping[str, Attribute], key: str, default: int | None, minimum: int = 0
) -> int | None:
    return _integer(op, f"{name}.{key}", entries[key], minimum) if key in entries else default


def _required(op: Operation, name: str, entries: Mapping[str, Attribute], key: str, minimum: int) -> int:
    if key not in entries:
        raise error(op, f"'{name}' requires entry '{key}'")
    return _integer(op, f"{name}.{key}", entries[key], minimum)


def integer_attribute(op: Operation, name: str, default: int | None = None, minimum: int = 0) -> int | None:
    """Value of an integer attribute of `op`, checked against a minimum."""
    value = op.attributes.get(name)
    return default if value is None else _integer(op, name, value, minimum)


TIMING = "headrace.timing"


def memory_timing(op: Operation) -> MemoryTiming:
    """Timing of a memory."""
    entries = _dictionary(op, TIMING)
    _check_keys(op, TIMING, entries, ("latency", "read_bytes_per_cycle", "write_bytes_per_cycle", "bytes_per_cycle"))
    latency = _entry(op, TIMING, entries, "latency", 1)
    assert latency is not None
    if "bytes_per_cycle" in entries:
        if "read_bytes_per_cycle" in entries or "write_bytes_per_cycle" in entries:
            raise error(op, f"'{TIMING}' gives both one and two bandwidths")
        shared = _integer(op, f"{TIMING}.bytes_per_cycle", entries["bytes_per_cycle"], 1)
        return MemoryTiming(latency, shared, shared, half_duplex=True)
    return MemoryTiming(
        latency,
        _entry(op, TIMING, entries, "read_bytes_per_cycle", None, 1),
        _entry(op, TIMING, entries, "write_bytes_per_cycle", None, 1),
    )


def datapath_timing(op: Operation, default_bytes_per_cycle: int | None) -> DatapathTiming:
    """Timing of a datapath."""
    entries = _dictionary(op, TIMING)
    _check_keys(op, TIMING, entries, ("latency", "bytes_per_cycle"))
    latency = _entry(op, TIMING, entries, "latency", 1)
    assert latency is not None
    return DatapathTiming(latency, _entry(op, TIMING, entries, "bytes_per_cycle", default_bytes_per_cycle, 1))


def unit_timing(op: Operation) -> UnitTiming:
    """Timing of an execution unit."""
    entries = _dictionary(op, TIMING)
    _check_keys(op, TIMING, entries, ("issue", "latency", "op_cycles"))
    cycles = entries.get("op_cycles")
    if cycles is not None and not isinstance(cycles, DictionaryAttr):
        raise error(op, f"'{TIMING}.op_cycles' requires a dictionary")
    table = (
        {} if cycles is None else {key: _integer(op, f"op_cycles.{key}", cycles.data[key], 1) for key in cycles.data}
    )
    issue = _entry(op, TIMING, entries, "issue", 1, 1)
    latency = _entry(op, TIMING, entries, "latency", 1)
    assert issue is not None and latency is not None
    return UnitTiming(issue, latency, table)


def matrix_spec(op: Operation, features: Mapping[str, Attribute]) -> MatrixSpec | None:
    """The matrix feature of an execution unit, None without one."""
    name = "headrace.feature.matrix"
    value = features.get(name)
    if value is None:
        return None
    if not isinstance(value, DictionaryAttr):
        raise error(op, f"'{name}' requires a dictionary")
    entries = dict(value.data)
    _check_keys(op, name, entries, ("k", "n", "accumulator_rows", "fill_cycles", "input", "accumulate"))
    for key in ("input", "accumulate"):
        if key not in entries:
            raise error(op, f"'{name}' requires entry '{key}'")
    given = entries["input"]
    inputs = tuple(given.data) if isinstance(given, ArrayAttr) else (given,)
    if not inputs or any(not isinstance(t, TypeAttribute) for t in (*inputs, entries["accumulate"])):
        raise error(op, f"'{name}': 'input' requires a type or a list of types, 'accumulate' a type")
    return MatrixSpec(
        k=_required(op, name, entries, "k", 1),
        n=_required(op, name, entries, "n", 1),
        accumulator_rows=_required(op, name, entries, "accumulator_rows", 1),
        fill_cycles=_required(op, name, entries, "fill_cycles", 0),
        inputs=inputs,
        accumulate=entries["accumulate"],
    )


def interconnect(op: Operation) -> Interconnect | None:
    """The interconnect of a device, None without one."""
    name = "headrace.interconnect"
    if name not in op.attributes:
        return None
    entries = _dictionary(op, name)
    _check_keys(op, name, entries, ("topology", "unit", "bytes_per_cycle", "hop_latency", "depth", "packet_bytes"))
    topology = entries.get("topology")
    unit = entries.get("unit")
    if not isinstance(topology, StringAttr) or topology.data not in ("ring", "mesh"):
        raise error(op, f'\'{name}.topology\' must be "ring" or "mesh"')
    units = tuple(unit.data) if isinstance(unit, ArrayAttr) else (unit,)
    kinds = tuple(u.data for u in units if isinstance(u, StringAttr))
    if not kinds or len(kinds) != len(units):
        raise error(op, f"'{name}.unit' must be the kind of an execution unit, or a list of kinds")
    return Interconnect(
        topology.data,
        kinds,
        _required(op, name, entries, "bytes_per_cycle", 1),
        _required(op, name, entries, "hop_latency", 0),
        _entry(op, name, entries, "depth", DEFAULT_QUEUE_DEPTH, 1) or DEFAULT_QUEUE_DEPTH,
        _entry(op, name, entries, "packet_bytes", None, 1),
    )


def clock_mhz(op: Operation) -> float:
    """Clock of a device in MHz."""
    value = op.attributes.get("headrace.clock_mhz")
    if value is None:
        return DEFAULT_CLOCK_MHZ
    if not isinstance(value, IntegerAttr | FloatAttr) or value.value.data <= 0:
        raise error(op, "'headrace.clock_mhz' requires a positive number")
    return float(value.value.data)


def compiler_region(op: Operation) -> tuple[int, int] | None:
    """(start, end) in bytes of the region for compiler buffers in a memory, None if it names none."""
    name = "headrace.compiler_region"
    if name not in op.attributes:
        return None
    entries = _dictionary(op, name)
    _check_keys(op, name, entries, ("offset", "size"))
    offset = _required(op, name, entries, "offset", 0)
    return offset, offset + _required(op, name, entries, "size", 1)
