"""Sentences that say what bounds a run and what would help, from a profile. Every sentence carries its figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headrace.arch import Device

if TYPE_CHECKING:
    from headrace.report.profile import Part, Profile, UnitProfile

SATURATED = 0.85
"""Share of the cycles from which on a resource is called full."""
NOTABLE = 0.20
"""Share below which a stall or a part of the critical path is not worth a sentence."""


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def findings(profile: Profile, device: Device) -> list[str]:
    """Findings, the most important first; at least one."""
    out = [*_saturated(profile, device), *_critical(profile), *_stalls(profile, device)]
    out += [*_unused(profile, device), *_uneven(profile)]
    if not out:
        top = profile.path[0] if profile.path else None
        text = f"; the largest part of the critical path is {_part(top)} ({_percent(top.share)})" if top else ""
        out.append(f"no single resource bounds the run{text}")
    return list(dict.fromkeys(out))


def _part(part: Part) -> str:
    return f"{part.who} {part.what}"


def _saturated(profile: Profile, device: Device) -> list[str]:
    out = []
    for p in sorted(profile.ports, key=lambda p: (-p.busiest, p.name)):
        if p.busiest >= SATURATED:
            memory = device.memories.get(p.memory)
            outer = memory is not None and memory.level == 0
            cure = "move fewer bytes (fuse kernels, reuse operands on chip)" if outer else "reuse values in registers"
            out.append(f"{p.name} busy {_percent(p.busiest)}: bandwidth bound; {cure}, or widen it")
    for u in sorted(profile.units, key=lambda u: (-u.busiest, u.kind)):
        if u.busiest >= SATURATED:
            text = (
                "compute bound; fewer or cheaper operations, or more units"
                if _computes(u.kind, device)
                else "its transfers bound the run; larger bursts, or a faster path"
            )
            out.append(f"{u.kind} busy {_percent(u.busiest)}: {text}")
    return out


def worker(profile: Profile, device: Device) -> UnitProfile | None:
    """The compute or matrix unit with most work; None where nothing computes."""
    return max((u for u in profile.units if _computes(u.kind, device)), key=lambda u: u.busy, default=None)


def _computes(kind: str, device: Device) -> bool:
    unit = device.units.get(kind)
    return unit is not None and (unit.is_compute or unit.matrix is not None)


def _critical(profile: Profile) -> list[str]:
    """What the chain of dependences consists of, where that is no saturated resource."""
    out: list[tuple[float, str]] = []
    latency = [p for p in profile.path if p.what.endswith("latency") or p.what == "data in flight"]
    total = sum(p.share for p in latency)
    if total >= NOTABLE:
        most = max(latency, key=lambda p: (p.share, p.who))
        text = (
            f"latency is {_percent(total)} of the critical path (most: {_part(most)}, {_percent(most.share)}): "
            "more work in flight (deeper buffers, larger tiles) hides it"
        )
        out.append((total, text))
    for p in profile.path:
        if p.what != "bandwidth" or p.share < NOTABLE:
            continue
        port = next((q for q in profile.ports if q.name == p.who), None)
        if port is None:
            out.append((p.share, f"{p.who} is {_percent(p.share)} of the critical path: a wider link shortens the run"))
        elif port.busiest < SATURATED:
            text = (
                f"{p.who} busy {_percent(port.busiest)}, and {_percent(p.share)} of the critical path waits for it: "
                "requests come in bunches; deeper buffers spread them, a wider port shortens them"
            )
            out.append((p.share, text))
    for p in profile.path:
        unit = next((u for u in profile.units if u.kind == p.who), None)
        if p.what == "busy" and unit is not None and p.share >= 0.4 and unit.busiest < SATURATED:
            text = (
                f"{p.who} busy {_percent(unit.busiest)}, and {_percent(p.share)} of the critical path: its own work "
                "bounds the run; fewer or cheaper operations shorten it"
            )
            out.append((p.share, text))
    return [text for _, text in sorted(out, key=lambda found: -found[0])]


def _unused(profile: Profile, device: Device) -> list[str]:
    return [
        f"{u.instances} of {u.machine} {u.kind} have work: a larger grid would use the others"
        for u in profile.units
        if u.machine > u.instances and _computes(u.kind, device)
    ]


def _stalls(profile: Profile, device: Device) -> list[str]:
    out = []
    most = worker(profile, device)
    for u in profile.units:
        compute = u is most  # what has little to do beside it starves, and should
        if compute and u.stalled["input"] >= NOTABLE:
            cure = (
                "the saturated port is the reason"
                if any(p.busiest >= SATURATED for p in profile.ports)
                else "raise tile size or buffer depth"
            )
            out.append(f"{u.kind} starved {_percent(u.stalled['input'])}: {cure}")
        if u.stalled["output"] >= NOTABLE:
            out.append(f"{u.kind} blocked {_percent(u.stalled['output'])}{_by(u, 'output')}: the receiver is slower")
        if compute and u.stalled["memory"] >= NOTABLE:
            waits = _percent(u.stalled["memory"])
            out.append(f"{u.kind} waits {waits} for memory: keep values in registers, or widen the port")
    return out


def _by(u: UnitProfile, cause: str) -> str:
    found = u.waits.get(cause)
    return f" by {next(iter(found))}" if found else ""


def _uneven(profile: Profile) -> list[str]:
    out = []
    for u in profile.units:
        if u.instances > 1 and u.busiest >= 0.1 and u.busiest > 1.25 * u.busy:
            out.append(
                f"{u.kind} uneven: the busiest instance works {u.busiest / max(u.busy, 1e-9):.1f} times the mean; "
                f"choose tiles that divide evenly over {u.instances} instances"
            )
    return out
