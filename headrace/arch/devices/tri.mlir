// A machine of another shape: three on-chip levels (L2, L1, registers), no corelets, 64-byte vectors, a device memory with
// separate read and write rates, no interconnect. It is no product: every figure is assumed.

#DRAM = { kind = "DRAM", size = 17179869184,
  headrace.timing = { latency = 200, read_bytes_per_cycle = 256, write_bytes_per_cycle = 128 } }
#L2 = { kind = "L2", size = 1048576,
  headrace.timing = { latency = 12, read_bytes_per_cycle = 128, write_bytes_per_cycle = 128 } }
#L1 = { kind = "L1", size = 131072,
  headrace.timing = { latency = 3, read_bytes_per_cycle = 192, write_bytes_per_cycle = 128 } }
#REGS = { kind = "REGS", size = 4096 }

#GIN = { kind = "GIN",
  ktdf_arch.features = {
    ktdf_arch.feature.load = { word_size = #ktdf_arch.map<"DRAM" = 32, "L2" = 32>,
      access_granularity = #ktdf_arch.map<"DRAM" = [{ size_in_words = 1 }], "L2" = [{ size_in_words = 1 }]> } } }
#GOUT = { kind = "GOUT",
  ktdf_arch.features = {
    ktdf_arch.feature.store = { word_size = #ktdf_arch.map<"DRAM" = 32, "L2" = 32>,
      access_granularity = #ktdf_arch.map<"DRAM" = [{ size_in_words = 1 }], "L2" = [{ size_in_words = 1 }]> } } }
#TIN = { kind = "TIN",
  ktdf_arch.features = {
    ktdf_arch.feature.load = { word_size = #ktdf_arch.map<"L2" = 4, "L1" = 4>,
      access_granularity = #ktdf_arch.map<"L2" = [{ size_in_words = 1 }], "L1" = [{ size_in_words = 1 }]> } } }
#TOUT = { kind = "TOUT",
  ktdf_arch.features = {
    ktdf_arch.feature.store = { word_size = #ktdf_arch.map<"L2" = 4, "L1" = 4>,
      access_granularity = #ktdf_arch.map<"L2" = [{ size_in_words = 1 }], "L1" = [{ size_in_words = 1 }]> } } }
#VLD = { kind = "VLD",
  ktdf_arch.features = {
    ktdf_arch.feature.load = {
      access_granularity = #ktdf_arch.map<"L1" = [{ size_in_words = 64 }, { size_in_words = 8 },
        { size_in_words = 4 }, { size_in_words = 2 }, { size_in_words = 1 }]> },
    ktdf_arch.feature.simd = { splat, zero_pad } } }
#VST = { kind = "VST",
  ktdf_arch.features = {
    ktdf_arch.feature.store = {
      access_granularity = #ktdf_arch.map<"L1" = [{ size_in_words = 64 }, { size_in_words = 8 },
        { size_in_words = 4 }, { size_in_words = 2 }, { size_in_words = 1 }]> } } }
#VALU = { kind = "VALU",
  ktdf_arch.features = {
    ktdf_arch.feature.compute,
    ktdf_arch.feature.simd = { lanes = #ktdf_arch.map<
      f32 = 16, f16 = 32, bf16 = 32, !spyreop.df16 = 32, f64 = 8,
      i1 = 32, i8 = 64, i16 = 32, i32 = 16, i64 = 8, index = 8> } },
  headrace.timing = { issue = 1, latency = 3, op_cycles = {
      acos = 8, acosh = 8, asin = 8, asinh = 8, atan = 8, atan2 = 8, atanh = 8, cbrt = 8, cos = 8, cosh = 8, div = 4,
      divi = 8, erf = 8, erfc = 8, exp = 4, exp2 = 4, expm1 = 4, exx2 = 2, gelu = 8, layernormnorm = 4,
      layernormscale = 8, log = 4, log10 = 4, log1p = 4, log2 = 4, pow = 12, reciprocal = 4, remi = 8, rsqrt = 4,
      sigmoid = 6, silu = 7, sin = 8, sinh = 8, softplus = 10, sqrt = 4, tan = 12, tanh = 6 } } }

#Global = { ktdf_arch.transfer_granularity = array<i64: 32>, headrace.timing = { latency = 6, bytes_per_cycle = 64 } }
#Tile = { ktdf_arch.transfer_granularity = array<i64: 4>, headrace.timing = { latency = 3, bytes_per_cycle = 64 } }
#Port = { ktdf_arch.features = { ktdf_arch.feature.queue = { ordered, depth = 8 } },
  headrace.timing = { latency = 1, bytes_per_cycle = 128 } }
#Vector = { ktdf_arch.transfer_granularity = array<i64: 64, 8, 4, 2, 1>,
  ktdf_arch.features = { ktdf_arch.feature.queue = { ordered, depth = 4 } },
  headrace.timing = { latency = 1, bytes_per_cycle = 128 } }

ktdf_arch.device @tri attributes {
  mem_space_mapping = #ktdf_arch.map<
    #ktdp.memory_space<global> = "DRAM", #ktdp.memory_space<ct_local> = "L2",
    #ktdp.spyre_memory_space<HBM> = "DRAM", #ktdp.spyre_memory_space<LX> = "L2">,
  headrace.clock_mhz = 1000 } {
  %dram = memory #DRAM
  group { kind = "cluster", headrace.instances = 16 } share(%dram) {
    %l2 = memory #L2
    %gin = exec_unit #GIN
    %gout = exec_unit #GOUT
    datapath #Global %dram to %gin : memory, exec_unit
    datapath #Global %gin to %l2 : exec_unit, memory
    datapath #Global %l2 to %gout : memory, exec_unit
    datapath #Global %gout to %dram : exec_unit, memory
    group { kind = "tile" } share(%l2) {
      %l1 = memory #L1
      %tin = exec_unit #TIN
      %tout = exec_unit #TOUT
      datapath #Tile %l2 to %tin : memory, exec_unit
      datapath #Tile %tin to %l1 : exec_unit, memory
      datapath #Tile %l1 to %tout : memory, exec_unit
      datapath #Tile %tout to %l2 : exec_unit, memory
      group { kind = "vector" } share(%l1) {
        %vld = exec_unit #VLD
        %vst = exec_unit #VST
        %valu = group { kind = "alu" } share() {
          %regs = memory #REGS
          %unit = exec_unit #VALU
          yield %unit
        } -> exec_unit
        datapath #Port %l1 to %vld : memory, exec_unit
        datapath #Vector %vld to %valu : exec_unit, exec_unit
        datapath #Vector %valu to %vst : exec_unit, exec_unit
        datapath #Port %vst to %l1 : exec_unit, memory
      }
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
