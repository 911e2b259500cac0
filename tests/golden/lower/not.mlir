// { lambda a:i64[3] .
//     b:i64[3] = not[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3xi64>) -> (tensor<3xi64>) {
%0 = "stablehlo.not"(%arg0) {} : (tensor<3xi64>) -> (tensor<3xi64>)
return %0 : tensor<3xi64>
}
}
