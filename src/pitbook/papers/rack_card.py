"""The rack card for guests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pitbook.money import dollars
from pitbook.papers.content import Block, Paper, Paragraph, Section, Table
from pitbook.papers.dealer_card import side_counting, steps_with_counting
from pitbook.papers.figures import StepCallback, report_figures
from pitbook.papers.identity import identity
from pitbook.papers.numbers import percent
from pitbook.papers.pay_tables import main_settlement, pay_tables_of
from pitbook.papers.plays import starting_grid
from pitbook.papers.report import limits_apply, player_advantage_note
from pitbook.papers.rules import subtitle
from pitbook.papers.sign import limits_table, posted_caps, single_bet_limits
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose import rule_texts
from pitbook.text import say


def rack_card(sheet: Sheet, on_step: StepCallback = lambda _: None) -> Paper:
    """Back, front, and both panels inside; a section whose key ends with "/" opens a panel."""
    game = compile_game(sheet)
    texts = list(rule_texts(sheet))
    steps = steps_with_counting(game, texts, with_layout=False)
    side_rules = tuple(replace(rule, clauses=()) for rule in side_counting(game, texts))
    tables = tuple(replace(table, notes=()) for table in pay_tables_of(sheet).tables)
    parts: list[dict[str, Any]] = report_figures(sheet, on_step)["strategy"]
    sections = (
        Section("", tuple(_back(sheet, on_step)), "back/"),
        Section(say("papers.rack.how"), tuple(_brief(steps)), "front/"),
        Section(say("papers.rack.pays"), (*tables[:1], *main_settlement(sheet, texts)), "left/"),
        Section(
            say("papers.rack.side") if tables[1:] else "",
            (*tables[1:], *side_rules, *_play(parts)),
            "right/",
        ),
    )
    title = say("papers.rack.title")
    return Paper("rack-card", title, subtitle(game), identity(sheet, "rack-card"), sections, "rack")


def _back(sheet: Sheet, on_step: StepCallback) -> Iterator[Block]:
    yield limits_table(sheet)
    yield from (*single_bet_limits(sheet), *posted_caps(sheet))
    yield from _house(sheet, on_step)


def _brief(steps: list[Paragraph]) -> Iterator[Block]:
    """The steps without clauses: a guest does not need their sources."""
    for step in steps:
        yield Paragraph(step.text, step.key, kind="step")


def _play(parts: list[dict[str, Any]]) -> Iterator[Block]:
    """The first decision as a grid, if it is one of starting hands."""
    if parts and parts[0]["kind"] == "grid":
        yield starting_grid(parts[0], "grid", say("papers.rack.best", title=parts[0]["title"]))


def _house(sheet: Sheet, on_step: StepCallback) -> Iterator[Block]:
    report = report_figures(sheet, on_step)
    figures = report["math"]["wagers"]
    titles = {name: side.title for name, side in sheet.side.items()}
    titles["main"] = sheet.main_wager.title
    rows = tuple(
        (titles[wager], percent(-Fraction(stats["expected"]))) for wager, stats in figures.items()
    )
    yield Table(say("papers.rack.edges"), ("", ""), rows, "lr", "edges")
    yield from player_advantage_note(report)
    if limits_apply(report):
        yield _under_limits(sheet, report["by_ante"])
    yield Paragraph(say("papers.rack.play-well"), "care", kind="remark")


def _under_limits(sheet: Sheet, by_ante: list[dict[str, Any]]) -> Paragraph:
    """The range of the house edge when payouts are limited."""
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
