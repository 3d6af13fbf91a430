"""The result paper: drop, win, hold, fills and credits of each table in an interval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitbook.house.inspect.table_results import Taking, no_activity, summed
from pitbook.house.ledger.queries import Interval
from pitbook.house.table.state import is_tournament_unit
from pitbook.papers.content import Identity, Paper, Paragraph, Section, Table
from pitbook.papers.numbers import moment, percent
from pitbook.text import Sentence, capital, in_currency, say

AMOUNTS = ("opening", "fills", "credits", "drop", "handle", "win", "closing")


def table_result(
    found: list[Taking], within: Interval, *, operator: str, generated: str, version: str
) -> Paper:
    """Tables one under the other, subtotals of each unit, and what does not reconcile."""
    span = say(
        "papers.house.interval",
        since=bool(within.start),
        start=moment(within.start) if within.start else "",
        until=bool(within.end),
        end=moment(within.end) if within.end else "",
    )
    made = say("papers.house.generated", at=moment(generated))
    rows = (*_rows(found), *_rows(summed(found)))
    totals = tuple(range(len(found), len(rows)))
    head = tuple(
        say("papers.house.column", column=one) for one in ("table", *AMOUNTS, "hold", "rounds")
    )
    table = Table("", head, rows, "l" + "r" * (len(head) - 1), "result", strong=totals)
    blocks = (table,) if rows else (Paragraph(capital(no_activity()), "nothing"),)
    sections = (
        Section(say("papers.house.section", part="tables"), blocks, "tables"),
        Section(say("papers.house.section", part="sums"), tuple(_sums(found)), "sums"),
    )
    title = say("papers.house.result")
    who = Identity("", "", "", operator, operator, span, "", version, lines=(span, made))
    return Paper("result", title, (title, capital(span)), who, sections, "drawing")


def _rows(found: Iterable[Taking]) -> Iterator[tuple[str, ...]]:
    for one in found:
        shown = "papers.chips" if is_tournament_unit(one.unit) else "papers.money"
        amounts = tuple(_own(say(shown, amount=getattr(one, name)), one) for name in AMOUNTS)
        hold = "" if one.hold is None else percent(one.hold)
        name = one.table or _together(one)
        yield (name, *amounts, hold, str(one.rounds))


def _own(text: str, one: Taking) -> str:
    """A text in the money of its table."""
    return text if one.currency is None else in_currency(text, one.currency)


def _together(one: Taking) -> Sentence:
    """All tables that count in one unit: money, or the chips of an event or a tournament."""
    kind, _, of = one.unit.partition(":")
    told = {"kind": kind if of else "money", "of": of or one.currency or one.unit.upper()}
    return say("papers.house.all-tables", **told)


def _sums(found: list[Taking]) -> Iterator[Paragraph]:
    off = [one for one in found if one.off]
    if not off:
        yield Paragraph(say("papers.house.reconciles"), "reconciles")
    for one in off:
        told = {"table": one.table or "", "off": one.off}
        yield Paragraph(_own(say("papers.house.off", **told), one), f"off {one.table}")
