"""Finding the load-compute-store groups of a kernel and how much control flow each program takes along."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from headrace.ir.diagnostics import error
from headrace.scheduler.access import Access, describe, is_argument
from headrace.scheduler.build import ancestors, outer_operands, walk_ops
from headrace.scheduler.linear import linear
from headrace.scheduler.split.bounds import known_inside, view_sizes
from headrace.scheduler.split.products import is_product
from headrace.scheduler.split.view_extents import is_open

PASS = "compute-group-extraction"
CONTROL = ("scf.for", "scf.if")
EXCHANGES = ("headrace.exchange", "headrace.ring_reduce")
"""Operations that become programs of their own, between those of the groups."""


@dataclass(eq=False)
class Group:
    """Stores of one block that become one program, with everything they need.

    `slice` holds the loads and compute ops (any enclosing block) in program order, `accesses` the description of each
    load and store.
    `sunk` is the control flow (outermost first) that moves into the program; `guards` are tile-dependent conditions
    that stay outside
    of the coordinator: (condition, taken branch).
    """

    block: Block
    stores: list[Operation] = field(default_factory=list)
    slice: dict[Operation, None] = field(default_factory=dict)
    accesses: dict[Operation, Access] = field(default_factory=dict)
    sunk: list[Operation] = field(default_factory=list)
    guards: list[tuple[SSAValue, bool]] = field(default_factory=list)

    @property
    def loads(self) -> list[Operation]:
        return loads_of(self.slice)


def loads_of(ops: Iterable[Operation]) -> list[Operation]:
    """The loads among `ops` and inside the loops among them that carry values."""
    return [inner for op in ops for inner in ((op,) if op.name == "ktdp.load" else walk_ops(op, "ktdp.load"))]


def is_tensor_compute(op: Operation) -> bool:
    return any(type(r.type).__name__ == "TensorType" for r in op.results) and op.name != "ktdp.load"


def backward_slice(store: Operation) -> dict[Operation, None]:
    """Loads and tensor computations that the stored value needs, operands before users."""
    order: dict[Operation, None] = {}
    visiting: list[tuple[SSAValue, Operation]] = [(store.operands[0], store)]
    state: dict[Operation, int] = {}
    while visiting:
        value, _ = visiting[-1]
        op = value.owner
        if isinstance(op, Block):
            parent = op.parent_op()
            if parent is not None and parent.name == "scf.for" and value is not op.args[0]:
                raise error(parent, f"scf.for with loop-carried values (iter_args) is not supported by {PASS}")
            visiting.pop()
            continue
        if op in order or not is_data(value):
            visiting.pop()
            continue
        if op.name in ("scf.if", "scf.while") or _contains_store(op):
            raise error(op, f"a tensor that leaves '{op.name}' as a result is not supported by {PASS}")
        if state.get(op) == 1 or op.name == "ktdp.load":
            order[op] = None
            visiting.pop()
            continue
        state[op] = 1
        for v in reversed(outer_operands(op)):
            visiting.append((v, op))
    return order


def is_data(value: SSAValue) -> bool:
    """Whether `value` is a tensor or a scalar computed from one (not an address, size or coordinate)."""
    seen: set[SSAValue] = set()
    stack = [value]
    while stack:
        v = stack.pop()
        if v in seen or not isinstance(v.owner, Operation):
            continue
        seen.add(v)
        if isinstance(v.type, TensorType):
            return True
        stack.extend(v.owner.operands)
    return False


def find_groups(kernel: func.FuncOp) -> list[Group]:
    """The groups of `kernel`; those of inner blocks come before those of the block around them."""
    groups: list[Group] = []
    _find_in_block(kernel.body.block, groups)
    return groups


def _find_in_block(block: Block, groups: list[Group]) -> None:
    for op in block.ops:
        if op.name in CONTROL:
            for region in op.regions:
                for inner in region.blocks:
                    _find_in_block(inner, groups)
    current: Group | None = None
    for op in block.ops:
        if op.name in CONTROL:
            current = None if _contains_store(op) else current
        elif op.name == "ktdp.store":
            needed = backward_slice(op)
            accesses = {o: describe(o) for o in loads_of(needed)} | {op: describe(op)}
            if current is None or not _may_join(current, op, needed, accesses):
                current = Group(block)
                groups.append(current)
            current.stores.append(op)
            current.slice.update(needed)
            current.accesses.update(accesses)
        elif op.name in EXCHANGES:
            current = None
        elif op.name in ("func.call", "scf.while", "scf.parallel", "scf.forall"):
            raise error(op, f"'{op.name}' is not supported by {PASS}")


_STORES = ("ktdp.store", *EXCHANGES)


def _contains_store(op: Operation) -> bool:
    return op.name in _STORES or (bool(op.regions) and next(walk_ops(op, *_STORES), None) is not None)


def _may_join(group: Group, store: Operation, needed: dict[Operation, None], accesses: dict[Operation, Access]) -> bool:
    """Whether `store` fits the open group: same shape, reads nothing that the group wrote before, and shares work with
    it or reads what the group overwrites later (which only works within one program). Sharing an operand of different
    products is not enough: a program for a matrix unit has one."""
    if store.operands[0].type.shape != group.stores[0].operands[0].type.shape:  # type: ignore[attr-defined]
        return False
    shares = any(op in group.slice for op in needed if op.name == "ktdp.load" or is_computation(op))
    own, others = products_in(needed), products_in(group.slice)
    apart = bool(own and others) and own.isdisjoint(others)
    if (apart or not shares) and not any(
        op.name == "ktdp.load" and not comes_after(op, written) and may_overlap(access, group.accesses[written])
        for op, access in accesses.items()
        for written in group.stores
    ):
        return False
    for op, access in accesses.items():
        for written in group.stores:
            other = group.accesses[written]
            if access.table is not None and may_overlap(access.table, other):
                return False
            if op.name == "ktdp.load":
                if may_overlap(access, other) and (comes_after(op, written) or not access.same_elements(other)):
                    return False
            elif may_overlap(access, other):
                return False
    return True


def products_in(ops: Iterable[Operation]) -> set[Operation]:
    """The sums of products among `ops` and inside the loops among them."""
    return {inner for op in ops for inner in op.walk() if is_product(inner)}


def is_computation(op: Operation) -> bool:
    """Whether `op` does work (constants, empty tensors and splats do none)."""
    return op.name not in ("arith.constant", "tensor.empty", "tensor.splat", "linalg.fill")


def comes_after(op: Operation, other: Operation) -> bool:
    """Whether `op` may run behind `other`: it stands behind it in one block or in a block around it, or it is in
    another loop or branch."""
    anchor: Operation | None = other
    while anchor is not None and anchor.parent is not op.parent:
        anchor = anchor.parent_op()
    if anchor is None:
        return True
    block = op.parent
    assert block is not None
    return block.get_operation_index(op) > block.get_operation_index(anchor)


def may_alias(a: Access, b: Access) -> bool:
    """Whether two accesses can touch the same bytes. Distinct arguments are taken to be distinct buffers."""
    if is_local(a) != is_local(b):
        return False
    if (a.root is None) != (b.root is None):
        return False
    if a.root is not None or b.root is not None:
        return a.root is b.root
    ra, rb = a.byte_range(), b.byte_range()
    return ra is None or rb is None or (ra[0] <= rb[1] and rb[0] <= ra[1])


def may_overlap(a: Access, b: Access) -> bool:
    """Whether two accesses of one iteration can touch the same bytes."""
    return may_alias(a, b) and not a.disjoint(b)


def is_local(a: Access) -> bool:
    """Whether the access goes to the executing tile's private memory."""
    return _is_local_space(a.space)


@lru_cache(maxsize=256)
def _is_local_space(space: Attribute) -> bool:
    text = str(space)
    return "ct_local" in text or "LX" in text


class Uniformity:
    """Which values are the same on every tile."""

    def __init__(self) -> None:
        self._memo: dict[SSAValue, bool] = {}

    def varies(self, value: SSAValue) -> bool:
        """Whether `value` depends on the tile id."""
        known = self._memo.get(value)
        if known is not None:
            return known
        self._memo[value] = False
        op = value.owner
        if isinstance(op, Block):
            parent = op.parent_op()
            result = isinstance(parent, scf.ForOp) and any(self.varies(v) for v in (parent.lb, parent.ub, parent.step))
        elif op.name == "ktdp.get_compute_tile_id":
            result = True
        else:
            result = any(self.varies(v) for v in outer_operands(op))
        self._memo[value] = result
        return result


def population_of(kernel: func.FuncOp, groups: Sequence[Group]) -> dict[Operation, int]:
    """How many programs each loop and condition of the kernel holds."""
    population: dict[Operation, int] = {}
    for group in groups:
        for op in ancestors_of(group):
            population[op] = population.get(op, 0) + 1
    for exchange in walk_ops(kernel, *EXCHANGES):
        for op in ancestors(exchange):
            population[op] = population.get(op, 0) + 1
    return population


def divided(group: Group, population: Mapping[Operation, int]) -> tuple[list[Operation], list[Operation]]:
    """The control flow around `group`, outermost first: what stays with the coordinator, and what its program takes."""
    chain = list(reversed(ancestors_of(group)))
    cut = len(chain)
    for i in range(len(chain) - 1, -1, -1):
        if population[chain[i]] != 1 or not sinkable(chain[i], group, chain[i + 1 :]):
            break
        cut = i
    return chain[:cut], chain[cut:]


def plan_control(kernel: func.FuncOp, groups: list[Group], uniform: Uniformity) -> None:
    """Decide per group which loops and conditions move into its program (`sunk`, `guards`)."""
    population = population_of(kernel, groups)
    for group in groups:
        stays, group.sunk = divided(group, population)
        chain = [*stays, *group.sunk]
        for i, op in enumerate(stays):
            if isinstance(op, scf.IfOp) and uniform.varies(op.cond):
                inner = chain[i + 1] if i + 1 < len(chain) else None
                block = inner.parent if inner is not None else group.block
                group.guards.append((op.cond, block is not op.true_region.blocks.first))
            elif isinstance(op, scf.ForOp) and any(uniform.varies(v) for v in (op.lb, op.ub, op.step)):
                trip = linear(op.ub) - linear(op.lb)
                if uniform.varies(op.step) or any(uniform.varies(v) for v in trip.terms):
                    raise error(
                        op,
                        f"the trip count of this loop differs between tiles and no program can take it along; {PASS} "
                        "cannot run it from the coordinator",
                    )


def ancestors_of(group: Group) -> list[Operation]:
    """Loops and conditions around the group, innermost first."""
    return [op for op in ancestors(group.stores[0]) if op.name in CONTROL]


def sinkable(op: Operation, group: Group, inner: list[Operation]) -> bool:
    """Whether the program can take `op` along: conditions always, loops if their iterations are independent boxes."""
    if isinstance(op, scf.IfOp):
        return not op.results
    assert isinstance(op, scf.ForOp)
    if op.iter_args:
        raise error(op, f"scf.for with loop-carried values (iter_args) is not supported by {PASS}")
    iv = op.body.block.args[0]
    for loop in inner:
        if isinstance(loop, scf.ForOp) and depends_on(loop.ub, iv):
            return False
        if isinstance(loop, scf.IfOp) and depends_on(loop.cond, iv):
            return False
    if not linear(op.step).is_const:
        return False
    accesses = list(group.accesses.values())
    if not all(_moves_linearly(a, iv) for a in accesses):
        return False
    if any(reads_scalar_from(v, iv) for o in group.slice for v in o.operands):
        return False
    if any(_room_changes(a, iv) for a in accesses):
        return False
    return all(
        independent(a, b, op, [o for o in inner if isinstance(o, scf.ForOp)])
        for a in accesses
        if a.is_store
        for b in accesses
        if may_alias(a, b)
    )


def _moves_linearly(a: Access, iv: SSAValue) -> bool:
    """Whether loop variable `iv` enters the access only as a linear term of its address or coordinates."""
    if a.table is not None and not _moves_linearly(a.table, iv):
        return False
    forms = [a.base, *a.coords, *(d.lo for d in a.dims)]
    if any(depends_on(v, iv) for f in forms for v in f.terms if v is not iv):
        return False
    if any(depends_on(v, iv) for d in a.dims for v in d.extent.terms):
        return False
    operands = [v for v in a.view.operands if v is not a.view.operands[0]]
    return not any(depends_on(v, iv) for v in operands)


def _room_changes(a: Access, iv: SSAValue) -> bool:
    """Whether the loop moves the access towards the end of a view whose extent is only known at launch: each iteration
    is then cut to the room that it has left, by a program that is given the loop variable."""
    sizes = view_sizes(a)
    return any(
        is_open(a.view, d.view_dim) and (sizes[d.view_dim] - a.coords[d.view_dim] - d.lo).coefficient(iv)
        for d in a.dims
        if d.view_dim >= 0 and not known_inside(a.op, d.view_dim)
    )


def reads_scalar_from(value: SSAValue, iv: SSAValue) -> bool:
    """Whether a computation uses the loop variable as data (not through an access tile)."""
    op = value.owner
    if value is iv:
        return True
    if isinstance(op, Block) or "access_tile" in op.name or op.name == "ktdp.load" or is_tensor_compute(op):
        return False
    return depends_on(value, iv)


def independent(store: Access, other: Access, loop: scf.ForOp, inner: list[scf.ForOp]) -> bool:
    """Whether iteration i's store and iteration j's access (i != j) cannot meet: same elements, and a move of at least
    all that one iteration, with the `inner` loops in it, covers."""
    if store is not other and not store.same_elements(other):
        return False
    for d in store.dims:
        if d.view_dim < 0 or not d.extent.is_const or d.extent.const <= 0:
            continue
        reach: int | None = d.extent.const
        for o in inner:
            step = store.coords[d.view_dim].coefficient(o.body.block.args[0]) * (linear(o.step).const or 1)
            trip = linear(o.ub) - linear(o.lb)
            if step and not (trip.is_const and linear(o.step).is_const):
                reach = None
                break
            if step and reach is not None:
                reach += abs(step) * max(0, -(-trip.const // linear(o.step).const) - 1)
        move = store.coords[d.view_dim].coefficient(loop.body.block.args[0]) * linear(loop.step).const
        if reach is not None and abs(move) >= reach:
            return True
    return False


def depends_on(value: SSAValue, target: SSAValue) -> bool:
    """Whether `value` is computed from `target`."""
    seen: set[SSAValue] = set()
    stack = [value]
    while stack:
        v = stack.pop()
        if v is target:
            return True
        if v in seen:
            continue
        seen.add(v)
        if isinstance(v, BlockArgument):
            parent = v.owner.parent_op()
            if isinstance(parent, scf.ForOp) and not is_argument(v):
                stack.extend((parent.lb, parent.ub, parent.step))
        else:
            stack.extend(outer_operands(v.owner))  # pyright: ignore[reportArgumentType]
    return False
