"""A figure is believed when facts and balances say the same of it; a cent between them is found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pitbook.house.ledger.accounts import Account, AccountKind
from pitbook.house.nights.book.state import NightState
from pitbook.house.nights.chips.figures import NightFigures
from pitbook.house.nights.chips.owners import event_money
from pitbook.house.nights.chips.shapes import CheckShown
from pitbook.money import money
from pitbook.sheets.findings import printable
from pitbook.text import Sentence, say

BalanceByAccount = Mapping[Account, int]


class BothSides(NamedTuple):
    """One figure from both sides, in cents."""

    what: Sentence
    facts: int
    balances: int

    @property
    def off(self) -> int:
        """By how much the balances are more than the facts come to."""
        return self.balances - self.facts

    def document(self) -> CheckShown:
        """The check as JSON."""
        return {
            "what": self.what,
            "facts": money(self.facts),
            "balances": money(self.balances),
            "off": money(self.off),
        }

    def told(self) -> Sentence:
        """Both sides, and what lies between them."""
        sides = {"facts": money(self.facts), "balances": money(self.balances)}
        return say("nights.sums.off", what=self.what, off=money(self.off), **sides)

    def __str__(self) -> str:
        return printable(self.told())


def checks(
    state: NightState, figures: NightFigures, balances: BalanceByAccount
) -> tuple[BothSides, ...]:
    """Every figure of a night from its facts and from its accounts, the proceeds last."""
    till = state.till
    usd = {account: cents for account, cents in balances.items() if account.unit == till.money}
    chips = {account: cents for account, cents in balances.items() if account.unit == till.unit}
    owed = (*_prizes(state, figures, usd), *_unclaimed(state, figures, usd))
    charity_balance = event_money(balances, state.event, rehearsal=state.rehearsal).charity
    proceeds = BothSides(say("nights.sums.proceeds"), figures.proceeds, charity_balance)
    return (*_money(state, figures, usd), *_chips(state, figures, chips), *owed, proceeds)


def _money(state: NightState, found: NightFigures, usd: BalanceByAccount) -> Iterator[BothSides]:
    till = state.till
    yield BothSides(say("nights.sums.cash"), found.cash, _of(usd, till.cash))
    lent = found.floated - found.float_returned
    yield BothSides(say("nights.sums.float-owed"), lent, _of(usd, till.float))
    yield BothSides(say("nights.sums.held-for-chips"), state.sales, _of(usd, till.sales))
    yield BothSides(say("nights.sums.paid-beyond"), -found.over, _of(usd, till.losses))


def _chips(state: NightState, found: NightFigures, chips: BalanceByAccount) -> Iterator[BothSides]:
    till = state.till
    yield BothSides(say("nights.sums.not-yet-back"), state.sales, _of(chips, till.issued))
    hands = _kinds(chips, "wallet", "held")
    yield BothSides(say("nights.sums.in-hands"), found.outstanding, hands)
    tables = _of(chips, till.house) + _kinds(chips, "rack") - found.over
    yield BothSides(say("nights.sums.table-results"), found.won, tables)
    yield BothSides(say("nights.sums.expired"), found.expired, _of(chips, till.expired))


def _unclaimed(
    state: NightState, found: NightFigures, usd: BalanceByAccount
) -> Iterator[BothSides]:
    """By name, whoever it is kept for by the facts or by the balances."""
    held = dict(_kept_by_name(state, usd))
    for player in sorted(found.still_unclaimed.keys() | held.keys()):
        facts = found.still_unclaimed.get(player, 0)
        yield BothSides(say("nights.sums.unclaimed-by", player=player), facts, held.get(player, 0))


def _kept_by_name(state: NightState, usd: BalanceByAccount) -> Iterator[tuple[str, int]]:
    for account, cents in usd.items():
        event, _, player = account.name.partition("/")
        if account.kind == "unclaimed" and event == state.event:
            yield player, cents


def _prizes(state: NightState, found: NightFigures, usd: BalanceByAccount) -> Iterator[BothSides]:
    for one in found.tournaments:
        name = one.tournament
        owed = _of(usd, state.till.prizes(name))
        yield BothSides(say("nights.sums.prize-money", tournament=name), one.owed, owed)
        kept = _of(usd, state.till.kept(name))
        yield BothSides(say("nights.sums.charitys-part", tournament=name), one.kept, kept)


def _of(balances: BalanceByAccount, account: Account) -> int:
    return balances.get(account, 0)


def _kinds(balances: BalanceByAccount, *kinds: AccountKind) -> int:
    return sum(cents for account, cents in balances.items() if account.kind in kinds)
