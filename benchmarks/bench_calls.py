"""What a call costs: 1, 4, 50 arguments, a tree of 100, `move` itself, a slice write."""

from typing import Any

from benchmarks.case import Calls, Case, Topic, Variant

N_FLOATS = 8
N_LEAVES = 100


def _zeros() -> Any:
    import numpy as np

    return np.zeros(N_FLOATS, np.float32)


# ------------------------------------------------------------------------ n arguments, all consumed
def _ownarray_call(n: int) -> Variant:
    """Each step moves its n arrays: the cost of the handles is part of the call."""

    def build(_: bool) -> Case:
        import ownarray as oa

        @oa.jit
        def step(*xs: oa.Array) -> tuple[oa.Array, ...]:
            return tuple([x + 1.0 for x in xs])

        state = [tuple(oa.asarray(_zeros()) for _ in range(n))]

        def run(number: int) -> None:
            xs, move = state.pop(), oa.move
            for _ in range(number):
                xs = step(*[move(x) for x in xs])
            state.append(xs)

        def run_one(number: int) -> None:
            (x,), move = state.pop(), oa.move
            for _ in range(number):
                (x,) = step(move(x))
            state.append((x,))

        return Calls(run=run_one if n == 1 else run)

    return Variant(needs="ownarray", build=build)


def _jax_call(n: int) -> Variant:
    def build(_: bool) -> Case:
        import jax
        import jax.numpy as jnp

        step = jax.jit(lambda *xs: [x + 1.0 for x in xs], donate_argnums=tuple(range(n)))
        state = [[jnp.array(_zeros()) for _ in range(n)]]

        def run(number: int) -> None:
            xs = state.pop()
            for _ in range(number):
                xs = step(*xs)
            jax.block_until_ready(xs)
            state.append(xs)

        return Calls(run=run)

    return Variant(needs="jax", build=build)


# ------------------------------------------------------------------------------- a tree, one handle
def _ownarray_tree(_: bool) -> Case:
    import ownarray as oa

    Tree = dict[str, oa.Array]

    @oa.jit
    def step(tree: oa.Owned[Tree]) -> Tree:
        return {name: x + 1.0 for name, x in tree.items()}

    state = [{f"w{k:03}": oa.asarray(_zeros()) for k in range(N_LEAVES)}]

    def run(number: int) -> None:
        tree, move = state.pop(), oa.move
        for _ in range(number):
            tree = step(move(tree))
        state.append(tree)

    return Calls(run=run, number=50)


def _jax_tree(_: bool) -> Case:
    import jax
    import jax.numpy as jnp

    step = jax.jit(lambda tree: {name: x + 1.0 for name, x in tree.items()}, donate_argnums=(0,))
    state = [{f"w{k:03}": jnp.array(_zeros()) for k in range(N_LEAVES)}]

    def run(number: int) -> None:
        tree = state.pop()
        for _ in range(number):
            tree = step(tree)
        jax.block_until_ready(tree)
        state.append(tree)

    return Calls(run=run, number=50)


# -------------------------------------------------------------------------------------- move itself
def _move(n_leaves: int) -> Variant:
    """Time `move` alone: the handles are kept, and taken back outside the measurement."""

    def build(_: bool) -> Case:
        import ownarray as oa

        class Kept(list[Any]):
            """Handles that nobody spends in the end; it takes them, so that none is dropped."""

            def __del__(self) -> None:
                for handle in self:
                    handle.take()

        trees: list[Any] = []
        handles = Kept()

        def tree() -> Any:
            if n_leaves == 1:
                return oa.asarray(_zeros())
            return {f"w{k:03}": oa.asarray(_zeros()) for k in range(n_leaves)}

        def prepare(number: int) -> None:
            trees[:] = [handle.take() for handle in handles] or [tree() for _ in range(number)]
            handles.clear()

        def run(_: int) -> None:
            move, take, keep = oa.move, trees.pop, handles.append
            while trees:
                keep(move(take()))

        return Calls(run=run, prepare=prepare, number=500 if n_leaves == 1 else 20)

    return Variant(needs="ownarray", build=build)


# -------------------------------------------------------------------- one element of 256 MB written
def _large(quick: bool) -> Any:
    import numpy as np

    return np.full(1 << 16 if quick else 1 << 26, 0.0, np.float32)


def _ownarray_slice(quick: bool) -> Case:
    import ownarray as oa

    @oa.jit
    def write(x: oa.Owned[oa.Array], place: int) -> oa.Array:
        x[place] = 1.0
        return x

    state = [oa.asarray(_large(quick))]

    def run(number: int) -> None:
        x, move = state.pop(), oa.move
        for place in range(number):
            x = write(move(x), place)
        state.append(x)

    return Calls(run=run)


def _ownarray_slice_eager(quick: bool) -> Case:
    import ownarray as oa

    x = oa.asarray(_large(quick))

    def run(number: int) -> None:
        for _ in range(number):
            x[5:9] = 1.0

    return Calls(run=run)


def _numpy_slice(quick: bool) -> Case:
    x = _large(quick)

    def run(number: int) -> None:
        for _ in range(number):
            x[5:9] = 1.0

    return Calls(run=run)


def _jax_slice(quick: bool) -> Case:
    import jax
    import jax.numpy as jnp

    write = jax.jit(lambda x, place: x.at[place].set(1.0), donate_argnums=(0,))
    state = [jnp.array(_large(quick))]

    def run(number: int) -> None:
        x = state.pop()
        for place in range(number):
            x = write(x, place)
        jax.block_until_ready(x)
        state.append(x)

    return Calls(run=run)


def _call_topic(n: int) -> Topic:
    noun = "argument" if n == 1 else "arguments"
    return Topic(
        name=f"call_{n}",
        title=f"Call of a compiled function: {n} {noun} of {N_FLOATS} floats, each moved",
        variants={
            "ownarray, one handle each": _ownarray_call(n),
            "jax donated": _jax_call(n),
        },
    )


TOPICS = (
    *(_call_topic(n) for n in (1, 4, 50)),
    Topic(
        name="call_tree",
        title=f"Call with a tree of {N_LEAVES} arrays of {N_FLOATS} floats, moved as one",
        variants={
            "ownarray, one handle": Variant(needs="ownarray", build=_ownarray_tree),
            "jax donated": Variant(needs="jax", build=_jax_tree),
        },
    ),
    Topic(
        name="move",
        title="`move` alone",
        variants={"one array": _move(1), f"a tree of {N_LEAVES}": _move(N_LEAVES)},
    ),
    Topic(
        name="slice_write",
        title="Writing one place of a 256 MB array",
        variants={
            "ownarray, compiled, moved": Variant(needs="ownarray", build=_ownarray_slice),
            "ownarray, eager": Variant(needs="ownarray", build=_ownarray_slice_eager),
            "NumPy": Variant(needs="numpy", build=_numpy_slice),
            "jax donated": Variant(needs="jax", build=_jax_slice),
        },
    ),
)
