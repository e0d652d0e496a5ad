// RUN: headrace-opt --tensor-legalization --compute-group-extraction --construct-three-stage-pipeline %s | filecheck %s

// A normalised factor: the program that normalises the rows keeps main memory busy, so nothing hides the first tile of b, and
// nothing the last one of the result. Tiles are narrow, as for the product alone.

ktdf_arch.device @spyre import("spyre.mlir")
// CHECK: headrace.contraction = {
// CHECK-SAME: m = [64], n = [64]
// CHECK-SAME: shared = ["b"]
func.func @rmsnorm_matmul_1024(%a: index, %b: index, %c: index, %d: index) attributes {grid = [16, 1]} {
  %pid:2 = ktdp.get_compute_tile_id : index, index
  %bm = arith.constant 64 : index
  %bn = arith.constant 1024 : index
  %z = arith.constant 0 : index
  %m0 = arith.muli %pid#0, %bm : index
  %n0 = arith.muli %pid#1, %bn : index
  %av = ktdp.construct_memory_view %a, sizes: [1024, 1024], strides: [1024, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + 1023 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1024x1024xf16>
  %bv = ktdp.construct_memory_view %b, sizes: [1024, 1024], strides: [1024, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + 1023 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1024x1024xf16>
  %cv = ktdp.construct_memory_view %c, sizes: [1024, 1024], strides: [1024, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + 1023 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1024x1024xf16>
  %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 1023 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<1024x1024xf16> -> !ktdp.access_tile<64x1024xindex>
  %at = ktdp.load %at_t : !ktdp.access_tile<64x1024xindex> -> tensor<64x1024xf16>
  %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + 1023 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<1024x1024xf16> -> !ktdp.access_tile<1024x1024xindex>
  %bt = ktdp.load %bt_t : !ktdp.access_tile<1024x1024xindex> -> tensor<1024x1024xf16>
  %gv = ktdp.construct_memory_view %d, sizes: [1024], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 1023 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1024xf16>
  %gt_t = ktdp.construct_access_tile %gv[%z] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 1023 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<1024xf16> -> !ktdp.access_tile<1024xindex>
  %gt = ktdp.load %gt_t : !ktdp.access_tile<1024xindex> -> tensor<1024xf16>
  %xw = arith.extf %at : tensor<64x1024xf16> to tensor<64x1024xf32>
  %sq = arith.mulf %xw, %xw : tensor<64x1024xf32>
  %zr = arith.constant dense<0.000000e+00> : tensor<64xf32>
  %ss = linalg.reduce { arith.addf } ins(%sq : tensor<64x1024xf32>) outs(%zr : tensor<64xf32>) dimensions = [1]
  %inv = arith.constant dense<0.00048828125> : tensor<64xf32>
  %ms = arith.mulf %ss, %inv : tensor<64xf32>
  %eps = arith.constant dense<1.000000e-05> : tensor<64xf32>
  %me = arith.addf %ms, %eps : tensor<64xf32>
  %rs = math.rsqrt %me : tensor<64xf32>
  %rb_e = tensor.empty() : tensor<64x1024xf32>
  %rb = linalg.broadcast ins(%rs : tensor<64xf32>) outs(%rb_e : tensor<64x1024xf32>) dimensions = [1]
  %xn = arith.mulf %xw, %rb : tensor<64x1024xf32>
  %gw = arith.extf %gt : tensor<1024xf16> to tensor<1024xf32>
  %gb_e = tensor.empty() : tensor<64x1024xf32>
  %gb = linalg.broadcast ins(%gw : tensor<1024xf32>) outs(%gb_e : tensor<64x1024xf32>) dimensions = [0]
  %xg = arith.mulf %xn, %gb : tensor<64x1024xf32>
  %xh = arith.truncf %xg : tensor<64x1024xf32> to tensor<64x1024xf16>
  %zero = arith.constant dense<0.000000e+00> : tensor<64x1024xf32>
  %y = linalg.matmul ins(%xh, %bt : tensor<64x1024xf16>, tensor<1024x1024xf16>) outs(%zero : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %o = arith.truncf %y : tensor<64x1024xf32> to tensor<64x1024xf16>
  %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 1023 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<1024x1024xf16> -> !ktdp.access_tile<64x1024xindex>
  ktdp.store %o, %o_st : tensor<64x1024xf16>, !ktdp.access_tile<64x1024xindex>
  return
}
