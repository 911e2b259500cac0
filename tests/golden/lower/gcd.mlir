// { lambda a:i64[3,1] b:i64[4] .
//     c:i64[3,4] = gcd[] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3x1xi64>, %arg1: tensor<4xi64>) -> (tensor<3x4xi64>) {
%0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x1xi64>) -> (tensor<3x4xi64>)
%1 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64: 1>} : (tensor<4xi64>) -> (tensor<3x4xi64>)
%2 = "stablehlo.abs"(%0) {} : (tensor<3x4xi64>) -> (tensor<3x4xi64>)
%3 = "stablehlo.abs"(%1) {} : (tensor<3x4xi64>) -> (tensor<3x4xi64>)
%4 = "stablehlo.convert"(%2) {} : (tensor<3x4xi64>) -> (tensor<3x4xui64>)
%5 = "stablehlo.convert"(%3) {} : (tensor<3x4xi64>) -> (tensor<3x4xui64>)
%30:2 = "stablehlo.while"(%4, %5) ({
^bb0(%6: tensor<3x4xui64>, %7: tensor<3x4xui64>):
%8 = "stablehlo.constant"() {value = dense<0> : tensor<ui64>} : () -> (tensor<ui64>)
%9 = "stablehlo.broadcast_in_dim"(%8) {broadcast_dimensions = array<i64>} : (tensor<ui64>) -> (tensor<3x4xui64>)
%10 = "stablehlo.compare"(%7, %9) {comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type UNSIGNED>} : (tensor<3x4xui64>, tensor<3x4xui64>) -> (tensor<3x4xi1>)
%15 = "stablehlo.constant"() {value = dense<false> : tensor<i1>} : () -> (tensor<i1>)
%16 = "stablehlo.reduce"(%10, %15) ({
^bb0(%11: tensor<i1>, %12: tensor<i1>):
%13 = "stablehlo.or"(%11, %12) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
"stablehlo.return"(%13) {} : (tensor<i1>) -> ()
}) {dimensions = array<i64: 0, 1>} : (tensor<3x4xi1>, tensor<i1>) -> (tensor<i1>)
"stablehlo.return"(%16) {} : (tensor<i1>) -> ()
}, {
^bb0(%18: tensor<3x4xui64>, %19: tensor<3x4xui64>):
%20 = "stablehlo.constant"() {value = dense<0> : tensor<ui64>} : () -> (tensor<ui64>)
%21 = "stablehlo.broadcast_in_dim"(%20) {broadcast_dimensions = array<i64>} : (tensor<ui64>) -> (tensor<3x4xui64>)
%22 = "stablehlo.compare"(%19, %21) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type UNSIGNED>} : (tensor<3x4xui64>, tensor<3x4xui64>) -> (tensor<3x4xi1>)
%23 = "stablehlo.constant"() {value = dense<1> : tensor<ui64>} : () -> (tensor<ui64>)
%24 = "stablehlo.broadcast_in_dim"(%23) {broadcast_dimensions = array<i64>} : (tensor<ui64>) -> (tensor<3x4xui64>)
%25 = "stablehlo.select"(%22, %24, %19) {} : (tensor<3x4xi1>, tensor<3x4xui64>, tensor<3x4xui64>) -> (tensor<3x4xui64>)
%26 = "stablehlo.remainder"(%18, %25) {} : (tensor<3x4xui64>, tensor<3x4xui64>) -> (tensor<3x4xui64>)
%27 = "stablehlo.select"(%22, %18, %19) {} : (tensor<3x4xi1>, tensor<3x4xui64>, tensor<3x4xui64>) -> (tensor<3x4xui64>)
%28 = "stablehlo.select"(%22, %21, %26) {} : (tensor<3x4xi1>, tensor<3x4xui64>, tensor<3x4xui64>) -> (tensor<3x4xui64>)
"stablehlo.return"(%27, %28) {} : (tensor<3x4xui64>, tensor<3x4xui64>) -> ()
}) {} : (tensor<3x4xui64>, tensor<3x4xui64>) -> (tensor<3x4xui64>, tensor<3x4xui64>)
%31 = "stablehlo.convert"(%30#0) {} : (tensor<3x4xui64>) -> (tensor<3x4xi64>)
return %31 : tensor<3x4xi64>
}
}
