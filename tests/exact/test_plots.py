"""Plots: right in kind, the same bytes each time, and safe from what a sheet's titles hold."""

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
from pitbook.rules.plays import FOLD, Play, bets, play_text
from pitbook.sheets.library import Library
from pitbook.sheets.load import load as load_file
from pitbook.sheets.model import Sheet


@cache
def sheet(name: str) -> Sheet:
    return Library().load(name, date(2026, 1, 1))


def texts(figure: Figure) -> list[str]:
    figure.draw_without_rendering()
    axes = figure.get_axes()
    ticks = [one.get_text() for ax in axes for one in ax.get_yticklabels() + ax.get_xticklabels()]
    notes = [one.get_text() for ax in axes for one in ax.texts]
    return [one.get_text() for one in figure.texts] + ticks + notes


@pytest.mark.long
def test_outcomes_name_every_line_and_the_edge() -> None:
    told = texts(plots.outcomes_plot(sheet(CMS), "main", wager_figures(sheet(CMS), "main")))
    assert {"royal flush", "pair of sixes to tens", "no paying hand", "fold"} <= set(told)
    assert "House edge 4.9149%, standard deviation 9.8366" in told
    assert "43.60%" in told
    assert "-0.6099" in told


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
def test_grid_has_a_name_a_letter_and_a_value_in_every_cell() -> None:
    told = texts(plots.grid_plot(sheet(CMS), follow(sheet(CMS))))
    assert told.count("3") == 13
    assert told.count("F") == 51
    assert told.count("1") == 105
    assert {"AA", "AKs", "72o", "+15.61", "-1.00"} <= set(told)


@pytest.mark.long
def test_hi_lo_grid_is_drawn_by_points() -> None:
    figure = plots.grid_plot(sheet(MHL), follow(sheet(MHL)))
    assert [ax.get_title(loc="left") for ax in figure.get_axes()] == [
        *("No ace", "One ace", "Two aces", "Three aces"),
    ]
    assert texts(figure).count("LD") == 13


def test_only_two_hole_cards_make_a_grid() -> None:
    three = load_file(UNUSUAL / "three-hole-cards.toml")
    with pytest.raises(StrategyError, match="13 by 13"):
        plots.grid_plot(three, follow(three))


@pytest.mark.long
def test_edge_rises_from_the_uncapped_one() -> None:
    stakes, edges = drawn(plots.edge_plot(sheet(CMS)))
    assert (stakes[0], stakes[-1]) == (5, 500)
    assert edges[0] == pytest.approx(4.914858, abs=1e-6)
    assert edges == sorted(edges)
    assert edges[-1] == pytest.approx(6.0537, abs=1e-4)
    assert drawn(plots.edge_plot(sheet(OMS)))[0] == [2, 3, 4]


def drawn(figure: Figure) -> tuple[list[float], list[float]]:
    across, up = np.asarray(figure.get_axes()[0].lines[0].get_xydata()).T
    return across.tolist(), up.tolist()


@pytest.mark.long
def test_edge_that_no_cap_bends_says_so() -> None:
    told = texts(plots.edge_plot(sheet(MHL)))
    assert "House edge; no cap bites at any stake that the sheet allows" in told


def drawing(kind: str) -> Figure:
    """The fullest one where its parts have names of their own, and a quick one in dots."""
    if kind == "png":
        return plots.edge_plot(sheet(OMS))
    return plots.grid_plot(sheet(CMS), follow(sheet(CMS)))


@pytest.mark.slow_cases("png", "svg")
@pytest.mark.parametrize("kind", ["svg", "png"])
def test_same_bytes_each_time(kind: str) -> None:
    first, second = (plots.render_plot(drawing(kind), kind) for _ in range(2))
    assert first == second
    assert b"<dc:date>" not in first


@pytest.mark.long
def test_png_is_900_points_wide_at_twice_the_density() -> None:
    raw = plots.render_plot(plots.edge_plot(sheet(OMS)), "png")
    assert struct.unpack(">I", raw[16:20]) == (1800,)


@pytest.mark.long
def test_titles_are_words_and_no_formulas() -> None:
    odd = sheet(CMS).model_copy(update={"title": "Win $5 or $\\frac{1}{0}$ <b>点数</b> \x1b[31m"})
    raw = plots.render_plot(plots.edge_plot(odd), "svg")
    assert b"\x1b" not in raw


def test_every_play_has_a_letter_and_a_colour_of_its_own() -> None:
    declared = [play_text(word, "double", times) for times in (0, 1) for word in ("low", "high")]
    for plays in ([FOLD, *(bets("flop", times) for times in range(5))], declared):
        for one, other in combinations(plays, 2):
            assert play_letter(one) != play_letter(other)
            assert play_color(one) != play_color(other)
            assert brightness_apart(play_color(one), play_color(other)) or hue_apart(one, other)
        assert all(text_color(play_color(play)) in ("#ffffff", "#1a1a1a") for play in plays)


def brightness_apart(one: str, other: str) -> bool:
    first, second = (sum(bytes.fromhex(text[1:])) for text in (one, other))
    return abs(first - second) > 60


def hue_apart(one: Play, other: Play) -> bool:
    """Blue against yellow or grey: eyes that mix up red and green keep these apart."""
    blue = [int(play_color(play)[5:], 16) - int(play_color(play)[1:3], 16) for play in (one, other)]
    return abs(blue[0] - blue[1]) > 30
