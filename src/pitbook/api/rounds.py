"""Settles or replays one round: the results of `pitbook settle` and `pitbook rounds replay`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from decimal import Decimal
from functools import cached_property
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pitbook.api.answers import Answer
from pitbook.errors import RoundError
from pitbook.money import odds
from pitbook.rules import round_file
from pitbook.rules.actions import Action
from pitbook.rules.report import report
from pitbook.rules.round import Round, open_round
from pitbook.rules.stored import store
from pitbook.sheets.arguments import SomeSheet, sheet_of
from pitbook.sheets.model import Sheet
from pitbook.text import say

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pitbook.money import Odds

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


class SettledRound(Answer, dict[str, Any]):
    """A settled round: a dict like the result of `pitbook settle --json`, with typed properties."""

    def __init__(self, final: Round, actions: Iterable[Action]) -> None:
        super().__init__(report(final))
        self._final, self._actions = final, tuple(actions)

    @property
    def sheet(self) -> str:
        """The sheet's id."""
        return str(self["sheet"])

    @property
    def hash(self) -> str:
        """The sheet's hash."""
        return str(self["hash"])

    @property
    def result(self) -> str:
        """settled, misdeal or dead."""
        return str(self["result"])

    @property
    def seats(self) -> tuple[SettledSeat, ...]:
        """Every seat with its lines."""
        return tuple(_seat(seat_report) for seat_report in self["seats"])

    @property
    def house_net(self) -> Decimal:
        """Net of the house, in dollars."""
        return Decimal(self["house_net"])

    @cached_property
    def transcript(self) -> tuple[str, ...]:
        """The round as a dealer announces it, action by action."""
        from pitbook.rules.narration import transcript  # noqa: PLC0415

        return tuple(transcript(open_round(self._final.game.sheet), list(self._actions)))

    def document(self) -> dict[str, Any]:
        """The result of `pitbook settle --json`."""
        return deepcopy(dict(self))

    def stored(self) -> dict[str, Any]:
        """The stored round with its whole sheet, which can be replayed."""
        return store(self._final, self._actions)

    def _parts(self) -> Iterable[RenderableType]:
        from pitbook.cli.settle import settlement_parts  # noqa: PLC0415  Imports Rich.

        return settlement_parts(self._final)

    def _currency_sheet(self) -> Sheet:
        return self._final.game.sheet

    def __repr__(self) -> str:
        nets = ", ".join(
            f"seat {settled_seat.seat} {settled_seat.net:+}" for settled_seat in self.seats
        )
        return f"<{self.result} round of {self.sheet}: {nets}; the house {self.house_net:+}>"


def settle(document: Document, *, sheet: SomeSheet | None = None) -> SettledRound:
    """A round file settled line by line, as `pitbook settle` does it.

    The document is a JSON object, its text, or the Path of a file; `sheet` is used in place of the
    one that it names.

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
    rules = given_sheet or own_sheet or sheet_of(parsed.sheet)
    return SettledRound(*round_file.play(parsed, rules))


def replay(document: Document) -> SettledRound:
    """Replay a stored round or a round file; raises RoundError if the result differs.

    >>> seat = {"seat": 1, "wagers": {"ante": "10"}, "play": ["fold"]}
    >>> game = "catfish-bend/mississippi-stud"
    >>> kept = settle({"sheet": game, "seats": [seat]}).stored()
    >>> replay(kept).transcript[-3:]
    ('Seat 1: Ante, $10, loses (CMS-6).', 'Seat 1 nets -$10.', 'The house nets $10.')
    """
    from pitbook.cli.rounds import replay_text  # noqa: PLC0415  Shared with the command.

    final, _, actions = replay_text(_text(document)[0], sheet_of)
    return SettledRound(final, actions)


def _text(document: Any) -> tuple[str, Sheet | None]:
    """The text of a document, and its sheet if the document contains one."""
    if isinstance(document, str):
        return document, None
    if isinstance(document, PathLike):
        from pitbook.cli.options import read_text  # noqa: PLC0415  Shared with the command.

        return read_text(fspath(document)), None
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


def _seat(seat_report: Mapping[str, Any]) -> SettledSeat:
    lines = tuple(_line(line_report) for line_report in seat_report["lines"])
    money = (Decimal(seat_report[name]) for name in ("wins", "loses", "net"))
    return SettledSeat(seat_report["seat"], seat_report["player"], lines, *money)


def _line(line_report: Mapping[str, Any]) -> SettledLine:
    line_odds = odds(line_report["odds"]) if line_report["odds"] else None
    money = {name: Decimal(line_report[name]) for name in ("stake", "wins")}
    return SettledLine(**{**line_report, **money, "odds": line_odds})
