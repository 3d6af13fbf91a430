"""Screens of a sheet in euros show euros: history, practice, the daily deal, the pit."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect
from tests.browser.conftest import Visit
from tests.browser.page_build import build_page
from tests.browser.player import INSTANT, Player, commands_to_finish, game_of, keep_settings
from tests.browser.server import SUPERVISOR, House

from pitbook.sheets.library import BUNDLED

STUD = "catfish-bend/mississippi-stud"
OURS = "euro/mississippi-stud"
MONEY = re.compile(r"[$€]")


@pytest.fixture(scope="module")
def euro_house_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with a sheet in euros."""
    build_page()
    sheets = tmp_path_factory.mktemp("sheets")
    text = (BUNDLED / f"{STUD}.toml").read_text(encoding="utf-8").replace(f'"{STUD}"', f'"{OURS}"')
    text = text.replace("[house]\n", '[house]\ncurrency = "EUR"\n', 1)
    (sheets / "euros.toml").write_text(text, encoding="utf-8")
    euro_house = House(tmp_path_factory.mktemp("abroad") / "house", PITBOOK_SHEETS=str(sheets))
    yield euro_house
    euro_house.close()


@pytest.fixture
def player(euro_house_server: House, visit: Visit) -> Player:
    """A player with one played and one folded round."""
    page = visit(at=euro_house_server.address)
    keep_settings(page, **INSTANT)
    euro_player = Player(page)
    sheets = euro_player.get("/api/sheets")["sheets"]
    game = game_of(next(sheet for sheet in sheets if sheet["id"] == OURS))
    euro_player.seat(game, *commands_to_finish(game), *commands_to_finish(game, plays=("Fold",)))
    return euro_player


def currency_signs(page: Page) -> set[str]:
    return {*MONEY.findall(page.locator("main").inner_text())}


def test_round_history_is_in_euros(player: Player) -> None:
    player.page.goto("/rounds")
    expect(player.page.locator("main").get_by_role("listitem")).to_have_count(2)
    assert currency_signs(player.page) == {"€"}


def test_coach_amounts_and_fractions_are_in_euros(player: Player) -> None:
    page = player.page
    page.goto("/coach")
    page.get_by_label("Mistakes only").uncheck()
    expect(page.locator("details")).to_have_count(4)  # All decisions, not only mistakes.
    page.locator("details").first.click()
    page.get_by_label("Exact fractions").first.check()
    worth = page.locator("td.worth").first
    expect(worth).to_have_text(re.compile("^(−\u2060)?€[0-9]+(/[0-9]+)?$"))
    expect(page.get_by_label("Minimum cost (euros)")).to_be_visible()
    assert currency_signs(page) == {"€"}


def test_daily_deal_is_in_euros(player: Player) -> None:
    """The house states the currency of the day's sheet."""

    def in_euros(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "currency": "EUR"})

    page = player.page
    page.route("**/api/daily", in_euros)
    page.goto("/daily")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#daily-hand")).to_be_visible()
    assert currency_signs(page) == {"€"}


def test_pit_shows_each_table_in_its_currency(euro_house_server: House, visit: Visit) -> None:
    name = euro_house_server.table(OURS)
    euro_house_server.command(name, do="ask-fill", amount="100", why="low on greens")
    page = visit(SUPERVISOR, at=euro_house_server.address)
    page.goto("/pit")
    card = page.get_by_role("article", name=name)
    expect(card).to_contain_text("Limits: €5 to €500.")
    expect(page.get_by_role("complementary")).to_contain_text(f"{name}: fill of €100")
    assert currency_signs(page) == {"€"}
    page.get_by_label("Rules").select_option(OURS)
    expect(page.get_by_label("Opening rack (euros)")).to_be_visible()
    card.get_by_role("button", name="Fill or credit").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Rack €0, drop box €0.")
    expect(dialog.get_by_label("Amount (euros)")).to_be_visible()
    page.keyboard.press("Escape")
    card.get_by_role("button", name="Count drop box").click()
    expect(page.get_by_role("dialog").get_by_label("Counted (euros)")).to_be_visible()


def test_each_currency_has_its_own_totals(euro_house_server: House, visit: Visit) -> None:
    euro_house_server.table(OURS)
    other = euro_house_server.table(STUD)
    page = visit(SUPERVISOR, at=euro_house_server.address)
    page.goto("/pit")
    expect(page.get_by_role("article", name=other)).to_contain_text("Limits: $5 to $500.")
    figures = page.locator("dl.figures")
    assert [{*MONEY.findall(text)} for text in figures.all_inner_texts()] == [{"$"}, {"€"}]
    euro_house_server.command(other, do="retire")
    expect(page.get_by_role("article", name=other)).to_have_count(0)
    assert [{*MONEY.findall(text)} for text in figures.all_inner_texts()] == [{"$"}, {"€"}]


def test_drop_boxes_and_events_use_the_table_currency(
    euro_house_server: House, visit: Visit
) -> None:
    name = euro_house_server.table(OURS, rack="1000")
    page = visit(SUPERVISOR, at=euro_house_server.address)
    page.goto("/pit/events")
    events = page.get_by_role("listitem").filter(has_text=f"table/{name}")
    expect(events.filter(has_text="Fill")).to_contain_text("€1,000")
    expect(events.filter(has_text="$")).to_have_count(0)
    page.goto("/pit/statement")
    box = page.get_by_role("listitem").filter(has_text=name)
    expect(box).to_contain_text("€0")
    page.get_by_role("button", name=f"Count drop box of {name}").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Counted (euros)").fill("12")
    dialog.get_by_role("button", name="Count drop box").click()
    expect(page.get_by_text("€12").first).to_be_visible()
    expect(box.filter(has_text="€12")).to_have_count(1)
    expect(box.filter(has_text="$")).to_have_count(0)
