"""Games against the dealer's hand, and bets taken back: each is played with keys alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import expect
from tests.browser.player import Game, Json, Player, Typing, dealt, spoken
from tests.lanes import spread
from tests.sheets.samples import AGAINST_THE_DEALER, IDS, LIR, PMS

SHEETS = (*AGAINST_THE_DEALER, LIR, PMS)
WAR = "classic/casino-war"
ROUNDS = 40  # Of Casino War one in thirteen asks for a decision.
SIZES = ((360, 740), (844, 390), (1366, 657))
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PICTURES = os.environ.get("PITBOOK_PICTURES")


@pytest.fixture
def typist(guest: Player) -> Player:
    """Somebody with a keyboard."""
    guest.hands = Typing()
    return guest


def choices(player: Player) -> list[Json]:
    """What the table offers to decide now."""
    offers = [one for one in player.view()["offers"] if one["do"] == "decide"]
    return list(offers[0]["choices"]) if offers else []


def on(player: Player, name: str) -> bool:
    """One decision by its key, the dearest that may be made; False where nobody is asked."""
    while (phase := player.view()["phase"]) not in ("play", "over"):
        player.page.wait_for_timeout(20)
    if phase == "over":
        return False
    asked = player.asked()
    pictured(player, f"{name}-2-asked")
    dearest = [one for one in choices(player) if "refused" not in one][-1]
    player.hands.do(player, dearest["title"])
    expect(player.page.get_by_text(asked, exact=True)).to_have_count(0)
    return True


def pictured(player: Player, name: str) -> None:
    """The screen in three sizes, by day and by night, where somebody wants to see it."""
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
def test_a_round_by_keyboard(sheet: str, typist: Player, games: dict[str, Game]) -> None:
    game, name = games[sheet], sheet.rpartition("/")[2]
    typist.sit(game)
    typist.circle(game.main).wait_for()
    typist.bet(game, *game.optional)
    pictured(typist, f"{name}-1-bets")
    typist.deal()
    asked = 0
    for _ in range(ROUNDS):
        while on(typist, name):
            asked += 1
        typist.settled()
        if asked or sheet != WAR:
            break
        before = typist.view()["round"]
        typist.rebet()
        typist.deal()
        while typist.view()["round"] == before:  # Else what is over is the round before.
            typist.page.wait_for_timeout(20)
    assert asked
    pictured(typist, f"{name}-3-paid")
    seat = typist.view()["seats"][0]
    assert [one for one in seat["plays"] if one != "-"]
    result = typist.view()["result"]["seats"][0]
    assert {line["wager"] for line in result["lines"]} >= {"ante"}


def test_a_bet_is_taken_back_by_its_key(typist: Player, games: dict[str, Game]) -> None:
    game = games[LIR]
    typist.sit(game)
    typist.circle(game.main).wait_for()
    typist.bet(game)
    for title in ("1st Bet", "2nd Bet"):
        expect(typist.wager(title)).to_contain_text("$5")
    typist.deal()
    typist.asked()
    typist.page.keyboard.press("p")
    typist.asked(after="1st Bet: your decision")
    expect(typist.wager("1st Bet")).not_to_contain_text("$5")
    typist.page.keyboard.press("r")
    typist.settled()
    assert typist.view()["seats"][0]["plays"] == ["pull", "ride"]
    lines = typist.view()["result"]["seats"][0]["lines"]
    assert [line["wager"] for line in lines] == ["ante", "bet-2"]


@pytest.mark.slow_cases("pennsylvania/four-card-poker")
@pytest.mark.parametrize("sheet", spread((*SHEETS, *IDS), 3))
def test_each_play_says_what_it_costs_or_gives_up(
    sheet: str, guest: Player, games: dict[str, Game]
) -> None:
    game = games[sheet]
    tables = (guest.seat(game, *dealt(game, *game.optional)) for _ in range(ROUNDS))
    guest.walk_to(next(one for one in tables if waits(guest, one)))
    guest.asked()
    stays = any("back" in one for one in choices(guest))
    for one in choices(guest):
        if one["plain"] is None:
            button = guest.actions.locator("button.play", has_text=one["title"])
            expect(button).to_contain_text(costs(one, stays=stays))


def waits(player: Player, table: str) -> bool:
    """Whether somebody is asked there: most rounds of Casino War are over at once."""
    return bool(player.get(f"/api/tables/{table}")["phase"] == "play")


def costs(choice: Json, *, stays: bool) -> str:
    """What a button says under its name."""
    if "back" in choice:
        return f"{spoken(choice['back'])} back"
    if choice["folds"]:
        return f"loses {spoken(choice['loses'])}"
    if float(choice["cost"]):
        return spoken(choice["cost"])
    return "stays" if stays else "free"
