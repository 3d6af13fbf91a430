"""Dealing procedure: the next step, the dealing order and the paying order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Literal, NamedTuple

from pitbook.drills.paying import payment_title
from pitbook.drills.question import Item, Question, Reason, label_options
from pitbook.drills.random_rounds import (
    Draws,
    Payment,
    PlayedRound,
    deal,
    layout_of,
    packets,
    payments,
    round_file,
)
from pitbook.drills.reasons import deal_reason, settlement_reason
from pitbook.rules.actions import PASSED, Action, Deal, PlaceNumber, Turn
from pitbook.rules.game import Game
from pitbook.rules.round import Round
from pitbook.rules.round_progress import next_turn
from pitbook.text import Sentence, say

OPTIONS = 4
SEATS_MAX = 4
WHOLE_HAND = 0  # The number of a packet that is a whole hand.


class DealerAct(NamedTuple):
    """A dealer's act: deal a packet, turn cards, wait for players, or settle a seat."""

    what: str
    place: PlaceNumber = 0
    cards: int = 0
    number: int = WHOLE_HAND
    wagers: tuple[str, ...] = ()  # Given if a seat is settled in more than one pass.
    which: Literal["all", "rest", "some"] = "some"  # Of the place's cards, if cards are turned.


def next_step(game: Game, draws: Draws) -> Item | None:
    """What the dealer does next; the wrong options are acts from elsewhere in the round."""
    most = min(SEATS_MAX, game.sheet.seats.count)
    played = deal(game, draws, seats=1 + draws.below(most))
    acts = list(dealer_acts(played))
    step = draws.choice(("deal", "turn", "wait", "settle"))
    matching = [indexed_act for indexed_act in acts if indexed_act[1].what == step]
    if not matching:
        return None
    at, right = draws.choice(matching)
    round = played.states[at]
    others = [
        act
        for act in dict.fromkeys(act for _, act in acts)
        if act != right and (right.what != "turn" or act.place != right.place)
    ]  # Turning fewer of the same cards is not a different act.
    choices = draws.shuffle([right, *draws.sample(others, OPTIONS - 1)])
    options = label_options([(render_act(game, act), ()) for act in choices])
    if len({option.text for option in options}) < OPTIONS:
        return None
    question = Question(
        say("drills.next-step"),
        "choice",
        layout_of(round),
        (_render_progress(played, round),),
        options,
    )
    answer = options[choices.index(right)].id
    evidence = {"played": played, "at": at, "shown": choices}
    return Item("next-step", question, answer, (_act_reason(round, right),), 2, evidence=evidence)


# What a dealer does -------------------------------------------------------------------------------


def dealer_acts(played: PlayedRound) -> Iterator[tuple[int, DealerAct]]:
    """The dealer's acts in a round, each with the index of the state before it."""
    dealt, before, turned = _deal_acts(played), DealerAct("none"), 0
    stops = payments(played.final)
    for at, round in enumerate(played.states):
        if round.phase == "deal":
            act = dealt.get(at)
        elif round.phase == "settle":
            act = _settle_act(round, stops)
        else:
            act = _play_act(round, played.actions[at:])
        if act is None or (act.what == "settle" and act == before):
            continue
        if act.what != "turn" or at >= turned:
            yield at, act
            turned = at + act.cards if act.what == "turn" else at
        before = act


def _deal_acts(played: PlayedRound) -> dict[int, DealerAct]:
    """Every packet of a round, by the index of the state before it."""
    acts: dict[int, DealerAct] = {}
    at = 0
    while at < len(played.actions):
        deals = takewhile(_is_deal, played.actions[at:])
        places = [action.place for action in deals]  # type: ignore[union-attr]
        parts = packets(played.final.game, places)
        places_dealt_twice = {packet.place for packet in parts if packet.first > 1}
        start = at
        for packet in parts:
            number = packet.first if packet.place in places_dealt_twice else WHOLE_HAND
            acts[start] = DealerAct("deal", packet.place, packet.cards, number)
            start += packet.cards
        at += len(places) or 1
    return acts


def _is_deal(action: Action) -> bool:
    return isinstance(action, Deal)


def _settle_act(round: Round, stops: tuple[Payment, ...]) -> DealerAct | None:
    """The next payment; None for a seat whose fold left nothing to settle."""
    seat, group = round.to_settle[round.steps_settled]
    sides = round.game.sheet.side
    has_several_passes = len(round.game.sheet.settlement.passes) > 1
    for stop in stops:
        wagers = tuple(line.wager for line in stop.lines)
        in_group = any((wager if wager in sides else "main") in group for wager in wagers)
        if stop.seat == seat and in_group:
            staked = tuple(line.wager for line in stop.lines if line.stake)
            return DealerAct("settle", seat, wagers=staked if has_several_passes else ())
    return None


def _play_act(round: Round, to_come: tuple[Action, ...]) -> DealerAct | None:
    if round.phase != "play" or any(len(seat.cards) < seat.cards_dealt for seat in round.seats):
        return None  # A player is looking at newly dealt cards.
    if round.waiting:
        return DealerAct("wait")
    place = next_turn(round)
    if place is None:
        return None
    run = takewhile(lambda action: isinstance(action, Turn) and action.place == place, to_come)
    cards, pile = len(list(run)), round.piles[-place]
    if len(pile.cards) + cards < pile.cards_dealt:
        return DealerAct("turn", place, cards)
    return DealerAct("turn", place, cards, which="rest" if pile.cards else "all")


def render_act(game: Game, act: DealerAct) -> Sentence:
    """A dealer's act, as an instruction."""
    if act.what == "wait":
        return say("drills.act.wait")
    if act.what == "settle":
        titles = tuple(game.wager_title(wager) for wager in act.wagers)
        return say("drills.act.settle", seat=act.place, titles=titles, count=len(titles))
    place_kind = game.places[1 - act.place].id if act.place <= 0 else "seat"
    title = "" if place_kind == "seat" else game.places[1 - act.place].title
    fields = {"place": place_kind, "title": title, "cards": act.cards}
    if act.what == "turn":
        return say("drills.act.turn", **fields, which=act.which)
    if act.number != WHOLE_HAND and act.cards == 1:
        return say("drills.act.deal-one", seat=act.place, number=act.number)
    return say("drills.act.deal", seat=act.place, **fields)


def _render_progress(played: PlayedRound, round: Round) -> Sentence:
    """How far the round is, in one sentence."""
    if round.phase == "deal":
        dealt = sum(seat.cards_dealt for seat in round.seats) + sum(
            pile.cards_dealt for pile in round.piles
        )
        return say("drills.dealt", cards=dealt)
    if round.phase == "settle":
        stops = payments(played.final, round.steps_settled)
        if stops and len(round.game.sheet.settlement.passes) > 1:
            return say(
                "drills.settled-so-far", stops=tuple(_render_settled(round, stop) for stop in stops)
            )
        seats = tuple(str(stop.seat) for stop in stops)
        return say("drills.settled", count=len(seats), seats=seats)
    acted_seats = tuple(
        str(seat.number)
        for seat in round.seats
        if seat.number not in round.waiting and not seat.folded and set(seat.plays) - {PASSED}
    )
    begun = any(set(seat.plays) - {PASSED} for seat in round.seats)
    return say("drills.acted", seats=acted_seats, count=len(acted_seats), begun=begun)


def _render_settled(round: Round, stop: Payment) -> Sentence:
    staked = (line.wager for line in stop.lines if line.stake)
    titles = tuple(round.game.wager_title(wager) for wager in staked)
    return say("drills.settled-stop", seat=stop.seat, titles=titles)


def _act_reason(round: Round, act: DealerAct) -> Reason:
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


def paying_order(game: Game, draws: Draws) -> Item | None:
    """The order of all payments."""
    played = deal(game, draws, seats=2 + draws.below(min(SEATS_MAX, game.sheet.seats.count) - 1))
    stops = payments(played.final)
    has_several_passes = len(game.sheet.settlement.passes) > 1
    texts: list[str] = [
        payment_title(game, stop) if has_several_passes else say("drills.seat", seat=stop.seat)
        for stop in stops
    ]
    evidence = {"played": played, "file": round_file(played), "stops": stops}
    ask, why = say("drills.paying-order"), settlement_reason(game)
    question = Question(ask, "order", layout_of(played.final))
    return _order_item(
        Item("paying-order", question, "", (why,), len(texts), evidence=evidence), draws, texts
    )


def dealing_order(game: Game, draws: Draws) -> Item | None:
    """The order of all packets of the deal."""
    piecemeal = (game.sheet.deal.at_a_time or game.hand_size) < game.hand_size
    most = 2 if piecemeal else min(SEATS_MAX, game.sheet.seats.count)
    played = deal(game, draws, seats=2 + draws.below(most - 1))
    acts = [act for _, act in dealer_acts(played) if act.what == "deal"]
    first = packets(game, next(state.to_deal for state in played.states if state.phase == "deal"))
    texts: list[str] = [render_act(game, act) for act in acts[: len(first)]]
    seats = tuple(str(seat.number) for seat in played.final.seats)
    evidence = {"played": played, "acts": acts[: len(first)]}
    why = deal_reason(game)
    question = Question(say("drills.dealing-order", seats=seats), "order")
    item = Item("dealing-order", question, "", (why,), len(texts), evidence=evidence)
    return _order_item(item, draws, texts)


def _order_item(item: Item, draws: Draws, texts: list[str]) -> Item | None:
    """A question about the order of these texts, with its options and answer."""
    if len(set(texts)) < max(2, len(texts)):
        return None
    options = label_options([(text, ()) for text in draws.shuffle(texts)])
    letters = {option.text: option.id for option in options}
    answer = ",".join(letters[text] for text in texts)
    return replace(item, question=item.question._replace(options=options), answer=answer)
