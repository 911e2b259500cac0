"""The tables of ownership: every cell is there, and the planner keeps its promises."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ownarray._errors import SLUGS, Code, OwnershipError
from ownarray._ownership import (
    BUG,
    EFFECT,
    REFUSED,
    RIGHTS,
    STEP,
    Effect,
    Event,
    Mode,
    Passed,
    Rights,
    State,
    plan_aliases,
)

DEAD = [state for state in State if state.is_dead]


@pytest.mark.parametrize(("state", "event"), [*itertools.product(State, Event)])
def test_every_step_is_a_state_an_error_or_unreachable(state: State, event: Event) -> None:
    step = STEP[state][event]
    assert isinstance(step, State | Code) or step is BUG


@pytest.mark.parametrize("state", DEAD)
@pytest.mark.parametrize("event", [Event.READ, Event.WRITE, Event.LEND, Event.EXCLUDE, Event.MOVE])
def test_no_use_of_a_dead_array_is_allowed(state: State, event: Event) -> None:
    step = STEP[state][event]
    assert isinstance(step, Code)
    assert step.slug == "use-after-move"


@pytest.mark.parametrize("event", Event)
def test_nothing_revives_a_dead_array(event: Event) -> None:
    for state in DEAD:
        step = STEP[state][event]
        assert not isinstance(step, State) or step.is_dead


def test_only_an_owned_array_can_be_moved_or_updated() -> None:
    for event, after in ((Event.MOVE, State.MOVED), (Event.WRITE, State.OWNED)):
        allowed = [state for state in State if isinstance(STEP[state][event], State)]
        assert allowed == [State.OWNED]
        assert STEP[State.OWNED][event] is after


def test_a_handle_is_spent_once() -> None:
    assert STEP[State.MOVED][Event.SPEND] is State.SPENT
    assert STEP[State.SPENT][Event.SPEND] is Code.HANDLE_SPENT


@pytest.mark.parametrize(("mode", "passed"), [*itertools.product(Mode, Passed)])
def test_every_way_of_passing_has_an_effect(mode: Mode, passed: Passed) -> None:
    assert isinstance(EFFECT[mode, passed], Effect | Code)


def test_an_owning_parameter_takes_nothing_but_handles() -> None:
    assert EFFECT[Mode.OWNED, Passed.HANDLE] is Effect.CONSUME
    for passed in (Passed.ARRAY, Passed.NUMPY):
        code = EFFECT[Mode.OWNED, passed]
        assert isinstance(code, Code)
        assert code.slug == "needs-move"


def test_every_effect_grants_rights_and_read_only_grants_least() -> None:
    assert set(RIGHTS) == set(Effect)
    refused = Counter(rights for rights, _ in REFUSED)
    assert refused == {Rights.READ: 2, Rights.UPDATE: 1}


@pytest.mark.parametrize("code", Code)
def test_messages_say_what_where_and_the_cure(code: Code) -> None:
    error = code.exception("x", at="train.py:12", other="y")
    assert isinstance(error, OwnershipError)
    assert str(error).startswith(f"{code.slug}: ")
    assert "Fix: " in str(error)
    assert "{" not in str(error)
    assert error.slug in SLUGS


def test_each_slug_has_one_class() -> None:
    for slug in SLUGS:
        assert len({code.value.error for code in Code if code.slug == slug}) == 1


def test_pairs_by_path_before_order() -> None:
    plan = plan_aliases(
        [(0, "k"), (1, "k")],
        ["k", "k"],
        donor_paths=[[("['b']",)], [("['a']",)]],
        out_paths=[("['a']",), ("['b']",)],
    )
    assert plan.donor_of == (1, 0)


def test_pinned_pairs_are_kept() -> None:
    plan = plan_aliases([(3, "k")], ["k", "k"], pinned={0: 7})
    assert plan.donor_of == (7, 3)
    assert plan.freed == ()


KINDS = st.sampled_from(["f32[3]", "f32[4]", "i32[]"])


@given(st.lists(KINDS, max_size=8), st.lists(KINDS, max_size=8))
def test_every_donor_is_paired_once_with_its_kind_or_freed(
    donors: list[str], outs: list[str]
) -> None:
    plan = plan_aliases(list(enumerate(donors)), outs)
    paired = [donor for donor in plan.donor_of if donor is not None]
    assert sorted([*paired, *plan.freed]) == list(range(len(donors)))
    for out, donor in enumerate(plan.donor_of):
        assert donor is None or donors[donor] == outs[out]
    # No pair was missed: what is freed has no open output of its kind.
    open_kinds = {outs[out] for out, donor in enumerate(plan.donor_of) if donor is None}
    assert not open_kinds & {donors[donor] for donor in plan.freed}
