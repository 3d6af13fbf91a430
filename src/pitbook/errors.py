"""Exceptions for misuse. A refused play is a value instead, `pitbook.Refusal`.

PitbookError
├── CardError        text that is not a card, or cards that no deck holds
├── ClientError      the server refused or cannot be reached
├── ExtraMissing     an optional package is not installed
├── LedgerError      money or a record that the ledger cannot accept
│   ├── CageRefused      the cage refuses: a closed drawer, a voided receipt
│   ├── InDoubt          the database failed; it is unknown whether the write succeeded
│   ├── NotNow           the ledger cannot be read now, or too many writers compete; retry
│   ├── Overdrawn        an account would go below zero
│   ├── RequestReused    a request id was used before with another body
│   └── Superseded       another process has taken over the stream
├── MoneyError       text that is not an amount or odds
├── PeopleError      a person who cannot be added, changed or signed in
│   ├── CodeNeeded       the password is right, but a second factor code is needed
│   ├── CodeWrong        a second factor code that is wrong or already used
│   └── Excluded         an excluded person, who cannot buy, enter or bet
├── RoundError       a round file or journal that cannot be settled or replayed
│   ├── FactError        a stored event that cannot be read
│   └── OddLimits        table limits that other rules of the sheet do not allow
├── SettingsError    a server setting that cannot be used
├── SheetError       a rule sheet that cannot be used
│   ├── SheetFrozen      an attempt to change a sheet in place
│   ├── SheetInvalid     the sheet has errors; carries every finding
│   └── SheetUnknown     no such sheet, file or version
└── ShoeError        a shoe, its seal or its proof that cannot be used
"""

from __future__ import annotations


class PitbookError(Exception):
    """Base of all errors that Pitbook raises on purpose; the text is a sentence for the user."""


class CardError(PitbookError, ValueError):
    """Text that is not a card, or cards that no deck holds."""


class ExtraMissing(PitbookError, ModuleNotFoundError):
    """A package is missing or cannot be loaded; the text has the command that installs it."""


class LedgerError(PitbookError):
    """Money or a record that the ledger cannot accept."""


class CageRefused(LedgerError):
    """The cage refuses: a closed drawer, a voided receipt."""


class InDoubt(LedgerError):
    """The database failed; it is unknown whether the write succeeded."""


class NotNow(LedgerError):
    """The ledger cannot be read now, or too many writers compete; retry."""


class Overdrawn(LedgerError):
    """An account would go below zero."""


class RequestReused(LedgerError):
    """A request id was used before with another body."""

    def __init__(self, request: str) -> None:
        super().__init__(
            f'Request id "{request}" was already used with a different body. '
            "Use a new id for a new request."
        )
        self.request = request


class Superseded(LedgerError):
    """Another process has taken over the stream."""


class MoneyError(PitbookError, ValueError):
    """Text that is not an amount or odds."""


class RoundError(PitbookError):
    """A round file or journal that cannot be settled or replayed."""


class FactError(RoundError):
    """A stored event that cannot be read."""


class SheetError(PitbookError):
    """A rule sheet that cannot be used."""


class SheetFrozen(SheetError, TypeError, AttributeError):
    """An attempt to change a sheet in place."""

    def __init__(self) -> None:
        super().__init__(
            "a sheet cannot be changed in place; "
            'pitbook.changed(sheet, {"main.pays.flush": "10:1"}) makes another one'
        )


class SheetUnknown(SheetError):
    """No such sheet, file or version."""


class ShoeError(PitbookError):
    """A shoe, its seal or its proof that cannot be used."""


class ClientError(PitbookError):
    """The server refused or cannot be reached; with the HTTP status if there was a response."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class PeopleError(PitbookError):
    """A person who cannot be added, changed or signed in."""


class CodeNeeded(PeopleError):
    """The password is right, but a second factor code is needed."""


class CodeWrong(PeopleError):
    """A second factor code that is wrong or already used."""


class Excluded(PeopleError):
    """An excluded person, who cannot buy, enter or bet."""


class SettingsError(PitbookError):
    """A server setting that cannot be used."""
