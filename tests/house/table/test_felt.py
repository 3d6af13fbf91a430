"""The felt of a game is described by its structure, whatever its family."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.clauses.table import CMS, LAS, MHL, load
from tests.house.table.kit import DEALER, Live, top
from tests.house.web.held_answers import against

from pitbook.house.table.commands import CloseBetting, Decide
from pitbook.house.table.views import render_layout, table_view
from pitbook.house.table.visibility import Viewer
from pitbook.house.web.sheets_api import sheet_response
from pitbook.rules.felt import felt
from pitbook.rules.game import Duel, Place, Stage, choices, compile_game
from pitbook.rules.plays import FOLD, Play, bets, play_text
from pitbook.sheets.model import Sheet

Json = dict[str, Any]
CROWD = Viewer("", "spectator")
VIEWS = Path(__file__).parents[3] / "frontend" / "src" / "live" / "views"


def circles(sheet: Sheet) -> list[tuple[str, str, str]]:
    return [(one.wager, one.title, one.kind) for one in felt(compile_game(sheet)).circles]


# What is printed ----------------------------------------------------------------------------------


def test_bets_that_are_taken_back_lie_before_the_one_that_stays() -> None:
    found = felt(compile_game(load("pennsylvania/let-it-ride"))).circles
    assert [one.title for one in found] == ["1st Bet", "2nd Bet", "3rd Bet", "3 Card Bonus"]
    assert [one.equals for one in found] == ["ante", "ante", None, None]


def test_a_game_of_streets_has_a_circle_for_each_and_no_box() -> None:
    found = felt(compile_game(CMS))
    assert circles(CMS) == [
        ("ante", "Ante", "main"),
        ("flop", "Flop bet", "play"),
        ("turn", "Turn bet", "play"),
        ("river", "River bet", "play"),
        ("three-card-bonus", "3 Card Bonus", "side"),
    ]
    assert (found.hand, found.boxes) == (2, ())
    (board,) = found.groups
    assert (board.place, board.label, board.cards, board.areas) == (
        *("board", "Community cards", 3),
        (),
    )
    ante, flop, *_ = found.circles
    assert ante.limits is not None
    assert (ante.required, ante.limits.min, ante.limits.max) == (True, "5.00", "500.00")
    assert flop.limits is None
    assert flop.times == (1, 2, 3)
    assert [(one.stage, one.play) for one in flop.links] == [
        *(("flop", "1x"), ("flop", "2x"), ("flop", "3x")),
    ]


def test_side_wagers_that_must_be_made_say_so() -> None:
    sides = [one for one in felt(compile_game(LAS)).circles if one.kind == "side"]
    assert [one.required for one in sides] == [one.stake.required for one in LAS.side.values()]


def test_mhl_6_hands_are_laid_in_two_boxes_and_the_double_in_the_free_one() -> None:
    found = felt(compile_game(MHL))
    assert [(one.says, one.title, one.laid, one.across) for one in found.boxes] == [
        ("low", "L", "low, across the dealer's cards", True),
        ("high", "H", "high, parallel to the dealer's cards", False),
    ]
    assert [one.wager for one in found.circles if one.boxed] == ["double"]


def test_mhl_8_the_dealers_areas_stand_as_players_see_them() -> None:
    (dealer,) = felt(compile_game(MHL)).groups
    assert (dealer.title, dealer.label) == ("Dealer", "Dealer's cards")
    assert [(one.title, one.cards, one.shared) for one in dealer.areas] == [
        ("Dealer's Lo Hand", 2, False),
        ("Shared Card", 1, True),
        ("Dealer's Hi Hand", 2, False),
    ]
    other: Any = MHL
    rule = other.dealer.model_copy(update={"laid": "left-to-right"})
    turned = compile_game(other.model_copy(update={"dealer": rule}))
    (dealer,) = felt(turned).groups
    assert [one.title for one in dealer.areas] == [
        *("Dealer's Hi Hand", "Shared Card", "Dealer's Lo Hand"),
    ]
    laid = turned.board_areas(top("2c 9s 3h 7d Kd"))
    assert laid is not None
    assert [one.title for one in laid.in_row] == [one.title for one in dealer.areas]


# Structure that neither family has ----------------------------------------------------------------


def changed(**structure: Any) -> Any:
    """A game of streets with another structure."""
    game = compile_game(CMS)
    for name, value in structure.items():
        setattr(game, name, value)
    return game


def test_no_cards_of_ones_own_and_one_decision() -> None:
    """As in red dog: three cards in common, of which two lie open before a raise."""
    stage = Stage("raise", "raise", "X-1", (0, 2), (bets("raise", 0), bets("raise", 1)))
    places = (Place("hand", "hand", 0), Place("board", "board", 3))
    found = felt(changed(places=places, stages=(stage,)))
    assert (found.hand, found.boxes) == (0, ())
    assert [(one.label, one.cards) for one in found.groups] == [("Board cards", 3)]
    made = next(one for one in found.circles if one.kind == "play")
    assert (made.wager, made.times, made.boxed) == ("raise", (0, 1), False)


def test_several_places_and_a_wager_as_high_as_the_main_one() -> None:
    places = (
        Place("hand", "hand", 2),
        Place("community", "community", 5),
        Place("dealer", "dealer", 2),
    )
    plays = (bets("play", 0), bets("play", 3), bets("play", 4))
    stages = (
        Stage("before", "before the flop", "X-1", (2, 0, 0), plays),
        Stage("flop", "flop", "X-1", (2, 3, 0), (bets("play", 0), bets("play", 2)), once=True),
        Stage("river", "river", "X-1", (2, 5, 0), (FOLD, bets("play", 1)), once=True),
    )
    found = felt(changed(places=places, stages=stages, equals=("blind",)))
    assert [(one.place, one.title, one.cards) for one in found.groups] == [
        ("board", "Community cards", 5),
        ("board-1", "Dealer", 2),
    ]
    main, blind, play, _ = found.circles
    assert (main.equals, blind.equals, blind.kind, blind.limits) == (None, "ante", "main", None)
    assert (play.times, len(play.links)) == ((0, 1, 2, 3, 4), 4)


def test_boxes_are_for_duels_that_a_play_calls() -> None:
    duels = (Duel("war", "hand", "hand", low=False, ties="push"),)
    plays = (play_text("surrender"), play_text("war", "raise", 1))
    stage = Stage("war", "war", "X-1", (2, 0), plays)
    found = felt(changed(duels=duels, stages=(stage,)))
    assert [(one.says, one.title, one.laid, one.across) for one in found.boxes] == [
        ("war", "War", "war", False)
    ]


# What is sent -------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("sheet", [CMS, LAS, MHL])
def test_a_sheet_is_sent_as_the_api_types_it(sheet: Sheet) -> None:
    sent = json.loads(json.dumps(sheet_response(sheet)))
    assert list(against("/components/schemas/SheetWhole", sent)) == []


@pytest.mark.parametrize(("name", "sheet"), [("stud", CMS), ("hi-lo", MHL)])
def test_the_page_is_tested_with_the_felt_that_is_sent(name: str, sheet: Sheet) -> None:
    kept = json.loads((VIEWS / f"{name}.sheet.json").read_text(encoding="utf-8"))
    assert kept["felt"] == felt(compile_game(sheet)).model_dump(mode="json")


def test_the_page_is_tested_with_views_that_have_every_field() -> None:
    live = Live(MHL).seat(1, "ann", bet=10).do("ann", CloseBetting(), Decide(1, "low+double"))
    sent: Json = dict(table_view(live.state, Viewer("ann", "player"), live.env.wallet))
    kept = json.loads((VIEWS / "hi-lo-over.json").read_text(encoding="utf-8"))
    assert kept["board"]["arranged"].keys() == sent["board"]["arranged"].keys()
    assert set(sent["seats"][0]) <= set(kept["seats"][0]) | {"settled", "forced"}
    assert set(choice(sent, 1)) - {"refused"} == set(choice(kept, 1)) - {"refused"}


def choice(seen: Json, seat: int) -> Json:
    decide = next(one for one in seen["offers"] if one["do"] == "decide" and one["seat"] == seat)
    found: Json = decide["choices"][-1]
    return found


# What lies there ----------------------------------------------------------------------------------


def test_a_seat_shows_what_it_said_and_what_it_added() -> None:
    live = Live(MHL).seat(1, "ann", bet=10).seat(2, "bob", bet=10).seat(3, "cat", bet=10)
    live.do(DEALER, CloseBetting()).do("ann", Decide(1, "low+double"))
    live.do("bob", Decide(2, "high"))
    seats = render_layout(live.state, CROWD)["seats"][:3]
    assert [(one["said"], one["added"]) for one in seats] == [
        *(("low", 1), ("high", 0), (None, 0)),
    ]


def test_a_hand_is_named_to_whoever_may_see_all_of_it() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).seat(2, "bob", ante=10)
    live.do(DEALER, CloseBetting())
    ann, crowd = (
        render_layout(live.state, who)["seats"] for who in (Viewer("ann", "player"), CROWD)
    )
    own = ann[0]["named"]
    assert own is not None
    assert own["told"] is not None
    assert own["told"].endswith("as it stands, three cards to come")
    assert sorted(own["cards"]) == sorted(card for card in ann[0]["cards"] if card)
    assert ann[1]["named"] is None
    assert [one["named"] for one in crowd[:2]] == [None, None]
    live.do("ann", Decide(1, "fold"))
    assert render_layout(live.state, Viewer("ann", "player"))["seats"][0]["named"] is None


def test_what_is_bet_is_not_said() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).do("ann", CloseBetting(), Decide(1, "3x"))
    (seat,) = [one for one in render_layout(live.state, CROWD)["seats"] if "plays" in one]
    assert (seat["plays"], seat["said"], seat["added"]) == (["3x"], None, 0)


def test_the_cards_of_every_place_in_common() -> None:
    live = Live(CMS)
    assert render_layout(live.state, CROWD)["common"] == []
    live.env.top = top("Qs Js 2d As Ad")
    live.seat(1, "ann", ante=10).do("ann", CloseBetting(), Decide(1, "1x"))
    seen = render_layout(live.state, CROWD)
    assert seen["common"] == [{"place": "board", "cards": ["Qs", None, None]}]
    assert seen["common"][0]["cards"] == seen["board"]["cards"]


def test_the_dealers_areas_are_told_in_the_order_that_is_printed() -> None:
    live = Live(MHL).seat(1, "ann", bet=10).do("ann", CloseBetting(), Decide(1, "low"))
    laid = render_layout(live.state, CROWD)["board"]["arranged"]
    assert laid is not None
    assert laid["areas"] == [laid["low"], laid["shared"], laid["high"]]
    printed = felt(live.state.game).groups[0].areas
    assert [one["title"] for one in laid["areas"]] == [one.title for one in printed]


# Plays as choices ---------------------------------------------------------------------------------


def test_every_choice_says_what_it_does() -> None:
    live = Live(MHL).seat(1, "ann", bet=10).do("ann", CloseBetting())
    seen = table_view(live.state, Viewer("ann", "player"), live.env.wallet)
    found = next(one["choices"] for one in seen["offers"] if one["do"] == "decide")
    told = [(one["play"], one["key"], one["plain"], one["says"], one["puts"]) for one in found]
    assert told == [
        ("low", "l", None, "low", []),
        ("high", "h", None, "high", []),
        ("low+double", "d", "low", "low", ["double"]),
        ("high+double", "d", "high", "high", ["double"]),
    ]
    assert not any(one["folds"] or one["bets"] for one in found)


def test_bets_and_folds_say_so() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).do("ann", CloseBetting())
    seen = table_view(live.state, Viewer("ann", "player"), live.env.wallet)
    found = next(one["choices"] for one in seen["offers"] if one["do"] == "decide")
    assert [(one["key"], one["folds"], one["bets"], one["puts"]) for one in found] == [
        ("f", True, None, []),
        ("1", False, 1, ["flop"]),
        ("2", False, 2, ["flop"]),
        ("3", False, 3, ["flop"]),
    ]


def test_a_decision_that_was_made_says_what_it_did() -> None:
    live = Live(MHL).seat(1, "ann", bet=10).do("ann", CloseBetting(), Decide(1, "low+double"))
    (made,) = [one.body for one in live.events if one.what == "decide"]
    assert (made["says"], made["puts"], made["bets"]) == ("low", ["double"], None)


@pytest.mark.parametrize(
    ("plays", "keys"),
    [
        ((FOLD, bets("a", 1), bets("a", 10)), "f10"),
        ((Play("pull"), Play("play"), Play("pass")), "pla"),
        ((play_text("war", "raise", 1), play_text("surrender")), "ws"),
        ((Play("a"), Play("aa")), "a"),
        ((play_text("low"), play_text("low", "lay", 1), play_text("low", "two", 2)), "lat"),
    ],
)
def test_no_two_plays_have_one_key(plays: tuple[Play, ...], keys: str) -> None:
    assert "".join(one.key for one in choices(plays)) == keys
