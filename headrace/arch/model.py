"""The device model: what a device file says, by kind.

A kind is a string: the text of a string `kind` attribute as it is, of any other attribute as printed. Interchangeable
instances (groups of equal structure side by side) are one entry with a count. Everything is derived once from the
`ktdf_arch` IR, in definition order, so two loads of one text give equal models.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from xdsl.dialects import pdl
from xdsl.dialects.builtin import DenseArrayBase, DictionaryAttr, IntegerAttr, MemRefType, ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from headrace.arch import timing
from headrace.arch.figures import DEFAULT_QUEUE_DEPTH, DatapathTiming, Interconnect, MemoryTiming, UnitTiming
from headrace.arch.record import DeviceRecord, make_record
from headrace.arch.routes import RoutingGraph
from headrace.arch.timing import MatrixSpec
from headrace.ir.diagnostics import error
from headrace.ir.dialects.ktdf_arch import (
    DatapathOp,
    DeviceOp,
    ExecUnitOp,
    GroupOp,
    MemoryOp,
    PatternsOp,
    SwitchOp,
    endpoint,
    kind_text,
)
from headrace.ir.dialects.ktdf_arch_features import FEATURES, MapAttr, accesses_of
from headrace.ir.printer import op_text
from headrace.ir.types import dtype_of

_SPACE_TWINS = {
    "#ktdp.memory_space<global>": 0,
    "#ktdp.spyre_memory_space<HBM>": 0,
    "#ktdp.memory_space<ct_local>": 1,
    "#ktdp.spyre_memory_space<LX>": 1,
}
"""Memory level that each spelling of a language-level memory space means, for devices that map none of them."""


@dataclass(eq=False)
class Memory:
    """A memory kind. Sizes are in bytes and per instance."""

    kind: str
    space: Attribute
    """The `kind` attribute itself: the memory space of memrefs in this memory."""
    size: int | None
    reserved: int
    level: int
    """0 for global memory, 1 for a per-core scratchpad, more below."""
    parent: str | None
    timing: MemoryTiming
    compiler_region: tuple[int, int] | None
    instances: int
    """Instances per core (1 for global memory)."""
    op: MemoryOp | ExecUnitOp = field(repr=False)
    aliases: list[Attribute] = field(default_factory=list)

    @property
    def allocatable(self) -> int | None:
        """Bytes that programs may use, from address 0 on; None if the file gives no size."""
        return None if self.size is None else max(self.size - self.reserved, 0)


@dataclass(eq=False)
class Unit:
    """An execution unit kind."""

    kind: str
    features: dict[str, Attribute]
    timing: UnitTiming
    matrix: MatrixSpec | None
    instances: int
    """Instances per core."""
    local_memories: frozenset[str]
    """Memory kinds that sit beside the unit in every group that holds it."""
    double_buffer_last: bool
    op: ExecUnitOp = field(repr=False)

    def _has(self, name: str) -> bool:
        return f"ktdf_arch.feature.{name}" in self.features

    def _fields(self, name: str) -> Mapping[str, Attribute]:
        feature = self.features.get(f"ktdf_arch.feature.{name}")
        return feature.data if isinstance(feature, DictionaryAttr) else {}

    @property
    def is_compute(self) -> bool:
        """Runs linalg bodies."""
        return self._has("compute")

    @property
    def is_load(self) -> bool:
        """Reads memories."""
        return self._has("load")

    @property
    def is_store(self) -> bool:
        """Writes memories."""
        return self._has("store")

    @property
    def is_transfer(self) -> bool:
        """Loads or stores (and is no compute unit)."""
        return (self.is_load or self.is_store) and not self.is_compute

    @property
    def splat(self) -> bool:
        """Can broadcast one element over a vector."""
        return "splat" in self._fields("simd")

    @property
    def zero_pad(self) -> bool:
        """Can fill missing lanes with zeros."""
        return "zero_pad" in self._fields("simd")

    def lanes(self, element_type: Attribute) -> int:
        """SIMD lanes for an element type; 0 if the file lists none."""
        table = self._fields("simd").get("lanes")
        value = table.get(element_type) if isinstance(table, MapAttr) else None
        return value.value.data if isinstance(value, IntegerAttr) else 0

    @cached_property
    def lane_counts(self) -> tuple[tuple[Attribute, int], ...]:
        """(element type, SIMD lanes) as the file lists them."""
        table = self._fields("simd").get("lanes")
        entries = table.items() if isinstance(table, MapAttr) else ()
        return tuple((kind, count.value.data) for kind, count in entries if isinstance(count, IntegerAttr))

    @cached_property
    def lane_table(self) -> dict[str, int]:
        """SIMD lanes by element type as the file lists them."""
        return {str(kind): count for kind, count in self.lane_counts}

    @cached_property
    def most_lanes(self) -> int:
        """The largest lane count that the file lists, 0 without any."""
        return max((count for _, count in self.lane_counts), default=0)

    @cached_property
    def vector_bytes(self) -> int:
        """Bytes of the longest vector that the file lists, 0 without any."""
        return max((count * dtype_of(kind).bytes for kind, count in self.lane_counts), default=0)

    def transfer_features(self) -> list[Attribute]:
        """The load feature, then the store feature, where present."""
        names = ("ktdf_arch.feature.load", "ktdf_arch.feature.store")
        return [self.features[name] for name in names if name in self.features]


@dataclass(eq=False)
class Datapath:
    """A directed link between two kinds."""

    source: str
    target: str
    timing: DatapathTiming
    granularity: tuple[int, ...]
    """Legal sizes of one transfer in bytes; empty if the file gives none."""
    queue_depth: int | None
    """Transfers in flight; None if the link has no queue feature."""
    queue_size: int | None
    """Bytes in flight, None if unlimited."""
    ordered: bool
    op: DatapathOp = field(repr=False)

    @property
    def name(self) -> str:
        """`SOURCE->TARGET`."""
        return f"{self.source}->{self.target}"


@dataclass(frozen=True)
class Row:
    """One line of a device table."""

    section: str
    name: str
    details: dict[str, str]


def _integer(attribute: Attribute | None) -> int | None:
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None


def _signature(op: Operation) -> tuple[object, ...]:
    """Structure of a resource without names: groups of equal signature and captures are interchangeable."""
    attributes = {key: value for key, value in (op.properties | op.attributes).items() if key != "id"}
    inner = tuple(_signature(child) for region in op.regions for block in region.blocks for child in block.ops)
    return (op.name, attributes, len(op.operands), len(op.results), inner)


class Device:
    """A device as the compiler and the simulator see it. Build it with `headrace.arch.load_device`.

    `module` holds the definition (with the attributes of the declaration merged in), `op` is the device itself.
    """

    def __init__(self, op: DeviceOp, path: str | None = None):
        """`op` is a definition, not an import; `path` is where it came from. Raises HeadraceError if it is unusable."""
        if op.is_import:
            raise error(op, f"device '{op.sym_name.data}' is only declared here")
        self.op = op
        self.path = path
        self.name: str = op.sym_name.data
        parent = op.parent_op()
        self.module: ModuleOp = parent if isinstance(parent, ModuleOp) else ModuleOp([op])
        self.clock_mhz = timing.clock_mhz(op)
        self.interconnect: Interconnect | None = timing.interconnect(op)
        self._names = self._name_nodes()
        self._chains = {id(resource): _groups_of(resource) for resource in op.resources()}
        self.memories: dict[str, Memory] = {}
        self.units: dict[str, Unit] = {}
        self.datapaths: list[Datapath] = []
        self._corelets: dict[tuple[str, ...], int] = {}
        self._kinds: dict[Attribute, str | None] = {}
        self.routing = RoutingGraph()
        self._read_memories()
        self._read_aliases()
        self._read_units()
        self._read_datapaths()
        self.cores = self._read_cores()
        for kind in () if self.interconnect is None else self.interconnect.units:
            if kind not in self.units:
                raise error(op, f"'headrace.interconnect' names the unit '{kind}', which does not exist")
        self._kinds.clear()

    def __repr__(self) -> str:
        return f"Device({self.name!r})"

    # -------------------------------------------------------------------------------------------- reading the IR

    def _name_nodes(self) -> dict[SSAValue, str]:
        """Kind of every node result; nodes without a kind are named after their id or mnemonic."""
        names: dict[SSAValue, str] = {}
        for number, resource in enumerate(self.op.resources()):
            if isinstance(resource, MemoryOp | ExecUnitOp | SwitchOp):
                text = resource.kind_text() or resource.resource_id
                mnemonic = resource.name.removeprefix("ktdf_arch.")
                for port, result in enumerate(resource.results):
                    suffix = f".{port}" if isinstance(resource, SwitchOp) else ""
                    names[result] = (text or f"{mnemonic}#{number}") + suffix
        return names

    def node_kind(self, value: SSAValue) -> str:
        """Kind of the node that a value of the device IR denotes, through captures and yields."""
        return self._names[endpoint(value)]

    def _per_core(self, resource: Operation) -> int:
        """Instances of a resource in one core: the product of interchangeable siblings of its inner groups."""
        count = 1
        for group in self._chains[id(resource)][:-1]:
            count *= len(interchangeable(group))
        return count

    def _parent_memory(self, op: MemoryOp) -> str | None:
        for group in self._chains[id(op)]:
            if group.shared:
                return self.node_kind(group.shared[0])
        return None

    def _read_memories(self) -> None:
        parents: dict[str, str | None] = {}
        for op in self.op.resources():
            if isinstance(op, MemoryOp):
                kind = self._names[op.result]
                if kind not in parents:
                    parents[kind] = self._parent_memory(op)
        for op in self.op.resources():
            if not isinstance(op, MemoryOp) or self._names[op.result] in self.memories:
                continue
            kind = self._names[op.result]
            level, ancestor = 0, parents[kind]
            while ancestor is not None and ancestor != kind:
                level, ancestor = level + 1, parents[ancestor]
            size = _integer(op.size)
            reserved = timing.integer_attribute(op, "headrace.reserved", 0) or 0
            if size is not None and reserved > size:
                raise error(op, f"'headrace.reserved' ({reserved} bytes) exceeds memory '{kind}' ({size} bytes)")
            region = timing.compiler_region(op)
            if region is not None and size is not None and region[1] > size:
                raise error(op, f"'headrace.compiler_region' ends at {region[1]}, memory '{kind}' at {size}")
            self.memories[kind] = Memory(
                kind=kind,
                space=op.kind,
                size=size,
                reserved=reserved,
                level=level,
                parent=parents[kind],
                timing=timing.memory_timing(op),
                compiler_region=region,
                instances=self._per_core(op),
                op=op,
            )
        if not self.memories:
            raise error(self.op, f"device '{self.name}' has no memory")

    def _read_aliases(self) -> None:
        mapping = self.op.attributes.get("mem_space_mapping")
        if mapping is None:
            return
        if not isinstance(mapping, MapAttr):
            raise error(self.op, "'mem_space_mapping' requires '#ktdf_arch.map'")
        for space, target in mapping.items():
            kind = kind_text(target)
            if kind not in self.memories:
                known = ", ".join(self.memories)
                raise error(self.op, f"'mem_space_mapping' names the unknown memory '{kind}'; known: {known}")
            self.memories[kind].aliases.append(space)

    def _read_units(self) -> None:
        beside: dict[str, frozenset[str]] = {}
        exemplars: dict[str, ExecUnitOp] = {}
        for op in self.op.resources():
            if not isinstance(op, ExecUnitOp):
                continue
            kind = self._names[op.result]
            block = op.parent_block()
            siblings = block.ops if block is not None else ()
            local = frozenset(self._names[other.result] for other in siblings if isinstance(other, MemoryOp))
            beside[kind] = beside[kind] & local if kind in beside else local
            exemplars.setdefault(kind, op)
        for kind, op in exemplars.items():
            listed = op.attributes.get(FEATURES)
            features = dict(listed.data) if isinstance(listed, DictionaryAttr) else {}
            self.units[kind] = Unit(
                kind=kind,
                features=features,
                timing=timing.unit_timing(op),
                matrix=timing.matrix_spec(op, features),
                instances=self._per_core(op),
                local_memories=beside[kind],
                double_buffer_last="dataflow_scheduler.double_buffer_last" in op.attributes,
                op=op,
            )
        compute = [kind for kind, unit in self.units.items() if unit.is_compute]
        if len(compute) > 1:
            raise error(
                self.units[compute[1]].op, f"found second compute resource '{compute[1]}' beside '{compute[0]}'"
            )
        self._compute_kind = compute[0] if compute else None
        if compute and not self.units[compute[0]].local_memories:
            self._add_registers(self.units[compute[0]])

    def _add_registers(self, unit: Unit) -> None:
        """A memory for the vector registers of a compute unit that has no memory beside it: of no size, on no path."""
        kind = f"{unit.kind}_REGISTERS"
        if kind in self.memories:
            return
        inner = max(self.memories.values(), key=lambda m: m.level)
        self.memories[kind] = Memory(
            kind=kind,
            space=StringAttr(kind),
            size=None,
            reserved=0,
            level=inner.level + 1,
            parent=inner.kind,
            timing=MemoryTiming(),
            compiler_region=None,
            instances=unit.instances,
            op=unit.op,
        )
        unit.local_memories = frozenset({kind})

    def _read_datapaths(self) -> None:
        for kind in self.memories:
            self.routing.add_node(kind)
        for kind in self.units:
            self.routing.add_node(kind)
        seen: set[tuple[str, str]] = set()
        for op in self.op.resources():
            if not isinstance(op, DatapathOp):
                continue
            source, target = self.node_kind(op.source), self.node_kind(op.target)
            self.routing.add_edge(source, target)
            if (source, target) in seen:
                continue
            seen.add((source, target))
            listed = op.attributes.get(FEATURES)
            queue = listed.data.get("ktdf_arch.feature.queue") if isinstance(listed, DictionaryAttr) else None
            fields = queue.data if isinstance(queue, DictionaryAttr) else {}
            depth = _integer(fields.get("depth"))
            granularity = op.attributes.get("ktdf_arch.transfer_granularity")
            sizes = granularity.get_values() if isinstance(granularity, DenseArrayBase) else ()
            self.datapaths.append(
                Datapath(
                    source=source,
                    target=target,
                    timing=timing.datapath_timing(op, self._default_bandwidth(op, source, target)),
                    granularity=tuple(int(size) for size in sizes),
                    queue_depth=None if queue is None else depth or DEFAULT_QUEUE_DEPTH,
                    queue_size=_integer(fields.get("size")),
                    ordered="ordered" in fields,
                    op=op,
                )
            )

    def _default_bandwidth(self, op: DatapathOp, source: str, target: str) -> int | None:
        """`ktdf_arch.bandwidth` if given, else one word per cycle at a memory whose word size is given."""
        bandwidth = _integer(op.attributes.get("ktdf_arch.bandwidth"))
        if bandwidth is not None:
            return bandwidth
        for unit, memory in ((source, target), (target, source)):
            if unit in self.units and memory in self.memories:
                return self._listed_word_size(unit, memory)
        return None

    def _read_cores(self) -> int | None:
        """`headrace.instances` of a top-level group (or of the device)."""
        for op in (self.op, *(op for op in self.op.walk() if isinstance(op, GroupOp))):
            parent = op.parent_op()
            if op is self.op or parent is self.op:
                count = timing.integer_attribute(op, "headrace.instances", None, 1)
                if count is not None:
                    return count
        return None

    # -------------------------------------------------------------------------------------------- memories

    def memory(self, kind: str | Attribute) -> Memory:
        """The memory of a kind, or of a memory space that maps to one. HeadraceError if there is none."""
        name = kind if isinstance(kind, str) and kind in self.memories else None
        name = name or (self.space_to_kind(kind) if isinstance(kind, Attribute) else None)
        if name is None:
            raise error(self.op, f"device '{self.name}' has no memory '{kind}'; known: {', '.join(self.memories)}")
        return self.memories[name]

    def space_to_kind(self, space: Attribute | None) -> str:
        """The memory kind that a memref's memory space denotes. HeadraceError if the device maps it to none.

        Tried in order: `mem_space_mapping`, the kinds themselves, the level that the language gives the space.
        """
        kind = None if space is None else self.find_kind(space)
        if kind is None:
            listed = [str(alias) for memory in self.memories.values() for alias in memory.aliases]
            raise error(
                self.op,
                f"device '{self.name}' maps no memory to the memory space {space}; "
                f"its memories are {', '.join(self.memories)}, the mapped spaces {', '.join(listed) or 'none'}",
            )
        return kind

    def find_kind(self, space: Attribute) -> str | None:
        """As `space_to_kind`, but None if there is no such memory."""
        if space not in self._kinds:
            self._kinds[space] = self._find_kind(space)
        return self._kinds[space]

    def _find_kind(self, space: Attribute) -> str | None:
        for memory in self.memories.values():
            if space in memory.aliases:
                return memory.kind
        text = kind_text(space)
        if text in self.memories:
            return text
        level = _SPACE_TWINS.get(text.split(",", 1)[0] + ">" if "," in text else text)
        if level is not None:
            at_level = [memory.kind for memory in self.memories.values() if memory.level == level]
            if len(at_level) == 1:
                return at_level[0]
        return None

    def memory_level(self, kind: str | Attribute) -> int:
        """0 for global memory, 1 for a per-core scratchpad, more below it."""
        return self.memory(kind).level

    def memory_of(self, value: SSAValue | Attribute) -> Memory:
        """The memory that a memref value or memref type lives in."""
        kind = value.type if isinstance(value, SSAValue) else value
        if not isinstance(kind, MemRefType):
            raise error(self.op, f"{kind} is no memref type")
        return self.memories[self.space_to_kind(kind.memory_space)]

    @property
    def global_memory(self) -> Memory:
        """The first memory of level 0."""
        return next(memory for memory in self.memories.values() if memory.level == 0)

    @property
    def scratchpad(self) -> Memory:
        """The first per-core scratchpad. HeadraceError if the device has none."""
        for memory in self.memories.values():
            if memory.level == 1:
                return memory
        raise error(self.op, f"device '{self.name}' has no per-core scratchpad (a memory in a group that shares one)")

    def children(self, kind: str) -> list[Memory]:
        """Memories directly below one."""
        return [memory for memory in self.memories.values() if memory.parent == kind]

    @property
    def compiler_region(self) -> tuple[str, int, int] | None:
        """(memory kind, start, end) in bytes of the region for compiler buffers, None if the file names none."""
        for memory in self.memories.values():
            if memory.compiler_region is not None:
                return memory.kind, *memory.compiler_region
        return None

    # -------------------------------------------------------------------------------------------- units

    def unit(self, kind: str) -> Unit:
        """The execution unit of a kind. HeadraceError if there is none."""
        if kind not in self.units:
            raise error(self.op, f"device '{self.name}' has no execution unit '{kind}'; known: {', '.join(self.units)}")
        return self.units[kind]

    @property
    def compute_kind(self) -> str:
        """Kind of the only unit with the feature `compute`. HeadraceError if there is none."""
        if self._compute_kind is None:
            raise error(self.op, f"device '{self.name}' has no unit with the feature 'ktdf_arch.feature.compute'")
        return self._compute_kind

    def local_memory(self, unit_kind: str) -> Memory | None:
        """The only memory beside a unit in all its groups, None if there is none or more than one."""
        local = sorted(self.unit(unit_kind).local_memories)
        return self.memories[local[0]] if len(local) == 1 else None

    def lanes(self, element_type: Attribute, unit_kind: str | None = None) -> int:
        """SIMD lanes of the compute unit (or of `unit_kind`) for an element type; at least 1."""
        return max(self.unit(self.compute_kind if unit_kind is None else unit_kind).lanes(element_type), 1)

    def vector_lanes(self, element_type: Attribute) -> int:
        """Elements of one vector of the compute unit: the lanes that the file lists for the type, else as many as a
        vector of the longest listed type has bytes for, but no more than it has elements; at least 1."""
        unit = self.unit(self.compute_kind)
        listed = unit.lanes(element_type)
        return listed or max(1, min(unit.vector_bytes // dtype_of(element_type).bytes, unit.most_lanes))

    def timed_lanes(self, element_type: Attribute, unit_kind: str) -> int:
        """Lanes of a unit as time counts them: a type that the file does not list takes as many as the widest one."""
        listed = self.unit(unit_kind).lanes(element_type)
        if listed:
            return listed
        tables = (self.unit(unit_kind).lane_table, self.unit(self.compute_kind).lane_table)
        return next((max(t.values()) for t in tables if t), 1)

    def _listed_word_size(self, unit_kind: str, memory_kind: str) -> int | None:
        for feature in self.unit(unit_kind).transfer_features():
            table = feature.data.get("word_size") if isinstance(feature, DictionaryAttr) else None
            if isinstance(table, MapAttr):
                for space, size in table.items():
                    if self.find_kind(space) == memory_kind:
                        return _integer(size)
        return None

    def word_size(self, unit_kind: str, memory_kind: str | Attribute) -> int:
        """Bytes per word of a unit's accesses to a memory; 1 if the file gives none. Aliases of the memory count."""
        return self._listed_word_size(unit_kind, self.memory(memory_kind).kind) or 1

    def access_sizes(self, unit_kind: str, memory_kind: str | Attribute) -> list[tuple[int, int]]:
        """(size, alignment) in words of the accesses a unit can make to a memory; empty if the file lists none."""
        kind = self.memory(memory_kind).kind
        for feature in self.unit(unit_kind).transfer_features():
            table = feature.data.get("access_granularity") if isinstance(feature, DictionaryAttr) else None
            if isinstance(table, MapAttr):
                for space, _ in table.items():
                    if self.find_kind(space) == kind:
                        return accesses_of(feature, space)
        return []

    def corelets(self, unit_kinds: str | Iterable[str]) -> int:
        """Instances, within one core, of the smallest group that holds units of all the kinds.

        That is the number of interchangeable groups beside it; a group that only re-exports a unit is stepped over.
        """
        kinds = (unit_kinds,) if isinstance(unit_kinds, str) else tuple(unit_kinds)
        if kinds not in self._corelets:
            group = self.enclosing_group(kinds)
            self._corelets[kinds] = 1 if group is None else self._per_core(group) * _siblings_below_core(self, group)
        return self._corelets[kinds]

    def memory_instance(self, unit_kind: str, corelet: int, memory_kind: str | Attribute) -> int:
        """Which instance (within the core) of a memory the `corelet`-th unit of a kind sees: units of one group share
        its memories."""
        memory, unit = self.memory(memory_kind), self.unit(unit_kind)
        return corelet * memory.instances // max(1, unit.instances)

    def enclosing_group(self, unit_kinds: Iterable[str]) -> GroupOp | None:
        """The smallest group that holds (the first) units of all the kinds, None if only the device does."""
        chains: list[list[GroupOp]] = []
        for kind in unit_kinds:
            op = self.unit(kind).op
            groups = self._chains[id(op)]
            skip = 0
            while skip < len(groups) and any(endpoint(result) is op.result for result in groups[skip].results):
                skip += 1
            chains.append(groups[skip:])
        if not chains:
            return None
        return next((group for group in chains[0] if all(group in chain for chain in chains[1:])), None)

    # -------------------------------------------------------------------------------------------- links

    def datapath(self, source: str, target: str) -> Datapath | None:
        """The link between two kinds, None if they are not joined directly."""
        return next((path for path in self.datapaths if path.source == source and path.target == target), None)

    def incoming(self, kind: str) -> list[Datapath]:
        """Links that end at a kind."""
        return [path for path in self.datapaths if path.target == kind]

    def outgoing(self, kind: str) -> list[Datapath]:
        """Links that start at a kind."""
        return [path for path in self.datapaths if path.source == kind]

    def route(self, source: str, target: str) -> list[str]:
        """Kinds on a shortest route, both ends included; empty if there is none. HeadraceError for unknown kinds."""
        for kind in (source, target):
            if kind not in self.routing.successors:
                known = ", ".join(self.routing.successors)
                raise error(self.op, f"device '{self.name}' has no resource '{kind}'; known: {known}")
        return self.routing.shortest(source, target)

    def queue_depth(self, source: str, target: str) -> int:
        """Transfers in flight on the FIFO between two units; 2 if the file gives none."""
        path = self.datapath(source, target)
        joint = self.interconnect
        if path is None and joint is not None and source in joint.units and target in joint.units:
            return joint.depth
        return DEFAULT_QUEUE_DEPTH if path is None or path.queue_depth is None else path.queue_depth

    # -------------------------------------------------------------------------------------------- timing

    def memory_timing(self, kind: str | Attribute) -> MemoryTiming:
        """Timing of a memory."""
        return self.memory(kind).timing

    def datapath_timing(self, source: str, target: str) -> DatapathTiming:
        """Timing of a link; the defaults if there is none."""
        path = self.datapath(source, target)
        return DatapathTiming() if path is None else path.timing

    def entry_lanes(self, source: str, target: str, element_type: Attribute) -> int:
        """Elements that one entry of the FIFO between two units holds: a vector of the compute unit, or more where the
        link carries more in a cycle."""
        rate = self.datapath_timing(source, target).bytes_per_cycle or 0
        return max(self.vector_lanes(element_type), rate // dtype_of(element_type).bytes)

    def unit_timing(self, kind: str) -> UnitTiming:
        """Timing of an execution unit."""
        return self.unit(kind).timing

    # -------------------------------------------------------------------------------------------- patterns and text

    def patterns(self, checkpoint: str) -> list[pdl.PatternOp]:
        """Patterns that run at a checkpoint: those of its groups and of the ungrouped ones, in file order."""
        return self._patterns_of(lambda names: not names or checkpoint in names)

    def patterns_of_groups(self, groups: Iterable[str]) -> list[pdl.PatternOp]:
        """Patterns selected by a set of enabled groups."""
        enabled = set(groups)
        return self._patterns_of(lambda names: not names or bool(enabled & set(names)))

    def _patterns_of(self, selected: Callable[[list[str]], bool]) -> list[pdl.PatternOp]:
        found: list[pdl.PatternOp] = []
        for op in self.op.walk():
            if isinstance(op, PatternsOp) and selected(op.checkpoints):
                found += [pattern for pattern in op.body.block.ops if isinstance(pattern, pdl.PatternOp)]
        return found

    @cached_property
    def text(self) -> str:
        """Canonical printed text of the definition."""
        return op_text(self.op)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical text: equal for equal devices, whatever the file looks like."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @cached_property
    def record(self) -> DeviceRecord:
        """What the machine and the runtime need of it."""
        return make_record(self)

    def describe(self) -> list[Row]:
        """Rows of the device table: device, memories, units, datapaths."""
        from headrace.arch.describe import rows

        return rows(self)

    def to_dot(self) -> str:
        """The device graph in Graphviz' language."""
        from headrace.arch.describe import dot

        return dot(self)


def _groups_of(op: Operation) -> list[GroupOp]:
    """Groups around an op, innermost first."""
    groups: list[GroupOp] = []
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, GroupOp):
            groups.append(parent)
        parent = parent.parent_op()
    return groups


def _siblings_below_core(device: Device, group: GroupOp) -> int:
    """Interchangeable siblings of a group, 1 for the group of a core (how many cores there are is another number)."""
    return 1 if group.parent_op() is device.op else len(interchangeable(group))


def interchangeable(group: GroupOp) -> list[GroupOp]:
    """Groups of the same kind, structure and captures in the same block, in order, the group itself among them."""
    block = group.parent_block()
    if block is None:
        return [group]
    captured = [endpoint(value) for value in group.shared]
    signature = _signature(group)
    return [
        other
        for other in block.ops
        if isinstance(other, GroupOp)
        and (other is group or ([endpoint(v) for v in other.shared] == captured and _signature(other) == signature))
    ]


__all__ = ["Datapath", "Device", "Memory", "Row", "Unit", "interchangeable"]
