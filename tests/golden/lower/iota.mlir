// { lambda  .
//     a:i64[2,3] = iota[shape=(2, 3) axis=1 dtype=int64] 
//   in (a) }
module @ownarray {
func.func public @main() -> (tensor<2x3xi64>) {
%0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> (tensor<2x3xi64>)
return %0 : tensor<2x3xi64>
}
}
