// { lambda a:f64[3] b:f64[3] .
//     c:f64[3] = hypot[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3xf64>, %arg1: tensor<3xf64>) -> (tensor<3xf64>) {
%0 = "stablehlo.abs"(%arg0) {} : (tensor<3xf64>) -> (tensor<3xf64>)
%1 = "stablehlo.abs"(%arg1) {} : (tensor<3xf64>) -> (tensor<3xf64>)
%2 = "stablehlo.maximum"(%0, %1) {} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
%3 = "stablehlo.minimum"(%0, %1) {} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
%4 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> (tensor<f64>)
%5 = "stablehlo.broadcast_in_dim"(%4) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<3xf64>)
%6 = "stablehlo.compare"(%2, %5) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xi1>)
%7 = "stablehlo.constant"() {value = dense<0x3FF0000000000000> : tensor<f64>} : () -> (tensor<f64>)
%8 = "stablehlo.broadcast_in_dim"(%7) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<3xf64>)
%9 = "stablehlo.constant"() {value = dense<0x7FF0000000000000> : tensor<f64>} : () -> (tensor<f64>)
%10 = "stablehlo.broadcast_in_dim"(%9) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> (tensor<3xf64>)
%11 = "stablehlo.select"(%6, %8, %2) {} : (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
%12 = "stablehlo.divide"(%3, %11) {} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
%13 = "stablehlo.multiply"(%12, %12) {} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
%14 = "stablehlo.add"(%8, %13) {} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
%15 = "stablehlo.sqrt"(%14) {} : (tensor<3xf64>) -> (tensor<3xf64>)
%16 = "stablehlo.multiply"(%2, %15) {} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
%17 = "stablehlo.compare"(%0, %10) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xi1>)
%18 = "stablehlo.select"(%17, %10, %16) {} : (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
%19 = "stablehlo.compare"(%1, %10) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xi1>)
%20 = "stablehlo.select"(%19, %10, %18) {} : (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>)
return %20 : tensor<3xf64>
}
}
