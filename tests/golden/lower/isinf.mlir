// { lambda a:f64[3,4] .
//     b:bool[3,4] = isinf[] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3x4xi1>) {
%0 = "stablehlo.compare"(%arg0, %arg0) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xi1>)
%1 = "stablehlo.is_finite"(%arg0) {} : (tensor<3x4xf64>) -> (tensor<3x4xi1>)
%2 = "stablehlo.not"(%1) {} : (tensor<3x4xi1>) -> (tensor<3x4xi1>)
%3 = "stablehlo.and"(%2, %0) {} : (tensor<3x4xi1>, tensor<3x4xi1>) -> (tensor<3x4xi1>)
return %3 : tensor<3x4xi1>
}
}
