# ruff: noqa: E501
"""Random elementwise KTIR kernels as text, and the comparison of every level on them.

`write_kernel(choose)` writes one kernel; every decision is one call of `choose(options)`, so the same writer serves a
hypothesis strategy (`kernels`) and a plain random number generator (`random_choice`). Simple things come first in every
option list: that is where shrinking goes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
Choose = Callable[[Sequence[Any]], Any]

DF16 = "!spyreop.df16"
FLOATS = ("f16", "f32", "bf16", DF16)
INTS = ("i32", "i8", "i64")
WIDTH = {"f16": 2, "f32": 4, "bf16": 2, DF16: 2, "i32": 4, "i8": 1, "i64": 8}
LETTERS = "ijklmn"


def affine_dims(rank: int) -> str:
    return ", ".join(LETTERS[:rank])


def box(shape: Sequence[int | str]) -> str:
    """An affine set of a box; text entries are symbols."""
    names = LETTERS[: len(shape)]
    symbols = [n for n in shape if isinstance(n, str)]
    parts = []
    for d, n in zip(names, shape, strict=True):
        upper = f"-{d} + {n} - 1 >= 0" if isinstance(n, str) else f"-{d} + {n - 1} >= 0"
        parts += [f"{d} >= 0", upper]
    head = f"({', '.join(names)})" + (f"[{', '.join(symbols)}]" if symbols else "")
    return f"affine_set<{head} : ({', '.join(parts)})>"


def dims_text(shape: Sequence[int | str]) -> str:
    return "".join(f"{'?' if isinstance(n, str) else n}x" for n in shape)


@dataclass
class View:
    """A memory view: SSA name, extents, element type."""

    name: str
    sizes: list[int | str]
    element: str

    @property
    def type(self) -> str:
        return f"memref<{dims_text(self.sizes)}{self.element}>"


@dataclass
class Kernel:
    """A kernel's text and the values of its scalar arguments."""

    text: str
    scalars: dict[str, Any] = field(default_factory=dict)


@dataclass
class Writer:
    """Writes one kernel."""

    choose: Choose
    args: list[str] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    scalars: dict[str, Any] = field(default_factory=dict)
    counter: int = 0
    local_bytes: int = 0

    # -- small things -----------------------------------------------------------------------------------------------

    def fresh(self, stem: str = "v") -> str:
        self.counter += 1
        return f"%{stem}{self.counter}"

    def chance(self, one_in: int) -> bool:
        """True once in `one_in` times; False is the simple case."""
        return self.choose([False] * (one_in - 1) + [True])

    def emit(self, text: str) -> None:
        self.lines.append("    " + text)

    def let(self, text: str, stem: str = "v") -> str:
        name = self.fresh(stem)
        self.emit(f"{name} = {text}")
        return name

    def index(self, value: int) -> str:
        return self.let(f"arith.constant {value} : index", "c")

    # -- the kernel -------------------------------------------------------------------------------------------------

    def write(self) -> Kernel:
        c = self.choose
        rank = c([2, 1, 2, 3, 2, 4])
        inner = c([64, 32, 128, 1, 3, 17, 50, 65, 96, 100, 127, 130, 192, 200])
        room = max(1, 384 // inner)
        outer = []
        for _ in range(rank - 1):
            n = c([k for k in (2, 1, 3, 4, 5, 7, 8, 16, 33) if k <= room])
            outer.append(n)
            room = max(1, room // n)
        self.tile = [*outer, inner]
        if rank > 1 and self.chance(8):
            self.tile = [*self.tile[1:], self.tile[0]]
        self.grid = c([[1], [2], [2], [3], [2, 2], [1, 3]])
        self.emit("%me = ktdp.get_compute_tile_id : index")
        ids = ["%me"]
        if len(self.grid) > 1:
            ids = ["%p0", "%p1"]
            self.emit("%p0, %p1 = ktdp.get_compute_tile_id : index, index")
        self.whole = list(self.tile)
        self.at: list[list[tuple[str, int]]] = [[] for _ in range(rank)]
        """Per dimension, terms (SSA value, factor) of the tile's first coordinate."""
        for name, count in zip(ids, self.grid, strict=True):
            d = c(list(range(rank)))
            self.at[d].append((name, self.whole[d]))
            self.whole[d] *= count
        loops = c([0, 0, 0, 1, 1, 2])
        plan = []
        for _ in range(loops):
            d = c(list(range(rank)))
            count = c([2, 1, 3, 4])
            if prod(self.whole) * count > 2500:
                continue
            plan.append((d, count))
        opened = 0
        self.dynamic_rows = not plan and len(self.grid) == 1 and rank > 1 and self.chance(12)
        views_first = c([True, True, False])
        phases = c([1, 1, 1, 2, 3])
        loop_terms: list[tuple[int, str, int]] = []
        bounds = []
        for k, (d, count) in enumerate(plan):
            step = self.whole[d]
            style = c(["blocks", "elements", "offset"])
            lo, factor = 0, step
            by = 1
            if style == "elements":
                lo, by, factor = 0, step, 1
            elif style == "offset":
                lo, by, factor = 2, 3, step
            bounds.append((f"%i{k}", lo, lo + by * count - (by - 1 if style == "offset" else 0), by))
            if style == "offset":
                loop_terms.append((d, f"%n{k}", step))
            else:
                loop_terms.append((d, f"%i{k}", factor))
            self.whole[d] *= count
        constants = {}
        for _, lo, hi, by in bounds:
            for n in (lo, hi, by):
                constants.setdefault(n, None)
        for n in constants:
            constants[n] = self.index(n)
        if self.dynamic_rows:
            self.open_rows()
        self.uses = 0
        if views_first:
            self.make_views(phases)
        guard = not plan and self.chance(6)
        for k, (name, lo, hi, by) in enumerate(bounds):
            self.emit(f"scf.for {name} = {constants[lo]} to {constants[hi]} step {constants[by]} {{")
            opened += 1
            if loop_terms[k][1] == f"%n{k}":
                shifted = self.let(f"arith.subi {name}, {constants[lo]} : index")
                self.emit(f"%n{k} = arith.divui {shifted}, {constants[by]} : index")
        for d, name, factor in loop_terms:
            self.at[d].append((name, factor))
        if not views_first:
            self.make_views(phases)
        if guard:
            total = prod(self.grid)
            at = self.index(c([k for k in (1, 0, 2, 3) if k <= total]))
            cond = self.let(f"arith.cmpi {c(['slt', 'eq', 'ne', 'uge'])}, {ids[0]}, {at} : index")
            self.emit(f"scf.if {cond} {{")
            self.body(phases)
            if self.chance(2):
                self.emit("} else {")
                self.body(phases)
            self.emit("}")
        else:
            self.body(phases)
        for _ in range(opened):
            self.emit("}")
        self.emit("return")
        grid = ", ".join(map(str, self.grid))
        text = (
            f"func.func @k({', '.join(self.args)}) attributes {{grid = [{grid}]}} {{\n"
            + "\n".join(self.lines)
            + "\n}\n"
        )
        return Kernel(text, self.scalars)

    def open_rows(self) -> None:
        """The first dimension's extent becomes a runtime argument."""
        tiles = prod(self.grid)
        granularity = tiles * self.choose([4, 1, 3])
        bound = granularity * self.choose([2, 1, 3])
        t = f"<index, granularity={granularity}, upperbound={bound}>"
        self.args.append(f"%rows: !ktdp.runtime_arg{t}")
        self.scalars["rows"] = granularity * self.choose(list(range(1, bound // granularity + 1)))
        self.emit(f"%rn = ktdp.runtime_arg_extract value from %rows : {t} -> index")
        n = self.index(tiles)
        self.emit(f"%part = arith.divui %rn, {n} : index")
        self.emit("%first = arith.muli %me, %part : index")
        self.at = [[("%first", 1)], *[[] for _ in self.tile[1:]]]
        self.tile[0] = "s"  # type: ignore[call-overload]
        self.whole = ["s", *self.tile[1:]]  # type: ignore[list-item]

    # -- memory -----------------------------------------------------------------------------------------------------

    def view(self, stem: str, sizes: list[int | str], element: str, layout: str, space: str = "global") -> View:
        """A new view over a new argument (or scratchpad address)."""
        name = self.fresh(stem)
        numbers = [64 if isinstance(n, str) else n for n in sizes]
        order = list(range(len(sizes)))
        if layout == "permuted":
            order = order[1:] + order[:1]
        if isinstance(sizes[0], str) and order[0] != 0:
            order = list(range(len(sizes)))
        strides = [0] * len(sizes)
        step = 2 if layout == "spread" else 1
        for d in reversed(order):
            strides[d] = step
            step *= numbers[d]
            if layout == "padded" and d == order[-1]:
                step += self.choose([8, 1, 64])
        if space == "global":
            self.args.append(f"{name}: index")
            start = name
        else:
            at = self.local_bytes // WIDTH[element]
            self.local_bytes += -(-step * WIDTH[element] // 128) * 128
            start = self.index(at)
        self.emit(
            f"{name}v = ktdp.construct_memory_view {start}, sizes: [{', '.join('%rn' if isinstance(n, str) else str(n) for n in sizes)}], "
            f"strides: [{', '.join(map(str, strides))}] {{coordinate_set = {box(sizes)}, "
            f"memory_space = #ktdp.memory_space<{space}>}} : {self_type(sizes, element)}"
        )
        return View(f"{name}v", sizes, element)

    def tile_of(
        self, view: View, dims: Sequence[int | None], tile: Sequence[int | str], order: Sequence[int]
    ) -> tuple[str, str]:
        """An access tile; dims names the kernel dimension per view dimension (None: extent 1 at 0). Returns (value, short type)."""
        subscripts = []
        for d in dims:
            terms = [] if d is None else self.at[d]
            subscripts.append(" + ".join(n if f == 1 else f"{n} * {f}" for n, f in terms) or "0")
        if self.chance(3):
            for k, d in enumerate(dims):
                if d is not None and self.at[d]:
                    total = None
                    for n, f in self.at[d]:
                        part = n if f == 1 else self.let(f"arith.muli {n}, {self.index(f)} : index")
                        total = part if total is None else self.let(f"arith.addi {total}, {part} : index")
                    subscripts[k] = total or "0"
        shape = [tile[k] for k in order]
        letters = LETTERS[: len(order)]
        ordered = ", ".join(letters[k] for k in order)
        name = self.fresh("t")
        symbols = " symbols(%part)" if any(isinstance(n, str) for n in tile) else ""
        self.emit(
            f"{name} = ktdp.construct_access_tile {view.name}[{', '.join(subscripts)}]{symbols} {{access_tile_set = {box(tile)}, "
            f"access_tile_order = affine_map<({', '.join(letters)}) -> ({ordered})>}} : {view.type} -> "
            f"!ktdp.access_tile<{dims_text(shape)}index>"
        )
        return name, f"<{dims_text(shape)}index>"

    def make_views(self, phases: int) -> None:
        """Inputs, intermediates and outputs."""
        c = self.choose
        rank = len(self.tile)
        layouts = ["dense", "dense", "dense", "padded", "permuted", "spread"]
        self.inputs: list[tuple[View, list[int | None], str]] = []
        for _ in range(c([1, 2, 2, 3])):
            element = c([*FLOATS, *INTS, "f16", "f32"])
            how = c(["full", "full", "subset", "ones", "transposed", "order", "local"])
            if self.dynamic_rows and how not in ("full", "subset"):
                how = "full"
            if how == "subset":
                kept = [d for d in range(rank) if c([True, False]) and not isinstance(self.tile[d], str)]
                if not kept:
                    how = "ones"
                else:
                    self.inputs.append(
                        (self.view("b", [self.whole[d] for d in kept], element, c(layouts)), list(kept), how)
                    )
                    continue
            if how == "ones" and not self.dynamic_rows:
                dims: list[int | None] = [d if c([True, False]) else None for d in range(rank)]
                sizes = [1 if d is None else self.whole[d] for d in dims]
                self.inputs.append((self.view("o", sizes, element, c(layouts[:4])), dims, how))
                continue
            if how in ("transposed", "order"):
                order = c([list(range(rank))[::-1], [*range(1, rank), 0]])
                self.inputs.append((self.view("q", [self.whole[d] for d in order], element, c(layouts)), order, how))
                continue
            if how == "local":
                self.inputs.append(
                    (self.view("l", list(self.tile), element, "dense", "ct_local"), list(range(rank)), how)
                )
                continue
            self.inputs.append((self.view("x", list(self.whole), element, c(layouts)), list(range(rank)), "full"))
        self.outputs: list[list[tuple[View, list[int]]]] = []
        for phase in range(phases):
            targets = []
            for _ in range(c([1, 1, 2])):
                order = list(range(rank))
                if self.chance(6) and not self.dynamic_rows:
                    order = order[::-1]
                element = c([*FLOATS, *INTS, "f16", "f16"])
                targets.append((self.view(f"r{phase}_", [self.whole[d] for d in order], element, c(layouts)), order))
            full = [i for i in self.inputs if i[2] == "full"]
            if full and self.chance(6):
                targets[0] = (full[0][0], list(range(rank)))
            self.outputs.append(targets)

    def load(self, view: View, dims: Sequence[int | None], how: str) -> str:
        """A tensor of the tile's shape from one input."""
        rank = len(self.tile)
        element = view.element
        if how == "local":
            saved, self.at = self.at, [[] for _ in range(rank)]
            tile, short = self.tile_of(view, dims, self.tile, range(rank))
            self.at = saved
            return self.let(f"ktdp.load {tile} : {short} -> {self.tensor(element)}", "d")
        shape = [1 if d is None else self.tile[d] for d in dims]
        order = list(range(len(dims)))
        if how == "order":
            order = [list(dims).index(d) for d in range(rank)]
        tile, short = self.tile_of(view, dims, shape, order)
        loaded = [shape[k] for k in order]
        value = self.let(f"ktdp.load {tile} : {short} -> tensor<{dims_text(loaded)}{element}>", "d")
        kind = f"tensor<{dims_text(loaded)}{element}>"
        if how == "transposed":
            permutation = [list(dims).index(d) for d in range(rank)]
            empty = self.empty(element)
            return self.let(
                f"linalg.transpose ins({value} : {kind}) outs({empty} : {self.tensor(element)}) permutation = {permutation}"
            )
        if how in ("subset", "ones"):
            missing = [d for d in range(rank) if d not in dims]
            if how == "subset" and self.choose([True, False]):
                empty = self.empty(element)
                return self.let(
                    f"linalg.broadcast ins({value} : {kind}) outs({empty} : {self.tensor(element)}) dimensions = {missing}"
                )
            empty = self.empty(element)
            source = ", ".join("0" if d is None else f"d{d}" for d in dims)
            return self.generic([(value, kind, source)], empty, element, lambda names: names[0])
        return value

    # -- tensors ----------------------------------------------------------------------------------------------------

    def tensor(self, element: str) -> str:
        return f"tensor<{dims_text(self.tile)}{element}>"

    def empty(self, element: str) -> str:
        size = "%part" if any(isinstance(n, str) for n in self.tile) else ""
        return self.let(f"tensor.empty({size}) : {self.tensor(element)}", "e")

    def generic(self, ins: list[tuple[str, str, str]], out: str, element: str, body: Callable[[list[str]], str]) -> str:
        """A linalg.generic; `ins` are (value, type, map results)."""
        rank = len(self.tile)
        dims = ", ".join(f"d{k}" for k in range(rank))
        maps = [f"affine_map<({dims}) -> ({m})>" for _, _, m in ins] + [f"affine_map<({dims}) -> ({dims})>"]
        names = [self.fresh("a") for _ in ins]
        elements = [
            t.removesuffix(">").rpartition("x")[2] if "spyreop" not in t else "!spyreop.df16" for _, t, _ in ins
        ]
        name = self.fresh("g")
        iterators = ", ".join(['"parallel"'] * rank)
        operands = ", ".join(v for v, _, _ in ins)
        types = ", ".join(t for _, t, _ in ins)
        start = f"ins({operands} : {types}) " if ins else ""
        self.emit(
            f"{name} = linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{iterators}]}} "
            f"{start}outs({out} : {self.tensor(element)}) {{"
        )
        args = ", ".join(f"{n}: {e}" for n, e in zip([*names, self.fresh("u")], [*elements, element], strict=True))
        self.emit(f"^bb0({args}):")
        result = body(names)
        self.emit(f"linalg.yield {result} : {element}")
        self.emit(f"}} -> {self.tensor(element)}")
        return name

    def number(self, element: str) -> str:
        if element in INTS:
            return str(self.choose([1, 2, 3, 7, -5]))
        return f"{self.choose([1.0, 0.5, 2.0, -1.5, 0.25]):e}"

    def unary(self, value: str, element: str, kind: str) -> str:
        """One op on a tensor or scalar of type `kind`."""
        if element in INTS:
            op = self.choose(["math.absi", "neg", "cttz"])
            if op == "math.absi":
                return self.let(f"math.absi {value} : {kind}")
            if op == "cttz":
                return self.let(f"math.ctpop {value} : {kind}")
            return self.let(f"arith.xori {value}, {value} : {kind}")
        if element == DF16:
            return self.let(f"arith.mulf {value}, {value} : {kind}")
        op = self.choose(
            ["arith.negf", "math.absf", "math.exp", "math.sqrt", "math.tanh", "math.floor", "math.log", "math.erf",
             "math.rsqrt", "math.roundeven", "spyreop.gelu", "spyreop.sigmoid", "spyreop.silu", "spyreop.reciprocal"]
        )  # fmt: skip
        if op.startswith("spyreop") and (kind.startswith("tensor") or element != "f16"):
            op = "math.sin"
        return self.let(f"{op} {value} : {kind}")

    def binary(self, a: str, b: str, element: str, kind: str) -> str:
        if element in INTS:
            op = self.choose(["addi", "muli", "subi", "maxsi", "minui", "andi", "xori"])
        else:
            op = self.choose(["addf", "mulf", "subf", "maximumf", "minnumf", "divf"])
        return self.let(f"arith.{op} {a}, {b} : {kind}")

    def compare_select(self, a: str, b: str, element: str, kind: str, boolean: str) -> str:
        if element in INTS:
            cond = self.let(f"arith.cmpi {self.choose(['slt', 'eq', 'uge'])}, {a}, {b} : {kind}")
        else:
            cond = self.let(f"arith.cmpf {self.choose(['olt', 'ueq', 'oge', 'uno'])}, {a}, {b} : {kind}")
        return self.let(
            f"arith.select {cond}, {a}, {b} : {boolean}, {kind}"
            if boolean != "i1"
            else f"arith.select {cond}, {a}, {b} : {kind}"
        )

    def scalar_argument(self, element: str) -> str:
        name = self.fresh("s")
        self.args.append(f"{name}: {element}")
        self.scalars[name[1:]] = 3 if element in INTS else 1.25
        return name

    def cast(self, value: str, source: str, target: str, wrap: Callable[[str], str]) -> str:
        """Convert between element types, through f32 or i32 where needed."""
        if source == target:
            return value
        s, t = wrap(source), wrap(target)
        floats = source not in INTS, target not in INTS
        if floats == (True, True):
            if "f32" not in (source, target):
                return self.cast(self.cast(value, source, "f32", wrap), "f32", target, wrap)
            return self.let(f"arith.{'truncf' if source == 'f32' else 'extf'} {value} : {s} to {t}")
        if floats == (False, False):
            return self.let(f"arith.{'extsi' if WIDTH[source] < WIDTH[target] else 'trunci'} {value} : {s} to {t}")
        return self.let(f"arith.{'fptosi' if floats[0] else 'sitofp'} {value} : {s} to {t}")

    def step(self, values: list[tuple[str, str]]) -> None:
        """One more tensor value from earlier ones."""
        c = self.choose
        value, element = c(values)
        others = [v for v, e in values if e == element]
        other = c(others)
        kind = self.tensor(element)
        shape = dims_text(self.tile)
        what = c(
            ["binary", "unary", "constant", "cast", "select", "generic", "named", "scalar", "index", "fill", "row",
             "rotate", "regroup", "overwrite", "reduce", "reduce"]
        )
        if what == "binary":
            values.append((self.binary(value, other, element, kind), element))
        elif what == "unary":
            values.append((self.unary(value, element, kind), element))
        elif what == "constant" and not self.dynamic_rows:
            plain = "f32" if element == DF16 else element  # df16 has no literals
            k = self.let(f"arith.constant dense<{self.number(element)}> : {self.tensor(plain)}")
            k = self.cast(k, plain, element, self.tensor)
            values.append((self.binary(value, k, element, kind), element))
        elif what == "cast":
            target = c([*FLOATS, *INTS])
            values.append((self.cast(value, element, target, self.tensor), target))
        elif what == "select":
            values.append((self.compare_select(value, other, element, kind, f"tensor<{shape}i1>"), element))
        elif what in ("generic", "index"):
            dims = ", ".join(f"d{k}" for k in range(len(self.tile)))
            out = self.empty(element)

            def body(names: list[str]) -> str:
                inner = list(names)
                for _ in range(c([1, 2, 3])):
                    a, b = c(inner), c(inner)
                    kind_of_op = c(["unary", "binary", "select"])
                    if kind_of_op == "unary":
                        inner.append(self.unary(a, element, element))
                    elif kind_of_op == "binary":
                        inner.append(self.binary(a, b, element, element))
                    else:
                        inner.append(self.compare_select(a, b, element, element, "i1"))
                if what == "index":
                    i = self.let(f"linalg.index {c(list(range(len(self.tile))))} : index")
                    n = self.let(f"arith.index_cast {i} : index to i32")
                    x = self.cast(n, "i32", element, lambda e: e)
                    inner.append(self.binary(inner[-1], x, element, element))
                return inner[-1]

            values.append((self.generic([(value, kind, dims), (other, kind, dims)], out, element, body), element))
        elif what == "named":
            op = c(
                ["add", "sub", "mul", "max", "min"]
                + ([] if element in (*INTS, DF16) else ["exp", "abs", "negf", "tanh", "square"])
            )
            out = self.empty(element)
            if op in ("exp", "abs", "negf", "tanh", "square"):
                values.append((self.let(f"linalg.{op} ins({value} : {kind}) outs({out} : {kind}) -> {kind}"), element))
            else:
                values.append(
                    (
                        self.let(f"linalg.{op} ins({value}, {other} : {kind}, {kind}) outs({out} : {kind}) -> {kind}"),
                        element,
                    )
                )
        elif what == "scalar" and element in ("f32", "i32") and not self.dynamic_rows:
            s = self.let(f"tensor.splat {self.scalar_argument(element)} : {kind}")
            values.append((self.binary(value, s, element, kind), element))
        elif what == "rotate" and not self.dynamic_rows:
            values.append((self.rotate(value, kind, element), element))
        elif what == "regroup" and not self.dynamic_rows:
            values.append((self.regroup(value, kind, element), element))
        elif what == "overwrite" and not self.dynamic_rows:
            values.append((self.overwrite(value, other, kind, element), element))
        elif what == "reduce":
            op = c(["maxsi", "addi", "minui"] if element in INTS else ["maximumf", "minimumf", "maxnumf"])
            values.append((self.reduced(value, kind, element, op), element))
        elif what == "fill":
            plain = "f32" if element == DF16 else element
            k = self.let(f"arith.constant {self.number(element)} : {plain}")
            k = self.cast(k, plain, element, lambda e: e)
            out = self.empty(element)
            f = self.let(f"linalg.fill ins({k} : {element}) outs({out} : {kind}) -> {kind}")
            values.append((self.binary(f, value, element, kind), element))
        else:
            values.append((self.binary(value, value, element, kind), element))

    def reduced(self, value: str, kind: str, element: str, op: str) -> str:
        """A reduction over some dimensions, spread over the tile again."""
        folds = [d for d, n in enumerate(self.tile) if not isinstance(n, str)]
        dims = sorted({self.choose(folds) for _ in range(self.choose([1, 1, 2]))})
        if self.chance(4):
            dims = dims[-1:]
        kept = [n for d, n in enumerate(self.tile) if d not in dims]
        short = f"tensor<{dims_text(kept)}{element}>"
        size = "%part" if any(isinstance(n, str) for n in kept) else ""
        start = self.let(f"tensor.empty({size}) : {short}", "e")
        first = {"maximumf": "-1.0e+04", "maxnumf": "-1.0e+04", "minimumf": "1.0e+04", "addf": "0.0"}.get(op, "0")
        plain = "f32" if element == DF16 else element
        number = self.cast(self.let(f"arith.constant {first} : {plain}"), plain, element, lambda e: e)
        filled = self.let(f"linalg.fill ins({number} : {element}) outs({start} : {short}) -> {short}")
        folded = self.let(
            f"linalg.reduce {{ arith.{op} }} ins({value} : {kind}) outs({filled} : {short}) dimensions = {dims}"
        )
        return self.let(
            f"linalg.broadcast ins({folded} : {short}) outs({self.empty(element)} : {kind}) dimensions = {dims}"
        )

    def part(self, value: str, kind: str, element: str, d: int, low: int, n: int) -> tuple[str, str]:
        """A slice of one dimension and its type."""
        shape = [n if k == d else e for k, e in enumerate(self.tile)]
        sliced = f"tensor<{dims_text(shape)}{element}>"
        offsets = ", ".join(str(low if k == d else 0) for k in range(len(shape)))
        ones = ", ".join("1" for _ in shape)
        sizes = ", ".join(map(str, shape))
        return self.let(f"tensor.extract_slice {value}[{offsets}] [{sizes}] [{ones}] : {kind} to {sliced}"), sliced

    def rotate(self, value: str, kind: str, element: str) -> str:
        """Both parts of one dimension, the other way round."""
        d = self.choose([k for k, n in enumerate(self.tile) if n > 1] or [0])
        n = self.tile[d]
        if n < 2:
            return value
        at = self.choose([n // 2, 1, n - 1])
        a, ta = self.part(value, kind, element, d, 0, at)
        b, tb = self.part(value, kind, element, d, at, n - at)
        return self.let(f"tensor.concat dim({d}) {b}, {a} : ({tb}, {ta}) -> {kind}")

    def regroup(self, value: str, kind: str, element: str) -> str:
        """Collapsed to one dimension and expanded again, with an operation between."""
        flat = f"tensor<{prod(self.tile)}x{element}>"
        groups = "[[" + ", ".join(map(str, range(len(self.tile)))) + "]]"
        a = self.let(f"tensor.collapse_shape {value} {groups} : {kind} into {flat}")
        a = self.binary(a, a, element, flat)
        shape = ", ".join(map(str, self.tile))
        return self.let(f"tensor.expand_shape {a} {groups} output_shape [{shape}] : {flat} into {kind}")

    def overwrite(self, value: str, other: str, kind: str, element: str) -> str:
        """A part of another tensor written over one."""
        d = self.choose(list(range(len(self.tile))))
        n = self.tile[d]
        low = self.choose([0, n // 2, n // 3])
        size = self.choose([k for k in (1, (n - low) // 2, n - low) if k > 0])
        a, ta = self.part(other, kind, element, d, low, size)
        at = self.choose([k for k in (0, low, n - size) if k + size <= n])
        offsets = ", ".join(str(at if k == d else 0) for k in range(len(self.tile)))
        sizes = ", ".join(str(size if k == d else e) for k, e in enumerate(self.tile))
        ones = ", ".join("1" for _ in self.tile)
        return self.let(f"tensor.insert_slice {a} into {value}[{offsets}] [{sizes}] [{ones}] : {ta} into {kind}")

    def body(self, phases: int) -> None:
        """Load, compute, store; later phases read what earlier ones stored."""
        rank = len(self.tile)
        for phase in range(phases):
            values = [(self.load(v, d, how), v.element) for v, d, how in self.inputs]
            if phase:
                for view, order in self.outputs[phase - 1]:
                    tile, short = self.tile_of(
                        view, order, [self.tile[d] for d in order], [order.index(d) for d in range(rank)]
                    )
                    values.append(
                        (self.let(f"ktdp.load {tile} : {short} -> {self.tensor(view.element)}", "d"), view.element)
                    )
            for _ in range(self.choose([1, 2, 3, 4, 6])):
                self.step(values)
            for k, (view, order) in enumerate(self.outputs[phase]):
                value, element = values[-1 - k] if k < len(values) else values[-1]
                if element not in INTS and view.element not in INTS and phase == phases - 1 and self.chance(8):
                    value = self.reduced(value, self.tensor(element), element, "addf")  # inexact, so nothing follows
                value = self.cast(value, element, view.element, self.tensor)
                tile, short = self.tile_of(
                    view, order, [self.tile[d] for d in order], [order.index(d) for d in range(rank)]
                )
                self.emit(f"ktdp.store {value}, {tile} : {self.tensor(view.element)}, {short}")


def self_type(sizes: Sequence[int | str], element: str) -> str:
    return f"memref<{dims_text(sizes)}{element}>"


def write_kernel(choose: Choose) -> Kernel:
    """One random kernel."""
    return Writer(choose).write()


def random_choice(seed: int) -> Choose:
    """Decisions from a seeded generator."""
    return random.Random(seed).choice


@st.composite
def kernels(draw: Any) -> Kernel:
    """Hypothesis strategy of kernels."""
    return write_kernel(lambda options: draw(st.sampled_from(list(options))))
