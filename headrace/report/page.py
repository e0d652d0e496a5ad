"""The report of a run as one self-contained page: no network, no library, light and dark."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from math import ceil, floor, log10
from typing import Any

from headrace.arch import Device
from headrace.machine.result import CAUSES
from headrace.report.findings import worker
from headrace.report.levels import Level, Node
from headrace.report.pagedata import page_data
from headrace.report.profile import Profile, percent
from headrace.report.timeline import Recording

HINT = (
    "Wheel zooms, dragging zooms into a range, shift and wheel or the arrow keys move, a double click shows all. "
    "Click a slice for details; click a core to open it."
)


def page(
    recording: Recording,
    profile: Profile,
    device: Device,
    facts: Mapping[str, Any],
    levels: Sequence[Level],
    programs: Sequence[Node],
) -> str:
    """The page. ``facts``: ``kernel``, ``device``, ``grid``, ``cycles``, ``time_us``, ``bound`` and ``efficiency`` as
    in the JSON of a run."""
    data = page_data(recording, profile, device, levels, programs)
    style = files("headrace.report").joinpath("page.css").read_text(encoding="utf-8")
    script = files("headrace.report").joinpath("page.js").read_text(encoding="utf-8")
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")
    kernel, where = escape(str(facts["kernel"])), escape(str(facts["device"]))
    title = f"{kernel} on {where}"
    grid = " x ".join(map(str, facts["grid"]))
    body = [
        f"<header><div><h1>{kernel}<small>on {where}, grid {grid}</small></h1>",
        _figures(facts),
        '<nav aria-label="Sections"><a href="#time">Timeline</a><a href="#use">Where time goes</a>'
        '<a href="#roof">Roofline and memory</a><a href="#pipes">Pipelines</a><a href="#levels">IR</a></nav>',
        "</div></header><main>",
        '<ul class="findings">' + "".join(f"<li>{escape(t)}</li>" for t in profile.findings) + "</ul>",
        _timeline(recording, data),
        _use(profile),
        _roofline_and_memory(profile, device, data),
        '<h2 id="pipes">Pipelines</h2><div class="scrollx" id="pipelines"></div>'
        if programs
        else '<h2 id="pipes">Pipelines</h2><p class="note" id="pipelines">A SpyreCode directory has no schedule in it; '
        "run the KTIR file to see its pipelines.</p>",
        _levels(levels),
        f"<footer>headrace, {title}. Times are cycles of the simulated device.</footer></main>",
    ]
    return "\n".join(
        [
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            '<link rel="icon" href="data:,">',
            f"<title>{title}</title><style>{style}</style></head><body>",
            *body,
            f'<script type="application/json" id="data">{text}</script>',
            f"<script>{script}</script></body></html>",
            "",
        ]
    )


def _figures(facts: Mapping[str, Any]) -> str:
    rows = [("cycles", _number(facts["cycles"]))]
    if facts.get("time_us") is not None:
        rows.append(("time", f"{facts['time_us']:.3f} <span>\u00b5s</span>"))
    if facts.get("bound"):
        by = escape(str(facts["bound"]["by"]))
        rows.append(("bound", f"{_number(facts['bound']['cycles'])} <span>by {by}</span>"))
    if facts.get("efficiency") is not None:
        rows.append(("efficiency", f"{100 * facts['efficiency']:.1f} <span>%</span>"))
    return '<dl class="figures">' + "".join(f"<div><dt>{k}</dt><dd>{v}</dd></div>" for k, v in rows) + "</dl>"


def _number(n: int) -> str:
    return f"{n:,}".replace(",", "\u202f")


def _timeline(recording: Recording, data: Mapping[str, Any]) -> str:
    notes = []
    if recording.cut:
        notes.append(f"Recorded: the first {_number(recording.cycles)} of {_number(recording.whole)} cycles.")
        if recording.shares is not None:
            notes.append(f"Behind them: shares of intervals of {_number(recording.shares.width)} cycles.")
    if len(data["cores"]) < data["all_cores"]:
        notes.append(f"Shown: {len(data['cores'])} of {data['all_cores']} cores.")
    legend = "".join(
        f'<span><i style="background:var(--{name})"></i>{text}</span>'
        for name, text in (
            ("busy", "busy"),
            ("input", "waits for input"),
            ("output", "waits for room"),
            ("signal", "waits for a signal"),
            ("memory", "waits for memory"),
        )
    )
    return (
        '<h2 id="time">Timeline</h2>'
        + (f'<p class="note">{" ".join(notes)}</p>' if notes else "")
        + '<div class="bar"><button type="button" id="zoom-in" aria-label="Zoom in">+</button>'
        '<button type="button" id="zoom-out" aria-label="Zoom out">\u2212</button>'
        '<button type="button" id="left" aria-label="Earlier">\u2190</button>'
        '<button type="button" id="right" aria-label="Later">\u2192</button>'
        '<button type="button" id="fit">Show all</button><button type="button" id="expand">Open all cores</button>'
        '<label><input type="checkbox" id="critical" checked> critical path</label><span class="grow"></span>'
        f'<span class="legend">{legend}</span></div>'
        '<div class="timeline"><div class="scroll"><canvas id="timeline" tabindex="0" role="img" '
        'aria-label="Timeline of all units"></canvas></div>'
        f'<div class="details" id="details" aria-live="polite" data-hint="{escape(HINT)}"></div></div>'
    )


def _stack(parts: Sequence[tuple[str, float]]) -> str:
    bars = "".join(
        f'<i style="width:{100 * share:.2f}%;background:var(--{name})" title="{name} {percent(share)}"></i>'
        for name, share in parts
        if share > 0
    )
    return f'<div class="stack">{bars}</div>'


def _use(profile: Profile) -> str:
    units = []
    for u in profile.units:
        stack = _stack([("busy", u.busy), *((c, u.stalled[c]) for c in CAUSES)])
        waits = sorted(((n, who) for by in u.waits.values() for who, n in by.items()), key=lambda w: (-w[0], w[1]))
        used = str(u.instances) if u.instances == u.machine else f"{u.instances} of {u.machine}"
        units.append(
            f'<tr><td>{escape(u.kind)}</td><td class="n">{used}</td><td class="n">{percent(u.busy)}</td>'
            f'<td class="w">{stack}</td><td>{escape(waits[0][1]) if waits else ""}</td></tr>'
        )
    path = [
        f'<tr><td>{escape(p.who)} {escape(p.what)}</td><td class="n">{_number(p.cycles)}</td>'
        f'<td class="n">{percent(p.share)}</td><td class="w">{_stack([("busy", p.share)])}</td></tr>'
        for p in profile.path[:8]
    ]
    ports = [
        f'<tr><td>{escape(p.name)}</td><td class="n">{p.instances}</td><td class="n">{percent(p.busiest)}</td>'
        f'<td class="w">{_stack([("busy", p.busiest)])}</td></tr>'
        for p in profile.ports
    ]
    sources = [
        f'<tr><td><button type="button" data-place="{escape(p.who)}">{escape(p.who.rsplit("/", 1)[-1])}</button></td>'
        f'<td>{escape(p.what)}</td><td class="n">{percent(p.share)}</td></tr>'
        for p in profile.sources[:6]
    ]
    terms = [
        f'<tr><td>{escape(t.by)}</td><td class="n">{_number(t.cycles)}</td>'
        f'<td class="n">{"" if t.measured is None else _number(t.measured)}</td>'
        f'<td class="n">{"" if t.error is None else f"{100 * t.error:+.1f} %"}</td></tr>'
        for t in profile.terms
    ]
    left = _table("Units", ("unit", "#instances", "#busy", "share of the run", "waits most for"), units)
    left += _table("Memory ports", ("port", "#instances", "#busiest", ""), ports)
    right = _table("Critical path", ("spent in", "#cycles", "#share", ""), path)
    part = "" if profile.covered >= profile.cycles else f", first {_number(profile.covered)} cycles"
    right += _table(f"Critical path by source{part}", ("place", "operation", "#share"), sources)
    right += _table("Bound and use", ("by", "#estimated cycles", "#used", "#error"), terms)
    return f'<h2 id="use">Where time goes</h2><div class="pair"><div>{left}</div><div>{right}</div></div>'


def _table(title: str, heads: Sequence[str], rows: Sequence[str]) -> str:
    """A table with a title, nothing without rows; a heading that begins with # is one of numbers."""
    if not rows:
        return ""
    cells = "".join(f'<th class="n">{h[1:]}</th>' if h.startswith("#") else f"<th>{h}</th>" for h in heads)
    return f'<h3>{title}</h3><table><tr>{cells}</tr>{"".join(rows)}</table>'


def _roofline_and_memory(profile: Profile, device: Device, data: Mapping[str, Any]) -> str:
    part = ""
    if profile.covered < profile.cycles:
        part = f'<p class="note">In the recorded part, the first {_number(profile.covered)} cycles.</p>'
    memory = (
        f'{part}<div class="bar"><label for="memory">memory</label><select id="memory"></select>'
        '<span class="note" id="peak"></span></div>'
        '<div class="figure"><svg id="occupancy" viewBox="0 0 640 240" role="img" '
        'aria-label="Bytes in use over time by buffer"></svg></div><div class="legend" id="buffers"></div>'
    )
    return (
        '<div class="pair" id="roof"><div><h2>Roofline</h2>'
        f'<div class="figure">{roofline(profile, device)}</div></div>'
        f"<div><h2>On-chip memory in use</h2>{memory}</div></div>"
    )


def roofline(profile: Profile, device: Device) -> str:
    """The roofline as SVG: compute cycles per byte of device memory against compute cycles per cycle."""
    outer = next((m for m in device.memories.values() if m.level == 0), None)
    unit = worker(profile, device)
    if outer is None or unit is None or outer.timing.read_bytes_per_cycle is None:
        return '<p class="note">The device file gives no bandwidth of device memory: there is no roof to draw.</p>'
    rate = outer.timing.read_bytes_per_cycle
    if not outer.timing.half_duplex and outer.timing.write_bytes_per_cycle is not None:
        rate += outer.timing.write_bytes_per_cycle
    moved = sum(p.bytes for p in profile.paths if outer.kind in p.name.split(" -> "))
    roof = unit.machine
    work = unit.busy * unit.instances
    if not moved or not work:
        return '<p class="note">Nothing is computed, or no device memory is touched: there is no point to draw.</p>'
    intensity, achieved, ridge = work * profile.cycles / moved, work, roof / rate
    low_x, high_x = floor(log10(min(intensity, ridge) / 4)), ceil(log10(max(intensity, ridge) * 4))
    low_y, high_y = floor(log10(min(achieved, rate * intensity) / 2)), ceil(log10(roof * 1.5))
    width, height, left, bottom, top = 640, 280, 58, 44, 12

    def x(v: float) -> float:
        return left + (log10(v) - low_x) / (high_x - low_x) * (width - left - 14)

    def y(v: float) -> float:
        return height - bottom - (log10(v) - low_y) / (high_y - low_y) * (height - bottom - top)

    out = [f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="Roofline">']
    for e in range(low_x, high_x + 1):
        out.append(f'<line class="axis" x1="{x(10**e):.1f}" x2="{x(10**e):.1f}" y1="{top}" y2="{height - bottom}"/>')
        out.append(f'<text x="{x(10**e):.1f}" y="{height - bottom + 15}" text-anchor="middle">{_power(e)}</text>')
    for e in range(low_y, high_y + 1):
        out.append(f'<line class="axis" x1="{left}" x2="{width - 14}" y1="{y(10**e):.1f}" y2="{y(10**e):.1f}"/>')
        out.append(f'<text x="{left - 6}" y="{y(10**e) + 4:.1f}" text-anchor="end">{_power(e)}</text>')
    start = max(10.0**low_x, 10.0**low_y / rate)
    out.append(
        f'<path class="roof" d="M{x(start):.1f} {y(start * rate):.1f}L{x(ridge):.1f} {y(roof):.1f}'
        f'L{x(10**high_x):.1f} {y(roof):.1f}"/>'
    )
    anchor = "end" if x(intensity) > width * 0.6 else "start"
    dx = -9 if anchor == "end" else 9
    out.append(f'<text x="{width - 18}" y="{y(roof) - 6:.1f}" text-anchor="end">{roof} {escape(unit.kind)}</text>')
    middle = 10 ** ((log10(start) + log10(ridge)) / 2)
    out.append(
        f'<text x="{x(middle) - 8:.1f}" y="{y(middle * rate) - 4:.1f}" text-anchor="end">'
        f"{escape(outer.kind)} {rate} B/cycle</text>"
    )
    limit = min(roof, rate * intensity)
    out.append(
        f'<line class="axis" x1="{x(intensity):.1f}" x2="{x(intensity):.1f}" y1="{y(limit):.1f}" '
        f'y2="{y(achieved):.1f}" stroke-dasharray="3 3"/>'
    )
    out.append(f'<circle class="point" cx="{x(intensity):.1f}" cy="{y(achieved):.1f}" r="5"/>')
    out.append(
        f'<text class="strong" x="{x(intensity) + dx:.1f}" y="{y(achieved) + 16:.1f}" text-anchor="{anchor}">'
        f"{percent(achieved / limit)} of the roof</text>"
    )
    out.append(
        f'<text x="{(left + width) / 2:.0f}" y="{height - 8}" text-anchor="middle">'
        f"{escape(unit.kind)} cycles per byte of {escape(outer.kind)}</text>"
    )
    out.append(
        f'<text transform="translate(13 {(top + height - bottom) / 2:.0f}) rotate(-90)" text-anchor="middle">'
        f"{escape(unit.kind)} busy at once</text></svg>"
    )
    return "".join(out)


def _power(e: int) -> str:
    return f"{10**e:g}" if -4 < e < 6 else f"1e{e}"


def _levels(levels: Sequence[Level]) -> str:
    if not levels:
        return '<h2 id="levels">IR</h2>'
    pane = '<div class="code"><div class="tabs" role="tablist"></div><pre tabindex="0"></pre></div>'
    return (
        '<h2 id="levels">IR at every level</h2><p class="note">Click a line: what comes from the same line of KTIR is '
        f'marked in every level and in the pipelines.</p><div class="pair">{pane}{pane}</div>'
    )
