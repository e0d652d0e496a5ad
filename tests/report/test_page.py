"""The page: self-contained, its data complete, and alive in a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from headrace.report.levels import code_level, module_level, pipelines, source_level
from headrace.report.page import page, roofline
from tests.report.runs import Run, recorded

KERNEL = "reductions/softmax"
ASSETS = Path(__file__).parents[2] / "headrace" / "report"


def text_of(run: Run) -> str:
    program = run.program
    levels = [
        source_level(program.source),
        module_level("ScheduleIR", program.schedule),
        module_level("DataflowIR", program.dataflow),
        code_level(program.code),
    ]
    facts = {
        "kernel": program.name, "device": program.device.name, "grid": program.grid, "cycles": run.result.cycles,
        "time_us": run.result.time_us, "bound": {"cycles": 600, "by": "DDR"}, "efficiency": 600 / run.result.cycles,
    }  # fmt: skip
    return page(run.recording, run.profile, program.device, facts, levels, pipelines(program.schedule))


class Page(HTMLParser):
    """Ids, references to elsewhere, and the text of scripts; checks that tags are closed in order."""

    EMPTY = frozenset({"meta", "link", "input", "br", "circle", "line", "path", "rect"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.outside: list[str] = []
        self.scripts: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("src", "href") and not (value or "").startswith(("#", "data:")):
                self.outside.append(value or "")
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.EMPTY:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)


def data_of(found: Page) -> dict[str, Any]:
    return json.loads(found.scripts[0])


def test_the_page_needs_nothing_else() -> None:
    text = text_of(recorded(KERNEL))
    found = Page(text)
    assert found.outside == [] and "@import" not in text and "url(" not in text
    assert len(found.ids) == len(set(found.ids))
    assert {"timeline", "details", "occupancy", "pipelines", "levels", "roof", "zoom-in", "data"} <= set(found.ids)
    assert "prefers-color-scheme: dark" in text


def test_the_data_is_complete() -> None:
    run = recorded(KERNEL)
    data = data_of(Page(text_of(run)))
    assert data["cycles"] == run.result.cycles
    units = {t["name"]: t for t in data["tracks"]}
    for unit in run.result.units.values():
        slices = units[unit.name]["slices"]
        rows = [slices[k : k + 6] for k in range(0, len(slices), 6)]
        assert sum(r[1] for r in rows if r[2] == 4) == unit.busy
        assert all(a[0] + a[1] <= b[0] for a, b in pairwise(rows))
        assert all(0 <= r[3] < len(data["names"]) and -1 <= r[5] < len(data["tracks"]) for r in rows)
    assert units["DDR port"]["core"] == -1 and sorted(t["row"] for t in data["tracks"]) == list(range(len(units)))
    assert sum(data["path"][2::4]) == run.result.cycles
    assert [v["name"] for v in data["levels"]] == ["KTIR", "ScheduleIR", "DataflowIR", "SpyreCode"]
    names = {b["name"] for b in data["occupancy"]["buffers"]}
    assert {"x", "out"} <= names
    assert any(m["name"] == "L1[0]" and m["peak"] > 0 for m in data["occupancy"]["memories"])


def test_what_is_not_recorded_is_summed_up() -> None:
    run = recorded(KERNEL, limit=2000)
    recording, shares = run.recording, run.recording.shares
    assert shares is not None and recording.cycles < recording.whole
    text = text_of(run)
    assert f"Behind them: shares of intervals of {shares.width} cycles." in text
    assert "In the recorded part, the first " in text
    data = data_of(Page(text))
    assert data["cycles"] == run.result.cycles
    units = {t["name"]: t for t in data["tracks"]}
    first = -(-recording.cycles // shares.width)
    for unit in run.result.units.values():
        slices = units[unit.name]["slices"]
        rows = [slices[k : k + 6] for k in range(0, len(slices), 6)]
        assert all(a[0] + a[1] <= b[0] for a, b in pairwise(rows))
        table = shares.units[unit.name]
        behind = [r for r in rows if r[0] >= first * shares.width]
        assert len(behind) == int(table[:, first:].any(axis=0).sum())
        assert all(data["names"][r[3]].endswith(" %") for r in behind)


def test_levels_know_their_source_lines() -> None:
    program = recorded(KERNEL).program
    exp = next(k for k, line in enumerate(program.source.splitlines(), 1) if "math.exp" in line)
    for level in (module_level("ScheduleIR", program.schedule), module_level("DataflowIR", program.dataflow)):
        assert len(level.lines) == len(level.sources)
        assert not any("loc(" in line for line in level.lines)
        from_exp = [line for line, s in zip(level.lines, level.sources, strict=True) if s == exp]
        assert from_exp and any("exp" in line for line in from_exp)
    code = code_level(program.code)
    assert any("exp" in line for line, s in zip(code.lines, code.sources, strict=True) if s == exp)


def test_pipelines_are_nested() -> None:
    (program,) = pipelines(recorded(KERNEL).program.schedule)
    (loop,) = program.inside
    assert loop.kind == "loop" and loop.title == "for, 2 iterations"
    (outer,) = loop.inside
    assert [s.title for s in outer.inside] == ["MNILU", "L1LU, SFU, L1SU", "MNISU"]
    inner = [p for step in outer.inside[1].inside for p in step.inside]
    assert len(inner) == 3 and all(p.kind == "pipeline" for p in inner)
    assert [s.title for s in inner[0].inside] == ["L1LU", "SFU", "L1SU"]


def test_roofline() -> None:
    run = recorded("elementwise/add")
    picture = roofline(run.profile, run.program.device)
    assert "33 % of the roof" in picture and "DDR 128 B/cycle" in picture and "64 SFU" in picture
    run = recorded("llm/matmul_f16_f32")
    assert "64 PT" in roofline(run.profile, run.program.device)


def test_the_page_is_the_same_every_time() -> None:
    assert text_of(recorded("elementwise/add")) == text_of(recorded("elementwise/add"))


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
def test_the_script_parses() -> None:
    node = shutil.which("node")
    assert node is not None
    subprocess.run([node, "--check", str(ASSETS / "page.js")], check=True)


def _browser() -> Any:
    """A headless Chromium, or a skip where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="needs the extra 'browser'")
    playwright = api.sync_playwright().start()
    path = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
    try:
        return playwright, playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
    except api.Error as problem:
        playwright.stop()
        pytest.skip(f"no Chromium: {str(problem).splitlines()[0]}")


@pytest.mark.all
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1440, 900), (1280, 720)])
def test_in_a_browser(tmp_path: Path, scheme: Any, size: tuple[int, int]) -> None:
    file = tmp_path / "report.html"
    file.write_text(text_of(recorded(KERNEL)), encoding="utf-8")
    playwright, browser = _browser()
    try:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, offline=True)
        view = context.new_page()
        problems: list[str] = []
        view.on("console", lambda m: problems.append(m.text))
        view.on("pageerror", lambda e: problems.append(str(e)))
        view.on("request", lambda r: problems.append(r.url) if not r.url.startswith(("file:", "data:")) else None)
        view.goto(file.as_uri())
        assert view.evaluate("document.documentElement.scrollWidth") <= size[0]
        for name in ("#timeline", "#occupancy path", "#roof svg .point", ".node.pipeline", "pre div", ".findings li"):
            assert view.locator(name).first.is_visible(), name
        background = view.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (background == "rgb(255, 255, 255)") == (scheme == "light")

        def span() -> float:
            return view.evaluate("(c => c.dataset.to - c.dataset.from)(document.getElementById('timeline'))")

        whole = span()
        view.click("#zoom-in")
        assert span() == pytest.approx(whole / 2)
        view.click("#fit")
        assert span() == whole
        view.locator("#timeline").scroll_into_view_if_needed()
        box = view.locator("#timeline").bounding_box()
        view.mouse.move(box["x"] + 600, box["y"] + 60)
        view.mouse.wheel(0, -400)
        shorter = f"c.dataset.to - c.dataset.from < {0.9 * whole}"
        view.wait_for_function(f"(c => {shorter})(document.getElementById('timeline'))")
        view.click("#fit")
        view.mouse.move(box["x"] + 300, box["y"] + 100)
        view.mouse.down()
        view.mouse.move(box["x"] + 500, box["y"] + 100, steps=4)
        view.mouse.up()
        assert span() == pytest.approx(whole * 200 / (box["width"] - 132), rel=0.02)
        view.click("#fit")
        view.mouse.click(box["x"] + 500, box["y"] + 24 + 17 * 2 + 8)
        assert "waits for a signal from L1LU" in view.inner_text("#details")
        assert ".mlir:" in view.inner_text("#details")
        rows = view.evaluate("document.getElementById('timeline').clientHeight")
        view.click("#expand")
        assert view.evaluate("document.getElementById('timeline').clientHeight") > rows
        view.locator(".code").nth(1).get_by_text("SpyreCode").click()
        line = view.locator(".code").nth(0).locator("pre div", has_text="math.exp").first
        line.click()
        assert "marked" in (line.get_attribute("class") or "")
        marked = view.locator(".code").nth(1).locator("pre div.marked")
        assert marked.count() > 0 and any("exp" in t for t in marked.all_inner_texts())
        view.select_option("#memory", label="L1[2]")
        assert "peak" in view.inner_text("#peak")
        assert problems == []
    finally:
        browser.close()
        playwright.stop()
