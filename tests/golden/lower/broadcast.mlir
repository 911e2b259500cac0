// { lambda a:f64[4,1] .
//     b:f64[3,2,4] = broadcast[shape=(3, 2, 4) dims=(2, 0)] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<4x1xf64>) -> (tensor<3x2x4xf64>) {
%0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 2, 0>} : (tensor<4x1xf64>) -> (tensor<3x2x4xf64>)
return %0 : tensor<3x2x4xf64>
}
}

// { lambda a:f64[] .
//     b:f64[2,3] = broadcast[shape=(2, 3) dims=()] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<f64>) -> (tensor<2x3xf64>) {
%0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<2x3xf64>)
return %0 : tensor<2x3xf64>
}
}
