"""Dealing procedure: the next step, the dealing order and the paying order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple

from pitbook.drills.item import Item, Question, Reason, lettered
from pitbook.drills.paying import payment_title
from pitbook.drills.reasons import deal_reason, settlement_reason
from pitbook.drills.rounds import (
    Draws,
    Payment,
    PlayedRound,
    deal,
    lies,
    packets,
    payments,
    round_file,
)
from pitbook.rules.actions import Action, Deal, PlaceNumber, Turn
from pitbook.rules.flow import next_turn
from pitbook.rules.game import Game
from pitbook.rules.plays import PASSED
from pitbook.rules.round import Round
from pitbook.text import Sentence, say

OPTIONS = 4
SEATS_MAX = 4
WHOLE = 0  # Instead of a first card, for a packet that is a whole hand.


class DealerAct(NamedTuple):
    """Something a dealer does: deal a packet, turn cards over, wait for players, settle a seat."""

    what: str
    place: PlaceNumber = 0
    cards: int = 0
    number: int = WHOLE
    wagers: tuple[str, ...] = ()  # Named where a seat is settled in more than one pass.


def next_step(game: Game, luck: Draws) -> Item | None:
    """What the dealer does now; the other options belong to other moments of the same round."""
    most = min(SEATS_MAX, game.sheet.seats.count)
    played = deal(game, luck, seats=1 + luck.below(most))
    acts = list(dealer_acts(played))
    what = luck.one_of(("deal", "turn", "wait", "settle"))
    fit = [one for one in acts if one[1].what == what]
    if not fit:
        return None
    at, right = luck.one_of(fit)
    round = played.states[at]
    others = [
        one
        for one in dict.fromkeys(act for _, act in acts)
        if one != right and (right.what != "turn" or one.place != right.place)
    ]  # To turn fewer of the same cards is no other act.
    shown = luck.shuffled([right, *luck.some_of(others, OPTIONS - 1)])
    options = lettered([(act_told(game, one), ()) for one in shown])
    if len({one.text for one in options}) < OPTIONS:
        return None
    question = Question(
        say("drills.next-step"), "choice", lies(round), (_stands(played, round),), options
    )
    answer = options[shown.index(right)].id
    evidence = {"played": played, "at": at, "shown": shown}
    return Item("next-step", question, answer, (_reason(round, right),), 2, evidence=evidence)


# What a dealer does -------------------------------------------------------------------------------


def dealer_acts(played: PlayedRound) -> Iterator[tuple[int, DealerAct]]:
    """What the dealer does in a round, each with the number of the state before it."""
    dealt, before, turned = _packets_dealt(played), DealerAct("none"), 0
    stops = payments(played.final)
    for at, round in enumerate(played.states):
        if round.phase == "deal":
            act = dealt.get(at)
        elif round.phase == "settle":
            act = _settles(round, stops)
        else:
            act = _plays(round, played.actions[at:])
        if act is None or (act.what == "settle" and act == before):
            continue
        if act.what != "turn" or at >= turned:
            yield at, act
            turned = at + act.cards if act.what == "turn" else at
        before = act


def _packets_dealt(played: PlayedRound) -> dict[int, DealerAct]:
    """By the state from which it is dealt, every packet of a round."""
    acts: dict[int, DealerAct] = {}
    at = 0
    while at < len(played.actions):
        run = [one.place for one in takewhile(_is_deal, played.actions[at:]) if _is_deal(one)]  # type: ignore[union-attr]
        parts = packets(played.final.game, run)
        several = {one.place for one in parts if one.first > 1}
        start = at
        for one in parts:
            number = one.first if one.place in several else WHOLE
            acts[start] = DealerAct("deal", one.place, one.cards, number)
            start += one.cards
        at += len(run) or 1
    return acts


def _is_deal(action: Action) -> bool:
    return isinstance(action, Deal)


def _settles(round: Round, stops: tuple[Payment, ...]) -> DealerAct | None:
    """The payment that comes next; None for a seat whose fold has left nothing to settle."""
    seat, group = round.to_settle[round.steps_settled]
    sides = round.game.sheet.side
    several = len(round.game.sheet.settlement.passes) > 1
    for stop in stops:
        wagers = tuple(line.wager for line in stop.lines)
        in_group = any((one if one in sides else "main") in group for one in wagers)
        if stop.seat == seat and in_group:
            staked = tuple(line.wager for line in stop.lines if line.stake)
            return DealerAct("settle", seat, wagers=staked if several else ())
    return None


def _plays(round: Round, to_come: tuple[Action, ...]) -> DealerAct | None:
    if round.phase != "play" or any(len(seat.cards) < seat.laid for seat in round.seats):
        return None  # A player is looking at cards that were just dealt.
    if round.waiting:
        return DealerAct("wait")
    place = next_turn(round)
    if place is None:
        return None
    run = takewhile(lambda one: isinstance(one, Turn) and one.place == place, to_come)
    return DealerAct("turn", place, len(list(run)))


def act_told(game: Game, act: DealerAct) -> Sentence:
    """What a dealer does, as an order."""
    if act.what == "wait":
        return say("drills.act.wait")
    if act.what == "settle":
        titles = tuple(game.wager_title(wager) for wager in act.wagers)
        return say("drills.act.settle", seat=act.place, titles=titles, count=len(titles))
    there = game.places[1 - act.place].id if act.place <= 0 else "seat"
    title = "" if there == "seat" else game.places[1 - act.place].title
    fields = {"place": there, "title": title, "cards": act.cards}
    if act.what == "turn":
        return say("drills.act.turn", **fields)
    if act.number != WHOLE and act.cards == 1:
        return say("drills.act.deal-one", seat=act.place, number=act.number)
    return say("drills.act.deal", seat=act.place, **fields)


def _stands(played: PlayedRound, round: Round) -> Sentence:
    """How far the round is, in a sentence."""
    if round.phase == "deal":
        dealt = sum(seat.laid for seat in round.seats) + sum(pile.laid for pile in round.piles)
        return say("drills.dealt", cards=dealt)
    if round.phase == "settle":
        stops = payments(played.final, round.steps_settled)
        if stops and len(round.game.sheet.settlement.passes) > 1:
            return say(
                "drills.settled-so-far", stops=tuple(_settled(round, stop) for stop in stops)
            )
        seats = tuple(str(stop.seat) for stop in stops)
        return say("drills.settled", count=len(seats), seats=seats)
    acted = tuple(
        str(seat.number)
        for seat in round.seats
        if seat.number not in round.waiting and not seat.folded and set(seat.plays) - {PASSED}
    )
    begun = any(set(seat.plays) - {PASSED} for seat in round.seats)
    return say("drills.acted", seats=acted, count=len(acted), begun=begun)


def _settled(round: Round, stop: Payment) -> Sentence:
    staked = (line.wager for line in stop.lines if line.stake)
    titles = tuple(round.game.wager_title(wager) for wager in staked)
    return say("drills.settled-stop", seat=stop.seat, titles=titles)


def _reason(round: Round, act: DealerAct) -> Reason:
    game = round.game
    if act.what == "deal":
        return deal_reason(game)
    if act.what == "settle":
        return settlement_reason(game)
    stage = game.stages[min(max(round.stage, 0), len(game.stages) - 1)]
    if act.what == "turn":
        return Reason(say("drills.none-to-act"), stage.turned or stage.clause)
    seats = tuple(map(str, round.waiting))
    return Reason(say("drills.to-act", seats=seats, count=len(seats)), stage.clause)


# Orders -------------------------------------------------------------------------------------------


def paying_order(game: Game, luck: Draws) -> Item | None:
    """All payments in their order."""
    played = deal(game, luck, seats=2 + luck.below(min(SEATS_MAX, game.sheet.seats.count) - 1))
    stops = payments(played.final)
    several = len(game.sheet.settlement.passes) > 1
    texts: list[str] = [
        payment_title(game, stop) if several else say("drills.seat", seat=stop.seat)
        for stop in stops
    ]
    evidence = {"played": played, "file": round_file(played), "stops": stops}
    ask, why = say("drills.paying-order"), settlement_reason(game)
    question = Question(ask, "order", lies(played.final))
    return _ordered(
        Item("paying-order", question, "", (why,), len(texts), evidence=evidence), luck, texts
    )


def dealing_order(game: Game, luck: Draws) -> Item | None:
    """Every packet of the deal in its order."""
    piecemeal = (game.sheet.deal.at_a_time or game.hand_size) < game.hand_size
    most = 2 if piecemeal else min(SEATS_MAX, game.sheet.seats.count)
    played = deal(game, luck, seats=2 + luck.below(most - 1))
    acts = [act for _, act in dealer_acts(played) if act.what == "deal"]
    first = packets(game, next(one.to_deal for one in played.states if one.phase == "deal"))
    texts: list[str] = [act_told(game, act) for act in acts[: len(first)]]
    seats = tuple(str(seat.number) for seat in played.final.seats)
    evidence = {"played": played, "acts": acts[: len(first)]}
    why = deal_reason(game)
    question = Question(say("drills.dealing-order", seats=seats), "order")
    item = Item("dealing-order", question, "", (why,), len(texts), evidence=evidence)
    return _ordered(item, luck, texts)


def _ordered(item: Item, luck: Draws, texts: list[str]) -> Item | None:
    """A question for the order of these texts, with its options and its answer."""
    if len(set(texts)) < max(2, len(texts)):
        return None
    options = lettered([(text, ()) for text in luck.shuffled(texts)])
    letters = {one.text: one.id for one in options}
    answer = ",".join(letters[text] for text in texts)
    return replace(item, question=item.question._replace(options=options), answer=answer)
