// { lambda a:f64[3] .
//     b:i64[3] = bitcast[dtype=int64] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3xf64>) -> (tensor<3xi64>) {
%0 = "stablehlo.bitcast_convert"(%arg0) {} : (tensor<3xf64>) -> (tensor<3xi64>)
return %0 : tensor<3xi64>
}
}
