"""ktdf: folders, unique operations, unused allocations."""

from __future__ import annotations

from headrace.ir.text import parse_module, print_module
from headrace.ir.transforms.canonicalize import canonicalize
from headrace.ir.transforms.cse import _region


def folded(body: str, args: str = "") -> str:
    module = parse_module(f"func.func @f({args}) {{\n{body}\nreturn\n}}", ctx=None, verify=False)
    canonicalize(module)
    return print_module(module)


USE = "func.call @use(%r) : (index) -> ()"
ARGS = "%i: index, %a: memref<4xf16>, %b: memref<4xf16>"


def test_buffer_phase_drops_constants() -> None:
    text = folded(
        "%c = arith.constant 3 : index\n%r = ktdf.buffer_phase(%c, %i) {num_phases = 2 : i64} : index\n" + USE, ARGS
    )
    assert "ktdf.buffer_phase(%arg0) {num_phases = 2 : i64}" in text


def test_buffer_phase_of_constants_is_zero() -> None:
    text = folded("%c = arith.constant 3 : index\n%r = ktdf.buffer_phase(%c) {num_phases = 2 : i64} : index\n" + USE)
    assert "buffer_phase" not in text and "arith.constant 0 : index" in text


def test_select_memref_in_and_out_of_range() -> None:
    body = "%c = arith.constant {} : index\n%r = ktdf.select_memref %c[%a, %b] : memref<4xf16>\n"
    use = "func.call @use(%r) : (memref<4xf16>) -> ()"
    assert "call @use(%arg2)" in folded(body.format(1) + use, ARGS)
    assert "ktdf.select_memref" in folded(body.format(2) + use, ARGS)


def test_derive_size_folds_only_at_zero() -> None:
    body = (
        "%z = arith.constant {} : index\n%t = arith.constant 8 : index\n%n = arith.constant 5 : index\n"
        "%r = ktdf.tiling.derive_size [%z : %t], total_size = %n : index\n" + USE
    )
    assert "derive_size" not in folded(body.format(0))
    assert "derive_size" in folded(body.format(1))


def test_unused_slots_go_and_tokens_stay_apart() -> None:
    assert "fifo.allocate" not in folded('%f = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"A" -> "B", 4xf16>')
    text = "%a = ktdf.create_token : !ktdf.token\n%b = ktdf.create_token : !ktdf.token\n"
    module = parse_module(
        f'func.func @f() {{\n{text}"func.call"(%a, %b) <{{callee = @use}}> '
        ": (!ktdf.token, !ktdf.token) -> ()\nreturn\n}",
        verify=False,
    )
    _region(module.body, {})
    assert print_module(module).count("ktdf.create_token") == 2


def test_generic_form_is_stable() -> None:
    text = "func.func @f() {\n%a = ktdf.create_token : !ktdf.token\nreturn\n}"
    first, second = (print_module(parse_module(text), generic=True) for _ in range(2))
    assert first == second
