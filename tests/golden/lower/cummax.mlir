// { lambda a:f64[3,5] .
//     b:f64[3,5] = cummax[axis=1 backwards=False] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x5xf64>) -> (tensor<3x5xf64>) {
%16 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> (tensor<i32>)
%17 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 1>, strides = array<i64: 1, 1>} : (tensor<3x5xf64>) -> (tensor<3x1xf64>)
%18:3 = "stablehlo.while"(%16, %17, %arg0) ({
^bb0(%0: tensor<i32>, %1: tensor<3x1xf64>, %2: tensor<3x5xf64>):
%3 = "stablehlo.constant"() {value = dense<5> : tensor<i32>} : () -> (tensor<i32>)
%4 = "stablehlo.compare"(%0, %3) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
"stablehlo.return"(%4) {} : (tensor<i1>) -> ()
}, {
^bb0(%6: tensor<i32>, %7: tensor<3x1xf64>, %8: tensor<3x5xf64>):
%9 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> (tensor<i32>)
%10 = "stablehlo.dynamic_slice"(%8, %9, %6) {slice_sizes = array<i64: 3, 1>} : (tensor<3x5xf64>, tensor<i32>, tensor<i32>) -> (tensor<3x1xf64>)
%11 = "stablehlo.maximum"(%7, %10) {} : (tensor<3x1xf64>, tensor<3x1xf64>) -> (tensor<3x1xf64>)
%12 = "stablehlo.dynamic_update_slice"(%8, %11, %9, %6) {} : (tensor<3x5xf64>, tensor<3x1xf64>, tensor<i32>, tensor<i32>) -> (tensor<3x5xf64>)
%13 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> (tensor<i32>)
%14 = "stablehlo.add"(%6, %13) {} : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
"stablehlo.return"(%14, %11, %12) {} : (tensor<i32>, tensor<3x1xf64>, tensor<3x5xf64>) -> ()
}) {} : (tensor<i32>, tensor<3x1xf64>, tensor<3x5xf64>) -> (tensor<i32>, tensor<3x1xf64>, tensor<3x5xf64>)
return %18#2 : tensor<3x5xf64>
}
}
