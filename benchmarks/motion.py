"""The cost of moving cards and chips to the page: frames, main-thread time, layouts and paints.

A browser traces itself while hands are bet, dealt, turned, lost and won, including large and
jackpot wins. Late frames show how busy the machine is; CPU time of the page's thread, layouts,
paints and motion outside the compositor show how good the page is. A motion passes if no task
takes longer than a frame, including the one that brings news, and if the compositor alone moves
everything.
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
from tests.browser.conftest import ARGUMENTS
from tests.browser.identical_deals import SEED_VARIABLE, AlikeHouse
from tests.browser.page_build import build_page, chromium
from tests.browser.player import Game, Player, game_of, keep_settings
from tests.browser.server import House

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
PAIRED_SEED = "great 215308"
"""The first three boards of each of the first three tables hold a pair: great wins, at once."""
FREE = '[aria-disabled="false"]'
FRAME_MS = 1_000 / 60
TIMEOUT_MS = 60_000
STATIC_PROPERTIES = {"outline-color"}  # A ring that does not move.
SIZE: ViewportSize = {"width": 1366, "height": 657}


class Cost(NamedTuple):
    """The work of the page's thread in one motion, in milliseconds of CPU time."""

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
    with open_house() as (house_server, browser):
        costs_by_motion = measure_motions(house_server, browser)
    head = ("frames", "late", "cpu ms", "a frame", "news", "next", "layouts", "paints")
    print(f"{'median of':<12}" + "".join(f"{name:>9}" for name in head))
    for name, costs in costs_by_motion.items():
        print(
            f"{f'{len(costs)} {name}':<12}"
            + "".join(f"{column_median:9.1f}" for column_median in medians(costs))
        )
    return verdict(costs_by_motion)


def medians(costs: list[Cost]) -> list[float]:
    """The medians for a line of the table."""
    cpu_per_frame = [cost.cpu / max(cost.frames, 1) for cost in costs]
    columns: list[list[float]] = [
        [cost.frames for cost in costs],
        [cost.late for cost in costs],
        [cost.cpu for cost in costs],
        cpu_per_frame,
        [cost.news for cost in costs],
        [cost.next for cost in costs],
        [cost.layouts for cost in costs],
        [cost.paints for cost in costs],
    ]
    return [median(column) for column in columns]


def verdict(costs_by_motion: dict[str, list[Cost]]) -> int:
    """Whether each motion leaves the page's thread enough of every frame, including its news."""
    slow = [
        name
        for name, costs in costs_by_motion.items()
        if median(cost.news for cost in costs) > FRAME_MS
    ]
    heavy = set().union(*(cost.heavy for costs in costs_by_motion.values() for cost in costs))
    missing = [name for name in MOTIONS if name not in costs_by_motion]
    print(f"tasks that take a frame of {FRAME_MS:.1f} ms and more: {slow or 'none'}")
    print(f"moved by the page's thread instead of the compositor: {sorted(heavy) or 'nothing'}")
    print(f"not seen within {ROUNDS} rounds: {missing or 'nothing'}")
    return 1 if slow or heavy or missing else 0


def measure_motions(house_server: House, browser: Browser) -> dict[str, list[Cost]]:
    """The costs of every motion by name."""
    games = {sheet["id"]: game_of(sheet) for sheet in house_server.get("/api/sheets")["sheets"]}
    costs_by_motion: dict[str, list[Cost]] = {}
    for name in (SHEET, *(f"bench/{tier}" for tier in PAYS)):
        for motion, cost in play_table(house_server, browser, games[name]):
            costs_by_motion.setdefault(motion, []).append(cost)
    return {name: costs_by_motion[name] for name in MOTIONS if name in costs_by_motion}


def play_table(house_server: House, browser: Browser, game: Game) -> Iterator[tuple[str, Cost]]:
    """Play some rounds; at a table of large wins, each round is one."""
    context = browser.new_context(base_url=house_server.address, viewport=SIZE)
    context.set_default_timeout(TIMEOUT_MS)
    keep_settings(context.new_page(), motion="dealt")
    player = Player(context.pages[0])
    player.sit(game)
    player.page.keyboard.press("k")  # Turn the coach off.
    bonus = game.id != SHEET
    for _ in range(ROUNDS):
        browser.start_tracing(page=player.page, categories=CATEGORIES)
        ending = play_round(player, bonus=bonus)
        events = json.loads(browser.stop_tracing())["traceEvents"]
        yield from motion_costs(events, ending)
    context.close()


def play_round(player: Player, *, bonus: bool) -> str:
    """Play one round by keyboard, with a mark before and after each motion; return its ending."""
    page = player.page

    def press_key(name: str, key: str, ms: int) -> None:
        page.evaluate("name => performance.mark(name)", f"{name}>")
        page.keyboard.press(key)
        page.wait_for_timeout(ms)
        page.evaluate("name => performance.mark(name)", f"{name}<")

    rebet_button = page.get_by_role("button", name=re.compile("^Rebet")).and_(page.locator(FREE))
    is_first_round = not rebet_button.count()
    press_key("bet", "ArrowUp" if is_first_round else "r", 700)
    if bonus and is_first_round:
        player.circle(BONUS).click()
        page.wait_for_timeout(700)
    press_key("deal", "Enter", 2_200)
    for name in ("turn 1", "turn 2", "end"):
        player.wait_for_decision()
        press_key(name, "1", 1_200 if name != "end" else 5_000 if bonus else 2_400)
    player.wait_for_result()
    if page.locator(".great.jackpot").count():
        return "jackpot"
    return "large" if page.locator(".great").count() else "end"


def motion_costs(events: list[Event], ending: str) -> Iterator[tuple[str, Cost]]:
    """The cost of each motion between its marks."""
    marks = {event["name"]: event for event in events if event.get("cat") == "blink.user_timing"}
    for name, start_mark in marks.items():
        if name.endswith(">") and f"{name[:-1]}<" in marks:
            end_mark = marks[f"{name[:-1]}<"]
            motion_events = [
                event
                for event in events
                if start_mark["ts"] <= event.get("ts", 0) <= end_mark["ts"]
            ]
            motion = ending if name == "end>" else name[:-1].partition(" ")[0]
            yield motion, cost(motion_events, (start_mark["pid"], start_mark["tid"]))


def cost(events: list[Event], thread: tuple[int, int]) -> Cost:
    """The total work of one thread."""
    thread_events = [
        event for event in events if (event["pid"], event["tid"]) == thread and event["ph"] == "X"
    ]
    count = Counter(event["name"] for event in thread_events)
    tasks = sorted(
        event.get("tdur", 0) / 1_000 for event in thread_events if event["name"] == "RunTask"
    )
    reports = [
        event["args"] for event in events if event["name"] == "PipelineReporter" and "args" in event
    ]
    states = Counter(report.get("frame_reporter", {}).get("state") for report in reports)
    animations = (event["args"].get("data", {}) for event in events if event["name"] == "Animation")
    heavy = {
        property_name
        for animation in animations
        for property_name in animation.get("unsupportedProperties", ())
    }
    return Cost(
        frames=count["Commit"],
        late=states["STATE_DROPPED"],
        cpu=sum(tasks),
        news=tasks[-1] if tasks else 0,
        next=tasks[-2] if len(tasks) > 1 else 0,
        layouts=count["Layout"],
        paints=count["Paint"],
        heavy=frozenset(heavy - STATIC_PROPERTIES),
    )


@contextmanager
def open_house() -> Iterator[tuple[House, Browser]]:
    """A house with two more tables, where a pair on the board is a large win; and a browser."""
    with ExitStack() as ends:
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        for name, odds in PAYS.items():
            text = (BUNDLED / f"{SHEET}.toml").read_text(encoding="utf-8")
            sheet_file = folder / "sheets" / "bench" / f"{name}.toml"
            sheet_file.parent.mkdir(parents=True, exist_ok=True)
            text = text.replace(f'id = "{SHEET}"', f'id = "bench/{name}"')
            usual_lines, new_lines = (_table(pays) for pays in (USUAL, odds))
            assert usual_lines in text
            sheet_file.write_text(text.replace(usual_lines, new_lines), encoding="utf-8")
        variables = {"PITBOOK_SHEETS": str(folder / "sheets"), SEED_VARIABLE: PAIRED_SEED}
        house_server = AlikeHouse(folder / "house", **variables)
        ends.callback(house_server.close)
        playwright = ends.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        ends.callback(browser.close)
        yield house_server, browser


def _table(odds: tuple[str, ...]) -> str:
    return "".join(f'{line} = "{pay}"\n' for line, pay in zip(LINES, odds, strict=True))


if __name__ == "__main__":
    sys.exit(main())
