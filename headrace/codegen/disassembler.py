"""Assembly text of instructions, code sections and whole images.

Text of an instruction: mnemonic, then its fields in the order of the opcode table, then its extra words. Vector
operations are written with the name of the operation (``VOP arith.addf (v2:f16) = (v0:f16, v1:f16) x 64``),
everything else with plain numbers, so :mod:`headrace.codegen.assembler` needs nothing but the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headrace.codegen import isa

if TYPE_CHECKING:
    from headrace.codegen.image import Image

_PREFIX = {"r": "r", "v": "v", "mem": "mem"}


def format_instruction(i: isa.Instruction) -> str:
    """Assembly text of one instruction, without indentation or comment."""
    op = i.opcode
    if op.name == "VOP":
        return _format_vop(i)
    parts = []
    for f in op.fields:
        value = i[f.name]
        parts.append(f"{_PREFIX[f.kind]}{value}" if f.kind in _PREFIX else str(value))
    parts += _format_tail(i)
    return op.name + (" " + ", ".join(parts) if parts else "")


def _format_tail(i: isa.Instruction) -> list[str]:
    match i.opcode.tail:
        case "terms":
            return [f"[{' '.join(f'r{t.reg}*{t.stride}' for t in i['terms'])}]"]
        case "xdims":
            dims = (f"{d.extent if d.reg is None else f'r{d.reg}'}:{d.src_stride}:{d.dst_stride}" for d in i["dims"])
            return [f"[{' '.join(dims)}]"]
        case "vdims":
            return [f"[{' '.join(f'{d.extent}:{d.stride}' for d in i['dims'])}]"]
        case "bits":
            return [f"[{' '.join(f'0x{x:x}' for x in i['bits'])}]"]
        case "iota":
            return [str(i[key]) for key in ("step", "repeat", "period")]
        case "shuffle":
            return [
                f"[{' '.join(f'v{reg}:{lanes}' for reg, lanes in i['sources'])}]",
                f"[{' '.join(str(x) for x in i['indices'])}]",
            ]
        case "patch":
            return [str(i["src"])]
        case _:
            return []


def _format_vop(i: isa.Instruction) -> str:
    from headrace.codegen.operations import operation_name

    def regs(values: Any) -> str:
        return "(" + ", ".join(f"v{r.reg}:{r.dtype}" for r in values) + ")"

    params = "".join(f" {k}={_param_text(v)}" for k, v in i["params"].items())
    return f"VOP {operation_name(i['code'])} {regs(i['results'])} = {regs(i['operands'])} x {i['lanes']}{params}"


def _param_text(value: Any) -> str:
    if isinstance(value, float):
        return value.hex()
    return f'"{value}"' if isinstance(value, str) else str(value)


def disassemble(instructions: list[isa.Instruction], indent: str = "  ") -> str:
    """Text of a code section, one instruction a line, bodies of LOOP and IF indented."""
    lines = []
    depth = 0
    for i in instructions:
        if i.op in ("ENDLOOP", "ENDIF", "ELSE"):
            depth = max(0, depth - 1)
        lines.append(indent * (depth + 1) + format_instruction(i))
        if i.op in ("LOOP", "IF", "ELSE"):
            depth += 1
    return "\n".join(lines) + ("\n" if lines else "")


def disassemble_image(image: Image) -> str:
    """Text of a whole image: tables, correction program, sequencer, and per program one section a unit kind.

    Vector registers and memories are plain numbers; the ``.memory`` lines at the top name the memories.
    """
    out = [f".image version={isa.VERSION} device={image.device_digest.hex()} correction={image.correction_bytes}"]
    out += [f".kind {k} {name}" for k, name in enumerate(image.kinds)]
    out += [f".memory {k} {m.name} {m.scope}" for k, m in enumerate(image.memories)]
    out += [f".unit {k} kind={u.kind} core={u.core} corelet={u.corelet}" for k, u in enumerate(image.units)]
    text = "\n".join(out) + "\n\n.correction\n" + disassemble(image.correction)
    text += "\n.sequencer params=[" + " ".join(str(x) for x in image.sequencer_params) + "]\n"
    text += disassemble(image.sequencer)
    for n, program in enumerate(image.programs):
        text += f"\n.program {n} {program.name} arguments={program.arguments}\n"
        for section in program.sections:
            text += f".section kind={section.kind}\n"
            for unit, block in zip(section.units, section.blocks, strict=True):
                text += f".instance {unit} [" + " ".join(str(x) for x in block) + "]\n"
            text += disassemble(section.code)
    return text
