"""Own cards are never covered: every decision of every sheet, at the sizes that people have."""

from __future__ import annotations

import os
import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import httpx
import pytest
from playwright.sync_api import CDPSession, Page
from tests.browser.built import ROOT, build_page, script
from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.player import INSTANT, NUMBERS, Game, Player, dealt, game_of, keep_settings
from tests.house.web.conftest import PASSWORD
from tests.house.web.live import SHEETS
from tests.house.web.served import SECONDS

UNUSUAL = ROOT / "tests" / "sheets" / "unusual"
UNUSUAL_SHEETS = tuple(f"unusual/{one.stem}" for one in sorted(UNUSUAL.glob("*.toml")))
ALL_SHEETS = (*SHEETS, *UNUSUAL_SHEETS)
STUD, HI_LO = "catfish-bend/mississippi-stud", "catfish-bend/matchem-hi-lo"
LOUISIANA = "louisiana-stud/stax-required"
Place = tuple[int, int, int]
OWN = 3
"""The seat of whoever looks, in the middle of six."""
SIZES = ((1366, 657), (1280, 633), (844, 390), (740, 360), (3840, 2160), (320, 568))
FULL = tuple((1280, 800, zoom) for zoom in (1, 2))
ZOOMS = (1, 2)
PLACES = tuple((*size, zoom) for size in SIZES for zoom in ZOOMS)
"""Every size at every zoom: once a layout in `make test`, at every decision in `make test-slow`."""
LAYOUTS = {STUD: 3, HI_LO: 1}
"""How many decisions share all places between them, where a sheet stands for its layout."""
OTHERS = 12
WHOLE = pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
PHONES = ((390, 844), (320, 568), (844, 390))
CARD_MIN = 40
"""Narrower than this no card is easily read."""
TINY = 300 * 300
"""Fewer points of the screen than these, and cards may be smaller rather than covered."""
CARD_TINY = 22
CARD_TWO = 30
CARD_TWO_TINY = 20
"""Two hands on one phone."""
PICTURES = "PITBOOK_PICTURES"
LINES: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()
"""A size holds for as long as the line to the browser over which it was set."""


def plain(*sizes: tuple[int, int]) -> tuple[Place, ...]:
    """Sizes without zoom."""
    return tuple((*size, 1) for size in sizes)


class Asked(NamedTuple):
    """A page at a decision, and where its pictures go."""

    page: Page
    name: str
    least: int = CARD_MIN
    tiniest: int = CARD_TINY

    def measured(self, places: Iterable[Place]) -> list[str]:
        """What is wrong at any of these sizes."""
        return [
            f"{self.name}, {width}x{height} at {zoom}00%: {what}"
            for width, height, zoom in places
            for what in self._seen(width, height, zoom)
        ]

    def _seen(self, width: int, height: int, zoom: int) -> list[str]:
        sized(self.page, width // zoom, height // zoom, zoom)
        if folder := os.environ.get(PICTURES):
            name = f"{self.name}-{width}x{height}-{zoom}".replace("/", "-").replace(" ", "-")
            drawn = LINES[self.page].send("Page.captureScreenshot")["data"]
            (Path(folder) / f"{name}.png").write_bytes(b64decode(drawn))
        tiny = width * height < zoom * zoom * TINY
        found: list[str] = self.page.evaluate(
            script("covered"), self.tiniest if tiny else self.least
        )
        return found


def sized(page: Page, width: int, height: int, zoom: int = 1) -> None:
    """As a browser zooms: fewer points, each of them larger."""
    line = LINES.get(page) or LINES.setdefault(page, page.context.new_cdp_session(page))
    metrics = {"width": width, "height": height, "deviceScaleFactor": zoom, "mobile": False}
    line.send("Emulation.setDeviceMetricsOverride", metrics)
    page.evaluate(script("settled"), [width, height])


@pytest.fixture(scope="module")
def wide_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with every bundled sheet and the unusual ones."""
    build_page()
    made = House(tmp_path_factory.mktemp("covered") / "house", PITBOOK_SHEETS=str(UNUSUAL))
    yield made
    made.close()


@pytest.fixture(scope="module")
def all_games(wide_house: House) -> dict[str, dict[str, Any]]:
    """What the house says of each sheet."""
    return {one["id"]: one for one in wide_house.get("/api/sheets")["sheets"]}


@pytest.fixture
def seated(wide_house: House, visit: Visit) -> Iterator[Callable[..., Player]]:
    """Somebody at a page of their own: seated(), seated("ann"), seated(motion="full")."""

    def one(name: str | None = None, **settings: str) -> Player:
        page = visit(name, at=wide_house.address)
        keep_settings(page, **(settings or INSTANT))
        return Player(page)

    yield one
    while LINES:
        LINES.popitem()[1].detach()


def decisions(player: Player, game: Game) -> Iterator[Asked]:
    """Every decision of a round, played on with the smallest bet."""
    player.sit(game, *dealt(game, *game.optional))
    asked = ""
    for n in range(1, 9):
        if not asks(player, asked):
            break
        asked = player.asked(after=asked)
        yield Asked(player.page, f"{game.id} decision {n}")
        goes_on(player).click()
    assert asked, f"{game.id} asked for nothing"


def asks(player: Player, after: str) -> bool:
    """Whether another decision came before the round was over."""
    other = re.compile(rf"^(?!{re.escape(after)}$).+: your decision$")
    over = player.action("Rebet").and_(player.page.locator('[aria-disabled="false"]'))
    player.page.get_by_text(other).or_(over).first.wait_for()
    return not over.is_visible()


def goes_on(player: Player) -> Any:
    """The first play that is no fold."""
    plays = player.actions.locator("button.play:not(.fold)")
    return plays.first


def places_of(sheet: str, decision: int, *, whole: bool) -> tuple[Place, ...]:
    """Where a decision is looked at: in turn, so that the sheets together have seen every place."""
    if whole:
        return PLACES
    step = LAYOUTS.get(sheet, OTHERS)
    return PLACES[(ALL_SHEETS.index(sheet) + 5 * decision) % step :: step]


@pytest.mark.slow_cases(
    "louisiana-stud/standard-False",
    "louisiana-stud/stax-required-False",
    "oceanfront/mississippi-stud-False",
    "unusual/bets-withdrawn-False",
    "unusual/four-card-hi-lo-False",
    "unusual/three-hole-cards-False",
)
@WHOLE
@pytest.mark.parametrize("sheet", ALL_SHEETS)
def test_own_cards_are_in_full_view_at_every_decision(
    sheet: str, whole: bool, seated: Callable[..., Player], all_games: dict[str, dict[str, Any]]
) -> None:
    player, game = seated(), game_of(all_games[sheet])
    wrong = [
        what
        for n, one in enumerate(decisions(player, game))
        for what in one.measured(places_of(sheet, n, whole=whole))
    ]
    assert not wrong, "\n".join(wrong)


def test_every_layout_is_looked_at_in_every_place() -> None:
    for sheet, decisions in LAYOUTS.items():
        seen = [place for n in range(decisions) for place in places_of(sheet, n, whole=False)]
        assert sorted(seen) == sorted(PLACES)
    rest = [one for one in ALL_SHEETS if one not in LAYOUTS]
    seen = [one for sheet in rest for n in range(3) for one in places_of(sheet, n, whole=False)]
    assert set(seen) == set(PLACES)


@WHOLE
def test_own_cards_are_in_full_view_among_five_neighbours(
    whole: bool,
    seated: Callable[..., Player],
    wide_house: House,
    all_games: dict[str, dict[str, Any]],
) -> None:
    wrong: list[str] = []
    places = (*FULL, *PLACES)
    sheets = (HI_LO, LOUISIANA, STUD) if whole else (HI_LO, LOUISIANA)
    for n, sheet in enumerate(sheets):
        table, me = full_table(wide_house, all_games[sheet])
        player = seated(me)
        player.come_to(table)
        player.asked()
        here = places if whole else places[n :: 2 * len(sheets)]
        wrong += Asked(player.page, f"{sheet} among five").measured(here)
    assert not wrong, "\n".join(wrong)


class Seated:
    """Somebody else at a table, without a browser."""

    def __init__(self, house: House, table: str, name: str, seat: int) -> None:
        self.table, self.name, self.seat = table, name, seat
        self.line = httpx.Client(base_url=house.address, timeout=SECONDS)
        given = {"name": name, "password": PASSWORD}
        assert self.line.post("/api/sign-in", json=given).is_success

    def bet(self, *wagers: str) -> None:
        self.command(do="sit", seat=self.seat)
        for wager in wagers:
            self.command(do="put-wager", seat=self.seat, wager=wager, amount="10.00")

    def command(self, **given: Any) -> None:
        body = {"request": f"{self.name}-{next(NUMBERS)}", "command": given}
        answer = self.line.post(f"/api/tables/{self.table}/commands", json=body)
        assert answer.is_success, answer.text


def waits(house: House, table: str, seat: int) -> bool:
    seats = house.get(f"/api/tables/{table}")["seats"]
    return any(one["seat"] == seat and one["waiting"] for one in seats)


def full_table(house: House, sheet: dict[str, Any]) -> tuple[str, str]:
    """A table with six who have bet, waiting for the one in seat three."""
    table, names = house.table(sheet["id"]), [house.player(f"seat{n}") for n in range(1, 7)]
    (main, _), *sides = sheet["wagers"].items()
    required = [wager for wager, side in sides if side["required"]]
    people = [Seated(house, table, name, seat) for seat, name in enumerate(names, start=1)]
    for one in people:
        one.bet(main, *required)
    house.command(table, do="close-betting")
    play = game_of(sheet).plays[1].lower()
    for one in people[: OWN - 1]:
        if not waits(house, table, OWN):
            one.command(do="decide", seat=one.seat, play=play)
    for one in people:
        one.line.close()
    assert waits(house, table, OWN)
    return table, names[OWN - 1]


@WHOLE
def test_both_hands_of_a_player_are_in_full_view(
    whole: bool, seated: Callable[..., Player], all_games: dict[str, dict[str, Any]]
) -> None:
    """MHL-15: one player may have two spots side by side."""
    player, game = seated(), game_of(all_games[HI_LO])
    player.sit(game)
    player.page.get_by_role("button", name=re.compile("^Sit at seat 2")).click()
    spots = player.page.get_by_role("region", name=re.compile("^Your spot"))
    spots.nth(1).wait_for()
    for n in range(2):
        spots.nth(n).get_by_role("button", name=re.compile(f"^{game.main}")).click()
        spots.nth(n).get_by_text("$5", exact=True).first.wait_for()
    player.deal()
    player.asked()
    assert len(player.cards(spots)) == 2 * len("A27")
    wrong = Asked(player.page, "two spots", CARD_TWO, CARD_TWO_TINY).measured(
        PLACES if whole else plain(*SIZES[1::2])  # A laptop, a phone on its side and upright.
    )
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow_cases("catfish-bend/mississippi-stud-False")
@WHOLE
@pytest.mark.parametrize("sheet", [STUD, HI_LO])
def test_a_notice_takes_its_room_from_the_felt_and_never_from_the_cards(
    sheet: str, whole: bool, seated: Callable[..., Player], all_games: dict[str, dict[str, Any]]
) -> None:
    """The line is lost, the purse is short, the coach asks, the house refuses."""
    player, game = seated(), game_of(all_games[sheet])
    sizes = SIZES if whole else SIZES[[STUD, HI_LO].index(sheet) :: 2]
    player.sit(game, *dealt(game, *game.optional))
    player.asked()
    player.page.get_by_role("button", name=re.compile("seat 4$")).dispatch_event("click")
    player.page.get_by_role("alert").filter(has_text=re.compile(r"\S")).first.wait_for()
    wrong = Asked(player.page, f"{sheet} refused").measured(plain(*sizes))
    player.page.evaluate(script("notices"), "main > .play, [aria-label=Actions] > .notices")
    wrong += Asked(player.page, f"{sheet} with notices").measured(plain(*sizes))
    assert not wrong, "\n".join(wrong)


@WHOLE
def test_a_lost_line_is_told_over_the_strip_and_covers_no_card(
    whole: bool, seated: Callable[..., Player], all_games: dict[str, dict[str, Any]]
) -> None:
    player, game = seated(), game_of(all_games[STUD])
    player.sit(game, *dealt(game, *game.optional))
    player.asked()
    player.page.context.set_offline(True)
    player.page.get_by_role("alert").filter(has_text="The line to the house is lost").wait_for()
    wrong = Asked(player.page, "without a line").measured(
        plain(*SIZES, *PHONES) if whole else plain(*PHONES)
    )
    player.page.context.set_offline(False)
    player.page.get_by_role("alert").filter(has_text="The line").wait_for(state="hidden")
    assert not wrong, "\n".join(wrong)


def test_own_cards_are_in_full_view_once_they_have_landed(
    seated: Callable[..., Player], all_games: dict[str, dict[str, Any]]
) -> None:
    """With every motion of the dealer's hands, in the dark, and without any motion at all."""
    wrong: list[str] = []
    for sheet in (STUD, HI_LO):
        player, game = seated(theme="dark"), game_of(all_games[sheet])
        player.page.emulate_media(reduced_motion="reduce" if sheet == HI_LO else "no-preference")
        player.sit(game)
        sized(player.page, *PHONES[0])
        player.bet(game)
        player.deal()
        player.asked()
        wrong += Asked(player.page, f"{sheet} in motion").measured(plain(*PHONES))
        player.page.emulate_media(reduced_motion="no-preference")
    assert not wrong, "\n".join(wrong)


def test_no_page_keeps_a_strip_free_at_its_edge(seated: Callable[..., Player]) -> None:
    page = seated().page
    page.goto("/sign-in")
    page.get_by_label("Name").wait_for()
    width = "document.querySelector('header').getBoundingClientRect().right - innerWidth"
    assert page.evaluate(width) == 0


def test_what_covers_a_card_is_found(
    seated: Callable[..., Player], all_games: dict[str, dict[str, Any]]
) -> None:
    player, game = seated(), game_of(all_games[STUD])
    player.sit(game, *dealt(game))
    player.asked()
    asked = Asked(player.page, "stud")
    assert asked.measured(FULL[:1]) == []
    player.page.evaluate(
        "() => { const over = document.body.appendChild(document.createElement('div'));"
        "Object.assign(over.style, { position: 'fixed', inset: '60% 0 0' }); }"
    )
    assert len([what for what in asked.measured(FULL[:1]) if "points under" in what]) >= len("AK")
