// { lambda a:f64[3,4] .
//     b:f64[3] = reduce_max[axes=(1,)] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3xf64>) {
%4 = "stablehlo.constant"() {value = dense<0xFFF0000000000000> : tensor<f64>} : () -> (tensor<f64>)
%5 = "stablehlo.reduce"(%arg0, %4) ({
^bb0(%0: tensor<f64>, %1: tensor<f64>):
%2 = "stablehlo.maximum"(%0, %1) {} : (tensor<f64>, tensor<f64>) -> (tensor<f64>)
"stablehlo.return"(%2) {} : (tensor<f64>) -> ()
}) {dimensions = array<i64: 1>} : (tensor<3x4xf64>, tensor<f64>) -> (tensor<3xf64>)
return %5 : tensor<3xf64>
}
}
