// { lambda a:i64[3,4] b:i64[4] .
//     c:bool[3,4] = gt[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xi64>, %arg1: tensor<4xi64>) -> (tensor<3x4xi1>) {
%0 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64: 1>} : (tensor<4xi64>) -> (tensor<3x4xi64>)
%1 = "stablehlo.compare"(%arg0, %0) {comparison_direction = #stablehlo<comparison_direction GT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3x4xi64>, tensor<3x4xi64>) -> (tensor<3x4xi1>)
return %1 : tensor<3x4xi1>
}
}
