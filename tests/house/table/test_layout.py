"""The layout view needs no computation by its reader."""

from __future__ import annotations

from typing import Any

import pytest
from tests.clauses.one_line_rounds import CMS, LAS, MHL
from tests.house.table.kit import DEALER, Live, top
from tests.house.table.visible_cards import cards_in, for_viewer

from pitbook.house.table.commands import CloseBetting, Decide, Misdeal, PutWager
from pitbook.house.table.views import render_layout, table_view
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents, dollars
from pitbook.rules.narration import add_chip, remove_chip
from pitbook.rules.refusals import Refusal

ANN, BOB, CROWD = Viewer("ann", "player"), Viewer("bob", "player"), Viewer("", "spectator")
Json = dict[str, Any]


def offer(live: Live, wager: str) -> Json:
    return next(
        dict(offer)
        for offer in table_view(live.state, ANN, live.env.wallet)["offers"]
        if offer["do"] == "put-wager" and offer["wager"] == wager
    )


def laid_out(live: Live) -> Json:
    """The layout as everyone sees it."""
    return dict(render_layout(live.state, CROWD))


# Chips --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "chip", "least", "more", "less"),
    [
        (0, 100, 500, 500, 0),
        (0, 500, 500, 500, 0),
        (0, 2500, 500, 2500, 0),
        (500, 100, 500, 600, 0),
        (600, 100, 500, 700, 500),
        (599, 100, 500, 699, 0),
    ],
)
def test_chip_steps_up_and_down(now: int, chip: int, least: int, more: int, less: int) -> None:
    assert add_chip(now, chip, least) == more
    assert remove_chip(now, chip, least) == less


def test_chip_offer_shows_the_resulting_wager() -> None:
    live = Live(CMS).seat(1, "ann", "400")
    ante = offer(live, "ante")
    assert [(chip["chip"], chip["amount"]) for chip in ante["chips"]] == [
        ("1.00", "5.00"),
        ("5.00", "5.00"),
        ("25.00", "25.00"),
        ("100.00", "100.00"),
        ("500.00", "500.00"),
    ]
    assert [chip["chip"] for chip in ante["chips"] if "refused" in chip] == ["500.00"]
    assert "less" not in ante
    assert "chips" not in offer(live, "three-card-bonus")  # No bonus without an ante (GEN-12).
    live.seat(1, "ann", ante=30)
    ante = offer(live, "ante")
    assert [chip["amount"] for chip in ante["chips"]] == [
        *("31.00", "35.00", "55.00", "130.00", "530.00"),
    ]
    assert ante["less"] == {"amount": "29.00"}
    assert ante["clear"] == {"amount": "0.00"}


def test_chip_offer_matches_the_table() -> None:
    live = Live(CMS).seat(1, "ann", "400", ante=30)
    for chip in [*offer(live, "ante")["chips"], *offer(live, "three-card-bonus")["chips"]]:
        for wager in ("ante", "three-card-bonus"):
            if chip in offer(live, wager)["chips"]:
                answer = live.ask("ann", PutWager(1, wager, dollars(chip["amount"])))
                assert isinstance(answer, Refusal) == ("refused" in chip), (wager, chip)


def test_wagers_and_wins_are_shown_in_chips() -> None:
    live = Live(CMS)
    live.env.top = top("Qs Js 2d As Ad")
    live.seat(1, "ann", ante=42).do("ann", CloseBetting())
    live.do("ann", *(Decide(1, "1x") for _ in range(3)))
    layout = laid_out(live)
    assert layout["seats"][0]["chips"]["ante"] == [["25.00", 1], ["5.00", 3], ["1.00", 2]]
    (seat,) = layout["result"]["seats"]
    assert {line["wins"] for line in seat["lines"]} == {"42.00"}
    assert seat["lines"][0]["chips"] == [["25.00", 1], ["5.00", 3], ["1.00", 2]]


# Words --------------------------------------------------------------------------------------------


def test_result_text() -> None:
    live = Live(CMS)
    live.env.top = top("Qs Js 2d As Ad")
    live.seat(1, "ann", ante=10, three_card_bonus=5).do("ann", CloseBetting())
    live.do("ann", *(Decide(1, "1x") for _ in range(3)))
    (seat,) = laid_out(live)["result"]["seats"]
    assert seat["told"] == [
        {
            "text": "Ante, Flop bet, Turn bet and River bet ($40) win $40: pair of jacks or better "
            "pays 1 to 1.",
            "clause": "CMS-9",
        },
        {"text": "3 Card Bonus ($5) loses.", "clause": "CMS-10"},
    ]
    ante = seat["lines"][0]
    assert (ante["title"], ante["outcome_title"]) == ("Ante", "pair of jacks or better")
    assert ante["words"] == "Ante ($10) wins $10: pair of jacks or better pays 1 to 1."
    (settled,) = [event for event in live.events if event.what == "settled"]
    assert settled.body["report"] == laid_out(live)["result"]
    assert settled.body["told"].startswith("Seat 1 result: $35.")


def test_cap_and_misdeal_texts() -> None:
    live = Live(CMS)
    live.env.top = top("Qs Js Ts As Ks")
    live.seat(1, "ann", ante=10).do("ann", CloseBetting())
    live.do("ann", *(Decide(1, "3x") for _ in range(3)))
    (cap,) = laid_out(live)["result"]["told"]
    assert cap["clause"] == "CMS-12"
    assert "$50,000 owed, $25,000 paid" in cap["text"]
    live = Live(CMS).seat(1, "ann", ante=10).do("ann", CloseBetting())
    live.do(DEALER, Misdeal("boxed card"))
    message = laid_out(live)["result"]["told"]
    assert message[0]["text"] == "Misdeal: bets are returned."
    assert message[1]["text"] == "Misdeal: boxed card."


def test_events_hide_other_viewers_cards() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).seat(2, "bob", ante=10).do(DEALER, CloseBetting())
    live.do("ann", Decide(1, "2x")).do("bob", Decide(2, "fold"))
    for viewer, seat_number in ((ANN, 1), (BOB, 2), (CROWD, None)):
        sentences = [for_viewer(event, viewer).body.get("told") for event in live.events]
        mine = live.round.seat(seat_number) if seat_number else None
        assert cards_in(sentences) == {*live.round.board, *(mine.cards if mine else ())}
        assert "Seat 1 bets 2x ($20) on the Flop bet." in sentences
        assert "No more bets." in sentences
        assert "Seat 2 folds and loses $10." in sentences
    crowd = [for_viewer(event, CROWD).body.get("told") for event in live.events]
    assert crowd.count("Seat 1 looks at a card.") == 2


# The layout's own places ----------------------------------------------------------------------


def test_a_folded_hand_is_tucked_under_its_bonus() -> None:
    live = Live(CMS).seat(1, "ann", ante=10, three_card_bonus=5).seat(2, "bob", ante=10)
    live.do(DEALER, CloseBetting()).do("ann", Decide(1, "fold")).do("bob", Decide(2, "fold"))
    seats = laid_out(live)["seats"]
    assert [seats[0]["tucked"], seats[1]["tucked"]] == ["three-card-bonus", None]
    live = Live(LAS).seat(1, "ann", ante=10, three_up=5).seat(2, "bob", ante=10)
    live.do(DEALER, CloseBetting())
    assert laid_out(live)["seats"][0]["tucked"] is None


def test_mhl_8_the_dealers_hands_lie_in_their_areas() -> None:
    live = Live(MHL)
    live.env.top = top("2s 3s 4s 9s Jc 4c Jd 7d")
    live.seat(1, "ann", bet=10).do("ann", CloseBetting())
    assert render_layout(live.state, ANN)["board"]["arranged"] is None
    assert render_layout(live.state, ANN)["seats"][0]["points"] == {"low": 9, "high": 9}
    assert laid_out(live)["seats"][0]["points"] is None
    live.do("ann", Decide(1, "low"))
    low = {"title": "Dealer's Lo Hand", "cards": ["Jc", "Jd", "4c"], "points": 4}
    shared = {"title": "Shared Card", "cards": ["4c"], "points": None}
    high = {"title": "Dealer's Hi Hand", "cards": ["4c", "7d", "9s"], "points": 20}
    assert laid_out(live)["board"]["arranged"] == {
        "low": low,
        "shared": shared,
        "high": high,
        "laid": ["Jc", "Jd", "4c", "7d", "9s"],
        "shared_at": 2,
        "areas": [low, shared, high],
    }
    assert laid_out(live)["seats"][0]["points"] == {"low": 9, "high": 9}


def test_mhl_8_an_ace_in_the_low_hand_is_shared() -> None:
    live = Live(MHL)
    live.env.top = top("2s 3s 4s As Jc 4c Kd 7d")
    live.seat(1, "ann", bet=10).do("ann", CloseBetting(), Decide(1, "high"))
    layout = laid_out(live)["board"]["arranged"]
    assert layout["shared"]["cards"] == ["As"]
    assert (layout["low"]["points"], layout["high"]["points"]) == (1, 22)
    assert layout["laid"] == ["Jc", "Kd", "As", "4c", "7d"]


def test_a_play_has_its_title_and_its_street() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).do("ann", CloseBetting())
    (decide,) = (
        offer
        for offer in table_view(live.state, ANN, live.env.wallet)["offers"]
        if offer["do"] == "decide"
    )
    assert (decide["stage"], decide["stage_title"]) == ("flop", "Flop bet")
    assert [choice["title"] for choice in decide["choices"]] == ["Fold", "1x", "2x", "3x"]
    assert decide["choices"][2]["cost"] == "20.00"
    assert Cents(2_000) == dollars(decide["choices"][2]["cost"])
