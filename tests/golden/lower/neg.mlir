// { lambda a:f64[3,4] .
//     b:f64[3,4] = neg[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
%0 = "stablehlo.negate"(%arg0) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %0 : tensor<3x4xf64>
}
}
