"""A tournament harness: commands in, state and balances out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from pitbook.house.ledger.accounts import MAY_OWE, Account, balance_changes
from pitbook.house.nights.decision_types import Decision, TournamentContext
from pitbook.house.nights.house_rules import load
from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.commands import Command
from pitbook.house.nights.tournament.decide import TournamentAccounts, decide
from pitbook.house.nights.tournament.facts import Fact
from pitbook.house.nights.tournament.schedule import Schedule, TournamentRules
from pitbook.house.nights.tournament.state import Tournament, apply
from pitbook.money import Cents, dollars, money
from pitbook.rules.refusals import Refusal

EVENT, T = "gala", "gala.t1"
NOON = datetime(2026, 11, 14, 12, tzinfo=UTC)

RULES = load("oceanfront").tournaments  # As they are shipped.


def schedule(**changed: Any) -> Schedule:
    """A $50 buy-in with a $10 fee, re-buys, an add-on, two levels and a break."""
    fields: dict[str, Any] = {
        "title": "Saturday stud",
        "kind": "hourly",
        "sheet": "oceanfront/mississippi-stud",
        "buy_in": {"costs": "50", "fee": "10", "chips": "1000"},
        "re_buy": {"costs": "40", "chips": "1000", "player_max": 9, "until_level": 1},
        "add_on": {"costs": "20", "fee": "5", "chips": "500", "until_level": 2},
        "seats": 6,
        "levels": [
            {"minutes": 20, "limits": {"ante": {"min": "25", "max": "100"}}, "break_after": 5},
            {"minutes": 20, "limits": {"ante": {"min": "50", "max": "200"}}},
        ],
        "prizes": [
            {"entrants": 2, "shares": [100]},
            {"entrants": 4, "shares": [50, 30, 20]},
        ],
    }
    return Schedule.model_validate(fields | changed)


class Evening:
    """A tournament played by commands whose transfers are booked and checked."""

    def __init__(
        self,
        *,
        large_used: str | None = None,
        draw: Callable[[int], int] = lambda _: 0,
        rules: TournamentRules = RULES,
    ) -> None:
        self.state: Tournament | None = None
        self.now, self.large_used, self.draw, self.rules = NOON, large_used, draw, rules
        self.balances: dict[Account, int] = {}
        self.facts: list[Fact] = []

    @property
    def t(self) -> Tournament:
        """The current tournament."""
        assert self.state is not None
        return self.state

    def ask(self, command: Command) -> Decision | Refusal:
        """The result of a command, without applying it."""
        return decide(self.state, command, self.floor())

    def ask_with(self, command: Command, **rules: Any) -> Decision | Refusal:
        """The result of a command under other house rules, without applying it."""
        return decide(self.state, command, self.floor(self.rules.model_copy(update=rules)))

    def floor(self, rules: TournamentRules | None = None) -> TournamentContext:
        """The tournament context at the current time."""
        rules = rules or self.rules
        return TournamentContext(
            EVENT, rules, self.now, self.draw, self.spent, self.large_used, "bea"
        )

    def spent(self, _: str, player: str) -> Cents:
        """The player's spending in this tournament."""
        players = self.state.players if self.state else {}
        return players[player].spent if player in players else Cents(0)

    def do(self, *commands: Command) -> Self:
        """Give commands that must be accepted."""
        for command in commands:
            decision = self.ask(command)
            assert isinstance(decision, Decision), f"{command}: {decision}"
            self.take(decision)
        return self

    def no(self, command: Command) -> Refusal:
        """Give a command that must be refused."""
        refusal = self.ask(command)
        assert isinstance(refusal, Refusal), refusal
        return refusal

    def take(self, decision: Decision) -> None:
        """Apply facts and transfers, the facts through JSON as in the ledger."""
        for transfer in decision.transfers:
            for account, change in balance_changes(transfer):
                self.balances[account] = self.balances.get(account, 0) + change
                balance = self.balances[account]
                assert balance >= 0 or account.kind in MAY_OWE, f"{account} would have {balance}"
        for fact in decision.facts:
            self.facts.append(fact)
            self.state = apply(self.state, facts.load(json.loads(json.dumps(facts.dump(fact)))))

    def wait(self, minutes: float) -> Self:
        self.now += timedelta(minutes=minutes)
        return self

    def has(self, account: Account) -> str:
        """A balance in dollars."""
        return money(self.balances.get(account, 0))

    @property
    def prizes(self) -> str:
        """The balance of the prize account."""
        return self.has(TournamentAccounts(T).prizes)

    @property
    def cash(self) -> str:
        """The drawer's balance."""
        return self.has(TournamentAccounts(T).cash)

    @property
    def charity_balance(self) -> str:
        """The charity's balance."""
        return self.has(TournamentAccounts(T).fees)

    def amounts_owed(self) -> dict[str, str]:
        """Unpaid amounts by player."""
        return {name: money(player.owed) for name, player in self.t.players.items() if player.owed}

    @property
    def is_paid(self) -> bool:
        """Whether the tournament is over and everything is paid."""
        return self.t.status in ("finished", "void", "withdrawn") and not self.amounts_owed()

    def pay(self) -> Self:
        return self.do(*(do.PayOut(T, player) for player in self.amounts_owed()))


def enter_players(*players: str, large_used: str | None = None, **changed: Any) -> Evening:
    """A tournament with entries and no seats."""
    evening = Evening(large_used=large_used).do(do.SetUp(T, schedule(**changed)))
    return evening.do(*(do.Enter(T, player) for player in players))


def seat_players(*players: str, **changed: Any) -> Evening:
    """An announced tournament with seats drawn."""
    return enter_players(*players, **changed).do(do.Announce(T), do.DrawSeats(T))


def start_play(*players: str, **changed: Any) -> Evening:
    """A tournament after its first card with a running clock."""
    evening = seat_players(*players, **changed).do(do.Start(T), do.StartClock(T))
    return evening.do(do.BeginRound(T, 1), do.CountChips(T, 1))


def counts(**chips: str) -> tuple[tuple[str, Cents], ...]:
    """Chip counts by player."""
    return tuple((player, dollars(amount)) for player, amount in chips.items())


def out(evening: Evening, *players: str) -> Evening:
    """Eliminate players one after the other, with no chips."""
    for player in players:
        table = evening.t.players[player].table
        assert table is not None
        evening.do(do.CountChips(T, table, counts(**{player: "0"})), do.Eliminate(T, (player,)))
    return evening


def total(awards: Iterable[tuple[str, Cents]]) -> str:
    return money(sum(amount for _, amount in awards))
