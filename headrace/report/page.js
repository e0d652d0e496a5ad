"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const number = (n) => String(Math.round(n)).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
  const kinds = ["input", "output", "signal", "memory", "busy"];
  const fileLine = (place) => { const m = /:(\d+):\d+$/.exec(place); return m ? Number(m[1]) : 0; };
  let colors = {};

  // ---------------------------------------------------------------- source lines
  let marked = 0;
  const panes = [];
  function mark(line, scroll, from) {
    marked = line;
    for (const node of document.querySelectorAll(".node")) node.classList.toggle("marked", line > 0 && Number(node.dataset.s) === line);
    for (const pane of panes) pane.mark(line, scroll && pane !== from);
  }
  function Pane(root, first) {
    const tabs = root.querySelector(".tabs"), pre = root.querySelector("pre");
    const self = this;
    function show(index) {
      const level = data.levels[index];
      const all = document.createDocumentFragment();
      level.lines.forEach((text, k) => {
        const row = document.createElement("div"), no = document.createElement("span");
        no.className = "no"; no.textContent = k + 1;
        row.append(no, text || " ");
        if (level.sources[k]) row.dataset.s = level.sources[k];
        all.append(row);
      });
      pre.replaceChildren(all);
      pre.scrollTop = 0;
      pre.setAttribute("aria-label", level.name);
      [...tabs.children].forEach((b, k) => b.setAttribute("aria-selected", String(k === index)));
      self.mark(marked, true);
    }
    this.mark = function (line, scroll) {
      let first = null;
      for (const row of pre.children) {
        const hit = line > 0 && Number(row.dataset.s) === line;
        row.classList.toggle("marked", hit);
        if (hit && !first) first = row;
      }
      if (first && scroll) pre.scrollTop = first.offsetTop - pre.offsetTop - pre.clientHeight / 3;
    };
    data.levels.forEach((level, k) => {
      const b = document.createElement("button");
      b.type = "button"; b.textContent = level.name; b.setAttribute("role", "tab");
      b.addEventListener("click", () => show(k));
      tabs.append(b);
    });
    pre.addEventListener("click", (e) => {
      const row = e.target.closest("div[data-s]");
      if (row) mark(Number(row.dataset.s) === marked ? 0 : Number(row.dataset.s), true, self);
    });
    panes.push(this);
    if (data.levels.length) show(Math.min(first, data.levels.length - 1));
  }

  // ---------------------------------------------------------------- pipelines
  function draw(node) {
    const box = document.createElement("div"), title = document.createElement("div");
    box.className = "node " + node.kind;
    if (node.source) box.dataset.s = node.source;
    title.className = "t"; title.textContent = node.title;
    title.addEventListener("click", () => node.source && mark(node.source, true));
    box.append(title);
    for (const line of node.text) {
      const x = document.createElement("div");
      x.className = "x"; x.textContent = line;
      box.append(x);
    }
    if (node.inside.length) {
      const inside = document.createElement("div");
      inside.className = node.kind === "pipeline" ? "row" : "col";
      for (const child of node.inside) inside.append(draw(child));
      box.append(inside);
    }
    return box;
  }

  // ---------------------------------------------------------------- timeline
  const canvas = $("timeline"), context = canvas.getContext("2d"), details = $("details");
  const LABEL = 132, RULER = 24, ROW = 17;
  const total = Math.max(1, data.cycles);
  let view = [0, total], selected = null, drag = null, open = new Set([-1, data.cores[0]]), rows = [];

  function layout() {
    rows = [];
    const groups = new Map();
    [...data.tracks.keys()].sort((a, b) => data.tracks[a].row - data.tracks[b].row).forEach((n) => {
      const core = data.tracks[n].core;
      if (!groups.has(core)) groups.set(core, []);
      groups.get(core).push(n);
    });
    for (const [core, tracks] of groups) {
      if (core < 0) { tracks.forEach((n) => rows.push({ track: n })); continue; }
      rows.push({ core: core, tracks: tracks });
      if (open.has(core)) tracks.forEach((n) => rows.push({ track: n }));
    }
  }
  const x = (cycle, width) => LABEL + (cycle - view[0]) / (view[1] - view[0]) * (width - LABEL);
  const cycleAt = (px, width) => view[0] + (px - LABEL) / (width - LABEL) * (view[1] - view[0]);

  function step(span) {
    const raw = span / 8, power = Math.pow(10, Math.floor(Math.log10(Math.max(raw, 1))));
    for (const f of [1, 2, 5, 10]) if (f * power >= raw) return Math.max(1, f * power);
    return 1;
  }
  function firstAfter(slices, cycle) {
    let low = 0, high = slices.length / 6;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (slices[6 * middle] + slices[6 * middle + 1] <= cycle) low = middle + 1; else high = middle;
    }
    return low;
  }
  function drawSlices(slices, top, height, width) {
    let last = -1, lastKind = -1;
    for (let k = firstAfter(slices, view[0]); k < slices.length / 6; k++) {
      const start = slices[6 * k];
      if (start > view[1]) break;
      const left = Math.max(LABEL, x(start, width)), right = Math.min(width, x(start + slices[6 * k + 1], width));
      const kind = slices[6 * k + 2];
      if (right <= last + 0.5 && kind === lastKind) continue;
      context.fillStyle = colors[kinds[kind]];
      const w = Math.max(1, right - left - (right - left > 4 ? 0.6 : 0));
      context.fillRect(left, top, w, height);
      last = left + w; lastKind = kind;
      if (w > 60 && height > 10) {
        context.fillStyle = kind === 4 ? colors.page : colors.text;
        context.save();
        context.beginPath(); context.rect(left, top, w, height); context.clip();
        context.fillText(data.names[slices[6 * k + 3]], left + 4, top + height - 3.5);
        context.restore();
      }
    }
  }
  function paint() {
    layout();
    const width = canvas.clientWidth || 800, height = RULER + rows.length * ROW + 6, ratio = window.devicePixelRatio || 1;
    canvas.style.height = height + "px";
    canvas.width = width * ratio; canvas.height = height * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colors.page; context.fillRect(0, 0, width, height);
    context.font = "11px system-ui, sans-serif"; context.textBaseline = "alphabetic";
    const every = step(view[1] - view[0]);
    for (let c = Math.ceil(view[0] / every) * every; c <= view[1]; c += every) {
      const at = Math.round(x(c, width)) + 0.5;
      context.strokeStyle = colors.line; context.beginPath(); context.moveTo(at, RULER - 5); context.lineTo(at, height); context.stroke();
      context.fillStyle = colors.soft;
      if (at < width - 40) context.fillText(number(c), at + 3, RULER - 9);
    }
    context.fillStyle = colors.soft; context.fillText("cycle", 10, RULER - 9);
    const place = new Map();
    rows.forEach((row, k) => {
      const top = RULER + k * ROW;
      if (row.core !== undefined) {
        context.fillStyle = colors.panel; context.fillRect(0, top, width, ROW);
        context.fillStyle = colors.text;
        context.fillText((open.has(row.core) ? "\u25be" : "\u25b8") + " core " + row.core, 10, top + 12);
        if (!open.has(row.core)) {
          const h = (ROW - 4) / row.tracks.length;
          row.tracks.forEach((n, j) => { drawSlices(data.tracks[n].slices, top + 2 + j * h, Math.max(1, h), width); place.set(n, top + 2 + j * h); });
        }
        return;
      }
      place.set(row.track, top + ROW / 2);
      drawSlices(data.tracks[row.track].slices, top + 1, ROW - 3, width);
      context.fillStyle = colors.soft;
      context.save(); context.beginPath(); context.rect(0, top, LABEL - 6, ROW); context.clip();
      context.fillText(data.tracks[row.track].name, 22, top + 12); context.restore();
    });
    if ($("critical").checked) {
      context.fillStyle = colors.critical;
      let before = null;
      for (let k = 0; k < data.path.length; k += 4) {
        const [n, start, length] = data.path.slice(k, k + 3);
        if (start + length < view[0] || start > view[1] || !place.has(n)) { before = null; continue; }
        const y = place.get(n) + 5, left = Math.max(LABEL, x(start, width)), right = Math.min(width, x(start + length, width));
        context.fillRect(left, y, Math.max(1, right - left), 2.5);
        if (before !== null && left >= LABEL && Math.abs(before - y) > 1) context.fillRect(left - 0.5, Math.min(before, y), 1, Math.abs(before - y) + 2.5);
        before = y;
      }
    }
    if (selected) {
      const s = data.tracks[selected.track].slices, k = 6 * selected.index, y = place.get(selected.track);
      if (y !== undefined) {
        const left = x(s[k], width), right = x(s[k] + s[k + 1], width);
        context.strokeStyle = colors.accent; context.lineWidth = 2;
        context.strokeRect(Math.max(LABEL, left) - 1, y - ROW / 2 + 1, Math.max(3, Math.min(width, right) - Math.max(LABEL, left) + 2), ROW - 2);
        const peer = place.get(s[k + 5]);
        if (peer !== undefined && s[k + 2] < 4 && right >= LABEL && right <= width) {
          context.beginPath(); context.moveTo(right, peer); context.lineTo(right, y); context.stroke();
          context.beginPath(); context.arc(right, peer, 3, 0, 7); context.fillStyle = colors.accent; context.fill();
        }
        context.lineWidth = 1;
      }
    }
    if (drag && drag.now !== undefined) {
      context.fillStyle = colors.accent; context.globalAlpha = 0.18;
      context.fillRect(Math.min(drag.from, drag.now), RULER, Math.abs(drag.now - drag.from), height); context.globalAlpha = 1;
    }
    canvas.dataset.from = String(view[0]); canvas.dataset.to = String(view[1]);
  }
  function set(from, to) {
    let span = Math.min(total, Math.max(8, to - from)), start = from + (to - from - span) / 2;
    start = Math.max(0, Math.min(total - span, start));
    view = [start, start + span];
    paint();
  }
  function zoom(factor, at) {
    const centre = at === undefined ? (view[0] + view[1]) / 2 : at;
    set(centre - (centre - view[0]) * factor, centre + (view[1] - centre) * factor);
  }
  const pan = (share) => { const d = (view[1] - view[0]) * share; set(Math.max(0, view[0] + d) - Math.max(0, view[1] + d - total), Math.max(view[1] + d, view[1] - view[0]) - Math.max(0, view[1] + d - total)); };
  function pick(px, py) {
    const row = rows[Math.floor((py - RULER) / ROW)];
    if (!row) return;
    if (row.core !== undefined && (px < LABEL || !open.has(row.core) || true)) {
      if (open.has(row.core)) open.delete(row.core); else open.add(row.core);
      paint();
      return;
    }
    const cycle = cycleAt(px, canvas.clientWidth), slices = data.tracks[row.track].slices, width = view[1] - view[0];
    const k = firstAfter(slices, cycle - width / canvas.clientWidth);
    if (px < LABEL || 6 * k >= slices.length || slices[6 * k] > cycle + 2 * width / canvas.clientWidth) selected = null;
    else selected = { track: row.track, index: k };
    describe(); paint();
  }
  function describe() {
    if (!selected) { details.textContent = details.dataset.hint; return; }
    const t = data.tracks[selected.track], s = t.slices, k = 6 * selected.index, place = data.names[s[k + 4]], line = fileLine(place);
    details.replaceChildren();
    const b = document.createElement("b");
    b.textContent = t.name + ": " + data.names[s[k + 3]];
    details.append(b, " \u2014 " + (s[k + 2] === 4 ? "busy" : "stalled, " + kinds[s[k + 2]]) + ", cycles " + number(s[k]) + " to " + number(s[k] + s[k + 1]) + " (" + number(s[k + 1]) + ")");
    const second = document.createElement("div");
    if (s[k + 5] >= 0) second.append((s[k + 2] === 4 ? "by " : "waits for ") + data.tracks[s[k + 5]].name + (place ? ", " : ""));
    if (place) {
      const a = document.createElement("a");
      a.textContent = place; a.tabIndex = 0;
      a.addEventListener("click", () => { mark(line, true); $("levels").scrollIntoView(); });
      second.append("from ", a);
    }
    details.append(second);
    if (line) mark(line, true);
  }
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) pan((e.deltaX || e.deltaY) / 1500);
    else zoom(Math.exp(e.deltaY / 500), cycleAt(Math.max(LABEL, e.offsetX), canvas.clientWidth));
  }, { passive: false });
  canvas.addEventListener("pointerdown", (e) => { drag = { from: e.offsetX, y: e.offsetY }; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener("pointermove", (e) => { if (drag && drag.from >= LABEL && Math.abs(e.offsetX - drag.from) > 4) { drag.now = Math.max(LABEL, e.offsetX); paint(); } });
  canvas.addEventListener("pointerup", (e) => {
    const d = drag;
    drag = null;
    if (!d) return;
    if (d.now === undefined) { pick(e.offsetX, e.offsetY); return; }
    const a = cycleAt(d.from, canvas.clientWidth), b = cycleAt(d.now, canvas.clientWidth);
    set(Math.min(a, b), Math.max(a, b));
  });
  canvas.addEventListener("dblclick", () => set(0, total));
  canvas.addEventListener("keydown", (e) => {
    const keys = { "+": () => zoom(0.6), "=": () => zoom(0.6), "-": () => zoom(1 / 0.6), ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), "0": () => set(0, total) };
    if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
  });
  $("zoom-in").addEventListener("click", () => zoom(0.5));
  $("zoom-out").addEventListener("click", () => zoom(2));
  $("left").addEventListener("click", () => pan(-0.4));
  $("right").addEventListener("click", () => pan(0.4));
  $("fit").addEventListener("click", () => set(0, total));
  $("critical").addEventListener("change", paint);
  $("expand").addEventListener("click", () => { const all = data.cores.every((c) => open.has(c)); open = new Set(all ? [-1] : [-1, ...data.cores]); $("expand").textContent = all ? "Open all cores" : "Close all cores"; paint(); });

  // ---------------------------------------------------------------- occupancy
  const NS = "http://www.w3.org/2000/svg";
  function svg(tag, attributes, text) {
    const e = document.createElementNS(NS, tag);
    for (const k in attributes) e.setAttribute(k, attributes[k]);
    if (text !== undefined) e.textContent = text;
    return e;
  }
  const size = (n) => n >= 1048576 ? (n / 1048576).toFixed(1) + " MB" : n >= 1024 ? (n / 1024).toFixed(n >= 10240 ? 0 : 1) + " KB" : n + " B";
  function occupancy(index) {
    const memory = data.occupancy.memories[index], root = $("occupancy"), list = $("buffers");
    root.replaceChildren(); list.replaceChildren();
    if (!memory) return;
    const W = 640, H = 240, left = 62, bottom = 26, top = 12, peak = Math.max(1, memory.peak);
    const times = new Set([0, total]);
    for (const [, flat] of memory.steps) for (let k = 0; k < flat.length; k += 2) times.add(flat[k]);
    const at = [...times].sort((a, b) => a - b);
    const X = (c) => left + c / total * (W - left - 8), Y = (b) => H - bottom - b / peak * (H - bottom - top);
    const base = new Array(at.length).fill(0);
    for (let k = 0; k <= 4; k++) {
      const b = peak * k / 4;
      root.append(svg("line", { x1: left, x2: W - 8, y1: Y(b), y2: Y(b), class: "axis" }), svg("text", { x: left - 6, y: Y(b) + 4, "text-anchor": "end" }, size(Math.round(b))));
    }
    memory.steps.forEach(([n, flat], order) => {
      let k = 0, now = 0, most = 0;
      const upper = [], lower = [];
      at.forEach((c, j) => {
        const old = now, oldBase = base[j];
        while (k < flat.length && flat[k] <= c) { now = flat[k + 1]; k += 2; }
        most = Math.max(most, now);
        void old; void oldBase;
        const until = j + 1 < at.length ? at[j + 1] : total;
        lower.push([X(c), Y(base[j])], [X(until), Y(base[j])]);
        base[j] += now;
        upper.push([X(c), Y(base[j])], [X(until), Y(base[j])]);
      });
      const color = "var(--c" + order % 8 + ")", b = data.occupancy.buffers[n];
      const d = "M" + [...upper, ...lower.reverse()].map((p) => p[0].toFixed(1) + " " + p[1].toFixed(1)).join("L") + "Z";
      const path = svg("path", { d: d, fill: color, "fill-opacity": "0.85" });
      path.append(svg("title", {}, b.name + ": at most " + size(most)));
      root.append(path);
      const item = document.createElement("span"), i = document.createElement("i");
      i.style.background = color;
      item.append(i, b.name + ", " + size(most) + " at " + b.start);
      list.append(item);
    });
    for (let k = 0; k <= 4; k++) root.append(svg("text", { x: X(total * k / 4), y: H - 8, "text-anchor": k === 4 ? "end" : k ? "middle" : "start" }, number(total * k / 4)));
    $("peak").textContent = "peak " + size(memory.peak) + " of " + size(memory.size) + (memory.size ? " (" + (100 * memory.peak / memory.size).toFixed(1) + " %)" : "");
  }
  data.occupancy.memories.forEach((m, k) => { const o = document.createElement("option"); o.value = k; o.textContent = m.name; $("memory").append(o); });
  $("memory").addEventListener("change", (e) => occupancy(Number(e.target.value)));

  // ---------------------------------------------------------------- start
  function theme() {
    for (const name of [...kinds, "page", "panel", "line", "text", "soft", "accent", "critical"]) colors[name] = css("--" + name);
    paint();
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", theme);
  window.addEventListener("resize", paint);
  for (const node of data.pipelines) $("pipelines").append(draw(node));
  if (data.levels.length) document.querySelectorAll(".code").forEach((root, k) => new Pane(root, k ? 1 : 0));
  for (const place of document.querySelectorAll("[data-place]")) place.addEventListener("click", () => { mark(fileLine(place.dataset.place), true); $("levels").scrollIntoView(); });
  occupancy(0);
  describe();
  theme();
})();
