# ruff: noqa: E501
"""Random KTIR kernels beyond elementwise ones, as text: reductions over any dimensions and what is made of them, pairs
(arg-max), gathers and scatters, loops that carry tensors, branches with results, triangular loops, extents known at
launch.

`write_program(choose)` writes one, in the manner of `random_kernels`. Sums of floats come last: their order is free.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from random_kernels import DF16, INTS, Choose, Kernel, View, Writer, affine_dims, box, dims_text


class Programs(Writer):
    """Writes one kernel."""

    def write(self) -> Kernel:
        """A kernel of one of the kinds below."""
        self.dynamic_rows = False
        c = self.choose
        what = c(["rows", "rows", "rows", "pairs", "gather", "gather", "carried", "carried", "branch", "triangle", "launch"])
        self.grid = c([[1], [2], [4], [3]])
        self.emit("%me = ktdp.get_compute_tile_id : index")
        getattr(self, what)()
        self.emit("return")
        lines = "\n".join(self.lines)
        text = f"func.func @k({', '.join(self.args)}) attributes {{grid = [{self.grid[0]}]}} {{\n{lines}\n}}\n"
        return Kernel(text, self.scalars)

    # -- pieces -------------------------------------------------------------------------------------------------------

    def shape(self, rank: int, most: int = 1200) -> list[int]:
        """Extents of a tile, few elements in all."""
        found: list[int] = []
        inner = self.choose([64, 32, 7, 1, 50, 65, 100, 128, 130, 200, 3])
        room = max(1, most // inner)
        for _ in range(rank - 1):
            n = self.choose([k for k in (2, 1, 3, 4, 5, 8, 16) if k <= room])
            found.append(n)
            room //= n
        found.append(inner)
        if self.chance(6):
            found.reverse()
        return found

    def kind(self, shape: list[Any], element: str) -> str:
        """The tensor type of a shape; a scalar-like tensor has no dimensions."""
        return f"tensor<{dims_text(shape)}{element}>"

    def blank(self, shape: list[Any], element: str) -> str:
        """An empty tensor."""
        sizes = ", ".join(n for n in shape if isinstance(n, str))
        sizes = sizes.replace("n0", "%n0")
        return self.let(f"tensor.empty({sizes}) : {self.kind(shape, element)}", "e")

    def place(self, view: View, at: list[str], shape: list[Any], symbols: str = "") -> tuple[str, str]:
        """An access tile."""
        name = self.fresh("t")
        order = affine_dims(len(shape))
        self.emit(
            f"{name} = ktdp.construct_access_tile {view.name}[{', '.join(at)}]{symbols} {{access_tile_set = {box(shape)}, "
            f"access_tile_order = affine_map<({order}) -> ({order})>}} : {view.type} -> !ktdp.access_tile<{dims_text(shape)}index>"
        )
        return name, f"<{dims_text(shape)}index>"

    def read(self, view: View, at: list[str], shape: list[Any], symbols: str = "") -> str:
        """A loaded tile."""
        tile, short = self.place(view, at, shape, symbols)
        return self.let(f"ktdp.load {tile} : {short} -> {self.kind(shape, view.element)}", "d")

    def put(self, value: str, view: View, at: list[str], shape: list[Any], symbols: str = "") -> None:
        """A stored tile."""
        tile, short = self.place(view, at, shape, symbols)
        self.emit(f"ktdp.store {value}, {tile} : {self.kind(shape, view.element)}, {short}")

    def own(self, shape: list[int], element: str, stem: str) -> tuple[View, list[str]]:
        """A view that holds the tiles' parts one after the other, and where a tile's part begins."""
        d = self.choose(list(range(len(shape))))
        whole = [n * self.grid[0] if k == d else n for k, n in enumerate(shape)]
        layout = self.choose(["dense", "dense", "padded", "permuted"])
        view = self.view(stem, list(whole), element, layout)
        return view, [f"%me * {n}" if k == d else "0" for k, n in enumerate(shape)]

    def point(self, values: list[str], shape: list[Any], element: str, times: int = 2) -> str:
        """A few elementwise operations."""
        kind = self.kind(shape, element)
        found = list(values)
        for _ in range(self.choose(list(range(1, times + 1)))):
            if self.chance(2):
                found.append(self.binary(self.choose(found), self.choose(found), element, kind))
            elif element in INTS:
                found.append(self.let(f"math.absi {found[-1]} : {kind}"))
            elif element == DF16:
                found.append(self.let(f"arith.mulf {found[-1]}, {found[-1]} : {kind}"))
            else:
                found.append(self.let(f"{self.choose(['math.absf', 'arith.negf', 'math.exp', 'math.tanh'])} {found[-1]} : {kind}"))
        return found[-1]

    def constant(self, text: str, element: str) -> str:
        """A number of an element type."""
        plain = "f32" if element == DF16 else element
        return self.cast(self.let(f"arith.constant {text} : {plain}"), plain, element, lambda e: e)

    def fold(self, value: str, shape: list[Any], dims: list[int], element: str, exact: bool = True) -> str:
        """A reduction."""
        if element in INTS:
            op = self.choose(["addi", "maxsi", "minui", "muli"])
        else:
            op = self.choose(["maximumf", "minimumf", "maxnumf"] if exact else ["addf"])
        first = {"maximumf": "-1.0e+04", "maxnumf": "-1.0e+04", "minimumf": "1.0e+04", "addf": "0.0", "muli": "1"}.get(op, "0")
        kept = [n for d, n in enumerate(shape) if d not in dims]
        out = self.kind(kept, element)
        start = self.let(f"linalg.fill ins({self.constant(first, element)} : {element}) outs({self.blank(kept, element)} : {out}) -> {out}")
        return self.let(
            f"linalg.reduce {{ arith.{op} }} ins({value} : {self.kind(shape, element)}) outs({start} : {out}) dimensions = {dims}"
        )

    def spread(self, value: str, shape: list[Any], dims: list[int], element: str) -> str:
        """A folded value over the whole tile again."""
        kept = self.kind([n for d, n in enumerate(shape) if d not in dims], element)
        full = self.kind(shape, element)
        if self.chance(2):
            return self.let(f"linalg.broadcast ins({value} : {kept}) outs({self.blank(shape, element)} : {full}) dimensions = {dims}")
        letters = ", ".join(f"d{k}" for k in range(len(shape)))
        narrow = ", ".join(f"d{k}" for k in range(len(shape)) if k not in dims)
        out, name = self.blank(shape, element), self.fresh("g")
        a, u = self.fresh("a"), self.fresh("u")
        iterators = ", ".join(['"parallel"'] * len(shape))
        self.emit(
            f"{name} = linalg.generic {{indexing_maps = [affine_map<({letters}) -> ({narrow})>, affine_map<({letters}) -> ({letters})>], "
            f"iterator_types = [{iterators}]}} ins({value} : {kept}) outs({out} : {full}) {{"
        )
        self.emit(f"^bb0({a}: {element}, {u}: {element}):")
        self.emit(f"linalg.yield {a} : {element}")
        self.emit(f"}} -> {full}")
        return name

    def some(self, rank: int) -> list[int]:
        """Dimensions of a reduction, not all of them."""
        dims = sorted({self.choose(list(range(rank))) for _ in range(self.choose([1, 1, 2]))})
        return dims if len(dims) < rank else dims[-1:]

    def element(self) -> str:
        """An element type."""
        return self.choose(["f16", "f32", "bf16", "i32", DF16, "i8"])

    # -- kinds of kernels ---------------------------------------------------------------------------------------------

    def rows(self) -> None:
        """Folded, spread, used again, folded again."""
        shape, element = self.shape(self.choose([2, 2, 3])), self.element()
        x, at = self.own(shape, element, "x")
        value = self.read(x, at, shape)
        values = [value]
        if self.chance(2):
            y, near = self.own(shape, element, "y")
            values.append(self.read(y, near, shape))
        value = self.point(values, shape, element)
        for _ in range(self.choose([1, 1, 2])):
            dims = self.some(len(shape))
            short = [n for d, n in enumerate(shape) if d not in dims]
            folded = self.fold(value, shape, dims, element)
            if self.chance(2):
                folded = self.point([folded], short, element, 1)
            if self.chance(3):
                out, near = self.own(short, element, "s")
                self.put(folded, out, near, short)
            value = self.point([value, self.spread(folded, shape, dims, element)], shape, element)
        if self.chance(2):
            dims = self.some(len(shape))
            short = [n for d, n in enumerate(shape) if d not in dims]
            out, near = self.own(short, element, "z")
            self.put(self.fold(value, shape, dims, element, exact=False), out, near, short)
        out, near = self.own(shape, element, "r")
        self.put(value, out, near, shape)

    def pairs(self) -> None:
        """The largest element of rows or columns and where it is."""
        shape, element = self.shape(2), self.choose(["f32", "f16", "i32"])
        d = self.choose([1, 0])
        x, at = self.own(shape, element, "x")
        value = self.read(x, at, shape)
        ids, e = self.fresh("i"), self.blank(shape, "i32")
        whole = "affine_map<(d0, d1) -> (d0, d1)>"
        self.emit(f'{ids} = linalg.generic {{indexing_maps = [{whole}], iterator_types = ["parallel", "parallel"]}} outs({e} : {self.kind(shape, "i32")}) {{')
        self.emit(f"^bb0({self.fresh('q')}: i32):")
        n = self.let(f"linalg.index {d} : index")
        self.emit(f"linalg.yield {self.let(f'arith.index_cast {n} : index to i32')} : i32")
        self.emit(f"}} -> {self.kind(shape, 'i32')}")
        short = [shape[1 - d]]
        low = self.constant("-1.0e+30" if element == "f32" else "-6.0e+04" if element == "f16" else "-2147483648", element)
        a, b = (self.kind(short, t) for t in (element, "i32"))
        first = self.let(f"linalg.fill ins({low} : {element}) outs({self.blank(short, element)} : {a}) -> {a}")
        zero = self.let(f"linalg.fill ins({self.constant('0', 'i32')} : i32) outs({self.blank(short, 'i32')} : {b}) -> {b}")
        m = self.fresh("m")
        self.emit(f"{m}:2 = linalg.reduce ins({value}, {ids} : {self.kind(shape, element)}, {self.kind(shape, 'i32')}) outs({first}, {zero} : {a}, {b}) dimensions = [{d}]")
        p, q, r, s = (self.fresh("p") for _ in range(4))
        self.emit(f"({p}: {element}, {q}: i32, {r}: {element}, {s}: i32) {{")
        compare = "arith.cmpi" if element in INTS else "arith.cmpf"
        more = self.let(f"{compare} {'sgt' if element in INTS else 'ogt'}, {p}, {r} : {element}")
        same = self.let(f"{compare} {'eq' if element in INTS else 'oeq'}, {p}, {r} : {element}")
        before = self.let(f"arith.cmpi slt, {q}, {s} : i32")
        take = self.let(f"arith.ori {more}, {self.let(f'arith.andi {same}, {before} : i1')} : i1")
        x1 = self.let(f"arith.select {take}, {p}, {r} : {element}")
        x2 = self.let(f"arith.select {take}, {q}, {s} : i32")
        self.emit(f"linalg.yield {x1}, {x2} : {element}, i32")
        self.emit("}")
        for number, t in enumerate((element, "i32")):
            if number or self.chance(2):
                out, near = self.own(short, t, "r")
                self.put(f"{m}#{number}", out, near, short)

    def gather(self) -> None:
        """Rows that a table names, computed with, stored in order or where a table says."""
        rows, columns = self.choose([4, 8, 1, 16]), self.choose([64, 128, 32, 200, 1])
        element, index = self.element(), self.choose(["i32", "i64"])
        table = self.view("m", [self.choose([30, 100]), columns], element, "dense")
        ids = self.view("i", [rows * self.grid[0]], index, "dense")
        shape = [rows, columns]

        def tile(view: View) -> tuple[str, str]:
            name = self.fresh("t")
            self.emit(
                f"{name} = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) {view.name}[ind({ids.name}[%me * {rows} + %r]), (%c)] "
                f"{{variables_space_set = {box(shape)}, variables_space_order = affine_map<(i, j) -> (i, j)>}} : "
                f"{view.type}, {ids.type} -> !ktdp.access_tile<{rows}x{columns}xindex>"
            )
            return name, f"<{rows}x{columns}xindex>"

        scatters = self.grid == [1] and self.chance(2)
        if scatters:
            x, at = self.own(shape, element, "x")
            value = self.point([self.read(x, at, shape)], shape, element)
        else:
            source, short = tile(table)
            value = self.let(f"ktdp.load {source} : {short} -> {self.kind(shape, element)}", "d")
            value = self.point([value], shape, element)
        if self.chance(2):
            dims = self.some(2)
            folded = self.fold(value, shape, dims, element)
            value = self.point([value, self.spread(folded, shape, dims, element)], shape, element)
        if scatters:
            target, short = tile(table)
            self.emit(f"ktdp.store {value}, {target} : {self.kind(shape, element)}, {short}")
        else:
            out, near = self.own(shape, element, "r")
            self.put(value, out, near, shape)

    def carried(self) -> None:
        """A loop, or two in each other, that carries a tensor over blocks of rows."""
        shape, element = self.shape(2, 600), self.choose(["f16", "f32", "i32", "bf16"])
        count, inner = self.choose([3, 1, 2, 5]), self.choose([0, 0, 2])
        blocks = count * max(1, inner)
        x = self.view("x", [shape[0] * blocks * self.grid[0], shape[1]], element, self.choose(["dense", "padded", "permuted"]))
        reduces = self.chance(2)
        state = [shape[0]] if reduces else shape
        kind = self.kind(state, element)
        first = self.let(f"linalg.fill ins({self.constant('1' if element in INTS else '0.5', element)} : {element}) outs({self.blank(state, element)} : {kind}) -> {kind}")
        low, step, high = (self.index(n) for n in (0, 1, count))
        result = self.fresh("f")
        self.emit(f"{result} = scf.for %i = {low} to {high} step {step} iter_args(%acc = {first}) -> ({kind}) {{")
        acc, number, within = "%acc", "%i", ""
        if inner:
            top = self.index(inner)
            within = self.fresh("f")
            self.emit(f"{within} = scf.for %j = {low} to {top} step {step} iter_args(%bcc = %acc) -> ({kind}) {{")
            acc, number = "%bcc", self.let(f"arith.addi {self.let(f'arith.muli %i, {top} : index')}, %j : index")
        row = self.let(f"arith.addi {self.let(f'arith.muli %me, {self.index(blocks)} : index')}, {number} : index")
        row = self.let(f"arith.muli {row}, {self.index(shape[0])} : index")
        value = self.read(x, [row, "0"], shape)
        if self.chance(2):
            value = self.point([value], shape, element)
        if reduces:
            value = self.fold(value, shape, [1], element)
        op = self.choose(["addi", "maxsi"] if element in INTS else ["maximumf", "minnumf"])
        self.emit(f"scf.yield {self.let(f'arith.{op} {acc}, {value} : {kind}')} : {kind}")
        if inner:
            self.emit("}")
            self.emit(f"scf.yield {within} : {kind}")
        self.emit("}")
        out, near = self.own(state, element, "r")
        self.put(self.point([result], state, element) if self.chance(2) else result, out, near, state)

    def branch(self) -> None:
        """A branch on the tile, with a tensor as its result or stores of its own."""
        shape, element = self.shape(2), self.element()
        x, at = self.own(shape, element, "x")
        out, near = self.own(shape, element, "r")
        value = self.read(x, at, shape)
        cond = self.let(f"arith.cmpi {self.choose(['slt', 'eq', 'ne'])}, %me, {self.index(self.choose([1, 0, 2]))} : index")
        kind = self.kind(shape, element)
        if self.chance(2):
            result = self.fresh("f")
            self.emit(f"{result} = scf.if {cond} -> ({kind}) {{")
            self.emit(f"scf.yield {self.point([value], shape, element)} : {kind}")
            self.emit("} else {")
            other = [value]
            if self.chance(2):
                y, far = self.own(shape, element, "y")
                other.append(self.read(y, far, shape))
            self.emit(f"scf.yield {self.point(other, shape, element)} : {kind}")
            self.emit("}")
            self.put(result, out, near, shape)
            return
        self.emit(f"scf.if {cond} {{")
        dims = self.some(2)
        self.put(self.spread(self.fold(value, shape, dims, element), shape, dims, element), out, near, shape)
        self.emit("} else {")
        self.put(self.point([value], shape, element), out, near, shape)
        self.emit("}")

    def triangle(self) -> None:
        """A loop whose end depends on the tile or on the loop around it."""
        shape, element = self.shape(2, 300), self.element()
        most = self.grid[0] + 1
        x = self.view("x", [shape[0] * most * 2, shape[1]], element, "dense")
        out = self.view("r", [shape[0] * most * 2 * self.grid[0], shape[1]], element, "dense")
        low, one, two = (self.index(n) for n in (0, 1, 2))
        top = self.let(f"arith.addi %me, {one} : index")
        self.emit(f"scf.for %i = {low} to {two} step {one} {{")
        end = top if self.chance(2) else self.let(f"arith.addi %i, {top} : index")
        rows = self.index(shape[0])
        self.emit(f"scf.for %j = {low} to {end} step {one} {{")
        n = self.let(f"arith.muli %i, {self.index(most)} : index")
        n = self.let(f"arith.addi {n}, %j : index")
        if end != top:  # j goes up to one further: the same rows for both
            n = "%j"
        source = self.let(f"arith.muli {n}, {rows} : index")
        value = self.point([self.read(x, [source, "0"], shape)], shape, element)
        if self.chance(2):
            dims = self.some(2)
            value = self.spread(self.fold(value, shape, dims, element), shape, dims, element)
        base = self.let(f"arith.muli %me, {self.index(most * 2)} : index")
        half = self.let(f"arith.muli %i, {self.index(most)} : index")
        target = self.let(f"arith.addi {self.let(f'arith.addi {base}, {half} : index')}, %j : index")
        self.put(value, out, [self.let(f"arith.muli {target}, {rows} : index"), "0"], shape)
        self.emit("}")
        self.emit("}")

    def launch(self) -> None:
        """The extent of rows or columns is an argument; folded over either."""
        d = self.choose([0, 1])
        most = self.choose([16, 7, 5]) if d == 0 else self.choose([200, 64, 65, 130])
        fixed = self.choose([64, 32, 100, 7]) if d == 0 else self.choose([4, 1, 3])
        element = self.choose(["f16", "f32", "i32"])
        t = f"<index, upperbound={most}>"
        self.args.append(f"%n: !ktdp.runtime_arg{t}")
        self.scalars["n"] = self.choose([most, 1, most // 2, most - 1])
        self.emit(f"%n0 = ktdp.runtime_arg_extract value from %n : {t} -> index")
        shape: list[Any] = ["n0", fixed] if d == 0 else [fixed, "n0"]

        def view(stem: str, extents: list[Any]) -> View:
            name = self.fresh(stem)
            self.args.append(f"{name}: index")
            sizes = [n if isinstance(n, str) else n * self.grid[0] for n in extents]
            strides = [1]
            for n in reversed(extents[1:]):
                strides.insert(0, strides[0] * (most if isinstance(n, str) else n * self.grid[0]))
            text = ", ".join("%n0" if isinstance(n, str) else str(n) for n in sizes)
            kind = f"memref<{dims_text(sizes)}{element}>"
            self.emit(
                f"{name}v = ktdp.construct_memory_view {name}, sizes: [{text}], strides: {strides} "
                f"{{coordinate_set = {box(sizes)}, memory_space = #ktdp.memory_space<global>}} : {kind}"
            )
            return View(f"{name}v", sizes, element)

        def at(extents: list[Any]) -> list[str]:
            return ["0" if isinstance(n, str) else f"%me * {n}" for n in extents]

        def symbols(extents: list[Any]) -> str:
            return " symbols(%n0)" if any(isinstance(n, str) for n in extents) else ""

        value = self.read(view("x", shape), at(shape), shape, symbols(shape))
        value = self.point([value], shape, element)
        how = self.choose(["point", "launch", "launch", "fixed"])
        if how == "point":
            self.put(value, view("r", shape), at(shape), shape, symbols(shape))
            return
        dims = [d] if how == "launch" else [1 - d]
        folded = self.fold(value, shape, dims, element)
        alone = self.grid == [1] or how == "launch"  # else all tiles would store to the same place
        if not alone or self.chance(2):
            value = self.point([value, self.spread(folded, shape, dims, element)], shape, element)
            self.put(value, view("r", shape), at(shape), shape, symbols(shape))
        else:
            short = [n for k, n in enumerate(shape) if k not in dims]
            self.put(folded, view("r", short), at(short), short, symbols(short))


def write_program(choose: Choose) -> Kernel:
    """One random kernel."""
    return Programs(choose).write()


@st.composite
def programs(draw: Any) -> Kernel:
    """Hypothesis strategy of kernels."""
    return write_program(lambda options: draw(st.sampled_from(list(options))))
