"""What has happened to names: who is known by which, and who was shut out and let in again."""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from pitbook.house.streams.codec import Codec

__all__ = [
    "FACTS",
    "Exclusion",
    "Fact",
    "Joined",
    "Named",
    "OwnLimits",
    "Readmitted",
    "Rest",
    "TakenUp",
]

FACTS: Codec[Fact] = Codec("the register of persons")


@FACTS.fact("taken-up")
class TakenUp(NamedTuple):
    """Who was known before names were kept."""

    names: tuple[str, ...]


@FACTS.fact("named")
class Named(NamedTuple):
    """Somebody is known by a name from now on."""

    name: str


@FACTS.fact("joined")
class Joined(NamedTuple):
    """A guest is somebody with a name."""

    guest: str
    name: str


@FACTS.fact("excluded")
class Exclusion(NamedTuple):
    """Somebody is shut out to the end of a day where the house is, or for good."""

    name: str
    until: str | None
    zone: str
    why: str
    by: str
    at: str

    def holds(self, now: datetime) -> bool:
        """Whether it still holds: the day itself is part of it."""
        if self.until is None:
            return True
        return now.astimezone(ZoneInfo(self.zone)).date() <= date.fromisoformat(self.until)


@FACTS.fact("readmitted")
class Readmitted(NamedTuple):
    """An exclusion was ended before its day."""

    name: str
    why: str
    by: str


@FACTS.fact("rest-taken")
class Rest(NamedTuple):
    """Somebody shut themselves out, until a moment or for good; nobody can end it before."""

    name: str
    until: str | None
    at: str

    def holds(self, now: datetime) -> bool:
        """Whether it still holds."""
        return self.until is None or now < datetime.fromisoformat(self.until)


@FACTS.fact("limits-set")
class OwnLimits(NamedTuple):
    """What somebody allows themselves a day: a loss in cents, and minutes; None is no limit."""

    name: str
    loss: int | None
    minutes: int | None
    at: str


Fact: TypeAlias = TakenUp | Named | Joined | Exclusion | Readmitted | Rest | OwnLimits
