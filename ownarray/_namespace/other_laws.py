"""Draws from heavy-tailed, bounded and discrete laws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import often
from ownarray._ops import elementwise, laws, sampling
from ownarray._ops.sampling import Size, Source, parameter, shape_for

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Like


class OtherLaws(Source):
    """Methods that draw from further laws."""

    @often
    def laplace(self, loc: Like = 0.0, scale: Like = 1.0, size: Size = None) -> Array:
        """Return draws from Laplace laws.

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
        >>> oa.random.default_rng(0).laplace(0.0, 1.0, size=3).shape
        (3,)
        """
        loc_ = parameter("loc", loc)
        scale_ = parameter("scale", scale, low=0)
        wanted = shape_for("laplace", size, loc_, scale_)
        return elementwise.add(loc_, elementwise.multiply(scale_, laws.laplace(self, wanted)))

    @often
    def logistic(self, loc: Like = 0.0, scale: Like = 1.0, size: Size = None) -> Array:
        """Return draws from logistic laws.

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
        >>> oa.random.default_rng(0).logistic(0.0, 1.0, size=3).shape
        (3,)
        """
        loc_ = parameter("loc", loc)
        scale_ = parameter("scale", scale, low=0)
        wanted = shape_for("logistic", size, loc_, scale_)
        return elementwise.add(loc_, elementwise.multiply(scale_, laws.logistic(self, wanted)))

    @often
    def gumbel(self, loc: Like = 0.0, scale: Like = 1.0, size: Size = None) -> Array:
        """Return draws from Gumbel laws.

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
        >>> oa.random.default_rng(0).gumbel(0.0, 1.0, size=3).shape
        (3,)
        """
        loc_ = parameter("loc", loc)
        scale_ = parameter("scale", scale, low=0)
        wanted = shape_for("gumbel", size, loc_, scale_)
        return elementwise.add(loc_, elementwise.multiply(scale_, laws.gumbel(self, wanted)))

    @often
    def triangular(self, left: Like, mode: Like, right: Like, size: Size = None) -> Array:
        """Return draws from triangular laws.

        Parameters
        ----------
        left, mode, right : number or Array, in this order
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
        >>> oa.random.default_rng(0).triangular(0.0, 0.5, 1.0, size=3).shape
        (3,)
        """
        left_ = parameter("left", left)
        mode_ = parameter("mode", mode)
        right_ = parameter("right", right)
        wanted = shape_for("triangular", size, left_, mode_, right_)
        return laws.triangular(self, left_, mode_, right_, wanted)

    @often
    def rayleigh(self, scale: Like = 1.0, size: Size = None) -> Array:
        """Return draws from Rayleigh laws.

        Parameters
        ----------
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
        >>> oa.random.default_rng(0).rayleigh(1.0, size=3).shape
        (3,)
        """
        scale_ = parameter("scale", scale, low=0)
        wanted = shape_for("rayleigh", size, scale_)
        return elementwise.multiply(
            scale_, elementwise.sqrt(sampling.exponential(self, wanted) * 2.0)
        )

    @often
    def weibull(self, a: Like, size: Size = None) -> Array:
        """Return draws from Weibull laws of scale 1.

        Parameters
        ----------
        a : number or Array, not negative
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
        >>> oa.random.default_rng(0).weibull(2.0, size=3).shape
        (3,)
        """
        a_ = parameter("a", a, low=0)
        wanted = shape_for("weibull", size, a_)
        return elementwise.power(sampling.exponential(self, wanted), elementwise.divide(1.0, a_))

    @often
    def pareto(self, a: Like, size: Size = None) -> Array:
        """Return draws from Lomax laws (Pareto laws that begin at 0).

        Parameters
        ----------
        a : number or Array, positive
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
        >>> oa.random.default_rng(0).pareto(3.0, size=3).shape
        (3,)
        """
        a_ = parameter("a", a, low=0, strict=True)
        wanted = shape_for("pareto", size, a_)
        return elementwise.expm1(sampling.exponential(self, wanted) / a_)

    @often
    def power(self, a: Like, size: Size = None) -> Array:
        """Return draws from power laws on [0, 1].

        Parameters
        ----------
        a : number or Array, positive
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
        >>> oa.random.default_rng(0).power(2.0, size=3).shape
        (3,)
        """
        a_ = parameter("a", a, low=0, strict=True)
        wanted = shape_for("power", size, a_)
        return elementwise.power(
            1.0 - elementwise.exp(-sampling.exponential(self, wanted)), elementwise.divide(1.0, a_)
        )

    @often
    def wald(self, mean: Like, scale: Like, size: Size = None) -> Array:
        """Return draws from inverse Gaussian laws.

        Parameters
        ----------
        mean, scale : number or Array, positive
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
        >>> oa.random.default_rng(0).wald(1.0, 1.0, size=3).shape
        (3,)
        """
        mean_ = parameter("mean", mean, low=0, strict=True)
        scale_ = parameter("scale", scale, low=0, strict=True)
        wanted = shape_for("wald", size, mean_, scale_)
        return laws.wald(self, mean_, scale_, wanted)

    @often
    def vonmises(self, mu: Like, kappa: Like, size: Size = None) -> Array:
        """Return draws from laws on the circle, in [-pi, pi].

        Parameters
        ----------
        mu : number or Array
            The direction.
        kappa : number or Array, not negative
            The concentration.
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
        >>> oa.random.default_rng(0).vonmises(0.0, 1.0, size=3).shape
        (3,)
        """
        mu_ = parameter("mu", mu)
        kappa_ = parameter("kappa", kappa, low=0)
        wanted = shape_for("vonmises", size, mu_, kappa_)
        return laws.von_mises(self, mu_, kappa_, wanted)

    @often
    def poisson(self, lam: Like = 1.0, size: Size = None) -> Array:
        """Return draws from Poisson laws, as int64.

        Parameters
        ----------
        lam : number or Array, not negative
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
        >>> oa.random.default_rng(0).poisson(3.0, size=3).shape
        (3,)
        """
        lam_ = parameter("lam", lam, low=0)
        wanted = shape_for("poisson", size, lam_)
        return sampling.poisson(self, lam_, wanted)

    @often
    def binomial(self, n: Like, p: Like, size: Size = None) -> Array:
        """Return draws from binomial laws, as int64.

        Parameters
        ----------
        n : number or Array, not negative
            The number of trials.
        p : number or Array, in [0, 1]
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
        >>> oa.random.default_rng(0).binomial(10, 0.5, size=3).shape
        (3,)
        """
        n_ = parameter("n", n, low=0)
        p_ = parameter("p", p, low=0)
        wanted = shape_for("binomial", size, n_, p_)
        return sampling.binomial(self, n_, p_, wanted)

    @often
    def negative_binomial(self, n: Like, p: Like, size: Size = None) -> Array:
        """Return draws from negative binomial laws, as int64.

        Parameters
        ----------
        n : number or Array, positive
            The number of successes.
        p : number or Array, in (0, 1]
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
        >>> oa.random.default_rng(0).negative_binomial(3, 0.5, size=3).shape
        (3,)
        """
        n_ = parameter("n", n, low=0, strict=True)
        p_ = parameter("p", p, low=0, strict=True)
        wanted = shape_for("negative_binomial", size, n_, p_)
        return laws.negative_binomial(self, n_, p_, wanted)

    @often
    def geometric(self, p: Like, size: Size = None) -> Array:
        """Return the number of trials up to the first success, as int64.

        Parameters
        ----------
        p : number or Array, in (0, 1]
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
        >>> oa.random.default_rng(0).geometric(0.5, size=3).shape
        (3,)
        """
        p_ = parameter("p", p, low=0, strict=True)
        wanted = shape_for("geometric", size, p_)
        return laws.geometric(self, p_, wanted)

    @often
    def logseries(self, p: Like, size: Size = None) -> Array:
        """Return draws from logarithmic series laws, as int64.

        Parameters
        ----------
        p : number or Array, in (0, 1)
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
        >>> oa.random.default_rng(0).logseries(0.5, size=3).shape
        (3,)
        """
        p_ = parameter("p", p, low=0)
        wanted = shape_for("logseries", size, p_)
        return laws.logseries(self, p_, wanted)

    @often
    def zipf(self, a: Like, size: Size = None) -> Array:
        """Return draws from Zipf laws, as int64.

        Parameters
        ----------
        a : number or Array, above 1
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
        >>> oa.random.default_rng(0).zipf(2.0, size=3).shape
        (3,)
        """
        a_ = parameter("a", a, low=1, strict=True)
        wanted = shape_for("zipf", size, a_)
        return laws.zipf(self, a_, wanted)
