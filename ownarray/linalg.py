"""Linear algebra on stacks of matrices: the last two axes are rows and columns.

What LAPACK refuses (a singular matrix, one that is not positive definite) is a `LinAlgError` where
values are known; inside traces the results are not finite then.
"""

from numpy.linalg import LinAlgError

from ownarray._namespace.factorizations import (
    cholesky,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    qr,
    svd,
    svdvals,
)
from ownarray._namespace.linear_algebra import (
    cross,
    matmul,
    matrix_transpose,
    outer,
    tensordot,
    vecdot,
)
from ownarray._namespace.matrices import diagonal, multi_dot, trace
from ownarray._namespace.norms import (
    cond,
    matrix_norm,
    matrix_power,
    matrix_rank,
    norm,
    vector_norm,
)
from ownarray._namespace.systems import (
    det,
    inv,
    lstsq,
    pinv,
    slogdet,
    solve,
    solve_triangular,
    tensorinv,
    tensorsolve,
)
from ownarray._ops.linalg import EighResult, EigResult, QRResult, SlogdetResult, SVDResult

__all__ = [
    "EigResult",
    "EighResult",
    "LinAlgError",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_triangular",
    "svd",
    "svdvals",
    "tensordot",
    "tensorinv",
    "tensorsolve",
    "trace",
    "vecdot",
    "vector_norm",
]
