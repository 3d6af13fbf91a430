"""No axe finding of any rule or severity, in light mode and in dark forced colors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.browser.conftest import Visit
from tests.browser.dealer import TypedTable
from tests.browser.page_build import axe_source
from tests.browser.player import INSTANT, Game, Player, commands_to_deal, keep_settings
from tests.browser.server import House
from tests.browser.visitors import go

STUD = "catfish-bend/mississippi-stud"
FELTS = (STUD, "catfish-bend/matchem-hi-lo", "pennsylvania/ultimate-texas-holdem")
SCREENS = ("/care", "/coach", "/daily", "/glossary", f"/learn/{STUD}", f"/explore/{STUD}", "/train")
PHONE = {"width": 390, "height": 844}
WISHES: list[dict[str, Any]] = [{}, {"forced_colors": "active", "color_scheme": "dark", **PHONE}]
VIOLATIONS = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .map((one) => `${one.id} (${one.impact}): ${one.nodes[0].target.join(" ")}`)"""
RESTS = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def states(player: Player, games: dict[str, Game]) -> Iterator[str]:
    """Every state of a round on three felts, and the other screens."""
    page = player.page
    page.goto("/")
    page.get_by_role("article").first.wait_for()
    yield "lobby"
    for sheet in FELTS:
        game = games[sheet]
        player.sit(game)
        player.circle(game.main).wait_for()
        yield f"{sheet}, empty"
        player.walk_to(player.seat(game, *commands_to_deal(game, *game.optional)))
        player.wait_for_decision()
        yield f"{sheet}, asked"
        while player.view()["phase"] != "over":
            (offer,) = (offer for offer in player.view()["offers"] if offer["do"] == "decide")
            plays = [choice["play"] for choice in offer["choices"] if "refused" not in choice]
            player.command(player.table, do="decide", seat=1, play=plays[-1])
        player.wait_for_result()
        yield f"{sheet}, over"
    for path in SCREENS:
        go(page, path)
        page.get_by_role("heading", level=1).first.wait_for()
        yield path
        if path.startswith("/explore"):
            page.get_by_role("button", name="Calculate starting hands").click()
            page.get_by_role("table", name="Starting hands").wait_for()
            yield f"{path}, all starting hands"


def axe_findings(page: Page, where: str) -> list[str]:
    page.evaluate(RESTS)
    page.evaluate(axe_source())
    violations: list[str] = page.evaluate(VIOLATIONS)
    return [f"{where}: {violation}" for violation in violations]


@pytest.mark.slow
@pytest.mark.parametrize("wishes", WISHES, ids=["day", "forced"])
def test_no_finding_in_any_state(
    wishes: dict[str, Any], house: House, visit: Visit, games: dict[str, Game]
) -> None:
    page = visit(fresh=True, **wishes)
    keep_settings(page, **INSTANT)
    wrong = [
        finding for where in states(Player(page), games) for finding in axe_findings(page, where)
    ]
    dealer = visit(house.player("dee", role="dealer"), fresh=True, **wishes)
    table = TypedTable(house, dealer, STUD, seed=1)
    dealer.get_by_role("heading", level=1).first.wait_for()
    wrong += axe_findings(dealer, "the dealer's screen")
    table.sit(1, "Ann", "100", {"Ante": "5"})
    wrong += axe_findings(dealer, "the dealer's screen, a bet")
    assert wrong == []
