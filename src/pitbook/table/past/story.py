"""A round as it happened, entry by entry: when, who, and a sentence for each thing done."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from pitbook.cards import name
from pitbook.engine.actions import BOARD, Action
from pitbook.engine.journal import replay
from pitbook.engine.round import Round
from pitbook.engine.words import transcript
from pitbook.money import spoken
from pitbook.sheets.aloud.words import listed
from pitbook.table import facts
from pitbook.table.acts import taken_back
from pitbook.table.evolve import evolve
from pitbook.table.facts import Fact
from pitbook.table.model import TableState
from pitbook.table.past.records import Record, Step

__all__ = ["Moment", "fact_told", "story"]

_SEAT = re.compile(r"(?:Seat|The hand of seat) (\d+)\b")


class Moment(NamedTuple):
    """What one entry brought; `follows` where it began with what another seat did."""

    seq: int
    at: str
    actor: str
    follows: bool
    told: tuple[str, ...]


def story(record: Record, seat: int) -> list[Moment]:
    """The round as far as it concerns a seat; what other seats did is left out."""
    state, moments = record.before, []
    for step in record.steps:
        told, state = _told(step, state)
        mine = tuple(one for one in told if _concerns(one, seat))
        if mine:
            follows = not _concerns(told[0], seat)
            moments.append(Moment(step.seq, step.at, step.actor, follows, mine))
    return moments


def fact_told(fact: Fact) -> list[str]:
    """The sentences of a fact that is no step of the round, if there are any."""
    tell = _TELLERS.get(type(fact))
    return [] if tell is None else list(tell(fact))


def _concerns(sentence: str, seat: int) -> bool:
    found = _SEAT.match(sentence)
    return found is None or int(found[1]) == seat


def _told(step: Step, state: TableState) -> tuple[list[str], TableState]:
    told: list[str] = []
    acts: list[Action] = []
    before = state.round
    for fact in (one for one in step.facts if not isinstance(one, facts.ShoeRevealed)):
        if isinstance(fact, facts.Acted):
            acts.append(fact.action)
        elif tell := _TELLERS.get(type(fact)):
            told += [*_acted(before, acts), *tell(fact)]
            acts = []
        state = evolve(state, fact)
        if not acts:
            before = state.round
    # A fill stands in the midst of the settlement that needs it, which is told in one piece.
    fills = [_filled(fact) for fact in step.of(facts.Fill)]
    ended = [_revealed(fact) for fact in step.of(facts.ShoeRevealed) if _is_ours(fact, state)]
    return [*told, *_acted(before, acts), *fills, *ended], state


def _is_ours(fact: facts.ShoeRevealed, state: TableState) -> bool:
    return state.shoe is not None and fact.id == state.shoe["id"]


def _acted(before: Round | None, acts: Sequence[Action]) -> list[str]:
    """The sentences of some actions, without those that sum the round up."""
    if before is None or not acts:
        return []
    told = transcript(before, acts)
    summed_up = transcript(replay(before, acts), [])
    return told[: len(told) - len(summed_up)]


def _seed(fact: facts.SeatSeed) -> Iterator[str]:
    yield f"Seat {fact.seat} adds a seed of its own to the shoe."


def _advice(fact: facts.Advice) -> Iterator[str]:
    yield f'Seat {fact.seat} is advised: "{fact.text}"'


def _undone(fact: facts.Undone) -> Iterator[str]:
    yield f"Seat {fact.seat} has undone its last change."


def _ready(fact: facts.Ready) -> Iterator[str]:
    yield f"Seat {fact.seat} {'is ready' if fact.on else 'wants more time'}."


def _interrupted(fact: facts.Interrupted) -> Iterator[str]:
    yield f"Play is interrupted: {fact.why}."
    if fact.awaiting:
        yield f"Asked whether to finish the hand: {listed(fact.awaiting)}."
    elif fact.awaiting is not None:
        yield "The floor is asked whether it goes on."


def _agreed(fact: facts.Agreed) -> Iterator[str]:
    yield f"{fact.player} {'agrees' if fact.finish else 'does not agree'} to finish."


def _resumed(fact: facts.Resumed) -> Iterator[str]:
    yield f"Play goes on after a stop: {fact.why}."


def _corrected(fact: facts.Corrected) -> Iterator[str]:
    whose = "the board" if fact.place <= BOARD else f"seat {fact.place}"
    cards = f"from {name(fact.was)} to {name(fact.card)}"
    yield f"Card {fact.number} of {whose} is corrected {cards}: {fact.why}."


def _filled(fact: facts.Fill) -> str:
    return f"The rack is filled with {spoken(fact.amount)}: {fact.why}."


def _revealed(fact: facts.ShoeRevealed) -> str:
    return f"Shoe {fact.id} has ended" + ("; its seed is told." if fact.seed else ".")


_TELLERS: dict[type, Callable[[Any], Iterator[str]]] = {
    facts.SeatSeed: _seed,
    facts.Advice: _advice,
    facts.Undone: _undone,
    facts.Ready: _ready,
    facts.Interrupted: _interrupted,
    facts.Agreed: _agreed,
    facts.Resumed: _resumed,
    facts.Corrected: _corrected,
    facts.TakenBack: taken_back.told,
}
