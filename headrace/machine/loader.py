"""From the bytes in device memory to programs that can run: header and checksums, correction, parameter words.

Nothing else reaches the device. What depends only on the code part of an image is kept by the content of that
part, so a relaunch decodes and translates nothing.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from headrace.codegen import isa
from headrace.codegen.image import HEADER, Image, ImageError
from headrace.machine.memory import GlobalMemory, machine_error
from headrace.machine.plan import ProgramPlan, match_control
from headrace.machine.sequencer import register_count
from headrace.machine.timing import Timing

if TYPE_CHECKING:
    from headrace.machine.native.engine import NativeProgram


_UNITS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
KEPT = 32
"""Images whose decoded form a device keeps, the most recently used ones."""


@dataclass
class Loaded:
    """A decoded image. ``patches``: (bytes, destinations, sources) of the correction program, in units of so many
    bytes of the data area and of the correction region. ``registers`` is what the sequencer needs."""

    image: Image
    data_offset: int
    data_bytes: int
    patches: list[tuple[int, np.ndarray, np.ndarray]]
    sequencer_match: dict[int, int]
    registers: int
    timing: Timing | None = None
    plans: dict[int, ProgramPlan] = field(default_factory=dict)
    natives: dict[int, NativeProgram] = field(default_factory=dict)
    peers: dict[int, tuple[ProgramPlan, list[tuple[int, list[int], np.ndarray]]]] = field(default_factory=dict)
    """Per program: what :func:`headrace.machine.device._same_peers` compares."""


@dataclass
class Launch:
    """A loaded image with the parameter words of one launch (``data`` is the patched copy of the data area)."""

    loaded: Loaded
    data: np.ndarray

    def words(self, offset: int, count: int) -> np.ndarray:
        """Parameter words at a byte offset of the image."""
        at = offset - self.loaded.data_offset
        return self.data[at : at + 8 * count].view(np.int64)


class Loader:
    """Reads images out of a device's memory."""

    def __init__(self, memory: GlobalMemory, digest: bytes | None) -> None:
        self.memory, self.digest = memory, digest
        self._known: OrderedDict[bytes, Loaded] = OrderedDict()
        self._latest: OrderedDict[int, tuple[bytes, Loaded]] = OrderedDict()

    def load(self, entry: int) -> Launch:
        """Read the image at ``entry``, check it, and run its correction program on a copy of its parameter words.

        Raises :class:`HeadraceError` for bytes that are no image of this device.
        """
        head = self.memory.read(entry, HEADER.size)
        fields = HEADER.unpack(head)
        total, correction, data, data_bytes = fields[3], fields[4], fields[13], fields[14]
        if head[:4] != b"HDRC" or not HEADER.size <= data <= total or data + data_bytes != total:
            raise machine_error(f"no device image at {entry:#x}")
        raw = self.memory.view(entry, total)
        code = raw[:data].tobytes()
        latest = self._latest.get(entry)
        loaded = latest[1] if latest is not None and latest[0] == code else self._find(entry, code, raw, data_bytes)
        words = raw[data:total].copy()
        if loaded.patches:
            table = self.memory.view(entry - correction, correction)
            _correct(loaded, words, table)
        return Launch(loaded, words)

    def _find(self, entry: int, code: bytes, raw: np.ndarray, data_bytes: int) -> Loaded:
        """The decoded form of an image that was not at ``entry`` before."""
        key = hashlib.blake2b(code, digest_size=16).digest()
        loaded = self._known.get(key)
        if loaded is None:
            loaded = self._known[key] = self._decode(entry, raw.tobytes(), len(code), data_bytes)
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        self._latest[entry] = (code, loaded)
        self._latest.move_to_end(entry)
        if len(self._latest) > KEPT:
            self._latest.popitem(last=False)
        return loaded

    def _decode(self, entry: int, raw: bytes, data: int, data_bytes: int) -> Loaded:
        try:
            image = Image.decode(raw)
        except ImageError as e:
            raise machine_error(f"device image at {entry:#x}: {e}") from None
        if self.digest is not None and image.device_digest.rstrip(b"\0") and image.device_digest != self.digest[:16]:
            raise machine_error("the program was compiled for another device (the digests differ)")
        by_width: dict[int, list[tuple[int, int]]] = {}
        for ins in image.correction:
            if ins.op == "HALT":
                break
            if ins.op != "PATCH":
                raise machine_error(f"the correction program contains {ins.op}")
            width, dst, src = ins["width"], ins["dst"], ins["src"]
            if (
                not data <= dst <= dst + width <= data + data_bytes
                or not 0 <= src <= src + width <= image.correction_bytes
            ):
                raise machine_error(f"'{ins}' leaves the parameter words or the correction region")
            by_width.setdefault(width, []).append((dst, src))
        patches = []
        for width, pairs in sorted(by_width.items()):
            table = np.array(pairs, np.int64)
            table[:, 0] -= data
            if not (table % width).any():
                patches.append((width, table[:, 0] // width, table[:, 1] // width))
            else:
                lane = np.arange(width)
                patches.append((1, *((table[:, k : k + 1] + lane).reshape(-1) for k in (0, 1))))
        located = list(isa.decode_located(image.sequencer_raw))
        match = match_control([i for _, i in located], [w for w, _ in located], "sequencer")
        return Loaded(image, data, data_bytes, patches, match, register_count(image.sequencer))


def _correct(loaded: Loaded, data: np.ndarray, table: np.ndarray) -> None:
    """Run the correction program: every PATCH copies bytes of the region into the parameter words."""
    for width, dst, src in loaded.patches:
        data.view(_UNITS[width])[dst] = table.view(_UNITS[width])[src]
