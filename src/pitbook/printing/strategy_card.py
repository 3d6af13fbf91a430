"""The strategy card for guests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pitbook.exact.methods.ladder.strategies import class_name
from pitbook.hands.kinds import hand_kinds
from pitbook.hands.ranking import classes
from pitbook.printing.content import Block, Paper, Paragraph, Section, Table
from pitbook.printing.numbers import GUEST_DIGITS, percent
from pitbook.printing.page_texts import identity
from pitbook.printing.report import limits_apply
from pitbook.printing.report_figures import StepCallback, report_figures
from pitbook.printing.strategy_blocks import (
    describe_plays,
    hand_range,
    hand_text,
    play_title,
    points_table,
    starting_grid,
    strategy_blocks,
    street_grid,
)
from pitbook.printing.strategy_words import first_decision, later_decision
from pitbook.rules.game import Game, compile_game
from pitbook.rules.settlement_lines import Best
from pitbook.sheets.model import Sheet
from pitbook.sheets.phrases import outcome
from pitbook.sheets.prose import rule_texts
from pitbook.text import Sentence, capital, say

LOOSE, PAIR = "high-card-", "pair-"


def range_names(game: Game, rows: list[list[Any]]) -> Iterator[str]:
    """The name of each row of hands, highest first."""
    kinds = _kinds(game)
    for index, (first, last, *_) in enumerate(rows):
        above = kinds.get(rows[index - 1][1], "") if index else None
        below = kinds.get(rows[index + 1][0], "") if rows[index + 1 :] else None
        range_text = None
        if first in kinds and last in kinds:
            range_text = _range_in_words(kinds[first], kinds[last], above, below, last)
        yield capital(range_text) if range_text else hand_range(first, last)


def _kinds(game: Game) -> Mapping[str, str]:
    """The kind of each compared hand, by the hand's name."""
    for ranking in (hand.ranking for hand in game.hands if isinstance(hand.ranking, Best)):
        kinds = [kind.name for kind in hand_kinds(ranking.cards)]
        if any(kind.startswith(PAIR) for kind in kinds):
            return {
                class_name(hand): kinds[hand.kind] for hand in classes(ranking.cards, ranking.ace)
            }
    return {}


def _range_in_words(
    first: str, last: str, above: str | None, below: str | None, lowest: str
) -> Sentence | None:
    """A range over several kinds with whole pairs at its ends; None if it splits a pair."""
    has_whole_pairs = above is None or (first.startswith(PAIR) and first != above)
    if last.startswith(LOOSE) and not first.startswith(LOOSE) and has_whole_pairs:
        fields = {"top": above is None, "pair": outcome(first), "last": hand_text(lowest)}
        return say("papers.wallet.over-pairs", **fields)
    if last.startswith(PAIR) and above is None and last != below:
        return say("words.or-better", hand=outcome(last))
    return None


def strategy_card(sheet: Sheet, on_step: StepCallback = lambda _: None) -> Paper:
    """The first decision on the front, later ones on the back, and the cost at the top."""
    figures = report_figures(sheet, on_step)
    parts, edge, cost = list(figures.card.parts), -figures.expected, figures.card.cost
    about = say(
        "papers.wallet.about",
        edge=percent(edge + cost, GUEST_DIGITS),
        title=sheet.main_wager.title,
        best=percent(edge, GUEST_DIGITS),
        short=bool(cost),
        same=percent(edge + cost, GUEST_DIGITS) == percent(edge, GUEST_DIGITS),
        capped=limits_apply(figures),
    )
    front, back = _sides(sheet, parts)
    sections = [Section("", tuple(front), "front/")]
    back += _points_note(sheet) if any(part["kind"] == "points" for part in parts) else []
    sections += [Section("", tuple(back), "back/")] if back else []
    title = say("papers.wallet.title")
    content = tuple(sections)
    return Paper(
        "strategy-card", title, (about,), identity(sheet, "strategy-card"), content, "wallet"
    )


def _sides(sheet: Sheet, parts: list[dict[str, Any]]) -> tuple[list[Block], list[Block]]:
    if parts and parts[0]["kind"] == "grid":
        straights = any(part["kind"] == "street" for part in parts[1:])
        words = list(first_decision(sheet, parts[0], straights=straights))
        first = words or [starting_grid(parts[0], "grid")]
        return first, list(_later_decisions(sheet, parts[1:]))
    blocks = list(_later_decisions(sheet, parts))
    half = (len(blocks) + 1) // 2
    return blocks[:half], blocks[half:]


def _points_note(sheet: Sheet) -> Iterator[Paragraph]:
    """How cards count, if plays go by points."""
    for rule in rule_texts(sheet):
        if rule.key.startswith("points."):
            text = say("papers.sentence", text=capital(rule.sentence))
            yield Paragraph(text, rule.key, kind="remark")


def _later_decisions(sheet: Sheet, parts: list[dict[str, Any]]) -> Iterator[Block]:
    for index, part in enumerate(parts):
        key = f"part {index}"
        if part["kind"] == "street":
            words = later_decision(sheet, part, key)
            yield from [words] if words else _street(part, key, first=index == 0)
        elif part["kind"] == "points":
            yield points_table(part, key, part["title"])
        elif part["kind"] == "runs":
            yield _runs(sheet, part, key)
        else:
            yield from strategy_blocks(sheet, [part], key)


def _runs(sheet: Sheet, part: dict[str, Any], key: str) -> Table:
    plays = (
        capital(describe_plays(plays, dealer_cards)) for _, _, plays, dealer_cards in part["rows"]
    )
    rows = tuple(zip(range_names(compile_game(sheet), part["rows"]), plays, strict=True))
    head = (say("papers.plays.highest-first"), say("papers.plays.play"))
    return Table(part["title"], head, rows, "ll", key)


def _street(part: dict[str, Any], key: str, *, first: bool) -> Iterator[Block]:
    yield street_grid(part, part["title"], f"{key} loose", explained=first)
    rows = tuple(
        (play_title(play), say("papers.plays.hands", hands=tuple(hands)))
        for play, hands in part["made"].items()
    )
    yield Table("", ("", ""), rows, "ll", f"{key} made")
