"""Each slice's legal commands are the ones that `decide` accepts, for the same reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.clauses.one_line_rounds import OMS
from tests.house.table.kit import DEALER, SUPERVISOR, Live
from tests.house.table.test_properties import PLAYERS, People
from tests.lanes import examples
from tests.rules.random_rounds import known_sheets

import pitbook
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.ledger.hash_chain import canonical
from pitbook.house.table import commands
from pitbook.house.table.betting import check_wagers
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.decide import HANDLERS, Decision, check_allowed, decide
from pitbook.house.table.offers import ORDER, SEAT_PARTS, TABLE_PARTS
from pitbook.house.table.round_commands import check_plays
from pitbook.house.table.seats import check_seats
from pitbook.house.table.situation import Candidate, Check, Situation
from pitbook.house.table.state import TableState, snapshot
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Sheet

PARTS = tuple(dict.fromkeys((*SEAT_PARTS, *TABLE_PARTS)))
PART_NAMES = tuple(part.__name__.rpartition(".")[2] for part in PARTS)
SENDERS = (*(By(name, "player") for name in (*PLAYERS, "eve")), DEALER, SUPERVISOR)
# A command with an amount, a play or a free seat is checked without being listed.
BY_AMOUNT = (commands.Sit, commands.PutWager, commands.Decide)


def candidates(part: Any, state: TableState) -> Iterator[Candidate]:
    """All that a part calls legal at this table."""
    for number in state.seats if part in SEAT_PARTS else ():
        yield from part.legal_at(state, number)
    if part in TABLE_PARTS:
        yield from part.legal(state)


def check_of(kind: type) -> Check | None:
    """The check of a kind of command, or None if it is never offered."""
    by_amount: dict[type, Check] = {
        commands.Sit: lambda table, by, sit: check_seats(table, by, sit.player or by.name)(
            sit.seat
        ),
        commands.PutWager: lambda table, _, put: check_wagers(table, put.seat)(
            put.wager, put.amount
        ),
        commands.Decide: lambda table, _, play: check_plays(table, play.seat)(play.play),
    }
    return by_amount.get(kind) or CHECKS.get(kind)


def collect_checks() -> dict[type, Check]:
    """The checks of all listed commands, from tables in which each is listed."""
    no_shuffler = Live(OMS).do(DEALER, commands.ShufflerFailed()).state
    states = (interrupted_hand().state, no_shuffler, Live(OMS).state)
    return {
        type(command): check
        for state in states
        for part in PARTS
        for command, check in candidates(part, state)
    }


def interrupted_hand() -> Live:
    """A hand whose players are asked whether to finish it."""
    live = Live(OMS).seat(1, "ann", "100", ante=2).do(DEALER, commands.CloseBetting())
    return live.do(SUPERVISOR, commands.Interrupt("alarm"))


CHECKS = collect_checks()


def is_listed(part: Any, state: TableState, command: Command) -> bool:
    """Whether a part lists a command, apart from a text that its sender fills in."""
    texts = {"breach", "why", "text", "seed", "history", "card_count"}
    if not isinstance(command, commands.VoidHand):  # Its reason is a choice.
        texts.add("reason")

    def plain(listed: Command) -> Json:
        return {key: value for key, value in commands.encode(listed).items() if key not in texts}

    return plain(command) in [plain(candidate.command) for candidate in candidates(part, state)]


def assert_legal_is_accepted(live: Live, part: Any) -> None:
    """`decide` accepts or refuses all that a part lists as its check says."""
    table = Situation(live.state, live.env)
    for command, check in candidates(part, live.state):
        for by in SENDERS:
            refusal = check_allowed(table, by, command) or check(table, by, command)
            answer = decide(live.state, Envelope(by, command), live.env)
            assert refusal == (answer if isinstance(answer, Refusal) else None), (by, command)
    assert table.transfers == []


def play(sheet: Sheet, kind: str, seed: int, steps: int) -> Iterator[tuple[Live, By, Command]]:
    """Random commands at a table, each before it is decided; no notice of rules ends meanwhile."""
    people = People(sheet, kind, Random(seed))
    for _ in range(steps):
        by, command = people.next()
        yield people.live, by, command
        if isinstance(answer := people.live.ask(by, command), Decision):
            people.live.take(answer)


tables = st.tuples(
    st.sampled_from(known_sheets()),
    st.sampled_from(("practice", "house", "house", "typed")),
    st.integers(0, 10**9),
)


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS, ids=PART_NAMES)
@settings(max_examples=examples(3, 30))
@given(table=tables)
def test_all_legal_commands_are_accepted(part: Any, table: tuple[Sheet, str, int]) -> None:
    for live, _, _ in play(*table, steps=25):
        before = canonical(snapshot(live.state))
        assert_legal_is_accepted(live, part)
        assert canonical(snapshot(live.state)) == before


@pytest.mark.long
@settings(max_examples=examples(15, 60))
@given(table=tables)
def test_all_accepted_commands_are_legal(table: tuple[Sheet, str, int]) -> None:
    for live, by, command in play(*table, steps=60):
        answer = decide(live.state, Envelope(by, command), live.env)
        check = check_of(type(command))
        if check is None:
            continue
        now = Situation(live.state, live.env)
        refusal = check_allowed(now, by, command) or check(now, by, command)
        assert refusal == (answer if isinstance(answer, Refusal) else None), command
        has_card = isinstance(command, commands.ExposeCard) and command.card is not None
        if isinstance(answer, Decision) and type(command) not in BY_AMOUNT and not has_card:
            assert any(is_listed(part, live.state, command) for part in PARTS), command


def test_every_offered_kind_is_checked_and_ordered_once() -> None:
    assert CHECKS.keys() == ORDER.keys()
    assert set(ORDER) | set(BY_AMOUNT) <= HANDLERS.keys()


def test_each_command_is_listed_by_one_part() -> None:
    live = interrupted_hand()
    listed = Counter(
        (type(candidate.command), candidate.command)
        for part in PARTS
        for candidate in candidates(part, live.state)
    )
    assert set(listed.values()) == {1}


def test_check_of_several_wagers_counts_the_chips_of_the_first() -> None:
    live = Live(pitbook.load("catfish-bend/matchem-hi-lo"), "house")
    live.seat(1, "ann", "100")
    main = live.state.game.main[0]
    live.do("ann", commands.PutWager(1, main, Cents(6_000)))
    live.do("ann", commands.PutWager(1, main, Cents(0)))
    assert_legal_is_accepted(live, PARTS[0])
