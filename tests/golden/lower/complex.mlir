// { lambda a:f64[3,1] b:f64[4] .
//     c:c128[3,4] = complex[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3x1xf64>, %arg1: tensor<4xf64>) -> (tensor<3x4xcomplex<f64>>) {
%0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x1xf64>) -> (tensor<3x4xf64>)
%1 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64: 1>} : (tensor<4xf64>) -> (tensor<3x4xf64>)
%2 = "stablehlo.complex"(%0, %1) {} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xcomplex<f64>>)
return %2 : tensor<3x4xcomplex<f64>>
}
}
