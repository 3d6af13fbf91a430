"""The dealer's procedure card: the deal step by step, what is paid, and irregularities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pitbook.papers.content import Block, Paper, Paragraph, Section, SmallTables
from pitbook.papers.deal_steps import steps
from pitbook.papers.identity import identity
from pitbook.papers.pay_tables import main_settled, no_line, pay_tables_of
from pitbook.papers.rules import about, effective_rules, paragraph
from pitbook.papers.sign import bets_limited, caps_posted
from pitbook.rules.game import Game, compile_game
from pitbook.rules.pricing import Best
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.rule_text import RuleText
from pitbook.text import say


def steps_counted(game: Game, said: list[RuleText], *, laid: bool) -> list[Paragraph]:
    """The deal; before hands are settled, how they are counted, and laid where that is asked."""
    own = [one for one in said if _counts(one, game) or (laid and one.key.endswith("_laid"))]
    told = list(steps(game, said))
    settled = next(place for place, one in enumerate(told) if one.key.startswith("step settle"))
    told[settled:settled] = [paragraph(one, game.sheet) for one in own]
    return [replace(one, notes=()) for one in told]


def sides_counted(game: Game, said: Iterable[RuleText]) -> Iterator[Paragraph]:
    """What a side wager counts, where the lines of its pay table alone do not say it."""
    for one in said:
        beside = one.heading.fields["heading"] == "Pay table" and one.label is not None
        if beside and one.key.startswith("side."):
            yield replace(paragraph(one, game.sheet), notes=())


def _counts(one: RuleText, game: Game) -> bool:
    """What cards count, and which of them make a hand where not all of them do."""
    return one.key.startswith("points.") or (one.key == "hands.cards" and _chosen(game))


def _chosen(game: Game) -> bool:
    """Whether a hand that is compared is the best of more cards than it has."""
    return any(
        isinstance(one.ranking, Best)
        and sum(game.places[place].cards for place in one.places) > one.ranking.cards
        for one in game.hands
    )


def dealer_card(sheet: Sheet) -> Paper:
    """What a dealer has beside the shoe."""
    game = compile_game(sheet)
    said = effective_rules(game)
    sections = [
        Section(
            say("papers.section", part="deal"), tuple(steps_counted(game, said, laid=True)), "deal"
        ),
        Section(say("papers.section", part="pays"), _pays(game, said), "pays"),
        Section(
            say("papers.section", part="limits"),
            (*bets_limited(sheet), *caps_posted(sheet)),
            "caps",
        ),
        _spoken("fold", sheet, [one for one in said if _under(one, "Fold")]),
        _spoken("irregularities", sheet, [one for one in said if _under(one, "Irregularities")]),
    ]
    made = tuple(one for one in sections if one.blocks)
    title = say("papers.dealer.title")
    return Paper("dealer-card", title, about(game), identity(sheet, "dealer-card"), made, "card")


def _under(one: RuleText, heading: str) -> bool:
    return one.heading.fields["heading"] == heading and one.label is not None


def _spoken(part: str, sheet: Sheet, said: list[RuleText]) -> Section:
    """Spoken rules as a section of the card; the reasons stand in the rules."""
    blocks = tuple(replace(paragraph(one, sheet), notes=()) for one in said)
    return Section(say("papers.section", part=part), blocks, part)


def _pays(game: Game, said: list[RuleText]) -> tuple[Block, ...]:
    sheet = game.sheet
    tables = tuple(replace(one, notes=()) for one in pay_tables_of(sheet).tables)
    return (
        SmallTables(tables),
        *main_settled(sheet, said),
        *sides_counted(game, said),
        *no_line(game),
    )
