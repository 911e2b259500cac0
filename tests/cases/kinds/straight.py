"""Straight code and expressions: order of evaluation decides."""

import ownarray as oa


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


@oa.jit
def join(a: oa.Array, b: oa.Array) -> oa.Array:
    return a + 2.0 * b


def fails_read() -> None:
    x = oa.ones(3)
    eat(oa.move(x))
    oa.sum(x)  # E: use-after-move


def fails_every_use_is_reported() -> None:
    x = oa.ones(3)
    eat(oa.move(x))
    try:
        oa.sum(x)  # E: use-after-move
    except oa.UseAfterMoveError:
        pass
    oa.max(x)  # E: use-after-move


def fails_method_move() -> None:
    x = oa.ones(3)
    eat(x.move())
    x.sum()  # E: use-after-move


def fails_jax_move() -> None:
    x = oa.ones(3)
    eat(oa.jax_move(x))
    x + 1.0  # E: use-after-move


def fails_operator_left_read_before_move() -> None:
    x = oa.ones(3)
    x + eat(oa.move(x))  # E: use-after-move


def ok_operator_right_move_only() -> None:
    x = oa.ones(3)
    y = 1.0 + eat(oa.move(x))
    oa.sum(y)


def fails_argument_before_move() -> None:
    x = oa.ones(3)
    join(x, oa.move(x))  # E: use-after-move


def fails_argument_after_move() -> None:
    x = oa.ones(3)
    join(oa.move(x), x)  # E: use-after-move


def fails_twice_in_one_call() -> None:
    x = oa.ones(3)
    join(oa.move(x), oa.move(x))  # E: use-after-move


def fails_keyword_order() -> None:
    x = oa.ones(3)
    join(b=oa.move(x), a=x)  # E: use-after-move


def fails_comparison() -> None:
    x = oa.ones(1)
    eat(oa.move(x))
    bool(x > 0.5)  # E: use-after-move


def fails_chained_comparison() -> None:
    x = oa.ones(1)
    eat(oa.move(x))
    bool(0.0 < x)  # E: use-after-move


def fails_index() -> None:
    x = oa.ones(3)
    eat(oa.move(x))
    x[0]  # E: use-after-move


def fails_store_into_dead() -> None:
    x = oa.ones(3)
    eat(oa.move(x))
    x[0] = 1.0  # E: use-after-move


def fails_slice_update() -> None:
    x = oa.ones(3)
    eat(oa.move(x))
    x[1:] += 1.0  # E: use-after-move


def fails_used_as_index() -> None:
    x, i = oa.ones(3), oa.asarray([0, 1])
    oa.sum(oa.move(i))
    x[i]  # E: use-after-move


def fails_fstring() -> None:
    x = oa.ones(1)
    eat(oa.move(x))
    f"{float(x[0])}"  # E: use-after-move


def static_print() -> None:
    x = oa.ones(1)
    eat(oa.move(x))
    print(x)  # E: use-after-move


def static_fstring_of_dead() -> None:
    x = oa.ones(1)
    eat(oa.move(x))
    print(f"{x}")  # E: use-after-move


def ok_fstring_repr() -> None:
    x = oa.ones(1)
    eat(oa.move(x))
    print(f"{x!r}", repr(x), type(x), id(x), isinstance(x, oa.Array))


def ok_metadata() -> None:
    x = oa.ones((2, 3))
    eat(oa.move(x))
    print(x.shape, x.dtype, x.ndim, x.size, x.is_moved)
    assert x is not None


def static_len() -> None:
    x = oa.ones(3)
    eat(oa.move(x))
    len(x)  # E: use-after-move


def static_return() -> None:
    def inner() -> oa.Array:
        x = oa.ones(3)
        eat(oa.move(x))
        return x  # E: use-after-move

    inner()


def static_assign_dead() -> None:
    x = oa.ones(3)
    eat(oa.move(x))
    y = x  # E: use-after-move
    print(y is x)


def static_display_of_dead() -> None:
    x = oa.ones(3)
    eat(oa.move(x))
    pair = (x, 1)  # E: use-after-move
    del pair


def ok_del_and_rebind() -> None:
    x = oa.ones(3)
    eat(oa.move(x))
    del x
    x = oa.zeros(2)
    oa.sum(x)


def ok_rebind_in_call() -> None:
    x = oa.ones(3)
    x = eat(oa.move(x))
    x = eat(eat(oa.move(x)))
    oa.sum(x)


def ok_nested_calls() -> None:
    x = oa.ones(3)
    y = join(eat(oa.move(x)), oa.ones(3))
    oa.sum(y)


def ok_move_fresh() -> None:
    eat(oa.move(oa.ones(3)))
    oa.exp(oa.move(oa.ones(3)))


def ok_walrus_in_call() -> None:
    x = oa.ones(3)
    join((x := eat(oa.move(x))), x)


def fails_walrus_holds_old() -> None:
    x = oa.ones(3)
    join(x, (x := eat(oa.move(x))))  # E: use-after-move


def fails_conditional_expression() -> None:
    x, y = oa.ones(3), oa.zeros(3)
    flag = bool(oa.sum(y) == 0.0)
    z = x if flag else y
    eat(oa.move(z))
    oa.sum(x)  # E: use-after-move


def fails_augmented_reads_target_first() -> None:
    x = oa.ones(3)
    x += eat(oa.move(x))  # E: use-after-move


def fails_augmented_item() -> None:
    x = oa.ones(3)
    x[0] += oa.sum(eat(oa.move(x)))  # E: use-after-move


def fails_assert() -> None:
    x = oa.ones(1)
    eat(oa.move(x))
    assert float(x[0]) == 1.0  # E: use-after-move


def fails_subject_of_with() -> None:
    import contextlib

    x = oa.ones(1)
    eat(oa.move(x))
    with contextlib.nullcontext(x) as y:  # E: use-after-move
        oa.sum(y)  # E?: use-after-move


def fails_lambda_reads() -> None:
    x = oa.ones(1)
    f = lambda: oa.sum(x)
    eat(oa.move(x))
    f()  # E: use-after-move


def fails_starred_argument() -> None:
    xs = [oa.ones(3), oa.ones(3)]
    oa.move(xs).take()
    join(*xs)  # E: use-after-move


def fails_library_function_consumes() -> None:
    x = oa.ones(3)
    oa.exp(oa.move(x))
    oa.exp(x)  # E: use-after-move


def fails_other_names() -> None:
    mv = oa.move
    x = oa.ones(3)
    eat(mv(x))
    oa.sum(x)  # E: use-after-move


def fails_imported_under_another_name() -> None:
    from ownarray import move as m

    x = oa.ones(3)
    eat(m(x))
    oa.sum(x)  # E: use-after-move


def fails_reshape_of_dead() -> None:
    x = oa.ones(4)
    eat(oa.move(x))
    x.reshape(2, 2)  # E: use-after-move


def fails_transpose_of_dead() -> None:
    x = oa.ones((2, 2))
    eat(oa.move(x))
    x.T  # E: use-after-move


def fails_unary() -> None:
    x = oa.ones(4)
    eat(oa.move(x))
    -x  # E: use-after-move


def ok_slice_is_new() -> None:
    x = oa.ones(4)
    y = x[1:]
    eat(oa.move(x))
    oa.sum(y)


def ok_library_result_is_new() -> None:
    x = oa.ones(4)
    y = oa.reshape(x, (2, 2))
    z = x.T
    w = oa.asarray(x, dtype=oa.float32)
    eat(oa.move(x))
    oa.sum(y) + oa.sum(z) + oa.sum(w)


def static_asarray_is_the_same_object() -> None:
    x = oa.ones(4)
    y = oa.asarray(x)
    eat(oa.move(x))
    oa.sum(y)  # E: use-after-move
