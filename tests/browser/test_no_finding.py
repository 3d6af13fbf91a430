"""Not one finding of axe, of any rule and any weight, by day and in forced colours by night."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.browser.built import axe_source
from tests.browser.conftest import Visit
from tests.browser.dealing import TypedTable
from tests.browser.house import House
from tests.browser.player import INSTANT, Game, Player, dealt, keep_settings
from tests.browser.visitors import go

STUD = "catfish-bend/mississippi-stud"
FELTS = (STUD, "catfish-bend/matchem-hi-lo", "pennsylvania/ultimate-texas-holdem")
SCREENS = ("/care", "/coach", "/daily", "/glossary", f"/learn/{STUD}", f"/explore/{STUD}", "/train")
PHONE = {"width": 390, "height": 844}
WISHES: list[dict[str, Any]] = [{}, {"forced_colors": "active", "color_scheme": "dark", **PHONE}]
ALL = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .map((one) => `${one.id} (${one.impact}): ${one.nodes[0].target.join(" ")}`)"""
RESTS = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def states(player: Player, games: dict[str, Game]) -> Iterator[str]:
    """Every state of a round on three felts, and the screens beside them."""
    page = player.page
    page.goto("/")
    page.get_by_role("article").first.wait_for()
    yield "lobby"
    for sheet in FELTS:
        game = games[sheet]
        player.sit(game)
        player.circle(game.main).wait_for()
        yield f"{sheet}, empty"
        player.walk_to(player.seat(game, *dealt(game, *game.optional)))
        player.asked()
        yield f"{sheet}, asked"
        while player.view()["phase"] != "over":
            (offer,) = (one for one in player.view()["offers"] if one["do"] == "decide")
            plays = [one["play"] for one in offer["choices"] if "refused" not in one]
            player.command(player.table, do="decide", seat=1, play=plays[-1])
        player.settled()
        yield f"{sheet}, over"
    for path in SCREENS:
        go(page, path)
        page.get_by_role("heading", level=1).first.wait_for()
        yield path
        if path.startswith("/explore"):
            page.get_by_role("button", name="Work out all starting hands").click()
            page.get_by_role("table", name="Starting hands").wait_for()
            yield f"{path}, all starting hands"


def found(page: Page, where: str) -> list[str]:
    page.evaluate(RESTS)
    page.evaluate(axe_source())
    told: list[str] = page.evaluate(ALL)
    return [f"{where}: {one}" for one in told]


@pytest.mark.slow
@pytest.mark.parametrize("wishes", WISHES, ids=["day", "forced"])
def test_no_finding_in_any_state(
    wishes: dict[str, Any], house: House, visit: Visit, games: dict[str, Game]
) -> None:
    page = visit(fresh=True, **wishes)
    keep_settings(page, **INSTANT)
    wrong = [one for where in states(Player(page), games) for one in found(page, where)]
    dealer = visit(house.player("dee", role="dealer"), fresh=True, **wishes)
    table = TypedTable(house, dealer, STUD, seed=1)
    dealer.get_by_role("heading", level=1).first.wait_for()
    wrong += found(dealer, "the dealer's screen")
    table.sit(1, "Ann", "100", {"Ante": "5"})
    wrong += found(dealer, "the dealer's screen, a bet")
    assert wrong == []
