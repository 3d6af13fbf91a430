"""A round as it happened, entry by entry: when, who, and a sentence for each thing done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from pitbook.house.table import facts
from pitbook.house.table.acts import taken_back
from pitbook.house.table.evolve import evolve
from pitbook.house.table.facts import Fact
from pitbook.house.table.model import TableState
from pitbook.house.table.past.records import JournalStep, RoundRecord
from pitbook.house.table.reasons import reason
from pitbook.rules.actions import BOARD, Action
from pitbook.rules.round import Round
from pitbook.rules.stored import replay
from pitbook.rules.words import transcript
from pitbook.text import Sentence, say

__all__ = ["Passage", "fact_told", "seat_of", "story"]

FORM = "form."  # Keys of how a sentence stands: what it says is its text.
ABOUT_ALL = ("engine.mishaps.shown", "engine.words.cap-of-seat")  # They name a seat, for everybody.


class Passage(NamedTuple):
    """What one entry brought; `follows` where it began with what another seat did."""

    seq: int
    at: str
    actor: str
    follows: bool
    told: tuple[str, ...]


def story(record: RoundRecord, seat: int) -> list[Passage]:
    """The round as far as it concerns a seat; what other seats did is left out."""
    state, moments = record.before, []
    for step in record.steps:
        told, state = _told(step, state)
        mine = tuple(one for one in told if _concerns(one, seat))
        if mine:
            follows = not _concerns(told[0], seat)
            moments.append(Passage(step.seq, step.at, step.actor, follows, mine))
    return moments


def fact_told(fact: Fact) -> list[str]:
    """The sentences of a fact that is no step of the round, if there are any."""
    tell = _TELLERS.get(type(fact))
    return [] if tell is None else list(tell(fact))


def seat_of(told: str) -> int | None:
    """The seat alone that a sentence is about, by its fields; None where it is for everybody."""
    if not isinstance(told, Sentence) or told.key in ABOUT_ALL:
        return None
    if told.key.startswith(FORM):
        return seat_of(told.fields.get("text", ""))
    seat: int | None = told.fields.get("seat")
    return seat


def _concerns(told: str, seat: int) -> bool:
    return seat_of(told) in (None, seat)


def _told(step: JournalStep, state: TableState) -> tuple[list[str], TableState]:
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
    yield say("table.story.seed", seat=fact.seat)


def _advice(fact: facts.CoachTold) -> Iterator[str]:
    yield say("table.story.advised", seat=fact.seat, text=fact.text)


def _undone(fact: facts.Undone) -> Iterator[str]:
    yield say("table.story.undone", seat=fact.seat)


def _ready(fact: facts.Ready) -> Iterator[str]:
    yield say("table.story.ready" if fact.on else "table.story.more-time", seat=fact.seat)


def _interrupted(fact: facts.Interrupted) -> Iterator[str]:
    yield say("table.story.interrupted", why=reason(fact.why))
    if fact.awaiting:
        yield say("table.story.asked", names=tuple(fact.awaiting))
    elif fact.awaiting is not None:
        yield say("table.story.floor-asked")


def _agreed(fact: facts.Agreed) -> Iterator[str]:
    yield say("table.story.agrees", player=fact.player, finish=fact.finish)


def _resumed(fact: facts.Resumed) -> Iterator[str]:
    yield say("table.story.resumed", why=reason(fact.why))


def _corrected(fact: facts.Corrected) -> Iterator[str]:
    seat = say("engine.place.seat", seat=fact.place)
    yield say(
        "table.story.corrected",
        number=fact.number,
        place=say("engine.place.board") if fact.place <= BOARD else seat,
        was=fact.was,
        card=fact.card,
        why=fact.why,
    )


def _filled(fact: facts.Fill) -> str:
    return say("table.story.filled", amount=fact.amount, why=reason(fact.why))


def _revealed(fact: facts.ShoeRevealed) -> str:
    return say("table.story.ended-told" if fact.seed else "table.story.ended", shoe=fact.id)


_TELLERS: dict[type, Callable[[Any], Iterator[str]]] = {
    facts.SeatSeed: _seed,
    facts.CoachTold: _advice,
    facts.Undone: _undone,
    facts.Ready: _ready,
    facts.Interrupted: _interrupted,
    facts.Agreed: _agreed,
    facts.Resumed: _resumed,
    facts.Corrected: _corrected,
    facts.TakenBack: taken_back.told,
}
