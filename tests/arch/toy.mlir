#Main  = { kind = "MAIN", size = 4096 }
#Pad   = { kind = "PAD", size = 512 }
#Alu   = { kind = "ALU", ktdf_arch.features = {
            ktdf_arch.feature.compute,
            ktdf_arch.feature.simd = { lanes = #ktdf_arch.map<f32 = 4> } } }
#Rd    = { kind = "RD", ktdf_arch.features = { ktdf_arch.feature.load } }
#Wr    = { kind = "WR", ktdf_arch.features = { ktdf_arch.feature.store } }
#Fifo  = { ktdf_arch.transfer_granularity = array<i64: 4>,
           ktdf_arch.features = { ktdf_arch.feature.queue = { depth = 2, ordered } } }

ktdf_arch.device @toy {
  %m = memory #Main
  group { kind = "core" } share(%m) {
    %p   = memory #Pad
    %din = exec_unit { kind = "DIN",  ktdf_arch.features = { ktdf_arch.feature.load } }
    %dou = exec_unit { kind = "DOUT", ktdf_arch.features = { ktdf_arch.feature.store } }
    datapath %m to %din : memory, exec_unit
    datapath %din to %p : exec_unit, memory
    datapath %p to %dou : memory, exec_unit
    datapath %dou to %m : exec_unit, memory
    group { kind = "lane" } share(%p) {
      %rd  = exec_unit #Rd
      %wr  = exec_unit #Wr
      %alu = exec_unit #Alu
      datapath %p to %rd : memory, exec_unit
      datapath #Fifo %rd to %alu : exec_unit, exec_unit
      datapath #Fifo %alu to %wr : exec_unit, exec_unit
      datapath %wr to %p : exec_unit, memory
    }
  }
  patterns ["pre_scheduling"] {
    pdl.pattern : benefit(1) {
      %t  = type
      %x  = operand : %t
      %op = operation "math.exp" (%x : !pdl.value) -> (%t : !pdl.type)
      apply_native_constraint "ktdf_arch.mapped_to" (%op : !pdl.operation) : !pdl.attribute {isNegated = true}
      rewrite {
        %k = attribute = "ALU"
        apply_native_rewrite "ktdf_arch.map_to" (%op, %k : !pdl.operation, !pdl.attribute)
      }
    }
  }
}
