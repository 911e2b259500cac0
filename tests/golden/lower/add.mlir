// { lambda a:f64[3,4] b:f64[3,4] .
//     c:f64[3,4] = add[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>, %arg1: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
%0 = "stablehlo.add"(%arg0, %arg1) {} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %0 : tensor<3x4xf64>
}
}

// { lambda a:f64[3,1] b:f64[4] .
//     c:f64[3,4] = add[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3x1xf64>, %arg1: tensor<4xf64>) -> (tensor<3x4xf64>) {
%0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x1xf64>) -> (tensor<3x4xf64>)
%1 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64: 1>} : (tensor<4xf64>) -> (tensor<3x4xf64>)
%2 = "stablehlo.add"(%0, %1) {} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %2 : tensor<3x4xf64>
}
}

// { lambda a:c128[] b:c128[2,1,3] .
//     c:c128[2,1,3] = add[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<complex<f64>>, %arg1: tensor<2x1x3xcomplex<f64>>) -> (tensor<2x1x3xcomplex<f64>>) {
%0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64>} : (tensor<complex<f64>>) -> (tensor<2x1x3xcomplex<f64>>)
%1 = "stablehlo.add"(%0, %arg1) {} : (tensor<2x1x3xcomplex<f64>>, tensor<2x1x3xcomplex<f64>>) -> (tensor<2x1x3xcomplex<f64>>)
return %1 : tensor<2x1x3xcomplex<f64>>
}
}
