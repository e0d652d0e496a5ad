"""The `ktdf_arch` dialect: a device as a graph of memories, execution units, switches, datapaths and groups.

Inside `device` and `group` bodies the dialect prefix may be omitted. Attributes with the prefix `ktdf_arch.` are
verified by `headrace.ir.dialects.ktdf_arch_features`, on the operations of a device and on any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from xdsl.dialects import pdl
from xdsl.dialects.builtin import (
    ArrayAttr,
    BuiltinAttribute,  # pyright: ignore[reportPrivateImportUsage]
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Dialect,
    Operation,
    OpResult,
    ParametrizedAttribute,
    Region,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_region_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.mlir_lexer import MLIRTokenKind

from headrace.ir.construct import DialectOp
from headrace.ir.dialects._syntax import SEGMENTS, check_minimum, split_attributes
from headrace.ir.dialects.ktdf_arch_features import MapAttr
from headrace.ir.elements import SparseElementsAttr


@irdl_attr_definition
class MemoryType(ParametrizedAttribute, TypeAttribute):
    """Handle of a memory."""

    name = "ktdf_arch.memory"


@irdl_attr_definition
class ExecUnitType(ParametrizedAttribute, TypeAttribute):
    """Handle of an execution unit."""

    name = "ktdf_arch.exec_unit"


@irdl_attr_definition
class PortType(ParametrizedAttribute, TypeAttribute):
    """Port of a switch."""

    name = "ktdf_arch.port"


#: A dictionary alias; names of the hoisted affine aliases are not free.
_ALIAS = re.compile(r"#(?!(map|set)\d*$)[A-Za-z_][\w$]*")

_SHORT_TYPES: dict[str, TypeAttribute] = {"memory": MemoryType(), "exec_unit": ExecUnitType(), "port": PortType()}
_ENDPOINT = base(MemoryType) | base(ExecUnitType) | base(PortType)


# ------------------------------------------------------------------------------------------------ shared syntax


def _parse_dict(parser: Parser) -> dict[str, Attribute]:
    """Parse an optional dictionary, or an attribute alias that names one."""
    if parser._current_token.kind == MLIRTokenKind.HASH_IDENT:  # pyright: ignore[reportPrivateUsage]
        position = parser.pos
        attribute = parser.parse_attribute()
        if not isinstance(attribute, DictionaryAttr):
            parser.raise_error("expected a dictionary attribute or an alias of one", position)
        return dict(attribute.data)
    return parser.parse_optional_attr_dict()


def _parse_head(parser: Parser, op_class: type[IRDLOperation]) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """Parse `[@id] [dict]` into (properties, discardable attributes)."""
    identifier = parser.parse_optional_symbol_name()
    properties, attributes = split_attributes(op_class, _parse_dict(parser))
    if identifier is not None:
        properties["id"] = identifier
    return properties, attributes


def _print_head(printer: Printer, op: Operation) -> None:
    """Print ` [@id] [dict]`."""
    identifier = op.properties.get("id")
    if isinstance(identifier, StringAttr):
        printer.print_string(" ")
        printer.print_symbol_name(identifier)
    merged = {**op.properties, **op.attributes}
    shown = {key: merged[key] for key in sorted(merged) if key != "id" and key not in SEGMENTS}
    if not shown:
        return
    printer.print_string(" ")
    alias = _dictionary_alias(printer, DictionaryAttr(shown))
    if alias is None:
        printer.print_attr_dict(shown)
    else:
        printer.print_string(alias)


def _dictionary_alias(printer: Printer, dictionary: DictionaryAttr) -> str | None:
    """The alias `#KIND` of a resource's dictionary, where the printer hoists aliases."""
    kind = dictionary.data.get("kind")
    make = getattr(printer, "alias", None)
    if make is None or not getattr(printer, "hoist", False) or not isinstance(kind, StringAttr):
        return None
    return make(dictionary, kind.data) if _ALIAS.fullmatch(f"#{kind.data}") else None


def _parse_short_type(parser: Parser) -> Attribute:
    keyword = parser.parse_optional_keyword_in(_SHORT_TYPES)
    return parser.parse_type() if keyword is None else _SHORT_TYPES[keyword]


def _print_short_type(printer: Printer, kind: Attribute) -> None:
    printer.print_string(kind.name.removeprefix("ktdf_arch."))


def _parse_isolated_region(parser: Parser, arguments: Sequence[Parser.Argument] | None = None) -> Region:
    """Parse a region that is isolated from above: its values may reuse the names of outer ones."""
    outer = parser.ssa_values
    parser.ssa_values = {}
    try:
        return parser.parse_region(arguments)
    finally:
        parser.ssa_values = outer


# ------------------------------------------------------------------------------------------------ operations


class ResourceOp(DialectOp):
    """Memories, execution units, switches, datapaths and groups: each may have an `id` and a `kind`."""

    id = opt_prop_def(StringAttr)

    @property
    def resource_id(self) -> str | None:
        """The id without `@`, None without one."""
        return None if self.id is None else self.id.data

    def kind_text(self) -> str | None:
        """The kind as text: a string kind as it is, any other attribute as printed; None without a kind."""
        kind = self.properties.get("kind") or self.attributes.get("kind")
        return None if kind is None else kind_text(kind)

    def verify_parent(self) -> None:
        """A resource lives in a device or in another resource."""
        parent = self.parent_op()
        if parent is not None and not isinstance(parent, DeviceOp | ResourceOp):
            raise VerifyException("expects its parent to be a device or a resource")

    def verify_(self) -> None:
        self.verify_parent()


def kind_text(kind: Attribute) -> str:
    """Canonical text of a kind."""
    return kind.data if isinstance(kind, StringAttr) else str(kind)


@irdl_op_definition
class YieldOp(DialectOp):
    """`yield %alu, %load`: terminator of a group: hands execution units out."""

    name = "ktdf_arch.yield"
    units = var_operand_def(ExecUnitType)
    traits = traits_def(IsTerminator())

    def __init__(self, units: Sequence[SSAValue] = ()):
        super().__init__(operands=[units])

    @classmethod
    def parse(cls, parser: Parser) -> YieldOp:
        units: list[SSAValue] = []
        first = parser.parse_optional_unresolved_operand()
        if first is not None:
            units.append(parser.resolve_operand(first, ExecUnitType()))
            while parser.parse_optional_punctuation(",") is not None:
                units.append(parser.parse_operand(ExecUnitType()))
        return cls(units)

    def print(self, printer: Printer) -> None:
        if self.units:
            printer.print_string(" ")
            printer.print_list(self.units, printer.print_ssa_value)


@irdl_op_definition
class MemoryOp(ResourceOp):
    """`%m = memory @main {kind = "MAIN", size = 4096}`: a memory; `size` is in bytes."""

    name = "ktdf_arch.memory"
    id = opt_prop_def(StringAttr)
    kind = prop_def(Attribute)
    size = opt_prop_def(IntegerAttr)
    result = result_def(MemoryType)

    def __init__(self, kind: Attribute | str, size: int | None = None, attributes: dict[str, Attribute] | None = None):
        super().__init__(
            result_types=[MemoryType()],
            properties={
                "kind": StringAttr(kind) if isinstance(kind, str) else kind,
                "size": None if size is None else IntegerAttr(size, i64),
            },
            attributes=attributes or {},
        )

    def verify_(self) -> None:
        self.verify_parent()
        valid = isinstance(self.kind, IntegerAttr | StringAttr | DictionaryAttr)
        if not valid and (isinstance(self.kind, BuiltinAttribute) or self.kind.name.startswith("builtin.")):
            raise VerifyException("attribute 'kind' requires valid memory space")
        check_minimum("size", self.size, 1)

    @classmethod
    def parse(cls, parser: Parser) -> MemoryOp:
        position = parser.pos
        properties, attributes = _parse_head(parser, cls)
        if "kind" not in properties:
            parser.raise_error("'memory' requires attribute 'kind'", position)
        return cls.build(result_types=[MemoryType()], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        _print_head(printer, self)


@irdl_op_definition
class ExecUnitOp(ResourceOp):
    """`%u = exec_unit @alu {kind = "ALU", ktdf_arch.features = {ktdf_arch.feature.compute}}`:
    an execution unit: a sequential engine that moves or computes.
    """

    name = "ktdf_arch.exec_unit"
    id = opt_prop_def(StringAttr)
    kind = opt_prop_def(Attribute)
    result = result_def(ExecUnitType)

    def __init__(self, kind: Attribute | str | None = None, attributes: dict[str, Attribute] | None = None):
        super().__init__(
            result_types=[ExecUnitType()],
            properties={"kind": StringAttr(kind) if isinstance(kind, str) else kind},
            attributes=attributes or {},
        )

    @classmethod
    def parse(cls, parser: Parser) -> ExecUnitOp:
        properties, attributes = _parse_head(parser, cls)
        return cls.build(result_types=[ExecUnitType()], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        _print_head(printer, self)


MOST_PORTS = 65536
"""Ports of one switch; a number beyond is a slip, and each port is a value."""


@irdl_op_definition
class SwitchOp(ResourceOp):
    """`%s:2 = switch [2] {connectivity = dense<[[false, true], [true, false]]> : tensor<2x2xi1>}`:
    A switch with N ports; entry `[s][t]` of `connectivity` lets a message from port s leave at port t.
    """

    name = "ktdf_arch.switch"
    id = opt_prop_def(StringAttr)
    kind = opt_prop_def(Attribute)
    connectivity = opt_prop_def(Attribute)
    ports = var_result_def(PortType)

    def __init__(self, ports: int, connectivity: DenseIntOrFPElementsAttr | None = None):
        super().__init__(result_types=[[PortType()] * ports], properties={"connectivity": connectivity})

    def contains(self, source: int, target: int) -> bool:
        """Whether a message entering at `source` may leave at `target`."""
        if self.connectivity is None:
            return True
        assert isinstance(self.connectivity, DenseIntOrFPElementsAttr | SparseElementsAttr)
        values = self.connectivity.get_values()
        if len(values) == 1:  # a splat
            return bool(values[0])
        return bool(values[source * len(self.ports) + target])

    def verify_(self) -> None:
        self.verify_parent()
        count = len(self.ports)
        if self.connectivity is None:
            return
        entries = self.connectivity
        kind = entries.type if isinstance(entries, DenseIntOrFPElementsAttr | SparseElementsAttr) else None
        if not isinstance(kind, TensorType) or kind.element_type != i1 or kind.get_shape() != (count, count):
            raise VerifyException(f"attribute 'connectivity' requires elements of type tensor<{count}x{count}xi1>")

    @classmethod
    def parse(cls, parser: Parser) -> SwitchOp:
        parser.parse_punctuation("[")
        at = parser.pos
        count = parser.parse_integer(allow_boolean=False, allow_negative=False)
        if count > MOST_PORTS:
            parser.raise_error(f"expected at most {MOST_PORTS} ports, but got {count}", at)
        parser.parse_punctuation("]")
        properties, attributes = split_attributes(cls, _parse_dict(parser))
        return cls.build(result_types=[[PortType()] * count], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" [{len(self.ports)}]")
        _print_head(printer, self)


@irdl_op_definition
class DatapathOp(ResourceOp):
    """`datapath @in {ktdf_arch.bandwidth = 16 : i64} %m to %u : memory, exec_unit`: a directed link."""

    name = "ktdf_arch.datapath"
    id = opt_prop_def(StringAttr)
    source = operand_def(_ENDPOINT)
    target = operand_def(_ENDPOINT)

    def __init__(self, source: SSAValue, target: SSAValue, attributes: dict[str, Attribute] | None = None):
        super().__init__(operands=[source, target], attributes=attributes or {})

    def verify_(self) -> None:
        self.verify_parent()
        if endpoint(self.source) is endpoint(self.target):
            raise VerifyException("can't link resource to itself")

    @classmethod
    def parse(cls, parser: Parser) -> DatapathOp:
        properties, attributes = _parse_head(parser, cls)
        source = parser.parse_unresolved_operand()
        parser.parse_keyword("to")
        target = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        types = [_parse_short_type(parser)]
        parser.parse_punctuation(",")
        types.append(_parse_short_type(parser))
        operands = [parser.resolve_operand(name, kind) for name, kind in zip((source, target), types, strict=True)]
        return cls.build(operands=operands, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        _print_head(printer, self)
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(" to ")
        printer.print_ssa_value(self.target)
        printer.print_string(" : ")
        _print_short_type(printer, self.source.type)
        printer.print_string(", ")
        _print_short_type(printer, self.target.type)


@irdl_op_definition
class GroupOp(ResourceOp):
    """`%u = group @core {kind = "core"} share(%m) { ... yield %alu } -> exec_unit`:
    resources private to a scope; memories are captured from outside, execution units handed out.
    """

    name = "ktdf_arch.group"
    id = opt_prop_def(StringAttr)
    kind = opt_prop_def(Attribute)
    shared = var_operand_def(MemoryType)
    outputs = var_result_def(ExecUnitType)
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove())

    def __init__(
        self,
        shared: Sequence[SSAValue],
        body: Region,
        kind: Attribute | str | None = None,
        outputs: int = 0,
        attributes: dict[str, Attribute] | None = None,
    ):
        super().__init__(
            operands=[shared],
            result_types=[[ExecUnitType()] * outputs],
            regions=[body],
            properties={"kind": StringAttr(kind) if isinstance(kind, str) else kind},
            attributes=attributes or {},
        )

    def __post_init__(self) -> None:
        if not self.body.blocks:
            self.body.add_block(Block())
        block = self.body.block
        if block.last_op is None or not isinstance(block.last_op, YieldOp):
            block.add_op(YieldOp())

    @property
    def yield_op(self) -> YieldOp:
        """The terminator."""
        last = self.body.block.last_op
        assert isinstance(last, YieldOp)
        return last

    def verify_(self) -> None:
        self.verify_parent()
        block = self.body.block
        if [argument.type for argument in block.args] != [operand.type for operand in self.shared]:
            raise VerifyException("expects one block argument of type memory for each shared memory")
        for op in block.ops:
            if not isinstance(op, ResourceOp | YieldOp):
                raise VerifyException("expects child ops to be resources")
        if len(self.yield_op.units) != len(self.outputs):
            raise VerifyException(f"yields {len(self.yield_op.units)} units, but has {len(self.outputs)} results")

    @classmethod
    def parse(cls, parser: Parser) -> GroupOp:
        properties, attributes = _parse_head(parser, cls)
        parser.parse_keyword("share")
        names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        arguments = [Parser.Argument(name.span, MemoryType()) for name in names]
        body = _parse_isolated_region(parser, arguments)
        types: list[Attribute] = []
        if parser.parse_optional_punctuation("->") is not None:
            types.append(_parse_short_type(parser))
            while parser.parse_optional_punctuation(",") is not None:
                types.append(_parse_short_type(parser))
        shared = [parser.resolve_operand(name, MemoryType()) for name in names]
        return cls.build(
            operands=[shared], result_types=[types], regions=[body], properties=properties, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        _print_head(printer, self)
        printer.print_string(" share(")
        names = [printer.print_ssa_value(value) for value in self._separated(printer)]
        printer.print_string(") ")
        for argument, name in zip(self.body.block.args, names, strict=True):
            # The arguments shadow the captured memories: they are printed under the same names.
            for table in ("_ssa_values", "_names"):
                if hasattr(printer, table):
                    getattr(printer, table)[argument] = name
        printer.print_region(
            self.body,
            print_entry_block_args=False,
            print_empty_block=False,
            print_block_terminators=bool(self.yield_op.units),
        )
        if self.outputs:
            printer.print_string(" -> ")
            printer.print_list(self.result_types, lambda kind: _print_short_type(printer, kind))

    def _separated(self, printer: Printer) -> Iterator[SSAValue]:
        for position, value in enumerate(self.shared):
            if position:
                printer.print_string(", ")
            yield value


@irdl_op_definition
class PatternsOp(DialectOp):
    """`patterns groups("post_lowering") { pdl.pattern : benefit(1) { ... } }`:
    rewrite patterns of the device; `groups` names the checkpoints at which they run (empty: at every one).
    """

    name = "ktdf_arch.patterns"
    groups = opt_prop_def(ArrayAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, groups: Sequence[str], body: Region):
        super().__init__(properties={"groups": ArrayAttr([StringAttr(group) for group in groups])}, regions=[body])

    @property
    def checkpoints(self) -> list[str]:
        """Names of the groups."""
        return [] if self.groups is None else [group.data for group in self.groups if isinstance(group, StringAttr)]

    def verify_(self) -> None:
        parent = self.parent_op()
        if parent is not None and not isinstance(parent, DeviceOp):
            raise VerifyException("expects parent op 'ktdf_arch.device'")
        for op in self.body.block.ops:
            if not isinstance(op, pdl.PatternOp):
                raise VerifyException("expects child ops to be 'pdl.pattern'")

    @classmethod
    def parse(cls, parser: Parser) -> PatternsOp:
        groups: list[str] = []
        listed = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_str_literal)
        groups += listed or []
        attributes: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("attributes") is not None:
            attributes = _parse_dict(parser)
        region = parser.parse_region()
        if not region.blocks:
            region.add_block(Block())
        return cls.build(
            regions=[region],
            properties={"groups": ArrayAttr([StringAttr(group) for group in groups])},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        if self.checkpoints:
            printer.print_string(" [")
            printer.print_list(self.checkpoints, printer.print_string_literal)
            printer.print_string("]")
        if self.attributes:
            printer.print_string(" attributes ")
            printer.print_attr_dict({key: self.attributes[key] for key in sorted(self.attributes)})
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)


@irdl_op_definition
class DeviceOp(DialectOp):
    """`ktdf_arch.device @toy attributes {headrace.clock_mhz = 500 : i64} { ... }`:
    A device, or the declaration of one that lives in another file.
    """

    name = "ktdf_arch.device"
    sym_name = prop_def(StringAttr)
    import_path = opt_prop_def(StringAttr)
    version = opt_prop_def(IntegerAttr.constr(i64))
    body = opt_region_def()
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove(), NoTerminator())

    def __init__(
        self,
        name: str,
        body: Region | None = None,
        import_path: str | None = None,
        attributes: dict[str, Attribute] | None = None,
    ):
        super().__init__(
            regions=[Region() if body is None else body],
            properties={
                "sym_name": StringAttr(name),
                "import_path": None if import_path is None else StringAttr(import_path),
            },
            attributes=attributes or {},
        )

    @property
    def is_import(self) -> bool:
        """Whether this only declares a device of another file."""
        return self.import_path is not None

    def resources(self) -> Iterator[ResourceOp]:
        """All resources in pre-order, including those of nested groups."""
        for op in self.walk():
            if isinstance(op, ResourceOp):
                yield op

    def verify_(self) -> None:
        blocks = [] if self.body is None else list(self.body.blocks)
        if len(blocks) > 1:
            raise VerifyException("expects at most one block")
        operations = list(blocks[0].ops) if blocks else []
        if not operations and self.import_path is None:
            raise VerifyException("empty device requires 'import_path' attribute")
        if blocks and self.import_path is not None:
            raise VerifyException("non-empty device can't have 'import_path' attribute")
        for op in operations:
            if not isinstance(op, ResourceOp | PatternsOp) and not op.has_trait(IsTerminator):
                raise VerifyException("expects child ops to be resources")
        seen: set[str] = set()
        for resource in self.resources():
            identifier = resource.resource_id
            if identifier is None:
                continue
            if identifier in seen:
                raise VerifyException(f'resource with id "{identifier}" redefined')
            seen.add(identifier)

    @classmethod
    def parse(cls, parser: Parser) -> DeviceOp:
        name = parser.parse_symbol_name()
        attributes: dict[str, Attribute] = {}
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("attributes") is not None:
            properties, attributes = split_attributes(cls, _parse_dict(parser))
        region = Region()
        if parser.parse_optional_keyword("import") is not None:
            parser.parse_punctuation("(")
            properties["import_path"] = StringAttr(parser.parse_str_literal())
            parser.parse_punctuation(")")
        else:
            region = _parse_isolated_region(parser)
        return cls.build(regions=[[region]], properties={**properties, "sym_name": name}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name)
        merged = {**self.properties, **self.attributes}
        shown = {key: merged[key] for key in sorted(merged) if key not in ("sym_name", "import_path")}
        if shown:
            printer.print_string(" attributes ")
            printer.print_attr_dict(shown)
        if self.import_path is not None:
            printer.print_string(" import(")
            printer.print_string_literal(self.import_path.data)
            printer.print_string(")")
        elif self.body is not None:
            printer.print_string(" ")
            printer.print_region(self.body, print_empty_block=False)


# ------------------------------------------------------------------------------------------------ graph queries


def endpoint(value: SSAValue) -> SSAValue:
    """Follow captures and yields to the node result that `value` denotes."""
    while True:
        if isinstance(value, BlockArgument):
            group = value.block.parent_op()
            if not isinstance(group, GroupOp):
                return value
            value = group.shared[value.index]
        elif isinstance(value, OpResult) and isinstance(value.op, GroupOp):
            value = value.op.yield_op.units[value.index]
        else:
            return value


def assign_id(device: DeviceOp, resource: ResourceOp, prefix: str | None = None) -> str:
    """Give `resource` the first free id of `prefix`, `prefix_1`, ...; an id in use elsewhere is never taken over.

    The default prefix is a string kind, else the mnemonic of the op.
    """
    if prefix is None:
        kind = resource.properties.get("kind")
        prefix = kind.data if isinstance(kind, StringAttr) else resource.name.removeprefix("ktdf_arch.")
    used = {other.resource_id for other in device.resources() if other is not resource}
    candidate, number = prefix, 0
    while candidate in used:
        number += 1
        candidate = f"{prefix}_{number}"
    resource.properties["id"] = StringAttr(candidate)
    return candidate


# Inside their regions the dialect prefix is not printed.
for _op_class in (DeviceOp, GroupOp):
    _op_class.default_dialect = "ktdf_arch"  # pyright: ignore[reportAttributeAccessIssue]

KtdfArch = Dialect(
    "ktdf_arch",
    [DeviceOp, MemoryOp, ExecUnitOp, SwitchOp, DatapathOp, GroupOp, YieldOp, PatternsOp],
    [MemoryType, ExecUnitType, PortType, MapAttr],
)
