// { lambda a:f64[3,5] .
//     b:f64[3,5] = cumlogsumexp[axis=0 backwards=False] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x5xf64>) -> (tensor<3x5xf64>) {
%0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 5>, strides = array<i64: 2, 1>} : (tensor<3x5xf64>) -> (tensor<1x5xf64>)
%1 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 3, 5>, strides = array<i64: 2, 1>} : (tensor<3x5xf64>) -> (tensor<1x5xf64>)
%2 = "stablehlo.subtract"(%0, %1) {} : (tensor<1x5xf64>, tensor<1x5xf64>) -> (tensor<1x5xf64>)
%3 = "stablehlo.abs"(%2) {} : (tensor<1x5xf64>) -> (tensor<1x5xf64>)
%4 = "stablehlo.negate"(%3) {} : (tensor<1x5xf64>) -> (tensor<1x5xf64>)
%5 = "stablehlo.exponential"(%4) {} : (tensor<1x5xf64>) -> (tensor<1x5xf64>)
%6 = "stablehlo.maximum"(%0, %1) {} : (tensor<1x5xf64>, tensor<1x5xf64>) -> (tensor<1x5xf64>)
%7 = "stablehlo.log_plus_one"(%5) {} : (tensor<1x5xf64>) -> (tensor<1x5xf64>)
%8 = "stablehlo.add"(%6, %7) {} : (tensor<1x5xf64>, tensor<1x5xf64>) -> (tensor<1x5xf64>)
%9 = "stablehlo.compare"(%0, %1) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<1x5xf64>, tensor<1x5xf64>) -> (tensor<1x5xi1>)
%10 = "stablehlo.constant"() {value = dense<0x3FE62E42FEFA39EF> : tensor<f64>} : () -> (tensor<f64>)
%11 = "stablehlo.broadcast_in_dim"(%10) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<1x5xf64>)
%12 = "stablehlo.add"(%0, %11) {} : (tensor<1x5xf64>, tensor<1x5xf64>) -> (tensor<1x5xf64>)
%13 = "stablehlo.select"(%9, %12, %8) {} : (tensor<1x5xi1>, tensor<1x5xf64>, tensor<1x5xf64>) -> (tensor<1x5xf64>)
%14 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1, 5>, strides = array<i64: 1, 1>} : (tensor<3x5xf64>) -> (tensor<1x5xf64>)
%15 = "stablehlo.reshape"(%14) {} : (tensor<1x5xf64>) -> (tensor<1x1x5xf64>)
%16 = "stablehlo.reshape"(%13) {} : (tensor<1x5xf64>) -> (tensor<1x1x5xf64>)
%17 = "stablehlo.concatenate"(%15, %16) {dimension = 1 : i64} : (tensor<1x1x5xf64>, tensor<1x1x5xf64>) -> (tensor<1x2x5xf64>)
%18 = "stablehlo.reshape"(%17) {} : (tensor<1x2x5xf64>) -> (tensor<2x5xf64>)
%19 = "stablehlo.slice"(%13) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1, 5>, strides = array<i64: 1, 1>} : (tensor<1x5xf64>) -> (tensor<1x5xf64>)
%20 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 2, 0>, limit_indices = array<i64: 3, 5>, strides = array<i64: 1, 1>} : (tensor<3x5xf64>) -> (tensor<1x5xf64>)
%21 = "stablehlo.subtract"(%19, %20) {} : (tensor<1x5xf64>, tensor<1x5xf64>) -> (tensor<1x5xf64>)
%22 = "stablehlo.abs"(%21) {} : (tensor<1x5xf64>) -> (tensor<1x5xf64>)
%23 = "stablehlo.negate"(%22) {} : (tensor<1x5xf64>) -> (tensor<1x5xf64>)
%24 = "stablehlo.exponential"(%23) {} : (tensor<1x5xf64>) -> (tensor<1x5xf64>)
%25 = "stablehlo.maximum"(%19, %20) {} : (tensor<1x5xf64>, tensor<1x5xf64>) -> (tensor<1x5xf64>)
%26 = "stablehlo.log_plus_one"(%24) {} : (tensor<1x5xf64>) -> (tensor<1x5xf64>)
%27 = "stablehlo.add"(%25, %26) {} : (tensor<1x5xf64>, tensor<1x5xf64>) -> (tensor<1x5xf64>)
%28 = "stablehlo.compare"(%19, %20) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<1x5xf64>, tensor<1x5xf64>) -> (tensor<1x5xi1>)
%29 = "stablehlo.constant"() {value = dense<0x3FE62E42FEFA39EF> : tensor<f64>} : () -> (tensor<f64>)
%30 = "stablehlo.broadcast_in_dim"(%29) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<1x5xf64>)
%31 = "stablehlo.add"(%19, %30) {} : (tensor<1x5xf64>, tensor<1x5xf64>) -> (tensor<1x5xf64>)
%32 = "stablehlo.select"(%28, %31, %27) {} : (tensor<1x5xi1>, tensor<1x5xf64>, tensor<1x5xf64>) -> (tensor<1x5xf64>)
%33 = "stablehlo.concatenate"(%18, %32) {dimension = 0 : i64} : (tensor<2x5xf64>, tensor<1x5xf64>) -> (tensor<3x5xf64>)
return %33 : tensor<3x5xf64>
}
}
