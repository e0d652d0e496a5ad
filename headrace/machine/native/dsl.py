"""A small typed layer over ``llvmlite.ir.IRBuilder``: 64-bit integers with operators, records of words,
structured control.

>>> from headrace.machine.native.mode import Mode, ModeModule
>>> m = ModeModule("example", Mode.TIMED)
>>> f = Function(m, "twice_sum", 1)
>>> p = f.record(f.args[0], Words("a", "b"))
>>> p.a = p.a + p.b
>>> f.ret(p.a * 2)

A value is an ``i64``; a pointer is kept as an integer and cast where it is used. ``Var`` is a mutable local.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

from headrace.machine.native.mode import ModeModule

I64 = ir.IntType(64)
I32 = ir.IntType(32)
I8 = ir.IntType(8)
I1 = ir.IntType(1)
PTR = ir.PointerType()
MAX = (1 << 63) - 1
"""A time that never comes."""


class Words:
    """Layout of a record of 64-bit words: name -> word offset. ``name:n`` reserves n words, ``low|high`` are unsigned
    halves of one word: name -> offset in halves in ``half``."""

    def __init__(self, *names: str) -> None:
        self.offset: dict[str, int] = {}
        self.half: dict[str, int] = {}
        at = 0
        for spec in names:
            name, _, n = spec.partition(":")
            low, _, high = name.partition("|")
            if high:
                self.half[low], self.half[high] = 2 * at, 2 * at + 1
            else:
                self.offset[name] = at
            at += int(n or 1)
        self.size = at

    def __getitem__(self, name: str) -> int:
        return self.offset[name]


class Value:
    """An ``i64`` (or an ``i1`` of a comparison) with Python operators; comparisons are signed."""

    __slots__ = ("f", "v")

    def __init__(self, f: Function, v: Any) -> None:
        self.f, self.v = f, v

    def _bin(self, op: str, other: Any) -> Value:
        return Value(self.f, getattr(self.f.b, op)(self.v, self.f.raw(other)))

    def _rbin(self, op: str, other: Any) -> Value:
        return Value(self.f, getattr(self.f.b, op)(self.f.raw(other), self.v))

    def __add__(self, o: Any) -> Value:
        return self._bin("add", o)

    __radd__ = __add__

    def __sub__(self, o: Any) -> Value:
        return self._bin("sub", o)

    def __rsub__(self, o: Any) -> Value:
        return self._rbin("sub", o)

    def __mul__(self, o: Any) -> Value:
        return self._bin("mul", o)

    __rmul__ = __mul__

    def __and__(self, o: Any) -> Value:
        return self._bin("and_", o)

    def __or__(self, o: Any) -> Value:
        return self._bin("or_", o)

    def __lshift__(self, o: Any) -> Value:
        return self._bin("shl", o)

    def __rshift__(self, o: Any) -> Value:
        return self._bin("lshr", o)

    def udiv(self, o: Any) -> Value:
        """Unsigned quotient."""
        return self._bin("udiv", o)

    def cmp(self, pred: str, o: Any) -> Value:
        """Signed comparison."""
        return Value(self.f, self.f.b.icmp_signed(pred, self.v, self.f.raw(o)))

    def __lt__(self, o: Any) -> Value:
        return self.cmp("<", o)

    def __le__(self, o: Any) -> Value:
        return self.cmp("<=", o)

    def __gt__(self, o: Any) -> Value:
        return self.cmp(">", o)

    def __ge__(self, o: Any) -> Value:
        return self.cmp(">=", o)

    def __eq__(self, o: Any) -> Value:  # type: ignore[override]
        return self.cmp("==", o)

    def __ne__(self, o: Any) -> Value:  # type: ignore[override]
        return self.cmp("!=", o)

    __hash__ = None  # type: ignore[assignment]

    def max(self, o: Any) -> Value:
        """Signed maximum."""
        return self.f.select(self > o, self, o)

    def min(self, o: Any) -> Value:
        """Signed minimum."""
        return self.f.select(self < o, self, o)


class Var:
    """A local variable of a function."""

    __slots__ = ("f", "p")

    def __init__(self, f: Function, init: Any) -> None:
        self.f = f
        with f.b.goto_entry_block():
            self.p = f.b.alloca(I64)
        f.b.store(f.raw(init), self.p)

    def get(self) -> Value:
        """Current value."""
        return Value(self.f, self.f.b.load(self.p, typ=I64))

    def set(self, value: Any) -> None:
        """Assign."""
        self.f.b.store(self.f.raw(value), self.p)


class Record:
    """Words at an address, as attributes by the names of a :class:`Words` layout."""

    _f: Any
    _p: Any
    _layout: Any

    def __init__(self, f: Function, base: Any, layout: Words) -> None:
        object.__setattr__(self, "_f", f)
        object.__setattr__(self, "_p", f.pointer(base))
        object.__setattr__(self, "_layout", layout)

    def at(self, name: str, index: int = 0) -> Any:
        """LLVM pointer to a word."""
        return self._f.b.gep(self._p, [ir.Constant(I64, self._layout[name] + index)], source_etype=I64)

    def word(self, index: Any) -> Any:
        """LLVM pointer to word ``index`` (a number or a value) of the record."""
        return self._f.b.gep(self._p, [self._f.raw(index)], source_etype=I64)

    def address(self, name: str = "", index: int = 0) -> Value:
        """Address of a word (of the record without a name) as an integer."""
        return Value(self._f, self._f.b.ptrtoint(self.at(name, index) if name else self._p, I64))

    def _half(self, name: str) -> Any:
        return self._f.b.gep(self._p, [ir.Constant(I64, self._layout.half[name])], source_etype=I32)

    def __getattr__(self, name: str) -> Value:
        b = self._f.b
        if name in self._layout.half:
            return Value(self._f, b.zext(b.load(self._half(name), typ=I32, align=4), I64))
        return Value(self._f, b.load(self.at(name), typ=I64))

    def __setattr__(self, name: str, value: Any) -> None:
        b, raw = self._f.b, self._f.raw(value)
        if name in self._layout.half:
            b.store(b.trunc(raw, I32), self._half(name), align=4)
        else:
            b.store(raw, self.at(name))


class Function:
    """A function of 64-bit words to a 64-bit word, and what builds its body."""

    def __init__(
        self, module: ModeModule, name: str, n_args: int, external: bool = True, pointer: bool = False
    ) -> None:
        self.module = module
        declared: Any = module.globals.get(name)
        self.fn = declared or ir.Function(module, ir.FunctionType(I64, [PTR if pointer else I64] * n_args), name)
        if not external:
            self.fn.linkage = "internal"
        self.b = ir.IRBuilder(self.fn.append_basic_block("entry"))
        self.args = [Value(self, a) for a in self.fn.args]

    def raw(self, x: Any) -> Any:
        """The LLVM value of a :class:`Value`, :class:`Var`, number or LLVM value."""
        if isinstance(x, Value):
            return x.v
        if isinstance(x, Var):
            return x.get().v
        if isinstance(x, int):
            return ir.Constant(I64, x)
        return x

    def value(self, x: Any) -> Value:
        """``x`` as a :class:`Value`."""
        return x if isinstance(x, Value) else Value(self, self.raw(x))

    def pointer(self, x: Any) -> Any:
        """``x`` as an LLVM pointer."""
        v = self.raw(x)
        return v if isinstance(v.type, ir.PointerType) else self.b.inttoptr(v, PTR)

    def record(self, base: Any, layout: Words) -> Record:
        """Words at ``base``."""
        return Record(self, base, layout)

    def load(self, address: Any, index: Any = 0) -> Value:
        """Word ``index`` at ``address``."""
        p = self.b.gep(self.pointer(address), [self.raw(index)], source_etype=I64)
        return Value(self, self.b.load(p, typ=I64))

    def store(self, address: Any, value: Any, index: Any = 0) -> None:
        """Assign word ``index`` at ``address``."""
        p = self.b.gep(self.pointer(address), [self.raw(index)], source_etype=I64)
        self.b.store(self.raw(value), p)

    def var(self, init: Any = 0) -> Var:
        """New local variable."""
        return Var(self, init)

    def select(self, cond: Any, a: Any, b: Any) -> Value:
        """``a if cond else b``, both evaluated."""
        return Value(self, self.b.select(self.raw(cond), self.raw(a), self.raw(b)))

    @contextmanager
    def if_(self, cond: Any, likely: bool | None = None) -> Iterator[None]:
        """Body runs when ``cond``."""
        with self.b.if_then(self.raw(cond), likely=likely):
            yield

    @contextmanager
    def if_else(self, cond: Any, likely: bool | None = None) -> Iterator[tuple[Any, Any]]:
        """Yields two context managers, for the cases."""
        with self.b.if_else(self.raw(cond), likely=likely) as branches:
            yield branches

    @contextmanager
    def while_(self, cond: Callable[[], Any]) -> Iterator[Any]:
        """Body repeats while ``cond()``; yields the block behind the loop (to branch to it)."""
        head, body, end = (self.fn.append_basic_block(n) for n in ("while", "do", "done"))
        self.b.branch(head)
        self.b.position_at_end(head)
        self.b.cbranch(self.raw(cond()), body, end)
        self.b.position_at_end(body)
        yield end
        if not self._terminated():
            self.b.branch(head)
        self.b.position_at_end(end)

    @contextmanager
    def range(self, count: Any) -> Iterator[Value]:
        """Body runs for 0 .. count-1."""
        i = self.var(0)
        with self.while_(lambda: i.get() < count):
            yield i.get()
            if not self._terminated():
                i.set(i.get() + 1)

    def _terminated(self) -> bool:
        block: Any = self.b.block
        return block.is_terminated

    def call(self, name: str, *args: Any) -> Value:
        """Call a function of words by name (declared if the module does not have it)."""
        fn = self.module.globals.get(name)
        if fn is None:
            fn = ir.Function(self.module, ir.FunctionType(I64, [I64] * len(args)), name)
        return Value(self, self.b.call(fn, [self.raw(a) for a in args]))

    def call_pointer(self, target: Any, *args: Any) -> Value:
        """Call through a pointer."""
        fnty = ir.FunctionType(I64, [I64] * len(args))
        typed = self.b.inttoptr(self.raw(target), fnty.as_pointer())
        return Value(self, self.b.call(typed, [self.raw(a) for a in args]))

    def ret(self, value: Any = 0) -> None:
        """Return."""
        self.b.ret(self.raw(value))

    def copy(self, dst: Any, src: Any, size: Any) -> None:
        """memcpy of ``size`` bytes."""
        memcpy = self.module.declare_intrinsic("llvm.memcpy", [PTR, PTR, I64])
        self.b.call(memcpy, [self.pointer(dst), self.pointer(src), self.raw(size), ir.Constant(I1, 0)])

    def least(self, address: Any, count: Any) -> Value:
        """The least of ``count`` words, a multiple of four."""
        b, four = self.b, ir.VectorType(I64, 4)
        with b.goto_entry_block():
            found = b.alloca(four)
        b.store(ir.Constant(four, [MAX] * 4), found)
        with self.range(self.value(count) >> 2) as k:
            words = b.load(b.gep(self.pointer(address), [(k << 2).v], source_etype=I64), typ=four, align=8)
            so_far = b.load(found, typ=four)
            b.store(b.select(b.icmp_signed("<", words, so_far), words, so_far), found)
        lanes = [Value(self, b.extract_element(b.load(found, typ=four), ir.Constant(I64, k))) for k in range(4)]
        return lanes[0].min(lanes[1]).min(lanes[2].min(lanes[3]))

    def find(self, address: Any, value: Any) -> Value:
        """Index of the first word that equals ``value``; there is one, and the words' number is a multiple of four."""
        b, four = self.b, ir.VectorType(I64, 4)
        wanted = ir.Constant(four, ir.Undefined)
        for k in range(4):
            wanted = b.insert_element(wanted, self.raw(value), ir.Constant(I64, k))
        at, hits = self.var(-4), self.var(0)
        with self.while_(lambda: hits.get() == 0):
            at.set(at.get() + 4)
            words = b.load(b.gep(self.pointer(address), [at.get().v], source_etype=I64), typ=four, align=8)
            equal = b.bitcast(b.icmp_signed("==", words, wanted), ir.IntType(4))
            hits.set(Value(self, b.zext(equal, I64)))
        return at.get() + Value(self, b.cttz(hits.get().v, ir.Constant(I1, 1)))

    def prefetch(self, address: Any, write: bool = False) -> None:
        """Ask for the cache line at ``address`` (any number does), to read or to write it."""
        word = ir.IntType(32)
        fn = self.module.declare_intrinsic("llvm.prefetch", [PTR], ir.FunctionType(ir.VoidType(), [PTR, *[word] * 3]))
        self.b.call(fn, [self.pointer(address), *(ir.Constant(word, n) for n in (int(write), 3, 1))])
