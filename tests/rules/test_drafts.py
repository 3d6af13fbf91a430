"""Rounds are read-only; `step` and `play_actions` change a copy."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

import pitbook
from pitbook.money import Cents
from pitbook.rules.actions import Close, Settle, Wager
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round, draft_of, open_round
from pitbook.rules.step import RefusedAction, play_actions, step

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
