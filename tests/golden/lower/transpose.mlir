// { lambda a:f64[2,3,4] .
//     b:f64[4,2,3] = transpose[axes=(2, 0, 1)] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<2x3x4xf64>) -> (tensor<4x2x3xf64>) {
%0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xf64>) -> (tensor<4x2x3xf64>)
return %0 : tensor<4x2x3xf64>
}
}
