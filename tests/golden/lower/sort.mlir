// { lambda a:f64[3,4] b:f64[3,4] .
//     c:f64[3,4] d:f64[3,4] = sort[axis=1 num_keys=1 descending=True stable=True] a b
//   in (c, d) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>, %arg1: tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>) {
%10:2 = "stablehlo.sort"(%arg0, %arg1) ({
^bb0(%0: tensor<f64>, %1: tensor<f64>, %2: tensor<f64>, %3: tensor<f64>):
%4 = "stablehlo.compare"(%0, %1) {comparison_direction = #stablehlo<comparison_direction GT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f64>, tensor<f64>) -> (tensor<i1>)
%5 = "stablehlo.compare"(%0, %0) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f64>, tensor<f64>) -> (tensor<i1>)
%6 = "stablehlo.compare"(%1, %1) {comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f64>, tensor<f64>) -> (tensor<i1>)
%7 = "stablehlo.and"(%5, %6) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
%8 = "stablehlo.or"(%4, %7) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
"stablehlo.return"(%8) {} : (tensor<i1>) -> ()
}) {dimension = 1 : i64, is_stable = true} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>)
return %10#0, %10#1 : tensor<3x4xf64>, tensor<3x4xf64>
}
}

// { lambda a:f64[5] .
//     b:f64[5] = sort[axis=0 num_keys=1 descending=False stable=True] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<5xf64>) -> (tensor<5xf64>) {
%8 = "stablehlo.sort"(%arg0) ({
^bb0(%0: tensor<f64>, %1: tensor<f64>):
%2 = "stablehlo.compare"(%0, %1) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f64>, tensor<f64>) -> (tensor<i1>)
%3 = "stablehlo.compare"(%0, %0) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f64>, tensor<f64>) -> (tensor<i1>)
%4 = "stablehlo.compare"(%1, %1) {comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f64>, tensor<f64>) -> (tensor<i1>)
%5 = "stablehlo.and"(%3, %4) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
%6 = "stablehlo.or"(%2, %5) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
"stablehlo.return"(%6) {} : (tensor<i1>) -> ()
}) {dimension = 0 : i64, is_stable = false} : (tensor<5xf64>) -> (tensor<5xf64>)
return %8 : tensor<5xf64>
}
}
