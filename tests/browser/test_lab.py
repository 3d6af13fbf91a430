"""The lab: a pay table changed by hand, by keys and by touch, its exact edge at once."""

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
# Whether a figure ends beyond its cell.
STICKS_OUT = """(table) => [...table.querySelectorAll("td")].some((cell) => {
  const words = document.createRange();
  words.selectNodeContents(cell);
  const [inner, outer] = [words.getBoundingClientRect(), cell.getBoundingClientRect()];
  return inner.right > outer.right + 1 || inner.left < outer.left - 1;
})"""


@pytest.fixture
def lab(visit: Visit) -> Page:
    page = visit()
    enter(page)
    return page


def enter(page: Page, sheet: str = STUD) -> None:
    page.goto(f"/lab/{sheet}")
    page.get_by_role("table", name=re.compile("^Figures")).first.wait_for()


def bench(page: Page, title: str = MAIN) -> Locator:
    return page.get_by_role("region", name=title, exact=True)


def pay(page: Page, line: str, title: str = MAIN) -> Locator:
    return bench(page, title).get_by_role("textbox", name=line, exact=True)


def figure(page: Page, name: str = "House edge", title: str = MAIN) -> Locator:
    """The cell that says what a figure is now."""
    row = bench(page, title).get_by_role("row", name=re.compile(f"^{name}"))
    return row.get_by_role("cell").last


def tried(page: Page, sheet: str = STUD, **wish: object) -> Json:
    answer = page.request.post(TRY, data={"sheet": sheet, **wish})
    assert answer.ok, answer.text()
    found: Json = answer.json()
    return found


def edge(found: Json, wager: str = "main") -> str:
    (table,) = (one for one in found["tables"] if one["wager"] == wager)
    return str(table["figures"][0]["now"])


def test_the_edge_follows_what_is_typed(lab: Page) -> None:
    expect(figure(lab)).to_contain_text("4.915%")
    pay(lab, "Flush").fill("7")
    wished = tried(lab, pays={"main": {"flush": "7:1"}})
    expect(figure(lab)).to_contain_text(edge(wished))
    expect(figure(lab, title=BONUS)).to_contain_text(edge(wished, "three-card-bonus"))
    expect(lab.get_by_role("main").get_by_role("status").first).to_have_text(wished["said"])
    expect(lab.get_by_text(wished["differences"][0])).to_be_visible()
    for name in ("Element of risk", "Average wager", "Standard deviation", "Wins", "Loses"):
        rows = wished["tables"][0]["figures"]
        (one,) = (row for row in rows if row["title"].startswith(name))
        expect(figure(lab, name)).to_contain_text(one["now"])
    pay(lab, "Pair", BONUS).fill("push")
    both = tried(lab, pays={"main": {"flush": "7"}, "three-card-bonus": {"pair": "push"}})
    expect(figure(lab, title=BONUS)).to_contain_text(edge(both, "three-card-bonus"))
    lab.get_by_role("button", name="As printed").click()
    expect(figure(lab)).to_contain_text("4.915%")
    expect(pay(lab, "Flush")).to_have_value("6:1")
    expect(lab.get_by_role("button", name="As printed")).to_be_disabled()


@pytest.mark.slow
def test_no_figure_sticks_out_of_its_bench(lab: Page) -> None:
    pay(lab, "Flush").fill("7")
    expect(figure(lab)).to_contain_text("points")
    wrong = []
    for width in (360, 600, 844, 1000, 1160, 1366):
        lab.set_viewport_size({"width": width, "height": 700})
        table = bench(lab).get_by_role("table")
        wrong += [width] if table.evaluate(STICKS_OUT) else []
    assert wrong == []


@pytest.mark.slow
def test_keys_alone_go_up_and_down_by_a_step(lab: Page) -> None:
    player = Player(lab, Typing())
    hands = Typing()
    hands.reach(player, pay(lab, "Flush"))
    hands.press(player, "ArrowUp")
    hands.press(player, "ArrowUp")
    expect(pay(lab, "Flush")).to_have_value("8:1")
    expect(figure(lab)).to_contain_text(edge(tried(lab, pays={"main": {"flush": "8:1"}})))
    hands.press(player, "ArrowDown")
    expect(figure(lab)).to_contain_text(edge(tried(lab, pays={"main": {"flush": "7:1"}})))
    hands.reach(player, pay(lab, "Pair of sixes to tens"))
    hands.press(player, "ArrowDown")
    expect(pay(lab, "Pair of sixes to tens")).to_have_value("")
    wished = tried(lab, pays={"main": {"flush": "7:1", "pair-6-10": ""}})
    expect(figure(lab)).to_contain_text(edge(wished))


@pytest.mark.slow
def test_a_finger_goes_by_a_step_too(visit: Visit) -> None:
    page = visit(width=320, height=640, has_touch=True, is_mobile=True)
    enter(page)
    bench(page).get_by_role("button", name="Flush: a step more", exact=True).tap()
    expect(pay(page, "Flush")).to_have_value("7:1")
    expect(figure(page)).to_contain_text(edge(tried(page, pays={"main": {"flush": "7:1"}})))


@pytest.mark.slow_cases("20:1", "seven")
@pytest.mark.parametrize("bad", ["seven", "20:1", "7:0"])
def test_a_bad_pay_has_its_sentence_beside_it(lab: Page, bad: str) -> None:
    field = pay(lab, "Flush")
    field.fill(bad)
    found = tried(lab, pays={"main": {"flush": bad}})
    marked = [one for one in found["findings"] if one["level"] == "error"]
    titles = {one["field"]: one["title"] for one in found["tables"][0]["lines"]}
    at = pay(lab, titles[marked[0]["field"]])
    expect(at).to_have_attribute("aria-invalid", "true")
    message = marked[0]["message"]
    said = lab.locator(f"#{at.get_attribute('aria-describedby')}")
    expect(said).to_have_text(f"{message[0].upper()}{message[1:]}.")
    expect(lab.get_by_role("main").get_by_role("status").first).to_have_text(found["said"])
    expect(figure(lab)).to_contain_text("4.915%")
    expect(figure(lab, title=BONUS)).to_contain_text("%")
    kept = bench(lab).get_by_text("As of the last table that had no mark.")
    expect(kept).to_be_visible()
    expect(lab.locator("[aria-invalid=true]")).to_have_count(len({one["field"] for one in marked}))
    field.fill("7:1")
    expect(kept).to_be_hidden()
    expect(at).not_to_have_attribute("aria-invalid", "true")
    expect(figure(lab)).to_contain_text(edge(tried(lab, pays={"main": {"flush": "7:1"}})))


def test_a_slow_answer_never_overwrites_a_newer_one(lab: Page) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        if '"8:1"' in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    lab.route(f"**{TRY}", hold)
    with lab.expect_request(lambda one: is_wish(one, "8:1")):
        pay(lab, "Flush").fill("8:1")
    pay(lab, "Flush").fill("7:1")
    newer = edge(tried(lab, pays={"main": {"flush": "7:1"}}))
    expect(figure(lab)).to_contain_text(newer)
    with lab.expect_response(lambda one: is_wish(one.request, "8:1")) as older:
        held[0].continue_()
    older.value.finished()
    lab.evaluate("() => new Promise((done) => setTimeout(done))")
    expect(figure(lab)).to_contain_text(newer)


def is_wish(request: Request, pay: str) -> bool:
    return request.url.endswith(TRY) and f'"{pay}"' in (request.post_data or "")


@pytest.mark.slow
def test_caps_apply_at_an_ante(lab: Page) -> None:
    lab.get_by_label("Ante in dollars").fill("500")
    expect(figure(lab)).to_contain_text(edge(tried(lab, ante="500")))
    lab.get_by_label("Each round pays at most, in dollars").fill("1000000")
    wished = tried(lab, ante="500", caps=["1000000"])
    expect(figure(lab)).to_contain_text(edge(wished))
    lab.get_by_label("Ante in dollars").fill("1")
    expect(lab.get_by_text("Ante of $1 is outside $5 to $500.", exact=True)).to_be_visible()


@pytest.mark.slow
def test_a_line_can_be_added(lab: Page) -> None:
    bench(lab).get_by_label("Add a line").select_option(label="Pair")
    pay(lab, "Pair").fill("push")
    wished = tried(lab, pays={"main": {"pair": "push"}})
    expect(figure(lab)).to_contain_text(edge(wished))


@pytest.mark.slow
def test_two_venues_side_by_side(lab: Page) -> None:
    venues = lab.get_by_role("region", name="Two venues side by side")
    rows = venues.get_by_role("row")
    expect(venues.get_by_label("That one")).to_have_value(OTHER)
    answer = lab.request.get("/api/compare", params={"a": STUD, "b": OTHER}).json()
    main = answer["wagers"][0]
    row = rows.filter(has_text=MAIN)
    expect(row).to_contain_text(f"{100 * main['a']:.3f}%")
    expect(row).to_contain_text(f"{100 * main['b']:.3f}%")
    hands = sum(1 + len(one["lines"]) for one in answer["wagers"])
    rest = [one[name] for one in answer["wagers"] for name in ("interplay", "other_rules")]
    count = hands + sum(map(bool, rest))
    expect(rows).to_have_count(1 + count)
    expect(rows.filter(has_text="Royal flush")).to_contain_text("250:1")
    venues.get_by_label("That one").select_option(HI_LO)
    expect(rows.filter(has_text="Match'em Bonus")).to_be_visible()


@pytest.mark.slow
def test_the_lab_is_a_click_from_the_lobby_and_from_the_rules(visit: Visit) -> None:
    page = visit()
    page.goto("/")
    page.get_by_role("link", name=re.compile("^Lab")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Lab")
    expect(page.get_by_role("table", name=re.compile("^Figures")).first).to_be_visible()
    page.goto(f"/rules/{HI_LO}")
    page.get_by_role("link", name="Try other pays in the lab").click()
    expect(page.get_by_role("combobox", name=re.compile("^Sheet"))).to_have_value(HI_LO)
    expect(bench(page, "Match'em Bonus")).to_be_visible()
    page.get_by_role("combobox", name=re.compile("^Sheet")).select_option(STUD)
    expect(bench(page)).to_be_visible()
    expect(page).to_have_url(re.compile(f"/lab/{STUD}$"))
    page.goto("/lab/no/such")
    expect(page.get_by_role("alert").filter(has_text='There is no sheet "no/such"')).to_be_visible()
