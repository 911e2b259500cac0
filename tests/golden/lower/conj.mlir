// { lambda a:c128[3] .
//     b:c128[3] = conj[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>) {
%0 = "stablehlo.real"(%arg0) {} : (tensor<3xcomplex<f64>>) -> (tensor<3xf64>)
%1 = "stablehlo.imag"(%arg0) {} : (tensor<3xcomplex<f64>>) -> (tensor<3xf64>)
%2 = "stablehlo.negate"(%1) {} : (tensor<3xf64>) -> (tensor<3xf64>)
%3 = "stablehlo.complex"(%0, %2) {} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xcomplex<f64>>)
return %3 : tensor<3xcomplex<f64>>
}
}
