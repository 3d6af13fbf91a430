"""A strategy on the terminal: the starting grid, a table for each street, hands by points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitbook.cards import RANKS
from pitbook.cli.language import worded
from pitbook.cli.math import assumed, head, heading
from pitbook.cli.render import counted, exactly, percent, plain, plain_table, signed
from pitbook.exact.methods.dealer.common import DealerStrategy, play_runs, starting_hand_plays
from pitbook.exact.methods.ladder.strategies import (
    Draw,
    LadderStrategy,
    Mix,
    Plays,
    RankGroup,
    StreetTable,
    mix_name,
    rank_groups,
    street_tables,
)
from pitbook.exact.methods.method import SheetStrategy
from pitbook.exact.methods.points.strategies import PointsRow, PointsStrategy, points_tables
from pitbook.rules.game import Game, compile_game
from pitbook.rules.plays import Play
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say

INDENT = (0, 0, 0, 2)
NEVER = "·"
NAMED_MAX, CELL, CLOSE, SIDE = 8, 5, 3, len(RANKS)
RUNS_MAX = 40
# Names, not shades: a terminal of sixteen colours must keep them apart.
BETS = ("black on white", "black on cyan", "black on yellow", "white on red", "white on magenta")
FOLDED = "white on bright_black"
SAID = (("black on cyan", "white on blue"), ("black on yellow", "white on red"))  # And with more.


Styles = Mapping[Play, str]  # The colours of every play of the game.


def parts(
    sheet: Sheet, followed: SheetStrategy, document: dict[str, Any], street: str | None
) -> Iterator[RenderableType]:
    """The whole answer, part by part."""
    yield from head(sheet)
    yield plain(assumed(sheet, document["assumptions"]), "dim")
    yield plain(_edge(sheet, document))
    if isinstance(followed, PointsStrategy):
        yield from _declared(followed)
    elif isinstance(followed, LadderStrategy):
        yield from _streets(followed, street)
    elif isinstance(followed, DealerStrategy):
        yield from _fought(compile_game(sheet), followed, street)
    yield from _simpler(sheet, document)
    if "plot" in document:
        yield Text()
        yield plain(say("cli.strategy.plot", file=document["plot"]))


def _edge(sheet: Sheet, document: dict[str, Any]) -> Sentence:
    cost, edge = Fraction(document["cost"]), percent(document["house_edge"])
    if not cost:
        return say("cli.strategy.edge", edge=edge)
    return say("cli.strategy.edge-and-cost", edge=edge, cost=exactly(cost), unit=sheet.unit[1])


def _streets(followed: LadderStrategy, only: str | None) -> Iterator[RenderableType]:
    sheet = followed.solution.terms.sheet
    groups, game = rank_groups(sheet), compile_game(sheet)
    styles = _styles(game)
    told = False
    for number, stage in enumerate(game.stages):
        if only not in (None, stage.id):
            continue
        if number == 0 and followed.solution.seen[0] == 2:
            yield heading(stage.title)
            yield Padding(_Grid(_starting(followed), styles), INDENT)
            continue
        for table in street_tables(followed, number):
            stake = counted(table.units, *sheet.unit)
            yield heading(say("cli.strategy.street", title=table.title, stake=stake))
            if not told:
                yield Padding(plain(_words(groups), "dim"), INDENT)
                told = True
            yield from _street(table, groups, styles)


def _styles(game: Game) -> Styles:
    plays = [play for stage in game.stages for play in stage.plays]
    words = list(dict.fromkeys(play.said for play in plays if play.said))
    return {play: _style(play, words) for play in plays}


def _style(play: Play, words: list[str]) -> str:
    if play.folds or play.takes:
        return FOLDED
    if play.said:
        return SAID[words.index(play.said) % len(SAID)][bool(play.puts)]
    return BETS[min(play.times, len(BETS) - 1)]


def _words(groups: tuple[RankGroup, ...]) -> Sentence:
    named = tuple(one.meaning for one in groups if one.meaning)
    return say("cli.strategy.words", groups=named, many=len(named), mark=NEVER)


def _starting(followed: LadderStrategy) -> dict[tuple[tuple[int, ...], bool], Play]:
    (purse,) = followed.purses(0)
    spots = followed.spots(0, purse)
    return {(spot.hand.ranks, spot.hand.suited): spot.play for spot in spots}


class _Grid:
    """The 13 by 13 of starting hands: suited above the diagonal, pairs on it."""

    def __init__(self, plays: Mapping[tuple[tuple[int, ...], bool], Play], styles: Styles) -> None:
        self._styles, self._plays = styles, plays

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Closer where there is less room."""
        table = Table.grid(padding=0)
        cell = min(options.max_width // (SIDE + 1), CLOSE)
        for _ in range(SIDE + 1):
            table.add_column(justify="center", width=cell)
        table.add_row("", *(plain(rank, "bold") for rank in reversed(RANKS)))
        for row in reversed(range(SIDE)):
            table.add_row(plain(RANKS[row], "bold"), *self._row(row, cell))
        yield table
        plays = tuple(f"{play.short} {play}" for play in _in_order(self._plays.values()))
        yield plain(say("cli.strategy.legend", plays=plays), "dim")

    def _row(self, row: int, cell: int) -> Iterator[Text]:
        for column in reversed(range(SIDE)):
            play = self._plays[(max(row, column), min(row, column)), column < row]
            yield plain(play.short.center(cell), self._styles[play])


def _in_order(plays: Iterable[Play]) -> list[Play]:
    return sorted(set(plays), key=lambda play: (play.folds, play))


def _street(
    table: StreetTable, groups: tuple[RankGroup, ...], styles: Styles
) -> Iterator[RenderableType]:
    if table.made:
        yield Padding(_made(table.made, styles), INDENT)
    if not table.loose:
        return
    plays = {play for cell in table.loose.values() for play in cell}
    if len(plays) == 1:
        every = say("cli.strategy.every", other=bool(table.made), play=str(plays.pop()))
        yield Padding(plain(every), INDENT)
        return
    if table.made:
        yield Text()
    yield Padding(_Loose(table.loose, groups, styles), INDENT)
    yield from (Padding(plain(one), INDENT) for one in _exceptions(table.loose, groups))


def _made(made: Mapping[str, Plays], styles: Styles) -> Table:
    """What is made already, by play."""
    by_play: dict[Play, list[str]] = {}
    for name, plays in made.items():
        if len(plays) == 1:
            by_play.setdefault(next(iter(plays)), []).append(name)
        else:
            for play, hands in plays.items():
                told = say("cli.strategy.only", hand=name, hands=_named(hands))
                by_play.setdefault(play, []).append(told)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for play in _in_order(by_play):
        grid.add_row(
            plain(f" {play} ", styles[play]),
            plain(say("cli.strategy.made", hands=tuple(by_play[play]))),
        )
    return grid


class _Loose:
    """Hands without a pair: what they are made of down, what they draw to across."""

    def __init__(
        self, loose: Mapping[tuple[Mix, Draw], Plays], groups: tuple[RankGroup, ...], styles: Styles
    ) -> None:
        self._loose, self._styles = loose, styles
        self._draws = sorted({draw for _, draw in loose})
        mixes = sorted({mix for mix, _ in loose}, reverse=True)
        self._names = {mix: worded(mix_name(mix, groups)) for mix in mixes}
        self._head = worded(say("cli.strategy.loose"))
        self._wide = max(len(self._head), *(len(name) for name in self._names.values())) + 2

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """One table, or one for each half and closer where there is less room."""
        if self._wide + CELL * len(self._draws) <= options.max_width:
            yield from self._table(self._draws, CELL)
            return
        for suited in (False, True):
            if draws := [draw for draw in self._draws if draw.suited == suited]:
                yield from self._table(draws, CLOSE)

    def _table(self, draws: list[Draw], cell: int) -> Iterator[RenderableType]:
        table = Table.grid(padding=0)
        table.add_column(no_wrap=True, width=self._wide)
        for _ in draws:
            table.add_column(width=cell)
        table.add_row(
            self._head, *(str(draw.straights).center(cell) for draw in draws), style="dim"
        )
        for mix, name in self._names.items():
            found = (self._loose.get((mix, draw)) for draw in draws)
            cells = [_plays_cell(plays, cell, self._styles) for plays in found]
            table.add_row(plain(name), *cells)
        yield plain(_halves(draws, self._wide, cell), "dim")
        yield table


def _halves(draws: list[Draw], wide: int, cell: int) -> str:
    """The line above the numbers of open straights: which columns are of one suit."""
    mixed = sum(not draw.suited for draw in draws)
    names = [f"  {worded(say('cli.strategy.suits', suited=one))}" for one in (False, True)]
    text = " " * wide + (names[0] if mixed else "").ljust(cell * mixed)
    return text + (names[1] if mixed < len(draws) else "")


def _plays_cell(plays: Plays | None, cell: int, styles: Styles) -> Text:
    if plays is None:
        return plain(NEVER.center(cell), "dim")
    first = next(iter(plays))
    text = "/".join(play.short for play in plays)
    return plain(text.center(cell), styles[first])


def _exceptions(
    loose: Mapping[tuple[Mix, Draw], Plays], groups: tuple[RankGroup, ...]
) -> Iterator[str]:
    """Where hands that are told alike are played differently: the rarer plays, hand by hand."""
    for (mix, draw), plays in loose.items():
        for play in list(plays)[1:]:
            yield say(
                "cli.strategy.exception",
                mix=mix_name(mix, groups),
                suits=say("cli.strategy.suits", suited=draw.suited),
                straights=draw.straights,
                play=str(play),
                hands=_named(plays[play]),
            )


def _named(hands: tuple[str, ...]) -> Sentence:
    more = max(0, len(hands) - NAMED_MAX)
    return say("cli.strategy.hands", hands=hands[:NAMED_MAX], more=more)


def _columns(*names: str, unit: str = "") -> tuple[str, ...]:
    return tuple(worded(say("cli.strategy.column", column=one, unit=unit)) for one in names)


def _declared(declared: PointsStrategy) -> Iterator[RenderableType]:
    sheet = declared.solution.sheet
    styles = _styles(compile_game(sheet))
    columns = _columns("points", "play", "share", "value", unit=sheet.unit[1])
    for name, rows in points_tables(declared).items():
        yield heading(name)
        table = plain_table(*columns, right=columns[2:])
        for plays, run in groupby(rows, key=lambda row: tuple(row.plays)):
            _add_points(table, plays, list(run), styles)
        yield table


def _add_points(
    table: Table, plays: tuple[Play, ...], run: list[PointsRow], styles: Styles
) -> None:
    share = sum((row.share for row in run), Fraction(0))
    worth = sum((row.share * row.worth for row in run), Fraction(0)) / share
    cell = Text(" / ").join(
        plain(f" {play.short} ", styles[play]).append(f" {play}", "") for play in plays
    )
    table.add_row(plain(f"  {_range(run)}"), cell, percent(share, 2), signed(worth))


def _range(run: list[PointsRow]) -> str:
    first, last = run[0], run[-1]
    low = _from_to(first.low, last.low)
    if first.low == first.high:
        return low
    return worded(say("cli.strategy.counts", low=low, high=_from_to(first.high, last.high)))


def _from_to(first: int, last: int) -> str:
    return str(first) if first == last else worded(say("cli.strategy.range", low=first, high=last))


def _fought(game: Game, followed: DealerStrategy, only: str | None) -> Iterator[RenderableType]:
    """Against a dealer's hand: the starting grid, or hands in their order by play."""
    lines, styles = list(followed.entries()), _styles(game)
    first, titles = starting_hand_plays(lines), {stage.id: stage.title for stage in game.stages}
    for street, found in play_runs(lines).items():
        if only not in (None, street):
            continue
        yield heading(titles[street])
        if len(first) == SIDE**2 and street == lines[0].street:
            yield Padding(_Grid(first, styles), INDENT)
            continue
        table = plain_table(*_columns("hands", "play"))
        for run in found[:RUNS_MAX]:
            to = worded(say("cli.strategy.to"))
            hands = run.first if run.first == run.last else f"{run.first}  {to}  {run.last}"
            cell = Text(" / ").join(
                plain(f" {play.short} ", styles[play]).append(f" {play}", "") for play in run.plays
            )
            table.add_row(plain(f"  {hands}"), cell)
        yield table
        if len(found) > RUNS_MAX:
            more = say("cli.strategy.more-lines", more=len(found) - RUNS_MAX)
            yield plain(f"  {worded(more)}", "dim")


def _simpler(sheet: Sheet, document: dict[str, Any]) -> Iterator[RenderableType]:
    best = Fraction(document["expected"]) + Fraction(document["cost"])
    yield heading(say("cli.strategy.simpler"))
    columns = _columns("strategy", "cost", "edge", unit=sheet.unit[1])
    table = plain_table(*columns, right=columns[1:])
    for name, text in document["simpler"].items():
        cost = Fraction(text)
        table.add_row(f"  {name}", f"{float(cost):.6f}", percent(cost - best))
    yield table
