"""Hard spots: every game has close decisions, and there is no answer while a figure is computed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.transcripts.scenarios import play_ending

import pitbook
from pitbook.coach import practice_hands as hard
from pitbook.coach import review
from pitbook.coach.practice_hands import hand
from pitbook.exact.long_computations import LongCount
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.library import Library

WAR = "classic/casino-war"
CMS = "catfish-bend/mississippi-stud"


def spots(sheet: str, count: int) -> list[object]:
    game, rng = compile_game(pitbook.load(sheet)), random.Random(sheet)
    return [hard.hard_spot(game, f"{sheet} {number}", rng.randrange) for number in range(count)]


def asks(game: Game, seed: str) -> Iterator[bool]:
    return (bool(hand(game, seed, number).waiting) for number in range(1, hard.SAMPLE_HANDS + 1))


def test_game_with_rare_decisions_has_hard_spots() -> None:
    """Sixty hands of Casino War have no tie about once in a hundred times; these seeds do."""
    game, rng = compile_game(pitbook.load(WAR)), random.Random(1)
    quiet = [seed for seed in map(str, range(300)) if not any(asks(game, seed))]
    assert quiet
    assert all(hard.hard_spot(game, seed, rng.randrange) is not None for seed in quiet)


@pytest.mark.slow
def test_every_bundled_game_has_hard_spots() -> None:
    sheets = [entry.sheet.id for entry in Library().entries() if entry.sheet]
    assert [sheet for sheet in sheets if None in spots(sheet, 5)] == []


def still_counting(*_: Any) -> Any:
    raise LongCount(("counts",), 60.0)


def test_hard_spot_waits_for_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hard, "weigh", still_counting)
    with pytest.raises(LongCount):
        spots(CMS, 1)


def test_review_waits_for_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "weigh", still_counting)
    opened, actions = play_ending(pitbook.load(CMS), "capped")
    with pytest.raises(LongCount):
        review.review(opened, actions, 1)
