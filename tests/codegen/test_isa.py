"""Encoding, text form and image: exact round trips, and clear errors for bytes that are none of ours."""

from __future__ import annotations

import struct

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headrace.codegen import isa
from headrace.codegen.assembler import AssemblyError, assemble, assemble_image
from headrace.codegen.disassembler import disassemble, disassemble_image
from headrace.codegen.image import Image, ImageError, Memory, Program, Section, Unit
from headrace.codegen.isa import Instruction, IsaError, Term, TypedReg, VecDim, VType, XferDim
from headrace.numerics import semantics

REG = st.integers(0, isa.MAX_REGISTERS - 1)
I64 = st.integers(-(1 << 63), (1 << 63) - 1)
U64 = st.integers(0, (1 << 64) - 1)
VTYPE = st.builds(VType, st.sampled_from(isa.DTYPES), st.integers(1, 4096))
FIELD = {
    "r": REG,
    "v": REG,
    "mem": st.integers(0, (1 << 16) - 1),
    "vtype": VTYPE,
    "pred": st.sampled_from(isa.PREDICATES),
}
XDIM = st.one_of(
    st.builds(XferDim, st.none(), st.integers(0, 1 << 40), I64, I64), st.builds(XferDim, REG, st.just(0), I64, I64)
)
PARAM = st.one_of(I64, st.booleans(), st.floats(allow_nan=False), st.text("abcdefgh", min_size=1, max_size=8))


def tuples(element: st.SearchStrategy, lo: int = 0, hi: int = 6) -> st.SearchStrategy:
    return st.lists(element, min_size=lo, max_size=hi).map(tuple)


TYPED = st.builds(TypedReg, REG, st.sampled_from(isa.DTYPES))
TAIL = {
    "terms": {"terms": tuples(st.builds(Term, REG, I64))},
    "xdims": {"dims": tuples(XDIM, 1)},
    "vdims": {"dims": tuples(st.builds(VecDim, I64, I64), 1)},
    "vop": {
        "results": tuples(TYPED, 1, 2),
        "operands": tuples(TYPED),
        "params": st.dictionaries(st.sampled_from(isa.PARAMS), PARAM, max_size=3),
    },
    "bits": {"bits": tuples(U64, 1, 9)},
    "iota": {"step": I64, "repeat": I64, "period": I64},
    "shuffle": {
        "sources": tuples(st.tuples(REG, st.integers(0, 1 << 20)), 1, 3),
        "indices": tuples(st.integers(0, (1 << 32) - 1), 1, 9),
    },
    "patch": {"src": I64},
}


def width(place: str) -> st.SearchStrategy:
    if place == "imm":
        return I64
    if place in "abc":
        return st.integers(0, (1 << 16) - 1)
    lo, hi = place[4:-1].split(":")
    return st.integers(0, (1 << (int(hi) - int(lo))) - 1)


@st.composite
def instructions(draw: st.DrawFn) -> Instruction:
    op = draw(st.sampled_from(sorted(isa.OPCODES.values(), key=lambda o: o.code)))
    args = {f.name: draw(width(f.place) if f.kind == "int" else FIELD[f.kind]) for f in op.fields}
    if op.name == "VOP":
        args["code"] = semantics.get(draw(st.sampled_from(semantics.names()))).code
        args["lanes"] = draw(st.integers(1, 4096))
    for name, strategy in TAIL[op.tail].items() if op.tail else ():
        args[name] = draw(strategy)
    return Instruction(op.name, args)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(instructions(), max_size=8))
def test_binary_round_trip(code: list[Instruction]) -> None:
    assert isa.decode(isa.encode(code)) == code


@given(st.lists(instructions(), max_size=8))
def test_text_round_trip(code: list[Instruction]) -> None:
    assert assemble(disassemble(code)) == code


@given(st.binary(max_size=200))
def test_foreign_bytes_are_refused_or_decode(raw: bytes) -> None:
    try:
        isa.decode(raw)
    except IsaError as e:
        assert "byte" in str(e)


def test_opcode_numbers_are_unique_and_fit() -> None:
    assert len(isa.BY_CODE) == len(isa.OPCODES)
    assert all(0 < o.code < 0x80 for o in isa.OPCODES.values())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("LI r1, 5\nFROB r1", "line 2"),
        ("LI r1", "takes 2 operands"),
        ("LI v1, 5", "expected rN"),
        ("VOP math.frobnicate (v0:f16) = (v1:f16) x 64", "no unit executes 'math.frobnicate'"),
        ("CMP lt, r0, r1, r2", "unknown predicate"),
    ],
)
def test_assembly_errors(text: str, message: str) -> None:
    with pytest.raises(AssemblyError, match=message):
        assemble(text)


def test_comments_and_values_out_of_range() -> None:
    assert assemble("; nothing\n  LI r1, 5 ; five\n") == [Instruction("LI", {"rd": 1, "value": 5})]
    with pytest.raises(IsaError, match="does not fit 64 bits"):
        isa.encode_one(Instruction("LI", {"rd": 1, "value": 1 << 63}))


def image() -> Image:
    code = assemble(
        """
        PARAM r0, 3
        LI r1, 0
        LI r2, 4
        LI r3, 1
        LOOP r4, r1, r2, r3
          ADDR r5, r0, 0, [r4*128]
          VLD v0, mem0, r5, 64xf16, [64:2]
          VOP arith.addf (v1:f16) = (v0:f16, v0:f16) x 64
          VST v1, mem0, r5, 64xf16, [64:2]
        ENDLOOP
        HALT
        """
    )
    section = Section(0, [0, 1], [[0, 0, 0, 128], [1, 1, 0, 0]], code)
    patch = assemble("PATCH 8, 0, 0\nHALT")
    return Image(
        bytes(range(16)),
        128,
        ["ALU", "two words"],
        [Memory("DDR", "global"), Memory("L1", "core")],
        [Unit(0, 0, 0), Unit(0, 1, -1)],
        [Program("p0", 1, [section])],
        assemble("PARAM r0, 0\nCALL 0, r0, 1\nHALT"),
        [7],
        patch,
    )


def test_image_round_trip_in_bytes_and_text() -> None:
    raw = image().encode()
    decoded = Image.decode(raw)
    assert decoded.encode() == raw
    assert decoded.programs[0].sections[0].blocks == [[0, 0, 0, 128], [1, 1, 0, 0]]
    assert decoded.sequencer_params == [7]
    assert len(raw) % 128 == 0
    again = assemble_image(disassemble_image(decoded))
    assert again.encode() == raw


def test_patching_keeps_the_static_checksum() -> None:
    made = image()
    raw = bytearray(made.encode())
    section = made.programs[0].sections[0]
    struct.pack_into("<q", raw, section.block_offset(1) + 24, 4096)
    with pytest.raises(ImageError, match="checksum"):
        Image.decode(bytes(raw))
    assert Image.decode(bytes(raw), patched=True).programs[0].sections[0].blocks[1][3] == 4096


def test_damaged_images_are_refused() -> None:
    raw = image().encode()
    with pytest.raises(ImageError, match="HDRC"):
        Image.decode(b"x" * 256)
    with pytest.raises(ImageError, match="version 9"):
        Image.decode(raw[:4] + b"\x09\0" + raw[6:])
    with pytest.raises(ImageError, match="1024 are there"):
        Image.decode(raw[:-128])
    for at in range(128, len(raw), 97):
        damaged = bytearray(raw)
        damaged[at] ^= 0x40
        with pytest.raises(ImageError, match="checksum"):
            Image.decode(bytes(damaged))
