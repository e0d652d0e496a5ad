"""The device image: everything a launch needs, as bytes.

``Image`` is the decoded form; :meth:`Image.encode` and :meth:`Image.decode` are exact inverses. The image sits in
segment 7 right behind the correction region. Parameter blocks, the only bytes that the correction program changes,
are in one data area at the end with its own checksum, so the code can be verified (and cached) at any time.

Layout, little endian, every area a multiple of 128 bytes::

    header (128 bytes)
      0  4s   magic "HDRC"          4  u16 version        6  u16 header bytes (128)
      8  u64  image bytes          16  u64 correction region bytes
     24  u32  CRC-32 of [128, data offset)               28  u32 CRC-32 of the data area as shipped
     32  u64  table offset         40  u64 table bytes
     48  u64  correction offset    56  u64 correction bytes
     64  u64  sequencer offset     72  u64 sequencer bytes
     80  u64  data offset          88  u64 data bytes
     96  u64  sequencer parameter block offset           104 u64 sequencer parameter words
    112  16s  first 16 bytes of the device digest
    table area     kinds, memories, units, programs and sections (see ``_encode_tables``)
    correction     PATCH ... HALT
    sequencer      ... HALT
    code sections
    data area      sequencer parameter block, then per section one block of i64 words an instance
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from typing import Any

from headrace.codegen import isa

MAGIC = b"HDRC"
ALIGN = 128
HEADER = struct.Struct("<4sHHQQIIQQQQQQQQQQ16s")
SCOPES = ("global", "core", "unit")
"""Scope of a memory: one for the device; one per core (a unit means its own core's); one per group of units inside a
core (below the scratchpad; the device file says which units share it)."""

PARAM_UNIT, PARAM_CORE, PARAM_CORELET = 0, 1, 2
"""The first three words of every unit's parameter block: its unit number, core and corelet. The rest is the
program's."""
FIRST_FREE_PARAM = 3

MAX_CORES, MAX_CORELETS, MAX_LANES = 4096, 256, 1 << 16
"""Limits of what an image may ask for, far above every device: a damaged or hostile image allocates little."""


class ImageError(Exception):
    """Bytes that are no valid image. The message says what is wrong."""


@dataclass(frozen=True)
class Memory:
    """A memory that code names by its number: the device file's kind and its scope (:data:`SCOPES`)."""

    name: str
    scope: str


@dataclass(frozen=True)
class Unit:
    """A unit instance; its position in ``Image.units`` is the unit number that peers use."""

    kind: int
    core: int
    corelet: int


@dataclass
class Section:
    """Code of one unit kind in one program: ``units[i]`` runs ``code`` with the parameter words ``blocks[i]``.

    ``offset`` (bytes in the image) and ``block_offsets`` are set by encode and decode.
    """

    kind: int
    units: list[int]
    blocks: list[list[int]]
    code: list[isa.Instruction]
    offset: int = 0
    data_offset: int = 0
    raw: bytes = b""

    @property
    def params(self) -> int:
        """Parameter words of one instance."""
        return len(self.blocks[0]) if self.blocks else 0

    def block_offset(self, instance: int) -> int:
        """Byte offset in the image of the parameter block of ``units[instance]``."""
        return self.data_offset + 8 * self.params * instance


@dataclass
class Program:
    """A program: what CALL runs. ``arguments`` is the number of argument words the sequencer passes."""

    name: str
    arguments: int
    sections: list[Section]


@dataclass
class Image:
    """Decoded device image. See the module docstring for the layout of the bytes."""

    device_digest: bytes
    correction_bytes: int
    kinds: list[str]
    memories: list[Memory]
    units: list[Unit]
    programs: list[Program]
    sequencer: list[isa.Instruction]
    sequencer_params: list[int] = field(default_factory=list)
    correction: list[isa.Instruction] = field(default_factory=list)
    sequencer_params_offset: int = 0
    correction_raw: bytes = b""
    sequencer_raw: bytes = b""
    static_crc: int = 0

    def place(self) -> None:
        """Encode the code and compute offsets of all areas. The correction program may then be written in terms of
        them, at its present length."""
        self._place(len(_encode_tables(self)))

    def _place(self, tables: int) -> dict[str, int]:
        self.correction_raw, self.sequencer_raw = isa.encode(self.correction), isa.encode(self.sequencer)
        out = {"correction": HEADER.size + _up(tables)}
        out["sequencer"] = out["correction"] + _up(len(self.correction_raw))
        out["code"] = at = out["sequencer"] + _up(len(self.sequencer_raw))
        for section in self._sections():
            section.raw = isa.encode(section.code)
            section.offset = at
            at += _up(len(section.raw))
        out["data"] = self.sequencer_params_offset = at
        at += _up(8 * len(self.sequencer_params))
        for section in self._sections():
            section.data_offset = at
            at += _up(8 * section.params * len(section.units))
        return out

    def encode(self) -> bytes:
        """The image as bytes. Deterministic: a function of the fields alone."""
        at = self._place(len(_encode_tables(self)))
        tables = _pad(_encode_tables(self))
        code = b"".join(_pad(section.raw) for section in self._sections())
        data = _pad(_words(self.sequencer_params))
        for section in self._sections():
            data += _pad(b"".join(_words(b) for b in section.blocks))
        static = tables + _pad(self.correction_raw) + _pad(self.sequencer_raw) + code
        self.static_crc = zlib.crc32(static)
        header = HEADER.pack(
            MAGIC,
            isa.VERSION,
            HEADER.size,
            HEADER.size + len(static) + len(data),
            self.correction_bytes,
            self.static_crc,
            zlib.crc32(data),
            HEADER.size,
            len(tables),
            at["correction"],
            len(self.correction_raw),
            at["sequencer"],
            len(self.sequencer_raw),
            at["data"],
            len(data),
            self.sequencer_params_offset,
            len(self.sequencer_params),
            self.device_digest[:16].ljust(16, b"\0"),
        )
        return header + static + data

    def _sections(self) -> list[Section]:
        return [s for p in self.programs for s in p.sections]

    @staticmethod
    def decode(raw: bytes, *, patched: bool = False) -> Image:
        """Decode and verify an image. ``patched=True`` skips the checksum of the data area (after a correction ran).

        Raises :class:`ImageError` for anything that is not an image of this version.
        """
        if len(raw) < HEADER.size or raw[:4] != MAGIC:
            raise ImageError("not a device image (no 'HDRC' at its start)")
        h = HEADER.unpack_from(raw, 0)
        (_, version, header, total, corr_region, crc, data_crc, tables, n_tables) = h[:9]
        corr, n_corr, seq, n_seq, data, n_data, sp, n_sp, digest = h[9:]
        if version != isa.VERSION:
            raise ImageError(f"image has version {version}, this device reads version {isa.VERSION}")
        if header != HEADER.size or total > len(raw) or total < header:
            raise ImageError(f"image says {total} bytes, {len(raw)} are there")
        ends = (tables + n_tables, corr + n_corr, seq + n_seq, data + n_data, sp + 8 * n_sp)
        if any(e > total for e in ends) or data < header or data + n_data != total:
            raise ImageError("an area of the image lies outside it")
        if any(a % ALIGN for a in (tables, corr, seq, data, sp, total, corr_region)) or sp < data:
            raise ImageError(f"an area of the image does not start at a multiple of {ALIGN} bytes")
        if zlib.crc32(raw[header:data]) != crc or (not patched and zlib.crc32(raw[data:total]) != data_crc):
            raise ImageError("checksum of the image is wrong: the file is damaged")
        image = Image(digest, corr_region, [], [], [], [], [], static_crc=crc)
        image.correction_raw, image.sequencer_raw = raw[corr : corr + n_corr], raw[seq : seq + n_seq]
        image.sequencer_params_offset = sp
        image.sequencer_params = list(struct.unpack_from(f"<{n_sp}q", raw, sp))
        try:
            image.correction = isa.decode(image.correction_raw)
            image.sequencer = isa.decode(image.sequencer_raw)
            _decode_tables(image, raw[tables : tables + n_tables], raw[:total])
            _check_lanes(image)
        except isa.IsaError as e:
            raise ImageError(str(e)) from None
        except (struct.error, UnicodeDecodeError, IndexError) as e:
            raise ImageError(f"the image's tables are malformed: {e}") from None
        return image


def _check_lanes(image: Image) -> None:
    """Vectors are short."""
    for program in image.programs:
        for section in program.sections:
            for i in section.code:
                for f in i.opcode.fields:
                    if f.kind == "vtype" and not 0 < i[f.name].lanes <= MAX_LANES:
                        raise ImageError(f"'{i.op}' has a vector of {i[f.name].lanes} elements")


def _up(n: int) -> int:
    return -(-n // ALIGN) * ALIGN


def _pad(raw: bytes) -> bytes:
    return raw + b"\0" * (_up(len(raw)) - len(raw))


def _words(values: list[int]) -> bytes:
    return struct.pack(f"<{len(values)}q", *values)


def _encode_tables(image: Image) -> bytes:
    """Tables: counts, then kinds (name), memories (scope, name), units, and programs with their sections.

    A name is u16 length and UTF-8 bytes. Unit: u32 kind, i32 core, i32 corelet. Program: name, u32 arguments, u32
    sections. Section: u32 kind, u32 instances, u32 parameter words, u64 code offset, u64 code bytes, u64 data offset,
    u32 units...
    """
    out = bytearray(struct.pack("<IIII", len(image.kinds), len(image.memories), len(image.units), len(image.programs)))

    def name(text: str) -> None:
        raw = text.encode()
        out.extend(struct.pack("<H", len(raw)) + raw)

    for kind in image.kinds:
        name(kind)
    for memory in image.memories:
        out.append(SCOPES.index(memory.scope))
        name(memory.name)
    for unit in image.units:
        out.extend(struct.pack("<Iii", unit.kind, unit.core, unit.corelet))
    for program in image.programs:
        name(program.name)
        out.extend(struct.pack("<II", program.arguments, len(program.sections)))
        for s in program.sections:
            out.extend(struct.pack("<IIIQQQ", s.kind, len(s.units), s.params, s.offset, len(s.raw), s.data_offset))
            out.extend(struct.pack(f"<{len(s.units)}I", *s.units))
    return bytes(out)


def _decode_tables(image: Image, raw: bytes, whole: bytes) -> None:
    at = 0

    def take(fmt: str) -> tuple[Any, ...]:
        nonlocal at
        values = struct.unpack_from(fmt, raw, at)
        at += struct.calcsize(fmt)
        return values

    def name() -> str:
        nonlocal at
        (n,) = take("<H")
        at += n
        return raw[at - n : at].decode()

    used = 0
    n_kinds, n_memories, n_units, n_programs = take("<IIII")
    image.kinds = [name() for _ in range(n_kinds)]
    for _ in range(n_memories):
        (scope,) = take("<B")
        image.memories.append(Memory(name(), SCOPES[scope]))
    image.units = [Unit(*take("<Iii")) for _ in range(n_units)]
    for u in image.units:
        if u.kind >= n_kinds or not -1 <= u.core < MAX_CORES or not -1 <= u.corelet < MAX_CORELETS:
            raise ImageError(f"a unit of kind {u.kind} on core {u.core}, corelet {u.corelet} cannot exist")
    for _ in range(n_programs):
        program = Program(name(), *take("<I"), sections=[])
        (n_sections,) = take("<I")
        for _ in range(n_sections):
            kind, n, params, offset, size, data = take("<IIIQQQ")
            units = list(take(f"<{n}I"))
            if kind >= n_kinds or any(u >= n_units for u in units):
                raise ImageError("a section names a unit that the image does not have")
            used += size + 8 * n * params
            if offset + size > len(whole) or data + 8 * n * params > len(whole):
                raise ImageError("a section lies outside the image")
            if offset % ALIGN or data % ALIGN or used > len(whole):
                raise ImageError("sections of the image overlap or are not aligned")
            if params < FIRST_FREE_PARAM and n:
                raise ImageError(f"a section has {params} parameter words, the least is {FIRST_FREE_PARAM}")
            code = whole[offset : offset + size]
            blocks = [list(struct.unpack_from(f"<{params}q", whole, data + 8 * params * k)) for k in range(n)]
            program.sections.append(Section(kind, units, blocks, isa.decode(code), offset, data, code))
        image.programs.append(program)
