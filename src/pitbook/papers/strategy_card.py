"""The strategy card for guests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from pitbook.exact.methods.ladder.strategies import class_name
from pitbook.hands.kinds import catalogue
from pitbook.hands.ranking import classes
from pitbook.papers.content import Block, Paper, Section, Table
from pitbook.papers.figures import HearStep, report_figures
from pitbook.papers.identity import identity
from pitbook.papers.numbers import percent
from pitbook.papers.plays import (
    grid_of,
    hand_said,
    play_title,
    played_said,
    points_said,
    run_said,
    strategy_blocks,
    street_grid,
)
from pitbook.papers.report import limits_bite
from pitbook.rules.game import Game, compile_game
from pitbook.rules.pricing import Best
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.words import outcome
from pitbook.text import Sentence, capital, say

LOOSE, PAIR = "high-card-", "pair-"


def ranges(game: Game, rows: list[list[Any]]) -> Iterator[str]:
    """What each row of hands is called, the highest first."""
    kinds = _kinds(game)
    for place, (first, last, *_) in enumerate(rows):
        above = kinds.get(rows[place - 1][1], "") if place else None
        below = kinds.get(rows[place + 1][0], "") if rows[place + 1 :] else None
        told = None
        if first in kinds and last in kinds:
            told = _in_words(kinds[first], kinds[last], above, below, last)
        yield capital(told) if told else run_said(first, last)


def _kinds(game: Game) -> Mapping[str, str]:
    """The kinds of hands that are compared, by the hands' names."""
    for one in (hand.ranking for hand in game.hands if isinstance(hand.ranking, Best)):
        kinds = [kind.name for kind in catalogue(one.cards)]
        if any(kind.startswith(PAIR) for kind in kinds):
            return {class_name(hand): kinds[hand.kind] for hand in classes(one.cards, one.ace)}
    return {}


def _in_words(
    first: str, last: str, above: str | None, below: str | None, lowest: str
) -> Sentence | None:
    """A range over several kinds, whole pairs at its ends; none where one is parted between two."""
    whole = above is None or (first.startswith(PAIR) and first != above)
    if last.startswith(LOOSE) and not first.startswith(LOOSE) and whole:
        told = {"top": above is None, "pair": outcome(first), "last": hand_said(lowest)}
        return say("papers.wallet.over-pairs", **told)
    if last.startswith(PAIR) and above is None and last != below:
        return say("words.or-better", hand=outcome(last))
    return None


def strategy_card(sheet: Sheet, told: HearStep = lambda _: None) -> Paper:
    """The front has the first decision, the back the later ones; what it costs stands on top."""
    figures = report_figures(sheet, told)
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
