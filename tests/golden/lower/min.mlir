// { lambda a:f64[3,4] b:f64[4] .
//     c:f64[3,4] = min[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>, %arg1: tensor<4xf64>) -> (tensor<3x4xf64>) {
%0 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64: 1>} : (tensor<4xf64>) -> (tensor<3x4xf64>)
%1 = "stablehlo.minimum"(%arg0, %0) {} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %1 : tensor<3x4xf64>
}
}
