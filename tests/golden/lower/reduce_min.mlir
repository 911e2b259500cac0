// { lambda a:f64[3,4] .
//     b:f64[] = reduce_min[axes=(0, 1)] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<f64>) {
%0 = "stablehlo.constant"() {value = dense<0x7FF0000000000000> : tensor<f64>} : () -> (tensor<f64>)
%8 = "stablehlo.reduce"(%arg0, %0) ({
^bb0(%1: tensor<f64>, %2: tensor<f64>):
%3 = "stablehlo.negate"(%1) {} : (tensor<f64>) -> (tensor<f64>)
%4 = "stablehlo.negate"(%2) {} : (tensor<f64>) -> (tensor<f64>)
%5 = "stablehlo.maximum"(%3, %4) {} : (tensor<f64>, tensor<f64>) -> (tensor<f64>)
%6 = "stablehlo.negate"(%5) {} : (tensor<f64>) -> (tensor<f64>)
"stablehlo.return"(%6) {} : (tensor<f64>) -> ()
}) {dimensions = array<i64: 0, 1>} : (tensor<3x4xf64>, tensor<f64>) -> (tensor<f64>)
return %8 : tensor<f64>
}
}
