"""A first visit: an address, a lobby, a seat, a settled round, and little to send."""

from __future__ import annotations

import gzip
import re

import pytest
from playwright.sync_api import Page, Request, expect
from tests.browser.built import STATIC, build_page
from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.player import Game, Player, Pointing, each_kind, spoken
from tests.house.web.live import SHEETS

STUD = "catfish-bend/mississippi-stud"
ROUND_ACTIONS = 6  # Practise, Ante, Deal, and three decisions.
PAGE_BYTES = 370_000  # All screens in all languages; most are fetched when somebody goes there.
FIRST_BYTES = 130_000  # The scripts of a first round, zipped.
FONT_BYTES = 80_000


def test_a_guest_settles_a_first_round_with_six_presses(
    visit: Visit, games: dict[str, Game]
) -> None:
    """By mouse, with every card dealt and turned for the eye."""
    mouse = Pointing()
    player = Player(visit(fresh=True), mouse)
    player.sit_down(games[STUD])
    player.round(games[STUD])
    assert mouse.actions == ROUND_ACTIONS
    assert player.view()["phase"] == "over"


def zipped(*names: str) -> dict[str, int]:
    """The bytes of some files of the page as they are sent; fonts are packed already."""
    files = {one.name: one for one in STATIC.rglob("*") if one.is_file()}
    return {name: len(gzip.compress(files[name].read_bytes(), 9)) for name in names or files}


def test_the_first_visit_sends_little() -> None:
    """Scripts that the first screen waits for, and the fonts that are fetched along with them."""
    build_page()
    index = (STATIC / "index.html").read_text(encoding="utf-8")
    first = re.findall(r'(?:src|href)="/assets/([^"]+)"', index)
    scripts = zipped(*(name for name in first if name.endswith(".js")))
    fonts = zipped(*(name for name in first if name.endswith(".woff2")))
    assert scripts
    assert sum(scripts.values()) < FIRST_BYTES, scripts
    assert len(fonts) == 2
    assert sum(fonts.values()) < FONT_BYTES, fonts


def test_all_of_the_page_is_under_370_kb_and_comes_from_the_house_alone(
    house: House, newcomer: Player, games: dict[str, Game]
) -> None:
    sent = {name: size for name, size in zipped().items() if not name.endswith(".woff2")}
    assert any(name.endswith(".js") for name in sent)
    assert sum(sent.values()) < PAGE_BYTES, sent
    asked: list[Request] = []

    def noted(request: Request) -> None:
        asked.append(request)

    newcomer.page.on("request", noted)
    newcomer.sit_down(games[STUD])
    newcomer.round(games[STUD])
    assert len(asked) > len(SHEETS)
    elsewhere = [one.url for one in asked if not one.url.startswith((house.address, "data:"))]
    assert elsewhere == []


@pytest.mark.slow
def test_the_lobby_says_what_each_game_takes_and_costs(house: House, visit: Visit) -> None:
    page, wrong = visit(), list[str]()
    page.goto("/")
    for sheet in SHEETS:
        try:
            says_what_it_takes(page, sheet, house)
        except AssertionError as found:
            wrong.append(f"{sheet}: {found}")
    assert wrong == []


def says_what_it_takes(page: Page, sheet: str, house: House) -> None:
    (named,) = [one for one in house.get("/api/sheets")["sheets"] if one["id"] == sheet]
    edges = house.get(f"/api/math/{sheet}")["wagers"]
    card = page.get_by_role("article").filter(has=page.locator(f'a[href="/rules/{sheet}"]'))
    expect(card.get_by_role("heading")).to_have_text(named["title"])
    expect(card).to_contain_text(named["venue"])
    heading, *rest = card.locator("header").inner_text().splitlines()
    assert not any(heading.startswith(line.partition(",")[0]) for line in rest if line), (
        "said twice"
    )
    assert named["wagers"]
    for n, (wager, stake) in enumerate(named["wagers"].items()):
        edge = edges[wager if n else "main"]["house_edge"]
        row = card.get_by_role("row").filter(
            has=page.get_by_role("rowheader", name=re.compile(f"^{re.escape(stake['title'])}"))
        )
        expect(row).to_contain_text(f"{spoken(stake['min'])}–{spoken(stake['max'])}")
        expect(row).to_contain_text(f"{100 * edge:.3f}%")


@pytest.mark.slow_cases("catfish-bend/matchem-hi-lo", "louisiana-stud/stax-required")
@pytest.mark.parametrize("sheet", each_kind())
def test_rules_and_pay_tables_are_one_click_away(sheet: str, house: House, visit: Visit) -> None:
    page = visit()
    page.goto("/")
    page.locator(f'a[href="/rules/{sheet}"]').click()
    told = house.get(f"/api/sheets/{sheet}")
    expect(page.get_by_role("heading", level=1)).to_have_text(told["title"])
    for table in told["pay_tables"]:
        shown = page.get_by_role("table", name=re.compile(f"^{re.escape(table['title'])}"))
        lines = [f"{line['title']} {line['says']}" for line in table["lines"]]
        expect(shown.get_by_role("row")).to_have_text(
            [re.compile(re.escape(line).replace(r"\ ", r"\s*")) for line in lines]
        )
    clauses = {clause for said in told["aloud"] for clause in said["clauses"]}
    assert clauses
    text = page.locator("main").inner_text()
    assert sorted(one for one in clauses if one not in text) == []


def test_an_address_that_is_nowhere_says_so(visit: Visit) -> None:
    page = visit()
    page.goto("/table/a/b/c")
    expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing at this address")
    page.get_by_role("link", name="To the lobby", exact=True).click()
    expect(page.get_by_role("button", name=re.compile("^Practise")).first).to_be_enabled()
