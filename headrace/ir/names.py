"""Value names as MLIR's printer chooses them: `%0`, `%0#1`, `%arg0`, `%c4`, `%cst_0`, `%in`.

Regions are numbered breadth first: all values of a region get their names before those of the regions inside it, and
sibling regions start from the same numbers. A name that is taken in an enclosing region gets the suffix `_N`, N
counting the conflicts so far.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Block, Operation, Region, SSAValue

#: Result names of operations with one result, as their MLIR classes suggest.
_RESULT_NAMES = {
    "func.constant": "f",
    "linalg.broadcast": "broadcasted",
    "linalg.map": "mapped",
    "linalg.pack": "pack",
    "linalg.reduce": "reduced",
    "linalg.transpose": "transposed",
    "linalg.unpack": "unpack",
    "memref.alloc": "alloc",
    "memref.alloca": "alloca",
    "memref.assume_alignment": "assume_align",
    "memref.cast": "cast",
    "memref.memory_space_cast": "memspacecast",
    "memref.reinterpret_cast": "reinterpret_cast",
    "memref.reshape": "reshape",
    "memref.subview": "subview",
    "memref.transpose": "transpose",
    "memref.view": "view",
    "memref.dim": "dim",
    "memref.collapse_shape": "collapse_shape",
    "memref.expand_shape": "expand_shape",
    "memref.extract_aligned_pointer_as_index": "intptr",
    "tensor.cast": "cast",
    "tensor.collapse_shape": "collapsed",
    "tensor.concat": "concat",
    "tensor.dim": "dim",
    "tensor.expand_shape": "expanded",
    "tensor.extract": "extracted",
    "tensor.extract_slice": "extracted_slice",
    "tensor.from_elements": "from_elements",
    "tensor.gather": "gather",
    "tensor.generate": "generated",
    "tensor.insert": "inserted",
    "tensor.insert_slice": "inserted_slice",
    "tensor.pack": "pack",
    "tensor.pad": "padded",
    "tensor.rank": "rank",
    "tensor.reshape": "reshape",
    "tensor.scatter": "scatter",
    "tensor.splat": "splat",
    "tensor.unpack": "unpack",
    "vector.vscale": "vscale",
}


#: Names of each result of operations with several.
_GROUP_NAMES = {
    "arith.addui_extended": ("sum", "overflow"),
    "arith.mulsi_extended": ("low", "high"),
    "arith.mului_extended": ("low", "high"),
}


def _groups(op: Operation) -> list[tuple[int, str]] | None:
    """(first result, name) of the named groups of results, None for one unnamed pack."""
    names = _GROUP_NAMES.get(op.name)
    if names is not None and len(names) == len(op.results):
        return list(enumerate(names))
    if op.name == "memref.extract_strided_metadata" and len(op.results) >= 2:
        rank = (len(op.results) - 2) // 2
        found = [(0, "base_buffer"), (1, "offset")]
        return found + ([(2, "sizes"), (2 + rank, "strides")] if rank else [])
    own: Callable[[], list[tuple[int, str]]] | None = getattr(op, "asm_result_names", None)
    return own() if own is not None else None


def _constant_name(op: Operation) -> str:
    value = op.properties.get("value")
    if isinstance(value, IntegerAttr):
        if isinstance(value.type, IntegerType) and value.type.width.data == 1:
            return "true" if value.value.data else "false"
        text = f"c{value.value.data}"
        return text if isinstance(value.type, IndexType) else f"{text}_{value.type}"
    return "cst"


def _result_name(op: Operation) -> str | None:
    if op.name == "arith.constant":
        return _constant_name(op)
    found = _RESULT_NAMES.get(op.name)
    if found is None:
        found = getattr(type(op), "result_name", None)
    return found


def _argument_names(region: Region) -> list[str] | None:
    """Suggested names of the entry block's arguments."""
    op = region.parent
    if op is None or not op.name.startswith("linalg.") or region.blocks.first is None:
        return None
    count = len(region.blocks.first.args)
    if op.name == "linalg.reduce":
        return ["in"] * (count // 2) + ["init"] * (count - count // 2)
    if op.name == "linalg.map":
        inputs = len(op.operands) - 1
        return ["in"] * min(inputs, count) + ["init"] * max(count - inputs, 0)
    outputs = len(getattr(op, "outputs", ())) or 1
    return ["in"] * (count - outputs) + ["out"] * outputs


class _Scope:
    __slots__ = ("names", "parent")

    def __init__(self, parent: _Scope | None):
        self.parent = parent
        self.names: set[str] = set()

    def __contains__(self, name: str) -> bool:
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.names:
                return True
            scope = scope.parent
        return False


class _Numbering:
    def __init__(self, generic: bool, keep_names: bool):
        self.generic = generic
        self.keep_names = keep_names
        self.names: dict[SSAValue, str] = {}
        self.value = self.argument = self.conflict = 0
        self.scope = _Scope(None)

    def unique(self, name: str) -> str:
        made = name
        while made in self.scope:
            made = f"{name}_{self.conflict}"
            self.conflict += 1
        self.scope.names.add(made)
        return made

    def number(self) -> str:
        made = str(self.value)
        self.value += 1
        return made

    def results(self, op: Operation) -> None:
        results = op.results
        if not results:
            return
        if not self.generic:
            if starts := _groups(op):
                self.grouped(op, starts)
                return
        name = None if self.generic else _result_name(op)
        if name is None and self.keep_names and not self.generic:
            name = results[0].name_hint
        made = self.unique(name) if name is not None else self.number()
        if len(results) == 1:
            self.names[results[0]] = made
        else:
            for index, result in enumerate(results):
                self.names[result] = f"{made}#{index}"

    def grouped(self, op: Operation, starts: list[tuple[int, str]]) -> None:
        """Results in named groups: (first result, name or "")."""
        bounds = [start for start, _ in starts] + [len(op.results)]
        for (start, name), end in zip(starts, bounds[1:], strict=True):
            made = self.unique(name) if name else self.number()
            for index in range(start, end):
                self.names[op.results[index]] = made if end - start == 1 else f"{made}#{index - start}"

    def block(self, block: Block, entry: bool, suggested: list[str] | None) -> None:
        for index, arg in enumerate(block.args):
            if suggested is not None and index < len(suggested):
                self.names[arg] = self.unique(suggested[index])
            elif self.keep_names and not self.generic and arg.name_hint:
                self.names[arg] = self.unique(arg.name_hint)
            elif entry:
                self.names[arg] = self.unique(f"arg{self.argument}")
                self.argument += 1
            else:
                self.names[arg] = self.number()
        for op in block.ops:
            self.results(op)


def number_values(top: Operation, generic: bool = False, keep_names: bool = False) -> dict[SSAValue, str]:
    """Names (without `%`) of every value defined by `top` and inside it. `keep_names` prefers the names of the text."""
    state = _Numbering(generic, keep_names)
    pending: list[tuple[Region, int, int, int, _Scope]] = [(region, 0, 0, 0, state.scope) for region in top.regions]
    state.results(top)
    while pending:
        if generic:  # The generic form numbers all regions on from each other.
            region, _, _, _, parent = pending.pop()
        else:
            region, state.value, state.argument, state.conflict, parent = pending.pop()
        state.scope = _Scope(parent)
        suggested = None if generic else _argument_names(region)
        for index, block in enumerate(region.blocks):
            state.block(block, index == 0, suggested if index == 0 else None)
        for block in region.blocks:
            for op in block.ops:
                for inner in op.regions:
                    pending.append((inner, state.value, state.argument, state.conflict, state.scope))
    return state.names
