"""The Python functions return records for every bundled sheet, equal to what the commands print."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from tests.command_line import Ask, ask
from tests.lanes import spread

import pitbook

__all__ = ["ask"]

SHEETS = pitbook.list_sheets().ids


@pytest.mark.long
@pytest.mark.parametrize("sheet", spread(SHEETS, 2))
def test_every_sheet_has_figures_strategy_and_check(sheet: str, ask: Ask) -> None:
    figures = pitbook.figures(sheet)
    assert json.loads(json.dumps(figures.document())) == ask("math", sheet, "--json").document
    for wager, wager_figures in figures.wagers.items():
        rows = [row for row in figures.records() if row["wager"] == wager]
        assert sum(row["probability"] for row in rows) == 1
        assert sum(row["contribution"] for row in rows) == wager_figures.expected
    strategy = pitbook.strategy(sheet)
    assert strategy.expected == figures.expected
    assert strategy.cost == 0
    assert all(isinstance(record["worth"], Fraction) for record in strategy.records())
    assert len(strategy._repr_html_()) < 50_000
    report = pitbook.check(sheet)
    assert report.valid
    assert {name: edge.house for name, edge in report.wagers.items() if edge.house is not None} == {
        name: figures[name].house_edge
        for name, edge in report.wagers.items()
        if edge.house is not None
    }


@pytest.mark.long
@pytest.mark.parametrize("sheet", spread(SHEETS, 2))
def test_every_sheet_has_questions_and_papers(sheet: str) -> None:
    drill = pitbook.drill(sheet, count=20, seed=sheet)
    assert all(question.is_right(question.answer) for question in drill.questions)
    packet = pitbook.papers(sheet)
    assert all(paper.html().startswith("<!doctype html>") for paper in packet.papers.values())
    assert [row["paper"] for row in packet.records()] == list(packet.papers)
