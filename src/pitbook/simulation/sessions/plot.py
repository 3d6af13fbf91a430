"""Charts of an outlook."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator

from pitbook.exact.plots import SETTINGS, WIDTH, money_formatter, plot_label
from pitbook.simulation.sessions.session import BANDS, GOAL, QUANTILES, RUIN, STOP_LOSS, Outlook
from pitbook.text import say
from pitbook.text.user_input import printable

HEIGHT = 5.6
OUTER, INNER, MIDDLE, SEATED, WARNING, GOOD = (
    *("#cfe3f2", "#8fbfe0", "#1f5f96"),
    *("#b9b9b9", "#b3471a", "#2e7d4f"),
)
TITLE_MAX = 62
NAME_HEIGHT = 0.1  # Share of the picture height for a label of two lines.


def fan_plot(outlook: Outlook) -> Figure:
    """Bands of the bankroll by hour, above the share of players still playing."""
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
        fan, seated = figure.subplots(2, 1, sharex=True, height_ratios=(5, 1))
        _draw_header(figure, fan, outlook)
        _draw_fan(fan, outlook)
        _draw_seated(seated, outlook)
    return figure


def _draw_header(figure: Figure, axes: Axes, outlook: Outlook) -> None:
    sheet = outlook.session.plan.sheet
    place = "" if sheet.title.startswith(sheet.house.venue) else f", {sheet.house.venue}"
    title = printable(f"{sheet.title}{place}")
    size = min(15.0, 15 * TITLE_MAX / len(title))
    headline: Text = figure.suptitle(title, x=0.012, ha="left", size=size, weight="bold")
    subtitle = axes.set_title(_subtitle(outlook), x=0, ha="left", size=11, color="#505050", pad=10)
    for text in (headline, subtitle):
        text.set_parse_math(False)  # A dollar sign is money, not a formula.


def _subtitle(outlook: Outlook) -> str:
    session = outlook.session
    plan = session.plan
    ends_shown = (
        (RUIN, outlook.ends[RUIN].chance or session.stop_loss is None),
        (STOP_LOSS, session.stop_loss is not None),
        (GOAL, session.goal is not None),
    )
    ends = [
        say("simulate.plot.end", end=name, share=f"{float(outlook.ends[name].chance) * 100:.1f}%")
        for name, is_asked in ends_shown
        if is_asked
    ]
    return plot_label(
        "simulate.plot.about",
        stakes=(plan.ante, *(stake for _, stake in plan.side)),
        pace=session.hands_per_hour,
        ends=ends,
        sessions=outlook.sessions or 0,
        method=outlook.method,
    )


def _draw_fan(axes: Axes, outlook: Outlook) -> None:
    hours = _hours(outlook)
    rows = list(zip(*(mark.quantiles for mark in outlook.marks), strict=True))
    bands = [[cents / 100 for cents in row] for row in rows]
    for (low, high), paint in zip(BANDS, (OUTER, INNER), strict=True):
        share = (QUANTILES[high] - QUANTILES[low]) * 100
        label = plot_label("simulate.plot.band", share=int(share))
        axes.fill_between(hours, bands[low], bands[high], color=paint, lw=0, label=label)
    median = plot_label("simulate.plot.median")
    axes.plot(hours, bands[len(bands) // 2], color=MIDDLE, lw=2.2, label=median)
    axes.set_ylabel(plot_label("simulate.plot.bankroll"))
    axes.set_ylim(bottom=min(0, *(min(band) for band in bands)))
    axes.yaxis.set_major_formatter(money_formatter())
    axes.grid(axis="y")
    legend = axes.legend(loc="upper left", ncols=3, fontsize=10, handlelength=1.4)
    legend.get_frame().set(facecolor="white", alpha=1, linewidth=0)
    lowest, highest = axes.get_ylim()
    highest = max(highest, 1.02 * max(height for height, _, _ in _lines(outlook)) / 100)
    axes.set_ylim(lowest, lowest + (highest - lowest) * 1.12)  # Room for the legend.
    _draw_lines(axes, outlook)


def _draw_lines(axes: Axes, outlook: Outlook) -> None:
    """Draw lines with labels beside the picture that do not overlap."""
    lowest, highest = axes.get_ylim()
    next_free = lowest
    for height, name, paint in sorted(_lines(outlook)):
        axes.axhline(height / 100, color=paint, lw=1.2, ls=(0, (5, 3)), zorder=2.5)
        place = max(height / 100, next_free)
        next_free = place + (highest - lowest) * NAME_HEIGHT
        amount = plot_label("simulate.plot.amount", amount=height)
        _label_line(axes, place, f"{plot_label('simulate.plot.line', line=name)}\n{amount}", paint)


def _lines(outlook: Outlook) -> Iterator[tuple[int, str, str]]:
    """The lines to draw: the start, and the bankrolls at which the player stops."""
    session = outlook.session
    yield session.bankroll, "start", "#606060"
    if session.goal_bankroll is not None:
        yield session.goal_bankroll, GOAL, GOOD
    if session.stop_bankroll > session.stake_min:
        yield session.stop_bankroll, STOP_LOSS, WARNING
    else:
        yield session.stake_min, RUIN, WARNING


def _label_line(axes: Axes, height: float, text: str, paint: str) -> None:
    note: Any = axes.annotate(
        text,
        (1, height),
        (6, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        va="center",
        size=9.5,
        color=paint,
        linespacing=1.05,
    )
    note.set_parse_math(False)


def _draw_seated(axes: Axes, outlook: Outlook) -> None:
    shares = [float(mark.playing) * 100 for mark in outlook.marks]
    axes.fill_between(_hours(outlook), shares, color=SEATED, lw=0)
    axes.set_ylim(0, 105)
    axes.margins(x=0)
    axes.set_yticks([0, 50, 100], ["0%", "50%", "100%"])
    axes.set_ylabel(plot_label("simulate.plot.playing"))
    axes.set_xlabel(plot_label("simulate.plot.hours"))
    axes.xaxis.set_major_locator(MaxNLocator(nbins=10, steps=[1, 2, 2.5, 5, 10]))
    axes.grid(axis="y")


def _hours(outlook: Outlook) -> list[float]:
    pace = outlook.session.hands_per_hour
    return [mark.rounds / pace for mark in outlook.marks]
