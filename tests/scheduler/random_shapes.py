"""Random chains of operations that change shapes: slices (also of lower rank), insertions, broadcasts, transposes,
reshapes, concatenations, reductions, on small tensors with many extents of one."""

from __future__ import annotations

from math import prod
from random import Random

Shape = list[int]


def tensor(shape: Shape) -> str:
    """The type of a tensor."""
    return f"tensor<{''.join(f'{n}x' for n in shape)}f32>"


class Chain:
    """One kernel: a load, a chain of operations, a store of the result."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.lines: list[str] = []
        self.heads: list[str] = []
        self.shape: Shape = [1]
        self.value = ""

    def emit(self, text: str, shape: Shape) -> str:
        """Append an operation; its result becomes the value at hand."""
        self.value, self.shape = f"%v{len(self.lines)}", shape
        self.lines.append(f"    {self.value} = {text}")
        return self.value

    def constant(self, shape: Shape, number: float) -> str:
        """A splat constant."""
        name = f"%c{len(self.heads)}"
        self.heads.append(f"    {name} = arith.constant dense<{number:.6e}> : {tensor(shape)}")
        return name

    def scaled(self, number: float) -> str:
        """The value at hand times a number."""
        t = tensor(self.shape)
        return self.emit(f"arith.mulf {self.value}, {self.constant(self.shape, number)} : {t}", self.shape)

    def box(self) -> tuple[Shape, Shape, Shape]:
        """(offsets, sizes, sizes without some dimensions of extent one) of a part of the value at hand."""
        r = self.random
        sizes = [r.choice([1, n, r.randint(1, n)]) for n in self.shape]
        offsets = [r.randint(0, n - size) for n, size in zip(self.shape, sizes, strict=True)]
        kept = [n for n in sizes if n != 1 or r.random() < 0.5]
        return offsets, sizes, kept or sizes[:1]

    def part(self, offsets: Shape, sizes: Shape, kept: Shape) -> str:
        """A slice of the value at hand."""
        source, ones = tensor(self.shape), [1] * len(sizes)
        text = f"tensor.extract_slice {self.value}{offsets} {sizes} {ones} : {source} to {tensor(kept)}"
        return self.emit(text, kept)

    def step(self) -> None:
        """Append one random operation."""
        r, shape, value, t = self.random, list(self.shape), self.value, tensor(self.shape)
        rank = len(shape)
        match r.choice(("scale", "slice", "slice", "insert", "insert", "spread", "turn", "split", "join", "concat",
                        "fold", "regroup")):  # fmt: skip
            case "scale":
                self.scaled(1.5)
            case "slice":
                offsets, sizes, kept = self.box()
                self.part(offsets, sizes, kept)
            case "insert":
                offsets, sizes, kept = self.box()
                self.scaled(2.0)
                piece = self.part([0] * rank, sizes, kept)
                ones = [1] * rank
                self.emit(f"tensor.insert_slice {piece} into {value}{offsets} {sizes} {ones} : {tensor(kept)} into {t}",
                          shape)  # fmt: skip
            case "spread" if rank < 5:
                d = r.randint(0, rank)
                wide = [*shape[:d], r.choice([1, 2, 3]), *shape[d:]]
                empty = self.emit(f"tensor.empty() : {tensor(wide)}", wide)
                self.emit(f"linalg.broadcast ins({value} : {t}) outs({empty} : {tensor(wide)}) dimensions = [{d}]",
                          wide)  # fmt: skip
            case "turn" if rank > 1:
                order = r.sample(range(rank), rank)
                turned = [shape[d] for d in order]
                empty = self.emit(f"tensor.empty() : {tensor(turned)}", turned)
                self.emit(f"linalg.transpose ins({value} : {t}) outs({empty} : {tensor(turned)}) permutation = {order}",
                          turned)  # fmt: skip
            case "split" if rank < 5:
                d = r.randrange(rank)
                factor = r.choice([f for f in range(1, shape[d] + 1) if shape[d] % f == 0])
                fine = [*shape[:d], factor, shape[d] // factor, *shape[d + 1 :]]
                into = f"{t} into {tensor(fine)}"
                self.emit(f"tensor.expand_shape {value} {groups(rank, d)} output_shape {fine} : {into}", fine)
            case "join" if rank > 1:
                d = r.randrange(rank - 1)
                coarse = [*shape[:d], shape[d] * shape[d + 1], *shape[d + 2 :]]
                self.emit(f"tensor.collapse_shape {value} {groups(rank - 1, d)} : {t} into {tensor(coarse)}", coarse)
            case "concat":
                d = r.randrange(rank)
                twice = [*shape[:d], 2 * shape[d], *shape[d + 1 :]]
                other = self.scaled(3.0)
                self.emit(f"tensor.concat dim({d}) {value}, {other} : ({t}, {t}) -> {tensor(twice)}", twice)
            case "fold" if rank > 1:
                d = r.randrange(rank)
                rest = [*shape[:d], *shape[d + 1 :]]
                zero = self.constant(rest, 0.0)
                self.emit(f"linalg.reduce {{ arith.addf }} ins({value} : {t}) outs({zero} : {tensor(rest)}) "
                          f"dimensions = [{d}]", rest)  # fmt: skip
            case "regroup":
                count = prod(shape)
                rows = r.choice([f for f in range(1, count + 1) if count % f == 0])
                name = f"%s{len(self.heads)}"
                self.heads.append(f"    {name} = arith.constant dense<[{rows}, {count // rows}]> : tensor<2xindex>")
                two = [rows, count // rows]
                self.emit(f"tensor.reshape {value}({name}) : ({t}, tensor<2xindex>) -> {tensor(two)}", two)

    def tile(self, pointer: str, shape: Shape) -> str:
        """A tile over all of a new view of device memory; returns its type."""
        dims = [f"d{k}" for k in range(len(shape))]
        inside = ", ".join(f"{d} >= 0, -{d} + {n - 1} >= 0" for d, n in zip(dims, shape, strict=True))
        points, names = f"affine_set<({', '.join(dims)}) : ({inside})>", ", ".join(dims)
        strides = [prod(shape[k + 1 :]) for k in range(len(shape))]
        memref = tensor(shape).replace("tensor", "memref")
        view = self.emit(
            f"ktdp.construct_memory_view %{pointer}, sizes: {shape}, strides: {strides} {{coordinate_set = {points}, "
            f"memory_space = #ktdp.memory_space<global>}} : {memref}", shape,
        )  # fmt: skip
        kind = f"!ktdp.access_tile<{'x'.join(map(str, shape))}xindex>"
        self.emit(
            f"ktdp.construct_access_tile {view}[{', '.join(['%zero'] * len(shape))}] {{access_tile_set = {points}, "
            f"access_tile_order = affine_map<({names}) -> ({names})>}} : {memref} -> {kind}", shape,
        )  # fmt: skip
        return kind

    def text(self) -> str:
        """The kernel."""
        r = self.random
        shape = [r.choice([1, 1, 2, 3, 4, 5, 8]) for _ in range(r.randint(1, 3))] + [r.choice([1, 2, 6, 32, 40])]
        kind = self.tile("x", shape)
        self.emit(f"ktdp.load {self.value} : {kind} -> {tensor(shape)}", shape)
        for _ in range(r.randint(3, 7)):
            self.step()
        result, shape = self.value, self.shape
        kind = self.tile("y", shape)
        self.lines.append(f"    ktdp.store {result}, {self.value} : {tensor(shape)}, {kind}")
        head = ["module {", "  func.func @chain(%x: index, %y: index) attributes {grid = [1]} {",
                "    %zero = arith.constant 0 : index"]  # fmt: skip
        return "\n".join([*head, *self.heads, *self.lines, "    return", "  }", "}", ""])


def groups(rank: int, d: int) -> list[list[int]]:
    """The reassociation of `rank` dimensions in which dimension `d` is two."""
    return [[k] if k < d else [k, k + 1] if k == d else [k + 1] for k in range(rank)]
