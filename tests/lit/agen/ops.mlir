// RUN: headrace-opt %s | headrace-opt | filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id1 = affine_map<(d0) -> (d0)>
#walk = affine_map<(d0) -> (d0, 0)>
#vec = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 63 >= 0)>
#line = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>
#steps = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>
func.func @accesses(%m: memref<4x64xf16>, %n: memref<2x64xf16>, %i: memref<4x64xi32>, %r: index, %c: index, %u: index) {
  // CHECK: %[[V:.*]] = agen.vector_load %arg0[%arg3 * 2 + %arg4, 0] {load_order = #map, load_set = #set} : memref<4x64xf16>, vector<64xf16>
  %v = agen.vector_load %m[%r * 2 + %c, 0] {load_order = #id2, load_set = #vec} : memref<4x64xf16>, vector<64xf16>
  // CHECK: agen.vector_store %[[V]], %arg1[%arg3 + symbol(%arg4), %arg3 floordiv 2] {store_order = #map, store_set = #set} : memref<2x64xf16>, vector<64xf16>
  agen.vector_store %v, %n[%r + symbol(%c), %r floordiv 2] {store_order = #id2, store_set = #vec} : memref<2x64xf16>, vector<64xf16>
  // CHECK: agen.composite_load_and_store src:%arg0[%arg3, 0] dst:%arg1[0, %arg4] time_symbols(), load_iv(%[[IV:.*]]:vector<64xf16>) {load_order = #map, load_set = #set, load_time_addr_map = #map1, store_order = #map, store_set = #set, store_time_addr_map = #map1, time_order = #map2, time_set = #set1} {
  // CHECK-NEXT: agen.yield
  // CHECK-NEXT: } : memref<4x64xf16>, memref<2x64xf16>
  agen.composite_load_and_store src:%m[%r, 0] dst:%n[0, %c]
    time_symbols(), load_iv(%w:vector<64xf16>)
    {load_order = #id2, load_set = #vec, load_time_addr_map = #walk, store_order = #id2, store_set = #vec, store_time_addr_map = #walk, time_order = #id1, time_set = #steps}
  { agen.yield } : memref<4x64xf16>, memref<2x64xf16>
  // CHECK: agen.composite_load %arg0[%arg3, 0] time_symbols(%arg4) (%[[IV]]:vector<64xf16>)
  // CHECK-NEXT: dataflow.send %arg5, %[[IV]] : vector<64xf16>
  agen.composite_load %m[%r, 0] time_symbols(%c) (%w:vector<64xf16>)
    {load_order = #id2, load_set = #vec, time_addr_map = #walk, time_order = #id1, time_set = #steps} {
    dataflow.send %u, %w : vector<64xf16>
    agen.yield
  } : memref<4x64xf16>
  // CHECK: agen.composite_store %arg0[%arg3, 0] input_vector = %[[V]] time_symbols() {time_addr_map = #map1, time_order = #map2, time_set = #set1} : memref<4x64xf16>, vector<64xf16>
  agen.composite_store %m[%r, 0] input_vector = %v time_symbols()
    {time_addr_map = #walk, time_order = #id1, time_set = #steps} : memref<4x64xf16>, vector<64xf16>
  // CHECK: agen.indirect_vector_load indirect:%arg2[%arg3, 0] direct:%arg0[0, 0] {load_order = #map, load_set = #set} : memref<4x64xi32>, memref<4x64xf16>, vector<64xf16>
  %x = agen.indirect_vector_load indirect:%i[%r, 0] direct:%m[0, 0] {load_order = #id2, load_set = #vec} : memref<4x64xi32>, memref<4x64xf16>, vector<64xf16>
  // CHECK: agen.indirect_vector_store %{{.*}} indirect:%arg2[%arg3, 0] direct:%arg0[0, 0] multicast_info = %arg5 {store_order = #map, store_set = #set} : vector<64xf16>, memref<4x64xi32>, memref<4x64xf16>
  agen.indirect_vector_store %x indirect:%i[%r, 0] direct:%m[0, 0] multicast_info = %u {store_order = #id2, store_set = #vec} : vector<64xf16>, memref<4x64xi32>, memref<4x64xf16>
  // CHECK: agen.composite_indirect_load indirect:%arg2[%arg3, 0] direct:%arg0[0, 0] time_symbols(), load_iv(%[[IV]]:vector<64xf16>)
  agen.composite_indirect_load indirect:%i[%r, 0] direct:%m[0, 0] time_symbols(), load_iv(%w:vector<64xf16>)
    {load_order = #id2, load_set = #vec, time_addr_map = #walk, time_order = #id1, time_set = #steps} {
    agen.yield
  } : memref<4x64xi32>, memref<4x64xf16>
  // CHECK: agen.composite_indirect_store indirect:%arg2[%arg3, 0] direct:%arg0[0, 0] time_symbols()
  // CHECK-NEXT: agen.yield %[[V]] : vector<64xf16>
  agen.composite_indirect_store indirect:%i[%r, 0] direct:%m[0, 0] time_symbols()
    {store_order = #id2, store_set = #vec, time_addr_map = #walk, time_order = #id1, time_set = #steps} {
    agen.yield %v : vector<64xf16>
  } : memref<4x64xi32>, memref<4x64xf16>
  // CHECK: agen.composite_indirect_load_and_store indirect_src:%arg2[%arg3, 0] direct_src:%arg0[0, 0] direct_dst:%arg1[0, 0] time_symbols(), load_iv(%[[IV]]:vector<64xf16>)
  agen.composite_indirect_load_and_store indirect_src:%i[%r, 0] direct_src:%m[0, 0] direct_dst:%n[0, 0]
    time_symbols(), load_iv(%w:vector<64xf16>)
    {load_order = #id2, load_set = #vec, load_direct_time_addr_map = #walk, store_order = #id2, store_set = #vec, store_direct_time_addr_map = #walk, time_order = #id1, time_set = #steps}
  { agen.yield } : memref<4x64xi32>, memref<4x64xf16>, memref<2x64xf16>
  // CHECK: %[[FLAT:.*]] = dataflow.get_logical_memory_view
  %f = dataflow.get_logical_memory_view %u, %r {layout_map = #id1} : index, index, memref<256xf16>
  // CHECK: %[[SV:.*]] = agen.symbolic_vector_load %[[FLAT]][indices : (%arg3, %arg4), strides : (%arg4, %arg3)] {load_order = #map2, load_set = #{{.*}}} : memref<256xf16>, vector<64xf16>
  %y = agen.symbolic_vector_load %f[indices : (%r, %c), strides : (%c, %r)] {load_order = #id1, load_set = #line} : memref<256xf16>, vector<64xf16>
  // CHECK: agen.symbolic_vector_store %[[SV]], %[[FLAT]][indices : (%arg3), strides : (%arg4)] {store_order = #map2, store_set = #{{.*}}} : memref<256xf16>, vector<64xf16>
  agen.symbolic_vector_store %y, %f[indices : (%r), strides : (%c)] {store_order = #id1, store_set = #line} : memref<256xf16>, vector<64xf16>
  // CHECK: agen.set_transfer_mask_state mask_value(%arg3) {maskA = "(unmasked = 4, masked = 4)", num_slices = 2 : i32, slice_mask_map = "(0)(A)"} : index, vector<64xf16>
  %k = agen.set_transfer_mask_state mask_value(%r) {maskA = "(unmasked = 4, masked = 4)", num_slices = 2 : i32, slice_mask_map = "(0)(A)"} : index, vector<64xf16>
  return
}
