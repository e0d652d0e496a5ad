"""Rules of views and slices of `memref` and `tensor`, as MLIR's verifiers state them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Any

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    IntegerType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import VerifyException

from headrace.ir.subscripts import parse_mixed_list
from headrace.ir.upstream import parser_for, rules_for, verifier_for
from headrace.ir.upstream.arith import is_float, is_integer

index = IndexType()
_ANY = DYNAMIC_INDEX


def strides_of(kind: MemRefType[Any]) -> tuple[list[int], int] | None:
    """Strides and offset in elements, `DYNAMIC_INDEX` where unknown; None for a layout that is no strided form."""
    shape = list(kind.get_shape())
    layout = kind.layout
    if isinstance(layout, NoneAttr):
        strides = [1] * len(shape)
        for position in range(len(shape) - 2, -1, -1):
            inner, extent = strides[position + 1], shape[position + 1]
            strides[position] = _ANY if _ANY in (inner, extent) else inner * extent
        return strides, 0
    if isinstance(layout, StridedLayoutAttr):
        found = [getattr(item, "data", _ANY) for item in layout.strides.data]
        return [_number(item) for item in found], _number(getattr(layout.offset, "data", _ANY))
    if isinstance(layout, AffineMapAttr) and len(layout.data.results) == 1:
        terms = _linear(layout.data.results[0])
        if terms is not None:
            return [terms.get(dim, 0) for dim in range(len(shape))], terms.get(None, 0)
    return None


def _linear(expr: AffineExpr) -> dict[int | None, int] | None:
    """The factor of each dimension and (under None) the constant part, `DYNAMIC_INDEX` where symbols are in them."""
    if isinstance(expr, AffineConstantExpr):
        return {None: expr.value}
    if isinstance(expr, AffineSymExpr):
        return {None: _ANY}
    if isinstance(expr, AffineDimExpr):
        return {expr.position: 1}
    if not isinstance(expr, AffineBinaryOpExpr):
        return None
    left, right = _linear(expr.lhs), _linear(expr.rhs)
    if left is None or right is None:
        return None
    if expr.kind is AffineBinaryOpKind.Add:
        found = dict(left)
        for key, value in right.items():
            found[key] = _ANY if _ANY in (value, found.get(key)) else found.get(key, 0) + value
        return found
    if expr.kind is AffineBinaryOpKind.Mul:
        if left.keys() == {None}:
            left, right = right, left
        if right.keys() != {None}:
            return None
        factor = right[None]
        return {key: _ANY if _ANY in (value, factor) else value * factor for key, value in left.items()}
    return None


def _symbols(layout: Attribute) -> int:
    """How many numbers of a layout are known only when the program runs."""
    if isinstance(layout, AffineMapAttr):
        return layout.data.num_symbols
    if isinstance(layout, StridedLayoutAttr):
        parts = [*layout.strides.data, layout.offset]
        return sum(_number(getattr(item, "data", _ANY)) == _ANY for item in parts)
    return 0


def _number(value: Any) -> int:
    return value if isinstance(value, int) else _ANY


def _known(value: int) -> int | None:
    return None if value == _ANY else value


def _text(value: int) -> str:
    return "dynamic" if value == _ANY else str(value)


def values(item: Any) -> list[int]:
    """The numbers of a dense array."""
    return list(item.get_values())


def _list(op: Any, key: str) -> list[int]:
    found = op.properties.get(key)
    if not isinstance(found, DenseArrayBase):
        raise VerifyException(f"requires attribute '{key}'")
    return values(found)


def _memref(kind: Attribute, position: int) -> MemRefType[Any]:
    if not isinstance(kind, MemRefType):
        raise VerifyException(f"operand #{position} must be strided memref of any type values, but got '{kind}'")
    return kind


def _same_space(source: Any, result: Any, what: str) -> None:
    if source.memory_space != result.memory_space:
        raise VerifyException(f"different memory spaces specified for {what} '{source}' and result memref '{result}'")


# ---- slices ---------------------------------------------------------------------------------------------------------


def check_slice(op: Any, shape: Sequence[int], bounds: bool = True) -> list[int]:
    """Offsets, sizes and strides fit a source of `shape`; returns the sizes."""
    lists = [values(op.properties[f"static_{name}"]) for name in ("offsets", "sizes", "strides")]
    for name, found, dynamic in zip(("offset", "size", "stride"), lists, _dynamic(op), strict=True):
        if len(found) != len(shape):
            raise VerifyException(f"expected {len(shape)} {name} values, got {len(found)}")
        if found.count(_ANY) != dynamic:
            raise VerifyException(f"expected {found.count(_ANY)} dynamic {name} values, got {dynamic}")
    offsets, sizes, strides = lists
    for name, found in (("offsets", offsets), ("sizes", sizes)):
        for value in found:
            if value != _ANY and value < 0:
                raise VerifyException(f"expected {name} to be non-negative, but got {value}")
    for dim, extent in enumerate(shape if bounds else ()):
        offset, size, stride = offsets[dim], sizes[dim], strides[dim]
        if _ANY in (extent, offset):
            continue
        if offset >= extent:
            raise VerifyException(f"offset {dim} is out-of-bounds: {offset} >= {extent}")
        if _ANY in (size, stride):
            continue
        last = offset + (size - 1) * stride
        if last >= extent:
            raise VerifyException(f"slice along dimension {dim} runs out-of-bounds: {last} >= {extent}")
    return sizes


def _dynamic(op: Any) -> list[int]:
    return [len(op.offsets), len(op.sizes), len(op.strides)]


def reduced(full: Sequence[int], kept: Sequence[int]) -> list[int] | None:
    """The positions of `full` that `kept` has, the others being of extent 1; None if it is no rank reduction."""
    found: list[int] = []
    position = 0
    for dim, extent in enumerate(full):
        if position < len(kept) and kept[position] == extent:
            found.append(dim)
            position += 1
        elif extent != 1:
            return None
    return found if position == len(kept) else None


def check_reduced(wanted: TensorType[Any], found: TensorType[Any]) -> None:
    """`found` is `wanted`, perhaps without some dimensions of extent 1."""
    if found.element_type != wanted.element_type:
        raise VerifyException(f"expected element type to be '{wanted.element_type}'")
    if len(found.get_shape()) > len(wanted.get_shape()):
        raise VerifyException(f"expected type to be '{wanted}' or a rank-reduced version. (rank too large)")
    if reduced(wanted.get_shape(), found.get_shape()) is None:
        raise VerifyException(
            f"expected type to be '{wanted}' or a rank-reduced version. (size mismatch), but got '{found}'"
        )


def result_layout(op: Any, source: MemRefType[Any]) -> tuple[list[int], int] | None:
    """Strides and offset of a subview with all dimensions."""
    base = strides_of(source)
    if base is None:
        return None
    offsets, steps = values(op.properties["static_offsets"]), values(op.properties["static_strides"])
    strides, offset = base
    total = offset
    for position, stride in zip(offsets, strides, strict=True):
        total = (
            _ANY if _ANY in (total, position, stride) and position != 0 else total + (position and position * stride)
        )
    return [_ANY if _ANY in (a, b) else a * b for a, b in zip(steps, strides, strict=True)], total


@rules_for(memref.SubviewOp)
def _verify_subview(op: Any) -> None:
    source, result = _memref(op.operands[0].type, 0), _memref(op.results[0].type, 0)
    sizes = check_slice(op, source.get_shape())
    if source.memory_space != result.memory_space:
        raise VerifyException(
            f"different memory spaces specified for base memref type '{source}' and subview memref type '{result}'"
        )
    if source.element_type != result.element_type:
        raise VerifyException(f"expected result element type to be '{source.element_type}', but got '{result}'")
    found = result_layout(op, source)
    if found is None:
        raise VerifyException(f"base type '{source}' is not strided")
    strides, offset = found
    wanted = MemRefType(
        source.element_type,
        sizes,
        StridedLayoutAttr([_known(stride) for stride in strides], _known(offset)),
        source.memory_space,
    )
    shape = list(result.get_shape())
    told = f"expected result type to be '{wanted}' or a rank-reduced version. (mismatch of result "
    if len(shape) > len(sizes):
        raise VerifyException(f"{told}rank), but got '{result}'")
    kept = reduced(sizes, shape)
    if kept is None:
        raise VerifyException(f"{told}sizes), but got '{result}'")
    own = strides_of(result)
    if own is None or own[1] != offset:
        raise VerifyException(f"{told}layout), but got '{result}'")
    if not _strides_match(sizes, strides, shape, own[0]):
        raise VerifyException(f"{told}layout), but got '{result}'")


def _strides_match(sizes: Sequence[int], strides: Sequence[int], shape: Sequence[int], own: Sequence[int]) -> bool:
    """Whether dropping unit dimensions can leave extents `shape` with strides `own`."""
    if not shape:
        return all(size == 1 for size in sizes)
    if not sizes:
        return False
    if sizes[0] == shape[0] and strides[0] == own[0] and _strides_match(sizes[1:], strides[1:], shape[1:], own[1:]):
        return True
    return sizes[0] == 1 and _strides_match(sizes[1:], strides[1:], shape, own)


# ---- casts ----------------------------------------------------------------------------------------------------------


def _fits(a: int, b: int) -> bool:
    return a == b or _ANY in (a, b)


def shapes_fit(a: Sequence[int], b: Sequence[int]) -> bool:
    """Equal ranks and extents, `?` fits any."""
    return len(a) == len(b) and all(_fits(x, y) for x, y in zip(a, b, strict=True))


@verifier_for(memref.CastOp)
def _verify_cast(op: Any) -> None:
    if len(op.operands) != 1 or len(op.results) != 1:
        raise VerifyException("expected one operand and one result")
    source, result = op.operands[0].type, op.results[0].type
    for position, kind in enumerate((source, result)):
        if not isinstance(kind, MemRefType | UnrankedMemRefType):
            what = "operand #0" if position == 0 else "result #0"
            raise VerifyException(f"{what} must be ranked or unranked memref of any type values, but got '{kind}'")
    fine = source.element_type == result.element_type and source.memory_space == result.memory_space
    if isinstance(source, MemRefType) and isinstance(result, MemRefType):
        fine = fine and shapes_fit(source.get_shape(), result.get_shape())
        if fine and source.layout != result.layout:
            a, b = strides_of(source), strides_of(result)
            fine = a is not None and b is not None and _fits(a[1], b[1]) and shapes_fit(a[0], b[0])
    elif isinstance(source, UnrankedMemRefType) and isinstance(result, UnrankedMemRefType):
        fine = False
    if not fine:
        raise VerifyException(f"operand type '{source}' and result type '{result}' are cast incompatible")


@verifier_for(memref.MemorySpaceCastOp)
def _verify_space_cast(op: Any) -> None:
    if len(op.operands) != 1 or len(op.results) != 1:
        raise VerifyException("expected one operand and one result")
    source, result = op.operands[0].type, op.results[0].type
    if not isinstance(source, MemRefType | UnrankedMemRefType):
        raise VerifyException(f"operand #0 must be ranked or unranked memref of any type values, but got '{source}'")
    fine = type(source) is type(result) and source.element_type == result.element_type
    if fine and isinstance(source, MemRefType):
        fine = source.get_shape() == result.get_shape() and source.layout == result.layout
    if not fine:
        raise VerifyException(f"operand type '{source}' and result type '{result}' are cast incompatible")


@verifier_for(memref.ReinterpretCastOp)
def _verify_reinterpret(op: Any) -> None:
    if not op.operands or len(op.results) != 1:
        raise VerifyException("expected a source and one result")
    source, result = op.operands[0].type, op.results[0].type
    if not isinstance(source, MemRefType | UnrankedMemRefType):
        raise VerifyException(f"operand #0 must be ranked or unranked memref of any type values, but got '{source}'")
    target = _memref(result, 0)
    if source.memory_space != target.memory_space:
        raise VerifyException(
            f"different memory spaces specified for source type '{source}' and result memref type '{target}'"
        )
    if source.element_type != target.element_type:
        raise VerifyException(
            f"different element types specified for source type '{source}' and result memref type '{target}'"
        )
    offsets, sizes, strides = (_list(op, f"static_{name}") for name in ("offsets", "sizes", "strides"))
    for name, found, dynamic in zip(("offset", "size", "stride"), (offsets, sizes, strides), _dynamic(op), strict=True):
        if found.count(_ANY) != dynamic:
            raise VerifyException(f"expected {found.count(_ANY)} dynamic {name} values, got {dynamic}")
    if len(offsets) != 1:
        raise VerifyException(f"expected 1 offset values, got {len(offsets)}")
    shape = target.get_shape()
    if len(sizes) != len(shape) or len(strides) != len(shape):
        raise VerifyException(f"expected {len(shape)} size and stride values, got {len(sizes)} and {len(strides)}")
    for dim, (want, have) in enumerate(zip(sizes, shape, strict=True)):
        if have != _ANY and want != have:
            raise VerifyException(
                f"expected result type with size = {_text(want)} instead of {_text(have)} in dim = {dim}"
            )
    found = strides_of(target)
    if found is None:
        raise VerifyException(f"expected result type to have strided layout but found '{target}'")
    if found[1] != _ANY and offsets[0] != found[1]:
        raise VerifyException(f"expected result type with offset = {_text(offsets[0])} instead of {_text(found[1])}")
    for dim, (want, have) in enumerate(zip(strides, found[0], strict=True)):
        if have != _ANY and want != have:
            raise VerifyException(
                f"expected result type with stride = {_text(want)} instead of {_text(have)} in dim = {dim}"
            )


@parser_for(memref.ReinterpretCastOp)
def _parse_reinterpret(parser: Any) -> Operation:
    source = parser.parse_unresolved_operand()
    parser.parse_keyword("to")
    dynamic: list[Any] = []
    properties: dict[str, Attribute] = {}
    for position, (word, key) in enumerate((("offset", "offsets"), ("sizes", "sizes"), ("strides", "strides"))):
        if position:
            parser.parse_punctuation(",")
        parser.parse_keyword(word)
        parser.parse_punctuation(":")
        found, properties[f"static_{key}"] = parse_mixed_list(parser)
        dynamic.append(found)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    parser.parse_keyword("to")
    result = parser.parse_type()
    operands = [parser.resolve_operand(source, kind)]
    return memref.ReinterpretCastOp.build(
        operands=[*operands, *dynamic], result_types=[result], properties=properties, attributes=attributes
    )


# ---- reshapes -------------------------------------------------------------------------------------------------------


def groups_of(op: Any) -> list[list[int]]:
    """The reassociation as numbers."""
    return [[int(item.value.data) for item in group] for group in op.properties["reassociation"]]


def check_groups(groups: Sequence[Sequence[int]], expanded: Sequence[int], collapsed: Sequence[int]) -> None:
    """Each collapsed extent is the product of its group."""
    if len(groups) != len(collapsed):
        raise VerifyException(f"invalid number of reassociation groups: found {len(groups)}, expected {len(collapsed)}")
    flat = [dim for group in groups for dim in group]
    if flat != list(range(len(flat))):
        raise VerifyException("reassociation indices must be contiguous")
    if groups and len(flat) != len(expanded):
        raise VerifyException(
            f"expanded rank ({len(expanded)}) inconsistent with number of reassociation indices ({len(flat)})"
        )
    if not groups and any(extent != 1 for extent in expanded):
        raise VerifyException("invalid to reshape non unit extents to or from rank 0")
    for group, extent in zip(groups, collapsed, strict=True):
        parts = [expanded[dim] for dim in group]
        if _ANY in parts:
            if extent != _ANY:
                raise VerifyException(
                    f"collapsed dim ({extent}) must be dynamic if and only if reassociation group is dynamic"
                )
        elif extent == _ANY:
            raise VerifyException(
                f"collapsed dim ({collapsed.index(extent)}) must be dynamic if and only if reassociation group is "
                "dynamic"
            )
        elif prod(parts) != extent:
            raise VerifyException(f"collapsed dim size ({extent}) must equal reassociation group size ({prod(parts)})")


def _collapsible(kind: MemRefType[Any], groups: Sequence[Sequence[int]]) -> bool:
    """Whether the dimensions of every group are contiguous in memory, as far as is known."""
    found = strides_of(kind)
    if found is None:
        return False
    strides, shape = found[0], kind.get_shape()
    for group in groups:
        kept = [dim for dim in group if shape[dim] != 1]
        for outer, inner in pairwise(kept):
            if _ANY in (strides[outer], strides[inner], shape[inner]):
                continue
            if strides[outer] != strides[inner] * shape[inner]:
                return False
    return True


@rules_for(memref.CollapseShapeOp)
def _verify_memref_collapse(op: Any) -> None:
    source, result = _memref(op.operands[0].type, 0), _memref(op.results[0].type, 0)
    groups = groups_of(op)
    check_groups(groups, source.get_shape(), result.get_shape())
    _check_elements(source, result)
    if not isinstance(source.layout, NoneAttr) and not _collapsible(source, groups):
        raise VerifyException("invalid source layout map or collapsing non-contiguous dims")
    base = strides_of(source)
    if base is not None and groups:
        _check_layout("collapsed", result, [_group_stride(group, source, base[0]) for group in groups], base[1])


def _group_stride(group: Sequence[int], source: MemRefType[Any], strides: Sequence[int]) -> int:
    """The stride of a collapsed group: that of its last dimension with more than one element."""
    shape = source.get_shape()
    kept = list(group)
    while len(kept) > 1 and shape[kept[-1]] == 1:
        kept.pop()
    dynamic = len(kept) > 1 and shape[kept[-1]] == _ANY and not isinstance(source.layout, NoneAttr)
    return _ANY if dynamic else strides[kept[-1]]


def _check_layout(what: str, result: MemRefType[Any], strides: Sequence[int], offset: int) -> None:
    """The result of a reshape has these strides and this offset."""
    found = strides_of(result)
    if found is None or list(found[0]) != list(strides) or found[1] != offset:
        layout = StridedLayoutAttr([_known(stride) for stride in strides], _known(offset))
        wanted = MemRefType(result.element_type, result.get_shape(), layout, result.memory_space)
        raise VerifyException(f"expected {what} type to be '{wanted}' but found '{result}'")


@rules_for(memref.ExpandShapeOp)
def _verify_memref_expand(op: Any) -> None:
    source, result = _memref(op.operands[0].type, 0), _memref(op.results[0].type, 0)
    groups = groups_of(op)
    check_groups(groups, result.get_shape(), source.get_shape())
    _check_elements(source, result)
    check_output_shape(op, result.get_shape())
    base = strides_of(source)
    if base is None or not groups:
        return
    strides: list[int] = []
    for group, stride in zip(groups, base[0], strict=True):
        inner: list[int] = []
        for dim in reversed(group):
            inner.append(stride)
            extent = result.get_shape()[dim]
            stride = _ANY if _ANY in (stride, extent) else stride * extent
        strides += reversed(inner)
    _check_layout("expanded", result, strides, base[1])


def check_output_shape(op: Any, shape: Sequence[int]) -> None:
    """The static part of `output_shape` is the result's shape."""
    static = values(op.properties["static_output_shape"])
    if len(static) != len(shape):
        raise VerifyException(f"expected number of static shape dims to be equal to the output rank ({len(shape)})")
    for have, want in zip(static, shape, strict=True):
        if have != want:
            raise VerifyException(
                f"static output shape does not match the result's shape: {_text(have)} against {_text(want)}"
            )
    if static.count(_ANY) != len(op.operands) - 1:
        raise VerifyException(f"mismatch in dynamic dims: {len(op.operands) - 1} values for {static.count(_ANY)} dims")


def _check_elements(source: Any, result: Any) -> None:
    if source.element_type != result.element_type:
        raise VerifyException(f"element types differ: '{source.element_type}' and '{result.element_type}'")
    _same_space(source, result, "source memref")


# ---- the other operations of memref ---------------------------------------------------------------------------------


@rules_for(memref.AllocOp, memref.AllocaOp)
def _verify_alloc(op: Any) -> None:
    if len(op.results) != 1 or not isinstance(op.results[0].type, MemRefType):
        raise VerifyException("result must be a memref")
    kind = op.results[0].type
    wanted, found = list(kind.get_shape()).count(_ANY), len(op.dynamic_sizes)
    if wanted != found:
        raise VerifyException(
            f"dimension operand count does not equal memref dynamic dimension count: {found} against {wanted}"
        )
    for position, value in enumerate(op.operands):
        if value.type != index:
            raise VerifyException(f"operand #{position} must be variadic of index, but got '{value.type}'")
    symbols = _symbols(kind.layout)
    if symbols != len(op.symbol_operands):
        raise VerifyException(
            f"symbol operand count does not equal memref symbol count: expected {symbols}, got "
            f"{len(op.symbol_operands)}"
        )
    alignment = op.properties.get("alignment")
    if alignment is not None and alignment.value.data < 0:
        raise VerifyException(
            "attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value "
            "is 0"
        )


@rules_for(memref.DimOp)
def _verify_dim(op: Any) -> None:
    kind = op.operands[0].type
    if not isinstance(kind, UnrankedMemRefType) and not (isinstance(kind, MemRefType) and kind.get_shape()):
        raise VerifyException(
            "operand #0 must be unranked.memref of any type values or non-0-ranked.memref of any type values, but got "
            f"'{kind}'"
        )
    if op.operands[1].type != index or op.results[0].type != index:
        raise VerifyException("index and result must be of type 'index'")


@verifier_for(memref.CopyOp)
def _verify_copy(op: Any) -> None:
    if len(op.operands) != 2:
        raise VerifyException("expected two operands")
    source, target = op.operands[0].type, op.operands[1].type
    for position, kind in enumerate((source, target)):
        if not isinstance(kind, MemRefType | UnrankedMemRefType):
            raise VerifyException(
                f"operand #{position} must be ranked or unranked memref of any type values, but got '{kind}'"
            )
    if source.element_type != target.element_type:
        raise VerifyException("requires the same element type for all operands")
    if isinstance(source, MemRefType) and isinstance(target, MemRefType):
        if not shapes_fit(source.get_shape(), target.get_shape()):
            raise VerifyException("requires the same shape for all operands")


@rules_for(memref.AtomicRMWOp)
def _verify_atomic(op: Any) -> None:
    from headrace.ir.upstream._affine_memory import REDUCTIONS

    value, target = op.operands[0].type, op.operands[1].type
    if not isinstance(target, MemRefType) or target.element_type != value or op.results[0].type != value:
        raise VerifyException("failed to verify that result type matches element type of memref")
    if len(op.operands) - 2 != len(target.get_shape()):
        raise VerifyException("expects the number of subscripts to be equal to memref rank")
    kind = REDUCTIONS[op.properties["kind"].value.data]
    if kind in ("addf", "maximumf", "minimumf", "mulf", "maxnumf", "minnumf") and not is_float(value):
        raise VerifyException(f"with kind '{kind}' expects a floating-point type")
    if kind in ("addi", "maxs", "maxu", "mins", "minu", "muli", "ori", "andi", "xori") and not is_integer(value, False):
        raise VerifyException(f"with kind '{kind}' expects an integer type")


@rules_for(memref.AssumeAlignmentOp)
def _verify_alignment(op: Any) -> None:
    if len(op.operands) != 1 or not isinstance(op.operands[0].type, MemRefType):
        raise VerifyException("operand #0 must be memref of any type values")
    if [value.type for value in op.results] != [op.operands[0].type]:
        raise VerifyException("the result must have the type of the memref")
    value = op.properties["alignment"].value.data
    if value <= 0:
        raise VerifyException(
            "attribute 'alignment' failed to satisfy constraint: 32-bit signless integer attribute whose value is "
            "positive"
        )
    if value & (value - 1):
        raise VerifyException("alignment must be power of 2")


@rules_for(memref.ExtractStridedMetaDataOp)
def _verify_metadata(op: Any) -> None:
    kind = _memref(op.operands[0].type, 0)
    rank = len(kind.get_shape())
    wanted = [MemRefType(kind.element_type, [], memory_space=kind.memory_space), *[index] * (2 * rank + 1)]
    if list(op.result_types) != wanted:
        listed = ", ".join(f"'{item}'" for item in wanted)
        told = ", ".join(f"'{item}'" for item in op.result_types)
        raise VerifyException(f"inferred type(s) {listed} are incompatible with return type(s) of operation {told}")


@rules_for(memref.GetGlobalOp)
def _verify_get_global(op: Any) -> None:
    found = SymbolTable.lookup_symbol(op, op.properties["name"])
    name = op.properties["name"].string_value()
    if not isinstance(found, memref.GlobalOp):
        raise VerifyException(f"'{name}' does not reference a valid global memref{_near(op, name)}")
    if len(op.results) != 1 or op.results[0].type != found.properties["type"]:
        raise VerifyException(
            f"result type '{op.results[0].type}' does not match type '{found.properties['type']}' of the global memref "
            f"@{name}"
        )


def _near(op: Any, name: str) -> str:
    from headrace.ir.diagnostics import did_you_mean

    top = op
    while top.parent_op() is not None:
        top = top.parent_op()
    return did_you_mean(name, [item.sym_name.data for item in top.walk() if isinstance(item, memref.GlobalOp)])


def _plain(kind: MemRefType[Any]) -> bool:
    """Whether the layout is the identity map; a strided one is for a single dimension of stride 1."""
    if isinstance(kind.layout, StridedLayoutAttr):
        return strides_of(kind) == ([1], 0)
    return isinstance(kind.layout, NoneAttr)


@verifier_for(memref.ViewOp)
def _verify_view(op: Any) -> None:
    source, result = op.operands[0].type, op.results[0].type
    byte = isinstance(source, MemRefType) and isinstance(source.element_type, IntegerType)
    if not byte or source.element_type.width.data != 8 or len(source.get_shape()) != 1:
        raise VerifyException(f"operand #0 must be 1D memref of 8-bit signless integer values, but got '{source}'")
    if not _plain(source):
        raise VerifyException(f"unsupported map for base memref type '{source}'")
    if not isinstance(result, MemRefType):
        raise VerifyException(f"result #0 must be memref of any type values, but got '{result}'")
    if not _plain(result):
        raise VerifyException(f"unsupported map for result memref type '{result}'")
    if source.memory_space != result.memory_space:
        raise VerifyException(
            f"different memory spaces specified for base memref type '{source}' and view memref type '{result}'"
        )
    wanted = list(result.get_shape()).count(_ANY)
    if len(op.operands) - 2 != wanted:
        raise VerifyException(
            f"incorrect number of size operands for type '{result}', expected {wanted}, got {len(op.operands) - 2}"
        )


def transposed(kind: MemRefType[Any], order: Sequence[int]) -> tuple[list[int], list[int], int] | None:
    """Shape, strides and offset of a memref with its dimensions permuted."""
    found = strides_of(kind)
    if found is None:
        return None
    shape = kind.get_shape()
    return [shape[i] for i in order], [found[0][i] for i in order], found[1]
