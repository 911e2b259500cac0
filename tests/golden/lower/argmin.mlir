// { lambda a:f64[3,4] .
//     b:i64[4] = argmin[axis=0] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<4xi64>) {
%0 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> (tensor<3x4xi64>)
%23 = "stablehlo.constant"() {value = dense<0x7FF0000000000000> : tensor<f64>} : () -> (tensor<f64>)
%24 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> (tensor<i64>)
%25:2 = "stablehlo.reduce"(%arg0, %0, %23, %24) ({
^bb0(%1: tensor<f64>, %2: tensor<i64>, %3: tensor<f64>, %4: tensor<i64>):
%5 = "stablehlo.compare"(%1, %3) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f64>, tensor<f64>) -> (tensor<i1>)
%6 = "stablehlo.compare"(%1, %3) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f64>, tensor<f64>) -> (tensor<i1>)
%7 = "stablehlo.compare"(%1, %1) {comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f64>, tensor<f64>) -> (tensor<i1>)
%8 = "stablehlo.compare"(%3, %3) {comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f64>, tensor<f64>) -> (tensor<i1>)
%9 = "stablehlo.or"(%7, %8) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
%10 = "stablehlo.not"(%9) {} : (tensor<i1>) -> (tensor<i1>)
%11 = "stablehlo.not"(%8) {} : (tensor<i1>) -> (tensor<i1>)
%12 = "stablehlo.and"(%7, %11) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
%13 = "stablehlo.and"(%5, %10) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
%14 = "stablehlo.or"(%13, %12) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
%15 = "stablehlo.and"(%7, %8) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
%16 = "stablehlo.or"(%6, %15) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
%17 = "stablehlo.compare"(%2, %4) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<i64>, tensor<i64>) -> (tensor<i1>)
%18 = "stablehlo.and"(%16, %17) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
%19 = "stablehlo.or"(%14, %18) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
%20 = "stablehlo.select"(%19, %1, %3) {} : (tensor<i1>, tensor<f64>, tensor<f64>) -> (tensor<f64>)
%21 = "stablehlo.select"(%19, %2, %4) {} : (tensor<i1>, tensor<i64>, tensor<i64>) -> (tensor<i64>)
"stablehlo.return"(%20, %21) {} : (tensor<f64>, tensor<i64>) -> ()
}) {dimensions = array<i64: 0>} : (tensor<3x4xf64>, tensor<3x4xi64>, tensor<f64>, tensor<i64>) -> (tensor<4xf64>, tensor<4xi64>)
return %25#1 : tensor<4xi64>
}
}
