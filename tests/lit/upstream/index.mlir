// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

// CHECK-LABEL: func.func @index
func.func @index(%a: index, %b: index, %i: i64) {
  // CHECK: index.add %arg0, %arg1
  %add = index.add %a, %b
  // CHECK: index.sub %arg0, %arg1
  %sub = index.sub %a, %b
  // CHECK: index.mul %arg0, %arg1
  %mul = index.mul %a, %b
  // CHECK: index.divs %arg0, %arg1
  %divs = index.divs %a, %b
  // CHECK: index.divu %arg0, %arg1
  %divu = index.divu %a, %b
  // CHECK: index.ceildivs %arg0, %arg1
  %ceildivs = index.ceildivs %a, %b
  // CHECK: index.ceildivu %arg0, %arg1
  %ceildivu = index.ceildivu %a, %b
  // CHECK: index.floordivs %arg0, %arg1
  %floordivs = index.floordivs %a, %b
  // CHECK: index.rems %arg0, %arg1
  %rems = index.rems %a, %b
  // CHECK: index.remu %arg0, %arg1
  %remu = index.remu %a, %b
  // CHECK: index.maxs %arg0, %arg1
  %maxs = index.maxs %a, %b
  // CHECK: index.maxu %arg0, %arg1
  %maxu = index.maxu %a, %b
  // CHECK: index.mins %arg0, %arg1
  %mins = index.mins %a, %b
  // CHECK: index.minu %arg0, %arg1
  %minu = index.minu %a, %b
  // CHECK: index.shl %arg0, %arg1
  %shl = index.shl %a, %b
  // CHECK: index.shrs %arg0, %arg1
  %shrs = index.shrs %a, %b
  // CHECK: index.shru %arg0, %arg1
  %shru = index.shru %a, %b
  // CHECK: index.and %arg0, %arg1
  %and = index.and %a, %b
  // CHECK: index.or %arg0, %arg1
  %or = index.or %a, %b
  // CHECK: index.xor %arg0, %arg1
  %xor = index.xor %a, %b
  // CHECK: index.cmp slt(%arg0, %arg1)
  %c = index.cmp slt(%a, %b)
  // CHECK: index.casts %arg0 : index to i64
  %d = index.casts %a : index to i64
  // CHECK: index.castu %arg2 : i64 to index
  %e = index.castu %i : i64 to index
  // CHECK: index.sizeof
  %f = index.sizeof
  // CHECK: {{%.*}} = index.constant -4
  %g = index.constant -4
  // CHECK: {{%.*}} = index.bool.constant true
  %h = index.bool.constant true
  return
}
