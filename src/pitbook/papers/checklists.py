"""Checklists of states: what is asked, where in the packet it stands, and what is missing."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pitbook.errors import PitbookError
from pitbook.games import bind
from pitbook.papers.content import Paper, Paragraph, Section, Table, numbered
from pitbook.papers.identity import identity
from pitbook.papers.rules.paper import about
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.jurisdictions import state_of
from pitbook.sheets.model import Sheet
from pitbook.wording import Sentence, say

__all__ = ["Item", "checklist", "checklist_of", "checklists"]

FILE = Path(__file__).with_name("checklists.toml")


@dataclass(frozen=True)
class Item:
    """One thing that a state asks for."""

    asks: str
    rule: str
    source: str
    at: tuple[str, ...] = ()
    field: str = ""


@cache
def checklists() -> Mapping[str, tuple[str, tuple[Item, ...]]]:
    """The name and the items of every state that has a checklist here, by its slug."""
    told = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        slug: (one["name"], tuple(_item(each) for each in one["items"]))
        for slug, one in told.items()
    }


def _item(told: dict[str, Any]) -> Item:
    return Item(**{**told, "at": tuple(told.get("at", ()))})


def checklist_of(name: str) -> str | None:
    """The checklist of a state by its name, code or slug; None where there is none.

    Raises PitbookError where no state of that name has one and a state was meant.
    """
    slugs = {one.casefold(): slug for slug, (one, _) in checklists().items()}
    asked = name.strip().casefold()
    found = slugs.get(asked) or (asked if asked in checklists() else None)
    if found is None and (known := state_of(name)) is not None:
        found = slugs.get(known.name.casefold())
    return found


def named(name: str) -> str:
    """The checklist of a state that somebody asked for; raises PitbookError with a sentence."""
    if (found := checklist_of(name)) is None:
        known = tuple(one for one, _ in checklists().values())
        remedy = did_you_mean(name, known)
        raise PitbookError(say("papers.checklist.none", state=name, remedy=remedy))
    return found


def checklist(sheet: Sheet, slug: str, papers: Mapping[str, Paper]) -> Paper:
    """A state's checklist, filled in for a packet."""
    state, items = checklists()[slug]
    rows, missing = [], []
    for number, item in enumerate(items, start=1):
        where = tuple(_where(papers, item, sheet))
        told = say("papers.checklist.where", places=where) if where else _absent(item)
        rows.append((str(number), item.asks, item.rule, told))
        if not where:
            missing.append(number)
    head = tuple(
        say("papers.checklist.head", column=one) for one in ("number", "asked", "rule", "where")
    )
    table = Table("", head, tuple(rows), "llll", "checklist")
    text = say("papers.checklist.missing", count=len(missing), numbers=tuple(map(str, missing)))
    sections = (
        Section(say("papers.checklist.asked", state=state), (table,), "asked"),
        Section(say("papers.checklist.lacking"), (Paragraph(text, "missing"),), "missing"),
        Section(say("papers.checklist.sources"), tuple(_sources(items)), "sources"),
    )
    title = say("papers.checklist.title", state=state)
    return Paper("checklist", title, about(bind(sheet)), identity(sheet), sections)


def _absent(item: Item) -> Sentence:
    return say("papers.checklist.field", field=item.field) if item.field else _to_add(item)


def _to_add(item: Item) -> Sentence:
    return say("papers.checklist.absent", asked=bool(item.at))


def _sources(items: tuple[Item, ...]) -> Iterator[Paragraph]:
    found: dict[str, list[str]] = {}
    for number, item in enumerate(items, start=1):
        found.setdefault(item.source, []).append(str(number))
    for source, numbers in found.items():
        text = say("papers.checklist.source", numbers=tuple(numbers), source=source)
        yield Paragraph(text, f"source {numbers[0]}", kind="remark")


def _where(papers: Mapping[str, Paper], item: Item, sheet: Sheet) -> Iterator[Sentence]:
    """Where an item stands; nowhere while the sheet lacks the field that it comes from."""
    if item.field and not _has(sheet, item.field):
        return
    for place in item.at:
        name, _, part = place.partition(" ")
        if (paper := papers.get(name)) is not None and (found := _number(paper, part)):
            yield say("papers.checklist.place", title=paper.title, number=found)


def _has(sheet: Sheet, field: str) -> bool:
    part: Any = sheet
    for name in field.split("."):
        part = getattr(part, name, None)
    return part is not None


def _number(paper: Paper, part: str) -> str | None:
    """The number of a section by its key, of a paragraph by its key or by a clause it cites."""
    for place, section in enumerate(paper.sections, start=1):
        if section.key == part:
            return str(place)
    clause = part.removeprefix("clause ") if part.startswith("clause ") else None
    for one in numbered(paper):
        if one.block.key == part or clause in getattr(one.block, "clauses", ()):
            return one.number
    return None
