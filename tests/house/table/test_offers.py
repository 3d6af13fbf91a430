"""Offers match `decide`, including its refusals."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.house.table.accepted_commands import tried_offers
from tests.house.table.kit import DEALER, START, SUPERVISOR, Live
from tests.house.table.test_properties import PLAYERS, play_random
from tests.house.table.toy_family import FAMILY as TOYS
from tests.house.table.toy_family import GAMES, toy_sheet
from tests.lanes import examples
from tests.random_sheets.sheets import sheets
from tests.red_dog import FAMILY as RED_DOG
from tests.red_dog.conftest import SHEET as RED_DOG_SHEET
from tests.rules.random_rounds import known_sheets

import pitbook
from pitbook.house.people.names import name_key
from pitbook.house.people.roster import Exclusion
from pitbook.house.table import commands
from pitbook.house.table.betting import CHANGES_MAX
from pitbook.house.table.decide import Decision
from pitbook.house.table.offers import offers
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.sheets.family_registry import known_families, register
from pitbook.sheets.model import Sheet

VIEWERS = (
    *(Viewer(name, "player") for name in (*PLAYERS, "eve")),
    Viewer("dee", "dealer"),
    Viewer("sue", "supervisor"),
    Viewer("abe", "spectator"),
)
KINDS = ("practice", "house", "house", "typed")


@pytest.fixture(autouse=True, scope="module")
def register_toys() -> Iterator[None]:
    register(RED_DOG)
    register(TOYS)
    yield
    del known_families()[RED_DOG.name]
    del known_families()[TOYS.name]


def assert_same_offers(live: Live, viewer: Viewer) -> None:
    offered = offers(live.state, viewer, live.env.wallet, live.env.access_list())
    tried = tried_offers(live.state, viewer, live.env)
    assert offered == tried
    assert [list(offer) for offer in offered] == [list(offer) for offer in tried]


def exclude(live: Live, name: str | None) -> None:
    """Exclude a player, or no one."""
    exclusion = Exclusion(name or "", START.date().isoformat(), "UTC", "", "sue", "")
    excluded = {} if name is None else {name_key(name): exclusion}
    live.env.roster = live.env.roster._replace(excluded=excluded)


def check_offers(sheet: Sheet, kind: str, seed: int, steps: int) -> None:
    """Random play; after each step some viewers' offers are compared with `decide`."""
    luck, live = Random(seed), None
    for live, _ in play_random(sheet, kind, seed, steps):
        if luck.random() < 0.1:
            exclude(live, luck.choice((None, *PLAYERS)))
        for viewer in luck.sample(VIEWERS, 2):
            assert_same_offers(live, viewer)
    assert live is not None
    for by in (SUPERVISOR, commands.By("ann", "player")):
        if isinstance(decided := live.ask(by, commands.Retire()), Decision):
            live.take(decided)
        assert_same_offers(live, VIEWERS[0])


seeds = st.tuples(st.sampled_from(KINDS), st.integers(0, 10**9))
calmly = [HealthCheck.too_slow, HealthCheck.data_too_large]


@pytest.mark.long
@settings(max_examples=examples(12, 60))
@given(st.sampled_from(known_sheets()), seeds)
def test_offers_match_decide(sheet: Sheet, how: tuple[str, int]) -> None:
    check_offers(sheet, *how, steps=50)


@pytest.mark.long
@settings(max_examples=examples(5, 40), suppress_health_check=calmly)
@given(sheets(), seeds)
def test_offers_of_random_sheets_match_decide(sheet: Sheet, how: tuple[str, int]) -> None:
    check_offers(sheet, *how, steps=40)


@pytest.mark.long
@settings(max_examples=examples(8, 40))
@given(st.sampled_from((*GAMES, "red-dog")), seeds)
def test_offers_of_other_families_match_decide(game: str, how: tuple[str, int]) -> None:
    sheet = pitbook.load(str(RED_DOG_SHEET)) if game == "red-dog" else toy_sheet(game)
    check_offers(sheet, *how, steps=50)


# What random play seldom comes to ----------------------------------------------------------------


def stud(kind: str = "house") -> Live:
    return Live(pitbook.load("catfish-bend/mississippi-stud"), kind, owner="ann")


def all_the_same(live: Live) -> None:
    for viewer in VIEWERS:
        assert_same_offers(live, viewer)


def test_seat_over_its_change_limit_is_offered_no_change() -> None:
    live = stud().seat(1, "ann", ante=10)
    for number in range(CHANGES_MAX - 1):
        live.do("ann", commands.PutWager(1, "ante", Cents(1500 - 500 * (number % 2))))
    all_the_same(live)
    offer = offers(live.state, VIEWERS[0], live.env.wallet)[0]
    assert offer["do"] == "put-wager"
    message = offer["refused"]["message"]
    assert (
        message
        == f"Seat 1 has changed its bets {CHANGES_MAX} times. They now stay until the next round."
    )


@pytest.mark.parametrize("amount", ["9.99", "10", "15", "20", "39.99", "40", "60"])
def test_offers_respect_the_players_balance(amount: str) -> None:
    live = stud().seat(1, "ann", amount)
    all_the_same(live)
    if amount != "9.99":
        live.do("ann", commands.PutWager(1, "ante", Cents(1000)))
        all_the_same(live)
        live.do(DEALER, commands.CloseBetting())
        all_the_same(live)


@pytest.mark.parametrize("amount", ["29.99", "30", "45", "60"])
def test_linked_wagers_must_be_covered(amount: str) -> None:
    live = Live(toy_sheet("let-it-ride")).seat(1, "ann", amount)
    all_the_same(live)
    if amount != "29.99":
        live.do("ann", commands.PutWager(1, "ante", Cents(1000)))
        all_the_same(live)


@pytest.mark.parametrize("name", [*PLAYERS[:2], None])
def test_offers_match_decide_for_excluded_players(name: str | None) -> None:
    live = stud().seat(1, "ann", ante=10).seat(2, "bob")
    exclude(live, name)
    all_the_same(live)
    live.do(DEALER, commands.CloseBetting())
    all_the_same(live)


@pytest.mark.parametrize("kind", ["house", "typed"])
def test_interrupted_hand_offers_only_its_answers(kind: str) -> None:
    live = stud(kind).seat(1, "ann", ante=10).seat(2, "bob", ante=10)
    live.do(DEALER, commands.CloseBetting()).do(SUPERVISOR, commands.Interrupt("alarm"))
    all_the_same(live)
    live.restart()
    all_the_same(live)


@pytest.mark.long
def test_no_round_opens_without_a_shuffler() -> None:
    for sheet in known_sheets():
        live = Live(sheet, owner="ann")
        live.seat(1, "ann", "5000").do(DEALER, commands.ShufflerFailed())
        all_the_same(live)


def test_retired_table_offers_nothing() -> None:
    live = stud().do(SUPERVISOR, commands.Retire())
    assert [offers(live.state, viewer, live.env.wallet) for viewer in VIEWERS] == [[]] * len(
        VIEWERS
    )
