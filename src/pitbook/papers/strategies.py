"""Best play as plain tables, in full and as short as a card needs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from pitbook.cards import RANKS
from pitbook.exact.methods.dealer import boards_strategies as on_boards
from pitbook.exact.methods.dealer import pairs_strategies as on_one_decision
from pitbook.exact.methods.dealer.boards_solve import Solution as Boards
from pitbook.exact.methods.dealer.boards_strategies import UNSEEN, FlopTests, ShortStrategy
from pitbook.exact.methods.dealer.common import SEEN, DealerStrategy, starting_hand_plays
from pitbook.exact.methods.dealer.pairs_solve import Solution as Pairs
from pitbook.exact.methods.dealer.pairs_strategies import UpcardStrategy
from pitbook.exact.methods.ladder import strategies as on_streets
from pitbook.exact.methods.ladder.strategies import (
    LadderStrategy,
    Plays,
    StreetTable,
    mix_name,
    rank_groups,
    street_tables,
)
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.methods.plain.method import PlainStrategy
from pitbook.exact.methods.points.strategies import PointsRow, PointsStrategy, points_tables
from pitbook.exact.strategies import follow
from pitbook.hands.kinds import RANK_NAMES
from pitbook.rules.game import Game, compile_game
from pitbook.rules.plays import Play
from pitbook.sheets.model import Sheet

Json = dict[str, Any]
SIDE = len(RANKS)
DEALERS = tuple(reversed(RANK_NAMES))
EITHER = "/"  # Between plays that suits decide between.
OWN = "own"  # Cards of the dealer's of a rank that the hand has.


def strategy_document(sheet: Sheet) -> list[Json]:
    """The best strategy, part by part: each a grid of cells or rows of hands and plays."""
    followed, game = follow(sheet, "best"), compile_game(sheet)
    if isinstance(followed, PointsStrategy):
        return list(_declared(followed))
    if isinstance(followed, LadderStrategy):
        return list(_street_documents(followed, game))
    if isinstance(followed, DealerStrategy):
        return list(_fought(followed, game))
    return list(_gone_through(followed, game)) if isinstance(followed, PlainStrategy) else []


def _street_documents(followed: LadderStrategy, game: Game) -> Iterator[Json]:
    for number, stage in enumerate(game.stages):
        if number == 0 and followed.solution.seen[0] == 2:
            yield grid_document(followed, stage.title)
            continue
        for table in street_tables(followed, number):
            yield street_document(table, game.sheet)


def grid_document(followed: LadderStrategy, title: str) -> Json:
    """The first street with two hole cards."""
    (purse,) = followed.purses(0)
    plays = {(one.hand.ranks, one.hand.suited): one.play for one in followed.spots(0, purse)}
    return _grid(title, plays)


def street_document(table: StreetTable, sheet: Sheet) -> Json:
    """A later street: what is made, and squares of hands without a pair."""
    groups = rank_groups(sheet)
    spans = [one.meaning for one in groups if one.meaning]
    names = {mix: mix_name(mix, groups) for mix, _ in table.loose}
    return {**_street(table, names), "groups": spans}


def _street(table: StreetTable, names: Mapping[Any, str]) -> Json:
    made: dict[str, list[str]] = {}
    for name, plays in table.made.items():
        for play, hands in plays.items():
            alone = len(plays) == 1
            made.setdefault(play, []).append(name if alone else f"{name}: {', '.join(hands)}")
    draws = sorted({draw for _, draw in table.loose})
    rows = [
        [names[mix], [_cell(table.loose.get((mix, draw))) for draw in draws]]
        for mix in sorted(names, reverse=True)
    ]
    return {
        "kind": "street",
        "title": table.title,
        "units": table.units,
        "made": {str(play): hands for play, hands in made.items()},
        "head": [[draw.suited, draw.straights] for draw in draws],
        "rows": rows,
        "plays": _legend(play for plays in table.loose.values() for play in plays),
        "besides": [
            [names[mix], draw.suited, draw.straights, str(play), list(plays[play])]
            for (mix, draw), plays in table.loose.items()
            for play in list(plays)[1:]
        ],
    }


def _cell(plays: Plays | None) -> list[str]:
    if plays is None:
        return ["", "none"]
    return ["/".join(play.short for play in plays), tone(next(iter(plays)))]


def tone(play: Play) -> str:
    """How a play is tinted: given up, little, or much."""
    if play.folds or play.takes:
        return "fold"
    return "high" if play.times > 1 or (play.said and play.puts) else "low"


def _grid(title: str, plays: Mapping[tuple[tuple[int, ...], bool], Play]) -> Json:
    ranks = [*reversed(range(SIDE))]
    rows = [[RANKS[row], [_square(plays, row, column) for column in ranks]] for row in ranks]
    return {
        "kind": "grid",
        "title": title,
        "head": [RANKS[one] for one in ranks],
        "rows": rows,
        "plays": _legend(plays.values()),
    }


def _square(plays: Mapping[tuple[tuple[int, ...], bool], Play], row: int, column: int) -> list[str]:
    play = plays[(max(row, column), min(row, column)), column < row]
    return [play.short, tone(play)]


def _legend(plays: Iterable[Play]) -> list[list[str]]:
    ordered = sorted(set(plays), key=lambda play: (play.folds, -play.times, play))
    return [[play.short, str(play), tone(play)] for play in ordered]


def _declared(declared: PointsStrategy) -> Iterator[Json]:
    for name, rows in points_tables(declared).items():
        parts = [
            (plays, list(run)) for plays, run in groupby(rows, key=lambda row: tuple(row.plays))
        ]
        told = [_points(plays, run) for plays, run in parts]
        yield {"kind": "points", "title": name, "rows": told}


def _points(plays: tuple[Play, ...], run: list[PointsRow]) -> Json:
    share = sum(row.share for row in run)
    worth = sum(row.share * row.worth for row in run) / share
    first, last = run[0], run[-1]
    told = {"plays": [str(play) for play in plays], "share": str(share), "worth": str(worth)}
    return {**told, "low": [first.low, last.low], "high": [first.high, last.high]}


def _fought(followed: DealerStrategy, game: Game) -> Iterator[Json]:
    lines = list(followed.entries())
    first, titles = starting_hand_plays(lines), {stage.id: stage.title for stage in game.stages}
    for street, some in groupby(lines, key=lambda line: line.street):
        if len(first) == SIDE**2 and street == lines[0].street:
            yield _grid(titles[street], first)
            continue
        yield {"kind": "runs", "title": titles[street], "rows": _runs(list(some))}


def _runs(lines: list[StrategyLine]) -> list[list[Any]]:
    """Hands that follow each other and are played alike: first, last, plays, against which cards.

    The first play is against every other card of the dealer's and has none beside it.
    """
    hands: dict[str, dict[str, list[str]]] = {}
    for line in lines:
        held, _, seen = line.cards.partition(SEEN)
        hands.setdefault(held, {}).setdefault(str(line.play), []).append(seen)
    alike = {held: _alike(held, plays) for held, plays in hands.items()}
    parts = (list(part) for _, part in groupby(alike, key=alike.__getitem__))
    return [[part[0], part[-1], *map(list, alike[part[0]])] for part in parts]


def _alike(held: str, plays: Mapping[str, list[str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Plays, and the dealer's cards against which each is made; the first against all others.

    Plays that suits decide between against one card stand together, as "1x/fold".
    """
    seen = {play: " ".join(some).split() or list(DEALERS) for play, some in plays.items()}
    groups: dict[str, list[str]] = {}
    for rank in DEALERS:
        if by := [play for play in plays if rank in seen[play]]:
            groups.setdefault(EITHER.join(by), []).append(rank)
    ordered = sorted(groups, key=lambda play: (-len(groups[play]), play))
    return tuple(ordered), ("", *(_cards(held, groups[play]) for play in ordered[1:]))


def _cards(held: str, seen: list[str]) -> str:
    """The dealer's cards, or which ranks of the hand itself they are: "own 3" are its lowest."""
    own = list(dict.fromkeys(one for one in held.split() if one != "suited"))
    if len(seen) > 1 and seen == own[-len(seen) :]:
        return f"{OWN} {len(seen)}" if len(seen) < len(own) else OWN
    return " ".join(seen)


def _gone_through(followed: PlainStrategy, game: Game) -> Iterator[Json]:
    """Hand by hand; one line where every hand is played alike."""
    titles = {stage.id: stage.title for stage in game.stages}
    parts = groupby(followed.entries(), key=lambda one: (one.street, one.units))
    for (street, units), lines in parts:
        rows = [[one.cards, one.cards, [str(one.play)], [""]] for one in lines]
        alike = all(row[2] == rows[0][2] for row in rows)
        shown = [["", "", rows[0][2], [""]]] if alike else rows
        yield {"kind": "runs", "title": titles[street], "units": units, "rows": shown}


LINES = 14  # So many rows of hands are read on a card.
LITTLE = Fraction(1, 200)  # Of the main wager: what a card may cost to be shorter.


def card_document(sheet: Sheet, whole: list[Json]) -> Json:
    """What a card says and what playing by it costs a round, in main wagers."""
    followed, game = follow(sheet, "best"), compile_game(sheet)
    if isinstance(followed, LadderStrategy):
        return _card_streets(followed, game)
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


def _card_streets(best: LadderStrategy, game: Game) -> Json:
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
