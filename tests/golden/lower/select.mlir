// { lambda a:bool[3,4] b:f64[3,4] c:f64[4] .
//     d:f64[3,4] = select[] a b c
//   in (d) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xi1>, %arg1: tensor<3x4xf64>, %arg2: tensor<4xf64>) -> (tensor<3x4xf64>) {
%0 = "stablehlo.broadcast_in_dim"(%arg2) {broadcast_dimensions = array<i64: 1>} : (tensor<4xf64>) -> (tensor<3x4xf64>)
%1 = "stablehlo.select"(%arg0, %arg1, %0) {} : (tensor<3x4xi1>, tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>)
return %1 : tensor<3x4xf64>
}
}
