"""What cards and chips in motion cost the page: frames, main-thread time, layouts and paints.

A browser traces itself while a hand is bet, dealt, turned, lost and won, large and jackpot wins
too. Frames that come late say how busy the machine is; processor time of the page's own thread,
layouts, paints and motion that the compositor cannot do alone say how good the page is, whoever
else works here. A motion is fine where no task takes a frame's time, the one that brings the news
included, and where the compositor alone moves what moves.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import Browser, ViewportSize, sync_playwright
from tests.browser.alike import SEED, AlikeHouse
from tests.browser.built import build_page, chromium
from tests.browser.conftest import ARGUMENTS
from tests.browser.house import House
from tests.browser.player import Game, Player, game_of, keep_settings

from pitbook.sheets.library import BUNDLED

Event = dict[str, Any]
CATEGORIES = [
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "devtools.timeline.frame",
    "blink.user_timing",
    "blink.animations",
    "cc",
    "benchmark",
]
SHEET = "catfish-bend/mississippi-stud"
BONUS = "3 Card Bonus"
USUAL = ("40:1", "30:1", "6:1", "3:1", "1:1")
PAYS = {
    "large": ("60:1", "50:1", "40:1", "30:1", "12:1"),
    "jackpot": ("500:1", "400:1", "300:1", "200:1", "120:1"),
}
"""What the bonus pays, as it is, and at the tables where a great win is waited for."""
LINES = ("straight-flush", "three-of-a-kind", "straight", "flush", "pair")
MOTIONS = ("bet", "deal", "turn", "end", *PAYS)
ROUNDS = 3
PAIRED = "great 215308"
"""The first three boards of each of the first three tables hold a pair: great wins, at once."""
FREE = '[aria-disabled="false"]'
FRAME_MS = 1_000 / 60
PATIENCE_MS = 60_000
PRESSED = {"outline-color"}  # A ring that stands still.
SIZE: ViewportSize = {"width": 1366, "height": 657}


class Cost(NamedTuple):
    """What the page's own thread did in one motion, times in milliseconds of processor."""

    frames: int
    late: int
    cpu: float
    news: float
    """The longest task: the table's news is put on the felt."""
    next: float
    """The longest of all others: what motion itself costs at most."""
    layouts: int
    paints: int
    heavy: frozenset[str]
    """What moves and is none of the compositor's."""


def main() -> int:
    build_page()
    with house() as (served, browser):
        found = measured(served, browser)
    head = ("frames", "late", "cpu ms", "a frame", "news", "next", "layouts", "paints")
    print(f"{'median of':<12}" + "".join(f"{name:>9}" for name in head))
    for name, costs in found.items():
        print(f"{f'{len(costs)} {name}':<12}" + "".join(f"{one:9.1f}" for one in medians(costs)))
    return verdict(found)


def medians(costs: list[Cost]) -> list[float]:
    """A line of the table."""
    each = [one.cpu / max(one.frames, 1) for one in costs]
    columns: list[list[float]] = [
        [one.frames for one in costs],
        [one.late for one in costs],
        [one.cpu for one in costs],
        each,
        [one.news for one in costs],
        [one.next for one in costs],
        [one.layouts for one in costs],
        [one.paints for one in costs],
    ]
    return [median(one) for one in columns]


def verdict(found: dict[str, list[Cost]]) -> int:
    """Whether each motion leaves the page's thread enough of every frame, its news too."""
    slow = [name for name, all_ in found.items() if median(one.news for one in all_) > FRAME_MS]
    heavy = set().union(*(one.heavy for all_ in found.values() for one in all_))
    missing = [name for name in MOTIONS if name not in found]
    print(f"tasks that take a frame of {FRAME_MS:.1f} ms and more: {slow or 'none'}")
    print(f"moved by the page's thread instead of the compositor: {sorted(heavy) or 'nothing'}")
    print(f"not seen within {ROUNDS} rounds: {missing or 'nothing'}")
    return 1 if slow or heavy or missing else 0


def measured(served: House, browser: Browser) -> dict[str, list[Cost]]:
    """Every motion by its name, each as often as the cards brought it."""
    games = {one["id"]: game_of(one) for one in served.get("/api/sheets")["sheets"]}
    found: dict[str, list[Cost]] = {}
    for name in (SHEET, *(f"bench/{tier}" for tier in PAYS)):
        for motion, cost in at_table(served, browser, games[name]):
            found.setdefault(motion, []).append(cost)
    return {name: found[name] for name in MOTIONS if name in found}


def at_table(served: House, browser: Browser, game: Game) -> Iterator[tuple[str, Cost]]:
    """Some rounds; at a table of great wins each is one."""
    context = browser.new_context(base_url=served.address, viewport=SIZE)
    context.set_default_timeout(PATIENCE_MS)
    keep_settings(context.new_page(), motion="dealt")
    player = Player(context.pages[0])
    player.sit(game)
    player.page.keyboard.press("k")  # What the coach would say is not asked for here.
    bonus = game.id != SHEET
    for _ in range(ROUNDS):
        browser.start_tracing(page=player.page, categories=CATEGORIES)
        won = played(player, bonus=bonus)
        events = json.loads(browser.stop_tracing())["traceEvents"]
        yield from costs_of(events, won)
    context.close()


def played(player: Player, *, bonus: bool) -> str:
    """One round by keys, with a mark before and after each motion; how it ended."""
    page = player.page

    def moved(name: str, key: str, ms: int) -> None:
        page.evaluate("name => performance.mark(name)", f"{name}>")
        page.keyboard.press(key)
        page.wait_for_timeout(ms)
        page.evaluate("name => performance.mark(name)", f"{name}<")

    again = page.get_by_role("button", name=re.compile("^Rebet")).and_(page.locator(FREE))
    first = not again.count()
    moved("bet", "ArrowUp" if first else "r", 700)
    if bonus and first:
        player.circle(BONUS).click()
        page.wait_for_timeout(700)
    moved("deal", "Enter", 2_200)
    for name in ("turn 1", "turn 2", "end"):
        player.asked()
        moved(name, "1", 1_200 if name != "end" else 5_000 if bonus else 2_400)
    player.settled()
    if page.locator(".great.jackpot").count():
        return "jackpot"
    return "large" if page.locator(".great").count() else "end"


def costs_of(events: list[Event], won: str) -> Iterator[tuple[str, Cost]]:
    """What each motion between its marks came to."""
    marks = {one["name"]: one for one in events if one.get("cat") == "blink.user_timing"}
    for name, begun in marks.items():
        if name.endswith(">") and f"{name[:-1]}<" in marks:
            ended = marks[f"{name[:-1]}<"]
            within = [one for one in events if begun["ts"] <= one.get("ts", 0) <= ended["ts"]]
            motion = won if name == "end>" else name[:-1].partition(" ")[0]
            yield motion, cost(within, (begun["pid"], begun["tid"]))


def cost(events: list[Event], thread: tuple[int, int]) -> Cost:
    """The sum of what one thread did."""
    own = [one for one in events if (one["pid"], one["tid"]) == thread and one["ph"] == "X"]
    count = Counter(one["name"] for one in own)
    tasks = sorted(one.get("tdur", 0) / 1_000 for one in own if one["name"] == "RunTask")
    reports = [one["args"] for one in events if one["name"] == "PipelineReporter" and "args" in one]
    states = Counter(one.get("frame_reporter", {}).get("state") for one in reports)
    moving = (one["args"].get("data", {}) for one in events if one["name"] == "Animation")
    heavy = {what for one in moving for what in one.get("unsupportedProperties", ())}
    return Cost(
        frames=count["Commit"],
        late=states["STATE_DROPPED"],
        cpu=sum(tasks),
        news=tasks[-1] if tasks else 0,
        next=tasks[-2] if len(tasks) > 1 else 0,
        layouts=count["Layout"],
        paints=count["Paint"],
        heavy=frozenset(heavy - PRESSED),
    )


@contextmanager
def house() -> Iterator[tuple[House, Browser]]:
    """A house with two more tables, where a pair on the board is a great win; and a browser."""
    with ExitStack() as ends:
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        for name, odds in PAYS.items():
            text = (BUNDLED / f"{SHEET}.toml").read_text(encoding="utf-8")
            made = folder / "sheets" / "bench" / f"{name}.toml"
            made.parent.mkdir(parents=True, exist_ok=True)
            text = text.replace(f'id = "{SHEET}"', f'id = "bench/{name}"')
            before, after = (_table(one) for one in (USUAL, odds))
            assert before in text
            made.write_text(text.replace(before, after), encoding="utf-8")
        variables = {"PITBOOK_SHEETS": str(folder / "sheets"), SEED: PAIRED}
        served = AlikeHouse(folder / "house", **variables)
        ends.callback(served.close)
        playwright = ends.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        ends.callback(browser.close)
        yield served, browser


def _table(odds: tuple[str, ...]) -> str:
    return "".join(f'{line} = "{one}"\n' for line, one in zip(LINES, odds, strict=True))


if __name__ == "__main__":
    sys.exit(main())
