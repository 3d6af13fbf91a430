"""One sentence that explains a choice, and that is true."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from numpy.typing import NDArray

from pitbook import english
from pitbook.exact.methods.ladder.terms import Purse, Terms
from pitbook.game.pricing import Pay, pay_by_kind
from pitbook.money import Cents, spoken
from pitbook.sheets.aloud.words import outcome
from pitbook.sheets.pays import worth


def why_play(
    terms: Terms,
    values: Mapping[str, Fraction],
    best: str,
    kinds: NDArray[Any],
    of_a_full_deck: NDArray[Any],
    *,
    chips: Chips | None = None,
) -> str:
    """What is made already, how the rest can come, what is left to bet, what other plays cost."""
    if chips is not None and not chips.reaches:
        return _sentence([chips.told, _against(values, best)])
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
    parts.append(_against(values, best))
    return _sentence(parts)


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


def why_declare(
    low: int,
    high: int,
    counted: Mapping[str, tuple[int, int, int]],
    values: Mapping[str, Fraction],
    best: str,
) -> str:
    """The hand's points, how often it wins each way, and what doubling is worth."""
    declared = best.removesuffix("+double")
    ahead, level, behind = counted[declared]
    share = _percent(Fraction(ahead + level, ahead + level + behind))
    points = english.counted(low, "point")
    if low != high:
        points += f" low and {high} high"
    doubled = values.get(f"{declared}+double", values[declared]) - values[declared]
    if doubled > 0:
        tail = "and a double wins more than it loses"
    elif doubled < 0:
        tail = "and a double would lose more than it wins"
    elif f"{declared}+double" in values:
        tail = "and a double would win as much as it loses"
    else:
        tail = "which is the better of the two"
    return _sentence(
        [
            f"{points}: {declared} is at or past the dealer's {declared} hand {share} of the time",
            tail,
        ]
    )


def _made(ends: list[Pay]) -> str:
    """What the hand cannot lose any more."""
    pay = min(ends, key=lambda end: worth("push" if end.result == "push" else end.odds))
    if pay.result == "lose":
        return ""
    sure = "pushes" if pay.result == "push" else f"pays {pay.odds}"
    return f"{outcome(pay.outcome)} is made and {sure} at least"


def _against(values: Mapping[str, Fraction], best: str) -> str:
    if len(values) == 1:
        return f"{best} is the only play"
    if best == "fold":
        other = max((play for play in values if play != "fold"), key=lambda play: values[play])
        saved = values["fold"] - values[other]
        return f"a fold saves {_units(saved)} against {other}"
    other = (
        "fold"
        if "fold" in values
        else max((play for play in values if play != best), key=lambda play: values[play])
    )
    gained = values[best] - values[other]
    versus = "a fold" if other == "fold" else other
    if not gained:
        return f"{best} is worth as much as {versus}"
    return f"{best} is worth {_units(gained)} more than {versus}"


def _units(value: Fraction) -> str:
    return f"{float(value):.4f} antes"


def _percent(value: Fraction) -> str:
    return f"{float(value) * 100:.2f}%"


def _sentence(parts: list[str]) -> str:
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."
