"""Schedules of tournaments, and the house rules for them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from pitbook.money import Cents, money
from pitbook.sheets.field_types import Entries, Money, Order, Rule, TomlTable, Words
from pitbook.text import Sentence, say

TournamentKind = Literal["hourly", "multi-table"]
Bound = Literal["min", "max", "step"]
WagerLimits = Entries[str, Entries[Bound, Money]]
WHOLE = 100


class Price(TomlTable):
    """A price, the charity's part of it, and the chips it buys."""

    costs: Money
    fee: Money | None = Field(default=None, description="The part kept for the charity.")
    chips: Money = Field(description="Tournament chips, written as the table's stakes are.")

    @property
    def charity_fee(self) -> Cents:
        return self.fee or Cents(0)

    @model_validator(mode="after")
    def _fee_is_a_part(self) -> Self:
        if self.charity_fee > self.costs:
            fields = {"fee": money(self.charity_fee), "costs": money(self.costs)}
            raise ValueError(say("nights.schedule.fee", **fields))
        return self


class Extra(Price):
    """A re-buy or an add-on: how many a player may buy, and until when."""

    player_max: Annotated[int, Field(ge=1, le=100)] = 1
    until_level: Annotated[int, Field(ge=1, le=100)] = Field(
        description="The last level, with the break behind it, in which it is sold."
    )
    chips_max: Money | None = Field(
        default=None, description="Sold only to a player with so many chips, or fewer."
    )


class Level(TomlTable):
    """A level with its own limits, and the break after it."""

    minutes: Annotated[int, Field(ge=1, le=600)]
    limits: WagerLimits = Field(
        default_factory=Entries, description='Other limits for wagers: ante = { min = "100" }.'
    )
    break_after: Annotated[int, Field(ge=0, le=600)] = 0

    @field_validator("limits")
    @classmethod
    def _in_one_order(cls, limits: WagerLimits) -> WagerLimits:
        """Sort the limits, so that equal levels compare equal however they are written."""
        ordered = {wager: Entries(sorted(limits[wager].items())) for wager in sorted(limits)}
        return Entries(ordered)


class PrizeRow(TomlTable):
    """How the prize money is shared from a number of entrants on: percents, first place first."""

    entrants: Annotated[int, Field(ge=1, le=10_000)]
    shares: Annotated[Order[Annotated[int, Field(ge=1, le=10_000)]], Field(min_length=1)]

    @model_validator(mode="after")
    def _somebody_has_each_place(self) -> Self:
        if len(self.shares) > self.entrants:
            fields = {"paid": len(self.shares), "entrants": self.entrants}
            raise ValueError(say("nights.schedule.places-paid", **fields))
        return self


class Schedule(TomlTable):
    """The terms of a tournament, fixed before anybody enters."""

    title: Words
    kind: TournamentKind
    sheet: Words = Field(description="The rule sheet that it is played by.")
    higher_limit: bool = Field(
        default=False, description="Whether the event's higher spending limit is used here."
    )
    buy_in: Price
    re_buy: Extra | None = None
    add_on: Extra | None = None
    enter_until_level: Annotated[int, Field(ge=0, le=100)] = Field(
        default=0, description="The last level in which a player may still enter; 0: first card."
    )
    seats: Annotated[int, Field(ge=2, le=12)] = Field(description="Seats at a table.")
    levels: Annotated[Order[Level], Field(min_length=1, max_length=100)]
    ends: Literal["one-left", "clock"] = Field(
        default="one-left", description='"clock": chip counts place who is left at the end.'
    )
    prizes: Annotated[Order[PrizeRow], Field(min_length=1)]

    @model_validator(mode="after")
    def _rows_rise_from_two(self) -> Self:
        if self.prizes[0].entrants > 2:
            entrants = self.prizes[0].entrants
            raise ValueError(say("nights.schedule.no-prizes", entrants=entrants))
        if any(low.entrants >= high.entrants for low, high in pairwise(self.prizes)):
            raise ValueError(say("nights.schedule.rows-rise"))
        return self

    def shares(self, entrants: int) -> tuple[int, ...]:
        """The shares of the prize money, first place first."""
        rows = [row.shares for row in self.prizes if row.entrants <= entrants]
        return rows[-1] if rows else (WHOLE,)  # A single entrant gets everything.

    def limits(self, level: int) -> dict[str, dict[str, str]]:
        """A level's limits in the format of `table.limits.with_limits`."""
        level_limits = self.levels[level - 1].limits
        return {
            wager: {bound: money(amount) for bound, amount in bounds.items()}
            for wager, bounds in level_limits.items()
        }


def odd_shares(schedule: Schedule) -> Iterator[tuple[int, Sentence]]:
    """The rows of the prize table that do not add up to 100%. Old records contain some."""
    for number, row in enumerate(schedule.prizes):
        if (total := sum(row.shares)) != WHOLE:
            yield number, say("nights.schedule.shares", entrants=row.entrants, total=total)


def announcement(schedule: Schedule) -> Sentence:
    """The cost in the words of the game schedule (OMS-11)."""
    extras = _extra_text("re-buy", schedule.re_buy), _extra_text("add-on", schedule.add_on)
    fields = {"title": schedule.title, "costs": schedule.buy_in.costs}
    return say("nights.words.announcement", **fields, re_buy=extras[0], add_on=extras[1])


def _extra_text(purchase: str, price: Extra | None) -> Sentence:
    if price is None:
        return say("nights.words.none-sold", what=purchase)
    fields = {"costs": price.costs, "times": price.player_max, "level": price.until_level}
    return say("nights.words.sold", what=purchase, **fields)


class Announcement(Rule):
    """Whether the brush must announce the cost before a card is dealt."""

    required: bool = True


class Spending(Rule):
    """The maximum that a player spends on one tournament: buy-in, re-buys and add-ons together."""

    player_max: Money


class HigherSpending(Spending):
    """The higher limit that a few tournaments of an event may have."""

    per_event: Annotated[int, Field(ge=0, le=1)] = Field(
        description="How many tournaments of one event may have it."
    )


class Refunds(Rule):
    """Until when a player who leaves is refunded."""

    until: Literal["first-card", "never"]
    in_doubt: Literal["none", "given"] = Field(
        description="What holds where nobody can say whether it was in time."
    )


class HourlyCut(Rule):
    """An interrupted hourly tournament is void unless only a few players are left."""

    placed_by_chips_max: Annotated[int, Field(ge=0, le=100)] = Field(
        description="With so many players left, or fewer, the chip count places them."
    )
    equal_chips: Literal["share", "draw"] = Field(
        default="share", description="draw: a recorded draw places those with equal chips."
    )


class MultiTableCut(Rule):
    """An interrupted multi-table tournament: the remaining prize money is divided."""

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
        return self.higher_spending if higher and self.higher_spending else self.spending
