"""Misuse, as a tree of exceptions; a refused play is no exception but a value (see the engine).

PitbookError
├── CardError        text that is no card, or cards that no deck holds
├── ClientError      the server said no, or cannot be reached
├── ExtraMissing     a package that is not part of every installation
├── LedgerError      money or a record that the book cannot take
│   ├── CageRefused      the counter says no: a drawer that is closed, a receipt that is undone
│   ├── InDoubt          the database failed; it is not known whether it was written
│   ├── Overdrawn        an account would go below zero
│   ├── RequestReused    a request's id came before with another body
│   └── Superseded       another process has taken over the stream
├── MoneyError       text that is no amount or no odds
├── PeopleError      a person who cannot be added, changed or let in
│   ├── CodeNeeded       the password is right, and a code of the second factor is needed too
│   ├── CodeWrong        a code of the second factor that is wrong or used
│   └── Excluded         somebody who can buy, enter and bet nothing
├── RoundError       a round file or journal that cannot be settled or replayed
│   ├── FactError        a fact on record that nobody can read
│   └── OddLimits        limits of a table that the sheet's other rules do not allow
├── SettingsError    a setting of the server that cannot be used
├── SheetError       a rule sheet that cannot be used
│   ├── SheetFrozen      a sheet, or a part of one, that somebody tried to change in place
│   ├── SheetInvalid     the sheet itself is wrong; carries every finding
│   └── SheetUnknown     no such sheet, file or version
└── ShoeError        a shoe, its seal or its proof that cannot be used
"""

from __future__ import annotations


class PitbookError(Exception):
    """Every error that Pitbook raises on purpose; its text is a sentence for the user."""


class CardError(PitbookError, ValueError):
    """Text that is no card, or cards that no deck holds."""


class ExtraMissing(PitbookError):
    """A package is missing or cannot be loaded; the text has the command that installs it."""


class LedgerError(PitbookError):
    """Money or a record that the book cannot take."""


class CageRefused(LedgerError):
    """The counter says no: a drawer that is closed, a receipt that is undone."""


class InDoubt(LedgerError):
    """The database failed: it is not known whether something was written."""


class NotNow(LedgerError):
    """The book cannot be read at this moment, or too many write to it: ask again."""


class Overdrawn(LedgerError):
    """An account would go below zero."""


class RequestReused(LedgerError):
    """A request's id came before with another body."""

    def __init__(self, request: str) -> None:
        super().__init__(
            f'request "{request}" came before with another body; '
            "a new request needs an id of its own"
        )
        self.request = request


class Superseded(LedgerError):
    """Another process has taken over the stream."""


class MoneyError(PitbookError, ValueError):
    """Text that is no amount of money or no odds."""


class RoundError(PitbookError):
    """A round file or journal that cannot be settled or replayed."""


class FactError(RoundError):
    """A fact on record that nobody can read."""


class SheetError(PitbookError):
    """A rule sheet that cannot be used."""


class SheetFrozen(SheetError, TypeError, AttributeError):
    """A sheet, or a part of one, that somebody tried to change in place."""

    def __init__(self) -> None:
        super().__init__(
            "a sheet cannot be changed in place; "
            'pitbook.changed(sheet, {"main.pays.flush": "10:1"}) makes another one'
        )


class SheetUnknown(SheetError):
    """No sheet, file or version of that name."""


class ShoeError(PitbookError):
    """A shoe, its seal or its proof that cannot be used."""


class ClientError(PitbookError):
    """The server said no, or cannot be reached; with the status where there was one."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class PeopleError(PitbookError):
    """A person who cannot be added, changed or let in."""


class CodeNeeded(PeopleError):
    """The password is right, and a code of the second factor is needed too."""


class CodeWrong(PeopleError):
    """A code of the second factor that is wrong or used."""


class Excluded(PeopleError):
    """Somebody who can buy, enter and bet nothing."""


class SettingsError(PitbookError):
    """A setting of the server that cannot be used."""
