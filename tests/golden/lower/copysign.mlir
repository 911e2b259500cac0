// { lambda a:f64[3] b:f64[3] .
//     c:f64[3] = copysign[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3xf64>, %arg1: tensor<3xf64>) -> (tensor<3xf64>) {
%0 = "stablehlo.abs"(%arg0) {} : (tensor<3xf64>) -> (tensor<3xf64>)
%1 = "stablehlo.bitcast_convert"(%arg1) {} : (tensor<3xf64>) -> (tensor<3xi64>)
%2 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> (tensor<i64>)
%3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> (tensor<3xi64>)
%4 = "stablehlo.compare"(%1, %3) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3xi64>, tensor<3xi64>) -> (tensor<3xi1>)
%5 = "stablehlo.negate"(%0) {} : (tensor<3xf64>) -> (tensor<3xf64>)
%6 = "stablehlo.select"(%4, %5, %0) {} : (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
return %6 : tensor<3xf64>
}
}
