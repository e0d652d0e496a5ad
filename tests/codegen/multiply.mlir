// C = A * B, all 4x64 f16, two cores with two rows each. Buffers in the scratchpad at 0, 256, 512; one-way counted signals:
// 0 = first input, 1 = second input, 2 = output.
#row_major = affine_map<(d0, d1) -> (d0 * 64 + d1)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id1 = affine_map<(d0) -> (d0)>
#walk = affine_map<(d0) -> (d0, 0)>
#vec = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 63 >= 0)>
#steps = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>
module {
  module {
    func.func @mul(%a: index, %b: index, %c: index) attributes {grid = [2]} {
      symbol.create_id %a {symbol_id = -1 : si64} : index
      symbol.create_id %b {symbol_id = -2 : si64} : index
      symbol.create_id %c {symbol_id = -3 : si64} : index
      call @local_schedule_0(%a, %b, %c) : (index, index, index) -> ()
      return
    }
    func.func private @local_schedule_0(index, index, index)
  }
  module @local_schedule_0 {
    func.func private @local_schedule_0_body()
    func.func @local_schedule_0(%a: index, %b: index, %c: index) {
      %c256 = arith.constant 256 : index
      %c64 = arith.constant 64 : index
      symbol.create_id %a {symbol_id = -1 : si64} : index
      symbol.create_id %b {symbol_id = -2 : si64} : index
      symbol.create_id %c {symbol_id = -3 : si64} : index
      %a0 = arith.divsi %a, %c64 : index
      symbol.create_id %a0 {symbol_id = -4 : si64} : index
      %a1b = arith.addi %a, %c256 : index
      %a1 = arith.divsi %a1b, %c64 : index
      symbol.create_id %a1 {symbol_id = -5 : si64} : index
      %b0 = arith.divsi %b, %c64 : index
      symbol.create_id %b0 {symbol_id = -6 : si64} : index
      %b1b = arith.addi %b, %c256 : index
      %b1 = arith.divsi %b1b, %c64 : index
      symbol.create_id %b1 {symbol_id = -7 : si64} : index
      %c0 = arith.divsi %c, %c64 : index
      symbol.create_id %c0 {symbol_id = -8 : si64} : index
      %c1b = arith.addi %c, %c256 : index
      %c1 = arith.divsi %c1b, %c64 : index
      symbol.create_id %c1 {symbol_id = -9 : si64} : index
      call @local_schedule_0_body() : () -> ()
      return
    }
    module {
      func.func @local_schedule_0_body() attributes {grid = [2]} {
        %c512 = arith.constant 512 : index
        %c256 = arith.constant 256 : index
        %c2 = arith.constant 2 : index
        %c1 = arith.constant 1 : index
        %c0 = arith.constant 0 : index
        %ld0 = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-mnilu", type = "mnilu"} : index
        %ld1 = dataflow.get_unit {core = 1 : i32, corelet = 0 : i32, name = "C1-mnilu", type = "mnilu"} : index
        %lu0 = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-l1lu", type = "l1lu"} : index
        %lu1 = dataflow.get_unit {core = 1 : i32, corelet = 0 : i32, name = "C1-l1lu", type = "l1lu"} : index
        %sf0 = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-sfu", type = "sfu"} : index
        %sf1 = dataflow.get_unit {core = 1 : i32, corelet = 0 : i32, name = "C1-sfu", type = "sfu"} : index
        %su0 = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-l1su", type = "l1su"} : index
        %su1 = dataflow.get_unit {core = 1 : i32, corelet = 0 : i32, name = "C1-l1su", type = "l1su"} : index
        %st0 = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-mnisu", type = "mnisu"} : index
        %st1 = dataflow.get_unit {core = 1 : i32, corelet = 0 : i32, name = "C1-mnisu", type = "mnisu"} : index
        %hbm = dataflow.get_unit {name = "hbm", type = "hbm"} : index
        %lx0 = dataflow.get_unit {core = 0 : i32, name = "C0-lx", type = "lx"} : index
        %lx1 = dataflow.get_unit {core = 1 : i32, name = "C1-lx", type = "lx"} : index
        dataflow.program_unit iter_arg : %u -> (%ld0, %ld1) : {
          %mlx = uniform.def_immutable_mapping([%ld0 -> %lx0], [%ld1 -> %lx1]):index
          %lx = uniform.query_map(map:%mlx, key:%u) : index
          %mpeer = uniform.def_immutable_mapping([%ld0 -> %lu0], [%ld1 -> %lu1]):index
          %peer = uniform.query_map(map:%mpeer, key:%u) : index
          %sA0 = symbol.create_symbol {SymbolId = -4 : i64} : index
          %sA1 = symbol.create_symbol {SymbolId = -5 : i64} : index
          %msA = uniform.def_immutable_mapping([%ld0 -> %sA0], [%ld1 -> %sA1]):index
          %qA = uniform.query_map(map:%msA, key:%u) : index
          %A = dataflow.get_logical_memory_view %hbm, %qA {layout_map = #row_major, headrace.start_unit = "word"} : index, index, memref<4x64xf16>
          %sB0 = symbol.create_symbol {SymbolId = -6 : i64} : index
          %sB1 = symbol.create_symbol {SymbolId = -7 : i64} : index
          %msB = uniform.def_immutable_mapping([%ld0 -> %sB0], [%ld1 -> %sB1]):index
          %qB = uniform.query_map(map:%msB, key:%u) : index
          %B = dataflow.get_logical_memory_view %hbm, %qB {layout_map = #row_major, headrace.start_unit = "word"} : index, index, memref<4x64xf16>
          %x = dataflow.get_logical_memory_view %lx, %c0 {layout_map = #row_major, headrace.start_unit = "byte"} : index, index, memref<2x64xf16>
          %y = dataflow.get_logical_memory_view %lx, %c256 {layout_map = #row_major, headrace.start_unit = "byte"} : index, index, memref<2x64xf16>
          dataflow.sync_recv %peer {headrace.signal = 0 : i32} : index
          agen.composite_load_and_store src:%A[%c0, %c0] dst:%x[%c0, %c0]
           time_symbols(), load_iv(%v_Ax:vector<64xf16>)
           {load_order = #id2, load_set = #vec, load_time_addr_map = #walk, store_order = #id2, store_set = #vec, store_time_addr_map = #walk, time_order = #id1, time_set = #steps}
          {
            agen.yield
          } : memref<4x64xf16>, memref<2x64xf16>
          dataflow.sync_send %peer {headrace.signal = 0 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_recv %peer {headrace.signal = 1 : i32} : index
          agen.composite_load_and_store src:%B[%c0, %c0] dst:%y[%c0, %c0]
           time_symbols(), load_iv(%v_By:vector<64xf16>)
           {load_order = #id2, load_set = #vec, load_time_addr_map = #walk, store_order = #id2, store_set = #vec, store_time_addr_map = #walk, time_order = #id1, time_set = #steps}
          {
            agen.yield
          } : memref<4x64xf16>, memref<2x64xf16>
          dataflow.sync_send %peer {headrace.signal = 1 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_recv %peer {headrace.signal = 0 : i32} : index
          dataflow.sync_recv %peer {headrace.signal = 1 : i32} : index
        }
        dataflow.program_unit iter_arg : %u -> (%lu0, %lu1) : {
          %mlx = uniform.def_immutable_mapping([%lu0 -> %lx0], [%lu1 -> %lx1]):index
          %lx = uniform.query_map(map:%mlx, key:%u) : index
          %mpeer = uniform.def_immutable_mapping([%lu0 -> %ld0], [%lu1 -> %ld1]):index
          %peer = uniform.query_map(map:%mpeer, key:%u) : index
          %mnext = uniform.def_immutable_mapping([%lu0 -> %sf0], [%lu1 -> %sf1]):index
          %next = uniform.query_map(map:%mnext, key:%u) : index
          %x = dataflow.get_logical_memory_view %lx, %c0 {layout_map = #row_major, headrace.start_unit = "byte"} : index, index, memref<2x64xf16>
          %y = dataflow.get_logical_memory_view %lx, %c256 {layout_map = #row_major, headrace.start_unit = "byte"} : index, index, memref<2x64xf16>
          dataflow.sync_send %peer {headrace.signal = 0 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_send %peer {headrace.signal = 1 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_recv %peer {headrace.signal = 0 : i32} : index
          dataflow.sync_recv %peer {headrace.signal = 1 : i32} : index
          scf.for %r = %c0 to %c2 step %c1 {
            %v = agen.vector_load %x[%r, %c0] {load_order = #id2, load_set = #vec} : memref<2x64xf16>, vector<64xf16>
            dataflow.send %next, %v : vector<64xf16>
            %w = agen.vector_load %y[%r, %c0] {load_order = #id2, load_set = #vec} : memref<2x64xf16>, vector<64xf16>
            dataflow.send %next, %w : vector<64xf16>
          }
          dataflow.sync_send %peer {headrace.signal = 0 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_send %peer {headrace.signal = 1 : i32, wait_immediately_for_async_transfers = true} : index
        }
        dataflow.program_unit iter_arg : %u -> (%sf0, %sf1) : {
          %mpeer = uniform.def_immutable_mapping([%sf0 -> %lu0], [%sf1 -> %lu1]):index
          %peer = uniform.query_map(map:%mpeer, key:%u) : index
          %mnext = uniform.def_immutable_mapping([%sf0 -> %su0], [%sf1 -> %su1]):index
          %next = uniform.query_map(map:%mnext, key:%u) : index
          scf.for %r = %c0 to %c2 step %c1 {
            %v = dataflow.receive %peer : vector<64xf16>
            %w = dataflow.receive %peer : vector<64xf16>
            %p = vectorchain.binary %v, %w {binary_op = #vectorchain<binary_operator mul>, op_specific_map = #id1} : vector<64xf16>, vector<64xf16>, vector<64xf16>
            dataflow.send %next, %p : vector<64xf16>
          }
        }
        dataflow.program_unit iter_arg : %u -> (%su0, %su1) : {
          %mlx = uniform.def_immutable_mapping([%su0 -> %lx0], [%su1 -> %lx1]):index
          %lx = uniform.query_map(map:%mlx, key:%u) : index
          %mpeer = uniform.def_immutable_mapping([%su0 -> %sf0], [%su1 -> %sf1]):index
          %peer = uniform.query_map(map:%mpeer, key:%u) : index
          %mnext = uniform.def_immutable_mapping([%su0 -> %st0], [%su1 -> %st1]):index
          %next = uniform.query_map(map:%mnext, key:%u) : index
          %z = dataflow.get_logical_memory_view %lx, %c512 {layout_map = #row_major, headrace.start_unit = "byte"} : index, index, memref<2x64xf16>
          dataflow.sync_recv %next {headrace.signal = 2 : i32} : index
          scf.for %r = %c0 to %c2 step %c1 {
            %p = dataflow.receive %peer : vector<64xf16>
            agen.vector_store %p, %z[%r, %c0] {store_order = #id2, store_set = #vec} : memref<2x64xf16>, vector<64xf16>
          }
          dataflow.sync_send %next {headrace.signal = 2 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_recv %next {headrace.signal = 2 : i32} : index
        }
        dataflow.program_unit iter_arg : %u -> (%st0, %st1) : {
          %mlx = uniform.def_immutable_mapping([%st0 -> %lx0], [%st1 -> %lx1]):index
          %lx = uniform.query_map(map:%mlx, key:%u) : index
          %mpeer = uniform.def_immutable_mapping([%st0 -> %su0], [%st1 -> %su1]):index
          %peer = uniform.query_map(map:%mpeer, key:%u) : index
          %sC0 = symbol.create_symbol {SymbolId = -8 : i64} : index
          %sC1 = symbol.create_symbol {SymbolId = -9 : i64} : index
          %msC = uniform.def_immutable_mapping([%st0 -> %sC0], [%st1 -> %sC1]):index
          %qC = uniform.query_map(map:%msC, key:%u) : index
          %C = dataflow.get_logical_memory_view %hbm, %qC {layout_map = #row_major, headrace.start_unit = "word"} : index, index, memref<4x64xf16>
          %z = dataflow.get_logical_memory_view %lx, %c512 {layout_map = #row_major, headrace.start_unit = "byte"} : index, index, memref<2x64xf16>
          dataflow.sync_send %peer {headrace.signal = 2 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_recv %peer {headrace.signal = 2 : i32} : index
          agen.composite_load_and_store src:%z[%c0, %c0] dst:%C[%c0, %c0]
           time_symbols(), load_iv(%v_zC:vector<64xf16>)
           {load_order = #id2, load_set = #vec, load_time_addr_map = #walk, store_order = #id2, store_set = #vec, store_time_addr_map = #walk, time_order = #id1, time_set = #steps}
          {
            agen.yield
          } : memref<2x64xf16>, memref<4x64xf16>
          dataflow.sync_send %peer {headrace.signal = 2 : i32, wait_immediately_for_async_transfers = true} : index
        }
        return
      }
    }
  }
}
