"""Random rounds: legal plays are chosen, illegal ones are tried, all states are recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from pitbook.cards import DECK, Card
from pitbook.money import Cents
from pitbook.rules.actions import (
    Absent,
    Action,
    Close,
    Deal,
    Decide,
    Expose,
    Fouled,
    Interrupted,
    Misdeal,
    Settle,
    Turn,
    VoidHand,
    VoidReason,
    Wager,
    Warn,
    Withdraw,
)
from pitbook.rules.legal_actions import Offer, legal
from pitbook.rules.round import Round, open_round
from pitbook.rules.step import step
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet

PLAYERS = ("ann", "bob", "cyd", "dan", "eve", "fay")
ROUTINE = (Deal, Turn, Decide, Absent, Settle)
ONLY_AT_ONCE = Offer(Settle, choices=("at-once",))
ROUND_ENDERS = (Misdeal, Fouled, Interrupted)
WORDS = ("fold", "0x", "1x", "2x", "3x", "9x", "1X", "", "low", "high", "low+double", "Low")
UNUSUAL = Path(__file__).parents[1] / "sheets" / "unusual"


class PlayedRound(NamedTuple):
    """A whole round: `states[n]` is the round before `actions[n]`; the last one is over."""

    actions: list[Action]
    states: list[Round]

    @property
    def over(self) -> Round:
        return self.states[-1]


@cache
def known_sheets() -> tuple[Sheet, ...]:
    """The bundled sheets and the three unusual ones."""
    return tuple(entry.sheet for entry in Library((UNUSUAL,)).entries() if entry.sheet)


def sampled_sheets(*slow: str) -> list[Any]:
    """`known_sheets` as parameters; the slow ones are marked."""
    return [
        pytest.param(sheet, id=sheet.id, marks=[pytest.mark.slow] if sheet.id in slow else [])
        for sheet in known_sheets()
    ]


def play(sheet: Sheet, random: Random, *, mishaps: bool = False) -> PlayedRound:
    """A finished round; every action comes from an offer."""
    round, shoe = open_round(sheet), shuffle_shoe(sheet, random)
    actions: list[Action] = []
    states = [round]
    while round.phase != "over":
        action = choose_action(round, shoe, random, mishaps)
        after = step(round, action)
        assert isinstance(after, Round), f"{action} was offered: {after}"
        round = after
        actions.append(action)
        states.append(round)
    return PlayedRound(actions, states)


def shuffle_shoe(sheet: Sheet, random: Random) -> list[Card]:
    """A shoe dealt from its end, often biased toward one suit or a few ranks."""
    shoe = list(DECK) * sheet.deck.decks
    random.shuffle(shoe)
    suit, low = random.randrange(4), random.randrange(9)
    bias = random.choice(["no", "suit", "ranks", "few", "both"])
    return sorted(
        shoe,
        key=lambda card: (
            (bias in ("suit", "both") and card & 3 == suit)
            + (bias in ("ranks", "both") and low <= card >> 2 <= low + 4)
            + (bias == "few" and card >> 2 in (low, low + 2))
        ),
    )


def choose_action(round: Round, shoe: list[Card], random: Random, mishaps: bool) -> Action:
    """One of the offered actions; mishaps are rarer."""
    seated = [seat.player for seat in round.seats] or PLAYERS
    player = random.choice(PLAYERS if random.random() < 0.4 else seated)
    offers = legal(round, player)
    if round.phase == "wagers":
        return choose_concrete(choose_bet(round, offers, random), player, shoe, random)
    routine = [
        offer
        for offer in offers
        if offer.action in ROUTINE and (not mishaps or offer != ONLY_AT_ONCE)
    ]
    mishap_offers = [offer for offer in offers if offer.action not in ROUTINE]
    if mishaps and mishap_offers and random.random() < 0.1:
        weights = [1 if offer.action in ROUND_ENDERS else 4 for offer in mishap_offers]
        return choose_concrete(random.choices(mishap_offers, weights)[0], player, shoe, random)
    weights = [1 if offer.action is Absent else 9 for offer in routine]
    chosen_offer = random.choices(routine, weights)[0]
    # Results settled with at_once either stand or are reversed.
    if chosen_offer.action is Settle and mishaps:
        return Settle()
    return choose_concrete(chosen_offer, player, shoe, random)


def choose_bet(round: Round, offers: tuple[Offer, ...], random: Random) -> Offer:
    """Mostly a new wager; sometimes one is changed or withdrawn."""
    if offers[-1].action is Close and random.random() < 0.1:
        return offers[-1]
    placed = {(seat.number, wager) for seat in round.seats for wager, _ in seat.stakes}
    new_wagers = [
        offer
        for offer in offers
        if offer.action is Wager and (offer.place, offer.wager) not in placed
    ]
    needed = [name for name, side in round.game.sheet.side.items() if side.stake.required]
    missing = [offer for offer in new_wagers if offer.wager in needed]
    if (missing or new_wagers) and random.random() < 0.9:
        return random.choice(missing or new_wagers)
    return random.choice(offers)


def choose_concrete(offer: Offer, player: str, shoe: list[Card], random: Random) -> Action:
    """An action that the offer covers."""
    place = offer.place or 0
    if offer.action is Wager:
        assert offer.wager is not None
        return Wager(place, player, offer.wager, random.choice(amounts(offer)))
    if offer.action in (Turn, Expose):
        return Turn(place, shoe.pop()) if offer.action is Turn else Expose(place, shoe.pop())
    if offer.action is Decide:
        plays = [play for play in offer.choices if play != "fold" or random.random() < 0.4]
        return Decide(place, random.choice(plays or offer.choices))
    return random.choice(list(expand_offer(offer, player, shoe)))


def amounts(offer: Offer) -> list[Cents]:
    """The smallest, second, middle and largest wager."""
    assert offer.least is not None
    assert offer.most is not None
    assert offer.step is not None
    all_amounts = range(offer.least, offer.most + 1, offer.step)
    return [
        Cents(amount)
        for amount in {
            all_amounts[0],
            all_amounts[-1],
            all_amounts[len(all_amounts) // 2],
            all_amounts[:2][-1],
        }
    ]


def expand_offer(offer: Offer, player: str, cards: Iterable[Card]) -> Iterator[Action]:
    """Every action that the offer covers, if finite."""
    place = offer.place or 0
    if offer.action is Wager:
        yield from (Wager(place, player, offer.wager or "", amount) for amount in amounts(offer))
    elif offer.action is Withdraw:
        yield Withdraw(place, offer.wager or "")
    elif offer.action is Decide:
        yield from (Decide(place, play) for play in offer.choices)
    elif offer.action is VoidHand:
        reasons: tuple[VoidReason, ...] = ("information", "supervisor")
        yield from (VoidHand(place, reason) for reason in reasons if reason in offer.choices)
    elif offer.action is Settle:
        yield from (SETTLES[timing] for timing in offer.choices)
    elif offer.action in (Turn, Expose):
        yield from (offer.action(place, card) for card in cards)
    else:
        yield from PLAIN[offer.action](place)


SETTLES: dict[str, Action] = {"at-once": Settle(at_once=True), "at-end": Settle()}
PLAIN: dict[type, Callable[[int], list[Action]]] = {
    Close: lambda place: [Close()],
    Deal: lambda place: [Deal(place)],
    Absent: lambda place: [Absent(place)],
    Warn: lambda place: [Warn(place, "cards off the table")],
    Fouled: lambda place: [Fouled(card) for card in DECK[:2]],
    Misdeal: lambda place: [Misdeal("boxed card"), Misdeal("short hand", card_count=True)],
    Interrupted: lambda place: [Interrupted(agreed=True), Interrupted(agreed=False)],
}


def candidate_actions(round: Round, random: Random) -> Iterator[Action]:
    """Many actions, most of them invalid."""
    sheet = round.game.sheet
    numbers = range(-1, sheet.seats.count + 2)
    stakes = {round.game.main[0]: sheet.main_wager, **{k: v.stake for k, v in sheet.side.items()}}
    wagers = (*stakes, "main", "double", *(stage.id for stage in round.game.stages), "")
    combinations = list(product(numbers, PLAYERS, wagers))
    for number, player, wager in random.sample(combinations, min(24, len(combinations))):
        stake = stakes.get(wager, sheet.main_wager)
        near = (stake.min, stake.max, 0, -stake.min, stake.min + 1)
        beyond = (stake.min - stake.step, stake.max + stake.step, stake.min + stake.step)
        amount = random.choice((*near, *beyond))
        yield Wager(number, player, wager, Cents(amount))
    cards = (*named_cards(round)[:2], *random.sample(DECK, 2))
    for number in numbers:
        yield from (Withdraw(number, wager) for wager in wagers)
        yield from (Decide(number, word) for word in WORDS)
        yield from (kind(number, card) for kind in (Turn, Expose) for card in cards)
        yield from (Deal(number), Absent(number), Warn(number, "talking"))
        yield from (VoidHand(number, "information"), VoidHand(number, "supervisor"))
    yield from (Close(), *SETTLES.values(), Misdeal("boxed card"), Fouled(cards[0]))
    yield from (Interrupted(agreed=True), Interrupted(agreed=False))


def named_cards(round: Round) -> list[Card]:
    """Every card named in the state."""
    return [*round.board, *(card for seat in round.seats for card in seat.cards)]


def is_covered(offers: Iterable[Offer], round: Round, action: Action) -> bool:
    """Whether one of the offers covers this action."""
    is_used_up = isinstance(action, Turn | Expose) and (
        named_cards(round).count(action.card) >= round.game.sheet.deck.decks
    )
    return not is_used_up and any(_covers(offer, action) for offer in offers)


def _covers(offer: Offer, action: Action) -> bool:
    if offer.action is not type(action):
        return False
    match action:
        case Wager(seat, _, wager, amount):
            assert offer.least is not None
            in_bounds = offer.least <= amount <= (offer.most or 0) and not amount % (
                offer.step or 1
            )
            return (offer.place, offer.wager) == (seat, wager) and in_bounds
        case Withdraw(seat, wager):
            return (offer.place, offer.wager) == (seat, wager)
        case Decide(seat, word) | VoidHand(seat, word):
            return offer.place == seat and word in offer.choices
        case Deal(place) | Turn(place, _) | Expose(place, _):
            return offer.place == place
        case Absent(seat) | Warn(seat, _):
            return offer.place == seat
        case Settle():
            return any(SETTLES[timing] == action for timing in offer.choices)
        case _:
            return True
