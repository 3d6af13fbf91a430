"""Schedules of tournaments, and the house rules for them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from pitbook.money import Cents, money
from pitbook.sheets.values import Entries, Money, Order, Rule, TomlTable, Words
from pitbook.text import Sentence, say

TournamentKind = Literal["hourly", "multi-table"]
Bound = Literal["min", "max", "step"]
WagerLimits = Entries[str, Entries[Bound, Money]]
WHOLE = 100


class Price(TomlTable):
    """What a player pays, the part of it that the charity keeps, and the chips it buys."""

    costs: Money
    fee: Money | None = Field(default=None, description="The part kept for the charity.")
    chips: Money = Field(description="Tournament chips, written as the table's stakes are.")

    @property
    def kept(self) -> Cents:
        """The part kept for the charity."""
        return self.fee or Cents(0)

    @model_validator(mode="after")
    def _fee_is_a_part(self) -> Self:
        if self.kept > self.costs:
            part = {"fee": money(self.kept), "costs": money(self.costs)}
            raise ValueError(say("nights.schedule.fee", **part))
        return self


class Extra(Price):
    """A re-buy or an add-on: how many a player may have, and until when."""

    player_max: Annotated[int, Field(ge=1, le=100)] = 1
    until_level: Annotated[int, Field(ge=1, le=100)] = Field(
        description="The last level, with the break behind it, in which it is sold."
    )
    chips_max: Money | None = Field(
        default=None, description="Sold only to a player with so many chips, or fewer."
    )


class Level(TomlTable):
    """A stretch of play under limits of its own, and the break behind it."""

    minutes: Annotated[int, Field(ge=1, le=600)]
    limits: WagerLimits = Field(
        default_factory=Entries, description='Other limits for wagers: ante = { min = "100" }.'
    )
    break_after: Annotated[int, Field(ge=0, le=600)] = 0

    @field_validator("limits")
    @classmethod
    def _in_one_order(cls, limits: WagerLimits) -> WagerLimits:
        """A level is the same however its limits are written down; records sort them."""
        ordered = {wager: Entries(sorted(limits[wager].items())) for wager in sorted(limits)}
        return Entries(ordered)


class PrizeRow(TomlTable):
    """How the prize money is shared from so many entrants on: percents, first place first."""

    entrants: Annotated[int, Field(ge=1, le=10_000)]
    shares: Annotated[Order[Annotated[int, Field(ge=1, le=10_000)]], Field(min_length=1)]

    @model_validator(mode="after")
    def _somebody_has_each_place(self) -> Self:
        if len(self.shares) > self.entrants:
            row = {"paid": len(self.shares), "entrants": self.entrants}
            raise ValueError(say("nights.schedule.places-paid", **row))
        return self


class Schedule(TomlTable):
    """All that is fixed about a tournament before anybody enters."""

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
        return rows[-1] if rows else (WHOLE,)  # Whoever is alone has it all.

    def limits(self, level: int) -> dict[str, dict[str, str]]:
        """The limits of a level as `table.limits.with_limits` takes them."""
        given = self.levels[level - 1].limits
        return {
            wager: {bound: money(amount) for bound, amount in bounds.items()}
            for wager, bounds in given.items()
        }


def odd_shares(schedule: Schedule) -> Iterator[tuple[int, Sentence]]:
    """The rows of the prize table that do not share out 100%; on record there are older ones."""
    for place, row in enumerate(schedule.prizes):
        if (total := sum(row.shares)) != WHOLE:
            yield place, say("nights.schedule.shares", entrants=row.entrants, total=total)


def announcement(schedule: Schedule) -> Sentence:
    """What it costs, in the words of the game schedule (OMS-11)."""
    again = _extra("re-buy", schedule.re_buy), _extra("add-on", schedule.add_on)
    told = {"title": schedule.title, "costs": schedule.buy_in.costs}
    return say("nights.words.announcement", **told, re_buy=again[0], add_on=again[1])


def _extra(what: str, price: Extra | None) -> Sentence:
    if price is None:
        return say("nights.words.none-sold", what=what)
    sold = {"costs": price.costs, "times": price.player_max, "level": price.until_level}
    return say("nights.words.sold", what=what, **sold)


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
