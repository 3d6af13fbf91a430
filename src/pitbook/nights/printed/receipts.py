"""Receipts and statements as text for a screen and as a page for a printer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from html import escape

from pitbook.money import money, spoken
from pitbook.nights.book.state import NightState, Slip
from pitbook.nights.book.transfers import numbered
from pitbook.nights.chips.statement import Line, Statement
from pitbook.nights.rules.hours import ends_at
from pitbook.nights.rules.house_rules import HouseRules, Notice
from pitbook.nights.shapes import SlipShown
from pitbook.sheets.findings import printable

__all__ = [
    "PRACTICE",
    "notice_lines",
    "practice_banner",
    "receipt",
    "receipt_text",
    "statement_html",
    "statement_text",
]

WIDTH = 72
AMOUNT = 14
TITLES = {
    "float": "Float brought",
    "sold": "Chips sold",
    "redeemed": "Chips redeemed",
    "unclaimed": "Unclaimed money paid",
}
PRACTICE = "REHEARSAL: play money, good for nothing"

STYLE = """
body { font: 11pt/1.4 Georgia, serif; color: #000; background: #fff; max-width: 46em;
  margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; margin-bottom: 0; } h2 { font-size: 1.1em; margin: 1.2em 0 .2em; }
table { width: 100%; border-collapse: collapse; } td { padding: .15em 0; vertical-align: top; }
td.amount { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.clause { width: 6em; padding-left: 1em; color: #444; font-size: .85em; }
tr.total td { border-top: 1px solid #000; font-weight: bold; }
.finding { border: 2px solid #000; padding: .5em 1em; font-weight: bold; }
.signed { display: flex; gap: 3em; margin-top: 4em; }
.signed p { flex: 1; border-top: 1px solid #000; padding-top: .3em; }
footer { margin-top: 2em; font-size: .85em; }
.practice { border: 3px double #000; padding: .3em; text-align: center; font-weight: bold; }
@page { size: letter; margin: 2cm;
  @bottom-right { content: "Page " counter(page) " of " counter(pages); } }
@media print { body { margin: 0; max-width: none; } }
"""


def receipt(state: NightState, slip: Slip) -> SlipShown:
    """A slip of the cage as JSON."""
    return {
        "receipt": numbered(state.event, slip.number),
        "slip": slip.number,
        "event": state.event,
        "what": slip.what,
        "player": slip.player or None,
        "amount": money(slip.amount),
        "at": slip.at,
        "by": slip.by,
        "gaming_date": state.gaming_date,
        "rehearsal": state.rehearsal,
        "undone": slip.undone,
    }


def receipt_text(state: NightState, slip: Slip) -> str:
    """A slip of the cage for the player to keep."""
    return "\n".join(_receipt_lines(state, slip)) + "\n"


def _receipt_lines(state: NightState, slip: Slip) -> Iterator[str]:
    rules = state.rules
    if state.rehearsal:
        yield PRACTICE
    yield f"{rules.house.name}, for {printable(state.charity)}"
    yield f"Receipt {numbered(state.event, slip.number)}"
    whose = f", {printable(slip.player)}" if slip.player else ""
    yield f"{TITLES[slip.what]}{whose}: {spoken(slip.amount)}"
    yield f"{_local(state, slip.at)}, {printable(slip.by)}"
    if slip.undone is not None:
        yield f"Undone: {printable(slip.undone)}"
    if slip.what == "sold":
        yield from _terms(state, rules)


def _terms(state: NightState, rules: HouseRules) -> Iterator[str]:
    chips, ends = rules.chips, ends_at(state)
    latest = "" if ends is None else f", at the latest at {_shown(state, ends)}"
    yield (
        f"Good on {state.gaming_date} until the event closes{latest}, at face value "
        f"({chips.redeemed_at.clause}); no refunds ({rules.refunds.chance.clause})."
    )
    cited = ", ".join(dict.fromkeys((chips.clause, chips.means_of_payment.clause)))
    yield f"Chips stay the property of {chips.owner} and are no means of payment ({cited})."


def notice_lines(notice: Notice) -> list[str]:
    """What is posted for everybody to read."""
    return [
        f"With {notice.invites} turn to the {notice.regulator}, {', '.join(notice.address)}.",
        f"The games are conducted in accordance with {notice.governed_by} ({notice.clause}).",
    ]


def statement_text(told: Statement) -> str:
    """The statement in plain text."""
    head = [f"{_title(told)}: {printable(told.state.event)}", *_head(told), ""]
    head = [PRACTICE, *head] if told.state.rehearsal else head
    lines = [row for line in told.lines() for row in _row(line)]
    foot = [*_verdict(told), "", *notice_lines(told.rules.notice)]
    return "\n".join((*head, *lines, "", *foot, f"Generated {told.generated_at}.")) + "\n"


def _title(told: Statement) -> str:
    return "Closing statement" if told.is_final else "Statement so far"


def _head(told: Statement) -> Iterator[str]:
    state = told.state
    yield f"Charity: {printable(state.charity)}"
    yield f"Licence: {printable(state.licence)}"
    yield f"Gaming date: {state.gaming_date} ({state.zone})"
    yield f"House: {told.rules.house.name}, {told.rules.house.jurisdiction}"
    opened, closed = _local(state, state.opened_at), _local(state, state.closed_at)
    yield f"Opened: {opened or 'not yet'}; closed: {closed or 'not yet'}"


def _local(state: NightState, at: str) -> str:
    """A time as the clock on the wall has it."""
    return _shown(state, datetime.fromisoformat(at)) if at else ""


def _shown(state: NightState, at: datetime) -> str:
    return f"{at.astimezone(state.place):%Y-%m-%d %H:%M %Z}"


def practice_banner(state: NightState) -> str:
    """What stands on top of every paper of a rehearsal."""
    return f'<p class="practice">{escape(PRACTICE)}</p>\n' if state.rehearsal else ""


def _row(line: Line) -> Iterator[str]:
    if line.amount is None:
        yield from ("", line.title)
        return
    title = printable(line.title)
    mark = f"  {line.clause}" if line.clause else ""
    if line.total:
        yield f"{'':>{WIDTH - AMOUNT}}{'-' * AMOUNT}"
    indent = "" if line.total else "  "
    text = f"{indent}{title}"
    yield f"{text:<{WIDTH - AMOUNT}}{money(line.amount):>{AMOUNT}}{mark}"


def _verdict(told: Statement) -> list[str]:
    if not told.findings:
        return [f"Facts and balances agree to the cent in {len(told.checks) + 1} sums."]
    return ["Facts and balances do NOT agree:", *(f"  {one}." for one in told.findings)]


def statement_html(told: Statement) -> str:
    """The statement as one page for a printer, with nothing to fetch."""
    title = f"{_title(told)}: {told.state.event}"
    head = "<br>\n".join(escape(line) for line in _head(told))
    body = "\n".join(_sections(told.lines()))
    foot = "\n".join(f"<p>{escape(line)}</p>" for line in notice_lines(told.rules.notice))
    wrong = ' class="finding"' if told.findings else ""
    verdict = "<br>\n".join(escape(line.strip()) for line in _verdict(told))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"{practice_banner(told.state)}"
        f"<h1>{escape(title)}</h1>\n<p>{head}</p>\n{body}\n<p{wrong}>{verdict}</p>\n"
        '<div class="signed"><p>For the house</p><p>For the charity</p></div>\n'
        f"<footer>\n{foot}\n<p>Generated {escape(told.generated_at)}.</p>\n"
        "</footer>\n</body>\n</html>\n"
    )


def _sections(lines: Iterable[Line]) -> Iterator[str]:
    is_open = False
    for line in lines:
        if line.amount is None:
            yield ("</table>\n" if is_open else "") + f"<h2>{escape(line.title)}</h2>\n<table>"
            is_open = True
        else:
            yield _cells(line, line.amount)
    yield "</table>"


def _cells(line: Line, amount: int) -> str:
    total = ' class="total"' if line.total else ""
    title = printable(line.title)
    indented = escape(title.strip()) if title == title.strip() else f"&emsp;{escape(title.strip())}"
    return (
        f'<tr{total}><td>{indented}</td><td class="amount">{money(amount)}</td>'
        f'<td class="clause">{escape(line.clause)}</td></tr>'
    )
