"""Two pay tables compared hand by hand, since lines of other names may cover the same hands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from pitbook.money import Odds
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import lines_paid, pays_of, scope_of
from pitbook.sheets.spans import span_name, stem_of
from pitbook.sheets.values import Push

PayOrNone = Odds | Push | None
PayChange = tuple[str, PayOrNone, PayOrNone]
WITHIN = {
    "royal-flush": "straight-flush",
    "mini-royal": "straight-flush",
    "four-aces": "four-of-a-kind",
}


def pay_changes(a: Sheet, b: Sheet, wager: str) -> list[PayChange]:
    """The hands that two sheets pay differently for a wager, the highest first; pairs as ranges."""
    by_a, by_b = _by_hand(a, wager), _by_hand(b, wager)
    if list(by_a) != list(by_b):  # Hands of other sizes: only the lines can be compared.
        by_a, by_b = dict(pays_of(a, wager)), dict(pays_of(b, wager))
    every = [(name, by_a.get(name), by_b.get(name)) for name in dict.fromkeys((*by_a, *by_b))]
    changed = [one for one in _ranges(every) if str(one[1]) != str(one[2])]
    told = {name: (str(old), str(new)) for name, old, new in changed}
    named = {*pays_of(a, wager), *pays_of(b, wager)}
    return [one for one in changed if not _an_echo(one[0], told, named)]


def _an_echo(name: str, told: dict[str, tuple[str, str]], named: set[str]) -> bool:
    """A hand that neither table names, within another that changes alike: a mini royal within
    straight flushes, a suited pair in one suit within suited pairs.
    """
    if name in WITHIN:
        return name not in named and told.get(WITHIN[name]) == told[name]
    return name.endswith("-flush") and told.get(name.removesuffix("-flush")) == told[name]


def _by_hand(sheet: Sheet, wager: str) -> dict[str, PayOrNone]:
    """What each kind of hand is paid, the highest first."""
    scope, pays = scope_of(sheet, wager), pays_of(sheet, wager)
    assert scope is not None  # Only sheets without errors are compared.
    lines = lines_paid(pays, scope, sheet.payouts.several_lines.value)
    kinds = [kind.name for kind in scope.kinds]
    paid_by = zip(reversed(kinds), reversed(lines), strict=True)
    return {kind: pays[line] if line else None for kind, line in paid_by}


def _ranges(every: list[PayChange]) -> Iterator[PayChange]:
    """Pairs and high cards that are paid alike, one after the other, as one range."""
    names = [name for name, _, _ in every]
    for _, group in groupby(every, key=lambda one: (stem_of(one[0]), str(one[1]), str(one[2]))):
        same = list(group)
        yield span_name([name for name, _, _ in same], names), same[0][1], same[0][2]
