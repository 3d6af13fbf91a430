"""How soon the first screen is painted, and the size of its scripts, compared with a one-word page.

The pages are opened in turn in fresh browsers, so that a busy moment slows all alike; the word
is an answer of the same server. `python -m benchmarks.first_paint FOLDER` also opens the page of
another checkout, served by its own program, to compare a change.
"""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright
from tests.browser.conftest import ARGUMENTS
from tests.browser.page_build import STATIC, build_page, chromium
from tests.house.web.server_process import ServerProcess, command, environment
from tests.postgres import free_port

ROUNDS = 9
SCRIPT_MAX = 130_000
FONT_MAX = 80_000
GAMES_MAX = 12  # Relative to one word, until a game can be chosen.
WORD = "/api/health"
PAINTED = """() => new Promise((done) => {
  const told = (list) =>
    list.getEntriesByName("first-contentful-paint").map((one) => done(one.startTime));
  new PerformanceObserver(told).observe({ type: "paint", buffered: true });
})"""
USED = """() => performance.getEntriesByType("resource").filter((one) => one.name.endsWith(".js"))
  .map((one) => one.name)"""
GAMES = """() => new Promise((done) => {
  const look = () =>
    document.querySelector("main article button")
      ? done(performance.now())
      : requestAnimationFrame(look);
  look();
})"""


class PageVisit(NamedTuple):
    """A visit: time of the first paint, time until games are shown, and the scripts loaded."""

    painted: float
    games: float
    scripts: frozenset[str]


def main() -> int:
    build_page()
    with ExitStack() as ends:
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        house_address = start_house(ends, folder / "ours", None)
        addresses = {"one word": house_address + WORD, "this page": f"{house_address}/"}
        for checkout in sys.argv[1:]:
            addresses[checkout] = (
                f"{start_house(ends, folder / 'other', Path(checkout).resolve())}/"
            )
        playwright = ends.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        ends.callback(browser.close)
        visits_by_page: dict[str, list[PageVisit]] = {name: [] for name in addresses}
        for _ in range(ROUNDS + 1):
            for name, address in addresses.items():
                visits_by_page[name].append(open_page(browser, address))
    return verdict({name: visits[1:] for name, visits in visits_by_page.items()})


def verdict(visits_by_page: dict[str, list[PageVisit]]) -> int:
    painted = {
        name: median(visit.painted for visit in visits) for name, visits in visits_by_page.items()
    }
    word_ms = painted["one word"]
    print(f"first contentful paint, and games to choose from; median of {ROUNDS} visits, in turn")
    for name, ms in painted.items():
        games = median(visit.games for visit in visits_by_page[name])
        print(f"{name:<24}{ms:8.0f} ms{ms / word_ms:8.2f} x one word{games:8.0f} ms")
    script_names = frozenset[str]().union(*(visit.scripts for visit in visits_by_page["this page"]))
    scripts, fonts = sum(map(gzipped_size, script_names)), sum(map(gzipped_size, font_names()))
    print(f"scripts of the first screen {scripts / 1e3:.1f} kB zipped, of {SCRIPT_MAX / 1e3:.0f}")
    print(
        f"fonts, preloaded {fonts / 1e3:.1f} kB, of {FONT_MAX / 1e3:.0f}: {', '.join(font_names())}"
    )
    games = median(visit.games for visit in visits_by_page["this page"]) / word_ms
    print(f"games to choose from after {games:.1f} x one word, of {GAMES_MAX}")
    return 0 if 0 < scripts < SCRIPT_MAX and 0 < fonts < FONT_MAX and games < GAMES_MAX else 1


def open_page(browser: Browser, address: str) -> PageVisit:
    """Visit an address for the first time; for the page, wait until its games are shown."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.goto(address, wait_until="commit")
    painted = page.evaluate(PAINTED)
    games = page.evaluate(GAMES) if not address.endswith(WORD) else painted
    scripts = frozenset(script.rpartition("/")[2] for script in page.evaluate(USED))
    context.close()
    return PageVisit(painted, games, scripts)


def font_names() -> list[str]:
    """The fonts that the page preloads."""
    index = (STATIC / "index.html").read_text(encoding="utf-8")
    links = re.findall(r"<link[^>]*preload[^>]*>", index)
    return [font for link in links for font in re.findall(r"/assets/([^\"]+\.woff2)", link)]


def gzipped_size(name: str) -> int:
    return len(gzip.compress((STATIC / "assets" / name).read_bytes(), 9))


def start_house(ends: ExitStack, folder: Path, checkout: Path | None) -> str:
    """Start a house from this checkout or another; return its address."""
    folder.mkdir()
    path = {} if checkout is None else {"PYTHONPATH": str(checkout / "src")}
    port = str(free_port())
    process = subprocess.Popen(
        command("serve", "--port", port, "--data", str(folder / "house")),
        cwd=folder,
        env=environment(**path) | {"PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    ends.callback(process.wait)
    ends.callback(process.terminate)
    return ServerProcess(process).address


if __name__ == "__main__":
    sys.exit(main())
