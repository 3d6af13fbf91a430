"""The rack card: two panels a side, folded in the middle, to be taken home from the rail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pitbook.games import bind
from pitbook.papers.cards.limits import caps_posted, limits_table
from pitbook.papers.content import Block, Paper, Paragraph, Section
from pitbook.papers.identity import identity
from pitbook.papers.numbers import percent
from pitbook.papers.pay_tables import pay_tables_of
from pitbook.papers.report.measured import Told, measured
from pitbook.papers.report.plays import grid_of
from pitbook.papers.rules.paper import about
from pitbook.papers.rules.steps import steps
from pitbook.sheets.aloud import sayings
from pitbook.sheets.model import Sheet
from pitbook.wording import say

__all__ = ["rack_card"]


def rack_card(sheet: Sheet, told: Told = lambda _: None) -> Paper:
    """Back, front, then both panels inside; a section whose key ends so opens a panel."""
    game = bind(sheet)
    said = list(sayings(sheet))
    play = list(steps(game, said))
    tables = tuple(replace(one, notes=()) for one in pay_tables_of(sheet).tables)
    parts: list[dict[str, Any]] = measured(sheet, told)["strategy"]
    sections = (
        Section("", (limits_table(sheet), *caps_posted(sheet), *_house(sheet, told)), "back/"),
        Section(say("papers.rack.how"), tuple(_brief(play)), "front/"),
        Section(say("papers.rack.pays"), tables[:1], "left/"),
        Section(
            say("papers.rack.side") if tables[1:] else "", (*tables[1:], *_play(parts)), "right/"
        ),
    )
    title = say("papers.rack.title")
    return Paper("rack-card", title, about(game), identity(sheet), sections, "rack")


def _brief(play: list[Paragraph]) -> Iterator[Block]:
    """The steps without clauses: a guest reads what happens, not where it is written."""
    for one in play:
        yield Paragraph(one.text, one.key, kind="step")


def _play(parts: list[dict[str, Any]]) -> Iterator[Block]:
    """The first decision at a glance, where it is a grid of starting hands."""
    if parts and parts[0]["kind"] == "grid":
        yield grid_of(parts[0], "grid", say("papers.rack.best", title=parts[0]["title"]))


def _house(sheet: Sheet, told: Told) -> Iterator[Block]:
    figures = measured(sheet, told)["math"]["wagers"]
    for wager, one in figures.items():
        title = sheet.main_wager.title if wager == "main" else sheet.side[wager].title
        edge = percent(-Fraction(one["expected"]))
        text = say("papers.rack.edge", title=title, edge=edge)
        yield Paragraph(text, f"edge {wager}", kind="step")
    yield Paragraph(say("papers.rack.play-well"), "care", kind="remark")
