"""State checklists: what a state asks for, where the packet has it, and what is missing."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pitbook.errors import PitbookError
from pitbook.printing.content import (
    NumberedBlock,
    Paper,
    Paragraph,
    Section,
    Table,
    numbered_blocks,
)
from pitbook.printing.page_texts import identity
from pitbook.printing.rules import subtitle
from pitbook.rules.game import compile_game
from pitbook.sheets.hashes import current_approval
from pitbook.sheets.jurisdictions import breaches, state_of
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say
from pitbook.text.user_input import did_you_mean

FILE = Path(__file__).with_name("checklists.toml")


@dataclass(frozen=True)
class ChecklistItem:
    """One requirement of a state."""

    asks: str
    rule: str
    source: str
    at: tuple[str, ...] = ()
    field: str = ""
    limit: str = ""  # "hand" or "round" if the item concerns a payout limit.
    broken: str = ""  # The limit's field that breaks the state's rule.
    unchecked: bool = False  # The text of the rule was not found.


@cache
def checklists() -> Mapping[str, tuple[str, tuple[ChecklistItem, ...]]]:
    """The name and items of each state's checklist, by slug."""
    document = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        slug: (state["name"], tuple(_item(item) for item in state["items"]))
        for slug, state in document.items()
    }


def _item(fields: dict[str, Any]) -> ChecklistItem:
    return ChecklistItem(**{**fields, "at": tuple(fields.get("at", ()))})


def checklist_of(name: str) -> str | None:
    """The checklist's slug for a state's name, code or slug; None if it has no checklist.

    Raises PitbookError if the name is ambiguous.
    """
    slugs = {state.casefold(): slug for slug, (state, _) in checklists().items()}
    folded_name = name.strip().casefold()
    slug_found = slugs.get(folded_name) or (folded_name if folded_name in checklists() else None)
    if slug_found is None and (state := state_of(name)) is not None:
        slug_found = slugs.get(state.name.casefold())
    return slug_found


def require_checklist(name: str) -> str:
    """The checklist's slug for a state; raises PitbookError with a suggestion if there is none."""
    if (slug := checklist_of(name)) is None:
        names = tuple(state for state, _ in checklists().values())
        remedy = did_you_mean(name, names)
        raise PitbookError(say("papers.checklist.none", state=name, remedy=remedy))
    return slug


def checklist(sheet: Sheet, slug: str, papers: Mapping[str, Paper]) -> Paper:
    """A state's checklist, filled in for a packet."""
    state, items = checklists()[slug]
    answers = [_Answer(item, sheet, state, papers) for item in items]
    rows = [
        (str(number), answer.item.asks, answer.item.rule, answer.text)
        for number, answer in enumerate(answers, start=1)
    ]
    head = tuple(
        say("papers.checklist.head", column=column)
        for column in ("number", "asked", "rule", "where")
    )
    table = Table("", head, tuple(rows), "llll", "checklist")
    sections = (
        Section(say("papers.checklist.asked", state=state), (table,), "asked"),
        Section(say("papers.checklist.lacking"), tuple(_unmet_items(answers)), "missing"),
        Section(say("papers.checklist.sources"), tuple(_sources(items)), "sources"),
    )
    title = say("papers.checklist.title", state=state)
    return Paper(
        "checklist", title, subtitle(compile_game(sheet)), identity(sheet, "checklist"), sections
    )


class _Answer:
    """Where a packet covers an item, and whether that satisfies the state."""

    def __init__(
        self, item: ChecklistItem, sheet: Sheet, state: str, papers: Mapping[str, Paper]
    ) -> None:
        self.item = item
        self._where = tuple(dict.fromkeys(_coverage_text(papers, item, sheet)))
        self._breach = _breach_text(item, sheet, state)
        self._idle = bool(item.limit) and not _limits(item, sheet)

    @property
    def unchecked(self) -> bool:
        """Whether the text of the rule was not found, so the item cannot be judged."""
        return self.item.unchecked

    @property
    def missing(self) -> bool:
        return not (self._where or self._idle or self.unchecked)

    @property
    def breaks_rule(self) -> bool:
        """Whether the packet covers the item but breaks the state's rule."""
        return self._breach is not None and not self.missing

    @property
    def text(self) -> Sentence:
        if self.unchecked:
            return say("papers.checklist.unchecked")
        if self._idle:
            return say("papers.checklist.no-limit", per=self.item.limit)
        if self.missing:
            return _describe_absence(self.item)
        broken = {"broken": self.breaks_rule, "why": self._breach or ""}
        return say("papers.checklist.where", places=_by_paper(self._where), **broken)


def _by_paper(places: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """The places with all numbers of one paper together: "Rules of the game, 1, 7 and 8"."""
    grouped: dict[tuple[str, bool, str], list[Sentence]] = {}
    for place in places:
        title, is_numbered = place.fields["title"], place.fields["by"] == "number"
        key = (title, is_numbered, "" if is_numbered else place.fields["part"])
        grouped.setdefault(key, []).append(place)
    return tuple(
        group[0]
        if len(group) == 1
        else say(
            "papers.checklist.places",
            title=title,
            numbers=tuple(place.fields["number"] for place in group),
        )
        for (title, _, _), group in grouped.items()
    )


def _unmet_items(answers: list[_Answer]) -> Iterator[Paragraph]:
    """The numbers of items that are missing, differ from the rule, or are not checked."""
    missing = [str(number) for number, item in enumerate(answers, start=1) if item.missing]
    unchecked = [str(number) for number, item in enumerate(answers, start=1) if item.unchecked]
    if len(unchecked) < len(answers):
        details = {"count": len(missing), "numbers": tuple(missing), "unchecked": bool(unchecked)}
        yield Paragraph(say("papers.checklist.missing", **details), "missing")
    if other := [str(number) for number, item in enumerate(answers, start=1) if item.breaks_rule]:
        text = say("papers.checklist.otherwise", count=len(other), numbers=tuple(other))
        yield Paragraph(text, "otherwise")
    if unchecked:
        text = say("papers.checklist.not-checked", count=len(unchecked), numbers=tuple(unchecked))
        yield Paragraph(text, "unchecked")


def _limits(item: ChecklistItem, sheet: Sheet) -> list[int]:
    """The indexes of the sheet's limits that an item concerns."""
    return [index for index, limit in enumerate(sheet.limits) if limit.per == item.limit]


def _breach_text(item: ChecklistItem, sheet: Sheet, name: str) -> str | None:
    """How a limit breaks the state's rule: the sheet's own declaration, else the rule's words."""
    state = state_of(name)
    for place, field, why in breaches(sheet, state) if state and item.broken else ():
        if field == item.broken:
            return sheet.limits[place].departs or why
    return None


def _describe_absence(item: ChecklistItem) -> Sentence:
    field = item.field.replace(".", "-")
    return say("papers.checklist.field", field=field) if field else _to_add(item)


def _to_add(item: ChecklistItem) -> Sentence:
    return say("papers.checklist.absent", asked=bool(item.at))


def _sources(items: tuple[ChecklistItem, ...]) -> Iterator[Paragraph]:
    numbers_by_source: dict[str, list[str]] = {}
    for number, item in enumerate(items, start=1):
        numbers_by_source.setdefault(item.source, []).append(str(number))
    for source, numbers in numbers_by_source.items():
        text = say("papers.checklist.source", numbers=tuple(numbers), source=source)
        yield Paragraph(text, f"source {numbers[0]}", kind="remark")


def _coverage_text(
    papers: Mapping[str, Paper], item: ChecklistItem, sheet: Sheet
) -> Iterator[Sentence]:
    """Where the packet covers an item; nothing if the sheet lacks the field it comes from."""
    if item.field and not _has(sheet, item.field):
        return
    for place in _places(item, sheet):
        name, _, part = place.partition(" ")
        if (paper := papers.get(name)) is not None:
            yield from filter(None, (_locate(paper, key) for key in _parts(paper, part)))


def _parts(paper: Paper, part: str) -> Iterator[str]:
    """The section's key; with a trailing star, every section key that starts so."""
    if part.endswith("*"):
        yield from (section.key for section in paper.sections if section.key.startswith(part[:-1]))
    else:
        yield part


def _places(item: ChecklistItem, sheet: Sheet) -> Iterator[str]:
    """Places in papers; for an item on limits, one per limit."""
    for place in item.at:
        yield from (
            (f"{place}[{index}]" for index in _limits(item, sheet)) if item.limit else (place,)
        )


def _has(sheet: Sheet, field: str) -> bool:
    if field == "house.approval":
        return current_approval(sheet) is not None
    part: Any = sheet
    for name in field.split("."):
        part = getattr(part, name, None)
    return part is not None


def _locate(paper: Paper, part: str) -> Sentence | None:
    """A section by its key, or a paragraph by its key or clause, as a reader finds it."""
    keys = [section.key for section in paper.sections]
    if part in keys:
        return _place(paper, keys.index(part), str(keys.index(part) + 1))
    match = next(_matching_blocks(paper, part), None)
    return _place(paper, keys.index(match.section), match.number) if match else None


def _matching_blocks(paper: Paper, part: str) -> Iterator[NumberedBlock]:
    """Paragraphs with a key or a clause; posted notices come last."""
    clause = part.removeprefix("clause ") if part.startswith("clause ") else None
    candidates = sorted(
        numbered_blocks(paper), key=lambda candidate: candidate.section != "notices"
    )
    for candidate in candidates:
        if candidate.block.key == part or clause in getattr(candidate.block, "clauses", ()):
            yield candidate


def _place(paper: Paper, section: int, number: str) -> Sentence:
    """The place by its number if the paper has numbers, else by its heading."""
    title = paper.sections[section].heading
    by = "number" if paper.has_numbers else "part" if title else "paper"
    return say("papers.checklist.place", title=paper.title, by=by, number=number, part=title)
