// { lambda a:f64[4] .
//     b:f64[4] = polygamma[n=2] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<4xf64>) -> (tensor<4xf64>) {
%0 = "stablehlo.constant"() {value = dense<0x4000000000000000> : tensor<f64>} : () -> (tensor<f64>)
%1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<4xf64>)
%2 = "chlo.polygamma"(%1, %arg0) {} : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>)
return %2 : tensor<4xf64>
}
}
