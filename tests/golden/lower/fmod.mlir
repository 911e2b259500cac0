// { lambda a:f64[3] b:f64[3] .
//     c:f64[3] = fmod[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3xf64>, %arg1: tensor<3xf64>) -> (tensor<3xf64>) {
%0 = "stablehlo.remainder"(%arg0, %arg1) {} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
return %0 : tensor<3xf64>
}
}
