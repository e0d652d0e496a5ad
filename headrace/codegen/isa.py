"""The instruction set of the units, as data.

One table, :data:`OPCODES`, says for every instruction where its fields sit in the binary word, and in which order they
are written in assembly. The encoder, the decoder, the assembler, the disassembler and the simulated device all read it.

An instruction is a 16-byte word ``{u8 opcode, u8 ext, u16 a, u16 b, u16 c, i64 imm}`` (little endian) followed by
``ext`` further 16-byte words. ``ext`` is in the word, so a decoder can skip what it does not know. ``docs/isa.md`` is
the prose.

>>> raw = encode([Instruction("LI", {"rd": 1, "value": 5}), Instruction("HALT", {})])
>>> [str(i) for i in decode(raw)]
['LI r1, 5', 'HALT']
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

VERSION = 1
"""Version of the encoding; a device refuses any other."""

WORD = 16
"""Bytes of an instruction word."""

MAX_REGISTERS = 1 << 16
"""Scalar registers ``r0..`` and vector registers ``v0..`` a program may name (each)."""

DTYPES: tuple[str, ...] = ("f16", "bf16", "df16", "f32", "f64", "i1", "i8", "i16", "i32", "i64", "index")
"""Element types; the position is the code in the binary."""

PREDICATES: tuple[str, ...] = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""Integer comparisons of ``CMP``, in the numbering of ``arith.cmpi``."""

_HEAD = struct.Struct("<BBHHHq")
_I64 = struct.Struct("<qq")
_IOTA = struct.Struct("<qqqq")


class IsaError(Exception):
    """A word that is no instruction, or a value that does not fit its field. The message says which."""


class VType(NamedTuple):
    """Type of a vector register: element type and number of elements. Text ``64xf16``."""

    dtype: str
    lanes: int

    def __str__(self) -> str:
        return f"{self.lanes}x{self.dtype}"


class Term(NamedTuple):
    """One term ``reg * stride`` of an address; ``stride`` in bytes."""

    reg: int
    stride: int


class XferDim(NamedTuple):
    """One dimension of a transfer box, outermost first. ``reg`` is None for a static ``extent``; strides in bytes."""

    reg: int | None
    extent: int
    src_stride: int
    dst_stride: int


class VecDim(NamedTuple):
    """One dimension of a vector access, outermost first: elements and distance in bytes."""

    extent: int
    stride: int


class TypedReg(NamedTuple):
    """A vector register with the element type it holds."""

    reg: int
    dtype: str


@dataclass(frozen=True)
class Field:
    """A field of the instruction word.

    ``kind``: ``r`` scalar register, ``v`` vector register, ``int`` integer, ``mem`` memory number, ``vtype`` a
    :class:`VType`, ``pred`` a name of :data:`PREDICATES`. ``place``: ``a``, ``b``, ``c`` (u16), ``imm`` (i64) or
    ``imm[lo:hi]`` (unsigned bits of it).
    """

    name: str
    kind: str
    place: str


@dataclass(frozen=True)
class Opcode:
    """One instruction: mnemonic, number, fields in text order, and the codec of its extra words (key of
    :data:`TAILS`)."""

    name: str
    code: int
    fields: tuple[Field, ...]
    tail: str | None = None
    group: str = "scalar"
    doc: str = ""


@dataclass(frozen=True)
class Instruction:
    """An instruction: mnemonic and values of its fields by name (tail values under the names of the tail)."""

    op: str
    args: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        return self.args[name]

    @property
    def opcode(self) -> Opcode:
        """The table entry."""
        return OPCODES[self.op]

    @property
    def words(self) -> int:
        """Number of 16-byte words it takes."""
        return 1 + len(_tail_bytes(self)) // WORD

    def __str__(self) -> str:
        return format_instruction(self)


def _f(spec: str) -> tuple[Field, ...]:
    """Fields from ``"name:kind@place ..."``."""
    fields = []
    for part in spec.split():
        name, rest = part.split(":", 1)
        kind, place = rest.split("@")
        fields.append(Field(name, kind, place))
    return tuple(fields)


_VT = "type:vtype@imm"
_BINARY = "rd:r@a ra:r@b rb:r@c"
_TABLE: list[Opcode] = []


def _op(code: int, name: str, group: str, fields: str, doc: str, tail: str | None = None) -> None:
    _TABLE.append(Opcode(name, code, _f(fields), tail, group, doc))


# -- scalar: 64-bit two's complement, wrapping -----------------------------------------------------------------------
_op(0x01, "LI", "scalar", "rd:r@a value:int@imm", "rd = value")
_op(0x02, "PARAM", "scalar", "rd:r@a index:int@imm", "rd = word `index` of the parameter block of this instance")
_op(0x03, "ARG", "scalar", "rd:r@a index:int@imm", "rd = argument `index` of the CALL that runs this program")
_op(0x04, "ARGX", "scalar", "rd:r@a ra:r@b", "rd = argument number `ra` of the CALL that runs this program")
_op(0x05, "MOV", "scalar", "rd:r@a ra:r@b", "rd = ra")
for _i, (_name, _doc) in enumerate(
    [
        ("ADD", "rd = ra + rb"),
        ("SUB", "rd = ra - rb"),
        ("MUL", "rd = ra * rb"),
        ("DIVS", "signed division, rounds to zero; division by zero is a fault"),
        ("REMS", "signed remainder (sign of ra)"),
        ("DIVU", "unsigned division"),
        ("REMU", "unsigned remainder"),
        ("FLOORDIVS", "signed division, rounds down"),
        ("CEILDIVS", "signed division, rounds up"),
        ("CEILDIVU", "unsigned division, rounds up"),
        ("DIVX", "exact division: a remainder is a fault (a misaligned address)"),
        ("MINS", "signed minimum"),
        ("MAXS", "signed maximum"),
        ("MINU", "unsigned minimum"),
        ("MAXU", "unsigned maximum"),
        ("AND", "bitwise and"),
        ("OR", "bitwise or"),
        ("XOR", "bitwise exclusive or"),
        ("SHL", "shift left by rb (0..63)"),
        ("SHRS", "arithmetic shift right by rb (0..63)"),
        ("SHRU", "logical shift right by rb (0..63)"),
    ]
):
    _op(0x10 + _i, _name, "scalar", _BINARY, _doc)
_op(0x30, "CMP", "scalar", "pred:pred@imm rd:r@a ra:r@b rb:r@c", "rd = 1 if `ra pred rb` else 0")
_op(0x31, "SEL", "scalar", "rd:r@a cond:r@b rt:r@c rf:r@imm", "rd = rt if cond is not 0 else rf")
_op(0x32, "ADDR", "scalar", "rd:r@a base:r@b disp:int@imm", "rd = base + disp + sum(term.reg * term.stride)", "terms")
# -- control ---------------------------------------------------------------------------------------------------------
_op(
    0x38,
    "LOOP",
    "control",
    "iv:r@a lb:r@b ub:r@c step:r@imm",
    "for (iv = lb; iv < ub; iv += step), signed; bounds are read once, step > 0; ends at the matching ENDLOOP",
)
_op(0x39, "ENDLOOP", "control", "", "end of the innermost LOOP")
_op(0x3A, "IF", "control", "cond:r@a", "runs up to ELSE/ENDIF if cond is not 0, else from ELSE (if any) to ENDIF")
_op(0x3B, "ELSE", "control", "", "")
_op(0x3C, "ENDIF", "control", "", "")
_op(0x3D, "HALT", "control", "", "end of the program (unit, correction program or sequencer)")
# -- sequencer and correction program --------------------------------------------------------------------------------
_op(
    0x40,
    "CALL",
    "sequencer",
    "program:int@a first:r@b count:int@c",
    "run program number `program` to its end with arguments r[first .. first+count)",
)
_op(
    0x41,
    "PATCH",
    "correction",
    "width:int@a dst:int@imm",
    "copy `width` bytes from offset `src` of the correction region to offset `dst` of the image",
    "patch",
)
# -- memory ----------------------------------------------------------------------------------------------------------
_op(
    0x50,
    "XFER",
    "memory",
    "src_mem:mem@imm[0:16] src:r@a dst_mem:mem@imm[16:32] dst:r@b bytes:int@imm[32:48]",
    "copy a box of elements of `bytes` bytes from src_mem[src] to dst_mem[dst]; dims outermost first",
    "xdims",
)
_op(
    0x51,
    "VLD",
    "memory",
    f"vd:v@a mem:mem@c address:r@b {_VT}",
    "vd = elements at mem[address]; lanes are row-major over dims (innermost last), product of extents = lanes",
    "vdims",
)
_op(0x52, "VST", "memory", f"va:v@a mem:mem@c address:r@b {_VT}", "mem[address] = elements of va, as VLD", "vdims")
# -- links -----------------------------------------------------------------------------------------------------------
_op(0x58, "SEND", "link", f"va:v@a peer:r@b {_VT}", "append va to the FIFO (this unit -> unit number peer)")
_op(0x59, "RECV", "link", f"vd:v@a peer:r@b {_VT}", "take the oldest item of the FIFO (peer -> this unit)")
_op(0x5A, "SIGNAL", "link", "peer:r@a id:int@imm", "after own transfers are complete, counter (this, peer, id) += 1")
_op(0x5B, "WAIT", "link", "peer:r@a id:int@imm", "wait until counter (peer, this, id) > 0, then -= 1")
# -- vector ----------------------------------------------------------------------------------------------------------
_op(0x60, "VMOV", "vector", f"vd:v@a va:v@b {_VT}", "vd = va (renames; free)")
_op(
    0x61,
    "VOP",
    "vector",
    "code:int@c lanes:int@imm",
    "elementwise operation `code` (numbers of the scalar semantics table) on `lanes` elements",
    "vop",
)
_op(0x62, "VCONST", "vector", f"vd:v@a {_VT}", "vd[k] = bits[k mod len(bits)], raw storage patterns", "bits")
_op(
    0x63,
    "VIOTA",
    "vector",
    f"vd:v@a base:r@b {_VT}",
    "vd[k] = base + step * ((k div repeat) mod period), an integer or index type",
    "iota",
)
_op(
    0x64,
    "VSHUF",
    "vector",
    f"vd:v@a {_VT}",
    "vd[k] = (sources concatenated)[indices[k mod len(indices)]]; sources have the element type of vd",
    "shuffle",
)
_op(
    0x65,
    "VGET",
    "vector",
    f"rd:r@a va:v@b lane:r@c {_VT}",
    "rd = element `lane` of va, an integer type, sign-extended (waits for va): an index on its way into an address",
)

# -- matrix ----------------------------------------------------------------------------------------------------------
_op(0x70, "MCFG", "matrix", "k:int@a n:int@b rows:int@c", "shape of blocks and accumulators; must be the unit's own")
_op(0x71, "MFILL", "matrix", f"va:v@a row:int@b {_VT}", "row `row` of the shadow block = va, zeros behind it")
_op(
    0x72,
    "MFILLT",
    "matrix",
    f"va:v@a column:int@b columns:int@c {_VT}",
    "columns [column, column + columns) of the shadow block = va, column by column, zeros below",
)
_op(0x73, "MSWAP", "matrix", "", "use the shadow block once it is filled; the new shadow block is all zeros")
_op(
    0x74,
    "MMUL",
    "matrix",
    f"va:v@a row:r@b rows:int@c {_VT}",
    "acc[row + i] += x[i] . W for `rows` rows x of va, k ascending, products and sums each rounded to f32",
)
_op(0x75, "MMULT", "matrix", f"va:v@a row:r@b rows:int@c {_VT}", "as MMUL, va holding k rows of `rows` elements")
_op(0x76, "MCLR", "matrix", "rows:int@a", "acc[0 .. rows) = 0")
_op(0x77, "MLD", "matrix", f"va:v@a row:r@b {_VT}", "first elements of acc[row] = va")
_op(0x78, "MRD", "matrix", f"vd:v@a row:r@b {_VT}", "vd = first elements of acc[row]")

OPCODES: dict[str, Opcode] = {o.name: o for o in _TABLE}
"""Mnemonic -> table entry."""

BY_CODE: dict[int, Opcode] = {o.code: o for o in _TABLE}
"""Number in the binary -> table entry. Numbers 0x79..0x7F are reserved for matrix steps."""

PARAMS: tuple[str, ...] = (
    "predicate",
    "beta",
    "threshold",
    "eps",
    "alpha",
    "min",
    "max",
    "approximate",
    "negative_slope",
    "lambd",
    "scale",
    "bias",
    "value",
    "roundingmode",
    "overflowFlags",
    "axis",
    "weight",
    "exact",
)
"""Names of operation parameters of ``VOP``; the position is the code in the binary. Only ever appended to."""


# -- extra words -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Tail:
    """Codec of the extra words: names of the values, and functions to and from bytes."""

    names: tuple[str, ...]
    pack: Callable[[Instruction], bytes]
    unpack: Callable[[dict[str, Any], bytes, int, int], None]  # (args, raw, a, b)


_TERM = struct.Struct("<HHIq")
_XDIM = struct.Struct("<IIqqq")
_REG = struct.Struct("<HBBIq")
_NO_REGISTER = 0xFFFFFFFF


def _pack_vop(i: Instruction) -> bytes:
    out = b""
    for r in (*i["results"], *i["operands"]):
        out += _REG.pack(r.reg, dtype_code(r.dtype), 0, 0, 0)
    for name, value in i["params"].items():
        if name not in PARAMS:
            raise IsaError(f"operation parameter '{name}' has no number in the instruction set")
        tag, word = _param_word(value)
        out += _REG.pack(PARAMS.index(name), tag, 0, 0, word)
    return out


def _param_word(value: Any) -> tuple[int, int]:
    if isinstance(value, bool):
        return 2, int(value)
    if isinstance(value, int):
        return 0, value
    if isinstance(value, float):
        return 1, struct.unpack("<q", struct.pack("<d", value))[0]
    if isinstance(value, str) and len(value.encode()) <= 8:
        return 3, struct.unpack("<q", value.encode().ljust(8, b"\0"))[0]
    raise IsaError(f"operation parameter value {value!r} cannot be encoded (int, float, bool or text of 8 bytes)")


def _unpack_vop(args: dict[str, Any], raw: bytes, a: int, b: int) -> None:
    words = [_REG.unpack_from(raw, o) for o in range(0, len(raw), WORD)]
    if len(words) < a + b:
        raise IsaError("VOP has fewer words than operands")
    regs = [TypedReg(w[0], dtype_name(w[1])) for w in words[: a + b]]
    params: dict[str, Any] = {}
    for number, tag, _, _, word in words[a + b :]:
        if number >= len(PARAMS) or tag > 3:
            raise IsaError(f"VOP has an unknown parameter (number {number}, tag {tag})")
        bits = struct.pack("<q", word)
        params[PARAMS[number]] = (
            word
            if tag == 0
            else struct.unpack("<d", bits)[0]
            if tag == 1
            else bool(word)
            if tag == 2
            else bits.rstrip(b"\0").decode()
        )
    args.update(results=tuple(regs[:a]), operands=tuple(regs[a:]), params=params)


def _pack_bits(i: Instruction) -> bytes:
    bits = list(i["bits"])
    return (
        struct.pack("<Q", len(bits))
        + b"".join(struct.pack("<Q", x) for x in bits)
        + b"\0" * (8 * ((len(bits) + 1) % 2))
    )


def _unpack_bits(args: dict[str, Any], raw: bytes, a: int, b: int) -> None:
    values = struct.unpack(f"<{len(raw) // 8}Q", raw)
    if not values or values[0] + 1 > len(values) or values[0] == 0:
        raise IsaError("VCONST has a wrong number of values")
    args["bits"] = values[1 : 1 + values[0]]


def _pack_shuffle(i: Instruction) -> bytes:
    sources, indices = list(i["sources"]), list(i["indices"])
    out = struct.pack("<QQ", len(sources), len(indices))
    out += b"".join(struct.pack("<HHIQ", s[0], 0, s[1], 0) for s in sources)
    out += b"".join(struct.pack("<I", x) for x in indices)
    return out + b"\0" * (-len(out) % WORD)


def _unpack_shuffle(args: dict[str, Any], raw: bytes, a: int, b: int) -> None:
    n_sources, n_indices = struct.unpack_from("<QQ", raw, 0)
    if WORD * (1 + n_sources) + 4 * n_indices > len(raw) or n_indices == 0:
        raise IsaError("VSHUF has a wrong number of words")
    sources = []
    for k in range(n_sources):
        reg, _, lanes, _ = struct.unpack_from("<HHIQ", raw, WORD * (1 + k))
        sources.append((reg, lanes))
    args["sources"] = tuple(sources)
    args["indices"] = struct.unpack_from(f"<{n_indices}I", raw, WORD * (1 + n_sources))


TAILS: dict[str, Tail] = {
    "terms": Tail(
        ("terms",),
        lambda i: b"".join(_TERM.pack(t.reg, 0, 0, t.stride) for t in i["terms"]),
        lambda args, raw, a, b: args.update(
            terms=tuple(Term(w[0], w[3]) for w in (_TERM.unpack_from(raw, o) for o in range(0, len(raw), WORD)))
        ),
    ),
    "xdims": Tail(
        ("dims",),
        lambda i: b"".join(
            _XDIM.pack(_NO_REGISTER if d.reg is None else d.reg, 0, d.extent, d.src_stride, d.dst_stride)
            for d in i["dims"]
        ),
        lambda args, raw, a, b: args.update(
            dims=tuple(
                XferDim(None if w[0] == _NO_REGISTER else w[0], w[2], w[3], w[4])
                for w in (_XDIM.unpack_from(raw, o) for o in range(0, len(raw), _XDIM.size))
            )
        ),
    ),
    "vdims": Tail(
        ("dims",),
        lambda i: b"".join(_I64.pack(*d) for d in i["dims"]),
        lambda args, raw, a, b: args.update(
            dims=tuple(VecDim(*_I64.unpack_from(raw, o)) for o in range(0, len(raw), WORD))
        ),
    ),
    "vop": Tail(("results", "operands", "params"), _pack_vop, _unpack_vop),
    "bits": Tail(("bits",), _pack_bits, _unpack_bits),
    "iota": Tail(
        ("step", "repeat", "period"),
        lambda i: _IOTA.pack(i["step"], i["repeat"], i["period"], 0),
        lambda args, raw, a, b: args.update(zip(("step", "repeat", "period"), _IOTA.unpack(raw)[:3], strict=True)),
    ),
    "shuffle": Tail(("sources", "indices"), _pack_shuffle, _unpack_shuffle),
    "patch": Tail(
        ("src",),
        lambda i: _I64.pack(i["src"], 0),
        lambda args, raw, a, b: args.update(src=_I64.unpack(raw)[0]),
    ),
}
"""Codecs of extra words by name."""


def dtype_code(name: str) -> int:
    """Number of an element type in the binary."""
    if name not in DTYPES:
        raise IsaError(f"element type '{name}' has no number in the instruction set")
    return DTYPES.index(name)


def dtype_name(code: int) -> str:
    """Element type of a number in the binary."""
    if code >= len(DTYPES):
        raise IsaError(f"unknown element type number {code}")
    return DTYPES[code]


def _tail_bytes(i: Instruction) -> bytes:
    return TAILS[i.opcode.tail].pack(i) if i.opcode.tail else b""


def encode_one(i: Instruction) -> bytes:
    """Bytes of one instruction (a multiple of 16). Raises :class:`IsaError` for a value that does not fit."""
    op = i.opcode
    places = {"a": 0, "b": 0, "c": 0}
    imm = 0
    if op.name == "VOP":
        places["a"], places["b"] = len(i["results"]), len(i["operands"])
    for f in op.fields:
        value = i[f.name]
        if f.kind == "vtype":
            value = dtype_code(value.dtype) | value.lanes << 32
        elif f.kind == "pred":
            value = PREDICATES.index(value)
        if f.place in places:
            if not 0 <= value < 1 << 16:
                raise IsaError(f"{op.name}: {f.name} = {value} does not fit 16 bits")
            places[f.place] = value
        elif f.place == "imm":
            if not -(1 << 63) <= value < 1 << 63:
                raise IsaError(f"{op.name}: {f.name} = {value} does not fit 64 bits")
            imm = value
        else:
            lo, hi = _bits(f.place)
            if not 0 <= value < 1 << (hi - lo):
                raise IsaError(f"{op.name}: {f.name} = {value} does not fit {hi - lo} bits")
            imm |= value << lo
    tail = _tail_bytes(i)
    if len(tail) // WORD > 255:
        raise IsaError(f"{op.name}: more than 255 extra words")
    return _HEAD.pack(op.code, len(tail) // WORD, places["a"], places["b"], places["c"], imm) + tail


def _bits(place: str) -> tuple[int, int]:
    lo, hi = place[len("imm[") : -1].split(":")
    return int(lo), int(hi)


def encode(instructions: Iterable[Instruction]) -> bytes:
    """Bytes of a code section."""
    return b"".join(encode_one(i) for i in instructions)


def decode(raw: bytes) -> list[Instruction]:
    """Instructions of a code section. Raises :class:`IsaError` with the byte offset of what it cannot read."""
    return [i for _, i in decode_located(raw)]


def decode_located(raw: bytes) -> Iterator[tuple[int, Instruction]]:
    """Pairs (word index, instruction) of a code section; word indices are the keys of the debug table."""
    at = 0
    while at < len(raw):
        if at + WORD > len(raw):
            raise IsaError(f"truncated instruction at byte {at}")
        code, ext, a, b, c, imm = _HEAD.unpack_from(raw, at)
        op = BY_CODE.get(code)
        if op is None:
            raise IsaError(f"unknown opcode 0x{code:02x} at byte {at}")
        end = at + WORD * (1 + ext)
        if end > len(raw):
            raise IsaError(f"truncated {op.name} at byte {at}")
        try:
            yield at // WORD, _decode_one(op, a, b, c, imm, raw[at + WORD : end])
        except (struct.error, IsaError, IndexError, TypeError, UnicodeDecodeError) as e:
            raise IsaError(f"malformed {op.name} at byte {at}: {e}") from None
        at = end


def _decode_one(op: Opcode, a: int, b: int, c: int, imm: int, tail: bytes) -> Instruction:
    places = {"a": a, "b": b, "c": c, "imm": imm}
    args: dict[str, Any] = {}
    for f in op.fields:
        if f.place in places:
            value: Any = places[f.place]
        else:
            lo, hi = _bits(f.place)
            value = (imm >> lo) & ((1 << (hi - lo)) - 1)
        if f.kind == "vtype":
            value = VType(dtype_name(value & 0xFF), (value >> 32) & 0xFFFFFFFF)
        elif f.kind == "pred":
            if not 0 <= value < len(PREDICATES):
                raise IsaError(f"unknown predicate {value}")
            value = PREDICATES[value]
        elif f.kind in ("r", "v") and not 0 <= value < MAX_REGISTERS:
            raise IsaError(f"register number {value} out of range")
        args[f.name] = value
    if op.tail:
        TAILS[op.tail].unpack(args, tail, a, b)
    elif tail:
        raise IsaError("extra words that the instruction does not have")
    return Instruction(op.name, args)


def format_instruction(i: Instruction) -> str:
    """Assembly text of one instruction; :mod:`headrace.codegen.assembler` reads it back."""
    from headrace.codegen.disassembler import format_instruction as text

    return text(i)
