"""Line charts as SVG files: enough for the plots of a sweep, light and dark, without a plotting library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log2, log10

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 84, 20, 46, 52
COLORS = ("#3672b8", "#c08a3e", "#4a9a86", "#b85c6b", "#8c6bb1", "#6d8a3c", "#5b7f99", "#9a6f4a")

_STYLE = """
.b{fill:#fff}.g{stroke:#d9dce0}.t,.l{fill:#5c6570;font:12px system-ui,sans-serif}
.h{fill:#1c2024;font:600 14px system-ui,sans-serif}
@media (prefers-color-scheme:dark){.b{fill:#15181b}.g{stroke:#353b41}.t,.l{fill:#9aa4ae}.h{fill:#e4e7ea}}
"""


@dataclass
class Series:
    """A line: its name and points; ``dashed`` for what is not measured."""

    name: str
    points: Sequence[tuple[float, float]]
    dashed: bool = False


def line_chart(title: str, x_name: str, y_name: str, series: Sequence[Series]) -> str:
    """A line chart. The x axis is logarithmic where values span more than a factor 8 and are positive; the y axis
    begins at 0."""
    points = [p for s in series for p in s.points]
    if not points:
        points = [(0.0, 0.0)]
    xs = sorted({p[0] for p in points})
    top = _nice(max(p[1] for p in points) or 1.0)
    logarithmic = xs[0] > 0 and xs[-1] > 8 * xs[0]

    def place(v: float) -> float:
        a, b = (log2(xs[0]), log2(xs[-1])) if logarithmic else (xs[0], xs[-1])
        share = ((log2(v) if logarithmic else v) - a) / (b - a) if b > a else 0.5
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def height(v: float) -> float:
        return HEIGHT - BOTTOM - v / top * (HEIGHT - BOTTOM - TOP)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        f'<rect class="b" width="{WIDTH}" height="{HEIGHT}"/><text class="h" x="{LEFT}" y="22">{escape(title)}</text>',
    ]
    for k in range(6):
        y = height(top * k / 5)
        out.append(f'<line class="g" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        out.append(f'<text class="t" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_figure(top * k / 5)}</text>')
    last = -1e9
    for v in xs:
        x = place(v)
        if x - last >= 52:
            y = HEIGHT - BOTTOM + 18
            out.append(f'<text class="t" x="{x:.1f}" y="{y}" text-anchor="middle">{_figure(v)}</text>')
            last = x
    centre, middle = (LEFT + WIDTH) / 2, (TOP + HEIGHT - BOTTOM) / 2
    for where, name in (
        (f'x="{centre:.0f}" y="{HEIGHT - 12}"', x_name),
        (f'transform="translate(18 {middle:.0f}) rotate(-90)"', y_name),
    ):
        out.append(f'<text class="t" {where} text-anchor="middle">{escape(name)}</text>')
    for k, s in enumerate(series):
        color = COLORS[k % len(COLORS)]
        ordered = sorted(s.points)
        path = " ".join(f"{place(x):.1f},{height(y):.1f}" for x, y in ordered)
        dash = ' stroke-dasharray="5 4"' if s.dashed else ""
        out.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"{dash}/>')
        if not s.dashed:
            out += [
                f'<circle cx="{place(x):.1f}" cy="{height(y):.1f}" r="3" fill="{color}">'
                f"<title>{escape(s.name)}: {_figure(x)}, {_figure(y)}</title></circle>"
                for x, y in ordered
            ]
    x = float(WIDTH - RIGHT)
    for k, s in reversed(list(enumerate(series))):
        x -= 7.2 * len(s.name) + 26
        out.append(f'<rect x="{x:.0f}" y="30" width="12" height="3" fill="{COLORS[k % len(COLORS)]}"/>')
        out.append(f'<text class="l" x="{x + 17:.0f}" y="36">{escape(s.name)}</text>')
    out.append("</svg>\n")
    return "\n".join(out)


def _nice(v: float) -> float:
    """The next of some round figures times a power of ten from ``v`` on."""
    power = 10.0 ** floor(log10(v))
    return next(f * power for f in (1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10) if f * power >= v * (1 - 1e-9))


def _figure(v: float) -> str:
    """``1.5 M`` for multiples of 2**20 of at least that, else the number."""
    if v >= 1 << 20 and v % (1 << 16) == 0:
        return f"{v / (1 << 20):g} M"
    if v >= 1024 and v % 1024 == 0 and v < 1 << 20:
        return f"{v / 1024:g} K"
    return f"{ceil(v)}" if v >= 1000 else f"{v:g}"
