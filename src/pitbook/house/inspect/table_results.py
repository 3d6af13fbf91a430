"""Results by table and interval: drop, handle, win, hold, and whether the rack reconciles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from pitbook.house.cage.slips import SLIPS, BoxCounted
from pitbook.house.cage.slips import Undone as SlipUndone
from pitbook.house.ledger.accounts import changes
from pitbook.house.ledger.codec import Json
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.movements import held_of, passed
from pitbook.house.ledger.queries import Interval, Snapshot, Span, Streams, kinds
from pitbook.house.table import facts
from pitbook.house.table.facts import FACTS, RETURNED, TableOpened
from pitbook.house.table.payouts import stakes_already_returned
from pitbook.house.table.state import currency_of, is_tournament_unit, unit_currency
from pitbook.house.table.streams import CAGE, TABLE
from pitbook.money import money
from pitbook.text import Sentence, say

AMOUNTS = ("opening", "fills", "credits", "drop", "handle", "win", "closing")
_HERE = Streams(beginning=(TABLE,))


class Taking(NamedTuple):
    """One table's figures in cents, or those of a unit's tables whose money is of one currency."""

    table: str | None
    unit: str
    currency: str | None = None  # Of the table's sheet, where it is not in US dollars.
    opening: int = 0
    fills: int = 0
    credits: int = 0
    drop: int = 0
    win: int = 0
    closing: int = 0
    rounds: int = 0
    entries: int = 0
    handle: int = 0
    gaps: int = 0  # From the end of one round to the end of the next, and how long they took.
    seconds: int = 0

    @property
    def off(self) -> int:
        """By how much the closing rack is more than opening, fills, credits and win come to."""
        return self.closing - (self.opening + self.fills - self.credits + self.win)

    @property
    def hold(self) -> Fraction | None:
        """The share of the drop that the table kept."""
        return Fraction(self.win, self.drop) if self.drop else None

    @property
    def kept(self) -> Fraction | None:
        """The share of the handle that the table kept."""
        return Fraction(self.win, self.handle) if self.handle else None

    @property
    def hands_an_hour(self) -> Fraction | None:
        """Rounds an hour, from the end of the first to the end of the last."""
        return Fraction(3_600 * self.gaps, self.seconds) if self.seconds else None

    def document(self) -> Json:
        """The figures as JSON."""
        hold, kept, pace = self.hold, self.kept, self.hands_an_hour
        return {
            **({} if self.table is None else {"table": self.table}),
            "unit": self.unit,
            **({} if self.currency is None else {"currency": self.currency}),
            **{name: money(getattr(self, name)) for name in AMOUNTS},
            "hold": None if hold is None else str(hold),
            "hold_percent": None if hold is None else round(float(hold) * 100, 4),
            "kept_percent": None if kept is None else round(float(kept) * 100, 4),
            "rounds": self.rounds,
            "hands_an_hour": None if pace is None else round(float(pace), 1),
            "reconciles": not self.off,
            "off": money(self.off),
            "note": None if self.entries else no_activity(),
        }


def no_activity() -> Sentence:
    """What is noted of a table, or of a time, in which nothing happened."""
    return say("table.past.no-activity")


def takings(ledger: Ledger, within: Interval) -> list[Taking]:
    """Every table that was open in the interval, by name; read at one moment."""
    with ledger.moment() as book:
        return list(_takings(book, within))


def summed(found: Iterable[Taking]) -> list[Taking]:
    """The subtotals of each unit, and of each currency: euros and dollars make no sum of money."""
    sums: dict[tuple[str, str], Taking] = {}
    for one in found:
        of = (one.unit, one.currency or "")
        total = sums.get(of, Taking(None, one.unit, one.currency))
        added = (a + b for a, b in zip(total[3:], one[3:], strict=True))
        sums[of] = Taking(None, one.unit, one.currency, *added)
    return [sums[of] for of in sorted(sums)]


def _takings(book: Snapshot, within: Interval) -> Iterator[Taking]:
    before = {} if within.start is None else held_of(book, "rack", within.start, _HERE)
    until = held_of(book, "rack", within.end, _HERE)
    moved = {span.stream: _moved(book, span) for span in book.spans(within, _HERE)}
    off = _miscounted(book, within)
    for name, unit, currency in _open(book, within, off):
        rack = (name, unit)
        taking = moved.get(f"{TABLE}{name}", Taking(name, unit))
        yield taking._replace(
            table=name,
            unit=unit,
            currency=currency,
            opening=before.get(rack, 0),
            drop=taking.drop + off.get((unit, name), 0),
            closing=until.get(rack, 0),
        )


def _miscounted(book: Snapshot, within: Interval) -> Counter[tuple[str, str]]:
    """What boxes were over when they were counted, or short; by unit and table."""
    off: Counter[tuple[str, str]] = Counter()
    words = kinds(*SLIPS.names(BoxCounted, SlipUndone))
    for span in book.spans(within, Streams((CAGE,))):
        for entry in book.entries(span, words):
            for transfer in entry.transfers:
                if "house" not in (transfer.debit.kind, transfer.credit.kind):
                    continue  # Into the vault, or back from it.
                boxes = (one for one in changes(transfer) if one[0].kind == "box")
                for account, cents in boxes:
                    off[account.unit, account.name] += cents
    return off


def _moved(book: Snapshot, span: Span) -> Taking:
    """What passed at a table: its transfers are known by the accounts they go between."""
    went = passed(book, span)
    settled = kinds(*FACTS.names(facts.Settled))
    count, rounds = book.counted(span, settled)
    return Taking(
        None,
        "",
        fills=went["house", "rack"],
        credits=went["rack", "house"],
        drop=went["box", "wallet"],
        handle=went["wallet", "held"] - _returned(book, span),
        win=went["held", "rack"] - went["rack", "wallet"] + _undone(went),
        rounds=rounds,
        entries=count,
        gaps=max(0, rounds - 1),
        seconds=_between(book, span, settled) if rounds > 1 else 0,
    )


def _between(book: Snapshot, span: Span, words: list[str]) -> int:
    """Seconds from the first to the last entry that has one of some words; at least one."""
    first, last = map(datetime.fromisoformat, book.times(span, words))
    return max(1, round((last - first).total_seconds()))


def _undone(went: Counter[tuple[str, str]]) -> int:
    """What was settled and taken back: wins that came back, less stakes that went back."""
    return went["wallet", "rack"] - went["rack", "held"]


def _returned(book: Snapshot, span: Span) -> int:
    """Wagers that did not stand: taken back before the deal, or void."""
    words = [f'{why}"' for why in RETURNED]
    returned = 0
    for entry in book.entries(span, words):
        back = [one for one in entry.transfers if one.why.endswith(RETURNED)]
        # From a wallet to the layout for the second time: the hand is settled anew.
        ways = (("held", "wallet"), ("wallet", "held"))
        returned += sum(one.amount for one in back if (one.debit.kind, one.credit.kind) in ways)
        returned += sum(map(stakes_already_returned, FACTS.load_kind(entry, facts.TakenBack)))
    return returned


def _open(
    book: Snapshot, within: Interval, counted: Collection[tuple[str, str]]
) -> Iterator[tuple[str, str, str | None]]:
    """The tables that were set up before the end and not closed for good before the start.

    And those whose box was counted since, and was over or short.
    """
    for first, last in book.ends(_HERE):
        is_gone = within.place(last.at) < 0 and FACTS.load_kind(last, facts.Retired)
        for fact in (
            FACTS.load_kind(first, facts.TableOpened) if within.place(first.at) <= 0 else ()
        ):
            if not is_gone or (fact.unit, fact.table) in counted:
                chips = is_tournament_unit(fact.unit)
                yield fact.table, fact.unit, None if chips else currency_of(fact.sheet)


def currencies(ledger: Ledger) -> dict[str, str]:
    """The tables whose amounts are no US dollars, and what they are of; it stays so for good."""
    with ledger.moment() as book:
        ends = book.ends(Streams(beginning=(TABLE,)))
        opened = [fact for first, _ in ends for fact in FACTS.load_kind(first, TableOpened)]
    found = ((one.table, unit_currency(one.unit, currency_of(one.sheet))) for one in opened)
    return {table: currency for table, currency in found if currency}
