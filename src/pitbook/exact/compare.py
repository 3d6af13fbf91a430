"""Two sheets compared: how much every line that they pay differently changes the edge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.method import Rates
from pitbook.exact.side_wagers import kind_ways, side_figures
from pitbook.money import Cents, money
from pitbook.rules.pricing import NOTHING, KindPay, pay_by_kind, price_line
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import PayTable, pay_value, scope_of, spans
from pitbook.sheets.prose.words import figures_shoe_note, outcome


@dataclass(frozen=True)
class PayDifference:
    """Hands that one line pays in each sheet, and not alike; kinds by number."""

    name: str
    kinds: tuple[int, ...]
    a: KindPay
    b: KindPay


def pay_differences(a: Sheet, b: Sheet, wager: str) -> tuple[PayDifference, ...]:
    """The hands of a wager that two sheets of one family pay differently, the highest first."""
    names, pays = _kind_names(a, wager), pay_by_kind(a, wager)
    other = dict(zip(_kind_names(b, wager), pay_by_kind(b, wager), strict=True))
    # Hands that only one of them deals are a matter of the deal, not of the pay table.
    both = [(pay, other.get(name, pay)) for name, pay in zip(names, pays, strict=True)]
    parts: dict[tuple[KindPay, KindPay], list[int]] = {}
    for kind, pair in enumerate(both):
        parts.setdefault(pair, []).append(kind)
    found = [
        one for pair, kinds in parts.items() for one in _name_differences(names, both, pair, kinds)
    ]
    return tuple(sorted(found, key=lambda one: -max(one.kinds)))


def exchange_pays(a: Sheet, wager: str, some: Iterable[PayDifference]) -> tuple[KindPay, ...]:
    """The first sheet's pays by kind, with the second's for the hands of some differences."""
    pays = list(pay_by_kind(a, wager))
    for one in some:
        for kind in one.kinds:
            pays[kind] = _pay_under_first_name(one)
    return tuple(pays)


def _pay_under_first_name(one: PayDifference) -> KindPay:
    """Caps of the first sheet know their own lines."""
    if NOTHING in (one.a, one.b):
        return one.b
    return one.b._replace(outcome=one.a.outcome)


def _kind_names(sheet: Sheet, wager: str) -> list[str]:
    scope = scope_of(sheet, wager)
    assert scope is not None  # Only sheets without errors are compared.
    return [kind.name for kind in scope.kinds]


def _name_differences(
    names: list[str],
    both: list[tuple[KindPay, KindPay]],
    pair: tuple[KindPay, KindPay],
    kinds: list[int],
) -> Iterator[PayDifference]:
    """As a range of kinds; hands of several shapes by the line that pays just them, if one does."""
    if _pay_value(pair[0]) == _pay_value(pair[1]):
        return
    runs = list(spans({names[kind] for kind in kinds}, names[::-1]))
    for place, pay in enumerate(pair if len(runs) > 1 else ()):
        if pay != NOTHING and kinds == [n for n, paid in enumerate(both) if paid[place] == pay]:
            yield PayDifference(pay.outcome, tuple(kinds), *pair)
            return
    for name, run in runs:
        yield PayDifference(name, tuple(names.index(one) for one in run), *pair)


def _pay_value(pay: KindPay) -> object:
    return pay_value("push" if pay.result == "push" else pay.odds)


@dataclass(frozen=True)
class LineEffect:
    """Hands that are paid differently, and what the second sheet's pay would change in the first.

    `line` is the line that pays just these hands, or their own name: a pair of sixes.
    """

    line: str
    a: str | None
    b: str | None
    edge: Fraction  # The change of the first sheet's house edge when only these hands change.
    probability: Fraction  # How often they are shown down in the first sheet, by best play.


@dataclass(frozen=True)
class WagerComparison:
    """One wager of two sheets; None where a sheet does not have it.

    The lines, what they do to each other and the other rules add up to the whole difference.
    """

    wager: str
    a: Fraction | None
    b: Fraction | None
    lines: tuple[LineEffect, ...]
    all_lines: Fraction  # The change of the first sheet's edge when all these hands change.

    @property
    def together(self) -> Fraction | None:
        """The second sheet's edge less the first's."""
        return None if self.a is None or self.b is None else self.b - self.a

    @property
    def rest(self) -> Fraction | None:
        """What is left of the difference when each line alone is taken off."""
        return None if self.together is None else self.together - sum(o.edge for o in self.lines)

    @property
    def interplay(self) -> Fraction:
        """What the lines do to each other: best play shifts with all of them together."""
        return self.all_lines - sum(one.edge for one in self.lines)

    @property
    def other_rules(self) -> Fraction | None:
        """What rules other than the pay table add to the difference."""
        return None if self.together is None else self.together - self.all_lines

    def document(self) -> dict[str, Any]:
        """The comparison as JSON carries it."""
        return {
            "wager": self.wager,
            "a": _as_float(self.a),
            "b": _as_float(self.b),
            "difference": _as_float(self.together),
            "lines": [
                {
                    "line": one.line,
                    "title": outcome(one.line),
                    "a": one.a,
                    "b": one.b,
                    "edge": float(one.edge),
                    "probability": str(one.probability),
                }
                for one in self.lines
            ],
            "interplay": _as_float(None if self.together is None else self.interplay),
            "other_rules": _as_float(self.other_rules),
            "rest": _as_float(self.rest),
        }


def compare(a: Sheet, b: Sheet, ante: Cents | None = None) -> list[WagerComparison]:
    """The main game, then every side wager of either sheet."""
    wagers = dict.fromkeys(("main", *a.side, *b.side))
    return [_compare_wager(a, b, wager, ante) for wager in wagers]


def assumptions(a: Sheet, b: Sheet, ante: Cents | None) -> dict[str, Any]:
    """What a comparison rests on, as JSON carries it."""
    stake = None if ante is None else money(ante)
    shoes = {sheet.id: shoe for sheet in (a, b) if (shoe := figures_shoe_note(sheet))}
    found: dict[str, Any] = {"ante": stake, "limits": ante is not None, "play": "best"}
    return found | ({"shoe": shoes} if shoes else {})


def edge_of(sheet: Sheet, wager: str, ante: Cents | None = None) -> Fraction:
    """The house edge of one wager; the main game's with the caps where an ante is given."""
    if wager != "main":
        return side_figures(sheet, wager).house_edge
    game, method = choose_method(sheet)
    return -method.cached_expected(game, ante, None)


def with_pays(sheet: Sheet, wager: str, pays: PayTable) -> Sheet:
    """The sheet with another pay table for one wager; its prose, if any, is set aside."""
    if wager == "main":
        main = sheet.main.model_copy(update={"pays": dict(pays), "prose": None})
        return sheet.model_copy(update={"main": main})
    side = sheet.side[wager].model_copy(update={"pays": dict(pays)})
    return sheet.model_copy(update={"side": {**sheet.side, wager: side}})


def _compare_wager(a: Sheet, b: Sheet, wager: str, ante: Cents | None) -> WagerComparison:
    has_a, has_b = (wager == "main" or wager in one.side for one in (a, b))
    edge_a = edge_of(a, wager, ante) if has_a else None
    edge_b = edge_of(b, wager, ante) if has_b else None
    nothing = Fraction(0)
    if edge_a is None or edge_b is None or a.family != b.family:
        return WagerComparison(wager, edge_a, edge_b, (), nothing)
    differing = pay_differences(a, b, wager)
    if not differing:
        return WagerComparison(wager, edge_a, edge_b, (), nothing)
    changed = _edge_after_changes(a, wager, ante)
    if changed is None:
        return WagerComparison(wager, edge_a, edge_b, (), nothing)
    often = _rates(a, wager, ante)
    lines = tuple(
        LineEffect(
            one.name,
            _pay_text(one.a),
            _pay_text(one.b),
            changed([one]) - edge_a,
            _probability(one, often),
        )
        for one in differing
    )
    together = lines[0].edge if len(lines) == 1 else changed(differing) - edge_a
    return WagerComparison(wager, edge_a, edge_b, lines, together)


EdgeAfter = Callable[[Iterable[PayDifference]], Fraction]


def _edge_after_changes(a: Sheet, wager: str, ante: Cents | None) -> EdgeAfter | None:
    """The first sheet's house edge with the second's pay for some hands, best play anew.

    Nothing is kept: nobody will ask for this pay table again. None where pays go by no kind.
    """
    if wager != "main":
        return lambda some: _side_edge(a, wager, exchange_pays(a, wager, some))
    game, method = choose_method(a)
    if game.with_pays(pay_by_kind(a, "main")) is None:
        return None

    def solved_anew(some: Iterable[PayDifference]) -> Fraction:
        tried = game.with_pays(exchange_pays(a, "main", some))
        assert tried is not None
        return -method.expected(tried, ante)

    return solved_anew


def _side_edge(sheet: Sheet, wager: str, pays: tuple[KindPay, ...]) -> Fraction:
    """The house edge of a side wager with other pays by kind."""
    ways, counted = kind_ways(sheet, wager), sheet.payouts.stake_counted.value
    unit = Cents(100 * lcm(*(pay.odds.one for pay in pays if pay.odds), 1))
    lines = (price_line(wager, unit, pay, "", stake_counted=counted) for pay in pays)
    won = sum(line.net * count for line, count in zip(lines, ways, strict=False))
    return -Fraction(won, unit * sum(ways))


def _rates(a: Sheet, wager: str, ante: Cents | None) -> Rates:
    """How often each kind decides a wager of the first sheet."""
    if wager == "main":
        game, method = choose_method(a)
        return method.rates(game, ante)
    ways = kind_ways(a, wager)
    return {kind: Fraction(count, sum(ways)) for kind, count in enumerate(ways)}


def _probability(one: PayDifference, rates: Rates) -> Fraction:
    if one.name in rates:
        return rates[one.name]
    return sum((rates.get(kind, Fraction(0)) for kind in one.kinds), Fraction(0))


def _pay_text(pay: KindPay) -> str | None:
    return None if pay.result == "lose" else str(pay.odds or "push")


def _as_float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
