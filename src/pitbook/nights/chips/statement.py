"""The closing statement: where every cent of an evening came from and went, for the charity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, cast

from pitbook.english import counted
from pitbook.ledger.book import Stream
from pitbook.money import money
from pitbook.nights.book.facts import Unclaimed
from pitbook.nights.book.night import Night
from pitbook.nights.book.state import NightState
from pitbook.nights.book.transfers import numbered
from pitbook.nights.chips.figures import Figures, TableResult, Takings, figures
from pitbook.nights.chips.reconciled import Check, checks, proceeds_held
from pitbook.nights.chips.shapes import (
    NoticeShown,
    StatementShown,
    TableResultShown,
    TakingsShown,
    UnclaimedShown,
)
from pitbook.nights.rules.house_rules import HouseRules
from pitbook.table.streams import TABLE

__all__ = ["Line", "Statement", "statement"]

FORMAT = 1


class Line(NamedTuple):
    """One line of the statement; a heading has no amount."""

    title: str
    amount: int | None = None
    clause: str = ""
    total: bool = False


@dataclass(frozen=True)
class Statement:
    """A night's statement at one moment; it is the closing one once the night is closed."""

    state: NightState
    found: Figures
    checks: tuple[Check, ...]
    proceeds_held: int
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
    def findings(self) -> tuple[Check, ...]:
        """What does not agree to the cent; none: the statement reconciles."""
        held = Check("proceeds for the charity", self.found.proceeds, self.proceeds_held)
        return tuple(one for one in (*self.checks, held) if one.off)

    def lines(self) -> Iterator[Line]:
        """The statement, line by line, as paper and screen show it."""
        found = self.found
        yield Line("Chips")
        yield Line("Chips issued", found.sold)
        yield Line("Chips redeemed", -found.redeemed, self.rules.chips.redeemed_at.clause)
        if not self.is_final or found.outstanding:
            yield Line("Chips in players' hands", -found.outstanding)
        yield Line("Expired chips", found.expired, self.rules.chips.unredeemed.clause)
        yield Line("Games of chance")
        for table in found.tables:
            yield Line(f"Table {table.table}, {_rounds(table)}", table.won)
        yield Line("Table results", found.won, total=True)
        yield from self._tournaments()
        yield from self._voids()
        yield from self._unclaimed()
        yield Line("The drawer")
        yield Line("Float brought", found.floated)
        yield Line("Float returned", -found.float_returned)
        yield Line("Cash in the drawer", found.cash)
        title = f"Proceeds for {self.state.charity}"
        yield Line(title, found.proceeds, self.rules.proceeds.clause, total=True)

    def _tournaments(self) -> Iterator[Line]:
        yield Line("Tournaments")
        for one in self.found.tournaments:
            yield Line(f"{one.title} ({one.tournament}, {one.status}), takings", one.taken)
            yield Line("  refunds", -one.refunded, self.rules.tournaments.refunds.clause)
            yield Line("  returned" if one.status == "void" else "  prizes", -one.paid)
            if one.unclaimed:
                yield Line("  unclaimed", -one.unclaimed)
            if one.owed:
                yield Line("  prizes still owed", -one.owed)
        kept = sum(one.kept for one in self.found.tournaments)
        yield Line("Tournament results", kept, total=True)

    def _unclaimed(self) -> Iterator[Line]:
        """What nobody came for before the night closed, and who has come since."""
        found = self.found
        if not found.unclaimed:
            return
        yield Line("Unclaimed, owed by name")
        for one in found.unclaimed:
            yield Line(f"{one.player}, {self._kind(one)} of {one.tournament}", one.amount)
        for slip in found.claimed:
            receipt = numbered(self.state.event, slip.number)
            yield Line(f"paid to {slip.player}, receipt {receipt}", -slip.amount)
        yield Line("Still unclaimed", sum(found.still_unclaimed.values()), total=True)

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

    def _voids(self) -> Iterator[Line]:
        """What was done and taken back; none of it counts in the sums."""
        found = self.found
        yield Line("Refunds and voids")
        yield Line("Refunds, tournaments", sum(one.refunded for one in found.tournaments))
        void = [one.paid for one in found.tournaments if one.status == "void"]
        yield Line(f"Void tournaments returned ({len(void)})", sum(void))
        rounds = sum(one.void for one in found.tables)
        returned = sum(one.void_returned for one in found.tables)
        yield Line(f"Wagers returned at tables ({counted(rounds, 'void round')})", returned)
        slips = sum(slip.amount for slip in found.undone)
        yield Line(f"Slips undone ({len(found.undone)})", slips)

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
        found = figures(night.ledger, state)
        told = Statement(
            state, found, checks(night.ledger, state, found), proceeds_held(night.ledger, state), at
        )
        # A round settled while we read would look like a cent too many.
        if not told.findings or (night.refreshed() == state and _heads(night) == heads):
            return told


def _heads(night: Night) -> list[Stream | None]:
    """How far the night's tables are on record."""
    return [night.ledger.stream(f"{TABLE}{table}") for table in night.state.tables]


def _rounds(table: TableResult) -> str:
    return counted(table.rounds, "round")


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
