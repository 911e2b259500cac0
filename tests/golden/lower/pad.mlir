// { lambda a:f64[3,4] b:f64[] .
//     c:f64[8,3] = pad[config=((1, 2, 1), (-1, 0, 0))] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>, %arg1: tensor<f64>) -> (tensor<8x3xf64>) {
%0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 2, 0>, interior_padding = array<i64: 1, 0>} : (tensor<3x4xf64>, tensor<f64>) -> (tensor<8x3xf64>)
return %0 : tensor<8x3xf64>
}
}

// { lambda a:f64[4] b:f64[] .
//     c:f64[11] = pad[config=((-2, 3, 2),)] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<4xf64>, %arg1: tensor<f64>) -> (tensor<11xf64>) {
%0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: -2>, edge_padding_high = array<i64: 3>, interior_padding = array<i64: 2>} : (tensor<4xf64>, tensor<f64>) -> (tensor<11xf64>)
return %0 : tensor<11xf64>
}
}
