// Row softmax, each program takes every eighth row
module {
  func.func @softmax_persistent(%in_ptr: index, %out_ptr: index) attributes {grid = [8]} {
    %c0 = arith.constant 0 : i32
    %c40 = arith.constant 40 : i32
    %c8 = arith.constant 8 : i32
    %ninf = arith.constant dense<0xFF800000> : tensor<1xf32>
    %zero = arith.constant dense<0.000000e+00> : tensor<1xf32>
    %pid = ktdp.get_compute_tile_id : index
    %p = arith.index_cast %pid : index to i32
    %x = ktdp.construct_memory_view %in_ptr, sizes: [40, 100], strides: [100, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 39 >= 0, d1 >= 0, -d1 + 99 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<40x100xf16>
    %y = ktdp.construct_memory_view %out_ptr, sizes: [40, 100], strides: [100, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 39 >= 0, d1 >= 0, -d1 + 99 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<40x100xf16>
    scf.for %r = %p to %c40 step %c8 : i32 {
    %ri = arith.index_cast %r : i32 to index
    %at0 = ktdp.construct_access_tile %x[%ri, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 99 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<40x100xf16> -> !ktdp.access_tile<1x100xindex>
      %row = ktdp.load %at0 : !ktdp.access_tile<1x100xindex> -> tensor<1x100xf16>
    %f = arith.extf %row : tensor<1x100xf16> to tensor<1x100xf32>
    %m = linalg.reduce { arith.maximumf } ins(%f : tensor<1x100xf32>) outs(%ninf : tensor<1xf32>) dimensions = [1]
    %be1 = tensor.empty() : tensor<1x100xf32>
      %mb = linalg.broadcast ins(%m : tensor<1xf32>) outs(%be1 : tensor<1x100xf32>) dimensions = [1]
    %s = arith.subf %f, %mb : tensor<1x100xf32>
    %e = math.exp %s : tensor<1x100xf32>
    %d = linalg.reduce { arith.addf } ins(%e : tensor<1x100xf32>) outs(%zero : tensor<1xf32>) dimensions = [1]
    %be2 = tensor.empty() : tensor<1x100xf32>
      %db = linalg.broadcast ins(%d : tensor<1xf32>) outs(%be2 : tensor<1x100xf32>) dimensions = [1]
    %o = arith.divf %e, %db : tensor<1x100xf32>
    %h = arith.truncf %o : tensor<1x100xf32> to tensor<1x100xf16>
    %at3 = ktdp.construct_access_tile %y[%ri, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 99 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<40x100xf16> -> !ktdp.access_tile<1x100xindex>
      ktdp.store %h, %at3 : tensor<1x100xf16>, !ktdp.access_tile<1x100xindex>
    }
    return
  }
}
