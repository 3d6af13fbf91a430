"""A full round of every bundled sheet, by mouse, keys and touch."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.player import (
    INSTANT,
    KINDS,
    OUTCOMES,
    RANKS,
    Game,
    Hands,
    Player,
    Pointing,
    Typing,
    commands_to_deal,
    commands_to_finish,
    each_kind,
    format_amount,
    keep_settings,
)
from tests.house.web.live_server import SHEETS

STUD = "catfish-bend/mississippi-stud"
HI_LO = "catfish-bend/matchem-hi-lo"
RESULT = re.compile("^You (win|lose|break even)[^.]*$")  # With a full stop it is in the log.


def input_cases() -> Iterator[object]:
    """Every sheet by mouse and by keys; one of each game stays in `make test`."""
    for sheet in SHEETS:
        marks = () if sheet in KINDS else (pytest.mark.slow,)
        yield pytest.param(sheet, Pointing, id=f"mouse-{sheet}", marks=marks)
        marks = () if sheet in (STUD, HI_LO) else (pytest.mark.slow,)
        yield pytest.param(sheet, Typing, id=f"keys-{sheet}", marks=marks)


@pytest.mark.slow_cases(
    "keys-catfish-bend/matchem-hi-lo",
    "mouse-catfish-bend/matchem-hi-lo",
    "mouse-catfish-bend/mississippi-stud",
    "mouse-louisiana-stud/stax-required",
)
@pytest.mark.parametrize(("sheet", "hands"), list(input_cases()))
def test_full_round(sheet: str, hands: type[Hands], guest: Player, games: dict[str, Game]) -> None:
    guest.hands = hands()
    guest.sit_down(games[sheet])
    play_whole_round(guest, games[sheet])


def test_full_round_by_touch(visit: Visit, games: dict[str, Game]) -> None:
    page = visit(width=390, height=844, has_touch=True, is_mobile=True)
    keep_settings(page, **INSTANT)
    player = Player(page, Pointing(touch=True))
    player.sit_down(games[STUD])
    play_whole_round(player, games[STUD])


def play_whole_round(player: Player, game: Game) -> None:
    """Play a round with every wager that has a circle, and check the felt after it."""
    player.round(game, *game.optional)
    view = player.view()
    (result,) = view["result"]["seats"]
    assert view["phase"] == "over"
    for line in result["lines"]:
        spot = player.wager(line["title"])
        expect(spot).to_contain_text(OUTCOMES[line["result"]])
        if line["result"] == "win":
            expect(spot).to_contain_text(f"+\u2060{format_amount(line['wins'])}")
    lines = [line["text"] for line in result["told"]]
    expect(player.side_panel.get_by_role("listitem")).to_have_text(lines)
    assert len(player.cards(player.board)) == len(view["board"]["cards"])
    assert not [card for card in player.cards(player.page.locator("main")) if "down" in card]
    assert player.balance == format_amount(view["wallet"])
    assert_result_stays_until_next_bet(player)


def assert_result_stays_until_next_bet(player: Player) -> None:
    result_text = player.page.locator("main").get_by_text(RESULT)
    expect(result_text.first).to_be_visible()
    player.rebet()
    expect(player.action("Deal")).to_be_enabled()
    expect(result_text).to_have_count(0)


def test_cms_11_folded_cards_lie_under_the_bonus(guest: Player, games: dict[str, Game]) -> None:
    """CMS-11: the 3 Card Bonus is above the cards, and the community cards are turned for it."""
    guest.sit(games[STUD], *commands_to_finish(games[STUD], "3 Card Bonus", plays=("Fold",)))
    guest.wait_for_result()
    bonus = guest.circle("3 Card Bonus").bounding_box()
    assert bonus
    mine = guest.spot.get_by_role("img", name=re.compile("face down$"))
    expect(mine).to_have_count(2)
    for card in (mine.first.bounding_box(), mine.last.bounding_box()):
        assert card
        assert bonus["x"] < card["x"] + card["width"] / 2 < bonus["x"] + bonus["width"]
        assert bonus["y"] < card["y"] + card["height"] / 2 < bonus["y"] + bonus["height"]
    assert all(" of " in card for card in guest.cards(guest.board))
    expect(guest.spot.get_by_text("Folded")).to_be_visible()


@pytest.mark.slow_cases("High-False")
@pytest.mark.parametrize(("declared", "across"), [("Low", True), ("High", False)])
def test_mhl_8_and_10_hand_orientation_and_shared_card(
    declared: str, across: bool, guest: Player, games: dict[str, Game]
) -> None:
    """MHL-8: low, shared and high cards in a row; MHL-10: a low hand is turned sideways."""
    guest.sit(games[HI_LO], *commands_to_finish(games[HI_LO], plays=(declared,)))
    guest.wait_for_result()
    box = guest.spot.get_by_role("img", name=re.compile("^[a-z]+ of [a-z]+$")).first.bounding_box()
    assert box
    assert (box["width"] > box["height"]) is across
    arranged = guest.view()["board"]["arranged"]
    order = [*arranged["low"]["cards"], *arranged["high"]["cards"]]
    card_names = guest.cards(guest.board)
    assert len(card_names) == 5
    assert {rank_letter(card) for card in card_names} == {card[0] for card in order}
    expect(guest.board).to_contain_text(f"{arranged['low']['title']} {arranged['low']['points']}")
    expect(guest.board).to_contain_text(f"{arranged['high']['title']} {arranged['high']['points']}")
    shared = guest.board.get_by_role("img").nth(arranged["shared_at"])
    below = guest.board.get_by_text(arranged["shared"]["title"]).bounding_box()
    marked = shared.bounding_box()
    assert below
    assert marked
    middle = marked["x"] + marked["width"] / 2
    assert below["x"] <= middle <= below["x"] + below["width"]


def rank_letter(card_name: str) -> str:
    """The letter of a card by its name: "ten of hearts" is T."""
    return "23456789TJQKA"[RANKS.index(card_name.split(maxsplit=1)[0])]


def test_double_is_a_second_bet(guest: Player, games: dict[str, Game]) -> None:
    guest.hands = Typing()
    guest.sit(games[HI_LO], *commands_to_deal(games[HI_LO]))
    guest.wait_for_decision()
    guest.page.keyboard.press("d")
    expect(guest.action("Double")).to_have_attribute("aria-pressed", "true")
    guest.page.keyboard.press("h")
    guest.wait_for_result()
    seat = guest.view()["seats"][0]
    assert seat["plays"] == ["high+double"]
    assert seat["wagers"] == [["bet", "5.00"], ["double", "5.00"]]
    expect(guest.spot.get_by_text("Double", exact=True)).to_be_visible()


@pytest.mark.slow_cases("catfish-bend/matchem-hi-lo", "louisiana-stud/stax-required")
@pytest.mark.parametrize("sheet", each_kind())
def test_phone_shows_cards_and_buttons_without_scrolling(
    sheet: str, visit: Visit, games: dict[str, Game]
) -> None:
    """The action bar covers no card."""
    page = visit(width=390, height=844, has_touch=True, is_mobile=True)
    keep_settings(page, **INSTANT)
    player = Player(page, Pointing(touch=True))
    player.sit(games[sheet], *commands_to_deal(games[sheet]))
    player.wait_for_decision()
    bar = player.actions.bounding_box()
    assert bar
    for place in (player.board, player.spot):
        cards = place.get_by_role("img", name=re.compile("^(?:[a-z]+ of [a-z]+|face down)$"))
        for box in cards.evaluate_all("all => all.map((one) => one.getBoundingClientRect())"):
            assert box["width"] > 0
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= bar["y"] + 1
