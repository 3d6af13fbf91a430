"""Replays a stored round in which some cards are closed to the reader.

Closed cards belong to folded or void hands. Every action must be legal whatever those cards are,
and some choice of them must give the stored settlement.
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
from pitbook.rules.result_json import report, seat_report
from pitbook.rules.round import Round
from pitbook.rules.settlement import settle_allowed
from pitbook.rules.stored_rounds import decode, replay, restore
from pitbook.shoe.verdict import DealDifference
from pitbook.text import say

NAMING = ("turn", "expose")
HANDS_MAX, TRIES_MAX = 20_000, 24  # Closed hands tried, and rounds replayed.
READS_MAX = 100_000  # Hands settled in total, which bounds the time for any proof.
STORED_FIELDS = ("wager", "stake", "outcome", "result", "odds", "clause")  # Unchanged by limits.
OTHER_SETTLEMENT = say("shoe.partly.other-settlement")

Cards = tuple[Card, ...]


class PartialRound(NamedTuple):
    """A round as its reader may know it."""

    opened: Round
    actions: tuple[Action, ...]  # A placeholder replaces each closed card.
    hidden: tuple[int, ...]  # Indexes of the actions with placeholders.
    settlement: Any

    @property
    def places(self) -> tuple[PlaceNumber, ...]:
        """The place of each card, in the order of the deal."""
        return tuple(action.place for action in self.actions if isinstance(action, Deal))

    @property
    def named(self) -> Mapping[PlaceNumber, tuple[Card | None, ...]]:
        """The cards turned at each place; None if closed to the reader."""
        cards_by_place: dict[PlaceNumber, tuple[Card | None, ...]] = defaultdict(tuple)
        for number, action in enumerate(self.actions):
            if isinstance(action, Turn | Expose):
                cards_by_place[action.place] += (None if number in self.hidden else action.card,)
        return cards_by_place

    @property
    def spare(self) -> list[Card]:
        """The cards of the decks that the round does not name."""
        card_counts = Counter(DECK * self.opened.game.sheet.deck.decks)
        card_counts.subtract(
            card for cards in self.named.values() for card in cards if card is not None
        )
        return [
            card
            for _ in range(max(card_counts.values()))
            for card in DECK
            if _take_card(card_counts, card)
        ]

    def with_cards(self, cards: Sequence[Card]) -> list[Action]:
        """The actions with these cards in place of the closed ones."""
        actions = [*self.actions]
        for number, card in zip(self.hidden, cards, strict=True):
            actions[number] = actions[number]._replace(card=card)  # type: ignore[call-arg]
        return actions


def _take_card(card_counts: Counter[Card], card: Card) -> bool:
    card_counts[card] -= 1
    return card_counts[card] >= 0


def parse_partial_round(document: Any) -> PartialRound:
    """Parse a round whose cards may be null; raises RoundError."""
    actions = document.get("actions") if isinstance(document, dict) else None
    listed = actions if isinstance(actions, list) else []  # `restore` reports what is wrong.
    hidden = tuple(number for number, action in enumerate(listed) if _is_hidden(action))
    open_actions = [action for action in listed if not _is_hidden(action)]
    opened, all_actions = restore({**document, "actions": open_actions} if hidden else document)
    for number in hidden:
        all_actions.insert(number, decode({**listed[number], "card": "2c"}))
    partial_round = PartialRound(opened, tuple(all_actions), hidden, document.get("settlement"))
    if any(place <= BOARD and None in cards for place, cards in partial_round.named.items()):
        raise RoundError(say("shoe.partly.board-closed"))
    if len(hidden) > len(spare := partial_round.spare):
        raise RoundError(say("shoe.partly.too-many-closed"))
    return partial_round._replace(actions=tuple(partial_round.with_cards(spare[: len(hidden)])))


def _is_hidden(action: Any) -> bool:
    return (
        isinstance(action, dict)
        and action.get("do") in NAMING
        and "card" in action
        and action["card"] is None
    )


def replay_partial(partial_round: PartialRound) -> Round:
    """Play the round to its end with placeholders; raises RoundError if that is impossible."""
    return replay(partial_round.opened, partial_round.actions)


def partial_settlement_differences(
    partial_round: PartialRound, final: Round
) -> list[DealDifference]:
    """Differences in the settlement that no choice of closed cards explains."""
    if final.phase != "over" or not isinstance(partial_round.settlement, dict):
        return [DealDifference("settlement", say("shoe.partly.no-settlement"))]
    settlement = report(final)
    for cards in islice(_candidate_cards(partial_round, final), TRIES_MAX):
        settlement = report(replay(partial_round.opened, partial_round.with_cards(cards)))
        if settlement == partial_round.settlement:
            return []
    return _describe_differences(settlement, partial_round.settlement)


def _describe_differences(
    settlement: dict[str, Any], stored: dict[str, Any]
) -> list[DealDifference]:
    """One difference per wrong seat, or a general one."""
    listed = stored.get("seats")
    seats = listed if isinstance(listed, list) else []
    wrong_seats = [
        seat_report["seat"] for seat_report in settlement["seats"] if seat_report not in seats
    ]
    messages = [say("shoe.partly.other-seat", seat=seat) for seat in wrong_seats]
    return [DealDifference("settlement", message) for message in messages or [OTHER_SETTLEMENT]]


def _candidate_cards(partial_round: PartialRound, final: Round) -> Iterator[Cards]:
    """Candidates for the closed cards; those that give the stored settlement seat by seat come
    first.
    """
    closed: dict[PlaceNumber, list[int]] = defaultdict(list)
    for number in partial_round.hidden:
        closed[partial_round.actions[number].place].append(number)  # type: ignore[union-attr]
    places = [number for numbers in closed.values() for number in numbers]
    read_budget = iter(range(READS_MAX))
    one_by_one = _hands_seat_by_seat(
        partial_round, final, [*closed], partial_round.spare, read_budget
    )
    together = islice(_joint_hands(partial_round, final, [*closed], read_budget), TRIES_MAX // 2)
    for cards in chain(islice(one_by_one, 1), together, one_by_one):
        by_action = dict(zip(places, cards, strict=True))
        yield tuple(by_action[number] for number in partial_round.hidden)


def _joint_hands(
    partial_round: PartialRound,
    final: Round,
    places: Sequence[PlaceNumber],
    read_budget: Iterator[int],
) -> Iterator[Cards]:
    """Hands that fit at all seats at once, choosing for the most constrained seats first."""
    fitting = {
        place: [*_matching_hands(partial_round, final, place, read_budget)] for place in places
    }
    order = sorted(places, key=lambda place: len(fitting[place]))
    hands = [fitting[place] for place in order]
    for chosen in _disjoint_hands(hands, Counter(partial_round.spare), iter(range(HANDS_MAX))):
        hand_at = dict(zip(order, chosen, strict=True))
        yield tuple(card for place in places for card in hand_at[place])


def _matching_hands(
    partial_round: PartialRound, final: Round, place: PlaceNumber, read_budget: Iterator[int]
) -> Iterator[Cards]:
    seat, known_cards = final.seat(place), partial_round.named[place]
    assert seat is not None
    stored, matters = (
        _stored_lines(partial_round.settlement, place),
        _affects_settlement(final, seat),
    )
    hands = islice(combinations(partial_round.spare, known_cards.count(None)), HANDS_MAX)
    for hand in _within_budget(hands, read_budget) if matters else hands:
        if (
            not matters
            or _settled_lines(final, seat._replace(cards=_fill_in(known_cards, hand))) == stored
        ):
            yield hand


def _disjoint_hands(
    hands: Sequence[Sequence[Cards]], card_counts: Counter[Card], steps: Iterator[int]
) -> Iterator[tuple[Cards, ...]]:
    """One hand from each list so that no card is used twice, within the step budget."""
    if not hands:
        yield ()
        return
    for hand in hands[0]:
        if next(steps, None) is None:
            return
        used = Counter(hand)
        if used <= card_counts:
            for others in _disjoint_hands(hands[1:], card_counts - used, steps):
                yield (hand, *others)


def _within_budget(hands: Iterator[Cards], read_budget: Iterator[int]) -> Iterator[Cards]:
    """Hands, until the read budget is used up."""
    return (hand for hand, _ in zip(hands, read_budget, strict=False))


def _hands_seat_by_seat(
    partial_round: PartialRound,
    final: Round,
    places: Sequence[PlaceNumber],
    spare: list[Card],
    read_budget: Iterator[int],
) -> Iterator[Cards]:
    if not places:
        yield ()
        return
    for hand in _hands_at(partial_round, final, places[0], spare, read_budget):
        card_counts = Counter(spare)
        card_counts.subtract(hand)
        remaining = [card for card in spare if _take_card(card_counts, card)]
        for others in _hands_seat_by_seat(partial_round, final, places[1:], remaining, read_budget):
            yield (*hand, *others)


def _hands_at(
    partial_round: PartialRound,
    final: Round,
    place: PlaceNumber,
    spare: list[Card],
    read_budget: Iterator[int],
) -> Iterator[Cards]:
    """Candidates for one seat's closed cards: hands that fit, then one hand for each other
    result.
    """
    seat, known_cards = final.seat(place), partial_round.named[place]
    assert seat is not None
    count = known_cards.count(None)
    if not _affects_settlement(final, seat):
        yield tuple(spare[:count])
        return
    by_result: dict[Any, Cards] = {}
    stored = _stored_lines(partial_round.settlement, place)
    for hand in _within_budget(islice(combinations(spare, count), HANDS_MAX), read_budget):
        lines = _settled_lines(final, seat._replace(cards=_fill_in(known_cards, hand)))
        if lines == stored:
            yield hand
        else:
            by_result.setdefault(str(lines), hand)
    yield from by_result.values() or [tuple(spare[:count])]


def _affects_settlement(final: Round, seat: Seat) -> bool:
    """Whether a closed hand affects the settlement through a side wager."""
    if seat.void is not None:  # Its wagers are returned or lost, whatever it holds.
        return False
    game = final.game
    is_complete = (len(seat.cards), len(final.board)) == (game.hand_size, game.board_size)
    return is_complete and game.looks_at_hand(seat._replace(folded=True))


def _fill_in(known_cards: Sequence[Card | None], closed_cards: Cards) -> Cards:
    cards = iter(closed_cards)
    return tuple(next(cards) if card is None else card for card in known_cards)


def _settled_lines(final: Round, seat: Seat) -> list[Any]:
    """The lines of a hand before payout limits, in stored form."""
    lines = seat_report(settle_allowed(final.game, seat, *final.common), seat.player)["lines"]
    return [{name: line[name] for name in STORED_FIELDS} for line in lines]


def _stored_lines(settlement: dict[str, Any], place: PlaceNumber) -> Any:
    """The stored lines of a seat without the fields that payout limits change; None if
    malformed.
    """
    try:
        (seat,) = [
            seat_report for seat_report in settlement["seats"] if seat_report["seat"] == place
        ]
        return [{name: line[name] for name in STORED_FIELDS} for line in seat["lines"]]
    except (KeyError, TypeError, ValueError):
        return None
