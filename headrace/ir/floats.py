"""Float literals as MLIR prints them: `1.000000e+00`, an exact form where six digits lose bits, hex for inf.

The digits follow LLVM's `APFloat::toString` step by step, which cuts a long decimal expansion before it rounds; so the
last digit is not always the nearest one.
"""

from __future__ import annotations

import math
from typing import Any

#: Significand bits (with the hidden one) of a float type by its text.
_PRECISION = {"f16": 11, "bf16": 8, "tf32": 11, "f32": 24, "f64": 53, "f80": 64, "f128": 113}


def _hex(value: float, type: Any) -> str:
    return "0x" + type.pack((value,))[::-1].hex().upper()


def parse_float(parser: Any, type: Any) -> float:
    """Read a number of a float type: decimal, or the bits in hexadecimal."""
    token = parser._current_token
    value = parser.parse_number()
    if not token.text.startswith("0x"):
        return float(value)
    if value.bit_length() > type.bitwidth:
        parser.raise_error("hexadecimal float constant out of range for type", token.span)
    return next(type.iter_unpack(value.to_bytes(type.compile_time_size, "little")))


def float_text(value: float, type: Any) -> str:
    """The literal of `value` in the float type (without `: type`)."""
    if math.isnan(value) or math.isinf(value):
        return _hex(value, type)
    text = _short(value)
    try:
        exact = type.unpack(type.pack((float(text),)), 1)[0] == value
    except (OverflowError, AttributeError, ValueError, NotImplementedError):
        exact = float(text) == value
    if exact:
        return text
    text = _long(value, _PRECISION.get(str(type), 53))
    if "." not in text:
        try:
            return _hex(value, type)
        except (AttributeError, NotImplementedError):
            return text + ".0"
    return text


def _digits(value: float, precision: int) -> tuple[str, int]:
    """Up to `precision` decimal digits without trailing zeros, and the power of ten of the last one."""
    numerator, denominator = abs(value).as_integer_ratio()
    power = -(denominator.bit_length() - 1)  # value = significand * 10^power, exactly.
    significand = numerator * 5**-power
    excess = significand.bit_length() - (precision * 196 + 58) // 59
    if excess > 0 and (cut := excess * 59 // 196):
        power += cut
        significand //= 10**cut
    found = str(significand)
    digits = found.rstrip("0")
    power += len(found) - len(digits)
    if len(digits) <= precision:
        return digits, power
    dropped = len(digits) - precision
    up = digits[precision] >= "5"
    digits, power = digits[:precision], power + dropped
    if up:
        kept = digits.rstrip("9")
        power += len(digits) - len(kept)
        if not kept:
            return "1", power
        return kept[:-1] + chr(ord(kept[-1]) + 1), power
    kept = digits.rstrip("0")
    return kept, power + len(digits) - len(kept)


def _sign(value: float) -> str:
    return "-" if math.copysign(1.0, value) < 0 else ""


def _short(value: float) -> str:
    """Six digits after the point, at least two in the exponent."""
    if value == 0:
        return f"{_sign(value)}0.000000e+00"
    digits, power = _digits(value, 6)
    power += len(digits) - 1
    tail = digits[1:] + "0" * (7 - len(digits))
    return f"{_sign(value)}{digits[0]}.{tail}e{'+' if power >= 0 else '-'}{abs(power):02d}"


def _long(value: float, bits: int) -> str:
    """Enough digits for a significand of `bits` bits."""
    precision = 2 + bits * 59 // 196
    digits, power = _digits(value, precision)
    count, sign = len(digits), _sign(value)
    top = power + count - 1
    if power >= 0:
        scientific = power > 3 or count + power > precision
    else:
        scientific = top < 0 and -top > 3
    if scientific:
        return f"{sign}{digits[0]}.{digits[1:] or '0'}E{'+' if top >= 0 else '-'}{abs(top)}"
    if power >= 0:
        return f"{sign}{digits}{'0' * power}"
    if top >= 0:
        return f"{sign}{digits[: top + 1]}.{digits[top + 1 :]}"
    return f"{sign}0.{'0' * (-top - 1)}{digits}"
