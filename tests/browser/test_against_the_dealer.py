"""Games against the dealer's hand, and returned bets, played with keys alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import expect
from tests.browser.player import Game, Json, Player, Typing, commands_to_deal, format_amount
from tests.lanes import spread
from tests.sheets.samples import AGAINST_THE_DEALER, IDS, LIR, PMS

SHEETS = (*AGAINST_THE_DEALER, LIR, PMS)
WAR = "classic/casino-war"
ROUNDS = 40  # In Casino War one round in thirteen asks for a decision.
SIZES = ((360, 740), (844, 390), (1366, 657))
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PICTURES = os.environ.get("PITBOOK_PICTURES")


@pytest.fixture
def typist(guest: Player) -> Player:
    """A guest with a keyboard."""
    guest.hands = Typing()
    return guest


def choices(player: Player) -> list[Json]:
    """The decisions that the table offers now."""
    offers = [offer for offer in player.view()["offers"] if offer["do"] == "decide"]
    return list(offers[0]["choices"]) if offers else []


def decide(player: Player, name: str) -> bool:
    """Make the costliest legal decision by its key; False if none is asked for."""
    while (phase := player.view()["phase"]) not in ("play", "over"):
        player.page.wait_for_timeout(20)
    if phase == "over":
        return False
    caption = player.wait_for_decision()
    save_pictures(player, f"{name}-2-asked")
    costliest = [choice for choice in choices(player) if "refused" not in choice][-1]
    player.hands.do(player, costliest["title"])
    expect(player.page.get_by_text(caption, exact=True)).to_have_count(0)
    return True


def save_pictures(player: Player, name: str) -> None:
    """Save the screen in three sizes and two color schemes, if PITBOOK_PICTURES is set."""
    if PICTURES is None:
        return
    size = player.page.viewport_size
    for width, height in SIZES:
        player.page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            player.page.emulate_media(color_scheme=scheme)
            path = Path(PICTURES) / f"{name}-{width}x{height}-{scheme}.png"
            player.page.screenshot(path=path)
    player.page.emulate_media(color_scheme="light")
    assert size is not None
    player.page.set_viewport_size(size)


@pytest.mark.parametrize("sheet", spread(SHEETS, 1))
def test_round_by_keyboard(sheet: str, typist: Player, games: dict[str, Game]) -> None:
    game, name = games[sheet], sheet.rpartition("/")[2]
    typist.sit(game)
    typist.circle(game.main).wait_for()
    typist.bet(game, *game.optional)
    save_pictures(typist, f"{name}-1-bets")
    typist.deal()
    decisions = 0
    for _ in range(ROUNDS):
        while decide(typist, name):
            decisions += 1
        typist.wait_for_result()
        if decisions or sheet != WAR:
            break
        before = typist.view()["round"]
        typist.rebet()
        typist.deal()
        # Otherwise the previous round is still shown as over.
        while typist.view()["round"] == before:
            typist.page.wait_for_timeout(20)
    assert decisions
    save_pictures(typist, f"{name}-3-paid")
    seat = typist.view()["seats"][0]
    assert [play for play in seat["plays"] if play != "-"]
    result = typist.view()["result"]["seats"][0]
    assert {line["wager"] for line in result["lines"]} >= {"ante"}


def test_bet_is_returned_by_its_key(typist: Player, games: dict[str, Game]) -> None:
    game = games[LIR]
    typist.sit(game)
    typist.circle(game.main).wait_for()
    typist.bet(game)
    for title in ("1st Bet", "2nd Bet"):
        expect(typist.wager(title)).to_contain_text("$5")
    typist.deal()
    typist.wait_for_decision()
    typist.page.keyboard.press("p")
    typist.wait_for_decision(after="1st Bet: your turn")
    expect(typist.wager("1st Bet")).not_to_contain_text("$5")
    typist.page.keyboard.press("r")
    typist.wait_for_result()
    assert typist.view()["seats"][0]["plays"] == ["pull", "ride"]
    lines = typist.view()["result"]["seats"][0]["lines"]
    assert [line["wager"] for line in lines] == ["ante", "bet-2"]


@pytest.mark.slow_cases("pennsylvania/four-card-poker")
@pytest.mark.parametrize("sheet", spread((*SHEETS, *IDS), 3))
def test_each_play_states_its_cost(sheet: str, guest: Player, games: dict[str, Game]) -> None:
    game = games[sheet]
    tables = (guest.seat(game, *commands_to_deal(game, *game.optional)) for _ in range(ROUNDS))
    guest.walk_to(next(table for table in tables if is_waiting(guest, table)))
    guest.wait_for_decision()
    stays = any("back" in choice for choice in choices(guest))
    for choice in choices(guest):
        if choice["plain"] is None:
            button = guest.actions.locator("button.play", has_text=choice["title"])
            expect(button).to_contain_text(cost_label(choice, stays=stays))


def is_waiting(player: Player, table: str) -> bool:
    """Whether a decision is due at a table; most rounds of Casino War end at once."""
    return bool(player.get(f"/api/tables/{table}")["phase"] == "play")


def cost_label(choice: Json, *, stays: bool) -> str:
    """The label under a button's name."""
    if "back" in choice:
        return f"{format_amount(choice['back'])} returned"
    if choice["folds"]:
        return f"lose {format_amount(choice['loses'])}"
    if float(choice["cost"]):
        return format_amount(choice["cost"])
    return "stays in play" if stays else "no extra bet"
