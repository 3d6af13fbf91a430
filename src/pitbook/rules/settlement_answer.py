"""A settled round as a value: `pitbook.settle` and `pitbook.replay`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from os import PathLike, fspath
from typing import Any, NamedTuple, TypeAlias

from pitbook.answer_tables import Answer
from pitbook.errors import RoundError
from pitbook.money import Odds
from pitbook.rules import round_file
from pitbook.rules.actions import Action
from pitbook.rules.narration import transcript
from pitbook.rules.result_json import report
from pitbook.rules.round import Round, open_round
from pitbook.rules.settlement_lines import Line, Settlement
from pitbook.rules.stored_rounds import replay_stored, restore, store
from pitbook.sheets.arguments import SomeSheet, read_document, sheet_of
from pitbook.sheets.model import Sheet
from pitbook.text import say

Document: TypeAlias = str | PathLike[str] | Mapping[str, Any]


class SettledLine(NamedTuple):
    """The settlement of one wager; money in dollars."""

    wager: str
    stake: Decimal
    outcome: str | None
    result: str
    odds: Odds | None
    wins: Decimal
    clause: str


class SettledSeat(NamedTuple):
    """The settlement of one seat; money in dollars."""

    seat: int
    player: str
    lines: tuple[SettledLine, ...]
    wins: Decimal
    loses: Decimal
    net: Decimal


class AppliedLimit(NamedTuple):
    """A payout limit that applied, in dollars; `seat` is None for a limit of the whole table."""

    clause: str
    due: Decimal
    paid: Decimal
    seat: int | None


class RoundNote(NamedTuple):
    """A note on the record of the round, with its clause."""

    note: str
    clause: str | None


@dataclass(frozen=True, repr=False)
class SettledRound(Answer):
    """A settled round: every seat with its lines, and the house's net result in dollars."""

    sheet: str
    hash: str
    result: str  # settled, misdeal or dead.
    seats: tuple[SettledSeat, ...]
    limits: tuple[AppliedLimit, ...]
    notes: tuple[RoundNote, ...]
    house_net: Decimal
    _final: Round = field(compare=False)
    _actions: tuple[Action, ...] = field(compare=False)

    @cached_property
    def transcript(self) -> tuple[str, ...]:
        """The round as a dealer announces it, action by action."""
        return tuple(transcript(open_round(self._final.game.sheet), list(self._actions)))

    def document(self) -> dict[str, Any]:
        """The result of `pitbook settle --json`."""
        return report(self._final)

    def stored(self) -> dict[str, Any]:
        """The stored round with its whole sheet, which can be replayed."""
        return store(self._final, self._actions)

    def _rows(self) -> Iterator[dict[str, Any]]:
        """Every line of every seat."""
        for seat in self.seats:
            for line in seat.lines:
                odds = str(line.odds) if line.odds else None
                named = {"seat": seat.seat, "player": seat.player}
                yield {**named, **line._asdict(), "odds": odds}

    def _lines(self) -> tuple[str, ...]:
        nets = ", ".join(f"seat {seat.seat} {seat.net:+}" for seat in self.seats)
        return (f"{self.result} round of {self.sheet}: {nets}; the house {self.house_net:+}",)


def settled_round(final: Round, actions: tuple[Action, ...]) -> SettledRound:
    """The record of a round that is over; raises RoundError otherwise."""
    if final.phase != "over":
        raise RoundError(say("engine.report.not-over"))
    players = {seat.number: seat.player for seat in final.seats}
    return SettledRound(
        sheet=final.game.sheet.id,
        hash=final.game.digest,
        result=str(final.ending),
        seats=tuple(
            _settled_seat(settlement, players[settlement.seat]) for settlement in final.settlements
        ),
        limits=tuple(
            AppliedLimit(cap.clause, _dollars(cap.due), _dollars(cap.paid), cap.seat)
            for cap in final.applied_caps
        ),
        notes=tuple(RoundNote(note.what, note.clause) for note in final.notes),
        house_net=_dollars(-sum(settlement.net for settlement in final.settlements)),
        _final=final,
        _actions=actions,
    )


def _settled_seat(settlement: Settlement, player: str) -> SettledSeat:
    return SettledSeat(
        seat=settlement.seat,
        player=player,
        lines=tuple(map(_settled_line, settlement.lines)),
        wins=_dollars(settlement.wins),
        loses=_dollars(settlement.loses),
        net=_dollars(settlement.net),
    )


def _settled_line(line: Line) -> SettledLine:
    return SettledLine(
        wager=line.wager,
        stake=_dollars(line.stake),
        outcome=line.outcome,
        result=line.result,
        odds=line.odds,
        wins=_dollars(line.wins),
        clause=line.clause,
    )


def _dollars(cents: int) -> Decimal:
    return Decimal(cents).scaleb(-2)


def settle(document: Document, *, sheet: SomeSheet | None = None) -> SettledRound:
    """Settle a round file: the result of every wager, line by line.

    The document is a JSON object, its text, or the Path of a file. `sheet` replaces the sheet
    that it names.

    >>> seat = {"seat": 1, "wagers": {"ante": "10"}, "cards": ["Ah", "Ad"], "play": ["3x"] * 3}
    >>> game = "catfish-bend/mississippi-stud"
    >>> settle({"sheet": game, "community": ["Qs", "Js", "Ts"], "seats": [seat]})
    <settled round of catfish-bend/mississippi-stud: seat 1 +100.00; the house -100.00>
    """
    given_sheet = None if sheet is None else sheet_of(sheet)
    if given_sheet is not None and isinstance(document, Mapping):
        document = {**document, "sheet": given_sheet}
    text, own_sheet = _text(document)
    parsed = round_file.parse(text)
    final, actions = round_file.play(parsed, given_sheet or own_sheet or sheet_of(parsed.sheet))
    return settled_round(final, tuple(actions))


def replay(document: Document) -> SettledRound:
    """Replay a stored round or a round file; raises RoundError if the result differs.

    >>> seat = {"seat": 1, "wagers": {"ante": "10"}, "play": ["fold"]}
    >>> game = "catfish-bend/mississippi-stud"
    >>> kept = settle({"sheet": game, "seats": [seat]}).stored()
    >>> replay(kept).transcript[-3:]
    ('Seat 1: Ante ($10) loses (CMS-6).', 'Seat 1 result: -$10.', 'House result: $10.')
    """
    final, _, actions = replay_text(_text(document)[0], sheet_of)
    return settled_round(final, tuple(actions))


def replay_text(text: str, load: Callable[[str], Sheet]) -> tuple[Round, Round, list[Action]]:
    """Replay a stored round or a round file; returns the final round, the first and the actions."""
    document = _parse(text)
    if isinstance(document, dict) and "actions" in document:
        final = replay_stored(document)
        opened, actions = restore(document)
        return final, opened, actions
    parsed = round_file.parse(text)
    sheet = load(parsed.sheet)
    final, actions = round_file.play(parsed, sheet)
    return final, open_round(sheet), actions


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        raise RoundError(say("rounds.no-json-at", why=error.msg, **place)) from None
    except (RecursionError, ValueError):
        raise RoundError(say("rounds.no-json")) from None


def _text(document: Any) -> tuple[str, Sheet | None]:
    """The text of a document, and its sheet if the document contains one."""
    if isinstance(document, str):
        return document, None
    if isinstance(document, PathLike):
        return read_document(fspath(document)), None
    own_sheet = None
    if isinstance(document, Mapping):
        document = dict(document)
        if isinstance(document.get("sheet"), Sheet):
            own_sheet = document["sheet"]
            document["sheet"] = own_sheet.id
    try:
        return json.dumps(document), own_sheet
    except (TypeError, ValueError, RecursionError):
        raise RoundError(say("api.no-round")) from None
