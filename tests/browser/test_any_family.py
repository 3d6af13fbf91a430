"""A family that the page does not know: its felt is drawn, and it is played by key and mouse.

The family is the tests' red dog, installed as a package would be.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.conftest import Visit
from tests.browser.page_build import ROOT, build_page
from tests.browser.player import INSTANT, Game, Player, Typing, keep_settings
from tests.browser.server import UNLIMITED, House
from tests.browser.test_history import AGREES, verify_deal
from tests.house.web.server_process import ServerProcess, command, environment

SHEET = "example/red-dog"
GAME = Game(SHEET, "Bet", (), (), ("Stand", "Raise"), {"Bet": {"wager": "bet", "amount": "5.00"}})
ENTRY = "[pitbook.families]\nred-dog = tests.red_dog:FAMILY\n"
ROUNDS = 40  # One round in five asks nothing: a pair, or consecutive cards.


class RedDogHouse(House):
    """A server process with one more family and its rule sheet installed."""

    def _start_server(self) -> ServerProcess:
        site_packages = self.folder.parent / "installed"
        dist_info = site_packages / "red_dog-1.dist-info"
        dist_info.mkdir(parents=True)
        (dist_info / "METADATA").write_text("Metadata-Version: 2.1\nName: red-dog\nVersion: 1\n")
        (dist_info / "entry_points.txt").write_text(ENTRY)
        variables = UNLIMITED | {
            "PYTHONPATH": f"{site_packages}:{ROOT}",
            "PITBOOK_SHEETS": str(ROOT / "tests" / "red_dog"),
        }
        arguments = ["serve", "--port", str(self.port), "--data", str(self.folder)]
        process = subprocess.Popen(
            command(*arguments),
            cwd=self.folder.parent,
            env=environment(**variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        return ServerProcess(process)


@pytest.fixture(scope="module")
def red_dog_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedDogHouse]:
    build_page()
    kennel_house = RedDogHouse(tmp_path_factory.mktemp("kennel") / "house")
    yield kennel_house
    kennel_house.close()


@pytest.fixture
def player(red_dog_house: RedDogHouse, visit: Visit) -> Player:
    page = visit(at=red_dog_house.address)
    keep_settings(page, **INSTANT)
    return Player(page, Typing())


def image_names(where: Locator) -> list[str]:
    """The names of the images in a region."""
    labels: list[str] = where.get_by_role("img").evaluate_all(
        "all => all.map(one => one.getAttribute('aria-label'))"
    )
    return labels


def play_until_decision(player: Player) -> None:
    """Play rounds until the two cards leave a spread."""
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
def test_unknown_family_is_drawn_and_played(player: Player) -> None:
    page = player.page
    player.sit_down(GAME)
    common = page.get_by_role("region", name="Common cards")
    expect(common).to_be_visible()
    assert image_names(player.spot) == ["Raise, empty"]  # The Bet is a button; no cards are dealt.
    play_until_decision(player)
    page.get_by_text("Raise: your turn", exact=True).wait_for()
    first, second, third = image_names(common)
    assert "face down" not in (first, second)
    assert third == "face down"
    player.hands.do(player, "Raise")
    player.wait_for_result()
    assert "face down" not in image_names(common)
    expect(player.log).to_contain_text("You raise, $5.")
    (raised,) = image_names(player.spot)
    assert re.match(r"Raise, \$5, (wins \$|loses)", raised)
    view = player.view()
    assert (view["seats"][0]["plays"], view["seats"][0]["said"]) == (["raise"], None)
    page.get_by_role("link", name="Hand history").click()
    page.get_by_role("link", name=re.compile(r"Round \d")).first.click()
    page.get_by_role("region", name="Common cards").wait_for()
    verify_deal(page)
    expect(page.get_by_text(AGREES)).to_be_visible()


def test_unknown_family_has_text_view_and_keys(player: Player) -> None:
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
    expect(page.locator("main")).to_contain_text("Bet: $5 to $200.")
