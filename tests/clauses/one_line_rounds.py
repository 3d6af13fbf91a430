"""Helpers that play rounds in one line each."""

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
from pitbook.rules.settlement_lines import Line, Settlement
from pitbook.rules.step import step
from pitbook.sheets.field_types import Choice, choice
from pitbook.sheets.model import Sheet

Json = dict[str, Any]

load = cache(pitbook.load)

CMS: Sheet = load("catfish-bend/mississippi-stud")
OMS: Sheet = load("oceanfront/mississippi-stud")
MHL: Sheet = load("catfish-bend/matchem-hi-lo")
LAS: Sheet = load("louisiana-stud/standard")
LAS_STAX: Sheet = load("louisiana-stud/stax-required")


# A round from a file


def seat(
    number: int,
    cards_text: str | None = None,
    play: str = "",
    player: str | None = None,
    **wagers: int,
) -> Json:
    """A seat of a round file: seat(1, "As Ks", "3x 3x 3x", ante=10, three_card_bonus=5)."""
    document: Json = {
        "seat": number,
        "player": player or f"p{number}",
        "wagers": {name.replace("_", "-"): str(amount) for name, amount in wagers.items()},
        "play": play.split(),
    }
    return document if cards_text is None else document | {"cards": cards_text.split()}


def minimum_seat(sheet: Sheet, number: int, cards_text: str | None = None, play: str = "") -> Json:
    """A seat with the smallest wagers that are required."""
    main = "bet" if sheet.family == "hi-lo" else "ante"
    required = {
        name: side_wager.stake.min
        for name, side_wager in sheet.side.items()
        if side_wager.stake.required
    }
    stakes = {main: sheet.main_wager.min, **required}
    wagers = {name: money(amount) for name, amount in stakes.items()}
    return seat(number, cards_text, play) | {"wagers": wagers}


def round_document(sheet: Sheet, board: str, *seats: Json, **rest: Any) -> Json:
    """A round file; the board's key is that of the game."""
    name = "dealer" if sheet.family == "hi-lo" else "community"
    return {"sheet": sheet.id, name: board.split(), "seats": list(seats), **rest}


def play_round(sheet: Sheet, board: str, *seats: Json, **rest: Any) -> Round:
    """The round of a file, settled with this sheet."""
    return play_document(round_document(sheet, board, *seats, **rest), sheet)


def play_document(document: Json, sheet: Sheet) -> Round:
    """A file settled with a sheet that need not be bundled."""
    return round_file.play(round_file.parse(json.dumps(document)), sheet)[0]


def refusal_text(sheet: Sheet, board: str, *seats: Json, **rest: Any) -> str:
    """The message with which a round file is refused."""
    with pytest.raises(RoundError) as error:
        play_round(sheet, board, *seats, **rest)
    return str(error.value)


# A round step by step


def cents(amount: int | str) -> Cents:
    """Cents from dollars: 10 or "2.50"."""
    return dollars(str(amount))


def turn(place: int, text: str) -> Turn:
    """The action that names the card at a place."""
    return Turn(place, card(text))


def decide(play: str, *seats: int) -> list[Action]:
    """The same play at several seats."""
    return [Decide(number, play) for number in seats]


def bet(round: Round, *seats: Json) -> Round:
    """The round with these seats' wagers placed."""
    for seat_document in seats:
        for name, amount in seat_document["wagers"].items():
            round = do(
                round, Wager(seat_document["seat"], seat_document["player"], name, cents(amount))
            )
    return round


def close_bets(sheet: Sheet, *seats: Json) -> Round:
    """The round after bets are closed, before any card is dealt."""
    return do(bet(open_round(sheet), *seats), Close())


def deal_round(sheet: Sheet, *seats: Json) -> Round:
    """The round after the deal; hole cards given for the seats are turned."""
    round = close_bets(sheet, *seats)
    while round.to_deal:
        round = do(round, Deal(round.to_deal[0]))
    for seat_document in seats:
        round = do(
            round,
            *(
                Turn(seat_document["seat"], hole_card)
                for hole_card in map(card, seat_document.get("cards", []))
            ),
        )
    return round


def do(round: Round, *actions: Action) -> Round:
    """The round after actions that must be accepted."""
    for action in actions:
        after = step(round, action)
        assert isinstance(after, Round), f"{action} is refused: {after}"
        round = after
    return round


def board(round: Round, text: str) -> Round:
    """The round after these board cards are turned."""
    return do(round, *(Turn(BOARD, board_card) for board_card in cards(text)))


def settle_round(round: Round) -> Round:
    """The round after settlement."""
    while round.phase == "settle":
        round = do(round, Settle())
    assert round.phase == "over"
    return round


def expect_refusal(round: Round, action: Action) -> Refusal:
    """The refusal of an action."""
    after = step(round, action)
    assert isinstance(after, Refusal), f"{action} is accepted"
    return after


# Results


def hand(round: Round, number: int) -> Settlement:
    """The settlement of a seat."""
    (settlement,) = (
        settlement_of_seat
        for settlement_of_seat in round.settlements
        if settlement_of_seat.seat == number
    )
    return settlement


def line(round: Round, number: int, wager: str) -> Line:
    """The line of one wager."""
    (wager_line,) = (
        seat_line for seat_line in hand(round, number).lines if seat_line.wager == wager
    )
    return wager_line


def wins(round: Round, number: int) -> dict[str, str]:
    """The win of each wager of a seat, in dollars."""
    return {seat_line.wager: money(seat_line.wins) for seat_line in hand(round, number).lines}


def results(round: Round, number: int) -> dict[str, str]:
    """The result of each wager of a seat."""
    return {seat_line.wager: seat_line.result for seat_line in hand(round, number).lines}


def nets(round: Round) -> dict[int, str]:
    """The net of each seat, in dollars."""
    return {settlement.seat: money(settlement.net) for settlement in round.settlements}


def applied_caps(round: Round) -> list[tuple[str, str, str, int | None]]:
    """The applied caps: clause, due, paid, seat."""
    return [(cap.clause, money(cap.due), money(cap.paid), cap.seat) for cap in round.applied_caps]


def notes(round: Round) -> list[tuple[str, str | None]]:
    """The notes on record."""
    return [(note.what, note.clause) for note in round.notes]


def seat_at(round: Round, number: int) -> Seat:
    """A seat in play."""
    played_seat = round.seat(number)
    assert played_seat is not None
    return played_seat


def all_returned(round: Round) -> bool:
    """Whether every wager of the round was returned."""
    lines = [seat_line for settlement in round.settlements for seat_line in settlement.lines]
    return bool(lines) and all(
        seat_line.result == "void" and seat_line.wins == 0 for seat_line in lines
    )


# A house with other choices


def with_field(sheet: Sheet, path: str, value: Any) -> Sheet:
    """The sheet with one field changed: with_field(CMS, "payouts.share_ties", "higher-seat")."""
    changed = _with_value(sheet, path.split("."), value)
    assert isinstance(changed, type(sheet))
    return changed


def _with_value(part: Any, names: list[str], value: Any) -> Any:
    if not names:
        return part.model_copy(update={"value": value}) if isinstance(part, Choice) else value
    name, *rest = names
    if isinstance(part, tuple):
        place = int(name)
        return (*part[:place], _with_value(part[place], rest, value), *part[place + 1 :])
    if isinstance(part, Mapping):
        return {**part, name: _with_value(part[name], rest, value)}
    return part.model_copy(update={name: _with_value(getattr(part, name), rest, value)})


def house_choice(value: Any) -> Choice[Any]:
    """A choice for a field that a sheet leaves out."""
    return choice(value, "HOUSE-1")


def without_fields(names: Iterable[str], document: Json) -> Json:
    """A document without some fields."""
    return {name: value for name, value in document.items() if name not in set(names)}
