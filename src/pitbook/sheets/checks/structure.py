"""The parts of a sheet fit each other: names exist, cards suffice, orders are whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pitbook.english import counted
from pitbook.money import spoken
from pitbook.sheets.families import Sheet
from pitbook.sheets.findings import Finding, Path, did_you_mean
from pitbook.sheets.hi_lo import RANK_NAMES, HiLo
from pitbook.sheets.pays import pays_of, scope_of
from pitbook.sheets.street_stud import HAND_SIZE, StreetStud


def check(sheet: Sheet) -> Iterator[Finding]:
    """The findings about how a sheet's parts fit together."""
    yield from _common(sheet)
    yield from _street_stud(sheet) if isinstance(sheet, StreetStud) else _hi_lo(sheet)


def _error(message: str, path: Path, clause: str | None) -> Finding:
    return Finding("error", "structure", message, path, clause)


def _common(sheet: Sheet) -> Iterator[Finding]:
    yield from _passes(sheet)
    yield from _limits(sheet)
    seats = sheet.seats
    if seats.per_player.value > seats.count:
        message = f"a player cannot have {seats.per_player.value} of {seats.count} positions"
        yield _error(message, ("seats", "per_player"), seats.per_player.clause)
    for wager, side in sheet.side.items():
        if wager == "main" or sheet.wager_order.count(wager) > 1:
            yield _error(f'"{wager}" is named twice', ("side", wager), side.clause)
        elif scope_of(sheet, wager) is None:
            message = f'no pay table can look at "{side.looks_at}" in this game'
            yield _error(message, ("side", wager, "looks_at"), side.clause)
    yield from _deck(sheet)


def _deck(sheet: Sheet) -> Iterator[Finding]:
    deck = sheet.deck
    cut = deck.fresh.value == "cut-card"
    if cut != (deck.cut_card is not None):
        message = 'fresh = "cut-card" and a number in "cut_card" go together'
        yield _error(message, ("deck",), deck.fresh.clause)
    elif deck.cut_card is not None and deck.decks * 52 - deck.cut_card < cards_needed(sheet):
        message = f"{deck.cut_card} cards behind the cut card leave too few for one round"
        yield _error(message, ("deck", "cut_card"), deck.fresh.clause)
    if cards_needed(sheet) > deck.decks * 52:
        message = f"a full table needs {cards_needed(sheet)} cards, the shoe has {deck.decks * 52}"
        yield _error(message, ("seats", "count"), sheet.seats.clause)


def cards_needed(sheet: Sheet) -> int:
    """The cards that a round with every seat taken uses up."""
    if isinstance(sheet, StreetStud):
        return sheet.seats.count * sheet.deal.hole.value + sheet.community
    return sheet.seats.count * sheet.deal.player + sheet.deal.dealer


def _passes(sheet: Sheet) -> Iterator[Finding]:
    rule = sheet.settlement
    path = ("settlement", "passes")
    known = ("main", *sheet.side)
    named = Counter(wager for one in rule.passes for wager in one)
    for number, one in enumerate(rule.passes):
        for place, wager in enumerate(one):
            if wager not in known:
                message = f'"{wager}" is no wager of this sheet; {did_you_mean(wager, known)}'
                yield _error(message, (*path, number, place), rule.clause)
    for wager in known:
        if named[wager] != 1:
            times = f"settled {named[wager]} times" if named[wager] else "never settled"
            yield _error(f'"{wager}" is {times}; it must be once', path, rule.clause)


def _limits(sheet: Sheet) -> Iterator[Finding]:
    if sheet.uncapped and sheet.limits:
        message = "the sheet says that it is uncapped and names limits"
        yield _error(message, ("uncapped",), sheet.uncapped.clause)
    for number, limit in enumerate(sheet.limits):
        path: Path = ("limits", number, "counts")
        if limit.counts is None:
            continue
        if (limit.counts.odds_at_least is None) == (limit.counts.lines is None):
            yield _error('give "odds_at_least" or "lines", one of the two', path, limit.clause)
        for wager, lines in (limit.counts.lines or {}).items():
            yield from _limit_lines(sheet, wager, lines, (*path, "lines", wager), limit.clause)


def _limit_lines(
    sheet: Sheet, wager: str, lines: tuple[str, ...], path: Path, clause: str
) -> Iterator[Finding]:
    if wager not in ("main", *sheet.side):
        remedy = did_you_mean(wager, ("main", *sheet.side))
        yield _error(f'"{wager}" is no wager of this sheet; {remedy}', path, clause)
        return
    pays = pays_of(sheet, wager)
    for number, line in enumerate(lines):
        if line not in pays:
            message = f'"{line}" is no line of that pay table; {did_you_mean(line, pays)}'
            yield _error(message, (*path, number), clause)


def _street_stud(sheet: StreetStud) -> Iterator[Finding]:
    if sheet.deck.decks != 1:
        message = "street-stud is dealt from one deck: with more, flushes are counted wrong"
        yield _error(message, ("deck", "decks"), sheet.deck.clause)
    if sheet.deck.fresh.value != "each-round":
        message = "street-stud is dealt from a fresh deck each round"
        yield _error(message, ("deck", "fresh"), sheet.deck.fresh.clause)
    cards = sheet.deal.hole.value + sheet.community
    if cards != HAND_SIZE:
        message = (
            f"{sheet.deal.hole.value} hole cards and {sheet.community} community cards "
            f"make {cards}; a hand has {HAND_SIZE}"
        )
        yield _error(message, ("deal", "hole"), sheet.deal.hole.clause)
    yield from _dealt_once(sheet, ("community", "players"), sheet.deal.hole.value)
    yield from _streets(sheet)
    yield from _folds(sheet)


def _dealt_once(sheet: Sheet, expected: tuple[str, ...], cards: int) -> Iterator[Finding]:
    if sorted(sheet.deal.order) != sorted(expected):
        message = f"the deal names {' and '.join(expected)}, each once"
        yield _error(message, ("deal", "order"), sheet.deal.clause)
    if (sheet.deal.at_a_time or 0) > cards:
        message = (
            f"{sheet.deal.at_a_time} at a time is more than a player's {counted(cards, 'card')}"
        )
        yield _error(message, ("deal", "at_a_time"), sheet.deal.clause)


def _streets(sheet: StreetStud) -> Iterator[Finding]:
    taken = {"main", "ante"}
    for number, street in enumerate(sheet.streets):
        path: Path = ("streets", number)
        if street.id in taken:
            yield _error(f'"{street.id}" is named twice', (*path, "id"), street.clause)
        taken.add(street.id)
        if list(street.bets) != sorted(set(street.bets)):
            message = "multiples must rise, each named once"
            yield _error(message, (*path, "bets"), street.clause)
        if not street.fold and 0 not in street.bets:
            message = "without a fold the player must be allowed 0x, or a bet is forced"
            yield _error(message, (*path, "bets"), street.clause)
        if street.pieces and len(street.pieces) != max(street.bets):
            pieces, antes = counted(len(street.pieces), "piece"), counted(max(street.bets), "ante")
            message = f"{pieces} cannot name {antes}, one each"
            yield _error(message, (*path, "pieces"), street.clause)
        least = min((bet for bet in street.bets if bet), default=0)
        if street.bet_max is not None and street.bet_max < least * sheet.ante.max:
            message = f"with the largest ante a bet of {least}x is above {spoken(street.bet_max)}"
            yield _error(message, (*path, "bet_max"), street.clause)
        if street.fold and 0 in street.bets:
            message = "0x costs nothing, so nobody will ever fold here"
            yield Finding("notice", "fold-useless", message, (*path, "bets"), street.clause)


def _folds(sheet: StreetStud) -> Iterator[Finding]:
    can_fold = any(street.fold for street in sheet.streets)
    if can_fold and sheet.fold is None:
        yield _error("a street allows a fold, but the sheet has no [fold]", (), None)
    if not can_fold:
        yield from _no_fold(sheet)
        return
    for wager, side in sheet.side.items():
        if side.after_fold is None:
            message = f'say in "after_fold" what "{wager}" does when its player folds'
            yield _error(message, ("side", wager), side.clause)
    tucks = sheet.fold.tucks_under if sheet.fold else None
    for number, wager in enumerate(tucks.value if tucks else ()):
        if wager not in sheet.side:
            message = f'"{wager}" is no side wager; {did_you_mean(wager, sheet.side)}'
            place: Path = ("fold", "tucks_under", "is", number)
            yield _error(message, place, tucks.clause if tucks else None)


def _no_fold(sheet: Sheet) -> Iterator[Finding]:
    """What a sheet must not say where nobody can fold."""
    for wager, side in sheet.side.items():
        if side.after_fold is not None:
            message = 'this game has no fold; leave "after_fold" out'
            yield _error(message, ("side", wager, "after_fold"), side.after_fold.clause)
    if not isinstance(sheet, StreetStud):
        return
    if sheet.fold is not None:
        yield _error("this game has no fold; leave [fold] out", ("fold",), sheet.fold.clause)
    if sheet.absent.value == "fold":
        message = 'this game has no fold; say absent = { is = "smallest-bet", ... }'
        yield _error(message, ("absent",), sheet.absent.clause)


def _hi_lo(sheet: HiLo) -> Iterator[Finding]:
    missing = [rank for rank in RANK_NAMES if rank not in sheet.points.values]
    if missing:
        message = f"no points for {', '.join(missing)}"
        yield _error(message, ("points", "values"), sheet.points.clause)
    yield from _dealt_once(sheet, ("players", "dealer"), sheet.deal.player)
    if sheet.dealer.low >= sheet.deal.dealer:
        message = f"a low hand of {sheet.dealer.low} leaves no card for the high hand"
        yield _error(message, ("dealer", "low"), sheet.dealer.clause)
    for name in ("low", "high"):
        if name not in sheet.main.pays:
            message = f'pays must name both "low" and "high"; missing: {name}'
            yield _error(message, ("main", "pays"), sheet.main.clause)
    if (sheet.dealer.areas.shared is None) != (sheet.dealer.shared == "none"):
        message = "a shared card and its area on the layout go together"
        yield _error(message, ("dealer", "areas"), sheet.dealer.clause)
    yield from _no_fold(sheet)
