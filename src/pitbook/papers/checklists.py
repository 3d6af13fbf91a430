"""Checklists of states: what is asked, where in the packet it stands, and what is missing."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pitbook.errors import PitbookError
from pitbook.papers.content import Numbered, Paper, Paragraph, Section, Table, numbered
from pitbook.papers.identity import identity
from pitbook.papers.rules import about
from pitbook.rules.game import compile_game
from pitbook.sheets.check_law import breaches
from pitbook.sheets.digest import current_approval
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.jurisdictions import state_of
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say

FILE = Path(__file__).with_name("checklists.toml")


@dataclass(frozen=True)
class ChecklistItem:
    """One thing that a state asks for."""

    asks: str
    rule: str
    source: str
    at: tuple[str, ...] = ()
    field: str = ""
    limit: str = ""  # It speaks of limits on a hand, or on a round.
    broken: str = ""  # The field of such a limit that breaks the state's rule.
    unchecked: bool = False  # The text of the rule was not found.


@cache
def checklists() -> Mapping[str, tuple[str, tuple[ChecklistItem, ...]]]:
    """The name and the items of every state that has a checklist here, by its slug."""
    told = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        slug: (one["name"], tuple(_item(each) for each in one["items"]))
        for slug, one in told.items()
    }


def _item(told: dict[str, Any]) -> ChecklistItem:
    return ChecklistItem(**{**told, "at": tuple(told.get("at", ()))})


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
    found = [_Answer(item, sheet, state, papers) for item in items]
    rows = [
        (str(number), one.item.asks, one.item.rule, one.told)
        for number, one in enumerate(found, start=1)
    ]
    head = tuple(
        say("papers.checklist.head", column=one) for one in ("number", "asked", "rule", "where")
    )
    table = Table("", head, tuple(rows), "llll", "checklist")
    sections = (
        Section(say("papers.checklist.asked", state=state), (table,), "asked"),
        Section(say("papers.checklist.lacking"), tuple(_lacking(found)), "missing"),
        Section(say("papers.checklist.sources"), tuple(_sources(items)), "sources"),
    )
    title = say("papers.checklist.title", state=state)
    return Paper(
        "checklist", title, about(compile_game(sheet)), identity(sheet, "checklist"), sections
    )


class _Answer:
    """What a packet answers to an item: where it stands, and whether that is enough."""

    def __init__(
        self, item: ChecklistItem, sheet: Sheet, state: str, papers: Mapping[str, Paper]
    ) -> None:
        self.item = item
        self._where = tuple(dict.fromkeys(_where(papers, item, sheet)))
        self._breach = _breach(item, sheet, state)
        self._idle = bool(item.limit) and not _limits(item, sheet)

    @property
    def unchecked(self) -> bool:
        """Whether the text of the rule was not found, so that nothing can be judged by it."""
        return self.item.unchecked

    @property
    def missing(self) -> bool:
        return not (self._where or self._idle or self.unchecked)

    @property
    def otherwise(self) -> bool:
        """Whether it stands there, and is not what the state asks for."""
        return self._breach is not None and not self.missing

    @property
    def told(self) -> Sentence:
        if self.unchecked:
            return say("papers.checklist.unchecked")
        if self._idle:
            return say("papers.checklist.no-limit", per=self.item.limit)
        if self.missing:
            return _absent(self.item)
        broken = {"broken": self.otherwise, "why": self._breach or ""}
        return say("papers.checklist.where", places=self._where, **broken)


def _lacking(found: list[_Answer]) -> Iterator[Paragraph]:
    """The numbers of items that are missing, not as asked, or not checked."""
    missing = [str(number) for number, item in enumerate(found, start=1) if item.missing]
    unchecked = [str(number) for number, item in enumerate(found, start=1) if item.unchecked]
    if len(unchecked) < len(found):
        details = {"count": len(missing), "numbers": tuple(missing), "unchecked": bool(unchecked)}
        yield Paragraph(say("papers.checklist.missing", **details), "missing")
    if other := [str(number) for number, item in enumerate(found, start=1) if item.otherwise]:
        text = say("papers.checklist.otherwise", count=len(other), numbers=tuple(other))
        yield Paragraph(text, "otherwise")
    if unchecked:
        text = say("papers.checklist.not-checked", count=len(unchecked), numbers=tuple(unchecked))
        yield Paragraph(text, "unchecked")


def _limits(item: ChecklistItem, sheet: Sheet) -> list[int]:
    """The limits that an item speaks of, by their places in the sheet."""
    return [place for place, one in enumerate(sheet.limits) if one.per == item.limit]


def _breach(item: ChecklistItem, sheet: Sheet, name: str) -> str | None:
    """How a limit breaks the state's rule: as the sheet declares it, or in the rule's own words."""
    state = state_of(name)
    for place, field, why in breaches(sheet, state) if state and item.broken else ():
        if field == item.broken:
            return sheet.limits[place].departs or why
    return None


def _absent(item: ChecklistItem) -> Sentence:
    field = item.field.replace(".", "-")
    return say("papers.checklist.field", field=field) if field else _to_add(item)


def _to_add(item: ChecklistItem) -> Sentence:
    return say("papers.checklist.absent", asked=bool(item.at))


def _sources(items: tuple[ChecklistItem, ...]) -> Iterator[Paragraph]:
    found: dict[str, list[str]] = {}
    for number, item in enumerate(items, start=1):
        found.setdefault(item.source, []).append(str(number))
    for source, numbers in found.items():
        text = say("papers.checklist.source", numbers=tuple(numbers), source=source)
        yield Paragraph(text, f"source {numbers[0]}", kind="remark")


def _where(papers: Mapping[str, Paper], item: ChecklistItem, sheet: Sheet) -> Iterator[Sentence]:
    """Where an item stands; nowhere while the sheet lacks the field that it comes from."""
    if item.field and not _has(sheet, item.field):
        return
    for place in _places(item, sheet):
        name, _, part = place.partition(" ")
        if (paper := papers.get(name)) is not None:
            yield from filter(None, (_cited(paper, one) for one in _parts(paper, part)))


def _parts(paper: Paper, part: str) -> Iterator[str]:
    """A part of a paper; every section whose key begins so, where it ends in a star."""
    if part.endswith("*"):
        yield from (one.key for one in paper.sections if one.key.startswith(part[:-1]))
    else:
        yield part


def _places(item: ChecklistItem, sheet: Sheet) -> Iterator[str]:
    """Places in papers; of an item on limits, one for each of those."""
    for place in item.at:
        yield from (f"{place}[{one}]" for one in _limits(item, sheet)) if item.limit else (place,)


def _has(sheet: Sheet, field: str) -> bool:
    if field == "house.approval":
        return current_approval(sheet) is not None
    part: Any = sheet
    for name in field.split("."):
        part = getattr(part, name, None)
    return part is not None


def _cited(paper: Paper, part: str) -> Sentence | None:
    """A section by its key, or a paragraph by its key or its clause, as a reader finds it."""
    keys = [one.key for one in paper.sections]
    if part in keys:
        return _place(paper, keys.index(part), str(keys.index(part) + 1))
    found = next(_standing(paper, part), None)
    return _place(paper, keys.index(found.section), found.number) if found else None


def _standing(paper: Paper, part: str) -> Iterator[Numbered]:
    """Paragraphs by a key, or by a clause: the notice that is posted of it before the rules."""
    clause = part.removeprefix("clause ") if part.startswith("clause ") else None
    every = sorted(numbered(paper), key=lambda one: one.section != "notices")
    for one in every:
        if one.block.key == part or clause in getattr(one.block, "clauses", ()):
            yield one


def _place(paper: Paper, section: int, number: str) -> Sentence:
    """By number where the paper has numbers, else by what stands over the place."""
    title = paper.sections[section].heading
    by = "number" if paper.has_numbers else "part" if title else "paper"
    return say("papers.checklist.place", title=paper.title, by=by, number=number, part=title)
