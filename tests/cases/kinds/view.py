"""Zero-copy views of the outside world forbid moves and updates while they live."""

import numpy as np

import ownarray as oa


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


@oa.jit
def bump(v: oa.Mut[oa.Array]) -> None:
    v += 1.0


def fails_move_under_view() -> None:
    x = oa.ones(3)
    v = np.asarray(x)
    eat(oa.move(x))  # E: moved-while-borrowed
    print(v)


def fails_update_under_view() -> None:
    x = oa.ones(3)
    v = np.asarray(x)
    x += 1.0  # E: mutate-borrowed
    print(v)


def fails_store_under_view() -> None:
    x = oa.ones(3)
    v = np.asarray(x)
    x[0] = 1.0  # E: mutate-borrowed
    print(v)


def fails_mut_under_view() -> None:
    x = oa.ones(3)
    v = np.asarray(x)
    bump(x)  # E: mutate-borrowed
    print(v)


def fails_other_name_moved() -> None:
    x = oa.ones(3)
    y = x
    v = np.asarray(x)
    eat(oa.move(y))  # E: moved-while-borrowed
    print(v)


def fails_other_name_of_view() -> None:
    x = oa.ones(3)
    v = np.asarray(x)
    w = v
    del v
    eat(oa.move(x))  # E: moved-while-borrowed
    print(w)


def ok_view_deleted() -> None:
    x = oa.ones(3)
    v = np.asarray(x)
    print(v)
    del v
    eat(oa.move(x))


def ok_view_rebound() -> None:
    x = oa.ones(3)
    v = np.asarray(x)
    v = np.zeros(3)
    eat(oa.move(x))
    print(v)


def ok_temporary_view() -> None:
    x = oa.ones(3)
    print(np.asarray(x).sum())
    total = float(np.asarray(x).sum())
    eat(oa.move(x))
    print(total)


def ok_numpy_copy() -> None:
    x = oa.ones(3)
    v = np.array(x)
    w = np.asarray(x).copy()
    u = np.asarray(x) + 1.0
    eat(oa.move(x))
    print(v, w, u)


def ok_view_reads() -> None:
    x = oa.ones(3)
    v = np.asarray(x)
    oa.sum(x)
    y = x + 1.0
    eat(oa.move(y))
    print(v)


def ok_name_rebound_under_view() -> None:
    x = oa.ones(3)
    v = np.asarray(x)
    x = oa.zeros(3)
    eat(oa.move(x))
    print(v)


def fails_slice_of_view() -> None:
    x = oa.ones(3)
    part = np.asarray(x)[1:]
    eat(oa.move(x))  # E: moved-while-borrowed
    print(part)


def fails_reshaped_view() -> None:
    x = oa.ones(4)
    part = np.asarray(x).reshape(2, 2)
    eat(oa.move(x))  # E: moved-while-borrowed
    print(part)


def fails_transposed_view() -> None:
    x = oa.ones((2, 2))
    part = np.asarray(x).T
    eat(oa.move(x))  # E: moved-while-borrowed
    print(part)


def fails_memoryview() -> None:
    x = oa.ones(3)
    v = memoryview(x)
    eat(oa.move(x))  # E: moved-while-borrowed
    print(v)


def ok_memoryview_released() -> None:
    x = oa.ones(3)
    v = memoryview(x)
    v.release()
    eat(oa.move(x))


def ok_memoryview_with() -> None:
    x = oa.ones(3)
    with memoryview(x) as v:
        print(v.nbytes)
    eat(oa.move(x))


def fails_memoryview_with_inside() -> None:
    x = oa.ones(3)
    with memoryview(x) as v:
        eat(oa.move(x))  # E: moved-while-borrowed
        print(v.nbytes)


def fails_dlpack() -> None:
    x = oa.ones(3)
    v = np.from_dlpack(x)
    eat(oa.move(x))  # E: moved-while-borrowed
    print(v)


def fails_view_in_list() -> None:
    x = oa.ones(3)
    vs = [np.asarray(x)]
    eat(oa.move(x))  # E: moved-while-borrowed
    print(vs)


def fails_view_appended() -> None:
    x = oa.ones(3)
    vs = []
    vs.append(np.asarray(x))
    eat(oa.move(x))  # E: moved-while-borrowed
    print(vs)


def fails_view_in_dict() -> None:
    x = oa.ones(3)
    vs = {"a": np.asarray(x)}
    eat(oa.move(x))  # E: moved-while-borrowed
    print(vs)


def fails_view_on_one_path(flag: bool = True) -> None:
    x = oa.ones(3)
    v = np.zeros(3)
    if flag:
        v = np.asarray(x)
    eat(oa.move(x))  # E: moved-while-borrowed
    print(v)


def fails_move_tree_with_view() -> None:
    x = oa.ones(3)
    tree = {"x": x}
    v = np.asarray(x)
    oa.move(tree)  # E: moved-while-borrowed
    print(v)


def fails_view_of_part() -> None:
    tree = {"x": oa.ones(3), "y": oa.ones(3)}
    v = np.asarray(tree["x"])
    oa.move(tree)  # E: moved-while-borrowed
    print(v)


def ok_view_of_other_part() -> None:
    tree = {"x": oa.ones(3), "y": oa.ones(3)}
    v = np.asarray(tree["x"])
    eat(oa.move(tree["y"]))
    print(v)


def ok_view_in_helper() -> None:
    def show(a: oa.Array) -> float:
        v = np.asarray(a)
        return float(v.sum())

    x = oa.ones(3)
    show(x)
    eat(oa.move(x))


def fails_view_returned_by_helper() -> None:
    def view(a: oa.Array) -> np.ndarray:
        return np.asarray(a)

    x = oa.ones(3)
    v = view(x)
    eat(oa.move(x))  # E?: moved-while-borrowed
    print(v)


def fails_view_of_dead() -> None:
    x = oa.ones(3)
    eat(oa.move(x))
    np.asarray(x)  # E: use-after-move


def fails_view_in_call_with_move() -> None:
    x = oa.ones(3)
    oa.add(np.asarray(x), oa.move(x))  # E: moved-while-borrowed


def ok_numpy_array_of_numpy() -> None:
    a = np.zeros(3)
    v = np.asarray(a)
    a += 1.0
    a[0] = 2.0
    print(v)


def ok_view_in_loop_deleted() -> None:
    x = oa.ones(3)
    for _ in range(2):
        v = np.asarray(x)
        print(v)
        del v
        x = eat(oa.move(x))


def ok_view_of_result() -> None:
    x = oa.ones(3)
    y = eat(oa.move(x))
    v = np.asarray(y)
    x = oa.ones(2)
    eat(oa.move(x))
    print(v)


def fails_walrus_view() -> None:
    x = oa.ones(3)
    if (v := np.asarray(x)).size:
        eat(oa.move(x))  # E: moved-while-borrowed
    print(v)


def fails_view_by_iterator() -> None:
    x = oa.ones(3)
    v = np.asarray(x)
    y = next(iter([x]))
    eat(oa.move(y))  # E: moved-while-borrowed
    print(v)


def fails_update_by_iterator() -> None:
    x = oa.ones(3)
    v = np.asarray(x)
    y = next(iter([x]))
    y += 1.0  # E: mutate-borrowed
    print(v)


def fails_move_by_choice() -> None:
    x = oa.ones(3)
    v = np.asarray(x)
    _, y = {"x": x}.popitem()
    eat(oa.move(y))  # E: moved-while-borrowed
    print(v)


def ok_view_of_another_item() -> None:
    xs = [oa.ones(3), oa.zeros(3)]
    for x in xs:
        v = np.asarray(x)
        print(v)
        del v
        eat(oa.move(x))


def ok_view_of_a_former_value() -> None:
    x, y = oa.ones(3), oa.zeros(3)
    z = next(iter([x, y]))
    x, y = oa.ones(3), oa.ones(3)
    v = np.asarray(x)
    eat(oa.move(z))
    print(v)


def fails_view_of_an_item_in_a_loop() -> None:
    x = oa.ones(3)
    xs = [x, oa.zeros(3)]
    v = np.asarray(x)
    x = oa.zeros(3)
    for i in range(len(xs)):
        eat(oa.move(xs[i]))  # E: moved-while-borrowed
    print(v)


def ok_view_of_each_item_after_its_move() -> None:
    xs = [oa.ones(3), oa.zeros(3)]
    for i in range(len(xs)):
        xs[i] = eat(oa.move(xs[i]))
        v = np.asarray(xs[i])
        print(v)
