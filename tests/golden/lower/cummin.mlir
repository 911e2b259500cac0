// { lambda a:f64[6] .
//     b:f64[6] = cummin[axis=0 backwards=True] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<6xf64>) -> (tensor<6xf64>) {
%0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0>} : (tensor<6xf64>) -> (tensor<6xf64>)
%17 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> (tensor<i32>)
%18 = "stablehlo.slice"(%0) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<6xf64>) -> (tensor<1xf64>)
%19:3 = "stablehlo.while"(%17, %18, %0) ({
^bb0(%1: tensor<i32>, %2: tensor<1xf64>, %3: tensor<6xf64>):
%4 = "stablehlo.constant"() {value = dense<6> : tensor<i32>} : () -> (tensor<i32>)
%5 = "stablehlo.compare"(%1, %4) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
"stablehlo.return"(%5) {} : (tensor<i1>) -> ()
}, {
^bb0(%7: tensor<i32>, %8: tensor<1xf64>, %9: tensor<6xf64>):
%10 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> (tensor<i32>)
%11 = "stablehlo.dynamic_slice"(%9, %7) {slice_sizes = array<i64: 1>} : (tensor<6xf64>, tensor<i32>) -> (tensor<1xf64>)
%12 = "stablehlo.minimum"(%8, %11) {} : (tensor<1xf64>, tensor<1xf64>) -> (tensor<1xf64>)
%13 = "stablehlo.dynamic_update_slice"(%9, %12, %7) {} : (tensor<6xf64>, tensor<1xf64>, tensor<i32>) -> (tensor<6xf64>)
%14 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> (tensor<i32>)
%15 = "stablehlo.add"(%7, %14) {} : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
"stablehlo.return"(%15, %12, %13) {} : (tensor<i32>, tensor<1xf64>, tensor<6xf64>) -> ()
}) {} : (tensor<i32>, tensor<1xf64>, tensor<6xf64>) -> (tensor<i32>, tensor<1xf64>, tensor<6xf64>)
%20 = "stablehlo.reverse"(%19#2) {dimensions = array<i64: 0>} : (tensor<6xf64>) -> (tensor<6xf64>)
return %20 : tensor<6xf64>
}
}
