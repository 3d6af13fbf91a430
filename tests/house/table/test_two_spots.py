"""MHL-15 the other way: a player of two spots sees the second hand when the first is declared."""

from __future__ import annotations

import pytest
from tests.clauses.one_line_rounds import MHL, with_field
from tests.house.table.kit import DEALER, Live, top

from pitbook.house.table import facts
from pitbook.house.table.apply_facts import replay
from pitbook.house.table.commands import CLOCK, CloseBetting, Decide, Tick, TypeCard
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.rules.actions import Decide as Declared
from pitbook.rules.actions import Turn
from pitbook.rules.refusals import Code
from pitbook.sheets.model import Sheet

ONE_BY_ONE = with_field(MHL, "declare.sees_all_spots", False)
HELD = "2c 3d 4h 9c 9d 9h 5c 5d 5h"


def three(sheet: Sheet, kind: str = "house") -> Live:
    """Ann has spots 1 and 2, Bob has spot 3."""
    live = Live(sheet, kind)
    live.env.top = top(HELD)
    live.seat(1, "ann", bet=10).seat(2, "ann", bet=10).seat(3, "bob", bet=10)
    return live.do(DEALER, CloseBetting())


def visible_cards_by_seat(live: Live, player: str) -> dict[int, list[str | None]]:
    view = table_view(live.state, Viewer(player, "player"), live.env.wallet)
    return {seat["seat"]: seat["cards"] for seat in view["seats"] if "cards" in seat}


def waiting(live: Live) -> list[int]:
    view = table_view(live.state, Viewer("eve", "spectator"), live.env.wallet)
    return [seat["seat"] for seat in view["seats"] if seat.get("waiting")]


def offered_seats(live: Live, player: str) -> dict[int, bool]:
    view = table_view(live.state, Viewer(player, "player"), live.env.wallet)
    plays = [offer for offer in view["offers"] if offer["do"] == "decide"]
    return {offer["seat"]: "refused" not in offer["choices"][0] for offer in plays}


def test_mhl_15_both_hands_are_seen_at_once() -> None:
    live = three(MHL)
    assert visible_cards_by_seat(live, "ann") == {
        1: ["2c", "3d", "4h"],
        2: ["9c", "9d", "9h"],
        3: [None] * 3,
    }
    assert offered_seats(live, "ann") == {1: True, 2: True}
    live.do("ann", Decide(2, "high"), Decide(1, "low")).do("bob", Decide(3, "low"))
    assert live.round.phase == "over"


def test_mhl_15_house_may_show_the_second_hand_after_the_first_declaration() -> None:
    live = three(ONE_BY_ONE)
    assert visible_cards_by_seat(live, "ann") == {
        1: ["2c", "3d", "4h"],
        2: [None] * 3,
        3: [None] * 3,
    }
    # Another player does not wait.
    assert visible_cards_by_seat(live, "bob")[3] == ["5c", "5d", "5h"]
    assert offered_seats(live, "ann") == {1: True, 2: False}
    assert waiting(live) == [1, 3]
    refusal = live.no("ann", Decide(2, "high"))
    assert (refusal.code, refusal.clause) == (Code.NOT_NOW, "MHL-15")
    assert refusal.message == "Play seat 1 first. Seat 2's hand is shown after it."
    live.do("ann", Decide(1, "low"))
    assert visible_cards_by_seat(live, "ann")[2] == ["9c", "9d", "9h"]
    assert offered_seats(live, "ann") == {1: False, 2: True}
    assert waiting(live) == [2, 3]
    live.do("bob", Decide(3, "low")).do("ann", Decide(2, "high"))
    assert live.round.phase == "over"
    live.sound()


def test_mhl_15_the_deal_says_which_hand_is_the_first() -> None:
    live = three(with_field(ONE_BY_ONE, "deal.direction", "right-to-left"))
    assert live.no("ann", Decide(1, "low")).message.startswith("Play seat 2 first")
    live.do("ann", Decide(2, "low"), Decide(1, "low"))


def test_gen_10_clock_plays_a_closed_second_hand() -> None:
    live = three(ONE_BY_ONE).later(60).do(CLOCK, Tick())
    assert live.round.phase == "over"
    assert [seat.plays for seat in live.round.seats] == [("low",), ("high",), ("high",)]
    live.sound()


def test_mhl_15_cards_are_typed_in_that_order_at_a_dealt_table() -> None:
    live = three(ONE_BY_ONE, "typed")
    (card,) = top("9c")
    assert live.no(DEALER, TypeCard(2, card)).clause == "MHL-15"
    live.do(DEALER, Decide(1, "low"), TypeCard(2, card))


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_older_round_with_both_hands_seen_is_read(
    order: tuple[int, int],
) -> None:
    live = three(ONE_BY_ONE)
    happened = [*live.facts, *(facts.Acted(Turn(2, card_)) for card_ in top("9c 9d 9h"))]
    happened += [facts.Acted(Declared(number, "low")) for number in order]
    round = replay(happened).round
    assert round is not None
    assert [seat.plays for seat in round.seats] == [("low",), ("low",), ()]
