"""The strategy card: best play on a card of a wallet's size, both sides."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from pitbook.papers.cards.ranges import ranges
from pitbook.papers.content import Block, Paper, Section, Table
from pitbook.papers.identity import identity
from pitbook.papers.numbers import percent
from pitbook.papers.report.measured import HearStep, measured
from pitbook.papers.report.plays import (
    grid_of,
    play_title,
    played_said,
    points_said,
    strategy_blocks,
    street_grid,
)
from pitbook.papers.report.what_if import limits_bite
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet
from pitbook.text import capital, say


def strategy_card(sheet: Sheet, told: HearStep = lambda _: None) -> Paper:
    """The front has the first decision, the back the later ones; what it costs stands on top."""
    figures = measured(sheet, told)
    parts: list[dict[str, Any]] = figures["card"]["parts"]
    edge, cost = -Fraction(figures["math"]["wagers"]["main"]["expected"]), figures["card"]["cost"]
    about = say(
        "papers.wallet.about",
        edge=percent(edge + Fraction(cost)),
        title=sheet.main_wager.title,
        best=percent(edge),
        short=bool(Fraction(cost)),
        same=percent(edge + Fraction(cost)) == percent(edge),
        capped=limits_bite(figures),
    )
    front, back = _sides(sheet, parts)
    sections = [Section("", tuple(front), "front/")]
    sections += [Section("", tuple(back), "back/")] if back else []
    title = say("papers.wallet.title")
    made = tuple(sections)
    return Paper("strategy-card", title, (about,), identity(sheet, "strategy-card"), made, "wallet")


def _sides(sheet: Sheet, parts: list[dict[str, Any]]) -> tuple[list[Block], list[Block]]:
    if parts and parts[0]["kind"] == "grid":
        return [grid_of(parts[0], "grid")], list(_later(sheet, parts[1:]))
    shown = list(_later(sheet, parts))
    half = (len(shown) + 1) // 2
    return shown[:half], shown[half:]


def _later(sheet: Sheet, parts: list[dict[str, Any]]) -> Iterator[Block]:
    """Each later decision."""
    for place, part in enumerate(parts):
        key = f"part {place}"
        if part["kind"] == "street":
            yield from _street(part, key, first=place == 0)
        elif part["kind"] == "points":
            yield _points(part, key)
        elif part["kind"] == "runs":
            yield _runs(sheet, part, key)
        else:
            yield from strategy_blocks(sheet, [part], key)


def _points(part: dict[str, Any], key: str) -> Table:
    rows = tuple(
        (points_said(one), say("papers.plays.either", plays=tuple(map(play_title, one["plays"]))))
        for one in part["rows"]
    )
    return Table(capital(part["title"]), ("", ""), rows, "lr", key)


def _runs(sheet: Sheet, part: dict[str, Any], key: str) -> Table:
    plays = (capital(played_said(plays, seen)) for _, _, plays, seen in part["rows"])
    rows = tuple(zip(ranges(compile_game(sheet), part["rows"]), plays, strict=True))
    head = (say("papers.plays.highest-first"), say("papers.plays.play"))
    return Table(part["title"], head, rows, "ll", key)


def _street(part: dict[str, Any], key: str, *, first: bool) -> Iterator[Block]:
    yield street_grid(part, part["title"], f"{key} loose", explained=first)
    rows = tuple(
        (play_title(play), say("papers.plays.hands", hands=tuple(hands)))
        for play, hands in part["made"].items()
    )
    yield Table("", ("", ""), rows, "ll", f"{key} made")
