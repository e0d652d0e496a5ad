"""Programs for single features of the lowering, one function a feature; each returns the module's text."""

from __future__ import annotations

from .inputs import CONSTANTS, LT, compute_pipeline, module, tile_pipeline, view, views

ARGS = "%a: index, %b: index, %c: index"
NAMES = "%a, %b, %c"


def unary(
    src: str, dst: str, types: tuple[str, str], sizes: str, row: str, n: int, body: str, element: str = "f16"
) -> str:
    """An inner pipeline with one operand of `n` elements."""
    fi = f'!ktdf.fifo.slot<"L1LU" -> "SFU", {n}x{element}>'
    fo = f'!ktdf.fifo.slot<"SFU" -> "L1SU", {n}x{element}>'
    t = f"tensor<1x{n}x{element}>"
    return f"""
            ktdf.pipeline {{
              %q:4 = ktdf.private -> ({fi}, {fo}, !ktdf.token, !ktdf.token) {{
                %f = ktdf.fifo.allocate() -> {fi}
                %g = ktdf.fifo.allocate() -> {fo}
                %t2 = ktdf.create_token : !ktdf.token
                %t3 = ktdf.create_token : !ktdf.token
                ktdf.private_yield %f, %g, %t2, %t3 : {fi}, {fo}, !ktdf.token, !ktdf.token
              }}
              ktdf.stage depends_in(none) depends_out(%q#2) {{
                ktdf.data_transfer from {src}[{row}] size [{sizes}] to %q#0 size [{n}] : {types[0]}, {fi}
              }} {{applicable_units = ["L1LU"]}}
              ktdf.stage depends_in(%q#2) depends_out(%q#3) {{
                %u = ktdf.read_from_fifo %q#0 : {fi} -> {t}
                %e = tensor.empty() : {t}
                %w = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}}
                  ins(%u : {t}) outs(%e : {t}) {{
                ^bb0(%i: {element}, %out: {element}):
                  {body}
                  linalg.yield %m : {element}
                }} -> {t}
                ktdf.write_to_fifo %w, %q#1 : {t}, {fo}
              }} {{applicable_units = ["SFU"]}}
              ktdf.stage depends_in(%q#3) depends_out(none) {{
                ktdf.data_transfer from %q#1 size [{n}] to {dst}[{row}] size [{sizes}] : {fo}, {types[1]}
              }} {{applicable_units = ["L1SU"]}}
            }}"""


def buffer(name: str, address: int, kind: str) -> str:
    """A scratchpad buffer `%<name>` at a constant address."""
    return f"""
      %{name}_at = arith.constant {address} : index
      %{name} = builtin.unrealized_conversion_cast %{name}_at : index to {kind}"""


def transfer(unit: str, text: str, depends: str = "depends_in(none) depends_out(none)") -> str:
    """A stage of one unit."""
    return f"""
        ktdf.stage {depends} {{
          {text}
        }} {{applicable_units = ["{unit}"]}}"""


def mixed_corelets() -> str:
    """Rows 0 on two corelets, row 1 by a pipeline outside `ktdf.parallel`."""
    inner = f"""ktdf.parallel (%r, %inst) = (%c0) to (%c1) step (%c1) distribute(num_instances = 2) {{
{compute_pipeline("%p#0", "%p#1", "%p#2", LT, "%r")}
            ktdf.parallel_yield
          }}
{compute_pipeline("%p#0", "%p#1", "%p#2", LT, "%c1")}"""
    return module(CONSTANTS + views() + tile_pipeline(inner), ARGS, NAMES)


def tail() -> str:
    """Rows of 100 elements: 64 and 36, in both DMA directions and in compute."""
    tile, buf = "memref<3x100xf16, strided<[100, 1], offset: ?>, #g>", "memref<3x100xf16, #l>"
    text = CONSTANTS + "\n      %c3 = arith.constant 3 : index\n      %c300 = arith.constant 300 : index"
    text += "\n      %o = arith.muli %tile, %c300 : index"
    for n in "ac":
        text += view(n, f"%{n}", (6, 100), "%o", (3, 100))
    text += buffer("x", 0, buf) + buffer("z", 1024, buf)
    body = "%m = arith.addf %i, %i : f16"
    load = f"ktdf.data_transfer from %ra[%c0, %c0] size [3, 100] to %x[%c0, %c0] size [3, 100] : {tile}, {buf}"
    store = f"ktdf.data_transfer from %z[%c0, %c0] size [3, 100] to %rc[%c0, %c0] size [3, 100] : {buf}, {tile}"
    return module(
        text
        + f"""
      ktdf.pipeline {{{transfer("MNILU", load)}
        ktdf.stage depends_in(none) depends_out(none) {{
          scf.for %r = %c0 to %c3 step %c1 {{
{unary("%x", "%z", (buf, buf), "1, 64", "%r, 0", 64, body)}
{unary("%x", "%z", (buf, buf), "1, 36", "%r, 64", 36, body)}
          }}
        }} {{applicable_units = ["L1LU", "SFU", "L1SU"]}}{transfer("MNISU", store)}
      }}""",
        ARGS,
        NAMES,
    )


def columns() -> str:
    """Tiles of 2x36 out of 4x100: no row meets the next, the innermost extent is no multiple of the lanes."""
    tile, buf = "memref<2x100xf16, strided<[100, 1], offset: ?>, #g>", "memref<2x36xf16, #l>"
    text = CONSTANTS + "\n      %c200 = arith.constant 200 : index\n      %o = arith.muli %tile, %c200 : index"
    for n in "ac":
        text += view(n, f"%{n}", (4, 100), "%o", (2, 100))
    text += buffer("x", 0, buf) + buffer("z", 1024, buf)
    load = f"ktdf.data_transfer from %ra[%c0, 64] size [2, 36] to %x[%c0, %c0] size [2, 36] : {tile}, {buf}"
    store = f"ktdf.data_transfer from %z[%c0, %c0] size [2, 36] to %rc[%c0, 64] size [2, 36] : {buf}, {tile}"
    return module(
        text
        + f"""
      ktdf.pipeline {{{transfer("MNILU", load)}
        ktdf.stage depends_in(none) depends_out(none) {{
          scf.for %r = %c0 to %c2 step %c1 {{
{unary("%x", "%z", (buf, buf), "1, 36", "%r, 0", 36, "%m = arith.mulf %i, %i : f16")}
          }}
        }} {{applicable_units = ["L1LU", "SFU", "L1SU"]}}{transfer("MNISU", store)}
      }}""",
        ARGS,
        NAMES,
    )


def transposed() -> str:
    """The 64x4 transpose of `%a` is read: the view of the tile has strides [1, 64]."""
    text = CONSTANTS + "\n      %c64 = arith.constant 64 : index" + view("c", "%c", (4, 64), "%off", (2, 64))
    text += """
      %va = ktdp.construct_memory_view %a, sizes: [64, 4], strides: [4, 1] {
        coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 3 >= 0)>,
        memory_space = #g} : memref<64x4xf16>
      %sa = memref.memory_space_cast %va : memref<64x4xf16> to memref<64x4xf16, #g>
      %two = arith.muli %tile, %c2 : index
      %ra = memref.reinterpret_cast %sa to offset: [%two], sizes: [2, 64], strides: [1, 4]
        : memref<64x4xf16, #g> to memref<2x64xf16, strided<[1, 4], offset: ?>, #g>"""
    text += buffer("x", 0, LT) + buffer("z", 512, LT)
    ta, tc = "memref<2x64xf16, strided<[1, 4], offset: ?>, #g>", "memref<2x64xf16, strided<[64, 1], offset: ?>, #g>"
    load = f"ktdf.data_transfer from %ra[%c0, %c0] size [2, 64] to %x[%c0, %c0] size [2, 64] : {ta}, {LT}"
    store = f"ktdf.data_transfer from %z[%c0, %c0] size [2, 64] to %rc[%c0, %c0] size [2, 64] : {LT}, {tc}"
    return module(
        text
        + f"""
      ktdf.pipeline {{{transfer("MNILU", load)}
        ktdf.stage depends_in(none) depends_out(none) {{
          scf.for %r = %c0 to %c2 step %c1 {{
{unary("%x", "%z", (LT, LT), "1, 64", "%r, 0", 64, "%m = math.absf %i : f16")}
          }}
        }} {{applicable_units = ["L1LU", "SFU", "L1SU"]}}{transfer("MNISU", store)}
      }}""",
        ARGS,
        NAMES,
    )


def resident() -> str:
    """Operand at element 4096 of `ct_local`, updated in place row by row, then stored."""
    text = CONSTANTS + "\n      %c4096 = arith.constant 4096 : index" + views()
    text += f"""
      %vl = ktdp.construct_memory_view %c4096, sizes: [2, 64], strides: [64, 1] {{
        coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>,
        memory_space = #l}} : memref<2x64xf16>
      %x = memref.memory_space_cast %vl : memref<2x64xf16> to {LT}"""
    gt = "memref<2x64xf16, strided<[64, 1], offset: ?>, #g>"
    load = f"ktdf.data_transfer from %ra[%c0, %c0] size [2, 64] to %x[%c0, %c0] size [2, 64] : {gt}, {LT}"
    store = f"ktdf.data_transfer from %x[%c0, %c0] size [2, 64] to %rc[%c0, %c0] size [2, 64] : {LT}, {gt}"
    return module(
        text
        + f"""
      ktdf.pipeline {{{transfer("MNILU", load)}
        ktdf.stage depends_in(none) depends_out(none) {{
          scf.for %r = %c0 to %c2 step %c1 {{
{unary("%x", "%x", (LT, LT), "1, 64", "%r, 0", 64, "%m = arith.addf %i, %i : f16")}
          }}
        }} {{applicable_units = ["L1LU", "SFU", "L1SU"]}}{transfer("MNISU", store)}
      }}""",
        ARGS,
        NAMES,
    )


def in_place() -> str:
    """`c[i] += c[i]` tile by tile, then again with the rows the other way round: ordered through device memory."""
    text = CONSTANTS + view("c", "%c", (8, 64), "%big", (4, 64)).replace("%big", "%o")
    text = text.replace(
        "      %vc =",
        "      %c256 = arith.constant 256 : index\n      %o = arith.muli %tile, %c256 : index\n      %vc =",
    )
    row = "memref<1x64xf16, #l>"
    gt = "memref<4x64xf16, strided<[64, 1], offset: ?>, #g>"
    text += buffer("x", 0, row) + buffer("z", 512, row)
    double = unary("%x", "%z", (row, row), "1, 64", "0, 0", 64, "%m = arith.addf %i, %i : f16")
    for at in ("%ti", "-%ti + 3"):
        load = f"ktdf.data_transfer from %rc[%ti, %c0] size [1, 64] to %x[%c0, %c0] size [1, 64] : {gt}, {row}"
        store = f"ktdf.data_transfer from %z[%c0, %c0] size [1, 64] to %rc[{at}, %c0] size [1, 64] : {row}, {gt}"
        text += f"""
      scf.for %ti = %c0 to %c4 step %c1 {{
        ktdf.pipeline {{{transfer("MNILU", load)}
{transfer_compute(double)}{transfer("MNISU", store)}
        }}
      }}"""
    return module(text, ARGS, NAMES)


def transfer_compute(inner: str) -> str:
    """A coarsened compute stage."""
    return f"""
        ktdf.stage depends_in(none) depends_out(none) {{
{inner}
        }} {{applicable_units = ["L1LU", "SFU", "L1SU"]}}"""


def guarded() -> str:
    """Only tile 1 works, under a condition on the tile id around the pipeline."""
    inner = f"""scf.for %r = %c0 to %c2 step %c1 {{
{compute_pipeline("%p#0", "%p#1", "%p#2", LT, "%r")}
          }}"""
    return module(
        CONSTANTS
        + views()
        + "\n      %is = arith.cmpi eq, %tile, %c1 : index\n      scf.if %is {"
        + tile_pipeline(inner)
        + "\n      }",
        ARGS,
        NAMES,
    )


def splat() -> str:
    """The second operand is one element a row, splat on its way into the FIFO."""
    inner = f"""scf.for %r = %c0 to %c2 step %c1 {{
{compute_pipeline("%p#0", "%p#1", "%p#2", LT, "%r")}
          }}""".replace(
        f"from %p#1[%r, %c0] size [1, 64] to %q#1 size [64] : {LT}",
        f'from %p#1[%r, 3] size [1, 1] to %q#1 size [64] {{transfer_mode = "splat"}} : {LT}',
    )
    return module(CONSTANTS + views() + tile_pipeline(inner), ARGS, NAMES)


def coordinated() -> str:
    """The coordinator calls the program once per pair of rows; the row number is an argument of the call."""
    text = CONSTANTS.replace("%off = arith.muli %tile, %c128", "%off = arith.muli %k, %c128") + views()
    inner = f"""scf.for %r = %c0 to %c2 step %c1 {{
{compute_pipeline("%p#0", "%p#1", "%p#2", LT, "%r")}
          }}"""
    full = module(text + tile_pipeline(inner), ARGS + ", %k: index", NAMES + ", %k", grid=1)
    head, rest = full.split("      func.call", 1)
    call, rest = rest.split("\n", 1)
    loop = f"""      %z = arith.constant 0 : index
      %o = arith.constant 1 : index
      %t = arith.constant 2 : index
      scf.for %k = %z to %t step %o {{
        func.call{call}
      }}
"""
    head = head.replace(f"@kernel({ARGS}, %k: index)", f"@kernel({ARGS})")
    return head + loop + rest


def scalars() -> str:
    """A f16, an i32 and an index argument used in the body, and a symbolic number of rows."""
    body = """%s = arith.sitofp %n : i32 to f16
                  %h = arith.mulf %i, %x : f16
                  %k = arith.index_cast %rows : index to i32
                  %l = arith.sitofp %k : i32 to f16
                  %d = arith.addf %h, %l : f16
                  %j = linalg.index 1 : index
                  %y = arith.index_cast %j : index to i32
                  %w = arith.sitofp %y : i32 to f16
                  %v = arith.addf %d, %w : f16
                  %m = arith.addf %v, %s : f16"""
    text = CONSTANTS + views() + buffer("p", 0, LT) + buffer("z", 512, LT)
    gt = "memref<2x64xf16, strided<[64, 1], offset: ?>, #g>"
    load = f"ktdf.data_transfer from %ra[%c0, %c0] size [2, 64] to %p[%c0, %c0] size [2, 64] : {gt}, {LT}"
    first = f"ktdf.data_transfer from %z[%c0, %c0] size [2, 64] to %rc[%c0, %c0] size [2, 64] : {LT}, {gt}"
    return module(
        text
        + f"""
      ktdf.pipeline {{{transfer("MNILU", load)}
        ktdf.stage depends_in(none) depends_out(none) {{
          scf.for %r = %c0 to %rows step %c1 {{
{unary("%p", "%z", (LT, LT), "1, 64", "%r, 0", 64, body)}
          }}
        }} {{applicable_units = ["L1LU", "SFU", "L1SU"]}}{transfer("MNISU", first)}
      }}""",
        ARGS + ", %rows: index, %x: f16, %n: i32",
        NAMES + ", %rows, %x, %n",
    )


def dynamic_rows() -> str:
    """A view of runtime shape and row pitch; each row is a transfer of its own pitch."""
    text = CONSTANTS + "\n      %o = arith.muli %tile, %pitch : index\n      %two = arith.muli %o, %c2 : index"
    for n in "ac":
        text += f"""
      %v{n} = ktdp.construct_memory_view %{n}, sizes: [%rows, 64], strides: [%pitch, 1] {{
        coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>,
        memory_space = #g}} : memref<?x64xf16>
      %s{n} = memref.memory_space_cast %v{n} : memref<?x64xf16> to memref<?x64xf16, #g>
      %r{n} = memref.reinterpret_cast %s{n} to offset: [%two], sizes: [2, 64], strides: [%pitch, 1]
        : memref<?x64xf16, #g> to memref<2x64xf16, strided<[?, 1], offset: ?>, #g>"""
    gt = "memref<2x64xf16, strided<[?, 1], offset: ?>, #g>"
    text += buffer("p", 0, LT) + buffer("z", 512, LT)
    load = f"ktdf.data_transfer from %ra[%c0, %c0] size [2, 64] to %p[%c0, %c0] size [2, 64] : {gt}, {LT}"
    store = f"ktdf.data_transfer from %z[%c0, %c0] size [2, 64] to %rc[%c0, %c0] size [2, 64] : {LT}, {gt}"
    return module(
        text
        + f"""
      ktdf.pipeline {{{transfer("MNILU", load)}
        ktdf.stage depends_in(none) depends_out(none) {{
          scf.for %r = %c0 to %c2 step %c1 {{
{unary("%p", "%z", (LT, LT), "1, 64", "%r, 0", 64, "%m = arith.subf %out, %i : f16")}
          }}
        }} {{applicable_units = ["L1LU", "SFU", "L1SU"]}}{transfer("MNISU", store)}
      }}""",
        ARGS + ", %rows: index, %pitch: index",
        NAMES + ", %rows, %pitch",
    )


def hoisted() -> str:
    """The second operand is loaded once by a sibling pipeline before the loop over the tiles."""
    row = "memref<1x64xf16, #l>"
    gt = "memref<2x64xf16, strided<[64, 1], offset: ?>, #g>"
    text = CONSTANTS + views() + buffer("x", 0, row) + buffer("y", 512, row) + buffer("z", 1024, row)
    once = f"ktdf.data_transfer from %rb[%c0, %c0] size [1, 64] to %y[%c0, %c0] size [1, 64] : {gt}, {row}"
    load = f"ktdf.data_transfer from %ra[%ti, %c0] size [1, 64] to %x[%c0, %c0] size [1, 64] : {gt}, {row}"
    store = f"ktdf.data_transfer from %z[%c0, %c0] size [1, 64] to %rc[%ti, %c0] size [1, 64] : {row}, {gt}"
    return module(
        text
        + f"""
      ktdf.pipeline {{{transfer("MNILU", once)}
      }}
      scf.for %ti = %c0 to %c2 step %c1 {{
        ktdf.pipeline {{{transfer("MNILU", load)}
{transfer_compute(compute_pipeline("%x", "%y", "%z", row, "%c0"))}{transfer("MNISU", store)}
        }}
      }}""",
        ARGS,
        NAMES,
    )


def constant_addresses() -> str:
    """Literal addresses, in elements: A at 2048, B at 34816, C at 67584 (bytes 4096, 69632, 135168)."""
    text = CONSTANTS
    for n, at in zip("abc", (2048, 34816, 67584), strict=True):
        text += f"\n      %{n}_at = arith.constant {at} : index" + view(n, f"%{n}_at", (4, 64), "%off", (2, 64))
    inner = f"""scf.for %r = %c0 to %c2 step %c1 {{
{compute_pipeline("%p#0", "%p#1", "%p#2", LT, "%r")}
          }}"""
    return module(text + tile_pipeline(inner), ARGS, NAMES)


def row_buffers(row: str = "%p, 0") -> str:
    """Twice eight rows of a core: one distributed loop leaves them in `%y`, the next one reads `row` of it."""
    tile, buf = "memref<18x64xf16, strided<[64, 1], offset: ?>, #g>", "memref<8x64xf16, #l>"
    text = CONSTANTS + "\n      %c8 = arith.constant 8 : index\n      %c1152 = arith.constant 1152 : index"
    text += "\n      %big = arith.muli %tile, %c1152 : index"
    for n in "ac":
        text += view(n, f"%{n}", (36, 64), "%big", (18, 64))
    for n, name in enumerate("xyz"):
        text += buffer(name, 1024 * n, buf)

    def distributed(inner: str) -> str:
        return f"""
          ktdf.parallel (%p, %inst) = (%c0) to (%c8) step (%c1) distribute(num_instances = 2) {{{inner}
            ktdf.parallel_yield
          }}"""

    first = unary("%x", "%y", (buf, buf), "1, 64", "%p, 0", 64, "%m = math.absf %i : f16")
    second = unary("%y", "%z", (buf, buf), "1, 64", row, 64, "%m = arith.addf %i, %i : f16")
    load = f"ktdf.data_transfer from %ra[%t * 8, 0] size [8, 64] to %x[0, 0] size [8, 64] : {tile}, {buf}"
    store = f"ktdf.data_transfer from %z[0, 0] size [8, 64] to %rc[%t * 8, 0] size [8, 64] : {buf}, {tile}"
    return module(
        text
        + f"""
      scf.for %t = %c0 to %c2 step %c1 {{
        ktdf.pipeline {{{transfer("MNILU", load)}
        ktdf.stage depends_in(none) depends_out(none) {{{distributed(first)}{distributed(second)}
        }} {{applicable_units = ["L1LU", "SFU", "L1SU"]}}{transfer("MNISU", store)}
        }}
      }}""",
        ARGS,
        NAMES,
    )
