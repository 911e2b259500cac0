// { lambda a:f64[3,4] b:f64[4] .
//     c:f64[3,4] = power[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>, %arg1: tensor<4xf64>) -> (tensor<3x4xf64>) {
%0 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64: 1>} : (tensor<4xf64>) -> (tensor<3x4xf64>)
%1 = "stablehlo.power"(%arg0, %0) {} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %1 : tensor<3x4xf64>
}
}

// { lambda a:f64[3] b:f64[3] .
//     c:f64[3] = power[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3xf64>, %arg1: tensor<3xf64>) -> (tensor<3xf64>) {
%0 = "stablehlo.power"(%arg0, %arg1) {} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
return %0 : tensor<3xf64>
}
}

// { lambda a:c128[3] b:c128[3] .
//     c:c128[3] = power[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3xcomplex<f64>>, %arg1: tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>) {
%0 = "stablehlo.constant"() {value = dense<(0x0000000000000000, 0x0000000000000000)> : tensor<complex<f64>>} : () -> (tensor<complex<f64>>)
%1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<complex<f64>>) -> (tensor<3xcomplex<f64>>)
%2 = "stablehlo.constant"() {value = dense<(0x3FF0000000000000, 0x0000000000000000)> : tensor<complex<f64>>} : () -> (tensor<complex<f64>>)
%3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64>} : (tensor<complex<f64>>) -> (tensor<3xcomplex<f64>>)
%4 = "stablehlo.real"(%arg1) {} : (tensor<3xcomplex<f64>>) -> (tensor<3xf64>)
%5 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> (tensor<f64>)
%6 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<3xf64>)
%7 = "stablehlo.compare"(%4, %6) {comparison_direction = #stablehlo<comparison_direction GT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xi1>)
%8 = "stablehlo.constant"() {value = dense<(0x7FF8000000000000, 0x7FF8000000000000)> : tensor<complex<f64>>} : () -> (tensor<complex<f64>>)
%9 = "stablehlo.broadcast_in_dim"(%8) {broadcast_dimensions = array<i64>} : (tensor<complex<f64>>) -> (tensor<3xcomplex<f64>>)
%10 = "stablehlo.select"(%7, %1, %9) {} : (tensor<3xi1>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>)
%11 = "stablehlo.compare"(%arg1, %1) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> (tensor<3xi1>)
%12 = "stablehlo.select"(%11, %3, %10) {} : (tensor<3xi1>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>)
%13 = "stablehlo.compare"(%arg0, %1) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> (tensor<3xi1>)
%14 = "stablehlo.power"(%arg0, %arg1) {} : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>)
%15 = "stablehlo.select"(%13, %12, %14) {} : (tensor<3xi1>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>)
return %15 : tensor<3xcomplex<f64>>
}
}
