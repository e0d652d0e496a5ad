// RUN: %headrace-opt %s --split-input-file --verify-diagnostics

util.func private @dims(%r: !stream.resource<*>, %s: index, %v: !hal.buffer_view) {
  // expected-error@+1 {{has 1 dynamic dimensions but only 0 dimension values are attached}}
  %x = stream.tensor.import %v : !hal.buffer_view -> tensor<?xf32> in !stream.resource<external>{%s}
  util.return
}

// -----

util.func private @staging(%r: !stream.resource<transient>, %s: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{expected a !stream.resource<staging>}}
  %x = stream.async.load %r[%c0] : !stream.resource<transient>{%s} -> f32
  util.return
}

// -----

util.func private @dispatch(%r: !stream.resource<staging>, %s: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{a staging resource cannot be used here}}
  %x = stream.async.dispatch @k::@f(%r[%c0 to %s for %s]) : (!stream.resource<staging>{%s}) -> !stream.resource<transient>{%s}
  util.return
}

// -----

util.func private @ranges(%r: !stream.resource<transient>, %s: index) {
  // expected-error@+1 {{expected 1 resource range operand sets, but got 0}}
  %x = stream.async.dispatch @k::@f(%r) : (!stream.resource<transient>{%s}) -> !stream.resource<transient>{%s}
  util.return
}

// -----

util.func private @captured(%r: !stream.resource<transient>, %s: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  // expected-error@+1 {{is not listed in explicit captures}}
  %t = stream.cmd.execute with() {
    stream.cmd.fill %c1, %r[%c0 for %s] : i32 -> !stream.resource<transient>{%s}
  } => !stream.timepoint
  util.return
}

// -----

util.func private @explicit(%r: !stream.resource<transient>, %s: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  // expected-error@+1 {{must only contain explicit ops}}
  %t = stream.cmd.execute with(%r as %a: !stream.resource<transient>{%s}) {
    %n = arith.addi %s, %s : index
    stream.cmd.fill %c1, %a[%c0 for %n] : i32 -> !stream.resource<transient>{%s}
  } => !stream.timepoint
  util.return
}

// -----

util.func private @cast(%r: !stream.resource<external>, %s: index, %n: index) {
  // expected-error@+1 {{must have the same size value}}
  %x = stream.async.cast %r : !stream.resource<external>{%s} -> !stream.resource<*>{%n}
  util.return
}

// -----

util.func private @send(%r: !stream.resource<external>, %s: index, %ch: !stream.channel) {
  %c0 = arith.constant 0 : index
  // expected-error@+2 {{needs ro, wo}}
  %t = stream.cmd.execute with(%r as %a: !stream.resource<external>{%s}) {
    stream.cmd.collective<all_reduce with sum : f32>[%s] channel(%ch) {
      wo %a[%c0 for %s] : !stream.resource<external>{%s},
      wo %a[%c0 for %s] : !stream.resource<external>{%s}
    }
  } => !stream.timepoint
  util.return
}

// -----

util.func private @staging_splat(%v: i32, %s: index) -> !stream.resource<staging> {
  // expected-error@+1 {{a staging resource cannot be used here}}
  %x = stream.async.splat %v : i32 -> !stream.resource<staging>{%s}
  util.return %x : !stream.resource<staging>
}

// -----

util.func private @staging_fill(%r: !stream.resource<staging>, %v: i32, %s: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %t = stream.cmd.execute with(%r as %x: !stream.resource<staging>{%s}) {
    // expected-error@+1 {{a staging resource cannot be used here}}
    stream.cmd.fill %v, %x[%c0 for %s] : i32 -> !stream.resource<staging>{%s}
  } => !stream.timepoint
  util.return %t : !stream.timepoint
}

// -----

util.func private @access_of_a_dispatch(%r: !stream.resource<transient>, %s: index) {
  // expected-error@+1 {{an access of a bound range must be one of 1 (ro), 2 (wo), 3 (rw), got -1 : i32}}
  "stream.cmd.dispatch"(%r, %s, %s, %s) <{entry_points = [@k::@f], operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 1>, resource_accesses = [-1 : i32]}> : (!stream.resource<transient>, index, index, index) -> ()
  util.return
}

// -----

util.func private @access_of_a_call(%r: !stream.resource<transient>, %s: index) {
  // expected-error@+1 {{an access of a bound range must be one of 1 (ro), 2 (wo), 3 (rw), got "ro"}}
  "stream.cmd.call"(%r, %s, %s, %s) <{callee = @poke, operandSegmentSizes = array<i32: 1, 1, 1, 1>, resource_accesses = ["ro"]}> : (!stream.resource<transient>, index, index, index) -> ()
  util.return
}

// -----

util.func private @ranges_of_a_call(%r: !stream.resource<transient>, %s: index) {
  // expected-error@+1 {{expected 1 offsets, but got 0}}
  "stream.cmd.call"(%r, %s, %s) <{callee = @poke, operandSegmentSizes = array<i32: 1, 1, 0, 1>, resource_accesses = [1 : i32]}> : (!stream.resource<transient>, index, index) -> ()
  util.return
}

// -----

util.func private @encoding(%v: f32, %s: index) {
  // expected-error@+1 {{an encoding must be a type, but is 'loc("a")'}}
  %x = "stream.tensor.splat"(%v, %s) <{result_encoding = loc("a")}> : (f32, index) -> !stream.resource<*>
  util.return
}

// -----

util.func private @size() {
  // expected-error@+1 {{an encoding must be a type, but is '"text"'}}
  %x = "stream.tensor.sizeof"() <{encoding = "text"}> : () -> index
  util.return
}

// -----

stream.executable private @k {
  stream.executable.export public @scale
}
util.func private @dispatch(%r: !stream.resource<*>, %s: index) {
  // expected-error@+1 {{an encoding must be a type, but is '1 : i32'}}
  %y = "stream.tensor.dispatch"(%r, %s, %s) <{argument_encodings = [tensor<4xf32>], entry_points = [@k::@scale], operandSegmentSizes = array<i32: 0, 1, 0, 1, 0, 1>, result_encodings = [1 : i32]}> : (!stream.resource<*>, index, index) -> !stream.resource<*>
  util.return
}
