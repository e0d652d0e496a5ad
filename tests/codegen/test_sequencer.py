"""The coordinator: loops, conditions, calls with arguments, symbols, and what cannot be known at launch."""

from __future__ import annotations

import pytest

from headrace.codegen.disassembler import disassemble
from headrace.ir.diagnostics import HeadraceError
from tests.codegen.programs import generate, multiply, program, query, view

SYMBOLS = """
      %w = arith.constant 64 : index
      %q = arith.divsi %a, %w : index
      symbol.create_id %a {symbol_id = -1 : si64} : index
      symbol.create_id %q {symbol_id = -2 : si64} : index
"""
BODY = """
          %s = symbol.create_symbol {SymbolId = -2 : i64} : index
""" + view("A", "%hbm", "%s", unit="word")


def sequencer(text: str) -> list[str]:
    return [line.strip() for line in disassemble(generate(text).image.sequencer).splitlines()]


def test_static_kernels_have_one_step() -> None:
    code = generate(program("", arguments=""))
    assert [type(c).__name__ for c in code.execution] == ["ComputeOnDevice"]
    assert code.image.correction_bytes == 0
    assert [str(i) for i in code.image.correction] == ["HALT"]


def test_arguments_and_symbols_of_the_multiply_example() -> None:
    code = generate(multiply())
    assert [(a["name"], a["kind"], a["dtype"]) for a in code.arguments] == [(n, "address", "f16") for n in "abc"]
    assert [s["expression"] for s in code.manifest["symbols"]] == [
        "a / 64",
        "(a + 256) / 64",
        "b / 64",
        "(b + 256) / 64",
        "c / 64",
        "(c + 256) / 64",
    ]
    assert [s["id"] for s in code.manifest["symbols"]] == [-4, -5, -6, -7, -8, -9]
    assert code.execution[0].hcm["symbols"][0] == {"id": -1, "input": {"kind": "address", "arg": 0}}


def test_addresses_that_depend_on_a_loop_are_call_arguments() -> None:
    text = program(
        BODY,
        unit="ld",
        symbols=SYMBOLS,
        coordinator="""
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c1 = arith.constant 1 : index
      %c256 = arith.constant 256 : index
      scf.for %i = %c0 to %c8 step %c1 {
        %d = arith.muli %i, %c256 : index
        %x = arith.addi %a, %d : index
        call @p(%x) : (index) -> ()
      }""",
    )
    code = generate(text)
    assert code.image.programs[0].arguments == 1
    assert any(i.op == "ARG" for i in code.image.programs[0].sections[0].code)
    ops = [line.split()[0] for line in sequencer(text)]
    assert ops.index("LOOP") < ops.index("DIVX") < ops.index("CALL") < ops.index("ENDLOOP")
    assert code.arguments[0]["kind"] == "address"
    assert "a / 64" in [s["expression"] for s in code.manifest["symbols"]]


def test_a_program_called_with_two_addresses() -> None:
    text = program(
        BODY,
        unit="ld",
        arguments="%a: index, %b: index",
        outer_arguments="%a: index",
        symbols=SYMBOLS,
        coordinator="call @p(%a) : (index) -> ()\n      call @p(%b) : (index) -> ()",
    )
    code = generate(text)
    assert [a["kind"] for a in code.arguments] == ["address", "address"]
    assert [s["expression"] for s in code.manifest["symbols"]] == ["a / 64", "b / 64"]
    assert [line.split()[0] for line in sequencer(text)].count("CALL") == 2


def test_per_core_addresses_that_depend_on_a_loop() -> None:
    symbols = (
        SYMBOLS
        + """
      %c256 = arith.constant 256 : index
      %a1 = arith.addi %a, %c256 : index
      %q1 = arith.divsi %a1, %w : index
      symbol.create_id %q1 {symbol_id = -3 : si64} : index
"""
    )
    body = (
        """
          %s = symbol.create_symbol {SymbolId = -2 : i64} : index
          %t = symbol.create_symbol {SymbolId = -3 : i64} : index
"""
        + query("start", "ld", "%s", "%t")
        + view("A", "%hbm", "%start", unit="word")
    )
    text = program(
        body,
        unit="ld",
        arguments="%a: index, %b: index",
        outer_arguments="%a: index",
        symbols=symbols,
        coordinator="call @p(%a) : (index) -> ()\n      call @p(%b) : (index) -> ()",
    )
    code = generate(text)
    assert code.image.programs[0].arguments == 2
    assert [b[3] for b in code.image.programs[0].sections[0].blocks] == [0, 1]
    assert any(i.op == "ARGX" for i in code.image.programs[0].sections[0].code)


def test_runtime_arguments_bound_loops() -> None:
    kind = "!ktdp.runtime_arg<index, granularity=64, upperbound=512>"
    text = program(
        "%n = symbol.create_symbol {SymbolId = -1 : i64} : index\n"
        "          scf.for %i = %c0 to %n step %c1 {\n          }",
        arguments=f"%rows: {kind}",
        outer_arguments="%n: index",
        symbols="symbol.create_id %n {symbol_id = -1 : si64} : index",
        coordinator=f"""
      %n = ktdp.runtime_arg_extract value from %rows : {kind} -> index
      %c2 = arith.constant 2 : index
      %h = arith.divsi %n, %c2 : index
      call @p(%h) : (index) -> ()""",
    )
    code = generate(text)
    assert code.arguments == [{"name": "rows", "index": 0, "kind": "runtime_arg", "granularity": 64, "upperbound": 512}]
    assert [s["expression"] for s in code.manifest["symbols"]] == ["rows div 2"]


def test_conditions_and_carried_values() -> None:
    text = program(
        "",
        arguments="%n: index",
        coordinator="""
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %n) -> (index) {
        %t = arith.addi %s, %i : index
        scf.yield %t : index
      }
      %big = arith.cmpi sgt, %r, %c8 : index
      scf.if %big {
        call @p(%r) : (index) -> ()
      }""",
    )
    ops = [line.split()[0] for line in sequencer(text)]
    assert ops.index("ENDLOOP") < ops.index("CMP") < ops.index("IF") < ops.index("CALL") < ops.index("ENDIF")


@pytest.mark.parametrize(
    ("coordinator", "message"),
    [
        (
            "%m = memref.alloc() : memref<4xindex>\n      %c0 = arith.constant 0 : index\n"
            "      %n = memref.load %m[%c0] : memref<4xindex>\n      call @p(%n) : (index) -> ()",
            "must not depend on data in memory",
        ),
        ("%t = ktdp.get_compute_tile_id : index\n      call @p(%t) : (index) -> ()", "a tile id has no value here"),
    ],
)
def test_what_the_coordinator_cannot_know(coordinator: str, message: str) -> None:
    with pytest.raises(HeadraceError, match=message) as e:
        generate(program("", coordinator=coordinator))
    assert e.value.diagnostics[0].loc is not None


def test_debug_lines_point_into_the_source() -> None:
    code = generate(multiply())
    mul = next(n for n, line in enumerate(multiply().splitlines(), 1) if "vectorchain.binary" in line)
    section = next(n for n, s in enumerate(code.image.programs[0].sections) if code.image.kinds[s.kind] == "SFU")
    word = 0
    for i in code.image.programs[0].sections[section].code:
        if i.op == "VOP":
            break
        word += i.words
    assert code.location(0, section, word) == f"test.mlir:{mul}:18"
