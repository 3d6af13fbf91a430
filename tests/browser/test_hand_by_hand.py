"""A live dealer pays each hand as it is opened, and everyone sees it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.player import INSTANT, keep_settings
from tests.browser.server import House

OCEANFRONT = "oceanfront/mississippi-stud"


def half_settled_table(house: House) -> tuple[str, list[str]]:
    """A typed table with three players: seat 3 has won $8, seats 1 and 2 are hidden."""
    table = house.table(OCEANFRONT, kind="typed")
    names = [house.player(nickname) for nickname in ("ann", "bob", "cho")]
    for seat, name in enumerate(names, start=1):
        house.command(table, do="sit", seat=seat, player=name)
        house.command(table, do="put-wager", seat=seat, wager="ante", amount="2.00")
    house.command(table, do="close-betting")
    for card in ("Qs", "Jd", "2h"):
        for seat in (1, 2, 3):
            house.command(table, do="decide", seat=seat, play="1x")
        house.command(table, do="type-card", place="board", card=card)
    for card in ("Qd", "3c"):
        house.command(table, do="type-card", place=3, card=card)
    house.command(table, do="settle")
    return table, names


def open_table(page: Page, table: str) -> Page:
    keep_settings(page, **INSTANT)
    page.goto(f"/table/{table}")
    return page


def save_picture(page: Page, name: str) -> None:
    """Save a picture, if PITBOOK_PICTURES is set."""
    if folder := os.environ.get("PITBOOK_PICTURES"):
        page.screenshot(path=str(Path(folder) / f"{name}.png"))


def test_settled_hand_shows_its_result_early(house: House, visit: Visit) -> None:
    table, (ann, _, cho) = half_settled_table(house)
    mine, theirs = open_table(visit(cho), table), open_table(visit(ann), table)
    neighbor = theirs.get_by_role("region", name=re.compile("^Seat 3, "))
    for width, height in ((1366, 657), (390, 844)):
        for page in (mine, theirs):
            page.set_viewport_size({"width": width, "height": height})
        expect(mine.get_by_text("You win $8").first).to_be_visible()
        expect(mine.get_by_text("Other hands are still in play.")).to_be_attached()
        expect(neighbor).to_contain_text("+\u2060$8")
        save_picture(mine, f"winner-{width}")
        save_picture(theirs, f"neighbor-{width}")


def test_gen_6_settled_hands_survive_a_kill_and_an_interruption(
    mortal: House, visit: Visit
) -> None:
    house = mortal
    table, (ann, bob, cho) = half_settled_table(house)
    house.kill()
    house.start()
    view = house.get(f"/api/tables/{table}")
    assert view["interruption"]["answers"] == {ann: None, bob: None}
    assert [seat["net"] for seat in view["seats"][:3]] == [None, None, "8.00"]
    house.command(table, do="unreadable", why="the deck fell")
    over = house.get(f"/api/tables/{table}")
    assert over["result"]["result"] == "dead"
    assert [seat["net"] for seat in over["result"]["seats"]] == ["0.00", "0.00", "8.00"]
    page = open_table(visit(cho), table)
    expect(page.get_by_text("You win $8").first).to_be_visible()
