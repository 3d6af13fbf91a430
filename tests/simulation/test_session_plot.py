"""The fan chart: its texts, no overlapping labels, and the same bytes every time."""

from __future__ import annotations

import struct
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from tests.sheets.samples import CMS, MHL
from tests.simulation.plans import SEED, bundled_sheet

from pitbook.exact.plots import render_plot
from pitbook.money import Cents
from pitbook.simulation.plan import plan
from pitbook.simulation.sessions.answer import find_outlook
from pitbook.simulation.sessions.plot import fan_plot
from pitbook.simulation.sessions.session import Outlook, session

pytestmark = pytest.mark.long


def outlook(name: str, bankroll: int, *, simulate: int | None = None, **stops: Any) -> Outlook:
    player_session = session(
        plan(bundled_sheet(name), ante=Cents(10_00), seed=SEED),
        bankroll=Cents(bankroll),
        hours=Fraction(1, 2),
        **stops,
    )
    return find_outlook(player_session, simulate=simulate)


def figure_texts(figure: Figure) -> set[str]:
    figure.draw_without_rendering()
    fan, seated = figure.get_axes()
    legend = fan.get_legend()
    assert legend is not None
    notes = [label.get_text().replace("\n", " ") for label in (*fan.texts, *legend.get_texts())]
    headline = figure.get_suptitle()
    return {headline, fan.get_title(), seated.get_xlabel(), seated.get_ylabel(), *notes}


def test_fan_names_bands_stops_and_method() -> None:
    figure = fan_plot(outlook(MHL, 200_00, stop_loss=50_00, goal=60_00))
    texts = figure_texts(figure)
    assert {
        *("middle 90% of sessions", "middle 50% of sessions", "median", "hours", "playing"),
        *("start $200", "stop-loss $150", "goal $260"),
        "Match'em Hi-Lo, Catfish Bend Casino",
    } <= texts
    (about,) = (text for text in texts if text.startswith("$10 per round"))
    assert "stop-loss" in about
    assert about.endswith("(exact)")


def test_ruin_line_is_drawn_without_stops() -> None:
    texts = figure_texts(fan_plot(outlook(CMS, 90_00, simulate=200)))
    assert {"start $90", "ruin below $40"} <= texts
    assert any(text.endswith("(200 sessions simulated)") for text in texts)


@pytest.mark.parametrize("stops", [{}, {"goal": 10_00}, {"stop_loss": 10_00, "goal": 500_00}])
def test_labels_do_not_overlap(stops: dict[str, Any]) -> None:
    figure = fan_plot(outlook(MHL, 30_00, **stops))
    canvas: Any = FigureCanvasAgg(figure)
    renderer = canvas.get_renderer()
    figure.draw(renderer)
    fan, _ = figure.get_axes()
    boxes = [label.get_window_extent(renderer) for label in fan.texts]
    assert len(boxes) >= 2
    assert not any(box.overlaps(other) for box, other in combinations(boxes, 2))


@pytest.mark.slow_cases("png")
@pytest.mark.parametrize("kind", ["svg", "png"])
def test_same_bytes_each_time(kind: str) -> None:
    fan_outlook = outlook(MHL, 100_00)
    first, second = (render_plot(fan_plot(fan_outlook), kind) for _ in range(2))
    assert first == second
    if kind == "png":
        assert struct.unpack(">I", first[16:20]) == (1800,)
