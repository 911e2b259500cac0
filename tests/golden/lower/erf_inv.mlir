// { lambda a:f64[4] .
//     b:f64[4] = erf_inv[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<4xf64>) -> (tensor<4xf64>) {
%0 = "chlo.erf_inv"(%arg0) {} : (tensor<4xf64>) -> (tensor<4xf64>)
return %0 : tensor<4xf64>
}
}
