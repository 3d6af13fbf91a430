"""What comes next: the deal, a decision, a card, a payment; and the order of all payments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pitbook.engine.actions import PlaceNumber
from pitbook.engine.flow import turns
from pitbook.engine.round import Round
from pitbook.engine.step import place_name
from pitbook.game.description import Game
from pitbook.train.drills.deals import deal, lies
from pitbook.train.drills.item import Item, Question, Reason, lettered
from pitbook.train.drills.luck import Draws
from pitbook.wording import Sentence, say

__all__ = ["Next", "coming", "dealing_order", "next_step", "paying_order"]

OPTIONS = 4
SEATS_MAX = 4


class Next(NamedTuple):
    """Something that a dealer may do: deal or turn a card there, wait, or settle a step."""

    what: str
    place: PlaceNumber = 0
    group: tuple[str, ...] = ()


def next_step(game: Game, luck: Draws) -> Item | None:
    """What the dealer does now, of a few things that could be done at another time."""
    most = min(SEATS_MAX, game.sheet.seats.count)
    played = deal(game, luck, seats=1 + luck.below(most))
    between = [one for one in played.states if one.phase in ("deal", "play", "settle")]
    phase = luck.one_of(("deal", "play", "settle"))
    fit = [one for one in between if one.phase == phase and not _looking(one)]
    if not fit:
        return None
    round = luck.one_of(fit)
    right = coming(round)
    others = [one for one in dict.fromkeys(_all(played.states)) if one != right]
    shown = luck.shuffled([right, *luck.some_of(others, OPTIONS - 1)])
    options = lettered([(_said(round, one), ()) for one in shown])
    if len(options) < 2 or len({one.text for one in options}) < len(options):
        return None
    question = Question(say("drills.next-step"), "choice", lies(round), (_stands(round),), options)
    answer = options[shown.index(right)].id
    why = (Reason(_said(round, right), _clause(round, right)),)
    evidence = {"round": round, "shown": shown, "right": right}
    return Item("next-step", question, answer, why, 2, evidence=evidence)


def coming(round: Round) -> Next:
    """What a round waits for."""
    if round.phase == "deal":
        return Next("deal", round.to_deal[0])
    if round.phase == "settle":
        return Next("settle", *round.to_settle[round.steps_settled])
    if round.waiting:
        return Next("wait")
    place = turns(round)
    assert place is not None
    return Next("turn", place)


def _looking(round: Round) -> bool:
    """Whether a player has cards that were just dealt and not looked at."""
    return round.phase != "deal" and any(len(one.cards) < one.laid for one in round.seats)


def _all(states: tuple[Round, ...]) -> Iterator[Next]:
    """Everything that was done in a round."""
    for round in states:
        if round.phase in ("deal", "play", "settle") and not _looking(round):
            yield coming(round)


def _said(round: Round, one: Next) -> Sentence:
    if one.what == "wait":
        return say("drills.wait")
    if one.what == "settle":
        titles = tuple(_titles(round.game, one.group))
        return say("drills.settle-seat", seat=one.place, titles=titles)
    return say("drills.card-to", what=one.what, place=place_name(round, one.place))


def _titles(game: Game, group: tuple[str, ...]) -> Iterator[str]:
    for wager in group:
        yield game.wager_title(game.main[0] if wager == "main" else wager)


def _stands(round: Round) -> Sentence:
    """How far the round is, in a sentence."""
    if round.phase == "deal":
        dealt = sum(seat.laid for seat in round.seats) + sum(pile.laid for pile in round.piles)
        return say("drills.dealt", cards=dealt)
    if round.phase == "settle":
        return say("drills.settled", steps=round.steps_settled)
    done = tuple(str(seat.number) for seat in round.seats if seat.number not in round.waiting)
    return say("drills.decided", count=len(done), seats=done)


def _clause(round: Round, one: Next) -> str:
    sheet = round.game.sheet
    if one.what == "deal":
        return sheet.deal.clause
    if one.what == "settle":
        return sheet.settlement.clause
    stage = min(max(round.stage, 0), len(round.game.stages) - 1)
    return round.game.stages[stage].clause


def paying_order(game: Game, luck: Draws) -> Item | None:
    """All payments in their order."""
    played = deal(game, luck, seats=2 + luck.below(min(SEATS_MAX, game.sheet.seats.count) - 1))
    steps = [Next("settle", *one) for one in played.final.to_settle]
    ask = say("drills.paying-order", seats=_numbers(played.final))
    return _ordered(played.final, luck, ask, steps, game.sheet.settlement.clause)


def dealing_order(game: Game, luck: Draws) -> Item | None:
    """Who gets the first card, and who the next."""
    seats = 2 + luck.below(min(SEATS_MAX, game.sheet.seats.count) - 1)
    begun = deal(game, luck, seats=seats, until=lambda round: round.phase == "deal").final
    first = dict.fromkeys(begun.to_deal)
    steps = [Next("deal", place) for place in first]
    ask = say("drills.dealing-order", seats=_numbers(begun))
    return _ordered(begun, luck, ask, steps, game.sheet.deal.clause)


def _numbers(round: Round) -> tuple[str, ...]:
    return tuple(str(seat.number) for seat in round.seats)


def _ordered(
    round: Round, luck: Draws, ask: Sentence, steps: list[Next], clause: str
) -> Item | None:
    texts = [_said(round, one) for one in steps]
    if len(set(texts)) < max(2, len(texts)):
        return None
    options = lettered([(text, ()) for text in luck.shuffled(texts)])
    letters = {one.text: one.id for one in options}
    question = Question(ask, "order", options=options)
    why = (Reason(say("drills.in-order", steps=tuple(texts)), clause),)
    answer = ",".join(letters[text] for text in texts)
    evidence = {"round": round, "steps": steps}
    kind = "dealing-order" if steps[0].what == "deal" else "paying-order"
    return Item(kind, question, answer, why, len(steps), evidence=evidence)
