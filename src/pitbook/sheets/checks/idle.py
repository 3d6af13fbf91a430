"""A choice that a house made otherwise than usual, and that has nothing to decide on this sheet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from pitbook.hands.points import PLACES
from pitbook.sheets.checks.stakes import largest_bets
from pitbook.sheets.families import Sheet
from pitbook.sheets.findings import Finding
from pitbook.sheets.hi_lo import RANK_NAMES, HiLo
from pitbook.sheets.pays import lines_paid, pays_of, scope_of
from pitbook.sheets.street_stud import StreetStud


def check(sheet: Sheet) -> Iterator[Finding]:
    """The findings about choices that change nothing here, or that make no sense in this game."""
    if isinstance(sheet, HiLo) and sheet.best_play.ties.value == "fold":
        rule = sheet.best_play.ties
        message = 'nobody folds in this game; say "smallest-bet" or "largest-bet"'
        yield Finding("error", "structure", message, ("best_play", "ties"), rule.clause)
    for path, why, clause in (*_seats(sheet), *_money(sheet), *_mishaps(sheet), *_bounds(sheet)):
        message = f"this choice decides nothing here: {why}"
        steps = tuple(int(one) if one.isdigit() else one for one in path.split("."))
        yield Finding("notice", "idle", message, steps, clause)


Idle = Iterator[tuple[str, str, str]]


def _seats(sheet: Sheet) -> Idle:
    seats, alone = sheet.seats, sheet.seats.per_player.value == 1
    near, ends = seats.adjacent, seats.ends_meet
    if alone and near is not None and near.value:
        yield "seats.adjacent", "a player has one position", near.clause
    if ends is not None and ends.value and (alone or near is None or not near.value):
        yield "seats.ends_meet", "positions need not be next to each other", ends.clause
    if isinstance(sheet, HiLo) and not _orders_differ(sheet):
        equal = sheet.dealer.equal_points
        why = "ranks of equal points rise just as from two to ace"
        yield "dealer.equal_points", why, equal.clause
    sees = sheet.declare.sees_all_spots if isinstance(sheet, HiLo) else None
    if alone and sees is not None and not sees.value:
        yield "declare.sees_all_spots", "a player has one position", sees.clause


def _orders_differ(sheet: HiLo) -> bool:
    """Whether the order of equal points is the usual one, or really another."""
    named, usual = PLACES[sheet.dealer.equal_points.value], PLACES["two-to-ace"]
    points = [sheet.points.values[rank] for rank in RANK_NAMES]
    alike = [(a, b) for a, b in combinations(range(len(points)), 2) if points[a] == points[b]]
    return named == usual or any((named[a] < named[b]) != (usual[a] < usual[b]) for a, b in alike)


def _money(sheet: Sheet) -> Idle:
    ties, several = sheet.payouts.share_ties, sheet.payouts.several_lines
    if ties.value == "higher-seat" and not any(one.per == "round" for one in sheet.limits):
        why = "no limit is shared over a round; within a hand the wagers' order decides"
        yield "payouts.share_ties", why, ties.clause
    if several.value == "first-listed" and not any(
        _listed_otherwise(sheet, wager) for wager in ("main", *sheet.side)
    ):
        why = "every pay table lists its higher lines first"
        yield "payouts.several_lines", why, several.clause


def _listed_otherwise(sheet: Sheet, wager: str) -> bool:
    scope, pays = scope_of(sheet, wager), pays_of(sheet, wager)
    assert scope is not None  # structure.check has seen to it
    return lines_paid(pays, scope, "first-listed") != lines_paid(pays, scope, "highest")


def _mishaps(sheet: Sheet) -> Idle:
    rules, deck = sheet.irregularities, sheet.deck
    over, told = rules.misdeal_over_offence, rules.information
    if not over.value and (told is None or told.result != "forfeit"):
        why = "no offence forfeits a wager"
        yield "irregularities.misdeal_over_offence", why, over.clause
    if deck.shuffle == "hand" and deck.fallback.value != "hand":
        yield "deck.fallback", "the cards are shuffled by hand", deck.fallback.clause
    board = sheet.fold.board_when_all_fold if isinstance(sheet, StreetStud) and sheet.fold else None
    if board is not None and board.value == "always" and _board_is_needed(sheet):
        yield "fold.board_when_all_fold", "a required wager always looks at it", board.clause


def _bounds(sheet: Sheet) -> Idle:
    """Bounds that nothing can reach."""
    flat = sheet.single_bet_max
    if flat and all(amount < flat.value for _, _, amount in largest_bets(sheet)):
        yield "single_bet_max", "no bet can be so large", flat.clause
    if sheet.deck.fallback_times > 1 and sheet.deck.fallback.value == "no-game":
        yield "deck.fallback_times", "there is no game to shuffle for", sheet.deck.fallback.clause
    if isinstance(sheet, StreetStud):
        for number, street in enumerate(sheet.streets):
            if street.bet_max is not None and street.bet_max > max(street.bets) * sheet.ante.max:
                yield f"streets.{number}.bet_max", "no bet can be so large", street.clause
    else:
        yield from _points(sheet)


def _points(sheet: HiLo) -> Idle:
    points, absent = sheet.points, sheet.declare.absent_high_at
    for name, value in points.in_high_hand.items():
        if points.values.get(name) == value:
            why = f"{name} counts {value} in a low hand too"
            yield f"points.in_high_hand.{name}", why, points.clause
    high = {**points.values, **points.in_high_hand}
    shoe = sorted(value for value in high.values() for _ in range(4 * sheet.deck.decks))
    least, most = sum(shoe[: sheet.deal.player]), sum(shoe[-sheet.deal.player :])
    if not least < absent.value <= most:
        why = f"every hand has {least} to {most} points"
        yield "declare.absent_high_at", why, absent.clause


def _board_is_needed(sheet: Sheet) -> bool:
    return any(
        side.stake.required
        and side.after_fold
        and side.after_fold.plays
        and side.looks_at != "hole"
        for side in sheet.side.values()
    )
