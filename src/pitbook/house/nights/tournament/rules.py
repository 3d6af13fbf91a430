"""What a house allows in a tournament: each number with its clause beside it, none in code."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pitbook.sheets.values import Money, Rule, TomlTable


class Announcement(Rule):
    """Whether the brush must have told the cost before a card is dealt."""

    required: bool = True


class Spending(Rule):
    """The most that a player spends on one tournament: buy-in, re-buys and add-ons together."""

    player_max: Money


class HigherSpending(Spending):
    """The limit that a few tournaments of an event may have instead."""

    per_event: Annotated[int, Field(ge=0, le=1)] = Field(
        description="How many tournaments of one event may have it."
    )


class Refunds(Rule):
    """Until when a player who leaves has the money back."""

    until: Literal["first-card", "never"]
    in_doubt: Literal["none", "given"] = Field(
        description="What holds where nobody can say whether it was in time."
    )


class HourlyCut(Rule):
    """An hourly tournament that is cut short: void, unless only a few players are left."""

    placed_by_chips_max: Annotated[int, Field(ge=0, le=100)] = Field(
        description="With so many players left, or fewer, the chip count places them."
    )
    equal_chips: Literal["share", "draw"] = Field(
        default="share", description="draw: a recorded draw places those with equal chips."
    )


class MultiTableCut(Rule):
    """A multi-table tournament that is cut short: what is left is divided."""

    hand: Literal["completed-if-agreed", "dead"] = Field(
        description="What becomes of a hand that can be read."
    )
    divided: Literal["evenly", "by-chips"] = Field(
        default="evenly", description="by-chips: in proportion to the chips of those still in."
    )
    odd_cents: Literal["draw", "first-entered"] = Field(
        default="draw", description="draw: by lot, on record; first-entered: to who came first."
    )


class TournamentRules(TomlTable):
    """The tournament rules of a house."""

    announcement: Announcement
    spending: Spending
    higher_spending: HigherSpending | None = None
    refunds: Refunds
    hourly: HourlyCut
    multi_table: MultiTableCut

    def limit(self, *, higher: bool) -> Spending:
        """The spending limit of a tournament."""
        return self.higher_spending if higher and self.higher_spending else self.spending
