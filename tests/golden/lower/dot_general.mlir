// { lambda a:f64[3,4] b:f64[4,2] .
//     c:f64[3,2] = dot_general[contract=((1,), (0,)) batch=((), ()) dtype=float64] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3x4xf64>, %arg1: tensor<4x2xf64>) -> (tensor<3x2xf64>) {
%0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4xf64>, tensor<4x2xf64>) -> (tensor<3x2xf64>)
return %0 : tensor<3x2xf64>
}
}

// { lambda a:f64[4,2,3,5] b:f64[5,3,6,4] .
//     c:f64[4,2,6] = dot_general[contract=((2, 3), (1, 0)) batch=((0,), (3,)) dtype=float64] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<4x2x3x5xf64>, %arg1: tensor<5x3x6x4xf64>) -> (tensor<4x2x6xf64>) {
%0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [3], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 0]>} : (tensor<4x2x3x5xf64>, tensor<5x3x6x4xf64>) -> (tensor<4x2x6xf64>)
return %0 : tensor<4x2x6xf64>
}
}

// { lambda a:c128[3] b:c128[2] .
//     c:c128[3,2] = dot_general[contract=((), ()) batch=((), ()) dtype=complex128] a b
//   in (c) }
module @ownarray {
func.func public @main(%arg0: tensor<3xcomplex<f64>>, %arg1: tensor<2xcomplex<f64>>) -> (tensor<3x2xcomplex<f64>>) {
%0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [], rhs_contracting_dimensions = []>} : (tensor<3xcomplex<f64>>, tensor<2xcomplex<f64>>) -> (tensor<3x2xcomplex<f64>>)
return %0 : tensor<3x2xcomplex<f64>>
}
}
