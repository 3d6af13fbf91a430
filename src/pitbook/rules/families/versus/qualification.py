"""The lowest qualifying hand, as a kind or as a class."""

from __future__ import annotations

from pitbook.hands.kinds import Ace, atoms, catalogue
from pitbook.hands.ranking import classes
from pitbook.rules.families.versus.sheet import RANK_NAMES, Qualification


def is_hand(name: str, cards: int) -> bool:
    """Whether a name is a hand of that size; four cards cannot be five high, for example."""
    covered = atoms(name, cards) or frozenset()
    return any(kind.fits & covered for kind in catalogue(cards))


def least_kind(name: str, cards: int) -> int:
    """The lowest kind covered by a pay table line."""
    covered = atoms(name, cards) or frozenset()
    return next(place for place, kind in enumerate(catalogue(cards)) if kind.fits & covered)


def least_rank(rule: Qualification, cards: int, ace: Ace) -> int:
    """The lowest class with which the dealer qualifies."""
    lowest_kind = least_kind(rule.qualifies, cards)
    kicker = RANK_NAMES.index(rule.kicker) if rule.kicker else 0
    return next(
        place
        for place, hand in enumerate(classes(cards, ace))
        if hand.kind > lowest_kind
        or (hand.kind == lowest_kind and max(hand.ranks[1:], default=0) >= kicker)
    )
