// More forms of arith; an independent MLIR accepts and prints each of them the same way.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f0(%a: i32, %b: i32) {
  %0 = arith.addi %a, %b overflow<nsw, nuw> : i32
  return
}

func.func @f1(%x: f32, %y: f32) {
  %0 = arith.addf %x, %y fastmath<nnan, ninf, contract> : f32
  return
}

func.func @f2(%x: f32, %y: f32) {
  %0 = arith.addf %x, %y fastmath<fast> {foo.x} : f32
  return
}

func.func @f3() {
  %0 = arith.constant true
  return
}

func.func @f4() {
  %0 = arith.constant false
  return
}

func.func @f5() {
  %0 = arith.constant 0 : i1
  return
}

func.func @f6() {
  %0 = arith.constant 1 : i1
  return
}

func.func @f7() {
  %0 = arith.constant -128 : i8
  return
}

func.func @f8() {
  %0 = arith.constant 255 : i8
  return
}

func.func @f9() {
  %0 = arith.constant 0xFF : i8
  return
}

func.func @f10() {
  %0 = arith.constant {foo.x = 3 : i32} 1 : i32
  return
}

func.func @f11() {
  %0 = arith.constant dense<1> : vector<4xindex>
  return
}

func.func @f12() {
  %0 = arith.constant 1.0e400 : f32
  return
}

func.func @f13() {
  %0 = arith.constant 65520.0 : f16
  return
}

func.func @f14() {
  %0 = arith.constant 0x7E00 : f16
  return
}

func.func @f15() {
  %0 = arith.constant 1.0e+38 : f32
  return
}

func.func @f16() {
  %0 = arith.constant 123456789.0 : f32
  return
}

func.func @f17() {
  %0 = arith.constant 0.1 : f32
  return
}

func.func @f18() {
  %0 = arith.constant 1.2345678901234567 : f64
  return
}

func.func @f19() {
  %0 = arith.constant dense<"0x01"> : tensor<2xi8>
  return
}

func.func @f20() {
  %0 = arith.constant dense<"0x0102"> : tensor<2xi8>
  return
}

func.func @f21() {
  %0 = arith.constant dense<"0x01"> : tensor<4xi8>
  return
}

func.func @f22() {
  %0 = arith.constant sparse<[[0], [2]], [1.0, 2.0]> : tensor<4xf32>
  return
}

func.func @f23() {
  %0 = arith.constant dense_resource<r> : tensor<4xf32>
  return
}

func.func @f24() {
  %0 = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  return
}

func.func @f25() {
  %0 = arith.constant dense<[0, 200]> : tensor<2xui8>
  return
}

func.func @f26() {
  %0 = arith.constant 9223372036854775807 : i64
  return
}

func.func @f27() {
  %0 = arith.constant 9223372036854775808 : i64
  return
}

func.func @f28() {
  %0 = arith.constant -9223372036854775808 : index
  return
}

func.func @f29() {
  %0 = arith.constant 170141183460469231731687303715884105727 : i128
  return
}

func.func @f30(%x: f32, %y: f32) {
  %0 = "arith.addf"(%x, %y) : (f32, f32) -> f32
  return
}

func.func @f31(%a: i32, %b: i32) {
  %0 = arith.cmpi slt, %a, %b : i32
  return
}

func.func @f32(%x: f32, %y: f32) {
  %0 = arith.cmpf olt, %x, %y fastmath<fast> : f32
  return
}

func.func @f33(%ti: tensor<4xi32>) {
  %0 = arith.cmpi eq, %ti, %ti : tensor<4xi32>
  return
}

func.func @f34(%a: i32, %b: i32, %c: i1) {
  %0 = arith.select %c, %a, %b : i32
  return
}

func.func @f35(%t: tensor<4xf32>, %tb: tensor<4xi1>) {
  %0 = arith.select %tb, %t, %t : tensor<4xi1>, tensor<4xf32>
  return
}

func.func @f36(%c: i1, %t: tensor<4xf32>) {
  %0 = arith.select %c, %t, %t : tensor<4xf32>
  return
}

func.func @f37(%h: f16) {
  %0 = arith.extf %h : f16 to f32
  return
}

func.func @f38(%x: f32) {
  %0 = arith.truncf %x : f32 to f16
  return
}

func.func @f39(%x: f32) {
  %0 = arith.truncf %x to_nearest_even fastmath<fast> : f32 to f16
  return
}

func.func @f40(%x: f32) {
  %0 = arith.truncf %x upward : f32 to bf16
  return
}

func.func @f41(%a: i32) {
  %0 = arith.extsi %a : i32 to i64
  return
}

func.func @f42(%c: i1) {
  %0 = arith.extui %c : i1 to i32
  return
}

func.func @f43(%l: i64) {
  %0 = arith.trunci %l : i64 to i32
  return
}

func.func @f44(%l: i64) {
  %0 = arith.trunci %l overflow<nsw> : i64 to i32
  return
}

func.func @f45(%a: i32) {
  %0 = arith.sitofp %a : i32 to f32
  return
}

func.func @f46(%x: f32) {
  %0 = arith.fptosi %x : f32 to i32
  return
}

func.func @f47(%t: tensor<4xf32>) {
  %0 = arith.fptoui %t : tensor<4xf32> to tensor<4xi8>
  return
}

func.func @f48(%i: index) {
  %0 = arith.index_cast %i : index to i32
  return
}

func.func @f49(%a: i32) {
  %0 = arith.index_cast %a : i32 to index
  return
}

func.func @f50(%i: index) {
  %0 = arith.index_castui %i : index to i32
  return
}

func.func @f51(%m: memref<4xi32>) {
  %0 = arith.index_cast %m : memref<4xi32> to memref<4xindex>
  return
}

func.func @f52(%x: f32) {
  %0 = arith.bitcast %x : f32 to i32
  return
}

func.func @f53(%t: tensor<4xf32>) {
  %0 = arith.bitcast %t : tensor<4xf32> to tensor<4xi32>
  return
}

func.func @f54(%x: f32) {
  %0 = arith.negf %x : f32
  return
}

func.func @f55(%t: tensor<4xf32>) {
  %0 = arith.negf %t fastmath<fast> : tensor<4xf32>
  return
}

func.func @f56(%a: i32, %b: i32) {
  %0, %1 = arith.addui_extended %a, %b : i32, i1
  return
}

func.func @f57(%ti: tensor<4xi32>) {
  %0, %1 = arith.addui_extended %ti, %ti : tensor<4xi32>, tensor<4xi1>
  return
}

func.func @f58(%a: i32, %b: i32) {
  %0:2 = arith.mulsi_extended %a, %b : i32
  return
}

func.func @f59(%a: i32, %b: i32) {
  %0:2 = arith.mului_extended %a, %b : i32
  return
}

func.func @f60(%x: f32, %y: f32) {
  %0 = arith.remf %x, %y : f32
  return
}

func.func @f61(%a: i32, %b: i32) {
  %0 = arith.shli %a, %b overflow<nsw> : i32
  return
}

func.func @f62(%a: i32, %b: i32) {
  %0 = arith.shrsi %a, %b exact : i32
  return
}

func.func @f63(%a: i32, %b: i32) {
  %0 = arith.divsi %a, %b exact : i32
  return
}

func.func @f64() {
  %0 = arith.constant dense<"0xFF"> : tensor<8xi1>
  return
}

func.func @f65() {
  %0 = arith.constant dense<"0x05"> : tensor<8xi1>
  return
}

func.func @f66() {
  %0 = arith.constant dense<"0xFF"> : tensor<16xi1>
  return
}

func.func @f67() {
  %0 = arith.constant dense<"0x01"> : tensor<1xi1>
  return
}

func.func @f68() {
  %0 = arith.constant dense<"0x0001"> : tensor<12xi1>
  return
}

func.func @f69() {
  %0 = arith.constant dense<"0x01000000"> : tensor<4xi32>
  return
}

func.func @f70() {
  %0 = arith.constant sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>
  return
}

func.func @f71() {
  %0 = arith.constant sparse<[[0, 0], [1, 2]], 5> : tensor<3x4xi32>
  return
}

func.func @f72() {
  %0 = arith.constant sparse<0, 5.0> : tensor<4xf32>
  return
}

func.func @f73() {
  %0 = arith.constant sparse<> : tensor<4xf32>
  return
}

func.func @f74() {
  %0 = arith.constant dense<> : tensor<0x4xi32>
  return
}

func.func @f75() {
  %0 = arith.constant dense<[]> : tensor<0xi32>
  return
}

func.func @f76() {
  %0 = arith.constant dense<[[], []]> : tensor<2x0xi32>
  return
}

func.func @f77() {
  %0 = arith.constant dense<0xFF800000> : vector<4xf32>
  return
}

func.func @f78() {
  %0 = arith.constant dense<true> : tensor<i1>
  return
}

func.func @f79() {
  %0 = arith.constant dense<[true, 1, 0]> : tensor<3xi1>
  return
}

func.func @f80() {
  %0 = arith.constant dense<-1> : tensor<2xi1>
  return
}

func.func @f81() {
  %0 = arith.constant dense<0xFF> : tensor<2xi8>
  return
}

func.func @f82() {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FN>
  return
}

func.func @f83() {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  return
}

func.func @f84() {
  %0 = arith.constant dense<(1, 2)> : tensor<2xcomplex<i32>>
  return
}

func.func @f85() {
  %0 = arith.constant dense<1> : tensor<2xsi32>
  return
}

func.func @f86(%a: i32) {
  "test.a"() ({
    ^bb0:
      %w = arith.addi %a, %a : i32
    }) : () -> ()
  return
}

func.func @f87(%a: i32, %b: i32) {
  %0 = arith.andi %a, %b : i32
  return
}

func.func @f88(%u: tensor<4xi32>) {
  %0 = arith.andi %u, %u : tensor<4xi32>
  return
}

func.func @f89(%a: i32, %b: i32) {
  %0 = arith.ori %a, %b : i32
  return
}

func.func @f90(%u: tensor<4xi32>) {
  %0 = arith.ori %u, %u : tensor<4xi32>
  return
}

func.func @f91(%a: i32, %b: i32) {
  %0 = arith.xori %a, %b : i32
  return
}

func.func @f92(%u: tensor<4xi32>) {
  %0 = arith.xori %u, %u : tensor<4xi32>
  return
}

func.func @f93(%a: i32, %b: i32) {
  %0 = arith.addi %a, %b : i32
  return
}

func.func @f94(%u: tensor<4xi32>) {
  %0 = arith.addi %u, %u : tensor<4xi32>
  return
}

func.func @f95(%a: i32, %b: i32) {
  %0 = arith.subi %a, %b : i32
  return
}

func.func @f96(%u: tensor<4xi32>) {
  %0 = arith.subi %u, %u : tensor<4xi32>
  return
}

func.func @f97(%a: i32, %b: i32) {
  %0 = arith.muli %a, %b : i32
  return
}

func.func @f98(%u: tensor<4xi32>) {
  %0 = arith.muli %u, %u : tensor<4xi32>
  return
}

func.func @f99(%a: i32, %b: i32) {
  %0 = arith.divsi %a, %b : i32
  return
}

func.func @f100(%u: tensor<4xi32>) {
  %0 = arith.divsi %u, %u : tensor<4xi32>
  return
}

func.func @f101(%a: i32, %b: i32) {
  %0 = arith.divui %a, %b : i32
  return
}

func.func @f102(%u: tensor<4xi32>) {
  %0 = arith.divui %u, %u : tensor<4xi32>
  return
}

func.func @f103(%a: i32, %b: i32) {
  %0 = arith.floordivsi %a, %b : i32
  return
}

func.func @f104(%u: tensor<4xi32>) {
  %0 = arith.floordivsi %u, %u : tensor<4xi32>
  return
}

func.func @f105(%a: i32, %b: i32) {
  %0 = arith.ceildivsi %a, %b : i32
  return
}

func.func @f106(%u: tensor<4xi32>) {
  %0 = arith.ceildivsi %u, %u : tensor<4xi32>
  return
}

func.func @f107(%a: i32, %b: i32) {
  %0 = arith.ceildivui %a, %b : i32
  return
}

func.func @f108(%u: tensor<4xi32>) {
  %0 = arith.ceildivui %u, %u : tensor<4xi32>
  return
}

func.func @f109(%a: i32, %b: i32) {
  %0 = arith.remsi %a, %b : i32
  return
}

func.func @f110(%u: tensor<4xi32>) {
  %0 = arith.remsi %u, %u : tensor<4xi32>
  return
}

func.func @f111(%a: i32, %b: i32) {
  %0 = arith.remui %a, %b : i32
  return
}

func.func @f112(%u: tensor<4xi32>) {
  %0 = arith.remui %u, %u : tensor<4xi32>
  return
}

func.func @f113(%a: i32, %b: i32) {
  %0 = arith.minsi %a, %b : i32
  return
}

func.func @f114(%u: tensor<4xi32>) {
  %0 = arith.minsi %u, %u : tensor<4xi32>
  return
}

func.func @f115(%a: i32, %b: i32) {
  %0 = arith.maxsi %a, %b : i32
  return
}

func.func @f116(%u: tensor<4xi32>) {
  %0 = arith.maxsi %u, %u : tensor<4xi32>
  return
}

func.func @f117(%a: i32, %b: i32) {
  %0 = arith.minui %a, %b : i32
  return
}

func.func @f118(%u: tensor<4xi32>) {
  %0 = arith.minui %u, %u : tensor<4xi32>
  return
}

func.func @f119(%a: i32, %b: i32) {
  %0 = arith.maxui %a, %b : i32
  return
}

func.func @f120(%u: tensor<4xi32>) {
  %0 = arith.maxui %u, %u : tensor<4xi32>
  return
}

func.func @f121(%a: i32, %b: i32) {
  %0 = arith.shli %a, %b : i32
  return
}

func.func @f122(%u: tensor<4xi32>) {
  %0 = arith.shli %u, %u : tensor<4xi32>
  return
}

func.func @f123(%a: i32, %b: i32) {
  %0 = arith.shrsi %a, %b : i32
  return
}

func.func @f124(%u: tensor<4xi32>) {
  %0 = arith.shrsi %u, %u : tensor<4xi32>
  return
}

func.func @f125(%a: i32, %b: i32) {
  %0 = arith.shrui %a, %b : i32
  return
}

func.func @f126(%u: tensor<4xi32>) {
  %0 = arith.shrui %u, %u : tensor<4xi32>
  return
}

func.func @f127(%x: f32, %y: f32) {
  %0 = arith.addf %x, %y : f32
  return
}

func.func @f128(%v: vector<4xf32>) {
  %0 = arith.addf %v, %v fastmath<fast> : vector<4xf32>
  return
}

func.func @f129(%x: f32, %y: f32) {
  %0 = arith.subf %x, %y : f32
  return
}

func.func @f130(%v: vector<4xf32>) {
  %0 = arith.subf %v, %v fastmath<fast> : vector<4xf32>
  return
}

func.func @f131(%x: f32, %y: f32) {
  %0 = arith.mulf %x, %y : f32
  return
}

func.func @f132(%v: vector<4xf32>) {
  %0 = arith.mulf %v, %v fastmath<fast> : vector<4xf32>
  return
}

func.func @f133(%x: f32, %y: f32) {
  %0 = arith.divf %x, %y : f32
  return
}

func.func @f134(%v: vector<4xf32>) {
  %0 = arith.divf %v, %v fastmath<fast> : vector<4xf32>
  return
}

func.func @f135(%x: f32, %y: f32) {
  %0 = arith.remf %x, %y : f32
  return
}

func.func @f136(%v: vector<4xf32>) {
  %0 = arith.remf %v, %v fastmath<fast> : vector<4xf32>
  return
}

func.func @f137(%x: f32, %y: f32) {
  %0 = arith.maximumf %x, %y : f32
  return
}

func.func @f138(%v: vector<4xf32>) {
  %0 = arith.maximumf %v, %v fastmath<fast> : vector<4xf32>
  return
}

func.func @f139(%x: f32, %y: f32) {
  %0 = arith.minimumf %x, %y : f32
  return
}

func.func @f140(%v: vector<4xf32>) {
  %0 = arith.minimumf %v, %v fastmath<fast> : vector<4xf32>
  return
}

func.func @f141(%x: f32, %y: f32) {
  %0 = arith.maxnumf %x, %y : f32
  return
}

func.func @f142(%v: vector<4xf32>) {
  %0 = arith.maxnumf %v, %v fastmath<fast> : vector<4xf32>
  return
}

func.func @f143(%x: f32, %y: f32) {
  %0 = arith.minnumf %x, %y : f32
  return
}

func.func @f144(%v: vector<4xf32>) {
  %0 = arith.minnumf %v, %v fastmath<fast> : vector<4xf32>
  return
}

func.func @f145(%a: i32) {
  %0 = arith.uitofp %a : i32 to f16
  return
}

func.func @f146(%h: f16) {
  %0 = arith.fptoui %h : f16 to i8
  return
}

func.func @f147(%a: i32) {
  %0 = arith.extsi %a : i32 to i64
  return
}

func.func @f148(%a: i32, %b: i32) {
  %0 = arith.ceildivui %a, %b : i32
  return
}
