"""What is in a SpyreCode: job plans, symbols with expressions, programs per unit. Text and JSON."""

from __future__ import annotations

from typing import Any

from headrace.codegen import isa, plan
from headrace.codegen.disassembler import format_instruction
from headrace.codegen.image import Section
from headrace.codegen.spyrecode import SpyreCode


def dump_text(code: SpyreCode) -> str:
    """Readable dump. Instructions carry their word number and, where known, the source location they come from."""
    image = code.image
    manifest = code.manifest
    out = [f"kernel {code.name}, device {manifest['device']['name']}, grid {manifest.get('grid')}", ""]
    out.append("arguments:")
    for a in code.arguments:
        extra = [f"{k} {a[k]}" for k in ("dtype", "granularity", "upperbound") if a.get(k) is not None]
        out.append(f"  {a['name']}: {', '.join([a['kind'], *extra])}")
    out += ["", "symbols:"] + [f"  {s['id']:>4} = {s['expression']}" for s in manifest.get("symbols", [])]
    out += ["", "job preparation plan:"] + [f"  {_command(c)}" for c in code.preparation]
    out += ["", "job execution plan:"] + [f"  {_command(c)}" for c in code.execution]
    out += ["", "memories: " + ", ".join(f"mem{k} = {m.name} ({m.scope})" for k, m in enumerate(image.memories))]
    out += [
        "",
        f"correction program ({len(image.correction)} instructions):",
        *_listing(image.correction, lambda w: None),
    ]
    out += ["", "sequencer:", *_listing(image.sequencer, lambda w: code.location(None, 0, w))]
    for n, program in enumerate(image.programs):
        out += ["", f"program {n} {program.name}, {program.arguments} arguments"]
        for k, section in enumerate(program.sections):
            out += ["", f"  {image.kinds[section.kind]}, {len(section.units)} instances", *_blocks(section)]
            out += _listing(section.code, lambda w, n=n, k=k: code.location(n, k, w), "    ")
    return "\n".join(out) + "\n"


def dump_json(code: SpyreCode) -> dict[str, Any]:
    """The same as one JSON object."""
    image = code.image
    return {
        "kernel": code.name,
        "device": code.manifest["device"],
        "arguments": code.arguments,
        "symbols": code.manifest.get("symbols", []),
        "preparation": [plan.to_json(c) for c in code.preparation],
        "execution": [plan.to_json(c) for c in code.execution],
        "memories": [{"name": m.name, "scope": m.scope} for m in image.memories],
        "correction": [format_instruction(i) for i in image.correction],
        "sequencer": [format_instruction(i) for i in image.sequencer],
        "programs": [
            {
                "name": p.name,
                "arguments": p.arguments,
                "units": [
                    {
                        "kind": image.kinds[s.kind],
                        "instances": [
                            {"core": image.units[u].core, "corelet": image.units[u].corelet, "parameters": b}
                            for u, b in zip(s.units, s.blocks, strict=True)
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


def _blocks(section: Section) -> list[str]:
    return [f"    unit {u}: {' '.join(map(str, b))}" for u, b in zip(section.units, section.blocks, strict=True)]


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
