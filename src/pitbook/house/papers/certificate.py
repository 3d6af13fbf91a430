"""A certificate of a table test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from pitbook.drills.kinds import title_of
from pitbook.house.school.events import ExamResult
from pitbook.papers.content import Block, Paper, Paragraph, Section, Signatures, Table
from pitbook.papers.identity import identity
from pitbook.sheets.model import Sheet
from pitbook.text import say

SHOWN = 12


def certificate(
    result: ExamResult, rules: Sheet, *, holds: str, changed: Sequence[str], address: str, day: date
) -> Paper:
    """A result on paper: `rules` are those it was taken by, `changed` those that are others now."""
    title = say("papers.certificate.title", passed=result.passed)
    marks = {"id": result.id[:SHOWN], "sheet": result.sheet, "hash": result.hash[:SHOWN]}
    foot = (
        say("papers.certificate.foot", passed=result.passed, **marks),
        say("papers.certificate.verify", address=address),
    )
    sections = (
        _section("test", [_facts(result, rules), *_hashes(result)]),
        _section("kinds", [_kinds(result)]),
        _section("holds", _holds(holds, changed, address, day)),
        _section("signed", [_signed()]),
    )
    base = replace(identity(rules, "certificate"), title=result.person, lines=foot)
    dated = replace(base, effective=say("papers.day", day=_day(result)))
    of = say("papers.certificate.of", title=rules.title, venue=rules.house.venue)
    return Paper("certificate", title, (title, of), dated, sections)


def _section(key: str, blocks: Iterator[Block] | list[Block]) -> Section:
    return Section(say("papers.certificate.section", part=key), tuple(blocks), key)


def _day(result: ExamResult) -> date:
    return date.fromisoformat(result.ended[:10])


def _facts(result: ExamResult, rules: Sheet) -> Table:
    right = say("papers.certificate.right", right=result.right, asked=result.asked)
    facts = (
        ("person", result.person),
        ("game", rules.title),
        ("house", rules.house.venue),
        ("test", result.title),
        ("day", say("papers.day", day=_day(result))),
        ("right", right),
        ("mark", say("papers.certificate.mark", mark=result.pass_mark)),
        ("time", say("papers.certificate.minutes", minutes=result.minutes)),
    )
    rows = tuple((say("papers.certificate.fact", fact=name), told) for name, told in facts)
    return Table("", ("", ""), rows, "ll", "facts")


def _hashes(result: ExamResult) -> Iterator[Block]:
    """Each on a line of its own: they are too long for a column."""
    number = "number" if result.passed else "record"
    for name, told in (("rules", result.hash), (number, result.id)):
        lead = say("papers.lead", label=say("papers.certificate.fact", fact=name))
        yield Paragraph(told, name, lead=lead, verbatim=True)


def _kinds(result: ExamResult) -> Table:
    asked = Counter(one.kind for one in result.items)
    right = Counter(one.kind for one in result.items if one.right)
    head = tuple(say("papers.certificate.head", column=one) for one in ("kind", "right", "asked"))
    rows = tuple((title_of(kind), str(right[kind]), str(asked[kind])) for kind in asked)
    return Table("", head, rows, "lrr", "by kind")


def _holds(holds: str, changed: Sequence[str], address: str, day: date) -> Iterator[Block]:
    yield Paragraph(say("papers.certificate.as-of", day=day, holds=holds), "holds")
    for place, one in enumerate(changed):
        yield Paragraph(one, f"changed {place}")
    told = say("papers.certificate.verify", address=address)
    yield Paragraph(told, "verify", kind="remark", verbatim=True)


def _signed() -> Signatures:
    names = ("supervisor", "dealer", "date")
    return Signatures(tuple((say("papers.certificate.signed", by=one), "") for one in names), "s")
