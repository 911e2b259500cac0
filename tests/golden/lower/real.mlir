// { lambda a:c128[3] .
//     b:f64[3] = real[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3xcomplex<f64>>) -> (tensor<3xf64>) {
%0 = "stablehlo.real"(%arg0) {} : (tensor<3xcomplex<f64>>) -> (tensor<3xf64>)
return %0 : tensor<3xf64>
}
}
