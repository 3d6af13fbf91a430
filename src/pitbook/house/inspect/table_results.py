"""Results by table and interval: drop, handle, win, hold, and whether the rack reconciles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from pitbook.house.cage.slips import SLIPS, BoxCounted
from pitbook.house.cage.slips import Undone as SlipUndone
from pitbook.house.ledger.accounts import balance_changes, is_tournament_unit, unit_currency
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.money_queries import balances_of_kind, totals_by_kind
from pitbook.house.ledger.queries import Interval, Snapshot, Span, Streams, fact_patterns
from pitbook.house.table import facts
from pitbook.house.table.facts import FACTS, RETURNED, TableOpened
from pitbook.house.table.stored_sheets import currency_of
from pitbook.house.table.stream_names import CAGE, TABLE
from pitbook.house.table.transfers import stakes_already_returned
from pitbook.money import money
from pitbook.text import Sentence, say

AMOUNTS = ("opening", "fills", "credits", "drop", "handle", "win", "closing")
_TABLE_STREAMS = Streams(prefixes=(TABLE,))


class TableResult(NamedTuple):
    """A table's results in cents, or totals of a unit in one currency."""

    table: str | None
    unit: str
    currency: str | None = None  # Of the table's sheet; None for US dollars.
    opening: int = 0
    fills: int = 0
    credits: int = 0
    drop: int = 0
    win: int = 0
    closing: int = 0
    rounds: int = 0
    entries: int = 0
    handle: int = 0
    gaps: int = 0  # Between the ends of consecutive rounds, and their total time.
    seconds: int = 0

    @property
    def variance(self) -> int:
        """The variance: the closer minus opener, fills, credits and win."""
        return self.closing - (self.opening + self.fills - self.credits + self.win)

    @property
    def hold(self) -> Fraction | None:
        """Win divided by drop."""
        return Fraction(self.win, self.drop) if self.drop else None

    @property
    def win_over_handle(self) -> Fraction | None:
        """Win divided by handle."""
        return Fraction(self.win, self.handle) if self.handle else None

    @property
    def hands_an_hour(self) -> Fraction | None:
        """Rounds per hour, from the end of the first to the end of the last."""
        return Fraction(3_600 * self.gaps, self.seconds) if self.seconds else None

    def document(self) -> Json:
        """The results as JSON."""
        hold, win_over_handle, pace = self.hold, self.win_over_handle, self.hands_an_hour
        return {
            **({} if self.table is None else {"table": self.table}),
            "unit": self.unit,
            **({} if self.currency is None else {"currency": self.currency}),
            **{name: money(getattr(self, name)) for name in AMOUNTS},
            "hold": None if hold is None else str(hold),
            "hold_percent": None if hold is None else round(float(hold) * 100, 4),
            "kept_percent": None
            if win_over_handle is None
            else round(float(win_over_handle) * 100, 4),
            "rounds": self.rounds,
            "hands_an_hour": None if pace is None else round(float(pace), 1),
            "reconciles": not self.variance,
            "off": money(self.variance),
            "note": None if self.entries else no_activity_note(),
        }


def no_activity_note() -> Sentence:
    """The note for a table or interval without activity."""
    return say("table.past.no-activity")


def table_results(ledger: Ledger, within: Interval) -> list[TableResult]:
    """The results of every table open in the interval, by name, from one ledger snapshot."""
    with ledger.snapshot() as snapshot:
        return list(_read_results(snapshot, within))


def sum_by_unit(results: Iterable[TableResult]) -> list[TableResult]:
    """Subtotals by unit and currency: euros and dollars are not added together."""
    sums: dict[tuple[str, str], TableResult] = {}
    for result in results:
        key = (result.unit, result.currency or "")
        total = sums.get(key, TableResult(None, result.unit, result.currency))
        totals = (a + b for a, b in zip(total[3:], result[3:], strict=True))
        sums[key] = TableResult(None, result.unit, result.currency, *totals)
    return [sums[key] for key in sorted(sums)]


def _read_results(snapshot: Snapshot, within: Interval) -> Iterator[TableResult]:
    before = (
        {}
        if within.start is None
        else balances_of_kind(snapshot, "rack", within.start, _TABLE_STREAMS)
    )
    until = balances_of_kind(snapshot, "rack", within.end, _TABLE_STREAMS)
    results_by_stream = {
        span.stream: _table_result(snapshot, span)
        for span in snapshot.spans(within, _TABLE_STREAMS)
    }
    variance_by_table = _box_variances(snapshot, within)
    for name, unit, currency in _open_tables(snapshot, within, variance_by_table):
        rack = (name, unit)
        result = results_by_stream.get(f"{TABLE}{name}", TableResult(name, unit))
        yield result._replace(
            table=name,
            unit=unit,
            currency=currency,
            opening=before.get(rack, 0),
            drop=result.drop + variance_by_table.get((unit, name), 0),
            closing=until.get(rack, 0),
        )


def _box_variances(snapshot: Snapshot, within: Interval) -> Counter[tuple[str, str]]:
    """What box counts were over or short, by unit and table."""
    variance: Counter[tuple[str, str]] = Counter()
    words = fact_patterns(*SLIPS.names(BoxCounted, SlipUndone))
    for span in snapshot.spans(within, Streams((CAGE,))):
        for entry in snapshot.entries(span, words):
            for transfer in entry.transfers:
                if "house" not in (transfer.debit.kind, transfer.credit.kind):
                    continue  # To or from the vault.
                boxes = (change for change in balance_changes(transfer) if change[0].kind == "box")
                for account, cents in boxes:
                    variance[account.unit, account.name] += cents
    return variance


def _table_result(snapshot: Snapshot, span: Span) -> TableResult:
    """A table's results from its transfers, told apart by their accounts."""
    totals = totals_by_kind(snapshot, span)
    settled = fact_patterns(*FACTS.names(facts.Settled))
    count, rounds = snapshot.count_entries(span, settled)
    return TableResult(
        None,
        "",
        fills=totals["house", "rack"],
        credits=totals["rack", "house"],
        drop=totals["box", "wallet"],
        handle=totals["wallet", "held"] - _returned_wagers(snapshot, span),
        win=totals["held", "rack"] - totals["rack", "wallet"] + _reversed_win(totals),
        rounds=rounds,
        entries=count,
        gaps=max(0, rounds - 1),
        seconds=_seconds_between(snapshot, span, settled) if rounds > 1 else 0,
    )


def _seconds_between(snapshot: Snapshot, span: Span, words: list[str]) -> int:
    """Seconds between the first and the last entry with one of some words; at least one."""
    first, last = map(datetime.fromisoformat, snapshot.times(span, words))
    return max(1, round((last - first).total_seconds()))


def _reversed_win(totals: Counter[tuple[str, str]]) -> int:
    """The win of reversed settlements: payouts that came back, minus stakes that went back."""
    return totals["wallet", "rack"] - totals["rack", "held"]


def _returned_wagers(snapshot: Snapshot, span: Span) -> int:
    """Wagers that did not count: taken back before the deal, or void."""
    words = [f'{why}"' for why in RETURNED]
    returned_cents = 0
    for entry in snapshot.entries(span, words):
        returns = [transfer for transfer in entry.transfers if transfer.why.endswith(RETURNED)]
        # A second transfer from wallet to layout: the hand is settled again.
        directions = (("held", "wallet"), ("wallet", "held"))
        returned_cents += sum(
            transfer.amount
            for transfer in returns
            if (transfer.debit.kind, transfer.credit.kind) in directions
        )
        returned_cents += sum(
            map(stakes_already_returned, FACTS.load_kind(entry, facts.SettlementReversed))
        )
    return returned_cents


def _open_tables(
    snapshot: Snapshot, within: Interval, counted_tables: Collection[tuple[str, str]]
) -> Iterator[tuple[str, str, str | None]]:
    """Tables set up before the end of the interval and not closed before its start.

    Also closed tables whose box was over or short in a later count.
    """
    for first, last in snapshot.first_and_last(_TABLE_STREAMS):
        is_closed = within.place(last.at) < 0 and FACTS.load_kind(last, facts.Retired)
        for fact in (
            FACTS.load_kind(first, facts.TableOpened) if within.place(first.at) <= 0 else ()
        ):
            if not is_closed or (fact.unit, fact.table) in counted_tables:
                chips = is_tournament_unit(fact.unit)
                yield fact.table, fact.unit, None if chips else currency_of(fact.sheet)


def currencies(ledger: Ledger) -> dict[str, str]:
    """The tables not in US dollars, with their currency; it never changes."""
    with ledger.snapshot() as snapshot:
        ends = snapshot.first_and_last(Streams(prefixes=(TABLE,)))
        opened = [fact for first, _ in ends for fact in FACTS.load_kind(first, TableOpened)]
    by_table = (
        (opening.table, unit_currency(opening.unit, currency_of(opening.sheet)))
        for opening in opened
    )
    return {table: currency for table, currency in by_table if currency}
