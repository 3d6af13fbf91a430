"""How practice goes: how often right, how fast, by kind and by day; and what came of errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from pitbook.spreadsheet import csv_text
from pitbook.text import Sentence, say
from pitbook.train.drills.learning import AnsweredItem
from pitbook.train.drills.spotting import CLEAN

HANDS_AN_HOUR = 60  # What a floor expects of a dealer, where nobody says otherwise.
COLUMNS = (
    *("at", "sheet", "hash", "kind", "seed", "level", "right", "answer", "given", "seconds"),
    "hints",
)


@dataclass(frozen=True)
class DrillTally:
    """Questions, right answers, and what a right one took in the middle."""

    asked: int
    right: int
    ms: int | None

    @property
    def hands_an_hour(self) -> int | None:
        """How many such questions would be done in an hour."""
        return 3_600_000 // self.ms if self.ms else None

    def told(self) -> Sentence:
        """The tally in one sentence."""
        if self.ms is None:
            return say("drills.tally", right=self.right, asked=self.asked)
        seconds = f"{self.ms / 1000:.1f}"
        hands = self.hands_an_hour
        return say(
            "drills.tally-timed", right=self.right, asked=self.asked, seconds=seconds, hands=hands
        )


@dataclass(frozen=True)
class PracticeDay:
    """A day of practice."""

    day: str
    tally: DrillTally


def tally(answers: Iterable[AnsweredItem]) -> DrillTally:
    """All answers as one."""
    made = list(answers)
    times = [one.ms for one in made if one.right]
    return DrillTally(len(made), len(times), max(1, round(median(times))) if times else None)


def by_kind(answers: Iterable[AnsweredItem]) -> dict[str, DrillTally]:
    """The tally of each kind, in the order in which kinds came."""
    made = list(answers)
    kinds = dict.fromkeys(one.kind for one in made)
    return {kind: tally(one for one in made if one.kind == kind) for kind in kinds}


def by_sheet(answers: Iterable[AnsweredItem]) -> dict[str, DrillTally]:
    """The tally of each sheet."""
    answer_list = list(answers)
    sheets = dict.fromkeys(answer.sheet for answer in answer_list)
    return {
        sheet: tally(answer for answer in answer_list if answer.sheet == sheet) for sheet in sheets
    }


def by_day(answers: Iterable[AnsweredItem]) -> list[PracticeDay]:
    """The tally of each day on which something was answered, oldest first."""
    made = list(answers)
    days = sorted({one.at[:10] for one in made})
    return [PracticeDay(day, tally(one for one in made if one.at[:10] == day)) for day in days]


def spotted(answers: Iterable[AnsweredItem]) -> dict[str, int]:
    """Of rounds with a mistake or none: catches, misses, false alarms, and what went rightly on."""
    counts = Counter(_spotted(one) for one in answers if one.kind == "spot-error")
    return {what: counts[what] for what in ("catch", "miss", "false-alarm", "elsewhere", "clean")}


def _spotted(one: AnsweredItem) -> str:
    if one.wanted == CLEAN:
        return "clean" if one.right else "false-alarm"
    if one.right:
        return "catch"
    return "miss" if one.given == CLEAN else "elsewhere"


def csv_of(answers: Iterable[AnsweredItem]) -> str:
    """Answers as comma-separated values, a header first."""
    return csv_text([COLUMNS, *map(_row, answers)])


def _row(one: AnsweredItem) -> list[str]:
    return [
        *(one.at, one.sheet, one.hash, one.kind, one.seed, str(one.level)),
        *("yes" if one.right else "no", one.wanted, one.given, f"{one.ms / 1000:.1f}"),
        str(one.hints),
    ]
