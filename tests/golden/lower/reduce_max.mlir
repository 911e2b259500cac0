// { lambda a:f64[3,4] .
//     b:f64[3] = reduce_max[axes=(1,)] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3xf64>) {
%7 = "stablehlo.constant"() {value = dense<0xFFF0000000000000> : tensor<f64>} : () -> (tensor<f64>)
%8 = "stablehlo.reduce"(%arg0, %7) ({
^bb0(%0: tensor<f64>, %1: tensor<f64>):
%2 = "stablehlo.negate"(%0) {} : (tensor<f64>) -> (tensor<f64>)
%3 = "stablehlo.negate"(%1) {} : (tensor<f64>) -> (tensor<f64>)
%4 = "stablehlo.minimum"(%2, %3) {} : (tensor<f64>, tensor<f64>) -> (tensor<f64>)
%5 = "stablehlo.negate"(%4) {} : (tensor<f64>) -> (tensor<f64>)
"stablehlo.return"(%5) {} : (tensor<f64>) -> ()
}) {dimensions = array<i64: 1>} : (tensor<3x4xf64>, tensor<f64>) -> (tensor<3xf64>)
return %8 : tensor<3xf64>
}
}
