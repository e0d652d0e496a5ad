// RUN: %headrace-opt %s --keep-names | %headrace-opt - --keep-names | %filecheck %s

// CHECK: %n = hal.buffer.length<%st : !hal.buffer> : index
// CHECK: %z = hal.tensor.transients on(#hal.device.affinity<@a>) %x : tensor<?xf32>{%d} from %st : !hal.buffer
util.func private @forms(%x: tensor<?xf32>, %d: index, %st: !hal.buffer) -> (tensor<?xf32>, index) {
  %n = hal.buffer.length<%st : !hal.buffer> : index
  %z = hal.tensor.transients on(#hal.device.affinity<@a>) %x : tensor<?xf32>{%d} from %st : !hal.buffer
  util.return %z, %n : tensor<?xf32>, index
}
