"""The statement follows from facts and balances, and a difference of a cent is found."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.ledger_folders import tamper
from tests.house.nights.kit import Evening, make_command
from tests.house.nights.tournament.step_lines import schedule
from tests.lanes import examples

from pitbook.house.inspect.house_statement import EventMoney, house_statement
from pitbook.house.ledger.data_folder import Folder
from pitbook.house.nights import commands as do
from pitbook.house.nights import statement as statements
from pitbook.house.nights.facts import dump
from pitbook.house.nights.money_totals import figures
from pitbook.house.nights.night_cache import charity_names
from pitbook.house.nights.statement import Statement, statement, statement_page, statement_text
from pitbook.house.nights.store import Accepted, Night
from pitbook.house.nights.tournament import commands as floor
from pitbook.money import Cents, dollars

PLAYERS = ("ann", "bob", "cho", "dan")
T = "gala.t1"


def start_tournament(evening: Evening, *players: str) -> None:
    """Buy-ins, seats and the start."""
    evening.must(floor.SetUp(T, schedule()))
    evening.must(floor.Announce(T, "bea"))
    for player in players:
        evening.must(floor.Enter(T, player))
    evening.must(floor.DrawSeats(T))
    evening.must(floor.Start(T))


def full_evening(evening: Evening) -> None:
    """$90 of chips, a table up $12, $8 expired, and a tournament of four with one refund."""
    evening.must(do.BringFloat(dollars("100")))
    evening.sell("ann", "50")
    evening.sell("bob", "40")
    evening.must(do.Undo(evening.sell("cho", "9"), "wrong name"))
    evening.admit()
    evening.round("stud-1", {"ann": -2_000, "bob": 800})
    evening.round("stud-1", {}, result="misdeal")
    evening.must(floor.SetUp(T, schedule()))
    evening.must(floor.Announce(T, "bea"))
    for player in PLAYERS:
        evening.must(floor.Enter(T, player))
    evening.must(floor.Refund(T, "dan"))
    evening.must(floor.DrawSeats(T))
    evening.must(floor.Start(T))
    evening.must(floor.Eliminate(T, ("cho",)))
    evening.must(floor.Eliminate(T, ("bob",)))
    if evening.state.tournaments[T].status != "finished":
        evening.must(floor.Finish(T))
    for player, entrant in evening.state.tournaments[T].players.items():
        if entrant.owed:
            evening.must(floor.PayOut(T, player))
    evening.redeem("ann", "30")
    evening.redeem("bob", "40")
    evening.retire("stud-1")
    evening.must(do.Close())


def test_closing_statement_line_by_line(evening: Evening) -> None:
    full_evening(evening)
    document = evening.statement().document()
    chips = {"issued": "90.00", "redeemed": "70.00", "outstanding": "0.00", "expired": "8.00"}
    assert document["chips"] == chips
    assert document["table_results"] == "12.00"
    (table,) = document["tables"]
    assert (table["rounds"], table["void_rounds"], table["result"]) == (2, 1, "12.00")
    (tournament_document,) = document["tournaments"]
    amounts = [tournament_document[name] for name in ("taken", "refunded", "paid", "owed", "kept")]
    assert amounts == ["200.00", "50.00", "120.00", "0.00", "30.00"]
    assert document["float"] == {"brought": "100.00", "returned": "100.00"}
    assert [slip["why"] for slip in document["slips_undone"]] == ["wrong name"]
    assert document["cash"] == document["proceeds"] == "50.00"
    assert document["reconciles"]
    assert document["findings"] == []
    assert json.loads(json.dumps(document)) == document


def test_statement_in_text_and_on_paper(evening: Evening) -> None:
    full_evening(evening)
    closing = evening.statement()
    text, page = statement_text(closing), statement_page(closing)
    lines = {" ".join(line.split()) for line in text.splitlines()}
    assert text.startswith("Closing statement: gala\n")
    assert "Expired chips 8.00 OMS-18" in lines
    assert "Net proceeds for Seacoast Shelter 50.00 OMS-19" in lines
    assert "All 11 checks balance to the cent." in lines
    assert "License: NH-2026-117" in lines
    for line in closing.lines():
        assert line.title.strip() in text
    assert page.startswith("<!doctype html>")
    assert page.count("<table") == page.count("</table>") == 5
    assert "Net proceeds for Seacoast Shelter" in page
    assert "http" not in page  # Nothing to fetch.
    assert "1 of 1" not in page  # The printer counts.
    assert "counter(pages)" in page
    assert "Concord, NH 03301-2428" in page


def test_names_are_escaped_on_the_page(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    night = Night(evening.ledger, "other", clock=lambda: evening.now)
    night.give(make_command(event="other", charity="<script>alert(1)</script> & co"), actor="kim")
    page = statement_page(statement(night, at="2026-11-21T12:00:00+00:00"))
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; co" in page
    evening.close()


def before_the_first_sale(evening: Evening) -> None:
    """Nothing has happened yet."""
    assert not evening.state.slips


def chips_in_hands_and_a_prize_owed(evening: Evening) -> None:
    """The night is open: $10 of chips are out, and ann has not collected her $80."""
    evening.must(do.BringFloat(dollars("100")))
    evening.sell("cho", "10")
    start_tournament(evening, "ann", "bob")
    evening.must(floor.Eliminate(T, ("bob",)))
    evening.must(floor.Finish(T))


def prize_unclaimed(evening: Evening) -> None:
    """The night is closed, and ann has not collected her $80."""
    chips_in_hands_and_a_prize_owed(evening)
    evening.must(do.Close())


def part_of_the_unclaimed_paid(evening: Evening) -> None:
    """Two entries of a void tournament were unclaimed; one was paid later."""
    start_tournament(evening, *PLAYERS)
    evening.must(floor.Interrupt(T, "power failure"))
    for player in PLAYERS[:2]:
        evening.must(floor.PayOut(T, player))
    evening.must(do.Close())
    evening.must(do.PayUnclaimed("cho"))


def float_not_returned_in_full(evening: Evening) -> None:
    """Tables lost $30 of a $40 float, so $10 is returned."""
    evening.must(do.BringFloat(dollars("40")))
    evening.sell("cho", "20")
    evening.admit()
    evening.round("stud-1", {"cho": 3_000})
    evening.redeem("cho", "50")
    evening.retire("stud-1")
    start_tournament(evening, "ann", "bob")
    evening.must(floor.Interrupt(T, "fire alarm"))
    evening.must(do.Close())


EVENINGS = (
    before_the_first_sale,
    chips_in_hands_and_a_prize_owed,
    prize_unclaimed,
    part_of_the_unclaimed_paid,
    float_not_returned_in_full,
    full_evening,
)
AMOUNT = re.compile(r"-?[\d,]+\.\d\d")


def drawer_on_paper(page: str) -> list[tuple[str, int, bool]]:
    """Title, cents and whether it is a total, of each printed line of the drawer section."""
    section = page[page.index("Drawer") :]
    rows = re.findall(r"<tr(?P<mark>[^>]*)>(?P<cells>.*?)</tr>", section, re.S)
    lines = []
    for mark, cells in rows:
        title, _, amount = (re.sub(r"<[^>]+>", "", cell) for cell in cells.split("</td>")[:3])
        negative = amount.strip().startswith(("-", "\N{MINUS SIGN}", "("))
        cents = int(re.sub(r"\D", "", amount if "." in amount else f"{amount}00"))
        lines.append((title.strip(), -cents if negative else cents, "strong" in mark))
    return lines


def drawer_in_text(text: str) -> list[tuple[str, int, bool]]:
    """The same lines from the plain text, where a rule precedes each total."""
    section = text[text.index("\nDrawer\n") :].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    lines, under_a_rule = [], False
    for line in section:
        if (amount := AMOUNT.search(line)) is None:
            under_a_rule = True
            continue
        cents = round(float(amount[0].replace(",", "")) * 100)
        lines.append((line[: amount.start()].strip(), cents, under_a_rule))
        under_a_rule = False
    return lines


def check_drawer(statement: Statement) -> None:
    """Add up the printed lines: each total is the sum of the lines above it, to the cent."""
    in_json = []
    for line in statement.document()["drawer"]:
        amount = line["amount"]
        cents = -dollars(amount[1:]) if amount.startswith("-") else dollars(amount)
        in_json.append((line["title"], cents, line["total"]))
    assert drawer_in_text(statement_text(statement)) == in_json
    total, sums = 0, []
    for title, cents, is_total in in_json:
        if is_total:
            assert cents == total, title
            sums.append(cents)
        else:
            total += cents
    assert sums == [statement.totals.cash, statement.totals.proceeds]


@pytest.mark.parametrize("play", EVENINGS, ids=lambda play: play.__name__)
def test_drawer_section_adds_up_on_its_face(
    play: Callable[[Evening], None], evening: Evening
) -> None:
    play(evening)
    statement = evening.statement()
    assert statement.findings == ()
    check_drawer(statement)
    assert drawer_on_paper(statement_page(statement)) == drawer_in_text(statement_text(statement))


def test_drawer_section_subtracts_what_is_unclaimed(evening: Evening) -> None:
    prize_unclaimed(evening)
    assert "  Less unclaimed " in statement_text(evening.statement())
    lines = {line["title"]: line["amount"] for line in evening.statement().document()["drawer"]}
    assert lines["Less unclaimed"] == "-80.00"


def test_void_tournament_returns_everything(evening: Evening) -> None:
    start_tournament(evening, *PLAYERS)
    evening.must(floor.Interrupt(T, "power failure"))
    status = evening.state.tournaments[T].status
    assert status == "void"
    for player in PLAYERS:
        evening.must(floor.PayOut(T, player))
    evening.must(do.Close())
    closing = evening.statement()
    assert (closing.totals.proceeds, closing.findings) == (0, ())
    assert "Canceled tournaments refunded (1)" in statement_text(closing)


@pytest.mark.long
@pytest.mark.parametrize(("amount", "fine"), [("27", True), ("28", True), ("29", False)])
def test_prize_money_does_not_cover_chips(evening: Evening, amount: str, fine: bool) -> None:
    start_tournament(evening, "ann", "bob")  # $80 of prizes, and $20 for the charity.
    evening.sell("cho", "8")
    evening.admit()
    evening.round("stud-1", {"cho": 5_000})
    if fine:
        evening.redeem("cho", amount)
    else:
        message = evening.no(do.Redeem("cho", dollars(amount))).message
        assert message.startswith(
            "The drawer has $28 after setting aside prize money. You need $29"
        )
    assert evening.statement().findings == ()


def test_refund_above_the_drawer_names_the_remedy(evening: Evening) -> None:
    evening.must(floor.SetUp(T, schedule()))
    evening.must(floor.Enter(T, "ann"))  # $40 for prizes, $10 for the charity.
    evening.admit()
    evening.sell("cho", "1")
    evening.round("stud-1", {"cho": 1_000})
    evening.redeem("cho", "11")
    assert evening.no(floor.Refund(T, "ann")).message.endswith("Add an opening bank first.")
    evening.must(do.BringFloat(dollars("10")))
    evening.must(floor.Refund(T, "ann"))
    assert evening.statement().findings == ()


def test_night_does_not_close_during_a_tournament(evening: Evening) -> None:
    start_tournament(evening, "ann", "bob")
    message = evening.no(do.Close()).message
    assert message == "Tournament gala.t1 is not finished. Finish it, or end it early."


def test_tournament_is_part_of_its_night(evening: Evening) -> None:
    for name in ("other.t1", "gala", "gala."):
        assert "gala has no tournament" in evening.no(floor.SetUp(name, schedule())).message


@pytest.mark.long
def test_higher_limit_is_used_once_per_event(evening: Evening) -> None:
    evening.must(floor.SetUp(T, schedule(higher_limit=True)))
    refusal = evening.no(floor.SetUp("gala.t2", schedule(higher_limit=True)))
    assert refusal.clause == "OMS-12"
    evening.must(floor.SetUp("gala.t2", schedule()))


amounts = st.integers(1, 60).map(lambda whole: Cents(100 * whole))
players = st.sampled_from(PLAYERS)
nets = st.dictionaries(players, st.integers(-900, 1_500), max_size=4)
steps = st.lists(
    st.one_of(
        st.builds(do.Sell, players, amounts),
        st.builds(do.Redeem, players, st.integers(1, 9_000).map(Cents)),
        st.builds(do.Undo, st.integers(1, 12), st.just("a slip of the pen")),
        st.builds(do.BringFloat, amounts),
        st.builds(floor.Enter, st.just(T), players),
        st.builds(floor.Refund, st.just(T), players),
        st.builds(floor.ReBuy, st.just(T), players),
        st.builds(floor.AddOn, st.just(T), players),
        st.builds(floor.Undo, st.just(T), st.integers(1, 20), st.just("wrong")),
        st.just(floor.DrawSeats(T)),
        st.just(floor.Start(T)),
        st.tuples(st.just("round"), nets),
    ),
    max_size=30,
)


def _play(evening: Evening, table: str, wins: dict[str, int]) -> None:
    """Book a round in which no player loses more than their chips."""
    holds = {name: evening.ledger.balance(evening.state.accounts.wallet(name)) for name in wins}
    evening.round(table, {name: max(net, -holds[name]) for name, net in wins.items()})


def _end(evening: Evening) -> None:
    """End the tournament from any state, pay everybody, and close the night."""
    evening.must(do.BringFloat(dollars("1000")))  # Players may have won all that was there.
    tournament_state = evening.state.tournaments[T]
    if tournament_state.players and tournament_state.status == "open":
        for player in list(tournament_state.players):
            evening.must(floor.Refund(T, player))
    elif tournament_state.status == "playing":
        evening.must(floor.Interrupt(T, "the end of the test"))
    for player, entrant in list(evening.state.tournaments[T].players.items()):
        if entrant.owed:
            evening.must(floor.PayOut(T, player))
    evening.retire("stud-1")
    evening.must(do.Close())


@pytest.mark.long
@settings(max_examples=examples(25, 60))
@given(steps=steps)
def test_random_night_reconciles_at_every_step(steps: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(Path(folder))
        evening.admit()
        evening.must(floor.SetUp(T, schedule()))
        evening.must(floor.Announce(T, "bea"))
        for step in steps:
            if isinstance(step, tuple) and step[0] == "round":
                _play(evening, "stud-1", step[1])
            else:
                evening.ask(step)
            event = evening.statement()
            assert event.findings == ()
            check_drawer(event)
            house = house_statement(
                evening.ledger, charity_of=charity_names(evening.ledger), at="now"
            ).money
            assert house.agrees
            assert house.events.get("gala", EventMoney()).charity == event.totals.proceeds
        _end(evening)
        closing = evening.statement()
        assert closing.findings == ()
        check_drawer(closing)
        assert closing.totals.outstanding == 0
        cash = evening.ledger.balance(evening.state.accounts.cash)
        float_owed = evening.ledger.balance(evening.state.accounts.float)
        assert closing.totals.proceeds == cash - float_owed
        assert evening.another().state == evening.state
        evening.close()


ACCOUNTS = [
    ("usd", "cash", "gala"),
    ("usd", "sales", "gala"),
    ("usd", "house", "gala.t1"),
    ("usd", "prizes", "gala.t1"),
    ("usd", "house", "gala/float"),
    ("event-chip:gala", "issued", ""),
    ("event-chip:gala", "house", ""),
    ("event-chip:gala", "house", "expired"),
    ("event-chip:gala", "wallet", "ann"),
]


@pytest.mark.long
@pytest.mark.parametrize("by", [1, -1])
@pytest.mark.parametrize("account", ACCOUNTS, ids=" ".join)
def test_one_cent_error_in_any_balance_is_found(
    tmp_path: Path, account: tuple[str, str, str], by: int
) -> None:
    evening = Evening(tmp_path)
    full_evening(evening)
    evening.close()
    unit, kind, name = account
    which = f"unit = '{unit}' AND kind = '{kind}' AND name = '{name}'"
    tamper(tmp_path, f"UPDATE account SET balance = balance + {by} WHERE {which}")
    with Folder.open(tmp_path) as folder:
        night = Night(folder.ledger, "gala")
        closing = statement(night, at="later")
        assert closing.findings
        assert {abs(finding.discrepancy) for finding in closing.findings} == {1}
        assert "do NOT balance" in statement_text(closing)


def test_round_settled_during_the_statement_is_not_a_finding(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.sell("ann", "20")
    evening.admit()
    real, late = figures, [{"ann": -300}]

    def figures_with_late_round(*arguments: Any) -> Any:
        totals = real(*arguments)
        if late:
            evening.round("stud-1", late.pop())
        return totals

    monkeypatch.setattr(statements, "figures", figures_with_late_round)
    closing = evening.statement()
    assert (closing.totals.won, closing.findings) == (300, ())


def test_chips_of_another_night_are_not_redeemed_here(evening: Evening) -> None:
    other = Night(evening.ledger, "other", clock=lambda: evening.now)
    for command in (make_command(event="other"), do.Open(), do.Sell("ann", dollars("20"))):
        assert isinstance(other.give(command, actor="kim"), Accepted)
    evening.sell("bob", "20")
    refusal = evening.no(do.Redeem("ann", dollars("1")))
    assert (refusal.message, refusal.clause) == (
        "ann has $0 in event chips, less than $1.",
        "OMS-17",
    )
    assert evening.statement().findings == statement(other, at="now").findings == ()


def test_accepted_command_carries_its_facts(evening: Evening) -> None:
    answer = evening.ask(do.Sell("ann", dollars("4")))
    assert isinstance(answer, Accepted)
    assert dump(answer.facts[0])["amount"] == "4.00"
