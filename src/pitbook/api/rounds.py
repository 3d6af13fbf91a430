"""One round settled, or played again: the answers of `pitbook settle` and `rounds replay`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from decimal import Decimal
from functools import cached_property
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pitbook.api.answers import Answer
from pitbook.api.arguments import SomeSheet, sheet_of
from pitbook.errors import RoundError
from pitbook.money import odds
from pitbook.rules import round_file
from pitbook.rules.actions import Action
from pitbook.rules.report import report
from pitbook.rules.round import Round, open_round
from pitbook.rules.stored import store
from pitbook.sheets.model import Sheet
from pitbook.text import say

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pitbook.money import Odds

Document: TypeAlias = str | PathLike[str] | Mapping[str, Any]


class SettledLine(NamedTuple):
    """What became of one wager; money in dollars."""

    wager: str
    stake: Decimal
    outcome: str | None
    result: str
    odds: Odds | None
    wins: Decimal
    clause: str


class SettledSeat(NamedTuple):
    """What became of one seat; money in dollars."""

    seat: int
    player: str
    lines: tuple[SettledLine, ...]
    wins: Decimal
    loses: Decimal
    net: Decimal


class SettledRound(Answer, dict[str, Any]):
    """A settled round: a dict as `pitbook settle --json` answers it, its parts typed beside it."""

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
        return tuple(_seat(one) for one in self["seats"])

    @property
    def house_net(self) -> Decimal:
        """What the house made, in dollars."""
        return Decimal(self["house_net"])

    @cached_property
    def transcript(self) -> tuple[str, ...]:
        """The round in a dealer's words, action by action."""
        from pitbook.rules.narration import transcript  # noqa: PLC0415

        return tuple(transcript(open_round(self._final.game.sheet), list(self._actions)))

    def document(self) -> dict[str, Any]:
        """What `pitbook settle --json` answers."""
        return deepcopy(dict(self))

    def stored(self) -> dict[str, Any]:
        """The round with its whole sheet, to be kept and replayed."""
        return store(self._final, self._actions)

    def _parts(self) -> Iterable[RenderableType]:
        from pitbook.cli.settle import parts  # noqa: PLC0415  It brings Rich.

        return parts(self._final)

    def _game(self) -> Sheet:
        return self._final.game.sheet

    def __repr__(self) -> str:
        nets = ", ".join(f"seat {one.seat} {one.net:+}" for one in self.seats)
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
    given = None if sheet is None else sheet_of(sheet)
    if given is not None and isinstance(document, Mapping):
        document = {**document, "sheet": given}
    text, own = _text(document)
    parsed = round_file.parse(text)
    rules = given or own or sheet_of(parsed.sheet)
    return SettledRound(*round_file.play(parsed, rules))


def replay(document: Document) -> SettledRound:
    """A stored round, or a round file, played again; refused where it comes out otherwise.

    >>> seat = {"seat": 1, "wagers": {"ante": "10"}, "play": ["fold"]}
    >>> game = "catfish-bend/mississippi-stud"
    >>> kept = settle({"sheet": game, "seats": [seat]}).stored()
    >>> replay(kept).transcript[-3:]
    ('Seat 1: Ante, $10, loses (CMS-6).', 'Seat 1 nets -$10.', 'The house nets $10.')
    """
    from pitbook.cli.rounds import played  # noqa: PLC0415  The command asks it too.

    final, _, actions = played(_text(document)[0], sheet_of)
    return SettledRound(final, actions)


def _text(document: Any) -> tuple[str, Sheet | None]:
    """A document's text, and the sheet itself where it stands in it."""
    if isinstance(document, str):
        return document, None
    if isinstance(document, PathLike):
        from pitbook.cli.options import read_text  # noqa: PLC0415  As the command reads it.

        return read_text(fspath(document)), None
    own = None
    if isinstance(document, Mapping):
        document = dict(document)
        if isinstance(document.get("sheet"), Sheet):
            own = document["sheet"]
            document["sheet"] = own.id
    try:
        return json.dumps(document), own
    except (TypeError, ValueError, RecursionError):
        raise RoundError(say("api.no-round")) from None


def _seat(told: Mapping[str, Any]) -> SettledSeat:
    lines = tuple(_line(one) for one in told["lines"])
    money = (Decimal(told[name]) for name in ("wins", "loses", "net"))
    return SettledSeat(told["seat"], told["player"], lines, *money)


def _line(told: Mapping[str, Any]) -> SettledLine:
    at = odds(told["odds"]) if told["odds"] else None
    money = {name: Decimal(told[name]) for name in ("stake", "wins")}
    return SettledLine(**{**told, **money, "odds": at})
