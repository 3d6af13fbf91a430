"""Rounds played at random: legal plays are chosen, illegal ones are tried, every state is kept."""

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
from pitbook.rules.legal import Offer, legal
from pitbook.rules.round import Round, open_round
from pitbook.rules.step import step
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet

PLAYERS = ("ann", "bob", "cyd", "dan", "eve", "fay")
QUIET = (Deal, Turn, Decide, Absent, Settle)
ONLY_AT_ONCE = Offer(Settle, choices=("at-once",))
ENDS_ALL = (Misdeal, Fouled, Interrupted)
WORDS = ("fold", "0x", "1x", "2x", "3x", "9x", "1X", "", "low", "high", "low+double", "Low")
UNUSUAL = Path(__file__).parents[2] / "sheets" / "unusual"


class Played(NamedTuple):
    """A whole round: `states[n]` is the round before `actions[n]`; the last one is over."""

    actions: list[Action]
    states: list[Round]

    @property
    def over(self) -> Round:
        return self.states[-1]


@cache
def known_sheets() -> tuple[Sheet, ...]:
    """The bundled sheets and the three unusual ones."""
    return tuple(one.sheet for one in Library((UNUSUAL,)).entries() if one.sheet)


def sampled_sheets(*slow: str) -> list[Any]:
    """The same as parameters, of which some are played in the slow lane."""
    return [
        pytest.param(one, id=one.id, marks=[pytest.mark.slow] if one.id in slow else [])
        for one in known_sheets()
    ]


def play(sheet: Sheet, luck: Random, *, mishaps: bool = False) -> Played:
    """A round from the first wager to its end; every action comes from an offer."""
    round, shoe = open_round(sheet), shuffled(sheet, luck)
    actions: list[Action] = []
    states = [round]
    while round.phase != "over":
        action = chosen(round, shoe, luck, mishaps)
        after = step(round, action)
        assert isinstance(after, Round), f"{action} was offered: {after}"
        round = after
        actions.append(action)
        states.append(round)
    return Played(actions, states)


def shuffled(sheet: Sheet, luck: Random) -> list[Card]:
    """A shoe dealt from its end, often rich: cards of one suit, or of few ranks, come first."""
    shoe = list(DECK) * sheet.deck.decks
    luck.shuffle(shoe)
    suit, low = luck.randrange(4), luck.randrange(9)
    rich = luck.choice(["no", "suit", "ranks", "few", "both"])
    return sorted(
        shoe,
        key=lambda card: (
            (rich in ("suit", "both") and card & 3 == suit)
            + (rich in ("ranks", "both") and low <= card >> 2 <= low + 4)
            + (rich == "few" and card >> 2 in (low, low + 2))
        ),
    )


def chosen(round: Round, shoe: list[Card], luck: Random, mishaps: bool) -> Action:
    """One of the actions on offer, the dull ones more often than the calamities."""
    seated = [seat.player for seat in round.seats] or PLAYERS
    player = luck.choice(PLAYERS if luck.random() < 0.4 else seated)
    offers = legal(round, player)
    if round.phase == "wagers":
        return concrete(bet(round, offers, luck), player, shoe, luck)
    quiet = [one for one in offers if one.action in QUIET and (not mishaps or one != ONLY_AT_ONCE)]
    loud = [one for one in offers if one.action not in QUIET]
    if mishaps and loud and luck.random() < 0.1:
        weights = [1 if one.action in ENDS_ALL else 4 for one in loud]
        return concrete(luck.choices(loud, weights)[0], player, shoe, luck)
    weights = [1 if one.action is Absent else 9 for one in quiet]
    offer = luck.choices(quiet, weights)[0]
    if offer.action is Settle and mishaps:  # What is settled at once stands or is taken back.
        return Settle()
    return concrete(offer, player, shoe, luck)


def bet(round: Round, offers: tuple[Offer, ...], luck: Random) -> Offer:
    """Mostly a wager that is not made yet; now and then one is changed or taken back."""
    if offers[-1].action is Close and luck.random() < 0.1:
        return offers[-1]
    made = {(seat.number, wager) for seat in round.seats for wager, _ in seat.stakes}
    new = [one for one in offers if one.action is Wager and (one.place, one.wager) not in made]
    needed = [name for name, side in round.game.sheet.side.items() if side.stake.required]
    missing = [one for one in new if one.wager in needed]
    if (missing or new) and luck.random() < 0.9:
        return luck.choice(missing or new)
    return luck.choice(offers)


def concrete(offer: Offer, player: str, shoe: list[Card], luck: Random) -> Action:
    """An action that the offer covers."""
    place = offer.place or 0
    if offer.action is Wager:
        assert offer.wager is not None
        return Wager(place, player, offer.wager, luck.choice(amounts(offer)))
    if offer.action in (Turn, Expose):
        return Turn(place, shoe.pop()) if offer.action is Turn else Expose(place, shoe.pop())
    if offer.action is Decide:
        kept = [one for one in offer.choices if one != "fold" or luck.random() < 0.4]
        return Decide(place, luck.choice(kept or offer.choices))
    return luck.choice(list(expanded(offer, player, shoe)))


def amounts(offer: Offer) -> list[Cents]:
    """The least, the next and the most that may be wagered, and what is between."""
    assert offer.least is not None
    assert offer.most is not None
    assert offer.step is not None
    every = range(offer.least, offer.most + 1, offer.step)
    return [Cents(one) for one in {every[0], every[-1], every[len(every) // 2], every[:2][-1]}]


def expanded(offer: Offer, player: str, cards: Iterable[Card]) -> Iterator[Action]:
    """Every action that the offer covers, as far as that is finite."""
    place = offer.place or 0
    if offer.action is Wager:
        yield from (Wager(place, player, offer.wager or "", one) for one in amounts(offer))
    elif offer.action is Withdraw:
        yield Withdraw(place, offer.wager or "")
    elif offer.action is Decide:
        yield from (Decide(place, one) for one in offer.choices)
    elif offer.action is VoidHand:
        reasons: tuple[VoidReason, ...] = ("information", "supervisor")
        yield from (VoidHand(place, one) for one in reasons if one in offer.choices)
    elif offer.action is Settle:
        yield from (SETTLES[one] for one in offer.choices)
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


def universe(round: Round, luck: Random) -> Iterator[Action]:
    """Many actions, most of them wrong."""
    sheet = round.game.sheet
    numbers = range(-1, sheet.seats.count + 2)
    stakes = {round.game.main[0]: sheet.main_wager, **{k: v.stake for k, v in sheet.side.items()}}
    wagers = (*stakes, "main", "double", *(stage.id for stage in round.game.stages), "")
    made = list(product(numbers, PLAYERS, wagers))
    for number, player, wager in luck.sample(made, min(24, len(made))):
        stake = stakes.get(wager, sheet.main_wager)
        near = (stake.min, stake.max, 0, -stake.min, stake.min + 1)
        beyond = (stake.min - stake.step, stake.max + stake.step, stake.min + stake.step)
        amount = luck.choice((*near, *beyond))
        yield Wager(number, player, wager, Cents(amount))
    cards = (*named(round)[:2], *luck.sample(DECK, 2))
    for number in numbers:
        yield from (Withdraw(number, wager) for wager in wagers)
        yield from (Decide(number, word) for word in WORDS)
        yield from (kind(number, card) for kind in (Turn, Expose) for card in cards)
        yield from (Deal(number), Absent(number), Warn(number, "talking"))
        yield from (VoidHand(number, "information"), VoidHand(number, "supervisor"))
    yield from (Close(), *SETTLES.values(), Misdeal("boxed card"), Fouled(cards[0]))
    yield from (Interrupted(agreed=True), Interrupted(agreed=False))


def named(round: Round) -> list[Card]:
    """Every card that the state names."""
    return [*round.board, *(card for seat in round.seats for card in seat.cards)]


def covered(offers: Iterable[Offer], round: Round, action: Action) -> bool:
    """Whether one of the offers speaks of this action."""
    held = isinstance(action, Turn | Expose) and (
        named(round).count(action.card) >= round.game.sheet.deck.decks
    )
    return not held and any(_speaks_of(one, action) for one in offers)


def _speaks_of(offer: Offer, action: Action) -> bool:
    if offer.action is not type(action):
        return False
    match action:
        case Wager(seat, _, wager, amount):
            assert offer.least is not None
            fine = offer.least <= amount <= (offer.most or 0) and not amount % (offer.step or 1)
            return (offer.place, offer.wager) == (seat, wager) and fine
        case Withdraw(seat, wager):
            return (offer.place, offer.wager) == (seat, wager)
        case Decide(seat, word) | VoidHand(seat, word):
            return offer.place == seat and word in offer.choices
        case Deal(place) | Turn(place, _) | Expose(place, _):
            return offer.place == place
        case Absent(seat) | Warn(seat, _):
            return offer.place == seat
        case Settle():
            return any(SETTLES[one] == action for one in offer.choices)
        case _:
            return True
