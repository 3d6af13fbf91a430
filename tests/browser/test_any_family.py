"""A family that the page has never heard of: its felt is drawn, and it is played by key and mouse.

The family is the tests' own red dog, made known to a house as an installed package would be.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.built import ROOT, build_page
from tests.browser.conftest import Visit
from tests.browser.house import WIDE, House
from tests.browser.player import INSTANT, Game, Player, Typing, keep_settings
from tests.browser.test_history import AGREES, verify
from tests.house.web.served import Served, command, environment

SHEET = "example/red-dog"
GAME = Game(SHEET, "Bet", (), (), ("Stand", "Raise"), {"Bet": {"wager": "bet", "amount": "5.00"}})
ENTRY = "[pitbook.families]\nred-dog = tests.red_dog:FAMILY\n"
ROUNDS = 40  # Of which one in five asks nobody anything: a pair, or consecutive cards.


class Kennel(House):
    """A house of another program, with one more family installed and a sheet of its own."""

    def _started(self) -> Served:
        installed = self.folder.parent / "installed"
        about = installed / "red_dog-1.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: red-dog\nVersion: 1\n")
        (about / "entry_points.txt").write_text(ENTRY)
        variables = WIDE | {
            "PYTHONPATH": f"{installed}:{ROOT}",
            "PITBOOK_SHEETS": str(ROOT / "tests" / "red_dog"),
        }
        asked = ["serve", "--port", str(self.port), "--data", str(self.folder)]
        process = subprocess.Popen(
            command(*asked),
            cwd=self.folder.parent,
            env=environment(**variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        return Served(process)


@pytest.fixture(scope="module")
def kennel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kennel]:
    build_page()
    made = Kennel(tmp_path_factory.mktemp("kennel") / "house")
    yield made
    made.close()


@pytest.fixture
def player(kennel: Kennel, visit: Visit) -> Player:
    page = visit(at=kennel.address)
    keep_settings(page, **INSTANT)
    return Player(page, Typing())


def names(where: Locator) -> list[str]:
    """The pictures that lie somewhere, by their names."""
    found: list[str] = where.get_by_role("img").evaluate_all(
        "all => all.map(one => one.getAttribute('aria-label'))"
    )
    return found


def asked(player: Player) -> None:
    """Rounds until the two cards leave a spread."""
    player.bet(GAME)
    for _ in range(ROUNDS):
        player.deal()
        while (phase := player.view()["phase"]) not in ("play", "over"):
            player.page.wait_for_timeout(20)
        if phase == "play":
            return
        player.rebet()
    raise AssertionError("nobody was asked")


@pytest.mark.slow
def test_red_dog_is_drawn_and_played(player: Player) -> None:
    page = player.page
    player.sit_down(GAME)
    common = page.get_by_role("region", name="Common cards")
    expect(common).to_be_visible()
    assert names(player.spot) == ["Raise, empty"]  # The Bet is a button; nobody has cards.
    asked(player)
    page.get_by_text("Raise: your decision", exact=True).wait_for()
    first, second, third = names(common)
    assert "face down" not in (first, second)
    assert third == "face down"
    player.hands.do(player, "Raise")
    player.settled()
    assert "face down" not in names(common)
    expect(player.log).to_contain_text("You raise, $5.")
    (raised,) = names(player.spot)
    assert re.match(r"Raise, \$5, (wins \$|loses)", raised)
    view = player.view()
    assert (view["seats"][0]["plays"], view["seats"][0]["said"]) == (["raise"], None)
    page.get_by_role("link", name="History").click()
    page.get_by_role("link", name=re.compile(r"Round \d")).first.click()
    page.get_by_role("region", name="Common cards").wait_for()
    verify(page)
    expect(page.get_by_text(AGREES)).to_be_visible()


def test_red_dog_is_told_as_text_and_its_keys_are_listed(player: Player) -> None:
    page = player.page
    player.sit(GAME)
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("stand")
    expect(keys).to_contain_text("raise")
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    page.keyboard.press("t")
    expect(page.get_by_role("heading", name="Common cards")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Bet may be $5 to $200.")
