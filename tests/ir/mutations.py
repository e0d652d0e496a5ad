"""Grammar-aware mutations of valid texts, and the check every text must pass: a module or located diagnostics."""

# ruff: noqa: E501  (tables of fragments)
from __future__ import annotations

import functools
import random
import re
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from headrace.ir.context import make_context
from headrace.ir.diagnostics import HeadraceError, collecting
from headrace.ir.equal import difference
from headrace.ir.text import parse_module, print_module

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 2500
"""Characters of a seed; longer texts make slow tests and find nothing that short ones do not."""
SECONDS = 60
"""Processor time after which a text counts as a hang."""
MEMORY = 3 << 30
"""Bytes of address space a text may add."""

_TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|[%@#!^][\w$.-]+|[A-Za-z_][\w$.]*|0x[0-9A-Fa-f]+|\d+(?:\.\d*(?:[eE][+-]?\d+)?)?|->|[^\s\w]'
)
_NUMBERS = (
    "0", "1", "-1", "2", "7", "63", "64", "255", "32768", "2147483647", "2147483648", "4294967296", "1000000000",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551616", "1" + "0" * 40, "9" * 5000, "0xFFFFFFFFFFFFFFFFFFFF", "0x", "1.0", "1.0e400", "-0.0",
    "1e5", "1.0e-400", "0x7FC0", "true", "?", "*",
)  # fmt: skip
_TYPES = (
    "index", "i1", "i0", "i32", "si8", "ui64", "i16777215", "i16777216", "f16", "bf16", "f32", "f64", "f8E4M3FN", "none",
    "tensor<4xf16>", "tensor<?x4xf16>", "tensor<*xf32>", "tensor<0xf32>", "tensor<1000000000x1000000000xf32>",
    "memref<4xf16>", "memref<?x?xf32, strided<[?, 1], offset: ?>>", "memref<*xf16>", "memref<4x4xf16, 1>",
    "memref<4xf32, affine_map<(d0) -> (d0 * 2)>>", "vector<4xf16>", "vector<[4]xi1>", "vector<f32>", "tuple<>",
    "tuple<i1, tuple<f32>>", "complex<f32>", "(i1) -> i1", "() -> ()", "!ktdp.access_tile<4xindex>",
    "!ktdp.access_tile<?x?xindex>", "!ktdp.runtime_arg<index, granularity=8>", "!no.such", "!no.such<1>", "!alias",
    "tensor<4x!ktdp.access_tile<1xindex>>", "!ktdf.token", "!dataflow.unit", "!uniform.val", "!symbol.sym",
)  # fmt: skip
_ATTRIBUTES = (
    "1", "unit", '"text"', "[]", "{}", "[1, 2.0, [\"a\"]]", "{a, b = 1}", "@f", "@f::@g", "affine_map<() -> ()>",
    "affine_map<(d0)[s0] -> (d0 + s0 floordiv 3, d0 mod 2)>", "affine_set<(d0) : (d0 >= 0)>", "affine_set<() : ()>",
    "affine_map<(d0) -> (d0 * d0)>", "affine_map<(d0) -> (d0 floordiv 0)>", "dense<0> : tensor<4xi32>",
    "dense<0.0> : tensor<1000000000xf32>", "dense<[1, 2]> : tensor<3xi32>", "dense<> : tensor<0xi1>",
    'dense<"0x00"> : tensor<1000000000xi8>', "dense<true> : tensor<100000x100000xi1>", "dense<1> : tensor<?xi1>",
    "array<i64: 1, 2>", "array<i1>", "array<i8: 999>", "1 : i1", "300 : i8", "1.0 : f16", "0x7FC0 : bf16", "-1 : index",
    "dense_resource<k> : tensor<4xf32>", "opaque<\"a\", \"b\">", "strided<[1, ?], offset: 3>", "loc(unknown)",
    "loc(fused[\"a\", \"b\":1:2])", "loc(callsite(\"a\" at \"b\"))", "#no.such", "#no.such<1>", "#alias", "i32",
    "#ktdp.memory_space<HBM>", "#ktdp.spyre_memory_space<LX, core = 3>", "#arith.overflow<nsw>", "true", "false",
    "#linalg.iterator_type<parallel>", "#builtin.no", "distinct[0]<1>", "sparse<1, 2> : tensor<4xi1>", "1 : tensor<1xi1>",
)  # fmt: skip
_CHARACTERS = "\0\t\n\x0b\x1b \"'`~$&;\\@#%^!<>(){}[]=-+*/|?:,.xX0é²١中\u2028\U0001f600\ufeff"


@functools.cache
def _context() -> Any:
    return make_context()


@functools.cache
def texts() -> tuple[tuple[str, bool], ...]:
    """(text, whether it is accepted): every piece of the seed files that is short enough, long ones by function."""
    files = [*sorted((ROOT / "lit").rglob("*.mlir")), *sorted((ROOT / "corpus").rglob("*.mlir"))]
    files += sorted((ROOT.parent / "headrace" / "arch" / "devices").glob("*.mlir"))
    found: dict[str, bool] = {}
    for file in files:
        for piece in re.split(r"^// -----.*$", file.read_text(), flags=re.MULTILINE):
            piece = re.sub(r"^\s*//[^\n]*\n", "", piece, flags=re.MULTILINE).strip()
            try:
                module = parse_module(piece, ctx=_context())
            except HeadraceError:
                module = None
            if module is not None:
                for op in module.body.block.ops:
                    found.setdefault(print_module(op), True)
            found.setdefault(piece, module is not None)
    return tuple((text, accepted) for text, accepted in found.items() if text and len(text) <= LONGEST)


@functools.cache
def seeds(dialect: str, accepted: bool = True) -> tuple[str, ...]:
    """Accepted (or refused) texts in which operations, types or attributes of a dialect occur."""
    pattern = re.compile(r"module|tensor|memref|attributes" if dialect == "builtin" else rf"\b{dialect}\.")
    found = tuple(text for text, good in texts() if good is accepted and pattern.search(text))
    return found or tuple(text for text, good in texts() if good is accepted)


@functools.cache
def _pool(dialect: str) -> tuple[str, ...]:
    """Tokens of the seeds of a dialect."""
    return tuple(sorted({token for text in seeds(dialect) for token in _TOKEN.findall(text) if token[:2] != "//"}))


def mutate(dialect: str, number: int) -> str:
    """Mutant `number` of the seeds of a dialect; the same for the same arguments."""
    draw = random.Random(f"{dialect} {number}")
    refused = seeds(dialect, False)
    text = draw.choice(refused if refused and draw.random() < 0.15 else seeds(dialect))
    for _ in range(draw.choice((1, 1, 1, 1, 2, 3))):
        text = draw.choice(_MUTATIONS)(draw, dialect, text)
    return text


# ---- mutations ------------------------------------------------------------------------------------------------------


def _spans(text: str, pattern: re.Pattern[str] = _TOKEN) -> list[tuple[int, int]]:
    return [match.span() for match in pattern.finditer(text) if not match[0].startswith("//")] or [(0, 0)]


def _put(text: str, span: tuple[int, int], new: str) -> str:
    return text[: span[0]] + new + text[span[1] :]


def _delete(draw: random.Random, dialect: str, text: str) -> str:
    return _put(text, draw.choice(_spans(text)), "")


def _double(draw: random.Random, dialect: str, text: str) -> str:
    a, b = draw.choice(_spans(text))
    return _put(text, (b, b), draw.choice(("", " ", ", ")) + text[a:b])


def _swap(draw: random.Random, dialect: str, text: str) -> str:
    spans = _spans(text)
    at = draw.randrange(len(spans))
    other = at + 1 if draw.random() < 0.6 else draw.randrange(len(spans))
    if other >= len(spans) or other == at:
        return text
    (a, b), (c, d) = sorted((spans[at], spans[other]))
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def _replace(draw: random.Random, dialect: str, text: str) -> str:
    a, b = draw.choice(_spans(text))
    pool = _pool(dialect)
    same = [token for token in pool if token[0] == text[a : a + 1] or token[0].isalpha() == text[a : a + 1].isalpha()]
    return _put(text, (a, b), draw.choice(same or pool))


_NUMBER = re.compile(r"(?<![\w%#^@.])-?\d+(?:\.\d+)?|\d+(?=x)|(?<=x)\d+")
_TYPE = re.compile(r"(?:tensor|memref|vector|![\w.]+)<[^<>\n]*(?:<[^<>\n]*>[^<>\n]*)*>|\b(?:index|[su]?i\d+|b?f\d+)\b")
_ENTRY = re.compile(r"\b[a-zA-Z_.]+ = (?:\"[^\"\n]*\"|[^,{}\n\"<>\[\]]+|\[[^\[\]\n]*\]|[\w#.]+<[^\n]*?>)(?=[,}\s])(?:, )?")
_NAME = re.compile(r"\b[a-z_]+\.[a-z_]+(?:\.[a-z_]+)*")
_BRACKET = re.compile(r"[<>(){}\[\]\"]")


def _number(draw: random.Random, dialect: str, text: str) -> str:
    return _put(text, draw.choice(_spans(text, _NUMBER)), draw.choice(_NUMBERS))


def _type(draw: random.Random, dialect: str, text: str) -> str:
    span = draw.choice(_spans(text, _TYPE))
    if draw.random() < 0.5:
        other = draw.choice(_spans(text, _TYPE))
        return _put(text, span, text[other[0] : other[1]])
    return _put(text, span, draw.choice(_TYPES))


def _attribute(draw: random.Random, dialect: str, text: str) -> str:
    span = draw.choice(_spans(text, _ENTRY))
    name = text[span[0] : span[1]].partition(" = ")[0]
    tail = ", " if text[span[0] : span[1]].endswith(", ") else ""
    return _put(text, span, f"{name} = {draw.choice(_ATTRIBUTES)}{tail}")


def _drop_attribute(draw: random.Random, dialect: str, text: str) -> str:
    return _put(text, draw.choice(_spans(text, _ENTRY)), "")


def _misspell(draw: random.Random, dialect: str, text: str) -> str:
    a, b = draw.choice(_spans(text, _NAME))
    at = draw.randrange(a, max(b, a + 1))
    letter = text[at : at + 1]
    return _put(text, (at, at + 1), draw.choice(("", letter * 2, letter.upper(), ".", "x")))


def _unbalance(draw: random.Random, dialect: str, text: str) -> str:
    span = draw.choice(_spans(text, _BRACKET))
    return _put(text, span, draw.choice(("", text[span[0] : span[1]] * 2, draw.choice('<>(){}[]"'))))


def _nest(draw: random.Random, dialect: str, text: str) -> str:
    depth = draw.choice((3, 50, 400, 3000))
    opening, closing = draw.choice(
        (("(", ")"), ("[", "]"), ("{a = ", "}"), ("<", ">"), ("tuple<", ">"), ("-", ""), ("() -> (", ")"), ("[", ""),
         ("loc(", ")"), ("affine_map<() -> (", ")>"), ("module {\n", "}\n"), ('"a.b"() ({\n', "}) : () -> ()\n"),
         ("complex<", ">"), ("memref<", "xf32>"), ("#a<", ">"), ("dense<[", "]>"), ("callsite(", ""), ("scf.execute_region {", "}"))
    )  # fmt: skip
    span = draw.choice(_spans(text))
    inner = text[span[0] : span[1]]
    if opening[0] in "ms\"" and draw.random() < 0.7:
        return opening * depth + text + closing * depth
    return _put(text, span, opening * depth + inner + closing * depth)


def _characters(draw: random.Random, dialect: str, text: str) -> str:
    at = draw.randrange(len(text) + 1)
    new = "".join(draw.choice(_CHARACTERS) for _ in range(draw.choice((1, 1, 2, 8))))
    return _put(text, (at, min(len(text), at + draw.choice((0, 1, 3)))), new)


def _alias(draw: random.Random, dialect: str, text: str) -> str:
    span = draw.choice(_spans(text, draw.choice((_TYPE, _ENTRY))))
    old = text[span[0] : span[1]]
    name, equals, _ = old.partition(" = ")
    mark = "#" if equals else "!"
    use = f"{name} = #z0" if equals else "!z0"
    size = draw.choice((1, 2, 3, 200))
    ring = draw.random() < 0.5
    last = draw.choice(_ATTRIBUTES if equals else _TYPES)
    lines = [f"{mark}z{i} = {mark}z{i + 1 if i + 1 < size else 0}" for i in range(size)]
    if not ring:
        lines[-1] = f"{mark}z{size - 1} = {last}"
    definitions = "\n".join(lines) + "\n"
    changed = _put(text, span, use)
    return definitions + changed if draw.random() < 0.5 else changed + "\n" + definitions


def _lines(draw: random.Random, dialect: str, text: str) -> str:
    lines = text.split("\n")
    a, b = draw.randrange(len(lines)), draw.randrange(len(lines))
    kind = draw.randrange(4)
    if kind == 0:
        del lines[a]
    elif kind == 1:
        lines.insert(b, lines[a])
    elif kind == 2:
        lines[a], lines[b] = lines[b], lines[a]
    else:
        lines[a:a] = draw.choice(seeds(dialect)).split("\n")[: draw.randrange(1, 6)]
    return "\n".join(lines)


def _cut(draw: random.Random, dialect: str, text: str) -> str:
    return text[: draw.randrange(len(text) + 1)]


def _generic(draw: random.Random, dialect: str, text: str) -> str:
    """The generic form, whose operands, types and properties nothing infers."""
    try:
        return print_module(parse_module(text, ctx=_context(), verify=False), generic=True)
    except (HeadraceError, MemoryError):
        return text


_MUTATIONS: tuple[Any, ...] = (
    _delete, _delete, _double, _swap, _swap, _replace, _replace, _replace, _number, _number, _number, _type, _type, _type,
    _attribute, _attribute, _attribute, _drop_attribute, _drop_attribute, _misspell, _unbalance, _nest, _characters, _alias,
    _lines, _cut, _generic, _generic,
)  # fmt: skip


# ---- the check ------------------------------------------------------------------------------------------------------


class Hang(BaseException):
    """A text took more processor time than any text may."""


@contextmanager
def limits() -> Iterator[None]:
    """Processor time and memory that one text may take."""

    def stop(signum: int, frame: Any) -> None:
        raise Hang

    def size() -> int:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()

    old = signal.signal(signal.SIGVTALRM, stop)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (size() + MEMORY, hard))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.signal(signal.SIGVTALRM, old)


def check(text: str) -> bool:
    """Whether the text is accepted. A refused one has located errors, an accepted one survives printing."""
    with limits(), collecting():
        try:
            module = parse_module(text, "mutant.mlir", ctx=_context())
        except HeadraceError as refused:
            errors = [item for item in refused.diagnostics if item.severity == "error"]
            assert errors, "refused without an error"
            for item in errors:
                assert item.loc is not None, f"error without a place: {item.message}"
                assert item.message.strip(), "error without a message"
            str(refused)
            return False
        printed = print_module(module)
        again = _again(printed, "printed form")
        assert (found := difference(module, again)) is None, f"reads back differently: {found}"
        assert print_module(again) == printed, "printing is no fixed point"
        again = _again(print_module(module, generic=True), "generic form")
        assert (found := difference(module, again)) is None, f"generic form reads back differently: {found}"
        return True


def _again(printed: str, what: str) -> Any:
    try:
        return parse_module(printed, "printed.mlir", ctx=_context())
    except HeadraceError as refused:
        raise AssertionError(f"{what} is refused: {refused}") from refused
