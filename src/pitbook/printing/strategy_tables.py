"""Best play as plain tables: in full, and short enough for a card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from pitbook.cards import RANKS
from pitbook.exact.methods.dealer import boards_strategies, pairs_strategies
from pitbook.exact.methods.dealer.boards_solve import Solution as BoardSolution
from pitbook.exact.methods.dealer.boards_strategies import UNSEEN, FlopTests, ShortStrategy
from pitbook.exact.methods.dealer.common import SEEN, DealerStrategy, starting_hand_plays
from pitbook.exact.methods.dealer.pairs_solve import Solution as HandSolution
from pitbook.exact.methods.dealer.pairs_strategies import UpcardStrategy
from pitbook.exact.methods.ladder import strategies as ladder_strategies
from pitbook.exact.methods.ladder.strategies import (
    LadderStrategy,
    Plays,
    StreetTable,
    format_rank_counts,
    rank_groups,
    street_tables,
)
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.methods.plain.method import PlainStrategy
from pitbook.exact.methods.points.strategies import PointsRow, PointsStrategy, points_tables
from pitbook.exact.strategies import follow
from pitbook.hands.kinds import RANK_NAMES
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.model import Sheet

Json = dict[str, Any]
SIDE = len(RANKS)
DEALERS = tuple(reversed(RANK_NAMES))
EITHER = "/"  # Separates plays that depend on suits.
OWN_RANKS = "own"  # Dealer cards of ranks that the hand has.


def strategy_parts(sheet: Sheet) -> list[Json]:
    """The best strategy, part by part: each a grid of cells, or rows of hands and plays."""
    strategy, game = follow(sheet, "best"), compile_game(sheet)
    if isinstance(strategy, PointsStrategy):
        return list(_points_parts(strategy))
    if isinstance(strategy, LadderStrategy):
        return list(_street_documents(strategy, game))
    if isinstance(strategy, DealerStrategy):
        return list(_dealer_parts(strategy, game))
    return list(_plain_parts(strategy, game)) if isinstance(strategy, PlainStrategy) else []


def _street_documents(strategy: LadderStrategy, game: Game) -> Iterator[Json]:
    for number, stage in enumerate(game.stages):
        if number == 0 and strategy.solution.cards_seen[0] == 2:
            yield grid_document(strategy, stage.title)
            continue
        for table in street_tables(strategy, number):
            yield street_document(table, game.sheet)


def grid_document(strategy: LadderStrategy, title: str) -> Json:
    """The first street with two hole cards."""
    (purse,) = strategy.purses(0)
    plays = {(spot.hand.ranks, spot.hand.suited): spot.play for spot in strategy.spots(0, purse)}
    return _grid(title, plays)


def street_document(table: StreetTable, sheet: Sheet) -> Json:
    """A later street: made hands, and a grid of hands without a pair."""
    groups = rank_groups(sheet)
    spans = [group.meaning for group in groups if group.meaning]
    names = {mix: format_rank_counts(mix, groups) for mix, _ in table.unpaired_hands}
    return {**_street(table, names), "groups": spans}


def _street(table: StreetTable, names: Mapping[Any, str]) -> Json:
    made_hands: dict[str, list[str]] = {}
    for name, plays in table.made_hands.items():
        for play, hands in plays.items():
            has_one_play = len(plays) == 1
            made_hands.setdefault(play, []).append(
                name if has_one_play else f"{name}: {', '.join(hands)}"
            )
    draws = sorted({draw for _, draw in table.unpaired_hands})
    rows = [
        [names[mix], [_cell(table.unpaired_hands.get((mix, draw))) for draw in draws]]
        for mix in sorted(names, reverse=True)
    ]
    return {
        "kind": "street",
        "title": table.title,
        "units": table.units,
        "made": {str(play): hands for play, hands in made_hands.items()},
        "head": [[draw.suited, draw.straights] for draw in draws],
        "rows": rows,
        "plays": _legend(play for plays in table.unpaired_hands.values() for play in plays),
        "besides": [
            [names[mix], draw.suited, draw.straights, str(play), list(plays[play])]
            for (mix, draw), plays in table.unpaired_hands.items()
            for play in list(plays)[1:]
        ],
    }


def _cell(plays: Plays | None) -> list[str]:
    if plays is None:
        return ["", "none"]
    return ["/".join(play.short for play in plays), tone(next(iter(plays)))]


def tone(play: Play) -> str:
    """The color of a play: fold, low bet or high bet."""
    if play.folds or play.takes:
        return "fold"
    return "high" if play.times > 1 or (play.declaration and play.puts) else "low"


def _grid(title: str, plays: Mapping[tuple[tuple[int, ...], bool], Play]) -> Json:
    ranks = [*reversed(range(SIDE))]
    rows = [[RANKS[row], [_square(plays, row, column) for column in ranks]] for row in ranks]
    return {
        "kind": "grid",
        "title": title,
        "head": [RANKS[rank] for rank in ranks],
        "rows": rows,
        "plays": _legend(plays.values()),
    }


def _square(plays: Mapping[tuple[tuple[int, ...], bool], Play], row: int, column: int) -> list[str]:
    play = plays[(max(row, column), min(row, column)), column < row]
    return [play.short, tone(play)]


def _legend(plays: Iterable[Play]) -> list[list[str]]:
    ordered = sorted(set(plays), key=lambda play: (play.folds, -play.times, play))
    return [[play.short, str(play), tone(play)] for play in ordered]


def _points_parts(strategy: PointsStrategy) -> Iterator[Json]:
    for name, rows in points_tables(strategy).items():
        parts = [
            (plays, list(run)) for plays, run in groupby(rows, key=lambda row: tuple(row.plays))
        ]
        range_rows = [_points(plays, run) for plays, run in parts]
        yield {"kind": "points", "title": name, "rows": range_rows}


def _points(plays: tuple[Play, ...], run: list[PointsRow]) -> Json:
    share = sum((row.share for row in run), Fraction(0))
    value = sum((row.share * row.worth for row in run), Fraction(0)) / share
    first, last = run[0], run[-1]
    fields = {"plays": [str(play) for play in plays], "share": share, "worth": value}
    return {**fields, "low": [first.low, last.low], "high": [first.high, last.high]}


def _dealer_parts(strategy: DealerStrategy, game: Game) -> Iterator[Json]:
    lines = list(strategy.entries())
    first_plays, titles = (
        starting_hand_plays(lines),
        {stage.id: stage.title for stage in game.stages},
    )
    for street, street_lines in groupby(lines, key=lambda line: line.street):
        if len(first_plays) == SIDE**2 and street == lines[0].street:
            yield _grid(titles[street], first_plays)
            continue
        yield {"kind": "runs", "title": titles[street], "rows": _runs(list(street_lines))}


def _runs(lines: list[StrategyLine]) -> list[list[Any]]:
    """Consecutive hands with the same plays: first, last, plays, dealer cards.

    The first play is against all other dealer cards, so it lists none.
    """
    hands: dict[str, dict[str, list[str]]] = {}
    for line in lines:
        hand, _, upcard = line.cards.partition(SEEN)
        hands.setdefault(hand, {}).setdefault(str(line.play), []).append(upcard)
    plays_by_hand = {hand: _plays_by_upcard(hand, plays) for hand, plays in hands.items()}
    parts = (list(part) for _, part in groupby(plays_by_hand, key=plays_by_hand.__getitem__))
    return [[part[0], part[-1], *map(list, plays_by_hand[part[0]])] for part in parts]


def _plays_by_upcard(
    hand: str, plays: Mapping[str, list[str]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Plays, and the dealer cards against which each is made; the first against all others.

    Plays that depend on suits against the same card are joined, as in "1x/fold".
    """
    upcards = {play: " ".join(cards).split() or list(DEALERS) for play, cards in plays.items()}
    groups: dict[str, list[str]] = {}
    for rank in DEALERS:
        if tied := [play for play in plays if rank in upcards[play]]:
            groups.setdefault(EITHER.join(tied), []).append(rank)
    ordered = sorted(groups, key=lambda play: (-len(groups[play]), play))
    return tuple(ordered), ("", *(_upcard_text(hand, groups[play]) for play in ordered[1:]))


def _upcard_text(hand: str, upcards: list[str]) -> str:
    """The dealer cards, or which of the hand's own ranks they are: "own 3" are its lowest."""
    ranks = list(dict.fromkeys(rank for rank in hand.split() if rank != "suited"))
    if len(upcards) > 1 and upcards == ranks[-len(upcards) :]:
        return f"{OWN_RANKS} {len(upcards)}" if len(upcards) < len(ranks) else OWN_RANKS
    return " ".join(upcards)


def _plain_parts(strategy: PlainStrategy, game: Game) -> Iterator[Json]:
    """Hand by hand; one line if every hand is played alike."""
    titles = {stage.id: stage.title for stage in game.stages}
    parts = groupby(strategy.entries(), key=lambda line: (line.street, line.units))
    for (street, units), lines in parts:
        rows = [[line.cards, line.cards, [str(line.play)], [""]] for line in lines]
        alike = all(row[2] == rows[0][2] for row in rows)
        shown_rows = [["", "", rows[0][2], [""]]] if alike else rows
        yield {"kind": "runs", "title": titles[street], "units": units, "rows": shown_rows}


ROWS_MAX = 14  # Rows of hands that fit on a card.
COST_MAX = Fraction(1, 200)  # In main wagers: what a shorter card may cost.


@dataclass(frozen=True)
class CardStrategy:
    """The parts of a strategy card, and the cost per round of playing by it, in main wagers."""

    parts: tuple[Json, ...]
    cost: Fraction


def card_strategy(sheet: Sheet, full_parts: list[Json]) -> CardStrategy:
    """Best play, short enough for a card."""
    strategy, game = follow(sheet, "best"), compile_game(sheet)
    if isinstance(strategy, LadderStrategy):
        return _card_streets(strategy, game)
    if isinstance(strategy, DealerStrategy) and isinstance(strategy.solution, BoardSolution):
        return _on_boards(strategy.solution, game, full_parts)
    if isinstance(strategy, DealerStrategy) and any(map(_is_long, full_parts)):
        assert isinstance(strategy.solution, HandSolution)
        return _by_own_hand(strategy.solution, full_parts)
    return CardStrategy(tuple(full_parts), Fraction(0))


def _is_long(part: Json) -> bool:
    """Whether a part has too many hands for a card, or hands it cannot describe."""
    rows = part["rows"]
    unsure = part["kind"] == "runs" and any(len(row[2]) > 1 or EITHER in row[2][0] for row in rows)
    return unsure or len(rows) > ROWS_MAX


def _card_streets(best: LadderStrategy, game: Game) -> CardStrategy:
    """Each street once, for all stakes."""
    short = ladder_strategies.short_strategy(best)
    parts: list[Json] = []
    for number, stage in enumerate(game.stages):
        if number == 0 and best.solution.cards_seen[0] == 2:
            parts.append(grid_document(short, stage.title))
            continue
        tables = list(street_tables(short, number))
        if tables:
            parts.append({**street_document(_join_tables(tables), game.sheet), "units": 0})
    return CardStrategy(tuple(parts), best.expected - short.expected)


def _join_tables(tables: list[StreetTable]) -> StreetTable:
    """The hands of every stake in one table, best hands and largest stakes first."""
    return replace(
        tables[0],
        made_hands=_merge_plays(table.made_hands.items() for table in reversed(tables)),
        unpaired_hands=_merge_plays(table.unpaired_hands.items() for table in tables),
    )


def _merge_plays(tables: Iterable[Iterable[tuple[Any, Plays]]]) -> dict[Any, Plays]:
    merged: dict[Any, dict[Any, tuple[str, ...]]] = {}
    for table in tables:
        for name, plays in table:
            for play, hands in plays.items():
                earlier_hands = merged.setdefault(name, {}).get(play, ())
                merged[name][play] = tuple(dict.fromkeys((*earlier_hands, *hands)))
    return dict(merged)


def _on_boards(solution: BoardSolution, game: Game, full_parts: list[Json]) -> CardStrategy:
    """Tests instead of a long list of hands, and outs to count on the full board."""
    short = boards_strategies.short_strategy(solution)
    parts = (
        full_parts
        if short.flop is None
        else list(_replace_with_tests(short.flop, game, full_parts))
    )
    last = _full_board_decision(solution, short, game)
    return CardStrategy((*parts, *last), solution.expected - short.expected)


def _replace_with_tests(flop: FlopTests, game: Game, full_parts: list[Json]) -> Iterator[Json]:
    title = game.stages[flop.stage].title
    tests = {"kind": "tests", "title": title, "tests": list(flop.tests), "rows": []}
    test_part = {**tests, "play": str(flop.play), "else": str(flop.else_play)}
    for part in full_parts:
        yield test_part if part["kind"] == "runs" and part["title"] == title else part


def _full_board_decision(
    solution: BoardSolution, short: ShortStrategy, game: Game
) -> Iterator[Json]:
    """The decision on the full board, which no list covers: how many cards may beat the hand."""
    if short.outs_max is None:
        return
    stage = game.stages[solution.plan.streets[-1].stage]
    bet, fold = sorted(solution.plan.plays[-1], key=lambda play: play.folds)
    fields = {"kind": "last", "title": stage.title, "rows": [], "play": str(bet), "else": str(fold)}
    folds = solution.fold_rates[stage.id]  # Under best play.
    yield {**fields, "outs": short.outs_max, "unseen": UNSEEN, "folds": folds}


def _by_own_hand(solution: HandSolution, full_parts: list[Json]) -> CardStrategy:
    """By the player's hand only if that costs little, otherwise also by the dealer's card."""
    short = pairs_strategies.short_strategy(solution)
    cost: Fraction = solution.expected - short.expected
    if cost > COST_MAX and (by_upcard := pairs_strategies.strategy_by_upcard(solution)):
        return _by_card(full_parts[0]["title"], by_upcard, solution.expected - by_upcard.expected)
    rows = [[first, last, [str(play)], [""]] for first, last, play in short.runs]
    return CardStrategy(({**full_parts[0], "rows": rows},), cost)


def _by_card(title: str, strategy: UpcardStrategy, cost: Fraction) -> CardStrategy:
    """One row per dealer card, equal rows joined; the last play needs no hand."""
    plays = sorted(
        {play for _, row in strategy.rows for play, _ in row}, key=lambda play: -play.times
    )
    rows = []
    for row, group in groupby(strategy.rows, key=lambda pair: pair[1]):
        ranks, lowest_hands = [RANK_NAMES[rank] for rank, _ in group], dict(row)
        rows.append([[ranks[0], ranks[-1]], [lowest_hands.get(play, "") for play in plays[:-1]]])
    fields = {"kind": "by-card", "title": title, "plays": [str(play) for play in plays[:-1]]}
    return CardStrategy(({**fields, "else": str(plays[-1]), "rows": rows},), cost)
