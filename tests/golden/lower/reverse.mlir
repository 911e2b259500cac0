// { lambda a:f64[2,3] .
//     b:f64[2,3] = reverse[axes=(1,)] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<2x3xf64>) -> (tensor<2x3xf64>) {
%0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 1>} : (tensor<2x3xf64>) -> (tensor<2x3xf64>)
return %0 : tensor<2x3xf64>
}
}
