"""Branches are joined; conditions are not correlated."""

import enum
from typing import Literal, NoReturn

import ownarray as oa


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


def spend(h: oa.Moved[oa.Array]) -> bool:
    h.take()
    return True


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def stop() -> NoReturn:
    raise ValueError


def fails_one_branch(flag: bool = True) -> None:
    x = oa.ones(2)
    if flag:
        eat(oa.move(x))
    oa.sum(x)  # E: use-after-move


def fails_else_branch(flag: bool = False) -> None:
    x = oa.ones(2)
    if flag:
        pass
    else:
        eat(oa.move(x))
    oa.sum(x)  # E: use-after-move


def fails_elif(k: int = 2) -> None:
    x = oa.ones(2)
    if k == 1:
        oa.sum(x)
    elif k == 2:
        eat(oa.move(x))
    else:
        oa.max(x)
    oa.sum(x)  # E: use-after-move


def ok_both_branches_rebind(flag: bool = True) -> None:
    x = oa.ones(2)
    if flag:
        x = eat(oa.move(x))
    else:
        x = oa.exp(oa.move(x))
    oa.sum(x)


def ok_branches_exclusive(flag: bool = True) -> None:
    x = oa.ones(2)
    if flag:
        eat(oa.move(x))
    else:
        oa.sum(x)


def static_same_condition_twice(flag: bool = False) -> None:
    x = oa.ones(2)
    if flag:
        eat(oa.move(x))
    if not flag:
        oa.sum(x)  # E: use-after-move


def fails_or(flag: bool = False) -> None:
    x = oa.ones(2)
    flag or spend(oa.move(x))
    oa.sum(x)  # E: use-after-move


def static_and_short(flag: bool = False) -> None:
    x = oa.ones(2)
    flag and spend(oa.move(x))
    oa.sum(x)  # E: use-after-move


def fails_conditional_expression_moves(flag: bool = True) -> None:
    x = oa.ones(2)
    y = eat(oa.move(x)) if flag else oa.zeros(2)
    oa.sum(y)
    oa.sum(x)  # E: use-after-move


def fails_condition_moves() -> None:
    x = oa.ones(2)
    if spend(oa.move(x)):
        pass
    oa.sum(x)  # E: use-after-move


def fails_use_in_then_after_condition_moves() -> None:
    x = oa.ones(2)
    if spend(oa.move(x)):
        oa.sum(x)  # E: use-after-move


def ok_raise_after_move(flag: bool = False) -> None:
    x = oa.ones(2)
    if flag:
        eat(oa.move(x))
        raise ValueError
    oa.sum(x)


def ok_noreturn_after_move(flag: bool = False) -> None:
    x = oa.ones(2)
    if flag:
        eat(oa.move(x))
        stop()
    oa.sum(x)


def ok_sys_exit_after_move(flag: bool = False) -> None:
    import sys

    x = oa.ones(2)
    if flag:
        eat(oa.move(x))
        sys.exit(1)
    oa.sum(x)


def ok_match_all_arms(k: int = 1) -> None:
    x = oa.ones(2)
    match k:
        case 1:
            x = eat(oa.move(x))
        case 2 | 3:
            x = oa.exp(oa.move(x))
        case _:
            pass
    oa.sum(x)


def fails_match_one_arm(k: int = 1) -> None:
    x = oa.ones(2)
    match k:
        case 1:
            eat(oa.move(x))
        case _:
            pass
    oa.sum(x)  # E: use-after-move


def ok_match_enum_exhaustive(c: Color = Color.RED) -> None:
    x = oa.ones(2)
    eat(oa.move(x))
    match c:
        case Color.RED:
            x = oa.ones(2)
        case Color.BLUE:
            x = oa.zeros(2)
    oa.sum(x)


def ok_match_bool(flag: bool = True) -> None:
    x = oa.ones(2)
    eat(oa.move(x))
    match flag:
        case True:
            x = oa.ones(2)
        case False:
            x = oa.zeros(2)
    oa.sum(x)


def fails_match_guard_moves(k: int = 1) -> None:
    x = oa.ones(2)
    match k:
        case 1 if not spend(oa.move(x)):
            pass
        case _:
            oa.sum(x)  # E: use-after-move


def fails_match_sequence_alias() -> None:
    pair = (oa.ones(1), oa.zeros(1))
    match pair:
        case (a, b):
            eat(oa.move(a))
            oa.sum(b)
    oa.sum(pair[1])
    oa.sum(pair[0])  # E: use-after-move


def fails_match_mapping_alias() -> None:
    bag = {"w": oa.ones(1), "b": oa.zeros(1)}
    match bag:
        case {"w": w}:
            eat(oa.move(w))
    oa.sum(bag["w"])  # E: use-after-move


def fails_match_as() -> None:
    x = oa.ones(1)
    match x:
        case _ as y:
            eat(oa.move(y))
    oa.sum(x)  # E: use-after-move


def fails_nested_branches(a: bool = True, b: bool = True) -> None:
    x = oa.ones(2)
    if a:
        if b:
            eat(oa.move(x))
        else:
            oa.sum(x)
    oa.sum(x)  # E: use-after-move


def ok_early_continue_in_ladder(flag: bool = True) -> None:
    for _ in range(2):
        x = oa.ones(2)
        if flag:
            eat(oa.move(x))
            continue
        oa.sum(x)


def ok_assert_false(flag: bool = True) -> None:
    x = oa.ones(2)
    if flag:
        x = eat(oa.move(x))
    else:
        eat(oa.move(x))
        assert False
    oa.sum(x)


def ok_dead_code() -> None:
    x = oa.ones(2)
    eat(oa.move(x))
    return
    oa.sum(x)


def ok_type_checking() -> None:
    from typing import TYPE_CHECKING

    x = oa.ones(2)
    if TYPE_CHECKING:
        eat(oa.move(x))
    oa.sum(x)


def ok_while_true_else(mode: Literal["a", "b"] = "a") -> None:
    x = oa.ones(2)
    if mode == "a":
        y = eat(oa.move(x))
    else:
        y = oa.copy(x)
    oa.sum(y)


def fails_ternary_alias(flag: bool = True) -> None:
    a, b = oa.ones(2), oa.zeros(2)
    x = a if flag else b
    x = eat(oa.move(x))
    oa.sum(x)
    oa.add(a, b)  # E: use-after-move


def static_ternary_other(flag: bool = True) -> None:
    a, b = oa.ones(2), oa.zeros(2)
    x = a if flag else b
    eat(oa.move(x))
    oa.sum(b)  # E: use-after-move


def fails_or_alias() -> None:
    a: oa.Array | None = oa.ones(2)
    b = oa.zeros(2)
    x = b if a is None else a
    eat(oa.move(x))
    assert a is not None
    oa.sum(a)  # E: use-after-move


def fails_loop_else_of_if(flag: bool = True) -> None:
    x = oa.ones(2)
    if flag:
        h = oa.move(x)
    else:
        h = oa.move(oa.ones(1))
    eat(h)
    oa.sum(x)  # E: use-after-move
