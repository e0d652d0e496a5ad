"""Hand-written ScheduleIR for the lowering tests: a small device and programs on it."""

from __future__ import annotations

TOY = """
#DDR = { kind = "DDR", size = 1048576 }
#L1 = { kind = "L1", size = 65536 }
#MNILU = { kind = "MNILU", dataflow_scheduler.double_buffer_last, ktdf_arch.features = {
  ktdf_arch.feature.load = { word_size = #ktdf_arch.map<"DDR" = 64> } } }
#MNISU = { kind = "MNISU", dataflow_scheduler.double_buffer_last, ktdf_arch.features = {
  ktdf_arch.feature.store = { word_size = #ktdf_arch.map<"DDR" = 64> } } }
#L1LU = { kind = "L1LU", ktdf_arch.features = { ktdf_arch.feature.load, ktdf_arch.feature.simd = { splat } } }
#L1SU = { kind = "L1SU", ktdf_arch.features = { ktdf_arch.feature.store } }
#SFU = { kind = "SFU", ktdf_arch.features = { ktdf_arch.feature.compute,
  ktdf_arch.feature.simd = { lanes = #ktdf_arch.map<f16 = 64, f32 = 32, i32 = 32> } } }
#Fifo = { ktdf_arch.features = { ktdf_arch.feature.queue = { depth = 4, ordered } } }
ktdf_arch.device @toy attributes {
  mem_space_mapping = #ktdf_arch.map<#ktdp.memory_space<global> = "DDR", #ktdp.memory_space<ct_local> = "L1"> } {
  %ddr = memory #DDR
  group { kind = "core" } share(%ddr) {
    %l1 = memory #L1
    %mnilu = exec_unit #MNILU
    %mnisu = exec_unit #MNISU
    datapath %ddr to %mnilu : memory, exec_unit
    datapath %mnilu to %l1 : exec_unit, memory
    datapath %l1 to %mnisu : memory, exec_unit
    datapath %mnisu to %ddr : exec_unit, memory
    group share(%l1) {
      %l1lu = exec_unit #L1LU
      %l1su = exec_unit #L1SU
      %sfu = exec_unit #SFU
      datapath %l1 to %l1lu : memory, exec_unit
      datapath #Fifo %l1lu to %sfu : exec_unit, exec_unit
      datapath #Fifo %sfu to %l1su : exec_unit, exec_unit
      datapath %l1su to %l1 : exec_unit, memory
    }
    group share(%l1) {
      %l1lu = exec_unit #L1LU
      %l1su = exec_unit #L1SU
      %sfu = exec_unit #SFU
      datapath %l1 to %l1lu : memory, exec_unit
      datapath #Fifo %l1lu to %sfu : exec_unit, exec_unit
      datapath #Fifo %sfu to %l1su : exec_unit, exec_unit
      datapath %l1su to %l1 : exec_unit, memory
    }
  }
}
"""

ALIASES = """
#g = #ktdp.memory_space<global>
#l = #ktdp.memory_space<ct_local>
#id = affine_map<(d0, d1) -> (d0, d1)>
!fi = !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
!fo = !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
"""


def module(program: str, arguments: str, names: str, grid: int = 2, call: str | None = None) -> str:
    """A top module: a coordinator `@kernel` that calls `@local_schedule_0`, and the program."""
    types = ", ".join(a.split(":")[1].strip() for a in arguments.split(","))
    call = call or f"func.call @local_schedule_0({names}) : ({types}) -> ()"
    return f"""{ALIASES}
module {{
  module {{
    func.func @kernel({arguments}) attributes {{grid = [{grid}]}} {{
      {call}
      return
    }}
    func.func private @local_schedule_0({types})
  }}
  module @local_schedule_0 {{
    func.func @local_schedule_0({arguments}) attributes {{grid = [{grid}]}} {{
{program}
      return
    }}
  }}
}}
"""


def view(name: str, pointer: str, shape: tuple[int, int], offset: str, sizes: tuple[int, int]) -> str:
    """A global view of `shape` and the tile at `offset` (elements) as `%r<name>`, row-major."""
    full, tile = f"{shape[0]}x{shape[1]}xf16", f"{sizes[0]}x{sizes[1]}xf16"
    return f"""
      %v{name} = ktdp.construct_memory_view {pointer}, sizes: [{shape[0]}, {shape[1]}], strides: [{shape[1]}, 1] {{
        coordinate_set = affine_set<(d0, d1) :
          (d0 >= 0, -d0 + {shape[0] - 1} >= 0, d1 >= 0, -d1 + {shape[1] - 1} >= 0)>,
        memory_space = #g}} : memref<{full}>
      %s{name} = memref.memory_space_cast %v{name} : memref<{full}> to memref<{full}, #g>
      %r{name} = memref.reinterpret_cast %s{name} to offset: [{offset}], sizes: [{sizes[0]}, {sizes[1]}],
        strides: [{shape[1]}, 1] : memref<{full}, #g> to memref<{tile}, strided<[{shape[1]}, 1], offset: ?>, #g>"""


CONSTANTS = """
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c128 = arith.constant 128 : index
      %tile = ktdp.get_compute_tile_id : index
      %off = arith.muli %tile, %c128 : index"""


def compute_pipeline(x: str, y: str, z: str, shape: str, row: str, body: str = "%m = arith.mulf %i, %j : f16") -> str:
    """The inner pipeline: one row of buffers `x` and `y` into one row of `z`."""
    return f"""
            ktdf.pipeline {{
              %q:5 = ktdf.private -> (!fi, !fi, !fo, !ktdf.token, !ktdf.token) {{
                %f:2 = ktdf.fifo.allocate() -> !fi, !fi
                %g = ktdf.fifo.allocate() -> !fo
                %t2 = ktdf.create_token : !ktdf.token
                %t3 = ktdf.create_token : !ktdf.token
                ktdf.private_yield %f#0, %f#1, %g, %t2, %t3 : !fi, !fi, !fo, !ktdf.token, !ktdf.token
              }}
              ktdf.stage depends_in(none) depends_out(%q#3) {{
                ktdf.data_transfer from {x}[{row}, %c0] size [1, 64] to %q#0 size [64] : {shape}, !fi
                ktdf.data_transfer from {y}[{row}, %c0] size [1, 64] to %q#1 size [64] : {shape}, !fi
              }} {{applicable_units = ["L1LU"]}}
              ktdf.stage depends_in(%q#3) depends_out(%q#4) {{
                %u = ktdf.read_from_fifo %q#0 : !fi -> tensor<1x64xf16>
                %v = ktdf.read_from_fifo %q#1 : !fi -> tensor<1x64xf16>
                %e = tensor.empty() : tensor<1x64xf16>
                %w = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}}
                  ins(%u, %v : tensor<1x64xf16>, tensor<1x64xf16>) outs(%e : tensor<1x64xf16>) {{
                ^bb0(%i: f16, %j: f16, %out: f16):
                  {body}
                  linalg.yield %m : f16
                }} -> tensor<1x64xf16>
                ktdf.write_to_fifo %w, %q#2 : tensor<1x64xf16>, !fo
              }} {{applicable_units = ["SFU"]}}
              ktdf.stage depends_in(%q#4) depends_out(none) {{
                ktdf.data_transfer from %q#2 size [64] to {z}[{row}, %c0] size [1, 64] : !fo, {shape}
              }} {{applicable_units = ["L1SU"]}}
            }}"""


LT = "memref<2x64xf16, #l>"
GT = "memref<2x64xf16, strided<[64, 1], offset: ?>, #g>"


def tile_pipeline(inner: str) -> str:
    """DMA in, `inner`, DMA out, over private buffers `%p#0..2` at 0, 256, 512."""
    return f"""
      ktdf.pipeline {{
        %p:5 = ktdf.private -> ({LT}, {LT}, {LT}, !ktdf.token, !ktdf.token) {{
          %k0 = arith.constant 0 : index
          %k1 = arith.constant 256 : index
          %k2 = arith.constant 512 : index
          %x = builtin.unrealized_conversion_cast %k0 : index to {LT}
          %y = builtin.unrealized_conversion_cast %k1 : index to {LT}
          %z = builtin.unrealized_conversion_cast %k2 : index to {LT}
          %t0 = ktdf.create_token : !ktdf.token
          %t1 = ktdf.create_token : !ktdf.token
          ktdf.private_yield %x, %y, %z, %t0, %t1 : {LT}, {LT}, {LT}, !ktdf.token, !ktdf.token
        }}
        ktdf.stage depends_in(none) depends_out(%p#3) {{
          ktdf.data_transfer from %ra[%c0, %c0] size [2, 64] to %p#0[%c0, %c0] size [2, 64] : {GT}, {LT}
          ktdf.data_transfer from %rb[%c0, %c0] size [2, 64] to %p#1[%c0, %c0] size [2, 64] : {GT}, {LT}
        }} {{applicable_units = ["MNILU"]}}
        ktdf.stage depends_in(%p#3) depends_out(%p#4) {{
          {inner}
        }} {{applicable_units = ["L1LU", "SFU", "L1SU"]}}
        ktdf.stage depends_in(%p#4) depends_out(none) {{
          ktdf.data_transfer from %p#2[%c0, %c0] size [2, 64] to %rc[%c0, %c0] size [2, 64] : {LT}, {GT}
        }} {{applicable_units = ["MNISU"]}}
      }}"""


def views() -> str:
    """Tiles `%ra`, `%rb`, `%rc` of two rows of the 4x64 arguments `%a`, `%b`, `%c`."""
    return "".join(view(n, f"%{n}", (4, 64), "%off", (2, 64)) for n in "abc")


def multiply(body: str = "%m = arith.mulf %i, %j : f16") -> str:
    """The worked example of the reference: C = A * B, 4x64 f16, two cores, two rows each."""
    inner = f"""scf.for %r = %c0 to %c2 step %c1 {{
{compute_pipeline("%p#0", "%p#1", "%p#2", LT, "%r", body)}
          }}"""
    return module(CONSTANTS + views() + tile_pipeline(inner), "%a: index, %b: index, %c: index", "%a, %b, %c")


def parallel_multiply(rows: str = "%c2") -> str:
    """The same with the rows distributed over two corelets."""
    inner = f"""ktdf.parallel (%r, %inst) = (%c0) to ({rows}) step (%c1) distribute(num_instances = 2) {{
{compute_pipeline("%p#0", "%p#1", "%p#2", LT, "%r")}
            ktdf.parallel_yield
          }}"""
    return module(CONSTANTS + views() + tile_pipeline(inner), "%a: index, %b: index, %c: index", "%a, %b, %c")


def rotating(buffers: int = 2, remainder: bool = False, trips: int = 8, again: bool = False) -> str:
    """Each core multiplies `trips` tiles of 2x64 with rotating buffers; optionally a peeled last one on buffer 0
    or as many tiles again in a loop around."""
    addresses = [0x1000 * k for k in range(3 * buffers)]
    text = (
        CONSTANTS
        + f"""
      %trips = arith.constant {trips} : index"""
        + """
      %c1152 = arith.constant 1152 : index
      %big = arith.muli %tile, %c1152 : index"""
    )
    for n in "abc":
        text += view(n, f"%{n}", (36, 64), "%big", (18, 64))
    for k, address in enumerate(addresses):
        text += f"""
      %k{k} = arith.constant {address} : index
      %buf{k} = builtin.unrealized_conversion_cast %k{k} : index to {LT}"""
    big = "memref<18x64xf16, strided<[64, 1], offset: ?>, #g>"
    lists = [", ".join(f"%buf{n * buffers + k}" for k in range(buffers)) for n in range(3)]
    selects = "".join(f"\n        %p{n} = ktdf.select_memref %ph[{lists[n]}] : {LT}" for n in range(3))

    def tile(p: list[str], row: str, modulo: str) -> str:
        return f"""
        ktdf.pipeline {modulo} {{
          %t:2 = ktdf.private -> (!ktdf.token, !ktdf.token) {{
            %t0 = ktdf.create_token : !ktdf.token
            %t1 = ktdf.create_token : !ktdf.token
            ktdf.private_yield %t0, %t1 : !ktdf.token, !ktdf.token
          }}
          ktdf.stage depends_in(none) depends_out(%t#0) {{
            ktdf.data_transfer from %ra[{row}, %c0] size [2, 64] to {p[0]}[%c0, %c0] size [2, 64] : {big}, {LT}
            ktdf.data_transfer from %rb[{row}, %c0] size [2, 64] to {p[1]}[%c0, %c0] size [2, 64] : {big}, {LT}
          }} {{applicable_units = ["MNILU"]}}
          ktdf.stage depends_in(%t#0) depends_out(%t#1) {{
            scf.for %r = %c0 to %c2 step %c1 {{
{compute_pipeline(p[0], p[1], p[2], LT, "%r")}
            }}
          }} {{applicable_units = ["L1LU", "SFU", "L1SU"]}}
          ktdf.stage depends_in(%t#1) depends_out(none) {{
            ktdf.data_transfer from {p[2]}[%c0, %c0] size [2, 64] to %rc[{row}, %c0] size [2, 64] : {LT}, {big}
          }} {{applicable_units = ["MNISU"]}}
        }}"""

    row = "%ti * 2"
    if again:
        row += f" + %again * {2 * trips}"
        text += "\n      scf.for %again = %c0 to %c2 step %c1 {"
    text += f"""
      scf.for %ti = %c0 to %trips step %c1 {{
        %ph = ktdf.buffer_phase(%ti) {{num_phases = {buffers} : i64}} : index{selects}
{tile(["%p0", "%p1", "%p2"], row, f"modulo(size : {buffers})")}
      }}"""
    if again:
        text += "\n      }"
    if remainder:
        text += tile([f"%buf{n * buffers}" for n in range(3)], "16", "")
    return module(text, "%a: index, %b: index, %c: index", "%a, %b, %c")
