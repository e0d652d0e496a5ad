"""The fixed generator of random graphs: the same seed, size and features give the same text on every machine.

A graph has elementwise operations, contractions, reductions, slices, updates and fills on small tensors; with the
features also loops (values made fresh, updated in place, swapped, handed on), branches, `while` loops, globals, host
reads and several devices with explicit placement. Every kernel has a cost in nanoseconds.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Features:
    """What a graph may contain."""

    devices: int = 1
    loops: bool = True
    branches: bool = True
    whiles: bool = True
    globals: bool = True
    host_reads: bool = True
    slices: bool = True


def _text(shape: Shape) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


@dataclass
class _Value:
    name: str
    shape: Shape
    device: int


class _Generator:
    def __init__(self, seed: int, nodes: int, features: Features):
        self.random = random.Random(f"{seed}/{nodes}/{features}")
        self.nodes = nodes
        self.features = features
        self.lines: list[str] = []
        self.count = 0
        self.made = 0
        self.indent = "  "
        self.shapes: list[Shape] = [(self.random.choice((4, 8, 16)), self.random.choice((8, 16))) for _ in range(3)]
        self.global_shapes: list[tuple[str, Shape, int]] = []

    def name(self, stem: str = "v") -> str:
        """A new value name."""
        self.count += 1
        return f"%{stem}{self.count}"

    def emit(self, line: str) -> None:
        """One line."""
        self.lines.append(self.indent + line)

    def place(self, device: int) -> str:
        """The attribute that pins an operation."""
        cost = f"headrace.cost = {self.random.randrange(2, 60) * 1000} : i64"
        if self.features.devices == 1:
            return f"{{{cost}}}"
        return f"{{{cost}, stream.affinity = #hal.device.affinity<@dev{device}>}}"

    # ---- operations -------------------------------------------------------------------------------------------------

    def pick(self, pool: list[_Value], shape: Shape | None = None) -> _Value | None:
        """A value, recent ones more often."""
        found = [v for v in pool if shape is None or v.shape == shape]
        if not found:
            return None
        return found[-1 - min(len(found) - 1, int(self.random.expovariate(0.35)))]

    def at(self, value: _Value, device: int) -> _Value:
        """A value on a device, by an explicit transfer where it is elsewhere."""
        if value.device == device or self.features.devices == 1:
            return value
        name = self.name("t")
        kind = _text(value.shape)
        self.emit(f"{name} = flow.tensor.transfer {value.name} : {kind} to #hal.device.affinity<@dev{device}>")
        return _Value(name, value.shape, device)

    def step(self, pool: list[_Value], depth: int) -> None:
        """One more operation (or loop, or branch)."""
        self.made += 1
        options = ["unary"] * 3 + ["binary"] * 6 + ["matmul"] * 3 + ["reduce"]
        f = self.features
        if f.slices:
            options += ["slice", "update", "update", "fill"]
        if depth < 2 and self.made + 4 < self.nodes:
            options += ["for"] * 2 * f.loops + ["if"] * f.branches + ["while"] * f.whiles
        if f.globals and self.global_shapes:
            options += ["global"] * 2
        if f.host_reads and depth == 0:
            options += ["read"]
        getattr(self, "_" + self.random.choice(options))(pool, depth)

    def _put(self, pool: list[_Value], name: str, shape: Shape, device: int) -> None:
        pool.append(_Value(name, shape, device))

    def _unary(self, pool: list[_Value], depth: int) -> None:
        a = self.pick(pool)
        assert a is not None
        name = self.name()
        op = self.random.choice(("arith.negf", "math.absf"))
        self.emit(f"{name} = {op} {a.name} {self.place(a.device)} : {_text(a.shape)}")
        self._put(pool, name, a.shape, a.device)

    def _binary(self, pool: list[_Value], depth: int) -> None:
        a = self.pick(pool)
        assert a is not None
        b = self.pick(pool, a.shape)
        assert b is not None
        device = self.random.choice((a.device, b.device))
        a, b = self.at(a, device), self.at(b, device)
        name = self.name()
        op = self.random.choice(("arith.addf", "arith.subf", "arith.maximumf", "arith.minimumf"))
        self.emit(f"{name} = {op} {a.name}, {b.name} {self.place(device)} : {_text(a.shape)}")
        self._put(pool, name, a.shape, device)

    def _matmul(self, pool: list[_Value], depth: int) -> None:
        a = self.pick([v for v in pool if len(v.shape) == 2])
        if a is None:
            return
        b = self.pick([v for v in pool if len(v.shape) == 2 and v.shape[0] == a.shape[1]])
        if b is None:
            self._binary(pool, depth)
            return
        device = self.random.choice((a.device, b.device))
        a, b = self.at(a, device), self.at(b, device)
        shape = (a.shape[0], b.shape[1])
        kind = _text(shape)
        empty, init, scaled, name = self.name("e"), self.name("i"), self.name("m"), self.name()
        self.emit(f"{empty} = tensor.empty() : {kind}")
        self.emit(f"{init} = linalg.fill ins(%zero : f32) outs({empty} : {kind}) -> {kind}")
        self.emit(
            f"{scaled} = linalg.matmul {self.place(device)} ins({a.name}, {b.name} : {_text(a.shape)}, "
            f"{_text(b.shape)}) outs({init} : {kind}) -> {kind}"
        )
        # Keep magnitudes bounded, so that loops do not overflow.
        place = self.place(device)
        self.emit(f"{name}a = math.tanh {scaled} {place} : {kind}")
        self._put(pool, name + "a", shape, device)

    def _reduce(self, pool: list[_Value], depth: int) -> None:
        a = self.pick([v for v in pool if len(v.shape) == 2])
        if a is None:
            return
        shape = (a.shape[0],)
        kind = _text(shape)
        empty, init, name = self.name("e"), self.name("i"), self.name()
        self.emit(f"{empty} = tensor.empty() : {kind}")
        self.emit(f"{init} = linalg.fill ins(%zero : f32) outs({empty} : {kind}) -> {kind}")
        self.emit(
            f"{name} = linalg.reduce {{ arith.maximumf }} ins({a.name} : {_text(a.shape)}) outs({init} : {kind}) "
            f"dimensions = [1] {self.place(a.device)}"
        )
        self._put(pool, name, shape, a.device)

    def _slice(self, pool: list[_Value], depth: int) -> None:
        a = self.pick([v for v in pool if len(v.shape) == 2 and v.shape[0] >= 4])
        if a is None:
            return
        rows = a.shape[0] // 2
        start = self.random.choice((0, a.shape[0] - rows))
        shape = (rows, a.shape[1])
        name = self.name()
        self.emit(
            f"{name} = tensor.extract_slice {a.name}[{start}, 0] [{rows}, {a.shape[1]}] [1, 1] : {_text(a.shape)} to "
            f"{_text(shape)}"
        )
        self._put(pool, name, shape, a.device)

    def _update(self, pool: list[_Value], depth: int) -> None:
        pairs = [
            (u, t)
            for t in pool[-12:]
            for u in pool[-12:]
            if len(t.shape) == 2 == len(u.shape) and u is not t
            if u.shape[1] == t.shape[1] and u.shape[0] <= t.shape[0]
        ]
        if not pairs:
            return
        u, t = self.random.choice(pairs)
        u = self.at(u, t.device)
        start = self.random.choice((0, t.shape[0] - u.shape[0]))
        name = self.name()
        self.emit(
            f"{name} = tensor.insert_slice {u.name} into {t.name}[{start}, 0] [{u.shape[0]}, {u.shape[1]}] [1, 1] : "
            f"{_text(u.shape)} into {_text(t.shape)}"
        )
        self._put(pool, name, t.shape, t.device)

    def _fill(self, pool: list[_Value], depth: int) -> None:
        a = self.pick(pool)
        assert a is not None
        empty, name = self.name("e"), self.name()
        kind = _text(a.shape)
        self.emit(f"{empty} = tensor.empty() : {kind}")
        self.emit(f"{name} = linalg.fill ins(%half : f32) outs({empty} : {kind}) -> {kind}")
        self._put(pool, name, a.shape, a.device)

    def _global(self, pool: list[_Value], depth: int) -> None:
        symbol, shape, device = self.random.choice(self.global_shapes)
        kind = _text(shape)
        loaded = self.name("g")
        self.emit(f"{loaded} = util.global.load @{symbol} : {kind}")
        value = _Value(loaded, shape, device)
        choice = self.random.randrange(4)
        if choice == 0:
            self._put(pool, loaded, shape, device)
            return
        other = self.pick(pool, shape)
        if choice == 1 and len(shape) == 2:
            fits = [v for v in pool if len(v.shape) == 2 and v.shape[1] == shape[1] and v.shape[0] < shape[0]]
            rows = self.pick(fits)
            if rows is not None:
                rows = self.at(rows, device)
                name = self.name()
                self.emit(
                    f"{name} = tensor.insert_slice {rows.name} into {loaded}[0, 0] [{rows.shape[0]}, {shape[1]}] "
                    f"[1, 1] : {_text(rows.shape)} into {kind}"
                )
                self.emit(f"util.global.store {name}, @{symbol} : {kind}")
                if self.random.random() < 0.5:
                    self._put(pool, name, shape, device)
                return
        if other is None:
            self._put(pool, loaded, shape, device)
            return
        if choice == 2 and self.random.random() < 0.3:
            moved = self.at(other, device)
            self.emit(f"util.global.store {moved.name}, @{symbol} : {kind}")
            self._put(pool, loaded, shape, device)
            return
        other = self.at(other, device)
        name = self.name()
        self.emit(f"{name} = arith.maximumf {value.name}, {other.name} {self.place(device)} : {kind}")
        self.emit(f"util.global.store {name}, @{symbol} : {kind}")
        self._put(pool, name if self.random.random() < 0.5 else loaded, shape, device)

    def _read(self, pool: list[_Value], depth: int) -> None:
        a = self.pick([v for v in pool if len(v.shape) == 2])
        if a is None:
            return
        scalar, name, empty, spread = self.name("s"), self.name(), self.name("e"), self.name("i")
        kind = _text(a.shape)
        self.emit(f"{scalar} = tensor.extract {a.name}[%c0, %c1] : {kind}")
        self.emit(f"{empty} = tensor.empty() : {kind}")
        self.emit(f"{spread} = linalg.fill ins({scalar} : f32) outs({empty} : {kind}) -> {kind}")
        self.emit(f"{name} = arith.minimumf {a.name}, {spread} {self.place(a.device)} : {kind}")
        self._put(pool, name, a.shape, a.device)

    # ---- control flow -----------------------------------------------------------------------------------------------

    def _carried(self, pool: list[_Value]) -> list[_Value]:
        found = [self.pick(pool) for _ in range(self.random.randrange(1, 4))]
        return [v for v in found if v is not None]

    def _yields(self, inner: list[_Value], carried: list[_Value]) -> list[str]:
        names: list[str] = []
        for c in carried:
            value = self.pick(inner, c.shape)
            assert value is not None
            names.append(self.at(value, c.device).name)
        return names

    def _body(self, pool: list[_Value], arguments: list[_Value], depth: int) -> list[_Value]:
        inner = [*pool[-6:], *arguments]
        for _ in range(self.random.randrange(1, 5)):
            self.step(inner, depth + 1)
        return inner

    def _for(self, pool: list[_Value], depth: int) -> None:
        carried = self._carried(pool)
        arguments = [_Value(self.name("a"), c.shape, c.device) for c in carried]
        results = self.name("r")
        kinds = ", ".join(_text(c.shape) for c in carried)
        inits = ", ".join(f"{a.name} = {c.name}" for a, c in zip(arguments, carried, strict=True))
        bound = self.random.choice(("%n", "%c2", "%c3", "%c0"))
        iv = self.name("k")
        label = f"{results}:{len(carried)}" if len(carried) > 1 else results
        self.emit(f"{label} = scf.for {iv} = %c0 to {bound} step %c1 iter_args({inits}) -> ({kinds}) {{")
        self.indent += "  "
        inner = self._body(pool, arguments, depth)
        self.emit(f"scf.yield {', '.join(self._yields(inner, carried))} : {kinds}")
        self.indent = self.indent[:-2]
        self.emit("}")
        self._results(pool, results, carried)

    def _results(self, pool: list[_Value], results: str, carried: list[_Value]) -> None:
        for i, c in enumerate(carried):
            name = f"{results}#{i}" if len(carried) > 1 else results
            self._put(pool, name, c.shape, c.device)

    def _if(self, pool: list[_Value], depth: int) -> None:
        carried = self._carried(pool)
        kinds = ", ".join(_text(c.shape) for c in carried)
        results = self.name("r")
        label = f"{results}:{len(carried)}" if len(carried) > 1 else results
        condition = self.random.choice(("%small", "%large"))
        self.emit(f"{label} = scf.if {condition} -> ({kinds}) {{")
        self.indent += "  "
        inner = self._body(pool, carried, depth)
        self.emit(f"scf.yield {', '.join(self._yields(inner, carried))} : {kinds}")
        self.indent = self.indent[:-2]
        self.emit("} else {")
        self.indent += "  "
        inner = self._body(pool, carried, depth) if self.random.random() < 0.6 else [*carried]
        self.emit(f"scf.yield {', '.join(self._yields(inner, carried))} : {kinds}")
        self.indent = self.indent[:-2]
        self.emit("}")
        self._results(pool, results, carried)

    def _while(self, pool: list[_Value], depth: int) -> None:
        carried = self._carried(pool)
        kinds = ", ".join(["index", *(_text(c.shape) for c in carried)])
        results = self.name("r")
        outer = [_Value(self.name("a"), c.shape, c.device) for c in carried]
        inner_args = [_Value(self.name("b"), c.shape, c.device) for c in carried]
        counter, again, next_counter, body_counter = self.name("k"), self.name("c"), self.name("k"), self.name("k")
        inits = ", ".join([f"{counter} = %c0", *(f"{a.name} = {c.name}" for a, c in zip(outer, carried, strict=True))])
        bound = self.random.choice(("%n", "%c2", "%c0"))
        self.emit(f"{results}:{1 + len(carried)} = scf.while ({inits}) : ({kinds}) -> ({kinds}) {{")
        self.indent += "  "
        self.emit(f"{again} = arith.cmpi slt, {counter}, {bound} : index")
        self.emit(f"scf.condition({again}) {', '.join([counter, *(a.name for a in outer)])} : {kinds}")
        self.indent = self.indent[:-2]
        self.emit("} do {")
        arguments = ", ".join(
            [f"{body_counter}: index", *(f"{a.name}: {_text(a.shape)}" for a in inner_args)]
        )
        self.emit(f"^bb0({arguments}):")
        self.indent += "  "
        inner = self._body(pool, inner_args, depth)
        self.emit(f"{next_counter} = arith.addi {body_counter}, %c1 : index")
        self.emit(f"scf.yield {', '.join([next_counter, *self._yields(inner, carried)])} : {kinds}")
        self.indent = self.indent[:-2]
        self.emit("}")
        for i, c in enumerate(carried):
            self._put(pool, f"{results}#{i + 1}", c.shape, c.device)

    # ---- the module -------------------------------------------------------------------------------------------------

    def module(self) -> str:
        """The whole text."""
        head: list[str] = []
        f = self.features
        if f.devices > 1:
            head += [f"util.global private @dev{d} : !hal.device" for d in range(f.devices)]
        if f.globals:
            for i in range(self.random.randrange(1, 3)):
                shape, device = self.random.choice(self.shapes), self.random.randrange(f.devices)
                pin = f" {{stream.affinity = #hal.device.affinity<@dev{device}>}}" if f.devices > 1 else ""
                head.append(f"util.global private mutable @state{i}{pin} = dense<0.25> : {_text(shape)}")
                self.global_shapes.append((f"state{i}", shape, device))
        pool: list[_Value] = []
        arguments: list[str] = []
        for i in range(4):
            shape, device = self.random.choice(self.shapes), self.random.randrange(f.devices)
            pin = f" {{iree.abi.affinity = #hal.device.affinity<@dev{device}>}}" if f.devices > 1 else ""
            arguments.append(f"%x{i}: {_text(shape)}{pin}")
            pool.append(_Value(f"%x{i}", shape, device))
        for line in (
            "%zero = arith.constant 0.0 : f32", "%half = arith.constant 0.5 : f32", "%c0 = arith.constant 0 : index",
            "%c1 = arith.constant 1 : index", "%c2 = arith.constant 2 : index", "%c3 = arith.constant 3 : index",
            "%small = arith.cmpi slt, %n, %c2 : index", "%large = arith.cmpi sgt, %n, %c2 : index",
        ):  # fmt: skip
            self.emit(line)
        while self.made < self.nodes:
            self.step(pool, 0)
        results = pool[-min(3, len(pool)) :]
        if self.random.random() < 0.3:
            results = [*results, pool[0]]
        kinds = ", ".join(_text(v.shape) for v in results)
        self.emit(f"util.return {', '.join(v.name for v in results)} : {kinds}")
        text = "\n".join(head) + ("\n" if head else "")
        text += f"util.func public @graph({', '.join(arguments)}, %n: index) -> ({kinds}) {{\n"
        return text + "\n".join(self.lines) + "\n}\n"


def random_graph(seed: int, nodes: int, features: Features | None = None) -> str:
    """The text of a graph with about `nodes` operations."""
    return _Generator(seed, nodes, features or Features()).module()
