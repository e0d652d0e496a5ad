"""Figures of a device by name, and devices with some of them changed: what a sweep varies.

A name is ``OWNER.FIGURE``; the owner is a memory (``L1``), a unit (``SFU``), a datapath (``L1LU->SFU``) or ``device``,
in any case. Memories have ``size``, ``reserved``, ``latency``, ``read_bytes_per_cycle``, ``write_bytes_per_cycle`` and
``bytes_per_cycle``; units ``issue``, ``latency``, ``op_cycles.OP`` and ``lanes.TYPE``; datapaths ``latency``,
``bytes_per_cycle`` and ``depth`` (of a FIFO); the device ``clock_mhz`` and ``cores``.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, i64
from xdsl.ir import Attribute, Operation

from headrace.arch.model import Device, Memory, Unit
from headrace.arch.timing import TIMING
from headrace.ir.diagnostics import HeadraceError, did_you_mean, error
from headrace.ir.dialects.ktdf_arch import DatapathOp, DeviceOp, ExecUnitOp, GroupOp, MemoryOp
from headrace.ir.dialects.ktdf_arch_features import FEATURES, MapAttr
from headrace.ir.text import parse_module

SIMD, QUEUE = "ktdf_arch.feature.simd", "ktdf_arch.feature.queue"
INSTANCES, CLOCK, RESERVED = "headrace.instances", "headrace.clock_mhz", "headrace.reserved"


def settings(device: Device) -> dict[str, int | None]:
    """Every figure of a device that can be changed, by name, with its value (None: no limit, or not given)."""
    found: dict[str, int | None] = {"device.clock_mhz": round(device.clock_mhz), "device.cores": device.cores}
    for kind, memory in device.memories.items():
        found |= {f"{kind}.{name}": value for name, value in _memory(memory).items()}
    for kind, unit in device.units.items():
        found |= {f"{kind}.{name}": value for name, value in _unit(unit).items()}
    for path in device.datapaths:
        found[f"{path.name}.latency"] = path.timing.latency
        found[f"{path.name}.bytes_per_cycle"] = path.timing.bytes_per_cycle
        if path.source in device.units and path.target in device.units:
            found[f"{path.name}.depth"] = device.queue_depth(path.source, path.target)
    return found


def _memory(memory: Memory) -> dict[str, int | None]:
    t = memory.timing
    return {
        "size": memory.size,
        "reserved": memory.reserved,
        "latency": t.latency,
        "read_bytes_per_cycle": t.read_bytes_per_cycle,
        "write_bytes_per_cycle": t.write_bytes_per_cycle,
        "bytes_per_cycle": t.read_bytes_per_cycle if t.half_duplex else None,
    }


def _unit(unit: Unit) -> dict[str, int | None]:
    found: dict[str, int | None] = {"issue": unit.timing.issue, "latency": unit.timing.latency}
    found |= {f"lanes.{name.rsplit('.', 1)[-1]}": count for name, count in unit.lane_table.items()}
    return found | {f"op_cycles.{op}": cycles for op, cycles in sorted(unit.timing.op_cycles.items())}


def full_name(device: Device, name: str) -> str:
    """The name as :func:`settings` spells it. Raises HeadraceError with what it may have meant."""
    known = {n.lower(): n for n in settings(device)}
    wanted = name.strip().lower().replace(" ", "")
    if wanted in known:
        return known[wanted]
    owner, _, figure = wanted.partition(".")
    owners: dict[str, str] = {}
    for n in known.values():
        owners.setdefault(n.partition(".")[0].lower(), n.partition(".")[0])
    if owner in owners and figure.startswith("op_cycles.") and owners[owner] in device.units:
        return f"{owners[owner]}.{figure}"
    if owner not in owners:
        listed = ", ".join(owners.values())
        raise error(
            None,
            f"device '{device.name}' has nothing named '{name.partition('.')[0]}'{did_you_mean(owner, list(owners))}; "
            f"it has {listed}",
        )
    figures = [n.partition(".")[2] for n in known if n.partition(".")[0] == owner]
    raise error(
        None,
        f"'{owners[owner]}' has no figure '{figure}'{did_you_mean(figure, figures)}; it has {', '.join(figures)}",
    )


def with_settings(device: Device, changes: Mapping[str, int]) -> Device:
    """A copy of a device with other figures (names as :func:`settings` gives them), in every instance.

    A memory whose reads and writes share one rate, and that is given a rate of its own for one of them, has two ports
    from then on: the other direction keeps the shared rate. Raises HeadraceError for values that make no device.
    """
    if not changes:
        return device
    file = f"{device.name}.mlir"
    op = next(o for o in parse_module(device.text, filename=file).walk() if isinstance(o, DeviceOp))
    fresh = Device(op, device.path)
    for name, value in changes.items():
        owner, _, figure = name.partition(".")
        targets = _targets(fresh, owner)
        if not targets:
            raise error(None, f"device '{device.name}' has nothing named '{owner}'")
        for target in targets:
            _change(target, figure, value)
    try:
        return Device(op, device.path)
    except HeadraceError as problem:
        text = ", ".join(f"{n} = {v}" for n, v in changes.items())
        raise error(None, f"no device with {text}: {problem.diagnostics[0].message}") from None


def _targets(device: Device, owner: str) -> list[Operation]:
    if owner == "device":
        return [device.op]
    found: list[Operation] = []
    for op in device.op.walk():
        if isinstance(op, MemoryOp | ExecUnitOp) and device.node_kind(op.result) == owner:
            found.append(op)
        elif isinstance(op, DatapathOp):
            ends = f"{device.node_kind(op.source)}->{device.node_kind(op.target)}"
            if ends == owner:
                found.append(op)
    return found


def _number(value: int) -> IntegerAttr:
    return IntegerAttr(value, i64)


def _entries(op: Operation, name: str) -> dict[str, Attribute]:
    value = op.attributes.get(name)
    return dict(value.data) if isinstance(value, DictionaryAttr) else {}


def _change(op: Operation, figure: str, value: int) -> None:
    if isinstance(op, DeviceOp):
        if figure == "clock_mhz":
            op.attributes[CLOCK] = _number(value)
            return
        groups = [g for g in op.walk() if isinstance(g, GroupOp) and g.parent_op() is op and INSTANCES in g.attributes]
        (groups[0] if groups else op).attributes[INSTANCES] = _number(value)
    elif figure == "size":
        op.properties["size"] = _number(value)
    elif figure == "reserved":
        op.attributes[RESERVED] = _number(value)
    elif figure == "depth":
        features = _entries(op, FEATURES)
        queue = features.get(QUEUE)
        fields = dict(queue.data) if isinstance(queue, DictionaryAttr) else {}
        features[QUEUE] = DictionaryAttr({**fields, "depth": _number(value)})
        op.attributes[FEATURES] = DictionaryAttr(features)
    elif figure.startswith("lanes."):
        _set_lanes(op, figure.partition(".")[2], value)
    else:
        entries = _entries(op, TIMING)
        if figure.startswith("op_cycles."):
            table = entries.get("op_cycles")
            cycles = dict(table.data) if isinstance(table, DictionaryAttr) else {}
            cycles[figure.partition(".")[2]] = _number(value)
            entries["op_cycles"] = DictionaryAttr(cycles)
        else:
            _set_rate(op, entries, figure, value)
        op.attributes[TIMING] = DictionaryAttr(entries)


def _set_rate(op: Operation, entries: dict[str, Attribute], figure: str, value: int) -> None:
    if isinstance(op, MemoryOp) and figure in ("read_bytes_per_cycle", "write_bytes_per_cycle"):
        shared = entries.pop("bytes_per_cycle", None)
        if shared is not None:
            entries |= {"read_bytes_per_cycle": shared, "write_bytes_per_cycle": shared}
    elif isinstance(op, MemoryOp) and figure == "bytes_per_cycle":
        entries.pop("read_bytes_per_cycle", None)
        entries.pop("write_bytes_per_cycle", None)
    entries[figure] = _number(value)


def _set_lanes(op: Operation, name: str, value: int) -> None:
    features = _entries(op, FEATURES)
    simd = features.get(SIMD)
    fields = dict(simd.data) if isinstance(simd, DictionaryAttr) else {}
    table = fields.get("lanes")
    if not isinstance(table, MapAttr):
        return
    pairs = [(k, _number(value) if str(k).rsplit(".", 1)[-1] == name else v) for k, v in table.items()]
    fields["lanes"] = MapAttr(pairs)
    features[SIMD] = DictionaryAttr(fields)
    op.attributes[FEATURES] = DictionaryAttr(features)
