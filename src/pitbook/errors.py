"""Misuse, as a tree of exceptions; a refused play is no exception but a value (see the engine).

PitbookError
├── CardError        text that is no card, or cards that no deck holds
├── MoneyError       text that is no amount or no odds
├── RoundError       a round file or journal that cannot be settled or replayed
└── SheetError       a rule sheet that cannot be used
    ├── SheetInvalid     the sheet itself is wrong; carries every finding
    └── SheetUnknown     no such sheet, file or version
"""

from __future__ import annotations


class PitbookError(Exception):
    """Every error that Pitbook raises on purpose; its text is a sentence for the user."""


class CardError(PitbookError, ValueError):
    """Text that is no card, or cards that no deck holds."""


class MoneyError(PitbookError, ValueError):
    """Text that is no amount of money or no odds."""


class RoundError(PitbookError):
    """A round file or journal that cannot be settled or replayed."""


class SheetError(PitbookError):
    """A rule sheet that cannot be used."""


class SheetUnknown(SheetError):
    """No sheet, file or version of that name."""
