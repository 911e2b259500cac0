// { lambda a:f64[3] b:f64[3] .
//     c:f64[3] = remainder[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3xf64>, %arg1: tensor<3xf64>) -> (tensor<3xf64>) {
%0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> (tensor<f64>)
%1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<3xf64>)
%2 = "stablehlo.remainder"(%arg0, %arg1) {} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
%3 = "stablehlo.compare"(%2, %1) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xi1>)
%4 = "stablehlo.not"(%3) {} : (tensor<3xi1>) -> (tensor<3xi1>)
%5 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> (tensor<f64>)
%6 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<3xf64>)
%7 = "stablehlo.compare"(%2, %6) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xi1>)
%8 = "stablehlo.compare"(%arg1, %6) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xi1>)
%9 = "stablehlo.compare"(%7, %8) {comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type UNSIGNED>} : (tensor<3xi1>, tensor<3xi1>) -> (tensor<3xi1>)
%10 = "stablehlo.and"(%4, %9) {} : (tensor<3xi1>, tensor<3xi1>) -> (tensor<3xi1>)
%11 = "stablehlo.add"(%2, %arg1) {} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
%12 = "stablehlo.select"(%10, %11, %2) {} : (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
%13 = "stablehlo.abs"(%1) {} : (tensor<3xf64>) -> (tensor<3xf64>)
%14 = "stablehlo.bitcast_convert"(%arg1) {} : (tensor<3xf64>) -> (tensor<3xi64>)
%15 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> (tensor<i64>)
%16 = "stablehlo.broadcast_in_dim"(%15) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> (tensor<3xi64>)
%17 = "stablehlo.compare"(%14, %16) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3xi64>, tensor<3xi64>) -> (tensor<3xi1>)
%18 = "stablehlo.negate"(%13) {} : (tensor<3xf64>) -> (tensor<3xf64>)
%19 = "stablehlo.select"(%17, %18, %13) {} : (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
%20 = "stablehlo.select"(%3, %19, %12) {} : (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
return %20 : tensor<3xf64>
}
}
