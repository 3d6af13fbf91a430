"""What the pit asks of a table: fills and credits by two, dealers, colour-ups, announced limits."""

from __future__ import annotations

from typing import Any, NamedTuple

from pitbook.money import Cents

__all__ = [
    "AnnounceSheet",
    "AskCredit",
    "AskFill",
    "ColourUp",
    "GrantRack",
    "RefuseRack",
    "SignOff",
    "SignOn",
]


class AskFill(NamedTuple):
    """The rack runs low: somebody else shall put so much into it."""

    amount: Cents
    why: str


class AskCredit(NamedTuple):
    """The rack is too full: somebody else shall let so much go back to the house."""

    amount: Cents
    why: str


class GrantRack(NamedTuple):
    """A fill or a credit that was asked for is given, by somebody else than its asker."""

    number: int


class RefuseRack(NamedTuple):
    """A fill or a credit that was asked for is not given."""

    number: int
    why: str


class SignOn(NamedTuple):
    """I deal from now on; whoever dealt before is relieved."""


class SignOff(NamedTuple):
    """Whoever deals is relieved, and nobody follows."""


class ColourUp(NamedTuple):
    """A player's small chips are changed for larger ones, worth the same."""

    seat: int
    amount: Cents


class AnnounceSheet(NamedTuple):
    """Another rule sheet from the first round on that opens so many minutes from now."""

    sheet: dict[str, Any]
    minutes: int
    why: str
