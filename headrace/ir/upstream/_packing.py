"""`linalg.pack` and `linalg.unpack`, older texts' `tensor.pack` and `tensor.unpack`: tensors cut into tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from headrace.ir.subscripts import parse_mixed_list, print_mixed_list

_INDEX = IndexType()


class _Packing(IRDLOperation):
    """The tiles of `pack` and `unpack`."""

    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    inner_tiles = var_operand_def(_INDEX)
    outer_dims_perm = opt_prop_def(DenseArrayBase.constr(i64))
    inner_dims_pos = prop_def(DenseArrayBase.constr(i64))
    static_inner_tiles = prop_def(DenseArrayBase.constr(i64))
    result = result_def(TensorType)
    traits = traits_def(Pure())

    #: Whether the packed tensor may be larger than its tiles need, as in older texts.
    LARGER: ClassVar[bool] = False

    def _print_tiles(self, printer: Any) -> None:
        for keyword, numbers in (("outer_dims_perm", self.outer_dims_perm), ("inner_dims_pos", self.inner_dims_pos)):
            if numbers is not None and (len(numbers) or keyword == "inner_dims_pos"):
                printer.print_string(f" {keyword} = [{', '.join(map(str, numbers.get_values()))}]")
        printer.print_string(" inner_tiles = ")
        print_mixed_list(printer, self.inner_tiles, self.static_inner_tiles)
        printer.print_string(" into ")
        printer.print_ssa_value(self.dest)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.dest.type)

    def check(self, unpacked: Attribute, packed: Attribute) -> None:
        """Ranks, positions, tiles and shapes agree."""
        assert isinstance(unpacked, TensorType) and isinstance(packed, TensorType)
        if self.result.type != self.dest.type:
            raise VerifyException(
                f"expected type of operand #1 ('{self.dest.type}') to match type of corresponding result "
                f"('{self.result.type}')"
            )
        rank = len(unpacked.get_shape())
        positions = [int(item) for item in self.inner_dims_pos.get_values()]
        order = [int(item) for item in self.outer_dims_perm.get_values()] if self.outer_dims_perm is not None else []
        tiles = [int(item) for item in self.static_inner_tiles.get_values()]
        if tiles.count(DYNAMIC_INDEX) != len(self.inner_tiles):
            raise VerifyException("expected as many tile operands as there are dynamic tiles")
        if 0 in tiles:
            raise VerifyException("invalid zero tile factor")
        if len(set(positions)) != len(positions) or any(not 0 <= item < rank for item in positions):
            raise VerifyException("invalid inner_dims_pos vector")
        if order and self.LARGER and len(order) != rank:
            raise VerifyException("outer_dims_perm must be a permutation or empty")
        if order and sorted(order) != list(range(rank)):
            raise VerifyException("invalid outer_dims_perm vector")
        if len(tiles) != len(positions):
            raise VerifyException("tiling factors must equal the number of dimensions to tile")
        if len(packed.get_shape()) != rank + len(positions):
            wanted = (
                "must equal unpacked rank + tiling factors"
                if self.LARGER
                else "!= (unpacked rank + num tiling factors)"
            )
            raise VerifyException(f"packed rank {wanted}")
        outer = list(unpacked.get_shape())
        for position, tile in zip(positions, tiles, strict=True):
            dynamic = DYNAMIC_INDEX in (outer[position], tile)
            outer[position] = DYNAMIC_INDEX if dynamic else -(-outer[position] // tile)
        wanted = [*(outer[item] for item in order or range(rank)), *tiles]
        if self.LARGER:
            self._check_room(TensorType(packed.element_type, wanted), packed)
            return
        if any(a != b and DYNAMIC_INDEX not in (a, b) for a, b in zip(wanted, packed.get_shape(), strict=True)):
            expected = TensorType(packed.element_type, wanted)
            raise VerifyException(f"expected '{expected}' for the packed domain value, got '{packed}'")

    def _check_room(self, needed: TensorType[Any], packed: TensorType[Any]) -> None:
        """The packed tensor holds all tiles, and its tiles have the sizes stated."""
        pairs = list(zip(needed.get_shape(), packed.get_shape(), strict=True))
        if any(a > b for a, b in pairs if DYNAMIC_INDEX not in (a, b)):
            raise VerifyException(
                "the shape of output is not large enough to hold the packed data. Expected at least "
                f"'{needed}', got '{packed}'"
            )
        tiles = pairs[len(pairs) - len(self.inner_dims_pos.get_values()) :]
        if any(b not in (a, DYNAMIC_INDEX) for a, b in tiles):
            raise VerifyException(
                "mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type"
            )


def _parse_tiles(parser: Any) -> tuple[SSAValue, SSAValue, list[SSAValue], dict[str, Attribute], Any, Any]:
    """What follows the source: `(source, dest, tiles, properties, attributes, padding)` for a name and its types."""
    name = parser.parse_unresolved_operand()
    padding = None
    if parser.parse_optional_keyword("padding_value") is not None:
        parser.parse_punctuation("(")
        pad = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        padding = parser.resolve_operand(pad, parser.parse_type())
        parser.parse_punctuation(")")
    properties: dict[str, Attribute] = {}

    def numbers(keyword: str) -> None:
        parser.parse_punctuation("=")
        listed = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        properties[keyword] = DenseArrayBase.from_list(i64, listed)

    if parser.parse_optional_keyword("outer_dims_perm") is not None:
        numbers("outer_dims_perm")
    parser.parse_keyword("inner_dims_pos")
    numbers("inner_dims_pos")
    parser.parse_keyword("inner_tiles")
    parser.parse_punctuation("=")
    tiles, static = parse_mixed_list(parser)
    properties["static_inner_tiles"] = static
    parser.parse_keyword("into")
    target = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    source = parser.resolve_operand(name, parser.parse_type())
    parser.parse_punctuation("->")
    dest = parser.resolve_operand(target, parser.parse_type())
    return source, dest, tiles, properties, attributes, padding


class _Pack(_Packing):
    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    padding_value = opt_operand_def()
    inner_tiles = var_operand_def(_INDEX)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Any) -> _Pack:
        source, dest, tiles, properties, attributes, padding = _parse_tiles(parser)
        return cls.build(
            operands=[source, dest, padding, tiles],
            result_types=[dest.type],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        if self.padding_value is not None:
            printer.print_string(" padding_value(")
            printer.print_ssa_value(self.padding_value)
            printer.print_string(" : ")
            printer.print_attribute(self.padding_value.type)
            printer.print_string(")")
        self._print_tiles(printer)

    def verify_(self) -> None:
        source = self.source.type
        assert isinstance(source, TensorType)
        if self.padding_value is not None and self.padding_value.type != source.element_type:
            raise VerifyException(
                f"expected padding_value has '{source.element_type}' but got: '{self.padding_value.type}'"
            )
        self.check(source, self.dest.type)
        if self.padding_value is None and not self._fills(source.get_shape()):
            raise VerifyException(
                "invalid tile factor or output size provided. Only full tiles are supported when padding_value is not "
                "set"
            )

    def _fills(self, shape: Sequence[int]) -> bool:
        """Whether the source may fill all tiles."""
        dest: Any = self.dest.type
        order = [int(v) for v in self.outer_dims_perm.get_values()] if self.outer_dims_perm is not None else []
        order = order or list(range(len(shape)))
        positions = [int(v) for v in self.inner_dims_pos.get_values()]
        for position, tile in zip(positions, self.static_inner_tiles.get_values(), strict=True):
            step = dest.get_shape()[order.index(position)] if tile == DYNAMIC_INDEX else int(tile)
            if DYNAMIC_INDEX not in (shape[position], step) and step and shape[position] % step:
                return False
        return True


class _UnPack(_Packing):
    @classmethod
    def parse(cls, parser: Any) -> _UnPack:
        source, dest, tiles, properties, attributes, padding = _parse_tiles(parser)
        if padding is not None:
            parser.raise_error(f"expected no 'padding_value' of '{cls.name}'")
        return cls.build(
            operands=[source, dest, tiles], result_types=[dest.type], properties=properties, attributes=attributes
        )

    def print(self, printer: Any) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        self._print_tiles(printer)

    def verify_(self) -> None:
        self.check(self.dest.type, self.source.type)


@irdl_op_definition
class PackOp(_Pack):
    """`%p = linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %d : T -> U`: a tensor cut into tiles."""

    name = "linalg.pack"


@irdl_op_definition
class UnPackOp(_UnPack):
    """`%u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %d : T -> U`: tiles back in place."""

    name = "linalg.unpack"


@irdl_op_definition
class TensorPackOp(_Pack):
    """`%p = tensor.pack %s inner_dims_pos = [0] inner_tiles = [8] into %d : T -> U`: older texts' `linalg.pack`."""

    name = "tensor.pack"
    LARGER: ClassVar[bool] = True


@irdl_op_definition
class TensorUnPackOp(_UnPack):
    """`%u = tensor.unpack %p inner_dims_pos = [0] inner_tiles = [8] into %d : T -> U`: older texts' `linalg.unpack`."""

    name = "tensor.unpack"
    LARGER: ClassVar[bool] = True
