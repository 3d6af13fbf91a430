"""Plots of exact figures: outcomes, starting hands, and the edge by stake."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import LogLocator, NullLocator

from pitbook.cards import RANKS
from pitbook.exact.compare import edge_of
from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.exact.methods.method import SheetStrategy
from pitbook.exact.methods.points.strategies import PointsRow, PointsStrategy, points_tables
from pitbook.exact.outcome_figures import FigureRow, Figures
from pitbook.exact.rule_files import StrategyError
from pitbook.exact.sheet_figures import wager_figures
from pitbook.exact.side_wagers import side_figures
from pitbook.exact.strategies import follow
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet
from pitbook.sheets.phrases import outcome
from pitbook.text import average, capital, in_language, locale_of, say
from pitbook.text.catalog import ENGLISH
from pitbook.text.formats import DOLLAR
from pitbook.text.user_input import printable

WIDTH = 9.0  # Inches; at 100 dots an inch a PNG is 900 pixels wide.
DOTS = 200
SETTINGS: Any = {
    "svg.hashsalt": "pitbook",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 10.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#808080",
    "axes.titlesize": 11.5,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
    "figure.facecolor": "white",
}
UNDATED: dict[str, Any] = {  # Metadata without the time and the version of matplotlib.
    "svg": {"Date": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Producer": None},
}
WON, PUSHED, LOST, LINE = "#2a78b5", "#a8a8a8", "#d5602b", "#2a78b5"
HEAD = 0.72  # Inches for the title and subtitle.
SMALL, TITLE_MAX = 8.5, 62
ANTES_MAX, FEW = 40, 8
RARE = 0.02  # A share that a linear scale would hide.


def render_plot(figure: Figure, kind: str) -> bytes:
    """The plot as SVG, PNG or PDF; the bytes are reproducible."""
    buffer = io.BytesIO()
    with matplotlib.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Characters that the font lacks are left blank.
        figure.savefig(buffer, format=kind, dpi=DOTS, metadata=UNDATED[kind])
    return buffer.getvalue()


def figures_plot(
    sheet: Sheet,
    kind: str,
    *,
    ante: Cents | None = None,
    wager: str = "main",
    strategy: str = "best",
    main: Figures | None = None,
) -> Figure:
    """One plot of a wager: outcomes, the starting grid, or the edge against the ante."""
    if kind == "grid":
        return grid_plot(sheet, follow(sheet, strategy, ante))
    if kind == "edge":
        return edge_plot(sheet, wager)
    return outcomes_plot(sheet, wager, main or wager_figures(sheet, wager, ante))


def outcomes_plot(sheet: Sheet, wager: str, figures: Figures) -> Figure:
    """How often each outcome occurs, and its contribution to the expected value."""
    groups = _rows_by_outcome(figures, declared=wager == "main" and bool(compile_game(sheet).duels))
    with matplotlib.rc_context(SETTINGS):
        deviation = f"{figures.standard_deviation:.4f}"
        edge = _format_percent(figures.house_edge)
        subtitle = plot_label("exact.plots.edge-and-deviation", edge=edge, deviation=deviation)
        figure = _new_figure(_title(sheet, wager), subtitle, height=1.1 + 0.34 * len(groups))
        probability_axes, value_axes = figure.subplots(1, 2, sharey=True, width_ratios=(1.15, 1))
        names = [localize(name) for name, _ in groups]
        _draw_probabilities(probability_axes, names, [rows for _, rows in groups], figures)
        _draw_contributions(value_axes, [rows for _, rows in groups], figures)
    return figure


def _draw_probabilities(
    axes: Axes, names: list[str], groups: list[list[FigureRow]], figures: Figures
) -> None:
    shares = [sum(row.count for row in rows) / figures.rounds for rows in groups]
    colors = [_result_color(rows) for rows in groups]
    axes.barh(range(len(groups)), shares, color=colors, height=0.7)
    axes.set_yticks(range(len(groups)), names)
    axes.invert_yaxis()
    has_rare = min(shares) < RARE
    if has_rare:
        axes.set_xscale("log")
        axes.set_xlim(min(shares) / 3, 6)
        axes.xaxis.set_major_locator(LogLocator(numticks=5))
        axes.xaxis.set_minor_locator(NullLocator())
    else:
        axes.set_xlim(0, 1.25 * max(shares))
    axes.set_title(plot_label("exact.plots.often", rare=has_rare))
    axes.xaxis.set_major_formatter(lambda share, _: f"{share * 100:g}%")
    axes.grid(axis="x")
    for index, share in enumerate(shares):
        axes.annotate(
            _format_share(share),
            (share, index),
            (4, 0),
            textcoords="offset points",
            va="center",
            size=9,
        )


def _draw_contributions(axes: Axes, groups: list[list[FigureRow]], figures: Figures) -> None:
    values = [float(sum(row.net * row.count for row in rows) / figures.rounds) for rows in groups]
    axes.barh(
        range(len(groups)),
        values,
        color=[WON if value > 0 else LOST for value in values],
        height=0.7,
    )
    axes.axvline(0, color="#606060", linewidth=0.8)
    axes.set_title(plot_label("exact.plots.worth"))
    axes.tick_params(axis="y", left=False)
    margin = 0.28 * (max(values) - min(values))
    axes.set_xlim(min(0, *values) - margin, max(0, *values) + margin)
    axes.grid(axis="x")
    for index, value in enumerate(values):
        axes.annotate(
            f"{value:+.4f}" if value else "0",
            (value, index),
            (4 if value >= 0 else -4, 0),
            textcoords="offset points",
            va="center",
            ha="left" if value >= 0 else "right",
            size=9,
        )


def _rows_by_outcome(figures: Figures, *, declared: bool) -> list[tuple[str, list[FigureRow]]]:
    """Rows by outcome, best paid first, losing outcomes last."""
    groups: dict[str, list[FigureRow]] = {}
    for row in figures.rows:
        groups.setdefault(_outcome_key(row, declared=declared), []).append(row)
    last = (say("exact.plots.nothing"), say("exact.plots.loses"), outcome("fold"))
    order = sorted(groups, key=lambda name: last.index(name) if name in last else -1)
    return [(name, groups[name]) for name in order]


def _outcome_key(row: FigureRow, *, declared: bool) -> str:
    if declared and row.result == "lose":
        return say("exact.plots.loses")
    if declared:
        return say("exact.plots.ends", outcome=row.outcome, result=row.result)
    return say("exact.plots.nothing") if row.outcome == "nothing" else outcome(row.outcome)


def _result_color(rows: Iterable[FigureRow]) -> str:
    net = sum(row.net for row in rows)
    return WON if net > 0 else LOST if net < 0 else PUSHED


def grid_plot(sheet: Sheet, strategy: SheetStrategy) -> Figure:
    """The first decision as a grid: every starting hand with its play and its value."""
    if isinstance(strategy, PointsStrategy):
        return _points_plot(sheet, strategy)
    if not isinstance(strategy, LadderStrategy) or strategy.solution.cards_seen[0] != 2:
        raise StrategyError(say("exact.strategy.no-grid"))
    with matplotlib.rc_context(SETTINGS):
        figure = _new_figure(_title(sheet, "main"), _grid_subtitle(strategy), height=WIDTH + 0.25)
        axes = figure.subplots()
        _draw_grid(axes, strategy)
    return figure


def _grid_subtitle(strategy: LadderStrategy) -> str:
    terms = strategy.solution.terms
    street, name = terms.game.stages[0].title, strategy.name
    fields = {"street": street, "name": name, "capped": terms.capped, "ante": terms.ante}
    return plot_label("exact.plots.grid", **fields)


def _draw_grid(axes: Axes, strategy: LadderStrategy) -> None:
    (purse,) = strategy.purses(0)
    spots = list(strategy.spots(0, purse))
    best = {
        play: max(spot.worth for spot in spots if spot.play == play)
        for play in {spot.play for spot in spots}
    }
    lowest = {play: min(spot.worth for spot in spots if spot.play == play) for play in best}
    for spot in spots:
        high, low = spot.hand.ranks
        column, row = (12 - low, 12 - high) if spot.hand.suited else (12 - high, 12 - low)
        span = best[spot.play] - lowest[spot.play]
        depth = float((spot.worth - lowest[spot.play]) / span) if span else 0.5
        shade = _shaded_color(play_color(spot.play), depth)
        axes.add_patch(Rectangle((column, row), 1, 1, facecolor=shade, edgecolor="white", lw=1.5))
        pair = "" if high == low else "s" if spot.hand.suited else "o"
        name = f"{RANKS[high]}{RANKS[low]}{pair}"
        pen = text_color(shade)
        middle = column + 0.5
        axes.text(middle, row + 0.22, name, ha="center", va="center", size=7.5, color=pen)
        axes.text(
            middle,
            row + 0.53,
            play_letter(spot.play),
            ha="center",
            va="center",
            size=13,
            color=pen,
            weight="bold",
        )
        axes.text(
            middle,
            row + 0.83,
            _format_value(spot.worth),
            ha="center",
            va="center",
            size=7,
            color=pen,
        )
    axes.set_xlim(0, 13)
    axes.set_ylim(13, 0)
    axes.set_aspect("equal")
    axes.set_axis_off()
    plays = sorted(best, key=lambda play: (play.folds, play))
    unit = strategy.solution.terms.sheet.unit[1]
    _legend(axes, plays, plot_label("exact.plots.legend", unit=unit))


def _legend(axes: Axes, plays: list[Play], note: str) -> None:
    handles = [
        Patch(facecolor=play_color(play), label=f"{play_letter(play)}  {play}") for play in plays
    ]
    handles.append(Patch(facecolor="none", label=note))
    axes.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, -0.005),
        ncols=len(handles),
        frameon=False,
        fontsize=10,
        handlelength=1.4,
        columnspacing=1.6,
    )


def _points_plot(sheet: Sheet, strategy: PointsStrategy) -> Figure:
    tables = points_tables(strategy)
    with matplotlib.rc_context(SETTINGS):
        subtitle = plot_label("exact.plots.declare", name=strategy.name)
        figure = _new_figure(_title(sheet, "main"), subtitle, height=0.9 + 1.75 * len(tables))
        panels = figure.subplots(len(tables), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        for axes, (name, rows) in zip(panels, tables.items(), strict=True):
            _draw_points(axes, name, rows, sheet.unit[1])
        panels[-1].set_xlabel(plot_label("exact.plots.points"))
        used = dict.fromkeys(play for rows in tables.values() for row in rows for play in row.plays)
        figure.legend(
            handles=[
                Patch(facecolor=play_color(play), label=f"{play_letter(play)}  {play}")
                for play in used
            ],
            loc="outside lower center",
            ncols=len(used),
            frameon=False,
        )
    return figure


def _draw_points(axes: Axes, name: str, rows: tuple[PointsRow, ...], unit: str) -> None:
    values = [float(row.worth) for row in rows]
    plays = [max(row.plays, key=lambda play: len(row.plays[play])) for row in rows]
    places = [row.low for row in rows]
    axes.bar(places, values, color=[play_color(play) for play in plays], width=0.86)
    axes.axhline(0, color="#606060", linewidth=0.8)
    axes.set_title(localize(capital(name)), loc="left")
    axes.set_ylabel(plot_label("exact.plots.value", unit=unit))
    axes.grid(axis="y")
    axes.margins(y=0.18)
    for row, place, value in zip(rows, places, values, strict=True):
        axes.annotate(
            "/".join(play_letter(play) for play in row.plays),
            (place, value),
            (0, 3 if value >= 0 else -3),
            textcoords="offset points",
            ha="center",
            va="bottom" if value >= 0 else "top",
            size=SMALL,
            weight="bold",
        )


def edge_plot(sheet: Sheet, wager: str = "main") -> Figure:
    """The house edge at every stake that the sheet allows, and the edge without caps."""
    stake = sheet.main_wager if wager == "main" else sheet.side[wager].stake
    title = sheet.main_wager.title if wager == "main" else sheet.side[wager].title
    antes = _stakes(stake.min, stake.max, stake.step)
    edges = [float(_edge_at(sheet, wager, ante)) * 100 for ante in antes]
    uncapped_edge = float(edge_of(sheet, wager)) * 100
    with matplotlib.rc_context(SETTINGS):
        cap_applies = not max(edges) == min(edges) == uncapped_edge
        subtitle = plot_label("exact.plots.capped" if cap_applies else "exact.plots.uncapped")
        figure = _new_figure(_title(sheet, wager), subtitle, height=4.2)
        axes = figure.subplots()
        dollars = [ante / 100 for ante in antes]
        axes.plot(dollars, edges, color=LINE, marker="o", markersize=4, linewidth=1.8)
        axes.axhline(uncapped_edge, color="#606060", linewidth=1, linestyle="--")
        _label_edges(axes, dollars, edges, uncapped_edge)
        money = sheet.house.currency or DOLLAR
        stake_label = plot_label("exact.plots.stake", title=printable(title), currency=money)
        axes.set_xlabel(stake_label, parse_math=False)
        axes.set_ylabel(plot_label("exact.plots.edge"))
        axes.yaxis.set_major_formatter(lambda edge, _: f"{edge:.2f}%")
        if antes[-1] > 20 * antes[0]:
            axes.set_xscale("log")
            axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.xaxis.set_minor_locator(NullLocator())
        elif len(antes) <= FEW:
            axes.set_xticks(dollars)
        axes.xaxis.set_major_formatter(money_formatter())
        axes.grid()
    return figure


def _label_edges(
    axes: Axes, dollars: list[float], edges: list[float], uncapped_edge: float
) -> None:
    span = max(*edges, uncapped_edge) - min(*edges, uncapped_edge)
    margin = 0.22 * span if span else 0.5
    axes.set_ylim(min(*edges, uncapped_edge) - margin, max(*edges, uncapped_edge) + margin)
    axes.annotate(
        plot_label("exact.plots.free", edge=f"{uncapped_edge:.4f}%"),
        (1, uncapped_edge),
        (-4, -5),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        ha="right",
        va="top",
        size=9.5,
        color="#404040",
    )
    for place, side in ((0, "left"), (-1, "right")):
        if abs(edges[place] - uncapped_edge) > span / 20:
            axes.annotate(
                f"{edges[place]:.4f}%",
                (dollars[place], edges[place]),
                (0, 8),
                textcoords="offset points",
                ha=side,
                size=9.5,
                color=LINE,
            )


def _edge_at(sheet: Sheet, wager: str, stake: Cents) -> Fraction:
    if wager == "main":
        return edge_of(sheet, wager, stake)
    return side_figures(sheet, wager, stake).house_edge


def _stakes(low: Cents, high: Cents, step: Cents) -> list[Cents]:
    """Stakes from the minimum to the maximum, spaced by ratio, each one allowed."""
    if (high - low) // step < ANTES_MAX:
        return [Cents(amount) for amount in range(low, high + 1, step)]
    ratio = (high / low) ** (1 / (ANTES_MAX - 1))
    steps = {round(low * ratio**index / step) * step for index in range(ANTES_MAX)}
    return [Cents(amount) for amount in sorted({low, high, *steps}) if low <= amount <= high]


def _new_figure(title: str, subtitle: str, *, height: float) -> Figure:
    """An empty figure with a title and a subtitle."""
    total_height = height + HEAD
    figure = Figure(figsize=(WIDTH, total_height))
    figure.set_layout_engine("constrained", rect=(0.008, 0, 0.984, height / total_height))
    size = min(15.0, 15 * TITLE_MAX / len(title))
    heading = figure.text(0, 0, printable(title))
    subheading = figure.text(0, 0, printable(subtitle))
    heading.set(size=size, weight="bold", y=1 - 0.12 / total_height)
    subheading.set(size=11.5, color="#505050", y=1 - 0.43 / total_height)
    for text in (heading, subheading):
        text.set(x=0.018, va="top", parse_math=False)  # A dollar sign is not math markup.
    return figure


def _title(sheet: Sheet, wager: str) -> str:
    venue = "" if sheet.title.startswith(sheet.house.venue) else f", {sheet.house.venue}"
    suffix = "" if wager == "main" else f": {sheet.side[wager].title}"
    return f"{sheet.title}{venue}{suffix}"


def _format_percent(fraction: Fraction) -> str:
    return f"{float(fraction) * 100:.4f}%"


def _format_share(share: float) -> str:
    return f"{share * 100:.2f}%" if share >= 0.001 else f"{share * 100:.3g}%"


def _format_value(fraction: Fraction) -> str:
    return f"{round(float(fraction), 2) + 0.0:+.2f}"  # No negative zero.


def _shaded_color(base: str, depth: float) -> str:
    """The color, paler at depth 0 and full at depth 1."""
    weight = 0.55 + 0.45 * depth
    parts = [int(base[place : place + 2], 16) for place in (1, 3, 5)]
    return "#" + "".join(f"{round(255 - (255 - part) * weight):02x}" for part in parts)


FOLD_COLOR = "#c9c9c9"
BET_COLORS = (
    "#cfe8f7",
    "#8cc8ee",
    "#f5d76e",
    "#f0a030",
    "#d5602b",
    "#8c3a12",
)  # 0x to 5x and more.
DECLARATION_COLORS = {
    "low": ("#8cc8ee", "#2a78b5"),
    "high": ("#f5c04f", "#d5602b"),
}  # Alone, and raised.
DARK_MAX = 120  # Colors darker than this get white letters.


def play_letter(play: Play) -> str:
    """A play in one or two letters.

    >>> from pitbook.rules.actions import FOLD, bets, declaration_play
    >>> [play_letter(p) for p in (FOLD, bets("ante", 3), declaration_play("high", "double", 1))]
    ['F', '3', 'HD']
    """
    return play.short


def play_color(play: Play) -> str:
    """The color of a play as #rrggbb."""
    if play.folds or play.takes:
        return FOLD_COLOR
    if play.declaration in DECLARATION_COLORS:
        return DECLARATION_COLORS[play.declaration][bool(play.puts)]
    return BET_COLORS[min(play.times, len(BET_COLORS) - 1)]


def text_color(background: str) -> str:
    """Black or white, whichever is more readable on the color."""
    red, green, blue = (int(background[place : place + 2], 16) for place in (1, 3, 5))
    brightness = (299 * red + 587 * green + 114 * blue) // 1000
    return "#ffffff" if brightness < DARK_MAX else "#1a1a1a"


_LANGUAGE: ContextVar[str] = ContextVar("words", default=ENGLISH)


@contextmanager
def plot_language(language: str, sheet: Sheet) -> Iterator[None]:
    """Draw the plots inside in this language, with the currency of the sheet's house."""
    token = _LANGUAGE.set(locale_of(language, sheet.house.currency))
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


def plot_label(key: str, **fields: Any) -> str:
    """A label by its key."""
    return localize(say(key, **fields))


def money_formatter() -> Callable[[float, object], str]:
    """A formatter of whole amounts for an axis that is drawn later."""
    language = _LANGUAGE.get()
    return lambda dollars, _: average(dollars, 0, language)


def localize(text: str) -> str:
    """A text in the current language."""
    return in_language(text, _LANGUAGE.get())
