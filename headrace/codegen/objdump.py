"""What is in a SpyreCode: job plans, symbols with expressions, programs per unit. Text and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headrace.codegen import isa, plan
from headrace.codegen.correction import corrected, patched
from headrace.codegen.disassembler import format_instruction
from headrace.codegen.image import Section
from headrace.codegen.spyrecode import SpyreCode
from headrace.codegen.symbols import evaluate


def dump_text(code: SpyreCode, values: Sequence[int] | None = None) -> str:
    """Readable dump. Instructions carry their word number and, where known, the source location they come from.

    ``values`` (one per argument, addresses in bytes): the binary as it is after program correction for them. Symbols
    then show their values, and patched parameter words are marked with ``*``.
    """
    image = code.image if values is None else corrected(code, values)
    changed = set(patched(code)) if values is not None else set()
    table = _symbol_values(code, values)
    manifest = code.manifest
    out = [f"kernel {code.name}, device {manifest['device']['name']}, grid {manifest.get('grid')}", ""]
    out.append("arguments:")
    for a in code.arguments:
        extra = [f"{k} {a[k]}" for k in ("dtype", "granularity", "upperbound", "value") if a.get(k) is not None]
        given = f" = {values[a['index']]:#x}" if values is not None else ""
        out.append(f"  {a['name']}: {', '.join([a['kind'], *extra])}{given}")
    out += ["", "symbols:"]
    for s in manifest.get("symbols", []):
        value = table.get(s["id"])
        out.append(f"  {s['id']:>4} = {s['expression']}" + (f" = {value} ({value:#x})" if value is not None else ""))
    out += ["", "job preparation plan:"] + [f"  {_command(c)}" for c in code.preparation]
    out += ["", "job execution plan:"] + [f"  {_command(c)}" for c in code.execution]
    out += ["", "memories: " + ", ".join(f"mem{k} = {m.name} ({m.scope})" for k, m in enumerate(image.memories))]
    out += [
        "",
        f"correction program ({len(image.correction)} instructions):",
        *_listing(image.correction, lambda w: None),
    ]
    out += ["", "sequencer:"]
    if image.sequencer_params:
        at = image.sequencer_params_offset
        out.append(f"    parameters: {_block(image.sequencer_params, at, changed)}")
    out += _listing(image.sequencer, lambda w: code.location(None, 0, w))
    for n, program in enumerate(image.programs):
        out += ["", f"program {n} {program.name}, {program.arguments} arguments"]
        for k, section in enumerate(program.sections):
            out += ["", f"  {image.kinds[section.kind]}, {len(section.units)} instances", *_blocks(section, changed)]
            out += _listing(section.code, lambda w, n=n, k=k: code.location(n, k, w), "    ")
    return "\n".join(out) + "\n"


def dump_json(code: SpyreCode, values: Sequence[int] | None = None) -> dict[str, Any]:
    """The same as one JSON object."""
    image = code.image if values is None else corrected(code, values)
    changed = set(patched(code)) if values is not None else set()
    table = _symbol_values(code, values)
    return {
        "kernel": code.name,
        "device": code.manifest["device"],
        "arguments": code.arguments,
        "symbols": [
            {**s, "value": table[s["id"]]} if s["id"] in table else s for s in code.manifest.get("symbols", [])
        ],
        "values": None if values is None else dict(zip((a["name"] for a in code.arguments), values, strict=True)),
        "preparation": [plan.to_json(c) for c in code.preparation],
        "execution": [plan.to_json(c) for c in code.execution],
        "memories": [{"name": m.name, "scope": m.scope} for m in image.memories],
        "correction": [format_instruction(i) for i in image.correction],
        "sequencer": [format_instruction(i) for i in image.sequencer],
        "sequencer_parameters": image.sequencer_params,
        "programs": [
            {
                "name": p.name,
                "arguments": p.arguments,
                "units": [
                    {
                        "kind": image.kinds[s.kind],
                        "instances": [
                            {
                                "core": image.units[u].core,
                                "corelet": image.units[u].corelet,
                                "parameters": b,
                                "patched": [w for w in range(len(b)) if s.block_offset(k) + 8 * w in changed],
                            }
                            for k, (u, b) in enumerate(zip(s.units, s.blocks, strict=True))
                        ],
                        "code": [format_instruction(i) for i in s.code],
                    }
                    for s in p.sections
                ],
            }
            for p in image.programs
        ],
    }


def _command(c: plan.Command) -> str:
    match c:
        case plan.Allocate(static, dynamic):
            return f"Allocate {static} bytes, {dynamic} per launch"
        case plan.InitTransfer(file, pointer, size):
            return f"InitTransfer {file} ({size} bytes) to {pointer:#x}"
        case plan.ComputeOnHost():
            return f"ComputeOnHost {len(c.hcm.get('layout', []))} symbols into '{c.ohandle}' ({c.size} bytes)"
        case plan.DataTransfer(to_host, handle, pointer, size):
            return f"DataTransfer '{handle}' ({size} bytes) {'from' if to_host else 'to'} {pointer:#x}"
        case plan.ComputeOnDevice(pointer, _):
            return f"ComputeOnDevice at {pointer:#x}"


def _symbol_values(code: SpyreCode, values: Sequence[int] | None) -> dict[int, int]:
    """Values of the symbols by id."""
    if values is None:
        return {}
    out: dict[int, int] = {}
    for c in code.execution:
        if isinstance(c, plan.ComputeOnHost):
            out |= {i: evaluate(e, values) for i, e in code.host_compute(c).symbols.items()}
    return out


def _blocks(section: Section, changed: set[int]) -> list[str]:
    return [
        f"    unit {u}: {_block(b, section.block_offset(k), changed)}"
        for k, (u, b) in enumerate(zip(section.units, section.blocks, strict=True))
    ]


def _block(words: Sequence[int], at: int, changed: set[int]) -> str:
    """Parameter words; those that the correction program writes carry a star."""
    return " ".join(f"{word}*" if at + 8 * k in changed else str(word) for k, word in enumerate(words))


def _listing(code: list[isa.Instruction], where: Any, lead: str = "  ") -> list[str]:
    lines, depth, word = [], 0, 0
    for i in code:
        if i.op in ("ENDLOOP", "ENDIF", "ELSE"):
            depth = max(0, depth - 1)
        text = f"{lead}{word:5}  {'  ' * depth}{format_instruction(i)}"
        place = where(word)
        lines.append(f"{text:<72}  ; {place}" if place else text)
        if i.op in ("LOOP", "IF", "ELSE"):
            depth += 1
        word += i.words
    return lines
