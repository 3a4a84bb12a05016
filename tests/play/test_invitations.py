from __future__ import annotations

import re

from ludoteca import games
from ludoteca.play.match import Match
from ludoteca.play.store import Store
from ludoteca.play.store.invitations import Invitation, plain_code


def invited(store: Store, name: str = "match", host: str = "ada") -> tuple[int, Invitation]:
    run = store.people_run("page").id
    store.people.open(run, Match(games.game("hex:size=2"), 1).record(), name, host)
    new = Invitation.new(name, host, 1)
    store.invitations.add(run, new)
    return run, new


def test_an_invitation_is_found_by_what_its_links_hold_and_by_its_code() -> None:
    with Store(":memory:") as store:
        run, new = invited(store)
        assert new.token and new.code and len({new.token, new.code, new.watch}) == 3
        known = store.invitations
        assert known.by_token(run, new.token) == known.by_code(run, new.code) == known.by_watch(run, new.watch) == new
        assert known.of_match(run, "match") == new
        # What opens one door opens no other.
        assert known.by_token(run, new.watch) is None and known.by_watch(run, new.token) is None
        assert known.by_token(run, new.code) is None and known.by_token(run, "") is None


def test_a_seat_is_taken_once_and_by_another_than_the_host() -> None:
    with Store(":memory:") as store:
        run, new = invited(store)
        assert new.token is not None and new.code is not None
        assert store.invitations.take(run, new.token, "ada") is None
        taken = store.invitations.take(run, new.token, "bob")
        assert taken is not None and taken.guest == "bob" and taken.token is None and taken.code is None
        assert store.invitations.take(run, new.token, "eve") is None
        assert store.invitations.by_token(run, new.token) is None
        assert store.invitations.by_code(run, new.code) is None
        assert store.invitations.of_match(run, "match") == taken


def test_a_guest_finds_the_match_among_their_own_and_cannot_take_it_away() -> None:
    with Store(":memory:") as store:
        run, new = invited(store)
        assert new.token is not None
        store.invitations.take(run, new.token, "bob")
        assert [each.name for each in store.people.of_owner(run, "bob", guest=True)] == ["match"]
        assert store.people.of_owner(run, "bob") == [] == store.people.of_owner(run, "eve", guest=True)
        store.people.remove(run, "match", "bob")
        assert store.invitations.of_match(run, "match") is not None
        store.people.remove(run, "match", "ada")
        assert store.invitations.of_match(run, "match") is None, "and its links lead nowhere"


def test_codes_can_be_read_out_and_typed_as_one_likes() -> None:
    codes = {str(Invitation.new("x", "y", 0).code) for _ in range(200)}
    assert len(codes) == 200 and all(re.fullmatch("[2-9A-HJKMNP-Z]{8}", code) for code in codes)
    assert plain_code("abcd 2345") == plain_code("ABCD-2345") == "ABCD2345"
