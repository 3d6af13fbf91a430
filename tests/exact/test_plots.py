"""Plots: correct content, reproducible bytes, and safe with any title."""

from __future__ import annotations

import struct
from datetime import date
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from matplotlib.figure import Figure
from tests.sheets.samples import CMS, IDS, MHL, OMS, UNUSUAL

from pitbook.exact import plots
from pitbook.exact.plots import play_color, play_letter, text_color
from pitbook.exact.rule_files import StrategyError
from pitbook.exact.sheet_figures import wager_figures
from pitbook.exact.strategies import follow
from pitbook.rules.actions import FOLD, Play, bets, declaration_play
from pitbook.sheets.library import Library
from pitbook.sheets.load import load as load_file
from pitbook.sheets.model import Sheet


@cache
def sheet(name: str) -> Sheet:
    return Library().load(name, date(2026, 1, 1))


def texts(figure: Figure) -> list[str]:
    figure.draw_without_rendering()
    axes = figure.get_axes()
    ticks = [
        label.get_text()
        for axis in axes
        for label in axis.get_yticklabels() + axis.get_xticklabels()
    ]
    notes = [note.get_text() for axis in axes for note in axis.texts]
    return [text.get_text() for text in figure.texts] + ticks + notes


@pytest.mark.long
def test_outcomes_plot_names_every_line_and_the_edge() -> None:
    labels = texts(plots.outcomes_plot(sheet(CMS), "main", wager_figures(sheet(CMS), "main")))
    assert {"royal flush", "pair of sixes to tens", "no paying hand", "fold"} <= set(labels)
    assert "House edge 4.9149%, standard deviation 9.8366" in labels
    assert "43.60%" in labels
    assert "-0.6099" in labels


@pytest.mark.slow_cases(
    "catfish-bend/mississippi-stud", "louisiana-stud/standard", "oceanfront/mississippi-stud"
)
@pytest.mark.long
@pytest.mark.parametrize("name", IDS)
def test_every_wager_can_be_drawn(name: str) -> None:
    for wager in ("main", *sheet(name).side):
        figure = plots.outcomes_plot(sheet(name), wager, wager_figures(sheet(name), wager))
        assert len(figure.get_axes()) == 2
        assert plots.edge_plot(sheet(name), wager).get_axes()


@pytest.mark.long
def test_grid_cells_have_name_letter_and_value() -> None:
    labels = texts(plots.grid_plot(sheet(CMS), follow(sheet(CMS))))
    assert labels.count("3") == 13
    assert labels.count("F") == 51
    assert labels.count("1") == 105
    assert {"AA", "AKs", "72o", "+15.61", "-1.00"} <= set(labels)


@pytest.mark.long
def test_hi_lo_grid_is_drawn_by_points() -> None:
    figure = plots.grid_plot(sheet(MHL), follow(sheet(MHL)))
    assert [axis.get_title(loc="left") for axis in figure.get_axes()] == [
        *("No ace", "One ace", "Two aces", "Three aces"),
    ]
    assert texts(figure).count("LD") == 13


def test_grid_needs_two_hole_cards() -> None:
    three_hole_cards = load_file(UNUSUAL / "three-hole-cards.toml")
    with pytest.raises(StrategyError, match="13 by 13"):
        plots.grid_plot(three_hole_cards, follow(three_hole_cards))


@pytest.mark.long
def test_edge_rises_with_stake_from_the_uncapped_edge() -> None:
    stakes, edges = edge_points(plots.edge_plot(sheet(CMS)))
    assert (stakes[0], stakes[-1]) == (5, 500)
    assert edges[0] == pytest.approx(4.914858, abs=1e-6)
    assert edges == sorted(edges)
    assert edges[-1] == pytest.approx(6.0537, abs=1e-4)
    assert edge_points(plots.edge_plot(sheet(OMS)))[0] == [2, 3, 4]


def edge_points(figure: Figure) -> tuple[list[float], list[float]]:
    x_values, y_values = np.asarray(figure.get_axes()[0].lines[0].get_xydata()).T
    return x_values.tolist(), y_values.tolist()


@pytest.mark.long
def test_edge_plot_says_if_no_cap_applies() -> None:
    labels = texts(plots.edge_plot(sheet(MHL)))
    assert "House edge (no payout limit applies at any allowed bet)" in labels


def example_plot(kind: str) -> Figure:
    """The most complex plot as SVG, a quick one as PNG or PDF."""
    if kind != "svg":
        return plots.edge_plot(sheet(OMS))
    return plots.grid_plot(sheet(CMS), follow(sheet(CMS)))


@pytest.mark.slow_cases("png", "svg", "pdf")
@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_plot_bytes_are_reproducible(kind: str) -> None:
    first, second = (plots.render_plot(example_plot(kind), kind) for _ in range(2))
    assert first == second
    assert b"<dc:date>" not in first
    assert b"CreationDate" not in first


@pytest.mark.long
def test_png_is_1800_pixels_wide() -> None:
    raw = plots.render_plot(plots.edge_plot(sheet(OMS)), "png")
    assert struct.unpack(">I", raw[16:20]) == (1800,)


@pytest.mark.long
def test_titles_are_not_parsed_as_math() -> None:
    odd_title = sheet(CMS).model_copy(
        update={"title": "Win $5 or $\\frac{1}{0}$ <b>点数</b> \x1b[31m"}
    )
    raw = plots.render_plot(plots.edge_plot(odd_title), "svg")
    assert b"\x1b" not in raw


def test_every_play_has_its_own_letter_and_color() -> None:
    declarations = [
        declaration_play(declaration, "double", times)
        for times in (0, 1)
        for declaration in ("low", "high")
    ]
    for plays in ([FOLD, *(bets("flop", times) for times in range(5))], declarations):
        for first, second in combinations(plays, 2):
            assert play_letter(first) != play_letter(second)
            assert play_color(first) != play_color(second)
            assert brightness_apart(play_color(first), play_color(second)) or hue_apart(
                first, second
            )
        assert all(text_color(play_color(play)) in ("#ffffff", "#1a1a1a") for play in plays)


def brightness_apart(first_color: str, second_color: str) -> bool:
    first, second = (sum(bytes.fromhex(color[1:])) for color in (first_color, second_color))
    return abs(first - second) > 60


def hue_apart(first: Play, second: Play) -> bool:
    """Blue compared with yellow or gray, distinguishable with red-green color blindness."""
    blue = [
        int(play_color(play)[5:], 16) - int(play_color(play)[1:3], 16) for play in (first, second)
    ]
    return abs(blue[0] - blue[1]) > 30
