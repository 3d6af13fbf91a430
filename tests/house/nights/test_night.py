"""One night on record: requests once, processes in turn, and the same state from the stream."""

from __future__ import annotations

import json
import threading

import pytest
from tests.house.nights.kit import CMS, Evening, make_command
from tests.house.nights.tournament.step_lines import schedule

from pitbook.errors import RoundError
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.audit import verify
from pitbook.house.nights import commands as do
from pitbook.house.nights.facts import dump, load
from pitbook.house.nights.state import facts_in, replay
from pitbook.house.nights.store import Accepted
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Code, Refusal


def run_busy_night(evening: Evening) -> None:
    evening.must(do.BringFloat(dollars("100")))
    slip = evening.sell("ann", "20")
    evening.sell("bob", "12")
    evening.must(do.Undo(slip, "wrong name"))
    evening.admit()
    evening.admit("stud-2", CMS, derived=True)
    evening.redeem("bob", "4")
    evening.must(do.Interrupt("power failure"))


def test_restart_gives_the_same_state(evening: Evening) -> None:
    run_busy_night(evening)
    evening.must(do.Close())
    assert evening.another().state == evening.state
    facts = [fact for entry in evening.ledger.entries("night/gala") for fact in facts_in(entry)]
    assert replay(facts) == evening.state
    documents = json.loads(json.dumps([dump(fact) for fact in facts]))
    assert replay(map(load, documents)) == evening.state
    assert evening.state.rules == evening.another().state.rules


@pytest.mark.long
def test_ledger_is_intact_after_a_busy_night(evening: Evening) -> None:
    run_busy_night(evening)
    evening.must(do.Close())
    assert verify(evening.ledger).findings == ()


def test_repeated_request_gives_one_slip_and_the_same_answer(evening: Evening) -> None:
    first = evening.must(do.Sell("ann", dollars("20")), request="r1")
    again = evening.must(do.Sell("ann", dollars("20")), request="r1")
    assert again == first
    assert evening.chips("ann") == "20.00"
    other = evening.no(do.Sell("ann", dollars("21")), request="r1")
    assert other.code is Code.REQUEST_REUSED
    evening.must(do.Sell("ann", dollars("21")), request="r1", by="lee")  # Ids are the sender's.
    assert evening.chips("ann") == "41.00"


def test_repeated_request_gets_its_first_answer_even_if_refused_now(
    evening: Evening,
) -> None:
    first = evening.must(do.Sell("ann", dollars("20")), request="r1")
    evening.must(do.Close())
    assert evening.must(do.Sell("ann", dollars("20")), request="r1") == first


def test_two_processes_serve_one_night_in_turn(evening: Evening) -> None:
    other = evening.another()
    for number in range(3):
        evening.sell("ann", "1")
        answer = other.give(do.Sell("bob", dollars("1")), actor="lee")
        assert isinstance(answer, Accepted)
        assert answer.slip == 2 * (number + 1)
    assert evening.night.refresh() == other.state
    assert (evening.chips("ann"), evening.chips("bob")) == ("3.00", "3.00")


@pytest.mark.long
def test_concurrent_processes_lose_nothing(evening: Evening) -> None:
    desks = [evening.another() for _ in range(3)]

    def work(name: str, desk: int) -> None:
        for number in range(10):
            command = do.Sell(name, Cents(100))
            answer = desks[desk].give(command, actor=name, request=str(number))
            assert isinstance(answer, Accepted)

    threads = [
        threading.Thread(target=work, args=(name, desk))
        for desk, name in enumerate(("ann", "bob", "cho"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    state = evening.night.refresh()
    assert [slip.number for slip in state.slips] == list(range(1, 31))
    assert [evening.chips(name) for name in ("ann", "bob", "cho")] == ["10.00"] * 3


def test_overdraft_in_the_ledger_is_refused(evening: Evening) -> None:
    evening.sell("ann", "20")
    balance = evening.ledger.balance

    def inflated_balance(
        account: Account,
    ) -> Cents:  # As if another process had just taken the chips.
        return Cents(balance(account) + 10_000)

    evening.ledger.balance = inflated_balance  # type: ignore[method-assign]
    answer = evening.ask(do.Redeem("ann", dollars("25")))
    assert isinstance(answer, Refusal)
    assert answer.code is Code.NOT_COVERED


@pytest.mark.long
def test_no_command_moves_chips_from_player_to_player(evening: Evening) -> None:
    run_busy_night(evening)
    evening.must(do.Close())
    transfers = [
        transfer for entry in evening.ledger.entries("night/gala") for transfer in entry.transfers
    ]
    assert len(transfers) > 8
    assert not [
        transfer
        for transfer in transfers
        if transfer.debit.kind == transfer.credit.kind == "wallet"
    ]


@pytest.mark.parametrize(
    "command",
    [
        make_command(),
        do.Open(),
        do.BringFloat(Cents(5)),
        do.Sell("ann", Cents(2_000)),
        do.Redeem("ann", Cents(1)),
        do.Undo(3, "why"),
        do.AdmitTable("stud-1", dump_sheet(CMS), derived=True, limits={"ante": {"min": "1"}}),
        do.Interrupt("power"),
        do.Close(),
    ],
    ids=lambda command: type(command).__name__,
)
def test_commands_are_written_and_read(command: do.Command) -> None:
    assert do.decode(json.loads(json.dumps(do.encode(command)))) == command


@pytest.mark.parametrize(
    "document",
    [
        {"do": "steal"},
        {"do": "sell", "player": "ann"},
        {"do": "sell", "player": "a" * 201, "amount": "1"},
        {"do": "sell", "player": "a\nb", "amount": "1"},
        {"do": "admit-table", "table": "t", "sheet": 4},
        {"do": "sell", "player": "ann", "amount": "-1"},
    ],
)
def test_invalid_commands_are_refused(document: object) -> None:
    with pytest.raises(RoundError):
        do.decode(document)


def test_impossible_facts_are_refused(evening: Evening) -> None:
    with pytest.raises(RoundError, match='no event "stolen"'):
        load({"fact": "stolen"})
    with pytest.raises(RoundError, match="format 2"):
        load({"fact": "night-made", "format": 2})


def test_house_rules_are_recorded_once(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = evening.state.rules

    def fail(_: object) -> object:
        raise AssertionError("the rules were read again")

    monkeypatch.setattr("pitbook.house.nights.state.load_stored_rules", fail)
    evening.sell("ann", "20")
    assert evening.state.rules is rules
    # Cached by content: an equal document is not parsed again.
    equal_state = evening.state._replace(house=json.loads(json.dumps(evening.state.house)))
    assert equal_state.rules is rules


def test_other_threads_see_entries_as_a_whole(evening: Evening) -> None:
    evening.must(floor.SetUp("gala.t1", schedule()))
    evening.must(floor.Announce("gala.t1"))
    for player in ("ann", "bob", "cal", "dee"):
        evening.must(floor.Enter("gala.t1", player))
    statuses: list[str] = []
    other, over = evening.another(), threading.Event()

    def look() -> None:
        while not over.is_set():
            statuses.append(other.state.tournaments["gala.t1"].status)

    thread = threading.Thread(target=look)
    thread.start()
    evening.must(floor.Interrupt("gala.t1", "storm"))  # Two facts: interrupted, and void.
    other.refresh()
    over.set()
    thread.join()
    assert set(statuses) <= {"open", "void"}
