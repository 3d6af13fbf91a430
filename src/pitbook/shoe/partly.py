"""A stored round that keeps some cards closed: played again with any cards in their place.

What its reader may not see was folded or void, and bears on little. So whatever lies there, each
action must be one that the rules allow; and some cards must give the settlement that is stored.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, islice
from typing import Any, NamedTuple

from pitbook.cards import DECK, Card
from pitbook.errors import RoundError
from pitbook.rules.actions import BOARD, Action, Deal, Expose, PlaceNumber, Turn
from pitbook.rules.game import Seat
from pitbook.rules.payouts import settle_allowed
from pitbook.rules.report import report, seat_report
from pitbook.rules.round import Round
from pitbook.rules.stored import decode, replay, restore
from pitbook.shoe.verdict import DealDifference
from pitbook.text import say

NAMING = ("turn", "expose")
HANDS_MAX, TRIES_MAX = 20_000, 24  # Closed hands looked at, and rounds that are played again.
READS_MAX = 100_000  # Hands settled in all: no proof takes longer, whoever put it together.
READ = ("wager", "stake", "outcome", "result", "odds", "clause")  # A cap changes none of these.
OTHERWISE = say("shoe.partly.other-settlement")

Cards = tuple[Card, ...]


class Partly(NamedTuple):
    """A round as its reader may know it."""

    opened: Round
    actions: tuple[Action, ...]  # Any card stands in for one that is closed.
    hidden: tuple[int, ...]  # Which of them do that.
    settlement: Any

    @property
    def places(self) -> tuple[PlaceNumber, ...]:
        """Where each card goes, in the order of the deal."""
        return tuple(one.place for one in self.actions if isinstance(one, Deal))

    @property
    def named(self) -> Mapping[PlaceNumber, tuple[Card | None, ...]]:
        """What was turned at each place; None: it is closed to the reader."""
        found: dict[PlaceNumber, tuple[Card | None, ...]] = defaultdict(tuple)
        for number, one in enumerate(self.actions):
            if isinstance(one, Turn | Expose):
                found[one.place] += (None if number in self.hidden else one.card,)
        return found

    @property
    def spare(self) -> list[Card]:
        """The cards of the decks that the round does not name."""
        left = Counter(DECK * self.opened.game.sheet.deck.decks)
        left.subtract(card for cards in self.named.values() for card in cards if card is not None)
        return [card for _ in range(max(left.values())) for card in DECK if _taken(left, card)]

    def with_cards(self, cards: Sequence[Card]) -> list[Action]:
        """The actions with these cards in place of those that are closed."""
        actions = [*self.actions]
        for number, card in zip(self.hidden, cards, strict=True):
            actions[number] = actions[number]._replace(card=card)  # type: ignore[call-arg]
        return actions


def _taken(left: Counter[Card], card: Card) -> bool:
    left[card] -= 1
    return left[card] >= 0


def partly(document: Any) -> Partly:
    """The round of a document whose cards may be null; raises RoundError."""
    actions = document.get("actions") if isinstance(document, dict) else None
    told = actions if isinstance(actions, list) else []  # `restore` says what is wrong.
    hidden = tuple(number for number, one in enumerate(told) if _hides(one))
    named = [one for one in told if not _hides(one)]
    opened, rest = restore({**document, "actions": named} if hidden else document)
    for number in hidden:
        rest.insert(number, decode({**told[number], "card": "2c"}))
    found = Partly(opened, tuple(rest), hidden, document.get("settlement"))
    if any(place <= BOARD and None in cards for place, cards in found.named.items()):
        raise RoundError(say("shoe.partly.board-closed"))
    if len(hidden) > len(spare := found.spare):
        raise RoundError(say("shoe.partly.too-many-closed"))
    return found._replace(actions=tuple(found.with_cards(spare[: len(hidden)])))


def _hides(action: Any) -> bool:
    return (
        isinstance(action, dict)
        and action.get("do") in NAMING
        and "card" in action
        and action["card"] is None
    )


def dealt(told: Partly) -> Round:
    """The round played to its end, whatever is closed; raises RoundError where it cannot be."""
    return replay(told.opened, told.actions)


def of_the_money(told: Partly, final: Round) -> list[DealDifference]:
    """What is stored for each seat and the house, where no closed cards at all come to it."""
    if final.phase != "over" or not isinstance(told.settlement, dict):
        return [DealDifference("settlement", say("shoe.partly.no-settlement"))]
    again = report(final)
    for cards in islice(_standing_in(told, final), TRIES_MAX):
        again = report(replay(told.opened, told.with_cards(cards)))
        if again == told.settlement:
            return []
    return _wrong(again, told.settlement)


def _wrong(again: dict[str, Any], stored: dict[str, Any]) -> list[DealDifference]:
    """By seat, where one is to blame."""
    listed = stored.get("seats")
    seats = listed if isinstance(listed, list) else []
    wrong = [one["seat"] for one in again["seats"] if one not in seats]
    told = [say("shoe.partly.other-seat", seat=seat) for seat in wrong]
    return [DealDifference("settlement", message) for message in told or [OTHERWISE]]


def _standing_in(told: Partly, final: Round) -> Iterator[Cards]:
    """Cards that may lie closed, those first that come to what is stored, seat by seat."""
    closed: dict[PlaceNumber, list[int]] = defaultdict(list)
    for number in told.hidden:
        closed[told.actions[number].place].append(number)  # type: ignore[union-attr]
    places = [number for numbers in closed.values() for number in numbers]
    reads = iter(range(READS_MAX))
    one_by_one = _hands(told, final, [*closed], told.spare, reads)
    together = islice(_together(told, final, [*closed], reads), TRIES_MAX // 2)
    for cards in chain(islice(one_by_one, 1), together, one_by_one):
        by_action = dict(zip(places, cards, strict=True))
        yield tuple(by_action[number] for number in told.hidden)


def _together(
    told: Partly, final: Round, places: Sequence[PlaceNumber], reads: Iterator[int]
) -> Iterator[Cards]:
    """Hands that fit everywhere at once: who is served by any card leaves others what they need."""
    fitting = {place: [*_fitting(told, final, place, reads)] for place in places}
    order = sorted(places, key=lambda place: len(fitting[place]))
    hands = [fitting[place] for place in order]
    for chosen in _apart(hands, Counter(told.spare), iter(range(HANDS_MAX))):
        at = dict(zip(order, chosen, strict=True))
        yield tuple(card for place in places for card in at[place])


def _fitting(
    told: Partly, final: Round, place: PlaceNumber, reads: Iterator[int]
) -> Iterator[Cards]:
    seat, known = final.seat(place), told.named[place]
    assert seat is not None
    stored, bears = _lines_of(told.settlement, place), _bears(final, seat)
    hands = islice(combinations(told.spare, known.count(None)), HANDS_MAX)
    for hand in _while_any(hands, reads) if bears else hands:
        if not bears or _read(final, seat._replace(cards=_filled(known, hand))) == stored:
            yield hand


def _apart(
    hands: Sequence[Sequence[Cards]], left: Counter[Card], steps: Iterator[int]
) -> Iterator[tuple[Cards, ...]]:
    """One of each such that no card lies twice, as far as so many steps lead."""
    if not hands:
        yield ()
        return
    for hand in hands[0]:
        if next(steps, None) is None:
            return
        taken = Counter(hand)
        if taken <= left:
            for others in _apart(hands[1:], left - taken, steps):
                yield (hand, *others)


def _while_any(hands: Iterator[Cards], reads: Iterator[int]) -> Iterator[Cards]:
    """Hands, as long as any more are settled."""
    return (hand for hand, _ in zip(hands, reads, strict=False))


def _hands(
    told: Partly,
    final: Round,
    places: Sequence[PlaceNumber],
    spare: list[Card],
    reads: Iterator[int],
) -> Iterator[Cards]:
    if not places:
        yield ()
        return
    for hand in _hands_at(told, final, places[0], spare, reads):
        left = Counter(spare)
        left.subtract(hand)
        rest = [card for card in spare if _taken(left, card)]
        for others in _hands(told, final, places[1:], rest, reads):
            yield (*hand, *others)


def _hands_at(
    told: Partly, final: Round, place: PlaceNumber, spare: list[Card], reads: Iterator[int]
) -> Iterator[Cards]:
    """What may lie closed at one seat: hands that fit, then one of each other kind."""
    seat, known = final.seat(place), told.named[place]
    assert seat is not None
    count = known.count(None)
    if not _bears(final, seat):
        yield tuple(spare[:count])
        return
    other: dict[Any, Cards] = {}
    stored = _lines_of(told.settlement, place)
    for hand in _while_any(islice(combinations(spare, count), HANDS_MAX), reads):
        lines = _read(final, seat._replace(cards=_filled(known, hand)))
        if lines == stored:
            yield hand
        else:
            other.setdefault(str(lines), hand)
    yield from other.values() or [tuple(spare[:count])]


def _bears(final: Round, seat: Seat) -> bool:
    """Whether the cards of a closed hand have a say in the settlement: by a side wager."""
    if seat.void is not None:  # Its wagers go back or are lost, whatever it holds.
        return False
    game = final.game
    whole = (len(seat.cards), len(final.board)) == (game.hand_size, game.board_size)
    return whole and game.looks_at_hand(seat._replace(folded=True))


def _filled(known: Sequence[Card | None], hand: Cards) -> Cards:
    cards = iter(hand)
    return tuple(next(cards) if card is None else card for card in known)


def _read(final: Round, seat: Seat) -> list[Any]:
    """The lines of a hand before any cap, as they would be stored."""
    lines = seat_report(settle_allowed(final.game, seat, *final.common), seat.player)["lines"]
    return [{name: line[name] for name in READ} for line in lines]


def _lines_of(settlement: dict[str, Any], place: PlaceNumber) -> Any:
    """What is stored for a seat, of that which no cap changes; None where it is no such thing."""
    try:
        (seat,) = [one for one in settlement["seats"] if one["seat"] == place]
        return [{name: line[name] for name in READ} for line in seat["lines"]]
    except (KeyError, TypeError, ValueError):
        return None
