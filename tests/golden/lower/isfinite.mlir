// { lambda a:f64[3,4] .
//     b:bool[3,4] = isfinite[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3x4xi1>) {
%0 = "stablehlo.is_finite"(%arg0) {} : (tensor<3x4xf64>) -> (tensor<3x4xi1>)
return %0 : tensor<3x4xi1>
}
}
