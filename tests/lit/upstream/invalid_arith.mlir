// Refused operations of arith; an independent MLIR refuses each of them too.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @+1 {{'arith.constant' op Integer value 256 is out of range for type i8 which supports values in the range [-128, 256)}}
  %0 = arith.constant 256 : i8
  return
}

// -----

func.func @f() {
  %0 = arith.constant 1.0 : i32
  // expected-error @+1 {{floating point value is not valid for integer type.}}
  return
}

// -----

func.func @f() {
  %0 = arith.constant dense<[1, 2, 3]> : tensor<4xi32>
  // expected-error @+1 {{shape mismatch in dense literal. Expected [4] shape from the type, but got [3] shape.}}
  return
}

// -----

func.func @f() {
  %0 = arith.constant dense<1> : tensor<?xi32>
  // expected-error @+1 {{dense literal attribute should have a static shape.}}
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{value must be an integer, float, or elements attribute, but is '"str"'}}
  %0 = arith.constant "str"
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'arith.constant' op integer return type must be signless}}
  %0 = arith.constant 3 : si32
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{custom op 'e' is unknown}}
  %0 = arith.constant 1e-8 : f16
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{hexadecimal float constant out of range for type}}
  %0 = arith.constant 0x1FFFF : f16
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{custom op 'e300' is unknown}}
  %0 = arith.constant 1e300 : f64
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{']' expected}}
  %0 = arith.constant dense<[0.1, 1e10, -2.5]> : tensor<3xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected string containing hex digits starting with `0x`}}
  %0 = arith.constant dense<"0xZZ"> : tensor<1xi8>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected non-negative integer values}}
  %0 = arith.constant dense<[-1, 200]> : tensor<2xui8>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{value must be an integer, float, or elements attribute, but is 'unit'}}
  %0 = arith.constant unit
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.addi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.addi %x, %y : f32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.addf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.addf %a, %b : i32
  return
}

// -----

func.func @f(%si: si32) {
  // expected-error @+1 {{'arith.addi' op operand #0 must be signless-integer-like, but got 'si32'}}
  %0 = arith.addi %si, %si : si32
  return
}

// -----

func.func @f(%m: memref<4xi32>) {
  // expected-error @+1 {{'arith.addi' op operand #0 must be signless-integer-like, but got 'memref<4xi32>'}}
  %0 = arith.addi %m, %m : memref<4xi32>
  return
}

// -----

func.func @f(%a: i32, %i: index) {
  // expected-error @+1 {{use of value '%i' expects different type than prior uses: 'i32' vs 'index'}}
  %0 = arith.addi %a, %i : i32
  return
}

// -----

func.func @f(%a: i32, %l: i64) {
  // expected-error @+1 {{'arith.addi' op requires the same type for all operands and results, but has 'i32', 'i64', 'i32'}}
  %0 = "arith.addi"(%a, %l) : (i32, i64) -> i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'arith.addi' op expected 2 operands, but found 1}}
  %0 = "arith.addi"(%a) : (i32) -> i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{unknown predicate 'lt'; did you mean 'ult'?}}
  %0 = arith.cmpi lt, %a, %b : i32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.cmpi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.cmpi slt, %x, %y : f32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.cmpf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.cmpf olt, %a, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.cmpi' op attribute 'predicate' must be one of 0 to 9}}
  %0 = "arith.cmpi"(%a, %b) <{predicate = 10 : i64}> : (i32, i32) -> i1
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.cmpi' op result must be 'i1', but is 'i32'}}
  %0 = "arith.cmpi"(%a, %b) <{predicate = 0 : i64}> : (i32, i32) -> i32
  return
}

// -----

func.func @f(%x: f32, %tb: tensor<4xi1>) {
  // expected-error @+1 {{'arith.select' op condition must be i1 or 'i1', but is 'tensor<4xi1>'}}
  %0 = arith.select %tb, %x, %x : tensor<4xi1>, f32
  return
}

// -----

func.func @f(%a: i32, %x: f32) {
  // expected-error @+1 {{use of value '%a' expects different type than prior uses: 'i1' vs 'i32'}}
  %0 = arith.select %a, %x, %x : f32
  return
}

// -----

func.func @f(%tb: tensor<4xi1>, %t8: tensor<8xf32>) {
  // expected-error @+1 {{'arith.select' op condition must be i1 or 'tensor<8xi1>', but is 'tensor<4xi1>'}}
  %0 = arith.select %tb, %t8, %t8 : tensor<4xi1>, tensor<8xf32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'arith.extf' op result type 'f16' must be wider than operand type 'f32'}}
  %0 = arith.extf %x : f32 to f16
  return
}

// -----

func.func @f(%h: f16) {
  // expected-error @+1 {{'arith.extf' op result type 'bf16' must be wider than operand type 'f16'}}
  %0 = arith.extf %h : f16 to bf16
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'arith.extf' op operand type 'i32' and result type 'f32' are cast incompatible}}
  %0 = arith.extf %a : i32 to f32
  return
}

// -----

func.func @f(%h: f16) {
  // expected-error @+1 {{'arith.truncf' op result type 'f32' must be shorter than operand type 'f16'}}
  %0 = arith.truncf %h : f16 to f32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'arith.extsi' op result type 'i32' must be wider than operand type 'i32'}}
  %0 = arith.extsi %a : i32 to i32
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error @+1 {{expected ':'}}
  %0 = arith.extui %c nneg : i1 to i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'arith.trunci' op result type 'i64' must be shorter than operand type 'i32'}}
  %0 = arith.trunci %a : i32 to i64
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{expected ':'}}
  %0 = arith.uitofp %a nneg : i32 to f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'arith.sitofp' op operand type 'f32' and result type 'i32' are cast incompatible}}
  %0 = arith.sitofp %x : f32 to i32
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // expected-error @+1 {{'arith.fptosi' op operand type 'tensor<4xf32>' and result type 'tensor<8xi8>' have different shapes}}
  %0 = arith.fptosi %t : tensor<4xf32> to tensor<8xi8>
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'arith.index_cast' op operand type 'i32' and result type 'i64' are cast incompatible}}
  %0 = arith.index_cast %a : i32 to i64
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'arith.index_cast' op operand type 'index' and result type 'index' are cast incompatible}}
  %0 = arith.index_cast %i : index to index
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{expected ':'}}
  %0 = arith.index_castui %a nneg : i32 to index
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'arith.bitcast' op operand type 'f32' and result type 'i64' are cast incompatible}}
  %0 = arith.bitcast %x : f32 to i64
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'arith.negf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.negf %a : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.addui_extended' op result #1 must be 'i1', but is 'i32'}}
  %0:2 = "arith.addui_extended"(%a, %b) : (i32, i32) -> (i32, i32)
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{tensor literal has inconsistent ranks between elements}}
  %0 = arith.constant dense<[[1, 2], [3]]> : tensor<2x2xi32>
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{use of value '%a' expects different type than prior uses: 'tensor<4xf32>' vs 'i32'}}
  %0 = arith.addf %a, %b : tensor<4xf32>
  return
}

// -----

func.func @f(%b: i32) {
  // expected-error @+1 {{use of undeclared SSA value name '%undefined'}}
  %nope = arith.addi %undefined, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{operation defines 1 results but was provided 2 to bind}}
  %0:2 = arith.addi %a, %b : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'%a' has 1 results, but '#1' is used}}
  %0 = arith.addi %a, %a#1 : i32
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{elements hex data size is invalid for provided type}}
  %0 = arith.constant dense<"0x01"> : tensor<16xi1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{elements hex data size is invalid for provided type}}
  %0 = arith.constant dense<"0x0100000001000000"> : tensor<4xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{coordinate 4 is out of the extent 4}}
  %0 = arith.constant sparse<[[0, 0], [1, 4]], [1, 5]> : tensor<3x4xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected 2 values, one for each coordinate, but got 1}}
  %0 = arith.constant sparse<[[0], [1]], [1.0]> : tensor<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected 1 coordinates for each element, but got 2}}
  %0 = arith.constant sparse<[[0, 1]], [1.0]> : tensor<4xf32>
  return
}

// -----

func.func @f() {
  %0 = arith.constant dense<> : tensor<2xi32>
  // expected-error @+1 {{expected at least one element in the dense literal, but got None}}
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{boolean values are only allowed for i1 types}}
  %0 = arith.constant dense<true> : tensor<2xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected integer value}}
  %0 = arith.constant dense<1.0> : tensor<2xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'arith.constant' op Integer value 3 is out of range for type i1 which supports values in the range [-1, 2)}}
  %0 = arith.constant dense<3> : tensor<2xi1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'arith.constant' op Integer value 256 is out of range for type i8 which supports values in the range [-128, 256)}}
  %0 = arith.constant dense<256> : tensor<2xi8>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{value must be an integer, float, or elements attribute, but is 'array<i32: 1, 2>'}}
  %0 = arith.constant array<i32: 1, 2>
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{operand #0 does not dominate this use}}
  %u = arith.addi %v, %v : i32
    %v = arith.addi %a, %a : i32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.andi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.andi %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.ori' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.ori %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.xori' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.xori %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.addi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.addi %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.subi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.subi %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.muli' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.muli %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.divsi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.divsi %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.divui' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.divui %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.floordivsi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.floordivsi %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.ceildivsi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.ceildivsi %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.ceildivui' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.ceildivui %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.remsi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.remsi %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.remui' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.remui %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.minsi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.minsi %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.maxsi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.maxsi %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.minui' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.minui %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.maxui' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.maxui %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.shli' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.shli %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.shrsi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.shrsi %x, %y : f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.shrui' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.shrui %x, %y : f32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.addf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.addf %a, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.subf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.subf %a, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.mulf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.mulf %a, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.divf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.divf %a, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.remf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.remf %a, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.maximumf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.maximumf %a, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.minimumf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.minimumf %a, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.maxnumf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.maxnumf %a, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.minnumf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.minnumf %a, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.mului_extended' op result #1 must be 'i32', but is 'i64'}}
  %0:2 = "arith.mului_extended"(%a, %b) : (i32, i32) -> (i32, i64)
  return
}

// -----

func.func @f(%a: i32, %l: i64) {
  // expected-error @+1 {{'arith.mulsi_extended' op requires the same type for both operands and the first result}}
  %0:2 = "arith.mulsi_extended"(%a, %l) : (i32, i64) -> (i32, i32)
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'arith.extsi' op operand type 'f32' and result type 'i64' are cast incompatible}}
  %0 = arith.extsi %x : f32 to i64
  return
}

// -----

func.func @f(%l: i64) {
  // expected-error @+1 {{'arith.extui' op result type 'i32' must be wider than operand type 'i64'}}
  %0 = arith.extui %l : i64 to i32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'arith.uitofp' op operand type 'f32' and result type 'f32' are cast incompatible}}
  %0 = arith.uitofp %x : f32 to f32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'arith.fptoui' op operand type 'i32' and result type 'i32' are cast incompatible}}
  %0 = arith.fptoui %a : i32 to i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'arith.index_castui' op operand type 'i32' and result type 'i64' are cast incompatible}}
  %0 = arith.index_castui %a : i32 to i64
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'arith.ceildivui' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.ceildivui %x, %y : f32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'arith.absf' op operand #0 must be floating-point-like, but got 'i32'}}
  %r = arith.absf %i : i32
  return
}
