"""The table result paper: drop, win, hold, fills and credits of each table in an interval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitbook.house.inspect.table_results import TableResult, no_activity_note, sum_by_unit
from pitbook.house.ledger.accounts import is_tournament_unit
from pitbook.house.ledger.queries import Interval
from pitbook.printing.content import Identity, Paper, Paragraph, Section, Table
from pitbook.printing.numbers import format_time, percent
from pitbook.text import Sentence, capital, in_currency, say

AMOUNTS = ("opening", "fills", "credits", "drop", "handle", "win", "closing")


def table_result(
    takings: list[TableResult], within: Interval, *, operator: str, generated: str, version: str
) -> Paper:
    """Every table, subtotals by unit, and the amounts that do not reconcile."""
    span = say(
        "papers.house.interval",
        since=bool(within.start),
        start=format_time(within.start) if within.start else "",
        until=bool(within.end),
        end=format_time(within.end) if within.end else "",
    )
    generated_line = say("papers.house.generated", at=format_time(generated))
    rows = (*_rows(takings), *_rows(sum_by_unit(takings)))
    totals = tuple(range(len(takings), len(rows)))
    head = tuple(
        say("papers.house.column", column=column)
        for column in ("table", *AMOUNTS, "hold", "rounds")
    )
    table = Table("", head, rows, "l" + "r" * (len(head) - 1), "result", strong=totals)
    blocks = (table,) if rows else (Paragraph(capital(no_activity_note()), "nothing"),)
    sections = (
        Section(say("papers.house.section", part="tables"), blocks, "tables"),
        Section(say("papers.house.section", part="sums"), tuple(_sums(takings)), "sums"),
    )
    title = say("papers.house.result")
    identity = Identity(
        "", "", "", operator, operator, span, "", version, lines=(span, generated_line)
    )
    return Paper("result", title, (title, capital(span)), identity, sections, "drawing")


def _rows(takings: Iterable[TableResult]) -> Iterator[tuple[str, ...]]:
    for taking in takings:
        message_key = "papers.chips" if is_tournament_unit(taking.unit) else "papers.money"
        amounts = tuple(
            _with_currency(say(message_key, amount=getattr(taking, name)), taking)
            for name in AMOUNTS
        )
        hold = "" if taking.hold is None else percent(taking.hold)
        name = taking.table or _total_label(taking)
        yield (name, *amounts, hold, str(taking.rounds))


def _with_currency(text: str, taking: TableResult) -> str:
    """A text with the currency of its table."""
    return text if taking.currency is None else in_currency(text, taking.currency)


def _total_label(taking: TableResult) -> Sentence:
    """The label of a subtotal: all tables in money, or in an event's or tournament's chips."""
    kind, _, unit_id = taking.unit.partition(":")
    fields = {
        "kind": kind if unit_id else "money",
        "of": unit_id or taking.currency or taking.unit.upper(),
    }
    return say("papers.house.all-tables", **fields)


def _sums(takings: list[TableResult]) -> Iterator[Paragraph]:
    unreconciled = [taking for taking in takings if taking.variance]
    if not unreconciled:
        yield Paragraph(say("papers.house.reconciles"), "reconciles")
    for taking in unreconciled:
        fields = {"table": taking.table or "", "off": taking.variance}
        yield Paragraph(
            _with_currency(say("papers.house.off", **fields), taking), f"off {taking.table}"
        )
