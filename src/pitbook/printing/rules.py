"""The rules of a game as a paper, in the outline of a state's code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from pitbook.printing.content import (
    Block,
    Paper,
    Paragraph,
    Section,
    Signatures,
    SmallTables,
    margin,
    numbered_blocks,
)
from pitbook.printing.deal_steps import steps
from pitbook.printing.definitions import hands, has_straights, words
from pitbook.printing.page_texts import identity
from pitbook.printing.pay_tables import pay_tables_of, unlisted_hands
from pitbook.printing.worked_examples import cap_examples, examples
from pitbook.rules.game import Game, Stage, compile_game
from pitbook.sheets.assumptions import assumed_of_rule, assumed_share, mark_assumption
from pitbook.sheets.clauses import clause_texts, is_general, location
from pitbook.sheets.field_types import Rule
from pitbook.sheets.hashes import approval_status, current_approval
from pitbook.sheets.model import Sheet, Stake
from pitbook.sheets.prose import RuleText, general_procedures, rule_texts
from pitbook.sheets.provenance import combine
from pitbook.text import Sentence, capital, say


def effective_rules(game: Game) -> list[RuleText]:
    """A sheet's rules, without those that can never apply."""
    return [rule_text for rule_text in rule_texts(game.sheet) if not _is_idle(rule_text, game)]


def _is_idle(rule_text: RuleText, game: Game) -> bool:
    if rule_text.key == "payouts.share_ties":  # Only a limit per round is shared.
        return not any(limit.per == "round" for limit in game.sheet.limits)
    return rule_text.key.endswith("_when_all_fold") and not _board_dealt_after_folds(game)


def _board_dealt_after_folds(game: Game) -> bool:
    """Whether hidden common cards are still turned after every player has folded."""
    board_needed = game.board_always or any(game_wager.survives for game_wager in game.wager_rules)
    return board_needed and any(
        _has_hidden_cards(game, stage) for stage in game.stages if _can_fold(stage)
    )


def _can_fold(stage: Stage) -> bool:
    return any(play.folds for play in stage.plays)


def _has_hidden_cards(game: Game, stage: Stage) -> bool:
    piles = zip(game.places[1:], stage.opens[1:], strict=True)
    return any(opened < place.cards - place.later for place, opened in piles)


# The headings of rules in each section. Procedures, notices and best play
# (which is mathematics) have sections of their own.
HEADINGS = {
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
TABLE_RULES = ("equipment", "house.chips.values", "house.currency")
DEFINITIONS = ("title", "house.venue", "main")
OBJECT = ("play.against", "play.clause", "hands.cards")
PROCEDURES = ("inspection", "shuffle", "cut", "burn", "signals")
FOR_COMPARISON = ("Play",)  # In these, rules without a label only repeat those with one.


def rules(sheet: Sheet) -> Paper:
    """The rules of the game, from definitions to the approval."""
    game = compile_game(sheet)
    texts = effective_rules(game)
    steps_ = list(steps(game, texts))
    texts = [rule_text for rule_text in texts if not _is_covered_elsewhere(rule_text, game, steps_)]
    parts = [
        _section("object", _rules_by_key(sheet, texts, OBJECT)),
        _section(
            "definitions",
            [
                *_rules_by_key(sheet, texts, DEFINITIONS),
                *_section_rules(sheet, texts, "definitions"),
            ],
        ),
        _section(
            "table",
            [*_section_rules(sheet, texts, "table"), *_rules_by_key(sheet, texts, TABLE_RULES)],
        ),
        _section("cards", [*_section_rules(sheet, texts, "cards"), *_missing_procedures(sheet)]),
        _section("wagers", _section_rules(sheet, texts, "wagers")),
        _section("deal", steps_),
        _section("decisions", _section_rules(sheet, texts, "decisions")),
        _section("settlement", _section_rules(sheet, texts, "settlement")),
        _section("pays", [*_pays(game, texts), *hands(game, texts)]),
        _section("caps", [*_section_rules(sheet, texts, "caps"), *cap_examples(game)]),
        _section("examples", examples(game)),
        _section(
            "irregularities",
            [*_section_rules(sheet, texts, "irregularities"), *_general_procedures(sheet)],
        ),
        _section("notices", _notices(sheet, texts)),
        _section("approval", _approval(sheet, texts)),
    ]
    sections = [section for section in parts if section.blocks]
    sections = [
        _add_explanations(sheet, section, sections) if section.key == "definitions" else section
        for section in sections
    ]
    paper = Paper(
        "rules",
        say("papers.rules.title"),
        subtitle(game),
        identity(sheet, "rules"),
        tuple(sections),
    )
    return _add_annex(_add_reasons(paper))


def _pays(game: Game, texts: list[RuleText]) -> Iterator[Block]:
    yield pay_tables_of(game.sheet)
    yield from _section_rules(game.sheet, texts, "pays")
    yield from unlisted_hands(game)


def _is_covered_elsewhere(rule_text: RuleText, game: Game, deal_steps: list[Paragraph]) -> bool:
    """Whether a rule repeats a step of the deal, or concerns straights in a game without any."""
    if rule_text.key == "payouts.ace_in_straights":
        return not has_straights(game)
    if rule_text.key == "procedures.discard":  # The last step of the deal.
        return True
    return any(step.key == f"step {rule_text.key}" for step in deal_steps)


def _add_explanations(sheet: Sheet, section: Section, sections: list[Section]) -> Section:
    """A section with what a reader needs to know first."""
    return replace(section, blocks=(*section.blocks, *_explanations(sheet, sections)))


def _explanations(sheet: Sheet, sections: list[Section]) -> Iterator[Block]:
    """What a reader needs to know: defined words, the margin and the daggers."""
    if table := words(sections, (sheet.main_wager.title,)):
        yield table
    paragraphs = [
        block for part in sections for block in part.blocks if isinstance(block, Paragraph)
    ]
    general = any(is_general(clause) for block in paragraphs for clause in block.clauses)
    marked = any(block.assumed != "none" for block in paragraphs)
    text = say("papers.rules.margin", general=general, marked=marked)
    if any(block.clauses for block in paragraphs):
        yield Paragraph(text, "margin", kind="remark")


def _add_reasons(paper: Paper) -> Paper:
    """The paper with our reasons before the approval, numbered like their paragraphs."""
    *before, last = paper.sections
    reasons_section = Section(say("papers.section", part="reasons"), (), "reasons")
    paragraphs = tuple(_reasons(replace(paper, sections=(*before, reasons_section, last))))
    if not paragraphs:
        return paper
    reasons = (Paragraph(say("papers.rules.reasons"), "reasons", kind="remark"), *paragraphs)
    return replace(paper, sections=(*before, replace(reasons_section, blocks=reasons), last))


def _add_annex(paper: Paper) -> Paper:
    """The paper with an annex of every clause that it cites or names: its place and wording."""
    blocks = [part for section in paper.sections for part in _parts(section)]
    cited = {clause for block in blocks for clause in getattr(block, "clauses", ())}
    if not cited:
        return paper
    texts = [block.text for block in blocks if isinstance(block, Paragraph)]
    while named := _named_clauses(texts) - cited:
        cited |= named
        texts = [clause_texts()[clause].text for clause in named]
    entries = tuple(map(_annex_entry, sorted(cited, key=_clause_order)))
    note = Paragraph(say("papers.rules.annex"), "annex", kind="remark")
    annex = Section(say("papers.section", part="annex"), (note, *entries), "annex")
    return replace(paper, sections=(*paper.sections, annex))


def _named_clauses(texts: Iterable[str]) -> set[str]:
    """The clauses that texts name, such as "(GEN-12)"."""
    matches = (match for text in texts for match in re.findall(r"\b[A-Z]{3}-\d+\b", text))
    return {clause for clause in matches if clause in clause_texts()}


def _parts(section: Section) -> Iterator[Block]:
    for block in section.blocks:
        yield from block.tables if isinstance(block, SmallTables) else (block,)


def _clause_order(clause: str) -> tuple[bool, list[tuple[int, str]]]:
    """General clauses last, and numbers in numerical order."""
    parts = re.findall(r"\d+|\D+", clause)
    return is_general(clause), [(int(part) if part.isdigit() else 0, part) for part in parts]


def _annex_entry(clause: str) -> Paragraph:
    entry = clause_texts().get(clause)
    text = say(
        "papers.rules.annex-entry",
        kind=_annex_kind(clause),
        place=margin(clause),
        text=entry.text if entry else "",
    )
    return Paragraph(text, f"clause {clause}", kind="remark", lead=clause, verbatim=True)


def _annex_kind(clause: str) -> str:
    entry = clause_texts().get(clause)
    if entry is None:
        return "unlisted"
    if entry.ours:
        return "general"
    return "unplaced" if location(clause) == clause and "gap" in entry.mark else "cited"


def subtitle(game: Game) -> tuple[str, ...]:
    """Two lines under the title: cards and seats, then the stakes."""
    sheet = game.sheet
    stakes: list[tuple[str, Stake]] = [(sheet.main_wager.title, sheet.main_wager)]
    stakes += [(side.title, side.stake) for side in sheet.side.values()]
    lines = tuple(_stake_text(game, title, stake) for title, stake in stakes)
    cards = say("papers.about.cards", decks=sheet.deck.decks, seats=sheet.seats.count)
    assumed = combine((assumed_of_rule(sheet.deck, "decks"), assumed_of_rule(sheet.seats, "count")))
    return mark_assumption(capital(cards), assumed), say("papers.about.stakes", stakes=lines)


def _stake_text(game: Game, title: str, stake: Stake) -> str:
    """The allowed stake; for the main wager, with the equal wagers placed along with it."""
    equal_wagers = tuple(
        map(game.wager_title, game.equals if stake is game.sheet.main_wager else ())
    )
    fields = {"title": title, "least": stake.min, "most": stake.max}
    text = say("papers.stake", **fields, along=len(equal_wagers), wagers=equal_wagers)
    return mark_assumption(text, assumed_of_rule(stake, "min", "max"))


def rule_paragraph(rule_text: RuleText, sheet: Sheet) -> Paragraph:
    """A rule as a paragraph, with its clauses and our reasons."""
    lead = rule_text.label if rule_text.label and rule_text.key.rpartition(" ")[0] else ""
    text = _led_text(rule_text) if lead else _paper_text(rule_text)
    stated_in = () if rule_text.clauses else tuple(_rules_of_fields(sheet, rule_text))
    shares = (assumed_of_rule(rule, field) for rule, field in stated_in)
    assumed = (
        combine(shares)
        if stated_in
        else assumed_share(rule_text, short_form=bool(lead and rule_text.short))
    )
    return Paragraph(
        say("papers.sentence", text=capital(text)),
        key=rule_text.key,
        clauses=rule_text.clauses or tuple(dict.fromkeys(rule.clause for rule, _ in stated_in)),
        notes=rule_text.notes,
        lead=say("papers.lead", label=lead) if lead else "",
        kind="remark" if rule_text.key == "effective" and sheet.effective is None else "rule",
        assumed=assumed,
    )


def _led_text(rule_text: RuleText) -> str:
    """The text after a decision's or a procedure's name."""
    if rule_text.decides:
        return say("papers.rules.decision", rule=rule_text.guest)
    return rule_text.short or rule_text.sentence


def _paper_text(rule_text: RuleText) -> str:
    """A rule's text for paper, without the ids of the sheet's fields."""
    if not isinstance(rule_text.says, Sentence):
        return rule_text.sentence
    key, fields = rule_text.says.key, rule_text.says.fields
    if key == "aloud.wagers.side.says":
        return say("papers.rules.side", title=fields["title"])
    if key == "aloud.variants.says":
        titles = tuple(title.fields["title"] for title in fields["titles"])
        return say("papers.rules.variants", titles=titles)
    return rule_text.sentence


def _rules_of_fields(sheet: Sheet, rule_text: RuleText) -> Iterator[tuple[Rule, str]]:
    """The rules that contain a text's fields, each with the field."""
    for path in rule_text.paths:
        part, rule, field = cast(Any, sheet), None, ""
        for name in path:
            field = str(name) if part is rule else field
            part = part[name] if isinstance(part, Mapping) else getattr(part, str(name), None)
            rule = part if isinstance(part, Rule) else rule
        if rule is not None:
            yield rule, field


def _section(key: str, blocks: Iterable[Block]) -> Section:
    return Section(say("papers.section", part=key), tuple(blocks), key)


def _section_rules(sheet: Sheet, texts: list[RuleText], place: str) -> Iterator[Paragraph]:
    """The rules of a section."""
    headings = HEADINGS[place]
    for rule_text in texts:
        name = rule_text.heading.fields["heading"]
        if name not in headings or rule_text.key in (*OBJECT, *DEFINITIONS, *TABLE_RULES):
            continue
        if (rule_text.label is None and name in FOR_COMPARISON) or _only_names_field(rule_text):
            continue
        yield from rule_paragraphs(sheet, rule_text)


def _only_names_field(rule_text: RuleText) -> bool:
    """Whether a rule only gives a wager's name, which other paragraphs already use."""
    return (
        rule_text.label is None
        and rule_text.heading.fields["heading"] == "Wagers"
        and _is_title_rule(rule_text)
    )


def _is_title_rule(rule_text: RuleText) -> bool:
    return any(path[-1:] == ("title",) and path[0] not in DEFINITIONS for path in rule_text.paths)


def _missing_procedures(sheet: Sheet) -> Iterator[Paragraph]:
    """Procedures that a commission looks for and the sheet lacks."""
    procedures = {name: getattr(sheet.procedures, name, None) for name in PROCEDURES}
    parts = [
        say("papers.rules.procedure", procedure=name)
        for name, stated in procedures.items()
        if not stated
    ]
    if parts:
        text = say("papers.rules.silent", parts=tuple(parts))
        yield Paragraph(text, "procedures silent", kind="remark")


def _general_procedures(sheet: Sheet) -> Iterator[Paragraph]:
    """General procedures that are assumed if the sheet states none."""
    for rule_text in general_procedures(sheet):
        text, key = rule_text.card_text, f"{rule_text.key}[1]"
        yield Paragraph(text, key, rule_text.clauses, assumed=rule_text.ours)


def rule_paragraphs(sheet: Sheet, rule_text: RuleText) -> Iterator[Paragraph]:
    """One paragraph for a rule; one per step for a procedure."""
    if rule_text.key.startswith("procedures."):
        rule = getattr(sheet.procedures, rule_text.key.removeprefix("procedures."))
        for number, step in enumerate(rule.steps, start=1):
            key, notes = f"{rule_text.key}[{number}]", rule_text.notes if number == 1 else ()
            lead = say("papers.lead", label=rule_text.label or "") if number == 1 else ""
            yield Paragraph(
                step, key, rule_text.clauses, notes, lead, assumed=assumed_share(rule_text)
            )
        return
    yield rule_paragraph(rule_text, sheet)


def _hidden_keys(sheet: Sheet) -> tuple[str, ...]:
    """Keys left out: rules that belong to no particular casino have no venue."""
    return ("house.venue",) if sheet.house.jurisdiction == "any" else ()


def _rules_by_key(
    sheet: Sheet, texts: list[RuleText], keys: tuple[str, ...]
) -> Iterator[Paragraph]:
    by_key = {
        rule_text.key: rule_text for rule_text in texts if rule_text.key not in _hidden_keys(sheet)
    }
    yield from (rule_paragraph(by_key[key], sheet) for key in keys if key in by_key)


def _notices(sheet: Sheet, texts: list[RuleText]) -> Iterator[Paragraph]:
    for limit in (rule_text for rule_text in texts if rule_text.key.startswith("limits[")):
        index = int(limit.key[7:-1])
        if sheet.limits[index].posted:
            text = say("papers.notices.limit", text=capital(limit.sentence))
            posted = assumed_of_rule(sheet.limits[index], "posted")
            assumed = combine([assumed_share(limit), posted])
            yield Paragraph(text, f"posted.{limit.key}", limit.clauses, assumed=assumed)
    for index, notice in enumerate(sheet.notices):
        notes, assumed = (notice.note,) if notice.note else (), assumed_of_rule(notice)
        yield Paragraph(notice.text, f"notices[{index}]", (notice.clause,), notes, assumed=assumed)


def _approval(sheet: Sheet, texts: list[RuleText]) -> Iterator[Block]:
    draft = approval_status(sheet) == "draft"
    dates = () if draft else ("effective", "history.earlier")
    filing = ("filing.sponsor", "filing.rights", "filing.version")
    for paragraph in _rules_by_key(sheet, texts, (*dates, "house.approval.by", *filing)):
        # A draft does not cite the approval of other rules: the annex would print its date.
        cites = not draft or paragraph.key != "house.approval.by"
        yield paragraph if cites else replace(paragraph, clauses=())
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


def _without_repetition(notes: tuple[str, ...]) -> tuple[str, ...]:
    """The notes without those that another one already contains."""
    unique = tuple(dict.fromkeys(notes))
    return tuple(
        note for note in unique if not any(note in other for other in unique if other != note)
    )


def _reasons(paper: Paper) -> Iterator[Paragraph]:
    """Every note once, with the numbers of the paragraphs that have it."""
    numbers_by_notes: dict[tuple[str, ...], list[str]] = {}
    for cited in numbered_blocks(paper):
        if notes := _without_repetition(getattr(cited.block, "notes", ())):
            numbers_by_notes.setdefault(notes, []).append(cited.number)
    for notes, numbers in numbers_by_notes.items():
        fields = {"numbers": tuple(numbers), "notes": notes}
        yield Paragraph(say("papers.reason", **fields), kind="remark", key=f"note {numbers[0]}")
