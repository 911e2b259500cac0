// { lambda a:bool[3,4] .
//     b:bool[3] = reduce_or[axes=(1,)] a
//   in (b) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xi1>) -> (tensor<3xi1>) {
%4 = "stablehlo.constant"() {value = dense<false> : tensor<i1>} : () -> (tensor<i1>)
%5 = "stablehlo.reduce"(%arg0, %4) ({
^bb0(%0: tensor<i1>, %1: tensor<i1>):
%2 = "stablehlo.or"(%0, %1) {} : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
"stablehlo.return"(%2) {} : (tensor<i1>) -> ()
}) {dimensions = array<i64: 1>} : (tensor<3x4xi1>, tensor<i1>) -> (tensor<3xi1>)
return %5 : tensor<3xi1>
}
}
