"""The rules of a game as a paper: every rule that its sheet says aloud, in a lawyer's order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from pitbook.game.description import Game
from pitbook.games import bind
from pitbook.papers.content import Block, Paper, Paragraph, Section, Signatures, numbered
from pitbook.papers.identity import identity
from pitbook.papers.pay_tables import pay_tables_of
from pitbook.papers.rules.examples import examples
from pitbook.papers.rules.steps import steps
from pitbook.papers.rules.worked import worked
from pitbook.sheets.aloud import Saying, capital, sayings
from pitbook.sheets.model import Sheet, Stake
from pitbook.sheets.values import Rule
from pitbook.wording import Sentence, say

__all__ = ["about", "paragraph", "rules"]

# Where each heading of the spoken rules stands. What is said of procedures and notices, and best
# play, which is mathematics, have places of their own.
PLACES = {
    "definitions": ("Side wagers",),
    "table": ("Seats",),
    "cards": ("Cards",),
    "wagers": ("Wagers",),
    "decisions": ("Play", "Fold"),
    "settlement": ("Settlement", "Payouts"),
    "pays": ("Pay table",),
    "caps": ("Limits",),
    "irregularities": ("Irregularities",),
}
AT_THE_TABLE = ("equipment", "house.chips.values", "house.currency")
DEFINED = ("title", "house.venue", "house.jurisdiction", "main")
FOR_COMPARISON = ("Play",)  # There, what has no label only repeats what has one.


def rules(sheet: Sheet) -> Paper:
    """The rules of the game, from definitions to the approval."""
    game, said = bind(sheet), list(sayings(sheet))
    parts = [
        _section("definitions", [*_spoken(sheet, said, DEFINED), *_of(sheet, said, "definitions")]),
        _section("table", [*_of(sheet, said, "table"), *_spoken(sheet, said, AT_THE_TABLE)]),
        _section("cards", _of(sheet, said, "cards")),
        _section("wagers", _of(sheet, said, "wagers")),
        _section("deal", steps(game, said)),
        _section("decisions", _of(sheet, said, "decisions")),
        _section("settlement", _of(sheet, said, "settlement")),
        _section("pays", [pay_tables_of(sheet), *_of(sheet, said, "pays")]),
        _section("caps", [*_of(sheet, said, "caps"), *worked(game)]),
        _section("examples", examples(game)),
        _section("irregularities", _of(sheet, said, "irregularities")),
        _section("notices", _notices(sheet, said)),
        _section("approval", _approval(sheet, said)),
    ]
    made = [one for one in parts if one.blocks]
    paper = Paper("rules", say("papers.rules.title"), about(game), identity(sheet), tuple(made))
    reasons = tuple(_reasons(paper))
    if not reasons:
        return paper
    told = Section(say("papers.section", part="reasons"), reasons, "reasons")
    return Paper(paper.id, paper.title, paper.about, paper.identity, (*made[:-1], told, made[-1]))


def about(game: Game) -> tuple[Sentence, ...]:
    """Two lines under the title: cards and seats, then what may be wagered."""
    sheet = game.sheet
    stakes: list[tuple[str, Stake]] = [(sheet.main_wager.title, sheet.main_wager)]
    stakes += [(one.title, one.stake) for one in sheet.side.values()]
    lines = tuple(
        say("papers.stake", title=title, least=one.min, most=one.max) for title, one in stakes
    )
    cards = say("papers.about.cards", decks=sheet.deck.decks, seats=sheet.seats.count)
    return cards, say("papers.about.stakes", stakes=lines)


def paragraph(one: Saying, sheet: Sheet) -> Paragraph:
    """A spoken rule as a paragraph of its own, with its clauses and our reasons."""
    lead = one.label if one.label and one.key.rpartition(" ")[0] else ""
    text = one.short or one.sentence if lead else one.sentence
    return Paragraph(
        say("papers.sentence", text=capital(text)),
        key=one.key,
        clauses=one.clauses or tuple(dict.fromkeys(_clauses(sheet, one))),
        notes=one.notes,
        lead=say("papers.lead", label=lead) if lead else "",
    )


def _clauses(sheet: Sheet, one: Saying) -> Iterator[str]:
    """The clauses of the rules that a saying's fields stand in."""
    for path in one.paths:
        part, found = cast(Any, sheet), ""
        for name in path:
            part = part[name] if isinstance(part, Mapping) else getattr(part, str(name), None)
            found = part.clause if isinstance(part, Rule) else found
        if found:
            yield found


def _section(key: str, blocks: Iterable[Block]) -> Section:
    return Section(say("papers.section", part=key), tuple(blocks), key)


def _of(sheet: Sheet, said: list[Saying], place: str) -> Iterator[Paragraph]:
    """The spoken rules of a section."""
    headings = PLACES[place]
    for one in said:
        name = one.heading.fields["heading"]
        if name not in headings or one.key in (*DEFINED, *AT_THE_TABLE):
            continue
        if one.label is None and name in FOR_COMPARISON:
            continue
        yield from _paragraphs(sheet, one)


def _paragraphs(sheet: Sheet, one: Saying) -> Iterator[Paragraph]:
    """A rule is one paragraph, a procedure one for each of its steps."""
    if one.key.startswith("procedures."):
        rule = getattr(sheet.procedures, one.key.removeprefix("procedures."))
        for place, step in enumerate(rule.steps, start=1):
            key, notes = f"{one.key}[{place}]", one.notes if place == 1 else ()
            lead = say("papers.lead", label=one.label or "") if place == 1 else ""
            yield Paragraph(step, key, one.clauses, notes, lead)
        return
    yield paragraph(one, sheet)


def _spoken(sheet: Sheet, said: list[Saying], keys: tuple[str, ...]) -> Iterator[Paragraph]:
    by_key = {one.key: one for one in said}
    yield from (paragraph(by_key[key], sheet) for key in keys if key in by_key)


def _notices(sheet: Sheet, said: list[Saying]) -> Iterator[Paragraph]:
    for limit in (one for one in said if one.key.startswith("limits[")):
        place = int(limit.key[7:-1])
        if sheet.limits[place].posted:
            text = say("papers.notices.limit", text=capital(limit.sentence))
            yield Paragraph(text, key=f"posted.{limit.key}", clauses=limit.clauses)
    for place, one in enumerate(sheet.notices):
        notes = (one.note,) if one.note else ()
        yield Paragraph(one.text, f"notices[{place}]", (one.clause,), notes)


def _approval(sheet: Sheet, said: list[Saying]) -> Iterator[Block]:
    keys = ("effective", "history.earlier", "house.approval.by")
    yield from _spoken(sheet, said, (*keys, "filing.sponsor", "filing.rights", "filing.version"))
    source = sheet.source
    text = say("papers.approval.source", document=source.document)
    yield Paragraph(text, key="source", notes=(source.note,) if source.note else ())
    yes = sheet.house.approval
    lines = (
        (say("papers.approval.for", has=bool(yes), by=yes.by if yes else ""), ""),
        (say("papers.approval.name"), ""),
        (say("papers.approval.date"), say("papers.day", day=yes.on) if yes else ""),
    )
    yield Signatures(lines, key="approval")


def _reasons(paper: Paper) -> Iterator[Paragraph]:
    """Every note once, with the paragraphs that it is about."""
    found: dict[str, list[str]] = {}
    for one in numbered(paper):
        for note in getattr(one.block, "notes", ()):
            found.setdefault(note, []).append(one.number)
    for note, numbers in found.items():
        told = {"numbers": tuple(numbers), "note": note}
        yield Paragraph(say("papers.reason", **told), kind="remark", key=f"note {numbers[0]}")
