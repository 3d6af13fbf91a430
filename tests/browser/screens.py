"""Walks over every screen of the page, with content."""

from __future__ import annotations

import re
from collections.abc import Iterator

from playwright.sync_api import Page
from tests.browser.conftest import Visit
from tests.browser.night_screens import NightWalk
from tests.browser.player import INSTANT, Game, Player, keep_settings
from tests.browser.screen import Screen
from tests.browser.server import SUPERVISOR, House
from tests.browser.visitors import go

STUD = "catfish-bend/mississippi-stud"
HI_LO = "catfish-bend/matchem-hi-lo"
LOUISIANA = "louisiana-stud/stax-required"
ASKS_ALL = "oceanfront/mississippi-stud"
LONG_MS = 120_000  # Figures of several games are computed in a new house.
# The walks, and how many screens each passes.
ROUTES = {"doors": 18, "learn": 11, "stud": 18, "felts": 3, "house": 13, "night": 21}


class Walk:
    """A walk over screens: as a guest, as players, or in the pit."""

    def __init__(self, route: str, house: House, visit: Visit, games: dict[str, Game]) -> None:
        self.way, self.house, self.visit, self.games = route, house, visit, games

    def __iter__(self) -> Iterator[Screen]:
        walks = {
            "doors": self._doors,
            "learn": self._learn,
            "stud": self._stud,
            "felts": self._felts,
            "house": self._house_table,
            "night": NightWalk(self.house, self.visit).__iter__,
        }
        assert set(walks) == set(ROUTES)
        yield from walks[self.way]()

    def _player(self, name: str | None = None) -> Player:
        page = self.visit(name)
        keep_settings(page, **INSTANT)
        return Player(page)

    def _doors(self) -> Iterator[Screen]:
        page = self._player().page
        page.goto("/")
        page.get_by_role("cell", name=re.compile("%")).nth(10).wait_for(timeout=LONG_MS)
        yield Screen("lobby", page)
        page.get_by_role("button", name="Settings").click()
        yield Screen("settings", page)
        for sheet in (STUD, HI_LO):
            go(page, f"/rules/{sheet}")
            page.get_by_role("table").first.wait_for()
            yield Screen(f"rules-{sheet.rpartition('/')[2]}", page)
        yield from self._lab(page)
        yield from self._train(page)
        go(page, "/sign-in")
        page.get_by_label("Name").wait_for()
        yield Screen("sign-in", page)
        go(page, "/table/none-such")
        page.get_by_role("heading", name="This table can't be shown").wait_for()
        yield Screen("no-table", page)
        go(page, "/shared/none-such")
        page.get_by_role("heading", name="This round can't be shown").wait_for()
        yield Screen("no-round", page)
        yield from self._links(page)

    def _links(self, page: Page) -> Iterator[Screen]:
        invitation = self.house.supervisor.post("/api/invitations", json={"role": "auditor"}).json()
        for name, path, title in (
            ("invitation", invitation["path"], "Welcome"),
            ("closed-link", "/api/resets/none-such", "This link no longer works"),
            ("nowhere", "/index.php", "Page not found"),
            ("api", "/api/docs", "The socket"),
        ):
            page.goto(path)
            page.get_by_role("heading", name=title).wait_for()
            yield Screen(name, page)

    def _train(self, page: Page) -> Iterator[Screen]:
        go(page, "/train")
        page.get_by_label("Pay a hand").check()
        yield Screen("train", page)
        page.get_by_role("button", name="Start").click()
        page.get_by_role("textbox", name="Your answer").fill("12.34")
        yield Screen("train-question", page)
        page.keyboard.press("Enter")
        page.get_by_text("Correct answer:").wait_for()
        yield Screen("train-verdict", page)
        go(page, "/train/progress")
        page.get_by_role("rowheader", name="Pay a hand").wait_for()
        yield Screen("train-progress", page)

    def _lab(self, page: Page) -> Iterator[Screen]:
        for sheet in (STUD, HI_LO):
            go(page, f"/lab/{sheet}")
            page.get_by_role("table", name="House edge of every bet in both games").wait_for()
            page.get_by_role("table", name=re.compile("figures$")).first.wait_for()
            if sheet == STUD:
                page.get_by_role("textbox", name="Flush", exact=True).first.fill("7:1")
                page.get_by_text("at your table").wait_for()
            yield Screen(f"lab-{sheet.rpartition('/')[2]}", page)
        page.get_by_role("textbox", name="Pair", exact=True).first.fill("nothing much")
        page.get_by_text("is not a payout").first.wait_for()
        yield Screen("lab-marked", page)

    def _learn(self) -> Iterator[Screen]:
        """Lessons, glossary, trends, the daily deal, limits and the explorer."""
        guest, game = self._player(), self.games[STUD]
        page = guest.page
        for name, path, what in (
            ("learn", "/learn", "Learn a game"),
            ("glossary", "/glossary", "Glossary"),
            ("verify", "/verify", "Verify a proof"),
        ):
            go(page, path)
            page.get_by_role("heading", level=1, name=what).wait_for()
            yield Screen(name, page)
        go(page, f"/learn/{STUD}")
        for step, clicks in (("Bet", 0), ("Decide", 2), ("Get paid", 2)):
            for _ in range(clicks):
                page.get_by_role("button", name="Next").click()
            page.get_by_role("heading", level=2, name=step).wait_for()
            yield Screen(f"lesson-{step.lower().replace(' ', '-')}", page)
        go(page, f"/explore/{STUD}?cards=6h+5h")
        page.get_by_role("row", name="Fold").wait_for()
        yield Screen("explore", page)
        guest.sit(game)
        guest.bet(game)
        guest.deal()
        guest.play("3x", "3x", "3x")
        guest.wait_for_result()
        page.get_by_role("tab", name="Pace").click()
        page.get_by_role("heading", name="Autoplay").wait_for()
        yield Screen("pace", page)
        for name, path, what in (
            ("trends", "/coach", "Result, expected and luck"),
            ("care", "/care", "Your limits"),
            ("daily", "/daily", "Results"),
        ):
            go(page, path)
            page.get_by_role("heading", level=2, name=what).wait_for()
            yield Screen(name, page)

    def _stud(self) -> Iterator[Screen]:
        guest, game = self._player(), self.games[STUD]
        page = guest.page
        guest.sit(game)
        guest.circle("Ante").wait_for()
        yield Screen("stud-empty", page)
        guest.bet(game, "3 Card Bonus")
        yield Screen("stud-bets", page)
        page.get_by_role("tab", name="Coach").click()
        page.get_by_role("checkbox", name="Warn me before a mistake").check()
        guest.deal()
        guest.wait_for_decision()
        guest.action("Hint").click()
        page.get_by_role("tabpanel").get_by_role("row").nth(4).wait_for()
        yield Screen("stud-hint", page)
        self._doubt(guest)
        yield Screen("stud-weighed", page)
        page.get_by_role("button", name=re.compile("anyway$")).click()
        yield from self._stud_over(guest)
        yield from self._past(guest)

    def _doubt(self, guest: Player) -> None:
        """Choose the costliest play in the coach's table."""
        rows = guest.side_panel.get_by_role("row").filter(has_text=re.compile(r"\$"))
        lost = [re.findall(r"\$([\d.]+)", text)[0] for text in rows.all_inner_texts()]
        worst_play = max(range(len(lost)), key=lambda n: float(lost[n]))
        guest.hands.do(guest, self.games[STUD].plays[worst_play])
        guest.page.get_by_role("button", name="Change my play").wait_for()

    def _stud_over(self, guest: Player) -> Iterator[Screen]:
        page = guest.page
        guest.action("Fold").or_(guest.action("Rebet")).first.wait_for()
        page.get_by_role("button", name="Change my play").wait_for(state="hidden")
        page.get_by_role("tab", name="Coach").click()
        page.get_by_role("checkbox", name="Warn me before a mistake").uncheck()
        while not guest.action("Rebet").is_visible():
            caption = guest.wait_for_decision()
            guest.hands.do(guest, "1x")
            page.get_by_text(caption, exact=True).wait_for(state="hidden")
            guest.action("1x").or_(guest.action("Rebet")).first.wait_for()
        guest.wait_for_result()
        for tab in ("Result", "Coach", "Pay tables", "Log", "Seat"):
            page.get_by_role("tab", name=tab).click()
            yield Screen(f"stud-over-{tab.lower()}", page)
        page.get_by_role("tab", name="Result").click()
        page.keyboard.press("t")
        page.get_by_role("heading", name="Community cards").wait_for()
        yield Screen("stud-text", page)
        page.keyboard.press("t")
        page.keyboard.press("?")
        page.get_by_role("dialog", name="Keys").wait_for()
        yield Screen("keys", page)
        page.keyboard.press("Escape")

    def _past(self, guest: Player) -> Iterator[Screen]:
        page = guest.page
        go(page, "/coach")
        page.locator("main details summary").first.click()
        yield Screen("decisions", page)
        go(page, "/rounds")
        page.get_by_role("link", name=re.compile("Round 1")).click()
        page.get_by_role("button", name="First").wait_for()
        yield Screen("replay", page)
        page.get_by_role("tab", name="Verify").click()
        page.get_by_role("button", name="Verify deal").click()
        page.get_by_text("Verified: this round matches the shuffle.").wait_for()
        yield Screen("verify", page)
        page.get_by_role("tab", name="Share").click()
        page.get_by_role("button", name="Create link").click()
        link = page.get_by_role("tabpanel").get_by_role("textbox").input_value()
        yield Screen("share", page)
        go(page, "/rounds")
        page.get_by_role("link", name=re.compile("Round 1")).wait_for()
        yield Screen("history", page)
        stranger = self.visit()
        stranger.goto(link)
        stranger.get_by_role("button", name="First").wait_for()
        yield Screen("shared", stranger)
        go(page, "/")
        page.get_by_role("heading", name="Open tables").wait_for()
        yield Screen("lobby-with-tables", page)

    def _felts(self) -> Iterator[Screen]:
        guest = self._player()
        hi_lo, louisiana = self.games[HI_LO], self.games[LOUISIANA]
        guest.sit(hi_lo)
        guest.bet(hi_lo, *hi_lo.optional)
        guest.deal()
        guest.wait_for_decision()
        yield Screen("hi-lo", guest.page)
        guest.play("Low")
        guest.wait_for_result()
        yield Screen("hi-lo-over", guest.page)
        guest.walk_to(guest.seat(louisiana))
        guest.bet(louisiana, *louisiana.optional)
        guest.deal()
        guest.play("2x", "Fold")
        guest.wait_for_result()
        yield Screen("louisiana-folded", guest.page)

    def _house_table(self) -> Iterator[Screen]:
        game = self.games[ASKS_ALL]
        table, names = (
            self.house.table(ASKS_ALL),
            [self.house.player("eve"), self.house.player("fay")],
        )
        players = [self._player(name) for name in names]
        for seat, player in enumerate(players, start=1):
            player.come_to(table)
            player.page.get_by_role("button", name=re.compile(f"^Sit at seat {seat}")).click()
            player.bet(game)
        self.house.command(table, do="close-betting")
        eve, fay = players
        eve.play("2x")
        fay.wait_for_decision()
        yield Screen("two-players", fay.page)
        sue = self.visit(SUPERVISOR)
        sue.goto(f"/table/{table}")
        sue.get_by_role("tab", name="Floor").click()
        sue.get_by_role("button", name="Misdeal").wait_for()
        yield Screen("floor", sue)
        sue.get_by_role("button", name="Stop play").click()
        sue.get_by_role("dialog").get_by_role("textbox").fill("fire alarm")
        yield Screen("floor-asks", sue)
        sue.get_by_role("dialog").get_by_role("button", name="Stop play").click()
        eve.page.get_by_role("button", name="Finish the hand").wait_for()
        yield Screen("interrupted", eve.page)
        yield from self._pit(sue, table)

    def _pit(self, sue: Page, table: str) -> Iterator[Screen]:
        locators = {
            "tables": sue.get_by_role("button", name=f"Close table {table}"),
            "exceptions": sue.get_by_role("listitem").filter(has_text=table).first,
            "incidents": sue.get_by_role("button", name="Log incident"),
            "interruptions": sue.get_by_role("main").get_by_text(table).first,
            "events": sue.get_by_role("listitem").filter(has_text=table).first,
            "statement": sue.get_by_role("heading", name="Drop counts"),
            "people": sue.get_by_role("button", name=re.compile("^New password for")).first,
        }
        for part, locator in locators.items():
            go(sue, f"/pit/{part}")
            locator.wait_for()
            yield Screen(f"pit-{part}", sue)
        go(sue, "/cage")
        sue.get_by_role("heading", name="Slips").wait_for()
        yield Screen("cage", sue)
        self.house.command(table, do="unreadable", why="the deck fell")
        go(sue, "/pit/explain")
        sue.get_by_label("Round").fill(f"{table}-000001")
        sue.get_by_role("button", name="Explain").click()
        sue.get_by_role("article").wait_for()
        yield Screen("pit-explain", sue)
