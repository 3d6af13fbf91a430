"""Two sheets side by side: what every hand that they pay differently is worth in edge."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from pitbook.exact.differences import PayDifference, differences, exchanged
from pitbook.exact.methods.chosen import chosen
from pitbook.exact.methods.method import Rates
from pitbook.exact.sides import kind_ways, side_figures
from pitbook.money import Cents, money
from pitbook.rules.pricing import KindPay, pay_by_kind, price_line
from pitbook.sheets.aloud.shoe import figured_shoe
from pitbook.sheets.aloud.words import outcome
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import PayTable


@dataclass(frozen=True)
class LineWorth:
    """Hands that are paid differently, and what the second sheet's pay would change in the first.

    `line` is the line that pays just these hands, or their own name: a pair of sixes.
    """

    line: str
    a: str | None
    b: str | None
    edge: Fraction  # The change of the first sheet's house edge when only these hands change.
    probability: Fraction  # How often they are shown down in the first sheet, by best play.


@dataclass(frozen=True)
class WagerCompared:
    """One wager of two sheets; None where a sheet does not have it.

    The lines, what they do to each other and the other rules add up to the whole difference.
    """

    wager: str
    a: Fraction | None
    b: Fraction | None
    lines: tuple[LineWorth, ...]
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
            "a": _edge(self.a),
            "b": _edge(self.b),
            "difference": _edge(self.together),
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
            "interplay": _edge(None if self.together is None else self.interplay),
            "other_rules": _edge(self.other_rules),
            "rest": _edge(self.rest),
        }


def compare(a: Sheet, b: Sheet, ante: Cents | None = None) -> list[WagerCompared]:
    """The main game, then every side wager of either sheet."""
    wagers = dict.fromkeys(("main", *a.side, *b.side))
    return [_compared(a, b, wager, ante) for wager in wagers]


def assumptions(a: Sheet, b: Sheet, ante: Cents | None) -> dict[str, Any]:
    """What a comparison rests on, as JSON carries it."""
    stake = None if ante is None else money(ante)
    shoes = {sheet.id: shoe for sheet in (a, b) if (shoe := figured_shoe(sheet))}
    found: dict[str, Any] = {"ante": stake, "limits": ante is not None, "play": "best"}
    return found | ({"shoe": shoes} if shoes else {})


def edge_of(sheet: Sheet, wager: str, ante: Cents | None = None) -> Fraction:
    """The house edge of one wager; the main game's with the caps where an ante is given."""
    if wager != "main":
        return side_figures(sheet, wager).house_edge
    game, method = chosen(sheet)
    return -method.kept(game, ante, None)


def with_line(sheet: Sheet, wager: str, pays: PayTable) -> Sheet:
    """The sheet with another pay table for one wager; its prose, if any, is set aside."""
    if wager == "main":
        main = sheet.main.model_copy(update={"pays": dict(pays), "prose": None})
        return sheet.model_copy(update={"main": main})
    side = sheet.side[wager].model_copy(update={"pays": dict(pays)})
    return sheet.model_copy(update={"side": {**sheet.side, wager: side}})


def _compared(a: Sheet, b: Sheet, wager: str, ante: Cents | None) -> WagerCompared:
    has_a, has_b = (wager == "main" or wager in one.side for one in (a, b))
    edge_a = edge_of(a, wager, ante) if has_a else None
    edge_b = edge_of(b, wager, ante) if has_b else None
    nothing = Fraction(0)
    if edge_a is None or edge_b is None or a.family != b.family:
        return WagerCompared(wager, edge_a, edge_b, (), nothing)
    differing = differences(a, b, wager)
    if not differing:
        return WagerCompared(wager, edge_a, edge_b, (), nothing)
    changed = _change(a, wager, ante)
    if changed is None:
        return WagerCompared(wager, edge_a, edge_b, (), nothing)
    often = _rates(a, wager, ante)
    lines = tuple(
        LineWorth(one.name, _said(one.a), _said(one.b), changed([one]) - edge_a, _often(one, often))
        for one in differing
    )
    together = lines[0].edge if len(lines) == 1 else changed(differing) - edge_a
    return WagerCompared(wager, edge_a, edge_b, lines, together)


Changed = Callable[[Iterable[PayDifference]], Fraction]


def _change(a: Sheet, wager: str, ante: Cents | None) -> Changed | None:
    """The first sheet's house edge with the second's pay for some hands, best play anew.

    Nothing is kept: nobody will ask for this pay table again. None where pays go by no kind.
    """
    if wager != "main":
        return lambda some: _side_edge(a, wager, exchanged(a, wager, some))
    game, method = chosen(a)
    if game.with_pays(pay_by_kind(a, "main")) is None:
        return None

    def solved_anew(some: Iterable[PayDifference]) -> Fraction:
        tried = game.with_pays(exchanged(a, "main", some))
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
        game, method = chosen(a)
        return method.rates(game, ante)
    ways = kind_ways(a, wager)
    return {kind: Fraction(count, sum(ways)) for kind, count in enumerate(ways)}


def _often(one: PayDifference, rates: Rates) -> Fraction:
    if one.name in rates:
        return rates[one.name]
    return sum((rates.get(kind, Fraction(0)) for kind in one.kinds), Fraction(0))


def _said(pay: KindPay) -> str | None:
    return None if pay.result == "lose" else str(pay.odds or "push")


def _edge(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
