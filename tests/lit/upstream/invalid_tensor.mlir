// Refused operations of tensor; an independent MLIR refuses each of them too.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f(%t: tensor<8x16xf32>, %ix: tensor<4x1xindex>, %z: tensor<4x16xf32>) {
  // expected-error @+1 {{'tensor.scatter' op requires 'unique' attribute to be set}}
  %31 = tensor.scatter %z into %t[%ix] scatter_dims([0]) : (tensor<4x16xf32>, tensor<8x16xf32>, tensor<4x1xindex>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %ix: tensor<4x1xindex>) {
  // expected-error @+1 {{'tensor.gather' op gather_dims length must match the size of last dimension of indices}}
  %29 = tensor.gather %t[%ix] gather_dims([0, 1]) : (tensor<8x16xf32>, tensor<4x1xindex>) -> tensor<4x1x16xf32>
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = tensor.empty(%i) : tensor<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = tensor.empty() : tensor<?xf32>
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'tensor.empty' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = "tensor.empty"(%i) : (index) -> tensor<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'tensor.empty' op result #0 must be ranked tensor of any type values, but got 'memref<4xf32>'}}
  %0 = tensor.empty() : memref<4xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.cast' op operand type 'tensor<8x16xf32>' and result type 'tensor<8x15xf32>' are cast incompatible}}
  %0 = tensor.cast %t : tensor<8x16xf32> to tensor<8x15xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.cast' op operand type 'tensor<8x16xf32>' and result type 'tensor<8x16xf16>' are cast incompatible}}
  %0 = tensor.cast %t : tensor<8x16xf32> to tensor<8x16xf16>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.cast' op operand type 'tensor<8x16xf32>' and result type 'tensor<?xf32>' are cast incompatible}}
  %0 = tensor.cast %t : tensor<8x16xf32> to tensor<?xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %j: i32) {
  // expected-error @+1 {{'tensor.dim' op operand #1 must be index, but got 'i32'}}
  %0 = "tensor.dim"(%t, %j) : (tensor<8x16xf32>, i32) -> index
  return
}

// -----

func.func @f(%i: index, %s: tensor<f32>) {
  // expected-error @+1 {{'tensor.dim' op cannot get dim of 0-rank tensor}}
  %0 = tensor.dim %s, %i : tensor<f32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %i: index) {
  // expected-error @+1 {{'tensor.extract' op incorrect number of indices for extract_element}}
  %0 = tensor.extract %t[%i] : tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %i: index, %j: i32) {
  // expected-error @+1 {{use of value '%j' expects different type than prior uses: 'index' vs 'i32'}}
  %0 = tensor.extract %t[%i, %j] : tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %i: index) {
  // expected-error @+1 {{'tensor.extract' op result #0 ('result') attribute f32 expected from variable 'ELEMENT', but got i32}}
  %0 = "tensor.extract"(%t, %i, %i) : (tensor<8x16xf32>, index, index) -> i32
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{'tensor.insert' op incorrect number of indices}}
  %0 = tensor.insert %x into %t[%i] : tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %i: index, %j: i32) {
  // expected-error @+1 {{'tensor.insert' op operand #1 ('dest') attribute i32 expected from variable 'ELEMENT', but got f32}}
  %0 = "tensor.insert"(%j, %t, %i, %i) : (i32, tensor<8x16xf32>, index, index) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.extract_slice' op expected type to be 'tensor<4x4xf32>' or a rank-reduced version. (size mismatch), but got 'tensor<4x5xf32>'}}
  %0 = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x5xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.extract_slice' op expected 2 offset values, got 1}}
  %0 = tensor.extract_slice %t[0] [4] [1] : tensor<8x16xf32> to tensor<4xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.extract_slice' op expected element type to be 'f32'}}
  %0 = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf16>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.extract_slice' op expected type to be 'tensor<4x4xf32>' or a rank-reduced version. (size mismatch), but got 'tensor<4xf32>'}}
  %0 = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.extract_slice' op slice along dimension 0 runs out-of-bounds: 8 >= 8}}
  %0 = tensor.extract_slice %t[0, 0] [9, 4] [1, 1] : tensor<8x16xf32> to tensor<9x4xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.extract_slice' op slice along dimension 0 runs out-of-bounds: 8 >= 8}}
  %0 = tensor.extract_slice %t[4, 0] [5, 4] [1, 1] : tensor<8x16xf32> to tensor<5x4xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %i: index) {
  // expected-error @+1 {{'tensor.extract_slice' op expected type to be 'tensor<?x4xf32>' or a rank-reduced version. (size mismatch), but got 'tensor<4x4xf32>'}}
  %0 = tensor.extract_slice %t[0, 0] [%i, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %z: tensor<4x16xf32>) {
  // expected-error @+1 {{'tensor.insert_slice' op expected type to be 'tensor<4x15xf32>' or a rank-reduced version. (size mismatch), but got 'tensor<4x16xf32>'}}
  %0 = tensor.insert_slice %z into %t[0, 0] [4, 15] [1, 1] : tensor<4x16xf32> into tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %z: tensor<4x16xf32>) {
  // expected-error @+1 {{'tensor.insert_slice' op slice along dimension 0 runs out-of-bounds: 8 >= 8}}
  %0 = tensor.insert_slice %z into %t[5, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %e: tensor<4x1xi32>) {
  // expected-error @+1 {{'tensor.insert_slice' op slice along dimension 0 runs out-of-bounds: 8 >= 8}}
  %0 = tensor.insert_slice %e into %t[5, 0] [4, 1] [1, 1] : tensor<4x1xi32> into tensor<8x16xf32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'tensor.from_elements' op number of operands and types do not match: got 2 operands and 3 types}}
  %0 = tensor.from_elements %x, %x : tensor<3xf32>
  return
}

// -----

func.func @f(%x: f32, %j: i32) {
  // expected-error @+1 {{'tensor.from_elements' op operand 'elements' at positions 0 to 1 does not verify:}}
  %0 = "tensor.from_elements"(%x, %j) : (f32, i32) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'tensor.from_elements' op result #0 ('result') attribute f32 expected from variable 'ELEMENT_TYPE', but got i32}}
  %0 = "tensor.from_elements"(%x, %x) : (f32, f32) -> tensor<2xi32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'tensor.from_elements' op result #0 must be statically shaped tensor of any type values, but got 'tensor<?xf32>'}}
  %0 = tensor.from_elements %x, %x : tensor<?xf32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'tensor.splat' op result #0 ('result') attribute f32 expected from variable 'SPLAT_TYPE', but got i32}}
  %0 = "tensor.splat"(%x) : (f32) -> tensor<4xi32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'tensor.splat' op number of dynamic sizes must equal number of unknown dimensions in result tensor}}
  %0 = tensor.splat %x : tensor<?xf32>
  return
}

// -----

func.func @f(%i: index, %x: f32) {
  // expected-error @+1 {{'tensor.splat' op number of dynamic sizes must equal number of unknown dimensions in result tensor}}
  %0 = tensor.splat %x[%i] : tensor<4xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.collapse_shape' op expected dimension 0 of collapsed type to be static value of 128}}
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<8x16xf32> into tensor<127xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.collapse_shape' op expected the reassociation to list dimensions 0 to 1 in order}}
  %0 = tensor.collapse_shape %t [[0]] : tensor<8x16xf32> into tensor<8xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.collapse_shape' op All inner arrays must be contiguous: [[1 : i64], [0 : i64]]}}
  %0 = tensor.collapse_shape %t [[1], [0]] : tensor<8x16xf32> into tensor<16x8xf32>
  return
}

// -----

func.func @f(%d: tensor<?x?xf32>) {
  // expected-error @+1 {{'tensor.collapse_shape' op expected dimension 0 of collapsed type to be dynamic since one or more of the corresponding dimensions in the expanded type is dynamic}}
  %0 = tensor.collapse_shape %d [[0, 1]] : tensor<?x?xf32> into tensor<4xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.expand_shape' op expected dimension 0 of collapsed type to be static value of 10}}
  %0 = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 5, 16] : tensor<8x16xf32> into tensor<2x5x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.expand_shape' op expected collapsed rank (2) to equal the number of reassociation maps (1).}}
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [2, 4] : tensor<8x16xf32> into tensor<2x4xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %sh: tensor<2xindex>) {
  // expected-error @+1 {{'tensor.reshape' op source and destination tensor should have the same number of elements, but have 128 and 120}}
  %0 = tensor.reshape %t(%sh) : (tensor<8x16xf32>, tensor<2xindex>) -> tensor<8x15xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %sh: tensor<2xindex>) {
  // expected-error @+1 {{'tensor.reshape' op length of shape operand differs from the result's tensor rank: 2 against 1}}
  %0 = tensor.reshape %t(%sh) : (tensor<8x16xf32>, tensor<2xindex>) -> tensor<128xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %sh: tensor<2xindex>) {
  // expected-error @+1 {{'tensor.reshape' op element types of source and destination tensor types should be the same}}
  %0 = tensor.reshape %t(%sh) : (tensor<8x16xf32>, tensor<2xindex>) -> tensor<8x16xi32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %one: tensor<1xf32>) {
  // expected-error @+1 {{operand #1 must be 1D tensor of signless integer or index values, but got 'tensor<1xf32>'}}
  %0 = tensor.reshape %t(%one) : (tensor<8x16xf32>, tensor<1xf32>) -> tensor<128xf32>
  return
}

// -----

func.func @f(%i: index, %x: f32) {
  // expected-error @+1 {{'tensor.generate' op must have one body argument per input dimension}}
  %23 = tensor.generate %i {
    ^bb0(%a: index):
      tensor.yield %x : f32
    } : tensor<?x4xf32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'tensor.generate' op must have as many index operands as dynamic extents in the result type}}
  %23 = tensor.generate {
    ^bb0(%a: index, %b: index):
      tensor.yield %x : f32
    } : tensor<?x4xf32>
  return
}

// -----

func.func @f(%i: index, %j: i32) {
  // expected-error @+1 {{'tensor.generate' op body must be terminated with a `yield` operation of the tensor element type}}
  %23 = tensor.generate %i {
    ^bb0(%a: index, %b: index):
      tensor.yield %j : i32
    } : tensor<?x4xf32>
  return
}

// -----

func.func @f(%i: index, %x: f32) {
  // expected-error @+1 {{'tensor.generate' op all body arguments must be index}}
  %23 = tensor.generate %i {
    ^bb0(%a: index, %b: i32):
      tensor.yield %x : f32
    } : tensor<?x4xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{'tensor.pad' op specified type 'tensor<10x?xf32>' does not match the inferred type 'tensor<9x?xf32>'}}
  %24 = tensor.pad %t low[1, %i] high[0, 2] {
    ^bb0(%a: index, %b: index):
      tensor.yield %x : f32
    } : tensor<8x16xf32> to tensor<10x?xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %x: f32) {
  // expected-error @+1 {{'tensor.pad' op expected the block to have 2 arguments}}
  %24 = tensor.pad %t low[1, 1] high[0, 2] {
    ^bb0(%a: index):
      tensor.yield %x : f32
    } : tensor<8x16xf32> to tensor<9x19xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %j: i32) {
  // expected-error @+1 {{'tensor.pad' op expected yield type to match shape element type}}
  %24 = tensor.pad %t low[1, 1] high[0, 2] {
    ^bb0(%a: index, %b: index):
      tensor.yield %j : i32
    } : tensor<8x16xf32> to tensor<9x19xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %x: f32) {
  // expected-error @+1 {{'tensor.pad' op expected 2 low and high padding values, got 1 and 1}}
  %24 = tensor.pad %t low[1] high[0] {
    ^bb0(%a: index, %b: index):
      tensor.yield %x : f32
    } : tensor<8x16xf32> to tensor<9x19xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.concat' op concatenation dim must be less than the tensor rank}}
  %26 = tensor.concat dim(2) %t, %t : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.concat' op result type tensor<8x32xf32> does not match inferred shape (16, 16) static sizes}}
  %26 = tensor.concat dim(0) %t, %t : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %e: tensor<4x1xi32>) {
  // expected-error @+1 {{'tensor.concat' op attribute f32 expected from variable 'Tensor Element', but got i32}}
  %26 = tensor.concat dim(0) %t, %e : (tensor<8x16xf32>, tensor<4x1xi32>) -> tensor<12x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'tensor.concat' op incorrect length for range variable:}}
  %26 = tensor.concat dim(0) %t, %s : (tensor<8x16xf32>, tensor<f32>) -> tensor<12x16xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'tensor.concat' op operand 'inputs' expected at position 0 does not verify:}}
  %26 = "tensor.concat"() <{dim = 0 : i64}> : () -> tensor<12x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.bitcast' op operand type 'tensor<8x16xf32>' and result type 'tensor<8x16xi16>' are cast incompatible}}
  %27 = tensor.bitcast %t : tensor<8x16xf32> to tensor<8x16xi16>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>) {
  // expected-error @+1 {{'tensor.bitcast' op operand type 'tensor<8x16xf32>' and result type 'tensor<8x8xi32>' are cast incompatible}}
  %27 = tensor.bitcast %t : tensor<8x16xf32> to tensor<8x8xi32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'tensor.rank' op operand #0 must be tensor of any type values, but got 'f32'}}
  %28 = "tensor.rank"(%x) : (f32) -> index
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %ix: tensor<4x1xindex>) {
  // expected-error @+1 {{'tensor.gather' op result type mismatch: expected 'tensor<4x1x16xf32>' or its rank-reduced variant 'tensor<4x16xf32>' (got: 'tensor<4x2x16xf32>')}}
  %29 = tensor.gather %t[%ix] gather_dims([0]) : (tensor<8x16xf32>, tensor<4x1xindex>) -> tensor<4x2x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %ix: tensor<4x1xindex>) {
  // expected-error @+1 {{'tensor.gather' op gather_dims value must be smaller than source rank}}
  %29 = tensor.gather %t[%ix] gather_dims([2]) : (tensor<8x16xf32>, tensor<4x1xindex>) -> tensor<4x1x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %ix: tensor<4x1xindex>) {
  // expected-error @+1 {{'tensor.gather' op gather_dims must be non-empty}}
  %29 = tensor.gather %t[%ix] gather_dims([]) : (tensor<8x16xf32>, tensor<4x1xindex>) -> tensor<4x1x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %ix: tensor<4x1xindex>) {
  // expected-error @+1 {{'tensor.gather' op gather_dims values must be strictly increasing}}
  %29 = tensor.gather %t[%ix] gather_dims([1, 0]) : (tensor<8x16xf32>, tensor<4x1xindex>) -> tensor<4x1x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %z: tensor<4x16xf32>) {
  // expected-error @+1 {{'tensor.gather' op operand must be ranked tensor of signless integer or index values, but got 'tensor<4x16xf32>'}}
  %29 = tensor.gather %t[%z] gather_dims([0]) : (tensor<8x16xf32>, tensor<4x16xf32>) -> tensor<4x1x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %ix: tensor<4x1xindex>, %z: tensor<4x16xf32>) {
  // expected-error @+1 {{'tensor.scatter' op requires 'unique' attribute to be set}}
  %31 = tensor.scatter %z into %t[%ix] scatter_dims([0]) : (tensor<4x16xf32>, tensor<8x16xf32>, tensor<4x1xindex>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %ix: tensor<4x1xindex>, %z1: tensor<4x1x16xf32>) {
  // expected-error @+1 {{'tensor.scatter' op source type mismatch: expected 'tensor<4x8x1xf32>' or its rank-reduced variant 'tensor<4x8xf32>' (got: 'tensor<4x1x16xf32>')}}
  %31 = tensor.scatter %z1 into %t[%ix] scatter_dims([1]) unique : (tensor<4x1x16xf32>, tensor<8x16xf32>, tensor<4x1xindex>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %z: tensor<4x16xf32>) {
  // expected-error @+1 {{'tensor.parallel_insert_slice' op expected ParallelCombiningOpInterface parent, got: func.func}}
  tensor.parallel_insert_slice %z into %t[0, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<8x16xf32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'tensor.yield' op expects parent op to be one of 'tensor.generate, tensor.pad'}}
  tensor.yield %x : f32
}

// -----

func.func @f(%t: tensor<13x16xf32>, %u: tensor<2x4x8x4xf32>) {
  // expected-error @+1 {{invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set}}
  %0 = tensor.pack %t inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %u : tensor<13x16xf32> -> tensor<2x4x8x4xf32>
  return
}

// -----

func.func @f(%t: tensor<16x16xf32>, %u: tensor<1x4x8x4xf32>) {
  // expected-error @+1 {{'tensor.pack' op the shape of output is not large enough to hold the packed data. Expected at least 'tensor<2x4x8x4xf32>', got 'tensor<1x4x8x4xf32>'}}
  %0 = tensor.pack %t inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %u : tensor<16x16xf32> -> tensor<1x4x8x4xf32>
  return
}

// -----

func.func @f(%t: tensor<16x16xf32>, %u: tensor<2x4x9x4xf32>) {
  // expected-error @+1 {{mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type}}
  %0 = tensor.unpack %u inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %t : tensor<2x4x9x4xf32> -> tensor<16x16xf32>
  return
}

// -----

func.func @f(%t: tensor<16x16xf32>, %u: tensor<2x16x8x4xf32>) {
  // expected-error @+1 {{packed rank must equal unpacked rank + tiling factors}}
  %0 = tensor.unpack %u inner_dims_pos = [0] inner_tiles = [8] into %t : tensor<2x16x8x4xf32> -> tensor<16x16xf32>
  return
}
