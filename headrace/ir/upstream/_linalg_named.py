"""Named `linalg` operations: the ones xDSL lacks, the region of each, and one way to build any of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IntegerType,
    ShapedType,
    TensorType,
    VectorType,
    i1,
    i64,
)
from xdsl.dialects.linalg import abstract_ops, attrs, ops
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicOperandSize,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import SingleBlockImplicitTerminator

from headrace.ir.upstream._linalg_functions import BinaryFnAttr, UnaryFnAttr
from headrace.ir.upstream._linalg_structured import (
    TABLE_OPS,
    BatchReduceMatmulOp,
    TypeFn,
    TypeFnAttr,
    structured_body,
)
from headrace.ir.upstream.arith import element, is_float

# ---- the bodies of named operations ---------------------------------------------------------------------------------

#: Operation -> payload for floats, signed integers.
_PAYLOAD: dict[str, tuple[type[Operation], type[Operation] | None]] = {
    "add": (arith.AddfOp, arith.AddiOp),
    "sub": (arith.SubfOp, arith.SubiOp),
    "mul": (arith.MulfOp, arith.MuliOp),
    "div": (arith.DivfOp, arith.DivSIOp),
    "div_unsigned": (arith.DivfOp, arith.DivUIOp),
    "max": (arith.MaximumfOp, arith.MaxSIOp),
    "min": (arith.MinimumfOp, arith.MinSIOp),
    "max_unsigned": (arith.MaximumfOp, arith.MaxUIOp),
    "min_unsigned": (arith.MinimumfOp, arith.MinUIOp),
    "powf": (math.PowFOp, None),
    "exp": (math.ExpOp, None),
    "log": (math.LogOp, None),
    "abs": (math.AbsFOp, math.AbsIOp),
    "ceil": (math.CeilOp, None),
    "floor": (math.FloorOp, None),
    "negf": (arith.NegfOp, None),
    "round": (math.RoundOp, None),
    "sqrt": (math.SqrtOp, None),
    "rsqrt": (math.RsqrtOp, None),
    "tanh": (math.TanhOp, None),
    "erf": (math.ErfOp, None),
}
UNARY = ("exp", "log", "abs", "ceil", "floor", "negf", "reciprocal", "round", "sqrt", "rsqrt", "square", "tanh",
         "erf")  # fmt: skip
BINARY = ("add", "sub", "mul", "div", "div_unsigned", "max", "min", "powf")
#: Inputs of every named elementwise operation.
ELEMENTWISE: dict[str, int] = {
    **{f"linalg.{name}": 1 for name in (*UNARY, "copy", "elemwise_unary")},
    **{f"linalg.{name}": 2 for name in (*BINARY, "elemwise_binary")},
    "linalg.select": 3,
}


def make_payload(cls: type[Operation], operands: Sequence[SSAValue], result: Attribute) -> Operation:
    properties: dict[str, Attribute] = {}
    names = cls.get_irdl_definition().properties if issubclass(cls, IRDLOperation) else {}
    if "fastmath" in names:
        properties["fastmath"] = arith.FastMathFlagsAttr("none")
    if "overflowFlags" in names:
        properties["overflowFlags"] = arith.IntegerOverflowAttr("none")
    return cls.create(operands=list(operands), result_types=[result], properties=properties)


def _cast(block: Block, value: SSAValue, target: Attribute, signed: bool = True) -> SSAValue:
    """Convert a body argument to the output's element type, as linalg's named contractions do."""
    if value.type == target:
        return value
    if is_float(value.type) and is_float(target):
        from headrace.ir.upstream.arith import width

        wider = (width(target) or 0) > (width(value.type) or 0)
        cls: type[Operation] = arith.ExtFOp if wider else arith.TruncFOp
    elif is_float(target):
        cls = arith.SIToFPOp if signed else arith.UIToFPOp
    elif is_float(value.type):
        cls = arith.FPToSIOp if signed else arith.FPToUIOp
    elif isinstance(value.type, IntegerType) and isinstance(target, IntegerType):
        wider_cls = arith.ExtSIOp if signed else arith.ExtUIOp
        cls = wider_cls if target.width.data > value.type.width.data else arith.TruncIOp
    else:
        cls = arith.IndexCastOp
    op = cls.create(operands=[value], result_types=[target])
    block.add_op(op)
    return op.results[0]


def named_body(name: str, operands: Sequence[SSAValue], signed: bool = True, function: str | None = None) -> Region:
    """The region of a named operation over its operands (inputs, then outputs); `signed`: how integers convert.

    `function` is what an operation computes whose attribute says it.
    """
    kinds = [value.type if isinstance(value.type, VectorType) else element(value.type) for value in operands]
    block = Block(arg_types=kinds)
    args: list[SSAValue] = list(block.args)
    out = kinds[-1]
    short = name.removeprefix("linalg.")

    def emit(cls: type[Operation], values: Sequence[SSAValue], kind: Attribute = out) -> SSAValue:
        op = make_payload(cls, values, kind)
        block.add_op(op)
        return op.results[0]

    if short in ("elemwise_unary", "elemwise_binary"):
        args = [*(_cast(block, value, out, signed) for value in args[:-1]), args[-1]]
        short = (function or ("exp" if short == "elemwise_unary" else "add")).removesuffix("_signed")
    if short in ("fill", "copy"):
        result = _cast(block, args[0], out)
    elif short == "select":
        result = emit(arith.SelectOp, args[:3])
    elif short in TABLE_OPS:
        result = structured_body(short, block, args, lambda b, v, kind, s=signed: _cast(b, v, kind, s))
    elif short in ("matmul", "batch_matmul", "batch_reduce_matmul"):
        left, right = _cast(block, args[0], out, signed), _cast(block, args[1], out, signed)
        mul, add = (arith.MulfOp, arith.AddfOp) if is_float(out) else (arith.MuliOp, arith.AddiOp)
        if out == i1:
            mul, add = arith.AndIOp, arith.OrIOp
        result = emit(add, (args[-1], emit(mul, (left, right))))
    elif short == "square":
        result = emit(arith.MulfOp if is_float(out) else arith.MuliOp, (args[0], args[0]))
    elif short == "reciprocal":
        from xdsl.dialects.builtin import AnyFloat, FloatAttr

        kind = args[0].type
        if isinstance(kind, AnyFloat):
            one = arith.ConstantOp(FloatAttr(1.0, kind))
            block.add_op(one)
            result = emit(arith.DivfOp, (one.result, args[0]))
        else:
            result = emit(arith.DivfOp, (args[0], args[0]))
    else:
        floating, integer = _PAYLOAD[short]
        cls = floating if is_float(out) else integer
        if cls is None:
            raise ValueError(f"'{name}' needs floating-point operands")
        if short in ("add", "mul") and out == i1:
            cls = arith.OrIOp if short == "add" else arith.AndIOp
        result = emit(cls, args[: len(args) - 1])
    block.add_op(ops.YieldOp.create(operands=[result]))
    return Region(block)


def build_named(
    cls: type[Any] | str,
    inputs: Sequence[SSAValue],
    outputs: Sequence[SSAValue],
    result_types: Sequence[Attribute] | None = None,
    attributes: dict[str, Attribute] | None = None,
) -> Any:
    """Make a named operation with any element type; results default to the tensor outputs."""
    if isinstance(cls, str):
        cls = BY_NAME[cls if "." in cls else f"linalg.{cls}"]
    if result_types is None:
        result_types = [value.type for value in outputs if isinstance(value.type, TensorType)]
    properties: dict[str, Attribute] = {}
    rest = dict(attributes or {})
    names = cls.get_irdl_definition().properties
    for key in list(rest):
        if key in names:
            properties[key] = rest.pop(key)
    for key, definition in names.items():
        default = getattr(definition, "default_value", None)
        if key not in properties and default is not None:
            properties[key] = default
    converts = "cast" in names or ("matmul" in cls.name and "batch_matmul_transpose" not in cls.name)
    cast = {**rest, **properties}.get("cast") if converts else None
    signed = getattr(cast, "data", None) != TypeFn.CAST_UNSIGNED
    function = getattr(properties.get("fun"), "data", None)
    made = cls.build(
        operands=[list(inputs), list(outputs)],
        result_types=[list(result_types)],
        properties=properties,
        attributes=rest,
        regions=[named_body(cls.name, [*inputs, *outputs], signed, function)],
    )
    if "cast" in made.attributes and converts:  # A property that xDSL's class does not declare.
        made.properties["cast"] = made.attributes.pop("cast")
    return made


class _Named(abstract_ops.ElementwiseOperation):
    def __init__(
        self,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue] = (),
        res: Sequence[Attribute] | None = None,
        attributes: dict[str, Attribute] | None = None,
    ):
        if res is None:
            res = [value.type for value in outputs if isinstance(value.type, TensorType)]
        super().__init__(
            ins=inputs,
            outs=outputs,
            result_types=(tuple(res),),
            attributes=attributes,
            hidden_region=named_body(type(self).name, [*inputs, *outputs]),
        )

    @classmethod
    def get_hidden_region(cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> Region:
        return named_body(cls.name, [*inputs, *outputs])

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        """The identity for each operand, no loop for what has no dimensions."""
        ranks = [len(getattr(value.type, "get_shape", tuple)()) for value in self.operands]
        loops = ranks[-1]
        return [AffineMap.identity(loops) if rank else AffineMap(loops, 0, ()) for rank in ranks]


@irdl_op_definition
class DivOp(_Named):
    """`%r = linalg.div ins(%a, %b : tensor<4xf16>, tensor<4xf16>) outs(%o : tensor<4xf16>) -> tensor<4xf16>`:
    elementwise division (signed for integers).
    """

    name = "linalg.div"


@irdl_op_definition
class DivUnsignedOp(_Named):
    """`%r = linalg.div_unsigned ins(%a, %b : tensor<4xf16>, tensor<4xf16>) outs(%o : tensor<4xf16>) -> tensor<4xf16>`:
    elementwise unsigned division.
    """

    name = "linalg.div_unsigned"


@irdl_op_definition
class PowFOp(_Named):
    """`%r = linalg.powf ins(%a, %b : tensor<4xf16>, tensor<4xf16>) outs(%o : tensor<4xf16>) -> tensor<4xf16>`:
    elementwise power.
    """

    name = "linalg.powf"


@irdl_op_definition
class AbsOp(_Named):
    """`%r = linalg.abs ins(%x : tensor<4xf16>) outs(%o : tensor<4xf16>) -> tensor<4xf16>`: elementwise absolute
    value."""

    name = "linalg.abs"


@irdl_op_definition
class CeilOp(_Named):
    """`%r = linalg.ceil ins(%x : tensor<4xf16>) outs(%o : tensor<4xf16>) -> tensor<4xf16>`: elementwise rounding up."""

    name = "linalg.ceil"


@irdl_op_definition
class FloorOp(_Named):
    """`%r = linalg.floor ins(%x : tensor<4xf16>) outs(%o : tensor<4xf16>) -> tensor<4xf16>`: elementwise rounding
    down."""

    name = "linalg.floor"


@irdl_op_definition
class NegFOp(_Named):
    """`%r = linalg.negf ins(%x : tensor<4xf16>) outs(%o : tensor<4xf16>) -> tensor<4xf16>`: elementwise negation."""

    name = "linalg.negf"


@irdl_op_definition
class ReciprocalOp(_Named):
    """`%r = linalg.reciprocal ins(%x : tensor<4xf16>) outs(%o : tensor<4xf16>) -> tensor<4xf16>`: elementwise 1/x."""

    name = "linalg.reciprocal"


@irdl_op_definition
class RoundOp(_Named):
    """`%r = linalg.round ins(%x : tensor<4xf16>) outs(%o : tensor<4xf16>) -> tensor<4xf16>`:
    elementwise rounding to nearest, ties away from zero.
    """

    name = "linalg.round"


@irdl_op_definition
class RsqrtOp(_Named):
    """`%r = linalg.rsqrt ins(%x : tensor<4xf16>) outs(%o : tensor<4xf16>) -> tensor<4xf16>`: elementwise 1/sqrt(x)."""

    name = "linalg.rsqrt"


@irdl_op_definition
class SquareOp(_Named):
    """`%r = linalg.square ins(%x : tensor<4xf16>) outs(%o : tensor<4xf16>) -> tensor<4xf16>`: elementwise x*x."""

    name = "linalg.square"


@irdl_op_definition
class TanhOp(_Named):
    """`%r = linalg.tanh ins(%x : tensor<4xf16>) outs(%o : tensor<4xf16>) -> tensor<4xf16>`:
    elementwise hyperbolic tangent.
    """

    name = "linalg.tanh"


@irdl_op_definition
class ErfOp(_Named):
    """`%r = linalg.erf ins(%x : tensor<4xf16>) outs(%o : tensor<4xf16>) -> tensor<4xf16>`: elementwise error
    function."""

    name = "linalg.erf"


@irdl_op_definition
class ElemwiseUnaryOp(_Named):
    """`%r = linalg.elemwise_unary {fun = #linalg.unary_fn<log>} ins(%x : T) outs(%o : U) -> U`: the named function
    (`exp` without one) of each element, converted to the output's type first.
    """

    name = "linalg.elemwise_unary"
    fun = opt_prop_def(UnaryFnAttr)
    cast = opt_prop_def(TypeFnAttr)


@irdl_op_definition
class ElemwiseBinaryOp(_Named):
    """`%r = linalg.elemwise_binary {fun = #linalg.binary_fn<mul>} ins(%a, %b : T, U) outs(%o : V) -> V`: the named
    function (`add` without one) of each two elements, converted to the output's type first.
    """

    name = "linalg.elemwise_binary"
    fun = opt_prop_def(BinaryFnAttr)
    cast = opt_prop_def(TypeFnAttr)


_B, _M, _N, _K = (AffineExpr.dimension(i) for i in range(4))
_BATCH_MAPS = ArrayAttr([AffineMapAttr(AffineMap(4, 0, dims)) for dims in ((_B, _M, _K), (_B, _K, _N), (_B, _M, _N))])


@irdl_op_definition
class BatchMatmulOp(_Named):
    """`c[b,m,n] += a[b,m,k] * b[b,k,n]`.

    ```
    %r = linalg.batch_matmul ins(%a, %b : tensor<2x4x8xf16>, tensor<2x8x4xf16>) outs(%c : tensor<2x4x4xf16>) ->
      tensor<2x4x4xf16>
    ```
    """

    name = "linalg.batch_matmul"
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr], default_value=_BATCH_MAPS)

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        b, m, n, k = (AffineExpr.dimension(i) for i in range(4))
        return AffineMap(4, 0, (b, m, k)), AffineMap(4, 0, (b, k, n)), AffineMap(4, 0, (b, m, n))

    def get_iterator_types(self) -> ArrayAttr[attrs.IteratorTypeAttr]:
        kind = attrs.IteratorTypeAttr
        return ArrayAttr([kind.parallel()] * 3 + [kind.reduction()])


@irdl_op_definition
class MapOp(IRDLOperation):
    """`%r = linalg.map { arith.addf } ins(%a, %b : tensor<4xf16>, tensor<4xf16>) outs(%o : tensor<4xf16>)`:
    elementwise application of a region to the inputs.
    """

    name = "linalg.map"
    inputs = var_operand_def()
    init = operand_def(ShapedType)
    result = var_result_def(TensorType)
    mapper = region_def("single_block")
    traits = traits_def(SingleBlockImplicitTerminator(ops.YieldOp))

    def __init__(self, inputs: Sequence[SSAValue], init: SSAValue, mapper: Region):
        super().__init__(
            operands=[inputs, init],
            result_types=[[init.type] if isinstance(init.type, TensorType) else []],
            regions=[mapper],
        )


@irdl_op_definition
class VariadicReduceOp(IRDLOperation):
    """`linalg.reduce` over several inputs at once; the single-input one is xDSL's class."""

    name = "linalg.reduce"
    inputs = var_operand_def(ShapedType)
    inits = var_operand_def(ShapedType)
    result = var_result_def(TensorType)
    combiner = region_def("single_block")
    dimensions = prop_def(DenseArrayBase.constr(i64))
    irdl_options = (SameVariadicOperandSize(),)


EXTRA = (
    *TABLE_OPS.values(), BatchReduceMatmulOp, DivOp, DivUnsignedOp, PowFOp, AbsOp, CeilOp, FloorOp, NegFOp,
    ReciprocalOp, RoundOp, RsqrtOp, SquareOp, TanhOp, ErfOp, ElemwiseUnaryOp, ElemwiseBinaryOp,
    BatchMatmulOp,
)  # fmt: skip
NAMED = (ops.AddOp, ops.SubOp, ops.MulOp, ops.MaxOp, ops.MinOp, ops.ExpOp, ops.LogOp, ops.SqrtOp, ops.SelectOp,
          ops.FillOp, ops.CopyOp, ops.MatmulOp, *EXTRA)  # fmt: skip
BY_NAME: dict[str, type[Any]] = {cls.name: cls for cls in NAMED}
