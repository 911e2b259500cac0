// { lambda a:f64[3,1] b:f64[4] .
//     c:f64[3,4] = logaddexp[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3x1xf64>, %arg1: tensor<4xf64>) -> (tensor<3x4xf64>) {
%0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x1xf64>) -> (tensor<3x4xf64>)
%1 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64: 1>} : (tensor<4xf64>) -> (tensor<3x4xf64>)
%2 = "stablehlo.subtract"(%0, %1) {} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
%3 = "stablehlo.abs"(%2) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
%4 = "stablehlo.negate"(%3) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
%5 = "stablehlo.exponential"(%4) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
%6 = "stablehlo.maximum"(%0, %1) {} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
%7 = "stablehlo.log_plus_one"(%5) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
%8 = "stablehlo.add"(%6, %7) {} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
%9 = "stablehlo.compare"(%0, %1) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xi1>)
%10 = "stablehlo.constant"() {value = dense<0x3FE62E42FEFA39EF> : tensor<f64>} : () -> (tensor<f64>)
%11 = "stablehlo.broadcast_in_dim"(%10) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<3x4xf64>)
%12 = "stablehlo.add"(%0, %11) {} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
%13 = "stablehlo.select"(%9, %12, %8) {} : (tensor<3x4xi1>, tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %13 : tensor<3x4xf64>
}
}
