"""Adding 1,000 rows into a table of 256 MB at given places."""

from typing import Any

from benchmarks import single
from benchmarks.case import Topic

N_ROWS, WIDTH = 1000, 64


def _start(quick: bool) -> Any:
    import numpy as np

    return np.full((1 << 12 if quick else 1 << 20, WIDTH), 0.0, np.float32)


def _places(n_rows: int) -> Any:
    import numpy as np

    return (np.arange(N_ROWS) * 977) % n_rows


def _ownarray(oa: Any, table: Any) -> Any:
    table[_places(table.shape[0])] += 1.0
    return table


def _ownarray_lent(oa: Any, table: Any) -> Any:
    return _ownarray(oa, oa.copy(table))


def _jax(jnp: Any, table: Any) -> Any:
    return table.at[_places(table.shape[0])].add(1.0)


def _numpy_in_place(table: Any) -> Any:
    table[_places(table.shape[0])] += 1.0
    return table


def _numpy_copy(table: Any) -> Any:
    return _numpy_in_place(table.copy())


def _torch(torch: Any, table: Any) -> Any:
    places = torch.from_numpy(_places(table.shape[0]))
    table.index_add_(0, places, torch.ones(N_ROWS, WIDTH))
    return table


TOPICS = (
    Topic(
        name="scatter",
        title=f"Adding {N_ROWS} rows of {WIDTH} into a table of 256 MB",
        variants=single.six(
            _start,
            _ownarray,
            lent=_ownarray_lent,
            numpy_in_place=_numpy_in_place,
            numpy_copy=_numpy_copy,
            jax_function=_jax,
        )
        | {"torch in place": single.torch(_start, _torch)},
    ),
)
