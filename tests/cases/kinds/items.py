"""Items of containers: one object at several places, positions, copies."""

import copy
import itertools
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import ownarray as oa
import ownarray as other
from ownarray import move as m

mv = oa.move
T = TypeVar("T")


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


@oa.jit
def join(a: oa.Array, b: oa.Array) -> oa.Array:
    return a + b


@oa.jit
def bump(v: oa.Mut[oa.Array]) -> None:
    v += 1.0


def use(x: oa.Array) -> float:
    return float(x[0])


def ones() -> oa.Array:
    return oa.ones(2)


@dataclass
class P:
    w: oa.Array
    b: oa.Array


class N(NamedTuple):
    w: oa.Array
    b: oa.Array


def fails_list_twice_same() -> None:
    a = ones()
    xs = [a, a]
    for x in xs:
        eat(oa.move(x))  # E: use-after-move


def fails_append_twice() -> None:
    a = ones()
    xs: list[oa.Array] = []
    xs.append(a)
    xs.append(a)
    for x in xs:
        eat(oa.move(x))  # E: use-after-move


def fails_append_then_index() -> None:
    a = ones()
    xs = [a]
    xs.append(a)
    eat(oa.move(xs[0]))
    use(xs[1])  # E: use-after-move


def fails_times() -> None:
    xs = [ones()] * 2
    for x in xs:
        eat(oa.move(x))  # E: use-after-move


def fails_times_index() -> None:
    xs = [ones()] * 2
    eat(oa.move(xs[0]))
    use(xs[1])  # E: use-after-move


def fails_comp_same() -> None:
    a = ones()
    xs = [a for _ in range(2)]
    for x in xs:
        eat(oa.move(x))  # E: use-after-move


def ok_comp_fresh() -> None:
    xs = [ones() for _ in range(2)]
    for x in xs:
        eat(oa.move(x))


def ok_append_loop_copy() -> None:
    xs = [ones(), ones()]
    ys: list[oa.Array] = []
    for x in xs:
        ys.append(x)
    for y in ys:
        eat(oa.move(y))


def fails_append_loop_same() -> None:
    a = ones()
    ys: list[oa.Array] = []
    for _ in range(2):
        ys.append(a)
    for y in ys:
        eat(oa.move(y))  # E: use-after-move


def ok_append_loop_index() -> None:
    xs = [ones(), ones()]
    ys: list[oa.Array] = []
    for i in range(2):
        ys.append(xs[i])
    for y in ys:
        eat(oa.move(y))


def fails_concat_self() -> None:
    xs = [ones()]
    ys = xs + xs
    for y in ys:
        eat(oa.move(y))  # E: use-after-move


def ok_concat_two() -> None:
    xs = [ones()]
    zs = [ones()]
    ys = xs + zs
    for y in ys:
        eat(oa.move(y))


def fails_extend_self() -> None:
    xs = [ones()]
    xs.extend(xs[:])
    for y in xs:
        eat(oa.move(y))  # E: use-after-move


def fails_star_self() -> None:
    xs = [ones()]
    ys = [*xs, *xs]
    for y in ys:
        eat(oa.move(y))  # E: use-after-move


def fails_dict_two_keys() -> None:
    a = ones()
    d = {"a": a, "b": a}
    for v in d.values():
        eat(oa.move(v))  # E: use-after-move


def fails_dict_two_keys_set() -> None:
    a = ones()
    d: dict[str, oa.Array] = {}
    d["a"] = a
    d["b"] = a
    eat(oa.move(d["a"]))
    use(d["b"])  # E: use-after-move


def fails_fromkeys() -> None:
    d = dict.fromkeys(["a", "b"], ones())
    eat(oa.move(d["a"]))
    use(d["b"])  # E: use-after-move


def fails_repeat() -> None:
    for x in itertools.repeat(ones(), 2):
        eat(oa.move(x))  # E: use-after-move


def fails_zip_same() -> None:
    xs = [ones()]
    for a, b in zip(xs, xs):
        eat(oa.move(a))
        use(b)  # E: use-after-move


def fails_zip_shift_second() -> None:
    xs = [ones(), ones(), ones()]
    for a, b in zip(xs, xs[1:]):
        use(a)  # E: use-after-move
        eat(oa.move(b))


def fails_each_then_index() -> None:
    xs = [ones(), ones()]
    for x in xs:
        eat(oa.move(x))
    use(xs[0])  # E: use-after-move


def ok_each_then_rebind() -> None:
    xs = [ones(), ones()]
    for x in xs:
        eat(oa.move(x))
    xs = [ones()]
    use(xs[0])


def ok_each_then_clear() -> None:
    xs = [ones(), ones()]
    for x in xs:
        eat(oa.move(x))
    xs.clear()
    xs.append(ones())
    use(xs[0])


def ok_while_pop() -> None:
    xs = [ones(), ones()]
    while xs:
        eat(oa.move(xs.pop()))
    xs.append(ones())
    use(xs[0])


def fails_cond_expr_two() -> None:
    a, b = ones(), ones()
    c = a if float(a[0]) > 0 else b
    eat(oa.move(c))
    use(a)  # E: use-after-move


def fails_walrus_alias() -> None:
    a = ones()
    if (b := a) is not None:
        eat(oa.move(b))
    use(a)  # E: use-after-move


def ok_walrus_while() -> None:
    xs = [ones()]
    while (x := xs.pop() if xs else None) is not None:
        eat(oa.move(x))


def fails_named_move() -> None:
    a = ones()
    eat(m(a))
    use(a)  # E: use-after-move


def fails_named_move2() -> None:
    a = ones()
    eat(mv(a))
    use(a)  # E: use-after-move


def fails_local_name_move() -> None:
    mm = oa.move
    a = ones()
    eat(mm(a))
    use(a)  # E: use-after-move


def fails_other_module_name() -> None:
    a = ones()
    eat(other.move(a))
    use(a)  # E: use-after-move


def ok_setattr() -> None:
    p = P(ones(), ones())
    eat(oa.move(p.w))
    p.w = ones()
    use(p.w)


def ok_for_else() -> None:
    a = ones()
    for i in range(2):
        if i == 5:
            eat(oa.move(a))
            break
    else:
        use(a)


def fails_while_else_dead() -> None:
    a = ones()
    i = 0
    while i < 2:
        i += 1
        if i == 2:
            eat(oa.move(a))
            break
    else:
        a = ones()
    use(a)  # E: use-after-move


def fails_try_return_finally() -> None:
    def f() -> float:
        a = ones()
        try:
            eat(oa.move(a))
            return 1.0
        finally:
            use(a)  # E: use-after-move

    f()


def ok_del_in_except() -> None:
    a = ones()
    try:
        eat(oa.move(a))
        raise ValueError
    except ValueError:
        a = ones()
    use(a)


def fails_match_class_kw() -> None:
    p = P(ones(), ones())
    match p:
        case P(w=w):
            eat(oa.move(w))
    use(p.w)  # E: use-after-move


def ok_match_class_pos() -> None:
    p = P(ones(), ones())
    match p:
        case P(w, b):
            eat(oa.move(w))
            use(b)
            use(p.b)


def fails_match_star() -> None:
    xs = [ones(), ones(), ones()]
    match xs:
        case [first, *rest]:
            eat(oa.move(rest[0]))
    use(xs[1])  # E: use-after-move


def fails_match_rest() -> None:
    d = {"a": ones(), "b": ones()}
    match d:
        case {"a": a, **rest}:
            eat(oa.move(rest["b"]))
    use(d["b"])  # E: use-after-move


def fails_match_or() -> None:
    d = (ones(), 1)
    match d:
        case (x, 1) | (x, 2):
            eat(oa.move(x))
            use(x)  # E: use-after-move


def fails_match_as_seq() -> None:
    t = (ones(), ones())
    match t:
        case (a, b) as whole:
            eat(oa.move(a))
            use(whole[0])  # E: use-after-move


def fails_augmented_list() -> None:
    a = ones()
    xs = [ones()]
    xs += [a]
    eat(oa.move(xs[1]))
    use(a)  # E: use-after-move


def fails_augmented_alias_inplace() -> None:
    a = ones()
    b = a
    b += 1.0
    eat(oa.move(b))
    use(a)  # E: use-after-move


def ok_binary_not_alias() -> None:
    a = ones()
    b = a + 1.0
    eat(oa.move(b))
    use(a)


def ok_tuple_swap() -> None:
    a, b = ones(), ones()
    a, b = b, a
    eat(oa.move(a))
    use(b)


def ok_swap_part() -> None:
    xs = [ones(), ones()]
    xs[0], xs[1] = xs[1], xs[0]
    eat(oa.move(xs[0]))
    use(xs[1])


def fails_swap_part_name() -> None:
    xs = [ones(), ones()]
    a = xs[0]
    xs[0], xs[1] = xs[1], xs[0]
    eat(oa.move(xs[1]))
    use(a)  # E: use-after-move


def fails_chained_assign() -> None:
    a = b = ones()
    eat(oa.move(a))
    use(b)  # E: use-after-move


def ok_chained_assign_rebind() -> None:
    a = b = ones()
    a = ones()
    eat(oa.move(a))
    use(b)


def fails_global_in_list() -> None:
    a = ones()
    holder: dict[str, list[oa.Array]] = {"x": []}
    holder["x"].append(a)
    eat(oa.move(holder["x"][0]))
    use(a)  # E: use-after-move


def fails_nested_append() -> None:
    a = ones()
    xs: list[list[oa.Array]] = [[]]
    for row in xs:
        row.append(a)
    eat(oa.move(xs[0][0]))
    use(a)  # E: use-after-move


def fails_default_arg() -> None:
    a = ones()

    def f(x: oa.Array = a) -> float:
        return use(x)

    eat(oa.move(a))
    f()  # E: use-after-move


def ok_default_arg_given() -> None:
    a = ones()

    def f(x: oa.Array = a) -> float:
        return use(x)

    f(ones())


def fails_copy_copy() -> None:
    p = P(ones(), ones())
    q = copy.copy(p)
    eat(oa.move(p.w))
    use(q.w)  # E: use-after-move


def ok_deepcopy() -> None:
    p = P(ones(), ones())
    q = copy.deepcopy(p)
    eat(oa.move(p.w))
    use(q.w)


def fails_asdict() -> None:
    p = P(ones(), ones())
    d = vars(p)
    eat(oa.move(d["w"]))
    use(p.w)  # E: use-after-move


def fails_ntuple_star() -> None:
    n = N(ones(), ones())
    w, b = n
    eat(oa.move(w))
    use(n.w)  # E: use-after-move


def fails_star_call() -> None:
    def f(x: oa.Array, y: oa.Array) -> oa.Array:
        return x

    t = (ones(), ones())
    r = f(*t)
    eat(oa.move(r))
    use(t[0])  # E: use-after-move


def fails_kwargs_call() -> None:
    def f(**kw: oa.Array) -> oa.Array:
        return kw["x"]

    a = ones()
    r = f(x=a)
    eat(oa.move(r))
    use(a)  # E: use-after-move


def fails_args_func() -> None:
    def f(*args: oa.Array) -> oa.Array:
        return args[0]

    a = ones()
    r = f(a)
    eat(oa.move(r))
    use(a)  # E: use-after-move
