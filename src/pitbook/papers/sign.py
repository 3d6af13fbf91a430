"""The sign at the table: limits and caps, large enough to be read from a chair."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.papers.assumptions import assumed_of_rule, assumed_share, mark_assumption
from pitbook.papers.content import Paper, Paragraph, Section, Table
from pitbook.papers.identity import identity
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Stake
from pitbook.sheets.prose.rule_text import RuleText
from pitbook.sheets.prose.rules import rule_texts
from pitbook.text import capital, say


def limits_table(sheet: Sheet) -> Table:
    """The smallest and the largest of every wager that is made before the cards."""
    stakes: list[tuple[str, Stake]] = [(sheet.main_wager.title, sheet.main_wager)]
    stakes += [(one.title, one.stake) for one in sheet.side.values()]
    rows = tuple(
        (title, *(_amount(one, field) for field in ("min", "max", "step"))) for title, one in stakes
    )
    head = tuple(say("papers.sign.head", column=one) for one in ("wager", "min", "max", "step"))
    clauses = tuple(dict.fromkeys(one.clause for _, one in stakes))
    return Table(say("papers.sign.limits"), head, rows, "lrrr", "limits", clauses)


def _amount(stake: Stake, field: str) -> str:
    amount = say("papers.money", amount=getattr(stake, field))
    return mark_assumption(amount, assumed_of_rule(stake, field))


def made_together(sheet: Sheet) -> Iterator[Paragraph]:
    """Wagers that nobody is dealt in without, beside the main one."""
    game, main = compile_game(sheet), sheet.main_wager
    if along := tuple(map(game.wager_title, game.equals)):
        told = {"wagers": along, "many": len(along), "title": main.title}
        yield Paragraph(say("papers.sign.along", **told), "along", (main.clause,))
    asked = [one for one in sheet.side.values() if one.stake.required]
    if asked:
        titles = tuple(one.title for one in asked)
        clauses = tuple(dict.fromkeys(one.stake.clause for one in asked))
        text = say("papers.sign.required", titles=titles, many=len(titles))
        yield Paragraph(text, "required", clauses)


def caps_posted(sheet: Sheet) -> Iterator[Paragraph]:
    """Every cap that is posted, or that there is none."""
    for one in rule_texts(sheet):
        if one.key == "uncapped" or one.key.startswith("limits["):
            place = int(one.key[7:-1]) if one.key.startswith("limits[") else None
            if place is None or sheet.limits[place].posted:
                yield _said(one)


def bets_limited(sheet: Sheet) -> Iterator[Paragraph]:
    """The most of any single bet, where a sheet has it."""
    yield from (_said(one) for one in rule_texts(sheet) if one.key.startswith("single_bet_max"))


def _said(one: RuleText) -> Paragraph:
    text = say("papers.sentence", text=capital(one.sentence))
    return Paragraph(text, one.key, one.clauses, assumed=assumed_share(one))


def sign(sheet: Sheet) -> Paper:
    """What may be wagered, what is paid at most, and what else is posted."""
    caps = tuple(caps_posted(sheet))
    notices = tuple(
        Paragraph(one.text, f"notices[{place}]", (one.clause,))
        for place, one in enumerate(sheet.notices)
    )
    made = (*made_together(sheet), *bets_limited(sheet))
    sections = [Section("", (limits_table(sheet), *made), "limits")]
    sections += [Section(say("papers.sign.caps"), caps, "caps")] if caps else []
    sections += [Section(say("papers.sign.notices"), notices, "notices")] if notices else []
    return Paper(
        "sign", say("papers.sign.title"), (), identity(sheet, "sign"), tuple(sections), "sign"
    )
