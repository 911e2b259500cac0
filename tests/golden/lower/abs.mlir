// { lambda a:f64[3] .
//     b:f64[3] = abs[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3xf64>) -> (tensor<3xf64>) {
%0 = "stablehlo.abs"(%arg0) {} : (tensor<3xf64>) -> (tensor<3xf64>)
return %0 : tensor<3xf64>
}
}

// { lambda a:c128[3] .
//     b:f64[3] = abs[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3xcomplex<f64>>) -> (tensor<3xf64>) {
%0 = "stablehlo.abs"(%arg0) {} : (tensor<3xcomplex<f64>>) -> (tensor<3xf64>)
return %0 : tensor<3xf64>
}
}
