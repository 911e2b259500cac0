"""Writes into temporaries are lost."""

import ownarray as oa


def static_chained_index() -> None:
    x = oa.ones((2, 2))
    x[0][1] = 5.0  # E: lost-write


def static_transpose() -> None:
    x = oa.ones((2, 2))
    x.T[0] = 1.0  # E: lost-write


def static_reshape() -> None:
    x = oa.ones(4)
    x.reshape(2, 2)[0] = 1.0  # E: lost-write


def static_augmented() -> None:
    x = oa.ones((2, 2))
    x[0][1] += 5.0  # E: lost-write


def static_library_result() -> None:
    oa.ones(3)[0] = 1.0  # E: lost-write


def ok_one_index() -> None:
    x = oa.ones((2, 2))
    x[0, 1] = 5.0
    x[0] += 1.0
    x[0, 1] += 5.0
    row = x[0]
    row[1] = 2.0
    xs = [oa.ones(2)]
    xs[0][1] = 2.0
    bag = {"w": oa.ones(2)}
    bag["w"][0] = 1.0
    bag["w"][0] += 1.0
