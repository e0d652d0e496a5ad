// RUN: headrace-opt --promote-register-memory %s | filecheck %s
// A buffer that only the vector unit reaches is a value: written before the loop, changed in it, read behind it.

#id = affine_map<(d0) -> (d0)>
#all = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>
#half = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>
module {
  ktdf_arch.device @sample import("sample.mlir")
  func.func @sums() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c128 = arith.constant 128 : index
    %unit = dataflow.get_unit {headrace.kind = "SFU", name = "sfu", type = "sfu"} : index
    %fifo = dataflow.get_unit {headrace.kind = "L1LU", name = "l1lu", type = "l1lu"} : index
    %registers = dataflow.get_unit {headrace.kind = "SFU_REG", name = "sfu_reg", type = "sfu_reg"} : index
    // CHECK: dataflow.program_unit
    dataflow.program_unit iter_arg : %me -> (%unit) : {
      %zero = vectorchain.constant_bitstream {value = [0x0]} : vector<1xf32>
      // CHECK: %[[START:.*]] = vectorchain.shuffle
      %start = vectorchain.shuffle input(%zero) {indices = [0 : i32], repetition = 32 : i32} : vector<1xf32>, vector<32xf32>
      // CHECK-NOT: memref<32xf32>
      %view = dataflow.get_logical_memory_view %registers, %c0 {headrace.start_unit = "byte", layout_map = #id} : index, index, memref<32xf32>
      agen.vector_store %start, %view[0] {store_order = #id, store_set = #all} : memref<32xf32>, vector<32xf32>
      // CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %[[START]]) -> (vector<32xf32>)
      scf.for %i = %c0 to %c8 step %c1 {
        // CHECK: %[[X:.*]] = dataflow.receive
        %x = dataflow.receive %fifo : vector<32xf32>
        %old = agen.vector_load %view[0] {load_order = #id, load_set = #all} : memref<32xf32>, vector<32xf32>
        // CHECK: %[[NEXT:.*]] = vectorchain.binary %[[CARRIED]], %[[X]]
        %new = vectorchain.binary %old, %x {binary_op = #vectorchain<binary_operator add>, op_specific_map = #id} : vector<32xf32>, vector<32xf32>, vector<32xf32>
        agen.vector_store %new, %view[0] {store_order = #id, store_set = #all} : memref<32xf32>, vector<32xf32>
        // CHECK: scf.yield %[[NEXT]]
      }
      // CHECK: dataflow.send %{{.*}}, %[[SUM]]
      %sum = agen.vector_load %view[0] {load_order = #id, load_set = #all} : memref<32xf32>, vector<32xf32>
      dataflow.send %fifo, %sum : vector<32xf32>

      // A buffer that is read in part stays memory.
      // CHECK: memref<32xf32>
      %parts = dataflow.get_logical_memory_view %registers, %c128 {headrace.start_unit = "byte", layout_map = #id} : index, index, memref<32xf32>
      // CHECK: agen.vector_store
      agen.vector_store %start, %parts[0] {store_order = #id, store_set = #all} : memref<32xf32>, vector<32xf32>
      // CHECK: agen.vector_load
      %part = agen.vector_load %parts[0] {load_order = #id, load_set = #half} : memref<32xf32>, vector<16xf32>
      dataflow.send %fifo, %part : vector<16xf32>

      // A buffer that lives and dies in a branch is a value there; one that a branch changes for later stays memory.
      // CHECK: %[[FIRST:.*]] = arith.cmpi
      %first = arith.cmpi eq, %me, %c0 : index
      %c256 = arith.constant 256 : index
      %c384 = arith.constant 384 : index
      %branch = dataflow.get_logical_memory_view %registers, %c256 {headrace.start_unit = "byte", layout_map = #id} : index, index, memref<32xf32>
      %later = dataflow.get_logical_memory_view %registers, %c384 {headrace.start_unit = "byte", layout_map = #id} : index, index, memref<32xf32>
      // CHECK: scf.if %[[FIRST]]
      scf.if %first {
        // CHECK: %[[Y:.*]] = dataflow.receive
        %y = dataflow.receive %fifo : vector<32xf32>
        agen.vector_store %y, %branch[0] {store_order = #id, store_set = #all} : memref<32xf32>, vector<32xf32>
        %same = agen.vector_load %branch[0] {load_order = #id, load_set = #all} : memref<32xf32>, vector<32xf32>
        // CHECK-NEXT: dataflow.send %{{.*}}, %[[Y]]
        dataflow.send %fifo, %same : vector<32xf32>
        // CHECK: agen.vector_store
        agen.vector_store %y, %later[0] {store_order = #id, store_set = #all} : memref<32xf32>, vector<32xf32>
      }
      // CHECK: agen.vector_load
      %after = agen.vector_load %later[0] {load_order = #id, load_set = #all} : memref<32xf32>, vector<32xf32>
      dataflow.send %fifo, %after : vector<32xf32>
    }
    return
  }
}
