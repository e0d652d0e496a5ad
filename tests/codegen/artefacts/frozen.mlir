// The upstream sample device: one core description with two interchangeable corelets.
// Structure, sizes, word sizes, granularities, queues and lanes: the public dataflow-scheduler test device.
// All `headrace.*` figures: assumed.

#DDR = { kind = "DDR", size = 1073741824,
  headrace.timing = { latency = 100, bytes_per_cycle = 64 } }
#L1 = { kind = "L1", size = 1048576,
  headrace.timing = { latency = 4, read_bytes_per_cycle = 512, write_bytes_per_cycle = 256 } }
#SFU_REG = { kind = "SFU_REG", size = 2048 }

#MNILU = { kind = "MNILU", dataflow_scheduler.double_buffer_last,
  ktdf_arch.features = {
    ktdf_arch.feature.load = {
      word_size = #ktdf_arch.map<"DDR" = 64, "L1" = 64>,
      access_granularity = #ktdf_arch.map<
        "DDR" = [{ size_in_words = 1, align_in_words = 1 }], "L1" = [{ size_in_words = 1, align_in_words = 1 }]> } } }
#MNISU = { kind = "MNISU", dataflow_scheduler.double_buffer_last,
  ktdf_arch.features = {
    ktdf_arch.feature.store = {
      word_size = #ktdf_arch.map<"DDR" = 64, "L1" = 64>,
      access_granularity = #ktdf_arch.map<
        "DDR" = [{ size_in_words = 1, align_in_words = 1 }], "L1" = [{ size_in_words = 1, align_in_words = 1 }]> } } }
#L1LU = { kind = "L1LU",
  ktdf_arch.features = {
    ktdf_arch.feature.load = {
      access_granularity = #ktdf_arch.map<"L1" = [{ size_in_words = 64 }, { size_in_words = 2 }]> },
    ktdf_arch.feature.simd = { splat, zero_pad } } }
#L1SU = { kind = "L1SU",
  ktdf_arch.features = {
    ktdf_arch.feature.store = {
      access_granularity = #ktdf_arch.map<"L1" = [{ size_in_words = 64 }, { size_in_words = 2 }]> } } }
#SFU = { kind = "SFU",
  ktdf_arch.features = {
    ktdf_arch.feature.compute,
    ktdf_arch.feature.simd = { lanes = #ktdf_arch.map<f16 = 64> } },
  headrace.timing = { issue = 1, latency = 4, op_cycles = {
      acos = 8, acosh = 8, asin = 8, asinh = 8, atan = 8, atan2 = 8, atanh = 8, cbrt = 8, cos = 8, cosh = 8, div = 4,
      divi = 8, erf = 8, erfc = 8, exp = 4, exp2 = 4, expm1 = 4, exx2 = 2, gelu = 8, layernormnorm = 4,
      layernormscale = 8, log = 4, log10 = 4, log1p = 4, log2 = 4, pow = 12, reciprocal = 4, remi = 8, rsqrt = 4,
      sigmoid = 6, silu = 7, sin = 8, sinh = 8, softplus = 10, sqrt = 4, tan = 12, tanh = 6 } } }

#DMA = { ktdf_arch.transfer_granularity = array<i64: 64>, headrace.timing = { latency = 2, bytes_per_cycle = 64 } }
#Port = { ktdf_arch.features = { ktdf_arch.feature.queue = { ordered, depth = 16 } },
  headrace.timing = { latency = 2, bytes_per_cycle = 128 } }
#Vector = { ktdf_arch.transfer_granularity = array<i64: 64, 2>,
  ktdf_arch.features = { ktdf_arch.feature.queue = { ordered, depth = 16 } },
  headrace.timing = { latency = 1, bytes_per_cycle = 128 } }

ktdf_arch.device @frozen attributes {
  mem_space_mapping = #ktdf_arch.map<
    #ktdp.memory_space<global> = "DDR", #ktdp.memory_space<ct_local> = "L1",
    #ktdp.spyre_memory_space<HBM> = "DDR", #ktdp.spyre_memory_space<LX> = "L1">,
  headrace.clock_mhz = 1000 } {
  %ddr = memory #DDR
  group { kind = "core" } share(%ddr) {
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
