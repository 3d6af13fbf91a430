"""Rounds in one line each, so that a test of a clause is hardly longer than the clause."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import pytest

import pitbook
from pitbook.cards import card, cards
from pitbook.errors import RoundError
from pitbook.money import Cents, dollars, money
from pitbook.rules import round_file
from pitbook.rules.actions import BOARD, Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.rules.game import Seat
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round, open_round
from pitbook.rules.settlement import Line, Settlement
from pitbook.rules.step import step
from pitbook.sheets.model import Sheet
from pitbook.sheets.values import Choice, choice

Json = dict[str, Any]

load = cache(pitbook.load)

CMS: Sheet = load("catfish-bend/mississippi-stud")
OMS: Sheet = load("oceanfront/mississippi-stud")
MHL: Sheet = load("catfish-bend/matchem-hi-lo")
LAS: Sheet = load("louisiana-stud/standard")
LAS_STAX: Sheet = load("louisiana-stud/stax-required")


# A round from a file -----------------------------------------------------------------------------


def seat(
    number: int, held: str | None = None, play: str = "", player: str | None = None, **wagers: int
) -> Json:
    """A seat of a round file: seat(1, "As Ks", "3x 3x 3x", ante=10, three_card_bonus=5)."""
    given: Json = {
        "seat": number,
        "player": player or f"p{number}",
        "wagers": {name.replace("_", "-"): str(amount) for name, amount in wagers.items()},
        "play": play.split(),
    }
    return given if held is None else given | {"cards": held.split()}


def least(sheet: Sheet, number: int, held: str | None = None, play: str = "") -> Json:
    """A seat with the smallest wagers that it needs to be dealt in."""
    main = "bet" if sheet.family == "hi-lo" else "ante"
    required = {name: one.stake.min for name, one in sheet.side.items() if one.stake.required}
    stakes = {main: sheet.main_wager.min, **required}
    wagers = {name: money(amount) for name, amount in stakes.items()}
    return seat(number, held, play) | {"wagers": wagers}


def written(sheet: Sheet, board: str, *seats: Json, **rest: Any) -> Json:
    """A round file; the board is community or dealer, as the game has it."""
    name = "dealer" if sheet.family == "hi-lo" else "community"
    return {"sheet": sheet.id, name: board.split(), "seats": list(seats), **rest}


def played(sheet: Sheet, board: str, *seats: Json, **rest: Any) -> Round:
    """The round of a file, settled by this sheet."""
    return file_played(written(sheet, board, *seats, **rest), sheet)


def file_played(document: Json, sheet: Sheet) -> Round:
    """A file settled by a sheet that need not be a bundled one."""
    return round_file.play(round_file.parse(json.dumps(document)), sheet)[0]


def refused(sheet: Sheet, board: str, *seats: Json, **rest: Any) -> str:
    """The sentence with which a round file is refused."""
    with pytest.raises(RoundError) as error:
        played(sheet, board, *seats, **rest)
    return str(error.value)


# A round step by step ----------------------------------------------------------------------------


def cents(amount: int | str) -> Cents:
    """Cents from dollars: 10 or "2.50"."""
    return dollars(str(amount))


def turn(place: int, text: str) -> Turn:
    """Name the card at a place."""
    return Turn(place, card(text))


def decide(play: str, *seats: int) -> list[Action]:
    """The same play at several seats."""
    return [Decide(number, play) for number in seats]


def bet(round: Round, *seats: Json) -> Round:
    """The round with these seats' wagers on the table."""
    for one in seats:
        for name, amount in one["wagers"].items():
            round = do(round, Wager(one["seat"], one["player"], name, cents(amount)))
    return round


def closed(sheet: Sheet, *seats: Json) -> Round:
    """Wagers made, betting closed, no card dealt."""
    return do(bet(open_round(sheet), *seats), Close())


def dealt(sheet: Sheet, *seats: Json) -> Round:
    """All cards laid; hole cards that the seats name are turned."""
    round = closed(sheet, *seats)
    while round.to_deal:
        round = do(round, Deal(round.to_deal[0]))
    for one in seats:
        round = do(round, *(Turn(one["seat"], held) for held in map(card, one.get("cards", []))))
    return round


def do(round: Round, *actions: Action) -> Round:
    """The round after actions that must be accepted."""
    for action in actions:
        after = step(round, action)
        assert isinstance(after, Round), f"{action} is refused: {after}"
        round = after
    return round


def board(round: Round, text: str) -> Round:
    """The round after these cards of the board are turned."""
    return do(round, *(Turn(BOARD, one) for one in cards(text)))


def settled(round: Round) -> Round:
    """The round settled to its end."""
    while round.phase == "settle":
        round = do(round, Settle())
    assert round.phase == "over"
    return round


def no(round: Round, action: Action) -> Refusal:
    """The refusal that an action must meet."""
    after = step(round, action)
    assert isinstance(after, Refusal), f"{action} is accepted"
    return after


# What came of it ---------------------------------------------------------------------------------


def hand(round: Round, number: int) -> Settlement:
    """The settlement of a seat."""
    (found,) = (one for one in round.settlements if one.seat == number)
    return found


def line(round: Round, number: int, wager: str) -> Line:
    """The line of one wager."""
    (found,) = (one for one in hand(round, number).lines if one.wager == wager)
    return found


def wins(round: Round, number: int) -> dict[str, str]:
    """What each wager of a seat wins, in dollars."""
    return {one.wager: money(one.wins) for one in hand(round, number).lines}


def results(round: Round, number: int) -> dict[str, str]:
    """What became of each wager of a seat."""
    return {one.wager: one.result for one in hand(round, number).lines}


def nets(round: Round) -> dict[int, str]:
    """What each seat won or lost, in dollars."""
    return {one.seat: money(one.net) for one in round.settlements}


def bites(round: Round) -> list[tuple[str, str, str, int | None]]:
    """The caps that bit: clause, due, paid, seat."""
    return [(one.clause, money(one.due), money(one.paid), one.seat) for one in round.bites]


def notes(round: Round) -> list[tuple[str, str | None]]:
    """The record."""
    return [(note.what, note.clause) for note in round.notes]


def at(round: Round, number: int) -> Seat:
    """A seat that is played."""
    found = round.seat(number)
    assert found is not None
    return found


def returned(round: Round) -> bool:
    """Whether every wager of the round went back to its player."""
    lines = [one for settlement in round.settlements for one in settlement.lines]
    return bool(lines) and all(one.result == "void" and one.wins == 0 for one in lines)


# A house that chooses otherwise ------------------------------------------------------------------


def altered(sheet: Sheet, path: str, value: Any) -> Sheet:
    """The sheet with one field changed: altered(CMS, "payouts.share_ties", "higher-seat")."""
    changed = _put(sheet, path.split("."), value)
    assert isinstance(changed, type(sheet))
    return changed


def _put(part: Any, names: list[str], value: Any) -> Any:
    if not names:
        return part.model_copy(update={"value": value}) if isinstance(part, Choice) else value
    name, *rest = names
    if isinstance(part, tuple):
        place = int(name)
        return (*part[:place], _put(part[place], rest, value), *part[place + 1 :])
    if isinstance(part, Mapping):
        return {**part, name: _put(part[name], rest, value)}
    return part.model_copy(update={name: _put(getattr(part, name), rest, value)})


def chosen(value: Any) -> Choice[Any]:
    """A choice for a field that a sheet leaves out."""
    return choice(value, "HOUSE-1")


def without(names: Iterable[str], given: Json) -> Json:
    """A document with some fields left out."""
    return {name: value for name, value in given.items() if name not in set(names)}
