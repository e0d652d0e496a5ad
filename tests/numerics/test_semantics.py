"""Values of the table: accuracy of the elementary functions, special cases, parameters, identities."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headrace.numerics import semantics
from headrace.numerics.dtypes import ALL, DF16, F16, F32, F64, DType, get

EXTENDED = np.longdouble


def _each(function):
    return lambda x: np.array([function(float(v)) for v in x], dtype=EXTENDED)


REFERENCES = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10,
    "log1p": np.log1p, "rsqrt": lambda x: 1 / np.sqrt(x), "cbrt": np.cbrt, "tanh": np.tanh, "sinh": np.sinh,
    "cosh": np.cosh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "sin": np.sin, "cos": np.cos,
    "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "erf": _each(math.erf),
    "erfc": _each(math.erfc),
}  # fmt: skip
F64_BOUND = {"cbrt": 1100.0, "erfc": 1600.0, "erf": 8.0}


def ulps(dtype: DType, got: np.ndarray, want: np.ndarray) -> float:
    """Largest error in units in the last place, over elements that are finite on both sides."""
    digits, lowest = {"f32": (24, -126), "f64": (53, -1022)}[dtype.name]
    both = np.isfinite(got) & np.isfinite(want)
    g, w = got[both].astype(EXTENDED), want[both]
    exponent = np.maximum(np.frexp(np.abs(w))[1] - 1, lowest)
    return float(np.max(np.abs(g - w) / np.ldexp(EXTENDED(1), exponent - digits + 1)))


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
def test_accuracy(name: str, dtype: DType) -> None:
    rng = np.random.default_rng(5)
    random = rng.integers(0, 1 << dtype.bits, 20_000, dtype=np.uint64).astype(dtype.storage_dtype)
    parts = [dtype.decode(random)] + [rng.uniform(-w, w, 20_000).astype(dtype.value_dtype) for w in (1.1, 8.0, 100.0)]
    x = np.concatenate(parts)
    got = semantics.get(f"math.{name}").numpy([x], [dtype])
    with np.errstate(all="ignore"):
        want = REFERENCES[name](x.astype(EXTENDED))
    # f32 results come from f64 and are all but correctly rounded; design bound 1 ulp.
    assert ulps(dtype, got, want) <= (0.5001 if dtype is F32 else F64_BOUND.get(name, 6.0))
    with np.errstate(all="ignore"):
        rounded = want.astype(dtype.value_dtype)
    assert np.array_equal(np.isnan(got), np.isnan(rounded))
    assert np.array_equal(np.isinf(got), np.isinf(rounded))
    known = ~np.isnan(got)
    assert np.array_equal(np.signbit(got[known]), np.signbit(rounded[known]))


def one(name: str, *args: float, dtype: DType = F32, **params: object) -> float:
    values = [dtype.round_to(np.array([a])) for a in args]
    return float(semantics.get(name).numpy(values, [dtype] * len(args), params=params)[0])


def test_pow_like_c() -> None:
    rng = np.random.default_rng(3)
    special = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 0.5, -0.5, math.inf, -math.inf, math.nan, 1e30, -1e30]
    x, y = (v.ravel().astype(np.float32) for v in np.meshgrid(special, special))
    x = np.concatenate([x, rng.uniform(0, 20, 5000).astype(np.float32)])
    y = np.concatenate([y, rng.uniform(-20, 20, 5000).astype(np.float32)])
    with np.errstate(all="ignore"):
        want = np.power(x.astype(np.float64), y.astype(np.float64)).astype(np.float32)
    got = semantics.get("math.powf").numpy([x, y], [F32, F32])
    assert np.array_equal(np.isnan(got), np.isnan(want))
    known = ~np.isnan(want)
    assert np.array_equal(got[known], want[known]) and np.array_equal(np.signbit(got[known]), np.signbit(want[known]))


def test_atan2_like_c() -> None:
    special = [0.0, -0.0, 1.0, -1.0, 1e30, -1e-30, math.inf, -math.inf, math.nan]
    y, x = (v.ravel().astype(np.float32) for v in np.meshgrid(special, special))
    want = np.arctan2(y.astype(np.float64), x.astype(np.float64)).astype(np.float32)
    np.testing.assert_array_equal(semantics.get("math.atan2").numpy([y, x], [F32, F32]), want)


def test_maxima() -> None:
    assert math.isnan(one("arith.maximumf", math.nan, 1.0)) and one("arith.maxnumf", math.nan, 1.0) == 1.0
    for a, b in ((0.0, -0.0), (-0.0, 0.0)):
        assert math.copysign(1, one("arith.maximumf", a, b)) == 1
        assert math.copysign(1, one("arith.minimumf", a, b)) == -1


def test_rounding_functions() -> None:
    x = np.array([0.5, 1.5, 2.5, -0.5, -2.5, 0.49999997, -0.0, 8388609.0, -1e30], dtype=np.float32)
    half_away = [1, 2, 3, -1, -3, 0, -0.0, 8388609.0, -1e30]
    np.testing.assert_array_equal(semantics.get("math.round").numpy([x], [F32]), np.array(half_away, dtype=np.float32))
    for name, reference in (("roundeven", np.rint), ("ceil", np.ceil), ("floor", np.floor), ("trunc", np.trunc)):
        got = semantics.get(f"math.{name}").numpy([x], [F32])
        assert np.array_equal(got, reference(x)) and np.array_equal(np.signbit(got), np.signbit(reference(x)))


@settings(max_examples=300, deadline=None)
@given(*[st.floats(-1e10, 1e10, width=32)] * 3)
def test_fma_rounds_once(x: float, y: float, z: float) -> None:
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    got = one("math.fma", x, y, z)
    below, above = (float(np.nextafter(np.float32(got), np.float32(s * math.inf))) for s in (-1, 1))
    error = abs(Fraction(got) - exact)
    assert all(error <= abs(Fraction(v) - exact) for v in (below, above) if math.isfinite(v))


@settings(max_examples=300, deadline=None)
@given(*[st.integers(0, 65535)] * 2)
def test_df16_arithmetic_rounds_once(a: int, b: int) -> None:
    x, y = DF16.decode(np.array([a], dtype=np.uint16)), DF16.decode(np.array([b], dtype=np.uint16))
    with np.errstate(all="ignore"):
        for name, exact in (("addf", x.astype(np.float64) + y), ("mulf", x.astype(np.float64) * y)):
            got = semantics.get(f"arith.{name}").numpy([x, y], [DF16, DF16])
            np.testing.assert_array_equal(got, DF16.round_to(exact))


@settings(max_examples=200, deadline=None)
@given(st.integers(-128, 127), st.integers(-128, 127))
def test_integer_division(x: int, y: int) -> None:
    i8 = get("i8")

    def run(name: str) -> int:
        a = [np.array([v], dtype=np.int8) for v in (x, y)]
        return int(semantics.get(f"arith.{name}").numpy(a, [i8, i8])[0])

    def wrap(v: int) -> int:
        return (v + 128) % 256 - 128

    if y == 0:
        assert [run(n) for n in ("divsi", "divui", "ceildivsi", "floordivsi", "ceildivui")] == [-1] * 5
        assert run("remsi") == run("remui") == x
        return
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    assert run("divsi") == wrap(quotient) and run("remsi") == x - quotient * y
    assert run("floordivsi") == wrap(x // y) and run("ceildivsi") == wrap(-(-x // y))
    assert run("divui") == wrap((x % 256) // (y % 256)) and run("remui") == wrap((x % 256) % (y % 256))
    assert run("ceildivui") == wrap(-(-(x % 256) // (y % 256)))


def test_float_to_int_saturates() -> None:
    x = np.array([math.nan, math.inf, -math.inf, 3.99, -3.99, 2.0**31, 2.0**63, 2.0**64], dtype=np.float64)
    got = semantics.get("arith.fptosi").numpy([x], [F64], get("i32"))
    assert got.tolist() == [0, 2**31 - 1, -(2**31), 3, -3, 2**31 - 1, 2**31 - 1, 2**31 - 1]
    got = semantics.get("arith.fptoui").numpy([x], [F64], get("i64")).view(np.uint64)
    assert got.tolist() == [0, 2**64 - 1, 0, 3, 0, 2**31, 2**63, 2**64 - 1]


def test_intrinsics() -> None:
    x = np.linspace(-12, 12, 4001).astype(np.float32)
    wide = x.astype(np.float64)
    phi = np.array([0.5 * math.erfc(-v / math.sqrt(2)) for v in wide])
    expected = {
        "gelu": wide * phi,
        "sigmoid": 1 / (1 + np.exp(-wide)),
        "silu": wide / (1 + np.exp(-wide)),
        "reciprocal": 1 / np.where(wide == 0, 1e-300, wide),
    }
    for name, want in expected.items():
        got = semantics.get(f"spyreop.{name}").numpy([x], [F32])
        with np.errstate(over="ignore"):
            np.testing.assert_array_max_ulp(got, want.astype(np.float32), maxulp=1)
    assert one("spyreop.softplus", 2.0, beta=0.5, threshold=20.0) == np.float32(math.log1p(math.e) / 0.5)
    assert one("spyreop.softplus", 30.0, beta=1.0, threshold=20.0) == 30.0
    assert one("spyreop.layernormscale", 1.0, 5.0) == np.float32(1 / math.sqrt(4 + 1e-5))
    assert one("spyreop.layernormnorm", 3.0, 9.0, 2.0, 0.5, 1.0) == 4.0
    assert one("spyreop.compare", 3.0, 2.0, predicate="greaterthan") == 1.0
    assert one("spyreop.select", 0.0, 2.0, 3.0) == 3.0
    mean, square = semantics.get("spyreop.exx2").numpy([np.float16([3.0])], [F16])
    assert mean[0] == 3.0 and square[0] == 9.0
    assert semantics.get("spyreop.constant").numpy([], [], F16, {"value": 0.1}) == np.float16(0.1)


def test_codes_and_params() -> None:
    for name in semantics.names():
        op = semantics.get(name)
        assert semantics.by_code(op.code) is op and op.short
        params = {s.name: s.choices[-1] if s.choices else s.default or 0.25 for s in op.params}
        assert op.decode_params(op.encode_params(params)) == params
    assert semantics.get("arith.cmpf").encode_params({"predicate": "oge"}) == [3]
    assert semantics.get("arith.cmpi").complete_params({"predicate": 6}) == {"predicate": "ult"}
    with pytest.raises(ValueError, match="predicate"):
        semantics.get("arith.cmpi").encode_params({})
    with pytest.raises(ValueError, match="olt"):
        semantics.get("arith.cmpi").encode_params({"predicate": "olt"})
    with pytest.raises(KeyError):
        semantics.get("arith.nothing")
    # Numbers in binaries never change.
    assert [semantics.get(n).code for n in ("arith.addf", "arith.addi", "math.exp", "spyreop.gelu")] == [
        0x001, 0x020, 0x080, 0x105,
    ]  # fmt: skip


@pytest.mark.parametrize("name", semantics.COMBINERS)
def test_identities(name: str) -> None:
    op = semantics.get(name)
    for dtype in ALL.values():
        if dtype.is_float != (op.domain == "float"):
            continue
        x = dtype.round_to(np.array([0.0, -0.0, 1.5, -3.0, 100.0, 1e30 if dtype.bits > 16 else 2.0]))
        neutral = np.broadcast_to(semantics.identity(name, dtype), x.shape)
        got = op.numpy([neutral, x], [dtype, dtype])
        assert np.array_equal(dtype.encode(got), dtype.encode(x)), (name, dtype)
    with pytest.raises(ValueError, match="neutral"):
        semantics.identity("arith.subf", F32)
