"""What a street-stud sheet says of its deal, streets and folds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pitbook.families.street_stud.sheet import Fold, Street, StreetStud
from pitbook.money import spoken
from pitbook.sheets.aloud.saying import Saying, said
from pitbook.sheets.aloud.words import counted, listed, number, way


def sayings(sheet: StreetStud) -> Iterator[Saying]:
    """All that the family says beside what every sheet does."""
    yield from deal(sheet)
    yield from streets(sheet)
    yield from folds(sheet)


def main_table(sheet: StreetStud) -> tuple[str, str]:
    """What the main pay table is called, and what it is on."""
    return f"{sheet.ante.title} and street bets", "on the player's five-card hand"


def deal(sheet: StreetStud) -> Iterator[Saying]:
    """Which cards are dealt to whom and when."""
    at, rule = "Cards", sheet.deal
    when = "before" if rule.order[0] == "community" else "after"
    board = counted(sheet.community, "community card", "community cards")
    subject, says = "the community cards", f"are dealt {when} the players' cards"
    first, then = (board, "players") if when == "before" else ("players", board)
    short = f"{first}, then {then}, {way(rule.direction)}"
    yield said(at, "Deal", subject, says, "deal.order", rule, short=short, also="direction")
    yield said(at, None, "the deal", f"goes {way(rule.direction)}", "deal.direction")
    own = counted(rule.hole.value, "hole card", "hole cards")
    own += f", {number(rule.at_a_time)} at a time" if rule.at_a_time else ""
    fields = "deal.hole deal.at_a_time"
    short = f"{own} to each player"
    yield said(at, "", "each player", f"gets {own}", fields, rule.hole, short=short)


def streets(sheet: StreetStud) -> Iterator[Saying]:
    """Each street as a line of a rack card, then each column of all streets for a comparison."""
    says, short = "play against the pay table", "the pay table"
    yield said("Play", "Against", "hands", says, "play.against", sheet.play, short=short)
    for street in sheet.streets:
        rules, key = (street, street.reveals), f"street {street.id}"
        text = _street(street)
        yield said("Play", street.title, street.title, text, "", *rules, short=text, key=key)
    names = listed(street.title for street in sheet.streets)
    yield said("Play", None, "the street bets", f"are called {names}", "streets.title")
    ids = listed(street.id for street in sheet.streets)
    yield said("Play", None, "the street bets", f"have the ids {ids}", "streets.id")
    for field, subject, told in _COLUMNS:
        each = [told(street) for street in sheet.streets]
        parts = (f"{one} ({at.title})" for one, at in zip(each, sheet.streets, strict=True))
        what = each[0] if len(set(each)) == 1 else ", ".join(parts)
        yield said("Play", None, subject, what, f"streets.{field}")


def _street(street: Street) -> str:
    text = times(street.bets)
    text += f" ({listed(street.pieces)})" if street.pieces else ""
    text += f", at most {spoken(street.bet_max)}" if street.bet_max else ""
    text += ", or fold" if street.fold else ""
    turned = counted(street.reveals.value, "card", "cards")
    return text + (f"; turns {turned}" if street.reveals.value else "")


def _pieces(street: Street) -> str:
    return f"is made of {listed(street.pieces)}" if street.pieces else "is one bet"


def _most(street: Street) -> str:
    if street.bet_max:
        return f"is at most {spoken(street.bet_max)}"
    return "has no maximum but its multiples"


_COLUMNS: tuple[tuple[str, str, Callable[[Street], str]], ...] = (
    ("bets", "a street bet", lambda street: f"is {times(street.bets)}"),
    ("pieces", "a street bet", _pieces),
    ("bet_max", "a street bet", _most),
    ("fold", "a fold", lambda one: "is allowed" if one.fold else "is not allowed"),
    ("reveals", "a street", lambda one: f"turns {counted(one.reveals.value, 'card', 'cards')}"),
)


def folds(sheet: StreetStud) -> Iterator[Saying]:
    """What a fold costs, what goes on without it, and what an absent player does."""
    if sheet.fold:
        says = "loses every main wager made so far"
        yield said("Fold", "A fold", "a fold", says, "fold.clause", sheet.fold, short=says)
    for wager, side in sheet.side.items():
        if after := side.after_fold:
            says = "stays in action after a fold" if after.plays else "is lost with a fold"
            name, fields = f"the {side.title}", f"side.{wager}.after_fold"
            yield said("Fold", side.title, name, says, fields, after, short=says)
    if sheet.fold:
        yield from _folded(sheet, sheet.fold)
    absent, fields = sheet.absent, "absent"
    says = "folds" if absent.value == "fold" else "makes the smallest bet"
    short = f"{says}, as does a player who cannot cover a bet"
    subject = "a player who is absent or cannot cover a bet"
    yield said("Fold", "Absent", subject, says, fields, absent, short=short)


def _folded(sheet: StreetStud, rule: Fold) -> Iterator[Saying]:
    at, under, board = "Fold", rule.tucks_under, rule.board_when_all_fold
    if under and under.value:
        first, *rest = (f"the {sheet.side[wager].title}" for wager in under.value)
        says = f"are tucked under {first}" + "".join(f", or else under {one}" for one in rest)
        fields = "fold.tucks_under"
        yield said(at, "Folded cards", "folded cards", says, fields, under, short=says)
    says = "are shown to all" if rule.shown.value else "are never shown"
    label = "" if under else "Folded cards"
    yield said(at, label, "folded cards", says, "fold.shown", rule.shown, short=says)
    needed = board.value == "if-needed"
    says = "is turned only for a live side wager" if needed else "is turned all the same"
    subject, fields = "when all fold, the board", "fold.board_when_all_fold"
    yield said(at, "All fold", subject, says, fields, board, short=f"the board {says}")


def times(multiples: Sequence[int]) -> str:
    """Multiples of the ante that may be bet.

    >>> times((1, 2, 3)), times((0, 1)), times((1, 2, 3, 4, 5))
    ('1x, 2x or 3x the ante', 'nothing or 1x the ante', '1x to 5x the ante')
    """
    run = tuple(range(multiples[0], multiples[-1] + 1))
    if tuple(multiples) == run and multiples[0] > 0 and len(run) > 3:
        return f"{run[0]}x to {run[-1]}x the ante"
    if tuple(multiples) == (0,):
        return "nothing"
    return listed([f"{one}x" if one else "nothing" for one in multiples], "or") + " the ante"
