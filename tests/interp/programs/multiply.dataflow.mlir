// C = A * B on two cores, one-way signals: 0 counts free buffers, 1 (or 0 of the other direction) full ones.
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
      %r0 = arith.divsi %c, %c64 : index
      symbol.create_id %r0 {symbol_id = -8 : si64} : index
      %r1b = arith.addi %c, %c256 : index
      %r1 = arith.divsi %r1b, %c64 : index
      symbol.create_id %r1 {symbol_id = -9 : si64} : index
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

        // ---- DMA load
        dataflow.program_unit iter_arg : %u -> (%ld0, %ld1) : {
          %mx = uniform.def_immutable_mapping([%ld0 -> %lx0], [%ld1 -> %lx1]):index
          %lx = uniform.query_map(map:%mx, key:%u) : index
          %sA0 = symbol.create_symbol {SymbolId = -4 : i64} : index
          %sA1 = symbol.create_symbol {SymbolId = -5 : i64} : index
          %mA = uniform.def_immutable_mapping([%ld0 -> %sA0], [%ld1 -> %sA1]):index
          %qA = uniform.query_map(map:%mA, key:%u) : index
          %A = dataflow.get_logical_memory_view %hbm, %qA {layout_map = #row_major} : index, index, memref<4x64xf16>
          %sB0 = symbol.create_symbol {SymbolId = -6 : i64} : index
          %sB1 = symbol.create_symbol {SymbolId = -7 : i64} : index
          %mB = uniform.def_immutable_mapping([%ld0 -> %sB0], [%ld1 -> %sB1]):index
          %qB = uniform.query_map(map:%mB, key:%u) : index
          %B = dataflow.get_logical_memory_view %hbm, %qB {layout_map = #row_major} : index, index, memref<4x64xf16>
          %x = dataflow.get_logical_memory_view %lx, %c0 {layout_map = #row_major} : index, index, memref<2x64xf16>
          %y = dataflow.get_logical_memory_view %lx, %c256 {layout_map = #row_major} : index, index, memref<2x64xf16>
          %mL = uniform.def_immutable_mapping([%ld0 -> %lu0], [%ld1 -> %lu1]):index
          %qL = uniform.query_map(map:%mL, key:%u) : index
          dataflow.sync_recv %qL : index
          agen.composite_load_and_store src:%A[%c0, %c0] dst:%x[%c0, %c0]
           time_symbols(), load_iv(%v0:vector<64xf16>)
           {load_order = #id2, load_set = #vec, load_time_addr_map = #walk, store_order = #id2, store_set = #vec, store_time_addr_map = #walk, time_order = #id1, time_set = #steps}
          {
            agen.yield
          } : memref<4x64xf16>, memref<2x64xf16>
          agen.composite_load_and_store src:%B[%c0, %c0] dst:%y[%c0, %c0]
           time_symbols(), load_iv(%v1:vector<64xf16>)
           {load_order = #id2, load_set = #vec, load_time_addr_map = #walk, store_order = #id2, store_set = #vec, store_time_addr_map = #walk, time_order = #id1, time_set = #steps}
          {
            agen.yield
          } : memref<4x64xf16>, memref<2x64xf16>
          dataflow.sync_send %qL {wait_immediately_for_async_transfers = true, headrace.signal = 1 : i32} : index
          dataflow.sync_recv %qL : index
        }

        // ---- scratchpad load
        dataflow.program_unit iter_arg : %u -> (%lu0, %lu1) : {
          %mx = uniform.def_immutable_mapping([%lu0 -> %lx0], [%lu1 -> %lx1]):index
          %lx = uniform.query_map(map:%mx, key:%u) : index
          %x = dataflow.get_logical_memory_view %lx, %c0 {layout_map = #row_major} : index, index, memref<2x64xf16>
          %y = dataflow.get_logical_memory_view %lx, %c256 {layout_map = #row_major} : index, index, memref<2x64xf16>
          %mD = uniform.def_immutable_mapping([%lu0 -> %ld0], [%lu1 -> %ld1]):index
          %qD = uniform.query_map(map:%mD, key:%u) : index
          dataflow.sync_send %qD : index
          dataflow.sync_recv %qD {headrace.signal = 1 : i32} : index
          scf.for %r = %c0 to %c2 step %c1 {
            %v = agen.vector_load %x[%r, %c0] {load_order = #id2, load_set = #vec} : memref<2x64xf16>, vector<64xf16>
            %m0 = uniform.def_immutable_mapping([%lu0 -> %sf0], [%lu1 -> %sf1]):index
            %q0 = uniform.query_map(map:%m0, key:%u) : index
            dataflow.send %q0, %v : vector<64xf16>
            %w = agen.vector_load %y[%r, %c0] {load_order = #id2, load_set = #vec} : memref<2x64xf16>, vector<64xf16>
            %m1 = uniform.def_immutable_mapping([%lu0 -> %sf0], [%lu1 -> %sf1]):index
            %q1 = uniform.query_map(map:%m1, key:%u) : index
            dataflow.send %q1, %w : vector<64xf16>
          }
          dataflow.sync_send %qD : index
        }

        // ---- compute
        dataflow.program_unit iter_arg : %u -> (%sf0, %sf1) : {
          scf.for %r = %c0 to %c2 step %c1 {
            %m0 = uniform.def_immutable_mapping([%sf0 -> %lu0], [%sf1 -> %lu1]):index
            %q0 = uniform.query_map(map:%m0, key:%u) : index
            %v = dataflow.receive %q0 : vector<64xf16>
            %m1 = uniform.def_immutable_mapping([%sf0 -> %lu0], [%sf1 -> %lu1]):index
            %q1 = uniform.query_map(map:%m1, key:%u) : index
            %w = dataflow.receive %q1 : vector<64xf16>
            %p = vectorchain.binary %v, %w {binary_op = #vectorchain<binary_operator mul>, op_specific_map = #id1} : vector<64xf16>, vector<64xf16>, vector<64xf16>
            %m2 = uniform.def_immutable_mapping([%sf0 -> %su0], [%sf1 -> %su1]):index
            %q2 = uniform.query_map(map:%m2, key:%u) : index
            dataflow.send %q2, %p : vector<64xf16>
          }
        }

        // ---- scratchpad store
        dataflow.program_unit iter_arg : %u -> (%su0, %su1) : {
          %mx = uniform.def_immutable_mapping([%su0 -> %lx0], [%su1 -> %lx1]):index
          %lx = uniform.query_map(map:%mx, key:%u) : index
          %z = dataflow.get_logical_memory_view %lx, %c512 {layout_map = #row_major} : index, index, memref<2x64xf16>
          %mT = uniform.def_immutable_mapping([%su0 -> %st0], [%su1 -> %st1]):index
          %qT = uniform.query_map(map:%mT, key:%u) : index
          dataflow.sync_recv %qT : index
          scf.for %r = %c0 to %c2 step %c1 {
            %m0 = uniform.def_immutable_mapping([%su0 -> %sf0], [%su1 -> %sf1]):index
            %q0 = uniform.query_map(map:%m0, key:%u) : index
            %p = dataflow.receive %q0 : vector<64xf16>
            agen.vector_store %p, %z[%r, %c0] {store_order = #id2, store_set = #vec} : memref<2x64xf16>, vector<64xf16>
          }
          dataflow.sync_send %qT {wait_immediately_for_async_transfers = true} : index
          dataflow.sync_recv %qT : index
        }

        // ---- DMA store
        dataflow.program_unit iter_arg : %u -> (%st0, %st1) : {
          %mx = uniform.def_immutable_mapping([%st0 -> %lx0], [%st1 -> %lx1]):index
          %lx = uniform.query_map(map:%mx, key:%u) : index
          %s0 = symbol.create_symbol {SymbolId = -8 : i64} : index
          %s1 = symbol.create_symbol {SymbolId = -9 : i64} : index
          %mC = uniform.def_immutable_mapping([%st0 -> %s0], [%st1 -> %s1]):index
          %qC = uniform.query_map(map:%mC, key:%u) : index
          %C = dataflow.get_logical_memory_view %hbm, %qC {layout_map = #row_major} : index, index, memref<4x64xf16>
          %z = dataflow.get_logical_memory_view %lx, %c512 {layout_map = #row_major} : index, index, memref<2x64xf16>
          %mS = uniform.def_immutable_mapping([%st0 -> %su0], [%st1 -> %su1]):index
          %qS = uniform.query_map(map:%mS, key:%u) : index
          dataflow.sync_send %qS : index
          dataflow.sync_recv %qS : index
          agen.composite_load_and_store src:%z[%c0, %c0] dst:%C[%c0, %c0]
           time_symbols(), load_iv(%v:vector<64xf16>)
           {load_order = #id2, load_set = #vec, load_time_addr_map = #walk, store_order = #id2, store_set = #vec, store_time_addr_map = #walk, time_order = #id1, time_set = #steps}
          {
            agen.yield
          } : memref<2x64xf16>, memref<4x64xf16>
          dataflow.sync_send %qS : index
        }
        return
      }
    }
  }
}
