"""Every ownership error: one catalogue of codes that the runtime and the type checker share.

A code names its slug (the heading in docs/errors.md and mypy's error code), the class that the
runtime raises, what happened, and the cure. Texts are written once, here. Nothing but the standard
library is imported, because the type checker reads this module where no jaxlib is installed.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple


class OwnershipError(RuntimeError):
    """A rule of ownership was broken; the base of all such errors.

    Attributes
    ----------
    slug : str
        The heading of docs/errors.md that explains this error.

    Examples
    --------
    >>> import ownarray as oa
    >>> issubclass(oa.UseAfterMoveError, oa.OwnershipError)
    True
    """

    slug: str = ""
    subject: int = 0
    """The identity of the array that the error is about, where one is known."""


class UseAfterMoveError(OwnershipError):
    """An array or handle was used after its memory had been given away.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.ones(3)
    >>> y = oa.exp(oa.move(x))
    >>> try:
    ...     x + 1.0
    ... except oa.UseAfterMoveError as error:
    ...     print(error.slug)
    use-after-move
    """


class BorrowError(OwnershipError):
    """Memory was moved or updated while somebody else may read it, or by somebody who borrowed it.

    Examples
    --------
    >>> import numpy as np, ownarray as oa
    >>> x = oa.ones(3)
    >>> view = np.asarray(x)
    >>> try:
    ...     x += 1.0
    ... except oa.BorrowError as error:
    ...     print(error.slug)
    mutate-borrowed
    """


class SharedArrayError(OwnershipError):
    """One array stands at two paths of a tree that is moved.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.ones(3)
    >>> try:
    ...     oa.move((x, x))
    ... except oa.SharedArrayError as error:
    ...     print(error.slug)
    shared-array
    """


class DonationError(OwnershipError):
    """A consumed leaf found no output to live on in, where ``require_alias=True`` demands one.

    Examples
    --------
    >>> import ownarray as oa
    >>> total = oa.jit(lambda x: oa.sum(x), require_alias=True)
    >>> h = oa.move(oa.ones(3))
    >>> try:
    ...     total(h)
    ... except oa.DonationError as error:
    ...     print(error.slug)
    unused-donation
    >>> x = h.take()  # nothing was spent
    """


class MoveRequiredError(OwnershipError, TypeError):
    """A parameter that owns what it gets was passed something that is no handle.

    Examples
    --------
    >>> import ownarray as oa
    >>> @oa.jit
    ... def double(x: oa.Owned[oa.Array]) -> oa.Array:
    ...     return x * 2.0
    >>> try:
    ...     double(oa.ones(3))
    ... except oa.MoveRequiredError as error:
    ...     print(error.slug)
    needs-move
    """


class TraceError(RuntimeError):
    """A value was needed while a function was traced, or a traced value escaped its trace.

    Examples
    --------
    >>> import ownarray as oa
    >>> @oa.jit
    ... def f(x: oa.Array) -> oa.Array:
    ...     return x if x[0] > 0 else -x
    >>> try:
    ...     f(oa.ones(3))
    ... except oa.TraceError as error:
    ...     print("bool" in str(error))
    True
    """


class OutOfMemoryError(RuntimeError, MemoryError):
    """A computation or an array did not fit into memory.

    Examples
    --------
    >>> import ownarray as oa
    >>> issubclass(oa.OutOfMemoryError, MemoryError)
    True
    """


class BackendError(RuntimeError):
    """The compiler rejected or mishandled a program of ours: a bug in ownarray, never the user's.

    Attributes
    ----------
    program : str
        The text of the program, to be sent along with a bug report.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.BackendError("XLA rejected a program", "module {}").program
    'module {}'
    """

    def __init__(self, message: str, program: str = "") -> None:
        shown = f"{message}\nThe program was:\n{program}" if program else message
        super().__init__(shown)
        self.program = program


class Entry(NamedTuple):
    """One row of the catalogue."""

    slug: str
    error: type[OwnershipError]
    what: str
    fix: str


class Code(Enum):
    """One kind of ownership error: its slug, its class, what happened, and the cure.

    ``{name}`` is the variable where it is known (the checker) and a description such as
    ``this f32[3] array`` where it is not (the runtime). ``{at}`` is `` at file:line`` or empty.
    """

    USE_AFTER_MOVE = Entry(
        "use-after-move",
        UseAfterMoveError,
        "{name} was moved{at}",
        "use the result of the call that it was moved to, or move a copy: oa.copy(...)",
    )
    HANDLE_SPENT = Entry(
        "use-after-move",
        UseAfterMoveError,
        "{name} was used before{at}; a handle is spent once",
        "use the result of that call or take(), or make a new handle with oa.move(...)",
    )
    STATE_LOST = Entry(
        "use-after-move",
        UseAfterMoveError,
        "{name} was lost in a call that failed while it ran{at}",
        "restore it from a copy or a checkpoint",
    )
    MOVE_BORROWED = Entry(
        "move-borrowed",
        BorrowError,
        "{name} is borrowed here, so it cannot be moved",
        "move a copy (oa.copy(...)), or let the caller give it away: pass oa.move(...), declare"
        " the parameter Owned (compiled) or Moved (plain)",
    )
    HANDLE_TO_BORROWED = Entry(
        "move-borrowed",
        BorrowError,
        "{name} is a handle, but this parameter only borrows",
        "pass the array itself",
    )
    MOVE_FOREIGN = Entry(
        "move-borrowed",
        BorrowError,
        "{name} is memory of another library, so it cannot be moved",
        "move a copy: oa.copy(...)",
    )
    MOVED_WHILE_BORROWED = Entry(
        "moved-while-borrowed",
        BorrowError,
        "{name} cannot be moved while it is borrowed{at}",
        "copy there (np.array(x) in place of a view), or drop the view first",
    )
    MUTATE_BORROWED = Entry(
        "mutate-borrowed",
        BorrowError,
        "{name} cannot be updated while it is borrowed{at}",
        "copy there (np.array(x) in place of a view), or drop the view first",
    )
    MUTATE_LENT = Entry(
        "mutate-borrowed",
        BorrowError,
        "{name} was only lent to this function, so it cannot be updated here",
        "update a copy (oa.copy(...)), declare the parameter Mut, or let the caller pass"
        " oa.move(...)",
    )
    MUTATE_FOREIGN = Entry(
        "mutate-borrowed",
        BorrowError,
        "{name} is memory of another library, so it cannot be updated here",
        "update a copy: oa.copy(...)",
    )
    MUT_TWICE = Entry(
        "mutate-borrowed",
        BorrowError,
        "{name} is updated by this call, but it is also passed at a second place",
        "pass a copy (oa.copy(...)) at one of the two places",
    )
    IN_USE = Entry(
        "mutate-borrowed",
        BorrowError,
        "{name} is being updated by a running call{at}",
        "wait for that call, or lend it a copy: oa.copy(...)",
    )
    NEEDS_MOVE = Entry(
        "needs-move",
        MoveRequiredError,
        "{name} is passed to a parameter that owns it",
        "pass oa.move(...), also for fresh values",
    )
    OWNED_ON_PLAIN = Entry(
        "needs-move",
        MoveRequiredError,
        "{name} is declared Owned, but this function is not compiled, so nobody takes the handle",
        "declare it Moved[...] and call its take(), or compile the function with oa.jit",
    )
    NUMPY_NOT_OWNED = Entry(
        "needs-move",
        MoveRequiredError,
        "{name} is a NumPy array, which cannot be given away or updated in place",
        "make an array first: oa.asarray(...)",
    )
    SHARED_ARRAY = Entry(
        "shared-array",
        SharedArrayError,
        "the same array stands at {name} and at {other}",
        "copy the repeats with oa.dealias(tree) (this unties tied weights), or pass it once",
    )
    UNUSED_DONATION = Entry(
        "unused-donation",
        DonationError,
        "{name} is consumed, but no output can take its memory",
        "return a value of that shape and dtype, lend the argument, or drop require_alias=True",
    )
    LOST_WRITE = Entry(
        "lost-write",
        OwnershipError,
        "this writes into a temporary: {name} is a new array, not a view",
        "write with one index, as in x[0, 1] = 5",
    )

    @property
    def slug(self) -> str:
        """The heading in docs/errors.md and the type checker's error code."""
        return self.value.slug

    def message(self, name: str, *, at: str = "", other: str = "") -> str:
        """Return the full text: slug, what, where, and the cure."""
        where = f" at {at}" if at else ""
        what = self.value.what.format(name=name, at=where, other=other)
        return f"{self.slug}: {what}. Fix: {self.value.fix}."

    def exception(self, name: str, *, at: str = "", other: str = "") -> OwnershipError:
        """Return the error to raise."""
        error = self.value.error(self.message(name, at=at, other=other))
        error.slug = self.slug
        return error


SLUGS: Final[tuple[str, ...]] = tuple(dict.fromkeys(code.slug for code in Code))
