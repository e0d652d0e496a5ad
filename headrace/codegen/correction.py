"""Program correction on the host: what the device's correction program makes of an image, for dumps and tests."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import replace

from headrace.codegen import plan
from headrace.codegen.image import Image
from headrace.codegen.spyrecode import SpyreCode
from headrace.codegen.symbols import SymbolError
from headrace.ir.diagnostics import error


def correction_buffer(code: SpyreCode, values: Sequence[int]) -> bytes:
    """The words that a launch with these argument values transfers. Raises :class:`HeadraceError`."""
    names = [a["name"] for a in code.arguments]
    out = b""
    for c in code.execution:
        if isinstance(c, plan.ComputeOnHost):
            try:
                out += code.host_compute(c).run(values, names, c.size)
            except SymbolError as e:
                raise error(None, f"kernel '{code.name}': {e}") from None
    return out


def patched(code: SpyreCode) -> dict[int, tuple[int, int]]:
    """Patched words of the image: byte offset -> (offset in the correction buffer, bytes)."""
    return {i["dst"]: (i["src"], i["width"]) for i in code.image.correction if i.op == "PATCH"}


def corrected(code: SpyreCode, values: Sequence[int]) -> Image:
    """The image after its correction program has run with these argument values (addresses in bytes)."""
    table = correction_buffer(code, values)
    image = code.image
    words = {
        offset: int.from_bytes(table[src : src + width], "little", signed=True)
        for offset, (src, width) in patched(code).items()
    }

    def block(at: int, old: Sequence[int]) -> list[int]:
        return [words.get(at + 8 * k, word) for k, word in enumerate(old)]

    programs = []
    for p in image.programs:
        sections = [
            replace(s, blocks=[block(s.block_offset(k), b) for k, b in enumerate(s.blocks)]) for s in p.sections
        ]
        programs.append(replace(p, sections=sections))
    sequencer = block(image.sequencer_params_offset, image.sequencer_params)
    return replace(image, programs=programs, sequencer_params=sequencer)


def argument_values(code: SpyreCode, given: Mapping[str, int | float]) -> list[int]:
    """Values in the order of the signature from numbers by name. Raises :class:`HeadraceError`."""
    names = [a["name"] for a in code.arguments]
    for name in given:
        if name not in names:
            raise error(None, f"kernel '{code.name}' has no argument '{name}'; it takes {', '.join(names) or 'none'}")
    missing = [n for n in names if n not in given]
    if missing:
        raise error(None, f"argument '{missing[0]}' has no value; give it with --arg {missing[0]}=VALUE")
    out = []
    for a in code.arguments:
        value = given[a["name"]]
        if isinstance(value, float):
            if "dtype" not in a or a["kind"] != "scalar":
                raise error(None, f"argument '{a['name']}' takes an integer, not {value}")
            value = struct.unpack("<I", struct.pack("<f", value))[0] if a["dtype"] == "f32" else _bits(value, a)
        value = int(value)
        granularity, bound = a.get("granularity"), a.get("upperbound")
        if (granularity is not None and (value % granularity or value <= 0)) or (bound is not None and value > bound):
            limits = f"granularity {granularity}, upper bound {bound}"
            raise error(None, f"argument '{a['name']}' = {value} is not admissible: {limits}")
        out.append(value)
    return out


def _bits(value: float, argument: Mapping[str, object]) -> int:
    import numpy as np

    from headrace.numerics import dtypes

    dtype = dtypes.get(str(argument["dtype"]))
    return int(np.asarray(dtype.encode(np.asarray(value).astype(dtype.value_dtype))).reshape(-1)[0])
