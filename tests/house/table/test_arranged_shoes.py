"""Practice spots: the arranged cards, then random ones, for one labeled round."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from tests.clauses.one_line_rounds import CMS, LAS, MHL
from tests.house.table.kit import SUPERVISOR, Live, by
from tests.house.table.test_floor import cut_card_sheet
from tests.house.table.test_shoes import VAULT, real
from tests.house.table.visible_cards import for_viewer

from pitbook.cards import DECK, names
from pitbook.house.table.apply_facts import replay
from pitbook.house.table.commands import (
    Arrange,
    ChangeSheet,
    CloseBetting,
    Command,
    Decide,
    Leave,
    PutWager,
    Sit,
)
from pitbook.house.table.decide import opening_facts
from pitbook.house.table.state import restore, snapshot
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.rules.refusals import Code
from pitbook.rules.stored_rounds import store
from pitbook.sheets.model import Sheet
from pitbook.shoe.proof import build_revealed_proof
from pitbook.shoe.stored_shoe import ShoeRecord
from pitbook.shoe.verify import verify

ANN, CROWD = Viewer("ann", "player"), Viewer("", "spectator")
SPOT = Arrange(1, "Qs Jd", "7h", stage=1, round="t1-000004")
SPOTS: list[tuple[Sheet, Arrange, dict[str, int], tuple[str, ...]]] = [
    (CMS, Arrange(1, "Qs Jd"), {"ante": 10}, ("1x", "1x", "1x")),
    (CMS, SPOT, {"ante": 10}, ("1x", "1x", "1x")),
    (CMS, Arrange(1, "2s 2d", "2h 2c", 2), {"ante": 10}, ("3x", "3x", "3x")),
    (LAS, Arrange(1, "Qs Jd", "7h", 1), {"ante": 5, "three-up": 5, "stax": 5}, ("1x", "1x", "1x")),
    (MHL, Arrange(1, "Qs Qs Qs"), {"bet": 10}, ("low",)),
]


def practice(sheet: Sheet = CMS, **choice: Any) -> Live:
    """Ann's own table with real shoes."""
    live = Live(sheet, "practice", owner="ann")
    live.env = real(live, **choice)  # type: ignore[assignment]
    opening = opening_facts(
        table="t1", kind="practice", unit="play", sheet=sheet, env=live.env, owner="ann"
    )
    live.facts = list(opening)
    live.state = replay(opening)
    return live.seat(1, "ann")


@pytest.mark.parametrize(("sheet", "spot", "wagers", "plays"), SPOTS, ids=range(len(SPOTS)))
def test_round_begins_with_the_arranged_cards(
    sheet: Sheet, spot: Arrange, wagers: dict[str, int], plays: tuple[str, ...]
) -> None:
    live = practice(sheet).do("ann", spot)
    for wager, dollars in wagers.items():
        live.do("ann", PutWager(1, wager, Cents(dollars * 100)))
    live.do("ann", CloseBetting())
    seat = live.round.seat(1)
    assert seat is not None
    assert names(seat.cards) == spot.hand
    for play in plays:
        if live.round.stage == spot.stage:
            assert names(live.round.board) == spot.board
        live.do("ann", Decide(1, play))
    assert live.round.ending == "settled"
    every = (*seat.cards, *live.round.board)
    assert max(Counter(every).values()) <= sheet.deck.decks
    live.sound()


@pytest.mark.long
def test_cards_after_the_spot_are_random() -> None:
    """Over 120 rounds the open cards vary and never repeat the spot's."""
    live = practice()
    ends = Counter[str]()
    for _ in range(120):
        live.do("ann", SPOT).seat(1, "ann", ante=5).do("ann", CloseBetting())
        live.do("ann", Decide(1, "1x"), Decide(1, "1x"), Decide(1, "1x"))
        assert names(live.round.board[:1]) == "7h"
        ends.update(names([card]) for card in live.round.board[1:])
        if live.wallet("ann") < 100:
            live.do("ann", Leave(1)).do("ann", Sit(1))
            live = live if live.wallet("ann") >= 100 else practice()
    assert set(ends).isdisjoint({"Qs", "Jd", "7h"})
    assert len(ends) > 35  # Of 49; fewer than 36 in 240 draws would be a marvel.
    assert set(ends) <= {names([card]) for card in DECK}


def test_arranged_shoe_is_labeled_and_lasts_one_round() -> None:
    live = practice()
    first = live.state.shoe
    assert first is not None
    live.do("ann", SPOT)
    where = {"seat": 1, "stage": 1, "round": "t1-000004"}
    assert [fact["fact"] for fact in live.facts_json[-2:]] == ["shoe-revealed", "shoe-opened"]
    assert live.facts_json[-2]["id"] == first["id"]
    assert live.facts_json[-1]["record"]["kind"] == "arranged"
    event = for_viewer(live.events[-1], CROWD)
    assert event.body["shoe"]["kind"] == "arranged"
    assert event.body["spot"] == where
    view: Any = table_view(live.state, ANN, live.env.wallet)
    assert (view["shoe"]["kind"], view["spot"], view["arranged"]) == ("arranged", where, None)
    live.seat(1, "ann", ante=10).do("ann", CloseBetting())
    assert table_view(live.state, ANN, live.env.wallet)["arranged"] == where
    live.do("ann", Decide(1, "fold"))
    view = table_view(live.state, ANN, live.env.wallet)
    assert (view["phase"], view["arranged"], view["spot"]) == ("over", where, None)
    assert view["shoe"]["kind"] == "committed"
    live.seat(1, "ann", ante=10)
    assert table_view(live.state, ANN, live.env.wallet)["arranged"] is None
    assert restore(json.loads(json.dumps(snapshot(live.state)))) == live.state


def test_arranged_shoe_ends_despite_a_cut_card() -> None:
    live = practice(cut_card_sheet())
    live.do("ann", Arrange(1, "Qs Qs Qs")).seat(1, "ann", bet=10)
    live.do("ann", CloseBetting(), Decide(1, "low"))
    assert live.state.shoe is not None
    assert live.state.shoe["kind"] == "committed"


def test_arranged_round_can_be_verified_and_names_its_chosen_cards() -> None:
    live = practice().do("ann", SPOT)
    assert live.state.shoe is not None
    record = ShoeRecord.of(live.state.shoe)
    live.seat(1, "ann", ante=10).do("ann", CloseBetting())
    live.do("ann", *(Decide(1, "1x") for _ in range(3)))
    stored = store(live.round, live.state.actions)
    document = build_revealed_proof(
        record, VAULT, seat_seeds={}, drawn=0, round=stored, round_id="t1-000001"
    )
    assert document["shoe"]["kind"] == "arranged"
    assert document["shoe"]["chosen"] == ["7h", None, None, "Qs", "Jd"]
    assert verify(document).differences == ()


def test_arranged_cards_are_hidden_until_dealt() -> None:
    live = practice().do("ann", SPOT)
    text = json.dumps([fact for fact in live.facts_json if fact["fact"] != "shoe-opened"])
    text += json.dumps([for_viewer(event, ANN).body for event in live.events])
    text += json.dumps(table_view(live.state, CROWD, live.env.wallet))
    assert not any(name in text for name in ("Qs", "Jd", "7h"))
    assert "Qs" not in json.dumps(live.facts_json[-1])


def test_arranging_no_hand_restores_an_ordinary_shoe() -> None:
    live = practice().do("ann", SPOT, Arrange(1))
    assert live.state.spot is None
    assert live.state.shoe is not None
    assert live.state.shoe["kind"] == "committed"


def test_no_other_seat_is_dealt_in() -> None:
    live = practice(MHL).do("ann", Sit(2)).do("ann", Arrange(2, "Qs Qs Qs"))
    offer = next(
        offer
        for offer in table_view(live.state, ANN, live.env.wallet)["offers"]
        if offer["do"] == "put-wager"
    )
    assert offer["refused"]["message"] == (
        "This practice hand is for seat 2. No other seat is dealt in."
    )
    live.seat(2, "ann", bet=10).do("ann", CloseBetting())
    assert [seat.number for seat in live.round.seats] == [2]


def test_rule_change_ends_an_arranged_shoe() -> None:
    live = practice().do("ann", SPOT).do(SUPERVISOR, ChangeSheet(dump_sheet(LAS)))
    live.seat(1, "ann", ante=5)
    assert live.state.spot is None
    assert live.state.arranged is None


REFUSED: list[tuple[Command, Code, str]] = [
    (Arrange(1, "Qs"), Code.CARDS_UNKNOWN, "The hand needs 2 cards, but 1 were given."),
    (
        Arrange(1, "Qs Jd", "7h"),
        Code.CARDS_UNKNOWN,
        "has 0 face-up cards before that decision, but 1 were given",
    ),
    (
        Arrange(1, "Qs Jd", "7h 8h", 1),
        Code.CARDS_UNKNOWN,
        "has 1 face-up cards before that decision, but 2 were given",
    ),
    (Arrange(1, "Qs Qs"), Code.NO_SUCH_CARD, "Qs is chosen one time too many"),
    (Arrange(1, "Qs Xx"), Code.NO_SUCH_CARD, '"Xx" is not a card'),
    (Arrange(1, "Qs Jd", stage=3), Code.NOT_NOW, "There is no decision 3. Choose 0 to 2."),
    (Arrange(1, "Qs Jd", stage=-1), Code.NOT_NOW, "There is no decision -1"),
    (Arrange(2, "Qs Jd"), Code.FORBIDDEN, "ann is not in seat 2"),
]


@pytest.mark.parametrize(("command", "code", "message"), REFUSED, ids=range(len(REFUSED)))
def test_invalid_spot_is_refused(command: Command, code: Code, message: str) -> None:
    refusal = practice().no("ann", command)
    assert refusal.code == code
    assert message in refusal.message


def test_only_the_owner_arranges_a_spot_between_practice_rounds() -> None:
    live = practice().seat(1, "ann", ante=10)
    assert live.no("ann", SPOT).code == Code.NOT_NOW
    live.do("ann", CloseBetting())
    assert live.no("ann", SPOT).code == Code.NOT_NOW
    assert "Only ann, whose table this is, can do this" in live.no("bob", SPOT).message
    for who in (by("dee", "dealer"), by("sue", "supervisor")):
        assert live.no(who, SPOT).code == Code.FORBIDDEN
    for kind, called in (("house", "Pitbook-dealt"), ("typed", "dealer-run")):
        refusal = Live(CMS, kind).seat(1, "ann").no("ann", SPOT)
        assert refusal.message == f'"arrange" is not available at a {called} table.'
