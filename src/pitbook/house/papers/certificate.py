"""The certificate of a table test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from pitbook.drills.kinds import kind_title
from pitbook.house.school.facts import ExamResult
from pitbook.printing.content import Block, Paper, Paragraph, Section, Signatures, Table
from pitbook.printing.page_texts import identity
from pitbook.sheets.model import Sheet
from pitbook.text import say

HASH_DIGITS = 12


def certificate(
    result: ExamResult, rules: Sheet, *, holds: str, changed: Sequence[str], address: str, day: date
) -> Paper:
    """A test result on paper: `rules` are those of the test, `changed` the rules changed since."""
    title = say("papers.certificate.title", passed=result.passed)
    marks = {
        "id": result.id[:HASH_DIGITS],
        "sheet": result.sheet,
        "hash": result.hash[:HASH_DIGITS],
    }
    foot = (
        say("papers.certificate.foot", passed=result.passed, **marks),
        say("papers.certificate.verify", address=address),
    )
    sections = (
        _section("test", [_facts(result, rules), *_hashes(result)]),
        _section("kinds", [_kinds(result)]),
        _section("holds", _validity_blocks(holds, changed, address, day)),
        _section("signed", [_signatures()]),
    )
    base = replace(identity(rules, "certificate"), title=result.person, lines=foot)
    dated = replace(base, effective=say("papers.day", day=_day_of(result)))
    game_line = say("papers.certificate.of", title=rules.title, venue=rules.house.venue)
    return Paper("certificate", title, (title, game_line), dated, sections)


def _section(key: str, blocks: Iterator[Block] | list[Block]) -> Section:
    return Section(say("papers.certificate.section", part=key), tuple(blocks), key)


def _day_of(result: ExamResult) -> date:
    return date.fromisoformat(result.ended[:10])


def _facts(result: ExamResult, rules: Sheet) -> Table:
    right = say("papers.certificate.right", right=result.right, asked=result.asked)
    facts = (
        ("person", result.person),
        ("game", rules.title),
        ("house", rules.house.venue),
        ("test", result.title),
        ("day", say("papers.day", day=_day_of(result))),
        ("right", right),
        ("mark", say("papers.certificate.mark", mark=result.pass_mark)),
        ("time", say("papers.certificate.minutes", minutes=result.minutes)),
    )
    rows = tuple((say("papers.certificate.fact", fact=name), text) for name, text in facts)
    return Table("", ("", ""), rows, "ll", "facts")


def _hashes(result: ExamResult) -> Iterator[Block]:
    """The full hashes, each on its own line; they are too long for a column."""
    number = "number" if result.passed else "record"
    for name, text in (("rules", result.hash), (number, result.id)):
        lead = say("papers.lead", label=say("papers.certificate.fact", fact=name))
        yield Paragraph(text, name, lead=lead, verbatim=True)


def _kinds(result: ExamResult) -> Table:
    asked_by_kind = Counter(question.kind for question in result.items)
    right_by_kind = Counter(question.kind for question in result.items if question.right)
    head = tuple(
        say("papers.certificate.head", column=column) for column in ("kind", "right", "asked")
    )
    rows = tuple(
        (kind_title(kind), str(right_by_kind[kind]), str(asked_by_kind[kind]))
        for kind in asked_by_kind
    )
    return Table("", head, rows, "lrr", "by kind")


def _validity_blocks(
    holds: str, changed: Sequence[str], address: str, day: date
) -> Iterator[Block]:
    yield Paragraph(say("papers.certificate.as-of", day=day, holds=holds), "holds")
    for index, change in enumerate(changed):
        yield Paragraph(change, f"changed {index}")
    text = say("papers.certificate.verify", address=address)
    yield Paragraph(text, "verify", kind="remark", verbatim=True)


def _signatures() -> Signatures:
    names = ("supervisor", "dealer", "date")
    return Signatures(tuple((say("papers.certificate.signed", by=role), "") for role in names), "s")
