// { lambda a:i64[3,1] b:i64[4] .
//     c:i64[3,4] = shift_left[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3x1xi64>, %arg1: tensor<4xi64>) -> (tensor<3x4xi64>) {
%0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x1xi64>) -> (tensor<3x4xi64>)
%1 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64: 1>} : (tensor<4xi64>) -> (tensor<3x4xi64>)
%2 = "stablehlo.constant"() {value = dense<64> : tensor<i64>} : () -> (tensor<i64>)
%3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> (tensor<3x4xi64>)
%4 = "stablehlo.compare"(%1, %3) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3x4xi64>, tensor<3x4xi64>) -> (tensor<3x4xi1>)
%5 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> (tensor<i64>)
%6 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> (tensor<3x4xi64>)
%7 = "stablehlo.compare"(%1, %6) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3x4xi64>, tensor<3x4xi64>) -> (tensor<3x4xi1>)
%8 = "stablehlo.or"(%4, %7) {} : (tensor<3x4xi1>, tensor<3x4xi1>) -> (tensor<3x4xi1>)
%9 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> (tensor<i64>)
%10 = "stablehlo.broadcast_in_dim"(%9) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> (tensor<3x4xi64>)
%11 = "stablehlo.select"(%8, %10, %1) {} : (tensor<3x4xi1>, tensor<3x4xi64>, tensor<3x4xi64>) -> (tensor<3x4xi64>)
%12 = "stablehlo.shift_left"(%0, %11) {} : (tensor<3x4xi64>, tensor<3x4xi64>) -> (tensor<3x4xi64>)
%13 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> (tensor<i64>)
%14 = "stablehlo.broadcast_in_dim"(%13) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> (tensor<3x4xi64>)
%15 = "stablehlo.select"(%8, %14, %12) {} : (tensor<3x4xi1>, tensor<3x4xi64>, tensor<3x4xi64>) -> (tensor<3x4xi64>)
return %15 : tensor<3x4xi64>
}
}
