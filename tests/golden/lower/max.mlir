// { lambda a:f64[3,4] b:f64[3,4] .
//     c:f64[3,4] = max[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>, %arg1: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
%0 = "stablehlo.maximum"(%arg0, %arg1) {} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %0 : tensor<3x4xf64>
}
}
