// Forms of the arith operations, compared with an independent MLIR in tests/ir/test_independent_mlir.py.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f(%i: i32, %j: i64, %b: i1, %x: f32, %h: f16, %n: index, %t: tensor<4xf32>, %ti: tensor<4xi32>, %v: vector<4xf32>, %bf: bf16) {
  %0 = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %1 = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %2 = arith.constant dense<true> : tensor<4xi1>
  %3 = arith.constant dense<[true, false]> : tensor<2xi1>
  %4 = arith.constant dense<> : tensor<0xf32>
  %5 = arith.constant dense<"0x0000803F00000040"> : tensor<2xf32>
  %7 = arith.constant dense<1.5> : vector<4xf16>
  %8 = arith.constant 42 : i8
  %9 = arith.constant -7 : i64
  %10 = arith.constant 3.14159 : f32
  %11 = arith.constant 1.0e30 : f32
  %12 = arith.constant 1.0e-30 : f32
  %13 = arith.constant 0.1 : f64
  %14 = arith.constant 0x7FC00000 : f32
  %15 = arith.constant 65504.0 : f16
  %16 = arith.constant 1.1 : bf16
  %17 = arith.constant -0.0 : f32
  %18 = arith.constant 123456789.0 : f32
  %19 = arith.constant 16777216.0 : f32
  %20 = arith.constant 33554432.0 : f64
  %21 = arith.constant 123456.789 : f64
  %22 = arith.constant dense<0x7F800000> : tensor<2xf32>
  %23 = arith.constant dense<[0x7F800000, 1.0]> : tensor<2xf32>
  %24 = arith.constant 0x42 : i32
  %25 = arith.constant 1.0 : f8E4M3FN
  %26 = arith.constant dense<-1> : tensor<2xi64>
  %27 = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  %28 = arith.addi %i, %i overflow<nsw> : i32
  %29:2 = arith.addui_extended %i, %i : i32, i1
  %30:2 = arith.mulsi_extended %i, %i : i32
  %31 = arith.addf %x, %x fastmath<nnan, ninf> : f32
  %32 = arith.addf %x, %x {foo = 1 : i32} : f32
  %33 = arith.cmpf ogt, %x, %x fastmath<fast> : f32
  %34 = arith.cmpi eq, %ti, %ti : tensor<4xi32>
  %35 = arith.select %34, %ti, %ti : tensor<4xi1>, tensor<4xi32>
  %36 = arith.select %b, %t, %t : tensor<4xf32>
  %37 = arith.extf %h : f16 to f32
  %38 = arith.extf %h fastmath<fast> : f16 to f32
  %39 = arith.truncf %x : f32 to f16
  %40 = arith.truncf %x to_nearest_even : f32 to f16
  %41 = arith.truncf %x upward fastmath<fast> : f32 to f16
  %42 = arith.trunci %j : i64 to i32
  %43 = arith.trunci %j overflow<nsw> : i64 to i32
  %44 = arith.extui %i : i32 to i64
  %45 = arith.sitofp %i : i32 to f32
  %46 = arith.fptosi %x : f32 to i32
  %47 = arith.bitcast %x : f32 to i32
  %48 = arith.index_cast %n : index to i32
  %49 = arith.index_castui %i : i32 to index
  %50 = arith.maxnumf %v, %v : vector<4xf32>
  %51 = arith.negf %x fastmath<fast> : f32
  %52 = arith.remf %x, %x : f32
  %53 = arith.shrui %i, %i : i32
  %54 = arith.ceildivsi %i, %i : i32
  %55 = arith.extui %i {nonneg} : i32 to i64
  %56 = arith.floordivsi %n, %n : index
  %57 = arith.minsi %i, %i : i32
  %58 = arith.xori %b, %b : i1
  %59 = arith.divui %i, %i : i32
  return
}
