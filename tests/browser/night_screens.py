"""The screens of a charity night, with content."""

from __future__ import annotations

import re
from collections.abc import Iterator

from playwright.sync_api import Page
from tests.browser.conftest import Visit
from tests.browser.night_setup import PLAYERS, Evening
from tests.browser.screen import Screen
from tests.browser.server import House
from tests.browser.visitors import go

STUD = "catfish-bend/mississippi-stud"
LONG_NAME = "Maximiliana-Featherstonehaugh-Cholmondeley-of-Wolverhampton1"


class NightWalk:
    """A walk over the screens of an organizer, a stranger checking in, and the wall clock."""

    def __init__(self, house: House, visit: Visit) -> None:
        self.house, self.visit = house, visit

    def __iter__(self) -> Iterator[Screen]:
        evening = Evening(self.house)
        page = self.visit(self.house.player("olga", "organiser"))
        page.goto("/night")
        page.get_by_role("link", name=re.compile(evening.event)).wait_for()
        yield Screen("nights", page)
        yield from self._schedule(evening, page)
        floor = f"/night/{evening.event}/tournaments/t1"
        evening.with_entries(*PLAYERS)
        go(page, floor)
        page.get_by_role("button", name="Code, Bob").wait_for()
        yield Screen("night-entered", page)
        page.get_by_role("button", name="Code, Bob").click()
        link = page.get_by_role("dialog").get_by_label("Link").input_value()
        yield Screen("night-code", page)
        yield from self._door(page, link)
        for do in ("announce", "draw-seats", "start", "start-clock"):
            evening.do(do)
        yield from self._floor(evening, page, floor)
        yield from self._desks(evening, page)
        yield from self._live(page)

    def _schedule(self, evening: Evening, page: Page) -> Iterator[Screen]:
        go(page, f"/night/{evening.event}")
        page.get_by_label("Title").wait_for()
        yield Screen("night-empty", page)
        page.get_by_label("Tournament ID").fill("t1")
        page.get_by_label("Seats per table").fill("many")
        page.get_by_role("button", name="Create tournament").click()
        page.locator("[aria-invalid]").wait_for()
        yield Screen("night-schedule-marked", page)
        page.get_by_role("button", name="TOML").click()
        page.get_by_role("textbox", name="Structure").wait_for()
        yield Screen("night-schedule-text", page)

    def _door(self, page: Page, link: str) -> Iterator[Screen]:
        stranger = self.visit()
        stranger.goto(link)
        stranger.get_by_role("heading", name="Bob").wait_for()
        yield Screen("check-in", stranger)
        go(page, link)
        page.get_by_role("button", name="Check in").wait_for()
        yield Screen("check-in-desk", page)
        go(page, "/board/none-such/t1")
        page.get_by_text("There is no event").wait_for()
        yield Screen("no-board", page)

    def _floor(self, evening: Evening, page: Page, floor: str) -> Iterator[Screen]:
        evening.do("eliminate", players=["Cyd"])
        go(page, floor)
        page.get_by_role("button", name="Count chips at table 1").click()
        yield Screen("night-playing", page)
        wall = self.visit(width=1920, height=1080)
        wall.goto(f"/board/{evening.event}/t1")
        wall.get_by_role("timer").wait_for()
        yield Screen("board", wall)
        evening.do("break", minutes=70)
        wall.get_by_text("Break", exact=True).wait_for()
        yield Screen("board-break", wall)
        wall.close()

    def _live(self, page: Page) -> Iterator[Screen]:
        """Live tables: a round waiting for bets, then two players without chips."""
        names = [self.house.player(name) for name in ("ann", "bob", "cyd")]
        evening = Evening(self.house).with_live_tables(LONG_NAME, *names)
        evening.do("check-in", player=LONG_NAME)
        evening.post(f"{evening.path}/tournaments/t1/tables/1/begin")
        go(page, f"/night/{evening.event}/tournaments/t1")
        page.get_by_text("Waiting for").wait_for()
        yield Screen("night-live", page)
        evening.bet(*names[1:])
        evening.post(f"{evening.path}/tournaments/t1/tables/1/count")
        page.get_by_text("Not enough chips for the next bet").wait_for()
        yield Screen("night-proposed", page)
        go(page, f"/table/{evening.event}.t1-1/rules")
        page.get_by_text("They differ from").wait_for()
        yield Screen("table-rules", page)

    def _desks(self, evening: Evening, page: Page) -> Iterator[Screen]:
        evening.post(f"{evening.path}/cage/sell", player="Ann Archer", amount="20")
        evening.post(f"{evening.path}/cage/sell", player="Bob", amount="40")
        evening.post(f"{evening.path}/cage/undo", slip=3, why="sold to the wrong player")
        go(page, f"/night/{evening.event}/cage")
        page.get_by_text("sold to the wrong player").wait_for()
        yield Screen("night-cage", page)
        page.get_by_role("button", name="Void slip 2").click()
        yield Screen("night-undo", page)
        table = f"{evening.event}-stud"
        evening.post(f"{evening.path}/tables", table=table, sheet=STUD, derived=True)
        go(page, f"/night/{evening.event}/tables")
        page.get_by_text("Changes").click()
        yield Screen("night-tables", page)
        go(page, f"/night/{evening.event}/closing")
        page.get_by_text("Everything balances").wait_for()
        yield Screen("night-closing", page)
        page.get_by_role("button", name="Suspend event…").click()
        yield Screen("night-interrupted", page)
        evening.do("eliminate", players=[player for player in PLAYERS[1:] if player != "Cyd"])
        evening.do("finish")
        go(page, f"/night/{evening.event}/tournaments/t1")
        page.get_by_role("button", name=re.compile("^Pay")).first.wait_for()
        yield Screen("night-finished", page)
