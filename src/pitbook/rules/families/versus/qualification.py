"""The lowest hand that a rule asks for, as a kind or as a class."""

from __future__ import annotations

from pitbook.hands.kinds import Ace, atoms, catalogue
from pitbook.hands.ranking import classes
from pitbook.rules.families.versus.sheet import RANK_NAMES, Qualification

# The least hand that a rule asks for, as a number: a kind, or a place among all classes.


def is_hand(name: str, cards: int) -> bool:
    """Whether a name is that of a hand of so many cards; nobody holds five high in four cards."""
    covered = atoms(name, cards) or frozenset()
    return any(kind.fits & covered for kind in catalogue(cards))


def least_kind(name: str, cards: int) -> int:
    """The lowest kind that a line of a pay table covers."""
    covered = atoms(name, cards) or frozenset()
    return next(place for place, kind in enumerate(catalogue(cards)) if kind.fits & covered)


def least_rank(rule: Qualification, cards: int, ace: Ace) -> int:
    """The lowest class with which the dealer plays."""
    least = least_kind(rule.qualifies, cards)
    beside = RANK_NAMES.index(rule.kicker) if rule.kicker else 0
    return next(
        place
        for place, hand in enumerate(classes(cards, ace))
        if hand.kind > least or (hand.kind == least and max(hand.ranks[1:], default=0) >= beside)
    )
