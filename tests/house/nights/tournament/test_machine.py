"""Random tournaments: money, chips and places always add up."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.house.nights.tournament.step_lines import RULES, Evening, T, schedule
from tests.lanes import examples

from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.commands import Command
from pitbook.house.nights.tournament.decide import TournamentAccounts
from pitbook.house.nights.tournament.prizes import finishing_places
from pitbook.house.nights.tournament.state import TicketState, Tournament, apply, replay
from pitbook.house.nights.tournament.tickets import ENDED_STATUSES, is_final
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal

PLAYERS = ("ann", "bob", "cal", "dee", "eli", "fay", "gus", "hal")
players = st.sampled_from(PLAYERS)
numbers = st.integers(0, 11)
SIMPLE = (do.Announce, do.DrawSeats, do.Start, do.StartClock, do.PauseClock, do.ResumeClock)
LATER = (
    do.NextLevel,
    do.PreviousLevel,
    do.Balance,
    do.PostPrizes,
    do.Finish,
    do.SettleInterruption,
)


def pick(among: Iterable[Any], nth: int) -> Any:
    """One of the choices, or an unknown table or player if there are none."""
    choices = list(among) or [99]
    return choices[nth % len(choices)]


class TournamentMachine(RuleBasedStateMachine):
    """One tournament with random commands."""

    def __init__(self) -> None:
        super().__init__()
        self.evening = Evening()
        self.before: dict[int, Tournament | None] = {}  # By the sequence number of the next fact.

    def ask(self, command: Command) -> bool:
        """Give a command; a refusal changes nothing."""
        evening = self.evening
        answer = evening.ask(command)
        if isinstance(answer, Refusal):
            assert answer.message
            return False
        state = evening.state
        for fact in answer.facts:  # Each is a step that can be undone by itself.
            self.before[state.version + 1 if state else 1] = state
            state = apply(state, fact)
        evening.take(answer)
        return True

    @initialize(
        kind=st.sampled_from(["hourly", "multi-table"]),
        ends=st.sampled_from(["clock", "one-left"]),
        fee=st.sampled_from([None, "10", "0.01", "33.33"]),
        seats=st.integers(2, 4),
        seed=st.integers(0, 2**32),
    )
    def set_up(self, kind: str, ends: str, fee: str | None, seats: int, seed: int) -> None:
        self.luck = random.Random(seed)
        self.evening.draw = self.luck.randrange
        fields: dict[str, Any] = {
            "kind": kind,
            "ends": ends,
            "seats": seats,
            "buy_in": {"costs": "33.34", "chips": "1000"} | ({"fee": fee} if fee else {}),
            "enter_until_level": 1,
            "prizes": [
                {"entrants": 1, "shares": [100]},
                {"entrants": 3, "shares": [55, 34, 11]},
            ],
        }
        self.ask(do.SetUp(T, schedule(**fields)))
        for player in PLAYERS[: self.luck.randrange(len(PLAYERS) + 1)]:
            self.ask(do.Enter(T, player))
        if self.luck.random() < 0.8:
            for command in (do.Announce(T), do.DrawSeats(T), do.Start(T), do.StartClock(T)):
                self.ask(command)

    @rule(kind=st.sampled_from(SIMPLE + LATER))
    def simple(self, kind: Any) -> None:
        self.ask(kind(T))

    @rule(kind=st.sampled_from([do.Enter, do.ReBuy, do.AddOn, do.Refund]), player=players)
    def cage(self, kind: Any, player: str) -> None:
        self.ask(kind(T, player))

    @rule(kind=st.sampled_from([do.BeginRound, do.BreakTable]), nth=numbers)
    def at_table(self, kind: Any, nth: int) -> None:
        self.ask(kind(T, pick(self.evening.t.tables, nth)))

    @rule(nth=numbers, chips=st.lists(st.sampled_from([0, 1, 50_000, 100_000]), max_size=4))
    def count(self, nth: int, chips: list[int]) -> None:
        table = pick(self.evening.t.in_hand or self.evening.t.tables, nth)
        players_at_table = self.evening.t.tables.get(table, [])
        chip_counts = zip(players_at_table, map(Cents, chips), strict=False)
        self.ask(do.CountChips(T, table, tuple(chip_counts)))

    @rule(nth=numbers, together=st.integers(1, 2))
    def eliminate(self, nth: int, together: int) -> None:
        leaving = self.evening.t.still_in[nth % 8 :][:together]
        self.ask(do.Eliminate(T, tuple(leaving)))

    @rule(nth=numbers)
    def pay(self, nth: int) -> None:
        self.ask(
            do.PayOut(T, str(pick(self.evening.amounts_owed() or self.evening.t.players, nth)))
        )

    @rule(nth=numbers, readable=st.booleans(), agree=st.booleans())
    def rule_hand(self, nth: int, readable: bool, agree: bool) -> None:
        table = pick(self.evening.t.in_hand, nth)
        players_at_table = tuple(self.evening.t.tables.get(table, ()))
        self.ask(
            do.RuleHand(T, table, readable, players_at_table if agree else players_at_table[1:])
        )

    @rule(kind=st.sampled_from([do.RotateTicket, do.RevokeTicket, None]), player=players)
    def ticket(self, kind: Any, player: str) -> None:
        ticket = self.evening.t.ticket(player)
        command = kind(T, player) if kind else do.OpenTicket(T, player, ticket.edition, "a browser")
        if self.ask(command):  # A used ticket stays with the entry even if the paper is lost.
            assert self.evening.t.ticket(player).taken == (ticket.taken or kind is None)

    @rule(minutes=st.sampled_from([0.5, 10, 25]))
    def wait(self, minutes: float) -> None:
        self.evening.wait(minutes)

    @precondition(lambda self: self.evening.t.version > 14)
    @rule()
    def interrupt(self) -> None:
        self.ask(do.Interrupt(T, "power failure"))

    @precondition(lambda self: self.evening.t.version > 12 and self.evening.t.past)
    @rule()
    def undo(self) -> None:
        number, last = self.evening.t.past[-1]
        before_undo = self.evening.t
        if self.ask(do.Undo(T, number)):
            assert not is_final(before_undo)
            earlier = self.before[number]
            if earlier is not None:
                recalled = earlier.status == "interrupted"
                # Tickets are not undone; those of removed entries are void.
                voided_tickets = {
                    name: TicketState(before_undo.version + 1)
                    for name in before_undo.players.keys() - earlier.players
                }
                assert self.evening.t == earlier._replace(
                    version=before_undo.version + 1,
                    dealt=before_undo.dealt,
                    undo_pending=recalled,
                    tickets={**before_undo.tickets, **voided_tickets},
                )
            # OMS-13: nothing that was paid before the last card goes back by an undo.
            assert not isinstance(last, facts.Sold | facts.Started) or number > before_undo.dealt
        elif isinstance(last, facts.Sold | facts.Started):
            assert number < before_undo.dealt
        else:
            assert isinstance(last, facts.Refunded | facts.PaidOut)
            assert is_final(before_undo) == (before_undo.status in ENDED_STATUSES)

    @invariant()
    def money_is_all_there(self) -> None:
        if self.evening.state is None:
            return
        state, accounts, has = self.evening.t, TournamentAccounts(T), self.evening.balances
        players = state.players.values()
        spent, paid = (
            sum(player.spent for player in players),
            sum(player.paid for player in players),
        )
        assert has.get(accounts.cash, 0) == spent - paid
        void = state.status == "void"
        assert has.get(accounts.fees, 0) == (0 if void else state.fees)
        assert has.get(accounts.prizes, 0) == state.prize_money + (state.fees if void else 0) - paid
        assert all(player.spent <= RULES.spending.player_max for player in players)

    @invariant()
    def what_is_due_is_covered(self) -> None:
        if self.evening.state is None:
            return
        state = self.evening.t
        due = sum(player.due for player in state.players.values())
        assert due <= state.prize_money or state.status == "void"
        assert all(player.owed >= 0 for player in state.players.values())
        if state.status == "finished":
            assert due == state.prize_money
        if state.status == "void":
            assert due == sum(player.spent for player in state.players.values())

    @invariant()
    def chips_are_all_there(self) -> None:
        if self.evening.state is None:
            return
        state, accounts, has = self.evening.t, TournamentAccounts(T), self.evening.balances
        for name in PLAYERS:
            chips = state.players[name].chips if name in state.players else 0
            assert has.get(accounts.wallet(name), 0) == chips
        over = state.status in ("finished", "void", "withdrawn")
        chips_issued = 0 if over else sum(player.chips_bought for player in state.players.values())
        assert has.get(accounts.issued, 0) == chips_issued
        assert not over or has.get(accounts.table, 0) == 0

    @invariant()
    def places_add_up(self) -> None:
        if self.evening.state is None:
            return
        state = self.evening.t
        eliminated = [player for group in state.out for player in group]
        assert len(eliminated) == len(set(eliminated))
        assert set(eliminated) <= set(state.players)
        filled = [
            place + nth
            for group, place in finishing_places(state).items()
            for nth in range(len(group))
        ]
        entrants = len(state.players)
        assert sorted(filled) == list(range(entrants - len(eliminated) + 1, entrants + 1))
        if state.status == "finished":
            assert len(eliminated) == entrants
        sitting = [(player.table, player.seat) for player in state.players.values() if player.table]
        assert len(sitting) == len(set(sitting))

    def the_facts_are_all_there_is(self) -> None:
        documents = json.loads(json.dumps([facts.dump(fact) for fact in self.evening.facts]))
        assert [facts.load(document) for document in documents] == self.evening.facts
        assert replay(facts.load(document) for document in documents) == self.evening.state

    def teardown(self) -> None:
        """From any state the floor can end the tournament and pay everybody."""
        self.the_facts_are_all_there_is()
        if self.evening.state is None or self.evening.t.status == "withdrawn":
            return
        if self.evening.t.status in ("open", "playing"):
            self.evening.do(do.Interrupt(T, "closing time"))
        for table in self.evening.t.in_hand:
            if table in self.evening.t.to_complete:
                self.evening.do(do.CountChips(T, table, ()))
            else:
                self.evening.do(do.RuleHand(T, table, readable=False))
        if self.evening.t.status == "interrupted":
            self.evening.do(do.SettleInterruption(T))
        self.evening.pay()
        assert self.evening.is_paid
        assert self.evening.prizes == "0.00"
        self.money_is_all_there()
        self.chips_are_all_there()


TournamentMachine.TestCase.settings = settings(
    max_examples=examples(40, 100), stateful_step_count=50, deadline=None
)
test_random_evenings = pytest.mark.long(TournamentMachine.TestCase)


@pytest.mark.slow
def test_random_tournaments_hold_their_invariants() -> None:
    long_run = settings(max_examples=1_500, stateful_step_count=80, deadline=None)
    run_state_machine_as_test(TournamentMachine, settings=long_run)
