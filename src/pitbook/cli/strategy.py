"""`pitbook strategy`: best play or a named strategy, and the cost of simpler strategies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitbook.cards import RANKS
from pitbook.cli.language import localize, output_language
from pitbook.cli.lazy_commands import command
from pitbook.cli.math import describe_assumptions, head, heading
from pitbook.cli.options import (
    Ante,
    Folders,
    Json,
    Plot,
    SheetName,
    ante_of,
    load_sheet,
    picture_of,
)
from pitbook.cli.plain_output import emit, examples
from pitbook.cli.rich_output import (
    count_units,
    format_exactly,
    format_signed,
    percent,
    plain,
    plain_table,
)
from pitbook.exact.methods.dealer.common import DealerStrategy, play_runs, starting_hand_plays
from pitbook.exact.methods.ladder.strategies import (
    Draw,
    LadderStrategy,
    Plays,
    RankCounts,
    RankGroup,
    StreetTable,
    format_rank_counts,
    rank_groups,
    street_tables,
)
from pitbook.exact.methods.points.strategies import PointsRow, PointsStrategy, points_tables
from pitbook.exact.strategies import GameStrategy
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say

app = command()


@app.command(
    epilog=examples(
        "pitbook strategy catfish-bend/mississippi-stud",
        "pitbook strategy oceanfront/mississippi-stud --ante 2 --street 5th-street",
        "pitbook strategy louisiana-stud/standard --name never-3x",
        "pitbook strategy catfish-bend/matchem-hi-lo --plot points.png",
    )
)
def strategy(
    sheet: SheetName,
    *,
    ante: Ante = None,
    street: Annotated[str | None, typer.Option(metavar="ID", help="Only this street.")] = None,
    name: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Strategy: best, never-fold, always-1x, ... or a rule file."
        ),
    ] = "best",
    plot: Plot = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Show a strategy as tables, and the cost of simpler play.

    A strategy is best, never-PLAY, always-PLAY, or a rule file whose name ends in .toml. With
    --json the output is the whole strategy: every class of hands with every bet.
    """
    rules = load_sheet(sheet, folder)
    picture, ante_cents = picture_of(plot), ante_of(ante)
    from pitbook.exact.strategies import game_strategy  # noqa: PLC0415  Imports NumPy.

    chosen = game_strategy(rules, name, ante=ante_cents, street=street)
    if picture is not None:
        chosen.plot(picture, language=output_language())
    if json:
        emit({**chosen.document(), **({} if picture is None else {"plot": str(picture)})})
        return
    from pitbook.cli.rich_output import console, show  # noqa: PLC0415

    show(console(), answer_parts(rules, chosen, picture))


INDENT = (0, 0, 0, 2)
NEVER = "·"
NAMED_MAX, CELL, CLOSE, SIDE = 8, 5, 3, len(RANKS)
RUNS_MAX = 40
# Named colors that a 16-color terminal can tell apart.
BETS = ("black on white", "black on cyan", "black on yellow", "white on red", "white on magenta")
FOLDED = "white on bright_black"
# With an extra bet.
DECLARATION_STYLES = ("black on cyan", "white on blue"), ("black on yellow", "white on red")
Styles = Mapping[Play, str]  # The colors of every play of the game.


def answer_parts(
    sheet: Sheet, answer: GameStrategy, picture: Path | None = None
) -> Iterator[RenderableType]:
    """The parts of the printed answer."""
    yield from head(sheet)
    yield plain(describe_assumptions(sheet, answer.ante, answer.name), "dim")
    yield plain(_edge(sheet, answer))
    chosen = answer.solved
    if isinstance(chosen, PointsStrategy):
        yield from _points_parts(chosen)
    elif isinstance(chosen, LadderStrategy):
        yield from _street_parts(chosen, answer.street)
    elif isinstance(chosen, DealerStrategy):
        yield from _dealer_parts(compile_game(sheet), chosen, answer.street)
    yield from _simpler_strategies(sheet, answer)
    if picture is not None:
        yield Text()
        yield plain(say("cli.strategy.plot", file=str(picture)))


def _edge(sheet: Sheet, answer: GameStrategy) -> Sentence:
    edge = percent(answer.house_edge)
    if not answer.cost:
        return say("cli.strategy.edge", edge=edge)
    cost, (_, units) = format_exactly(answer.cost), sheet.unit
    return say("cli.strategy.edge-and-cost", edge=edge, cost=cost, unit=units)


def _street_parts(chosen: LadderStrategy, only: str | None) -> Iterator[RenderableType]:
    sheet = chosen.solution.terms.sheet
    groups, game = rank_groups(sheet), compile_game(sheet)
    styles = _styles(game)
    legend_shown = False
    for number, stage in enumerate(game.stages):
        if only not in (None, stage.id):
            continue
        if number == 0 and chosen.solution.cards_seen[0] == 2:
            yield heading(stage.title)
            yield Padding(_Grid(_starting_plays(chosen), styles), INDENT)
            continue
        for table in street_tables(chosen, number):
            stake = count_units(table.units, *sheet.unit)
            yield heading(say("cli.strategy.street", title=table.title, stake=stake))
            if not legend_shown:
                yield Padding(plain(_groups_legend(groups), "dim"), INDENT)
                legend_shown = True
            yield from _street(table, groups, styles)


def _styles(game: Game) -> Styles:
    plays = [play for stage in game.stages for play in stage.plays]
    words = list(dict.fromkeys(play.declaration for play in plays if play.declaration))
    return {play: _style(play, words) for play in plays}


def _style(play: Play, words: list[str]) -> str:
    if play.folds or play.takes:
        return FOLDED
    if play.declaration:
        return DECLARATION_STYLES[words.index(play.declaration) % len(DECLARATION_STYLES)][
            bool(play.puts)
        ]
    return BETS[min(play.times, len(BETS) - 1)]


def _groups_legend(groups: tuple[RankGroup, ...]) -> Sentence:
    meanings = tuple(group.meaning for group in groups if group.meaning)
    return say("cli.strategy.words", groups=meanings, many=len(meanings), mark=NEVER)


def _starting_plays(chosen: LadderStrategy) -> dict[tuple[tuple[int, ...], bool], Play]:
    (purse,) = chosen.purses(0)
    spots = chosen.spots(0, purse)
    return {(spot.hand.ranks, spot.hand.suited): spot.play for spot in spots}


class _Grid:
    """The 13 by 13 grid of starting hands: suited above the diagonal, pairs on it."""

    def __init__(self, plays: Mapping[tuple[tuple[int, ...], bool], Play], styles: Styles) -> None:
        self._styles, self._plays = styles, plays

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Use narrower cells in less room."""
        table = Table.grid(padding=0)
        cell = min(options.max_width // (SIDE + 1), CLOSE)
        for _ in range(SIDE + 1):
            table.add_column(justify="center", width=cell)
        table.add_row("", *(plain(rank, "bold") for rank in reversed(RANKS)))
        for row in reversed(range(SIDE)):
            table.add_row(plain(RANKS[row], "bold"), *self._row(row, cell))
        yield table
        plays = tuple(f"{play.short} {play}" for play in _sort_plays(self._plays.values()))
        yield plain(say("cli.strategy.legend", plays=plays), "dim")

    def _row(self, row: int, cell: int) -> Iterator[Text]:
        for column in reversed(range(SIDE)):
            play = self._plays[(max(row, column), min(row, column)), column < row]
            yield plain(play.short.center(cell), self._styles[play])


def _sort_plays(plays: Iterable[Play]) -> list[Play]:
    return sorted(set(plays), key=lambda play: (play.folds, play))


def _street(
    table: StreetTable, groups: tuple[RankGroup, ...], styles: Styles
) -> Iterator[RenderableType]:
    if table.made_hands:
        yield Padding(_made_table(table.made_hands, styles), INDENT)
    if not table.unpaired_hands:
        return
    plays = {play for cell in table.unpaired_hands.values() for play in cell}
    if len(plays) == 1:
        sentence = say("cli.strategy.every", other=bool(table.made_hands), play=str(plays.pop()))
        yield Padding(plain(sentence), INDENT)
        return
    if table.made_hands:
        yield Text()
    yield Padding(_UnpairedTable(table.unpaired_hands, groups, styles), INDENT)
    yield from (
        Padding(plain(exception), INDENT) for exception in _exceptions(table.unpaired_hands, groups)
    )


def _made_table(made_hands: Mapping[str, Plays], styles: Styles) -> Table:
    """A table of made hands by play."""
    by_play: dict[Play, list[str]] = {}
    for name, plays in made_hands.items():
        if len(plays) == 1:
            by_play.setdefault(next(iter(plays)), []).append(name)
        else:
            for play, hands in plays.items():
                exceptions = say("cli.strategy.only", hand=name, hands=_hand_list(hands))
                by_play.setdefault(play, []).append(exceptions)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for play in _sort_plays(by_play):
        grid.add_row(
            plain(f" {play} ", styles[play]),
            plain(say("cli.strategy.made", hands=tuple(by_play[play]))),
        )
    return grid


class _UnpairedTable:
    """Unpaired hands: rank groups as rows, draws as columns."""

    def __init__(
        self,
        loose: Mapping[tuple[RankCounts, Draw], Plays],
        groups: tuple[RankGroup, ...],
        styles: Styles,
    ) -> None:
        self._loose, self._styles = loose, styles
        self._draws = sorted({draw for _, draw in loose})
        mixes = sorted({mix for mix, _ in loose}, reverse=True)
        self._names = {mix: localize(format_rank_counts(mix, groups)) for mix in mixes}
        self._head = localize(say("cli.strategy.loose"))
        self._name_width = max(len(self._head), *(len(name) for name in self._names.values())) + 2

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """One table, or one per suit half with narrower cells in less room."""
        if self._name_width + CELL * len(self._draws) <= options.max_width:
            yield from self._table(self._draws, CELL)
            return
        for suited in (False, True):
            if draws := [draw for draw in self._draws if draw.suited == suited]:
                yield from self._table(draws, CLOSE)

    def _table(self, draws: list[Draw], cell: int) -> Iterator[RenderableType]:
        table = Table.grid(padding=0)
        table.add_column(no_wrap=True, width=self._name_width)
        for _ in draws:
            table.add_column(width=cell)
        table.add_row(
            self._head, *(str(draw.straights).center(cell) for draw in draws), style="dim"
        )
        for mix, name in self._names.items():
            plays_by_draw = (self._loose.get((mix, draw)) for draw in draws)
            cells = [_plays_cell(plays, cell, self._styles) for plays in plays_by_draw]
            table.add_row(plain(name), *cells)
        yield plain(_suit_heading(draws, self._name_width, cell), "dim")
        yield table


def _suit_heading(draws: list[Draw], name_width: int, cell: int) -> str:
    """The heading above the numbers of open straights: offsuit and suited columns."""
    mixed = sum(not draw.suited for draw in draws)
    names = [f"  {localize(say('cli.strategy.suits', suited=suited))}" for suited in (False, True)]
    text = " " * name_width + (names[0] if mixed else "").ljust(cell * mixed)
    return text + (names[1] if mixed < len(draws) else "")


def _plays_cell(plays: Plays | None, cell: int, styles: Styles) -> Text:
    if plays is None:
        return plain(NEVER.center(cell), "dim")
    first = next(iter(plays))
    text = "/".join(play.short for play in plays)
    return plain(text.center(cell), styles[first])


def _exceptions(
    loose: Mapping[tuple[RankCounts, Draw], Plays], groups: tuple[RankGroup, ...]
) -> Iterator[str]:
    """Hands of one cell that are played differently: the rarer plays, hand by hand."""
    for (mix, draw), plays in loose.items():
        for play in list(plays)[1:]:
            yield say(
                "cli.strategy.exception",
                mix=format_rank_counts(mix, groups),
                suits=say("cli.strategy.suits", suited=draw.suited),
                straights=draw.straights,
                play=str(play),
                hands=_hand_list(plays[play]),
            )


def _hand_list(hands: tuple[str, ...]) -> Sentence:
    more = max(0, len(hands) - NAMED_MAX)
    return say("cli.strategy.hands", hands=hands[:NAMED_MAX], more=more)


def _columns(*names: str, unit: str = "") -> tuple[str, ...]:
    return tuple(localize(say("cli.strategy.column", column=column, unit=unit)) for column in names)


def _points_parts(strategy: PointsStrategy) -> Iterator[RenderableType]:
    sheet = strategy.solution.sheet
    styles = _styles(compile_game(sheet))
    columns = _columns("points", "play", "share", "value", unit=sheet.unit[1])
    for name, rows in points_tables(strategy).items():
        yield heading(name)
        table = plain_table(*columns, right=columns[2:])
        for plays, run in groupby(rows, key=lambda row: tuple(row.plays)):
            _add_points(table, plays, list(run), styles)
        yield table


def _add_points(
    table: Table, plays: tuple[Play, ...], run: list[PointsRow], styles: Styles
) -> None:
    share = sum((row.share for row in run), Fraction(0))
    value = sum((row.share * row.worth for row in run), Fraction(0)) / share
    cell = Text(" / ").join(
        plain(f" {play.short} ", styles[play]).append(f" {play}", "") for play in plays
    )
    table.add_row(plain(f"  {_hand_range(run)}"), cell, percent(share, 2), format_signed(value))


def _hand_range(run: list[PointsRow]) -> str:
    first, last = run[0], run[-1]
    low = _from_to(first.low, last.low)
    if first.low == first.high:
        return low
    return localize(say("cli.strategy.counts", low=low, high=_from_to(first.high, last.high)))


def _from_to(first: int, last: int) -> str:
    return (
        str(first) if first == last else localize(say("cli.strategy.range", low=first, high=last))
    )


def _dealer_parts(game: Game, chosen: DealerStrategy, only: str | None) -> Iterator[RenderableType]:
    """Against a dealer's hand: the starting grid, or ranges of hands by play."""
    lines, styles = list(chosen.entries()), _styles(game)
    first, titles = starting_hand_plays(lines), {stage.id: stage.title for stage in game.stages}
    for street, runs in play_runs(lines).items():
        if only not in (None, street):
            continue
        yield heading(titles[street])
        if len(first) == SIDE**2 and street == lines[0].street:
            yield Padding(_Grid(first, styles), INDENT)
            continue
        table = plain_table(*_columns("hands", "play"))
        for run in runs[:RUNS_MAX]:
            to_text = localize(say("cli.strategy.to"))
            hands = run.first if run.first == run.last else f"{run.first}  {to_text}  {run.last}"
            cell = Text(" / ").join(
                plain(f" {play.short} ", styles[play]).append(f" {play}", "") for play in run.plays
            )
            table.add_row(plain(f"  {hands}"), cell)
        yield table
        if len(runs) > RUNS_MAX:
            more_text = say("cli.strategy.more-lines", more=len(runs) - RUNS_MAX)
            yield plain(f"  {localize(more_text)}", "dim")


def _simpler_strategies(sheet: Sheet, answer: GameStrategy) -> Iterator[RenderableType]:
    best = answer.expected + answer.cost
    yield heading(say("cli.strategy.simpler"))
    columns = _columns("strategy", "cost", "edge", unit=sheet.unit[1])
    table = plain_table(*columns, right=columns[1:])
    for name, cost in answer.simpler.items():
        table.add_row(f"  {name}", f"{float(cost):.6f}", percent(cost - best))
    yield table
