"""A night's statement and its receipts on paper: one content, set by Typst and as a page."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.house.nights.book.state import NightState, Slip
from pitbook.house.nights.chips.statement import Statement
from pitbook.house.nights.printed.receipts import (
    notice_lines,
    receipt_lines,
    statement_about,
    statement_verdict,
)
from pitbook.papers.as_html import page
from pitbook.papers.content import (
    Identity,
    Paper,
    PaperShape,
    Paragraph,
    Section,
    Signatures,
    Table,
)
from pitbook.papers.numbers import moment
from pitbook.sheets.findings import printable
from pitbook.text import say
from pitbook.text.catalogue import ENGLISH


def statement_page(told: Statement, language: str = ENGLISH) -> str:
    """The statement as one page for a browser and its printer, with nothing to fetch."""
    return page(statement_paper(told), language)


def receipt_page(state: NightState, slip: Slip, language: str = ENGLISH) -> str:
    """A slip of the cage the same way, to hand over."""
    return page(receipt_paper(state, slip), language)


def statement_paper(told: Statement) -> Paper:
    """The statement with its sums, its verdict, its notices and room for both signatures."""
    title, about = statement_about(told)
    practice = (say("nights.receipt.practice"),) if told.state.rehearsal else ()
    made = say("nights.statement.generated", at=moment(told.generated_at))
    sections = [*_sums(told)]
    first, *found = statement_verdict(told)
    stands = Paragraph("", "verdict 0", lead=first) if found else _line("verdict", 0, first)
    verdict = (stands, *(_line("verdict", place, one) for place, one in enumerate(found, 1)))
    lines = tuple((say("nights.statement.signed", by=by), "") for by in ("house", "charity"))
    notices = tuple(
        Paragraph(line, f"notice {place}", kind="remark", verbatim=True)
        for place, line in enumerate(notice_lines(told.rules.notice))
    )
    if notices:
        sections.append(Section(say("papers.section", part="notices"), notices, "notices"))
    sections.append(Section(say("papers.house.section", part="sums"), verdict, "verdict"))
    signed = (Signatures(lines, "signed"),)  # Under the verdict that is signed.
    sections.append(Section(say("papers.house.section", part="signed"), signed, "signed"))
    who, over = _identity(told.state, made), (*practice, title, *about)
    return Paper("statement", title, over, who, tuple(sections))


def _line(what: str, place: int, text: str) -> Paragraph:
    return Paragraph(text, f"{what} {place}", verbatim=True)


def _identity(state: NightState, *lines: str) -> Identity:
    house = state.rules.house.name
    day = say("papers.house.gaming-date", day=state.gaming_date)
    return Identity(
        "", "", "", house, printable(state.charity), day, "", "", lines=(state.event, *lines)
    )


def _sums(told: Statement) -> Iterator[Section]:
    """The lines under their headings."""
    title = ""
    rows: list[tuple[str, str, str]] = []
    totals: list[int] = []
    for line in told.lines():
        if line.amount is None:
            if rows:
                yield _section(title, rows, totals)
            title, rows, totals = line.title, [], []
            continue
        if line.total:
            totals.append(len(rows))
        amount: str = say("papers.money", amount=line.amount)
        part = say("papers.house.part-of", text=line.title) if line.within else line.title
        rows.append((part, line.clause, amount))
    if rows:
        yield _section(title, rows, totals)


def _section(title: str, rows: list[tuple[str, str, str]], totals: list[int]) -> Section:
    table = Table("", ("", "", ""), tuple(rows), "llr", f"sums {title}", strong=tuple(totals))
    return Section(title, (table,), f"sums {title}")


def receipt_paper(state: NightState, slip: Slip, *, shape: PaperShape = "slip") -> Paper:
    """A slip of the cage for the player to keep; or a page where a printer has no slips."""
    lines = tuple(receipt_lines(state, slip))
    blocks = tuple(_line("line", place, one) for place, one in enumerate(lines))
    section = Section("", blocks, "receipt")
    title = say("papers.house.receipt", number=slip.number)
    return Paper("receipt", title, (), _identity(state, moment(slip.at)), (section,), shape)
