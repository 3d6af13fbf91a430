"""One sentence that explains a play on a street, and that is true."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from numpy.typing import NDArray

from pitbook.exact.methods.ladder.terms import Purse, Terms
from pitbook.exact.wording import sentence
from pitbook.game.plays import Play
from pitbook.game.pricing import Pay, pay_by_kind
from pitbook.money import Cents, spoken
from pitbook.sheets.aloud.words import outcome
from pitbook.sheets.pays import worth

__all__ = ["Chips", "chips_left", "why_play"]


def why_play(
    terms: Terms,
    values: Mapping[Play, Fraction],
    best: Play,
    kinds: NDArray[Any],
    of_a_full_deck: NDArray[Any],
    *,
    chips: Chips | None = None,
) -> str:
    """What is made already, how the rest can come, what is left to bet, what other plays cost."""
    if chips is not None and not chips.reaches:
        return sentence([chips.told, _against(terms, values, best)])
    pays = pay_by_kind(terms.sheet, "main")
    ends = [(pays[kind], int(count)) for kind, count in enumerate(kinds) if count]
    # Dead cards can make a hand sure that is not made.
    made = _made([pay for pay, count in zip(pays, of_a_full_deck, strict=True) if count])
    parts = [made] if made else []
    won, pushed, lost = (sum(n for pay, n in ends if pay.result == one) for one in _RESULTS)
    parts.append(
        f"of {won + pushed + lost:,} ways the board can end {won:,} win, "
        f"{pushed:,} push and {lost:,} lose"
    )
    parts += [chips.told] if chips else []
    parts.append(_against(terms, values, best))
    return sentence(parts)


class Chips(NamedTuple):
    """What is left to bet with, and whether it takes the hand to its showdown."""

    told: str
    reaches: bool


def chips_left(terms: Terms, street: int, purse: Purse, left: Cents | None) -> Chips | None:
    """What is left to bet with, where that does not pay for every bet still to come."""
    if left is None or terms.room is None:
        return None
    room, bets = terms.room - sum(purse), terms.bets[street:]
    least = sum(min(one, default=0) for one in bets)
    if room >= sum(max(one, default=0) for one in bets):
        return None
    if room >= least:
        return Chips(f"{spoken(left)} is left, which does not pay for every bet", reaches=True)
    cost = spoken(least * terms.ante)
    told = f"{spoken(left)} is left and cannot take the hand to its showdown: that costs {cost}"
    return Chips(f"{told} at least", reaches=False)


_RESULTS = ("win", "push", "lose")


def _made(ends: list[Pay]) -> str:
    """What the hand cannot lose any more."""
    pay = min(ends, key=lambda end: worth("push" if end.result == "push" else end.odds))
    if pay.result == "lose":
        return ""
    sure = "pushes" if pay.result == "push" else f"pays {pay.odds}"
    return f"{outcome(pay.outcome)} is made and {sure} at least"


def _against(terms: Terms, values: Mapping[Play, Fraction], best: Play) -> str:
    if len(values) == 1:
        return f"{best} is the only play"
    others = [play for play in values if play != best]
    other = next(
        (play for play in others if play.folds), max(others, key=lambda play: values[play])
    )
    gained = values[best] - values[other]
    told = f"{float(gained):.4f} {terms.sheet.unit[1]}"
    if best.folds:
        return f"a fold saves {told} against {other}"
    versus = "a fold" if other.folds else other
    if not gained:
        return f"{best} is worth as much as {versus}"
    return f"{best} is worth {told} more than {versus}"
