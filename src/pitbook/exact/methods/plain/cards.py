"""The cards that can still come: every one of them, or one for all that differ in suits alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, permutations
from math import comb, factorial, prod
from typing import Any, TypeVar

from pitbook.cards import DECK, SUITS, Card, rank, suit
from pitbook.rules.game import Game
from pitbook.rules.pricing import Best, Kinds, Other, Ranking

__all__ = ["KEPT", "RoundCards", "Seen", "remembered", "shoe_of"]

KEPT = 2_000  # What is asked again is asked soon: cards are gone through depth first.
Key = TypeVar("Key", bound=tuple[Any, ...])
Value = TypeVar("Value")
Seen = tuple[tuple[Card, ...], ...]  # By place of the game, what lies open there.
_RANKED = {card: Card(len(SUITS) * rank(card)) for card in DECK}  # One suit stands for all.


class RoundCards:
    """The cards of a round.

    Where no rule tells suits apart, deals that differ in them alone are one; where none looks at
    the order in a place, so are those that differ in it. Else every deal is looked at. Where hands
    are single cards, no suit is even the same as another: a card is its rank.
    """

    def __init__(
        self, cards: Iterable[Card], *, suits: bool, order: bool, ranks: bool = False
    ) -> None:
        self.cards = Counter(map(_RANKED.__getitem__, cards) if ranks else cards)
        self._draw = drawn_in_order if order else drawn
        self._laid = tuple if order else _sorted
        self._swaps = (_RANKED,) if ranks else () if suits else _swaps(self.cards)
        self._known: dict[tuple[Seen, tuple[int, ...]], tuple[tuple[Seen, int], ...]] = {}

    def alike_at_once(self, seen: Seen) -> int:
        """How many deals that go on from here, alike but for suits, are looked at as one."""
        same = tuple(map(self._laid, seen))
        return max(1, sum(self._renamed(seen, swap) == same for swap in self._swaps))

    def always_alike(self, cards: int) -> int:
        """How many deals count as one, for any `known` cards: the least over all of them."""
        if len(self._swaps) < factorial(len(SUITS)):
            return 1
        return factorial(len(SUITS) - min(cards, len(SUITS)))

    def hands(self, seen: Seen, many: int) -> int:
        """How many hands of so many cards are looked at, at most: for a bound on the work."""
        faces = len(self.without(seen))
        if self._draw is drawn_in_order or many <= 0:
            return int(faces ** max(0, many))
        return comb(faces + many - 1, many)

    def without(self, seen: Seen) -> Counter[Card]:
        """What is left when these cards lie open."""
        return self.cards - Counter(card for place in seen for card in place)

    def opened(self, seen: Seen, counts: tuple[int, ...]) -> tuple[tuple[Seen, int], ...]:
        """Every way to have so many cards open in each place, with the number of its ways."""
        return remembered(self._known, (seen, counts), self._opened, KEPT)

    def _opened(self, seen: Seen, counts: tuple[int, ...]) -> tuple[tuple[Seen, int], ...]:
        found = Counter[Seen]()
        for cards, ways in self.every(seen, counts):
            found[self.alike(cards)] += ways
        return tuple(found.items())

    def every(self, seen: Seen, counts: Sequence[int]) -> Iterator[tuple[Seen, int]]:
        """The same, card by card, none put together with another."""
        short = (at for at, place in enumerate(seen) if len(place) < counts[at])
        place = next(short, None)
        if place is None:
            yield seen, 1
            return
        before, held, after = seen[:place], seen[place], seen[place + 1 :]
        for more, ways in self._draw(self.without(seen), counts[place] - len(held)):
            for cards, others in self.every((*before, held + more, *after), counts):
                yield cards, ways * others

    def alike(self, seen: Seen) -> Seen:
        """The one that stands for all that no rule can tell from these."""
        if not self._swaps:
            return seen
        return min(self._renamed(seen, swap) for swap in self._swaps)

    def _renamed(self, seen: Seen, swap: dict[Card, Card]) -> Seen:
        return tuple([self._laid([swap[card] for card in place]) for place in seen])


def drawn(left: Counter[Card], many: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every hand of so many cards, rising, and in how many ways the copies of its cards come.

    >>> list(drawn(Counter({Card(3): 2, Card(7): 1}), 2))
    [((3, 3), 1), ((3, 7), 2)]
    """
    for hand in combinations_with_replacement(sorted(left), max(0, many)):
        held = Counter(hand)
        if ways := prod(comb(left[card], held[card]) for card in held):
            yield hand, ways


def drawn_in_order(left: Counter[Card], many: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """The same, one card after the other.

    >>> list(drawn_in_order(Counter({Card(3): 2, Card(7): 1}), 2))
    [((3, 3), 2), ((3, 7), 2), ((7, 3), 2)]
    """
    if many < 1:
        yield (), 1
        return
    for card in sorted(left):
        rest = left - Counter((card,)) if many > 1 else left
        for others, ways in drawn_in_order(rest, many - 1):
            yield (card, *others), left[card] * ways


def shoe_of(game: Game, cards: Iterable[Card]) -> RoundCards:
    """The cards of a game's round; of a family's own reading nothing is known but what it says."""
    read = [hand.ranking for hand in game.hands]
    own = [ranking for ranking in read if isinstance(ranking, Other)]
    ranks = all(one.ranks if isinstance(one, Other) else _is_single(one) for one in read)
    return RoundCards(cards, suits=any(one.suits for one in own), order=bool(own), ranks=ranks)


def _is_single(ranking: Ranking) -> bool:
    return isinstance(ranking, Kinds | Best) and ranking.cards == 1


def _swaps(cards: Counter[Card]) -> tuple[dict[Card, Card], ...]:
    """Every way to rename suits after which the shoe holds what it held."""
    found = []
    for order in permutations(range(len(SUITS))):
        swap = {card: Card(len(SUITS) * rank(card) + order[suit(card)]) for card in DECK}
        if all(cards[swap[card]] == many for card, many in cards.items()):
            found.append(swap)
    return tuple(found)


def remembered(
    known: dict[Key, Value], asked: Key, answer: Callable[..., Value], most: int
) -> Value:
    """What was answered before, or is now; when so many answers are known, they begin anew."""
    if asked not in known:
        found = answer(*asked)
        if len(known) >= most:
            known.clear()
        known[asked] = found
    return known[asked]


def _sorted(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards))
