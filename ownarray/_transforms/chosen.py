"""Which arguments a derivative is taken with respect to: ``argnums`` and ``argnames``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ownarray._array.cell import describe
from ownarray._core.dtypes import COMPLEX, INEXACT
from ownarray._ownership import Mode
from ownarray._trace.bind import operand_aval
from ownarray._transforms.signature import FunctionSignature

if TYPE_CHECKING:
    from ownarray._transforms.applied import Application

Nums = int | Sequence[int] | None
Names = str | Sequence[str]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The parameters that a derivative is taken with respect to.

    Attributes
    ----------
    names : tuple of str
        First those of ``argnums``, then those of ``argnames``.
    is_single : bool
        Whether one was given bare, so that the derivative is not a tuple.
    """

    transform: str
    names: tuple[str, ...]
    is_single: bool

    def mask(self, application: Application, *, may_be_complex: bool = True) -> list[bool]:
        """Return for each leaf of the arguments whether it is differentiated.

        Raises
        ------
        TypeError
            If one of those leaves is not of a floating-point (or complex) dtype.
        """
        found = [False] * len(application.inputs)
        for leaves in application.leaves_of(self.names):
            for number in leaves:
                aval = operand_aval(application.inputs[number].value)
                if aval.dtype not in INEXACT:
                    where = describe(aval, application.call.path(number))
                    raise TypeError(
                        f"{self.transform}: {where} has no derivative, because it is not of a"
                        " floating-point dtype. Fix: cast it (x.astype(oa.float64), 3.0 for 3), or"
                        " leave it out of argnums"
                    )
                if aval.dtype in COMPLEX and not may_be_complex:
                    where = describe(aval, application.call.path(number))
                    raise TypeError(
                        f"{self.transform}: {where} is complex; a matrix of derivatives is made"
                        " of real arguments only. Fix: pass real and imaginary parts, or use jvp"
                        " or vjp"
                    )
                found[number] = True
        return found

    def trees(self, application: Application, leaves: Sequence[Any]) -> Any:
        """Return one tree for each parameter, made of values for its leaves in the call's order."""
        numbers_of = application.leaves_of(self.names)
        in_order = sorted([number for numbers in numbers_of for number in numbers])
        by_number = dict(zip(in_order, leaves, strict=True))
        trees = [
            application.tree_of(name).unflatten([by_number[n] for n in numbers])
            for name, numbers in zip(self.names, numbers_of, strict=True)
        ]
        return trees[0] if self.is_single else tuple(trees)


def choose(transform: str, signature: FunctionSignature, argnums: Nums, argnames: Names) -> Chosen:
    """Return the parameters that numbers and names pick out; without any, the first.

    Raises
    ------
    ValueError
        If a number or name picks out no parameter, or two the same one.
    TypeError
        If a parameter is declared Mut.
    """
    if argnums is None:
        argnums = () if argnames else 0
    numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    words = (argnames,) if isinstance(argnames, str) else tuple(argnames)
    names = [name for number in numbers for name in signature.named("argnums", number, "", ())]
    names += [name for word in words for name in signature.named("argnums", (), "argnames", word)]
    if len(set(names)) != len(names):
        raise ValueError(
            f"{transform}: {signature.name}: argnums and argnames name one parameter twice"
        )
    for name in names:
        if signature.modes.get(name) is Mode.MUT:
            raise TypeError(
                f"{transform}: {signature.name}: {name!r} is declared Mut, so its value changes"
                " during the call and there is no derivative with respect to it. Fix: leave it out"
                " of argnums, or take it as a plain argument and return its new value"
            )
    is_single = len(names) == 1 and not (
        (isinstance(argnums, Sequence) and argnums) or (not isinstance(argnames, str) and argnames)
    )
    return Chosen(transform, tuple(names), is_single)


def signature_of(transform: str, function: Callable[..., Any]) -> FunctionSignature:
    """Return the signature of a function that is to be transformed.

    Raises
    ------
    TypeError
        If it is no function.
    """
    if isinstance(function, classmethod | staticmethod) or not callable(function):
        raise TypeError(f"{transform}: expected a function, got {type(function).__name__}")
    return FunctionSignature(function)
