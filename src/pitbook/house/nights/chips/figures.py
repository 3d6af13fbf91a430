"""What an evening came to, from its facts alone; the book's balances are not asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pitbook.house.ledger.journal import Ledger
from pitbook.house.nights.book.facts import Unclaimed
from pitbook.house.nights.book.state import NightState, Slip
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.table.audit import Winnings
from pitbook.house.table.facts import FACTS
from pitbook.house.table.state import game_of
from pitbook.house.table.streams import TABLE
from pitbook.house.table.tables import read_table


class TableResult(NamedTuple):
    """One table: what it won from the players, and the rounds that did not stand."""

    table: str
    sheet: str
    rounds: int = 0
    won: int = 0
    void: int = 0
    void_returned: int = 0


class Takings(NamedTuple):
    """One tournament: what came in, what went back, what was paid and what is still owed."""

    tournament: str
    title: str
    status: str
    entries: int = 0
    taken: int = 0
    fees: int = 0
    refunded: int = 0
    fees_refunded: int = 0
    paid: int = 0  # Prizes; of a void tournament what it gave back.
    fees_returned: int = 0
    unclaimed: int = 0  # Owed when the night closed, and kept by name since.

    @property
    def kept(self) -> int:
        """The charity's part."""
        return self.fees - self.fees_refunded - self.fees_returned

    @property
    def owed(self) -> int:
        """What lies there for prizes and is not paid yet."""
        return self.taken - self.refunded - self.paid - self.kept - self.unclaimed


class NightFigures(NamedTuple):
    """An evening in cents."""

    sold: int
    redeemed: int
    over: int  # Redeemed beyond all chips that were sold.
    floated: int
    float_returned: int
    undone: tuple[Slip, ...]
    expired: int
    tables: tuple[TableResult, ...]
    tournaments: tuple[Takings, ...]
    unclaimed: tuple[Unclaimed, ...] = ()
    claimed: tuple[Slip, ...] = ()  # What was paid of it after closing.

    @property
    def won(self) -> int:
        """What all tables won together."""
        return sum(one.won for one in self.tables)

    @property
    def outstanding(self) -> int:
        """Chips in players' hands, neither redeemed nor expired."""
        return self.sold - self.redeemed - self.won - self.expired

    @property
    def cash(self) -> int:
        """What the drawer should hold."""
        chips = self.sold - self.redeemed
        tournaments = sum(one.taken - one.refunded - one.paid for one in self.tournaments)
        later = sum(slip.amount for slip in self.claimed)
        return self.floated - self.float_returned + chips + tournaments - later

    @property
    def still_unclaimed(self) -> dict[str, int]:
        """What is kept for whom; a player who was paid has nothing more to come for."""
        kept = {one.player: 0 for one in self.unclaimed}
        for one in self.unclaimed:
            kept[one.player] += one.amount
        for slip in self.claimed:
            kept[slip.player] = kept.get(slip.player, 0) - slip.amount
        return kept

    @property
    def proceeds(self) -> int:
        """What is left for the charity when all that is owed has been paid."""
        kept = sum(one.kept for one in self.tournaments)
        return self.won + self.expired + kept


def figures(state: NightState, won: Mapping[str, Winnings]) -> NightFigures:
    """The figures of a night from its facts, and from what each of its tables has won."""
    stand = [slip for slip in state.slips if slip.undone is None]
    sold, redeemed, floated = (_sum(stand, what) for what in ("sold", "redeemed", "float"))
    return NightFigures(
        sold=sold,
        redeemed=redeemed,
        over=state.sales - (sold - redeemed),
        floated=floated,
        float_returned=state.float_returned,
        undone=tuple(slip for slip in state.slips if slip.undone is not None),
        expired=sum(state.expired.values()),
        tables=tuple(_result(state, name, won[name]) for name in state.tables),
        tournaments=tuple(_takings(state, one) for one in state.tournaments.values()),
        unclaimed=state.unclaimed,
        claimed=tuple(slip for slip in stand if slip.what == "unclaimed"),
    )


def _sum(slips: Iterable[Slip], what: str) -> int:
    return sum(slip.amount for slip in slips if slip.what == what)


def winnings(ledger: Ledger, table: str) -> Winnings:
    """What a table has won, read from its stream."""
    stream, won = f"{TABLE}{table}", Winnings()
    for entry in ledger.entries(stream):
        for fact in FACTS.told(entry):
            won = won.after(fact)
    return won.with_open_hands(read_table(ledger, stream)) if won.settling else won


def _result(state: NightState, table: str, won: Winnings) -> TableResult:
    sheet = game_of(state.tables[table].sheet).sheet.id
    return TableResult(table, sheet, won.rounds, won.won, won.void, won.void_returned)


def _takings(state: NightState, one: Tournament) -> Takings:
    """From the facts that stand; what was undone is gone from them."""
    stand = [fact for _, fact in one.past]
    sold = [fact for fact in stand if isinstance(fact, facts.Sold)]
    refunds = [fact for fact in stand if isinstance(fact, facts.Refunded)]
    return Takings(
        tournament=one.tournament,
        title=one.schedule.title,
        status=one.status,
        entries=sum(fact.what == "buy-in" for fact in sold),
        taken=sum(fact.paid for fact in sold),
        fees=sum(fact.fee for fact in sold),
        refunded=sum(fact.paid for fact in refunds),
        fees_refunded=sum(fact.fee for fact in refunds),
        paid=sum(fact.amount for fact in stand if isinstance(fact, facts.PaidOut)),
        fees_returned=sum(fact.fee for fact in stand if isinstance(fact, facts.Voided)),
        unclaimed=sum(kept.amount for kept in state.unclaimed if kept.tournament == one.tournament),
    )
