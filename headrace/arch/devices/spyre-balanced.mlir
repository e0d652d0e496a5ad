// The device `spyre` with a device memory that is 32 times faster; everything else is the same.

// Device memory: 128 GB LPDDR5, 204.8 GB/s peak aggregate (public product data); 128 bytes a cycle at 1,500 MHz are 192 GB/s.
// Here 32 times faster, so that schedules and not the device memory are measured. Reads and writes share the rate.
// Latency: assumed.
#DDR = { kind = "DDR", size = 137438953472,
  headrace.timing = { latency = 300, bytes_per_cycle = 4096 } }
// Scratchpad: 2 MB a core, of which 80 % (1.6 MB) can be allocated (public compiler sources); the rest is reserved at its
// end, rounded so that whole 128-byte sticks remain. Latency and ports: assumed (two corelets' vectors and the DMA at once).
#L1 = { kind = "L1", size = 2097152, headrace.reserved = 419456,
  headrace.timing = { latency = 8, read_bytes_per_cycle = 512, write_bytes_per_cycle = 256 } }
// Registers of a vector unit: size as in the upstream sample device.
#SFU_REG = { kind = "SFU_REG", size = 2048 }

// Memory words: one stick of 128 bytes, DMA bursts of up to 32 of them (public compiler sources).
#MNILU = { kind = "MNILU", dataflow_scheduler.double_buffer_last,
  ktdf_arch.features = {
    ktdf_arch.feature.load = {
      word_size = #ktdf_arch.map<"DDR" = 128, "L1" = 128>,
      access_granularity = #ktdf_arch.map<
        "DDR" = [{ size_in_words = 1, align_in_words = 1 }], "L1" = [{ size_in_words = 1, align_in_words = 1 }]> } } }
#MNISU = { kind = "MNISU", dataflow_scheduler.double_buffer_last,
  ktdf_arch.features = {
    ktdf_arch.feature.store = {
      word_size = #ktdf_arch.map<"DDR" = 128, "L1" = 128>,
      access_granularity = #ktdf_arch.map<
        "DDR" = [{ size_in_words = 1, align_in_words = 1 }], "L1" = [{ size_in_words = 1, align_in_words = 1 }]> } } }
// Scratchpad units: byte words; a full stick, or one element to splat (assumed).
#L1LU = { kind = "L1LU",
  ktdf_arch.features = {
    ktdf_arch.feature.load = {
      access_granularity = #ktdf_arch.map<"L1" = [{ size_in_words = 128 }, { size_in_words = 8 },
        { size_in_words = 4 }, { size_in_words = 2 }, { size_in_words = 1 }]> },
    ktdf_arch.feature.simd = { splat, zero_pad } } }
#L1SU = { kind = "L1SU",
  ktdf_arch.features = {
    ktdf_arch.feature.store = {
      access_granularity = #ktdf_arch.map<"L1" = [{ size_in_words = 128 }, { size_in_words = 8 },
        { size_in_words = 4 }, { size_in_words = 2 }, { size_in_words = 1 }]> } } }
// Vector unit: one stick of elements per operation, 64 x 16 bit, 32 x 32 bit, 128 x 8 bit (public compiler sources);
// 64-bit integers, indices and predicates: assumed. Latency and cycles per operation: assumed.
#SFU = { kind = "SFU",
  ktdf_arch.features = {
    ktdf_arch.feature.compute,
    ktdf_arch.feature.simd = { lanes = #ktdf_arch.map<
      f16 = 64, bf16 = 64, !spyreop.df16 = 64, f32 = 32, f64 = 16,
      i1 = 64, i8 = 128, i16 = 64, i32 = 32, i64 = 16, index = 16> } },
  headrace.timing = { issue = 1, latency = 6, op_cycles = {
      acos = 8, acosh = 8, asin = 8, asinh = 8, atan = 8, atan2 = 8, atanh = 8, cbrt = 8, cos = 8, cosh = 8, div = 4,
      divi = 8, erf = 8, erfc = 8, exp = 4, exp2 = 4, expm1 = 4, exx2 = 2, gelu = 8, layernormnorm = 4,
      layernormscale = 8, log = 4, log10 = 4, log1p = 4, log2 = 4, pow = 12, reciprocal = 4, remi = 8, rsqrt = 4,
      sigmoid = 6, silu = 7, sin = 8, sinh = 8, softplus = 10, sqrt = 4, tan = 12, tanh = 6 } } }
// Matrix unit: an 8 x 8 array of processing elements a corelet (public compiler sources), 512 multiply-accumulates a cycle
// (98.304e12 FLOP/s over 64 corelets at 1,500 MHz, rounded to a power of two). Shape of the block, accumulator rows and
// fill time, input types: assumed (8 x 64 f16 are eight sticks).
#PT = { kind = "PT",
  ktdf_arch.features = {
    headrace.feature.matrix = {
      k = 8, n = 64, accumulator_rows = 64, fill_cycles = 8, input = [f16, bf16, !spyreop.df16], accumulate = f32 } },
  headrace.timing = { issue = 1, latency = 16 } }

// Link rates and latencies: assumed, one stick a cycle for the DMA and two a cycle at a corelet's ports.
#DMA = { ktdf_arch.transfer_granularity = array<i64: 128>, headrace.timing = { latency = 4, bytes_per_cycle = 128 } }
#Port = { ktdf_arch.features = { ktdf_arch.feature.queue = { ordered, depth = 16 } },
  headrace.timing = { latency = 2, bytes_per_cycle = 256 } }
#Vector = { ktdf_arch.transfer_granularity = array<i64: 128, 8, 4, 2, 1>,
  ktdf_arch.features = { ktdf_arch.feature.queue = { ordered, depth = 16 } },
  headrace.timing = { latency = 1, bytes_per_cycle = 256 } }

ktdf_arch.device @"spyre-balanced" attributes {
  mem_space_mapping = #ktdf_arch.map<
    #ktdp.memory_space<global> = "DDR", #ktdp.memory_space<ct_local> = "L1",
    #ktdp.spyre_memory_space<HBM> = "DDR", #ktdp.spyre_memory_space<LX> = "L1">,
  // Clock: 1,500 MHz (98.304e12 FLOP/s over 32 cores of 1,024 multiply-accumulates). Ring: 128 bytes a cycle and
  // direction (public compiler sources); the units it joins, hop latency, depth and
  // packets of four sticks (the width of the scratchpad's read port): assumed.
  headrace.clock_mhz = 1500,
  headrace.interconnect = { topology = "ring", unit = ["MNILU", "MNISU"], bytes_per_cycle = 128, hop_latency = 4,
    depth = 64, packet_bytes = 512 } } {
  %ddr = memory #DDR
  // 32 cores of two corelets (public product data).
  group { kind = "core", headrace.instances = 32 } share(%ddr) {
    %l1 = memory #L1
    %mnilu = exec_unit #MNILU
    %mnisu = exec_unit #MNISU
    datapath #DMA %ddr to %mnilu : memory, exec_unit
    datapath #DMA %mnilu to %l1 : exec_unit, memory
    datapath #DMA %l1 to %mnisu : memory, exec_unit
    datapath #DMA %mnisu to %ddr : exec_unit, memory
    group share(%l1) {
      %l1lu = exec_unit #L1LU
      %l1su = exec_unit #L1SU
      %sfu = group { kind = "SFU_Block" } share() {
        %reg = memory #SFU_REG
        %unit = exec_unit #SFU
        yield %unit
      } -> exec_unit
      datapath #Port %l1 to %l1lu : memory, exec_unit
      datapath #Vector %l1lu to %sfu : exec_unit, exec_unit
      datapath #Vector %sfu to %l1su : exec_unit, exec_unit
      %pt = exec_unit #PT
      datapath #Vector %l1lu to %pt : exec_unit, exec_unit
      datapath #Vector %pt to %l1su : exec_unit, exec_unit
      datapath #Port %l1su to %l1 : exec_unit, memory
    }
    group share(%l1) {
      %l1lu = exec_unit #L1LU
      %l1su = exec_unit #L1SU
      %sfu = group { kind = "SFU_Block" } share() {
        %reg = memory #SFU_REG
        %unit = exec_unit #SFU
        yield %unit
      } -> exec_unit
      datapath #Port %l1 to %l1lu : memory, exec_unit
      datapath #Vector %l1lu to %sfu : exec_unit, exec_unit
      datapath #Vector %sfu to %l1su : exec_unit, exec_unit
      %pt = exec_unit #PT
      datapath #Vector %l1lu to %pt : exec_unit, exec_unit
      datapath #Vector %pt to %l1su : exec_unit, exec_unit
      datapath #Port %l1su to %l1 : exec_unit, memory
    }
  }
  // Instructions for the scalar intrinsics of spyreop. Where an intrinsic carries attributes, a native rewrite takes
  // them along.
  patterns ["pre_scheduling"] {
    pdl.pattern : benefit(1) {
      %t = type
      %a = operand : %t
      %op = operation "spyreop.exp" (%a : !pdl.value) -> (%t : !pdl.type)
      rewrite %op {
        %key = attribute = "spyreop.exp"
        %new = operation "headrace.compute" (%a : !pdl.value) {"op" = %key} -> (%t : !pdl.type)
        replace %op with %new
      }
    }
    pdl.pattern : benefit(1) {
      %t = type
      %a = operand : %t
      %op = operation "spyreop.gelu" (%a : !pdl.value) -> (%t : !pdl.type)
      rewrite %op {
        %key = attribute = "spyreop.gelu"
        %new = operation "headrace.compute" (%a : !pdl.value) {"op" = %key} -> (%t : !pdl.type)
        replace %op with %new
      }
    }
    pdl.pattern : benefit(1) {
      %t = type
      %a = operand : %t
      %op = operation "spyreop.sigmoid" (%a : !pdl.value) -> (%t : !pdl.type)
      rewrite %op {
        %key = attribute = "spyreop.sigmoid"
        %new = operation "headrace.compute" (%a : !pdl.value) {"op" = %key} -> (%t : !pdl.type)
        replace %op with %new
      }
    }
    pdl.pattern : benefit(1) {
      %t = type
      %a = operand : %t
      %op = operation "spyreop.silu" (%a : !pdl.value) -> (%t : !pdl.type)
      rewrite %op {
        %key = attribute = "spyreop.silu"
        %new = operation "headrace.compute" (%a : !pdl.value) {"op" = %key} -> (%t : !pdl.type)
        replace %op with %new
      }
    }
    pdl.pattern : benefit(1) {
      %t = type
      %a = operand : %t
      %op = operation "spyreop.sqrt" (%a : !pdl.value) -> (%t : !pdl.type)
      rewrite %op {
        %key = attribute = "spyreop.sqrt"
        %new = operation "headrace.compute" (%a : !pdl.value) {"op" = %key} -> (%t : !pdl.type)
        replace %op with %new
      }
    }
    pdl.pattern : benefit(1) {
      %t = type
      %a = operand : %t
      %op = operation "spyreop.rsqrt" (%a : !pdl.value) -> (%t : !pdl.type)
      rewrite %op {
        %key = attribute = "spyreop.rsqrt"
        %new = operation "headrace.compute" (%a : !pdl.value) {"op" = %key} -> (%t : !pdl.type)
        replace %op with %new
      }
    }
    pdl.pattern : benefit(1) {
      %t = type
      %a = operand : %t
      %op = operation "spyreop.reciprocal" (%a : !pdl.value) -> (%t : !pdl.type)
      rewrite %op {
        %key = attribute = "spyreop.reciprocal"
        %new = operation "headrace.compute" (%a : !pdl.value) {"op" = %key} -> (%t : !pdl.type)
        replace %op with %new
      }
    }
    pdl.pattern : benefit(1) {
      %t = type
      %a = operand : %t
      %b = operand : %t
      %op = operation "spyreop.realdiv" (%a, %b : !pdl.value, !pdl.value) -> (%t : !pdl.type)
      rewrite %op {
        %key = attribute = "spyreop.realdiv"
        %new = operation "headrace.compute" (%a, %b : !pdl.value, !pdl.value) {"op" = %key} -> (%t : !pdl.type)
        replace %op with %new
      }
    }
    pdl.pattern : benefit(1) {
      %t = type
      %a = operand : %t
      %b = operand : %t
      %c = operand : %t
      %op = operation "spyreop.select" (%a, %b, %c : !pdl.value, !pdl.value, !pdl.value) -> (%t : !pdl.type)
      rewrite %op {
        %key = attribute = "spyreop.select"
        %new = operation "headrace.compute" (%a, %b, %c : !pdl.value, !pdl.value, !pdl.value) {"op" = %key} -> (%t : !pdl.type)
        replace %op with %new
      }
    }
    pdl.pattern : benefit(1) {
      %t = type
      %a = operand : %t
      %b = operand : %t
      %op = operation "spyreop.addi32toi32" (%a, %b : !pdl.value, !pdl.value) -> (%t : !pdl.type)
      rewrite %op {
        %key = attribute = "spyreop.addi32toi32"
        %new = operation "headrace.compute" (%a, %b : !pdl.value, !pdl.value) {"op" = %key} -> (%t : !pdl.type)
        replace %op with %new
      }
    }
    pdl.pattern : benefit(1) {
      %t = type
      %a = operand : %t
      %b = operand : %t
      %op = operation "spyreop.addi64toi64" (%a, %b : !pdl.value, !pdl.value) -> (%t : !pdl.type)
      rewrite %op {
        %key = attribute = "spyreop.addi64toi64"
        %new = operation "headrace.compute" (%a, %b : !pdl.value, !pdl.value) {"op" = %key} -> (%t : !pdl.type)
        replace %op with %new
      }
    }
    pdl.pattern : benefit(1) {
      %t = type
      %a = operand : %t
      %b = operand : %t
      %op = operation "spyreop.muli32toi32" (%a, %b : !pdl.value, !pdl.value) -> (%t : !pdl.type)
      rewrite %op {
        %key = attribute = "spyreop.muli32toi32"
        %new = operation "headrace.compute" (%a, %b : !pdl.value, !pdl.value) {"op" = %key} -> (%t : !pdl.type)
        replace %op with %new
      }
    }
    pdl.pattern : benefit(1) {
      %types = types
      %values = operands
      %op = operation "spyreop.softplus" (%values : !pdl.range<value>) -> (%types : !pdl.range<type>)
      rewrite %op {
        %key = attribute = "spyreop.softplus"
        apply_native_rewrite "headrace.to_compute" (%op, %key : !pdl.operation, !pdl.attribute)
      }
    }
    pdl.pattern : benefit(1) {
      %types = types
      %values = operands
      %op = operation "spyreop.compare" (%values : !pdl.range<value>) -> (%types : !pdl.range<type>)
      rewrite %op {
        %key = attribute = "spyreop.compare"
        apply_native_rewrite "headrace.to_compute" (%op, %key : !pdl.operation, !pdl.attribute)
      }
    }
    pdl.pattern : benefit(1) {
      %types = types
      %values = operands
      %op = operation "spyreop.idx32toaddr" (%values : !pdl.range<value>) -> (%types : !pdl.range<type>)
      rewrite %op {
        %key = attribute = "spyreop.idx32toaddr"
        apply_native_rewrite "headrace.to_compute" (%op, %key : !pdl.operation, !pdl.attribute)
      }
    }
    pdl.pattern : benefit(1) {
      %types = types
      %values = operands
      %op = operation "spyreop.exx2" (%values : !pdl.range<value>) -> (%types : !pdl.range<type>)
      rewrite %op {
        %key = attribute = "spyreop.exx2"
        apply_native_rewrite "headrace.to_compute" (%op, %key : !pdl.operation, !pdl.attribute)
      }
    }
    pdl.pattern : benefit(1) {
      %types = types
      %values = operands
      %op = operation "spyreop.layernormscale" (%values : !pdl.range<value>) -> (%types : !pdl.range<type>)
      rewrite %op {
        %key = attribute = "spyreop.layernormscale"
        apply_native_rewrite "headrace.to_compute" (%op, %key : !pdl.operation, !pdl.attribute)
      }
    }
    pdl.pattern : benefit(1) {
      %types = types
      %values = operands
      %op = operation "spyreop.layernormnorm" (%values : !pdl.range<value>) -> (%types : !pdl.range<type>)
      rewrite %op {
        %key = attribute = "spyreop.layernormnorm"
        apply_native_rewrite "headrace.to_compute" (%op, %key : !pdl.operation, !pdl.attribute)
      }
    }
  }
}
