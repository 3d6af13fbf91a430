"""What a night's receipts and its statement say, and both as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from pitbook.house.nights.book.state import NightState, Slip
from pitbook.house.nights.book.transfers import numbered
from pitbook.house.nights.chips.statement import Statement, StatementLine
from pitbook.house.nights.rules.hours import ends_at
from pitbook.house.nights.rules.house_rules import HouseRules, Notice
from pitbook.house.nights.shapes import SlipShown
from pitbook.money import money
from pitbook.sheets.findings import printable
from pitbook.text import Sentence, in_language, say
from pitbook.text.catalogue import ENGLISH

WIDTH = 72
AMOUNT = 14


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
        return [say("nights.statement.agrees", sums=len(told.checks))]
    found = [say("nights.statement.finding", finding=one.told()) for one in told.findings]
    return [say("nights.statement.disagrees"), *found]


def statement_about(told: Statement) -> tuple[str, tuple[str, ...]]:
    """A statement's title, and what stands under it."""
    return _title(told, told.state.event), tuple(_head(told))
