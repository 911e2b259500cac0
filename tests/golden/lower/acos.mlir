// { lambda a:f64[4] .
//     b:f64[4] = acos[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<4xf64>) -> (tensor<4xf64>) {
%0 = "chlo.acos"(%arg0) {} : (tensor<4xf64>) -> (tensor<4xf64>)
return %0 : tensor<4xf64>
}
}

// { lambda a:c128[4] .
//     b:c128[4] = acos[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>) {
%0 = "chlo.acos"(%arg0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>)
%1 = "stablehlo.real"(%0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%2 = "stablehlo.imag"(%0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%3 = "stablehlo.real"(%arg0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%4 = "stablehlo.imag"(%arg0) {} : (tensor<4xcomplex<f64>>) -> (tensor<4xf64>)
%5 = "stablehlo.negate"(%4) {} : (tensor<4xf64>) -> (tensor<4xf64>)
%6 = "stablehlo.abs"(%2) {} : (tensor<4xf64>) -> (tensor<4xf64>)
%7 = "stablehlo.bitcast_convert"(%5) {} : (tensor<4xf64>) -> (tensor<4xi64>)
%8 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> (tensor<i64>)
%9 = "stablehlo.broadcast_in_dim"(%8) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> (tensor<4xi64>)
%10 = "stablehlo.compare"(%7, %9) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi1>)
%11 = "stablehlo.negate"(%6) {} : (tensor<4xf64>) -> (tensor<4xf64>)
%12 = "stablehlo.select"(%10, %11, %6) {} : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>)
%13 = "stablehlo.complex"(%1, %12) {} : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xcomplex<f64>>)
return %13 : tensor<4xcomplex<f64>>
}
}
