"""The dealer's procedure card: the deal step by step, what is paid, and what if."""

from __future__ import annotations

from dataclasses import replace

from pitbook.papers.cards.counted import sides_counted, steps_counted
from pitbook.papers.cards.limits import bets_limited, caps_posted
from pitbook.papers.content import Block, Paper, Section, SmallTables
from pitbook.papers.identity import identity
from pitbook.papers.pay_tables import main_settled, no_line, pay_tables_of
from pitbook.papers.rules.idle import sayings_that_decide
from pitbook.papers.rules.paper import about, paragraph
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.aloud import Saying
from pitbook.sheets.model import Sheet
from pitbook.text import say


def dealer_card(sheet: Sheet) -> Paper:
    """What a dealer has beside the shoe."""
    game = compile_game(sheet)
    said = sayings_that_decide(game)
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


def _under(one: Saying, heading: str) -> bool:
    return one.heading.fields["heading"] == heading and one.label is not None


def _spoken(part: str, sheet: Sheet, said: list[Saying]) -> Section:
    """Spoken rules as a section of the card; the reasons stand in the rules."""
    blocks = tuple(replace(paragraph(one, sheet), notes=()) for one in said)
    return Section(say("papers.section", part=part), blocks, part)


def _pays(game: Game, said: list[Saying]) -> tuple[Block, ...]:
    sheet = game.sheet
    tables = tuple(replace(one, notes=()) for one in pay_tables_of(sheet).tables)
    return (
        SmallTables(tables),
        *main_settled(sheet, said),
        *sides_counted(game, said),
        *no_line(game),
    )
