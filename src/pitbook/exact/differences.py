"""The hands that two sheets pay differently: hands tell them apart, not the names of lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pitbook.rules.pricing import NOTHING, KindPay, pay_by_kind
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import scope_of, worth
from pitbook.sheets.spans import spans

__all__ = ["PayDifference", "differences", "exchanged"]


@dataclass(frozen=True)
class PayDifference:
    """Hands that one line pays in each sheet, and not alike; kinds by number."""

    name: str
    kinds: tuple[int, ...]
    a: KindPay
    b: KindPay


def differences(a: Sheet, b: Sheet, wager: str) -> tuple[PayDifference, ...]:
    """The hands of a wager that two sheets of one family pay differently, the highest first."""
    names, pays = _kind_names(a, wager), pay_by_kind(a, wager)
    other = dict(zip(_kind_names(b, wager), pay_by_kind(b, wager), strict=True))
    # Hands that only one of them deals are a matter of the deal, not of the pay table.
    both = [(pay, other.get(name, pay)) for name, pay in zip(names, pays, strict=True)]
    parts: dict[tuple[KindPay, KindPay], list[int]] = {}
    for kind, pair in enumerate(both):
        parts.setdefault(pair, []).append(kind)
    found = [one for pair, kinds in parts.items() for one in _named(names, both, pair, kinds)]
    return tuple(sorted(found, key=lambda one: -max(one.kinds)))


def exchanged(a: Sheet, wager: str, some: Iterable[PayDifference]) -> tuple[KindPay, ...]:
    """The first sheet's pays by kind, with the second's for the hands of some differences."""
    pays = list(pay_by_kind(a, wager))
    for one in some:
        for kind in one.kinds:
            pays[kind] = _under_the_first_name(one)
    return tuple(pays)


def _under_the_first_name(one: PayDifference) -> KindPay:
    """Caps of the first sheet know their own lines."""
    if NOTHING in (one.a, one.b):
        return one.b
    return one.b._replace(outcome=one.a.outcome)


def _kind_names(sheet: Sheet, wager: str) -> list[str]:
    scope = scope_of(sheet, wager)
    assert scope is not None  # Only sheets without errors are compared.
    return [kind.name for kind in scope.kinds]


def _named(
    names: list[str],
    both: list[tuple[KindPay, KindPay]],
    pair: tuple[KindPay, KindPay],
    kinds: list[int],
) -> Iterator[PayDifference]:
    """As a range of kinds; hands of several shapes by the line that pays just them, if one does."""
    if _worth(pair[0]) == _worth(pair[1]):
        return
    runs = list(spans({names[kind] for kind in kinds}, names[::-1]))
    for place, pay in enumerate(pair if len(runs) > 1 else ()):
        if pay != NOTHING and kinds == [n for n, paid in enumerate(both) if paid[place] == pay]:
            yield PayDifference(pay.outcome, tuple(kinds), *pair)
            return
    for name, run in runs:
        yield PayDifference(name, tuple(names.index(one) for one in run), *pair)


def _worth(pay: KindPay) -> object:
    return worth("push" if pay.result == "push" else pay.odds)
