"""Red dog rule sheets: two open cards, and a bet that the third falls between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from pitbook.hands.kinds import Kind
from pitbook.money import Cents
from pitbook.sheets.field_types import Choice, Direction, Rule, Words, choice, descriptive_field
from pitbook.sheets.model import FurtherBet, MainWager, NamedBet, Sheet
from pitbook.sheets.model import Main as PayTable
from pitbook.sheets.model import Settlement as Settled
from pitbook.sheets.pay_tables import Scope

FIRST, BOARD = 2, 3  # Open cards before the decision, and in all.
SPREADS = tuple(range(1, 12))
# Rising: a third card outside, the two pushes, then the spreads, the narrowest last.
KINDS = (
    *("outside", "consecutive", "pair"),
    *(f"spread-{ranks}" for ranks in reversed(SPREADS)),
    "three-of-a-kind",
)
_OR_MORE = re.compile(r"spread-([1-9]|1[01])-or-more", re.ASCII)


class Deal(Rule):
    """Two open cards, then one; players have none of their own."""

    direction: ClassVar[Direction] = "left-to-right"
    order: ClassVar[tuple[str, ...]] = ("community",)
    at_a_time: ClassVar[None] = None


class Raising(Rule):
    """A second wager after the spread is known."""

    title: Words = descriptive_field()
    times: Annotated[int, Field(ge=1, le=10)] = Field(description="Multiples of the Bet, exactly.")


class RedDog(Sheet):
    """A rule sheet of the red dog family."""

    main_id: ClassVar[str] = "bet"
    unit: ClassVar[tuple[str, str]] = ("Bet", "Bets")
    board_word: ClassVar[Literal["community"]] = "community"
    board_card: ClassVar[str] = "a card"
    looks_at: ClassVar[Mapping[str, str]] = {}

    family: Literal["red-dog"]
    deal: Deal
    bet: MainWager
    raising: Raising
    main: PayTable
    settlement: Settled
    absent: Choice[Literal["stand", "raise"]] = Field(
        default=choice("stand", "GEN-10"), description="What is done for an absent player."
    )

    @property
    def hand_cards(self) -> int:
        """None: all cards are shared."""
        return 0

    @property
    def board_cards(self) -> int:
        return BOARD

    @property
    def units_min(self) -> int:
        return 1

    @property
    def units_max(self) -> int:
        """The Bet and the raise."""
        return 1 + self.raising.times

    @property
    def wager_order(self) -> tuple[str, ...]:
        """The Bet, then the raise."""
        return ("bet", "raised", *self.side)

    @property
    def has_fold(self) -> bool:
        return False

    @property
    def shows_folded(self) -> bool:
        return False

    @property
    def largest_stakes(self) -> tuple[Cents, ...]:
        """The Bet and the raise."""
        return (self.bet.max, Cents(self.bet.max * self.raising.times))

    def further_bets(self) -> Iterator[FurtherBet]:
        times = self.raising.times
        yield FurtherBet(lambda: "the raise", ("raising", "times"), self.bet.max * times, times)

    def named_bets(self) -> Iterator[NamedBet]:
        """None: the raise has no id in the sheet."""
        return iter(())


def scope(sheet: RedDog, wager: str) -> Scope | None:
    """The outcomes that the main pay table may list; there are no side wagers."""
    return spread_scope() if wager == "main" else None


@cache
def spread_scope() -> Scope:
    """Every spread by name, or a spread and all wider ones, as in "spread-4-or-more"."""
    kinds = tuple(Kind(name, frozenset({name})) for name in KINDS)
    wider = tuple(f"spread-{ranks}-or-more" for ranks in SPREADS)
    return Scope("outcome of red dog", kinds, (*reversed(KINDS), *wider), _atoms)


def _atoms(line: str) -> frozenset[str] | None:
    if match := _OR_MORE.fullmatch(line):
        return frozenset(f"spread-{ranks}" for ranks in SPREADS if ranks >= int(match[1]))
    return frozenset({line}) if line in KINDS else None
