"""Backend that emits LLVM IR through llvmlite, for scalars and `<N x T>` vectors alike.

No fast-math or contraction flag is ever emitted. Native code must be generated for the host processor with its
features (`host_target_machine`), so that half conversions and rounding are instructions and not library calls.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as binding
from llvmlite import ir

from headrace.numerics.backend import Backend, Value

HALF, F32, F64 = ir.HalfType(), ir.FloatType(), ir.DoubleType()
_SUFFIX = {"half": "f16", "float": "f32", "double": "f64"}


def host_target_machine(opt: int = 2) -> binding.TargetMachine:
    """A target machine for this processor with all its features; `opt` is the code generation level 0..3."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    features = binding.get_host_cpu_features().flatten()
    return target.create_target_machine(cpu=binding.get_host_cpu_name(), features=features, opt=opt, jit=True)


def scalar_of(typ: ir.Type) -> Any:
    """Element type of a vector type, the type itself otherwise."""
    return typ.element if isinstance(typ, ir.VectorType) else typ


def with_lanes(scalar: ir.Type, like: ir.Type) -> Any:
    """`scalar`, as a vector if `like` is one."""
    return ir.VectorType(scalar, like.count) if isinstance(like, ir.VectorType) else scalar


class _Splat(ir.Constant):
    """A vector of one repeated scalar constant, in LLVM's short spelling."""

    def __init__(self, typ: ir.VectorType, element: ir.Constant):
        super().__init__(typ, [element] * typ.count)
        self.element = element

    def get_reference(self) -> str:
        return f"splat ({self.element})"


def constant(typ: ir.Type, number: float | int | bool) -> Any:
    """A constant of a scalar type, or its splat over a vector type."""
    scalar = scalar_of(typ)
    if isinstance(scalar, ir.IntType):
        value = int(number) & ((1 << scalar.width) - 1)
        if value >> (scalar.width - 1) and scalar.width > 1:
            value -= 1 << scalar.width
        number = value
    else:
        number = float(number)
    one = ir.Constant(scalar, number)
    if not isinstance(typ, ir.VectorType):
        return one
    return _Splat(typ, one)


class LLVMBackend(Backend):
    """Emit primitives at the position of `builder`."""

    def __init__(self, builder: ir.IRBuilder):
        self.builder = builder

    def const(self, like: Value, number: float | int | bool) -> Value:
        return constant(like.type, number)

    def _pair(self, x: Value, y: Value) -> tuple[Value, Value]:
        if isinstance(x, int | float):
            return self.const(y, x), y
        return (x, self.const(x, y)) if isinstance(y, int | float) else (x, y)

    def _call(self, name: str, *args: Value, extra: tuple[Value, ...] = ()) -> Value:
        typ = args[0].type
        scalar = scalar_of(typ)
        suffix = f"i{scalar.width}" if isinstance(scalar, ir.IntType) else _SUFFIX[str(scalar)]
        if isinstance(typ, ir.VectorType):
            suffix = f"v{typ.count}{suffix}"
        full = f"llvm.{name}.{suffix}"
        module = self.builder.module
        function = module.globals.get(full)
        if function is None:
            signature = ir.FunctionType(typ, [a.type for a in (*args, *extra)])
            function = ir.Function(module, signature, full)
        return self.builder.call(function, [*args, *extra])

    def fadd(self, x: Value, y: Value) -> Value:
        return self.builder.fadd(*self._pair(x, y))

    def fsub(self, x: Value, y: Value) -> Value:
        return self.builder.fsub(*self._pair(x, y))

    def fmul(self, x: Value, y: Value) -> Value:
        return self.builder.fmul(*self._pair(x, y))

    def fdiv(self, x: Value, y: Value) -> Value:
        return self.builder.fdiv(*self._pair(x, y))

    def frem(self, x: Value, y: Value) -> Value:
        return self.builder.frem(*self._pair(x, y))

    def fsqrt(self, x: Value) -> Value:
        return self._call("sqrt", x)

    def ffloor(self, x: Value) -> Value:
        return self._call("floor", x)

    def frint(self, x: Value) -> Value:
        return self._call("rint", x)

    def fneg(self, x: Value) -> Value:
        return self.builder.fneg(x)

    def fabs(self, x: Value) -> Value:
        return self._call("fabs", x)

    def fma64(self, x: Value, y: Value, z: Value) -> Value:
        return self._call("fma", x, y, z)

    def fcmp(self, pred: str, x: Value, y: Value) -> Value:
        x, y = self._pair(x, y)
        if pred == "uno":
            return self.builder.fcmp_unordered("uno", x, y)
        operator = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=="}[pred]
        return self.builder.fcmp_ordered(operator, x, y)

    def to_f32(self, x: Value) -> Value:
        return self.builder.fptrunc(x, with_lanes(F32, x.type)) if scalar_of(x.type) == F64 else x

    def to_f64(self, x: Value) -> Value:
        return self.builder.fpext(x, with_lanes(F64, x.type)) if scalar_of(x.type) == F32 else x

    def f16_round(self, x: Value) -> Value:
        half = self.builder.fptrunc(x, with_lanes(HALF, x.type))
        return self.builder.fpext(half, with_lanes(F32, x.type))

    def f16_bits(self, x: Value) -> Value:
        half = self.builder.fptrunc(x, with_lanes(HALF, x.type))
        return self.builder.bitcast(half, with_lanes(ir.IntType(16), x.type))

    def f16_from_bits(self, i: Value) -> Value:
        half = self.builder.bitcast(i, with_lanes(HALF, i.type))
        return self.builder.fpext(half, with_lanes(F32, i.type))

    def bits(self, x: Value) -> Value:
        width = 32 if scalar_of(x.type) == F32 else 64
        return self.builder.bitcast(x, with_lanes(ir.IntType(width), x.type))

    def from_bits(self, i: Value) -> Value:
        scalar = F32 if scalar_of(i.type).width == 32 else F64
        return self.builder.bitcast(i, with_lanes(scalar, i.type))

    def sitofp64(self, i: Value) -> Value:
        return self.builder.sitofp(i, with_lanes(F64, i.type))

    def fptosi(self, x: Value, bits: int) -> Value:
        return self.builder.fptosi(x, with_lanes(ir.IntType(bits), x.type))

    def _resize(self, cast: Any, i: Value, bits: int) -> Value:
        return i if self.width(i) == bits else cast(i, with_lanes(ir.IntType(bits), i.type))

    def sext(self, i: Value, bits: int) -> Value:
        return self._resize(self.builder.sext, i, bits)

    def zext(self, i: Value, bits: int) -> Value:
        return self._resize(self.builder.zext, i, bits)

    def trunc(self, i: Value, bits: int) -> Value:
        return self._resize(self.builder.trunc, i, bits)

    def width(self, i: Value) -> int:
        return scalar_of(i.type).width

    def iadd(self, x: Value, y: Value) -> Value:
        return self.builder.add(*self._pair(x, y))

    def isub(self, x: Value, y: Value) -> Value:
        return self.builder.sub(*self._pair(x, y))

    def imul(self, x: Value, y: Value) -> Value:
        return self.builder.mul(*self._pair(x, y))

    def iand(self, x: Value, y: Value) -> Value:
        return self.builder.and_(*self._pair(x, y))

    def ior(self, x: Value, y: Value) -> Value:
        return self.builder.or_(*self._pair(x, y))

    def ixor(self, x: Value, y: Value) -> Value:
        return self.builder.xor(*self._pair(x, y))

    def shl(self, x: Value, n: Value) -> Value:
        return self.builder.shl(*self._pair(x, n))

    def lshr(self, x: Value, n: Value) -> Value:
        return self.builder.lshr(*self._pair(x, n))

    def ashr(self, x: Value, n: Value) -> Value:
        return self.builder.ashr(*self._pair(x, n))

    def sdiv(self, x: Value, y: Value) -> Value:
        return self.builder.sdiv(*self._pair(x, y))

    def srem(self, x: Value, y: Value) -> Value:
        return self.builder.srem(*self._pair(x, y))

    def udiv(self, x: Value, y: Value) -> Value:
        return self.builder.udiv(*self._pair(x, y))

    def urem(self, x: Value, y: Value) -> Value:
        return self.builder.urem(*self._pair(x, y))

    def ctpop(self, x: Value) -> Value:
        return self._call("ctpop", x)

    def ctlz(self, x: Value) -> Value:
        return self._call("ctlz", x, extra=(ir.Constant(ir.IntType(1), 0),))

    def cttz(self, x: Value) -> Value:
        return self._call("cttz", x, extra=(ir.Constant(ir.IntType(1), 0),))

    def icmp(self, pred: str, x: Value, y: Value) -> Value:
        x, y = self._pair(x, y)
        operator = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}[pred[-2:]]
        compare = self.builder.icmp_unsigned if pred[0] == "u" else self.builder.icmp_signed
        return compare(operator, x, y)

    def select(self, c: Value, x: Value, y: Value) -> Value:
        return self.builder.select(c, *self._pair(x, y))
