// { lambda a:f64[3,5] .
//     b:f64[3,5] = cumsum[axis=1 backwards=False] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x5xf64>) -> (tensor<3x5xf64>) {
%0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 4>, strides = array<i64: 1, 2>} : (tensor<3x5xf64>) -> (tensor<3x2xf64>)
%1 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 3, 5>, strides = array<i64: 1, 2>} : (tensor<3x5xf64>) -> (tensor<3x2xf64>)
%2 = "stablehlo.add"(%0, %1) {} : (tensor<3x2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>)
%3 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 2>, strides = array<i64: 1, 2>} : (tensor<3x2xf64>) -> (tensor<3x1xf64>)
%4 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 3, 2>, strides = array<i64: 1, 2>} : (tensor<3x2xf64>) -> (tensor<3x1xf64>)
%5 = "stablehlo.add"(%3, %4) {} : (tensor<3x1xf64>, tensor<3x1xf64>) -> (tensor<3x1xf64>)
%6 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 1>, strides = array<i64: 1, 1>} : (tensor<3x2xf64>) -> (tensor<3x1xf64>)
%7 = "stablehlo.reshape"(%6) {} : (tensor<3x1xf64>) -> (tensor<3x1x1xf64>)
%8 = "stablehlo.reshape"(%5) {} : (tensor<3x1xf64>) -> (tensor<3x1x1xf64>)
%9 = "stablehlo.concatenate"(%7, %8) {dimension = 2 : i64} : (tensor<3x1x1xf64>, tensor<3x1x1xf64>) -> (tensor<3x1x2xf64>)
%10 = "stablehlo.reshape"(%9) {} : (tensor<3x1x2xf64>) -> (tensor<3x2xf64>)
%11 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 1>, strides = array<i64: 1, 1>} : (tensor<3x5xf64>) -> (tensor<3x1xf64>)
%12 = "stablehlo.slice"(%10) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 1>, strides = array<i64: 1, 1>} : (tensor<3x2xf64>) -> (tensor<3x1xf64>)
%13 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 3, 2>, strides = array<i64: 1, 1>} : (tensor<3x2xf64>) -> (tensor<3x1xf64>)
%14 = "stablehlo.add"(%12, %13) {} : (tensor<3x1xf64>, tensor<3x1xf64>) -> (tensor<3x1xf64>)
%15 = "stablehlo.concatenate"(%11, %14) {dimension = 1 : i64} : (tensor<3x1xf64>, tensor<3x1xf64>) -> (tensor<3x2xf64>)
%16 = "stablehlo.reshape"(%15) {} : (tensor<3x2xf64>) -> (tensor<3x2x1xf64>)
%17 = "stablehlo.reshape"(%10) {} : (tensor<3x2xf64>) -> (tensor<3x2x1xf64>)
%18 = "stablehlo.concatenate"(%16, %17) {dimension = 2 : i64} : (tensor<3x2x1xf64>, tensor<3x2x1xf64>) -> (tensor<3x2x2xf64>)
%19 = "stablehlo.reshape"(%18) {} : (tensor<3x2x2xf64>) -> (tensor<3x4xf64>)
%20 = "stablehlo.slice"(%10) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 3, 2>, strides = array<i64: 1, 1>} : (tensor<3x2xf64>) -> (tensor<3x1xf64>)
%21 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 4>, limit_indices = array<i64: 3, 5>, strides = array<i64: 1, 1>} : (tensor<3x5xf64>) -> (tensor<3x1xf64>)
%22 = "stablehlo.add"(%20, %21) {} : (tensor<3x1xf64>, tensor<3x1xf64>) -> (tensor<3x1xf64>)
%23 = "stablehlo.concatenate"(%19, %22) {dimension = 1 : i64} : (tensor<3x4xf64>, tensor<3x1xf64>) -> (tensor<3x5xf64>)
return %23 : tensor<3x5xf64>
}
}

// { lambda a:f64[5] .
//     b:f64[5] = cumsum[axis=0 backwards=True] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<5xf64>) -> (tensor<5xf64>) {
%0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0>} : (tensor<5xf64>) -> (tensor<5xf64>)
%1 = "stablehlo.slice"(%0) {start_indices = array<i64: 0>, limit_indices = array<i64: 4>, strides = array<i64: 2>} : (tensor<5xf64>) -> (tensor<2xf64>)
%2 = "stablehlo.slice"(%0) {start_indices = array<i64: 1>, limit_indices = array<i64: 5>, strides = array<i64: 2>} : (tensor<5xf64>) -> (tensor<2xf64>)
%3 = "stablehlo.add"(%1, %2) {} : (tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>)
%4 = "stablehlo.slice"(%3) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 2>} : (tensor<2xf64>) -> (tensor<1xf64>)
%5 = "stablehlo.slice"(%3) {start_indices = array<i64: 1>, limit_indices = array<i64: 2>, strides = array<i64: 2>} : (tensor<2xf64>) -> (tensor<1xf64>)
%6 = "stablehlo.add"(%4, %5) {} : (tensor<1xf64>, tensor<1xf64>) -> (tensor<1xf64>)
%7 = "stablehlo.slice"(%3) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<2xf64>) -> (tensor<1xf64>)
%8 = "stablehlo.reshape"(%7) {} : (tensor<1xf64>) -> (tensor<1x1xf64>)
%9 = "stablehlo.reshape"(%6) {} : (tensor<1xf64>) -> (tensor<1x1xf64>)
%10 = "stablehlo.concatenate"(%8, %9) {dimension = 1 : i64} : (tensor<1x1xf64>, tensor<1x1xf64>) -> (tensor<1x2xf64>)
%11 = "stablehlo.reshape"(%10) {} : (tensor<1x2xf64>) -> (tensor<2xf64>)
%12 = "stablehlo.slice"(%0) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<5xf64>) -> (tensor<1xf64>)
%13 = "stablehlo.slice"(%11) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<2xf64>) -> (tensor<1xf64>)
%14 = "stablehlo.slice"(%1) {start_indices = array<i64: 1>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<2xf64>) -> (tensor<1xf64>)
%15 = "stablehlo.add"(%13, %14) {} : (tensor<1xf64>, tensor<1xf64>) -> (tensor<1xf64>)
%16 = "stablehlo.concatenate"(%12, %15) {dimension = 0 : i64} : (tensor<1xf64>, tensor<1xf64>) -> (tensor<2xf64>)
%17 = "stablehlo.reshape"(%16) {} : (tensor<2xf64>) -> (tensor<2x1xf64>)
%18 = "stablehlo.reshape"(%11) {} : (tensor<2xf64>) -> (tensor<2x1xf64>)
%19 = "stablehlo.concatenate"(%17, %18) {dimension = 1 : i64} : (tensor<2x1xf64>, tensor<2x1xf64>) -> (tensor<2x2xf64>)
%20 = "stablehlo.reshape"(%19) {} : (tensor<2x2xf64>) -> (tensor<4xf64>)
%21 = "stablehlo.slice"(%11) {start_indices = array<i64: 1>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<2xf64>) -> (tensor<1xf64>)
%22 = "stablehlo.slice"(%0) {start_indices = array<i64: 4>, limit_indices = array<i64: 5>, strides = array<i64: 1>} : (tensor<5xf64>) -> (tensor<1xf64>)
%23 = "stablehlo.add"(%21, %22) {} : (tensor<1xf64>, tensor<1xf64>) -> (tensor<1xf64>)
%24 = "stablehlo.concatenate"(%20, %23) {dimension = 0 : i64} : (tensor<4xf64>, tensor<1xf64>) -> (tensor<5xf64>)
%25 = "stablehlo.reverse"(%24) {dimensions = array<i64: 0>} : (tensor<5xf64>) -> (tensor<5xf64>)
return %25 : tensor<5xf64>
}
}
