"""Where the units of a program must wait for each other, derived from the buffers they share.

For each pair of unit kinds (A, B) and each group of buffers that both touch, one of them writing, the accesses in
program order are cut into *transactions* `A* B*`. Around each transaction the buffer changes hands twice:

```
A: wait free   A's accesses   signal full          B: wait full   B's accesses   signal free
```

Signals count and go one way. A group starts in A's hands: B sends one `free` credit per buffer of the group before the
first transaction, and A receives the outstanding ones after the last, so that all counters end at zero. Groups that
rotate through N buffers (`buffer_phase`) have N credits, which lets A run N transactions ahead; their credits live
around the outermost loop of the rotation, or around loops outside of it where every run of the rotation takes each
buffer equally often: A then prepares the next run while B is in this one. Every wait has its signal earlier in program
order, so no cycle can form. Where B overwrites piece by piece what A has read, the queues between them take the place
of `full` (`in_place`).

A buffer that is updated piece by piece has a credit for each piece (`exchanges`), one that is written in one loop over
rows and read in others a credit for each row (`row_buffers`).

Instances of one kind that write the same buffer one operation after the other, as programs that were made one do, wait
for each other in between: each one signals all others of its core, and waits for them (`_turns`).

Dependences that no transaction carries from one iteration to the next need no credits: a transaction that is executed
once, and an in-place update whose iterations touch different bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from xdsl.ir import Block, Operation

from headrace.scheduler.build import ancestors, constant_of
from headrace.scheduler.lower.accesses import Access, disjoint, enclosing_loops, streams, trip_count
from headrace.scheduler.lower.exchanges import ahead
from headrace.scheduler.lower.in_place import paced_by_values
from headrace.scheduler.lower.memrefs import candidates, resolve
from headrace.scheduler.lower.row_buffers import ends, rows_each

MERGED = "headrace.merged"
"""Attribute of a function made of several programs: what its pipelines share may cross instances of units."""


@dataclass(frozen=True, eq=False)
class Event:
    """One signal (or wait for it) next to the operation `anchor`."""

    anchor: Operation
    before: bool
    sender: str
    receiver: str
    send: bool
    signal: int
    count: int = 1
    same_corelet: bool = False


@dataclass(eq=False)
class Transaction:
    """Consecutive accesses of A then of B in one block; the lists hold the block's operations that contain them."""

    block: Block
    first: list[Operation] = field(default_factory=list)
    second: list[Operation] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)
    around: Operation | None = None
    """The `ktdf.parallel` that this stands for as a whole: both kinds are in it, ordered among themselves there."""

    def sides(self, a: str) -> tuple[list[Access], list[Access]]:
        """The accesses of kind A and those of the other."""
        return [x for x in self.accesses if x.kind == a], [x for x in self.accesses if x.kind != a]


@dataclass(eq=False)
class _Domain:
    """Transactions under common credits: of one phase rotation (around `loop`), or of the whole function (None)."""

    loop: Operation | None
    credits: int
    transactions: list[Transaction]
    carried: bool
    same_corelet: bool
    swapped: bool = False
    """Whether the kinds change roles: what B does comes first here."""
    by_row: bool = False
    """Whether the transactions' operations are loops in whose iterations the buffer changes hands."""


def plan(func: Operation, accesses: list[Access], instances: Mapping[str, int]) -> list[Event]:
    """All events of a function, in the order in which those of one anchor must stand.

    `instances`: how many units of each kind a core has.
    """
    domains: dict[tuple, tuple[str, str, _Domain]] = {}
    for group in sorted({a.group for a in accesses}):
        members = [a for a in accesses if a.group == group]
        kinds = list(dict.fromkeys(a.kind for a in members))
        for i, a in enumerate(kinds):
            for b in kinds[i + 1 :]:
                pair = [x for x in members if x.kind in (a, b)]
                if not any(x.write for x in pair):
                    continue
                if not any((x.write or y.write) for x in pair if x.kind == a for y in pair if y.kind == b):
                    continue
                for domain in _domains(func, pair, a):
                    first, second = (b, a) if domain.swapped else (a, b)
                    key = (
                        first, second, domain.loop, domain.credits, domain.carried, domain.same_corelet, domain.by_row,
                        tuple((t.block, tuple(t.first), tuple(t.second)) for t in domain.transactions),
                    )  # fmt: skip
                    domains.setdefault(key, (first, second, domain))
    events: list[Event] = []
    for number, (a, b, domain) in enumerate(domains.values()):
        events += _events(func, a, b, domain, full=2 * number + 1, free=2 * number + 2)
    if MERGED in func.attributes:
        events = [*_turns(func, accesses, instances, 2 * len(domains) + 1), *events]
    return events


def _turns(func: Operation, accesses: list[Access], instances: Mapping[str, int], number: int) -> list[Event]:
    """What keeps instances of one kind in order that write a buffer in consecutive operations: between two of them each
    one waits for all others. Operations of another kind in between do that already; signals count from `number` on."""
    events: list[Event] = []
    for group in sorted({a.group for a in accesses}):
        members = [a for a in accesses if a.group == group]
        for kind in dict.fromkeys(a.kind for a in members if a.write and not a.own and instances[a.kind] > 1):
            holders, per_op = _holders(func, members)
            transactions: list[Transaction] = []
            _scan(func.regions[0].block, kind, holders, per_op, transactions)
            for t in transactions:
                if _parallel_of(t) is not None:
                    continue
                before: list[Access] = []
                for op in t.first:
                    writes = [a for a in per_op[op] if a.write]
                    if any(not disjoint(a, b) for a in before for b in writes):
                        for send in (True, False):
                            events.append(Event(op, True, kind, kind, send, number))
                        number += 1
                        before = []
                    before += writes
    return events


def _holders(func: Operation, members: list[Access]) -> tuple[dict[Operation, set[str]], dict[Operation, list[Access]]]:
    """The unit kinds, and the accesses, of each operation around some of the accesses."""
    holders: dict[Operation, set[str]] = {}
    per_op: dict[Operation, list[Access]] = {}
    for access in members:
        node: Operation | None = access.stage
        while node is not None and node is not func:
            holders.setdefault(node, set()).add(access.kind)
            per_op.setdefault(node, []).append(access)
            node = node.parent_op()
    return holders, per_op


def _domains(func: Operation, pair: list[Access], a: str) -> list[_Domain]:
    holders, per_op = _holders(func, pair)
    transactions: list[Transaction] = []
    _scan(func.regions[0].block, a, holders, per_op, transactions)
    rotating: dict[Operation, list[tuple[Transaction, int]]] = {}
    rest: list[Transaction] = []
    for t in transactions:
        rotation = _rotation(t)
        if rotation is None:
            rest.append(t)
        else:
            rotating.setdefault(rotation[0], []).append((t, rotation[1]))
    result: list[_Domain] = []
    for loop, entries in rotating.items():
        inside = [t for t in transactions if _within(t.block, loop)]
        if len(inside) == 1 and len(entries) == 1:
            t, n = entries[0]
            result.append(_Domain(_outermost(loop, t, n, transactions), n, [t], True, _in_instance(t)))
        else:
            rest += [t for t, _ in entries]
    rest.sort(key=transactions.index)

    def scan(block: Block, kind: str) -> list[Transaction]:
        again: list[Transaction] = []
        _scan(block, kind, holders, per_op, again)
        return again

    merged = MERGED in func.attributes
    if merged:
        inner, rest = _lifted(rest, transactions, a, scan)
        result += inner
    exchanged = _exchanges(rest, transactions, a)
    if exchanged is not None:
        return [*result, *exchanged]
    if not merged:
        inner, rest = _lifted(rest, transactions, a, scan)
        result += inner
    rows = rows_each([*rest[0].first, *rest[0].second], rest[0].accesses) if len(transactions) == 1 and rest else None
    if rows is not None and rest[0].first and rest[0].second:
        result.append(_Domain(None, rows, rest, bool(_loops(rest[0])), True, by_row=True))
    elif rest:
        alone = len(rest) == 1  # the transactions of rotations hand everything back by themselves
        loops = [_loops(t) for t in rest]
        if alone and not loops[0]:
            carried = False
        else:
            carried = not (
                alone
                and rest[0].first
                and rest[0].second
                and streams(*rest[0].sides(a), loops[0])
            )
        inside_parallel = {_in_instance(t, True) for t in rest}
        result.append(_Domain(None, 1, rest, carried, inside_parallel == {True}))
    return result


def _lifted(
    rest: list[Transaction], transactions: list[Transaction], a: str, scan: Callable[[Block, str], list[Transaction]]
) -> tuple[list[_Domain], list[Transaction]]:
    """Transactions inside a `ktdf.parallel`, where others are outside of it: (what orders them among themselves, the
    transactions with one for each such operation as a whole)."""
    homes = [_parallel_of(t) for t in rest]
    if len(set(homes)) < 2:
        return [], rest
    inner: list[_Domain] = []
    lifted: list[Transaction] = []
    for home in dict.fromkeys(homes):
        own = [t for t, h in zip(rest, homes, strict=True) if h is home]
        if home is None:
            lifted += own
            continue
        leading = own[0].accesses[0].kind
        turned = scan(home.regions[0].block, leading) if leading != a else own
        exchanged = _exchanges(own, own, a)
        if exchanged is not None:
            inner += exchanged
        else:
            loops = _loops(turned[0])
            within = loops[loops.index(home) :]
            alone = len(turned) == 1 and bool(turned[0].first) and bool(turned[0].second)
            carried = not (alone and streams(*turned[0].sides(leading), within))
            inner.append(_Domain(home, 1, turned, carried, True, leading != a))
        block = home.parent
        assert block is not None
        lifted.append(Transaction(block, [home], [home], [x for t in own for x in t.accesses], home))
    order = {t: k for k, t in enumerate(transactions)}

    def place(t: Transaction) -> int:
        return min(
            (k for o, k in order.items() if o is t or (t.around is not None and _parallel_of(o) is t.around)), default=0
        )

    lifted.sort(key=place)
    return inner, lifted


def _parallel_of(t: Transaction) -> Operation | None:
    """The `ktdf.parallel` around a transaction."""
    return next((loop for loop in _loops(t) if loop.name == "ktdf.parallel"), None)


def _exchanges(rest: list[Transaction], transactions: list[Transaction], a: str) -> list[_Domain] | None:
    """Domains for updates piece by piece (`exchanges`) and later reads by A alone; None where it is another pattern."""
    both = [t for t in rest if t.first and t.second]
    alone = [t for t in rest if not t.second]
    if not both or not alone or len(both) + len(alone) != len(transactions):
        return None
    if any(x.write for t in alone for x in t.accesses) or any(x.write for t in both for x in t.accesses if x.kind == a):
        return None
    found: list[_Domain] = []
    for t in both:
        others = [op for o in transactions if o is not t for op in (*o.first, *o.second)]
        place = ahead(t.accesses, _loops(t), others)
        if place is None:
            return None
        found.append(_Domain(place.anchor, place.credits, [t], True, _in_instance(t)))
    return found


def _scan(
    block: Block,
    a: str,
    holders: dict[Operation, set[str]],
    per_op: dict[Operation, list[Access]],
    out: list[Transaction],
) -> None:
    current: Transaction | None = None

    def flush() -> None:
        nonlocal current
        if current is not None:
            out.append(current)
            current = None

    for op in block.ops:
        kinds = holders.get(op)
        if kinds is None:
            continue
        if len(kinds) > 1:
            flush()
            for region in op.regions:
                for inner in region.blocks:
                    _scan(inner, a, holders, per_op, out)
            continue
        is_first = a in kinds
        if current is not None and is_first and current.second:
            flush()
        if current is None:
            current = Transaction(block)
        (current.first if is_first else current.second).append(op)
        current.accesses += per_op[op]
    flush()


def _loops(t: Transaction) -> list[Operation]:
    parent = t.block.parent_op()
    assert parent is not None
    own = [parent] if parent.name in ("scf.for", "ktdf.parallel") else []
    return enclosing_loops(parent) + own


def _in_instance(t: Transaction, inside: bool = False) -> bool:
    """Whether only units of one instance take part: inside a distributed loop (that the transaction does not leave, if
    `inside`), or over a memory of their own."""
    if all(x.own for x in t.accesses):
        return True
    parallel = any(loop.name == "ktdf.parallel" for loop in _loops(t))
    return parallel and not (inside and t.around is not None)


def _within(block: Block, op: Operation) -> bool:
    parent = block.parent_op()
    return parent is not None and (parent is op or op in ancestors(parent))


def rotation_loops(phase: Operation) -> list[Operation] | None:
    """Loops of a `buffer_phase`, outermost first; None unless they are `scf.for`s directly nested in each other."""
    loops: list[Operation] = []
    for value in phase.operands:
        owner = value.owner
        if isinstance(owner, Operation):
            if constant_of(value) is not None:
                continue
            return None
        parent = owner.parent_op()
        if parent is None or parent.name != "scf.for":
            return None
        loops.append(parent)
    if not loops:
        return None
    for outer, inner in pairwise(loops):
        for between in ancestors(inner):
            if between is outer:
                break
            if between.name in ("scf.for", "scf.if", "ktdf.parallel"):
                return None
        else:
            return None
    return loops


def _rotation(t: Transaction) -> tuple[Operation, int] | None:
    """(outermost loop, number of buffers) when each execution of `t` takes the next buffer of one rotation."""
    phases = set()
    count = 0
    phase: Operation | None = None
    for access in t.accesses:
        select = resolve(access.memref)
        if select.name != "ktdf.select_memref" or not isinstance(select.operands[0].owner, Operation):
            return None
        phase = select.operands[0].owner
        if phase.name != "ktdf.buffer_phase":
            return None
        count = len(candidates(access.memref))
        addresses = [resolve(v).operands[0] for v in candidates(access.memref)]
        if len({constant_of(v) if constant_of(v) is not None else v for v in addresses}) != count:
            return None
        phases.add((tuple(phase.operands), count))
    if phase is None or len(phases) != 1:
        return None
    loops = rotation_loops(phase)
    if loops is None:
        return None
    # between the innermost loop of the rotation and the transaction: no other loop, no condition
    node = t.block.parent_op()
    while node is not None and node is not loops[-1]:
        if node.name in ("scf.for", "ktdf.parallel", "scf.if"):
            return None
        node = node.parent_op()
    return (loops[0], count) if node is not None else None


def _outermost(loop: Operation, t: Transaction, buffers: int, transactions: list[Transaction]) -> Operation:
    """The outermost loop that the credits of a rotation may live around, so that A runs ahead into the next iteration
    of the loops around the rotation: every run of the rotation ends with the buffer before its first one, and nothing
    else in the outer loop touches its buffers."""
    node = t.block.parent_op()
    steps = 1
    while node is not None:
        if node.name == "scf.for":
            trips = trip_count(node)
            if trips is None:
                return loop
            steps *= trips
        if node is loop:
            break
        node = node.parent_op()
    if steps % buffers:
        return loop
    outer = loop
    for node in ancestors(loop):
        if node.name == "ktdf.parallel" or sum(_within(o.block, node) for o in transactions) != 1:
            break
        if node.name == "scf.for":
            outer = node
    return outer


def _events(func: Operation, a: str, b: str, d: _Domain, full: int, free: int) -> list[Event]:
    events: list[Event] = []
    same = d.same_corelet
    if d.carried:
        anchor = d.loop if d.loop is not None else _first_op(func, d)
        events.append(Event(anchor, True, b, a, True, free, d.credits, same))
    for t in d.transactions:
        enter = t.first[0] if t.first else t.second[0]
        leave = t.second[-1] if t.second else t.first[-1]
        if d.by_row:
            given, taken = ends(t.first[-1], a, t.accesses)[1], ends(t.second[0], b, t.accesses)[0]
            events += [Event(given, False, a, b, True, full, 1, same), Event(taken, True, a, b, False, full, 1, same)]
            if d.carried:
                enter, leave = ends(enter, a, t.accesses)[0], ends(leave, b, t.accesses)[1]
                events += [
                    Event(enter, True, b, a, False, free, 1, same), Event(leave, False, b, a, True, free, 1, same)
                ]  # fmt: skip
            continue
        if t.around is not None:
            events += [
                Event(t.around, True, b, a, False, free, 1, False),
                Event(t.around, True, a, b, True, full, 1, False),
                Event(t.around, True, a, b, False, full, 1, False),
                Event(t.around, False, b, a, True, free, 1, False),
            ]
            continue
        if not d.carried and not (t.first and t.second):
            continue
        if d.carried:
            events.append(Event(enter, True, b, a, False, free, 1, same))
        if not (t.first and t.second and paced_by_values(*t.sides(a))):
            given = Event(t.first[-1], False, a, b, True, full, 1, same) if t.first else None
            taken = Event(t.second[0], True, a, b, False, full, 1, same) if t.second else None
            events += [
                given or Event(enter, True, a, b, True, full, 1, same),
                taken or Event(leave, False, a, b, False, full, 1, same),
            ]
        if d.carried:
            events.append(Event(leave, False, b, a, True, free, 1, same))
    if d.carried:
        anchor = d.loop if d.loop is not None else _last_op(func, d)
        events.append(Event(anchor, False, b, a, False, free, d.credits, same))
    return events


def _top(func: Operation, op: Operation) -> Operation:
    while op.parent_op() is not func:
        op = op.parent_op()  # type: ignore[assignment]
    return op


def _first_op(func: Operation, d: _Domain) -> Operation:
    t = d.transactions[0]
    return _top(func, (t.first or t.second)[0])


def _last_op(func: Operation, d: _Domain) -> Operation:
    t = d.transactions[-1]
    return _top(func, (t.second or t.first)[-1])
