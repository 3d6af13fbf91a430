"""Which papers of a packet, and which of their sections and pages, a change replaces."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.papers.content import Block, Paper, Paragraph, Table, plain, without_notes
from pitbook.papers.packet import PAPERS
from pitbook.papers.typeset import PageSize, printed
from pitbook.sheets.digest import packet_digest
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say, speech


def replaced(a: Sheet, b: Sheet, *, language: str, size: PageSize) -> Iterator[Block]:
    """The papers in which more than the foot of a page is another, as the new packet is printed."""
    spoken = [speech(language, one.house.currency) for one in (a, b)]
    rows = []
    for make in PAPERS.values():
        old, new = make(a), make(b)
        before, after = (
            printed(one, language=words, size=size)
            for one, words in zip((old, new), spoken, strict=True)
        )
        pages = [page for page, has in enumerate(after, 1) if before[page - 1 : page] != [has]]
        if pages or len(after) != len(before):
            sections = (*_opening(old, new, spoken), *_sections(old, new, spoken))
            rows.append((new.title, _listed(sections), _listed(spans(pages))))
    head = tuple(say("papers.redline.head", column=one) for one in ("paper", "sections", "pages"))
    if rows:
        yield Table("", head, tuple(rows), "lll", "pages")
    if packet_digest(a) != packet_digest(b):
        yield Paragraph(say("papers.redline.every-page"), "every page", kind="remark")


def _opening(old: Paper, new: Paper, spoken: list[str]) -> Iterator[Sentence]:
    """What stands over the first section: the game's name, and what is said under it."""
    before, after = (
        plain((paper.identity.title, paper.about), language)
        for paper, language in zip((old, new), spoken, strict=True)
    )
    if before != after:
        yield say("papers.redline.opening")


def _sections(old: Paper, new: Paper, spoken: list[str]) -> tuple[str, ...]:
    """Sections that are read otherwise or stand elsewhere: by number, or by what is over them."""
    before, after = (
        [without_notes(plain(section, language)) for section in paper.sections]
        for paper, language in zip((old, new), spoken, strict=True)
    )
    places = [place for place, one in enumerate(after, 1) if before[place - 1 : place] != [one]]
    if new.has_numbers:
        return spans(places)
    return tuple(filter(None, (new.sections[place - 1].heading for place in places)))


def _listed(numbers: tuple[str, ...]) -> Sentence:
    return say("papers.redline.sections", numbers=numbers or ("\u2013",))


def spans(numbers: list[int]) -> tuple[str, ...]:
    """Numbers with those that follow each other put together."""
    found: list[list[int]] = []
    for one in numbers:
        if found and one == found[-1][-1] + 1:
            found[-1].append(one)
        else:
            found.append([one])
    return tuple(f"{one[0]}\u2013{one[-1]}" if len(one) > 1 else str(one[0]) for one in found)
