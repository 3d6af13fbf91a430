"""The deal, streets and folds of a street-stud sheet, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pitbook.rules.families.street_stud.sheet import Fold, Street, StreetStud
from pitbook.sheets.prose.rule_text import RuleText, compose_rule_text, rule_text
from pitbook.sheets.prose.words import direction_words
from pitbook.sheets.provenance import share
from pitbook.text import Sentence, say


def rule_texts(sheet: StreetStud) -> Iterator[RuleText]:
    """All that the family says beside what every sheet does."""
    yield from deal(sheet)
    yield from streets(sheet)
    kind = "ride" if any(one.pulls_back for one in sheet.streets) else "street"
    told, key = {"ante": sheet.ante.title, "kind": kind}, "aloud.street-stud.same-odds"
    rule = sheet.main if share(sheet.main) == "all" else None  # Else only its odds are assumed.
    yield rule_text("Pay table", key, "main.clause", rule, **told)
    yield from folds(sheet)


def main_table(sheet: StreetStud) -> tuple[str, str]:
    """What the main pay table is called, and what it is on."""
    pulled = tuple(one.title for one in sheet.streets if one.pulls_back)
    title = say("aloud.street-stud.ante-and-bets", ante=sheet.ante.title)
    if len(pulled) == len(sheet.streets):
        title = say("aloud.street-stud.bets-alike", bets=(*pulled, sheet.ante.title))
    return title, say("aloud.street-stud.on-hand")


def deal(sheet: StreetStud) -> Iterator[RuleText]:
    """Which cards are dealt to whom and when."""
    at, rule = "Cards", sheet.deal
    goes = direction_words(rule.direction)
    told: dict[str, Any] = {"first": rule.order[0], "cards": sheet.community, "way": goes}
    yield rule_text(at, "aloud.street-stud.order", "deal.order", rule, also="direction", **told)
    yield rule_text(at, "aloud.deal.way", "deal.direction", rule, way=goes)
    fields, cards, at_once = "deal.hole deal.at_a_time", rule.hole.value, rule.at_a_time or 0
    told = {"cards": cards, "at_once": at_once}
    yield rule_text(at, "aloud.street-stud.player-gets", fields, rule.hole, **told)
    told = {"cards": cards, "board": sheet.community, "all": cards + sheet.community}
    yield rule_text(at, "aloud.street-stud.hands", "play.clause", sheet.play, **told)


def streets(sheet: StreetStud) -> Iterator[RuleText]:
    """Each street as a line of a rack card, then each column of all streets for a comparison."""
    at = "Play"
    yield rule_text(at, "aloud.street-stud.play", "play.against", sheet.play)
    for street in sheet.streets:
        what, rules = _decides(sheet, street), (street, street.reveals)
        decides = say("aloud.street-stud.pulls") if street.pulls_back else what
        told = {"title": street.title, "rules": _street(street, what), "decides": decides}
        yield rule_text(
            at, "aloud.street-stud.street", "", *rules, at=f"street {street.id}", **told
        )
    titles = tuple(street.title for street in sheet.streets)
    yield rule_text(at, "aloud.street-stud.titles", "streets.title", titles=titles)
    ids = tuple(street.id for street in sheet.streets)
    yield rule_text(at, "aloud.street-stud.ids", "streets.id", ids=ids)
    columns = _COLUMNS if any(one.pulls_back for one in sheet.streets) else _COLUMNS[:-1]
    for field, subject, column in columns:
        each = [column(street) for street in sheet.streets]
        what = each[0] if len(set(each)) == 1 else _one_by_one(each, titles)
        yield compose_rule_text(at, None, subject(), what, f"streets.{field}")


def _one_by_one(each: Sequence[Sentence], titles: Sequence[str]) -> Sentence:
    pairs = zip(each, titles, strict=True)
    parts = tuple(say("aloud.street-stud.at", says=one, title=title) for one, title in pairs)
    return say("aloud.street-stud.each", parts=parts)


def _decides(sheet: StreetStud, street: Street) -> Sentence:
    """What a player chooses between on a street."""
    told = {"ante": sheet.ante.title}
    pulled = street.pulls_back
    text = say("aloud.street-stud.pulled", **told) if pulled else times(street.bets)
    if street.pieces:
        text = say("aloud.street-stud.in-pieces", bet=text, pieces=street.pieces)
    if street.bet_max:
        text = say("aloud.street-stud.at-most", bet=text, most=street.bet_max)
    if street.fold:
        text = say("aloud.street-stud.or-fold", bet=text)
    return text


def _street(street: Street, decides: Sentence) -> Sentence:
    if street.reveals.value:
        return say("aloud.street-stud.and-turns", bet=decides, cards=street.reveals.value)
    return decides


def _pieces(street: Street) -> Sentence:
    if street.pieces:
        return say("aloud.street-stud.pieces", pieces=street.pieces)
    return say("aloud.street-stud.one-bet")


def _most(street: Street) -> Sentence:
    if street.bet_max:
        return say("aloud.street-stud.bet-max", most=street.bet_max)
    return say("aloud.street-stud.no-bet-max")


def _a_bet() -> Sentence:
    return say("aloud.street-stud.a-street-bet")


_COLUMNS: tuple[tuple[str, Callable[[], Sentence], Callable[[Street], Sentence]], ...] = (
    ("bets", _a_bet, lambda street: say("aloud.street-stud.is", bet=times(street.bets))),
    ("pieces", _a_bet, _pieces),
    ("bet_max", _a_bet, _most),
    (
        "fold",
        lambda: say("aloud.street-stud.a-fold"),
        lambda street: say("aloud.street-stud.fold-allowed", fold=bool(street.fold)),
    ),
    (
        "reveals",
        lambda: say("aloud.street-stud.a-street"),
        lambda street: say("aloud.street-stud.turns", cards=street.reveals.value),
    ),
    ("placed", _a_bet, lambda street: say("aloud.street-stud.placed", placed=street.placed or "")),
)


def folds(sheet: StreetStud) -> Iterator[RuleText]:
    """What a fold costs, what goes on without it, and what an absent player does."""
    at = "Fold"
    if sheet.fold:
        yield rule_text(at, "aloud.street-stud.fold", "fold.clause", sheet.fold)
    for wager, side in sheet.side.items():
        if after := side.after_fold:
            fields, title = f"side.{wager}.after_fold", side.title
            key = "aloud.street-stud.after-fold"
            yield rule_text(at, key, fields, after, title=title, plays=bool(after.plays))
    if sheet.fold:
        yield from _folded(sheet, sheet.fold)
    absent = sheet.absent
    key, pulls = "aloud.street-stud.absent", all(one.pulls_back for one in sheet.streets)
    yield rule_text(at, key, "absent", absent, absent=absent.value, pulls=pulls)


def _folded(sheet: StreetStud, rule: Fold) -> Iterator[RuleText]:
    at, under, board = "Fold", rule.tucks_under, rule.board_when_all_fold
    if under and under.value:
        titles = [sheet.side[wager].title for wager in under.value]
        told = say("aloud.street-stud.under", title=titles[0])
        for title in titles[1:]:
            told = say("aloud.street-stud.or-under", first=told, title=title)
        yield rule_text(at, "aloud.street-stud.tucked", "fold.tucks_under", under, under=told)
    key = "aloud.street-stud.shown-too" if under else "aloud.street-stud.shown"
    yield rule_text(at, key, "fold.shown", rule.shown, shown=rule.shown.value)
    fields, needed = "fold.board_when_all_fold", board.value
    yield rule_text(at, "aloud.street-stud.all-fold", fields, board, board=needed)


def times(multiples: Sequence[int]) -> Sentence:
    """Multiples of the ante that may be bet.

    >>> times((1, 2, 3)), times((0, 1)), times((1, 2, 3, 4, 5))
    ('1x, 2x or 3x the ante', 'nothing or 1x the ante', '1x to 5x the ante')
    """
    run = tuple(range(multiples[0], multiples[-1] + 1))
    if tuple(multiples) == run and multiples[0] > 0 and len(run) > 3:
        return say("aloud.street-stud.run", first=run[0], last=run[-1])
    each = tuple(say("aloud.street-stud.multiple", times=one) for one in multiples)
    nothing = tuple(multiples) == (0,)
    return each[0] if nothing else say("aloud.street-stud.multiples", each=each)
