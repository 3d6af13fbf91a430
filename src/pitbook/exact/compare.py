"""Compare two sheets: how much each difference in pay changes the edge; `pitbook.compare`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from pitbook.answer_tables import Answer
from pitbook.errors import PitbookError
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.method import Rates
from pitbook.exact.side_wagers import kind_ways, side_figures
from pitbook.exact.spots import Spot, SpotError, check_stakes
from pitbook.money import Cents, Odds, money
from pitbook.rules.settlement_lines import NOTHING, KindPay, pay_by_kind, price_line
from pitbook.sheets.arguments import SomeSheet, ante_of, one_of, sheet_of
from pitbook.sheets.assumptions import describe_pays_of_both
from pitbook.sheets.field_types import Push
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import PayTable, pay_value, scope_of, spans
from pitbook.sheets.phrases import figures_shoe_note, outcome
from pitbook.text import say, sentence_of


@dataclass(frozen=True)
class PayDifference:
    """Hands that one line pays in each sheet, and that the sheets pay differently."""

    name: str
    kinds: tuple[int, ...]
    a: KindPay
    b: KindPay


def pay_differences(a: Sheet, b: Sheet, wager: str) -> tuple[PayDifference, ...]:
    """The hands of a wager that two sheets of one family pay differently, highest first."""
    names, pays = _kind_names(a, wager), pay_by_kind(a, wager)
    pays_b = dict(zip(_kind_names(b, wager), pay_by_kind(b, wager), strict=True))
    # Hands that only one sheet can deal differ because of the deal, not the pay table.
    pay_pairs = [(pay, pays_b.get(name, pay)) for name, pay in zip(names, pays, strict=True)]
    parts: dict[tuple[KindPay, KindPay], list[int]] = {}
    for kind, pair in enumerate(pay_pairs):
        parts.setdefault(pair, []).append(kind)
    differences = [
        difference
        for pair, kinds in parts.items()
        for difference in _name_differences(names, pay_pairs, pair, kinds)
    ]
    return tuple(sorted(differences, key=lambda difference: -max(difference.kinds)))


def exchange_pays(
    a: Sheet, wager: str, differences: Iterable[PayDifference]
) -> tuple[KindPay, ...]:
    """The first sheet's pays by kind, with the second's for the hands in `differences`."""
    pays = list(pay_by_kind(a, wager))
    for difference in differences:
        for kind in difference.kinds:
            pays[kind] = _pay_under_first_name(difference)
    return tuple(pays)


def _pay_under_first_name(difference: PayDifference) -> KindPay:
    """The second sheet's pay under the first sheet's outcome name, which its caps refer to."""
    if NOTHING in (difference.a, difference.b):
        return difference.b
    return difference.b._replace(outcome=difference.a.outcome)


def _kind_names(sheet: Sheet, wager: str) -> list[str]:
    scope = scope_of(sheet, wager)
    assert scope is not None  # Only sheets without errors are compared.
    return [kind.name for kind in scope.kinds]


def _name_differences(
    names: list[str],
    pay_pairs: list[tuple[KindPay, KindPay]],
    pair: tuple[KindPay, KindPay],
    kinds: list[int],
) -> Iterator[PayDifference]:
    """Name hands by ranges of kinds, or by the line that pays exactly these hands."""
    if _pay_value(pair[0]) == _pay_value(pair[1]):
        return
    runs = list(spans({names[kind] for kind in kinds}, names[::-1]))
    for index, pay in enumerate(pair if len(runs) > 1 else ()):
        if pay != NOTHING and kinds == [
            n for n, paid in enumerate(pay_pairs) if paid[index] == pay
        ]:
            yield PayDifference(pay.outcome, tuple(kinds), *pair)
            return
    for name, run in runs:
        yield PayDifference(name, tuple(names.index(name) for name in run), *pair)


def _pay_value(pay: KindPay) -> object:
    return pay_value("push" if pay.result == "push" else pay.odds)


@dataclass(frozen=True)
class LineEffect:
    """Hands paid differently, and how the second sheet's pay changes the first sheet's edge.

    `line` is the line that pays just these hands, or their own name (a pair of sixes).
    """

    line: str
    a: Odds | Push | None  # None: the line loses, or is not listed.
    b: Odds | Push | None
    edge: Fraction  # The change of the first sheet's house edge when only these hands change.
    probability: Fraction  # How often they occur at showdown in the first sheet, under best play.


@dataclass(frozen=True)
class WagerComparison:
    """One wager of two sheets; an edge is None if the sheet does not have the wager.

    The lines, their interaction and the other rules add up to the whole difference.
    """

    wager: str
    a: Fraction | None
    b: Fraction | None
    lines: tuple[LineEffect, ...]
    all_lines: Fraction  # The change of the first sheet's edge when all these hands change.

    @property
    def difference(self) -> Fraction | None:
        """The second sheet's edge minus the first's."""
        return None if self.a is None or self.b is None else self.b - self.a

    @property
    def remainder(self) -> Fraction | None:
        """What remains of the difference after subtracting each line's own effect."""
        return (
            None
            if self.difference is None
            else self.difference - sum(line.edge for line in self.lines)
        )

    @property
    def interaction(self) -> Fraction:
        """The interaction of the lines: best play changes when all of them change."""
        return self.all_lines - sum(line.edge for line in self.lines)

    @property
    def other_rules(self) -> Fraction | None:
        """The part of the difference that comes from rules other than the pay table."""
        return None if self.difference is None else self.difference - self.all_lines

    def document(self) -> dict[str, Any]:
        """The comparison as JSON."""
        return {
            "wager": self.wager,
            "a": _as_float(self.a),
            "b": _as_float(self.b),
            "difference": _as_float(self.difference),
            "lines": [
                {
                    "line": line.line,
                    "title": outcome(line.line),
                    "a": _pay_text(line.a),
                    "b": _pay_text(line.b),
                    "edge": float(line.edge),
                    "probability": str(line.probability),
                }
                for line in self.lines
            ],
            "interplay": _as_float(None if self.difference is None else self.interaction),
            "other_rules": _as_float(self.other_rules),
            "rest": _as_float(self.remainder),
        }


def compare_wagers(a: Sheet, b: Sheet, ante: Cents | None = None) -> list[WagerComparison]:
    """The main game, then every side wager of either sheet."""
    wagers = dict.fromkeys(("main", *a.side, *b.side))
    return [_compare_wager(a, b, wager, ante) for wager in wagers]


def assumptions(a: Sheet, b: Sheet, ante: Cents | None) -> dict[str, Any]:
    """The assumptions of a comparison, as JSON."""
    stake = None if ante is None else money(ante)
    shoes = {sheet.id: shoe for sheet in (a, b) if (shoe := figures_shoe_note(sheet))}
    document: dict[str, Any] = {"ante": stake, "limits": ante is not None, "play": "best"}
    return document | ({"shoe": shoes} if shoes else {})


def edge_of(sheet: Sheet, wager: str, ante: Cents | None = None) -> Fraction:
    """The house edge of one wager. With an ante, the main game's edge includes the caps."""
    if wager != "main":
        return side_figures(sheet, wager).house_edge
    game, method = choose_method(sheet)
    return -method.cached_expected(game, ante, None)


def with_pays(sheet: Sheet, wager: str, pays: PayTable) -> Sheet:
    """The sheet with another pay table for one wager, and without prose for it."""
    if wager == "main":
        main = sheet.main.model_copy(update={"pays": dict(pays), "prose": None})
        return sheet.model_copy(update={"main": main})
    side = sheet.side[wager].model_copy(update={"pays": dict(pays)})
    return sheet.model_copy(update={"side": {**sheet.side, wager: side}})


def _compare_wager(a: Sheet, b: Sheet, wager: str, ante: Cents | None) -> WagerComparison:
    has_a, has_b = (wager == "main" or wager in sheet.side for sheet in (a, b))
    edge_a = edge_of(a, wager, ante) if has_a else None
    edge_b = edge_of(b, wager, ante) if has_b else None
    nothing = Fraction(0)
    if edge_a is None or edge_b is None or a.family != b.family:
        return WagerComparison(wager, edge_a, edge_b, (), nothing)
    differences = pay_differences(a, b, wager)
    if not differences:
        return WagerComparison(wager, edge_a, edge_b, (), nothing)
    edge_after = _edge_after_changes(a, wager, ante)
    if edge_after is None:
        return WagerComparison(wager, edge_a, edge_b, (), nothing)
    rates = _rates(a, wager, ante)
    lines = tuple(
        LineEffect(
            difference.name,
            _listed_pay(difference.a),
            _listed_pay(difference.b),
            edge_after([difference]) - edge_a,
            _probability(difference, rates),
        )
        for difference in differences
    )
    all_lines_edge = lines[0].edge if len(lines) == 1 else edge_after(differences) - edge_a
    return WagerComparison(wager, edge_a, edge_b, lines, all_lines_edge)


EdgeAfter = Callable[[Iterable[PayDifference]], Fraction]


def _edge_after_changes(a: Sheet, wager: str, ante: Cents | None) -> EdgeAfter | None:
    """A function that gives the first sheet's edge with the second's pay for some hands.

    Best play is solved again each time, and not cached. None if the game does not pay by kind.
    """
    if wager != "main":
        return lambda differences: _side_edge(a, wager, exchange_pays(a, wager, differences))
    game, method = choose_method(a)
    if game.with_pays(pay_by_kind(a, "main")) is None:
        return None

    def edge_with_pays(differences: Iterable[PayDifference]) -> Fraction:
        changed_game = game.with_pays(exchange_pays(a, "main", differences))
        assert changed_game is not None
        return -method.expected(changed_game, ante)

    return edge_with_pays


def _side_edge(sheet: Sheet, wager: str, pays: tuple[KindPay, ...]) -> Fraction:
    """The house edge of a side wager with other pays by kind."""
    ways, counted = kind_ways(sheet, wager), sheet.payouts.stake_counted.value
    unit = Cents(100 * lcm(*(pay.odds.one for pay in pays if pay.odds), 1))
    lines = (price_line(wager, unit, pay, "", stake_counted=counted) for pay in pays)
    net = sum(line.net * count for line, count in zip(lines, ways, strict=False))
    return -Fraction(net, unit * sum(ways))


def _rates(a: Sheet, wager: str, ante: Cents | None) -> Rates:
    """How often each kind decides a wager of the first sheet."""
    if wager == "main":
        game, method = choose_method(a)
        return method.rates(game, ante)
    ways = kind_ways(a, wager)
    return {kind: Fraction(count, sum(ways)) for kind, count in enumerate(ways)}


def _probability(difference: PayDifference, rates: Rates) -> Fraction:
    if difference.name in rates:
        return rates[difference.name]
    return sum((rates.get(kind, Fraction(0)) for kind in difference.kinds), Fraction(0))


def _listed_pay(pay: KindPay) -> Odds | Push | None:
    return None if pay.result == "lose" else pay.odds or "push"


def _pay_text(pay: Odds | Push | None) -> str | None:
    return None if pay is None else str(pay)


def _as_float(fraction: Fraction | None) -> float | None:
    return None if fraction is None else float(fraction)


@dataclass(frozen=True, repr=False)
class Comparison(Answer):
    """Every wager of two sheets with both edges, and the effect of each difference."""

    a: str
    b: str
    hashes: tuple[str, str]
    ante: Cents | None  # In cents; None without payout limits.
    wagers: tuple[WagerComparison, ...]
    _a: Sheet
    _b: Sheet

    def __getitem__(self, wager: str) -> WagerComparison:
        by_wager = {comparison.wager: comparison for comparison in self.wagers}
        return by_wager[one_of(by_wager, wager, "wager")]

    def document(self) -> dict[str, Any]:
        """The result of `pitbook compare --json`."""
        return {
            "a": self.a,
            "b": self.b,
            "assumptions": assumptions(self._a, self._b, self.ante),
            "wagers": [
                {
                    **comparison.document(),
                    "ours": describe_pays_of_both(self._a, self._b, comparison.wager),
                }
                for comparison in self.wagers
            ],
        }

    def _rows(self) -> Iterator[dict[str, Any]]:
        """The whole difference of every wager, then the effect of each line."""
        for comparison in self.wagers:
            yield {
                "wager": comparison.wager,
                "line": None,
                "pays_a": None,
                "pays_b": None,
                "probability": None,
                "edge_a": comparison.a,
                "edge_b": comparison.b,
                "difference": comparison.difference,
            }
            for line in comparison.lines:
                yield {
                    "wager": comparison.wager,
                    "line": line.line,
                    "pays_a": _pay_text(line.a),
                    "pays_b": _pay_text(line.b),
                    "probability": line.probability,
                    "edge_a": None,
                    "edge_b": None,
                    "difference": line.edge,
                }

    def _lines(self) -> tuple[str, ...]:
        changes = (
            f"{comparison.wager} {float(comparison.difference) * 100:+.4f} points"
            for comparison in self.wagers
            if comparison.difference is not None
        )
        a, b = (full_hash[:8] for full_hash in self.hashes)
        return (f"{self.b} {b} against {self.a} {a}: {', '.join(changes)}",)


def compare(a: SomeSheet, b: SomeSheet, *, ante: str | None = None) -> Comparison:
    """The effect of each difference between two sheets on the house edge.

    Every line that they pay differently is put into the first sheet alone, with best play solved
    again. `all_lines` changes all of them together.

    >>> compared = compare("catfish-bend/mississippi-stud", "oceanfront/mississippi-stud")
    >>> f"{float(compared['main'].difference):.4%}"
    '4.3267%'
    """
    return compare_sheets(sheet_of(a), sheet_of(b), ante_of(ante))


def compare_sheets(a: Sheet, b: Sheet, ante: Cents | None = None) -> Comparison:
    """The comparison at an ante in cents; raises PitbookError if a sheet does not accept it."""
    for sheet in (a, b):
        try:
            check_stakes(sheet, Spot((), ante=ante))
        except SpotError as error:
            raise PitbookError(say("api.of", name=sheet.id, why=sentence_of(error))) from None
    return Comparison(
        a=a.id,
        b=b.id,
        hashes=(digest(a), digest(b)),
        ante=ante,
        wagers=tuple(compare_wagers(a, b, ante)),
        _a=a,
        _b=b,
    )
