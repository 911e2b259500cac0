// { lambda a:f64[4] .
//     b:f64[4] = cbrt[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<4xf64>) -> (tensor<4xf64>) {
%0 = "stablehlo.cbrt"(%arg0) {} : (tensor<4xf64>) -> (tensor<4xf64>)
return %0 : tensor<4xf64>
}
}
