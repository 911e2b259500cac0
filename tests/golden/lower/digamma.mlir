// { lambda a:f64[3,4] .
//     b:f64[3,4] = digamma[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
%0 = "chlo.digamma"(%arg0) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
%1 = "stablehlo.negate"(%arg0) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
%2 = "stablehlo.constant"() {value = dense<0x7FF0000000000000> : tensor<f64>} : () -> (tensor<f64>)
%3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<3x4xf64>)
%4 = "stablehlo.abs"(%3) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
%5 = "stablehlo.bitcast_convert"(%1) {} : (tensor<3x4xf64>) -> (tensor<3x4xi64>)
%6 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> (tensor<i64>)
%7 = "stablehlo.broadcast_in_dim"(%6) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> (tensor<3x4xi64>)
%8 = "stablehlo.compare"(%5, %7) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3x4xi64>, tensor<3x4xi64>) -> (tensor<3x4xi1>)
%9 = "stablehlo.negate"(%4) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
%10 = "stablehlo.select"(%8, %9, %4) {} : (tensor<3x4xi1>, tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
%11 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> (tensor<f64>)
%12 = "stablehlo.broadcast_in_dim"(%11) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<3x4xf64>)
%13 = "stablehlo.compare"(%arg0, %12) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xi1>)
%14 = "stablehlo.select"(%13, %10, %0) {} : (tensor<3x4xi1>, tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %14 : tensor<3x4xf64>
}
}
