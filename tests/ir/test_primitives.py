"""The quick primitives mean what xDSL's own ones mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from xdsl.dialects import arith, memref, scf, test
from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, MemRefType, f32, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import operations

from headrace.ir import primitives
from headrace.ir.location import Location, set_loc
from headrace.ir.text import parse_module, print_module

INDEX = IndexType()
OWN: dict[str, tuple[Any, str]] = {
    "irdl_op_init": (operations, "irdl_op_init"),
    "init": (Operation, "__init__"),
    "clone": (Operation, "clone"),
    "defaults": (operations.IRDLOperation, "__post_init__"),
    "get": (operations.BaseAccessor, "__get__"),
    "get_sized": (operations.BaseAttrAccessor, "__get__"),
    "walk": (Operation, "walk"),
    "walk_region": (Region, "walk"),
    "walk_block": (Block, "walk"),
}

TEXT = """
func.func @f(%a: index, %m: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %early = arith.constant true
  %s = scf.for %i = %c1 to %a step %c1 iter_args(%x_1 = %c1) -> (index) {
    %y = arith.addi %x_1, %i : index
    scf.if %early {
      %z = memref.load %m[%y] : memref<8xf32>
      memref.store %z, %m[%i] : memref<8xf32>
    } else {
      %w = arith.muli %y, %y : index
    }
    scf.yield %y : index
  }
  cf.br ^end(%s : index)
^end(%e: index):
  %cond = arith.cmpi eq, %e, %e : index
  return
}
"""


@pytest.fixture
def original(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Puts xDSL's own functions back."""

    def restore() -> None:
        for name, (owner, attribute) in OWN.items():
            monkeypatch.setattr(owner, attribute, primitives.ORIGINAL[name])

    return restore


def module() -> Operation:
    return parse_module(TEXT)


def state(op: Operation) -> Any:
    """Everything that an operation consists of; values by their users, in order."""
    users = [[(use.operation.name, use.index) for use in r.uses] for r in op.results]
    operands = [(v.name_hint, str(v.type)) for v in op.operands]
    return (
        op.name, operands, [str(r.type) for r in op.results], [r.name_hint for r in op.results], users,
        {k: str(v) for k, v in op.properties.items()}, {k: str(v) for k, v in op.attributes.items()}, op.location,
        [[[(a.name_hint, str(a.type)) for a in b.args] for b in r.blocks] for r in op.regions],
    )  # fmt: skip


def built() -> list[Operation]:
    """Operations through constructors with variadic, optional, missing and nested arguments."""
    one = arith.ConstantOp(IntegerAttr(1, INDEX))
    buffer = memref.AllocOp([one.result], [], MemRefType(f32, [-1]))
    block = Block(arg_types=[INDEX])
    block.add_op(scf.YieldOp())
    return [
        one,
        buffer,
        arith.AddiOp(one, one.result),  # an operation as an operand: its result
        memref.LoadOp.get(buffer.results[0], [one.result]),
        scf.ForOp(one.result, one.result, one.result, [], Region(block)),
        scf.IfOp(arith.ConstantOp(IntegerAttr(1, 1)), [], [scf.YieldOp()]),
        test.TestOp([[one.result], one.result][1:], [INDEX, f32], regions=[Region(Block())]),
    ]


def test_constructors(original: Callable[[], None]) -> None:
    quick = [state(op) for op in built()]
    original()
    assert quick == [state(op) for op in built()]


@pytest.mark.parametrize(
    "arguments",
    [
        {"operands": [], "result_types": [INDEX]},
        {"operands": [None, None], "result_types": [INDEX]},
        {"operands": "two", "result_types": [[INDEX, INDEX]]},
        {"operands": "two", "result_types": [None]},
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], original: Callable[[], None]) -> None:
    one = arith.ConstantOp(IntegerAttr(1, INDEX)).result

    def message() -> str:
        given = {**arguments, "operands": [one, one] if arguments["operands"] == "two" else arguments["operands"]}
        with pytest.raises(ValueError) as caught:
            arith.AddiOp.build(**given)
        return str(caught.value)

    quick = message()
    original()
    assert quick == message()


def test_clones(original: Callable[[], None]) -> None:
    source = module()
    for number, op in enumerate(source.walk()):
        set_loc(op, Location("f", number + 1, 1))

    def cloned() -> list[Any]:
        mapping: dict[SSAValue, SSAValue] = {}
        copy = source.clone(mapping)
        text = [print_module(copy)]  # pyright: ignore[reportArgumentType]
        inner = [op.clone({}) for op in source.walk() if op.name == "scf.for"]
        states: list[Any] = [state(op) for op in (*copy.walk(), *inner, *inner[0].walk())]
        known = [v.name_hint for v in mapping]
        copy.erase(safe_erase=False)
        for op in inner:
            op.erase(safe_erase=False)
        return text + states + known

    quick = cloned()
    original()
    assert quick == cloned()


def test_an_operand_that_is_copied_later(original: Callable[[], None]) -> None:
    """In a region that is a graph, an operation may stand in front of what it uses."""

    def copied() -> tuple[int, bool]:
        late = test.TestOp(result_types=[INDEX])
        early = test.TestOp(operands=[late.results[0]])
        around = test.TestOp(regions=[Region(Block([early, late]))])
        copy = around.clone()
        first, second = copy.regions[0].block.ops
        return sum(1 for _ in late.results[0].uses), first.operands[0] is second.results[0]

    assert copied() == (1, True)
    original()
    assert copied() == (1, True)


def names(ops: Iterator[Operation]) -> list[str]:
    return [op.name for op in ops]


def test_walks(original: Callable[[], None]) -> None:
    def walked() -> list[list[str]]:
        m = module()
        f = next(op for op in m.walk() if op.name == "func.func")
        return [
            names(m.walk()), names(f.regions[0].walk()), names(f.regions[0].blocks[0].walk()),  # pyright: ignore[reportArgumentType]
            names(m.walk(reverse=True)), names(m.walk(region_first=True)),
        ]  # fmt: skip

    quick = walked()
    original()
    assert quick == walked()
    assert len(quick[0]) == 16


def test_walks_while_operations_go(original: Callable[[], None]) -> None:
    def left() -> list[str]:
        m = module()
        seen = []
        for op in m.walk():
            seen.append(op.name)
            if op.name == "scf.if":
                op.detach()  # what is inside is still visited
            if op.name == "arith.muli":
                op.detach()
        return [*seen, "|", *names(m.walk())]

    quick = left()
    original()
    assert quick == left()


def test_only_what_is_in_the_program() -> None:
    m = module()
    seen = []
    for op in primitives.below(m.regions, attached=True):
        seen.append(op.name)
        if op.name == "scf.if":
            op.detach()
    assert "memref.load" not in seen and "cf.br" in seen
    assert names(primitives.below(m.regions, ("arith.addi", "cf.br"))) == ["arith.addi", "cf.br"]


def test_arrays_are_unpacked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    array = DenseArrayBase.from_list(i64, [3, -1])
    same = DenseArrayBase.from_list(i64, [3, -1])
    assert array.get_values() == (3, -1)
    monkeypatch.setitem(primitives.ORIGINAL, "values", lambda _: pytest.fail("unpacked again"))
    assert array.get_values() == (3, -1)
    assert array == same and hash(array) == hash(same)


def test_names() -> None:
    value = arith.ConstantOp(IntegerAttr(1, INDEX)).result
    for given, kept in (("a_1", "a"), ("a_1_2", "a_1"), (None, None)):
        value.name_hint = given
        assert value.name_hint == kept
    with pytest.raises(ValueError, match="OpResult"):
        value.name_hint = "1a"


def test_an_attached_operation_stays_where_it_is() -> None:
    op = test.TestOp()
    block = Block([op])
    with pytest.raises(ValueError, match="already attached"):
        Block().add_op(op)
    outer = test.TestOp(regions=[Region(block)])
    with pytest.raises(ValueError, match="contained in the operation"):
        block.add_op(outer)
