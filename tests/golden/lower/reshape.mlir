// { lambda a:f64[3,4] .
//     b:f64[2,6] = reshape[shape=(2, 6)] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<2x6xf64>) {
%0 = "stablehlo.reshape"(%arg0) {} : (tensor<3x4xf64>) -> (tensor<2x6xf64>)
return %0 : tensor<2x6xf64>
}
}
