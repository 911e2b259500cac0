// { lambda a:f64[2,3,4] .
//     b:f64[3] = reduce_sum[axes=(0, 2)] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<2x3x4xf64>) -> (tensor<3xf64>) {
%4 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> (tensor<f64>)
%5 = "stablehlo.reduce"(%arg0, %4) ({
^bb0(%0: tensor<f64>, %1: tensor<f64>):
%2 = "stablehlo.add"(%0, %1) {} : (tensor<f64>, tensor<f64>) -> (tensor<f64>)
"stablehlo.return"(%2) {} : (tensor<f64>) -> ()
}) {dimensions = array<i64: 0, 2>} : (tensor<2x3x4xf64>, tensor<f64>) -> (tensor<3xf64>)
return %5 : tensor<3xf64>
}
}
