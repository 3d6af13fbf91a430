"""The player's cards are never covered: every decision of every sheet, at common sizes."""

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
from tests.browser.conftest import Visit
from tests.browser.page_build import ROOT, build_page, script
from tests.browser.player import (
    INSTANT,
    NUMBERS,
    Game,
    Player,
    commands_to_deal,
    game_of,
    keep_settings,
)
from tests.browser.server import House
from tests.house.web.conftest import PASSWORD
from tests.house.web.live_server import SHEETS
from tests.house.web.server_process import SECONDS

UNUSUAL = ROOT / "tests" / "sheets" / "unusual"
UNUSUAL_SHEETS = tuple(f"unusual/{file.stem}" for file in sorted(UNUSUAL.glob("*.toml")))
ALL_SHEETS = (*SHEETS, *UNUSUAL_SHEETS)
STUD, HI_LO = "catfish-bend/mississippi-stud", "catfish-bend/matchem-hi-lo"
LOUISIANA = "louisiana-stud/stax-required"
Place = tuple[int, int, int]
OWN_SEAT = 3
"""The seat of whoever looks, in the middle of six."""
SIZES = ((1366, 657), (1280, 633), (844, 390), (740, 360), (3840, 2160), (320, 568))
FULL = tuple((1280, 800, zoom) for zoom in (1, 2))
ZOOMS = (1, 2)
PLACES = tuple((*size, zoom) for size in SIZES for zoom in ZOOMS)
"""Every size at every zoom: once a layout in `make test`, at every decision in `make test-slow`."""
LAYOUTS = {STUD: 3, HI_LO: 1}
"""How many decisions share all places between them, where a sheet stands for its layout."""
OTHERS = 12
BOTH_EXTENTS = pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
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
CDP_SESSIONS: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()
"""A size holds for as long as the line to the browser over which it was set."""


def plain(*sizes: tuple[int, int]) -> tuple[Place, ...]:
    """Sizes without zoom."""
    return tuple((*size, 1) for size in sizes)


class DecisionPage(NamedTuple):
    """A page at a decision, and the name of its pictures."""

    page: Page
    name: str
    least: int = CARD_MIN
    tiniest: int = CARD_TINY

    def problems(self, places: Iterable[Place]) -> list[str]:
        """The problems at any of these sizes."""
        return [
            f"{self.name}, {width}x{height} at {zoom}00%: {what}"
            for width, height, zoom in places
            for what in self._problems_at(width, height, zoom)
        ]

    def _problems_at(self, width: int, height: int, zoom: int) -> list[str]:
        set_size_and_zoom(self.page, width // zoom, height // zoom, zoom)
        if folder := os.environ.get(PICTURES):
            name = f"{self.name}-{width}x{height}-{zoom}".replace("/", "-").replace(" ", "-")
            drawn = CDP_SESSIONS[self.page].send("Page.captureScreenshot")["data"]
            (Path(folder) / f"{name}.png").write_bytes(b64decode(drawn))
        tiny = width * height < zoom * zoom * TINY
        problems_found: list[str] = self.page.evaluate(
            script("hidden_parts"), self.tiniest if tiny else self.least
        )
        return problems_found


def set_size_and_zoom(page: Page, width: int, height: int, zoom: int = 1) -> None:
    """Emulate browser zoom: fewer points, each of them larger."""
    session = CDP_SESSIONS.get(page) or CDP_SESSIONS.setdefault(
        page, page.context.new_cdp_session(page)
    )
    metrics = {"width": width, "height": height, "deviceScaleFactor": zoom, "mobile": False}
    session.send("Emulation.setDeviceMetricsOverride", metrics)
    page.evaluate(script("wait_until_still"), [width, height])


@pytest.fixture(scope="module")
def wide_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with every bundled sheet and the unusual ones."""
    build_page()
    unusual_house = House(tmp_path_factory.mktemp("covered") / "house", PITBOOK_SHEETS=str(UNUSUAL))
    yield unusual_house
    unusual_house.close()


@pytest.fixture(scope="module")
def all_games(wide_house: House) -> dict[str, dict[str, Any]]:
    """The house's summary of each sheet."""
    return {sheet["id"]: sheet for sheet in wide_house.get("/api/sheets")["sheets"]}


@pytest.fixture
def open_player(wide_house: House, visit: Visit) -> Iterator[Callable[..., Player]]:
    """Open a player's page: open_player(), open_player("ann"), open_player(motion="full")."""

    def open_one(name: str | None = None, **settings: str) -> Player:
        page = visit(name, at=wide_house.address)
        keep_settings(page, **(settings or INSTANT))
        return Player(page)

    yield open_one
    while CDP_SESSIONS:
        CDP_SESSIONS.popitem()[1].detach()


def decisions(player: Player, game: Game) -> Iterator[DecisionPage]:
    """Every decision of a round, played on with the smallest bet."""
    player.sit(game, *commands_to_deal(game, *game.optional))
    caption = ""
    for n in range(1, 9):
        if not has_next_decision(player, caption):
            break
        caption = player.wait_for_decision(after=caption)
        yield DecisionPage(player.page, f"{game.id} decision {n}")
        first_staying_play(player).click()
    assert caption, f"{game.id} asked for nothing"


def has_next_decision(player: Player, after: str) -> bool:
    """Whether another decision comes before the round is over."""
    other = re.compile(rf"^(?!{re.escape(after)}$).+: your turn$")
    over = player.action("Rebet").and_(player.page.locator('[aria-disabled="false"]'))
    player.page.get_by_text(other).or_(over).first.wait_for()
    return not over.is_visible()


def first_staying_play(player: Player) -> Any:
    """The first play that is not a fold."""
    plays = player.actions.locator("button.play:not(.fold)")
    return plays.first


def places_of(sheet: str, decision: int, *, whole: bool) -> tuple[Place, ...]:
    """The sizes at which a decision is checked; together the sheets cover every size."""
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
@BOTH_EXTENTS
@pytest.mark.parametrize("sheet", ALL_SHEETS)
def test_own_cards_are_visible_at_every_decision(
    sheet: str,
    whole: bool,
    open_player: Callable[..., Player],
    all_games: dict[str, dict[str, Any]],
) -> None:
    player, game = open_player(), game_of(all_games[sheet])
    wrong = [
        what
        for n, decision in enumerate(decisions(player, game))
        for what in decision.problems(places_of(sheet, n, whole=whole))
    ]
    assert not wrong, "\n".join(wrong)


def test_every_layout_is_checked_at_every_size() -> None:
    for sheet, decisions in LAYOUTS.items():
        places_seen = [
            place for n in range(decisions) for place in places_of(sheet, n, whole=False)
        ]
        assert sorted(places_seen) == sorted(PLACES)
    others = [sheet for sheet in ALL_SHEETS if sheet not in LAYOUTS]
    places_seen = [
        place for sheet in others for n in range(3) for place in places_of(sheet, n, whole=False)
    ]
    assert set(places_seen) == set(PLACES)


@BOTH_EXTENTS
def test_own_cards_are_visible_at_a_full_table(
    whole: bool,
    open_player: Callable[..., Player],
    wide_house: House,
    all_games: dict[str, dict[str, Any]],
) -> None:
    wrong: list[str] = []
    places = (*FULL, *PLACES)
    sheets = (HI_LO, LOUISIANA, STUD) if whole else (HI_LO, LOUISIANA)
    for n, sheet in enumerate(sheets):
        table, me = full_table(wide_house, all_games[sheet])
        player = open_player(me)
        player.come_to(table)
        player.wait_for_decision()
        places_checked = places if whole else places[n :: 2 * len(sheets)]
        wrong += DecisionPage(player.page, f"{sheet} among five").problems(places_checked)
    assert not wrong, "\n".join(wrong)


class SeatedPlayer:
    """Another player at a table, without a browser."""

    def __init__(self, house: House, table: str, name: str, seat: int) -> None:
        self.table, self.name, self.seat = table, name, seat
        self.client = httpx.Client(base_url=house.address, timeout=SECONDS)
        given = {"name": name, "password": PASSWORD}
        assert self.client.post("/api/sign-in", json=given).is_success

    def bet(self, *wagers: str) -> None:
        self.command(do="sit", seat=self.seat)
        for wager in wagers:
            self.command(do="put-wager", seat=self.seat, wager=wager, amount="10.00")

    def command(self, **given: Any) -> None:
        body = {"request": f"{self.name}-{next(NUMBERS)}", "command": given}
        answer = self.client.post(f"/api/tables/{self.table}/commands", json=body)
        assert answer.is_success, answer.text


def is_waiting(house: House, table: str, seat: int) -> bool:
    seats = house.get(f"/api/tables/{table}")["seats"]
    return any(seat_view["seat"] == seat and seat_view["waiting"] for seat_view in seats)


def full_table(house: House, sheet: dict[str, Any]) -> tuple[str, str]:
    """A table with six who have bet, waiting for seat three."""
    table, names = house.table(sheet["id"]), [house.player(f"seat{n}") for n in range(1, 7)]
    (main, _), *sides = sheet["wagers"].items()
    required = [wager for wager, side in sides if side["required"]]
    people = [SeatedPlayer(house, table, name, seat) for seat, name in enumerate(names, start=1)]
    for seated_player in people:
        seated_player.bet(main, *required)
    house.command(table, do="close-betting")
    play = game_of(sheet).plays[1].lower()
    for seated_player in people[: OWN_SEAT - 1]:
        if not is_waiting(house, table, OWN_SEAT):
            seated_player.command(do="decide", seat=seated_player.seat, play=play)
    for seated_player in people:
        seated_player.client.close()
    assert is_waiting(house, table, OWN_SEAT)
    return table, names[OWN_SEAT - 1]


@BOTH_EXTENTS
def test_both_hands_of_a_player_are_visible(
    whole: bool, open_player: Callable[..., Player], all_games: dict[str, dict[str, Any]]
) -> None:
    """MHL-15: one player may have two spots side by side."""
    player, game = open_player(), game_of(all_games[HI_LO])
    player.sit(game)
    player.page.get_by_role("button", name=re.compile("^Sit at seat 2")).click()
    spots = player.page.get_by_role("region", name=re.compile("^Your seat"))
    spots.nth(1).wait_for()
    for n in range(2):
        spots.nth(n).get_by_role("button", name=re.compile(f"^{game.main}")).click()
        spots.nth(n).get_by_text("$5", exact=True).first.wait_for()
    player.deal()
    player.wait_for_decision()
    assert len(player.cards(spots)) == 2 * len("A27")
    wrong = DecisionPage(player.page, "two spots", CARD_TWO, CARD_TWO_TINY).problems(
        PLACES if whole else plain(*SIZES[1::2])  # A laptop, and a phone in both orientations.
    )
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow_cases("catfish-bend/mississippi-stud-False")
@BOTH_EXTENTS
@pytest.mark.parametrize("sheet", [STUD, HI_LO])
def test_notices_cover_no_cards(
    sheet: str,
    whole: bool,
    open_player: Callable[..., Player],
    all_games: dict[str, dict[str, Any]],
) -> None:
    """Connection lost, a short purse, a coach's question, a refusal."""
    player, game = open_player(), game_of(all_games[sheet])
    sizes = SIZES if whole else SIZES[[STUD, HI_LO].index(sheet) :: 2]
    player.sit(game, *commands_to_deal(game, *game.optional))
    player.wait_for_decision()
    player.page.get_by_role("button", name=re.compile("seat 4$")).dispatch_event("click")
    player.page.get_by_role("alert").filter(has_text=re.compile(r"\S")).first.wait_for()
    wrong = DecisionPage(player.page, f"{sheet} refused").problems(plain(*sizes))
    player.page.evaluate(script("add_notices"), "main > .play, [aria-label=Actions] > .notices")
    wrong += DecisionPage(player.page, f"{sheet} with notices").problems(plain(*sizes))
    assert not wrong, "\n".join(wrong)


@BOTH_EXTENTS
def test_connection_lost_banner_covers_no_cards(
    whole: bool, open_player: Callable[..., Player], all_games: dict[str, dict[str, Any]]
) -> None:
    player, game = open_player(), game_of(all_games[STUD])
    player.sit(game, *commands_to_deal(game, *game.optional))
    player.wait_for_decision()
    player.page.context.set_offline(True)
    player.page.get_by_role("alert").filter(has_text="Connection lost").wait_for()
    wrong = DecisionPage(player.page, "without a line").problems(
        plain(*SIZES, *PHONES) if whole else plain(*PHONES)
    )
    player.page.context.set_offline(False)
    player.page.get_by_role("alert").filter(has_text="The line").wait_for(state="hidden")
    assert not wrong, "\n".join(wrong)


def test_landed_cards_are_visible(
    open_player: Callable[..., Player], all_games: dict[str, dict[str, Any]]
) -> None:
    """With all dealing motion in dark mode, and without motion."""
    wrong: list[str] = []
    for sheet in (STUD, HI_LO):
        player, game = open_player(theme="dark"), game_of(all_games[sheet])
        player.page.emulate_media(reduced_motion="reduce" if sheet == HI_LO else "no-preference")
        player.sit(game)
        set_size_and_zoom(player.page, *PHONES[0])
        player.bet(game)
        player.deal()
        player.wait_for_decision()
        wrong += DecisionPage(player.page, f"{sheet} in motion").problems(plain(*PHONES))
        player.page.emulate_media(reduced_motion="no-preference")
    assert not wrong, "\n".join(wrong)


def test_page_leaves_no_strip_at_its_edge(open_player: Callable[..., Player]) -> None:
    page = open_player().page
    page.goto("/sign-in")
    page.get_by_label("Name").wait_for()
    width = "document.querySelector('header').getBoundingClientRect().right - innerWidth"
    assert page.evaluate(width) == 0


def test_covered_card_is_detected(
    open_player: Callable[..., Player], all_games: dict[str, dict[str, Any]]
) -> None:
    player, game = open_player(), game_of(all_games[STUD])
    player.sit(game, *commands_to_deal(game))
    player.wait_for_decision()
    decision = DecisionPage(player.page, "stud")
    assert decision.problems(FULL[:1]) == []
    player.page.evaluate(
        "() => { const over = document.body.appendChild(document.createElement('div'));"
        "Object.assign(over.style, { position: 'fixed', inset: '60% 0 0' }); }"
    )
    assert len([what for what in decision.problems(FULL[:1]) if "points under" in what]) >= len(
        "AK"
    )
