// { lambda a:f64[3,4] .
//     b:f64[3,4] = expm1[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
%0 = "stablehlo.exponential_minus_one"(%arg0) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %0 : tensor<3x4xf64>
}
}

// { lambda a:c128[4] .
//     b:c128[4] = expm1[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>) {
%0 = "stablehlo.exponential_minus_one"(%arg0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>)
%1 = "stablehlo.constant"() {value = dense<(0x0000000000000000, 0x0000000000000000)> : tensor<complex<f64>>} : () -> (tensor<complex<f64>>)
%2 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64>} : (tensor<complex<f64>>) -> (tensor<4xcomplex<f64>>)
%3 = "stablehlo.compare"(%arg0, %2) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<4xi1>)
%4 = "stablehlo.select"(%3, %arg0, %0) {} : (tensor<4xi1>, tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>)
return %4 : tensor<4xcomplex<f64>>
}
}
