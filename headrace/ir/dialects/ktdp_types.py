"""Types and attributes of the `ktdp` dialect."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineSetAttr,
    AnyFloat,
    ArrayAttr,
    IndexType,
    IntAttr,
    IntegerType,
    NoneAttr,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from headrace.ir.dialects._syntax import parse_shape

INDEX = IndexType()


def _warn(parser: AttrParser, message: str, at: int) -> None:
    """A lenient acceptance: warn where the parser can, refuse in strict mode."""
    if getattr(parser, "strict", False):
        parser.raise_error(message, at)
    warn = getattr(parser, "warn", None)
    if warn is not None:
        warn(message, at)


@irdl_attr_definition
class AccessTileType(ParametrizedAttribute, TypeAttribute):
    """`!ktdp.access_tile<3x?xindex>`: shape of the points that a load or store touches."""

    name = "ktdp.access_tile"
    shape: ArrayAttr[IntAttr]
    element_type: Attribute

    def __init__(self, shape: Sequence[int] | ArrayAttr[IntAttr], element_type: Attribute = INDEX):
        dims = shape if isinstance(shape, ArrayAttr) else ArrayAttr([IntAttr(n) for n in shape])
        super().__init__(dims, element_type)

    def get_shape(self) -> tuple[int, ...]:
        """Extents; DYNAMIC_INDEX stands for `?`."""
        return tuple(n.data for n in self.shape)

    def verify(self) -> None:
        if self.element_type != INDEX:
            raise VerifyException(f"element type of an access tile must be 'index', but is {self.element_type}")
        if any(n < 0 and n != DYNAMIC_INDEX for n in self.get_shape()):
            raise VerifyException("extents of an access tile must be '?' or at least 0")

    @classmethod
    def parse_inner(cls, parser: AttrParser) -> list[Attribute]:
        """What stands between the angle brackets."""
        at = parser.pos
        if parser.parse_optional_punctuation("-") is not None:
            parser.raise_error("extents of an access tile must be '?' or at least 0", at)
        shape, element = parse_shape(parser)
        if element != INDEX:
            parser.raise_error(f"element type of an access tile must be 'index', but is {element}", at)
        return [ArrayAttr([IntAttr(n) for n in shape]), element]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return cls.parse_inner(parser)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            for n in self.get_shape():
                printer.print_string("?x" if n == DYNAMIC_INDEX else f"{n}x")
            printer.print_attribute(self.element_type)


@irdl_attr_definition
class RuntimeArgType(ParametrizedAttribute, TypeAttribute):
    """`!ktdp.runtime_arg<index, granularity=8, upperbound=64>`: a launch value, a multiple of 8, at most 64."""

    name = "ktdp.runtime_arg"
    underlying: Attribute
    granularity: IntAttr | NoneAttr
    upperbound: IntAttr | NoneAttr

    def __init__(self, underlying: Attribute, granularity: int | None = None, upperbound: int | None = None):
        super().__init__(
            underlying,
            NoneAttr() if granularity is None else IntAttr(granularity),
            NoneAttr() if upperbound is None else IntAttr(upperbound),
        )

    def parameter(self, name: str) -> int | None:
        """`granularity` or `upperbound`, None if absent."""
        value = self.granularity if name == "granularity" else self.upperbound
        return value.data if isinstance(value, IntAttr) else None

    def verify(self) -> None:
        if not isinstance(self.underlying, IndexType | IntegerType | AnyFloat):
            raise VerifyException(
                f"underlying type of a runtime_arg must be index, integer or float, but is {self.underlying}"
            )
        for name in ("granularity", "upperbound"):
            value = self.parameter(name)
            if value is not None and value <= 0:
                raise VerifyException(f"{name} of a runtime_arg must be positive, but is {value}")

    @classmethod
    def parse_inner(cls, parser: AttrParser) -> list[Attribute]:
        """What stands between the angle brackets."""
        underlying = parser.parse_type()
        found: dict[str, Attribute] = {}
        while parser.parse_optional_punctuation(",") is not None:
            at = parser.pos
            keyword = parser.parse_identifier()
            if keyword not in ("granularity", "upperbound"):
                parser.raise_error(
                    f"unknown keyword '{keyword}' in runtime_arg, expected 'granularity' or 'upperbound'", at
                )
            if keyword in found:
                parser.raise_error(f"duplicate keyword '{keyword}' in runtime_arg", at)
            parser.parse_punctuation("=")
            found[keyword] = IntAttr(parser.parse_integer(allow_boolean=False))
        return [underlying, found.get("granularity", NoneAttr()), found.get("upperbound", NoneAttr())]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return cls.parse_inner(parser)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.underlying)
            for name in ("granularity", "upperbound"):
                value = self.parameter(name)
                if value is not None:
                    printer.print_string(f", {name}={value}")


@irdl_attr_definition
class TileFutureType(ParametrizedAttribute, TypeAttribute):
    """`!ktdp.tile_future<(tensor<4xf16>), groups = affine_set<..>>`: what producers of each group will deliver."""

    name = "ktdp.tile_future"
    partials: ArrayAttr[Attribute]
    groups: AffineSetAttr

    def verify(self) -> None:
        if not self.partials.data:
            raise VerifyException("tile_future needs at least one partial type")
        for t in self.partials:
            if not isinstance(t, TensorType):
                raise VerifyException(f"partial types of a tile_future must be ranked tensors, but got {t}")
        if self.groups.data.num_dims != 1:
            raise VerifyException(f"groups must have exactly one dimension, but has {self.groups.data.num_dims}")
        if self.groups.data.num_symbols:
            raise VerifyException("groups must have no symbols")

    @classmethod
    def parse_inner(cls, parser: AttrParser) -> list[Attribute]:
        """What stands between the angle brackets; a single type without parentheses is accepted leniently."""
        at = parser.pos
        if parser.parse_optional_punctuation("(") is not None:
            partials: list[Attribute] = []
            if parser.parse_optional_punctuation(")") is None:
                partials = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
                parser.parse_punctuation(")")
        else:
            _warn(parser, "partial types of a tile_future must be in parentheses", at)
            partials = [parser.parse_type()]
        if not partials:
            parser.raise_error("tile_future needs at least one partial type", at)
        for t in partials:
            if not isinstance(t, TensorType):
                parser.raise_error(f"partial types of a tile_future must be ranked tensors, but got {t}", at)
        parser.parse_punctuation(",")
        if parser.parse_optional_keyword("groups") is not None:
            parser.parse_punctuation("=")
        else:
            _warn(parser, "expected 'groups =' before the group set of a tile_future", at)
        groups = parser.parse_attribute()
        if not isinstance(groups, AffineSetAttr):
            parser.raise_error("expected an affine set after 'groups ='", at)
        return [ArrayAttr(partials), groups]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return cls.parse_inner(parser)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string("(")
            printer.print_list(self.partials, printer.print_attribute)
            printer.print_string("), groups = ")
            printer.print_attribute(self.groups)


ShortType = type[AccessTileType] | type[RuntimeArgType] | type[TileFutureType]


def parse_short_type(parser: Parser, cls: ShortType) -> Attribute:
    """A type with or without its `!ktdp.mnemonic` prefix."""
    if parser.parse_optional_punctuation("<") is None:
        return parser.parse_type()
    parameters = cls.parse_inner(parser)
    parser.parse_punctuation(">")
    return cls.new(parameters)


def print_short_type(printer: Printer, t: Attribute) -> None:
    """A type without its prefix."""
    if isinstance(t, AccessTileType | RuntimeArgType | TileFutureType):
        t.print_parameters(printer)
    else:
        printer.print_attribute(t)


def _parse_space(parser: AttrParser, kinds: tuple[str, ...], owner_word: str) -> list[Attribute]:
    with parser.in_angle_brackets():
        at = parser.pos
        kind = parser.parse_optional_identifier()
        if kind not in kinds:
            parser.raise_error(f"unknown memory space, expected one of {', '.join(kinds)}", at)
        owner: Attribute = NoneAttr()
        if parser.parse_optional_punctuation(",") is not None:
            parser.parse_keyword(owner_word)
            parser.parse_punctuation("=")
            number = parser.parse_integer(allow_boolean=False, allow_negative=True)
            if number != -1 or owner_word != "core":
                owner = IntAttr(number)
        return [StringAttr(kind), owner]


def _print_space(printer: Printer, kind: str, owner: Attribute, owner_word: str) -> None:
    with printer.in_angle_brackets():
        printer.print_string(kind)
        if isinstance(owner, IntAttr):
            printer.print_string(f", {owner_word} = {owner.data}")


@irdl_attr_definition
class MemorySpaceAttr(ParametrizedAttribute):
    """`#ktdp.memory_space<global>`, `<ct_local>` (the executing tile's own), `<ct_local, ct_id = 3>`."""

    name = "ktdp.memory_space"
    kind: StringAttr
    ct_id: IntAttr | NoneAttr

    def verify(self) -> None:
        if isinstance(self.ct_id, IntAttr):
            if self.kind.data != "ct_local":
                raise VerifyException("ct_id is only valid for ct_local memory")
            if self.ct_id.data < 0:
                raise VerifyException(f"ct_id must be non-negative, but is {self.ct_id.data}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return _parse_space(parser, ("global", "ct_local"), "ct_id")

    def print_parameters(self, printer: Printer) -> None:
        _print_space(printer, self.kind.data, self.ct_id, "ct_id")


@irdl_attr_definition
class SpyreMemorySpaceAttr(ParametrizedAttribute):
    """`#ktdp.spyre_memory_space<HBM>`, `<LX>`, `<LX, core = 3>`, `<L0>`, `<unspecified>`: the older spelling."""

    name = "ktdp.spyre_memory_space"
    kind: StringAttr
    core: IntAttr | NoneAttr

    def verify(self) -> None:
        if isinstance(self.core, IntAttr):
            if self.kind.data not in ("LX", "L0"):
                raise VerifyException("core is only valid for LX memory")
            if self.core.data < 0:
                raise VerifyException(f"core must be non-negative, but is {self.core.data}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return _parse_space(parser, ("HBM", "LX", "L0", "unspecified"), "core")

    def print_parameters(self, printer: Printer) -> None:
        _print_space(printer, self.kind.data, self.core, "core")
