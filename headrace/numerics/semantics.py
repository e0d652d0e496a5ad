"""The one table of scalar operations, keyed by MLIR name: types, opcodes, parameters and both evaluations.

    op = semantics.get("arith.addf")
    op.numpy([x, y], [F16, F16], [F16])                 # value arrays (see `dtypes`)
    op.llvm(builder, [x, y], [F16, F16], [F16])         # LLVM scalars or vectors in register form
    op.result_dtypes([F16, F16])                        # (F16,)

Both evaluate the same definition and agree in every bit. Operations with several results give a tuple.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from llvmlite import ir

from headrace.numerics import definitions as d
from headrace.numerics import dtypes, rounding
from headrace.numerics import elementary as el
from headrace.numerics.backend import Backend
from headrace.numerics.dtypes import Array, DType
from headrace.numerics.llvm_backend import F32, F64, HALF, LLVMBackend, host_target_machine, scalar_of, with_lanes

__all__ = [
    "COMBINERS", "ParamSpec", "ScalarOp", "by_code", "get", "host_target_machine", "identity", "names", "register_type",
    "storage_type", "supports", "to_register", "to_storage",
]  # fmt: skip

Domain = Literal["float", "int", "any", "cast"]
Result = Literal["same", "last", "i1", "pair", "declared"]


@dataclass(frozen=True)
class ParamSpec:
    """A parameter: an enumerated predicate (`choices`), or an f64 number with a default."""

    name: str
    choices: tuple[str, ...] = ()
    default: Any = None

    def encode(self, value: Any) -> int:
        if self.choices:
            return self.choices.index(value)
        return struct.unpack("<q", struct.pack("<d", float(value)))[0]

    def decode(self, word: int) -> Any:
        return self.choices[word] if self.choices else struct.unpack("<d", struct.pack("<q", word))[0]


@dataclass(frozen=True)
class ScalarOp:
    """One operation.

    `code` is its stable number in binaries, `short` the name under which a device file prices it (`op_cycles`),
    `domain` the operand types it takes (`float` df16 included; `int` with i1 and index; `any`; `cast`), `result` how
    result types follow: `same` as operand 0, `last` as the last operand, `i1`, `pair` (twice operand 0), or `declared`.
    """

    name: str
    code: int
    short: str
    arity: int
    domain: Domain
    result: Result
    definition: d.Definition
    params: tuple[ParamSpec, ...] = ()

    @property
    def results(self) -> int:
        """Number of results."""
        return 2 if self.result == "pair" else 1

    def result_dtypes(
        self, in_dtypes: Sequence[DType], declared: DType | Sequence[DType] | None = None
    ) -> tuple[DType, ...]:
        """Result types; `declared` is needed where they do not follow from the operands."""
        match self.result:
            case "same":
                return (in_dtypes[0],)
            case "last":
                return (in_dtypes[-1],)
            case "i1":
                return (dtypes.I1,)
            case "pair":
                return (in_dtypes[0], in_dtypes[0])
        if declared is None:
            raise ValueError(f"{self.name} needs a declared result type")
        return (declared,) if isinstance(declared, DType) else tuple(declared)

    def complete_params(self, params: Mapping[str, Any] | None) -> dict[str, Any]:
        """Parameters with defaults filled in. ValueError if one is missing or not allowed."""
        given = dict(params or {})
        complete: dict[str, Any] = {}
        for spec in self.params:
            value = given.get(spec.name, spec.default)
            if value is None:
                raise ValueError(f"{self.name} needs the parameter '{spec.name}'")
            if spec.choices and isinstance(value, int) and 0 <= value < len(spec.choices):
                value = spec.choices[value]
            if spec.choices and value not in spec.choices:
                raise ValueError(f"{self.name}: '{value}' is no {spec.name}, expected one of {', '.join(spec.choices)}")
            complete[spec.name] = value
        return complete

    def encode_params(self, params: Mapping[str, Any] | None) -> list[int]:
        """One int64 per parameter, in table order: predicate number, or the bits of an f64."""
        complete = self.complete_params(params)
        return [spec.encode(complete[spec.name]) for spec in self.params]

    def decode_params(self, words: Sequence[int]) -> dict[str, Any]:
        """Inverse of `encode_params`."""
        return {spec.name: spec.decode(word) for spec, word in zip(self.params, words, strict=True)}

    def _signature(self, ins: Sequence[DType], outs: Any, params: Mapping[str, Any] | None) -> d.Signature:
        return d.Signature(tuple(ins), self.result_dtypes(ins, outs), self.complete_params(params))

    def numpy(
        self,
        args: Sequence[Any],
        in_dtypes: Sequence[DType],
        out_dtypes: DType | Sequence[DType] | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> Any:
        """Evaluate on value arrays of broadcastable shapes; no warning is raised."""
        from headrace.numerics.numpy_backend import NUMPY

        quick = _direct(self.name, args, in_dtypes, out_dtypes)
        if quick is not None:
            return quick
        sig = self._signature(in_dtypes, out_dtypes, params)
        values = [t.to_register(x) for x, t in zip(args, in_dtypes, strict=True)]
        with np.errstate(all="ignore"):
            result = self.definition(NUMPY, values, sig)
        if self.results == 1:
            return sig.outs[0].from_register(result)
        return tuple(t.from_register(x) for x, t in zip(result, sig.outs, strict=True))

    def llvm(
        self,
        builder: ir.IRBuilder,
        args: Sequence[Any],
        in_dtypes: Sequence[DType],
        out_dtypes: DType | Sequence[DType] | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> Any:
        """Emit code on register form values (`register_type`), all scalars or all vectors of one length."""
        sig = self._signature(in_dtypes, out_dtypes, params)
        return self.definition(LLVMBackend(builder), list(args), sig)


_F32 = dtypes.get("f32")
_F16 = dtypes.get("f16")
_DIRECT = {"arith.addf": np.add, "arith.subf": np.subtract, "arith.mulf": np.multiply, "arith.divf": np.divide}
EXTREMES = {"arith.maximumf": np.maximum, "arith.minimumf": np.minimum}
"""NumPy's operations for the larger and the smaller of two floats: equal to ours but for NaN and the sign of zeros."""


def _direct(name: str, args: Sequence[Any], ins: Sequence[DType], outs: Any) -> Any:
    """The result where NumPy's own operation has the same meaning: f32 and f16 arithmetic (NumPy computes halves in f32
    and rounds, which is one rounding for these operations), the larger or smaller of two, and conversion between f16
    and f32, on arrays without NaN (whose bits the definitions fix). None otherwise."""
    if not args or not all(isinstance(x, np.ndarray) for x in args):
        return None
    operation = _DIRECT.get(name) or EXTREMES.get(name)
    if operation is not None:
        if ins[0] is not _F32 and ins[0] is not _F16:
            return None
        if args[0].dtype != ins[0].value_dtype or args[1].dtype != ins[0].value_dtype:
            return None
        with np.errstate(all="ignore"):
            result = operation(args[0], args[1])
        if name in EXTREMES and (result == 0).any():  # of two zeros, the definition says which
            return None
    elif name in ("arith.extf", "arith.truncf"):
        out = outs[0] if isinstance(outs, list | tuple) else outs
        if not (ins[0] is _F16 and out is _F32) and not (ins[0] is _F32 and out is _F16):
            return None
        if args[0].dtype != ins[0].value_dtype:
            return None
        with np.errstate(all="ignore"):
            result = args[0].astype(out.value_dtype)
    else:
        return None
    return None if np.isnan(result).any() else result


# -- the table -------------------------------------------------------------------------------------------------------

_TABLE: dict[str, ScalarOp] = {}
_CODES: dict[int, ScalarOp] = {}


def _op(
    code: int,
    name: str,
    short: str,
    arity: int,
    domain: Domain,
    definition: d.Definition,
    result: Result = "same",
    params: tuple[ParamSpec, ...] = (),
) -> None:
    op = ScalarOp(name, code, short, arity, domain, result, definition, params)
    assert name not in _TABLE and code not in _CODES
    _TABLE[name] = _CODES[code] = op


def _b(name: str) -> d.Definition:
    """A float primitive of the backend."""
    return d.arithmetic(lambda b, *args: getattr(b, name)(*args))


def _i(name: str) -> d.Definition:
    """An integer primitive of the backend."""
    return d.integer(lambda b, *args: getattr(b, name)(*args))


def _reciprocal(b: Backend, x: Any) -> Any:
    return b.fdiv(b.const(x, 1.0), x)


def _rsqrt(b: Backend, x: Any) -> Any:
    return b.fdiv(b.const(x, 1.0), b.fsqrt(x))


def _constant(b: Backend, args: list[Any], sig: d.Signature) -> Any:
    value = sig.outs[0].round_to(np.float64(sig.params["value"]))
    if isinstance(b, LLVMBackend):
        return ir.Constant(register_type(sig.outs[0]), float(value))
    return sig.outs[0].to_register(value)


_PRED_I = (ParamSpec("predicate", d.CMPI),)
_PRED_F = (ParamSpec("predicate", d.CMPF),)
_PRED_S = (ParamSpec("predicate", d.COMPARE),)

# arith on floats: 0x001..
_op(0x001, "arith.addf", "add", 2, "float", _b("fadd"))
_op(0x002, "arith.subf", "sub", 2, "float", _b("fsub"))
_op(0x003, "arith.mulf", "mul", 2, "float", _b("fmul"))
_op(0x004, "arith.divf", "div", 2, "float", _b("fdiv"))
_op(0x005, "arith.negf", "neg", 1, "float", _b("fneg"))
_op(0x006, "arith.remf", "rem", 2, "float", _b("frem"))
_op(0x007, "arith.maximumf", "max", 2, "float", d.arithmetic(d.maximum))
_op(0x008, "arith.minimumf", "min", 2, "float", d.arithmetic(d.minimum))
_op(0x009, "arith.maxnumf", "max", 2, "float", d.arithmetic(d.maxnum))
_op(0x00A, "arith.minnumf", "min", 2, "float", d.arithmetic(d.minnum))
_op(0x00B, "arith.cmpf", "cmp", 2, "float", d.cmpf, "i1", _PRED_F)
_op(0x00C, "arith.select", "select", 3, "any", d.select, "last")
# arith on integers: 0x020..
_op(0x020, "arith.addi", "addi", 2, "int", _i("iadd"))
_op(0x021, "arith.subi", "subi", 2, "int", _i("isub"))
_op(0x022, "arith.muli", "muli", 2, "int", _i("imul"))
_op(0x023, "arith.divsi", "divi", 2, "int", d.integer(d.divsi, signed=True))
_op(0x024, "arith.divui", "divi", 2, "int", d.integer(d.divui))
_op(0x025, "arith.remsi", "remi", 2, "int", d.integer(d.remsi, signed=True))
_op(0x026, "arith.remui", "remi", 2, "int", d.integer(d.remui))
_op(0x027, "arith.ceildivsi", "divi", 2, "int", d.integer(d.ceildivsi, signed=True))
_op(0x028, "arith.ceildivui", "divi", 2, "int", d.integer(d.ceildivui))
_op(0x029, "arith.floordivsi", "divi", 2, "int", d.integer(d.floordivsi, signed=True))
_op(0x02A, "arith.minsi", "mini", 2, "int", d.integer(d.pick_int("slt"), signed=True))
_op(0x02B, "arith.maxsi", "maxi", 2, "int", d.integer(d.pick_int("sgt"), signed=True))
_op(0x02C, "arith.minui", "mini", 2, "int", d.integer(d.pick_int("ult")))
_op(0x02D, "arith.maxui", "maxi", 2, "int", d.integer(d.pick_int("ugt")))
_op(0x02E, "arith.andi", "and", 2, "int", d.bitwise("iand"))
_op(0x02F, "arith.ori", "or", 2, "int", d.bitwise("ior"))
_op(0x030, "arith.xori", "xor", 2, "int", d.bitwise("ixor"))
_op(0x031, "arith.shli", "shift", 2, "int", d.shift("shl"))
_op(0x032, "arith.shrsi", "shift", 2, "int", d.shift("ashr"))
_op(0x033, "arith.shrui", "shift", 2, "int", d.shift("lshr"))
_op(0x034, "arith.cmpi", "cmpi", 2, "int", d.cmpi, "i1", _PRED_I)
# arith conversions: 0x050..
_op(0x050, "arith.extf", "convert", 1, "cast", d.convert_float, "declared")
_op(0x051, "arith.truncf", "convert", 1, "cast", d.convert_float, "declared")
_op(0x052, "arith.sitofp", "convert", 1, "cast", d.int_to_float(True), "declared")
_op(0x053, "arith.uitofp", "convert", 1, "cast", d.int_to_float(False), "declared")
_op(0x054, "arith.fptosi", "convert", 1, "cast", d.to_int(True), "declared")
_op(0x055, "arith.fptoui", "convert", 1, "cast", d.to_int(False), "declared")
_op(0x056, "arith.extsi", "convert", 1, "cast", d.resize(True), "declared")
_op(0x057, "arith.extui", "convert", 1, "cast", d.resize(False), "declared")
_op(0x058, "arith.trunci", "convert", 1, "cast", d.resize(True), "declared")
_op(0x059, "arith.bitcast", "convert", 1, "cast", d.bitcast, "declared")
_op(0x05A, "arith.index_cast", "convert", 1, "cast", d.resize(True), "declared")
_op(0x05B, "arith.index_castui", "convert", 1, "cast", d.resize(False), "declared")
# math: 0x080..
_op(0x080, "math.exp", "exp", 1, "float", d.real(el.exp, wide=True))
_op(0x081, "math.exp2", "exp2", 1, "float", d.real(el.exp2, wide=True))
_op(0x082, "math.expm1", "expm1", 1, "float", d.real(el.expm1))
_op(0x083, "math.log", "log", 1, "float", d.real(el.log))
_op(0x084, "math.log2", "log2", 1, "float", d.real(el.log2))
_op(0x085, "math.log10", "log10", 1, "float", d.real(el.log10))
_op(0x086, "math.log1p", "log1p", 1, "float", d.real(el.log1p))
_op(0x087, "math.sqrt", "sqrt", 1, "float", d.arithmetic(d.sqrt))
_op(0x088, "math.rsqrt", "rsqrt", 1, "float", d.real(_rsqrt))
_op(0x089, "math.cbrt", "cbrt", 1, "float", d.real(el.cbrt))
_op(0x08A, "math.tanh", "tanh", 1, "float", d.real(el.tanh))
_op(0x08B, "math.sinh", "sinh", 1, "float", d.real(el.sinh))
_op(0x08C, "math.cosh", "cosh", 1, "float", d.real(el.cosh))
_op(0x08D, "math.asinh", "asinh", 1, "float", d.real(el.asinh))
_op(0x08E, "math.acosh", "acosh", 1, "float", d.real(el.acosh))
_op(0x08F, "math.atanh", "atanh", 1, "float", d.real(el.atanh))
_op(0x090, "math.sin", "sin", 1, "float", d.real(el.sin, wide=True))
_op(0x091, "math.cos", "cos", 1, "float", d.real(el.cos, wide=True))
_op(0x092, "math.tan", "tan", 1, "float", d.real(el.tan, wide=True))
_op(0x093, "math.asin", "asin", 1, "float", d.real(el.asin))
_op(0x094, "math.acos", "acos", 1, "float", d.real(el.acos))
_op(0x095, "math.atan", "atan", 1, "float", d.real(el.atan))
_op(0x096, "math.atan2", "atan2", 2, "float", d.real(el.atan2))
_op(0x097, "math.erf", "erf", 1, "float", d.real(el.erf))
_op(0x098, "math.erfc", "erfc", 1, "float", d.real(el.erfc))
_op(0x099, "math.powf", "pow", 2, "float", d.real(el.pow_))
_op(0x09A, "math.fma", "fma", 3, "float", d.fma)
_op(0x09B, "math.absf", "abs", 1, "float", _b("fabs"))
_op(0x09C, "math.copysign", "copysign", 2, "float", d.arithmetic(el.copysign))
_op(0x09D, "math.ceil", "ceil", 1, "float", d.arithmetic(d.ceil))
_op(0x09E, "math.floor", "floor", 1, "float", _b("ffloor"))
_op(0x09F, "math.round", "round", 1, "float", d.arithmetic(d.round_away))
_op(0x0A0, "math.roundeven", "round", 1, "float", _b("frint"))
_op(0x0A1, "math.trunc", "trunc", 1, "float", d.arithmetic(d.trunc))
_op(0x0A2, "math.isnan", "classify", 1, "float", d.classify(lambda b, x: b.fcmp("uno", x, x)), "i1")
_op(0x0A3, "math.isinf", "classify", 1, "float", d.classify(d.isinf), "i1")
_op(0x0A4, "math.isfinite", "classify", 1, "float", d.classify(d.isfinite), "i1")
_op(0x0C0, "math.absi", "absi", 1, "int", d.integer(d.absi, signed=True))
_op(0x0C1, "math.ctpop", "count", 1, "int", d.count("ctpop"))
_op(0x0C2, "math.ctlz", "count", 1, "int", d.count("ctlz"))
_op(0x0C3, "math.cttz", "count", 1, "int", d.count("cttz"))
# spyreop: 0x100..
_op(0x100, "spyreop.addi32toi32", "addi", 2, "int", _i("iadd"))
_op(0x101, "spyreop.addi64toi64", "addi", 2, "int", _i("iadd"))
_op(0x102, "spyreop.muli32toi32", "muli", 2, "int", _i("imul"))
_op(0x103, "spyreop.idx32toaddr", "muli", 3, "int", d.integer(d.address))
_op(0x104, "spyreop.exp", "exp", 1, "float", d.real(el.exp, wide=True))
_op(0x105, "spyreop.gelu", "gelu", 1, "float", d.real(el.gelu))
_op(0x106, "spyreop.sigmoid", "sigmoid", 1, "float", d.real(el.sigmoid, wide=True))
_op(0x107, "spyreop.silu", "silu", 1, "float", d.real(el.silu, wide=True))
_op(0x108, "spyreop.sqrt", "sqrt", 1, "float", d.arithmetic(d.sqrt))
_op(0x109, "spyreop.rsqrt", "rsqrt", 1, "float", d.real(_rsqrt))
_op(0x10A, "spyreop.reciprocal", "reciprocal", 1, "float", d.arithmetic(_reciprocal))
_op(0x10B, "spyreop.realdiv", "div", 2, "float", _b("fdiv"))
_op(
    0x10C, "spyreop.softplus", "softplus", 1, "float", d.softplus, "same",
    (ParamSpec("beta", default=1.0), ParamSpec("threshold", default=20.0)),
)  # fmt: skip
_op(0x10D, "spyreop.exx2", "exx2", 1, "float", d.exx2, "pair")
_op(
    0x10E, "spyreop.layernormscale", "layernormscale", 2, "float", d.layernormscale, "same",
    (ParamSpec("eps", default=d.LAYERNORM_EPS),),
)  # fmt: skip
_op(0x10F, "spyreop.layernormnorm", "layernormnorm", 5, "float", d.layernormnorm)
_op(0x110, "spyreop.compare", "cmp", 2, "float", d.compare, "same", _PRED_S)
_op(0x111, "spyreop.select", "select", 3, "float", d.select_nonzero)
_op(0x112, "spyreop.constant", "constant", 0, "float", _constant, "declared", (ParamSpec("value"),))


def get(name: str) -> ScalarOp:
    """Operation by MLIR name. KeyError if the table has none."""
    if name not in _TABLE:
        raise KeyError(f"no scalar operation '{name}'")
    return _TABLE[name]


def by_code(code: int) -> ScalarOp:
    """Operation by its number. KeyError if there is none."""
    if code not in _CODES:
        raise KeyError(f"no scalar operation with code {code:#x}")
    return _CODES[code]


def names() -> list[str]:
    """All names, in order of their codes."""
    return [_CODES[code].name for code in sorted(_CODES)]


def supports(name: str) -> bool:
    """Whether the table has `name`."""
    return name in _TABLE


# -- LLVM forms ------------------------------------------------------------------------------------------------------


def register_type(dtype: DType, lanes: int = 0) -> Any:
    """LLVM type of the register form; `lanes` > 0 gives a vector."""
    scalar: ir.Type
    if dtype.is_float:
        scalar = F64 if dtype.name == "f64" else F32
    else:
        scalar = ir.IntType(dtype.bits)
    return ir.VectorType(scalar, lanes) if lanes else scalar


def storage_type(dtype: DType, lanes: int = 0) -> Any:
    """LLVM type to load and store: half for f16, i16 for bf16 and df16, i8 for i1, else the register type."""
    scalar: ir.Type
    if dtype.name == "f16":
        scalar = HALF
    elif dtype.name in ("bf16", "df16"):
        scalar = ir.IntType(16)
    elif dtype.name == "i1":
        scalar = ir.IntType(8)
    else:
        scalar = register_type(dtype)
    return ir.VectorType(scalar, lanes) if lanes else scalar


def to_register(builder: ir.IRBuilder, raw: Any, dtype: DType) -> Any:
    """A loaded value (`storage_type`, or an integer of its width) in register form."""
    scalar = scalar_of(raw.type)
    if scalar == HALF:
        return builder.fpext(raw, with_lanes(F32, raw.type))
    if scalar in (F32, F64):
        return raw
    return rounding.unpack(LLVMBackend(builder), raw, dtype.name)


def to_storage(builder: ir.IRBuilder, value: Any, dtype: DType) -> Any:
    """A register form value as `storage_type`."""
    if dtype.name == "f16":
        return builder.fptrunc(value, with_lanes(HALF, value.type))
    if dtype.name in ("f32", "f64"):
        return value
    return rounding.pack(LLVMBackend(builder), value, dtype.name)


# -- reductions ------------------------------------------------------------------------------------------------------

COMBINERS = (
    "arith.addf", "arith.mulf", "arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf", "arith.addi",
    "arith.muli", "arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui", "arith.andi", "arith.ori", "arith.xori",
)  # fmt: skip
"""Associative, commutative operations (floats up to rounding) that may combine partial reductions."""


def identity(name: str, dtype: DType) -> Array:
    """Neutral element of a combiner as a 0-d value array: `op(identity, x) == x`.

    Sums of floats start at -0.0, so that a sum of -0.0 keeps its sign. A type without infinities (df16) uses its
    largest magnitude for max and min; maxnumf and minnumf use NaN. ValueError for an operation that is no combiner.
    """
    if name not in COMBINERS:
        raise ValueError(f"'{name}' has no neutral element")
    kind = name.split(".")[1]
    if dtype.is_float:
        largest = math.inf
        if dtype.name == "df16":
            largest = float(dtype.decode(np.uint16(0x7FFE)))
        table = {
            "addf": -0.0,
            "mulf": 1.0,
            "maximumf": -largest,
            "minimumf": largest,
            "maxnumf": math.nan,
            "minnumf": math.nan,
        }
        return dtype.round_to(np.float64(table[kind]))
    bits = dtype.bits
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    table = {
        "addi": 0,
        "muli": 1,
        "maxsi": low,
        "minsi": high,
        "maxui": 0,
        "minui": -1,
        "andi": -1,
        "ori": 0,
        "xori": 0,
    }
    return np.asarray(table[kind]).astype(dtype.value_dtype)
