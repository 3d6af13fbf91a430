"""Tournaments at live tables: run by keys, played from phones with tickets."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Visit
from tests.browser.night_setup import LEAST, STACK, Evening
from tests.browser.player import INSTANT, LIMITS, keep_settings
from tests.browser.server import House
from tests.browser.test_night import KeyboardUser, open_floor

LOOK_MS = 5_000


@pytest.fixture
def evening(house: House) -> Evening:
    return Evening(house)


@pytest.fixture
def names(house: House) -> list[str]:
    """Three players with accounts, who can play without a browser."""
    return [house.player(name) for name in ("ann", "bob", "cyd")]


def ready(button: Locator) -> Locator:
    expect(button).to_have_attribute("aria-disabled", "false")
    return button


def open_fast_floor(evening: Evening, visit: Visit) -> Page:
    """The floor at a page whose clock can be advanced."""

    def open_page(name: str) -> Page:
        page = visit(name, fresh=True)
        page.clock.install()
        return page

    return open_floor(evening, open_page)


def skip_polling_interval(page: Page) -> None:
    """Advance past the longest polling interval."""
    page.clock.fast_forward(LOOK_MS)


@pytest.mark.slow
def test_live_tournament_is_run_by_keys_alone(
    evening: Evening, names: list[str], visit: Visit
) -> None:
    ann, bob, cyd = names
    page = open_fast_floor(evening.with_short_tournament(), visit)
    olga = KeyboardUser(page)
    olga.reach(page.get_by_role("form", name="Register").get_by_label("Player"))
    for name in names:
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        olga.expect_status(f"{name} has entered.")
    olga.act("Record announcement", "Announcement recorded.")
    olga.act("Draw seats", "Seats drawn.")
    olga.act("Start play", "Play started. Rounds can begin.")
    olga.act("Use live tables", "Live tables are set up.")
    olga.act("Start round at table 1", "Round started at table 1.")
    table = page.get_by_role("article", name="Table 1")
    for name in names:
        expect(table.get_by_text("Waiting for")).to_contain_text(name)
    evening.bet(bob, cyd)
    skip_polling_interval(page)
    ready(table.get_by_role("button", name="Count chips at table 1"))
    olga.act("Count chips at table 1", "Table 1 counted.")
    expect(table.get_by_role("listitem").filter(has_text=ann)).to_contain_text(STACK)
    [both] = evening.tournament["dealt"]["proposed_out"]
    assert sorted(both) == [bob, cyd]
    out = f"Out: {both[0]} and {both[1]} together"
    olga.act(out, f"{out}.")
    olga.act("Finish", "The tournament is finished.")
    olga.act(f"Pay $90, {ann}", f"{ann} was paid $90.")
    places = {
        player["player"]: (player["place"], player["paid"])
        for player in evening.tournament["players"]
    }
    assert places == {ann: (1, "90.00"), bob: (2, "0.00"), cyd: (2, "0.00")}


def test_unavailable_table_action_explains_why(
    evening: Evening, names: list[str], visit: Visit
) -> None:
    page = open_floor(evening.with_live_tables(*names), visit)
    table = page.get_by_role("article", name="Table 1")
    table.get_by_role("button", name=re.compile("^Count")).click(force=True)
    expect(page.get_by_role("alert").filter(has_text="nothing to count")).to_be_visible()
    expect(page.get_by_role("button", name="Use live tables")).to_have_count(0)
    expect(page.get_by_label("Chips of")).to_have_count(0)


@pytest.mark.slow
def test_successive_eliminations_keep_their_order(
    evening: Evening, names: list[str], visit: Visit
) -> None:
    _, bob, cyd = names
    evening.with_live_tables(*names)
    page = open_fast_floor(evening, visit)
    proposal = page.get_by_text("Not enough chips for the next bet")
    assert evening.tournament["dealt"]["proposed_out"] == []
    expect(proposal).to_have_count(0)
    for loser in (cyd, bob):
        page.get_by_role("button", name="Start round at table 1").click()
        expect(page.get_by_text("Round started at table 1.")).to_be_visible()
        evening.bet(loser)
        skip_polling_interval(page)
        ready(page.get_by_role("button", name="Count chips at table 1")).click()
        expect(proposal).to_contain_text(f": {loser}.")
        page.get_by_role("button", name=f"Out: {loser}").click()
        expect(page.get_by_text(f"Out: {loser}.")).to_be_visible()
    places = {player["player"]: player["place"] for player in evening.tournament["players"]}
    assert (places[bob], places[cyd]) == (2, 3)


@pytest.mark.slow
def test_floor_sees_who_must_agree_after_an_interruption(
    evening: Evening, names: list[str], visit: Visit
) -> None:
    """OMS-15: a hand is finished if everyone agrees; otherwise it is dead."""
    bob = names[1]
    evening.with_live_tables(*names)
    evening.post(f"{evening.path}/tournaments/t1/tables/1/begin")
    page = open_fast_floor(evening, visit)
    table = page.get_by_role("article", name="Table 1")
    evening.bet(bob, amount=LEAST)
    skip_polling_interval(page)
    expect(table).to_contain_text("in play")
    expect(table.get_by_text("Waiting for")).to_have_text(f"Waiting for {bob}.")
    evening.do("interrupt", why="power failure")
    skip_polling_interval(page)
    agreement = table.get_by_text("to agree to finish the hand")
    expect(agreement).to_have_text(f"Waiting for {bob} to agree to finish the hand.")
    table.get_by_role("button", name="Declare the table 1 hand dead").click()
    expect(page.get_by_text("The hand at table 1 is dead.")).to_be_visible()
    assert evening.tournament["status"] == "finished"
    assert [player["owed"] for player in evening.tournament["players"]] == ["30.00"] * 3


# The door -----------------------------------------------------------------------------------------


def test_desk_records_an_arrival_by_code(evening: Evening, visit: Visit) -> None:
    page = open_floor(evening.with_short_tournament("ann", "bob"), visit, "brush")
    region = page.get_by_role("region", name="Players")
    expect(region).to_contain_text("0 checked in")
    page.goto(evening.ticket("ann"))
    expect(page.get_by_text("Not checked in yet")).to_be_visible()
    expect(page.get_by_role("button", name="Check in")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("ann is checked in.")).to_be_visible()
    expect(page.get_by_text(re.compile(r"Checked in at \d\d:\d\d"))).to_be_visible()
    page.get_by_role("link", name="Back to floor").click()
    expect(region).to_contain_text("1 checked in")
    expect(region.get_by_role("listitem").filter(has_text="ann")).to_contain_text("checked in")
    page.get_by_role("button", name="Check in, bob").click()
    expect(page.get_by_text("bob is checked in.")).to_be_visible()
    assert all(player["checked_in"] for player in evening.tournament["players"])


def test_ticket_plays_at_its_seat(evening: Evening, visit: Visit) -> None:
    evening.with_short_tournament("Ann Archer", "Bob Baker")
    phone = visit(width=390, height=800)
    keep_settings(phone, **INSTANT)
    phone.goto(evening.ticket("Ann Archer"))
    expect(phone.get_by_text("Seat not drawn yet")).to_be_visible()
    play = phone.get_by_role("button", name="Play at my seat")
    expect(play).to_have_count(0)
    for do in ("announce", "draw-seats", "start"):
        evening.do(do)
    phone.reload()
    play.click()
    expect(phone.get_by_role("alert")).to_contain_text("Try again when they are")
    evening.post(f"{evening.path}/tournaments/t1/tables")
    evening.post(f"{evening.path}/tournaments/t1/tables/1/begin")
    play.click()
    seat = next(
        seat_view["seat"] for seat_view in evening.seats() if seat_view["player"] == "Ann Archer"
    )
    circle = phone.get_by_role("region", name=re.compile("^Your seat")).get_by_role(
        "button", name=re.compile("^Ante")
    )
    circle.click()
    expect(circle).not_to_contain_text(LIMITS)
    view = phone.request.get(f"/api/tables/{evening.event}.t1-1").json()
    seat_view = next(seat_json for seat_json in view["seats"] if seat_json["seat"] == seat)
    assert (seat_view["player"], seat_view["wagers"][0][0]) == ("Ann Archer", "ante")


def test_account_holder_s_ticket_asks_to_sign_in(
    evening: Evening, names: list[str], visit: Visit
) -> None:
    evening.with_live_tables(*names)
    phone = visit(width=390, height=800)
    phone.goto(evening.ticket(names[0]))
    phone.get_by_role("button", name="Play at my seat").click()
    expect(phone.get_by_role("alert")).to_contain_text("has an account")


# A schedule blank by blank ------------------------------------------------------------------------


def open_set_up(evening: Evening, visit: Visit) -> Page:
    page = visit(evening.house.player("olga", "organiser"))
    page.goto(f"/night/{evening.event}")
    page.get_by_label("Title").wait_for()
    return page


def test_schedule_is_filled_in_by_keys_alone(evening: Evening, visit: Visit) -> None:
    page = open_set_up(evening, visit)
    olga = KeyboardUser(page)
    olga.write("Tournament ID", "t1", "New tournament")
    olga.reach(page.get_by_label("Title"))
    page.keyboard.press("Control+A")
    page.keyboard.type("Fish & chips")
    olga.press("Remove level 4")
    expect(page.get_by_label("Minutes")).to_have_count(3)
    expect(page.get_by_role("button", name="Remove level 3")).to_be_focused()
    olga.press("Add level")
    expect(page.get_by_label("Minutes").nth(3)).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("25")
    olga.press("Add row")
    page.keyboard.type("30")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("40, 30, 20, 10")
    olga.press("Create tournament")
    expect(page.get_by_role("heading", name="Fish & chips")).to_be_visible()
    tournament = evening.tournament
    assert (tournament["title"], tournament["clock"]["levels"], tournament["seats"]) == (
        "Fish & chips",
        4,
        6,
    )


def test_form_errors_are_beside_their_fields(evening: Evening, visit: Visit) -> None:
    page = open_set_up(evening, visit)
    form = page.get_by_role("form", name="New tournament")
    form.get_by_label("Tournament ID").fill("t1")
    buy_in = form.get_by_role("group", name="Buy-in")
    buy_in.get_by_label("Charity share").fill("80")
    form.get_by_label("Seats per table").fill("many")
    form.get_by_role("button", name="Create tournament").click()
    seats = form.get_by_label("Seats per table")
    expect(seats).to_have_attribute("aria-invalid", "true")
    expect(seats).to_be_focused()
    expect(buy_in).to_contain_text("The 80.00 fee is more than the 60.00 total.")
    seats.fill("6")
    buy_in.get_by_label("Charity share").fill("20")
    form.get_by_role("button", name="Create tournament").click()
    expect(page.get_by_role("heading", name="Hourly stud")).to_be_visible()
    assert evening.tournament["buy_in"]["fee"] == "20.00"


def test_house_limit_error_is_above_the_form(evening: Evening, visit: Visit) -> None:
    """OMS-18: a player may spend only up to a limit."""
    page = open_set_up(evening, visit)
    form = page.get_by_role("form", name="New tournament")
    form.get_by_label("Tournament ID").fill("t1")
    form.get_by_role("group", name="Buy-in").get_by_label("Price ($)").fill("150.01")
    form.get_by_role("button", name="Create tournament").click()
    expect(form.get_by_role("alert")).to_contain_text("150")
    assert evening.get()["tournaments"] == []


@pytest.mark.slow
def test_form_and_text_edit_the_same_schedule(evening: Evening, visit: Visit) -> None:
    page = open_set_up(evening, visit)
    form = page.get_by_role("form", name="New tournament")
    form.get_by_label("Tournament ID").fill("t1")
    form.get_by_label("Start from").select_option("multi-table")
    form.get_by_label("Title").fill('The "big" one')
    form.get_by_role("button", name="TOML").click()
    text = form.get_by_role("textbox", name="Structure")
    expect(text).to_have_value(re.compile(r'title = "The \\"big\\" one"'))
    text.fill(text.input_value().replace("seats = 6", "seats = 5"))
    form.get_by_role("button", name="Form").click()
    expect(form.get_by_label("Seats per table")).to_have_value("5")
    form.get_by_role("button", name="TOML").click()
    text.fill('title = "A" \n step = 1.5\n')
    form.get_by_role("button", name="Form").click()
    expect(form.get_by_role("alert")).to_contain_text("The form cannot show part of this text")
    expect(text).to_be_visible()
    form.get_by_label("Start from").select_option("hourly")
    form.get_by_role("button", name="Create tournament").click()
    expect(page.get_by_role("heading", name="Hourly stud")).to_be_visible()


@pytest.mark.slow
def test_table_links_to_its_own_rules(evening: Evening, visit: Visit) -> None:
    """A derived sheet differs from the library's."""
    table = f"{evening.event}-stud"
    sheet = "catfish-bend/mississippi-stud"
    evening.post(f"{evening.path}/tables", table=table, sheet=sheet, derived=True)
    page = visit(evening.house.player("ann"))
    page.goto(f"/table/{table}")
    page.get_by_role("link", name="Rules", exact=True).click()
    expect(page.get_by_text(f"In use at table {table}")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text(re.compile(r"Ante[^.]*\$1\b"))
    page.get_by_role("link", name="the standard rules").click()
    expect(page.get_by_role("main")).to_contain_text("$500")
