"""The rack card for guests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pitbook.money import dollars
from pitbook.papers.content import Block, Paper, Paragraph, Section, Table
from pitbook.papers.dealer_card import sides_counted, steps_counted
from pitbook.papers.figures import HearStep, report_figures
from pitbook.papers.identity import identity
from pitbook.papers.numbers import percent
from pitbook.papers.pay_tables import main_settled, pay_tables_of
from pitbook.papers.plays import grid_of
from pitbook.papers.report import limits_bite, players
from pitbook.papers.rules import about
from pitbook.papers.sign import bets_limited, caps_posted, limits_table
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.rules import rule_texts
from pitbook.text import say


def rack_card(sheet: Sheet, told: HearStep = lambda _: None) -> Paper:
    """Back, front, then both panels inside; a section whose key ends so opens a panel."""
    game = compile_game(sheet)
    said = list(rule_texts(sheet))
    play = steps_counted(game, said, laid=False)
    counted = tuple(replace(one, clauses=()) for one in sides_counted(game, said))
    tables = tuple(replace(one, notes=()) for one in pay_tables_of(sheet).tables)
    parts: list[dict[str, Any]] = report_figures(sheet, told)["strategy"]
    sections = (
        Section("", tuple(_back(sheet, told)), "back/"),
        Section(say("papers.rack.how"), tuple(_brief(play)), "front/"),
        Section(say("papers.rack.pays"), (*tables[:1], *main_settled(sheet, said)), "left/"),
        Section(
            say("papers.rack.side") if tables[1:] else "",
            (*tables[1:], *counted, *_play(parts)),
            "right/",
        ),
    )
    title = say("papers.rack.title")
    return Paper("rack-card", title, about(game), identity(sheet, "rack-card"), sections, "rack")


def _back(sheet: Sheet, told: HearStep) -> Iterator[Block]:
    yield limits_table(sheet)
    yield from (*bets_limited(sheet), *caps_posted(sheet))
    yield from _house(sheet, told)


def _brief(play: list[Paragraph]) -> Iterator[Block]:
    """The steps without clauses: a guest reads what happens, not where it is written."""
    for one in play:
        yield Paragraph(one.text, one.key, kind="step")


def _play(parts: list[dict[str, Any]]) -> Iterator[Block]:
    """The first decision at a glance, where it is a grid of starting hands."""
    if parts and parts[0]["kind"] == "grid":
        yield grid_of(parts[0], "grid", say("papers.rack.best", title=parts[0]["title"]))


def _house(sheet: Sheet, told: HearStep) -> Iterator[Block]:
    whole = report_figures(sheet, told)
    figures = whole["math"]["wagers"]
    titles = {name: one.title for name, one in sheet.side.items()}
    titles["main"] = sheet.main_wager.title
    rows = tuple(
        (titles[wager], percent(-Fraction(one["expected"]))) for wager, one in figures.items()
    )
    yield Table(say("papers.rack.edges"), ("", ""), rows, "lr", "edges")
    yield from players(whole)
    if limits_bite(whole):
        yield _under_limits(sheet, whole["by_ante"])
    yield Paragraph(say("papers.rack.play-well"), "care", kind="remark")


def _under_limits(sheet: Sheet, by_ante: list[dict[str, Any]]) -> Paragraph:
    """What a guest is really charged where payouts have limits: at the least and at the most."""
    first, last = by_ante[0], by_ante[-1]
    text = say(
        "papers.rack.capped",
        title=sheet.main_wager.title,
        least=dollars(first["ante"]),
        most=dollars(last["ante"]),
        low=percent(Fraction(first["edge"])),
        high=percent(Fraction(last["edge"])),
    )
    return Paragraph(text, "edges under limits", kind="remark")
