"""Float literals as MLIR prints them: `1.000000e+00`, an exact form where six digits lose bits, hex for inf."""

from __future__ import annotations

import math
from typing import Any

#: Significand bits (with the hidden one) of a float type by its text.
_PRECISION = {"f16": 11, "bf16": 8, "tf32": 11, "f32": 24, "f64": 53, "f80": 64, "f128": 113}


def float_text(value: float, type: Any) -> str:
    """The literal of `value` in the float type (without `: type`)."""
    if math.isnan(value) or math.isinf(value):
        return "0x" + type.pack((value,))[::-1].hex().upper()
    text = f"{value:.5e}"
    mantissa, _, exponent = text.partition("e")
    text = f"{mantissa}0e{exponent}"
    try:
        exact = type.unpack(type.pack((float(text),)), 1)[0] == value
    except (OverflowError, AttributeError, ValueError, NotImplementedError):
        exact = float(text) == value
    if exact:
        return text
    precision = 2 + _PRECISION.get(str(type), 53) * 59 // 196
    digits_text, _, exponent = f"{abs(value):.{precision - 1}e}".partition("e")
    digits = digits_text.replace(".", "").rstrip("0") or "0"
    top = int(exponent)  # Power of the first digit.
    last = top - len(digits) + 1  # Power of the last digit.
    sign = "-" if value < 0 else ""
    if last >= 0:
        scientific = last > 3 or last + len(digits) > precision
    else:
        scientific = top < 0 and -top > 3
    if scientific:
        return f"{sign}{digits[0]}.{digits[1:] or '0'}E{'+' if top >= 0 else '-'}{abs(top)}"
    if last >= 0:
        try:
            return "0x" + type.pack((value,))[::-1].hex().upper()
        except (AttributeError, NotImplementedError):
            return f"{sign}{digits}{'0' * last}.0"
    if top >= 0:
        return f"{sign}{digits[: top + 1]}.{digits[top + 1 :]}"
    return f"{sign}0.{'0' * (-top - 1)}{digits}"
