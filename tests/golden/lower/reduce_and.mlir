// { lambda a:bool[3,4] .
//     b:bool[4] = reduce_and[axes=(0,)] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xi1>) -> (tensor<4xi1>) {
%4 = "stablehlo.constant"() {value = dense<true> : tensor<i1>} : () -> (tensor<i1>)
%5 = "stablehlo.reduce"(%arg0, %4) ({
^bb0(%0: tensor<i1>, %1: tensor<i1>):
%2 = "stablehlo.and"(%0, %1) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
"stablehlo.return"(%2) {} : (tensor<i1>) -> ()
}) {dimensions = array<i64: 0>} : (tensor<3x4xi1>, tensor<i1>) -> (tensor<4xi1>)
return %5 : tensor<4xi1>
}
}
