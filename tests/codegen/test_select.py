"""Selection: what each construct of DataflowIR becomes, and what is refused."""

from __future__ import annotations

import pytest

from headrace.ir.diagnostics import HeadraceError
from tests.codegen.programs import code_of, generate, program, query, view

LX = query("lx", "sf", "%lx0", "%lx1")
PEER = query("peer", "sf", "%su0", "%su1")


def lines(body: str, **options: str) -> list[str]:
    return code_of(program(body, **options)).splitlines()


def test_invariant_address_parts_leave_the_loops() -> None:
    body = (
        LX
        + view("x", "%lx", "%c512", type="8x64xf16")
        + """
          scf.for %i = %c0 to %c64 step %c2 {
            scf.for %j = %c0 to %c2 step %c1 {
              %k = arith.muli %i, %c64 : index
              %v = agen.vector_load %x[%i + %j, 0] {load_order = #id2, load_set = #row}
                : memref<8x64xf16>, vector<64xf16>
            }
          }"""
    )
    code = lines(body)
    outer, inner = (n for n, line in enumerate(code) if line.startswith("LOOP"))
    address = next(n for n, line in enumerate(code) if line.startswith("ADDR") and ", 512, [" in line)
    assert outer < address < inner
    assert code[inner + 1].startswith("ADDR") and code[inner + 2].startswith("VLD")


def test_a_toggling_buffer_is_a_moved_register() -> None:
    body = (
        LX
        + """
          %s2 = arith.constant 640 : index
          %e = scf.for %i = %c0 to %c64 step %c1 iter_args(%s = %c0) -> (index) {
            """
        + view("x", "%lx", "%s")
        + """
            %v = agen.vector_load %x[0, 0] {load_order = #id2, load_set = #row} : memref<2x64xf16>, vector<64xf16>
            %n = arith.subi %s2, %s : index
            scf.yield %n : index
          }"""
    )
    code = lines(body)
    load = next(line for line in code if line.startswith("VLD"))
    register = load.split(", ")[2]
    assert any(line.startswith(f"MOV {register}, ") for line in code[: code.index(load)])
    assert any(line.startswith(f"MOV {register}, ") for line in code[code.index(load) :])


def test_values_swapped_by_a_loop_are_read_before_they_are_written() -> None:
    body = """
          %e:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %c0, %t = %c1) -> (index, index) {
            scf.yield %t, %s : index, index
          }
          scf.for %j = %e#0 to %e#1 step %c1 {
          }"""
    code = lines(body)
    loop = next(n for n, line in enumerate(code) if line.startswith("LOOP"))
    moves = code[loop + 1 : code.index("ENDLOOP")]
    assert len(moves) == 4
    copied = {m.split()[1] for m in moves[:2]}
    assert {m.split()[2] for m in moves[2:]} == {c.rstrip(",") for c in copied}


def test_conditions_on_the_core() -> None:
    body = (
        query("tile", "sf", "%c0", "%c1")
        + PEER
        + """
          %first = arith.cmpi eq, %tile, %c0 : index
          scf.if %first {
            dataflow.sync_send %peer {headrace.signal = 3 : i32} : index
          } else {
            dataflow.sync_recv %peer : index
          }"""
    )
    code = lines(body)
    assert [line.split()[0] for line in code[-6:]] == ["IF", "SIGNAL", "ELSE", "WAIT", "ENDIF", "HALT"]
    assert code[-5].endswith(", 3") and code[-3].endswith(", 0")


def test_vector_operations() -> None:
    v = "vector<64xf16>"
    body = (
        PEER
        + f"""
          %k = arith.constant dense<1.5> : {v}
          %z = vectorchain.constant_bitstream {{value = [0x3C00]}} : vector<1xf16>
          %one = vectorchain.shuffle input(%z) {{indices = [0 : i32], repetition = 64 : i32}} : vector<1xf16>, {v}
          %a = dataflow.receive %peer : {v}
          %b = vectorchain.binary %a, %k {{binary_op = #vectorchain<binary_operator max>, op_specific_map = #id1}}
            : {v}, {v}, {v}
          %c = vectorchain.element_wise_compare %b, %one
            {{compare_op = #vectorchain<element_wise_compare_operator compare_lt>}} : {v}, {v}, vector<64xi1>
          %d = vectorchain.element_wise_selection %c ? %a : %b : vector<64xi1>, {v}, {v}, {v}
          %w = vectorchain.cast %d : {v}, vector<64xf32>
          %e = headrace.compute %w {{op = "math.exp"}} : (vector<64xf32>) -> vector<64xf32>
          %f = headrace.compute %e {{op = "spyreop.softplus", beta = 2.0 : f32}} : (vector<64xf32>) -> vector<64xf32>
          %n = vectorchain.neg %f : vector<64xf32>, vector<64xf32>
          %i = headrace.iota %c2 {{step = 3 : i64}} : vector<64xindex>
          dataflow.send %peer, %n : vector<64xf32>"""
    )
    code = lines(body)
    ops = [line.split()[1] for line in code if line.startswith("VOP")]
    assert ops == [
        "arith.maximumf",
        "arith.cmpf",
        "arith.select",
        "arith.extf",
        "math.exp",
        "spyreop.softplus",
        "arith.negf",
    ]
    text = "\n".join(code)
    assert "VCONST v0, 64xf16, [0x3e00]" in text
    assert "[v1:1], [0]" in text
    assert "predicate=4" in text
    assert f"beta={(2.0).hex()} threshold={(20.0).hex()}" in text
    assert ", 64xindex, 3, 1, 64" in text


def test_a_transfer_that_reshapes_and_one_with_a_dynamic_extent() -> None:
    body = (
        LX.replace("%sf", "%ld")
        + view("x", "%lx", "%c0", type="4x16xf16", layout="affine_map<(d0, d1) -> (d0 * 32 + d1)>")
        + view("y", "%hbm", "%c64", unit="element", type="64xf16", layout="#id1")
        + """
          %n = symbol.create_symbol {SymbolId = -1 : i64} : index
          agen.composite_load_and_store src:%y[0] dst:%x[0, 0]
           time_symbols(%n), load_iv(%v:vector<64xf16>)
           {load_order = #id1, load_set = #line, load_time_addr_map = affine_map<(d0) -> (d0 * 64)>, store_order = #id2,
            store_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 15 >= 0)>,
            store_time_addr_map = affine_map<(d0) -> (d0 * 4, 0)>, time_order = #id1,
            time_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>}
          {
            agen.yield
          } : memref<64xf16>, memref<4x16xf16>"""
    )
    code = lines(body, unit="ld", symbols="symbol.create_id %a {symbol_id = -1 : si64} : index")
    transfer = next(line for line in code if line.startswith("XFER"))
    register = transfer.split("[")[1].split(":")[0]
    assert register.startswith("r")
    assert transfer.endswith(f", 2, [{register}:128:256 4:32:64 16:2:2]")
    assert "LI r1, 128" in code or any(line.endswith(", 128") for line in code)


def test_neighbouring_dims_of_a_transfer_merge() -> None:
    from headrace.codegen.isa import XferDim
    from headrace.codegen.transfer import merge, refine

    assert merge([XferDim(None, 2, 256, 128), XferDim(None, 64, 2, 2)]) == [
        XferDim(None, 2, 256, 128),
        XferDim(None, 64, 2, 2),
    ]
    assert merge([XferDim(None, 2, 128, 128), XferDim(None, 64, 2, 2)]) == [XferDim(None, 128, 2, 2)]
    assert refine([(6, 10), (4, 1)], [(2, 100), (12, 2)]) is not None
    assert refine([(3, 1)], [(2, 1)]) is None


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("%s = symbol.create_symbol {SymbolId = -9 : i64} : index", "symbol -9 is read but not declared"),
        (view("x", "%lx1", "%c0"), "another core's scratchpad"),
        (
            LX
            + view("x", "%lx", "%c0")
            + "%v = agen.vector_load %x[0, 0] {load_order = affine_map<(d0, d1) -> (d1, d0)>, load_set = #row} "
            ": memref<2x64xf16>, vector<64xf16>",
            "only the identity packing order",
        ),
        (
            LX
            + view("x", "%lx", "%c0")
            + "%v = agen.vector_load %x[0, 0] {load_order = #id2, load_set = #row} : memref<2x64xf16>, vector<32xf16>",
            "64 points, the vector 32 lanes",
        ),
        (
            LX + view("x", "%lx", "%c0", layout="affine_map<(d0, d1) -> (d0 floordiv 2)>"),
            "not a constant stride",
        ),
        (
            "%x = vectorchain.constant_bitstream {value = [0x1]} : vector<1xf16>\n"
            '%y = headrace.compute %x {op = "math.frobnicate"} : (vector<1xf16>) -> vector<1xf16>',
            "no unit executes 'math.frobnicate'",
        ),
        (
            "%x = vectorchain.constant_bitstream {value = [0x1]} : vector<1xf16>\n"
            "%y = vectorchain.binary %x, %x "
            "{binary_op = #vectorchain<binary_operator mul_div2>, op_specific_map = #id1} "
            ": vector<1xf16>, vector<1xf16>, vector<1xf16>",
            "'mul_div2' on f16",
        ),
        ("%m = memref.alloc() : memref<4xf16>", "'memref.alloc' has no instruction"),
    ],
)
def test_what_has_no_instruction_is_refused_with_its_place(body: str, message: str) -> None:
    with pytest.raises(HeadraceError, match=message) as e:
        generate(program(body))
    assert e.value.diagnostics[0].loc is not None


def test_unknown_unit_type() -> None:
    text = program("").replace('type = "sfu"', 'type = "vpu"')
    with pytest.raises(HeadraceError, match="has no unit or memory of type 'vpu'"):
        generate(text)


def test_output_is_deterministic_and_names_do_not_matter() -> None:
    from tests.codegen.programs import multiply

    one, two = generate(multiply()), generate(multiply())
    assert one.files == two.files and one.manifest == two.manifest and one.debug == two.debug
    renamed = multiply().replace("%peer", "%other").replace("@mul", "@product").replace("%a", "%left")
    assert generate(renamed).files == one.files
