// { lambda a:f64[3,4] .
//     b:f64[3,4] = exp2[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
%0 = "stablehlo.constant"() {value = dense<0x4000000000000000> : tensor<f64>} : () -> (tensor<f64>)
%1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<3x4xf64>)
%2 = "stablehlo.power"(%1, %arg0) {} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %2 : tensor<3x4xf64>
}
}

// { lambda a:c128[4] .
//     b:c128[4] = exp2[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>) {
%0 = "stablehlo.real"(%arg0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%1 = "stablehlo.imag"(%arg0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%2 = "stablehlo.constant"() {value = dense<0x3FE62E42FEFA39EF> : tensor<f64>} : () -> (tensor<f64>)
%3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<4xf64>)
%4 = "stablehlo.multiply"(%0, %3) {} : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>)
%5 = "stablehlo.constant"() {value = dense<0x3FE62E42FEFA39EF> : tensor<f64>} : () -> (tensor<f64>)
%6 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<4xf64>)
%7 = "stablehlo.multiply"(%1, %6) {} : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>)
%8 = "stablehlo.complex"(%4, %7) {} : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xcomplex<f64>>)
%9 = "stablehlo.exponential"(%8) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>)
%10 = "stablehlo.real"(%8) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%11 = "stablehlo.imag"(%8) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%12 = "stablehlo.constant"() {value = dense<0xFFF0000000000000> : tensor<f64>} : () -> (tensor<f64>)
%13 = "stablehlo.broadcast_in_dim"(%12) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<4xf64>)
%14 = "stablehlo.compare"(%10, %13) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xi1>)
%15 = "stablehlo.constant"() {value = dense<(0x0000000000000000, 0x0000000000000000)> : tensor<complex<f64>>} : () -> (tensor<complex<f64>>)
%16 = "stablehlo.broadcast_in_dim"(%15) {broadcast_dimensions = array<i64>} : (tensor<complex<f64>>) -> (tensor<4xcomplex<f64>>)
%17 = "stablehlo.select"(%14, %16, %9) {} : (tensor<4xi1>, tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>)
return %17 : tensor<4xcomplex<f64>>
}
}
