"""Assembly text to instructions and images; the inverse of :mod:`headrace.codegen.disassembler`.

Comments start with ``;`` or ``#``. Errors carry the line number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from headrace.codegen import isa
from headrace.codegen.image import SCOPES, Image, Memory, Program, Section, Unit
from headrace.codegen.operations import operation_code

_VOP = re.compile(r"VOP (\S+) \((.*?)\) = \((.*?)\) x (\d+)((?: \w+=\S+)*)$")
_SPLIT = re.compile(r",\s*(?![^\[]*\])")


class AssemblyError(Exception):
    """Text that is no assembly; the message begins with the line number."""


def assemble(text: str) -> list[isa.Instruction]:
    """Instructions of a code section, one a line. Raises :class:`AssemblyError`."""
    code = []
    for number, line in enumerate(text.splitlines(), 1):
        if stripped := _strip(line):
            code.append(_guard(number, _instruction, stripped))
    return code


def assemble_image(text: str) -> Image:
    """The image that :func:`headrace.codegen.disassembler.disassemble_image` wrote."""
    image = Image(b"", 0, [], [], [], [], [])
    target: list[isa.Instruction] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        stripped = _strip(line)
        if not stripped:
            continue
        if stripped.startswith("."):
            target = _guard(number, lambda s, t=target: _directive(image, s, t), stripped)
        elif target is None:
            raise AssemblyError(f"line {number}: instruction outside a section")
        else:
            target.append(_guard(number, _instruction, stripped))
    return image


def _strip(line: str) -> str:
    return re.split(r"\s*(?:;|(?<!\S)#)", line, maxsplit=1)[0].strip()


def _guard(number: int, parse: Callable[[str], Any], text: str) -> Any:
    try:
        return parse(text)
    except (ValueError, KeyError, IndexError, isa.IsaError) as e:
        raise AssemblyError(f"line {number}: cannot read '{text}': {e}") from None


def _directive(image: Image, text: str, target: list[isa.Instruction] | None) -> list[isa.Instruction] | None:
    word, *rest = text.split(maxsplit=1)
    tail = rest[0] if rest else ""
    keys = dict(re.findall(r"(\w+)=(-?\w+)", tail))
    match word:
        case ".image":
            if int(keys["version"]) != isa.VERSION:
                raise ValueError(f"version {keys['version']}")
            image.device_digest, image.correction_bytes = bytes.fromhex(keys["device"]), int(keys["correction"])
        case ".kind":
            image.kinds.append(tail.split(maxsplit=1)[1])
        case ".memory":
            name, scope = tail.split(maxsplit=1)[1].rsplit(maxsplit=1)
            if scope not in SCOPES:
                raise ValueError(f"unknown scope '{scope}'")
            image.memories.append(Memory(name, scope))
        case ".unit":
            image.units.append(Unit(int(keys["kind"]), int(keys["core"]), int(keys["corelet"])))
        case ".correction":
            return image.correction
        case ".sequencer":
            image.sequencer_params = _ints(tail)
            return image.sequencer
        case ".program":
            name = tail.split(maxsplit=1)[1].rsplit(maxsplit=1)[0]
            image.programs.append(Program(name, int(keys["arguments"]), []))
            return None
        case ".section":
            image.programs[-1].sections.append(Section(int(keys["kind"]), [], [], []))
            return image.programs[-1].sections[-1].code
        case ".instance":
            section = image.programs[-1].sections[-1]
            section.units.append(int(tail.split()[0]))
            section.blocks.append(_ints(tail))
        case _:
            raise ValueError("unknown directive")
    return target


def _ints(text: str) -> list[int]:
    return [int(x) for x in text[text.index("[") + 1 : text.index("]")].split()]


def _instruction(text: str) -> isa.Instruction:
    if text.startswith("VOP "):
        return _vop(text)
    name, *rest = text.split(maxsplit=1)
    op = isa.OPCODES.get(name)
    if op is None:
        raise ValueError("unknown mnemonic")
    parts = _SPLIT.split(rest[0]) if rest else []
    names = isa.TAILS[op.tail].names if op.tail else ()
    if len(parts) != len(op.fields) + len(names):
        raise ValueError(f"{op.name} takes {len(op.fields) + len(names)} operands")
    args: dict[str, Any] = {}
    for f, part in zip(op.fields, parts, strict=False):
        args[f.name] = _FIELD[f.kind](part)
    for key, part in zip(names, parts[len(op.fields) :], strict=True):
        args[key] = _TAIL[(op.tail or "", key)](part)
    return isa.Instruction(op.name, args)


def _prefixed(prefix: str) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch(prefix + r"\d+", text):
            raise ValueError(f"expected {prefix}N, found '{text}'")
        return int(text[len(prefix) :])

    return read


def _vtype(text: str) -> isa.VType:
    lanes, dtype = text.split("x", 1)
    isa.dtype_code(dtype)
    return isa.VType(dtype, int(lanes))


def _pred(text: str) -> str:
    if text not in isa.PREDICATES:
        raise ValueError(f"unknown predicate '{text}'")
    return text


_FIELD: dict[str, Callable[[str], Any]] = {
    "r": _prefixed("r"),
    "v": _prefixed("v"),
    "mem": _prefixed("mem"),
    "int": int,
    "vtype": _vtype,
    "pred": _pred,
}


def _items(text: str) -> list[str]:
    if not (text.startswith("[") and text.endswith("]")):
        raise ValueError(f"expected a list in brackets, found '{text}'")
    return text[1:-1].split()


def _xdim(text: str) -> isa.XferDim:
    extent, src, dst = text.split(":")
    if extent.startswith("r"):
        return isa.XferDim(int(extent[1:]), 0, int(src), int(dst))
    return isa.XferDim(None, int(extent), int(src), int(dst))


def _pair(text: str) -> tuple[int, int]:
    left, right = text.split(":")
    return int(left.lstrip("v")), int(right)


_TAIL: dict[tuple[str, str], Callable[[str], Any]] = {
    ("terms", "terms"): lambda t: tuple(isa.Term(*map(int, x[1:].split("*"))) for x in _items(t)),
    ("xdims", "dims"): lambda t: tuple(_xdim(x) for x in _items(t)),
    ("vdims", "dims"): lambda t: tuple(isa.VecDim(*_pair(x)) for x in _items(t)),
    ("bits", "bits"): lambda t: tuple(int(x, 16) for x in _items(t)),
    ("iota", "step"): int,
    ("iota", "repeat"): int,
    ("iota", "period"): int,
    ("shuffle", "sources"): lambda t: tuple(_pair(x) for x in _items(t)),
    ("shuffle", "indices"): lambda t: tuple(int(x) for x in _items(t)),
    ("patch", "src"): int,
}


def _vop(text: str) -> isa.Instruction:
    m = _VOP.match(text)
    if m is None:
        raise ValueError("malformed VOP")
    name, results, operands, lanes, params = m.groups()

    def regs(part: str) -> tuple[isa.TypedReg, ...]:
        out = []
        for item in filter(None, part.split(", ")):
            reg, dtype = item.split(":")
            isa.dtype_code(dtype)
            out.append(isa.TypedReg(_prefixed("v")(reg), dtype))
        return tuple(out)

    return isa.Instruction(
        "VOP",
        {
            "code": operation_code(name),
            "lanes": int(lanes),
            "results": regs(results),
            "operands": regs(operands),
            "params": {k: _param(v) for k, v in (p.split("=", 1) for p in params.split())},
        },
    )


def _param(text: str) -> int | float | bool | str:
    if text in ("True", "False"):
        return text == "True"
    if text.startswith('"'):
        return text.strip('"')
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    return float.fromhex(text)
