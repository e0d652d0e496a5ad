"""Contractions, convolutions and poolings of `linalg` with fixed indexing maps, and the rules all structured ops share.

Each is one line of `_TABLE`: the loops in MLIR's order and, for each operand, how its dimensions are indexed. In
`oh*sh+kh*dh` the second and fourth letters name a stride and a dilation; they are the numbers of the attributes
`strides` and `dilations`, in order of the windows.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    MemRefType,
    TensorType,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.dialects.linalg import abstract_ops, attrs, ops
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import irdl_attr_definition, irdl_op_definition, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from headrace.ir.affine import simplify
from headrace.ir.upstream.arith import is_float


class Form(NamedTuple):
    """A structured operation: its loops (`r` after a name: a reduction), operands and what the body does."""

    loops: str
    operands: tuple[str, ...]
    body: str
    summary: str


_WINDOW_2D = "n oh ow c kh~ kw~"
_EXTREMES: dict[str, tuple[bool, tuple[Any, Any]]] = {
    "max": (True, (arith.MaximumfOp, arith.MaxSIOp)),
    "max_unsigned": (False, (arith.MaximumfOp, arith.MaxUIOp)),
    "min": (True, (arith.MinimumfOp, arith.MinSIOp)),
    "min_unsigned": (False, (arith.MinimumfOp, arith.MinUIOp)),
}
"""Whether integers are signed, and the operations on floats and on integers."""
_TABLE: dict[str, Form] = {
    "dot": Form("m~", ("m", "m", ""), "mac", "sum of products of two vectors"),
    "matvec": Form("m n~", ("m n", "n", "m"), "mac", "matrix times vector"),
    "vecmat": Form("n m~", ("m", "m n", "n"), "mac", "vector times matrix"),
    "batch_matvec": Form("b m k~", ("b m k", "b k", "b m"), "mac", "matrix times vector in each batch"),
    "batch_vecmat": Form("b n k~", ("b k", "b k n", "b n"), "mac", "vector times matrix in each batch"),
    "matmul_transpose_a": Form("m n k~", ("k m", "k n", "m n"), "mac", "matrix product, the left matrix transposed"),
    "matmul_transpose_b": Form("m n k~", ("m k", "n k", "m n"), "mac", "matrix product, the right matrix transposed"),
    "batch_matmul_transpose_a": Form(
        "b m n k~", ("b k m", "b k n", "b m n"), "mac", "matrix product in each batch, the left matrix transposed"
    ),
    "batch_matmul_transpose_b": Form(
        "b m n k~", ("b m k", "b n k", "b m n"), "mac", "matrix product in each batch, the right matrix transposed"
    ),
    "fill_rng_2d": Form("m n", ("", "", "", "m n"), "random", "numbers of a range and a seed"),
    "mmt4d": Form("m n k~ a c d~", ("m k a d", "n k c d", "m n a c"), "mac", "product of matrices of tiles"),
    "batch_mmt4d": Form(
        "b m n k~ a c d~", ("b m k a d", "b n k c d", "b m n a c"), "mac", "product of matrices of tiles, batched"
    ),
    "quantized_batch_matmul": Form(
        "b m n k~", ("b m k", "b k n", "", "", "b m n"), "qmac", "product of matrices with zero points, batched"
    ),
    "quantized_matmul": Form("m n k~", ("m k", "k n", "", "", "m n"), "qmac", "matrix product with zero points"),
    "conv_1d": Form("ow kw~", ("ow+kw", "kw", "ow"), "mac", "convolution of a vector"),
    "conv_2d": Form("oh ow kh~ kw~", ("oh+kh ow+kw", "kh kw", "oh ow"), "mac", "convolution of a matrix"),
    "conv_1d_nwc_wcf": Form(
        "n ow f kw~ c~", ("n ow*sw+kw*dw c", "kw c f", "n ow f"), "mac", "convolution, channels last"
    ),
    "conv_1d_ncw_fcw": Form(
        "n f ow c~ kw~", ("n c ow*sw+kw*dw", "f c kw", "n f ow"), "mac", "convolution, channels first"
    ),
    "conv_2d_nhwc_hwcf": Form(
        "n oh ow f kh~ kw~ c~", ("n oh*sh+kh*dh ow*sw+kw*dw c", "kh kw c f", "n oh ow f"), "mac",
        "convolution, channels last",
    ),
    "conv_2d_nhwc_fhwc": Form(
        "n oh ow f kh~ kw~ c~", ("n oh*sh+kh*dh ow*sw+kw*dw c", "f kh kw c", "n oh ow f"), "mac",
        "convolution, channels last, filters outermost",
    ),
    "conv_2d_nchw_fchw": Form(
        "n f oh ow c~ kh~ kw~", ("n c oh*sh+kh*dh ow*sw+kw*dw", "f c kh kw", "n f oh ow"), "mac",
        "convolution, channels first",
    ),
    "conv_2d_ngchw_fgchw": Form(
        "n g f oh ow c~ kh~ kw~", ("n g c oh*sh+kh*dh ow*sw+kw*dw", "f g c kh kw", "n g f oh ow"), "mac",
        "grouped convolution",
    ),
    "conv_2d_ngchw_gfchw": Form(
        "n g f oh ow c~ kh~ kw~", ("n g c oh*sh+kh*dh ow*sw+kw*dw", "g f c kh kw", "n g f oh ow"), "mac",
        "grouped convolution, groups outermost in the filter",
    ),
    "conv_2d_nhwgc_gfhwc": Form(
        "n oh ow g f kh~ kw~ c~", ("n oh*sh+kh*dh ow*sw+kw*dw g c", "g f kh kw c", "n oh ow g f"), "mac",
        "grouped convolution, channels last",
    ),
    "conv_3d": Form(
        "od oh ow kd~ kh~ kw~", ("od+kd oh+kh ow+kw", "kd kh kw", "od oh ow"), "mac", "convolution of a volume"
    ),
    "conv_3d_ndhwc_dhwcf": Form(
        "n od oh ow f kd~ kh~ kw~ c~", ("n od*sd+kd*dd oh*sh+kh*dh ow*sw+kw*dw c", "kd kh kw c f", "n od oh ow f"),
        "mac", "convolution of a volume, channels last",
    ),
    "conv_3d_ncdhw_fcdhw": Form(
        "n f od oh ow c~ kd~ kh~ kw~", ("n c od*sd+kd*dd oh*sh+kh*dh ow*sw+kw*dw", "f c kd kh kw", "n f od oh ow"),
        "mac", "convolution of a volume, channels first",
    ),
    "depthwise_conv_1d_nwc_wc": Form(
        "n ow c kw~", ("n ow*sw+kw*dw c", "kw c", "n ow c"), "mac", "convolution of each channel"
    ),
    "depthwise_conv_1d_ncw_cw": Form(
        "n ow c kw~", ("n c ow*sw+kw*dw", "c kw", "n c ow"), "mac", "convolution of each channel, channels first"
    ),
    "depthwise_conv_1d_nwc_wcm": Form(
        "n ow c m kw~", ("n ow*sw+kw*dw c", "kw c m", "n ow c m"), "mac", "several convolutions of each channel"
    ),
    "depthwise_conv_2d_nhwc_hwc": Form(
        _WINDOW_2D, ("n oh*sh+kh*dh ow*sw+kw*dw c", "kh kw c", "n oh ow c"), "mac",
        "convolution of each channel",
    ),
    "depthwise_conv_2d_nchw_chw": Form(
        "n oh ow c kh~ kw~", ("n c oh*sh+kh*dh ow*sw+kw*dw", "c kh kw", "n c oh ow"), "mac",
        "convolution of each channel, channels first",
    ),
    "depthwise_conv_2d_nhwc_hwcm": Form(
        "n oh ow c m kh~ kw~", ("n oh*sh+kh*dh ow*sw+kw*dw c", "kh kw c m", "n oh ow c m"), "mac",
        "several convolutions of each channel",
    ),
    "depthwise_conv_3d_ndhwc_dhwc": Form(
        "n od oh ow kd~ kh~ kw~ c", ("n od*sd+kd*dd oh*sh+kh*dh ow*sw+kw*dw c", "kd kh kw c", "n od oh ow c"), "mac",
        "convolution of each channel of a volume",
    ),
    "depthwise_conv_3d_ncdhw_cdhw": Form(
        "n od oh ow kd~ kh~ kw~ c", ("n c od*sd+kd*dd oh*sh+kh*dh ow*sw+kw*dw", "c kd kh kw", "n c od oh ow"), "mac",
        "convolution of each channel of a volume, channels first",
    ),
    "depthwise_conv_3d_ndhwc_dhwcm": Form(
        "n od oh ow m kd~ kh~ kw~ c", ("n od*sd+kd*dd oh*sh+kh*dh ow*sw+kw*dw c", "kd kh kw c m", "n od oh ow c m"),
        "mac", "several convolutions of each channel of a volume",
    ),
    **{
        f"pooling_nwc_{kind}": Form(
            "n ow c kw~", ("n ow*sw+kw*dw c", "kw", "n ow c"), kind, f"{kind} over windows of rows"
        )
        for kind in ("sum", *_EXTREMES)
    },
    **{
        f"pooling_ncw_{kind}": Form(
            "n c ow kw~", ("n c ow*sw+kw*dw", "kw", "n c ow"), kind, f"{kind} over windows of rows, channels first"
        )
        for kind in ("sum", "max")
    },
    **{
        f"pooling_nhwc_{kind}": Form(
            _WINDOW_2D, ("n oh*sh+kh*dh ow*sw+kw*dw c", "kh kw", "n oh ow c"), kind, f"{kind} over windows"
        )
        for kind in ("sum", *_EXTREMES)
    },
    **{
        f"pooling_nchw_{kind}": Form(
            "n c oh ow kh~ kw~", ("n c oh*sh+kh*dh ow*sw+kw*dw", "kh kw", "n c oh ow"), kind,
            f"{kind} over windows, channels first",
        )
        for kind in ("sum", "max")
    },
    **{
        f"pooling_ndhwc_{kind}": Form(
            "n od oh ow c kd~ kh~ kw~", ("n od*sd+kd*dd oh*sh+kh*dh ow*sw+kw*dw c", "kd kh kw", "n od oh ow c"), kind,
            f"{kind} over windows of a volume",
        )
        for kind in ("sum", "max", "min")
    },
}  # fmt: skip


def _quantized(name: str) -> Form:
    """The same with two scalars more: the zero points of the inputs."""
    form = _TABLE[name]
    data, weights, result = form.operands
    return Form(form.loops, (data, weights, "", "", result), "qmac", f"{form.summary}, with zero points")


_TABLE |= {
    f"{name}_q": _quantized(name)
    for name in (
        "conv_2d_nhwc_hwcf", "conv_2d_nhwc_fhwc", "conv_2d_nchw_fchw", "conv_2d_ngchw_gfchw", "conv_2d_nhwgc_gfhwc",
        "conv_3d_ndhwc_dhwcf", "depthwise_conv_2d_nhwc_hwc", "depthwise_conv_2d_nhwc_hwcm",
    )
}  # fmt: skip


def _numbers(attribute: Attribute | None, count: int) -> list[int]:
    found = [int(v) for v in attribute.get_values()] if isinstance(attribute, DenseIntOrFPElementsAttr) else []
    return found if len(found) == count else [1] * count


@cache
def _loops(name: str) -> tuple[list[str], list[bool]]:
    words = _TABLE[name].loops.split()
    return [word.rstrip("~") for word in words], [word.endswith("~") for word in words]


def indexing_maps(name: str, strides: Attribute | None = None, dilations: Attribute | None = None) -> list[AffineMap]:
    """The maps of a table operation."""
    form = _TABLE[name]
    loops, _ = _loops(name)
    windows = [part for part in form.operands[0].split() if "+" in part]
    step, gap = _numbers(strides, len(windows)), _numbers(dilations, len(windows))
    maps: list[AffineMap] = []
    for operand in form.operands:
        exprs: list[AffineExpr] = []
        for part in operand.split():
            terms = [term.partition("*")[0] for term in part.split("+")]
            found = [AffineExpr.dimension(loops.index(term)) for term in terms]
            if len(found) == 1:
                exprs.append(found[0])
                continue
            at = windows.index(part)
            factors = (step[at], gap[at]) if "*" in part else (1, 1)
            first, second = (e if f == 1 else e * f for e, f in zip(found, factors, strict=True))
            exprs.append(simplify(first + second))
        maps.append(AffineMap(len(loops), 0, tuple(exprs)))
    return maps


def structured_body(name: str, block: Block, args: Sequence[SSAValue], cast: Any) -> SSAValue:
    """The value a table operation yields, its operations added to `block`; `cast(block, value, type)` converts."""
    from headrace.ir.upstream._linalg_named import make_payload

    out = args[-1]
    floating = is_float(out.type)

    def emit(cls: Any, *values: SSAValue, kind: Attribute = out.type) -> SSAValue:
        op = make_payload(cls, values, kind)
        block.add_op(op)
        return op.results[0]

    add, sub, mul = (
        (arith.AddfOp, arith.SubfOp, arith.MulfOp) if floating else (arith.AddiOp, arith.SubiOp, arith.MuliOp)
    )
    if out.type == i1:
        add, mul = arith.OrIOp, arith.AndIOp
    body = _TABLE[name].body
    if body == "random":
        return _random(block, args, emit, cast)
    if body == "sum":
        return emit(add, out, cast(block, args[0], out.type))
    if body in _EXTREMES:
        signed, pair = _EXTREMES[body]
        if floating and not signed:
            raise VerifyException(f"unsupported operation: unsigned {body[:3]} not on uint")
        return emit(pair[0] if floating else pair[1], out, cast(block, args[0], out.type, signed))
    left, right = cast(block, args[0], out.type), None
    if body == "qmac":
        left = emit(sub, left, cast(block, args[2], out.type))
        right = cast(block, args[1], out.type)
        right = emit(sub, right, cast(block, args[3], out.type))
    if right is None:
        right = cast(block, args[1], out.type)
    return emit(add, out, emit(mul, left, right))


def _random(block: Block, args: Sequence[SSAValue], emit: Any, cast: Any) -> SSAValue:
    """A number between two bounds that follows from the indices and a seed: two steps of a congruential generator."""

    def add(op: Any) -> SSAValue:
        block.add_op(op)
        return op.results[0]

    def integer(cls: Any, left: SSAValue, right: SSAValue) -> SSAValue:
        return emit(cls, left, right, kind=i32)

    def float_(cls: Any, left: SSAValue, right: SSAValue) -> SSAValue:
        return emit(cls, left, right, kind=f64)

    def number(value: int, kind: Attribute) -> SSAValue:
        return cast(block, add(arith.ConstantOp(IntegerAttr(value, i64))), kind)

    def place(dim: int) -> SSAValue:
        return cast(block, add(ops.IndexOp(dim)), i32)

    def step(value: SSAValue) -> SSAValue:
        product = integer(arith.MuliOp, value, number(1103515245, i32))
        return integer(arith.AddiOp, product, number(12345, i32))

    low, high, seed = args[:3]
    middle, column = number(2147483647, f64), place(1)
    mixed = step(integer(arith.AddiOp, column, step(integer(arith.AddiOp, place(0), seed))))
    offset = float_(arith.AddfOp, middle, cast(block, mixed, f64))
    width = float_(arith.SubfOp, high, low)
    scale = float_(arith.MulfOp, width, add(arith.ConstantOp(FloatAttr(2.3283063999999999e-10, f64))))
    return cast(block, float_(arith.AddfOp, float_(arith.MulfOp, offset, scale), low), args[-1].type)


# ---- classes --------------------------------------------------------------------------------------------------------


def _hidden(name: str, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> Region:
    from headrace.ir.upstream._linalg_named import named_body

    return named_body(name, [*inputs, *outputs])


class Structured(abstract_ops.NamedOperation):
    """Base of the operations of the table. They keep their maps as an attribute, as MLIR's do."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.attributes.setdefault(
            "linalg.memoized_indexing_maps", ArrayAttr([AffineMapAttr(m) for m in self.get_default_indexing_maps()])
        )

    def check_windows(self) -> None:
        """Strides and dilations are one number for each window."""
        windows = sum("*" in part for part in _TABLE[self.short()].operands[0].split())
        for key in ("strides", "dilations"):
            found = self.properties.get(key)
            if found is None:
                continue
            kind = found.type if isinstance(found, DenseIntOrFPElementsAttr) else None
            if kind is None or kind.element_type != i64 or tuple(kind.get_shape()) != (windows,):
                raise VerifyException(
                    f"attribute '{key}' failed to satisfy constraint: 64-bit signless int elements attribute of shape "
                    f"[{windows}]"
                )

    @classmethod
    def short(cls) -> str:
        """The name without the dialect."""
        return cls.name.removeprefix("linalg.")

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        return indexing_maps(self.short(), self.properties.get("strides"), self.properties.get("dilations"))

    @classmethod
    def get_hidden_region(cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> Region:
        return _hidden(cls.name, inputs, outputs)

    def get_iterator_types(self) -> ArrayAttr[attrs.IteratorTypeAttr]:
        kind = attrs.IteratorTypeAttr
        return ArrayAttr([kind.reduction() if r else kind.parallel() for r in _loops(self.short())[1]])


def _make(short: str, form: Form) -> type[Structured]:
    windows = sum("*" in part for part in form.operands[0].split())

    if windows:

        @irdl_op_definition
        class WindowOp(Structured):
            name = f"linalg.{short}"
            strides = opt_prop_def(DenseIntOrFPElementsAttr)
            dilations = opt_prop_def(DenseIntOrFPElementsAttr)

        made: type[Structured] = WindowOp
    else:

        @irdl_op_definition
        class FixedOp(Structured):
            name = f"linalg.{short}"

        made = FixedOp
    made.__name__ = "".join(word.capitalize() for word in short.split("_")) + "Op"
    made.__qualname__ = made.__name__
    made.__module__ = __name__
    maps = [", ".join(map(str, found.results)) for found in indexing_maps(short)]
    made.__doc__ = (
        f"`%r = linalg.{short} ins(...) outs(%o : T) -> T`: {form.summary}; the operands are indexed by "
        + "; ".join(f"({text})" for text in maps)
        + "."
    )
    return made


PRODUCTS = tuple(
    name for name, form in _TABLE.items() if form.body == "mac" and not any("+" in part for part in form.operands[0])
)
"""Operations of the table that sum products over plain loops."""

TABLE_OPS: dict[str, type[Structured]] = {name: _make(name, form) for name, form in _TABLE.items()}


class TypeFn(StrEnum):
    """How a contraction converts its integer inputs."""

    CAST_SIGNED = "cast_signed"
    CAST_UNSIGNED = "cast_unsigned"


@irdl_attr_definition
class TypeFnAttr(EnumAttribute[TypeFn]):  # pyright: ignore
    """`#linalg.type_fn<cast_unsigned>`: the conversion of a contraction's inputs."""

    name = "linalg.type_fn"

    @classmethod
    def parse_parameter(cls, parser: Any) -> TypeFn:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(TypeFn)

    def print_parameter(self, printer: Any) -> None:
        printer.print_string(f"<{self.data.value}>")


_B, _M, _N, _K = (AffineExpr.dimension(i) for i in range(4))
_REDUCE_MAPS = ArrayAttr([AffineMapAttr(AffineMap(4, 0, dims)) for dims in ((_B, _M, _K), (_B, _K, _N), (_M, _N))])


@irdl_op_definition
class BatchReduceMatmulOp(abstract_ops.NamedOperation):
    """`%r = linalg.batch_reduce_matmul ins(%a, %b : tensor<2x8x4xf32>, tensor<2x4x16xf32>) outs(%c : tensor<8x16xf32>)
    -> tensor<8x16xf32>`: the sum of the matrix products of all batches.
    """

    name = "linalg.batch_reduce_matmul"
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr], default_value=_REDUCE_MAPS)

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        return [item.data for item in _REDUCE_MAPS]

    @classmethod
    def get_hidden_region(cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> Region:
        return _hidden(cls.name, inputs, outputs)

    def get_iterator_types(self) -> ArrayAttr[attrs.IteratorTypeAttr]:
        kind = attrs.IteratorTypeAttr
        return ArrayAttr([kind.reduction(), kind.parallel(), kind.parallel(), kind.reduction()])


def memoized(name: str, properties: dict[str, Attribute]) -> Attribute | None:
    """The value of `linalg.memoized_indexing_maps`, which MLIR keeps on operations of the table."""
    short = name.removeprefix("linalg.")
    if short not in _TABLE:
        return None
    maps = indexing_maps(short, properties.get("strides"), properties.get("dilations"))
    return ArrayAttr([AffineMapAttr(found) for found in maps])


# ---- rules ----------------------------------------------------------------------------------------------------------


def check_structured(operands: Sequence[SSAValue], maps: Sequence[AffineMap]) -> None:
    """Ranks and static extents of the operands agree with the maps."""
    ranges: dict[int, tuple[int, int]] = {}
    shapes: list[Sequence[int]] = []
    for position, (value, found) in enumerate(zip(operands, maps, strict=True)):
        kind = value.type
        shape = kind.get_shape() if isinstance(kind, TensorType | MemRefType) else ()
        if len(shape) != len(found.results):
            raise VerifyException(
                f"expected operand rank ({len(shape)}) to match the result rank of indexing_map #{position} "
                f"({len(found.results)})"
            )
        shapes.append(shape)
        for extent, expr in zip(shape, found.results, strict=True):
            if isinstance(expr, AffineDimExpr) and extent != DYNAMIC_INDEX:
                ranges.setdefault(expr.position, (extent, position))
    for position, (shape, found) in enumerate(zip(shapes, maps, strict=True)):
        for dim, (extent, expr) in enumerate(zip(shape, found.results, strict=True)):
            if extent in (DYNAMIC_INDEX, 0):
                continue
            used = {e.position for e in expr.dfs() if isinstance(e, AffineDimExpr)}
            if not used <= ranges.keys():
                continue
            ends = [ranges[i][0] - 1 if i in ranges else 0 for i in range(found.num_dims)]
            last, first = expr.eval(ends, []), expr.eval([0] * found.num_dims, [])
            wanted = max(last, first) + 1
            told = f"inferred input/output operand #{position} has shape's dimension #{dim} to be"
            if isinstance(expr, AffineDimExpr) and wanted != extent:
                raise VerifyException(f"{told} {wanted}, but found {extent}")
            if isinstance(expr, AffineConstantExpr) or not used:
                continue
            if wanted > extent:
                raise VerifyException(f"{told} greater than or equal to {wanted}, but found {extent}")


def check_yield(op: Any, wanted: Sequence[Attribute]) -> None:
    """The terminator of the body yields one value of each output's element type."""
    block = op.regions[0].blocks.first
    end = None if block is None else block.last_op
    if not isinstance(end, ops.YieldOp):
        raise VerifyException("expected the body to end in 'linalg.yield'")
    if len(end.operands) != len(wanted):
        raise VerifyException(
            f"expected number of yield values ({len(end.operands)}) to match the number of inits / outs operands of "
            f"the enclosing LinalgOp ({len(wanted)})"
        )
    for position, (value, kind) in enumerate(zip(end.operands, wanted, strict=True)):
        if value.type != kind:
            raise VerifyException(
                f"type of yield operand {position + 1} ('{value.type}') doesn't match the element type of the "
                f"enclosing {op.name} op ('{kind}')"
            )
