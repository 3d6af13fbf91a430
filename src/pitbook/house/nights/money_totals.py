"""Money of a night: totals from its facts, and checks against ledger balances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pitbook.house.inspect.house_statement import USD, EventMoney, money_by_event
from pitbook.house.ledger.accounts import Account, AccountKind
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.nights.api_types import CheckView
from pitbook.house.nights.facts import Unclaimed
from pitbook.house.nights.state import REHEARSAL, NightState, Slip
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.table.audit import Winnings
from pitbook.house.table.facts import FACTS
from pitbook.house.table.live_tables import read_table
from pitbook.house.table.stored_sheets import game_of
from pitbook.house.table.stream_names import TABLE
from pitbook.money import money
from pitbook.text import Sentence, say
from pitbook.text.user_input import printable


class TableResult(NamedTuple):
    """One table's rounds, its win and its void rounds."""

    table: str
    sheet: str
    rounds: int = 0
    won: int = 0
    void: int = 0
    void_returned: int = 0


class Takings(NamedTuple):
    """One tournament's sales, refunds, payouts and unpaid money."""

    tournament: str
    title: str
    status: str
    entries: int = 0
    taken: int = 0
    fees: int = 0
    refunded: int = 0
    fees_refunded: int = 0
    paid: int = 0  # Prizes, or the refunds of a void tournament.
    fees_returned: int = 0
    unclaimed: int = 0  # Owed at closing and kept by player name since.

    @property
    def charity_share(self) -> int:
        return self.fees - self.fees_refunded - self.fees_returned

    @property
    def owed(self) -> int:
        """Money held for prizes that is not paid yet."""
        return self.taken - self.refunded - self.paid - self.charity_share - self.unclaimed


class NightFigures(NamedTuple):
    """A night's totals in cents."""

    sold: int
    redeemed: int
    over: int  # Redeemed beyond all chips sold.
    floated: int
    float_returned: int
    undone: tuple[Slip, ...]
    expired: int
    tables: tuple[TableResult, ...]
    tournaments: tuple[Takings, ...]
    unclaimed: tuple[Unclaimed, ...] = ()
    claimed: tuple[Slip, ...] = ()  # Unclaimed money paid after closing.

    @property
    def won(self) -> int:
        return sum(table.won for table in self.tables)

    @property
    def outstanding(self) -> int:
        """Chips in players' hands, neither redeemed nor expired."""
        return self.sold - self.redeemed - self.won - self.expired

    @property
    def cash(self) -> int:
        """The cash that the drawer should hold."""
        chips = self.sold - self.redeemed
        tournaments = sum(
            tournament.taken - tournament.refunded - tournament.paid
            for tournament in self.tournaments
        )
        later = sum(slip.amount for slip in self.claimed)
        return self.floated - self.float_returned + chips + tournaments - later

    @property
    def still_unclaimed(self) -> dict[str, int]:
        """Unclaimed money by player, less what was paid since."""
        remaining = {unclaimed.player: 0 for unclaimed in self.unclaimed}
        for unclaimed in self.unclaimed:
            remaining[unclaimed.player] += unclaimed.amount
        for slip in self.claimed:
            remaining[slip.player] = remaining.get(slip.player, 0) - slip.amount
        return remaining

    @property
    def proceeds(self) -> int:
        """What remains for the charity once everything owed is paid."""
        charity_shares = sum(tournament.charity_share for tournament in self.tournaments)
        return self.won + self.expired + charity_shares


def figures(state: NightState, won: Mapping[str, Winnings]) -> NightFigures:
    """A night's totals, from its facts and the results of its tables."""
    valid_slips = [slip for slip in state.slips if slip.undone is None]
    sold, redeemed, floated = (
        _sum_slips(valid_slips, slip_kind) for slip_kind in ("sold", "redeemed", "float")
    )
    return NightFigures(
        sold=sold,
        redeemed=redeemed,
        over=state.sales - (sold - redeemed),
        floated=floated,
        float_returned=state.float_returned,
        undone=tuple(slip for slip in state.slips if slip.undone is not None),
        expired=sum(state.expired.values()),
        tables=tuple(_result(state, name, won[name]) for name in state.tables),
        tournaments=tuple(
            _tournament_takings(state, tournament) for tournament in state.tournaments.values()
        ),
        unclaimed=state.unclaimed,
        claimed=tuple(slip for slip in valid_slips if slip.what == "unclaimed"),
    )


def _sum_slips(slips: Iterable[Slip], slip_kind: str) -> int:
    return sum(slip.amount for slip in slips if slip.what == slip_kind)


def winnings(ledger: Ledger, table: str) -> Winnings:
    """A table's results, read from its stream."""
    stream, won = f"{TABLE}{table}", Winnings()
    for entry in ledger.entries(stream):
        for fact in FACTS.load_entry(entry):
            won = won.after(fact)
    return won.with_open_hands(read_table(ledger, stream)) if won.settling else won


def _result(state: NightState, table: str, won: Winnings) -> TableResult:
    sheet = game_of(state.tables[table].sheet).sheet.id
    return TableResult(table, sheet, won.rounds, won.won, won.void, won.void_returned)


def _tournament_takings(state: NightState, tournament: Tournament) -> Takings:
    """Totals from the facts that were not undone."""
    facts_in_force = [fact for _, fact in tournament.past]
    sold = [fact for fact in facts_in_force if isinstance(fact, facts.Sold)]
    refunds = [fact for fact in facts_in_force if isinstance(fact, facts.Refunded)]
    return Takings(
        tournament=tournament.tournament,
        title=tournament.schedule.title,
        status=tournament.status,
        entries=sum(fact.what == "buy-in" for fact in sold),
        taken=sum(fact.paid for fact in sold),
        fees=sum(fact.fee for fact in sold),
        refunded=sum(fact.paid for fact in refunds),
        fees_refunded=sum(fact.fee for fact in refunds),
        paid=sum(fact.amount for fact in facts_in_force if isinstance(fact, facts.PaidOut)),
        fees_returned=sum(fact.fee for fact in facts_in_force if isinstance(fact, facts.Voided)),
        unclaimed=sum(
            unclaimed.amount
            for unclaimed in state.unclaimed
            if unclaimed.tournament == tournament.tournament
        ),
    )


BalanceByAccount = Mapping[Account, int]


def event_money(
    balances: Mapping[Account, int], event: str, *, rehearsal: bool = False
) -> EventMoney:
    """One event's money by owner; a rehearsal's is play money."""
    return money_by_event(balances, REHEARSAL if rehearsal else USD).get(event, EventMoney())


class BalanceCheck(NamedTuple):
    """One figure according to the facts and according to the balances, in cents."""

    what: Sentence
    facts: int
    balances: int

    @property
    def discrepancy(self) -> int:
        """Balances minus facts."""
        return self.balances - self.facts

    def document(self) -> CheckView:
        """The check as JSON."""
        return {
            "what": self.what,
            "facts": money(self.facts),
            "balances": money(self.balances),
            "off": money(self.discrepancy),
        }

    def message(self) -> Sentence:
        """Both amounts and their difference as a sentence."""
        sides = {"facts": money(self.facts), "balances": money(self.balances)}
        return say("nights.sums.off", what=self.what, off=money(self.discrepancy), **sides)

    def __str__(self) -> str:
        return printable(self.message())


def checks(
    state: NightState, figures: NightFigures, balances: BalanceByAccount
) -> tuple[BalanceCheck, ...]:
    """Compare every figure of a night with its accounts; the proceeds come last."""
    accounts = state.accounts
    usd = {account: cents for account, cents in balances.items() if account.unit == accounts.money}
    chips = {account: cents for account, cents in balances.items() if account.unit == accounts.unit}
    checks = (*_prize_checks(state, figures, usd), *_unclaimed_checks(state, figures, usd))
    charity_balance = event_money(balances, state.event, rehearsal=state.rehearsal).charity
    proceeds_check = BalanceCheck(say("nights.sums.proceeds"), figures.proceeds, charity_balance)
    return (
        *_money_checks(state, figures, usd),
        *_chip_checks(state, figures, chips),
        *checks,
        proceeds_check,
    )


def _money_checks(
    state: NightState, totals: NightFigures, usd: BalanceByAccount
) -> Iterator[BalanceCheck]:
    accounts = state.accounts
    yield BalanceCheck(say("nights.sums.cash"), totals.cash, _balance_of(usd, accounts.cash))
    lent = totals.floated - totals.float_returned
    yield BalanceCheck(say("nights.sums.float-owed"), lent, _balance_of(usd, accounts.float))
    yield BalanceCheck(
        say("nights.sums.held-for-chips"), state.sales, _balance_of(usd, accounts.sales)
    )
    yield BalanceCheck(
        say("nights.sums.paid-beyond"), -totals.over, _balance_of(usd, accounts.losses)
    )


def _chip_checks(
    state: NightState, totals: NightFigures, chips: BalanceByAccount
) -> Iterator[BalanceCheck]:
    accounts = state.accounts
    yield BalanceCheck(
        say("nights.sums.not-yet-back"), state.sales, _balance_of(chips, accounts.issued)
    )
    hands = _sum_kinds(chips, "wallet", "held")
    yield BalanceCheck(say("nights.sums.in-hands"), totals.outstanding, hands)
    tables = _balance_of(chips, accounts.house) + _sum_kinds(chips, "rack") - totals.over
    yield BalanceCheck(say("nights.sums.table-results"), totals.won, tables)
    yield BalanceCheck(
        say("nights.sums.expired"), totals.expired, _balance_of(chips, accounts.expired)
    )


def _unclaimed_checks(
    state: NightState, totals: NightFigures, usd: BalanceByAccount
) -> Iterator[BalanceCheck]:
    """One check for each player with unclaimed money by the facts or by the balances."""
    balances_by_player = dict(_unclaimed_balances(state, usd))
    for player in sorted(totals.still_unclaimed.keys() | balances_by_player.keys()):
        owed_by_facts = totals.still_unclaimed.get(player, 0)
        yield BalanceCheck(
            say("nights.sums.unclaimed-by", player=player),
            owed_by_facts,
            balances_by_player.get(player, 0),
        )


def _unclaimed_balances(state: NightState, usd: BalanceByAccount) -> Iterator[tuple[str, int]]:
    for account, cents in usd.items():
        event, _, player = account.name.partition("/")
        if account.kind == "unclaimed" and event == state.event:
            yield player, cents


def _prize_checks(
    state: NightState, totals: NightFigures, usd: BalanceByAccount
) -> Iterator[BalanceCheck]:
    for tournament in totals.tournaments:
        name = tournament.tournament
        prize_balance = _balance_of(usd, state.accounts.prizes(name))
        yield BalanceCheck(
            say("nights.sums.prize-money", tournament=name), tournament.owed, prize_balance
        )
        charity_balance = _balance_of(usd, state.accounts.charity_share(name))
        yield BalanceCheck(
            say("nights.sums.charitys-part", tournament=name),
            tournament.charity_share,
            charity_balance,
        )


def _balance_of(balances: BalanceByAccount, account: Account) -> int:
    return balances.get(account, 0)


def _sum_kinds(balances: BalanceByAccount, *kinds: AccountKind) -> int:
    return sum(cents for account, cents in balances.items() if account.kind in kinds)
