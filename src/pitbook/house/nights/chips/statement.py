"""The closing statement: where every cent of an evening came from and went, for the charity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, cast

from pitbook.house.ledger.journal import Stream
from pitbook.house.nights.book.facts import Unclaimed
from pitbook.house.nights.book.night import Night
from pitbook.house.nights.book.state import NightState
from pitbook.house.nights.book.transfers import numbered
from pitbook.house.nights.chips.figures import (
    NightFigures,
    TableResult,
    Takings,
    figures,
    winnings,
)
from pitbook.house.nights.chips.reconciled import BothSides, checks
from pitbook.house.nights.chips.shapes import (
    NoticeShown,
    StatementShown,
    TableResultShown,
    TakingsShown,
    UnclaimedShown,
)
from pitbook.house.nights.rules.house_rules import HouseRules
from pitbook.house.table.streams import TABLE
from pitbook.money import money
from pitbook.text import say

FORMAT = 1


class StatementLine(NamedTuple):
    """One line of the statement; a heading has no amount."""

    title: str
    amount: int | None = None
    clause: str = ""
    total: bool = False
    within: bool = False  # Part of the line above.


@dataclass(frozen=True)
class Statement:
    """A night's statement at one moment; it is the closing one once the night is closed."""

    state: NightState
    found: NightFigures
    checks: tuple[BothSides, ...]
    generated_at: str

    @property
    def rules(self) -> HouseRules:
        """The rules of the night's house."""
        return self.state.rules

    @property
    def is_final(self) -> bool:
        """Whether the night is closed."""
        return self.state.phase == "closed"

    @property
    def findings(self) -> tuple[BothSides, ...]:
        """What does not agree to the cent; none: the statement reconciles."""
        return tuple(check for check in self.checks if check.off)

    def lines(self) -> Iterator[StatementLine]:
        """The statement, line by line, as paper and screen show it."""
        found = self.found
        yield StatementLine(say("nights.statement.chips"))
        yield StatementLine(say("nights.statement.issued"), found.sold)
        face = self.rules.chips.redeemed_at.clause
        yield StatementLine(say("nights.statement.redeemed"), -found.redeemed, face)
        if not self.is_final or found.outstanding:
            yield StatementLine(say("nights.statement.in-hands"), -found.outstanding)
        expire = self.rules.chips.unredeemed.clause
        yield StatementLine(say("nights.statement.expired"), found.expired, expire)
        yield StatementLine(say("nights.statement.chance"))
        for table in found.tables:
            rounds = {"table": table.table, "rounds": table.rounds}
            yield StatementLine(say("nights.statement.table", **rounds), table.won)
        yield StatementLine(say("nights.statement.table-results"), found.won, total=True)
        yield from self._tournaments()
        yield from self._voids()
        yield from self._unclaimed()
        yield StatementLine(say("nights.statement.drawer"))
        yield from self.drawer()

    def drawer(self) -> Iterator[StatementLine]:
        """Lines from the drawer's cash to the charity's proceeds. Each total is the sum so far."""
        figures = self.found
        paid = sum(tournament.refunded + tournament.paid for tournament in figures.tournaments)
        claimed_later = sum(slip.amount for slip in figures.claimed)
        still_owed = sum(tournament.owed for tournament in figures.tournaments)
        unclaimed = sum(figures.still_unclaimed.values())
        yield StatementLine(say("nights.statement.float-brought"), figures.floated)
        yield StatementLine(say("nights.statement.issued"), figures.sold)
        yield StatementLine(say("nights.statement.redeemed"), -figures.redeemed)
        if figures.tournaments:
            takings = sum(tournament.taken for tournament in figures.tournaments)
            yield StatementLine(say("nights.statement.drawer-takings"), takings)
            yield StatementLine(say("nights.statement.drawer-paid"), -paid)
        if claimed_later:
            yield StatementLine(say("nights.statement.drawer-claimed"), -claimed_later)
        yield StatementLine(say("nights.statement.float-returned"), -figures.float_returned)
        yield StatementLine(say("nights.statement.cash"), figures.cash, total=True)
        owed = (
            (say("nights.statement.less-float"), figures.floated - figures.float_returned),
            (say("nights.statement.less-chips"), figures.outstanding),
            (say("nights.statement.less-prizes"), still_owed),
            (say("nights.statement.less-unclaimed"), unclaimed),
        )
        yield from (StatementLine(title, -amount) for title, amount in owed if amount)
        title = say("nights.statement.proceeds", charity=self.state.charity)
        yield StatementLine(title, figures.proceeds, self.rules.proceeds.clause, total=True)

    def _tournaments(self) -> Iterator[StatementLine]:
        yield StatementLine(say("nights.statement.tournaments"))
        for one in self.found.tournaments:
            named = {"title": one.title, "tournament": one.tournament}
            status = say("nights.status", status=one.status)
            yield StatementLine(say("nights.statement.takings", status=status, **named), one.taken)
            back = self.rules.tournaments.refunds.clause
            yield StatementLine(say("nights.statement.refunds"), -one.refunded, back, within=True)
            void = one.status == "void"
            yield StatementLine(say("nights.statement.paid-out", void=void), -one.paid, within=True)
            if one.unclaimed:
                yield StatementLine(say("nights.statement.unclaimed"), -one.unclaimed, within=True)
            if one.owed:
                yield StatementLine(say("nights.statement.still-owed"), -one.owed, within=True)
        kept = sum(one.kept for one in self.found.tournaments)
        yield StatementLine(say("nights.statement.tournament-results"), kept, total=True)

    def _unclaimed(self) -> Iterator[StatementLine]:
        """What nobody came for before the night closed, and who has come since."""
        found = self.found
        if not found.unclaimed:
            return
        yield StatementLine(say("nights.statement.owed-by-name"))
        for one in found.unclaimed:
            owed = {"player": one.player, "what": self._kind(one), "tournament": one.tournament}
            yield StatementLine(say("nights.statement.owed-to", **owed), one.amount)
        for slip in found.claimed:
            receipt = numbered(self.state.event, slip.number)
            paid = {"player": slip.player, "receipt": receipt}
            yield StatementLine(say("nights.statement.paid-to", **paid), -slip.amount)
        still = sum(found.still_unclaimed.values())
        yield StatementLine(say("nights.statement.still-unclaimed"), still, total=True)

    def _kind(self, one: Unclaimed) -> Literal["return", "prize"]:
        void = self.state.tournaments[one.tournament].status == "void"
        return "return" if void else "prize"

    def _unclaimed_document(self) -> list[UnclaimedShown]:
        receipts = {slip.player: slip for slip in self.found.claimed}
        told: list[UnclaimedShown] = []
        for one in self.found.unclaimed:
            slip = receipts.get(one.player)
            paid = numbered(self.state.event, slip.number) if slip else None
            told.append(
                {
                    "tournament": one.tournament,
                    "player": one.player,
                    "amount": money(one.amount),
                    "what": self._kind(one),
                    "receipt": paid,
                }
            )
        return told

    def _voids(self) -> Iterator[StatementLine]:
        """What was done and taken back; none of it counts in the sums."""
        found = self.found
        yield StatementLine(say("nights.statement.refunds-and-voids"))
        refunds = sum(one.refunded for one in found.tournaments)
        yield StatementLine(say("nights.statement.tournament-refunds"), refunds)
        void = [one.paid for one in found.tournaments if one.status == "void"]
        yield StatementLine(say("nights.statement.void-tournaments", count=len(void)), sum(void))
        rounds = sum(one.void for one in found.tables)
        returned = sum(one.void_returned for one in found.tables)
        yield StatementLine(say("nights.statement.wagers-returned", rounds=rounds), returned)
        slips = sum(slip.amount for slip in found.undone)
        yield StatementLine(say("nights.statement.slips-undone", count=len(found.undone)), slips)

    @property
    def _notice(self) -> dict[str, Any]:
        return self.rules.notice.model_dump(mode="json", exclude_none=True)

    def document(self) -> StatementShown:
        """The statement as JSON."""
        state, found = self.state, self.found
        return {
            "format": FORMAT,
            "event": state.event,
            "charity": state.charity,
            "licence": state.licence,
            "gaming_date": state.gaming_date,
            "zone": state.zone,
            "rehearsal": state.rehearsal,
            "house": {"name": self.rules.house.name, "rules": state.house["hash"]},
            "phase": state.phase,
            "opened_at": state.opened_at or None,
            "closed_at": state.closed_at or None,
            "generated_at": self.generated_at,
            "chips": {
                "issued": money(found.sold),
                "redeemed": money(found.redeemed),
                "outstanding": money(found.outstanding),
                "expired": money(found.expired),
            },
            "tables": [_table_document(one) for one in found.tables],
            "table_results": money(found.won),
            "tournaments": [_takings_document(one) for one in found.tournaments],
            "tournament_results": money(sum(one.kept for one in found.tournaments)),
            "unclaimed": self._unclaimed_document(),
            "still_unclaimed": money(sum(found.still_unclaimed.values())),
            "slips_undone": [
                {"slip": one.number, "amount": money(one.amount), "why": one.undone}
                for one in found.undone
            ],
            "float": {
                "brought": money(found.floated),
                "returned": money(found.float_returned),
            },
            "drawer": [
                {"title": line.title, "amount": money(line.amount or 0), "total": line.total}
                for line in self.drawer()
            ],
            "cash": money(found.cash),
            "proceeds": money(found.proceeds),
            "reconciles": not self.findings,
            "checks": [one.document() for one in self.checks],
            "findings": [one.document() for one in self.findings],
            "notice": cast(NoticeShown, self._notice),
        }


def statement(night: Night, *, at: str) -> Statement:
    """The statement of a night as the book has it now, read while nothing moved."""
    while True:
        state, heads = night.refreshed(), _heads(night)
        night_figures = figures(
            state, {name: winnings(night.ledger, name) for name in state.tables}
        )
        with night.ledger.moment() as book:
            balances = book.balances(state.till.money, state.till.unit)
        result = Statement(state, night_figures, checks(state, night_figures, balances), at)
        # A round settled while we read would look like a cent too many.
        if not result.findings or (night.refreshed() == state and _heads(night) == heads):
            return result


def _heads(night: Night) -> list[Stream | None]:
    """How far the night's tables are on record."""
    return [night.ledger.stream(f"{TABLE}{table}") for table in night.state.tables]


def _table_document(one: TableResult) -> TableResultShown:
    return {
        "table": one.table,
        "sheet": one.sheet,
        "rounds": one.rounds,
        "result": money(one.won),
        "void_rounds": one.void,
        "void_returned": money(one.void_returned),
    }


def _takings_document(one: Takings) -> TakingsShown:
    return {
        "tournament": one.tournament,
        "title": one.title,
        "status": one.status,
        "entries": one.entries,
        "taken": money(one.taken),
        "refunded": money(one.refunded),
        "paid": money(one.paid),
        "owed": money(one.owed),
        "unclaimed": money(one.unclaimed),
        "kept": money(one.kept),
    }
