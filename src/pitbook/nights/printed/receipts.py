"""A night's receipts and its statement: as text for a screen, and as a page for a printer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from html import escape

from pitbook.money import money
from pitbook.nights.book.state import NightState, Slip
from pitbook.nights.book.transfers import numbered
from pitbook.nights.chips.statement import Statement, StatementLine
from pitbook.nights.rules.hours import ends_at
from pitbook.nights.rules.house_rules import HouseRules, Notice
from pitbook.nights.shapes import SlipShown
from pitbook.sheets.findings import printable
from pitbook.wording import Sentence, in_language, say
from pitbook.wording.catalogue import ENGLISH

__all__ = [
    "notice_lines",
    "practice_banner",
    "receipt",
    "receipt_lines",
    "receipt_text",
    "statement_about",
    "statement_html",
    "statement_text",
    "statement_verdict",
]

WIDTH = 72
AMOUNT = 14

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


def receipt_text(state: NightState, slip: Slip, language: str = ENGLISH) -> str:
    """A slip of the cage for the player to keep."""
    return "".join(f"{in_language(line, language)}\n" for line in receipt_lines(state, slip))


def receipt_lines(state: NightState, slip: Slip) -> Iterator[str]:
    """What a receipt says, line by line."""
    rules = state.rules
    if state.rehearsal:
        yield say("nights.receipt.practice")
    yield say("nights.receipt.house", house=rules.house.name, charity=printable(state.charity))
    yield say("nights.receipt.number", receipt=numbered(state.event, slip.number))
    passed = {"what": slip.what, "amount": slip.amount}
    if slip.player:
        yield say("nights.receipt.passed-to", player=printable(slip.player), **passed)
    else:
        yield say("nights.receipt.passed", **passed)
    yield f"{_local(state, slip.at)}, {printable(slip.by)}"
    if slip.undone is not None:
        yield say("nights.receipt.undone", why=printable(slip.undone))
    if slip.what == "sold":
        yield from _terms(state, rules)


def _terms(state: NightState, rules: HouseRules) -> Iterator[str]:
    chips, ends = rules.chips, ends_at(state)
    latest = "" if ends is None else _shown(state, ends)
    good = {"day": state.gaming_date, "ends": ends is not None, "latest": latest}
    clauses = {"face": chips.redeemed_at.clause, "refunds": rules.refunds.chance.clause}
    yield say("nights.receipt.good-on", **good, **clauses)
    cited = tuple(dict.fromkeys((chips.clause, chips.means_of_payment.clause)))
    yield say("nights.receipt.property", owner=chips.owner, clauses=cited)


def notice_lines(notice: Notice) -> list[Sentence]:
    """What is posted for everybody to read; what it invites, and the law, in the house's words."""
    whom = {"regulator": notice.regulator, "address": tuple(notice.address)}
    law = {"law": notice.governed_by, "clause": notice.clause}
    return [
        say("nights.notice.turn-to", invites=notice.invites, **whom),
        say("nights.notice.governed-by", **law),
    ]


def statement_text(told: Statement, language: str = ENGLISH) -> str:
    """The statement in plain text."""
    head = [_title(told, printable(told.state.event)), *_head(told), ""]
    head = [say("nights.receipt.practice"), *head] if told.state.rehearsal else head
    lines = [row for line in told.lines() for row in _row(line, language)]
    first, *found = [printable(in_language(one, language)) for one in statement_verdict(told)]
    verdict = [first, *(f"  {one}" for one in found)]
    foot = [*verdict, "", *notice_lines(told.rules.notice), _generated(told)]
    worded = (in_language(one, language) for one in (*head, *lines, "", *foot))
    return "".join(f"{line}\n" for line in worded)


def _title(told: Statement, event: str) -> Sentence:
    return say("nights.statement.title", final=told.is_final, event=event)


def _generated(told: Statement) -> Sentence:
    return say("nights.statement.generated", at=told.generated_at)


def _head(told: Statement) -> Iterator[Sentence]:
    state, house = told.state, told.rules.house
    yield say("nights.statement.charity", charity=printable(state.charity))
    yield say("nights.statement.licence", licence=printable(state.licence))
    yield say("nights.statement.gaming-date", day=state.gaming_date, zone=state.zone)
    yield say("nights.statement.house", house=house.name, state=house.jurisdiction)
    not_yet = say("nights.statement.not-yet")
    opened, closed = _local(state, state.opened_at), _local(state, state.closed_at)
    yield say("nights.statement.doors", opened=opened or not_yet, closed=closed or not_yet)


def _local(state: NightState, at: str) -> str:
    """A time as the clock on the wall has it."""
    return _shown(state, datetime.fromisoformat(at)) if at else ""


def _shown(state: NightState, at: datetime) -> str:
    return f"{at.astimezone(state.place):%Y-%m-%d %H:%M %Z}"


def practice_banner(state: NightState, language: str = ENGLISH) -> str:
    """What stands on top of every paper of a rehearsal."""
    told = escape(in_language(say("nights.receipt.practice"), language))
    return f'<p class="practice">{told}</p>\n' if state.rehearsal else ""


def _row(line: StatementLine, language: str) -> Iterator[str]:
    worded = in_language(line.title, language)
    if line.amount is None:
        yield from ("", worded)
        return
    title = ("  " if line.within else "") + printable(worded)
    mark = f"  {line.clause}" if line.clause else ""
    if line.total:
        yield f"{'':>{WIDTH - AMOUNT}}{'-' * AMOUNT}"
    indent = "" if line.total else "  "
    text = f"{indent}{title}"
    yield f"{text:<{WIDTH - AMOUNT}}{money(line.amount):>{AMOUNT}}{mark}"


def statement_verdict(told: Statement) -> list[Sentence]:
    """Whether the sums agree, or what does not."""
    if not told.findings:
        return [say("nights.statement.agrees", sums=len(told.checks) + 1)]
    found = [say("nights.statement.finding", finding=one.told()) for one in told.findings]
    return [say("nights.statement.disagrees"), *found]


def statement_about(told: Statement) -> tuple[str, tuple[str, ...]]:
    """A statement's title, and what stands under it."""
    return _title(told, told.state.event), tuple(_head(told))


def statement_html(told: Statement, language: str = ENGLISH) -> str:
    """The statement as one page for a printer, with nothing to fetch."""

    def worded(line: str) -> str:
        return escape(printable(in_language(line, language)))

    title = worded(_title(told, told.state.event))
    head = "<br>\n".join(worded(line) for line in _head(told))
    body = "\n".join(_sections(told.lines(), language))
    foot = "\n".join(f"<p>{worded(line)}</p>" for line in notice_lines(told.rules.notice))
    wrong = ' class="finding"' if told.findings else ""
    verdict = "<br>\n".join(worded(line) for line in statement_verdict(told))
    for_house, for_charity = (
        worded(say("nights.statement.signed", by=by)) for by in ("house", "charity")
    )
    return (
        f'<!doctype html>\n<html lang="{language.partition("/")[0]}">\n'
        '<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"{practice_banner(told.state, language)}"
        f"<h1>{title}</h1>\n<p>{head}</p>\n{body}\n<p{wrong}>{verdict}</p>\n"
        f'<div class="signed"><p>{for_house}</p><p>{for_charity}</p></div>\n'
        f"<footer>\n{foot}\n<p>{worded(_generated(told))}</p>\n"
        "</footer>\n</body>\n</html>\n"
    )


def _sections(lines: Iterable[StatementLine], language: str) -> Iterator[str]:
    is_open = False
    for line in lines:
        title = escape(printable(in_language(line.title, language)))
        if line.amount is None:
            yield ("</table>\n" if is_open else "") + f"<h2>{title}</h2>\n<table>"
            is_open = True
        else:
            yield _cells(line, title, line.amount)
    yield "</table>"


def _cells(line: StatementLine, title: str, amount: int) -> str:
    total = ' class="total"' if line.total else ""
    indented = f"&emsp;{title}" if line.within else title
    return (
        f'<tr{total}><td>{indented}</td><td class="amount">{money(amount)}</td>'
        f'<td class="clause">{escape(line.clause)}</td></tr>'
    )
