"""One sentence that explains a play on a street, and that is true."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from numpy.typing import NDArray

from pitbook.exact.methods.ladder.terms import Purse, Terms
from pitbook.exact.wording import more_told, play_told, sentence
from pitbook.money import Cents
from pitbook.rules.plays import Play
from pitbook.rules.pricing import KindPay, pay_by_kind
from pitbook.sheets.aloud.words import outcome, paid
from pitbook.sheets.pays import worth
from pitbook.text import Sentence, say

__all__ = ["ChipsLeft", "chips_left", "why_play"]


def why_play(
    terms: Terms,
    values: Mapping[Play, Fraction],
    best: Play,
    kinds: NDArray[Any],
    of_a_full_deck: NDArray[Any],
    *,
    chips: ChipsLeft | None = None,
) -> Sentence:
    """What is made already, how the rest can come, what is left to bet, what other plays cost."""
    if chips is not None and not chips.reaches:
        return sentence([chips.told, _against(terms, values, best)])
    pays = pay_by_kind(terms.sheet, "main")
    ends = [(pays[kind], int(count)) for kind, count in enumerate(kinds) if count]
    # Dead cards can make a hand sure that is not made.
    made = _made([pay for pay, count in zip(pays, of_a_full_deck, strict=True) if count])
    parts: list[str] = [made] if made else []
    won, pushed, lost = (sum(n for pay, n in ends if pay.result == one) for one in _RESULTS)
    ways = {"all": won + pushed + lost, "won": won, "pushed": pushed, "lost": lost}
    parts.append(say("exact.why.ends", **ways))
    parts += [chips.told] if chips else []
    parts.append(_against(terms, values, best))
    return sentence(parts)


class ChipsLeft(NamedTuple):
    """What is left to bet with, and whether it takes the hand to its showdown."""

    told: Sentence
    reaches: bool


def chips_left(terms: Terms, street: int, purse: Purse, left: Cents | None) -> ChipsLeft | None:
    """What is left to bet with, where that does not pay for every bet still to come."""
    if left is None or terms.room is None:
        return None
    room, bets = terms.room - sum(purse), terms.bets[street:]
    least = sum(min(one, default=0) for one in bets)
    if room >= sum(max(one, default=0) for one in bets):
        return None
    if room >= least:
        return ChipsLeft(say("exact.why.not-every-bet", left=left), reaches=True)
    cost = least * terms.ante
    return ChipsLeft(say("exact.why.no-showdown", left=left, cost=cost), reaches=False)


_RESULTS = ("win", "push", "lose")


def _made(ends: list[KindPay]) -> Sentence | None:
    """What the hand cannot lose any more."""
    pay = min(ends, key=lambda end: worth("push" if end.result == "push" else end.odds))
    if pay.result == "lose":
        return None
    sure = paid("push" if pay.result == "push" else pay.odds)
    return say("exact.why.made", hand=outcome(pay.outcome), sure=sure)


def _against(terms: Terms, values: Mapping[Play, Fraction], best: Play) -> Sentence:
    if len(values) == 1:
        return say("exact.why.only", best=play_told(best))
    others = [play for play in values if play != best]
    other = next(
        (play for play in others if play.folds), max(others, key=lambda play: values[play])
    )
    gained, unit = values[best] - values[other], terms.sheet.unit[1]
    if best.folds:
        saved = {"gained": f"{float(gained):.4f}", "unit": unit}
        return say("exact.why.fold-saves", other=play_told(other), **saved)
    versus = say("exact.why.a-fold") if other.folds else play_told(other)
    return more_told(gained, unit, best, versus)
