// { lambda a:f64[3,4] .
//     b:i64[3,4] = argsort[axis=1 descending=True stable=True] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3x4xi64>) {
%0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> (tensor<3x4xi64>)
%11:2 = "stablehlo.sort"(%arg0, %0) ({
^bb0(%1: tensor<f64>, %2: tensor<f64>, %3: tensor<i64>, %4: tensor<i64>):
%5 = "stablehlo.compare"(%1, %2) {comparison_direction = #stablehlo<comparison_direction GT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f64>, tensor<f64>) -> (tensor<i1>)
%6 = "stablehlo.compare"(%1, %1) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f64>, tensor<f64>) -> (tensor<i1>)
%7 = "stablehlo.compare"(%2, %2) {comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f64>, tensor<f64>) -> (tensor<i1>)
%8 = "stablehlo.and"(%6, %7) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
%9 = "stablehlo.or"(%5, %8) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
"stablehlo.return"(%9) {} : (tensor<i1>) -> ()
}) {dimension = 1 : i64, is_stable = true} : (tensor<3x4xf64>, tensor<3x4xi64>) -> (tensor<3x4xf64>, tensor<3x4xi64>)
return %11#1 : tensor<3x4xi64>
}
}
