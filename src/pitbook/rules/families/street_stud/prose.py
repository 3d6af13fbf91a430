"""The deal, streets and folds of a street-stud sheet, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pitbook.rules.families.street_stud.sheet import Fold, Street, StreetStud
from pitbook.sheets.phrases import direction_words
from pitbook.sheets.prose import RuleText, compose_rule_text, rule_text
from pitbook.sheets.provenance import share
from pitbook.text import Sentence, say


def rule_texts(sheet: StreetStud) -> Iterator[RuleText]:
    """The family's rule texts."""
    yield from deal(sheet)
    yield from streets(sheet)
    kind = "ride" if any(street.pulls_back for street in sheet.streets) else "street"
    values, key = {"ante": sheet.ante.title, "kind": kind}, "aloud.street-stud.same-odds"
    # Otherwise only its odds are assumed.
    rule = sheet.main if share(sheet.main) == "all" else None
    yield rule_text("Pay table", key, "main.clause", rule, **values)
    yield from folds(sheet)


def main_table(sheet: StreetStud) -> tuple[str, str]:
    """The title and the subject of the main pay table."""
    titles = tuple(street.title for street in sheet.streets if street.pulls_back)
    title = say("aloud.street-stud.ante-and-bets", ante=sheet.ante.title)
    if len(titles) == len(sheet.streets):
        title = say("aloud.street-stud.bets-alike", bets=(*titles, sheet.ante.title))
    return title, say("aloud.street-stud.on-hand")


def deal(sheet: StreetStud) -> Iterator[RuleText]:
    """The order of the deal, and the number of cards."""
    heading, rule = "Cards", sheet.deal
    direction = direction_words(rule.direction)
    values: dict[str, Any] = {"first": rule.order[0], "cards": sheet.community, "way": direction}
    yield rule_text(
        heading, "aloud.street-stud.order", "deal.order", rule, also="direction", **values
    )
    yield rule_text(heading, "aloud.deal.way", "deal.direction", rule, way=direction)
    fields, cards, at_once = "deal.hole deal.at_a_time", rule.hole.value, rule.at_a_time or 0
    values = {"cards": cards, "at_once": at_once}
    yield rule_text(heading, "aloud.street-stud.player-gets", fields, rule.hole, **values)
    values = {"cards": cards, "board": sheet.community, "all": cards + sheet.community}
    yield rule_text(heading, "aloud.street-stud.hands", "play.clause", sheet.play, **values)


def streets(sheet: StreetStud) -> Iterator[RuleText]:
    """Each street in one sentence, then each column of all streets for a comparison."""
    heading = "Play"
    yield rule_text(heading, "aloud.street-stud.play", "play.against", sheet.play)
    for street in sheet.streets:
        choice, rules = _street_choice(sheet, street), (street, street.reveals)
        decides = say("aloud.street-stud.pulls") if street.pulls_back else choice
        values: dict[str, Any] = {
            "title": street.title,
            "rules": _street_text(street, choice),
            "decides": decides,
            "pulls": street.pulls_back,
        }
        yield rule_text(
            heading, "aloud.street-stud.street", "", *rules, at=f"street {street.id}", **values
        )
    titles = tuple(street.title for street in sheet.streets)
    yield rule_text(heading, "aloud.street-stud.titles", "streets.title", titles=titles)
    ids = tuple(street.id for street in sheet.streets)
    yield rule_text(heading, "aloud.street-stud.ids", "streets.id", ids=ids)
    columns = (
        _STREET_COLUMNS
        if any(street.pulls_back for street in sheet.streets)
        else _STREET_COLUMNS[:-1]
    )
    for field, subject, column in columns:
        texts = [column(street) for street in sheet.streets]
        choice = texts[0] if len(set(texts)) == 1 else _texts_by_street(texts, titles)
        yield compose_rule_text(heading, None, subject(), choice, f"streets.{field}")


def _texts_by_street(texts: Sequence[Sentence], titles: Sequence[str]) -> Sentence:
    pairs = zip(texts, titles, strict=True)
    parts = tuple(say("aloud.street-stud.at", says=text, title=title) for text, title in pairs)
    return say("aloud.street-stud.each", parts=parts)


def _street_choice(sheet: StreetStud, street: Street) -> Sentence:
    """What a player may do on a street."""
    values = {"ante": sheet.ante.title}
    pulls_back = street.pulls_back
    text = say("aloud.street-stud.pulled", **values) if pulls_back else times(street.bets)
    if street.pieces:
        text = say("aloud.street-stud.in-pieces", bet=text, pieces=street.pieces)
    if street.bet_max:
        text = say("aloud.street-stud.at-most", bet=text, most=street.bet_max)
    if street.fold:
        text = say("aloud.street-stud.or-fold", bet=text)
    return text


def _street_text(street: Street, decides: Sentence) -> Sentence:
    if street.reveals.value:
        return say("aloud.street-stud.and-turns", bet=decides, cards=street.reveals.value)
    return decides


def _pieces_text(street: Street) -> Sentence:
    if street.pieces:
        return say("aloud.street-stud.pieces", pieces=street.pieces)
    return say("aloud.street-stud.one-bet")


def _bet_max_text(street: Street) -> Sentence:
    if street.bet_max:
        return say("aloud.street-stud.bet-max", most=street.bet_max)
    return say("aloud.street-stud.no-bet-max")


def _bet_text() -> Sentence:
    return say("aloud.street-stud.a-street-bet")


_STREET_COLUMNS: tuple[tuple[str, Callable[[], Sentence], Callable[[Street], Sentence]], ...] = (
    ("bets", _bet_text, lambda street: say("aloud.street-stud.is", bet=times(street.bets))),
    ("pieces", _bet_text, _pieces_text),
    ("bet_max", _bet_text, _bet_max_text),
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
    (
        "placed",
        _bet_text,
        lambda street: say("aloud.street-stud.placed", placed=street.placed or ""),
    ),
)


def folds(sheet: StreetStud) -> Iterator[RuleText]:
    """What a fold costs, which wagers survive it, and what an absent player does."""
    heading = "Fold"
    if sheet.fold:
        yield rule_text(heading, "aloud.street-stud.fold", "fold.clause", sheet.fold)
    for wager, side in sheet.side.items():
        if after := side.after_fold:
            fields, title = f"side.{wager}.after_fold", side.title
            key = "aloud.street-stud.after-fold"
            yield rule_text(heading, key, fields, after, title=title, plays=bool(after.plays))
    if sheet.fold:
        yield from _fold_details(sheet, sheet.fold)
    absent = sheet.absent
    key, pulls = "aloud.street-stud.absent", all(street.pulls_back for street in sheet.streets)
    yield rule_text(heading, key, "absent", absent, absent=absent.value, pulls=pulls)


def _fold_details(sheet: StreetStud, rule: Fold) -> Iterator[RuleText]:
    heading, under, board = "Fold", rule.tucks_under, rule.board_when_all_fold
    if under and under.value:
        titles = [sheet.side[wager].title for wager in under.value]
        places = say("aloud.street-stud.under", title=titles[0])
        for title in titles[1:]:
            places = say("aloud.street-stud.or-under", first=places, title=title)
        yield rule_text(
            heading, "aloud.street-stud.tucked", "fold.tucks_under", under, under=places
        )
    key = "aloud.street-stud.shown-too" if under else "aloud.street-stud.shown"
    yield rule_text(heading, key, "fold.shown", rule.shown, shown=rule.shown.value)
    fields, needed = "fold.board_when_all_fold", board.value
    yield rule_text(heading, "aloud.street-stud.all-fold", fields, board, board=needed)


def times(multiples: Sequence[int]) -> Sentence:
    """The multiples of the ante that may be bet.

    >>> times((1, 2, 3)), times((0, 1)), times((1, 2, 3, 4, 5))
    ('1x, 2x or 3x the Ante', 'nothing or 1x the Ante', '1x to 5x the Ante')
    """
    run = tuple(range(multiples[0], multiples[-1] + 1))
    if tuple(multiples) == run and multiples[0] > 0 and len(run) > 3:
        return say("aloud.street-stud.run", first=run[0], last=run[-1])
    texts = tuple(say("aloud.street-stud.multiple", times=multiple) for multiple in multiples)
    nothing = tuple(multiples) == (0,)
    return texts[0] if nothing else say("aloud.street-stud.multiples", each=texts)
