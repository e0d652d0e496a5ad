"""Several products in one kernel: what lies between them is kept in the scratchpad.

One program holds one product: a sum of products of two tensors from memory, and the elementwise work behind it. So

- a factor that is computed (a normalised row, a probability) is kept before the product reads it;
- what the elementwise work behind a product adds from elsewhere is kept if it needs a reduction, or if it is computed
  once a row and then repeated along the row;
- the result is kept where something else than a store waits for it: a softmax, another product.

    %s = matmul(%q, %k) ; %m = reduce max %s ; %p = exp(%s - %m) ; %y = matmul(%p, %v) ; store %y
    ->
    store matmul(%q, %k), S
    store exp(load S - max(load S)), P
    store matmul(load P, %v), Y
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, DenseArrayBase, TensorType, UnitAttr, i64
from xdsl.dialects.linalg.ops import GenericOp, TransposeOp
from xdsl.ir import BlockArgument, Operation, SSAValue, Use
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from headrace.ir.diagnostics import HeadraceError
from headrace.ir.dialects import ktdp
from headrace.ir.dialects.ktdp_types import AccessTileType
from headrace.scheduler.build import Emitter, ancestors, outer_operands, walk_ops
from headrace.scheduler.linear import Linear
from headrace.scheduler.split import tiles
from headrace.scheduler.split.carried import is_folding
from headrace.scheduler.split.tiles import Keep

VIEWS = (
    "tensor.expand_shape", "tensor.collapse_shape", "tensor.reshape", "tensor.cast", "tensor.extract_slice",
    "linalg.transpose",
)  # fmt: skip
"""Operations that only say where the elements of their first operand are."""
CHAINED = "headrace.chained"
"""Attribute of a kernel whose products hand tensors on through the scratchpad (`merge-programs`)."""
SOURCES = ("ktdp.load", "arith.constant", "tensor.empty", "tensor.splat", "linalg.fill")
ELEMENTWISE = ("arith.", "math.", "spyreop.")
FUNCTIONS = ("linalg.exp", "linalg.log", "linalg.rsqrt", "linalg.sqrt", "linalg.tanh", "linalg.erf", "linalg.powf")
NAMED = frozenset(
    f"linalg.{n}" for n in (
        "add", "sub", "mul", "div", "div_unsigned", "max", "min", "exp", "log", "abs", "ceil", "floor", "negf", "rsqrt",
        "sqrt", "square", "tanh", "erf", "reciprocal", "powf", "round", "select", "copy", "map",
    )
)  # fmt: skip


def separate_products(kernel: func.FuncOp, keep: Keep) -> None:
    """Keep in the scratchpad what lies between the products of `kernel` (contractions as generics). What does not fit
    is left for the vector unit to compute where it is used."""
    products = [op for op in walk_ops(kernel, "linalg.generic") if isinstance(op, GenericOp) and is_product(op)]
    keeper = _Keeper(keep)
    for op in products:
        for factor in list(op.inputs):
            keeper.gather(behind_views(factor, "arith.extf"))
    for op in products:
        result = gathered(op)
        if result is not None:
            keeper.behind(result)
    if products:
        for op in list(walk_ops(kernel, "linalg.reduce", "linalg.generic")):
            if reduces(op) and not is_product(op):
                keeper.shared(op)
    for op in products:
        for factor in list(op.inputs):
            source = behind_views(factor, "arith.extf")
            owner = source.owner
            if source in keeper.view_of or not isinstance(owner, Operation):
                continue
            if owner.name not in SOURCES or is_repeated(owner, op):
                keeper.keep(source)
    if keeper.kept:
        kernel.attributes[CHAINED] = UnitAttr()


def is_product(op: Operation) -> bool:
    """Whether an operation sums products of two tensors."""
    if not isinstance(op, GenericOp) or len(op.inputs) != 2 or len(op.results) != 1 or not is_folding(op):
        return False
    last = op.body.block.last_op
    total = last.operands[0].owner if last is not None else None
    if not isinstance(total, arith.AddfOp | arith.AddiOp):
        return False
    accumulator = op.body.block.args[2]
    terms = [v for v in total.operands if v is not accumulator]
    if len(terms) != 1 or not isinstance(terms[0].owner, arith.MulfOp | arith.MuliOp):
        return False
    factors = {_behind_casts(v) for v in terms[0].owner.operands}
    return factors == set(op.body.block.args[:2])


def _behind_casts(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, Operation) and value.owner.name in ("arith.extf", "arith.extsi", "arith.extui"):
        value = value.owner.operands[0]
    return value


def gathered(product: Operation) -> SSAValue | None:
    """The result of a product, behind the loops that gather it; None where a loop hands on something else."""
    value = product.results[0]
    loop = product.parent_op()
    while loop is not None and loop.name == "scf.for" and loop.results:
        end, _ = last_of_cone(value)
        uses = list(end.uses)
        if len(uses) != 1 or uses[0].operation.name != "scf.yield":
            return None
        value = loop.results[uses[0].index]
        loop = loop.parent_op()
    return value


def behind_views(value: SSAValue, *more: str) -> SSAValue:
    """The tensor whose elements a chain of reshapes, slices and transposes (and `more` operations) shows."""
    while isinstance(value.owner, Operation) and (value.owner.name in VIEWS or value.owner.name in more):
        value = value.owner.operands[0]
    return value


def reduces(op: Operation) -> bool:
    """Whether an operation folds a dimension of tensors."""
    return op.name in ("linalg.reduce", "scf.for") or (isinstance(op, GenericOp) and is_folding(op))


def is_elementwise(op: Operation) -> bool:
    """Whether each element of the result comes from the same element of every operand, and from nothing else."""
    if len(op.results) != 1 or not isinstance(op.results[0].type, TensorType):
        return False
    if op.name.startswith(ELEMENTWISE) and op.name != "arith.constant":
        return True
    if isinstance(op, GenericOp):
        return not is_folding(op) and not any(inner.name == "linalg.index" for inner in op.walk())
    return op.name in NAMED


def is_repeated(load: Operation, user: Operation) -> bool:
    """Whether a load stands in front of a loop of programs that `user` is in: its program would load again in every
    iteration."""
    if load.name != "ktdp.load":
        return False
    around = set(ancestors(load))
    loops = [op for op in ancestors(user) if op.name == "scf.for" and op not in around]
    return any(inner.name == "ktdp.store" for op in loops for inner in op.walk())


def needs_reduction(value: SSAValue) -> bool:
    """Whether a tensor is computed, since it was last in memory, with the help of a reduction."""
    seen: set[SSAValue] = set()
    stack = [value]
    while stack:
        v = stack.pop()
        op = v.owner
        if v in seen or not isinstance(op, Operation) or not isinstance(v.type, TensorType) or op.name == "ktdp.load":
            continue
        seen.add(v)
        if reduces(op):
            return True
        stack += outer_operands(op)
    return False


def is_costly(value: SSAValue) -> bool:
    """Whether an elementwise computation of a tensor takes a function or indices, not only arithmetic."""
    seen: set[SSAValue] = set()
    stack = [value]
    while stack:
        v = stack.pop()
        op = v.owner
        if v in seen or not isinstance(op, Operation) or not isinstance(v.type, TensorType):
            continue
        if isinstance(op, GenericOp) and not is_folding(op) and not is_elementwise(op):
            return True
        if not is_elementwise(op):
            continue
        seen.add(v)
        if any(inner.name.startswith(("math.", "spyreop.")) or inner.name in FUNCTIONS for inner in op.walk()):
            return True
        stack += op.operands
    return False


class _Keeper:
    """Keeps tensors in memory, each at most once."""

    def __init__(self, keep: Keep):
        self.room = keep
        self.kept: set[SSAValue] = set()
        self.loads: dict[SSAValue, list[SSAValue]] = {}
        """What is loaded from each view."""
        self.view_of: dict[SSAValue, SSAValue] = {}

    def keep(self, value: SSAValue, users: Sequence[Operation] = ()) -> bool:
        """Keep `value` from where it is computed to where it is used (by `users`, if there are any; the others take it
        from the program that computes it); whether that is possible."""
        op, t = value.owner, value.type
        if value in self.kept or isinstance(value, BlockArgument) or not isinstance(t, TensorType):
            return False
        assert isinstance(op, Operation)
        shape = list(t.get_shape())
        if DYNAMIC_INDEX in shape:
            return False
        emit = Emitter(InsertPoint.after(op), op)
        view = self.outlived(value)
        if view is None:
            try:
                view = self.room(shape, t.element_type, op, emit)
            except HeadraceError:
                return False
        self.kept.add(value)
        zero = [Linear()] * len(shape)
        store = tiles.store(emit, value, tiles.make_tile(emit, view, zero, shape))  # type: ignore[arg-type]
        loaded = tiles.load(emit, tiles.make_tile(emit, view, zero, shape), t.element_type)  # type: ignore[arg-type]
        value.replace_uses_with_if(
            loaded, lambda use: use.operation in users if users else use.operation is not store
        )
        self.loads.setdefault(view, []).append(loaded)
        self.view_of[loaded] = view
        return True

    def gather(self, value: SSAValue) -> None:
        """Keep a factor that an indirect access loads, row by row as it lies in memory, so that it is fetched ahead."""
        load = value.owner
        tile = load.operands[0].owner if isinstance(load, ktdp.LoadOp) else None
        if not isinstance(tile, ktdp.ConstructIndirectAccessTileOp) or value in self.kept:
            return
        if any(op.name == "scf.for" and op.results for op in ancestors(load)):  # type: ignore[arg-type]
            return
        order = tile.variables_space_order
        assert isinstance(order, AffineMapAttr) and isinstance(value.type, TensorType)
        permutation = [e.position for e in order.data.results]  # type: ignore[attr-defined]
        if permutation == sorted(permutation):
            self.keep(value)
            return
        emit = Emitter.before(load)  # type: ignore[arg-type]
        shape = [0] * len(permutation)
        for n, p in zip(value.type.get_shape(), permutation, strict=True):
            shape[p] = n
        plain = tile.clone()
        plain.attributes.update(tile.attributes)
        name = "variables_space_order"
        (plain.properties if name in plain.properties else plain.attributes)[name] = AffineMapAttr(
            AffineMap.identity(len(shape))
        )
        emit.insert(plain)
        rows = Rewriter.replace_value_with_new_type(plain.results[0], AccessTileType(shape))
        loaded = tiles.load(emit, rows, value.type.element_type)
        empty = emit.insert(tensor.EmptyOp([], value.type)).results[0]
        turned = emit.insert(TransposeOp(loaded, empty, DenseArrayBase.from_list(i64, permutation), value.type))
        value.replace_all_uses_with(turned.results[0])
        self.keep(loaded)

    def outlived(self, value: SSAValue) -> SSAValue | None:
        """The view of a kept tensor that `value` may overwrite: `value` is computed from it point by point, and nobody
        reads it any more."""
        cone: set[Operation] = set()
        stack = [value]
        found: dict[SSAValue, None] = {}
        while stack:
            v = stack.pop()
            if v in self.view_of and v.type == value.type:
                found.setdefault(self.view_of[v])
            elif isinstance(v.owner, Operation) and v.owner not in cone and is_pointwise(v.owner):
                cone.add(v.owner)
                stack += [x for x in v.owner.operands if isinstance(x.type, TensorType)]
        last = value.owner
        assert isinstance(last, Operation)
        for view in found:
            readers = {u.operation for load in self.loads[view] for u in load.uses} - cone
            stores = [s for r in readers for s in ([r] if r.name == "ktdp.store" else _stores_of(r))]
            if all(s.parent is last.parent and s.is_before_in_block(last) for s in stores):
                return view
        return None

    def behind(self, product: SSAValue) -> None:
        """Keep what the elementwise work behind a product needs, and its result where that does not go to a store."""
        result, cone = last_of_cone(product)
        inside = {v for op in cone for v in op.results} | {product}
        for op in cone:
            for side in op.operands:
                if isinstance(side.type, TensorType) and side not in inside:
                    self.side(side)
        users = [u.operation for u in behind_all(result)]
        if len(users) != 1 or users[0].name != "ktdp.store":
            self.keep(result)

    def side(self, value: SSAValue) -> None:
        """Keep of an operand of elementwise work behind a product what has to be."""
        source = behind_views(value)
        op = source.owner
        if not isinstance(op, Operation) or op.name in SOURCES:
            return
        if op.name == "linalg.broadcast":
            inner = behind_views(op.operands[0])
            if isinstance(inner.owner, Operation) and inner.owner.name not in SOURCES:
                self.keep(inner)
        elif is_elementwise(op):
            for v in op.operands:
                if isinstance(v.type, TensorType):
                    self.side(v)
        elif needs_reduction(source):
            self.keep(source)

    def shared(self, reduction: Operation) -> None:
        """Keep what is made of a reduction at its own shape, where several stores of different programs need it, and
        what is folded, where it is costly and needed once more."""
        for value in reduction.operands:
            others = [u.operation for u in value.uses if u.operation is not reduction]
            if not others or not is_costly(value):
                continue
            if any(comes_from(op, reduction) for op in others):
                self.keep(value)
            elif any(is_elementwise(op) for op in others):
                for op in others:
                    following = value.owner.next_op  # type: ignore[union-attr]
                    if following is not None and op.parent is following.parent and is_elementwise(op):
                        bring_up(op, following)
                self.keep(value, [reduction])
        for value in reduction.results:
            result, _ = last_of_cone(value)
            if len(set(_stores(result))) > 1:
                self.keep(result)


def bring_up(op: Operation, before: Operation) -> None:
    """Move an operation in front of another one of its block, where its operands allow that."""
    block = op.parent
    assert block is not None
    if op is before or op.is_before_in_block(before):
        return
    for v in op.operands:
        owner = v.owner
        if isinstance(owner, Operation) and owner.parent is block and not owner.is_before_in_block(before):
            return
    op.detach()
    block.insert_op_before(op, before)


def comes_from(op: Operation, source: Operation) -> bool:
    """Whether an operation needs a result of `source` that has not been in memory since."""
    seen: set[Operation] = set()
    stack = [op]
    while stack:
        inner = stack.pop()
        if inner in seen:
            continue
        seen.add(inner)
        if inner is source:
            return True
        stack += [v.owner for v in outer_operands(inner) if isinstance(v.owner, Operation)]
    return False


def last_of_cone(start: SSAValue) -> tuple[SSAValue, list[Operation]]:
    """The last tensor that all elementwise work behind `start` comes together in, and the operations on the way."""
    owner = start.owner
    assert isinstance(owner, Operation)
    left: dict[SSAValue, int] = {start: len(list(start.uses))}
    best: tuple[SSAValue, list[Operation]] = (start, [])
    cone: list[Operation] = []
    op = owner.next_op
    while op is not None and left:
        touched = [v for v in outer_operands(op) if v in left]
        if touched:
            if not is_elementwise(op) or any(v not in op.operands for v in touched):
                break
            for v in touched:
                left[v] -= sum(1 for x in op.operands if x is v)
                if not left[v]:
                    del left[v]
            cone.append(op)
            left[op.results[0]] = len(list(op.results[0].uses))
            if len(left) == 1:
                best = op.results[0], list(cone)
        op = op.next_op
    return best


def behind_all(value: SSAValue) -> Iterator[Use]:
    """The uses of a tensor and of its reshapes."""
    for use in value.uses:
        if use.operation.name in VIEWS and use.operation.name != "tensor.extract_slice":
            yield from behind_all(use.operation.results[0])
        else:
            yield use


def is_pointwise(op: Operation) -> bool:
    """Whether an operation reads its operands only at the point that it writes."""
    if isinstance(op, GenericOp):
        maps = [m.data for m in op.indexing_maps.data if isinstance(m, AffineMapAttr)]
        return not is_folding(op) and all(m == AffineMap.identity(m.num_dims) for m in maps)
    return is_elementwise(op)


def _stores_of(op: Operation) -> Iterator[Operation]:
    """The stores that an operation's results reach."""
    while op.name in ("linalg.yield", "tensor.yield"):
        parent = op.parent_op()
        assert parent is not None
        op = parent
    for result in op.results:
        yield from _stores(result)


def _stores(value: SSAValue) -> Iterator[Operation]:
    """The stores that a tensor reaches without passing through memory."""
    seen: set[Operation] = set()
    stack = [value]
    while stack:
        for use in stack.pop().uses:
            op = use.operation
            parent = op.parent_op()
            if parent is not None and op.name in ("linalg.yield", "tensor.yield"):
                op = parent
            if op in seen:
                continue
            seen.add(op)
            if op.name == "ktdp.store":
                yield op
            stack += op.results
