"""The dealer's procedure card: the deal step by step, what is paid, and what if."""

from __future__ import annotations

from dataclasses import replace

from pitbook.games import bind
from pitbook.papers.cards.limits import bets_limited, caps_posted
from pitbook.papers.content import Block, Paper, Section, Tables
from pitbook.papers.identity import identity
from pitbook.papers.pay_tables import main_settled, pay_tables_of
from pitbook.papers.rules.paper import about, paragraph
from pitbook.papers.rules.steps import steps
from pitbook.sheets.aloud import Saying, sayings
from pitbook.sheets.model import Sheet
from pitbook.wording import say

__all__ = ["dealer_card"]


def dealer_card(sheet: Sheet) -> Paper:
    """What a dealer has beside the shoe."""
    game, said = bind(sheet), list(sayings(sheet))
    wrong = tuple(
        replace(paragraph(one, sheet), notes=())
        for one in said
        if one.heading.fields["heading"] == "Irregularities"
    )
    sections = [
        Section(say("papers.section", part="deal"), tuple(steps(game, said)), "deal"),
        Section(say("papers.section", part="pays"), _pays(sheet, said), "pays"),
        Section(
            say("papers.section", part="limits"),
            (*bets_limited(sheet), *caps_posted(sheet)),
            "caps",
        ),
        Section(say("papers.section", part="irregularities"), wrong, "irregularities"),
    ]
    made = tuple(one for one in sections if one.blocks)
    title = say("papers.dealer.title")
    return Paper("dealer-card", title, about(game), identity(sheet), made, "card")


def _pays(sheet: Sheet, said: list[Saying]) -> tuple[Block, ...]:
    tables = tuple(replace(one, notes=()) for one in pay_tables_of(sheet).tables)
    return Tables(tables), *main_settled(sheet, said)
