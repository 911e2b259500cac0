// { lambda a:f64[2,3] b:f64[2,1] .
//     c:f64[2,4] = concatenate[axis=1] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<2x3xf64>, %arg1: tensor<2x1xf64>) -> (tensor<2x4xf64>) {
%0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 1 : i64} : (tensor<2x3xf64>, tensor<2x1xf64>) -> (tensor<2x4xf64>)
return %0 : tensor<2x4xf64>
}
}
