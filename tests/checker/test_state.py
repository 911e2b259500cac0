"""The state: places, aliases, shallow copies, joins."""

from ownarray._checker.places import ANY, GUESS, MAY, SURE, Place, Pos, Site, Star, match
from ownarray._checker.state import State

X, Y, Z, BOX = (1,), (2,), (3,), (4,)
POS = Pos(1, 0, 1, 1)


def site(place: Place) -> Site:
    return Site(POS, "x", place)


def dead(state: State, place: Place, *, whole: bool = True) -> bool:
    return bool(state.deaths(place, whole=whole))


def test_match_tells_certain_from_possible() -> None:
    assert match((1, ".w"), (1, ".w", ".x")) == (SURE, None, False)
    assert match((1, ANY), (1, "[0]")) == (GUESS, None, False)
    assert match((1, "[1:]"), (1, "[2]")) == (MAY, None, False)
    assert match((1, "[1:]"), (1, "[0]")) is None
    assert match((1, "[0]"), (1, "[1]")) is None
    assert match((1, Star(frozenset({".w"}))), (1, ".w")) is None
    assert match((1, Star(frozenset())), (1, ".w")) == (SURE, ".w", True)


def test_a_move_kills_aliases_and_no_third_party() -> None:
    state = State()
    state.add_alias(X, Y, MAY)
    state.add_alias(Y, Z, MAY)
    state.give_away(X, site(X))
    assert dead(state, X)
    assert dead(state, Y)
    assert not dead(state, Z)


def test_parts_die_with_the_whole_and_the_whole_is_touched_by_parts() -> None:
    state = State()
    state.attach((*BOX, ".w"), X)
    state.give_away(X, site(X))
    assert dead(state, (*BOX, ".w"))
    assert dead(state, BOX)
    assert not dead(state, BOX, whole=False)
    assert not dead(state, (*BOX, ".b"))
    state.store((*BOX, ".w"), None)
    assert not dead(state, BOX)
    assert dead(state, X)


def test_shallow_copies_differ_where_one_is_changed() -> None:
    state = State()
    state.share_parts(Y, X, frozenset())
    state.store((*Y, "['w']"), None)
    state.give_away((*X, "['w']"), site(X))
    assert not dead(state, Y)
    state.give_away((*X, "['b']"), site(X))
    assert dead(state, (*Y, "['b']"))


def test_a_join_keeps_what_may_be() -> None:
    left, right = State(), State()
    left.give_away(X, site(X))
    right.add_alias(X, Y, SURE)
    assert left.join(right)
    assert dead(left, X)
    assert left.aliases(X) == {Y: MAY}
    assert not left.join(right)


def test_a_changed_index_means_some_other_part() -> None:
    state = State()
    state.give_away((*X, "[i]"), site(X))
    state.forget_index(frozenset({"[i]"}))
    assert not dead(state, (*X, "[i]"))
    assert dead(state, X)
