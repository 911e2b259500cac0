"""The generator of random numbers: its state, and the draws that need more than a law."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._array.consume import often
from ownarray._array.moved import Moved
from ownarray._core.dtypes import BOOL, INTEGER, canonical
from ownarray._errors import TraceError
from ownarray._namespace.continuous_laws import ContinuousLaws
from ownarray._namespace.other_laws import OtherLaws
from ownarray._ops import elementwise, laws, sampling, shuffling
from ownarray._ops.sampling import Place, Size, float_dtype, parameter, shape_for
from ownarray._ops.structural import copy
from ownarray._trace.bind import Trace, current_trace, is_array, operand_aval, use_trace
from ownarray._trace.record import RecordTrace
from ownarray._tree import register

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._namespace.types import Array, DTypeLike, Like


class Generator(ContinuousLaws, OtherLaws):
    """A generator of random numbers; made by `default_rng`.

    It is a tree of two arrays. Inside a compiled function its state is traced like any other: take
    it as ``oa.Mut[oa.random.Generator]``, and the caller's generator goes on where the function
    left it; or take it and return it.

    Attributes
    ----------
    key : Array of shape (2,), uint64
        Which stream of random words.
    counter : Array of shape (), uint64
        How many blocks of four words of it are used up.

    Examples
    --------
    >>> import ownarray as oa
    >>> rng = oa.random.default_rng(0)
    >>> @oa.jit
    ... def noisy(x: oa.Array, rng: oa.Mut[oa.random.Generator]) -> oa.Array:
    ...     return x + rng.normal(size=x.shape)
    >>> first, second = noisy(oa.zeros(3), rng), noisy(oa.zeros(3), rng)
    >>> bool(oa.any(first == second))
    False
    """

    key: Array
    counter: Array

    def __init__(self, key: Array, counter: Array) -> None:
        self.key = key
        self.counter = counter

    def __repr__(self) -> str:
        return f"Generator(key={self.key}, counter={self.counter})"

    def take_blocks(self, n: int) -> Place:
        """Return the present place, and move on by a number of blocks.

        Raises
        ------
        TraceError
            In a compiled function or a loop's body to which the generator was not passed.
        """
        own = self.counter._trace
        if current_trace() is own:
            place = Place(self.key, self.counter)
            self.counter = elementwise.add(self.counter, np.uint64(n))
            return place
        _check_reachable(own)
        with use_trace(own):
            return self.take_blocks(n)

    @often
    def random(self, size: Size = None, dtype: DTypeLike = np.float64) -> Array:
        """Return floats in [0, 1).

        Parameters
        ----------
        size : int or tuple of int, optional
            Default: one number.
        dtype : float32 or float64

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        TypeError
            For another dtype.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).random(3).shape
        (3,)
        """
        return sampling.floats(self, shape_for("random", size), float_dtype("random", dtype))

    @often
    def standard_normal(self, size: Size = None, dtype: DTypeLike = np.float64) -> Array:
        """Return draws from the standard normal law.

        Parameters
        ----------
        size : int or tuple of int, optional
            Default: one number.
        dtype : float32 or float64

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        TypeError
            For another dtype.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).standard_normal((2, 3)).shape
        (2, 3)
        """
        kind = float_dtype("standard_normal", dtype)
        return sampling.normal(self, shape_for("standard_normal", size), kind)

    @often
    def standard_exponential(self, size: Size = None, dtype: DTypeLike = np.float64) -> Array:
        """Return draws from the standard exponential law.

        Parameters
        ----------
        size : int or tuple of int, optional
            Default: one number.
        dtype : float32 or float64

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        TypeError
            For another dtype.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).standard_exponential(3).shape
        (3,)
        """
        kind = float_dtype("standard_exponential", dtype)
        return sampling.exponential(self, shape_for("standard_exponential", size), kind)

    @often
    def standard_gamma(
        self, shape: Like, size: Size = None, dtype: DTypeLike = np.float64
    ) -> Array:
        """Return draws from gamma laws of scale 1.

        Parameters
        ----------
        shape : number or Array, not negative
        size : int or tuple of int, optional
            Default: that of the parameter.
        dtype : float32 or float64

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        ValueError
            If the size does not fit, or shape is negative.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).standard_gamma(2.0, size=3).shape
        (3,)
        """
        given = parameter("shape", shape, low=0)
        wanted = shape_for("standard_gamma", size, given)
        return sampling.gamma(self, given, wanted, float_dtype("standard_gamma", dtype))

    @often
    def standard_cauchy(self, size: Size = None) -> Array:
        """Return draws from the standard Cauchy law.

        Parameters
        ----------
        size : int or tuple of int, optional
            Default: one number.

        Returns
        -------
        Array of shape size; owned

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).standard_cauchy(3).shape
        (3,)
        """
        return laws.cauchy(self, shape_for("standard_cauchy", size))

    @often
    def integers(
        self,
        low: Like,
        high: Like | None = None,
        size: Size = None,
        dtype: DTypeLike = np.int64,
        *,
        endpoint: bool = False,
    ) -> Array:
        """Return whole numbers from low (included), all exactly as probable.

        Parameters
        ----------
        low : int or Array of integers
            With high None the range is [0, low).
        high : int or Array of integers, optional
            Excluded.
        size : int or tuple of int, optional
            Default: what the bounds broadcast to.
        dtype : integer dtype or bool, default int64
        endpoint : bool, default False
            Whether high is included.

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        ValueError
            If there is no number between the bounds, or the dtype does not hold them.

        Examples
        --------
        >>> import ownarray as oa
        >>> x = oa.random.default_rng(0).integers(1, 7, size=100)
        >>> int(x.min()) >= 1, int(x.max()) <= 6
        (True, True)
        """
        kind = canonical(dtype, "integers")
        if kind not in INTEGER and kind != BOOL:
            raise TypeError(f"integers: expected an integer dtype or bool, got {kind}")
        return sampling.integers(self, low, high, size, kind, endpoint=endpoint)

    @often
    def choice(  # noqa: PLR0917  (NumPy's signature)
        self,
        a: Like | Sequence[Any],
        size: Size = None,
        replace: bool = True,
        p: Like | Sequence[float] | None = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Array:
        """Return elements of a, chosen at random.

        Parameters
        ----------
        a : Array or int
            The elements along an axis; of an int the numbers below it.
        size : int or tuple of int, optional
            Default: one element.
        replace : bool, default True
            Whether an element may come several times.
        p : Array of float, optional
            The probabilities. Default: all equal.
        axis : int, default 0
        shuffle : bool, default True
            Kept for NumPy's signature: the order is random anyway.

        Returns
        -------
        Array; owned

        Raises
        ------
        ValueError
            If there is nothing to choose from, more is wanted without replacement than there is, or
            the probabilities do not fit.

        Examples
        --------
        >>> import ownarray as oa
        >>> sorted(oa.random.default_rng(0).choice(5, 5, replace=False).tolist())
        [0, 1, 2, 3, 4]
        """
        return shuffling.choice(self, a, size, replace=replace, p=p, axis=axis)

    @often
    def permutation(self, x: Like | Sequence[Any], axis: int = 0) -> Array:
        """Return x with the parts along an axis in random order.

        Parameters
        ----------
        x : Array or int
            Of an int the numbers below it.
        axis : int, default 0

        Returns
        -------
        Array of the shape and dtype of x; owned

        Raises
        ------
        AxisError
            If there is no such axis.

        Examples
        --------
        >>> import ownarray as oa
        >>> sorted(oa.random.default_rng(0).permutation(4).tolist())
        [0, 1, 2, 3]
        """
        return shuffling.permutation(self, x, axis)

    @often
    def permuted(self, x: Like | Sequence[Any], axis: int | None = None) -> Array:
        """Return x with the elements along an axis in random order, each line in its own.

        Parameters
        ----------
        x : Array
        axis : int, optional
            Default: all elements are one line.

        Returns
        -------
        Array of the shape and dtype of x; owned

        Raises
        ------
        AxisError
            If there is no such axis.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).permuted(oa.arange(6).reshape((2, 3)), axis=1).shape
        (2, 3)
        """
        return shuffling.permuted(self, x, axis)

    def shuffle(self, x: Array, axis: int = 0) -> None:
        """Put the parts of x along an axis in random order, in x's own memory.

        Parameters
        ----------
        x : Array; updated in place
        axis : int, default 0

        Raises
        ------
        BorrowError
            If x is lent or has live views.
        TypeError
            If x is no array of this library.

        Examples
        --------
        >>> import ownarray as oa
        >>> x = oa.arange(4)
        >>> oa.random.default_rng(0).shuffle(x)
        >>> sorted(x.tolist())
        [0, 1, 2, 3]
        """
        if not is_array(x):
            raise TypeError(f"shuffle: expected an oa.Array to update, got {type(x).__name__}")
        order = shuffling.order(self, x.shape[axis])
        x._update(lambda mine: shuffling.rearranged(mine._last(), order, axis))

    @often
    def multinomial(self, n: Like, pvals: Like | Sequence[float], size: Size = None) -> Array:
        """Return how often each of several outcomes came.

        Parameters
        ----------
        n : int or Array of integers
            The number of trials.
        pvals : Array of shape (..., k)
            The probabilities of the outcomes; the last one gets what is left.
        size : int or tuple of int, optional
            Default: what n and the probabilities broadcast to.

        Returns
        -------
        Array of shape (size, k), int64; owned

        Raises
        ------
        ValueError
            If the size does not fit, or n is negative.

        Examples
        --------
        >>> import ownarray as oa
        >>> int(oa.random.default_rng(0).multinomial(10, [0.5, 0.25, 0.25]).sum())
        10
        """
        trials = parameter("n", n, low=0)
        p = parameter("pvals", pvals, low=0)
        batch = np.zeros(operand_aval(p).shape[:-1])
        return laws.multinomial(self, trials, p, shape_for("multinomial", size, trials, batch))

    @often
    def multivariate_normal(
        self, mean: Like | Sequence[float], cov: Like | Sequence[Any], size: Size = None
    ) -> Array:
        """Return draws from normal laws of vectors.

        Parameters
        ----------
        mean : Array of shape (n,)
        cov : Array of shape (n, n)
            Symmetric and not negative; the lower triangle is read.
        size : int or tuple of int, optional
            Default: one vector.

        Returns
        -------
        Array of shape (size, n); owned

        Raises
        ------
        ValueError
            If mean and cov do not fit.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).multivariate_normal([0.0, 0.0], oa.eye(2), 5).shape
        (5, 2)
        """
        centre, spread = parameter("mean", mean), parameter("cov", cov)
        shape = operand_aval(centre).shape
        if len(shape) != 1 or operand_aval(spread).shape != shape * 2:
            raise ValueError(
                f"multivariate_normal: expected a mean of shape (n,) and a cov of shape (n, n), got"
                f" {operand_aval(centre)} and {operand_aval(spread)}"
            )
        return laws.multivariate_normal(
            self, centre, spread, shape_for("multivariate_normal", size)
        )

    @often
    def dirichlet(self, alpha: Like | Sequence[float], size: Size = None) -> Array:
        """Return draws from Dirichlet laws.

        Parameters
        ----------
        alpha : Array of shape (n,), positive
        size : int or tuple of int, optional
            Default: one vector.

        Returns
        -------
        Array of shape (size, n); owned; each vector sums to 1

        Raises
        ------
        ValueError
            If alpha is not positive.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).dirichlet([1.0, 2.0, 3.0], 4).shape
        (4, 3)
        """
        given = parameter("alpha", alpha, low=0, strict=True)
        return laws.dirichlet(self, given, shape_for("dirichlet", size))

    def bytes(self, length: int) -> bytes:
        """Return random bytes.

        Parameters
        ----------
        length : int

        Returns
        -------
        bytes

        Raises
        ------
        TraceError
            Inside a compiled function.

        Examples
        --------
        >>> import ownarray as oa
        >>> len(oa.random.default_rng(0).bytes(10))
        10
        """
        found = sampling.words(self, (-(-length // 8),))
        return np.asarray(found._read(), "<u8").tobytes()[:length]

    def spawn(self, n_children: int) -> list[Generator]:
        """Return new generators, each of a stream of its own.

        Parameters
        ----------
        n_children : int

        Returns
        -------
        list of Generator

        Raises
        ------
        ValueError
            If the number is negative.

        Examples
        --------
        >>> import ownarray as oa
        >>> first, second = oa.random.default_rng(0).spawn(2)
        >>> bool(first.random() == second.random())
        False
        """
        if n_children < 0:
            raise ValueError(f"spawn: expected a number that is not negative, got {n_children}")
        keys = sampling.words(self, (n_children, 2))
        return [Generator(keys[i], copy(np.uint64(0))) for i in range(n_children)]


register(Generator, fields=("key", "counter"))


def _check_reachable(own: Trace) -> None:
    """Raise unless only derivatives and batching stand between a generator and the current trace.

    A loop's body that drew from a generator around it would draw the same numbers each round, and
    a compiled function would keep those of its first call.
    """
    trace = current_trace()
    while trace is not own:
        parent = getattr(trace, "parent", None)
        if isinstance(trace, RecordTrace) or parent is None:
            name = getattr(trace, "name", "a traced function")
            raise TraceError(
                f"{name} drew from a random generator that was not passed to it: it would get the"
                " same numbers each time. Fix: take the generator as a parameter"
                " (rng: oa.Mut[oa.random.Generator]), or carry it through the loop"
            )
        trace = parent


def default_rng(seed: int | Sequence[int] | Generator | None = None) -> Generator:
    """Return a generator of random numbers.

    Parameters
    ----------
    seed : int or sequence of int, optional
        The same seed gives the same numbers, on every machine. Default: from the system's entropy.
        A generator is returned as it is.

    Returns
    -------
    Generator

    Raises
    ------
    TypeError, ValueError
        If the seed is none.

    Examples
    --------
    >>> import ownarray as oa
    >>> rng = oa.random.default_rng(42)
    >>> rng.integers(10, size=3).shape
    (3,)
    """
    if isinstance(seed, Generator):
        return seed
    given: object = seed
    if isinstance(given, Moved) or is_array(given):
        raise TypeError("default_rng: expected an int or ints as seed, got an array")
    try:
        words = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    except TypeError:
        raise TypeError(f"default_rng: expected an int or ints as seed, got {seed!r}") from None
    return Generator(copy(words), copy(np.uint64(0)))
