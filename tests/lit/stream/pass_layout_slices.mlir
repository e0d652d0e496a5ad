// RUN: %headrace-opt %s --layout-slices --keep-names | %filecheck %s

// CHECK-NOT: stream.resource.pack
// CHECK: util.return %c192, %c64, %c0, %c64

util.func private @f(%s: index) -> (index, index, index, index) {
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %t, %a, %b, %c = stream.resource.pack slices({
    [0, 1] = %c64,
    [0, 2] = %c64,
    [2, 3] = %c128
  }) : index
  util.return %t, %a, %b, %c : index, index, index, index
}
