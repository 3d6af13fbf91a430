"""Checks of a hi-lo sheet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from pitbook.hands.low_and_high import PLACES
from pitbook.rules.actions import is_play
from pitbook.rules.families.hi_lo.sheet import RANK_NAMES, HiLo
from pitbook.sheets.check_structure import (
    dealt_once,
    duplicate_names,
    fold_rule_errors,
    name_error,
    structure_error,
)
from pitbook.sheets.family_registry import Checks, Idle
from pitbook.sheets.findings import Finding
from pitbook.sheets.pay_tables import Scope, scope_of
from pitbook.text import Sentence, say
from pitbook.text.user_input import show_value


def structure(sheet: HiLo) -> Iterator[Finding]:
    """Points, hands and areas must fit each other."""
    missing = [rank for rank in RANK_NAMES if rank not in sheet.points.values]
    if missing:
        message = say("findings.hi-lo.no-points", ranks=tuple(missing))
        yield structure_error(message, ("points", "values"), sheet.points.clause)
    yield from dealt_once(sheet, ("players", "dealer"))
    if sheet.dealer.low >= sheet.deal.dealer:
        message = say("findings.hi-lo.low-hand", cards=sheet.dealer.low)
        yield structure_error(message, ("dealer", "low"), sheet.dealer.clause)
    for name in ("low", "high"):
        if name not in sheet.main.pays:
            message = say("findings.hi-lo.name-both", missing=name)
            yield structure_error(message, ("main", "pays"), sheet.main.clause)
    if (sheet.dealer.areas.shared is None) != (sheet.dealer.shared == "none"):
        message = say("findings.hi-lo.shared-area")
        yield structure_error(message, ("dealer", "areas"), sheet.dealer.clause)
    yield from fold_rule_errors(sheet)


def names(sheet: HiLo) -> Iterator[Finding]:
    """Layout areas with the same name."""
    declare, areas = sheet.declare, sheet.dealer.areas
    for name, path in duplicate_names(
        [(declare.low, ("declare", "low")), (declare.high, ("declare", "high"))]
    ):
        message = say("findings.hi-lo.one-area", name=show_value(name))
        yield name_error(message, path, declare.clause)
    areas_by_name = [("low", areas.low), ("shared", areas.shared), ("high", areas.high)]
    named = [(name, ("dealer", "areas", key)) for key, name in areas_by_name if name is not None]
    for name, path in duplicate_names(named):
        message = say("findings.hi-lo.two-areas", name=show_value(name))
        yield name_error(message, path, sheet.dealer.clause)


def fits(sheet: HiLo) -> Iterator[Finding]:
    """A double that the bet limits never allow."""
    double = sheet.double
    if double is None or not double.within_max.value:
        return
    lowest_total = sheet.bet.min * (1 + double.times)
    if lowest_total > sheet.bet.max:
        message = say("findings.hi-lo.no-double", least=lowest_total, most=sheet.bet.max)
        yield structure_error(message, ("double", "within_max"), double.within_max.clause)


def idle(sheet: HiLo) -> Iterator[Idle]:
    """Choices that have no effect on this sheet."""
    if not _orders_differ(sheet):
        equal = sheet.dealer.equal_points
        why = say("findings.hi-lo.usual-order")
        yield "dealer.equal_points", why, equal.clause
    sees, is_one_spot = sheet.declare.sees_all_spots, sheet.seats.per_player.value == 1
    if is_one_spot and sees is not None and not sees.value:
        yield "declare.sees_all_spots", say("findings.idle.one-position"), sees.clause
    yield from _check_points(sheet)


def _orders_differ(sheet: HiLo) -> bool:
    """Whether the sheet's order of equal points differs from the usual one, or is the usual one by
    name.
    """
    named, usual = PLACES[sheet.dealer.equal_points.value], PLACES["two-to-ace"]
    points = [sheet.points.values[rank] for rank in RANK_NAMES]
    ties = [(a, b) for a, b in combinations(range(len(points)), 2) if points[a] == points[b]]
    return named == usual or any((named[a] < named[b]) != (usual[a] < usual[b]) for a, b in ties)


def _check_points(sheet: HiLo) -> Iterator[Idle]:
    points, absent = sheet.points, sheet.declare.absent_high_at
    for name, value in points.in_high_hand.items():
        if points.values.get(name) == value:
            why = say("findings.hi-lo.counts-too", rank=name, points=value)
            yield f"points.in_high_hand.{name}", why, points.clause
    high = {**points.values, **points.in_high_hand}
    shoe = sorted(value for value in high.values() for _ in range(4 * sheet.deck.decks))
    least, most = sum(shoe[: sheet.deal.player]), sum(shoe[-sheet.deal.player :])
    if not least < absent.value <= most:
        why = say("findings.hi-lo.every-hand", least=least, most=most)
        yield "declare.absent_high_at", why, absent.clause


def why_never(sheet: HiLo, wager: str, line: str) -> Sentence | None:
    """Why no cards of this shoe make a pay table line; None if some do."""
    if wager == "main":
        return _never_ahead(sheet, line)
    scope = scope_of(sheet, wager)
    if scope is None or not scope.covers(line):
        return None
    if sheet.side[wager].looks_at == "dealer-match":
        return _too_many_matches(sheet, line)
    return _too_few_copies(sheet.deck.decks, line, scope)


def _too_many_matches(sheet: HiLo, line: str) -> Sentence | None:
    """Compare with the copies left in the shoe when every card of the hand has a different rank."""
    hand_size, decks = sheet.deal.player, sheet.deck.decks
    remaining = 4 * decks * min(hand_size, len(RANK_NAMES)) - hand_size
    if int(line.removeprefix("match-")) <= remaining:
        return None
    return say("findings.hi-lo.too-many-matches", held=hand_size, left=remaining, decks=decks)


def _too_few_copies(decks: int, line: str, scope: Scope) -> Sentence | None:
    names = {scope.kinds[number].name for number in scope.covers(line)}
    if decks >= 3 or names != {"suited-three-of-a-kind"}:
        return None
    return say("findings.hi-lo.three-decks", decks=decks)


def _never_ahead(sheet: HiLo, line: str) -> Sentence | None:
    """Why even the best cards against the worst never win."""
    if line not in ("low", "high"):
        return None
    if sheet.main.pays[line] == "push":
        return say("findings.hi-lo.pushes-ahead")
    player_best, dealer_worst = _extremes(sheet, line)
    wins_ties = sheet.main.ties.value == "player"
    never_ahead = player_best <= dealer_worst if line == "low" else player_best >= dealer_worst
    if never_ahead and (wins_ties or player_best != dealer_worst):
        return None
    totals = {"line": line, "own": player_best, "dealers": dealer_worst}
    if wins_ties or player_best != dealer_worst:
        return say("findings.hi-lo.never-ahead", **totals)
    return say("findings.hi-lo.never-ahead-tied", ties=sheet.main.ties.value, **totals)


def _extremes(sheet: HiLo, line: str) -> tuple[int, int]:
    """The player's best total, and the dealer's worst, of all the cards in the shoe."""
    points = dict(sheet.points.values)
    if line == "high":
        points |= sheet.points.in_high_hand
    shoe = sorted(points[name] for name in RANK_NAMES for _ in range(4 * sheet.deck.decks))
    deal, low = sheet.deal, sheet.dealer.low
    if line == "low":
        return sum(shoe[: deal.player]), sum(shoe[-deal.dealer :][:low])
    cards = deal.dealer - low + (sheet.dealer.shared != "none")
    return sum(shoe[-deal.player :]), sum(shoe[:cards])


CHECKS = Checks(structure, names, fits, idle, why_never, is_play)
