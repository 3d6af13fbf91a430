"""The rules of a game as a paper, in the outline of a state's code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from pitbook.papers.assumptions import assumed_of_rule, assumed_share
from pitbook.papers.content import Block, Paper, Paragraph, Section, Signatures, numbered
from pitbook.papers.deal_steps import steps
from pitbook.papers.definitions import hands, has_straights, words
from pitbook.papers.examples import examples, worked
from pitbook.papers.identity import identity
from pitbook.papers.pay_tables import no_line, pay_tables_of
from pitbook.rules.game import Game, Stage, compile_game
from pitbook.sheets.clauses import is_general
from pitbook.sheets.digest import approval_status, current_approval
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import GENERAL_PROCEDURES, Stake
from pitbook.sheets.prose.rule_text import RuleText
from pitbook.sheets.prose.rules import rule_texts
from pitbook.sheets.provenance import OursShare, combine
from pitbook.sheets.values import Rule
from pitbook.text import Sentence, capital, say


def effective_rules(game: Game) -> list[RuleText]:
    """What a sheet says, without what can never come up."""
    return [one for one in rule_texts(game.sheet) if not _is_idle(one, game)]


def _is_idle(one: RuleText, game: Game) -> bool:
    if one.key == "payouts.share_ties":  # Only a limit on a round is shared between seats.
        return not any(limit.per == "round" for limit in game.sheet.limits)
    return one.key.endswith("_when_all_fold") and not _turned_for_somebody(game)


def _turned_for_somebody(game: Game) -> bool:
    """Whether cards in common lie closed when all have given up, and are turned all the same."""
    asked = game.board_always or any(one.survives for one in game.asked)
    return asked and any(_closed(game, stage) for stage in game.stages if _gives_up(stage))


def _gives_up(stage: Stage) -> bool:
    return any(play.folds for play in stage.plays)


def _closed(game: Game, stage: Stage) -> bool:
    piles = zip(game.places[1:], stage.opens[1:], strict=True)
    return any(opened < place.cards - place.later for place, opened in piles)


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
DEFINED = ("title", "house.venue", "main")
OBJECT = ("play.against", "play.clause", "hands.cards")
PROCEDURES = ("inspection", "shuffle", "cut", "burn", "signals")
FOR_COMPARISON = ("Play",)  # There, what has no label only repeats what has one.


def rules(sheet: Sheet) -> Paper:
    """The rules of the game, from definitions to the approval."""
    game = compile_game(sheet)
    said = effective_rules(game)
    steps_ = list(steps(game, said))
    said = [one for one in said if not _stands_elsewhere(one, game, steps_)]
    parts = [
        _section("object", _spoken(sheet, said, OBJECT)),
        _section("definitions", [*_spoken(sheet, said, DEFINED), *_of(sheet, said, "definitions")]),
        _section("table", [*_of(sheet, said, "table"), *_spoken(sheet, said, AT_THE_TABLE)]),
        _section("cards", [*_of(sheet, said, "cards"), *_silent(sheet)]),
        _section("wagers", _of(sheet, said, "wagers")),
        _section("deal", steps_),
        _section("decisions", _of(sheet, said, "decisions")),
        _section("settlement", _of(sheet, said, "settlement")),
        _section("pays", [*_pays(game, said), *hands(game, said)]),
        _section("caps", [*_of(sheet, said, "caps"), *worked(game)]),
        _section("examples", examples(game)),
        _section(
            "irregularities", [*_of(sheet, said, "irregularities"), *_general_procedures(sheet)]
        ),
        _section("notices", _notices(sheet, said)),
        _section("approval", _approval(sheet, said)),
    ]
    made = [one for one in parts if one.blocks]
    made = [_explained(sheet, one, made) if one.key == "definitions" else one for one in made]
    paper = Paper(
        "rules", say("papers.rules.title"), about(game), identity(sheet, "rules"), tuple(made)
    )
    return _with_reasons(paper)


def _pays(game: Game, said: list[RuleText]) -> Iterator[Block]:
    yield pay_tables_of(game.sheet)
    yield from _of(game.sheet, said, "pays")
    yield from no_line(game)


def _stands_elsewhere(one: RuleText, game: Game, told: list[Paragraph]) -> bool:
    """What is a step of the deal word for word, or about straights where there are none."""
    if one.key == "payouts.ace_in_straights":
        return not has_straights(game)
    if one.key == "procedures.discard":  # The last step of the deal.
        return True
    return any(step.key == f"step {one.key}" for step in told)


def _explained(sheet: Sheet, section: Section, sections: list[Section]) -> Section:
    """A section with what a reader has to know to read the paper."""
    return replace(section, blocks=(*section.blocks, *_read_by(sheet, sections)))


def _read_by(sheet: Sheet, sections: list[Section]) -> Iterator[Block]:
    """What a reader has to know to read the paper: its words, its margin and its stars."""
    if table := words(sections, (sheet.main_wager.title,)):
        yield table
    rules = [one for part in sections for one in part.blocks if isinstance(one, Paragraph)]
    general = any(is_general(clause) for one in rules for clause in one.clauses)
    marked = any(one.assumed != "none" for one in rules)
    text = say("papers.rules.margin", general=general, marked=marked)
    if any(one.clauses for one in rules):
        yield Paragraph(text, "margin", kind="remark")


def _with_reasons(paper: Paper) -> Paper:
    """Our reasons before the approval, by the numbers that paragraphs have beside them."""
    *before, last = paper.sections
    place = Section(say("papers.section", part="reasons"), (), "reasons")
    found = tuple(_reasons(replace(paper, sections=(*before, place, last))))
    if not found:
        return paper
    reasons = (Paragraph(say("papers.rules.reasons"), "reasons", kind="remark"), *found)
    return replace(paper, sections=(*before, replace(place, blocks=reasons), last))


def about(game: Game) -> tuple[str, ...]:
    """Two lines under the title: cards and seats, then what may be wagered."""
    sheet = game.sheet
    stakes: list[tuple[str, Stake]] = [(sheet.main_wager.title, sheet.main_wager)]
    stakes += [(one.title, one.stake) for one in sheet.side.values()]
    lines = tuple(_stake(game, title, one) for title, one in stakes)
    cards = say("papers.about.cards", decks=sheet.deck.decks, seats=sheet.seats.count)
    return capital(cards), say("papers.about.stakes", stakes=lines)


def _stake(game: Game, title: str, stake: Stake) -> Sentence:
    """What may be wagered; the main wager with those that are made along with it."""
    along = tuple(map(game.wager_title, game.equals if stake is game.sheet.main_wager else ()))
    told = {"title": title, "least": stake.min, "most": stake.max}
    return say("papers.stake", **told, along=len(along), wagers=along)


def paragraph(one: RuleText, sheet: Sheet) -> Paragraph:
    """A spoken rule as a paragraph of its own, with its clauses and our reasons."""
    lead = one.label if one.label and one.key.rpartition(" ")[0] else ""
    text = (one.short or one.sentence) if lead else _worded(one)
    stated_in = () if one.clauses else tuple(_rules_of_fields(sheet, one))
    shares = (assumed_of_rule(rule, field) for rule, field in stated_in)
    assumed = (
        combine(shares) if stated_in else assumed_share(one, in_short=bool(lead and one.short))
    )
    return Paragraph(
        say("papers.sentence", text=capital(text)),
        key=one.key,
        clauses=one.clauses or tuple(dict.fromkeys(rule.clause for rule, _ in stated_in)),
        notes=one.notes,
        lead=say("papers.lead", label=lead) if lead else "",
        kind="remark" if one.key == "effective" and sheet.effective is None else "rule",
        assumed=_assumed_date(sheet) if one.key == "effective" else assumed,
    )


def _worded(one: RuleText) -> str:
    """A saying as a paper says it: without the names by which a sheet's fields are called."""
    if not isinstance(one.says, Sentence):
        return one.sentence
    key, told = one.says.key, one.says.fields
    if key == "aloud.wagers.side.says":
        return say("papers.rules.side", title=told["title"])
    if key == "aloud.variants.says":
        titles = tuple(each.fields["title"] for each in told["titles"])
        return say("papers.rules.variants", titles=titles)
    return one.sentence


def _assumed_date(sheet: Sheet) -> OursShare:
    """How much of the first day is assumed: it may be the day of approval, and that a guess."""
    approval = sheet.house.approval
    same = approval is not None and approval.on == sheet.effective
    return assumed_of_rule(approval, "on") if approval and same else "none"


def _rules_of_fields(sheet: Sheet, one: RuleText) -> Iterator[tuple[Rule, str]]:
    """The rules that a saying's fields stand in, each with the field."""
    for path in one.paths:
        part, rule, field = cast(Any, sheet), None, ""
        for name in path:
            field = str(name) if part is rule else field
            part = part[name] if isinstance(part, Mapping) else getattr(part, str(name), None)
            rule = part if isinstance(part, Rule) else rule
        if rule is not None:
            yield rule, field


def _section(key: str, blocks: Iterable[Block]) -> Section:
    return Section(say("papers.section", part=key), tuple(blocks), key)


def _of(sheet: Sheet, said: list[RuleText], place: str) -> Iterator[Paragraph]:
    """The spoken rules of a section."""
    headings = PLACES[place]
    for one in said:
        name = one.heading.fields["heading"]
        if name not in headings or one.key in (*OBJECT, *DEFINED, *AT_THE_TABLE):
            continue
        if (one.label is None and name in FOR_COMPARISON) or _names_a_field(one):
            continue
        yield from _paragraphs(sheet, one)


def _names_a_field(one: RuleText) -> bool:
    """What only says by which name a sheet calls a wager, whose other paragraphs have its title."""
    return one.label is None and one.heading.fields["heading"] == "Wagers" and _titled(one)


def _titled(one: RuleText) -> bool:
    return any(path[-1:] == ("title",) and path[0] not in DEFINED for path in one.paths)


def _silent(sheet: Sheet) -> Iterator[Paragraph]:
    """Which procedures a commission looks for and the sheet does not have."""
    told = {name: getattr(sheet.procedures, name, None) for name in PROCEDURES}
    parts = [say("papers.rules.procedure", procedure=one) for one, has in told.items() if not has]
    if parts:
        text = say("papers.rules.silent", parts=tuple(parts))
        yield Paragraph(text, "procedures silent", kind="remark")


def _general_procedures(sheet: Sheet) -> Iterator[Paragraph]:
    """What is assumed where the sheet does not state a procedure."""
    for name, clause in GENERAL_PROCEDURES.items():
        stated = getattr(sheet.procedures, name, None)
        if stated is None and (name != "malfunction" or sheet.deck.shuffle == "automatic"):
            text = say("papers.rules.general", procedure=name)
            yield Paragraph(text, f"procedures.{name}[1]", (clause,), assumed="all")


def _paragraphs(sheet: Sheet, one: RuleText) -> Iterator[Paragraph]:
    """A rule is one paragraph, a procedure one for each of its steps."""
    if one.key.startswith("procedures."):
        rule = getattr(sheet.procedures, one.key.removeprefix("procedures."))
        for place, step in enumerate(rule.steps, start=1):
            key, notes = f"{one.key}[{place}]", one.notes if place == 1 else ()
            lead = say("papers.lead", label=one.label or "") if place == 1 else ""
            yield Paragraph(step, key, one.clauses, notes, lead, assumed=assumed_share(one))
        return
    yield paragraph(one, sheet)


def _unnamed(sheet: Sheet) -> tuple[str, ...]:
    """The venue of rules that are not a certain house's is not one."""
    return ("house.venue",) if sheet.house.jurisdiction == "any" else ()


def _spoken(sheet: Sheet, said: list[RuleText], keys: tuple[str, ...]) -> Iterator[Paragraph]:
    by_key = {one.key: one for one in said if one.key not in _unnamed(sheet)}
    yield from (paragraph(by_key[key], sheet) for key in keys if key in by_key)


def _notices(sheet: Sheet, said: list[RuleText]) -> Iterator[Paragraph]:
    for limit in (one for one in said if one.key.startswith("limits[")):
        place = int(limit.key[7:-1])
        if sheet.limits[place].posted:
            text = say("papers.notices.limit", text=capital(limit.sentence))
            posted = assumed_of_rule(sheet.limits[place], "posted")
            assumed = combine([assumed_share(limit), posted])
            yield Paragraph(text, f"posted.{limit.key}", limit.clauses, assumed=assumed)
    for place, one in enumerate(sheet.notices):
        notes, assumed = (one.note,) if one.note else (), assumed_of_rule(one)
        yield Paragraph(one.text, f"notices[{place}]", (one.clause,), notes, assumed=assumed)


def _approval(sheet: Sheet, said: list[RuleText]) -> Iterator[Block]:
    draft = approval_status(sheet) == "draft"
    dates = () if draft else ("effective", "history.earlier")
    filing = ("filing.sponsor", "filing.rights", "filing.version")
    yield from _spoken(sheet, said, (*dates, "house.approval.by", *filing))
    if (law := sheet.house.jurisdiction) != "any":
        yield Paragraph(say("papers.approval.law", law=law), "house.jurisdiction", kind="remark")
    source = sheet.source
    text = say("papers.approval.source", document=source.document, draft=draft)
    yield Paragraph(text, "source", notes=(source.note,) if source.note else ())
    approval = current_approval(sheet)
    signed = approval if approval_status(sheet) == "approved" else None
    by = signed.by if signed else ""
    lines = (
        (say("papers.approval.for", has=bool(by), by=by), ""),
        (say("papers.approval.name"), (signed.signatory or "") if signed else ""),
        (say("papers.approval.date"), say("papers.day", day=signed.on) if signed else ""),
    )
    yield Signatures(lines, key="approval")


def _reasons(paper: Paper) -> Iterator[Paragraph]:
    """Every paragraph that has notes once, those together that have the same."""
    found: dict[tuple[str, ...], list[str]] = {}
    for one in numbered(paper):
        if notes := tuple(dict.fromkeys(getattr(one.block, "notes", ()))):
            found.setdefault(notes, []).append(one.number)
    for notes, numbers in found.items():
        told = {"numbers": tuple(numbers), "notes": notes}
        yield Paragraph(say("papers.reason", **told), kind="remark", key=f"note {numbers[0]}")
