"""The pit: tables opened and closed, hands voided with a reason, and payouts explained."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.page_build import script
from tests.browser.player import (
    INSTANT,
    Game,
    Player,
    commands_to_deal,
    format_amount,
    keep_settings,
)
from tests.browser.server import SUPERVISOR, House
from tests.browser.test_floor import save_pictures
from tests.browser.visitors import PATIENCE_MS, go
from tests.house.web.conftest import PASSWORD

STUD = "catfish-bend/mississippi-stud"
ASKS_ALL = "oceanfront/mississippi-stud"
REASON = "a card fell to the floor"


class Floor:
    """A supervisor and a player, each at a browser, at one table."""

    def __init__(self, house: House, visit: Visit, game: Game) -> None:
        self.house, self.game = house, game
        self.table, self.name = house.table(game.id), house.player("pia")
        self.page = visit(SUPERVISOR)
        self.player = Player(visit(self.name))
        keep_settings(self.player.page, **INSTANT)
        self.player.command(self.table, do="sit", seat=1)
        self.player.come_to(self.table)
        self.deal()

    def deal(self) -> None:
        """Bet as the player, up to a decision."""
        self.before = self.balance
        for command in commands_to_deal(self.game):
            self.player.command(self.table, **command)
        self.player.wait_for_decision()
        self.round = str(self.player.view()["round"])

    @property
    def balance(self) -> str:
        """The player's balance at the house."""
        return str(self.house.get(f"/api/cage/{self.name}")["balance"])

    def order(self, name: str, words: str = "", pick: str = "") -> None:
        """Give a supervisor's order at the table, with a reason if required."""
        go(self.page, f"/table/{self.table}")
        self.page.get_by_role("tab", name="Floor").click()
        floor = self.page.get_by_role("region", name="Floor")
        floor.get_by_role("button", name=name, exact=True).click()
        dialog = self.page.get_by_role("dialog")
        if words:
            dialog.get_by_role("textbox").fill(words)
        if pick:
            dialog.get_by_role("radio", name=pick).check()
        dialog.get_by_role("button", name=name, exact=True).click()
        expect(dialog).to_have_count(0)

    def part(self, name: str) -> None:
        """Open a page of the pit."""
        go(self.page, "/pit")
        self.page.get_by_role("navigation", name="Pit").get_by_role("link", name=name).click()


@pytest.fixture
def floor(house: House, visit: Visit, games: dict[str, Game]) -> Floor:
    return Floor(house, visit, games[STUD])


def sign_in(page: Page, name: str, password: str = PASSWORD) -> None:
    page.goto("/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def test_supervisor_opens_and_closes_a_table(house: House, visit: Visit) -> None:
    page = visit()
    sign_in(page, SUPERVISOR)
    page.get_by_role("heading", name="Open a table").wait_for()
    page.get_by_label("Name", exact=True).fill("from-the-page")
    page.get_by_label("Rules").select_option(STUD)
    page.get_by_label("Opening rack (dollars)").fill("20000")
    page.get_by_role("button", name="Open table", exact=True).click()
    expect(page.get_by_text("Table from-the-page is open.")).to_be_visible()
    row = page.get_by_role("article", name="from-the-page")
    expect(row).to_contain_text("waiting for bets")
    expect(row).to_contain_text("$20,000")
    assert house.get("/api/tables/from-the-page")["sheet"]["id"] == STUD
    row.get_by_role("link", name="Supervise").click()
    expect(page.get_by_role("tab", name="Floor")).to_be_visible()
    page.goto("/pit")
    row.get_by_role("button", name=re.compile("^Close")).click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Close table")).click()
    expect(page.get_by_text("Table from-the-page is closed.")).to_be_visible()
    expect(row).to_have_count(0)


def test_changes_reach_the_floor_screen_without_polling(house: House, visit: Visit) -> None:
    page = visit(SUPERVISOR)
    page.goto("/pit")
    page.get_by_role("heading", name="Open a table").wait_for()
    page.wait_for_load_state("networkidle")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    table = house.table(STUD)
    expect(page.get_by_role("article", name=table)).to_be_visible(timeout=PATIENCE_MS)
    assert not [url for url in requests if "/api/pit/floor" in url]


def test_minimum_bet_is_raised_with_the_payout_cap_that_it_needs(
    house: House, visit: Visit
) -> None:
    table = house.table(STUD)
    page = visit(SUPERVISOR)
    page.goto("/pit")
    page.get_by_role("button", name=f"Table {table} limits").click()
    form = page.get_by_role("dialog")
    cap = form.get_by_label("Maximum payout per round (dollars)")
    expect(cap).to_have_value("25000.00")
    form.get_by_label("Minimum bet").fill("10")
    form.get_by_label("Reason").fill("a busy evening")
    form.get_by_role("button", name="Change limits").click()
    expect(form.get_by_role("alert")).to_contain_text("Raise it, or lower the minimum bet")
    save_pictures(page, "limits")
    cap.fill("50000")
    form.get_by_role("button", name="Change limits").click()
    expect(form).to_have_count(0)
    expect(page.get_by_role("article", name=table)).to_contain_text("Limits: $10 to $500.")
    (floor_table,) = [row for row in house.get("/api/pit/floor")["tables"] if row["table"] == table]
    assert floor_table["caps"] == [{"per": "round", "pays_max": "50000.00"}]


def test_inspector_sees_each_hand_of_an_interrupted_round(house: House, visit: Visit) -> None:
    """GEN-6: bob was paid before the interruption, and ann's hand is dead."""
    table = house.table(ASKS_ALL, kind="typed", rack="500")

    def do(do: str, **fields: object) -> None:
        house.command(table, do=do, **fields)

    for seat, player in ((1, f"Ann {table}"), (2, f"Bob {table}")):
        do("sit", seat=seat, player=player)
        do("buy-in", seat=seat, amount="100")
        do("put-wager", seat=seat, wager="ante", amount="4")
    do("close-betting")
    for board in ("Qs", "Jd", "2h"):
        for seat in (1, 2):
            do("decide", seat=seat, play="1x")
        do("type-card", place="board", card=board)
    for card in ("Qd", "3c"):
        do("type-card", place=2, card=card)
    do("settle")
    do("interrupt", why="power failure")
    do("unreadable", why="nobody can see the cards")
    page = visit(house.player("ivy", "auditor"))
    page.goto("/pit/inspect")
    form = page.get_by_role("form", name="Find a round")
    form.get_by_label("Table").fill(table)
    form.get_by_role("button", name="Search").click()
    rows = page.get_by_role("row")
    expect(rows.filter(has_text=f"Bob {table}")).to_contain_text("$16")
    expect(rows.filter(has_text=f"Bob {table}")).not_to_contain_text("dead")
    expect(rows.filter(has_text=f"Ann {table}")).to_contain_text("dead hand")
    save_pictures(page, "cut-short")


def test_fill_is_refused_with_a_reason_and_the_box_counted(house: House, visit: Visit) -> None:
    table = house.table(STUD, kind="typed", rack="500")
    dealer = Player(visit(house.player("dan", "dealer")))
    dealer.command(table, do="sit", seat=1, player=f"Ticket {table}")
    dealer.command(table, do="buy-in", seat=1, amount="300")
    dealer.command(table, do="ask-fill", amount="50", why="few reds")
    page = visit(SUPERVISOR)
    page.goto("/pit")
    page.get_by_role("button", name=f"Decline the {table} fill").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("   ")
    dialog.get_by_role("button", name="Decline").click()
    expect(dialog).to_be_visible()  # A blank is not a reason.
    dialog.get_by_label("Reason").fill(" enough reds ")
    dialog.get_by_role("button", name="Decline").click()
    expect(page.get_by_text(f"{table} fill declined.")).to_be_visible()
    events = house.get("/api/pit/events")["events"]
    assert [event["why"] for event in events if event["what"] == "rack-refused"][
        -1
    ] == "enough reds"
    page.get_by_role("button", name=f"Close table {table}").click()
    dialog.get_by_label("Drop count").fill("299.50")
    dialog.get_by_role("button", name="Close table").click()
    expect(page.get_by_text(f"{table} drop box counted")).to_be_visible()
    page.get_by_role("link", name="Statement").click()
    counted = page.get_by_role("listitem").filter(has_text=table)
    expect(counted).to_contain_text("short $0.50")
    number = house.get(f"/api/counter/receipts?text={house.player('pia')}")["receipts"][0]["number"]
    path = f"/api/counter/receipts/{number}/undo"
    reply = house.supervisor.post(path, json={"why": "mistaken", "request": path})
    assert reply.json()["receipt"] is None, reply.text  # It waits for approval.
    page.goto("/cage")
    page.get_by_role("button", name=f"Decline to void slip {number}").click()
    dialog.get_by_label("Reason").fill("it was right")
    dialog.get_by_role("button", name="Decline").click()
    expect(page.get_by_text(f"Slip {number} stands.")).to_be_visible()
    page.goto("/pit/statement")
    expect(page.get_by_text("Everything balances.")).to_be_visible()


def test_wrong_password_is_refused(visit: Visit) -> None:
    page = visit()
    for name in (SUPERVISOR, "nobody-of-that-name"):
        sign_in(page, name, "not the password")
        expect(page.get_by_role("alert")).to_contain_text("Wrong name or password")
    page.goto("/pit")
    expect(page.get_by_text("The pit is for supervisors and auditors.")).to_be_visible()


def test_misdeal_returns_wagers_and_is_recorded(floor: Floor) -> None:
    floor.order("Misdeal", REASON)
    pia = floor.player
    expect(pia.page.get_by_text("Misdeal: all bets returned").first).to_be_visible()
    pia.wait_for_result()
    assert pia.balance == format_amount(floor.before)
    assert floor.house.get(f"/api/cage/{floor.name}")["balance"] == floor.before
    floor.part("Activity log")
    event = floor.page.get_by_role("listitem").filter(has_text=floor.round)
    misdeal_event = event.filter(has_text="misdeal")
    expect(misdeal_event.first).to_contain_text(f"by {SUPERVISOR}")
    expect(misdeal_event.first).to_contain_text(REASON)


VOID_ORDERS = [
    ("Void hand, seat 1", "", "returned", "0.00"),
    ("Void hand for sharing information, seat 1", "gave", "forfeited", "5.00"),
    ("Void hand for sharing information, seat 1", "took", "forfeited", "5.00"),
]


@pytest.mark.slow
def test_voided_hand_is_returned_or_forfeited_by_its_reason(floor: Floor) -> None:
    """CMS-16: for information given or taken, the hand is void and the wagers are forfeited."""
    for n, (order, part, says, costs) in enumerate(VOID_ORDERS):
        if n:
            floor.deal()
        void_hand(floor, order, part, says, costs)


def void_hand(floor: Floor, order: str, part: str, says: str, costs: str) -> None:
    """Void the hand of a new round."""
    floor.order(order, REASON, pick=part)
    pia = floor.player
    pia.wait_for_result()
    expect(pia.circle("Ante"), f"{order} {part}").to_contain_text(says)
    now = floor.balance
    assert float(floor.before) - float(now) == float(costs), f"{order} {part}"
    assert pia.balance == format_amount(now)
    floor.part("Activity log")
    event = floor.page.get_by_role("listitem").filter(has_text=floor.round)
    expect(event.filter(has_text="void").first).to_contain_text(f"by {SUPERVISOR}")


def test_reason_is_required(floor: Floor) -> None:
    page = floor.page
    page.goto(f"/table/{floor.table}")
    page.get_by_role("tab", name="Floor").click()
    page.get_by_role("button", name="Misdeal").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Misdeal").click()
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert floor.player.view()["phase"] == "play"


@pytest.mark.slow
def test_payout_is_explained_line_by_line(floor: Floor) -> None:
    for _ in range(3):
        floor.player.command(floor.table, do="decide", seat=1, play="1x")
    floor.player.wait_for_result()
    account = floor.house.get(f"/api/pit/explain/{floor.round}/1")
    floor.part("Explain a payout")
    floor.page.get_by_label("Round").fill(floor.round)
    floor.page.get_by_label("Seat").fill("1")
    floor.page.get_by_role("button", name="Explain").click()
    article = floor.page.get_by_role("article")
    expect(article.get_by_role("heading", level=3)).to_contain_text(floor.name)
    expect(article.get_by_role("row")).to_have_count(1 + len(account["lines"]))
    balance = account["balance"]
    moved = f"balance {format_amount(balance['before'])} to {format_amount(balance['after'])}"
    expect(article).to_contain_text(moved)
    expect(article).to_contain_text("Recalculated from the ledger")
    assert len(floor.player.cards(article)) == 5
    clauses = {line["clause"] for line in account["lines"] if line["clause"]}
    for clause in clauses:
        expect(article).to_contain_text(clause)


def test_unknown_round_is_explained(visit: Visit) -> None:
    page = visit(SUPERVISOR)
    page.goto("/pit/explain")
    page.get_by_label("Round").fill("no-such-round")
    page.get_by_role("button", name="Explain").click()
    expect(page.get_by_role("alert")).to_contain_text("no-such-round")


def test_interruption_waits_for_its_players(
    house: House, visit: Visit, games: dict[str, Game]
) -> None:
    """OMS-16: everyone with a live wager is asked; the pit sees who has not answered."""
    floor = Floor(house, visit, games[ASKS_ALL])
    floor.order("Stop play", "fire alarm")
    pia = floor.player
    finish = pia.page.get_by_role("button", name="Finish the hand")
    expect(finish).to_be_visible()
    floor.part("Stopped hands")
    waiting = floor.page.get_by_role("article").filter(has_text=floor.round)
    expect(waiting).to_contain_text("fire alarm")
    expect(waiting).to_contain_text(f"{floor.name}: no answer yet")
    amount_held = sum(float(amount) for _, amount in pia.view()["seats"][0]["wagers"])
    expect(waiting).to_contain_text(f"{format_amount(f'{amount_held:.2f}')} in play")
    finish.click()
    ready_to_play = pia.action("1x")
    expect(ready_to_play).to_be_enabled()
    floor.page.get_by_role("button", name="Refresh").click()
    expect(waiting).to_have_count(0)
    pia.hands.do(pia, "Fold")
    pia.wait_for_result()


@pytest.mark.slow
def test_interrupted_wagers_can_be_returned(
    house: House, visit: Visit, games: dict[str, Game]
) -> None:
    floor = Floor(house, visit, games[ASKS_ALL])
    floor.order("Stop play", "power cut")
    floor.player.page.get_by_role("button", name="Return my bets").click()
    floor.player.wait_for_result()
    assert floor.player.balance == format_amount(floor.before)


@pytest.mark.slow
def test_auditor_only_reads(house: House, visit: Visit) -> None:
    page = visit(house.player("abe", "auditor"))
    page.goto("/pit")
    expect(page.get_by_role("heading", name="Open tables")).to_be_visible()
    expect(page.get_by_role("button", name="Open table")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("permanently"))).to_have_count(0)
    page.goto("/pit/events")
    expect(page.get_by_role("listitem").first).to_be_visible()


@pytest.mark.slow
def test_two_events_of_one_entry_are_both_listed(house: House, visit: Visit) -> None:
    """One settlement can need two fills."""
    page = visit(SUPERVISOR)
    events = house.get("/api/pit/events")
    events["events"] = [events["events"][-1] | {"why": why} for why in ("one fill", "another fill")]
    page.route("**/api/pit/events*", lambda route: route.fulfill(json=events))
    page.goto("/pit/events")
    expect(page.get_by_role("listitem").filter(has_text="one fill")).to_have_count(1)
    expect(page.get_by_role("listitem").filter(has_text="another fill")).to_have_count(1)


@pytest.mark.slow
def test_people_are_invited_and_buy_in_at_the_cage(house: House, visit: Visit) -> None:
    page = visit(SUPERVISOR)
    name = house.player("kim")
    page.goto("/pit/people")
    page.get_by_role("button", name="Create link").click()
    link = page.get_by_role("textbox", name="Works once").input_value()
    assert link.startswith(f"{house.address}/api/invitations/")
    page.goto("/cage")
    cage = page.get_by_role("form", name="Transactions")
    cage.get_by_label("Player").fill(name)
    cage.get_by_label("Dollars").fill("5,0")
    cage.get_by_role("button", name="Buy in").click()
    message = cage.get_by_label("Dollars").evaluate("one => one.validationMessage")
    assert 'write "5.00" or "50"' in message
    cage.get_by_label("Dollars").fill("12.50")
    cage.get_by_role("button", name="Buy in").dblclick()
    balance = "10012.50"
    expect(page.get_by_text(f"{name} has {format_amount(balance)}")).to_be_visible()
    assert house.get(f"/api/cage/{name}")["balance"] == balance, "a double click pays in once"
    newest = page.get_by_role("listitem").filter(has_text=f"Buy-in, {name}").first
    newest.get_by_role("button", name=re.compile("^Undo")).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("for another")
    dialog.get_by_role("button", name="Void").click()
    expect(page.get_by_text("undoes", exact=False).first).to_contain_text("for another")
    assert house.get(f"/api/cage/{name}")["balance"] == "10000.00"


@pytest.mark.slow
def test_person_is_excluded_and_reinstated(house: House, visit: Visit) -> None:
    page = visit(SUPERVISOR)
    name = house.player("zoe")
    page.goto("/pit/people")
    form = page.get_by_role("form", name="Exclude a patron")
    form.get_by_label("Name").fill(name.upper())
    form.get_by_label("Last day").fill("2099-12-31")
    form.get_by_label("Reason").fill("asked for it at the desk")
    form.get_by_role("button", name="Exclude").click()
    expect(page.get_by_text(f"{name} is excluded until the end of 2099-12-31")).to_be_visible()
    listed = page.get_by_role("list", name="Excluded")
    expect(listed).to_contain_text("asked for it at the desk")
    page.goto("/cage")
    cage = page.get_by_role("form", name="Transactions")
    cage.get_by_label("Player").fill(name)
    cage.get_by_label("Dollars").fill("100")
    cage.get_by_role("button", name="Buy in").click()
    no = "is excluded until the end of 2099-12-31"
    expect(page.get_by_role("alert").filter(has_text=no)).to_be_visible()
    page.goto("/pit/people")
    page.get_by_role("button", name=f"Reinstate {name}").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("a mistake")
    dialog.get_by_role("button", name=f"Reinstate {name}").click()
    expect(page.get_by_text(f"{name} may play again.")).to_be_visible()


def test_auditor_finds_and_explains_a_round(floor: Floor, visit: Visit) -> None:
    for _ in range(3):
        floor.player.command(floor.table, do="decide", seat=1, play="1x")
    floor.player.wait_for_result()
    page = visit(floor.house.player("abe", "auditor"))
    page.goto("/pit/inspect")
    form = page.get_by_role("form", name="Find a round")
    form.get_by_label("Player").fill(floor.name)
    form.get_by_label("Table").fill(floor.table)
    form.get_by_role("button", name="Search").click()
    row = page.get_by_role("row").filter(has_text=floor.round)
    expect(row).to_contain_text(floor.name)
    save_pictures(page, "inspect")
    page.get_by_role("button", name="Verify now").click()
    expect(page.get_by_text("Ledger intact")).to_be_visible()
    row.get_by_role("link", name="Explain").click()
    expect(page.get_by_role("article")).to_contain_text("Recalculated from the ledger")
    incident = {"kind": "dispute", "told": "a payout was doubted", "request": "i"}
    assert floor.house.supervisor.post("/api/incidents", json=incident).is_success
    page.goto("/pit/incidents")
    expect(page.get_by_role("article").first).to_contain_text("a payout was doubted")
    expect(page.get_by_role("main").get_by_role("button")).to_have_text(["Save as CSV"])
    page.get_by_role("searchbox").fill("nothing of the kind")
    expect(page.get_by_role("article")).to_have_count(0)
    page.get_by_role("searchbox").fill("DOUBTED")
    expect(page.get_by_role("article").first).to_contain_text("a payout was doubted")
    page.goto("/pit/inspect")
    form.get_by_label("Table").fill(floor.table)
    form.get_by_role("button", name="Search").click()
    row.get_by_role("link", name="Replay").click()
    expect(page.get_by_text(re.compile("Replay")).first).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/api/inspect/paper/{floor.round}/1")
    expect(page.get_by_role("cell", name="Hash")).to_be_visible()
    assert page.evaluate(script("broken_words")) == []
