// { lambda a:i64[3,1] b:i64[4] .
//     c:i64[3,4] = or[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3x1xi64>, %arg1: tensor<4xi64>) -> (tensor<3x4xi64>) {
%0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x1xi64>) -> (tensor<3x4xi64>)
%1 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64: 1>} : (tensor<4xi64>) -> (tensor<3x4xi64>)
%2 = "stablehlo.or"(%0, %1) {} : (tensor<3x4xi64>, tensor<3x4xi64>) -> (tensor<3x4xi64>)
return %2 : tensor<3x4xi64>
}
}
