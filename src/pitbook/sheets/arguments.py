"""Parses the arguments of public functions: sheets, cards, dollars, wagers, numbers."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from pitbook.cards import Card, cards
from pitbook.errors import CardError, MoneyError, PitbookError, RoundError, SheetUnknown
from pitbook.money import Cents, dollars
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of
from pitbook.text.user_input import did_you_mean, show_value

SomeSheet: TypeAlias = str | PathLike[str] | Sheet
CardsGiven: TypeAlias = str | Sequence[str]
Sides: TypeAlias = Mapping[str, str] | None

_HOURS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,3})?", re.ASCII)
_ROUNDS = re.compile(r"[0-9][0-9_,]*|[0-9]+(?:\.[0-9]+)?e[0-9]{1,2}", re.IGNORECASE)


def sheet_of(value: SomeSheet | Any) -> Sheet:
    """The sheet itself, or the sheet with an id, id@date or path."""
    if isinstance(value, Sheet):
        return value
    return load_sheet(path_text(value))


def path_text(value: str | PathLike[str] | Any) -> str:
    """An id or a path as text."""
    if not isinstance(value, str | PathLike):
        raise SheetUnknown(say("api.no-sheet", given=_shown_value(value)))
    return str(value)


def load_sheet(sheet: str, on: datetime.date | None = None) -> Sheet:
    """A rule sheet by id, id@date or path; the newest version, or the one in force on a day."""
    return Library().load(sheet, on or datetime.date.max)


def cards_of(value: CardsGiven | Any, name: str) -> tuple[Card, ...]:
    """Cards from one text or several: "As Kd", "AsKd", ["As", "Kd"]."""
    parts = [value] if isinstance(value, str) else value
    if not isinstance(parts, Sequence) or not all(isinstance(part, str) for part in parts):
        raise CardError(say("api.no-cards", name=name, given=_shown_value(value)))
    try:
        return cards(" ".join(parts))
    except CardError as error:
        raise CardError(say("api.of", name=name, why=sentence_of(error))) from None


def bets_of(value: str | Sequence[str] | Any) -> list[str]:
    """Bets made so far, from "1x,3x" or ["1x", "3x"]."""
    parts = [value] if isinstance(value, str) else value
    if not isinstance(parts, Sequence) or not all(isinstance(part, str) for part in parts):
        raise PitbookError(say("api.no-bets", given=_shown_value(value)))
    return " ".join(parts).lower().replace(",", " ").split()


def dollars_of(value: str, name: str) -> Cents:
    """Cents from dollars as text; a bare number is refused because it could be cents."""
    if not isinstance(value, str):
        raise MoneyError(say("api.no-amount", name=name, given=_shown_value(value)))
    try:
        return dollars(value)
    except MoneyError as error:
        raise MoneyError(say("api.of", name=name, why=sentence_of(error))) from None


def ante_of(value: str | None, name: str = "ante") -> Cents | None:
    """Cents, or None."""
    return None if value is None else dollars_of(value, name)


def sides_of(stakes: Sides) -> dict[str, Cents]:
    """Stakes by side wager, from {"stax": "5"}."""
    if stakes is None:
        return {}
    if not isinstance(stakes, Mapping):
        raise PitbookError(say("api.no-sides", example='{"stax": "5"}', given=_shown_value(stakes)))
    return {str(wager): dollars_of(stake, f"side {wager}") for wager, stake in stakes.items()}


def integer_of(value: int | Any, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise PitbookError(say("api.no-whole", name=name, given=_shown_value(value)))
    return value


def rounds_of(value: int | float | str) -> int:
    """A number of rounds: 1_000_000, 1e6, "1e6"."""
    text = value if isinstance(value, str) else _digits(value)
    if not _ROUNDS.fullmatch(text):
        raise PitbookError(say("api.no-rounds", given=_shown_value(value)))
    number = Fraction(text.replace(",", "").replace("_", ""))
    if number.denominator != 1:
        raise PitbookError(say("api.no-whole-rounds", given=_shown_value(value)))
    return int(number)


def _digits(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        return ""
    return f"{value:.0f}"


def hours_of(value: float | str | Fraction) -> Fraction:
    """A number of hours: 4, 2.5 or "2.5"."""
    if isinstance(value, Fraction) and value >= 0:
        return value
    text = value if isinstance(value, str) else repr(value)
    if not _HOURS.fullmatch(text):
        raise PitbookError(say("api.no-hours", given=_shown_value(value)))
    return Fraction(text)


def one_of(allowed_names: Iterable[str], text: str, label: str) -> str:
    """The name, if it is one of those known; `what` names it in the error."""
    names = list(allowed_names)
    if text not in names:
        remedy = did_you_mean(str(text), names)
        raise PitbookError(say("api.none-such", what=label, given=text, remedy=remedy))
    return text


def text_of(value: str, name: str) -> str:
    if not isinstance(value, str):
        raise PitbookError(say("api.no-text", name=name, given=_shown_value(value)))
    return value


def _shown_value(value: Any) -> str:
    return show_value(value)


BYTES_MAX = 5_000_000


def read_document(name: str) -> str:
    """The text of a file; raises RoundError."""
    try:
        with Path(name).open("rb") as file:
            return decode_document(file.read(BYTES_MAX + 1), name)
    except FileNotFoundError:
        raise RoundError(say("sheets.file.none", path=name)) from None
    except IsADirectoryError:
        raise RoundError(say("cli.file.folder", path=name)) from None
    except (OSError, ValueError) as error:
        details = {"path": repr(name), "why": reason_of(error)}
        raise RoundError(say("sheets.file.unreadable", **details)) from None


def decode_document(raw: bytes, name: str) -> str:
    """The text of a document in UTF-8; `name` names it in errors."""
    if len(raw) > BYTES_MAX:
        raise RoundError(say("cli.file.too-large", path=name, most=BYTES_MAX))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RoundError(say("cli.file.no-utf8", path=name, byte=error.start + 1)) from None


def reason_of(error: Exception) -> str:
    """The operating system's reason for an error."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def load(sheet: str | PathLike[str], on: datetime.date | str | None = None) -> Sheet:
    """A rule sheet by id, id@date or path; the newest version, or the one in force on a day.

    >>> load("catfish-bend/mississippi-stud").title
    'Mississippi Stud'
    """
    if not isinstance(sheet, str | PathLike):
        raise SheetUnknown(say("api.no-sheet-id", sheet=show_value(sheet)))
    return load_sheet(str(sheet), _day(on))


def _day(day: Any) -> datetime.date | None:
    if day is None or isinstance(day, datetime.date):
        return day
    try:
        return datetime.date.fromisoformat(day)
    except (TypeError, ValueError):
        raise SheetUnknown(say("api.no-day", given=show_value(day))) from None
