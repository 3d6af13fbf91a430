"""What a careful reader objects to in a street-stud sheet."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.english import counted
from pitbook.families.street_stud.sheet import HAND_SIZE, StreetStud
from pitbook.game.plays import is_play
from pitbook.money import spoken
from pitbook.sheets.checks.names import error as misnamed
from pitbook.sheets.checks.names import repeated
from pitbook.sheets.checks.structure import dealt_once, error, no_fold
from pitbook.sheets.families import Checks, Idle
from pitbook.sheets.findings import Finding, Path, did_you_mean, shown

__all__ = ["CHECKS"]


def structure(sheet: StreetStud) -> Iterator[Finding]:
    """Cards, streets and folds fit each other."""
    if sheet.deck.decks != 1:
        message = "street-stud is dealt from one deck: with more, flushes are counted wrong"
        yield error(message, ("deck", "decks"), sheet.deck.clause)
    if sheet.deck.fresh.value != "each-round":
        message = "street-stud is dealt from a fresh deck each round"
        yield error(message, ("deck", "fresh"), sheet.deck.fresh.clause)
    cards = sheet.deal.hole.value + sheet.community
    if cards != HAND_SIZE:
        message = (
            f"{sheet.deal.hole.value} hole cards and {sheet.community} community cards "
            f"make {cards}; a hand has {HAND_SIZE}"
        )
        yield error(message, ("deal", "hole"), sheet.deal.hole.clause)
    yield from dealt_once(sheet, ("community", "players"))
    yield from _streets(sheet)
    yield from _folds(sheet)


def _streets(sheet: StreetStud) -> Iterator[Finding]:
    taken = {"main", "ante"}
    for number, street in enumerate(sheet.streets):
        path: Path = ("streets", number)
        if street.id in taken:
            yield error(f'"{street.id}" is named twice', (*path, "id"), street.clause)
        taken.add(street.id)
        if list(street.bets) != sorted(set(street.bets)):
            message = "multiples must rise, each named once"
            yield error(message, (*path, "bets"), street.clause)
        if not street.fold and 0 not in street.bets:
            message = "without a fold the player must be allowed 0x, or a bet is forced"
            yield error(message, (*path, "bets"), street.clause)
        if street.pieces and len(street.pieces) != max(street.bets):
            pieces, antes = counted(len(street.pieces), "piece"), counted(max(street.bets), "ante")
            message = f"{pieces} cannot name {antes}, one each"
            yield error(message, (*path, "pieces"), street.clause)
        least = min((bet for bet in street.bets if bet), default=0)
        if street.bet_max is not None and street.bet_max < least * sheet.ante.max:
            message = f"with the largest ante a bet of {least}x is above {spoken(street.bet_max)}"
            yield error(message, (*path, "bet_max"), street.clause)
        if street.fold and 0 in street.bets:
            message = "0x costs nothing, so nobody will ever fold here"
            yield Finding("notice", "fold-useless", message, (*path, "bets"), street.clause)


def _folds(sheet: StreetStud) -> Iterator[Finding]:
    can_fold = any(street.fold for street in sheet.streets)
    if can_fold and sheet.fold is None:
        yield error("a street allows a fold, but the sheet has no [fold]", (), None)
    if not can_fold:
        yield from no_fold(sheet)
        yield from _still_folds(sheet)
        return
    for wager, side in sheet.side.items():
        if side.after_fold is None:
            message = f'say in "after_fold" what "{wager}" does when its player folds'
            yield error(message, ("side", wager), side.clause)
    tucks = sheet.fold.tucks_under if sheet.fold else None
    for number, wager in enumerate(tucks.value if tucks else ()):
        if wager not in sheet.side:
            message = f'"{wager}" is no side wager; {did_you_mean(wager, sheet.side)}'
            place: Path = ("fold", "tucks_under", "is", number)
            yield error(message, place, tucks.clause if tucks else None)


def _still_folds(sheet: StreetStud) -> Iterator[Finding]:
    if sheet.fold is not None:
        yield error("this game has no fold; leave [fold] out", ("fold",), sheet.fold.clause)
    if sheet.absent.value == "fold":
        message = 'this game has no fold; say absent = { is = "smallest-bet", ... }'
        yield error(message, ("absent",), sheet.absent.clause)


def names(sheet: StreetStud) -> Iterator[Finding]:
    """The pieces of a bet are told apart."""
    for number, street in enumerate(sheet.streets):
        path: Path = ("streets", number, "pieces")
        for name, place in repeated((one, (*path, n)) for n, one in enumerate(street.pieces)):
            message = f"two pieces are called {shown(name)}; name each ante of the bet apart"
            yield misnamed(message, place, street.clause)


def fits(sheet: StreetStud) -> Iterator[Finding]:
    """Streets that decide nothing, ties for a fold that nobody has, cards tucked under nothing."""
    yield from _empty_streets(sheet)
    yield from _tucked(sheet)


def _empty_streets(sheet: StreetStud) -> Iterator[Finding]:
    for number, street in enumerate(sheet.streets):
        if not street.fold and street.bets == (0,) and not street.reveals.value:
            message = "nothing is decided and no card is turned here; leave the street out"
            yield error(message, ("streets", number), street.clause)
    ties = sheet.best_play.ties
    if ties.value == "fold" and not any(street.fold for street in sheet.streets):
        message = 'nobody folds in this game; say "smallest-bet" or "largest-bet"'
        yield error(message, ("best_play", "ties"), ties.clause)


def _tucked(sheet: StreetStud) -> Iterator[Finding]:
    tucks = sheet.fold.tucks_under if sheet.fold else None
    if tucks is None:
        return
    path: Path = ("fold", "tucks_under", "is")
    for number, wager in enumerate(tucks.value):
        after = sheet.side[wager].after_fold if wager in sheet.side else None
        if wager in tucks.value[:number]:
            yield error(f'"{wager}" is named twice', (*path, number), tucks.clause)
        elif after is not None and not after.plays:
            message = f'"{wager}" is taken with the fold, so no cards are tucked under it'
            yield Finding("notice", "idle", message, (*path, number), tucks.clause)


def idle(sheet: StreetStud) -> Iterator[Idle]:
    """Choices that decide nothing on this sheet."""
    board = sheet.fold.board_when_all_fold if sheet.fold else None
    if board is not None and board.value == "always" and _board_is_needed(sheet):
        yield "fold.board_when_all_fold", "a required wager always looks at it", board.clause
    for number, street in enumerate(sheet.streets):
        if street.bet_max is not None and street.bet_max > max(street.bets) * sheet.ante.max:
            yield f"streets.{number}.bet_max", "no bet can be so large", street.clause


def _board_is_needed(sheet: StreetStud) -> bool:
    return any(
        side.stake.required
        and side.after_fold
        and side.after_fold.plays
        and side.looks_at != "hole"
        for side in sheet.side.values()
    )


def why_never(sheet: StreetStud, wager: str, line: str) -> str | None:
    """One deck deals every kind that a pay table can name."""
    return None


CHECKS = Checks(structure, names, fits, idle, why_never, is_play)
