"""IR to MLIR's text: value numbering, hoisted aliases, packs, default dialects, locations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import StringIO
from typing import IO, Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AffineSetAttr,
    AnyFloat,
    ArrayAttr,
    BytesAttr,
    CallSiteLoc,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FileLineColLoc,
    Float64Type,
    FloatAttr,
    FusedLoc,
    IntegerAttr,
    MemRefType,
    NameLoc,
    NoneAttr,
    TensorType,
    UnitAttr,
    UnknownLoc,
    UnrankedMemRefType,
    UnregisteredOp,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue, TypeAttribute
from xdsl.printer import Printer as XdslPrinter
from xdsl.traits import IsTerminator

from headrace.ir.affine import map_text, set_text
from headrace.ir.aliases import Alias, AliasTable
from headrace.ir.elements import SparseElementsAttr, sparse_parts
from headrace.ir.floats import float_text
from headrace.ir.guard import PRINT_FRAMES, frames
from headrace.ir.location import RangeLoc, SourceLoc
from headrace.ir.names import number_values
from headrace.ir.resources import Blob, blob_of, metadata_text
from headrace.ir.upstream import hides_properties, lookup

_LOCATIONS = (UnknownLoc, FileLineColLoc, RangeLoc, NameLoc, CallSiteLoc, FusedLoc)

#: Operations whose regions print the ops of one dialect without prefix (MLIR's `getDefaultDialect`). A class of ours
#: says so with a class attribute `default_dialect`.
_DEFAULT_DIALECT = {
    "builtin.module": "builtin",
    "func.func": "func",
    "pdl.pattern": "pdl",
    "pdl.rewrite": "pdl",
}


class Printer(XdslPrinter):
    """Prints operations and attributes as MLIR does.

    With `hoist`, affine maps and sets (and locations, with `debuginfo`) get an alias; `table` holds them.
    """

    def __init__(
        self,
        stream: IO[str] | None = None,
        *,
        generic: bool = False,
        debuginfo: bool = False,
        hoist: bool = False,
        keep_names: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            stream,
            print_generic_format=kwargs.pop("print_generic_format", generic),
            print_debuginfo=kwargs.pop("print_debuginfo", debuginfo),
            **kwargs,
        )
        self.hoist = hoist
        self.keep_names = keep_names
        self.table = AliasTable()
        self.blobs: dict[str, Blob] = {}
        self._alias_open: int | None = None
        self._names: dict[SSAValue, str] = {}
        self._default_dialects: list[str] = ["builtin"]
        self._predecessors: dict[Region, dict[Block, list[str]]] = {}

    # ---- names ------------------------------------------------------------------------------------------------------

    def print_ssa_value(self, value: SSAValue) -> str:
        name = self._names.get(value)
        if name is None:
            name = self._number_around(value)
        self.print_string("%" + name)
        return name

    def _number_around(self, value: SSAValue) -> str:
        owner = value.owner
        while (parent := owner.parent_op()) is not None:
            owner = parent
        if isinstance(owner, Operation):
            self._names.update(number_values(owner, self.print_generic_format, self.keep_names))
        if value not in self._names:
            taken = set(self._names.values())
            count = 0
            while str(count) in taken:
                count += 1
            self._names[value] = str(count)
        return self._names[value]

    def _print_results(self, op: Operation) -> None:
        results = op.results
        if not results:
            return
        if results[0] not in self._names:
            self._number_around(results[0])
        groups: list[str] = []
        index = 0
        while index < len(results):
            name = self._names[results[index]]
            base, pack, _ = name.partition("#")
            if not pack:
                groups.append(f"%{name}")
                index += 1
                continue
            size = 1
            while index + size < len(results) and self._names[results[index + size]] == f"{base}#{size}":
                size += 1
            groups.append(f"%{base}:{size}")
            index += size
        self.print_string(", ".join(groups) + " = ")

    # ---- attributes -------------------------------------------------------------------------------------------------

    def alias(self, attribute: Attribute, prefix: str, deferrable: bool = False) -> str:
        """The placeholder of an attribute's alias, made when first needed."""
        table = self.table
        number = table.index.get(attribute)
        if number is None:
            number = len(table.entries)
            table.index[attribute] = number
            entry = Alias(prefix, deferrable=deferrable, is_type=isinstance(attribute, TypeAttribute))
            table.entries.append(entry)
            outer, self._alias_open = self._alias_open, number
            stream, self.stream = self.stream, StringIO()
            self._print_plain(attribute)
            entry.text, self.stream = self.stream.getvalue(), stream
            self._alias_open = outer
            if entry.children:
                entry.depth = 1 + max(table.entries[child].depth for child in entry.children)
        elif not deferrable:
            table.not_deferrable(number)
        if self._alias_open is not None:
            table.entries[self._alias_open].children.append(number)
        return table.placeholder(number)

    def _print_plain(self, attribute: Attribute) -> None:
        """An attribute as its alias is defined."""
        if isinstance(attribute, AffineMapAttr):
            self.print_string(f"affine_map<{map_text(attribute.data)}>")
        elif isinstance(attribute, AffineSetAttr):
            self.print_string(f"affine_set<{set_text(attribute.data)}>")
        elif isinstance(attribute, _LOCATIONS):
            self.print_string("loc(")
            self._location_body(attribute)
            self.print_string(")")
        else:
            XdslPrinter.print_attribute(self, attribute)

    def print_attribute(self, attribute: Attribute) -> None:
        kind = type(attribute)
        if kind is AffineMapAttr:
            self.print_string(
                self.alias(attribute, "map") if self.hoist else f"affine_map<{map_text(attribute.data)}>"  # pyright: ignore
            )
        elif kind is AffineSetAttr:
            self.print_string(
                self.alias(attribute, "set") if self.hoist else f"affine_set<{set_text(attribute.data)}>"  # pyright: ignore
            )
        elif kind is MemRefType:
            self._print_memref(attribute)
        elif kind is ArrayAttr:
            self.print_string("[")
            for position, item in enumerate(attribute.data):  # pyright: ignore
                if position:
                    self.print_string(", ")
                self.print_untyped(item)
            self.print_string("]")
        elif attribute.name == "arith.overflow":
            names = [flag.value for flag in attribute.enum_type if flag in attribute.data]  # pyright: ignore
            self.print_string(f"#arith.overflow<{', '.join(names) or 'none'}>")
        elif isinstance(attribute, _LOCATIONS):
            if self.hoist:
                self.print_string(self.alias(attribute, "loc"))
            else:
                self._print_plain(attribute)
        elif kind is DenseResourceAttr:
            self._print_resource(attribute)
        elif kind is DenseIntOrFPElementsAttr and self._print_packed(attribute):
            pass
        elif kind is SparseElementsAttr:
            self._print_sparse(attribute)
        elif kind is UnrankedMemRefType:
            self.print_string("memref<*x")
            self.print_attribute(attribute.element_type)  # pyright: ignore
            if not isinstance(attribute.memory_space, NoneAttr):  # pyright: ignore
                self.print_string(", ")
                self.print_untyped(attribute.memory_space)  # pyright: ignore
            self.print_string(">")
        elif self.hoist and (prefix := getattr(kind, "alias_name", None)) is not None:
            self.print_string(self.alias(attribute, prefix))
        else:
            super().print_attribute(attribute)

    def _print_resource(self, attribute: Any) -> None:
        key = attribute.resource_handle.data
        if (blob := blob_of(attribute)) is not None:
            self.blobs.setdefault(key, blob)
        self.print_string(f"dense_resource<{key}> : ")
        self.print_attribute(attribute.type)

    def _print_sparse(self, attribute: Any) -> None:
        self.print_string("sparse<")
        parts = sparse_parts(attribute)
        for position, part in enumerate(parts or ()):
            self.print_string(", " if position else "")
            self.print_string(attribute_text(part).partition("<")[2].rpartition("> : ")[0])
        self.print_string("> : ")
        self.print_attribute(attribute.type)

    def _print_packed(self, attribute: Any) -> bool:
        """Literals of one value (by its bits), of zeros of both signs, and long ones of i1: eight elements a byte."""
        kind, data = attribute.type, attribute.data.data
        size = kind.element_type.compile_time_size
        if len(data) > size and data == data[:size] * (len(data) // size):
            self._print_dense_of(attribute, data[:size])
            return True
        if isinstance(kind.element_type, AnyFloat) and len(attribute) > 1 and not any(attribute.get_values()):
            parts = [data[at : at + size] for at in range(0, len(data), size)]
            texts = [attribute_text(_one_element(attribute, part)).partition("<")[2] for part in parts]
            texts = [text.partition(">")[0] for text in texts]
            for extent in reversed(kind.get_shape()):
                starts = range(0, len(texts), extent)
                texts = [f"[{', '.join(texts[start : start + extent])}]" for start in starts]
            self.print_string(f"dense<{texts[0]}> : ")
            self.print_attribute(kind)
            return True
        values = attribute.get_values() if kind.element_type == i1 and len(attribute) > 100 else ()
        if not values or attribute.is_splat():
            return False
        bits = sum(1 << position for position, value in enumerate(values) if value)
        text = bits.to_bytes((len(values) + 7) // 8, "little").hex().upper()
        self.print_string(f'dense<"0x{text}"> : ')
        self.print_attribute(kind)
        return True

    def _print_dense_of(self, attribute: Any, data: bytes) -> None:
        """A literal all of whose elements have the same bytes."""
        _one_element(attribute, data).print_without_type(self)
        self.print_string(" : ")
        self.print_attribute(attribute.type)

    def _print_memref(self, kind: Any) -> None:
        self.print_string("memref<")
        for extent in kind.get_shape():
            self.print_string("?x" if extent == DYNAMIC_INDEX else f"{extent}x")
        self.print_attribute(kind.element_type)
        if not isinstance(kind.layout, NoneAttr):
            self.print_string(", ")
            self.print_attribute(kind.layout)
        if not isinstance(kind.memory_space, NoneAttr):
            self.print_string(", ")
            self.print_untyped(kind.memory_space)
        self.print_string(">")

    def print_untyped(self, attribute: Attribute) -> None:
        """Print an attribute without its type where that is the default one (i64, f64), as inside arrays."""
        if isinstance(attribute, IntegerAttr) and attribute.type == i64:
            self.print_string(str(attribute.value.data))
        elif isinstance(attribute, FloatAttr) and isinstance(attribute.type, Float64Type):
            text = float_text(attribute.value.data, attribute.type)
            self.print_string(f"{text} : f64" if text.startswith("0x") else text)  # Bits need their type.
        else:
            self.print_attribute(attribute)

    def print_float(self, value: float, type: Any) -> None:
        self.print_string(float_text(value, type))

    def print_attr_dict(self, attr_dict: Mapping[str, Attribute]) -> None:
        self.print_string("{")
        for position, key in enumerate(sorted(attr_dict)):
            if position:
                self.print_string(", ")
            self.print_identifier_or_string_literal(key)
            value = attr_dict[key]
            if not isinstance(value, UnitAttr):
                self.print_string(" = ")
                self.print_attribute(value)
        self.print_string("}")

    def print_op_attributes(
        self,
        attributes: Mapping[str, Attribute],
        *,
        reserved_attr_names: Iterable[str] = (),
        print_keyword: bool = False,
    ) -> bool:
        reserved = {reserved_attr_names} if isinstance(reserved_attr_names, str) else set(reserved_attr_names)
        shown = {key: value for key, value in attributes.items() if key not in reserved}
        if not shown:
            return False
        self.print_string(" attributes " if print_keyword else " ")
        self.print_attr_dict(shown)
        return True

    def print_merged_attributes(self, op: Operation, hidden: Iterable[str] = (), keyword: bool = False) -> None:
        """Print properties and discardable attributes as one dictionary, as MLIR's custom forms do."""
        merged = {**op.properties, **op.attributes}
        reserved = {*hidden, "operandSegmentSizes", "resultSegmentSizes"}
        self.print_op_attributes(merged, reserved_attr_names=reserved, print_keyword=keyword)

    # ---- operations -------------------------------------------------------------------------------------------------

    def print_op(self, op: Operation) -> None:
        if not self._names or (op.results and op.results[0] not in self._names):
            top = op
            while (parent := top.parent_op()) is not None:
                top = parent
            self._names.update(number_values(top, self.print_generic_format, self.keep_names))
        if self.print_debuginfo and self.hoist:
            location = op.location
            self.alias(location.attribute() if isinstance(location, SourceLoc) else location, "loc", True)
        self._print_results(op)
        if isinstance(op, UnregisteredOp):
            self.print_string(f'"{op.op_name.data}"')
            attributes = {key: value for key, value in op.attributes.items() if key != "op_name__"}
            self._print_generic(op, attributes)
            self._print_location(op)
            return
        special = lookup(type(op)).print
        formless = special is None and Operation.print is type(op).print
        if self.print_generic_format or formless or hides_properties(op):
            self.print_string(f'"{op.name}"')
            self._print_generic(op, op.attributes)
        else:
            name = op.name
            prefix = self._default_dialects[-1] + "."
            if name.startswith(prefix) and name.count(".") == 1:
                name = name[len(prefix) :]
            self.print_string(name)
            if special is not None:
                special(op, self)
            else:
                op.print(self)
        self._print_location(op)

    def _print_location(self, op: Operation) -> None:
        if self.print_debuginfo:
            self.print_string(" ")
            location = op.location
            self.print_location(location, self.hoist)

    def print_location(self, location: Attribute, alias: bool = False) -> None:
        """Print `loc(...)`, in full or by its alias."""
        if isinstance(location, SourceLoc):
            location = location.attribute()
        self.print_string("loc(")
        if alias:
            self.print_string(self.alias(location, "loc", True))
        else:
            self._location_body(location)
        self.print_string(")")

    def _nested_location(self, location: Attribute) -> None:
        if isinstance(location, SourceLoc):
            location = location.attribute()
        if self.hoist:
            open_ = self._alias_open
            deferrable = open_ is not None and self.table.entries[open_].deferrable
            self.print_string(self.alias(location, "loc", deferrable))
        else:
            self._location_body(location)

    def _location_body(self, location: Any) -> None:
        """What stands inside `loc(...)`."""
        if isinstance(location, RangeLoc):
            self._location_body(location.start)
            line = "" if location.end_line == location.start.line.data else str(location.end_line)
            self.print_string(f" to {line}:{location.end_column}")
        elif isinstance(location, FileLineColLoc):
            self.print_string_literal(location.filename.data)
            self.print_string(f":{location.line.data}:{location.column.data}")
        elif isinstance(location, NameLoc):
            self.print_string_literal(location.desc.data)
            if not isinstance(location.location, NoneAttr | UnknownLoc):
                self.print_string("(")
                self._nested_location(location.location)
                self.print_string(")")
        elif isinstance(location, CallSiteLoc):
            self.print_string("callsite(")
            self._nested_location(location.callee)
            self.print_string(" at ")
            self._nested_location(location.caller)
            self.print_string(")")
        elif isinstance(location, FusedLoc):
            self.print_string("fused")
            if not isinstance(location.metadata, NoneAttr):
                self.print_string("<")
                self.print_attribute(location.metadata)
                self.print_string(">")
            self.print_string("[")
            self.print_list(location.locations.data, self._nested_location)  # pyright: ignore
            self.print_string("]")
        else:
            self.print_string("unknown")

    def print_successors(self, successors: Sequence[Block]) -> None:
        if successors:
            self.print_string("[")
            self.print_list(successors, self.print_block_name)
            self.print_string("]")

    def print_op_with_default_format(self, op: Operation) -> None:
        self._print_generic(op, op.attributes)

    def print_operation_type(self, op: Operation) -> None:
        self.print_function_type(op.operand_types, op.result_types)

    def _print_generic(self, op: Operation, attributes: Mapping[str, Attribute]) -> None:
        # Aliases count in the order regions, types, attributes, which is not the order of the text.
        regions = self._captured(self._print_generic_regions, op) if op.regions else ""
        types = self._captured(self.print_operation_type, op)
        self.print_operands(op.operands)
        self.print_successors(op.successors)
        if op.properties:
            self.print_string(" <")
            self.print_attr_dict(op.properties)
            self.print_string(">")
        if regions:
            self.stream.write(regions)
        self.print_op_attributes(attributes)
        self.print_string(" : " + types)

    def _print_generic_regions(self, op: Operation) -> None:
        self.print_string(" (")
        self.print_list(op.regions, self.print_region)
        self.print_string(")")

    def _captured(self, function: Callable[[Operation], Any], op: Operation) -> str:
        stream, self.stream = self.stream, StringIO()
        function(op)
        text, self.stream = self.stream.getvalue(), stream
        return text

    # ---- regions ----------------------------------------------------------------------------------------------------

    def print_region(
        self,
        region: Region,
        print_entry_block_args: bool = True,
        print_empty_block: bool = True,
        print_block_terminators: bool = True,
    ) -> None:
        parent = region.parent
        default = ""
        if parent is not None:
            default = getattr(type(parent), "default_dialect", None) or _DEFAULT_DIALECT.get(parent.name, "")
        self._default_dialects.append(default)
        for index, block in enumerate(region.blocks):
            self._blocks.setdefault(block, f"bb{index}")
        self.print_string("{")
        first = region.blocks.first
        if first is not None:
            has_successor_use = bool(first.uses.get_length()) if hasattr(first, "uses") else False
            show = (bool(first.args) and print_entry_block_args) or (
                first.first_op is None
                and print_empty_block
                and parent is not None
                and (self.print_generic_format or not _prints_empty(parent))
            )
            self._print_block(first, show or has_successor_use, print_block_terminators)
            block = first.next_block
            while block is not None:
                self._print_block(block, True, print_block_terminators)
                block = block.next_block
        self._print_new_line()
        self.print_string("}")
        self._default_dialects.pop()
        self._predecessors.pop(region, None)

    def print_block(self, block: Block, print_block_args: bool = True, print_block_terminator: bool = True) -> None:
        self._blocks.setdefault(block, "bb0")
        self._print_block(block, print_block_args, print_block_terminator)

    def _print_block(self, block: Block, header: bool, terminators: bool) -> None:
        if header:
            self._print_new_line()
            self.print_string("^" + self._blocks[block])
            if block.args:
                self.print_string("(")
                self.print_list(block.args, self.print_block_argument)
                self.print_string(")")
            self.print_string(":")
            self._print_predecessors(block)
        self._indent += 1
        for op in block.ops:
            if not terminators and op.next_op is None and op.has_trait(IsTerminator, value_if_unregistered=False):
                continue
            self._print_new_line()
            self.print_op(op)
        self._indent -= 1

    def _print_predecessors(self, block: Block) -> None:
        region = block.parent
        if region is None or region.blocks.first is block:
            return
        table = self._predecessors.get(region)
        if table is None:
            table = self._predecessors[region] = defaultdict(list)
            for other in region.blocks:
                if other.last_op is not None:
                    for successor in other.last_op.successors:
                        table[successor].append("^" + self._blocks[other])
        found = table[block]
        if not found:
            self.print_string("  // no predecessors")
        elif len(found) == 1:
            self.print_string(f"  // pred: {found[0]}")
        else:
            self.print_string(f"  // {len(found)} preds: {', '.join(found)}")

    def print_block_argument(self, arg: BlockArgument, print_type: bool = True) -> None:
        self.print_ssa_value(arg)
        if print_type:
            self.print_string(": ")
            self.print_attribute(arg.type)
        if self.print_debuginfo:
            self.print_string(" ")
            self.print_argument_location(arg)

    def print_argument_location(self, arg: BlockArgument) -> None:
        """The location of a block argument, which MLIR prints in full although it counts for the aliases."""
        location = arg.location
        if isinstance(location, SourceLoc):
            location = location.attribute()
        if self.hoist:
            self.alias(location, "loc")
        self.print_location(location)


def _one_element(attribute: Any, data: bytes) -> DenseIntOrFPElementsAttr:
    """A literal of one element with these bytes and the attribute's element type."""
    return DenseIntOrFPElementsAttr(TensorType(attribute.type.element_type, [1]), BytesAttr(data))


def _prints_empty(op: Operation) -> bool:
    return op.name in ("builtin.module",)


def op_text(op: Operation, *, generic: bool = False, debuginfo: bool = False, keep_names: bool = False) -> str:
    """The text of an operation with its aliases and resources, ending in a newline."""
    body = StringIO()
    printer = Printer(body, generic=generic, debuginfo=debuginfo, hoist=True, keep_names=keep_names)
    with frames(PRINT_FRAMES):
        printer.print_op(op)
    return printer.table.finish(body.getvalue() + "\n") + metadata_text(printer.blobs)


def attribute_text(attribute: Attribute) -> str:
    """An attribute or type as text, without aliases."""
    out = StringIO()
    Printer(out).print_attribute(attribute)
    return out.getvalue()


PrintFunction = Callable[[Any, Printer], None]
Values = Sequence[SSAValue]
