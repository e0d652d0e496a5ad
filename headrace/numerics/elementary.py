"""Elementary functions on f64 values: range reduction and a polynomial, in multiplications and additions only.

Every function takes and returns f64. Errors are a few units of 2^-52 (relative), so that a following rounding to f32
is within 1 ulp; `docs/numerics.md` has the measured figures. Sources: the reductions of fdlibm (Sun Microsystems),
Taylor coefficients for exp, sin, cos and log, a Chebyshev fit in (x - 3.75)/(x + 3.75) for `(1 + 2x) e^(x^2) erfc x`
(the form of Shepherd and Laframboise, Math. Comp. 36, 1981).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from headrace.numerics.backend import Backend, Value
from headrace.numerics.rounding import two_sum

LN2_HI, LN2_LO = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_MAGIC = 6755399441055744.0  # 1.5 * 2^52: adding it leaves an integer in the low bits
_SQRT_HALF = 0x3FE6A09E667F3BCD
_EXPM1 = [1.0 / math.factorial(n) for n in range(1, 14)]
_EXP_SHORT = [
    1.0, 1.0, 0.49999999999797773, 0.1666666666664829, 0.0416666668910917, 0.008333333353729397, 0.001388882165071769,
    0.00019841208732536384, 2.4876178959085513e-05, 2.762511557828763e-06,
]  # fmt: skip
"""1, and a Chebyshev fit of `(e^r - 1) / r` for |r| <= ln(2) / 2, for results of up to 32 bits: e^r to 4e-14 (e^x
to 5e-14)."""
_ATANH = [1.0 / (2 * n + 1) for n in range(0, 11)]
_SIN = [(-1.0) ** n / math.factorial(2 * n + 1) for n in range(0, 8)]
_COS = [(-1.0) ** n / math.factorial(2 * n) for n in range(0, 9)]
_ERF = [(-1.0) ** n / (math.factorial(n) * (2 * n + 1)) * 2.0 / math.sqrt(math.pi) for n in range(0, 12)]
_ERFCX = [
    1.2375126308378261, -0.14024059858550714, 0.0035854154857942336, 0.08227673848717112, -0.108803930154971,
    0.09230432122543726, -0.05869339838220922, 0.028362276765373326, -0.009746581232207709, 0.0017556294735130134,
    0.00029372157899745224, -0.00029016619650908126, 5.162565622809749e-05, 2.2409846951398915e-05,
    -1.1399188574595653e-05, -1.0081735393185909e-06, 1.695510942534284e-06, -2.7842538052880172e-08,
    -2.1406506744980902e-07, 8.547406338266228e-09, 1.7500997984143396e-08,
]  # fmt: skip
_ATAN = [
    3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01, -1.11111104054623557880e-01,
    9.09088713343650656196e-02, -7.69187620504482999495e-02, 6.66107313738753120669e-02, -5.83357013379057348645e-02,
    4.97687799461593236017e-02, -3.65315727442169155270e-02, 1.62858201153657823623e-02,
]  # fmt: skip
_ASIN_P = [
    1.66666666666666657415e-01, -3.25565818622400915405e-01, 2.01212532134862925881e-01, -4.00555345006794114027e-02,
    7.91534994289814532176e-04, 3.47933107596021167570e-05,
]  # fmt: skip
_ASIN_Q = [
    1.0, -2.40339491173441421878e00, 2.02094576023350569471e00, -6.88283971605453293030e-01,
    7.70381505559019352791e-02,
]  # fmt: skip
# 2/pi in digits of 26 bits.
_TWO_OVER_PI = [
    0x28BE60D, 0x2E4E441, 0x14A7F09, 0x357D1F5, 0x0D37703, 0x1B62959, 0x24F10E4, 0x041FE51, 0x18EAF7A, 0x3BC561B,
    0x1C91B8E, 0x2424DD2, 0x3801924, 0x2EEA09D, 0x064873F, 0x21DEB1C, 0x2C4A69C, 0x3EE8823, 0x17D4BAE, 0x34484E9,
    0x271C09A, 0x345F7E4, 0x04E6475, 0x2398353, 0x0E7D272, 0x045F8BB, 0x37E4A0E, 0x31FF897, 0x3FF7816, 0x180FEF2,
    0x3C462D6, 0x20A6D1F, 0x1B4D9FB, 0x0F27CB0, 0x26DD3D1, 0x23F669E, 0x17FA8B5, 0x3527BAC, 0x1FAF97C, 0x17B3D07,
    0x0E7DE29, 0x1292EA6, 0x2FED7EC, 0x11F8D5D, 0x021580C, 0x3046FC7,
]  # fmt: skip


def horner(b: Backend, x: Value, coefficients: Sequence[float]) -> Value:
    """`sum c[n] x^n`."""
    result = b.const(x, coefficients[-1])
    for c in reversed(coefficients[:-1]):
        result = b.fadd(b.fmul(result, x), c)
    return result


def estrin(b: Backend, x: Value, coefficients: Sequence[float]) -> Value:
    """`sum c[n] x^n`, by pairs: a shorter chain of dependent operations than :func:`horner`."""
    terms: list[Value] = list(coefficients)
    while len(terms) > 1:
        pairs = [b.fadd(b.fmul(x, high), low) for low, high in zip(terms[::2], terms[1::2], strict=False)]
        terms = pairs + terms[len(pairs) * 2 :]
        if len(terms) > 1:
            x = b.fmul(x, x)
    return terms[0]


def minimum(b: Backend, x: Value, limit: float) -> Value:
    """`min(x, limit)`; NaN stays."""
    return b.select(b.fcmp("gt", x, limit), limit, x)


def maximum(b: Backend, x: Value, limit: float) -> Value:
    """`max(x, limit)`; NaN stays."""
    return b.select(b.fcmp("lt", x, limit), limit, x)


def copysign(b: Backend, mag: Value, sign: Value) -> Value:
    """Magnitude of one, sign bit of the other (same kind)."""
    i, j = b.bits(mag), b.bits(sign)
    top = 1 << (b.width(i) - 1)
    return b.from_bits(b.ior(b.iand(i, top - 1), b.iand(j, top)))


def _power_of_two(b: Backend, k: Value) -> Value:
    """2^k for an integral f64 k in [-1022, 1023]."""
    return b.from_bits(b.shl(b.bits(b.fadd(k, _MAGIC + 1023.0)), 52))


def _halves(b: Backend, k: Value) -> tuple[Value, Value]:
    """Two factors whose product is 2^k, for |k| up to 2000."""
    half = b.ffloor(b.fmul(k, 0.5))
    return _power_of_two(b, half), _power_of_two(b, b.fsub(k, half))


def _reduced(b: Backend, x: Value) -> tuple[Value, Value]:
    """`(k, r)` with `x = k ln 2 + r`."""
    k = b.frint(b.fmul(x, 1.0 / math.log(2.0)))
    return k, b.fsub(b.fsub(x, b.fmul(k, LN2_HI)), b.fmul(k, LN2_LO))


def _exp_parts(b: Backend, x: Value) -> tuple[Value, Value]:
    """`(k, e^r - 1)` with `x = k ln 2 + r`, x clamped to where f64 over- and underflows."""
    k, r = _reduced(b, maximum(b, minimum(b, x, 720.0), -760.0))
    return k, b.fmul(r, horner(b, r, _EXPM1))


def _scaled(b: Backend, x: Value, k: Value) -> Value:
    s, t = _halves(b, k)
    return b.fmul(b.fmul(x, s), t)


def _short_exp(b: Backend, r: Value, k: Value) -> Value:
    """`2^k e^r` for a result of up to 32 bits: 2^k has an f64 of its own wherever that is neither 0 nor infinite."""
    p = estrin(b, r, _EXP_SHORT)
    return b.fmul(p, _power_of_two(b, k))


def exp(b: Backend, x: Value, wide: bool = True) -> Value:
    """`e^x`; not `wide`: for a result of up to 32 bits."""
    if not wide:
        x = maximum(b, minimum(b, x, 90.0), -110.0)
        k = b.frint(b.fmul(x, 1.0 / math.log(2.0)))  # at most 159: one rounded ln 2 is exact enough
        return _short_exp(b, b.fsub(x, b.fmul(k, math.log(2.0))), k)
    k, p = _exp_parts(b, x)
    return _scaled(b, b.fadd(p, 1.0), k)


def exp2(b: Backend, x: Value, wide: bool = True) -> Value:
    """`2^x`; not `wide`: for a result of up to 32 bits."""
    if not wide:
        x = maximum(b, minimum(b, x, 130.0), -160.0)
        k = b.frint(x)
        return _short_exp(b, b.fmul(b.fsub(x, k), math.log(2.0)), k)
    x = maximum(b, minimum(b, x, 1040.0), -1100.0)
    k = b.frint(x)
    r = b.fmul(b.fsub(x, k), math.log(2.0))
    return _scaled(b, b.fadd(b.fmul(r, horner(b, r, _EXPM1)), 1.0), k)


def expm1(b: Backend, x: Value) -> Value:
    k, p = _exp_parts(b, x)
    s, t = _halves(b, k)
    small = b.fadd(b.fmul(b.fmul(p, s), t), b.fsub(b.fmul(s, t), 1.0))
    large = b.fmul(b.fmul(b.fadd(p, 1.0), s), t)
    result = b.select(b.fcmp("gt", x, 40.0), large, small)
    return b.select(b.fcmp("eq", x, 0.0), x, result)


def _log_parts(b: Backend, x: Value) -> tuple[Value, Value]:
    """`(k, log m)` with `x = 2^k m`, m in [sqrt(1/2), sqrt 2); x positive and finite."""
    subnormal = b.fcmp("lt", x, 2.0**-1022)
    i = b.bits(b.select(subnormal, b.fmul(x, 2.0**54), x))
    offset = b.isub(i, _SQRT_HALF)
    biased = b.lshr(b.iadd(offset, 1024 << 52), 52)
    k = b.fsub(b.from_bits(b.ior(biased, 0x4330000000000000)), 2.0**52 + 1024.0)
    m = b.from_bits(b.isub(i, b.iand(offset, 0xFFF << 52)))
    f = b.fsub(m, 1.0)
    s = b.fdiv(f, b.fadd(f, 2.0))
    log_m = b.fmul(b.fadd(s, s), horner(b, b.fmul(s, s), _ATANH))
    return b.select(subnormal, b.fsub(k, 54.0), k), log_m


def _log_special(b: Backend, x: Value, result: Value) -> Value:
    result = b.select(b.fcmp("lt", x, math.inf), result, x)  # inf and NaN
    result = b.select(b.fcmp("lt", x, 0.0), math.nan, result)
    return b.select(b.fcmp("eq", x, 0.0), -math.inf, result)


def log(b: Backend, x: Value) -> Value:
    k, log_m = _log_parts(b, x)
    return _log_special(b, x, b.fadd(b.fmul(k, LN2_HI), b.fadd(b.fmul(k, LN2_LO), log_m)))


def log2(b: Backend, x: Value) -> Value:
    k, log_m = _log_parts(b, x)
    return _log_special(b, x, b.fadd(k, b.fmul(log_m, 1.0 / math.log(2.0))))


def log10(b: Backend, x: Value) -> Value:
    k, log_m = _log_parts(b, x)
    scaled = b.fadd(b.fmul(k, math.log10(2.0)), b.fmul(log_m, 1.0 / math.log(10.0)))
    return _log_special(b, x, scaled)


def log1p(b: Backend, x: Value) -> Value:
    u = b.fadd(x, 1.0)
    lost = b.fdiv(b.fsub(x, b.fsub(u, 1.0)), u)
    result = b.fadd(log(b, u), lost)
    result = b.select(b.fcmp("eq", x, -1.0), -math.inf, result)
    result = b.select(b.fcmp("eq", x, math.inf), x, result)
    return b.select(b.fcmp("eq", x, 0.0), x, result)


def sinh(b: Backend, x: Value) -> Value:
    a = b.fabs(x)
    e = expm1(b, minimum(b, a, 40.0))
    small = b.fmul(b.fadd(e, b.fdiv(e, b.fadd(e, 1.0))), 0.5)
    h = exp(b, b.fmul(a, 0.5))
    large = b.fmul(b.fmul(h, 0.5), h)
    return copysign(b, b.select(b.fcmp("gt", a, 40.0), large, small), x)


def cosh(b: Backend, x: Value) -> Value:
    h = exp(b, b.fmul(b.fabs(x), 0.5))
    return b.fadd(b.fmul(b.fmul(h, 0.5), h), b.fdiv(b.fdiv(b.const(x, 0.5), h), h))


def tanh(b: Backend, x: Value) -> Value:
    a = minimum(b, b.fabs(x), 22.0)
    e = expm1(b, b.fadd(a, a))
    return copysign(b, b.fdiv(e, b.fadd(e, 2.0)), x)


def asinh(b: Backend, x: Value) -> Value:
    a = b.fabs(x)
    square = b.fmul(a, a)
    small = log1p(b, b.fadd(a, b.fdiv(square, b.fadd(b.fsqrt(b.fadd(square, 1.0)), 1.0))))
    large = b.fadd(log(b, a), math.log(2.0))
    return copysign(b, b.select(b.fcmp("gt", a, 2.0**28), large, small), x)


def acosh(b: Backend, x: Value) -> Value:
    t = b.fsub(x, 1.0)
    small = log1p(b, b.fadd(t, b.fsqrt(b.fadd(b.fadd(t, t), b.fmul(t, t)))))
    result = b.select(b.fcmp("gt", x, 2.0**28), b.fadd(log(b, x), math.log(2.0)), small)
    return b.select(b.fcmp("lt", x, 1.0), math.nan, result)


def atanh(b: Backend, x: Value) -> Value:
    a = b.fabs(x)
    half = b.fmul(log1p(b, b.fdiv(b.fadd(a, a), b.fsub(b.const(x, 1.0), a))), 0.5)
    half = b.select(b.fcmp("eq", a, 1.0), math.inf, half)
    return b.select(b.fcmp("gt", a, 1.0), math.nan, copysign(b, half, x))


def _atan_unit(b: Backend, z: Value) -> Value:
    """atan on [0, 1], reduced around 1/2 and 1."""
    middle, high = b.fcmp("ge", z, 7.0 / 16.0), b.fcmp("ge", z, 11.0 / 16.0)
    top = b.select(middle, b.select(high, b.fsub(z, 1.0), b.fsub(b.fadd(z, z), 1.0)), z)
    bottom = b.select(middle, b.select(high, b.fadd(z, 1.0), b.fadd(z, 2.0)), 1.0)
    base = b.select(middle, b.select(high, b.const(z, math.pi / 4), b.const(z, math.atan(0.5))), 0.0)
    t = b.fdiv(top, bottom)
    square = b.fmul(t, t)
    return b.fadd(base, b.fsub(t, b.fmul(t, b.fmul(square, horner(b, square, _ATAN)))))


def atan(b: Backend, x: Value) -> Value:
    a = b.fabs(x)
    big = b.fcmp("gt", a, 1.0)
    t = _atan_unit(b, b.select(big, b.fdiv(b.const(x, 1.0), a), a))
    return copysign(b, b.select(big, b.fsub(b.const(x, math.pi / 2), t), t), x)


def atan2(b: Backend, y: Value, x: Value) -> Value:
    ay, ax = b.fabs(y), b.fabs(x)
    steep = b.fcmp("gt", ay, ax)
    low, high = b.select(steep, ax, ay), b.select(steep, ay, ax)
    ratio = b.fdiv(low, high)
    ratio = b.select(b.fcmp("eq", high, 0.0), 0.0, ratio)
    ratio = b.select(b.fcmp("eq", low, math.inf), 1.0, ratio)
    t = _atan_unit(b, ratio)
    t = b.select(steep, b.fsub(b.const(x, math.pi / 2), t), t)
    left = b.icmp("slt", b.bits(x), 0)
    t = b.select(left, b.fsub(b.const(x, math.pi), t), t)
    t = copysign(b, t, y)
    nan = b.fcmp("uno", x, y)
    return b.select(nan, math.nan, t)


def _asin_small(b: Backend, x: Value, square: Value) -> Value:
    """asin for |x| <= 1/2, square = x^2."""
    r = b.fdiv(b.fmul(square, horner(b, square, _ASIN_P)), horner(b, square, _ASIN_Q))
    return b.fadd(x, b.fmul(x, r))


def _asin_parts(b: Backend, x: Value) -> tuple[Value, Value]:
    """`(|x| > 1/2, asin of |x| or of sqrt((1 - |x|)/2))`; NaN for |x| > 1."""
    a = b.fabs(x)
    big = b.fcmp("gt", a, 0.5)
    rest = b.fmul(b.fsub(b.const(x, 1.0), a), 0.5)
    square = b.select(big, rest, b.fmul(a, a))
    return big, _asin_small(b, b.select(big, b.fsqrt(rest), a), square)


def asin(b: Backend, x: Value) -> Value:
    big, t = _asin_parts(b, x)
    return copysign(b, b.select(big, b.fsub(b.const(x, math.pi / 2), b.fadd(t, t)), t), x)


def acos(b: Backend, x: Value) -> Value:
    big, t = _asin_parts(b, x)
    negative = b.fcmp("lt", x, 0.0)
    double = b.fadd(t, t)
    near = b.select(negative, b.fsub(b.const(x, math.pi), double), double)
    middle = b.fsub(b.const(x, math.pi / 2), copysign(b, t, x))
    return b.select(big, near, middle)


def _quadrant(b: Backend, x: Value, wide: bool) -> tuple[Value, Value]:
    """`(n, r)`: |x| = (n + 4j) pi/2 + r, n an i64 whose low two bits count, |r| <= pi/4 or a little more.

    |x| is multiplied by the digits of 2/pi one by one; each product is exact and is reduced modulo 4 exactly, then the
    remainders are summed with their errors. An f32 needs 8 digits for its largest values; an f64 (`wide`) is split in
    two halves and needs 44.
    """
    a = b.fabs(x)
    if wide:
        top = b.from_bits(b.iand(b.bits(a), ~0x7FFFFFF))
        parts, digits = [top, b.fsub(a, top)], 44
    else:
        parts, digits = [a], 8
    total = b.const(a, 0.0)
    error = b.const(a, 0.0)
    for part in parts:
        for n in range(digits):
            # Late digits underflow as doubles: move 2^500 from the argument to the digit.
            moved = 500 if n >= 20 else 0
            scaled = b.fmul(part, 2.0**-moved) if moved else part
            product = b.fmul(scaled, math.ldexp(_TWO_OVER_PI[n], moved - 26 * (n + 1)))
            rest = b.fsub(product, b.fmul(b.frint(b.fmul(product, 0.25)), 4.0))
            total, e = two_sum(b, total, rest)
            error = b.fadd(error, e)
    q = b.frint(total)
    r = b.fmul(b.fadd(b.fsub(total, q), error), math.pi / 2)
    return b.bits(b.fadd(q, _MAGIC)), r


def _sin_cos(b: Backend, r: Value) -> tuple[Value, Value]:
    square = b.fmul(r, r)
    return b.fmul(r, horner(b, square, _SIN)), horner(b, square, _COS)


def _flag(b: Backend, n: Value, bit: int) -> Value:
    return b.icmp("ne", b.iand(n, bit), 0)


def sin(b: Backend, x: Value, wide: bool) -> Value:
    n, r = _quadrant(b, x, wide)
    s, c = _sin_cos(b, r)
    t = b.select(_flag(b, n, 1), c, s)
    t = b.select(_flag(b, n, 2), b.fneg(t), t)
    return b.select(b.icmp("slt", b.bits(x), 0), b.fneg(t), t)


def cos(b: Backend, x: Value, wide: bool) -> Value:
    n, r = _quadrant(b, x, wide)
    s, c = _sin_cos(b, r)
    t = b.select(_flag(b, n, 1), s, c)
    return b.select(_flag(b, b.iadd(n, 1), 2), b.fneg(t), t)


def tan(b: Backend, x: Value, wide: bool) -> Value:
    n, r = _quadrant(b, x, wide)
    s, c = _sin_cos(b, r)
    odd = _flag(b, n, 1)
    t = b.fdiv(b.select(odd, b.fneg(c), s), b.select(odd, s, c))
    return b.select(b.icmp("slt", b.bits(x), 0), b.fneg(t), t)


def _erfc_positive(b: Backend, a: Value) -> Value:
    """erfc for a >= 0."""
    a = minimum(b, a, 30.0)
    t = b.fdiv(b.fsub(a, 3.75), b.fadd(a, 3.75))
    scaled = b.fdiv(horner(b, t, _ERFCX), b.fadd(b.fadd(a, a), 1.0))
    return b.fmul(exp(b, b.fneg(b.fmul(a, a))), scaled)


def erf(b: Backend, x: Value) -> Value:
    a = b.fabs(x)
    c = minimum(b, a, 0.5)
    small = b.fmul(a, horner(b, b.fmul(c, c), _ERF))
    large = b.fsub(b.const(x, 1.0), _erfc_positive(b, a))
    return copysign(b, b.select(b.fcmp("lt", a, 0.5), small, large), x)


def erfc(b: Backend, x: Value) -> Value:
    r = _erfc_positive(b, b.fabs(x))
    return b.select(b.fcmp("lt", x, 0.0), b.fsub(b.const(x, 2.0), r), r)


def pow_(b: Backend, x: Value, y: Value) -> Value:
    """C `pow`, special cases included."""
    a = b.fabs(x)
    result = exp(b, b.fmul(y, log(b, a)))
    half = b.fmul(y, 0.5)
    integral = b.fcmp("eq", b.ffloor(y), y)
    odd = b.iand(integral, b.bnot(b.fcmp("eq", b.ffloor(half), half)))
    negative = b.icmp("slt", b.bits(x), 0)
    result = b.select(b.iand(odd, negative), b.fneg(result), result)
    below = b.iand(b.fcmp("lt", x, 0.0), b.fcmp("gt", x, -math.inf))
    result = b.select(b.iand(below, b.bnot(integral)), math.nan, result)
    unit = b.iand(b.fcmp("eq", x, -1.0), b.fcmp("eq", b.fabs(y), math.inf))
    one = b.ior(b.ior(b.fcmp("eq", y, 0.0), b.fcmp("eq", x, 1.0)), unit)
    return b.select(one, 1.0, result)


def cbrt(b: Backend, x: Value) -> Value:
    a = b.fabs(x)
    root = exp(b, b.fmul(log(b, a), 1.0 / 3.0))
    return copysign(b, root, x)


def sigmoid(b: Backend, x: Value, wide: bool = True) -> Value:
    e = exp(b, b.fneg(b.fabs(x)), wide)
    top = b.select(b.fcmp("lt", x, 0.0), e, b.const(e, 1.0))
    return b.fdiv(top, b.fadd(e, 1.0))


def silu(b: Backend, x: Value, wide: bool = True) -> Value:
    return b.fmul(x, sigmoid(b, x, wide))


def gelu(b: Backend, x: Value) -> Value:
    tail = b.fmul(_erfc_positive(b, b.fmul(b.fabs(x), math.sqrt(0.5))), 0.5)
    phi = b.select(b.fcmp("gt", x, 0.0), b.fsub(b.const(x, 1.0), tail), tail)
    return b.fmul(x, phi)


def softplus(b: Backend, x: Value, beta: float, threshold: float) -> Value:
    """`log(1 + e^(beta x)) / beta`, and x where `beta x > threshold`."""
    z = b.fmul(x, beta)
    soft = b.fadd(maximum(b, z, 0.0), log1p(b, exp(b, b.fneg(b.fabs(z)))))
    return b.select(b.fcmp("gt", z, threshold), x, b.fdiv(soft, beta))
