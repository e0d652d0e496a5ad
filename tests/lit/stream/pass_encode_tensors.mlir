// RUN: %headrace-opt %s --encode-tensors --keep-names | %filecheck %s

// CHECK: %y = stream.async.slice %x[%c32 to %c96]
// CHECK: %[[B:.*]] = arith.bitcast %v : f32 to i32
// CHECK: %z = stream.async.splat %[[B]] : i32
// CHECK: stream.async.update %y, %z[%c64 to %c128]

util.func private @f(%x: !stream.resource<*>, %v: f32) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %s = stream.tensor.sizeof tensor<4x8xf32> : index
  %t = stream.tensor.sizeof tensor<2x8xf32> : index
  %y = stream.tensor.slice %x[%c1, %c0 for %c2, %c8] : tensor<4x8xf32> in !stream.resource<*>{%s} -> tensor<2x8xf32> in !stream.resource<*>{%t}
  %z = stream.tensor.splat %v : f32 -> tensor<4x8xf32> in !stream.resource<*>{%s}
  %u = stream.tensor.update %y, %z[%c2, %c0] : tensor<2x8xf32> in !stream.resource<*>{%t} -> tensor<4x8xf32> in %z as !stream.resource<*>{%s}
  util.return %u : !stream.resource<*>
}
