// { lambda a:f64[3,4] .
//     b:f64[3,4] = log1p[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
%0 = "stablehlo.log_plus_one"(%arg0) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %0 : tensor<3x4xf64>
}
}

// { lambda a:c128[4] .
//     b:c128[4] = log1p[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>) {
%0 = "stablehlo.log_plus_one"(%arg0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>)
return %0 : tensor<4xcomplex<f64>>
}
}
