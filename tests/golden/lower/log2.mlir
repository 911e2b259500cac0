// { lambda a:f64[3,4] .
//     b:f64[3,4] = log2[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
%0 = "stablehlo.log"(%arg0) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
%1 = "stablehlo.constant"() {value = dense<0x3FE62E42FEFA39EF> : tensor<f64>} : () -> (tensor<f64>)
%2 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<3x4xf64>)
%3 = "stablehlo.divide"(%0, %2) {} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %3 : tensor<3x4xf64>
}
}

// { lambda a:c128[4] .
//     b:c128[4] = log2[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>) {
%0 = "stablehlo.log"(%arg0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>)
%1 = "stablehlo.real"(%0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%2 = "stablehlo.imag"(%0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%3 = "stablehlo.constant"() {value = dense<0x3FF71547652B82FE> : tensor<f64>} : () -> (tensor<f64>)
%4 = "stablehlo.broadcast_in_dim"(%3) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<4xf64>)
%5 = "stablehlo.multiply"(%1, %4) {} : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>)
%6 = "stablehlo.constant"() {value = dense<0x3FF71547652B82FE> : tensor<f64>} : () -> (tensor<f64>)
%7 = "stablehlo.broadcast_in_dim"(%6) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<4xf64>)
%8 = "stablehlo.multiply"(%2, %7) {} : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>)
%9 = "stablehlo.complex"(%5, %8) {} : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xcomplex<f64>>)
return %9 : tensor<4xcomplex<f64>>
}
}
