"""Something goes wrong: what happens now, and by which clause. The engine decides that too."""

from __future__ import annotations

from typing import NamedTuple

from pitbook.cards import DECK, Card
from pitbook.engine.actions import (
    Action,
    Expose,
    Fouled,
    InformationPart,
    Interrupted,
    Misdeal,
    VoidHand,
    Warn,
)
from pitbook.engine.mishaps import void_hand
from pitbook.engine.round import Round
from pitbook.engine.step import step
from pitbook.game.description import Game
from pitbook.game.refusals import Refusal
from pitbook.game.settlement import Line
from pitbook.sheets.clauses import ClauseUnknown, clause_of
from pitbook.train.drills.deals import PlayedRound, deal, lies
from pitbook.train.drills.item import Item, Option, Question, Reason, lettered
from pitbook.train.drills.luck import Draws
from pitbook.wording import Sentence, say

__all__ = ["Mishap", "came_of", "has_clauses", "what_now", "which_clause"]

OUTCOMES = ("void-round", "dead", "hand-back", "hand-lost", "warned", "goes-on")
CLAUSES = 4
SEATS_MAX = 3


class Mishap(NamedTuple):
    """A moment of a round, what happens there, and how it is told."""

    round: Round
    action: Action
    told: Sentence


def what_now(game: Game, luck: Draws) -> Item | None:
    """What becomes of the round or the hand."""
    found = _happened(game, luck)
    if found is None:
        return None
    mishap, after = found
    outcome, clause = came_of(mishap, after)
    options = lettered([(say("drills.outcome", outcome=one), ()) for one in OUTCOMES])
    question = _question(mishap, say("drills.what-now"), options)
    answer = options[OUTCOMES.index(outcome)].id
    why = (Reason(say("drills.outcome", outcome=outcome), clause),)
    return Item("what-now", question, answer, why, 3, evidence={"mishap": mishap})


def has_clauses(game: Game) -> bool:
    """Whether there are rules to tell apart."""
    return len(_clauses(game)) > 1


def which_clause(game: Game, luck: Draws) -> Item | None:
    """By which rule it is decided."""
    found = _happened(game, luck)
    if found is None:
        return None
    mishap, after = found
    outcome, clause = came_of(mishap, after)
    others = [one for one in _clauses(game) if one != clause]
    if clause not in _clauses(game):
        return None
    shown = luck.shuffled([clause, *luck.some_of(others, CLAUSES - 1)])
    options = lettered([(_titled(one), ()) for one in shown])
    question = _question(mishap, say("drills.which-clause"), options)
    answer = options[shown.index(clause)].id
    why = (Reason(say("drills.outcome", outcome=outcome), clause),)
    return Item("which-clause", question, answer, why, 3, evidence={"mishap": mishap})


def _question(mishap: Mishap, ask: Sentence, options: tuple[Option, ...]) -> Question:
    return Question(ask, "choice", lies(mishap.round), (mishap.told,), options)


def _clauses(game: Game) -> list[str]:
    """The clauses on irregularities, each once."""
    rules = game.sheet.irregularities
    parts = [getattr(rules, name) for name in type(rules).model_fields]
    return sorted({part.clause for part in parts if part is not None})


def _titled(clause: str) -> str:
    try:
        return say("drills.clause", clause=clause, title=clause_of(clause).title)
    except ClauseUnknown:
        return clause


# What happens -------------------------------------------------------------------------------------


def _happened(game: Game, luck: Draws) -> tuple[Mishap, Round] | None:
    seats = 1 + luck.below(min(SEATS_MAX, game.sheet.seats.count))
    played = deal(game, luck, seats=seats)
    kinds = (_shown_early, _shown, _foul, _miscounted, _information, _off_table, _cut_short)
    mishap = luck.one_of(kinds)(played, luck)
    if mishap is None:
        return None
    after = step(mishap.round, mishap.action)
    return None if isinstance(after, Refusal) else (mishap, after)


def came_of(mishap: Mishap, after: Round) -> tuple[str, str | None]:
    """What the engine made of it, as one of the outcomes, and by which clause."""
    clause = next((one.clause for one in reversed(after.notes) if one.clause), None)
    if after.ending in ("misdeal", "dead"):
        return ("void-round" if after.ending == "misdeal" else "dead"), clause
    void = [
        (seat, was)
        for seat, was in zip(after.seats, mishap.round.seats, strict=True)
        if seat.void is not None and was.void is None
    ]
    if void:
        lines = void_hand(after, void[0][0]).lines
        return _hand(lines), lines[0].clause
    warned = isinstance(mishap.action, VoidHand | Warn) and _is_on_record(mishap.round, after)
    return ("warned" if warned else "goes-on"), clause


def _is_on_record(before: Round, after: Round) -> bool:
    return after.notes[len(before.notes) :][:1] != ()


def _hand(lines: tuple[Line, ...]) -> str:
    return "hand-lost" if any(line.result == "forfeit" for line in lines) else "hand-back"


def _in_play(played: PlayedRound) -> list[Round]:
    return [one for one in played.states if one.phase == "play" and one.waiting]


def _any_time(played: PlayedRound) -> list[Round]:
    return [one for one in played.states if one.phase in ("play", "settle")]


def _unseen(round: Round, luck: Draws) -> Card:
    return luck.one_of([card for card in DECK if not round.copies(card)])


def _shown_early(played: PlayedRound, luck: Draws) -> Mishap | None:
    fit = [
        (one, -at)
        for one in _in_play(played)
        for at, pile in enumerate(one.piles)
        if len(pile.cards) < pile.laid
    ]
    if not fit:
        return None
    round, place = luck.one_of(fit)
    card = _unseen(round, luck)
    return Mishap(round, Expose(place, card), say("drills.mishap.early", cards=(card,)))


def _shown(played: PlayedRound, luck: Draws) -> Mishap | None:
    fit = [
        (one, seat.number)
        for one in played.states
        if one.phase in ("deal", "play")
        for seat in one.seats
        if len(seat.cards) < seat.laid and not seat.folded
    ]
    if not fit:
        return None
    round, seat = luck.one_of(fit)
    card = _unseen(round, luck)
    return Mishap(round, Expose(seat, card), say("drills.mishap.shown", cards=(card,), seat=seat))


def _foul(played: PlayedRound, luck: Draws) -> Mishap | None:
    round = luck.one_of(_any_time(played))
    told = say("drills.mishap.fouled", stage=_stage(round))
    return Mishap(round, Fouled(luck.one_of(DECK)), told)


def _miscounted(played: PlayedRound, luck: Draws) -> Mishap | None:
    round = luck.one_of(_any_time(played))
    told = say("drills.mishap.miscounted", stage=_stage(round))
    return Mishap(round, Misdeal("count", card_count=True), told)


def _information(played: PlayedRound, luck: Draws) -> Mishap | None:
    if played.final.game.sheet.irregularities.information is None:
        return None
    round = luck.one_of(_any_time(played))
    seat, part = luck.one_of(round.seats).number, _part(luck)
    told = say("drills.mishap.information", seat=seat, part=part, stage=_stage(round))
    if _done(round, seat):
        return None  # What is settled stands, whoever spoke.
    return Mishap(round, VoidHand(seat, "information", part), told)


def _part(luck: Draws) -> InformationPart:
    return "gave" if luck.below(2) else "took"


def _done(round: Round, seat: int) -> bool:
    to_come = {number for number, _ in round.to_settle[round.steps_settled :]}
    return round.phase == "settle" and seat not in to_come


def _off_table(played: PlayedRound, luck: Draws) -> Mishap | None:
    round = luck.one_of(_any_time(played))
    seat = luck.one_of(round.seats)
    if played.final.game.sheet.irregularities.cards_off_table is None or not seat.laid:
        return None
    if _done(round, seat.number):
        return None
    told = say("drills.mishap.off-table", seat=seat.number, stage=_stage(round))
    return Mishap(round, Warn(seat.number, "off-table"), told)


def _cut_short(played: PlayedRound, luck: Draws) -> Mishap | None:
    round, agreed = luck.one_of(_any_time(played)), bool(luck.below(2))
    told = say("drills.mishap.cut-short", agreed=agreed, stage=_stage(round))
    return Mishap(round, Interrupted(agreed), told)


def _stage(round: Round) -> str:
    """How far the round is: in play, before the first payment, or after it."""
    if round.phase != "settle":
        return "play"
    return "paying" if round.steps_settled else "shown"
