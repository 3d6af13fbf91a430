"""Rounds are read-only; `step` and `play_actions` change a copy."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from random import Random

import pytest
from tests.lanes import examples
from tests.rules.random_rounds import PlayedRound, known_sheets, play

import pitbook
from pitbook.cards import Card
from pitbook.money import Cents
from pitbook.rules.actions import Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round, draft_of, open_round
from pitbook.rules.step import RefusedAction, play_actions, step
from pitbook.sheets.model import Sheet

CMS = pitbook.load("catfish-bend/mississippi-stud")
ANTE = Wager(1, "ann", "ante", Cents(500))


def test_a_round_is_read_only() -> None:
    round = step(open_round(CMS), ANTE)
    assert isinstance(round, Round)
    for field in fields(round):
        with pytest.raises(FrozenInstanceError):
            setattr(round, field.name, None)


def test_a_draft_copies_every_field() -> None:
    round = Round(*range(len(fields(Round))))
    assert draft_of(round).freeze() == round


def test_playing_actions_gives_the_same_round_as_steps() -> None:
    opened = open_round(CMS)
    wagered = step(opened, ANTE)
    assert isinstance(wagered, Round)
    assert play_actions(opened, [ANTE, Close()]) == step(wagered, Close())
    assert opened == open_round(CMS)


def test_playing_actions_stops_at_the_first_refusal() -> None:
    opened = open_round(CMS)
    wagered = step(opened, ANTE)
    assert isinstance(wagered, Round)
    refused = play_actions(opened, [ANTE, Settle(), Close()])
    refusal = step(wagered, Settle())
    assert isinstance(refusal, Refusal)
    assert refused == RefusedAction(2, Settle(), refusal)
    assert opened == open_round(CMS)


@pytest.mark.parametrize("mishaps", [False, True], ids=["ordinary", "mishaps"])
@pytest.mark.parametrize("sheet", known_sheets(), ids=lambda sheet: sheet.id)
def test_a_run_of_actions_gives_the_same_round_as_its_steps(sheet: Sheet, mishaps: bool) -> None:
    for seed in range(examples(3, 40)):
        played = play(sheet, Random(seed), mishaps=mishaps)
        for start, opened in enumerate(played.states):
            assert play_actions(opened, played.actions[start:]) == played.over, (seed, start)
        for end, after in enumerate(played.states):
            assert play_actions(played.states[0], played.actions[:end]) == after, (seed, end)


@pytest.mark.parametrize("sheet", known_sheets(), ids=lambda sheet: sheet.id)
def test_a_run_of_actions_is_refused_as_its_steps_are(sheet: Sheet) -> None:
    random = Random(sheet.id)
    for seed in range(examples(3, 40)):
        played = play(sheet, Random(seed))
        for index, before in enumerate(played.states[:-1]):
            for action in (*wrong_actions(played, index), random.choice(played.actions)):
                after = step(before, action)
                expected = (
                    RefusedAction(index + 1, action, after) if isinstance(after, Refusal) else after
                )
                actions = [*played.actions[:index], action]
                assert play_actions(played.states[0], actions) == expected, (seed, index, action)


def wrong_actions(played: PlayedRound, index: int) -> list[Action]:
    """Actions that a round may refuse at this point, and an earlier card named again."""
    seats = [seat.number for seat in played.over.seats]
    named = [action.card for action in played.actions[:index] if isinstance(action, Turn)]
    cards = [Card(0), *named[-1:]]
    return [
        *(Turn(place, card) for place in (-3, -1, 0, 9, *seats) for card in cards),
        *(Deal(place) for place in (-1, 0, 9, *seats)),
        *(Decide(seat, text) for seat in (9, *seats) for text in ("fold", "1x", "4x", "high", "")),
        Settle(),
        Settle(at_once=True),
        Close(),
    ]
