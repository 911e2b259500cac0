// { lambda a:f64[6] .
//     b:f64[6] = cummin[axis=0 backwards=True] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<6xf64>) -> (tensor<6xf64>) {
%0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0>} : (tensor<6xf64>) -> (tensor<6xf64>)
%1 = "stablehlo.slice"(%0) {start_indices = array<i64: 0>, limit_indices = array<i64: 6>, strides = array<i64: 2>} : (tensor<6xf64>) -> (tensor<3xf64>)
%2 = "stablehlo.slice"(%0) {start_indices = array<i64: 1>, limit_indices = array<i64: 6>, strides = array<i64: 2>} : (tensor<6xf64>) -> (tensor<3xf64>)
%3 = "stablehlo.minimum"(%1, %2) {} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
%4 = "stablehlo.slice"(%3) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 2>} : (tensor<3xf64>) -> (tensor<1xf64>)
%5 = "stablehlo.slice"(%3) {start_indices = array<i64: 1>, limit_indices = array<i64: 3>, strides = array<i64: 2>} : (tensor<3xf64>) -> (tensor<1xf64>)
%6 = "stablehlo.minimum"(%4, %5) {} : (tensor<1xf64>, tensor<1xf64>) -> (tensor<1xf64>)
%7 = "stablehlo.slice"(%3) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<3xf64>) -> (tensor<1xf64>)
%8 = "stablehlo.reshape"(%7) {} : (tensor<1xf64>) -> (tensor<1x1xf64>)
%9 = "stablehlo.reshape"(%6) {} : (tensor<1xf64>) -> (tensor<1x1xf64>)
%10 = "stablehlo.concatenate"(%8, %9) {dimension = 1 : i64} : (tensor<1x1xf64>, tensor<1x1xf64>) -> (tensor<1x2xf64>)
%11 = "stablehlo.reshape"(%10) {} : (tensor<1x2xf64>) -> (tensor<2xf64>)
%12 = "stablehlo.slice"(%6) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<1xf64>) -> (tensor<1xf64>)
%13 = "stablehlo.slice"(%3) {start_indices = array<i64: 2>, limit_indices = array<i64: 3>, strides = array<i64: 1>} : (tensor<3xf64>) -> (tensor<1xf64>)
%14 = "stablehlo.minimum"(%12, %13) {} : (tensor<1xf64>, tensor<1xf64>) -> (tensor<1xf64>)
%15 = "stablehlo.concatenate"(%11, %14) {dimension = 0 : i64} : (tensor<2xf64>, tensor<1xf64>) -> (tensor<3xf64>)
%16 = "stablehlo.slice"(%0) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<6xf64>) -> (tensor<1xf64>)
%17 = "stablehlo.slice"(%15) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<3xf64>) -> (tensor<2xf64>)
%18 = "stablehlo.slice"(%1) {start_indices = array<i64: 1>, limit_indices = array<i64: 3>, strides = array<i64: 1>} : (tensor<3xf64>) -> (tensor<2xf64>)
%19 = "stablehlo.minimum"(%17, %18) {} : (tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>)
%20 = "stablehlo.concatenate"(%16, %19) {dimension = 0 : i64} : (tensor<1xf64>, tensor<2xf64>) -> (tensor<3xf64>)
%21 = "stablehlo.reshape"(%20) {} : (tensor<3xf64>) -> (tensor<3x1xf64>)
%22 = "stablehlo.reshape"(%15) {} : (tensor<3xf64>) -> (tensor<3x1xf64>)
%23 = "stablehlo.concatenate"(%21, %22) {dimension = 1 : i64} : (tensor<3x1xf64>, tensor<3x1xf64>) -> (tensor<3x2xf64>)
%24 = "stablehlo.reshape"(%23) {} : (tensor<3x2xf64>) -> (tensor<6xf64>)
%25 = "stablehlo.reverse"(%24) {dimensions = array<i64: 0>} : (tensor<6xf64>) -> (tensor<6xf64>)
return %25 : tensor<6xf64>
}
}
