"""Exceptions leave from every call, before a following binding; a consuming call spends last."""

import contextlib
from collections.abc import Iterator

import ownarray as oa


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


def risky(n: int = 1) -> int:
    if n:
        raise ValueError
    return n


class Quiet:
    def __enter__(self) -> "Quiet":
        return self

    def __exit__(self, *info: object) -> bool:
        return True


class Loud:
    def __enter__(self) -> "Loud":
        return self

    def __exit__(self, *info: object) -> None:
        return None


@contextlib.contextmanager
def manager() -> Iterator[None]:
    yield


def fails_handler_uses() -> None:
    x = oa.ones(2)
    try:
        eat(oa.move(x))
        risky()
    except ValueError:
        oa.sum(x)  # E: use-after-move


def ok_handler_rebinds() -> None:
    x = oa.ones(2)
    try:
        eat(oa.move(x))
        risky()
    except ValueError:
        x = oa.zeros(2)
    else:
        x = oa.ones(2)
    oa.sum(x)


def fails_after_handler() -> None:
    x = oa.ones(2)
    try:
        eat(oa.move(x))
        risky()
        x = oa.ones(2)
    except ValueError:
        pass
    oa.sum(x)  # E: use-after-move


def ok_move_after_risk() -> None:
    x = oa.ones(2)
    try:
        risky()
        y = eat(oa.move(x))
    except ValueError:
        y = oa.copy(x)  # E?: use-after-move
    oa.sum(y)


def fails_finally_uses() -> None:
    x = oa.ones(2)
    try:
        eat(oa.move(x))
    finally:
        oa.sum(x)  # E: use-after-move


def ok_finally_rebinds() -> None:
    x = oa.ones(2)
    try:
        eat(oa.move(x))
    finally:
        x = oa.zeros(2)
    oa.sum(x)


def fails_finally_moves() -> None:
    x = oa.ones(2)
    try:
        oa.sum(x)
    finally:
        eat(oa.move(x))
    oa.sum(x)  # E: use-after-move


def fails_return_through_finally() -> None:
    def inner() -> oa.Array:
        x = oa.ones(2)
        try:
            return eat(oa.move(x))
        finally:
            oa.sum(x)  # E: use-after-move

    inner()


def fails_else_of_try() -> None:
    x = oa.ones(2)
    try:
        risky(0)
    except ValueError:
        pass
    else:
        eat(oa.move(x))
    oa.sum(x)  # E: use-after-move


def ok_handler_returns() -> None:
    x = oa.ones(2)
    try:
        x = eat(oa.move(x))
    except ValueError:
        return
    oa.sum(x)


def ok_handler_raises() -> None:
    x = oa.ones(2)
    try:
        x = eat(oa.move(x))
        risky(0)
    except ValueError as error:
        raise RuntimeError from error
    oa.sum(x)


def ok_handle_taken_back() -> None:
    h = oa.move(oa.ones(2))
    try:
        y = eat(h)
    except ValueError:
        y = h.take()
    oa.sum(y)


def fails_suppress() -> None:
    x = oa.ones(2)
    with contextlib.suppress(ValueError):
        eat(oa.move(x))
        risky()
        x = oa.ones(2)
    oa.sum(x)  # E: use-after-move


def ok_with_that_does_not_swallow() -> None:
    x = oa.ones(2)
    with Loud():
        x = eat(oa.move(x))
        risky(0)
    oa.sum(x)


def fails_own_manager_that_swallows() -> None:
    x = oa.ones(2)
    with Quiet():
        eat(oa.move(x))
        risky()
        x = oa.ones(2)
    oa.sum(x)  # E: use-after-move


def ok_contextmanager_function() -> None:
    x = oa.ones(2)
    with manager():
        x = eat(oa.move(x))
        risky(0)
    oa.sum(x)


def fails_with_body_moves() -> None:
    x = oa.ones(2)
    with Loud():
        eat(oa.move(x))
    oa.sum(x)  # E: use-after-move


def fails_nested_try() -> None:
    x = oa.ones(2)
    try:
        try:
            eat(oa.move(x))
            risky()
        except KeyError:
            x = oa.ones(2)
    except ValueError:
        oa.sum(x)  # E: use-after-move


def ok_nested_inner_catches() -> None:
    x = oa.ones(2)
    try:
        eat(oa.move(x))
        risky()
    except ValueError:
        x = oa.ones(2)
    except KeyError:
        x = oa.zeros(2)
    oa.sum(x)  # E?: use-after-move


def fails_break_through_finally() -> None:
    x = oa.ones(2)
    for _ in range(2):
        try:
            break
        finally:
            eat(oa.move(x))
    oa.sum(x)  # E: use-after-move


def ok_retry_loop() -> None:
    x = oa.ones(2)
    while True:
        try:
            risky(0)
        except ValueError:
            continue
        x = eat(oa.move(x))
        break
    oa.sum(x)


def fails_retry_with_dead_state() -> None:
    x = oa.ones(2)
    for n in (1, 0):
        try:
            y = eat(oa.move(x))  # E: use-after-move
            risky(n)
            break
        except ValueError:
            continue
    print(y)


def ok_exception_group() -> None:
    x = oa.ones(2)
    try:
        x = eat(oa.move(x))
    except* ValueError:
        x = oa.zeros(2)
    oa.sum(x)


def fails_raise_from_uses_dead() -> None:
    x = oa.ones(2)
    eat(oa.move(x))
    try:
        raise ValueError(float(oa.sum(x)))  # E: use-after-move
    except ValueError:
        pass


def ok_saved_copy() -> None:
    x = oa.ones(2)
    backup = oa.copy(x)
    try:
        x = eat(oa.move(x))
        risky()
    except ValueError:
        x = backup
    oa.sum(x)


def ok_reclaim_after_failed_next() -> None:
    x = oa.ones(2)
    it: Iterator[float] = iter(())
    try:
        x = oa.add(oa.move(x), next(it))
    except StopIteration:
        x = oa.reclaim(x)
    oa.sum(x)
