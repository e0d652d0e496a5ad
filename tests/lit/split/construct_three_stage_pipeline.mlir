// RUN: headrace-opt --construct-three-stage-pipeline --split-input-file --verify-diagnostics %s | filecheck %s

// One program becomes one load / compute / store pipeline at the SIMD width of the device. 100 is no multiple of 64: the
// last vector is shorter, its length a derive_size.

ktdf_arch.device @sample import("sample.mlir")
module @p {
  // CHECK-LABEL: func.func @p(
  // CHECK: scf.for %[[V:.*]] =
  // CHECK: %[[L:.*]] = ktdf.tiling.derive_size [%[[V]] : %c64], total_size = %c100 : index
  // CHECK: ktdf.pipeline
  // CHECK: ktdf.data_transfer from %{{.*}}[%[[V]] * 64] size [%[[L]]] to %[[P:.*]]#0 size [%[[L]]]
  // CHECK: ktdf.read_from_fifo %[[P]]#0 : <"DDR" -> "SFU", ?xf16> -> tensor<?xf16>
  // CHECK: arith.addf %{{.*}}, %{{.*}} : f16
  // CHECK: ktdf.write_to_fifo
  // CHECK: applicable_units = ["SFU"]
  // CHECK: ktdf.data_transfer from %[[P]]#1 size [%[[L]]] to %{{.*}}[%[[V]] * 64] size [%[[L]]]
  // CHECK-NOT: ktdp.store
  func.func @p(%x: index, %out: index) attributes {grid = [1]} {
    %xv = ktdp.construct_memory_view %x, sizes: [100], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 99 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<100xf16>
    %ov = ktdp.construct_memory_view %out, sizes: [100], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 99 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<100xf16>
    %xt = ktdp.construct_access_tile %xv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 99 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<100xf16> -> !ktdp.access_tile<100xindex>
    %a = ktdp.load %xt : <100xindex> -> tensor<100xf16>
    %b = arith.addf %a, %a : tensor<100xf16>
    %ot = ktdp.construct_access_tile %ov[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 99 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<100xf16> -> !ktdp.access_tile<100xindex>
    ktdp.store %b, %ot : tensor<100xf16>, <100xindex>
    return
  }
}

// -----

// An update in place must read and write each element at the same point: this one is shifted by one element.

ktdf_arch.device @sample import("sample.mlir")
module @p {
  func.func @p(%x: index) attributes {grid = [1]} {
    %xv = ktdp.construct_memory_view %x, sizes: [65], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 64 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<65xf16>
    %xt = ktdp.construct_access_tile %xv[1] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<65xf16> -> !ktdp.access_tile<64xindex>
    // expected-note@+1 {{read here}}
    %a = ktdp.load %xt : <64xindex> -> tensor<64xf16>
    %b = arith.addf %a, %a : tensor<64xf16>
    %ot = ktdp.construct_access_tile %xv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<65xf16> -> !ktdp.access_tile<64xindex>
    // expected-error@+1 {{this store overwrites elements that other points of the same program read; construct-three-stage-pipeline}}
    ktdp.store %b, %ot : tensor<64xf16>, <64xindex>
    return
  }
}
