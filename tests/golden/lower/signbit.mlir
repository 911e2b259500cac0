// { lambda a:f64[3,4] .
//     b:bool[3,4] = signbit[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3x4xi1>) {
%0 = "stablehlo.bitcast_convert"(%arg0) {} : (tensor<3x4xf64>) -> (tensor<3x4xi64>)
%1 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> (tensor<i64>)
%2 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> (tensor<3x4xi64>)
%3 = "stablehlo.compare"(%0, %2) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3x4xi64>, tensor<3x4xi64>) -> (tensor<3x4xi1>)
return %3 : tensor<3x4xi1>
}
}
