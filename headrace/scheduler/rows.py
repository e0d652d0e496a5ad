"""Which arguments of a kernel are walked row by row: whether a tiled launch over larger tensors means the same.

A kernel is *row-wise* if every element it stores in row r of an argument depends on rows r of the arguments it walks,
and on whole other arguments. Then a launch per block of rows computes what the kernel would compute on all rows. The
analysis knows the operations that keep rows apart; whatever it does not know makes the answer no.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, ModuleOp, TensorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from headrace.ir.diagnostics import HeadraceError
from headrace.scheduler.access import Access, describe
from headrace.scheduler.linear import linear

SHARED = {"tensor.empty", "arith.constant", "linalg.fill", "tensor.splat"}
"""Operations whose results hold the same for every block of rows, if their operands do."""
IGNORED = {"ktdp.construct_access_tile", "ktdp.construct_memory_view", "ktdp.get_compute_tile_id", "func.return",
           "util.return", "scf.yield", "ktdp.runtime_arg_extract"}  # fmt: skip
PAIRWISE = ("arith.", "math.", "linalg.map", "spyreop.")
COUPLED = {"spyreop.exx2", "spyreop.layernormnorm", "spyreop.layernormscale"}


class _NotRowWise(Exception):
    pass


def row_arguments(module: ModuleOp, kernel: str, names: list[str]) -> list[str] | None:
    """Names of the arguments whose outermost dimension is the row, in order; None if the kernel is not row-wise."""
    function = next(
        (op for op in module.walk() if getattr(op, "sym_name", None) is not None and _name(op) == kernel), None
    )
    if function is None or not function.regions or not function.regions[0].blocks:
        return None
    walk = _Walk()
    try:
        walk.block(function.regions[0].blocks[0])
        return walk.result(names)
    except (_NotRowWise, HeadraceError, KeyError, AssertionError):
        return None


def _name(op: Operation) -> str:
    return str(getattr(op.sym_name, "data", ""))  # type: ignore[attr-defined]


class _Walk:
    """``rows`` holds the tensors whose dimension 0 is the row."""

    def __init__(self) -> None:
        self.rows: set[SSAValue] = set()
        self.accesses: list[Access] = []
        self.key: Any = None

    def block(self, block: Block) -> None:
        stores = [describe(op) for op in block.walk() if op.name == "ktdp.store"]
        self.key = _row_key(stores[0]) if stores else None
        if self.key is None:
            raise _NotRowWise
        self.operations(block)

    def operations(self, block: Block) -> None:
        for op in block.ops:
            self.operation(op)

    def operation(self, op: Operation) -> None:
        if op.name in IGNORED:
            return
        if op.name in ("ktdp.load", "ktdp.store"):
            self.access(op)
        elif op.name == "scf.for" and not op.results:
            self.loop(op)
        elif op.name in ("linalg.reduce", "linalg.broadcast"):
            self.keep(op, 0 not in _integers(op, "dimensions"))
        elif op.name == "linalg.matmul":
            if any(v in self.rows for v in op.operands[1:2]):
                raise _NotRowWise
            self.keep(op, True)
        elif op.name == "linalg.generic":
            self.generic(op)
        elif op.name in SHARED:
            self.keep(op, not any(v in self.rows for v in op.operands))
        elif op.name.startswith(PAIRWISE) and op.name not in COUPLED:
            self.pairwise(op)
        elif op.name.startswith("linalg.") and all(isinstance(v.type, TensorType) for v in op.operands):
            if op.name in ("linalg.transpose", "linalg.softmax", "linalg.dot", "linalg.index") or "mat" in op.name:
                raise _NotRowWise
            self.pairwise(op)
        else:
            raise _NotRowWise

    def loop(self, op: Operation) -> None:
        """Bounds are constants; those of a loop over rows may also depend on the tile id."""
        body = op.regions[0].blocks[0]
        assert self.key is not None
        over_rows = any(v is body.args[0] for v, _ in self.key[0][1])
        for bound in op.operands[:3]:
            owners = {v.owner.name if isinstance(v.owner, Operation) else "" for v in linear(bound).terms}
            if owners - ({"ktdp.get_compute_tile_id"} if over_rows else set()):
                raise _NotRowWise
        self.operations(body)

    def pairwise(self, op: Operation) -> None:
        """Element by element; an index that becomes data would tell blocks of rows apart."""
        scalar = not any(isinstance(v.type, TensorType) for v in (*op.operands, *op.results))
        if scalar and any(isinstance(v.type, IndexType) for v in op.operands) and op.results:
            if not isinstance(op.results[0].type, IndexType):
                raise _NotRowWise
            return
        shapes = {v.type.get_shape() for v in (*op.operands, *op.results) if isinstance(v.type, TensorType)}
        if len(shapes) > 1 or any(_holds_index(r) for r in op.regions):
            raise _NotRowWise
        self.keep(op, True)

    def generic(self, op: Operation) -> None:
        maps = [m.data for m in op.properties["indexing_maps"]]  # type: ignore[attr-defined]
        kinds = [getattr(k.data, "value", str(k.data)) for k in op.properties["iterator_types"]]  # type: ignore[attr-defined]
        if _holds_index(op.regions[0]):
            raise _NotRowWise
        bound = [m for v, m in zip(op.operands, maps, strict=True) if v in self.rows]
        if not bound:
            return
        outputs = maps[len(maps) - len(op.results) :]
        first = {m.results[0].position if _is_dim(m) else -1 for m in (*bound, *outputs)}
        if len(first) != 1 or -1 in first or kinds[next(iter(first))] != "parallel":
            raise _NotRowWise
        (row,) = first
        for m in (*bound, *outputs):
            if any(row in e.used_dims() for e in m.results[1:]):
                raise _NotRowWise
        self.rows.update(op.results)

    def keep(self, op: Operation, possible: bool) -> None:
        """The results are rows if an operand is; ``possible`` says whether the operation keeps them at dimension 0."""
        if any(v in self.rows for v in op.operands):
            if not possible:
                raise _NotRowWise
            self.rows.update(r for r in op.results)

    def access(self, op: Operation) -> None:
        access = describe(op)
        if access.table is not None or access.root is None or len(access.base.terms) != 1 or access.base.const:
            raise _NotRowWise
        self.accesses.append(access)
        by_rows = _row_key(access) == self.key
        if access.is_store:
            if not by_rows:
                raise _NotRowWise
        elif by_rows:
            self.rows.update(op.results)

    def result(self, names: list[str]) -> list[str] | None:
        rows: dict[int, Any] = {}
        others: set[int] = set()
        for a in self.accesses:
            assert a.root is not None
            index = a.root.index  # type: ignore[attr-defined]
            sizes = a.view.properties["static_sizes"].get_values()  # type: ignore[attr-defined]
            if _row_key(a) != self.key:
                others.add(index)
            elif sizes[0] == DYNAMIC_INDEX:
                return None
            else:
                rows[index] = sizes[0]
        read = any(not a.is_store and _row_key(a) == self.key for a in self.accesses)
        if not read or others & rows.keys() or len(set(rows.values())) != 1:
            return None
        return [names[k] for k in sorted(rows)]


def _row_key(a: Access) -> Any:
    """What tells the rows an access touches: first row, extent; None if its first dimension is no row."""
    if not a.dims or a.dims[0].view_dim != 0:
        return None
    start = a.coords[0] + a.dims[0].lo
    return start.key(), a.dims[0].extent.key()


def _is_dim(m: Any) -> bool:
    return bool(m.results) and isinstance(m.results[0], AffineDimExpr)


def _holds_index(region: Any) -> bool:
    return any(op.name == "linalg.index" for op in region.walk())


def _integers(op: Operation, name: str) -> tuple[int, ...]:
    value = op.properties.get(name) or op.attributes.get(name)
    return tuple(value.get_values())  # type: ignore[union-attr]
