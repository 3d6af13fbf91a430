"""A first visit: the lobby, a seat, a settled round, and a small download."""

from __future__ import annotations

import gzip
import re

import pytest
from playwright.sync_api import Page, Request, expect
from tests.browser.conftest import Visit
from tests.browser.page_build import STATIC, build_page
from tests.browser.player import Game, Player, Pointing, each_kind, format_amount
from tests.browser.server import House
from tests.house.web.live_server import SHEETS

STUD = "catfish-bend/mississippi-stud"
ROUND_ACTIONS = 6  # Practice, Ante, Deal, and three decisions.
PAGE_BYTES = 370_000  # All screens in all languages; most are fetched when needed.
FIRST_BYTES = 130_000  # Compressed scripts of a first round.
FONT_BYTES = 80_000


def test_first_round_takes_six_presses(visit: Visit, games: dict[str, Game]) -> None:
    """By mouse, with every card animated."""
    mouse = Pointing()
    player = Player(visit(fresh=True), mouse)
    player.sit_down(games[STUD])
    player.round(games[STUD])
    assert mouse.actions == ROUND_ACTIONS
    assert player.view()["phase"] == "over"


def compressed_sizes(*names: str) -> dict[str, int]:
    """The compressed sizes of page files; fonts are compressed already."""
    files = {file.name: file for file in STATIC.rglob("*") if file.is_file()}
    return {name: len(gzip.compress(files[name].read_bytes(), 9)) for name in names or files}


def test_first_visit_is_small() -> None:
    """The scripts and fonts that the first screen waits for."""
    build_page()
    index = (STATIC / "index.html").read_text(encoding="utf-8")
    first = re.findall(r'(?:src|href)="/assets/([^"]+)"', index)
    scripts = compressed_sizes(*(name for name in first if name.endswith(".js")))
    fonts = compressed_sizes(*(name for name in first if name.endswith(".woff2")))
    assert scripts
    assert sum(scripts.values()) < FIRST_BYTES, scripts
    assert len(fonts) == 2
    assert sum(fonts.values()) < FONT_BYTES, fonts


def test_page_is_under_370_kb_and_self_hosted(
    house: House, newcomer: Player, games: dict[str, Game]
) -> None:
    sent = {name: size for name, size in compressed_sizes().items() if not name.endswith(".woff2")}
    assert any(name.endswith(".js") for name in sent)
    assert sum(sent.values()) < PAGE_BYTES, sent
    requests: list[Request] = []

    def record_request(request: Request) -> None:
        requests.append(request)

    newcomer.page.on("request", record_request)
    newcomer.sit_down(games[STUD])
    newcomer.round(games[STUD])
    assert len(requests) > len(SHEETS)
    elsewhere = [
        request.url for request in requests if not request.url.startswith((house.address, "data:"))
    ]
    assert elsewhere == []


@pytest.mark.slow
def test_lobby_shows_limits_and_house_edge(house: House, visit: Visit) -> None:
    page, wrong = visit(), list[str]()
    page.goto("/")
    for sheet in SHEETS:
        try:
            assert_lobby_card(page, sheet, house)
        except AssertionError as error:
            wrong.append(f"{sheet}: {error}")
    assert wrong == []


def assert_lobby_card(page: Page, sheet: str, house: House) -> None:
    (summary,) = [
        sheet_summary
        for sheet_summary in house.get("/api/sheets")["sheets"]
        if sheet_summary["id"] == sheet
    ]
    edges = house.get(f"/api/math/{sheet}")["wagers"]
    card = page.get_by_role("article").filter(has=page.locator(f'a[href="/rules/{sheet}"]'))
    expect(card.get_by_role("heading")).to_have_text(summary["title"])
    expect(card).to_contain_text(summary["venue"])
    heading, *header_lines = card.locator("header").inner_text().splitlines()
    assert not any(heading.startswith(line.partition(",")[0]) for line in header_lines if line), (
        "said twice"
    )
    assert summary["wagers"]
    for n, (wager, stake) in enumerate(summary["wagers"].items()):
        edge = edges[wager if n else "main"]["house_edge"]
        row = card.get_by_role("row").filter(
            has=page.get_by_role("rowheader", name=re.compile(f"^{re.escape(stake['title'])}"))
        )
        expect(row).to_contain_text(f"{format_amount(stake['min'])}–{format_amount(stake['max'])}")
        expect(row).to_contain_text(f"{100 * edge:.3f}%")


@pytest.mark.slow_cases("catfish-bend/matchem-hi-lo", "louisiana-stud/stax-required")
@pytest.mark.parametrize("sheet", each_kind())
def test_rules_are_one_click_away(sheet: str, house: House, visit: Visit) -> None:
    page = visit()
    page.goto("/")
    page.locator(f'a[href="/rules/{sheet}"]').click()
    rules = house.get(f"/api/sheets/{sheet}")
    expect(page.get_by_role("heading", level=1)).to_have_text(rules["title"])
    for table in rules["pay_tables"]:
        shown_table = page.get_by_role("table", name=re.compile(f"^{re.escape(table['title'])}"))
        lines = [f"{line['title']} {line['says']}" for line in table["lines"]]
        expect(shown_table.get_by_role("row")).to_have_text(
            [re.compile(re.escape(line).replace(r"\ ", r"\s*")) for line in lines]
        )
    clauses = {clause for sentence in rules["aloud"] for clause in sentence["clauses"]}
    assert clauses
    text = page.locator("main").inner_text()
    assert sorted(clause for clause in clauses if clause not in text) == []


def test_unknown_address_is_explained(visit: Visit) -> None:
    page = visit()
    page.goto("/table/a/b/c")
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
    page.get_by_role("link", name="To the lobby", exact=True).click()
    expect(page.get_by_role("button", name=re.compile("^Practice")).first).to_be_enabled()
