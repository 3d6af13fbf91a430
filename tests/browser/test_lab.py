"""The lab: pay tables changed by typing, keys and touch, with the exact edge at once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect
from tests.browser.conftest import Visit
from tests.browser.player import Json, Player, Typing

STUD = "catfish-bend/mississippi-stud"
OTHER = "oceanfront/mississippi-stud"
HI_LO = "catfish-bend/matchem-hi-lo"
MAIN, BONUS = "Ante and street bets", "3 Card Bonus"
TRY = "/api/sheets/try"
# Whether a figure extends beyond its cell.
STICKS_OUT = """(table) => [...table.querySelectorAll("td")].some((cell) => {
  const words = document.createRange();
  words.selectNodeContents(cell);
  const [inner, outer] = [words.getBoundingClientRect(), cell.getBoundingClientRect()];
  return inner.right > outer.right + 1 || inner.left < outer.left - 1;
})"""


@pytest.fixture
def lab(visit: Visit) -> Page:
    page = visit()
    open_lab(page)
    return page


def open_lab(page: Page, sheet: str = STUD) -> None:
    page.goto(f"/lab/{sheet}")
    page.get_by_role("table", name=re.compile("figures")).first.wait_for()


def wager_region(page: Page, title: str = MAIN) -> Locator:
    return page.get_by_role("region", name=title, exact=True)


def pay_field(page: Page, line: str, title: str = MAIN) -> Locator:
    return wager_region(page, title).get_by_role("textbox", name=line, exact=True)


def figure_cell(page: Page, name: str = "House edge", title: str = MAIN) -> Locator:
    """The cell with the current value of a figure."""
    row = wager_region(page, title).get_by_role("row", name=re.compile(f"^{name}"))
    return row.get_by_role("cell").last


def try_sheet(page: Page, sheet: str = STUD, **changes: object) -> Json:
    answer = page.request.post(TRY, data={"sheet": sheet, **changes})
    assert answer.ok, answer.text()
    reply: Json = answer.json()
    return reply


def edge_of(reply: Json, wager: str = "main") -> str:
    (table,) = (wager_table for wager_table in reply["tables"] if wager_table["wager"] == wager)
    return str(table["figures"][0]["now"])


def test_edge_follows_typed_pays(lab: Page) -> None:
    expect(figure_cell(lab)).to_contain_text("4.915%")
    pay_field(lab, "Flush").fill("7")
    result = try_sheet(lab, pays={"main": {"flush": "7:1"}})
    expect(figure_cell(lab)).to_contain_text(edge_of(result))
    expect(figure_cell(lab, title=BONUS)).to_contain_text(edge_of(result, "three-card-bonus"))
    expect(lab.get_by_role("main").get_by_role("status").first).to_have_text(result["said"])
    expect(lab.get_by_text(result["differences"][0])).to_be_visible()
    for name in ("Element of risk", "Average total bet", "Standard deviation", "Win", "Lose"):
        rows = result["tables"][0]["figures"]
        (figure_row,) = (row for row in rows if row["title"].startswith(name))
        expect(figure_cell(lab, name)).to_contain_text(figure_row["now"])
    pay_field(lab, "Pair", BONUS).fill("push")
    both = try_sheet(lab, pays={"main": {"flush": "7"}, "three-card-bonus": {"pair": "push"}})
    expect(figure_cell(lab, title=BONUS)).to_contain_text(edge_of(both, "three-card-bonus"))
    lab.get_by_role("button", name="Reset").click()
    expect(figure_cell(lab)).to_contain_text("4.915%")
    expect(pay_field(lab, "Flush")).to_have_value("6:1")
    expect(lab.get_by_role("button", name="Reset")).to_be_disabled()


@pytest.mark.slow
def test_figures_fit_their_cells(lab: Page) -> None:
    pay_field(lab, "Flush").fill("7")
    expect(figure_cell(lab)).to_contain_text("points")
    wrong = []
    for width in (360, 600, 844, 1000, 1160, 1366):
        lab.set_viewport_size({"width": width, "height": 700})
        table = wager_region(lab).get_by_role("table")
        wrong += [width] if table.evaluate(STICKS_OUT) else []
    assert wrong == []


@pytest.mark.slow
def test_arrow_keys_change_a_pay_by_one_step(lab: Page) -> None:
    player = Player(lab, Typing())
    hands = Typing()
    hands.reach(player, pay_field(lab, "Flush"))
    hands.press(player, "ArrowUp")
    hands.press(player, "ArrowUp")
    expect(pay_field(lab, "Flush")).to_have_value("8:1")
    expect(figure_cell(lab)).to_contain_text(
        edge_of(try_sheet(lab, pays={"main": {"flush": "8:1"}}))
    )
    hands.press(player, "ArrowDown")
    expect(figure_cell(lab)).to_contain_text(
        edge_of(try_sheet(lab, pays={"main": {"flush": "7:1"}}))
    )
    hands.reach(player, pay_field(lab, "Pair of sixes to tens"))
    hands.press(player, "ArrowDown")
    expect(pay_field(lab, "Pair of sixes to tens")).to_have_value("")
    result = try_sheet(lab, pays={"main": {"flush": "7:1", "pair-6-10": ""}})
    expect(figure_cell(lab)).to_contain_text(edge_of(result))


@pytest.mark.slow
def test_touch_changes_a_pay_by_one_step(visit: Visit) -> None:
    page = visit(width=320, height=640, has_touch=True, is_mobile=True)
    open_lab(page)
    wager_region(page).get_by_role("button", name="Flush: increase payout", exact=True).tap()
    expect(pay_field(page, "Flush")).to_have_value("7:1")
    expect(figure_cell(page)).to_contain_text(
        edge_of(try_sheet(page, pays={"main": {"flush": "7:1"}}))
    )


@pytest.mark.slow_cases("20:1", "seven")
@pytest.mark.parametrize("bad", ["seven", "20:1", "7:0"])
def test_invalid_pay_has_its_message_beside_it(lab: Page, bad: str) -> None:
    field = pay_field(lab, "Flush")
    field.fill(bad)
    result = try_sheet(lab, pays={"main": {"flush": bad}})
    marked = [finding for finding in result["findings"] if finding["level"] == "error"]
    titles = {line["field"]: line["title"] for line in result["tables"][0]["lines"]}
    field_marked = pay_field(lab, titles[marked[0]["field"]])
    expect(field_marked).to_have_attribute("aria-invalid", "true")
    message = marked[0]["message"]
    message_shown = lab.locator(f"#{field_marked.get_attribute('aria-describedby')}")
    expect(message_shown).to_have_text(f"{message[0].upper()}{message[1:].rstrip('.')}.")
    expect(lab.get_by_role("main").get_by_role("status").first).to_have_text(result["said"])
    expect(figure_cell(lab)).to_contain_text("4.915%")
    expect(figure_cell(lab, title=BONUS)).to_contain_text("%")
    stale_note = wager_region(lab).get_by_text("From the last valid table.")
    expect(stale_note).to_be_visible()
    expect(lab.locator("[aria-invalid=true]")).to_have_count(
        len({finding["field"] for finding in marked})
    )
    field.fill("7:1")
    expect(stale_note).to_be_hidden()
    expect(field_marked).not_to_have_attribute("aria-invalid", "true")
    expect(figure_cell(lab)).to_contain_text(
        edge_of(try_sheet(lab, pays={"main": {"flush": "7:1"}}))
    )


def test_slow_answer_does_not_replace_a_newer_one(lab: Page) -> None:
    held_routes: list[Route] = []

    def hold(route: Route) -> None:
        if '"8:1"' in (route.request.post_data or ""):
            held_routes.append(route)
        else:
            route.continue_()

    lab.route(f"**{TRY}", hold)
    with lab.expect_request(lambda request: is_try_request(request, "8:1")):
        pay_field(lab, "Flush").fill("8:1")
    pay_field(lab, "Flush").fill("7:1")
    newer = edge_of(try_sheet(lab, pays={"main": {"flush": "7:1"}}))
    expect(figure_cell(lab)).to_contain_text(newer)
    with lab.expect_response(lambda response: is_try_request(response.request, "8:1")) as older:
        held_routes[0].continue_()
    older.value.finished()
    lab.evaluate("() => new Promise((done) => setTimeout(done))")
    expect(figure_cell(lab)).to_contain_text(newer)


def is_try_request(request: Request, pay: str) -> bool:
    return request.url.endswith(TRY) and f'"{pay}"' in (request.post_data or "")


@pytest.mark.slow
def test_caps_apply_at_an_ante(lab: Page) -> None:
    lab.get_by_label("Ante in dollars").fill("500")
    expect(figure_cell(lab)).to_contain_text(edge_of(try_sheet(lab, ante="500")))
    lab.get_by_label("Each round: maximum payout (dollars)").fill("1000000")
    result = try_sheet(lab, ante="500", caps=["1000000"])
    expect(figure_cell(lab)).to_contain_text(edge_of(result))
    lab.get_by_label("Ante in dollars").fill("1")
    expect(lab.get_by_text("Ante of $1 is outside $5 to $500.", exact=True)).to_be_visible()


@pytest.mark.slow
def test_pay_line_can_be_added(lab: Page) -> None:
    wager_region(lab).get_by_label("Add a payout").select_option(label="Pair")
    pay_field(lab, "Pair").fill("push")
    result = try_sheet(lab, pays={"main": {"pair": "push"}})
    expect(figure_cell(lab)).to_contain_text(edge_of(result))


@pytest.mark.slow
def test_two_venues_side_by_side(lab: Page) -> None:
    venues = lab.get_by_role("region", name="Compare two games")
    rows = venues.get_by_role("row")
    expect(venues.get_by_label("Second")).to_have_value(OTHER)
    answer = lab.request.get("/api/compare", params={"a": STUD, "b": OTHER}).json()
    main = answer["wagers"][0]
    row = rows.filter(has_text=MAIN)
    expect(row).to_contain_text(f"{100 * main['a']:.3f}%")
    expect(row).to_contain_text(f"{100 * main['b']:.3f}%")
    hands = sum(1 + len(wager["lines"]) for wager in answer["wagers"])
    notes = [wager[name] for wager in answer["wagers"] for name in ("interplay", "other_rules")]
    count = hands + sum(map(bool, notes))
    expect(rows).to_have_count(1 + count)
    expect(rows.filter(has_text="Royal flush")).to_contain_text("250:1")
    venues.get_by_label("Second").select_option(HI_LO)
    expect(rows.filter(has_text="Match'em Bonus")).to_be_visible()


@pytest.mark.slow
def test_lab_is_one_click_from_lobby_and_rules(visit: Visit) -> None:
    page = visit()
    page.goto("/")
    page.get_by_role("link", name=re.compile("^Pay table lab")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pay table lab")
    expect(page.get_by_role("table", name=re.compile("figures")).first).to_be_visible()
    page.goto(f"/rules/{HI_LO}")
    page.get_by_role("link", name="Pay table lab").click()
    expect(page.get_by_role("combobox", name=re.compile("^Game"))).to_have_value(HI_LO)
    expect(wager_region(page, "Match'em Bonus")).to_be_visible()
    page.get_by_role("combobox", name=re.compile("^Game")).select_option(STUD)
    expect(wager_region(page)).to_be_visible()
    expect(page).to_have_url(re.compile(f"/lab/{STUD}$"))
    page.goto("/lab/no/such")
    expect(page.get_by_role("alert").filter(has_text='There is no sheet "no/such"')).to_be_visible()
