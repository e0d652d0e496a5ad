# ruff: noqa: E501
"""Random kernels with loops whose bounds are read from memory: both bounds, nested loops, places and conditions that are
loaded too, tensors and numbers that the loops carry."""

from __future__ import annotations

from random import Random

GLOBAL = "memory_space = #ktdp.memory_space<global>"


def box(shape: list[int]) -> str:
    """The affine set of a box."""
    names = [f"d{k}" for k in range(len(shape))]
    parts = ", ".join(f"{d} >= 0, -{d} + {n - 1} >= 0" for d, n in zip(names, shape, strict=True))
    return f"affine_set<({', '.join(names)}) : ({parts})>"


class LoadedLoops:
    """One kernel: a loop of loaded bounds over rows of `x`, its results in `y` (or its iterations in `z`)."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        r = self.random
        self.tiles, self.width = r.randint(1, 4), r.choice([1, 24, 64, 100])
        self.kind = r.choice(["f32", "f16", "f32", "i32"])
        self.rows = r.randint(5, 9)
        self.most = self.rows
        self.lines: list[str] = []
        self.indent = 4
        self.count = 0

    def emit(self, text: str) -> None:
        """Append a line."""
        self.lines.append(" " * self.indent + text)

    def value(self, text: str) -> str:
        """Append an operation; its result."""
        self.count += 1
        self.emit(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def view(self, name: str, shape: list[int], element: str) -> None:
        """A row-major view of an argument."""
        strides = [1]
        for n in reversed(shape[1:]):
            strides.insert(0, strides[0] * n)
        kind = f"memref<{'x'.join(map(str, shape))}x{element}>"
        self.emit(f"%{name}v = ktdp.construct_memory_view %{name}, sizes: {shape}, strides: {strides} {{coordinate_set = {box(shape)}, {GLOBAL}}} : {kind}")
        self.views[name] = (shape, element)

    def tile(self, name: str, at: list[str], shape: list[int]) -> tuple[str, str]:
        """An access tile and the type of what it holds."""
        sizes, element = self.views[name]
        dims = ", ".join(f"d{k}" for k in range(len(shape)))
        text = "x".join(map(str, shape))
        made = self.value(
            f"ktdp.construct_access_tile %{name}v[{', '.join(at)}] {{access_tile_set = {box(shape)}, access_tile_order = affine_map<({dims}) -> ({dims})>}} : memref<{'x'.join(map(str, sizes))}x{element}> -> !ktdp.access_tile<{text}xindex>"
        )
        return made, text

    def load(self, name: str, at: list[str], shape: list[int]) -> str:
        """Load a tile."""
        made, text = self.tile(name, at, shape)
        return self.value(f"ktdp.load {made} : !ktdp.access_tile<{text}xindex> -> tensor<{text}x{self.views[name][1]}>")

    def store(self, value: str, name: str, at: list[str], shape: list[int]) -> None:
        """Store a tile."""
        made, text = self.tile(name, at, shape)
        self.emit(f"ktdp.store {value}, {made} : tensor<{text}x{self.views[name][1]}>, !ktdp.access_tile<{text}xindex>")

    def number(self, name: str, at: str) -> str:
        """A loaded number as an index."""
        loaded = self.load(name, [at], [1])
        element = self.views[name][1]
        return self.value(f"arith.index_cast {self.value(f'tensor.extract {loaded}[%c0] : tensor<1x{element}>')} : {element} to index")

    def index(self, name: str, a: str, b: str) -> str:
        """Arithmetic on indices."""
        return self.value(f"arith.{name} {a}, {b} : index")

    # -- the parts of a kernel ----------------------------------------------------------------------------------------

    def bounds(self) -> tuple[str, str, str]:
        """(first value, upper bound, what is added to the variable to get a row)."""
        r = self.random
        number = self.number("n", "%me")
        which = r.randrange(7)
        if which == 0:
            return "%c0", number, "%c0"
        if which == 1:
            return number, f"%c{self.rows - 1}", "%c0"
        if which == 2:
            return "%c0", self.index("minsi", number, f"%c{r.randint(1, 4)}"), "%c0"
        if which == 3:
            return "%c1", self.index("subi", number, "%c1"), "%c0"
        low, high = self.number("o", "%me"), self.number("o", "%next")
        if which == 4:
            return low, high, "%c0"
        if which == 5:
            return "%c0", self.index("subi", high, low), low
        return low, self.index("addi", low, f"%c{r.randint(0, 2)}"), "%c0"

    def place(self, i: str, base: str, first: str) -> tuple[str, int]:
        """(row, how many rows) of an iteration."""
        r = self.random
        at = i if base == "%c0" else self.index("addi", base, i)
        which = r.randrange(6)
        if which == 0 and first == "%c0":
            return self.index(r.choice(["divsi", "floordivsi"]), at, "%c2") if base == "%c0" else at, 1
        if which == 1:
            return self.number("ids", at), 1
        if which == 2 and base == "%c0" and first == "%c0":
            return self.index("subi", f"%c{self.rows - 1}", i), 1
        return at, r.choice([1, 1, 2])

    def term(self, row: str, rows: int) -> str:
        """What an iteration adds: a row (or the fold of several) of `x`."""
        kind = self.kind
        x = self.load("x", [row, "%c0"], [rows, self.width])
        if self.random.random() < 0.4:
            op = self.random.choice(["math.absf", "math.tanh"]) if kind[0] == "f" else "math.absi"
            x = self.value(f"{op} {x} : tensor<{rows}x{self.width}x{kind}>")
        if rows == 1:
            return x
        t = f"tensor<{rows}x{self.width}x{kind}>"
        name = self.random.choice(["arith.maximumf", "arith.minimumf"] if kind[0] == "f" else ["arith.maxsi", "arith.addi"])
        folded = self.value(f"linalg.reduce {{ {name} }} ins({x} : {t}) outs(%flat : tensor<{self.width}x{kind}>) dimensions = [0]")
        return self.value(f"tensor.expand_shape {folded} [[0, 1]] output_shape [1, {self.width}] : tensor<{self.width}x{kind}> into {self.row}")

    @property
    def row(self) -> str:
        """The type of a row."""
        return f"tensor<1x{self.width}x{self.kind}>"

    def joined(self, a: str, b: str) -> str:
        """A carried row and a term."""
        f = self.kind[0] == "f"
        name = self.random.choice(["addf", "maximumf", "subf"] if f else ["addi", "maxsi", "subi"])
        if self.random.random() < 0.3:
            a = self.value(f"arith.{'mulf' if f else 'muli'} {a}, %half : {self.row}")
        return self.value(f"arith.{name} {a}, {b} : {self.row}")

    def inner(self, i: str, base: str, first: str, carried: str) -> str:
        """The body of the loop: the new carried row."""
        r = self.random
        row, rows = self.place(i, base, first)
        term = self.term(row, rows)
        which = r.randrange(6)
        if which == 0:  # another loop, of loaded or constant length
            ub = self.number("n", "%me") if r.random() < 0.6 else "%c2"
            self.count += 1
            name = f"%v{self.count}"
            self.emit(f"{name} = scf.for %k{self.count} = %c0 to {ub} step %c1 iter_args(%w{self.count} = {carried}) -> ({self.row}) {{")
            k, w = f"%k{self.count}", f"%w{self.count}"
            self.indent += 2
            more = self.load("x", [k, "%c0"], [1, self.width])
            self.emit(f"scf.yield {self.joined(w, self.joined(more, term))} : {self.row}")
            self.indent -= 2
            self.emit("}")
            return name
        if which == 1:  # a condition
            flag = self.load("f", [i if base == "%c0" and first == "%c0" else "%me"], [1])
            go = self.value(f"arith.cmpi sgt, {self.value(f'tensor.extract {flag}[%c0] : tensor<1xi32>')}, %three : i32")
            self.count += 1
            name = f"%v{self.count}"
            self.emit(f"{name} = scf.if {go} -> ({self.row}) {{")
            self.indent += 2
            new = self.joined(carried, term)
            self.emit(f"scf.yield {new} : {self.row}")
            self.indent -= 2
            self.emit("} else {")
            self.emit(f"  scf.yield {carried} : {self.row}")
            self.emit("}")
            return name
        if which == 2:  # a store of the iteration's own
            slot = self.value(f"tensor.expand_shape {term} [[0, 1], [2]] output_shape [1, 1, {self.width}] : {self.row} into tensor<1x1x{self.width}x{self.kind}>")
            self.store(slot, "z", ["%me", i, "%c0"], [1, 1, self.width])
        return self.joined(carried, term)

    def text(self) -> str:
        """The kernel."""
        r = self.random
        self.views: dict[str, tuple[list[int], str]] = {}
        self.emit("%me = ktdp.get_compute_tile_id : index")
        for n in range(12):
            self.emit(f"%c{n} = arith.constant {n} : index")
        self.emit("%three = arith.constant 3 : i32")
        self.emit("%next = arith.addi %me, %c1 : index")
        zero, half = ("0.0", "0.5") if self.kind[0] == "f" else ("0", "3")
        self.emit(f"%zero = arith.constant dense<{zero}> : {self.row}")
        self.emit(f"%flat = arith.constant dense<{zero}> : tensor<{self.width}x{self.kind}>")
        self.emit(f"%half = arith.constant dense<{half}> : {self.row}")
        self.view("n", [self.tiles], r.choice(["i32", "i64"]))
        self.view("o", [self.tiles + 1], "i32")
        self.view("ids", [self.rows], "i32")
        self.view("f", [max(self.rows, self.tiles)], "i32")
        self.view("x", [self.rows, self.width], self.kind)
        self.view("y", [self.tiles, self.width], self.kind)
        self.view("z", [self.tiles, self.rows + 1, self.width], self.kind)
        first, end, base = self.bounds()
        step = r.choice(["%c1", "%c1", "%c1", "%c2"])
        counted = r.random() < 0.3
        more = (", %t = %c0", ", index", ", %t1", ", index") if counted else ("", "", "", "")
        self.emit(f"%r{':2' if counted else ''} = scf.for %i = {first} to {end} step {step} iter_args(%acc = %zero{more[0]}) -> ({self.row}{more[1]}) {{")
        self.indent += 2
        new = self.inner("%i", base, first, "%acc")
        if counted:
            self.emit("%t1 = arith.addi %t, %c1 : index")
        self.emit(f"scf.yield {new}{more[2]} : {self.row}{more[3]}")
        self.indent -= 2
        self.emit("}")
        result = "%r#0" if counted else "%r"
        self.store(result, "y", ["%me", "%c0"], [1, self.width])
        if counted:
            slot = self.value(f"tensor.expand_shape {result} [[0, 1], [2]] output_shape [1, 1, {self.width}] : {self.row} into tensor<1x1x{self.width}x{self.kind}>")
            self.store(slot, "z", ["%me", "%r#1", "%c0"], [1, 1, self.width])
        names = ", ".join(f"%{n}: index" for n in self.views)
        body = "\n".join(self.lines)
        return f"module {{\n  func.func @loops({names}) attributes {{grid = [{self.tiles}]}} {{\n{body}\n    return\n  }}\n}}\n"
