// { lambda a:f64[3] .
//     b:f64[3] = sign[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3xf64>) -> (tensor<3xf64>) {
%0 = "stablehlo.sign"(%arg0) {} : (tensor<3xf64>) -> (tensor<3xf64>)
%1 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> (tensor<f64>)
%2 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<3xf64>)
%3 = "stablehlo.compare"(%arg0, %2) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xi1>)
%4 = "stablehlo.select"(%3, %2, %0) {} : (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
return %4 : tensor<3xf64>
}
}

// { lambda a:c128[3] .
//     b:c128[3] = sign[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>) {
%0 = "stablehlo.sign"(%arg0) {} : (tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>)
return %0 : tensor<3xcomplex<f64>>
}
}
