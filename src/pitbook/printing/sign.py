"""The sign at the table: limits and caps, in letters that can be read from a chair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pitbook.printing.content import Paper, Paragraph, Section, Table
from pitbook.printing.page_texts import identity
from pitbook.rules.game import compile_game
from pitbook.sheets.assumptions import assumed_of_rule, assumed_share, mark_assumption
from pitbook.sheets.model import Sheet, Stake
from pitbook.sheets.prose import RuleText, rule_texts
from pitbook.text import capital, say


def limits_table(sheet: Sheet) -> Table:
    """Minimum, maximum and increment of every wager made before the deal."""
    stakes: list[tuple[str, Stake]] = [(sheet.main_wager.title, sheet.main_wager)]
    stakes += [(side.title, side.stake) for side in sheet.side.values()]
    rows = tuple(
        (title, *(_amount(stake, field) for field in ("min", "max", "step")))
        for title, stake in stakes
    )
    head = tuple(
        say("papers.sign.head", column=column) for column in ("wager", "min", "max", "step")
    )
    clauses = tuple(dict.fromkeys(stake.clause for _, stake in stakes))
    return Table(say("papers.sign.limits"), head, rows, "lrrr", "limits", clauses)


def _amount(stake: Stake, field: str) -> str:
    amount = say("papers.money", amount=getattr(stake, field))
    return mark_assumption(amount, assumed_of_rule(stake, field))


def required_wagers(sheet: Sheet) -> Iterator[Paragraph]:
    """Wagers that every player must make, in addition to the main one."""
    game, main = compile_game(sheet), sheet.main_wager
    if equal_wagers := tuple(map(game.wager_title, game.equals)):
        fields = {"wagers": equal_wagers, "many": len(equal_wagers), "title": main.title}
        yield Paragraph(say("papers.sign.along", **fields), "along", (main.clause,))
    required = [side for side in sheet.side.values() if side.stake.required]
    if required:
        titles = tuple(side.title for side in required)
        clauses = tuple(dict.fromkeys(side.stake.clause for side in required))
        text = say("papers.sign.required", titles=titles, many=len(titles))
        yield Paragraph(text, "required", clauses)


def posted_caps(sheet: Sheet) -> Iterator[Paragraph]:
    """Every posted cap, or a statement that there is none."""
    for rule_text in rule_texts(sheet):
        if rule_text.key == "uncapped" or rule_text.key.startswith("limits["):
            place = int(rule_text.key[7:-1]) if rule_text.key.startswith("limits[") else None
            if place is None or sheet.limits[place].posted:
                yield _rule_paragraph(rule_text)


def single_bet_limits(sheet: Sheet) -> Iterator[Paragraph]:
    """The maximum of any single bet, if the sheet has one."""
    yield from (
        _rule_paragraph(rule_text)
        for rule_text in rule_texts(sheet)
        if rule_text.key.startswith("single_bet_max")
    )


def _rule_paragraph(rule_text: RuleText) -> Paragraph:
    text = say("papers.sentence", text=capital(rule_text.sentence))
    return Paragraph(text, rule_text.key, rule_text.clauses, assumed=assumed_share(rule_text))


def sign(sheet: Sheet) -> Paper:
    """The sign: stakes, payout limits and notices."""
    caps = tuple(posted_caps(sheet))
    notices = tuple(
        Paragraph(notice.text, f"notices[{index}]", (notice.clause,))
        for index, notice in enumerate(sheet.notices)
    )
    wager_rules = (*required_wagers(sheet), *single_bet_limits(sheet))
    sections = [Section("", (replace(limits_table(sheet), clauses=()), *wager_rules), "limits")]
    sections += [Section(say("papers.sign.caps"), caps, "caps")] if caps else []
    sections += [Section(say("papers.sign.notices"), notices, "notices")] if notices else []
    return Paper(
        "sign", say("papers.sign.title"), (), identity(sheet, "sign"), tuple(sections), "sign"
    )
