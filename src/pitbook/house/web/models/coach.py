"""What the coach answers, as types."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from pitbook.house.table.api_types import Recorded
from pitbook.rules.report import StakedWager
from pitbook.train.shapes import AdviceTold, DecisionTold, LuckShare, PlayWeighed, ScoreTold


class AdviceGiven(TypedDict):
    """What each play is worth, in antes or Bets."""

    advice: AdviceTold
    accepted: Recorded


class PlayTried(PlayWeighed):
    """A play held against the others, and the street that it is for."""

    street: str
    street_title: str


class WeighedUp(TypedDict):
    """What the play gives away, and what every other is worth."""

    weighed: PlayTried
    accepted: Recorded


class ScoreSummed(ScoreTold):
    """A score in words, over so many rounds."""

    rounds: int
    sentence: str | None


class Looked(TypedDict):
    """Practice looked back on: `summary` of what passes the filters, `all` of everything.

    `currency`: what it is in, where that is no US dollars; CHIPS where it is in several.
    """

    currency: NotRequired[str]

    summary: ScoreSummed
    all: ScoreSummed
    first_choice: ScoreTold
    unaided: ScoreTold
    luck: LuckShare
    total: int
    decisions: list[DecisionTold]


class LookedBack(Looked):
    """Whose practice it was; at one table, or at all that still stand."""

    player: str
    table: str | None


class PastDecision(TypedDict):
    """A decision of the past, to be practised again."""

    round: str
    stage: int
    street: str
    street_title: str
    cards: list[str]
    board: list[str]
    before: list[str]
    seat: int
    wagers: list[StakedWager]


class SpotArranged(TypedDict):
    """What the next round brings, and the shoe that it is dealt from."""

    spot: PastDecision | None
    shoe: str
    accepted: Recorded
