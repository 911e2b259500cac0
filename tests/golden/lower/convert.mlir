// { lambda a:f64[3] .
//     b:c128[3] = convert[dtype=complex128] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3xf64>) -> (tensor<3xcomplex<f64>>) {
%0 = "stablehlo.convert"(%arg0) {} : (tensor<3xf64>) -> (tensor<3xcomplex<f64>>)
return %0 : tensor<3xcomplex<f64>>
}
}

// { lambda a:c128[3] .
//     b:f64[3] = convert[dtype=float64] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3xcomplex<f64>>) -> (tensor<3xf64>) {
%0 = "stablehlo.real"(%arg0) {} : (tensor<3xcomplex<f64>>) -> (tensor<3xf64>)
return %0 : tensor<3xf64>
}
}
