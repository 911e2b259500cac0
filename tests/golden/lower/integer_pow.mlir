// { lambda a:f64[3,4] .
//     b:f64[3,4] = integer_pow[n=3] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
%0 = "stablehlo.multiply"(%arg0, %arg0) {} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
%1 = "stablehlo.multiply"(%arg0, %0) {} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %1 : tensor<3x4xf64>
}
}

// { lambda a:f64[3] .
//     b:f64[3] = integer_pow[n=-2] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3xf64>) -> (tensor<3xf64>) {
%0 = "stablehlo.multiply"(%arg0, %arg0) {} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
%1 = "stablehlo.constant"() {value = dense<0x3FF0000000000000> : tensor<f64>} : () -> (tensor<f64>)
%2 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<3xf64>)
%3 = "stablehlo.divide"(%2, %0) {} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
return %3 : tensor<3xf64>
}
}

// { lambda a:c128[3] .
//     b:c128[3] = integer_pow[n=1] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>) {
return %arg0 : tensor<3xcomplex<f64>>
}
}
