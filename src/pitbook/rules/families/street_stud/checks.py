"""Checks of a street-stud sheet."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.rules.actions import is_play
from pitbook.rules.families.street_stud.sheet import HAND_SIZE, Street, StreetStud
from pitbook.sheets.check_structure import (
    dealt_once,
    duplicate_names,
    fold_rule_errors,
    name_error,
    structure_error,
)
from pitbook.sheets.family_registry import Checks, Idle
from pitbook.sheets.findings import FieldPath, Finding
from pitbook.text import Sentence, say
from pitbook.text.user_input import did_you_mean, show_value


def structure(sheet: StreetStud) -> Iterator[Finding]:
    """Cards, streets and folds must fit each other."""
    if sheet.deck.decks != 1:
        message = say("findings.street-stud.one-deck")
        yield structure_error(message, ("deck", "decks"), sheet.deck.clause)
    if sheet.deck.fresh.value != "each-round":
        message = say("findings.street-stud.fresh-deck")
        yield structure_error(message, ("deck", "fresh"), sheet.deck.fresh.clause)
    cards = sheet.deal.hole.value + sheet.community
    if cards != HAND_SIZE:
        hand = {"hole": sheet.deal.hole.value, "community": sheet.community, "cards": cards}
        message = say("findings.street-stud.hand-size", size=HAND_SIZE, **hand)
        yield structure_error(message, ("deal", "hole"), sheet.deal.hole.clause)
    yield from dealt_once(sheet, ("community", "players"))
    yield from _check_streets(sheet)
    yield from _check_folds(sheet)


def _check_streets(sheet: StreetStud) -> Iterator[Finding]:
    used_ids = {"main", "ante"}
    for number, street in enumerate(sheet.streets):
        path: FieldPath = ("streets", number)
        if street.id in used_ids:
            yield structure_error(
                say("findings.named-twice", name=street.id), (*path, "id"), street.clause
            )
        used_ids.add(street.id)
        if list(street.bets) != sorted(set(street.bets)):
            message = say("findings.street-stud.bets-rise")
            yield structure_error(message, (*path, "bets"), street.clause)
        if not street.fold and 0 not in street.bets:
            message = say("findings.street-stud.forced")
            yield structure_error(message, (*path, "bets"), street.clause)
        if street.pieces and len(street.pieces) != max(street.bets):
            counts = {"pieces": len(street.pieces), "antes": max(street.bets)}
            message = say("findings.street-stud.pieces", **counts)
            yield structure_error(message, (*path, "pieces"), street.clause)
        smallest_bet = min((bet for bet in street.bets if bet), default=0)
        if street.bet_max is not None and street.bet_max < smallest_bet * sheet.ante.max:
            message = say("findings.street-stud.bet-max", times=smallest_bet, most=street.bet_max)
            yield structure_error(message, (*path, "bet_max"), street.clause)
        if street.pulls_back:
            yield from _pull_back_errors(street, path)
        if street.fold and 0 in street.bets:
            message = say("findings.street-stud.fold-useless")
            yield Finding("notice", "fold-useless", message, (*path, "bets"), street.clause)


def _pull_back_errors(street: Street, path: FieldPath) -> Iterator[Finding]:
    """A bet placed before the deal is pulled back or rides, whole."""
    if tuple(street.bets) != (0, 1):
        message = say("findings.street-stud.placed-bets")
        yield structure_error(message, (*path, "bets"), street.clause)
    if street.fold:
        message = say("findings.street-stud.placed-fold")
        yield structure_error(message, (*path, "fold"), street.clause)
    for name, value in (("pieces", street.pieces), ("bet_max", street.bet_max)):
        if value:
            message = say("findings.street-stud.placed-one")
            yield structure_error(message, (*path, name), street.clause)


def _check_folds(sheet: StreetStud) -> Iterator[Finding]:
    can_fold = any(street.fold for street in sheet.streets)
    if can_fold and sheet.fold is None:
        yield structure_error(say("findings.street-stud.fold-missing"), (), None)
    if not can_fold:
        yield from fold_rule_errors(sheet)
        yield from _fold_without_fold(sheet)
        return
    for wager, side in sheet.side.items():
        if side.after_fold is None:
            message = say("findings.street-stud.after-fold", wager=wager)
            yield structure_error(message, ("side", wager), side.clause)
    tucks = sheet.fold.tucks_under if sheet.fold else None
    for number, wager in enumerate(tucks.value if tucks else ()):
        if wager not in sheet.side:
            remedy = did_you_mean(wager, sheet.side)
            message = say("findings.street-stud.no-side-wager", wager=wager, remedy=remedy)
            place: FieldPath = ("fold", "tucks_under", "is", number)
            yield structure_error(message, place, tucks.clause if tucks else None)


def _fold_without_fold(sheet: StreetStud) -> Iterator[Finding]:
    if sheet.fold is not None:
        yield structure_error(say("findings.street-stud.no-fold"), ("fold",), sheet.fold.clause)
    if sheet.absent.value == "fold":
        example = 'absent = { is = "smallest-bet", ... }'
        message = say("findings.street-stud.absent-folds", example=example)
        yield structure_error(message, ("absent",), sheet.absent.clause)


def names(sheet: StreetStud) -> Iterator[Finding]:
    """Pieces of a bet with the same name."""
    for number, street in enumerate(sheet.streets):
        path: FieldPath = ("streets", number, "pieces")
        for name, place in duplicate_names(
            (piece, (*path, index)) for index, piece in enumerate(street.pieces)
        ):
            message = say("findings.street-stud.two-pieces", name=show_value(name))
            yield name_error(message, place, street.clause)


def fits(sheet: StreetStud) -> Iterator[Finding]:
    """Streets without effect, a fold tie rule without folds, and wrong tucks."""
    yield from _empty_streets(sheet)
    yield from _tuck_errors(sheet)


def _empty_streets(sheet: StreetStud) -> Iterator[Finding]:
    for number, street in enumerate(sheet.streets):
        if not street.fold and street.bets == (0,) and not street.reveals.value:
            message = say("findings.street-stud.empty")
            yield structure_error(message, ("streets", number), street.clause)
    ties = sheet.best_play.ties
    if ties.value == "fold" and not any(street.fold for street in sheet.streets):
        message = say("findings.nobody-folds")
        yield structure_error(message, ("best_play", "ties"), ties.clause)


def _tuck_errors(sheet: StreetStud) -> Iterator[Finding]:
    tucks = sheet.fold.tucks_under if sheet.fold else None
    if tucks is None:
        return
    path: FieldPath = ("fold", "tucks_under", "is")
    for number, wager in enumerate(tucks.value):
        after = sheet.side[wager].after_fold if wager in sheet.side else None
        if wager in tucks.value[:number]:
            yield structure_error(
                say("findings.named-twice", name=wager), (*path, number), tucks.clause
            )
        elif after is not None and not after.plays:
            message = say("findings.street-stud.taken-with-fold", wager=wager)
            yield Finding("notice", "idle", message, (*path, number), tucks.clause)


def idle(sheet: StreetStud) -> Iterator[Idle]:
    """Choices that have no effect on this sheet."""
    board = sheet.fold.board_when_all_fold if sheet.fold else None
    if board is not None and board.value == "always" and _board_is_needed(sheet):
        why = say("findings.street-stud.always-looks")
        yield "fold.board_when_all_fold", why, board.clause
    for number, street in enumerate(sheet.streets):
        if street.bet_max is not None and street.bet_max > max(street.bets) * sheet.ante.max:
            why = say("findings.idle.so-large")
            yield f"streets.{number}.bet_max", why, street.clause


def _board_is_needed(sheet: StreetStud) -> bool:
    return any(
        side.stake.required
        and side.after_fold
        and side.after_fold.plays
        and side.looks_at != "hole"
        for side in sheet.side.values()
    )


def why_never(sheet: StreetStud, wager: str, line: str) -> Sentence | None:
    """Always None: one deck deals every kind that a pay table can name."""
    return None


CHECKS = Checks(structure, names, fits, idle, why_never, is_play)
