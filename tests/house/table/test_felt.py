"""The layout of a game follows from its structure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.clauses.one_line_rounds import CMS, LAS, MHL, load
from tests.house.table.kit import DEALER, Live, top
from tests.house.web.response_checks import schema_errors

from pitbook.house.table.commands import CloseBetting, Decide
from pitbook.house.table.views import render_layout, table_view
from pitbook.house.table.visibility import Viewer
from pitbook.house.web.sheets_api import sheet_response
from pitbook.rules.actions import FOLD, Play, bets, declaration_play
from pitbook.rules.felt import felt
from pitbook.rules.game import Duel, Place, Stage, choices, compile_game
from pitbook.sheets.family_registry import family_of
from pitbook.sheets.model import Sheet

Json = dict[str, Any]
CROWD = Viewer("", "spectator")
VIEWS = Path(__file__).parents[3] / "frontend" / "src" / "live" / "views"


def circles(sheet: Sheet) -> list[tuple[str, str, str]]:
    return [
        (circle.wager, circle.title, circle.kind) for circle in felt(compile_game(sheet)).circles
    ]


# What is printed ----------------------------------------------------------------------------------


def test_withdrawable_bets_precede_the_fixed_one() -> None:
    circles_found = felt(compile_game(load("pennsylvania/let-it-ride"))).circles
    assert [circle.title for circle in circles_found] == [
        "1st Bet",
        "2nd Bet",
        "3rd Bet",
        "3 Card Bonus",
    ]
    assert [circle.equals for circle in circles_found] == ["ante", "ante", None, None]


def test_a_game_of_streets_has_a_circle_for_each_and_no_box() -> None:
    layout = felt(compile_game(CMS))
    assert circles(CMS) == [
        ("ante", "Ante", "main"),
        ("flop", "Flop bet", "play"),
        ("turn", "Turn bet", "play"),
        ("river", "River bet", "play"),
        ("three-card-bonus", "3 Card Bonus", "side"),
    ]
    assert (layout.hand, layout.boxes) == (2, ())
    (board,) = layout.groups
    assert (board.place, board.label, board.cards, board.areas) == (
        *("board", "Community cards", 3),
        (),
    )
    ante, flop, *_ = layout.circles
    assert ante.limits is not None
    assert (ante.required, ante.limits.min, ante.limits.max) == (True, "5.00", "500.00")
    assert flop.limits is None
    assert flop.times == (1, 2, 3)
    assert [(link.stage, link.play) for link in flop.links] == [
        *(("flop", "1x"), ("flop", "2x"), ("flop", "3x")),
    ]


def test_required_side_wagers_are_marked() -> None:
    sides = [circle for circle in felt(compile_game(LAS)).circles if circle.kind == "side"]
    assert [circle.required for circle in sides] == [
        circle.stake.required for circle in LAS.side.values()
    ]


def test_mhl_6_hands_are_laid_in_two_boxes_and_the_double_in_the_free_one() -> None:
    layout = felt(compile_game(MHL))
    assert [(box.says, box.title, box.laid, box.across) for box in layout.boxes] == [
        ("low", "L", "low, across the dealer's cards", True),
        ("high", "H", "high, parallel to the dealer's cards", False),
    ]
    assert [circle.wager for circle in layout.circles if circle.boxed] == ["double"]


def test_mhl_8_dealer_areas_are_in_the_players_order() -> None:
    (dealer,) = felt(compile_game(MHL)).groups
    assert (dealer.title, dealer.label) == ("Dealer", "Dealer's cards")
    assert [(area.title, area.cards, area.shared) for area in dealer.areas] == [
        ("Dealer's Lo Hand", 2, False),
        ("Shared Card", 1, True),
        ("Dealer's Hi Hand", 2, False),
    ]
    other: Any = MHL
    rule = other.dealer.model_copy(update={"laid": "left-to-right"})
    turned = compile_game(other.model_copy(update={"dealer": rule}))
    (dealer,) = felt(turned).groups
    assert [area.title for area in dealer.areas] == [
        *("Dealer's Hi Hand", "Shared Card", "Dealer's Lo Hand"),
    ]
    layout = turned.board_areas(top("2c 9s 3h 7d Kd"))
    assert layout is not None
    assert [area.title for area in layout.in_row] == [area.title for area in dealer.areas]


# Structure that neither family has ----------------------------------------------------------------


def stud_game(**structure: Any) -> Any:
    """A stud game with another structure."""
    game = family_of(CMS).compile(CMS)  # Not the game that others share.
    for name, value in structure.items():
        setattr(game, name, value)
    return game


def test_felt_without_player_cards_and_with_one_decision() -> None:
    """As in red dog: three common cards, two of them open before a raise."""
    stage = Stage("raise", "raise", "X-1", (0, 2), (bets("raise", 0), bets("raise", 1)))
    places = (Place("hand", "hand", 0), Place("board", "board", 3))
    layout = felt(stud_game(places=places, stages=(stage,)))
    assert (layout.hand, layout.boxes) == (0, ())
    assert [(group.label, group.cards) for group in layout.groups] == [("Board cards", 3)]
    play_circle = next(circle for circle in layout.circles if circle.kind == "play")
    assert (play_circle.wager, play_circle.times, play_circle.boxed) == ("raise", (0, 1), False)


def test_felt_with_several_places_and_a_linked_wager() -> None:
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
    layout = felt(stud_game(places=places, stages=stages, equals=("blind",)))
    assert [(group.place, group.title, group.cards) for group in layout.groups] == [
        ("board", "Community cards", 5),
        ("board-1", "Dealer", 2),
    ]
    main, blind, play, _ = layout.circles
    assert (main.equals, blind.equals, blind.kind, blind.limits) == (None, "ante", "main", None)
    assert (play.times, len(play.links)) == ((0, 1, 2, 3, 4), 4)


def test_boxes_exist_only_for_declared_duels() -> None:
    duels = (Duel("war", "hand", "hand", low=False, ties="push"),)
    plays = (declaration_play("surrender"), declaration_play("war", "raise", 1))
    stage = Stage("war", "war", "X-1", (2, 0), plays)
    layout = felt(stud_game(duels=duels, stages=(stage,)))
    assert [(box.says, box.title, box.laid, box.across) for box in layout.boxes] == [
        ("war", "War", "war", False)
    ]


# What is sent -------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("sheet", [CMS, LAS, MHL])
def test_sheet_matches_its_api_type(sheet: Sheet) -> None:
    sent = json.loads(json.dumps(sheet_response(sheet)))
    assert list(schema_errors("/components/schemas/FullSheet", sent)) == []


@pytest.mark.parametrize(("name", "sheet"), [("stud", CMS), ("hi-lo", MHL)])
def test_page_samples_match_the_felt(name: str, sheet: Sheet) -> None:
    sheet_json = json.loads((VIEWS / f"{name}.sheet.json").read_text(encoding="utf-8"))
    assert sheet_json["felt"] == felt(compile_game(sheet)).model_dump(mode="json")


def test_page_samples_have_every_view_field() -> None:
    live = Live(MHL).seat(1, "ann", bet=10).do("ann", CloseBetting(), Decide(1, "low+double"))
    sent: Json = dict(table_view(live.state, Viewer("ann", "player"), live.env.wallet))
    view_json = json.loads((VIEWS / "hi-lo-over.json").read_text(encoding="utf-8"))
    assert view_json["board"]["arranged"].keys() == sent["board"]["arranged"].keys()
    assert set(sent["seats"][0]) <= set(view_json["seats"][0]) | {"settled", "forced"}
    assert set(choice(sent, 1)) - {"refused"} == set(choice(view_json, 1)) - {"refused"}


def choice(view: Json, seat: int) -> Json:
    decide = next(
        offer for offer in view["offers"] if offer["do"] == "decide" and offer["seat"] == seat
    )
    last_choice: Json = decide["choices"][-1]
    return last_choice


# The layout ---------------------------------------------------------------------------------------


def test_seat_shows_its_declaration_and_added_wagers() -> None:
    live = Live(MHL).seat(1, "ann", bet=10).seat(2, "bob", bet=10).seat(3, "cat", bet=10)
    live.do(DEALER, CloseBetting()).do("ann", Decide(1, "low+double"))
    live.do("bob", Decide(2, "high"))
    seats = render_layout(live.state, CROWD)["seats"][:3]
    assert [(seat["said"], seat["added"]) for seat in seats] == [
        *(("low", 1), ("high", 0), (None, 0)),
    ]


def test_hand_name_is_shown_only_with_all_cards_visible() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).seat(2, "bob", ante=10)
    live.do(DEALER, CloseBetting())
    ann, crowd = (
        render_layout(live.state, who)["seats"] for who in (Viewer("ann", "player"), CROWD)
    )
    hand_name = ann[0]["named"]
    assert hand_name is not None
    assert hand_name["told"] is not None
    assert hand_name["told"].endswith("as it stands, three cards to come")
    assert sorted(hand_name["cards"]) == sorted(card for card in ann[0]["cards"] if card)
    assert ann[1]["named"] is None
    assert [seat["named"] for seat in crowd[:2]] == [None, None]
    live.do("ann", Decide(1, "fold"))
    assert render_layout(live.state, Viewer("ann", "player"))["seats"][0]["named"] is None


def test_bet_is_not_a_declaration() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).do("ann", CloseBetting(), Decide(1, "3x"))
    (seat,) = [seat for seat in render_layout(live.state, CROWD)["seats"] if "plays" in seat]
    assert (seat["plays"], seat["said"], seat["added"]) == (["3x"], None, 0)


def test_community_cards_of_every_place() -> None:
    live = Live(CMS)
    assert render_layout(live.state, CROWD)["common"] == []
    live.env.top = top("Qs Js 2d As Ad")
    live.seat(1, "ann", ante=10).do("ann", CloseBetting(), Decide(1, "1x"))
    layout = render_layout(live.state, CROWD)
    assert layout["common"] == [{"place": "board", "cards": ["Qs", None, None]}]
    assert layout["common"][0]["cards"] == layout["board"]["cards"]


def test_dealer_areas_are_in_printed_order() -> None:
    live = Live(MHL).seat(1, "ann", bet=10).do("ann", CloseBetting(), Decide(1, "low"))
    layout = render_layout(live.state, CROWD)["board"]["arranged"]
    assert layout is not None
    assert layout["areas"] == [layout["low"], layout["shared"], layout["high"]]
    printed = felt(live.state.game).groups[0].areas
    assert [area["title"] for area in layout["areas"]] == [area.title for area in printed]


# Plays as choices ---------------------------------------------------------------------------------


def test_every_choice_lists_its_effects() -> None:
    live = Live(MHL).seat(1, "ann", bet=10).do("ann", CloseBetting())
    view = table_view(live.state, Viewer("ann", "player"), live.env.wallet)
    choices_offered = next(offer["choices"] for offer in view["offers"] if offer["do"] == "decide")
    details = [
        (choice_["play"], choice_["key"], choice_["plain"], choice_["says"], choice_["puts"])
        for choice_ in choices_offered
    ]
    assert details == [
        ("low", "l", None, "low", []),
        ("high", "h", None, "high", []),
        ("low+double", "d", "low", "low", ["double"]),
        ("high+double", "d", "high", "high", ["double"]),
    ]
    assert not any(choice_["folds"] or choice_["bets"] for choice_ in choices_offered)


def test_bets_and_folds_are_labeled() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).do("ann", CloseBetting())
    view = table_view(live.state, Viewer("ann", "player"), live.env.wallet)
    choices_offered = next(offer["choices"] for offer in view["offers"] if offer["do"] == "decide")
    assert [
        (choice_["key"], choice_["folds"], choice_["bets"], choice_["puts"])
        for choice_ in choices_offered
    ] == [
        ("f", True, None, []),
        ("1", False, 1, ["flop"]),
        ("2", False, 2, ["flop"]),
        ("3", False, 3, ["flop"]),
    ]


def test_decision_event_lists_its_effects() -> None:
    live = Live(MHL).seat(1, "ann", bet=10).do("ann", CloseBetting(), Decide(1, "low+double"))
    (body,) = [event.body for event in live.events if event.what == "decide"]
    assert (body["says"], body["puts"], body["bets"]) == ("low", ["double"], None)


@pytest.mark.parametrize(
    ("plays", "keys"),
    [
        ((FOLD, bets("a", 1), bets("a", 10)), "f10"),
        ((Play("pull"), Play("play"), Play("pass")), "pla"),
        ((declaration_play("war", "raise", 1), declaration_play("surrender")), "ws"),
        ((Play("a"), Play("aa")), "a"),
        (
            (
                declaration_play("low"),
                declaration_play("low", "lay", 1),
                declaration_play("low", "two", 2),
            ),
            "lat",
        ),
    ],
)
def test_plays_have_distinct_keys(plays: tuple[Play, ...], keys: str) -> None:
    assert "".join(choice_.key for choice_ in choices(plays)) == keys
