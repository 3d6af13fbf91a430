"""A night at the page: run by keys alone, with a clock that a room can read."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Visit
from tests.browser.night_setup import PLAYERS, Evening
from tests.browser.player import tab_to
from tests.browser.server import House, Json
from tests.browser.test_floor import save_pictures
from tests.browser.test_screens import PICTURES, SCHEMES
from tests.browser.visitors import PATIENCE_MS

TABS_MAX = 200
WALL = {"width": 1920, "height": 1080}
# A letter read at ten meters is 25 mm high, on a picture 1.5 m high.
LETTER_MIN_PX = 1080 * 25 / 1500


class KeyboardUser:
    """An organizer with a keyboard and no mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def reach(self, locator: Locator) -> None:
        """Press Tab until the element has the focus."""
        locator.wait_for()
        tab_to(locator, lambda: self.page.keyboard.press("Tab"), TABS_MAX)

    def write(self, label: str, text: str, within: str) -> None:
        form = self.page.get_by_role("form", name=within, exact=True)
        self.reach(form.get_by_label(label))
        self.page.keyboard.type(text)

    def press(self, name: str) -> None:
        self.reach(self.page.get_by_role("button", name=name, exact=True))
        self.page.keyboard.press("Enter")

    def follow(self, name: str) -> None:
        self.reach(self.page.get_by_role("link", name=name, exact=True))
        self.page.keyboard.press("Enter")

    def expect_status(self, text: str) -> None:
        expect(self.page.get_by_role("status").filter(has_text=text).first).to_be_visible()

    def act(self, name: str, text: str) -> None:
        self.press(name)
        self.expect_status(text)


def test_tournament_is_run_by_keys_alone(house: House, visit: Visit) -> None:
    page = visit(house.player("olga", "organiser"))
    olga = KeyboardUser(page)
    page.goto("/night")
    # The house has stated its rules.
    expect(page.get_by_label("House rules")).not_to_have_value("")
    olga.write("Event ID", "by-keys", "Create event")
    olga.write("Charity", "Seacoast Shelter", "Create event")
    olga.write("License", "NH-1", "Create event")
    page.keyboard.press("Enter")
    olga.act("Open event", "The event is open.")
    olga.write("Tournament ID", "t1", "New tournament")
    page.keyboard.press("Enter")
    register = page.get_by_role("form", name="Register")
    olga.reach(register.get_by_label("Player"))
    for name in ("ann", "bob", "cyd"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        # The field has the focus again for the next player.
        olga.expect_status(f"{name} has entered.")
        expect(register.get_by_label("Player")).to_be_focused()
    olga.act("Record announcement", "Announcement recorded.")
    olga.act("Draw seats", "Seats drawn.")
    olga.act("Start play", "Play started. Rounds can begin.")
    olga.act("Start clock", "Clock started.")
    olga.act("Eliminate, bob", "bob is eliminated.")
    olga.act("Eliminate, cyd", "cyd is eliminated.")
    olga.act("Finish", "The tournament is finished.")
    olga.act("Pay $135, ann", "ann was paid $135.")
    olga.follow("Statement and closing")
    olga.press("Close event…")
    olga.press("Close event")
    olga.expect_status("The event is closed.")
    expect(page.get_by_text("Everything balances.")).to_be_visible()
    report = house.get("/api/nights/by-keys/statement")
    assert (report["phase"], report["reconciles"], report["proceeds"]) == ("closed", True, "45.00")


@pytest.fixture
def evening(house: House) -> Evening:
    return Evening(house)


def open_floor(evening: Evening, visit: Visit, role: str = "organiser") -> Page:
    page = visit(evening.house.player("olga", role))
    page.goto(f"/night/{evening.event}/tournaments/t1")
    page.get_by_role("region", name="Players").wait_for()
    return page


def test_disabled_action_explains_why(evening: Evening, visit: Visit) -> None:
    """OMS-11: nothing is dealt until the brush has announced the cost."""
    page = open_floor(evening.with_entries("ann", "bob"), visit)
    start = page.get_by_role("button", name="Start play")
    expect(start).to_have_attribute("aria-disabled", "true")
    start.click(force=True)
    alert = page.get_by_role("alert").filter(
        has_text="The buy-in, re-buy and add-on prices have not been announced"
    )
    expect(alert).to_be_visible()
    assert evening.tournament["started"] is False


def test_last_action_can_be_undone(evening: Evening, visit: Visit) -> None:
    page = open_floor(evening.with_entries("ann", "bob"), visit)
    page.get_by_role("button", name="Undo: Buy-in: bob").click()
    expect(page.get_by_text("Undone: Buy-in: bob.")).to_be_visible()
    assert [player["player"] for player in evening.tournament["players"]] == ["ann"]


@pytest.mark.slow
def test_chips_are_counted_and_tables_broken(evening: Evening, visit: Visit) -> None:
    page = open_floor(evening.with_clock_running(*PLAYERS), visit)
    table = page.get_by_role("article", name="Table 1")
    table.get_by_role("button", name="Deal round at table 1").click()
    expect(table).to_contain_text("hand in play")
    table.get_by_role("button", name="Count chips").click()
    first = evening.tournament["tables"][0]["seats"][0]["player"]
    table.get_by_label(f"Chips of {first}").fill("3500")
    table.get_by_role("button", name="Save count").click()
    expect(table.get_by_role("listitem").filter(has_text=first)).to_contain_text("3,500")
    for seat in evening.tournament["tables"][1]["seats"][:2]:
        page.get_by_role("button", name=f"Out, {seat['player']}", exact=True).click()
        expect(page.get_by_text(f"{seat['player']} is eliminated.")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Break table 2")).click()
    expect(page.get_by_role("article", name="Table 2")).to_have_count(0)
    assert len(evening.tournament["tables"]) == 1


@pytest.mark.slow
def test_large_field_can_be_searched(evening: Evening, visit: Visit) -> None:
    crowd = [f"Guest {number:02}" for number in range(1, 46)]
    page = open_floor(evening.with_entries(*crowd), visit)
    players = page.get_by_role("region", name="Players").get_by_role("listitem")
    expect(players).to_have_count(40)
    page.get_by_role("button", name="Show all 45").click()
    expect(players).to_have_count(len(crowd))
    page.get_by_label("Find a player").fill("guest 4")
    expect(players).to_have_count(6)
    page.get_by_label("Find a player").fill("nobody")
    expect(page.get_by_text("No player matches “nobody”.")).to_be_visible()


def test_check_in_code_takes_the_buy_in(evening: Evening, visit: Visit) -> None:
    page = open_floor(evening.with_entries("bob"), visit)
    page.get_by_role("form", name="Register").get_by_label("Player").fill("ann")
    page.get_by_role("button", name="Create code").click()
    dialog = page.get_by_role("dialog", name="ann's check-in code")
    code = dialog.get_by_role("img", name="ann's QR code")
    expect(code).to_be_visible()
    assert code.evaluate("one => one.complete && one.naturalWidth > 0")
    link = dialog.get_by_label("Link").input_value()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_label("Check-in code", exact=True).fill(link)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Take $80 buy-in").click()
    expect(page.get_by_text("ann has entered.")).to_be_visible()
    evening.do("draw-seats")
    phone = visit(width=390, height=800)
    phone.goto(link)
    expect(phone.get_by_text(re.compile(r"Table 1, seat \d"))).to_be_visible()
    expect(phone.get_by_role("button", name=re.compile("buy-in"))).to_have_count(0)


def test_cage_sells_chips_and_voids_a_slip(evening: Evening, visit: Visit) -> None:
    page = visit(evening.house.player("olga", "organiser"))
    page.goto(f"/night/{evening.event}/cage")
    cage = page.get_by_role("form", name="Cage")
    cage.get_by_label("Player").fill("ann")
    cage.get_by_label("Dollars").fill("20")
    cage.get_by_role("button", name="Sell chips").dblclick()
    expect(page.get_by_text("Chips sold: ann, $20.")).to_be_visible()
    page.get_by_role("button", name="Void slip 2").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("wrong player")
    dialog.get_by_role("button", name="Void").click()
    expect(page.get_by_text("VOID: wrong player")).to_be_visible()
    assert evening.get()["chips"] == {}
    assert [slip["undone"] for slip in evening.get("/cage/slips")["slips"]] == [
        "wrong player",
        None,
    ]


def test_too_many_seats_are_refused_beside_the_field(evening: Evening, visit: Visit) -> None:
    page = visit(evening.house.player("olga", "organiser"))
    page.goto(f"/night/{evening.event}")
    form = page.get_by_role("form", name="New tournament")
    form.get_by_label("Tournament ID").fill("t1")
    form.get_by_label("Seats per table").fill("8")
    form.get_by_role("button", name="Create tournament").click()
    expect(form.get_by_text("has 6 seats, not 8. Enter 6 or fewer")).to_be_visible()
    expect(form.get_by_label("Seats per table")).to_be_focused()
    save_pictures(page, "too-many-seats")
    assert evening.get()["tournaments"] == []
    form.get_by_label("Seats per table").fill("6")
    form.get_by_role("button", name="Create tournament").click()
    expect(page.get_by_role("region", name="Players")).to_be_visible()


def test_closing_drawer_adds_up(evening: Evening, visit: Visit) -> None:
    evening.with_clock_running("ann", "bob")
    evening.do("eliminate", players=["bob"])
    evening.do("finish")
    evening.post(f"{evening.path}/close")
    page = visit(evening.house.player("olga", "organiser"))
    page.goto(f"/night/{evening.event}/closing")
    drawer = page.get_by_role("region", name="Statement").locator("dl").last
    expect(drawer).to_contain_text("Less unclaimed")
    total, totals = 0, []
    for line in drawer.locator("> div").all():
        amount_text = line.get_by_role("definition").inner_text()
        amount = int(re.sub(r"\D", "", amount_text)) * (
            -1 if re.search("[-\N{MINUS SIGN}]", amount_text) else 1
        )
        if "sum" in (line.get_attribute("class") or "").split():
            assert amount == total, line.inner_text()
            totals.append(amount)
        else:
            total += amount
    assert totals == [160, 40]  # $120 of it is ann's prize.
    save_pictures(page, "drawer")


def test_interruption_is_confirmed_and_divides_prizes(evening: Evening, visit: Visit) -> None:
    """OMS-15: with no hand in play the prize money is divided among those left."""
    evening.with_clock_running("ann", "bob")
    evening.do("begin-round", table=1)
    evening.do("count-chips", table=1)
    page = visit(evening.house.player("olga", "organiser"))
    page.goto(f"/night/{evening.event}/closing")
    page.get_by_role("button", name="Suspend event…").click()
    page.get_by_role("dialog").get_by_label("What happened").fill("power failure")
    assert evening.get()["interruptions"] == []
    page.get_by_role("button", name="Suspend event", exact=True).click()
    expect(page.get_by_text(f"{evening.event}.t1: finished")).to_be_visible()
    owed = {player["player"]: player["owed"] for player in evening.tournament["players"]}
    assert owed == {"ann": "60.00", "bob": "60.00"}


@pytest.mark.slow_cases("auditor-there1-missing1")
@pytest.mark.parametrize(
    ("role", "there", "missing"),
    [
        ("brush", ["Draw seats", "Record announcement"], ["Start play", "Refund, ann"]),
        ("auditor", [], ["Draw seats", "Start play", "Undo: Buy-in: bob"]),
    ],
)
def test_roles_see_only_their_actions(
    evening: Evening, visit: Visit, role: str, there: list[str], missing: list[str]
) -> None:
    page = open_floor(evening.with_entries("ann", "bob"), visit, role)
    for name in there:
        expect(page.get_by_role("button", name=name)).to_be_visible()
    for name in missing:
        expect(page.get_by_role("button", name=name)).to_have_count(0)


def test_players_cannot_open_a_night(evening: Evening, visit: Visit) -> None:
    page = visit(evening.house.player("pia"))
    page.goto(f"/night/{evening.event}")
    expect(page.get_by_text("Events are for organizers")).to_be_visible()


# The board ----------------------------------------------------------------------------------------


def open_board(page: Page, evening: Evening) -> Locator:
    page.goto(f"/board/{evening.event}/t1")
    timer = page.get_by_role("timer")
    timer.wait_for()
    return timer


LETTERS = """() => [...document.querySelectorAll("main *")]
  .filter((one) => !one.closest("footer"))
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((one) => [one.textContent.trim(), parseFloat(getComputedStyle(one).fontSize)])"""


def test_board_is_readable_from_ten_meters(evening: Evening, visit: Visit) -> None:
    evening.with_clock_running(*PLAYERS)
    evening.do("eliminate", players=["Bob"])
    page = visit(width=WALL["width"], height=WALL["height"])
    timer = open_board(page, evening)
    box = timer.bounding_box()
    assert box is not None
    assert box["height"] > WALL["height"] / 3
    clock = evening.clock
    for text in ("Level 1", "Ante 25–100", "Next level: Ante 50–200", "2,000"):
        expect(page.get_by_text(text).first).to_be_visible()
    facts = page.get_by_role("main").locator("dl")
    expect(facts).to_contain_text("9 of 10")
    expect(page.get_by_role("region", name="Payouts")).to_contain_text("1st $390")
    assert clock["prizes"][0] == "390.00"
    expect(facts).to_contain_text(re.compile(r"Next break\s*\d\d:\d\d"))
    small = [letter for letter in page.evaluate(LETTERS) if letter[1] < LETTER_MIN_PX]
    assert small == []
    document_size: Json = page.evaluate(
        "() => document.fonts.ready.then(() => ({w: document.documentElement.scrollWidth,"
        " h: document.documentElement.scrollHeight}))"
    )
    assert document_size == {"w": WALL["width"], "h": WALL["height"]}


@pytest.mark.slow
def test_board_pictures_are_saved(evening: Evening, visit: Visit, tmp_path: Path) -> None:
    folder = Path(os.environ.get(PICTURES) or tmp_path)
    evening.with_clock_running(*PLAYERS)
    page = visit(width=WALL["width"], height=WALL["height"], fresh=True)
    open_board(page, evening)
    steps = {
        "announce": "Level 1",
        "pause-clock": "Paused",
        "post-prizes": "Prizes",
        "finish": "Finished",
    }
    for do, text in steps.items():
        if do == "finish":
            evening.do("eliminate", players=list(PLAYERS[1:]))
        evening.do(do)
        page.get_by_text(text, exact=True).wait_for()
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            place = folder / f"board-{do}-1920-{scheme}.png"
            assert len(page.screenshot(path=place)) > 1_000


def test_board_follows_the_floor(evening: Evening, visit: Visit) -> None:
    evening.with_clock_running("ann", "bob", "cyd")
    page = visit()
    timer = open_board(page, evening)
    evening.do("pause-clock")
    expect(page.get_by_text("Paused")).to_be_visible()
    stands = timer.inner_text()
    evening.do("eliminate", players=["cyd"])
    expect(page.get_by_role("main")).to_contain_text("2 of 3")
    expect(timer).to_have_text(stands)
    evening.do("adjust-clock", seconds=120)
    expect(timer).not_to_have_text(stands)
    evening.do("message", text="Dinner is served")
    expect(page.get_by_text("Dinner is served")).to_be_visible()
    evening.do("message")
    expect(page.get_by_text("Dinner is served")).to_have_count(0)
    evening.do("next-level")
    expect(page.get_by_text("Level 2")).to_be_visible()
    evening.do("resume-clock")
    evening.do("break", minutes=7)
    expect(page.get_by_text("Break", exact=True)).to_be_visible()
    expect(timer).to_have_text(re.compile(r"^(7:00|[56]:\d\d)$"))
    evening.do("eliminate", players=["bob"])
    evening.do("finish")
    expect(page.get_by_text("Finished", exact=True)).to_be_visible()
    expect(timer).to_have_count(0)
    expect(page.get_by_role("main")).to_contain_text(re.compile(r"Prize pool\s*\$180"))


def test_unknown_board_is_explained(visit: Visit) -> None:
    page = visit()
    page.goto("/board/none-such/t1")
    expect(page.get_by_role("alert")).to_contain_text('There is no event "none-such"')


def test_lost_connection_shows_while_the_clock_runs(mortal: House, visit: Visit) -> None:
    evening = Evening(mortal).with_clock_running("ann", "bob", "cyd")
    page = visit()
    timer = open_board(page, evening)
    mortal.kill()
    lost = page.get_by_text("Reconnecting… the clock keeps running")
    expect(lost).to_be_visible()
    stood = timer.inner_text()
    expect(timer).not_to_have_text(stood)
    expect(page.get_by_text("Level 1")).to_be_visible()
    mortal.start()
    evening.do("eliminate", players=["cyd"])
    expect(lost).to_be_hidden(timeout=PATIENCE_MS)
    expect(page.get_by_role("main")).to_contain_text("2 of 3")
