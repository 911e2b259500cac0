// { lambda a:f64[3] .
//     b:f64[3] = copy[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3xf64>) -> (tensor<3xf64>) {
return %arg0 : tensor<3xf64>
}
}
