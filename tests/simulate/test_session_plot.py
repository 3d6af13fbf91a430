"""The fan chart: what it says, that names keep apart, and the same bytes each time."""

from __future__ import annotations

import struct
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from tests.sheets.samples import CMS, MHL
from tests.simulate.plans import SEED, bundled

from pitbook.exact.plots import render_plot
from pitbook.money import Cents
from pitbook.simulate.plan import plan
from pitbook.simulate.sessions.answer import answer
from pitbook.simulate.sessions.plot import fan_plot
from pitbook.simulate.sessions.session import Outlook, session

pytestmark = pytest.mark.long


def outlook(name: str, bankroll: int, *, simulate: int | None = None, **stops: Any) -> Outlook:
    asked = session(
        plan(bundled(name), ante=Cents(10_00), seed=SEED),
        bankroll=Cents(bankroll),
        hours=Fraction(1, 2),
        **stops,
    )
    return answer(asked, simulate=simulate)


def told(figure: Figure) -> set[str]:
    figure.draw_without_rendering()
    fan, seated = figure.get_axes()
    legend = fan.get_legend()
    assert legend is not None
    notes = [one.get_text().replace("\n", " ") for one in (*fan.texts, *legend.get_texts())]
    whole = figure.get_suptitle()
    return {whole, fan.get_title(), seated.get_xlabel(), seated.get_ylabel(), *notes}


def test_the_fan_names_bands_stops_and_how_it_was_come_by() -> None:
    figure = fan_plot(outlook(MHL, 200_00, stop_loss=50_00, goal=60_00))
    said = told(figure)
    assert {
        *("middle 90% of sessions", "middle 50% of sessions", "median", "hours", "playing"),
        *("start $200", "stop-loss $150", "goal $260"),
        "Match'em Hi-Lo, Catfish Bend Casino",
    } <= said
    (about,) = (one for one in said if one.startswith("$10 a round"))
    assert "stop-loss" in about
    assert about.endswith("(exact)")


def test_without_stops_the_ruin_is_drawn() -> None:
    said = told(fan_plot(outlook(CMS, 90_00, simulate=200)))
    assert {"start $90", "ruin below $40"} <= said
    assert any(one.endswith("(200 sessions played)") for one in said)


@pytest.mark.parametrize("stops", [{}, {"goal": 10_00}, {"stop_loss": 10_00, "goal": 500_00}])
def test_no_name_lies_on_another(stops: dict[str, Any]) -> None:
    figure = fan_plot(outlook(MHL, 30_00, **stops))
    canvas: Any = FigureCanvasAgg(figure)
    renderer = canvas.get_renderer()
    figure.draw(renderer)
    fan, _ = figure.get_axes()
    boxes = [one.get_window_extent(renderer) for one in fan.texts]
    assert len(boxes) >= 2
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


@pytest.mark.slow_cases("png")
@pytest.mark.parametrize("kind", ["svg", "png"])
def test_same_bytes_each_time(kind: str) -> None:
    found = outlook(MHL, 100_00)
    first, second = (render_plot(fan_plot(found), kind) for _ in range(2))
    assert first == second
    if kind == "png":
        assert struct.unpack(">I", first[16:20]) == (1800,)
