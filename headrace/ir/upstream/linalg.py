"""The `linalg` dialect: xDSL's operations, all named elementwise ones, and MLIR's text.

Named operations carry the region MLIR gives them, which the custom form hides. `build_named` makes any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import linalg
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    UnregisteredOp,
    i1,
    i64,
)
from xdsl.dialects.linalg import attrs, ops
from xdsl.ir import Attribute, Block, Dialect, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.mlir_lexer import MLIRTokenKind

from headrace.ir.diagnostics import did_you_mean
from headrace.ir.upstream import ADDED_PROPERTIES, parser_for, printer_for, verifier_for
from headrace.ir.upstream._linalg_functions import BinaryFnAttr, ElementwiseKindAttr, UnaryFnAttr
from headrace.ir.upstream._linalg_more import MORE
from headrace.ir.upstream._linalg_named import (
    BY_NAME,
    ELEMENTWISE,
    EXTRA,
    NAMED,
    BatchMatmulOp,
    MapOp,
    VariadicReduceOp,
    build_named,
    make_payload,
    named_body,
)
from headrace.ir.upstream._linalg_structured import (
    PRODUCTS,
    TABLE_OPS,
    BatchReduceMatmulOp,
    Structured,
    TypeFnAttr,
    check_structured,
    check_yield,
    memoized,
)
from headrace.ir.upstream._linalg_winograd import WINOGRAD
from headrace.ir.upstream.arith import element

__all__ = [
    "BY_NAME",
    "CONTRACTIONS",
    "ELEMENTWISE",
    "STRUCTURED",
    "BatchMatmulOp",
    "Linalg",
    "MapOp",
    "VariadicReduceOp",
    "build_named",
    "indexing_maps_of",
    "named_body",
]

CONTRACTIONS = frozenset(
    f"linalg.{name}" for name in ("matmul", "batch_matmul", "batch_reduce_matmul", "contract", *PRODUCTS)
)
"""Named operations that sum products of two tensors whose dimensions are plain loops."""

_BODIED = ("elementwise", "elemwise_unary", "elemwise_binary", *TABLE_OPS)
STRUCTURED = frozenset(f"linalg.{name}" for name in _BODIED) - CONTRACTIONS
"""The other named operations with indexing maps and a body that the name implies."""


def indexing_maps_of(op: Any) -> list[AffineMap]:
    """The map of each operand of an operation of `CONTRACTIONS` or `STRUCTURED`: its own, else those of its name."""
    given = op.properties.get("indexing_maps")
    if given is not None:
        return [item.data for item in given.data]
    return list(op.get_default_indexing_maps())

# ---- text -----------------------------------------------------------------------------------------------------------


def _parse_group(parser: Any, keyword: str) -> list[SSAValue]:
    """`ins(%a, %b : T, U)`, or nothing."""
    if parser.parse_optional_keyword(keyword) is None:
        return []
    parser.parse_punctuation("(")
    at = parser.pos
    operands = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    parser.parse_punctuation(":")
    kinds = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return list(parser.resolve_operands(operands, kinds, at))


def _print_group(printer: Any, keyword: str, values: Sequence[SSAValue]) -> None:
    if values:
        printer.print_string(f" {keyword}(")
        printer.print_list(values, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([value.type for value in values], printer.print_attribute)
        printer.print_string(")")


def _parse_arrow(parser: Any) -> list[Attribute]:
    if parser.parse_optional_punctuation("->") is None:
        return []
    found = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return list(found) if found is not None else [parser.parse_type()]


def _print_arrow(printer: Any, kinds: Sequence[Attribute]) -> None:
    if not kinds:
        return
    printer.print_string(" -> ")
    if len(kinds) == 1:
        printer.print_attribute(kinds[0])
    else:
        printer.print_string("(")
        printer.print_list(kinds, printer.print_attribute)
        printer.print_string(")")


@parser_for(*NAMED)
def _parse_named(parser: Any, cls: Any) -> Operation:
    attributes: dict[str, Attribute] = {}
    with_maps = "indexing_maps" in cls.get_irdl_definition().properties
    if with_maps and parser.parse_optional_keyword("indexing_maps") is not None:
        parser.parse_punctuation("=")
        attributes["indexing_maps"] = parser.parse_attribute()
    attributes.update(parser.parse_optional_attr_dict())
    inputs = _parse_group(parser, "ins")
    outputs = _parse_group(parser, "outs")
    if parser.parse_optional_keyword("attrs") is not None:
        parser.parse_punctuation("=")
        attributes.update(parser.parse_optional_attr_dict())
    results = _parse_arrow(parser)
    if not inputs or not outputs:
        raise ValueError(f"expected operands in {'outs' if inputs else 'ins'}(...)")
    if not results:
        results = [value.type for value in outputs if isinstance(value.type, TensorType)]
        if results:
            parser.warn("expected '->' and the type of the result for an output that is a tensor")
    return build_named(cls, inputs, outputs, results, attributes)


@printer_for(*NAMED)
def _print_named(op: Any, printer: Any) -> None:
    hidden = {"operandSegmentSizes", "linalg.memoized_indexing_maps"}
    maps = op.properties.get("indexing_maps")
    if maps is not None:
        hidden.add("indexing_maps")
        if maps != type(op).get_irdl_definition().properties["indexing_maps"].default_value:
            printer.print_string(" indexing_maps = ")
            printer.print_attribute(maps)
    printer.print_merged_attributes(op, hidden)
    _print_group(printer, "ins", op.inputs)
    _print_group(printer, "outs", op.outputs)
    _print_arrow(printer, [value.type for value in op.results])


def _in_schedule(op: Operation) -> bool:
    """Whether an operation is in a stage of a schedule, where it may read tensors and change a buffer."""
    parent = op.parent_op()
    while parent is not None and not parent.name.startswith(("ktdf.", "ktdf_lowering.")):
        parent = parent.parent_op()
    return parent is not None


ADDED_PROPERTIES.update({cls: ("cast",) for cls in NAMED if "matmul" in cls.name})


@verifier_for(*NAMED)
def _verify_named(op: Any) -> None:
    inputs, outputs = list(op.inputs), list(op.outputs)
    if isinstance(op, Structured):
        op.check_windows()
    wanted = ELEMENTWISE.get(op.name, 1 if op.name == "linalg.fill" else 2)
    if isinstance(op, Structured):
        wanted = len(op.get_default_indexing_maps()) - 1
    if len(inputs) != wanted or len(outputs) != 1:
        raise VerifyException(f"expected {wanted} inputs and 1 output, but found {len(inputs)} and {len(outputs)}")
    target = outputs[0].type
    if not isinstance(target, TensorType | MemRefType):
        raise VerifyException(f"output must be a tensor or a memref, but is '{target}'")
    if isinstance(target, TensorType):
        if len(op.results) != 1 or op.results[0].type != target:
            told = f" ('{op.results[0].type}')" if op.results else ""
            raise VerifyException(
                f"expected type of operand #{len(inputs)} ('{target}') to match type of corresponding result{told}"
            )
    elif op.results:
        raise VerifyException(
            f"expected the number of tensor results ({len(op.results)}) to be equal to the number of output tensors (0)"
        )
    shape = target.get_shape()
    shaped = [value.type for value in inputs if isinstance(value.type, TensorType | MemRefType)]
    mixed = any(type(kind) is not type(target) for kind in shaped)
    if mixed and not _in_schedule(op):
        raise VerifyException("expected to have pure tensor or buffer semantics")
    if op.name == "linalg.fill":
        if shaped:
            raise VerifyException(f"expected op with scalar input, but got '{inputs[0].type}'")
        return
    if op.name in ELEMENTWISE:
        for index, value in enumerate(inputs):
            if op.name == "linalg.select" and index == 0 and element(value.type) != i1:
                raise VerifyException(f"input #0 must be of i1, but its element type is '{element(value.type)}'")
            if not isinstance(value.type, TensorType | MemRefType):
                continue
            if value.type.get_shape() and not _compatible(value.type.get_shape(), shape):
                raise VerifyException(
                    f"input #{index} has shape {_dims(value.type.get_shape())}, but the output has {_dims(shape)}"
                )
            if op.name not in _CONVERTING and element(value.type) != element(target):
                raise VerifyException(
                    f"input #{index} has element type '{element(value.type)}', but the output has '{element(target)}'"
                )
        return
    kept = op.attributes.get("linalg.memoized_indexing_maps")
    if kept is not None and kept != memoized(op.name, op.properties):
        raise VerifyException("expected 'linalg.memoized_indexing_maps' to hold the operation's maps")
    if isinstance(op, Structured | BatchReduceMatmulOp):
        given: Any = op.properties.get("indexing_maps")
        maps = [item.data for item in given] if given is not None else None
        check_structured([*inputs, *outputs], maps or op.get_default_indexing_maps())
        return
    given = op.properties.get("indexing_maps")
    if given is not None and len(shaped) == 2 and given != _default_maps(op):  # An operand may lack dimensions.
        check_structured([*inputs, *outputs], [item.data for item in given])
        return
    batch = 1 if op.name == "linalg.batch_matmul" else 0
    if len(shaped) != 2 or any(len(kind.get_shape()) != 2 + batch for kind in shaped) or len(shape) != 2 + batch:
        raise VerifyException(f"expected operands of rank {2 + batch}")
    if (maps := given or _default_maps(op)) is not None:
        check_structured([*inputs, *outputs], [item.data for item in maps])
        return
    a, b = shaped[0].get_shape(), shaped[1].get_shape()
    if not (
        _compatible(a[-1:], b[-2:-1]) and _compatible(a[-2:-1], shape[-2:-1]) and _compatible(b[-1:], shape[-1:])
        and (not batch or (_compatible(a[:1], b[:1]) and _compatible(a[:1], shape[:1])))
    ):  # fmt: skip
        raise VerifyException(f"shapes {_dims(a)}, {_dims(b)} and {_dims(shape)} do not fit a matrix product")


_CONVERTING = ("linalg.copy", "linalg.select", "linalg.elemwise_unary", "linalg.elemwise_binary")
"""Elementwise operations whose inputs may have other element types than the output."""


def _default_maps(op: Any) -> Any:
    return getattr(type(op).get_irdl_definition().properties.get("indexing_maps"), "default_value", None)


def _compatible(a: Sequence[int], b: Sequence[int]) -> bool:
    return len(a) == len(b) and all(x == y or x < 0 or y < 0 for x, y in zip(a, b, strict=True))


def _listed(shape: Sequence[int]) -> str:
    return ", ".join(map(str, shape))


def _dims(shape: Sequence[int]) -> str:
    return "x".join("?" if extent < 0 else str(extent) for extent in shape) or "()"


def _parse_dimensions(parser: Any, keyword: str) -> DenseArrayBase[Any]:
    parser.parse_keyword(keyword)
    parser.parse_punctuation("=")
    return DenseArrayBase.from_list(
        i64, parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    )


def _one(parser: Any, values: list[SSAValue], keyword: str) -> SSAValue:
    if len(values) != 1:
        parser.raise_error(f"expected one operand in {keyword}(...)")
    return values[0]


@parser_for(ops.TransposeOp)
def _parse_transpose(parser: Any) -> Operation:
    source = _one(parser, _parse_group(parser, "ins"), "ins")
    target = _one(parser, _parse_group(parser, "outs"), "outs")
    op = _shape_op(ops.TransposeOp, source, target, {"permutation": _parse_dimensions(parser, "permutation")})
    op.attributes.update(parser.parse_optional_attr_dict())
    return op


@parser_for(ops.BroadcastOp)
def _parse_broadcast(parser: Any) -> Operation:
    source = _one(parser, _parse_group(parser, "ins"), "ins")
    target = _one(parser, _parse_group(parser, "outs"), "outs")
    op = _shape_op(ops.BroadcastOp, source, target, {"dimensions": _parse_dimensions(parser, "dimensions")})
    op.attributes.update(parser.parse_optional_attr_dict())
    return op


def _shape_op(cls: Any, source: SSAValue, target: SSAValue, properties: dict[str, Attribute]) -> Any:
    block = Block(arg_types=[element(source.type), element(target.type)])
    block.add_op(ops.YieldOp.create(operands=[block.args[0]]))
    return cls.create(
        operands=[source, target],
        result_types=[target.type] if isinstance(target.type, TensorType) else [],
        properties=properties,
        regions=[Region(block)],
    )


def _check_results(op: Any, first: int) -> None:
    """Raise where the results are not the tensors among the outputs, which are the operands from ``first`` on."""
    outputs = enumerate(op.operands[first:], first)
    tensors = [(i, value.type) for i, value in outputs if isinstance(value.type, TensorType)]
    if len(op.results) != len(tensors):
        raise VerifyException(
            f"expected the number of tensor results ({len(op.results)}) to be equal to the number of output tensors "
            f"({len(tensors)})"
        )
    for (position, wanted), found in zip(tensors, op.result_types, strict=True):
        if wanted != found:
            raise VerifyException(
                f"expected type of operand #{position} ('{wanted}') to match type of corresponding result ('{found}')"
            )


def _ends(op: Any) -> tuple[Sequence[int], Sequence[int], list[int]]:
    """Shapes of the input and of the init, and the listed dimensions."""
    if len(op.operands) != 2:
        raise VerifyException(f"expected 2 operands, but found {len(op.operands)}")
    source, init = op.operands[0].type, op.operands[1].type
    shaped = isinstance(source, TensorType | MemRefType) and isinstance(init, TensorType | MemRefType)
    if not shaped or (type(source) is not type(init) and not _in_schedule(op)):
        raise VerifyException("expected to have pure tensor or buffer semantics")
    _check_results(op, 1)
    block = op.regions[0].block
    if len(block.args) != 2:
        raise VerifyException(f"expected a body with 2 arguments, but it has {len(block.args)}")
    for index, (arg, kind) in enumerate(zip(block.args, (source, init), strict=True)):
        if arg.type != element(kind):
            raise VerifyException(
                f"expected type of bb argument #{index} ('{arg.type}') to match element or self type of the "
                f"corresponding operand ('{element(kind)}')"
            )
    if block.first_op is not block.last_op or list(block.last_op.operands) != [block.args[0]]:
        raise VerifyException("expected a body that yields the element of the input and does nothing else")
    key = "permutation" if op.name == "linalg.transpose" else "dimensions"
    return source.get_shape(), init.get_shape(), [int(v) for v in op.properties[key].get_values()]


@verifier_for(ops.TransposeOp)
def _verify_transpose(op: Any) -> None:
    source, init, order = _ends(op)
    if sorted(order) != list(range(len(order))):
        raise VerifyException("permutation is not valid")
    if len(source) != len(init):
        raise VerifyException(f"input rank {len(source)} does not match init rank {len(init)}")
    if len(source) != len(order):
        raise VerifyException(f"size of permutation {len(order)} does not match the argument rank {len(source)}")
    for dim, position in enumerate(order):
        if source[position] != init[dim]:
            raise VerifyException(
                f"dim(result, {dim}) = {init[dim]} doesn't match dim(input, permutation[{dim}]) = {source[position]}"
            )


@verifier_for(ops.BroadcastOp)
def _verify_broadcast(op: Any) -> None:
    source, init, added = _ends(op)
    if len(source) + len(added) != len(init):
        raise VerifyException(
            "input rank plus added dimensions does not match init rank. "
            f"input rank: {len(source)}, dimensions size: {len(added)}, init rank: {len(init)}"
        )
    for index, dim in enumerate(added):
        if not 0 <= dim < len(init):
            raise VerifyException(
                f"dimension {index} is out of range. expected range: [0, {len(init) - 1}], got: {dim}"
            )
    kept = [dim for dim in range(len(init)) if dim not in added]
    if len(kept) != len(source):
        raise VerifyException("dimensions should not repeat")
    for index, dim in enumerate(kept):
        if source[index] != init[dim]:
            raise VerifyException(
                f"input dim {index} should match init dim {dim}. input: {source[index]}, init: {init[dim]}"
            )


@printer_for(ops.TransposeOp, ops.BroadcastOp)
def _print_shape_op(op: Any, printer: Any) -> None:
    keyword = "permutation" if op.name == "linalg.transpose" else "dimensions"
    _print_group(printer, "ins", op.operands[:1])
    _print_group(printer, "outs", op.operands[1:])
    _print_dimensions(op, printer, keyword)


def _print_dimensions(op: Any, printer: Any, keyword: str) -> None:
    values = ", ".join(str(v) for v in op.properties[keyword].get_values())
    printer.print_string(f" {keyword} = [{values}] ")
    if op.attributes:
        printer.print_string(" ")
        printer.print_attr_dict(op.attributes)


# ---- reduce and map -------------------------------------------------------------------------------------------------


def _parse_payload(parser: Any) -> tuple[str, int, dict[str, Attribute]] | None:
    """`{ arith.addf {fastmath = ...} }`."""
    if parser.parse_optional_punctuation("{") is None:
        return None
    at = parser.pos
    name = parser.parse_identifier()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation("}")
    return name, at, attributes


def _payload_region(
    parser: Any, payload: tuple[str, int, dict[str, Attribute]], kinds: Sequence[Attribute], order: Sequence[int]
) -> Region:
    name, at, attributes = payload
    cls: Any = parser.ctx.get_optional_op(name)
    if cls is None or issubclass(cls, UnregisteredOp):  # pyright: ignore
        names = [item.name for item in parser.ctx.loaded_ops]
        parser.raise_error(f"custom op '{name}' is unknown{did_you_mean(name, names)}", at)
    block = Block(arg_types=kinds)
    op = make_payload(cls, [block.args[i] for i in order], kinds[-1])  # pyright: ignore[reportArgumentType]
    names = cls.get_irdl_definition().properties  # pyright: ignore
    for key, value in attributes.items():
        (op.properties if key in names else op.attributes)[key] = value
    block.add_op(op)
    block.add_op(ops.YieldOp.create(operands=[op.results[0]]))
    return Region(block)


def _payload_of(region: Region, init_first: bool) -> Operation | None:
    """The only operation of the body if the short form can express it."""
    block = region.blocks.first
    if block is None or len(block.ops) != 2:
        return None
    op, end = list(block.ops)
    if not isinstance(end, ops.YieldOp) or len(op.results) != 1 or list(end.operands) != list(op.results):
        return None
    args = list(block.args)
    wanted = [args[-1], *args[:-1]] if init_first else args
    if list(op.operands) == wanted and not op.regions:
        return op
    return None


def _print_payload(printer: Any, op: Operation) -> None:
    shown: dict[str, Attribute] = {}
    for key, value in {**op.properties, **op.attributes}.items():
        if key in ("fastmath", "overflowFlags") and not getattr(value, "data", True):
            continue
        shown[key] = value
    printer.print_string(f" {{ {op.name}")
    printer.print_op_attributes(shown)
    printer.print_string(" }")


def _parse_region_args(parser: Any) -> Region:
    arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
    return parser.parse_region(arguments)


def _print_region_args(printer: Any, region: Region) -> None:
    printer._indent += 1
    printer._print_new_line()
    printer.print_string("(")
    printer.print_list(region.block.args, printer.print_block_argument)
    printer.print_string(") ")
    printer.print_region(region, print_entry_block_args=False)
    printer._indent -= 1


@parser_for(ops.ReduceOp)
def _parse_reduce(parser: Any) -> Operation:
    payload = _parse_payload(parser)
    inputs = _parse_group(parser, "ins")
    inits = _parse_group(parser, "outs")
    if len(inputs) != len(inits) or not inputs:
        parser.raise_error(
            f"expected as many operands in ins(...) as in outs(...), but got {len(inputs)} and {len(inits)}"
        )
    dimensions = _parse_dimensions(parser, "dimensions")
    attributes = parser.parse_optional_attr_dict()
    if payload is not None:
        kinds = [element(value.type) for value in (*inputs, *inits)]
        region = _payload_region(parser, payload, kinds, [len(kinds) - 1, *range(len(kinds) - 1)])
    else:
        region = _parse_region_args(parser)
    results = [value.type for value in inits if isinstance(value.type, TensorType)]
    if len(inputs) == 1:
        return ops.ReduceOp.create(
            operands=[*inputs, *inits], result_types=results, properties={"dimensions": dimensions},
            attributes=attributes, regions=[region],
        )  # fmt: skip
    return VariadicReduceOp.build(
        operands=[inputs, inits], result_types=[results], properties={"dimensions": dimensions},
        attributes=attributes, regions=[region],
    )  # fmt: skip


@printer_for(ops.ReduceOp, VariadicReduceOp)
def _print_reduce(op: Any, printer: Any) -> None:
    half = len(op.operands) // 2
    region = op.regions[0]
    payload = _payload_of(region, True)
    if payload is not None:
        _print_payload(printer, payload)
    _print_group(printer, "ins", op.operands[:half])
    _print_group(printer, "outs", op.operands[half:])
    _print_dimensions(op, printer, "dimensions")
    if payload is None:
        _print_region_args(printer, region)


@verifier_for(ops.ReduceOp, VariadicReduceOp)
def _verify_reduce(op: Any) -> None:
    half = len(op.operands) // 2
    dims = list(op.properties["dimensions"].get_values())
    for what, group in (("input", op.operands[:half]), ("output", op.operands[half:])):
        shapes = [getattr(value.type, "get_shape", tuple)() for value in group]
        for position, shape in enumerate(shapes):
            if shape != shapes[0]:
                raise VerifyException(
                    f"expects all {what}s to have the same shapes. Shape at {what}-index {position} is not equal to "
                    f"the shape at {what}-index 0."
                )
    for source, init in zip(op.operands[:half], op.operands[half:], strict=True):
        if not isinstance(source.type, TensorType | MemRefType) or type(source.type) is not type(init.type):
            raise VerifyException("expected tensors only or memrefs only")
        shape = source.type.get_shape()
        for dim in dims:
            if not 0 <= dim < len(shape):
                raise VerifyException(
                    f"dimensions for reduction should be in the range [0, {len(shape) - 1}]. It is {dim}"
                )
        if sorted(set(dims)) != dims:
            raise VerifyException(
                "attribute 'dimensions' failed to satisfy constraint: i64 dense array attribute should be in "
                "increasing order"
            )
        kept = [extent for i, extent in enumerate(shape) if i not in dims]
        if len(kept) != len(init.type.get_shape()):
            raise VerifyException(
                f"number of dimensions after reduction {len(kept)} doesn't match the init rank "
                f"{len(init.type.get_shape())}"
            )
        if not _compatible(kept, init.type.get_shape()):
            raise VerifyException(
                f"init dimensions [{_listed(init.type.get_shape())}] doesn't match input dimensions after reduction "
                f"[{_listed(kept)}]"
            )
    _check_results(op, half)
    block = op.regions[0].block
    if len(block.args) != len(op.operands):
        raise VerifyException("mismatching number of operands and block arguments")
    for index, (value, arg) in enumerate(zip(op.operands, block.args, strict=True)):
        if element(value.type) != arg.type:
            raise VerifyException(
                f"{'input' if index < half else 'output'} element type '{element(value.type)}' does not match "
                f"corresponding block argument type '{arg.type}'"
            )
    check_yield(op, [element(value.type) for value in op.operands[half:]])


@parser_for(MapOp)
def _parse_map(parser: Any) -> Operation:
    payload = _parse_payload(parser)
    inputs = _parse_group(parser, "ins")
    init = _one(parser, _parse_group(parser, "outs"), "outs")
    attributes = parser.parse_optional_attr_dict()
    if payload is not None:
        kinds = [element(value.type) for value in inputs]
        region = _payload_region(parser, payload, [*kinds, element(init.type)], range(len(kinds)))
    else:
        region = _parse_region_args(parser)
    return MapOp.create(
        operands=[*inputs, init],
        result_types=[init.type] if isinstance(init.type, TensorType) else [],
        attributes=attributes,
        regions=[region],
    )


@printer_for(MapOp)
def _print_map(op: Any, printer: Any) -> None:
    block = op.regions[0].block
    payload = None
    if len(block.ops) == 2 and len(block.args) >= len(op.operands) - 1:
        body, end = list(block.ops)
        inputs = list(block.args)[: len(op.operands) - 1]
        if isinstance(end, ops.YieldOp) and list(body.operands) == inputs and list(end.operands) == list(body.results):
            payload = body
    if payload is not None:
        _print_payload(printer, payload)
    _print_group(printer, "ins", op.operands[:-1])
    _print_group(printer, "outs", op.operands[-1:])
    printer.print_op_attributes(op.attributes)
    if payload is None:
        _print_region_args(printer, op.regions[0])


@verifier_for(MapOp)
def _verify_map(op: Any) -> None:
    block = op.regions[0].block
    if not op.operands:
        raise VerifyException("expected 1 or more operands, but found 0")
    if not len(op.operands) - 1 <= len(block.args) <= len(op.operands):
        raise VerifyException(f"expected {len(op.operands) - 1} region arguments, but got {len(block.args)}")
    target = op.operands[-1].type
    if not isinstance(target, TensorType | MemRefType):
        raise VerifyException(f"the output must be a tensor or a memref, but is '{target}'")
    for value, arg in zip(op.operands, block.args, strict=False):
        if element(value.type) != arg.type:
            raise VerifyException(
                f"expected element type of input '{element(value.type)}' to match bbArg type '{arg.type}'"
            )
    for value in op.operands[:-1]:
        if isinstance(value.type, TensorType | MemRefType) and not _compatible(
            value.type.get_shape(), target.get_shape()
        ):
            raise VerifyException(
                f"expected shape of input ({_listed(value.type.get_shape())}) to match shape of output "
                f"({_listed(target.get_shape())})"
            )
    _check_results(op, len(op.operands) - 1)
    check_yield(op, [element(target)])


# ---- generic --------------------------------------------------------------------------------------------------------


@parser_for(ops.GenericOp)
def _parse_generic(parser: Any) -> Operation:
    at = parser.pos
    if parser._current_token.kind is MLIRTokenKind.HASH_IDENT:  # An alias of the dictionary.
        trait = parser.parse_attribute()
        if not isinstance(trait, DictionaryAttr):
            parser.raise_error("expected a dictionary of attributes", at)
        found: dict[str, Any] = dict(trait.data)
    else:
        found = parser.parse_optional_attr_dict()
    maps = found.pop("indexing_maps", None)
    if not isinstance(maps, ArrayAttr):
        parser.raise_error("expected 'indexing_maps' in the attributes of linalg.generic", at)
    kinds: list[attrs.IteratorTypeAttr] = []
    for item in getattr(found.pop("iterator_types", None), "data", ()):
        if isinstance(item, StringAttr):
            if item.data not in ("parallel", "reduction", "window"):
                parser.raise_error(f"unexpected iterator_type ({item.data})", at)
            item = attrs.IteratorTypeAttr(attrs.IteratorType(item.data))
        kinds.append(item)
    inputs = _parse_group(parser, "ins")
    outputs = _parse_group(parser, "outs")
    extra: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("attrs") is not None:
        parser.parse_punctuation("=")
        extra = parser.parse_optional_attr_dict()
    body = parser.parse_region()
    results = _parse_arrow(parser)
    properties: dict[str, Attribute] = {"indexing_maps": maps, "iterator_types": ArrayAttr(kinds)}
    for key in ("doc", "library_call"):
        if key in found:
            properties[key] = found.pop(key)
    return ops.GenericOp.build(
        operands=[inputs, outputs], result_types=[results], properties=properties,
        attributes={**found, **extra}, regions=[body],
    )  # fmt: skip


@printer_for(ops.GenericOp)
def _print_generic(op: Any, printer: Any) -> None:
    parts: list[tuple[str, Any]] = [
        (key, op.properties[key]) for key in ("doc", "indexing_maps", "iterator_types", "library_call")
        if op.properties.get(key) is not None
    ]  # fmt: skip
    printer.print_string(" {")
    for index, (key, value) in enumerate(parts):
        printer.print_string(f"{', ' if index else ''}{key} = ")
        if key == "iterator_types":
            printer.print_string("[" + ", ".join(f'"{item.data.value}"' for item in value.data) + "]")
        else:
            printer.print_attribute(value)
    printer.print_string("}")
    _print_group(printer, "ins", op.inputs)
    _print_group(printer, "outs", op.outputs)
    if op.attributes:
        printer.print_string(" attrs =  ")
        printer.print_attr_dict(op.attributes)
    printer.print_string(" ")
    printer.print_region(op.body)
    _print_arrow(printer, [value.type for value in op.results])


@verifier_for(ops.GenericOp)
def _verify_generic(op: Any) -> None:
    kinds = {type(value.type) for value in op.operands if isinstance(value.type, TensorType | MemRefType)}
    if len(kinds) < 2 or not _in_schedule(op):
        op.verify_()
    outputs = [value.type for value in op.outputs]
    _check_results(op, len(op.inputs))
    check_structured(list(op.operands), [item.data for item in op.indexing_maps])
    check_yield(op, [element(kind) for kind in outputs])


@verifier_for(ops.IndexOp)
def _verify_index(op: Any) -> None:
    parent = op.parent_op()
    if parent is None or not parent.name.startswith("linalg."):
        raise VerifyException("expected parent op with LinalgOp interface")
    dim = op.properties.get("dim")
    if not isinstance(dim, IntegerAttr) or dim.value.data < 0:
        raise VerifyException(
            "attribute 'dim' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0"
        )
    if isinstance(parent, ops.GenericOp):
        loops = len(parent.iterator_types)
    else:
        loops = max(len(getattr(v.type, "get_shape", tuple)()) for v in parent.operands)
    if dim.value.data >= loops:
        raise VerifyException(
            f"expected dim ({dim.value.data}) to be lower than the number of loops ({loops}) of the enclosing LinalgOp"
        )


@verifier_for(ops.YieldOp)
def _verify_yield(op: Any) -> None:
    parent = op.parent_op()
    if parent is None or not parent.name.startswith("linalg."):
        raise VerifyException("expected single non-empty parent region with LinalgOp interface")


_OURS = {op.name for op in EXTRA}
Linalg = Dialect(
    "linalg",
    [*(op for op in linalg.Linalg.operations if op.name not in _OURS), *EXTRA, *MORE, *WINOGRAD, MapOp],
    [*linalg.Linalg.attributes, TypeFnAttr, UnaryFnAttr, BinaryFnAttr, ElementwiseKindAttr],
)
