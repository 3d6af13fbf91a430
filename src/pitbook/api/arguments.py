"""What callers give, read as the commands read it: sheets, cards, dollars, wagers, numbers."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from os import PathLike
from typing import Any, TypeAlias

from pitbook.cards import Card, cards
from pitbook.errors import CardError, MoneyError, PitbookError, SheetUnknown
from pitbook.money import Cents, dollars
from pitbook.sheets.findings import show_value
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of

SomeSheet: TypeAlias = str | PathLike[str] | Sheet
CardsGiven: TypeAlias = str | Sequence[str]
Sides: TypeAlias = Mapping[str, str] | None

_HOURS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,3})?", re.ASCII)
_ROUNDS = re.compile(r"[0-9][0-9_,]*|[0-9]+(?:\.[0-9]+)?e[0-9]{1,2}", re.IGNORECASE)


def sheet_of(given: SomeSheet | Any) -> Sheet:
    """The sheet itself, or the one of an id, an id@date or a path."""
    if isinstance(given, Sheet):
        return given
    if not isinstance(given, str | PathLike):
        raise SheetUnknown(say("api.no-sheet", given=_said(given)))
    return load_sheet(str(given))


def load_sheet(sheet: str, on: datetime.date | None = None) -> Sheet:
    """A rule sheet by id, id@date or path; the newest version, or the one in force on a day."""
    return Library().load(sheet, on or datetime.date.max)


def cards_of(given: CardsGiven | Any, name: str) -> tuple[Card, ...]:
    """Cards from one text or several: "As Kd", "AsKd", ["As", "Kd"]."""
    parts = [given] if isinstance(given, str) else given
    if not isinstance(parts, Sequence) or not all(isinstance(one, str) for one in parts):
        raise CardError(say("api.no-cards", name=name, given=_said(given)))
    try:
        return cards(" ".join(parts))
    except CardError as error:
        raise CardError(say("api.of", name=name, why=sentence_of(error))) from None


def bets_of(given: str | Sequence[str] | Any) -> list[str]:
    """Bets made so far, from "1x,3x" or ["1x", "3x"]."""
    parts = [given] if isinstance(given, str) else given
    if not isinstance(parts, Sequence) or not all(isinstance(one, str) for one in parts):
        raise PitbookError(say("api.no-bets", given=_said(given)))
    return " ".join(parts).lower().replace(",", " ").split()


def dollars_of(given: str, name: str) -> Cents:
    """Cents from dollars as text; a bare number is refused, for it could be cents."""
    if not isinstance(given, str):
        raise MoneyError(say("api.no-amount", name=name, given=_said(given)))
    try:
        return dollars(given)
    except MoneyError as error:
        raise MoneyError(say("api.of", name=name, why=sentence_of(error))) from None


def ante_of(given: str | None, name: str = "ante") -> Cents | None:
    """Cents, where something is given."""
    return None if given is None else dollars_of(given, name)


def sides_of(given: Sides) -> dict[str, Cents]:
    """Stakes by side wager, from {"stax": "5"}."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise PitbookError(say("api.no-sides", example='{"stax": "5"}', given=_said(given)))
    return {str(wager): dollars_of(stake, f"side {wager}") for wager, stake in given.items()}


def whole(given: int | Any, name: str) -> int:
    """A whole number."""
    if not isinstance(given, int) or isinstance(given, bool):
        raise PitbookError(say("api.no-whole", name=name, given=_said(given)))
    return given


def rounds_of(given: int | float | str) -> int:
    """How many rounds: 1_000_000, 1e6, "1e6"."""
    text = given if isinstance(given, str) else _digits(given)
    if not _ROUNDS.fullmatch(text):
        raise PitbookError(say("api.no-rounds", given=_said(given)))
    number = Fraction(text.replace(",", "").replace("_", ""))
    if number.denominator != 1:
        raise PitbookError(say("api.no-whole-rounds", given=_said(given)))
    return int(number)


def _digits(given: Any) -> str:
    if isinstance(given, bool) or not isinstance(given, int | float) or given != given // 1:
        return ""
    return f"{given:.0f}"


def hours_of(given: float | str | Fraction) -> Fraction:
    """How long: 4, 2.5 or "2.5"."""
    if isinstance(given, Fraction) and given >= 0:
        return given
    text = given if isinstance(given, str) else repr(given)
    if not _HOURS.fullmatch(text):
        raise PitbookError(say("api.no-hours", given=_said(given)))
    return Fraction(text)


def text_of(given: str, name: str) -> str:
    """A text."""
    if not isinstance(given, str):
        raise PitbookError(say("api.no-text", name=name, given=_said(given)))
    return given


def _said(given: Any) -> str:
    return show_value(given)
