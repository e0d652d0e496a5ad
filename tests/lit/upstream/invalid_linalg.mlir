// Refused operations of linalg; an independent MLIR refuses each of them too.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f(%t: tensor<8x16xf32>, %h: tensor<8x16xf16>) {
  // expected-error @+1 {{'linalg.exp' op input #0 has element type 'f16', but the output has 'f32'}}
  %0 = linalg.exp ins(%h : tensor<8x16xf16>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'linalg.fill' op expected op with scalar input, but got 'tensor<f32>'}}
  %0 = linalg.fill ins(%s : tensor<f32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%a: tensor<8x4xf32>, %im: tensor<?x?xf32>) {
  // expected-error @+1 {{custom op 'linalg.matmul_transpose_c' is unknown; did you mean 'linalg.matmul_transpose_b'?}}
  %0 = linalg.matmul_transpose_c ins(%a, %a : tensor<8x4xf32>, tensor<8x4xf32>) outs(%im : tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%bb: tensor<2x4x16xf32>, %bc: tensor<2x8x16xf32>) {
  // expected-error @+1 {{'linalg.batch_matmul' op inferred input/output operand #2 has shape's dimension #1 to be 16, but found 8}}
  %0 = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%bb, %bb : tensor<2x4x16xf32>, tensor<2x4x16xf32>) outs(%bc : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'linalg.index' op expected parent op with LinalgOp interface}}
  %0 = linalg.index 0 : index
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.add' op input #1 has shape 8, but the output has 8x16}}
  %0 = linalg.add ins(%t, %r : tensor<8x16xf32>, tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %i: tensor<8x16xi32>) {
  // expected-error @+1 {{'linalg.add' op input #1 has element type 'i32', but the output has 'f32'}}
  %0 = linalg.add ins(%t, %i : tensor<8x16xf32>, tensor<8x16xi32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.add' op expected 2 inputs and 1 output, but found 1 and 1}}
  %0 = linalg.add ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %tr: tensor<16x8xf32>) {
  // expected-error @+1 {{'linalg.add' op input #0 has shape 8x16, but the output has 16x8}}
  %0 = linalg.add ins(%t, %t : tensor<8x16xf32>, tensor<8x16xf32>) outs(%tr : tensor<16x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.add' op expected type of operand #2 ('tensor<8x16xf32>') to match type of corresponding result ('tensor<16x8xf32>')}}
  %0 = linalg.add ins(%t, %t : tensor<8x16xf32>, tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %m: memref<8x16xf32>) {
  // expected-error @+1 {{'linalg.add' op expected to have pure tensor or buffer semantics}}
  %0 = linalg.add ins(%m, %t : memref<8x16xf32>, tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%i: tensor<8x16xi32>) {
  // expected-error @+1 {{'linalg.exp' op 'linalg.exp' needs floating-point operands}}
  %0 = linalg.exp ins(%i : tensor<8x16xi32>) outs(%i : tensor<8x16xi32>) -> tensor<8x16xi32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.fill' op expected op with scalar input, but got 'tensor<8x16xf32>'}}
  %0 = linalg.fill ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %x: f32) {
  // expected-error @+1 {{'linalg.fill' op expected 1 inputs and 1 output, but found 2 and 1}}
  %0 = linalg.fill ins(%x, %x : f32, f32) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %a: tensor<8x4xf32>) {
  // expected-error @+1 {{'linalg.matmul' op inferred input/output operand #1 has shape's dimension #0 to be 4, but found 8}}
  %0 = linalg.matmul ins(%a, %a : tensor<8x4xf32>, tensor<8x4xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %a: tensor<8x4xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{'linalg.matmul' op expected operands of rank 2}}
  %0 = linalg.matmul ins(%a, %v : tensor<8x4xf32>, tensor<4xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%ba: tensor<2x8x4xf32>, %bc: tensor<2x8x16xf32>) {
  // expected-error @+1 {{'linalg.batch_matmul' op inferred input/output operand #1 has shape's dimension #1 to be 4, but found 8}}
  %0 = linalg.batch_matmul ins(%ba, %ba : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%bc : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.transpose' op dim(result, 0) = 8 doesn't match dim(input, permutation[0]) = 16}}
  %0 = linalg.transpose ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) permutation = [1, 0]
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.transpose' op permutation is not valid}}
  %0 = linalg.transpose ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) permutation = [0, 0]
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.transpose' op input rank 2 does not match init rank 1}}
  %0 = linalg.transpose ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) permutation = [1, 0]
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %c: tensor<16xf32>) {
  // expected-error @+1 {{'linalg.broadcast' op input dim 0 should match init dim 0. input: 16, init: 8}}
  %0 = linalg.broadcast ins(%c : tensor<16xf32>) outs(%t : tensor<8x16xf32>) dimensions = [1]
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %c: tensor<16xf32>) {
  // expected-error @+1 {{'linalg.broadcast' op dimension 0 is out of range. expected range: [0, 1], got: 2}}
  %0 = linalg.broadcast ins(%c : tensor<16xf32>) outs(%t : tensor<8x16xf32>) dimensions = [2]
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %c: tensor<16xf32>) {
  // expected-error @+1 {{'linalg.broadcast' op input rank plus added dimensions does not match init rank. input rank: }}
  %0 = linalg.broadcast ins(%c : tensor<16xf32>) outs(%t : tensor<8x16xf32>) dimensions = [0, 1]
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.reduce' op dimensions for reduction should be in the range [0, 1]. It is 2}}
  %0 = linalg.reduce { arith.addf } ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) dimensions = [2]
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %c: tensor<16xf32>) {
  // expected-error @+1 {{'linalg.reduce' op init dimensions [16] doesn't match input dimensions after reduction [8]}}
  %0 = linalg.reduce { arith.addf } ins(%t : tensor<8x16xf32>) outs(%c : tensor<16xf32>) dimensions = [1]
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'linalg.reduce' op attribute 'dimensions' failed to satisfy constraint: i64 dense array attribute should be in increasing order}}
  %0 = linalg.reduce { arith.addf } ins(%t : tensor<8x16xf32>) outs(%s : tensor<f32>) dimensions = [1, 0]
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{custom op 'arith.nope' is unknown; did you mean 'arith.negf'?}}
  %0 = linalg.reduce { arith.nope } ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) dimensions = [1]
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.reduce' op input element type 'f32' does not match corresponding block argument type 'f16'}}
  %0 = linalg.reduce ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) dimensions = [1] (%in: f16, %acc: f32) {
      linalg.yield %acc : f32
    }
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>, %z: i32) {
  // expected-error @+1 {{'linalg.reduce' op type of yield operand 1 ('i32') doesn't match the element type of the enclosing linalg.reduce op ('f32')}}
  %0 = linalg.reduce ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) dimensions = [1] (%in: f32, %acc: f32) {
      linalg.yield %z : i32
    }
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.map' op expected shape of input (8) to match shape of output (8, 16)}}
  %0 = linalg.map { arith.addf } ins(%t, %r : tensor<8x16xf32>, tensor<8xf32>) outs(%t : tensor<8x16xf32>)
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %u: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.map' op expected element type of input 'f32' to match bbArg type 'f16'}}
  %0 = linalg.map ins(%t : tensor<8x16xf32>) outs(%u : tensor<8x16xf32>) (%p: f16, %o: f32) {
      linalg.yield %o : f32
    }
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.generic' op expected the number of indexing_map (1) to be equal to the number of input/output operands (2)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "reduction"]} ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) {
    ^bb0(%p: f32, %o: f32):
      linalg.yield %p : f32
    } -> tensor<8xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.generic' op expected indexing_map #0 to have 1 dim(s) to match the number of loops}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel"]} ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) {
    ^bb0(%p: f32, %o: f32):
      linalg.yield %p : f32
    } -> tensor<8xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.generic' op expected operand #0 of rank 2 to match the result count of indexing_map #0, 1}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) {
    ^bb0(%p: f32, %o: f32):
      linalg.yield %p : f32
    } -> tensor<8xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.generic' op inferred input/output operand #1 has shape's dimension #0 to be 16, but found 8}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["parallel", "reduction"]} ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) {
    ^bb0(%p: f32, %o: f32):
      linalg.yield %p : f32
    } -> tensor<8xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.generic' op expected as many non-induction variable region arguments as the number of input/output operands, 2, but got 1}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) {
    ^bb0(%p: f32):
      linalg.yield %p : f32
    } -> tensor<8xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.generic' op expected type of bb argument #0 (f16) to match element or self type of the corresponding operand (f32)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) {
    ^bb0(%p: f16, %o: f32):
      linalg.yield %o : f32
    } -> tensor<8xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.generic' op expected number of yield values (2) to match the number of inits / outs operands of the enclosing LinalgOp (1)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) {
    ^bb0(%p: f32, %o: f32):
      linalg.yield %p, %o : f32, f32
    } -> tensor<8xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>, %z: i32) {
  // expected-error @+1 {{'linalg.generic' op type of yield operand 1 ('i32') doesn't match the element type of the enclosing linalg.generic op ('f32')}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) {
    ^bb0(%p: f32, %o: f32):
      linalg.yield %z : i32
    } -> tensor<8xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{unexpected iterator_type (wrong)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "wrong"]} ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) {
    ^bb0(%p: f32, %o: f32):
      linalg.yield %o : f32
    } -> tensor<8xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.generic' op expected type of operand #1 ('tensor<8xf32>') to match type of corresponding result ('tensor<9xf32>')}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) {
    ^bb0(%p: f32, %o: f32):
      linalg.yield %o : f32
    } -> tensor<9xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) {
    ^bb0(%p: f32, %o: f32):
      // expected-error @+1 {{'linalg.index' op expected dim (2) to be lower than the number of loops (2) of the enclosing LinalgOp}}
      %q = linalg.index 2 : index
      linalg.yield %o : f32
    } -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'linalg.yield' op expected single non-empty parent region with LinalgOp interface}}
  linalg.yield %x : f32
}

// -----

func.func @f(%v: tensor<4xf32>, %r: tensor<8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'linalg.dot' op inferred input/output operand #1 has shape's dimension #0 to be 4, but found 8}}
  %0 = linalg.dot ins(%v, %r : tensor<4xf32>, tensor<8xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<8x4xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.matvec' op inferred input/output operand #1 has shape's dimension #0 to be 4, but found 8}}
  %0 = linalg.matvec ins(%a, %r : tensor<8x4xf32>, tensor<8xf32>) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%img: tensor<1x8x8x4xf32>, %flt: tensor<3x3x4x2xf32>, %po: tensor<1x6x6x4xf32>) {
  // expected-error @+1 {{'linalg.conv_2d_nhwc_hwcf' op inferred input/output operand #2 has shape's dimension #3 to be 2, but found 4}}
  %0 = linalg.conv_2d_nhwc_hwcf ins(%img, %flt : tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) outs(%po : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %u: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.select' op input #0 must be of i1, but its element type is 'f32'}}
  %0 = linalg.select ins(%t, %t, %u : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %tr: tensor<16x8xf32>) {
  // expected-error @+1 {{'linalg.copy' op input #0 has shape 8x16, but the output has 16x8}}
  %0 = linalg.copy ins(%t : tensor<8x16xf32>) outs(%tr : tensor<16x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.exp' op expected operands in ins(...)}}
  %0 = linalg.exp outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.exp' op expected operands in outs(...)}}
  %0 = linalg.exp ins(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.exp' op input #0 has shape 8, but the output has 8x16}}
  %0 = linalg.exp ins(%r : tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.log' op input #0 has shape 8, but the output has 8x16}}
  %0 = linalg.log ins(%r : tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.abs' op input #0 has shape 8, but the output has 8x16}}
  %0 = linalg.abs ins(%r : tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.ceil' op input #0 has shape 8, but the output has 8x16}}
  %0 = linalg.ceil ins(%r : tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.floor' op input #0 has shape 8, but the output has 8x16}}
  %0 = linalg.floor ins(%r : tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.negf' op input #0 has shape 8, but the output has 8x16}}
  %0 = linalg.negf ins(%r : tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.reciprocal' op input #0 has shape 8, but the output has 8x16}}
  %0 = linalg.reciprocal ins(%r : tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.round' op input #0 has shape 8, but the output has 8x16}}
  %0 = linalg.round ins(%r : tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.sqrt' op input #0 has shape 8, but the output has 8x16}}
  %0 = linalg.sqrt ins(%r : tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.rsqrt' op input #0 has shape 8, but the output has 8x16}}
  %0 = linalg.rsqrt ins(%r : tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.square' op input #0 has shape 8, but the output has 8x16}}
  %0 = linalg.square ins(%r : tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.tanh' op input #0 has shape 8, but the output has 8x16}}
  %0 = linalg.tanh ins(%r : tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.erf' op input #0 has shape 8, but the output has 8x16}}
  %0 = linalg.erf ins(%r : tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.copy' op input #0 has shape 8, but the output has 8x16}}
  %0 = linalg.copy ins(%r : tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.add' op expected 2 inputs and 1 output, but found 1 and 1}}
  %0 = linalg.add ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.add' op input #1 has shape 8, but the output has 8x16}}
  %0 = linalg.add ins(%t, %r : tensor<8x16xf32>, tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.sub' op expected 2 inputs and 1 output, but found 1 and 1}}
  %0 = linalg.sub ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.sub' op input #1 has shape 8, but the output has 8x16}}
  %0 = linalg.sub ins(%t, %r : tensor<8x16xf32>, tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.mul' op expected 2 inputs and 1 output, but found 1 and 1}}
  %0 = linalg.mul ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.mul' op input #1 has shape 8, but the output has 8x16}}
  %0 = linalg.mul ins(%t, %r : tensor<8x16xf32>, tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.div' op expected 2 inputs and 1 output, but found 1 and 1}}
  %0 = linalg.div ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.div' op input #1 has shape 8, but the output has 8x16}}
  %0 = linalg.div ins(%t, %r : tensor<8x16xf32>, tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%i: tensor<8x16xi32>) {
  // expected-error @+1 {{'linalg.div_unsigned' op expected 2 inputs and 1 output, but found 1 and 1}}
  %0 = linalg.div_unsigned ins(%i : tensor<8x16xi32>) outs(%i : tensor<8x16xi32>) -> tensor<8x16xi32>
  return
}

// -----

func.func @f(%r: tensor<8xf32>, %i: tensor<8x16xi32>) {
  // expected-error @+1 {{'linalg.div_unsigned' op input #1 has shape 8, but the output has 8x16}}
  %0 = linalg.div_unsigned ins(%i, %r : tensor<8x16xi32>, tensor<8xf32>) outs(%i : tensor<8x16xi32>) -> tensor<8x16xi32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.max' op expected 2 inputs and 1 output, but found 1 and 1}}
  %0 = linalg.max ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.max' op input #1 has shape 8, but the output has 8x16}}
  %0 = linalg.max ins(%t, %r : tensor<8x16xf32>, tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.min' op expected 2 inputs and 1 output, but found 1 and 1}}
  %0 = linalg.min ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.min' op input #1 has shape 8, but the output has 8x16}}
  %0 = linalg.min ins(%t, %r : tensor<8x16xf32>, tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.powf' op expected 2 inputs and 1 output, but found 1 and 1}}
  %0 = linalg.powf ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.powf' op input #1 has shape 8, but the output has 8x16}}
  %0 = linalg.powf ins(%t, %r : tensor<8x16xf32>, tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>, %b: tensor<8x16xi1>) {
  // expected-error @+1 {{'linalg.select' op input #2 has shape 8, but the output has 8x16}}
  %0 = linalg.select ins(%b, %t, %r : tensor<8x16xi1>, tensor<8x16xf32>, tensor<8xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%p0: tensor<3xf32>, %p1: tensor<3xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.dot' op expected operand rank (3) to match the result rank of indexing_map #2 (0)}}
  %0 = linalg.dot ins(%p0, %p1 : tensor<3xf32>, tensor<3xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<3x1xf32>, %p1: tensor<1xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.matvec' op expected operand rank (3) to match the result rank of indexing_map #2 (1)}}
  %0 = linalg.matvec ins(%p0, %p1 : tensor<3x1xf32>, tensor<1xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<3xf32>, %p1: tensor<3x1xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.vecmat' op expected operand rank (3) to match the result rank of indexing_map #2 (1)}}
  %0 = linalg.vecmat ins(%p0, %p1 : tensor<3xf32>, tensor<3x1xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<2x3x5xf32>, %p1: tensor<2x5xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.batch_matvec' op expected operand rank (3) to match the result rank of indexing_map #2 (2)}}
  %0 = linalg.batch_matvec ins(%p0, %p1 : tensor<2x3x5xf32>, tensor<2x5xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<2x5xf32>, %p1: tensor<2x5x1xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.batch_vecmat' op expected operand rank (3) to match the result rank of indexing_map #2 (2)}}
  %0 = linalg.batch_vecmat ins(%p0, %p1 : tensor<2x5xf32>, tensor<2x5x1xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<3x5x4x3xf32>, %p1: tensor<1x5x6x3xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.mmt4d' op expected operand rank (3) to match the result rank of indexing_map #2 (4)}}
  %0 = linalg.mmt4d ins(%p0, %p1 : tensor<3x5x4x3xf32>, tensor<1x5x6x3xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<2x3x5x4x3xf32>, %p1: tensor<2x1x5x6x3xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.batch_mmt4d' op expected operand rank (3) to match the result rank of indexing_map #2 (5)}}
  %0 = linalg.batch_mmt4d ins(%p0, %p1 : tensor<2x3x5x4x3xf32>, tensor<2x1x5x6x3xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<3x5xi8>, %p1: tensor<5x1xi8>, %p2: i32, %p3: i32, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.quantized_matmul' op expected operand rank (3) to match the result rank of indexing_map #4 (2)}}
  %0 = linalg.quantized_matmul ins(%p0, %p1, %p2, %p3 : tensor<3x5xi8>, tensor<5x1xi8>, i32, i32) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<6xf32>, %p1: tensor<2xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.conv_1d' op expected operand rank (3) to match the result rank of indexing_map #2 (1)}}
  %0 = linalg.conv_1d ins(%p0, %p1 : tensor<6xf32>, tensor<2xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<6x6xf32>, %p1: tensor<3x2xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.conv_2d' op expected operand rank (3) to match the result rank of indexing_map #2 (2)}}
  %0 = linalg.conv_2d ins(%p0, %p1 : tensor<6x6xf32>, tensor<3x2xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6xf32>, %p1: tensor<2x6x7xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.conv_1d_nwc_wcf' op inferred input/output operand #2 has shape's dimension #0 to be 1, but found 3}}
  %0 = linalg.conv_1d_nwc_wcf ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2x6x7xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6xf32>, %p1: tensor<7x6x2xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.conv_1d_ncw_fcw' op inferred input/output operand #2 has shape's dimension #0 to be 1, but found 3}}
  %0 = linalg.conv_1d_ncw_fcw ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<7x6x2xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2x6x7xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.conv_2d_nhwc_hwcf' op expected operand rank (3) to match the result rank of indexing_map #2 (4)}}
  %0 = linalg.conv_2d_nhwc_hwcf ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2x6x7xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xf32>, %p1: tensor<7x3x2x6xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.conv_2d_nhwc_fhwc' op expected operand rank (3) to match the result rank of indexing_map #2 (4)}}
  %0 = linalg.conv_2d_nhwc_fhwc ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<7x3x2x6xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xf32>, %p1: tensor<7x6x3x2xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.conv_2d_nchw_fchw' op expected operand rank (3) to match the result rank of indexing_map #2 (4)}}
  %0 = linalg.conv_2d_nchw_fchw ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<7x6x3x2xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x2x6x6x6xf32>, %p1: tensor<7x2x6x3x2xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.conv_2d_ngchw_fgchw' op expected operand rank (3) to match the result rank of indexing_map #2 (5)}}
  %0 = linalg.conv_2d_ngchw_fgchw ins(%p0, %p1 : tensor<1x2x6x6x6xf32>, tensor<7x2x6x3x2xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x2x6x6x6xf32>, %p1: tensor<2x7x6x3x2xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.conv_2d_ngchw_gfchw' op expected operand rank (3) to match the result rank of indexing_map #2 (5)}}
  %0 = linalg.conv_2d_ngchw_gfchw ins(%p0, %p1 : tensor<1x2x6x6x6xf32>, tensor<2x7x6x3x2xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x2x6xf32>, %p1: tensor<2x7x3x2x6xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.conv_2d_nhwgc_gfhwc' op expected operand rank (3) to match the result rank of indexing_map #2 (5)}}
  %0 = linalg.conv_2d_nhwgc_gfhwc ins(%p0, %p1 : tensor<1x6x6x2x6xf32>, tensor<2x7x3x2x6xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2x6xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.depthwise_conv_2d_nhwc_hwc' op expected operand rank (3) to match the result rank of indexing_map #2 (4)}}
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2x6xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xf32>, %p1: tensor<6x3x2xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.depthwise_conv_2d_nchw_chw' op expected operand rank (3) to match the result rank of indexing_map #2 (4)}}
  %0 = linalg.depthwise_conv_2d_nchw_chw ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<6x3x2xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.pooling_nhwc_sum' op expected operand rank (3) to match the result rank of indexing_map #2 (4)}}
  %0 = linalg.pooling_nhwc_sum ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.pooling_nhwc_max' op expected operand rank (3) to match the result rank of indexing_map #2 (4)}}
  %0 = linalg.pooling_nhwc_max ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.pooling_nhwc_min' op expected operand rank (3) to match the result rank of indexing_map #2 (4)}}
  %0 = linalg.pooling_nhwc_min ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.pooling_nchw_sum' op expected operand rank (3) to match the result rank of indexing_map #2 (4)}}
  %0 = linalg.pooling_nchw_sum ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error @+1 {{'linalg.pooling_nchw_max' op expected operand rank (3) to match the result rank of indexing_map #2 (4)}}
  %0 = linalg.pooling_nchw_max ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%w : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x4x8xf32>, %c: tensor<4x4xf32>) {
  // expected-error @+1 {{'linalg.batch_reduce_matmul' op inferred input/output operand #1 has shape's dimension #1 to be 8, but found 4}}
  %0 = linalg.batch_reduce_matmul ins(%a, %a : tensor<2x4x8xf32>, tensor<2x4x8xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf16>) {
  %0 = "linalg.add"(%a, %a, %a) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%x: f16, %y: f16, %z: f16):
    // expected-error @+1 {{requires the same type for all operands and results}}
    %s = "arith.addf"(%x, %y) <{fastmath = #arith.fastmath<none>}> : (f16, f16) -> f32
    linalg.yield %x : f16
  }) : (tensor<4xf16>, tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return
}

// -----

func.func @f(%p0: tensor<2x4x5xi8>, %p1: tensor<2x5x7xi8>, %p2: i32, %p3: i32, %w: tensor<3x3x3x3x3x3xi32>) {
  // expected-error @+1 {{'linalg.quantized_batch_matmul' op expected operand rank (6) to match the result rank of indexing_map #4 (3)}}
  %0 = linalg.quantized_batch_matmul ins(%p0, %p1, %p2, %p3 : tensor<2x4x5xi8>, tensor<2x5x7xi8>, i32, i32) outs(%w : tensor<3x3x3x3x3x3xi32>) -> tensor<3x3x3x3x3x3xi32>
  return
}

// -----

func.func @f(%p0: tensor<4x6x6xf32>, %p1: tensor<2x3x2xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.conv_3d' op expected operand rank (6) to match the result rank of indexing_map #2 (3)}}
  %0 = linalg.conv_3d ins(%p0, %p1 : tensor<4x6x6xf32>, tensor<2x3x2xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2x6x7xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.conv_3d_ndhwc_dhwcf' op expected operand rank (6) to match the result rank of indexing_map #2 (5)}}
  %0 = linalg.conv_3d_ndhwc_dhwcf ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2x6x7xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x4x6x6xf32>, %p1: tensor<7x6x2x3x2xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.conv_3d_ncdhw_fcdhw' op expected operand rank (6) to match the result rank of indexing_map #2 (5)}}
  %0 = linalg.conv_3d_ncdhw_fcdhw ins(%p0, %p1 : tensor<1x6x4x6x6xf32>, tensor<7x6x2x3x2xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6xf32>, %p1: tensor<2x6xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.depthwise_conv_1d_nwc_wc' op expected operand rank (6) to match the result rank of indexing_map #2 (3)}}
  %0 = linalg.depthwise_conv_1d_nwc_wc ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2x6xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6xf32>, %p1: tensor<6x2xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.depthwise_conv_1d_ncw_cw' op expected operand rank (6) to match the result rank of indexing_map #2 (3)}}
  %0 = linalg.depthwise_conv_1d_ncw_cw ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<6x2xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6xf32>, %p1: tensor<2x6x3xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.depthwise_conv_1d_nwc_wcm' op expected operand rank (6) to match the result rank of indexing_map #2 (4)}}
  %0 = linalg.depthwise_conv_1d_nwc_wcm ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2x6x3xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2x6x3xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.depthwise_conv_2d_nhwc_hwcm' op expected operand rank (6) to match the result rank of indexing_map #2 (5)}}
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2x6x3xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2x6xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.depthwise_conv_3d_ndhwc_dhwc' op expected operand rank (6) to match the result rank of indexing_map #2 (5)}}
  %0 = linalg.depthwise_conv_3d_ndhwc_dhwc ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2x6xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x4x6x6xf32>, %p1: tensor<6x2x3x2xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.depthwise_conv_3d_ncdhw_cdhw' op expected operand rank (6) to match the result rank of indexing_map #2 (5)}}
  %0 = linalg.depthwise_conv_3d_ncdhw_cdhw ins(%p0, %p1 : tensor<1x6x4x6x6xf32>, tensor<6x2x3x2xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2x6x3xf32>, %w: tensor<3xf32>) {
  // expected-error @+1 {{'linalg.depthwise_conv_3d_ndhwc_dhwcm' op expected operand rank (1) to match the result rank of indexing_map #2 (6)}}
  %0 = linalg.depthwise_conv_3d_ndhwc_dhwcm ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2x6x3xf32>) outs(%w : tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6xf32>, %p1: tensor<2xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.pooling_nwc_sum' op expected operand rank (6) to match the result rank of indexing_map #2 (3)}}
  %0 = linalg.pooling_nwc_sum ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6xf32>, %p1: tensor<2xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.pooling_nwc_max' op expected operand rank (6) to match the result rank of indexing_map #2 (3)}}
  %0 = linalg.pooling_nwc_max ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6xi32>, %p1: tensor<2xi32>, %w: tensor<3x3x3x3x3x3xi32>) {
  // expected-error @+1 {{'linalg.pooling_nwc_max_unsigned' op expected operand rank (6) to match the result rank of indexing_map #2 (3)}}
  %0 = linalg.pooling_nwc_max_unsigned ins(%p0, %p1 : tensor<1x6x6xi32>, tensor<2xi32>) outs(%w : tensor<3x3x3x3x3x3xi32>) -> tensor<3x3x3x3x3x3xi32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6xf32>, %p1: tensor<2xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.pooling_nwc_min' op expected operand rank (6) to match the result rank of indexing_map #2 (3)}}
  %0 = linalg.pooling_nwc_min ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6xi32>, %p1: tensor<2xi32>, %w: tensor<3x3x3x3x3x3xi32>) {
  // expected-error @+1 {{'linalg.pooling_nwc_min_unsigned' op expected operand rank (6) to match the result rank of indexing_map #2 (3)}}
  %0 = linalg.pooling_nwc_min_unsigned ins(%p0, %p1 : tensor<1x6x6xi32>, tensor<2xi32>) outs(%w : tensor<3x3x3x3x3x3xi32>) -> tensor<3x3x3x3x3x3xi32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6xf32>, %p1: tensor<2xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.pooling_ncw_sum' op expected operand rank (6) to match the result rank of indexing_map #2 (3)}}
  %0 = linalg.pooling_ncw_sum ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6xf32>, %p1: tensor<2xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.pooling_ncw_max' op expected operand rank (6) to match the result rank of indexing_map #2 (3)}}
  %0 = linalg.pooling_ncw_max ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xi32>, %p1: tensor<3x2xi32>, %w: tensor<3x3x3x3x3x3xi32>) {
  // expected-error @+1 {{'linalg.pooling_nhwc_max_unsigned' op expected operand rank (6) to match the result rank of indexing_map #2 (4)}}
  %0 = linalg.pooling_nhwc_max_unsigned ins(%p0, %p1 : tensor<1x6x6x6xi32>, tensor<3x2xi32>) outs(%w : tensor<3x3x3x3x3x3xi32>) -> tensor<3x3x3x3x3x3xi32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xi32>, %p1: tensor<3x2xi32>, %w: tensor<3x3x3x3x3x3xi32>) {
  // expected-error @+1 {{'linalg.pooling_nhwc_min_unsigned' op expected operand rank (6) to match the result rank of indexing_map #2 (4)}}
  %0 = linalg.pooling_nhwc_min_unsigned ins(%p0, %p1 : tensor<1x6x6x6xi32>, tensor<3x2xi32>) outs(%w : tensor<3x3x3x3x3x3xi32>) -> tensor<3x3x3x3x3x3xi32>
  return
}

// -----

func.func @f(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.pooling_ndhwc_sum' op expected operand rank (6) to match the result rank of indexing_map #2 (5)}}
  %0 = linalg.pooling_ndhwc_sum ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.pooling_ndhwc_max' op expected operand rank (6) to match the result rank of indexing_map #2 (5)}}
  %0 = linalg.pooling_ndhwc_max ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2xf32>, %w: tensor<3x3x3x3x3x3xf32>) {
  // expected-error @+1 {{'linalg.pooling_ndhwc_min' op expected operand rank (6) to match the result rank of indexing_map #2 (5)}}
  %0 = linalg.pooling_ndhwc_min ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2xf32>) outs(%w : tensor<3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3xf32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xi8>, %p1: tensor<3x2x6x7xi8>, %p2: i32, %p3: i32, %w: tensor<3x3x3x3x3x3xi32>) {
  // expected-error @+1 {{'linalg.conv_2d_nhwc_hwcf_q' op expected operand rank (6) to match the result rank of indexing_map #4 (4)}}
  %0 = linalg.conv_2d_nhwc_hwcf_q ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x6xi8>, tensor<3x2x6x7xi8>, i32, i32) outs(%w : tensor<3x3x3x3x3x3xi32>) -> tensor<3x3x3x3x3x3xi32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xi8>, %p1: tensor<7x3x2x6xi8>, %p2: i32, %p3: i32, %w: tensor<3x3x3x3x3x3xi32>) {
  // expected-error @+1 {{'linalg.conv_2d_nhwc_fhwc_q' op expected operand rank (6) to match the result rank of indexing_map #4 (4)}}
  %0 = linalg.conv_2d_nhwc_fhwc_q ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x6xi8>, tensor<7x3x2x6xi8>, i32, i32) outs(%w : tensor<3x3x3x3x3x3xi32>) -> tensor<3x3x3x3x3x3xi32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xi8>, %p1: tensor<7x6x3x2xi8>, %p2: i32, %p3: i32, %w: tensor<3x3x3x3x3x3xi32>) {
  // expected-error @+1 {{'linalg.conv_2d_nchw_fchw_q' op expected operand rank (6) to match the result rank of indexing_map #4 (4)}}
  %0 = linalg.conv_2d_nchw_fchw_q ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x6xi8>, tensor<7x6x3x2xi8>, i32, i32) outs(%w : tensor<3x3x3x3x3x3xi32>) -> tensor<3x3x3x3x3x3xi32>
  return
}

// -----

func.func @f(%p0: tensor<1x2x6x6x6xi8>, %p1: tensor<2x7x6x3x2xi8>, %p2: i32, %p3: i32, %w: tensor<3x3x3x3x3x3xi32>) {
  // expected-error @+1 {{'linalg.conv_2d_ngchw_gfchw_q' op expected operand rank (6) to match the result rank of indexing_map #4 (5)}}
  %0 = linalg.conv_2d_ngchw_gfchw_q ins(%p0, %p1, %p2, %p3 : tensor<1x2x6x6x6xi8>, tensor<2x7x6x3x2xi8>, i32, i32) outs(%w : tensor<3x3x3x3x3x3xi32>) -> tensor<3x3x3x3x3x3xi32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x2x6xi8>, %p1: tensor<2x7x3x2x6xi8>, %p2: i32, %p3: i32, %w: tensor<3x3x3x3x3x3xi32>) {
  // expected-error @+1 {{'linalg.conv_2d_nhwgc_gfhwc_q' op expected operand rank (6) to match the result rank of indexing_map #4 (5)}}
  %0 = linalg.conv_2d_nhwgc_gfhwc_q ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x2x6xi8>, tensor<2x7x3x2x6xi8>, i32, i32) outs(%w : tensor<3x3x3x3x3x3xi32>) -> tensor<3x3x3x3x3x3xi32>
  return
}

// -----

func.func @f(%p0: tensor<1x4x6x6x6xi8>, %p1: tensor<2x3x2x6x7xi8>, %p2: i32, %p3: i32, %w: tensor<3x3x3x3x3x3xi32>) {
  // expected-error @+1 {{'linalg.conv_3d_ndhwc_dhwcf_q' op expected operand rank (6) to match the result rank of indexing_map #4 (5)}}
  %0 = linalg.conv_3d_ndhwc_dhwcf_q ins(%p0, %p1, %p2, %p3 : tensor<1x4x6x6x6xi8>, tensor<2x3x2x6x7xi8>, i32, i32) outs(%w : tensor<3x3x3x3x3x3xi32>) -> tensor<3x3x3x3x3x3xi32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xi8>, %p1: tensor<3x2x6xi8>, %p2: i32, %p3: i32, %w: tensor<3x3x3x3x3x3xi32>) {
  // expected-error @+1 {{'linalg.depthwise_conv_2d_nhwc_hwc_q' op expected operand rank (6) to match the result rank of indexing_map #4 (4)}}
  %0 = linalg.depthwise_conv_2d_nhwc_hwc_q ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x6xi8>, tensor<3x2x6xi8>, i32, i32) outs(%w : tensor<3x3x3x3x3x3xi32>) -> tensor<3x3x3x3x3x3xi32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xi8>, %p1: tensor<3x2x6x3xi8>, %p2: i32, %p3: i32, %w: tensor<3x3x3x3x3x3xi32>) {
  // expected-error @+1 {{'linalg.depthwise_conv_2d_nhwc_hwcm_q' op expected operand rank (6) to match the result rank of indexing_map #4 (5)}}
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm_q ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x6xi8>, tensor<3x2x6x3xi8>, i32, i32) outs(%w : tensor<3x3x3x3x3x3xi32>) -> tensor<3x3x3x3x3x3xi32>
  return
}

// -----

func.func @f(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %p2: tensor<1x4x5x6xf32>) {
  // expected-error @+1 {{'linalg.pooling_nhwc_max_unsigned' op unsupported operation: unsigned max not on uint}}
  %0 = linalg.pooling_nhwc_max_unsigned ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%p2 : tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  return
}

// -----

func.func @f(%p0: tensor<4xf32>, %p1: tensor<f32>) {
  // expected-error @+1 {{'linalg.dot' op expected 'linalg.memoized_indexing_maps' to hold the operation's maps}}
  %0 = "linalg.dot"(%p0, %p0, %p1) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  }) {linalg.memoized_indexing_maps = [1 : i32]} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  // expected-error @+1 {{'linalg.reduce' op expected type of operand #1 ('tensor<8xf32>') to match type of corresponding result ('tensor<0xf32>')}}
  %0 = "linalg.reduce"(%t, %r) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  }) : (tensor<8x16xf32>, tensor<8xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.map' op expected type of operand #1 ('tensor<8x16xf32>') to match type of corresponding result ('tensor<8xf32>')}}
  %0 = "linalg.map"(%t, %t) ({
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%r: tensor<8xf32>, %t: tensor<8x16xf32>) {
  // expected-error @+1 {{'linalg.broadcast' op expected type of bb argument #1 ('tensor<8xf32>') to match element or self type of the corresponding operand ('f32')}}
  %0 = "linalg.broadcast"(%r, %t) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: f32, %b: tensor<8xf32>):
    linalg.yield %a : f32
  }) : (tensor<8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}
