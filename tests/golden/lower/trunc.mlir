// { lambda a:f64[3,4] .
//     b:f64[3,4] = trunc[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
%0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> (tensor<f64>)
%1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<3x4xf64>)
%2 = "stablehlo.compare"(%arg0, %1) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xi1>)
%3 = "stablehlo.ceil"(%arg0) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
%4 = "stablehlo.floor"(%arg0) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
%5 = "stablehlo.select"(%2, %3, %4) {} : (tensor<3x4xi1>, tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %5 : tensor<3x4xf64>
}
}
