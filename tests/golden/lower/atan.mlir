// { lambda a:f64[3,4] .
//     b:f64[3,4] = atan[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
%0 = "chlo.atan"(%arg0) {} : (tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %0 : tensor<3x4xf64>
}
}

// { lambda a:c128[4] .
//     b:c128[4] = atan[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>) {
%0 = "chlo.atan"(%arg0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>)
%1 = "stablehlo.real"(%0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%2 = "stablehlo.imag"(%0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%3 = "stablehlo.real"(%arg0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%4 = "stablehlo.imag"(%arg0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%5 = "stablehlo.abs"(%1) {} : (tensor<4xf64>) -> (tensor<4xf64>)
%6 = "stablehlo.bitcast_convert"(%3) {} : (tensor<4xf64>) -> (tensor<4xi64>)
%7 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> (tensor<i64>)
%8 = "stablehlo.broadcast_in_dim"(%7) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> (tensor<4xi64>)
%9 = "stablehlo.compare"(%6, %8) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi1>)
%10 = "stablehlo.negate"(%5) {} : (tensor<4xf64>) -> (tensor<4xf64>)
%11 = "stablehlo.select"(%9, %10, %5) {} : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>)
%12 = "stablehlo.complex"(%11, %2) {} : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xcomplex<f64>>)
return %12 : tensor<4xcomplex<f64>>
}
}
