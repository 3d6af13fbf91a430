"""An evening on one line a step: commands in, the tournament and every balance out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from pitbook.house.ledger.accounts import MAY_OWE, Account, changes
from pitbook.house.nights.context import Floor
from pitbook.house.nights.facts import Decided
from pitbook.house.nights.house_rules import load
from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.commands import Command
from pitbook.house.nights.tournament.decide import TournamentTill, decide
from pitbook.house.nights.tournament.facts import Fact
from pitbook.house.nights.tournament.schedule import Schedule, TournamentRules
from pitbook.house.nights.tournament.state import Tournament, evolve
from pitbook.money import Cents, dollars, money
from pitbook.rules.refusals import Refusal

EVENT, T = "gala", "gala.t1"
NOON = datetime(2026, 11, 14, 12, tzinfo=UTC)

RULES = load("oceanfront").tournaments  # As they are shipped.


def schedule(**changed: Any) -> Schedule:
    """$50 of which $10 is the charity's; re-buys, an add-on, two levels and a break."""
    given: dict[str, Any] = {
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
    return Schedule.model_validate(given | changed)


class Evening:
    """A tournament that is played by commands; what they move is booked and checked."""

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
        """The tournament as it stands."""
        assert self.state is not None
        return self.state

    def ask(self, command: Command) -> Decided | Refusal:
        """What a command comes to; nothing is done."""
        return decide(self.state, command, self.floor())

    def ask_with(self, command: Command, **rules: Any) -> Decided | Refusal:
        """What a command comes to under other house rules."""
        return decide(self.state, command, self.floor(self.rules.model_copy(update=rules)))

    def floor(self, rules: TournamentRules | None = None) -> Floor:
        """The floor as it is now."""
        rules = rules or self.rules
        return Floor(EVENT, rules, self.now, self.draw, self.spent, self.large_used, "bea")

    def spent(self, _: str, player: str) -> Cents:
        """What the tournament itself knows."""
        known = self.state.players if self.state else {}
        return known[player].spent if player in known else Cents(0)

    def do(self, *many: Command) -> Self:
        """Commands that are taken."""
        for command in many:
            decided = self.ask(command)
            assert isinstance(decided, Decided), f"{command}: {decided}"
            self.take(decided)
        return self

    def no(self, command: Command) -> Refusal:
        """A command that is refused."""
        refused = self.ask(command)
        assert isinstance(refused, Refusal), refused
        return refused

    def take(self, decided: Decided) -> None:
        """Write facts and transfers, the facts by way of JSON as the ledger would."""
        for transfer in decided.transfers:
            for account, change in changes(transfer):
                self.balances[account] = self.balances.get(account, 0) + change
                held = self.balances[account]
                assert held >= 0 or account.kind in MAY_OWE, f"{account} would have {held}"
        for fact in decided.facts:
            self.facts.append(fact)
            self.state = evolve(self.state, facts.load(json.loads(json.dumps(facts.dump(fact)))))

    def wait(self, minutes: float) -> Self:
        """Let time pass."""
        self.now += timedelta(minutes=minutes)
        return self

    def has(self, account: Account) -> str:
        """A balance in dollars."""
        return money(self.balances.get(account, 0))

    @property
    def prizes(self) -> str:
        """What is in the account for prizes."""
        return self.has(TournamentTill(T).prizes)

    @property
    def cash(self) -> str:
        """What is in the drawer."""
        return self.has(TournamentTill(T).cash)

    @property
    def kept(self) -> str:
        """What the charity keeps."""
        return self.has(TournamentTill(T).fees)

    def owed(self) -> dict[str, str]:
        """What each player is still to be paid."""
        return {name: money(one.owed) for name, one in self.t.players.items() if one.owed}

    @property
    def is_paid(self) -> bool:
        """Whether it is over and nobody is owed anything."""
        return self.t.status in ("finished", "void", "withdrawn") and not self.owed()

    def pay(self) -> Self:
        """Pay everybody who is owed anything."""
        return self.do(*(do.PayOut(T, player) for player in self.owed()))


def entered(*players: str, large_used: str | None = None, **changed: Any) -> Evening:
    """A tournament with some players in it and nobody seated."""
    evening = Evening(large_used=large_used).do(do.SetUp(T, schedule(**changed)))
    return evening.do(*(do.Enter(T, player) for player in players))


def seated(*players: str, **changed: Any) -> Evening:
    """A tournament that has been announced and whose players sit."""
    return entered(*players, **changed).do(do.Announce(T), do.DrawSeats(T))


def started(*players: str, **changed: Any) -> Evening:
    """A tournament whose first card is dealt and whose clock runs."""
    evening = seated(*players, **changed).do(do.Start(T), do.StartClock(T))
    return evening.do(do.BeginRound(T, 1), do.CountChips(T, 1))


def counts(**chips: str) -> tuple[tuple[str, Cents], ...]:
    """A count as it is called out."""
    return tuple((player, dollars(amount)) for player, amount in chips.items())


def out(evening: Evening, *players: str) -> Evening:
    """Each of the players loses all chips and goes out, one after the other."""
    for player in players:
        table = evening.t.players[player].table
        assert table is not None
        evening.do(do.CountChips(T, table, counts(**{player: "0"})), do.Eliminate(T, (player,)))
    return evening


def total(awards: Iterable[tuple[str, Cents]]) -> str:
    """The sum of some awards."""
    return money(sum(amount for _, amount in awards))
