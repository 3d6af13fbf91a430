"""How soon the first screen is painted, and how much script it takes, beside a page with one word.

Each is opened in turn in browsers that have never been here, so that a busy moment slows all alike;
the word is an answer of the same server. `python -m benchmarks.first_paint FOLDER` opens the page
of another checkout too, built there and served by its own program: what it was before a change.
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
from tests.browser.built import STATIC, build_page, chromium
from tests.browser.conftest import ARGUMENTS
from tests.house.web.served import Served, command, environment
from tests.postgres import free_port

ROUNDS = 9
SCRIPT_MAX = 130_000
FONT_MAX = 80_000
GAMES_MAX = 12  # Times one word, until a game can be chosen.
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


class Opened(NamedTuple):
    """A visit: when something was painted, when games stood there, and which scripts came."""

    painted: float
    games: float
    scripts: frozenset[str]


def main() -> int:
    build_page()
    with ExitStack() as ends:
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        ours = served(ends, folder / "ours", None)
        places = {"one word": ours + WORD, "this page": f"{ours}/"}
        for other in sys.argv[1:]:
            places[other] = f"{served(ends, folder / 'other', Path(other).resolve())}/"
        playwright = ends.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        ends.callback(browser.close)
        found: dict[str, list[Opened]] = {name: [] for name in places}
        for _ in range(ROUNDS + 1):
            for name, address in places.items():
                found[name].append(opened(browser, address))
    return verdict({name: visits[1:] for name, visits in found.items()})


def verdict(found: dict[str, list[Opened]]) -> int:
    painted = {name: median(one.painted for one in visits) for name, visits in found.items()}
    words = painted["one word"]
    print(f"first contentful paint, and games to choose from; median of {ROUNDS} visits, in turn")
    for name, ms in painted.items():
        games = median(one.games for one in found[name])
        print(f"{name:<24}{ms:8.0f} ms{ms / words:8.2f} x one word{games:8.0f} ms")
    asked = frozenset[str]().union(*(one.scripts for one in found["this page"]))
    scripts, fonts = sum(map(zipped, asked)), sum(map(zipped, preloaded()))
    print(f"scripts of the first screen {scripts / 1e3:.1f} kB zipped, of {SCRIPT_MAX / 1e3:.0f}")
    print(
        f"fonts, preloaded {fonts / 1e3:.1f} kB, of {FONT_MAX / 1e3:.0f}: {', '.join(preloaded())}"
    )
    games = median(one.games for one in found["this page"]) / words
    print(f"games to choose from after {games:.1f} x one word, of {GAMES_MAX}")
    return 0 if 0 < scripts < SCRIPT_MAX and 0 < fonts < FONT_MAX and games < GAMES_MAX else 1


def opened(browser: Browser, address: str) -> Opened:
    """A first visit; for the page until its games are shown."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.goto(address, wait_until="commit")
    painted = page.evaluate(PAINTED)
    games = page.evaluate(GAMES) if not address.endswith(WORD) else painted
    scripts = frozenset(one.rpartition("/")[2] for one in page.evaluate(USED))
    context.close()
    return Opened(painted, games, scripts)


def preloaded() -> list[str]:
    """The fonts that the page names before anything asks for them."""
    index = (STATIC / "index.html").read_text(encoding="utf-8")
    links = re.findall(r"<link[^>]*preload[^>]*>", index)
    return [one for link in links for one in re.findall(r"/assets/([^\"]+\.woff2)", link)]


def zipped(name: str) -> int:
    return len(gzip.compress((STATIC / "assets" / name).read_bytes(), 9))


def served(ends: ExitStack, folder: Path, checkout: Path | None) -> str:
    """The address of a house of this checkout, or of another."""
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
    return Served(process).address


if __name__ == "__main__":
    sys.exit(main())
