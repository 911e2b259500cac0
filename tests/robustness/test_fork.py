"""A forked child computes, moves and compiles what was compiled; its parent does not notice."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

PRELUDE = """
import os, sys, threading, warnings
warnings.simplefilter("ignore")
import numpy as np
import ownarray as oa

@oa.jit
def double(x: oa.Array) -> oa.Array:
    return x * 2.0

@oa.jit
def bump(x: oa.Mut[oa.Array]) -> None:
    x += 1.0

def forked(work):
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException:
            import traceback
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, "the child failed"
"""


def run(program: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "done" in done.stdout


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="Windows cannot fork"),
]


def test_a_child_works_on_its_copy_and_the_parent_on_its_own() -> None:
    run("""
        small, large = oa.arange(8.0), oa.arange(100_000.0)
        h = oa.move(oa.ones(4))
        for x in (small, large):
            double(oa.move(oa.copy(x)))
            bump(oa.copy(x))
            y = oa.exp(oa.move(oa.copy(x)))
            y[1:3] = 0.0

        def child():
            global small, large
            for x in (small, large):
                y = double(oa.move(oa.copy(x)))
                assert float(y[3]) == 6.0
                bump(y)
                z = oa.exp(oa.move(y))
                z[1:3] = 0.0
                assert x.state is oa.State.OWNED
                gone = oa.move(x)
                assert x.is_moved
                double(gone)
            taken = h.take()
            assert taken.tolist() == [1.0] * 4

        forked(child)
        assert small.tolist() == list(range(8))
        assert float(large[99_999]) == 99_999.0
        assert not small.is_moved and not large.is_moved
        assert h.take().tolist() == [1.0] * 4
        bump(small)
        assert float(double(oa.move(small))[0]) == 2.0
        print("done")
    """)


def test_a_child_that_is_forked_while_a_thread_holds_the_lock_is_free() -> None:
    run("""
        from ownarray._array.cell import transitions
        x = oa.ones(3)
        double(oa.move(oa.ones(3)))
        held, go_on = threading.Event(), threading.Event()
        def hold():
            with transitions.lock:
                held.set()
                go_on.wait(30)
        thread = threading.Thread(target=hold)
        thread.start()
        held.wait(30)

        def child():
            assert double(oa.move(x)).tolist() == [2.0] * 3

        forked(child)
        go_on.set()
        thread.join()
        assert double(oa.move(x)).tolist() == [2.0] * 3
        print("done")
    """)


def test_a_child_that_is_forked_while_a_call_runs_is_free() -> None:
    run("""
        @oa.jit
        def slow(x: oa.Array) -> oa.Array:
            return x + oa.fori_loop(0, 20_000_000, lambda i, s: s + 1.0, oa.asarray(0.0))
        x = oa.ones(3)
        double(oa.move(oa.ones(3)))
        thread = threading.Thread(target=slow, args=(x,))
        thread.start()
        while x.n_borrows == 0 and thread.is_alive():
            pass

        def child():
            # The thread that read x is not here any more. (XLA still waits for it, if x itself is
            # consumed; a copy is free.)
            assert x.n_borrows == 0
            assert double(oa.move(oa.copy(x))).tolist() == [2.0] * 3

        forked(child)
        thread.join()
        assert double(oa.move(x)).tolist() == [2.0] * 3
        print("done")
    """)


def test_a_child_that_is_the_first_to_use_the_library_compiles() -> None:
    run("""
        def child():
            assert double(oa.move(oa.ones(3))).tolist() == [2.0] * 3
            assert oa.fixed_point(lambda x: x * 0.5, 2, oa.ones(3)).tolist() == [0.25] * 3

        forked(child)
        child()
        print("done")
    """)


def test_a_new_program_in_a_child_is_an_error_with_the_cure_not_a_hang() -> None:
    run("""
        double(oa.ones(1000))
        h = oa.move(oa.ones(1000))

        def child():
            new = oa.jit(lambda x: x * 3.0 + 1.0)
            try:
                new(h)
            except RuntimeError as error:
                assert "fork" in str(error) and "spawn" in str(error)
            else:
                raise AssertionError("it compiled")
            assert h.take().tolist() == [1.0] * 1000

        os.environ["OWNARRAY_CACHE"] = "0"
        forked(child)
        h.take()
        print("done")
    """)
