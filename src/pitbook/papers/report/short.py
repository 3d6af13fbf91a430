"""The strategy of a card: best play where it fits, else a short one with what it costs exactly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from pitbook.exact.methods.dealer import boards_strategies as on_boards
from pitbook.exact.methods.dealer import pairs_strategies as on_one_decision
from pitbook.exact.methods.dealer.boards_solve import Solution as Boards
from pitbook.exact.methods.dealer.boards_strategies import UNSEEN, FlopTests, ShortStrategy
from pitbook.exact.methods.dealer.common import DealerStrategy
from pitbook.exact.methods.dealer.pairs_solve import Solution as Pairs
from pitbook.exact.methods.dealer.pairs_strategies import UpcardStrategy
from pitbook.exact.methods.ladder import strategies as on_streets
from pitbook.exact.methods.ladder.strategies import (
    LadderStrategy,
    Plays,
    StreetTable,
    street_tables,
)
from pitbook.exact.strategies import follow
from pitbook.hands.kinds import RANK_NAMES
from pitbook.papers.report.strategies import EITHER, grid_document, street_document
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.model import Sheet

LINES = 14  # So many rows of hands are read on a card.
LITTLE = Fraction(1, 200)  # Of the main wager: what a card may cost to be shorter.

Json = dict[str, Any]


def card_document(sheet: Sheet, whole: list[Json]) -> Json:
    """What a card says and what playing by it costs a round, in main wagers."""
    followed, game = follow(sheet, "best"), compile_game(sheet)
    if isinstance(followed, LadderStrategy):
        return _streets(followed, game)
    if isinstance(followed, DealerStrategy) and isinstance(followed.solution, Boards):
        return _on_boards(followed.solution, game, whole)
    if isinstance(followed, DealerStrategy) and any(map(_is_long, whole)):
        assert isinstance(followed.solution, Pairs)
        return _by_own_hand(followed.solution, whole)
    return {"parts": whole, "cost": "0"}


def _is_long(part: Json) -> bool:
    """Too many hands for a card, or some of which it cannot say how they are played."""
    rows = part["rows"]
    unsure = part["kind"] == "runs" and any(len(row[2]) > 1 or EITHER in row[2][0] for row in rows)
    return unsure or len(rows) > LINES


def _streets(best: LadderStrategy, game: Game) -> Json:
    """Each street once, whatever is at stake."""
    short = on_streets.short_strategy(best)
    parts: list[Json] = []
    for number, stage in enumerate(game.stages):
        if number == 0 and best.solution.seen[0] == 2:
            parts.append(grid_document(short, stage.title))
            continue
        tables = list(street_tables(short, number))
        if tables:
            parts.append({**street_document(_joined(tables), game.sheet), "units": 0})
    return {"parts": parts, "cost": str(best.expected - short.expected)}


def _joined(tables: list[StreetTable]) -> StreetTable:
    """The hands of every stake in one table; the best come first, and with the largest stake."""
    return replace(
        tables[0],
        made=_put_together(table.made.items() for table in reversed(tables)),
        loose=_put_together(table.loose.items() for table in tables),
    )


def _put_together(tables: Iterable[Iterable[tuple[Any, Plays]]]) -> dict[Any, Plays]:
    found: dict[Any, dict[Any, tuple[str, ...]]] = {}
    for table in tables:
        for name, plays in table:
            for play, hands in plays.items():
                known = found.setdefault(name, {}).get(play, ())
                found[name][play] = tuple(dict.fromkeys((*known, *hands)))
    return dict(found)


def _on_boards(solution: Boards, game: Game, whole: list[Json]) -> Json:
    """Tests in place of a long list of hands, and what to count when the whole board is seen."""
    short = on_boards.short_strategy(solution)
    parts = whole if short.flop is None else list(_with_tests(short.flop, game, whole))
    return {
        "parts": [*parts, *_last(solution, short, game)],
        "cost": str(solution.expected - short.expected),
    }


def _with_tests(flop: FlopTests, game: Game, whole: list[Json]) -> Iterator[Json]:
    title = game.stages[flop.stage].title
    tests = {"kind": "tests", "title": title, "tests": list(flop.tests), "rows": []}
    told = {**tests, "play": str(flop.play), "else": str(flop.else_play)}
    for one in whole:
        yield told if one["kind"] == "runs" and one["title"] == title else one


def _last(solution: Boards, short: ShortStrategy, game: Game) -> Iterator[Json]:
    """The decision on the whole board, which no list tells: how many cards may beat the hand."""
    if short.outs_max is None:
        return
    stage = game.stages[solution.plan.streets[-1].stage]
    bet, fold = sorted(solution.plan.plays[-1], key=lambda play: play.folds)
    told = {"kind": "last", "title": stage.title, "rows": [], "play": str(bet), "else": str(fold)}
    folds = str(solution.fold_rates[stage.id])  # Of best play.
    yield {**told, "outs": short.outs_max, "unseen": UNSEEN, "folds": folds}


def _by_own_hand(solution: Pairs, whole: list[Json]) -> Json:
    """By the own hand alone where that costs little, else by the dealer's card as well."""
    short = on_one_decision.short_strategy(solution)
    cost: Fraction = solution.expected - short.expected
    if cost > LITTLE and (shown := on_one_decision.strategy_by_upcard(solution)):
        return _by_card(whole[0]["title"], shown, solution.expected - shown.expected)
    rows = [[first, last, [str(play)], [""]] for first, last, play in short.runs]
    return {"parts": [{**whole[0], "rows": rows}], "cost": str(cost)}


def _by_card(title: str, shown: UpcardStrategy, cost: Fraction) -> Json:
    """A row a card of the dealer's, those alike in one; the last play needs no hand."""
    every = sorted({play for _, row in shown.rows for play, _ in row}, key=lambda one: -one.times)
    rows = []
    for row, some in groupby(shown.rows, key=lambda one: one[1]):
        ranks, lowest = [RANK_NAMES[rank] for rank, _ in some], dict(row)
        rows.append([[ranks[0], ranks[-1]], [lowest.get(play, "") for play in every[:-1]]])
    told = {"kind": "by-card", "title": title, "plays": [str(one) for one in every[:-1]]}
    return {"parts": [{**told, "else": str(every[-1]), "rows": rows}], "cost": str(cost)}
