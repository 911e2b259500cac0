"""Threads that want the same array: one wins, the others are told, and values are never torn."""

from __future__ import annotations

import contextlib
import sys
import threading
import warnings
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa
from tests.robustness.state import check_nothing_left, in_xla

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

N_THREADS = 4


@oa.jit
def double(x: oa.Array) -> oa.Array:
    return x * 2.0


consume: Any = double


@oa.jit
def add(x: oa.Array, y: oa.Array) -> oa.Array:
    return x + y


@oa.jit
def bump(x: oa.Mut[oa.Array]) -> None:
    x += 1.0


@pytest.fixture(autouse=True)
def _often_switched() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        yield
    sys.setswitchinterval(before)
    check_nothing_left()


def race(actions: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run actions in threads that start together; return results, or the ownership errors."""
    barrier = threading.Barrier(len(actions))
    found: list[Any] = [None] * len(actions)

    def run(number: int) -> None:
        barrier.wait()
        try:
            found[number] = actions[number]()
        except BaseException as error:
            found[number] = error

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(actions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def slugs(found: list[Any]) -> Counter[str]:
    """Count the outcomes; anything but a result or an ownership error is raised."""
    for each in found:
        if isinstance(each, BaseException) and not isinstance(each, oa.OwnershipError):
            raise each
    return Counter(e.slug if isinstance(e, oa.OwnershipError) else "ok" for e in found)


@pytest.mark.slow
@pytest.mark.parametrize("n", [4, 1 << 13])
def test_one_of_several_moves_of_one_array_wins(n: int) -> None:
    for _ in range(50):
        x = oa.ones(n)
        found = race([partial(oa.move, x)] * N_THREADS)
        assert slugs(found) == {"ok": 1, "use-after-move": N_THREADS - 1}
        winner = next(h for h in found if isinstance(h, oa.Moved))
        assert float(winner.take()[0]) == 1.0


@pytest.mark.slow
def test_one_of_several_moves_of_overlapping_trees_wins() -> None:
    for _ in range(50):
        a, b, c = oa.ones(3), oa.ones(3), oa.ones(3)
        trees = [[a, b], [b, c], [c, a], [a, b, c]]
        found = race([partial(oa.move, t) for t in trees])
        assert slugs(found) == {"ok": 1, "use-after-move": 3}
        number = next(i for i, h in enumerate(found) if isinstance(h, oa.Moved))
        inside = {id(x) for x in trees[number]}
        for x in (a, b, c):
            assert x.is_moved is (id(x) in inside)
        found[number].take()


@pytest.mark.slow
@pytest.mark.parametrize(
    "spend",
    [lambda h: h.take(), double, oa.exp, lambda h: oa.fixed_point(lambda x: x * 1.0, 1, h)],
    ids=["take", "compiled", "eager", "loop"],
)
def test_one_of_several_spendings_of_one_handle_wins(spend: Any) -> None:
    spend(oa.move(oa.ones(4)))
    for _ in range(25):
        h = oa.move(oa.ones(4))
        found = race([partial(spend, h)] * N_THREADS)
        assert slugs(found) == {"ok": 1, "use-after-move": N_THREADS - 1}


@pytest.mark.slow
def test_a_handle_and_a_reclaim_race_for_the_memory() -> None:
    for _ in range(50):
        x = oa.ones(4)
        h = oa.move(x)
        found = race([h.take, partial(oa.reclaim, x), partial(consume, h)])
        assert slugs(found) == {"ok": 1, "use-after-move": 2}


@pytest.mark.slow
@pytest.mark.parametrize("n", [4, 1 << 13])
def test_lending_and_moving_race(n: int) -> None:
    """Each reader sees the whole array or is told; the memory is overwritten after readers only."""
    double(oa.ones(n))
    for _ in range(40):
        x = in_xla(oa.ones(n))

        def reuse(x: oa.Array = x) -> None:
            y = oa.move(x).take()
            y *= 0.0
            bump(y)

        found = race([*[partial(double, x)] * 3, reuse])
        counted = slugs(found)
        assert counted["ok"] + counted["use-after-move"] + counted["moved-while-borrowed"] == 4
        for result in found[:3]:
            if isinstance(result, oa.Array):
                assert np.all(np.asarray(result) == 2.0)


READERS: list[Any] = [
    double,
    lambda x: x * 2.0,
    oa.copy,
    np.array,
    lambda x: oa.concatenate([x, x]),
]


@pytest.mark.slow
@pytest.mark.parametrize("read", READERS, ids=["compiled", "computed", "copied", "NumPy", "joined"])
def test_reading_and_giving_away_race(read: Callable[[oa.Array], Any]) -> None:
    """Who reads an array while it is given away sees all of it, or is told."""
    n = 1 << 17
    box = [oa.ones(n)]
    double(oa.move(double(box[0])))
    is_over = threading.Event()
    wrong: list[object] = []

    def look() -> None:
        while not is_over.is_set():
            try:
                values = np.asarray(read(box[0]))
                if values.min() != values.max():
                    wrong.append(values)
            except (oa.UseAfterMoveError, oa.BorrowError):
                pass
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(300):
        with contextlib.suppress(oa.BorrowError):
            box[0] = oa.negative(oa.move(box[0]))
    is_over.set()
    for thread in threads:
        thread.join()
    assert not wrong, wrong[:2]


@pytest.mark.slow
@pytest.mark.parametrize("n", [4, 1 << 13])
def test_updating_and_lending_race(n: int) -> None:
    for _ in range(40):
        x = in_xla(oa.ones(n))
        found = race([*[partial(bump, x)] * 2, *[partial(double, x)] * 2])
        counted = slugs(found)
        assert set(counted) <= {"ok", "mutate-borrowed"}
        n_updates = sum(not isinstance(each, BaseException) for each in found[:2])
        assert np.all(np.asarray(x) == 1.0 + n_updates)
        for result in found[2:]:
            if isinstance(result, oa.Array):
                values = np.asarray(result)
                assert np.all(values == values[0])


@pytest.mark.slow
@pytest.mark.parametrize("n", [8, 1 << 10, 1 << 17], ids=["brief", "NumPy", "XLA"])
@pytest.mark.parametrize(
    "read",
    [
        *READERS,
        lambda x: x + x,
        oa.sort,
        lambda x: x[1:],
        lambda x: x[oa.arange(x.size)],
        lambda x: np.asarray(x.tolist()),
        lambda x: oa.nonzero(x)[0] * 0,
    ],
)
def test_updating_at_once_and_reading_race(n: int, read: Callable[[oa.Array], Any]) -> None:
    """A reader sees the values before or after an update, or is told that there is one."""
    x = oa.ones(n)
    wrong: list[object] = []
    is_over = threading.Event()

    def look() -> None:
        while not is_over.is_set():
            with contextlib.suppress(oa.BorrowError):
                values = np.array(read(x))
                if values.min() != values.max():
                    wrong.append(values)

    def guarded() -> None:
        try:
            look()
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=guarded) for _ in range(2)]
    for thread in threads:
        thread.start()
    n_updates = 0
    for _ in range(150):
        with contextlib.suppress(oa.BorrowError):
            x += 1.0
            n_updates += 1
        with contextlib.suppress(oa.BorrowError):
            x[:] = 0.0 + n_updates
    is_over.set()
    for thread in threads:
        thread.join()
    assert not wrong, wrong[:2]
    assert x.state is oa.State.OWNED


@pytest.mark.slow
@pytest.mark.parametrize("n", [8, 1 << 10, 1 << 17], ids=["brief", "NumPy", "XLA"])
def test_updates_at_once_go_one_after_the_other(n: int) -> None:
    x, table = oa.zeros(n), oa.zeros((N_THREADS, n))

    def work(number: int) -> None:
        nonlocal x
        row = oa.full(n, float(number))
        for _ in range(50):
            x += 1.0
            table[number] = row

    assert not slugs(race([partial(work, i) for i in range(N_THREADS)])).keys() - {"ok"}
    assert x.tolist() == [50.0 * N_THREADS] * n
    assert [row[0] for row in table.tolist()] == [0.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize("n", [8, 1 << 10, 1 << 17])
def test_an_array_is_kept_from_its_own_thread_too_while_it_is_updated(n: int) -> None:
    """A signal handler may come in the middle of an update: it is told, and does not wait."""
    x: Any = oa.ones(n)
    said: list[str] = []

    def handler(mine: Any) -> Any:
        for use in (
            lambda: x + 1.0,
            lambda: np.array(x),
            lambda: np.asarray(x),
            lambda: float(x[0]),
            lambda: x.__iadd__(1.0),
            lambda: x.__setitem__(0, 1.0),
            lambda: oa.move(x),
            lambda: bump(x),
        ):
            with pytest.raises(oa.BorrowError) as error:
                use()
            said.append(error.value.slug)
        assert "being updated" in repr(x)
        assert x.state is oa.State.EXCLUSIVE
        return mine

    x._update(handler)
    assert len(said) == 8
    assert x.state is oa.State.OWNED
    x += 1.0
    assert x.tolist() == [2.0] * n


@oa.jit(donate_argnums=0)
def push(x: oa.Array) -> oa.Array:
    return x * 1.0


@pytest.mark.slow
@pytest.mark.parametrize("n", [4, 1 << 13])
def test_all_ways_to_give_lend_and_update_race(n: int) -> None:
    """Whatever comes first, there is one owner at the end, and nobody wrote what it lent."""
    for _ in range(60):
        x, y = in_xla(oa.ones(n)), oa.ones(n)
        views: list[Any] = []

        def view(x: oa.Array = x, views: list[Any] = views) -> None:
            views.append(np.asarray(x))

        ways: list[Callable[[], Any]] = [
            partial(oa.move, x), partial(oa.move, x), partial(oa.move, [x, y]),
            partial(oa.move, (y, x)), view, partial(bump, x), partial(double, x), partial(push, x),
        ]  # fmt: skip
        found = race(ways)
        counted = slugs(found)
        assert set(counted) <= {
            "ok", "use-after-move", "moved-while-borrowed", "mutate-borrowed"
        }  # fmt: skip
        handles = [each for each in found[:4] if isinstance(each, oa.Moved)]
        pushed = found[7] if isinstance(found[7], oa.Array) else None
        assert len(handles) + (pushed is not None) <= 1
        owned = oa.reclaim([x, y]) if pushed is None and not handles else None
        values = 2.0 if found[5] is None else 1.0
        for handle in handles:
            leaves = handle.take()
            x_now = leaves if isinstance(leaves, oa.Array) else leaves[isinstance(leaves, tuple)]
            assert np.all(np.asarray(x_now) == values)
        if pushed is not None:
            assert np.all(np.asarray(pushed) == values)
        if owned is not None:
            assert np.all(np.asarray(owned[0]) == values)
        if isinstance(found[6], oa.Array):
            doubled = np.asarray(found[6])
            assert np.all(doubled == doubled[0])
        for each in views:
            assert np.all(each == each[0])


@pytest.mark.slow
def test_an_array_is_exclusive_while_a_call_updates_it() -> None:
    """A host kernel tells that the call runs; meanwhile nobody reads, moves or updates."""

    @oa.jit
    def slow(x: oa.Mut[oa.Array]) -> None:
        x += oa.fori_loop(0, 3_000_000, lambda i, s: s + 1.0, oa.asarray(0.0))

    x = oa.zeros(2)
    slow(x)
    x *= 0.0
    thread = threading.Thread(target=slow, args=(x,))
    thread.start()
    said: Counter[str] = Counter()
    while thread.is_alive():
        if x.state is not oa.State.EXCLUSIVE:
            continue
        for use in (lambda: x + 1.0, lambda: oa.move(x), lambda: bump(x), lambda: double(x)):
            try:
                use()
            except oa.BorrowError as error:
                said[error.slug] += 1
            else:
                break  # the call has just ended
        break
    thread.join()
    if not x.is_moved:
        assert x.state is oa.State.OWNED
        assert float(x[0]) >= 3_000_000.0
    assert set(said) <= {"mutate-borrowed", "moved-while-borrowed"}


@pytest.mark.slow
def test_an_array_that_a_call_reads_cannot_be_moved_or_updated_meanwhile() -> None:
    @oa.jit
    def slow(x: oa.Array) -> oa.Array:
        return x + oa.fori_loop(0, 3_000_000, lambda i, s: s + 1.0, oa.asarray(0.0))

    x = oa.zeros(2)
    slow(x)
    results: list[oa.Array] = []
    thread = threading.Thread(target=lambda: results.append(slow(x)))
    thread.start()
    refused: list[str] = []
    while thread.is_alive() and not refused:
        if x.n_borrows == 0:
            continue
        try:
            x += 1.0
        except oa.BorrowError as error:
            refused.append(str(error))
    thread.join()
    assert "mutate-borrowed" in refused[0]
    assert "running" in refused[0]
    assert x.state is oa.State.OWNED
    assert float(results[0][0]) == 3_000_000.0


@pytest.mark.slow
def test_many_threads_call_one_function_for_the_first_time() -> None:
    @oa.jit
    def f(x: oa.Array, y: oa.Array) -> oa.Array:
        return oa.sort(x * 2.0 + y)

    shared = oa.arange(8.0)

    def work(number: int) -> Any:
        x = oa.full(8, float(number))
        for _ in range(20):
            x = f(oa.move(x), shared)
            x = add(oa.move(x), -x_sum(x))
        return x.tolist()

    def x_sum(x: oa.Array) -> oa.Array:
        return oa.mean(x)

    found = race([partial(work, i) for i in range(N_THREADS)])
    for each in found:
        # `x` is read after its move in the same expression: every thread is told so.
        assert isinstance(each, oa.UseAfterMoveError)

    def proper(number: int) -> Any:
        x = oa.full(8, float(number))
        for _ in range(20):
            x = f(oa.move(x), shared)
            mean = oa.mean(x)
            x = add(oa.move(x), -mean)
        return x.tolist()

    wanted = [proper(i) for i in range(N_THREADS)]
    assert race([partial(proper, i) for i in range(N_THREADS)]) == wanted


@pytest.mark.slow
def test_a_trace_is_its_threads_own() -> None:
    """While one function is traced, other threads go on computing at once."""
    inside, go_on = threading.Event(), threading.Event()

    @oa.jit
    def f(x: oa.Array) -> oa.Array:
        inside.set()
        assert go_on.wait(10)
        return x + 1.0

    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(f(oa.zeros(3))))
    thread.start()
    assert inside.wait(10)
    y = oa.ones(3)
    y += 1.0
    assert double(oa.move(y)).tolist() == [4.0] * 3
    go_on.set()
    thread.join()
    assert results[0].tolist() == [1.0] * 3
