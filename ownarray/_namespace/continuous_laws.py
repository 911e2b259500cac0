"""Draws from continuous laws that have one peak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import often
from ownarray._ops import elementwise, laws, sampling
from ownarray._ops.sampling import Size, Source, parameter, shape_for

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Like


class ContinuousLaws(Source):
    """Methods that draw from continuous laws."""

    @often
    def uniform(self, low: Like = 0.0, high: Like = 1.0, size: Size = None) -> Array:
        """Return draws between low and high.

        Parameters
        ----------
        low, high : number or Array
        size : int or tuple of int, optional
            Default: what the parameters broadcast to.

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        ValueError
            If the size does not fit, or a parameter that is known is out of its range.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).uniform(0.0, 1.0, size=3).shape
        (3,)
        """
        low_ = parameter("low", low)
        high_ = parameter("high", high)
        wanted = shape_for("uniform", size, low_, high_)
        return laws.uniform(self, low_, high_, wanted)

    @often
    def normal(self, loc: Like = 0.0, scale: Like = 1.0, size: Size = None) -> Array:
        """Return draws from normal laws.

        Parameters
        ----------
        loc : number or Array
            The centre.
        scale : number or Array, not negative
            The width.
        size : int or tuple of int, optional
            Default: what the parameters broadcast to.

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        ValueError
            If the size does not fit, or a parameter that is known is out of its range.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).normal(0.0, 1.0, size=3).shape
        (3,)
        """
        loc_ = parameter("loc", loc)
        scale_ = parameter("scale", scale, low=0)
        wanted = shape_for("normal", size, loc_, scale_)
        return elementwise.add(loc_, elementwise.multiply(scale_, sampling.normal(self, wanted)))

    @often
    def lognormal(self, mean: Like = 0.0, sigma: Like = 1.0, size: Size = None) -> Array:
        """Return draws whose logarithms are normal.

        Parameters
        ----------
        mean, sigma : number or Array
            Of the logarithm.
        size : int or tuple of int, optional
            Default: what the parameters broadcast to.

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        ValueError
            If the size does not fit, or a parameter that is known is out of its range.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).lognormal(0.0, 1.0, size=3).shape
        (3,)
        """
        mean_ = parameter("mean", mean)
        sigma_ = parameter("sigma", sigma, low=0)
        wanted = shape_for("lognormal", size, mean_, sigma_)
        return elementwise.exp(
            elementwise.add(mean_, elementwise.multiply(sigma_, sampling.normal(self, wanted)))
        )

    @often
    def exponential(self, scale: Like = 1.0, size: Size = None) -> Array:
        """Return draws from exponential laws.

        Parameters
        ----------
        scale : number or Array, not negative
            The mean.
        size : int or tuple of int, optional
            Default: what the parameters broadcast to.

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        ValueError
            If the size does not fit, or a parameter that is known is out of its range.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).exponential(1.0, size=3).shape
        (3,)
        """
        scale_ = parameter("scale", scale, low=0)
        wanted = shape_for("exponential", size, scale_)
        return elementwise.multiply(scale_, sampling.exponential(self, wanted))

    @often
    def gamma(self, shape: Like, scale: Like = 1.0, size: Size = None) -> Array:
        """Return draws from gamma laws.

        Parameters
        ----------
        shape : number or Array, not negative
        scale : number or Array, not negative
        size : int or tuple of int, optional
            Default: what the parameters broadcast to.

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        ValueError
            If the size does not fit, or a parameter that is known is out of its range.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).gamma(2.0, 1.0, size=3).shape
        (3,)
        """
        shape_ = parameter("shape", shape, low=0)
        scale_ = parameter("scale", scale, low=0)
        wanted = shape_for("gamma", size, shape_, scale_)
        return elementwise.multiply(scale_, sampling.gamma(self, shape_, wanted))

    @often
    def beta(self, a: Like, b: Like, size: Size = None) -> Array:
        """Return draws from beta laws.

        Parameters
        ----------
        a, b : number or Array, positive
        size : int or tuple of int, optional
            Default: what the parameters broadcast to.

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        ValueError
            If the size does not fit, or a parameter that is known is out of its range.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).beta(2.0, 3.0, size=3).shape
        (3,)
        """
        a_ = parameter("a", a, low=0, strict=True)
        b_ = parameter("b", b, low=0, strict=True)
        wanted = shape_for("beta", size, a_, b_)
        return laws.beta(self, a_, b_, wanted)

    @often
    def chisquare(self, df: Like, size: Size = None) -> Array:
        """Return draws from chi-squared laws.

        Parameters
        ----------
        df : number or Array, positive
            Degrees of freedom.
        size : int or tuple of int, optional
            Default: what the parameters broadcast to.

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        ValueError
            If the size does not fit, or a parameter that is known is out of its range.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).chisquare(2.0, size=3).shape
        (3,)
        """
        df_ = parameter("df", df, low=0, strict=True)
        wanted = shape_for("chisquare", size, df_)
        return laws.chisquare(self, df_, wanted)

    @often
    def noncentral_chisquare(self, df: Like, nonc: Like, size: Size = None) -> Array:
        """Return draws from noncentral chi-squared laws.

        Parameters
        ----------
        df : number or Array, positive
            Degrees of freedom.
        nonc : number or Array, not negative
        size : int or tuple of int, optional
            Default: what the parameters broadcast to.

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        ValueError
            If the size does not fit, or a parameter that is known is out of its range.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).noncentral_chisquare(2.0, 1.0, size=3).shape
        (3,)
        """
        df_ = parameter("df", df, low=0, strict=True)
        nonc_ = parameter("nonc", nonc, low=0)
        wanted = shape_for("noncentral_chisquare", size, df_, nonc_)
        return laws.noncentral_chisquare(self, df_, nonc_, wanted)

    @often
    def f(self, dfnum: Like, dfden: Like, size: Size = None) -> Array:
        """Return draws from Fisher's laws.

        Parameters
        ----------
        dfnum, dfden : number or Array, positive
            Degrees of freedom.
        size : int or tuple of int, optional
            Default: what the parameters broadcast to.

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        ValueError
            If the size does not fit, or a parameter that is known is out of its range.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).f(2.0, 3.0, size=3).shape
        (3,)
        """
        dfnum_ = parameter("dfnum", dfnum, low=0, strict=True)
        dfden_ = parameter("dfden", dfden, low=0, strict=True)
        wanted = shape_for("f", size, dfnum_, dfden_)
        return laws.fisher(self, dfnum_, dfden_, wanted)

    @often
    def noncentral_f(self, dfnum: Like, dfden: Like, nonc: Like, size: Size = None) -> Array:
        """Return draws from noncentral Fisher's laws.

        Parameters
        ----------
        dfnum, dfden : number or Array, positive
            Degrees of freedom.
        nonc : number or Array, not negative
        size : int or tuple of int, optional
            Default: what the parameters broadcast to.

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        ValueError
            If the size does not fit, or a parameter that is known is out of its range.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).noncentral_f(2.0, 3.0, 1.0, size=3).shape
        (3,)
        """
        dfnum_ = parameter("dfnum", dfnum, low=0, strict=True)
        dfden_ = parameter("dfden", dfden, low=0, strict=True)
        nonc_ = parameter("nonc", nonc, low=0)
        wanted = shape_for("noncentral_f", size, dfnum_, dfden_, nonc_)
        return laws.noncentral_fisher(self, dfnum_, dfden_, nonc_, wanted)

    @often
    def standard_t(self, df: Like, size: Size = None) -> Array:
        """Return draws from Student's laws.

        Parameters
        ----------
        df : number or Array, positive
            Degrees of freedom.
        size : int or tuple of int, optional
            Default: what the parameters broadcast to.

        Returns
        -------
        Array of shape size; owned

        Raises
        ------
        ValueError
            If the size does not fit, or a parameter that is known is out of its range.

        Examples
        --------
        >>> import ownarray as oa
        >>> oa.random.default_rng(0).standard_t(3.0, size=3).shape
        (3,)
        """
        df_ = parameter("df", df, low=0, strict=True)
        wanted = shape_for("standard_t", size, df_)
        return laws.student_t(self, df_, wanted)
