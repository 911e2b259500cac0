"""The control flow graph of one function, and the builder with one method for each kind of flow.

A ``finally`` body is emitted once for each way out of its ``try``. Inside a ``try``, every point
that may raise gets an edge to the handlers; outside, an exception leaves the function and no
edge is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ownarray._checker.events import Event, Exit

Emit: TypeAlias = Callable[[], None]


class Block:
    """Events without a branch, and what may come next."""

    __slots__ = ("events", "index", "preds", "succ")

    def __init__(self, index: int) -> None:
        self.index = index
        self.events: list[Event] = []
        self.succ: list[Block] = []
        self.preds = 0


@dataclass(slots=True)
class _Loop:
    out: Block
    top: Block
    finals: int
    reached: bool = False


@dataclass(slots=True)
class _Final:
    emit: Emit
    handlers: int


@dataclass(slots=True)
class Graph:
    """A graph under construction; ``here`` is None where control cannot come."""

    blocks: list[Block] = field(default_factory=list)
    here: Block | None = None
    _loops: list[_Loop] = field(default_factory=list)
    _handlers: list[list[Block]] = field(default_factory=list)
    _finals: list[_Final] = field(default_factory=list)
    exit: Block | None = None

    def __post_init__(self) -> None:
        self.here = self._new()

    @property
    def entry(self) -> Block:
        """Where control enters."""
        return self.blocks[0]

    def add(self, event: Event) -> None:
        """Let an event happen here."""
        if self.here is not None:
            self.here.events.append(event)

    def may_raise(self) -> None:
        """Let an exception leave from here, before what follows."""
        if self._handlers and self.here is not None and self._handlers[-1]:
            for handler in self._handlers[-1]:
                _edge(self.here, handler)
            self._go_on()

    def _go_on(self) -> None:
        new = self._new()
        _edge(self.here, new)
        self.here = new

    def branch(self, *arms: Emit) -> None:
        """Go one of several ways."""
        start, end = self.here, self._new()
        if start is None:
            return
        for arm in arms:
            self.here = self._new()
            _edge(start, self.here)
            arm()
            _edge(self.here, end)
        self.here = end if end.preds else None

    def loop(self, head: Emit, body: Emit, orelse: Emit, *, endless: bool = False) -> None:
        """Evaluate head; then either do body and come back, or do orelse and leave."""
        if self.here is None:
            return
        top, after, out = self._new(), self._new(), self._new()
        _edge(self.here, top)
        self.here = top
        self._loops.append(_Loop(out, top, len(self._finals)))
        head()
        if not endless:
            _edge(self.here, after)
        if self.here is not None:
            self._go_on()
            body()
            _edge(self.here, top)
        self._loops.pop()
        self.here = after if after.preds else None
        orelse()
        _edge(self.here, out)
        self.here = out if out.preds else None

    def leave(self) -> None:
        """Return from the function, through every ``finally``."""
        self._run_finals(0)
        if self.exit is None:
            self.exit = self._new()
            self.exit.events.append(Exit())
        _edge(self.here, self.exit)
        self.here = None

    def fail(self) -> None:
        """Raise an exception."""
        self.may_raise()
        self.here = None

    def leave_loop(self, *, again: bool) -> None:
        """Break, or continue with the next round."""
        if self._loops:
            loop = self._loops[-1]
            self._run_finals(loop.finals)
            _edge(self.here, loop.top if again else loop.out)
        self.here = None

    def attempt(
        self, body: Emit, handlers: Sequence[Emit], orelse: Emit, final: Emit | None
    ) -> None:
        """Do ``try``."""
        if self.here is None:
            return
        depth = len(self._handlers)
        raised = None
        if final is not None:
            raised = self._new()
            self._finals.append(_Final(final, depth))
            self._handlers.append([raised])
        ends = self._guarded(body, handlers, orelse)
        if final is not None and raised is not None:
            self._finals.pop()
            self._handlers.pop()
            if raised.preds:
                self.here = raised
                final()
                self.fail()
        self._meet(ends)
        if final is not None and self.here is not None:
            final()

    def _guarded(self, body: Emit, handlers: Sequence[Emit], orelse: Emit) -> list[Block | None]:
        starts = [self._new() for _ in handlers]
        if handlers:
            outer = self._handlers[-1] if self._handlers else []
            self._handlers.append([*starts, *outer])
        self.may_raise()
        body()
        if handlers:
            self._handlers.pop()
        orelse()
        ends = [self.here]
        for start, handler in zip(starts, handlers, strict=True):
            self.here = start if start.preds else None
            handler()
            ends.append(self.here)
        return ends

    def _meet(self, ends: Sequence[Block | None]) -> None:
        out = self._new()
        for end in ends:
            _edge(end, out)
        self.here = out if out.preds else None

    def _run_finals(self, depth: int) -> None:
        finals, handlers = self._finals, self._handlers
        for i in range(len(finals) - 1, depth - 1, -1):
            if self.here is None:
                break
            self._finals = finals[:i]
            self._handlers = handlers[: finals[i].handlers]
            finals[i].emit()
        self._finals, self._handlers = finals, handlers

    def _new(self) -> Block:
        block = Block(len(self.blocks))
        self.blocks.append(block)
        return block


def simplify(graph: Graph) -> None:
    """Merge blocks that always follow one another, and jump over empty ones."""
    for block in graph.blocks:
        block.succ = [_skip_empty(succ, graph) for succ in block.succ]
        if len(block.succ) > 1:
            block.succ = list(dict.fromkeys(block.succ))
    counts = dict.fromkeys(graph.blocks, 0)
    todo, seen = [graph.entry], {graph.entry}
    while todo:
        for succ in todo.pop().succ:
            counts[succ] += 1
            if succ not in seen:
                seen.add(succ)
                todo.append(succ)
    for block in graph.blocks:
        while block in seen and len(block.succ) == 1:
            (only,) = block.succ
            if counts[only] != 1 or only is graph.exit or only is graph.entry:
                break
            block.events = block.events + only.events
            block.succ = only.succ
            seen.discard(only)
    graph.blocks = [block for block in graph.blocks if block in seen]


def _skip_empty(block: Block, graph: Graph) -> Block:
    met = set()
    while not block.events and len(block.succ) == 1 and block not in met:
        if block is graph.exit:
            break
        met.add(block)
        (block,) = block.succ
    return block


def _edge(start: Block | None, end: Block) -> None:
    if start is not None and end not in start.succ:
        start.succ.append(end)
        end.preds += 1


def nothing() -> None:
    """Do nothing: the arm of a branch that is not taken."""
