// { lambda a:f64[3,4] .
//     b:f64[3,4] = exp[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
%0 = "stablehlo.exponential"(%arg0) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %0 : tensor<3x4xf64>
}
}

// { lambda a:c128[4] .
//     b:c128[4] = exp[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>) {
%0 = "stablehlo.exponential"(%arg0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>)
%1 = "stablehlo.real"(%arg0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%2 = "stablehlo.imag"(%arg0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%3 = "stablehlo.constant"() {value = dense<0xFFF0000000000000> : tensor<f64>} : () -> (tensor<f64>)
%4 = "stablehlo.broadcast_in_dim"(%3) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<4xf64>)
%5 = "stablehlo.compare"(%1, %4) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xi1>)
%6 = "stablehlo.constant"() {value = dense<(0x0000000000000000, 0x0000000000000000)> : tensor<complex<f64>>} : () -> (tensor<complex<f64>>)
%7 = "stablehlo.broadcast_in_dim"(%6) {broadcast_dimensions = array<i64>} : (tensor<complex<f64>>) -> (tensor<4xcomplex<f64>>)
%8 = "stablehlo.select"(%5, %7, %0) {} : (tensor<4xi1>, tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>)
return %8 : tensor<4xcomplex<f64>>
}
}
