"""One player's session: a bankroll, a pace, an end, and what will have become of the money."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor

from pitbook.exact.methods.ladder.structure import Terms
from pitbook.money import Cents, money
from pitbook.simulate.plans.plan import Plan, SimulationError
from pitbook.simulate.sessions.nets import nets_of
from pitbook.simulate.sessions.purse import BankrollLevel, levels
from pitbook.text import say

RUIN, STOP_LOSS, GOAL, TIME = "ruin", "stop_loss", "goal", "time"  # Why a player stops.
ROUNDS_MAX = 100_000
HOURS_MAX = 120  # In longer sessions only every second hour is looked at, every third, ...
MARKS = 48  # Moments at which a fan chart looks, besides the hours.


@dataclass(frozen=True)
class Session:
    """What a player sets out with and when he stops; looked at after every round."""

    plan: Plan
    bankroll: Cents
    hours: Fraction
    hands_per_hour: int
    stop_loss: Cents | None
    goal: Cents | None

    @property
    def rounds(self) -> int:
        """Rounds until the time is up."""
        return floor(self.hours * self.hands_per_hour)

    @cached_property
    def levels(self) -> tuple[BankrollLevel, ...]:
        """How a round is played at every bankroll; below the least of all, none is."""
        return levels(self.plan)

    @property
    def stake_min(self) -> Cents:
        """The least that takes a hand to its showdown."""
        return self.levels[0].least

    @property
    def stake_max(self) -> Cents:
        """What covers every bet that the strategy makes."""
        return self.levels[-1].least

    @property
    def leaves_at(self) -> int:
        """The bankroll at or below which a stop-loss sends the player home; -1 without one."""
        return -1 if self.stop_loss is None else self.bankroll - self.stop_loss

    @property
    def reached_at(self) -> int | None:
        """The bankroll at or above which the goal is reached."""
        return None if self.goal is None else self.bankroll + self.goal

    @property
    def overlooked(self) -> tuple[str, ...]:
        """Side wagers that matter to a decision; seats play by the main game all the same."""
        plan, side = self.plan, dict(self.plan.side)
        if plan.strategy.knows_classes:
            return Terms(plan.game, plan.ante, True, side).affected_side_wagers
        return tuple(one.wager for one in plan.game.asked if one.wager in side and not one.survives)

    @cached_property
    def played_at(self) -> tuple[BankrollLevel, ...]:
        """The levels that a player who is still in his seat can come to."""
        above = [level.least for level in self.levels[1:]]
        return tuple(
            level
            for level, next_one in zip(self.levels, [*above, None], strict=True)
            if next_one is None or next_one > self.leaves_at + 1
        )

    @cached_property
    def nets(self) -> tuple[dict[int, Fraction], ...]:
        """For each of these levels what a round nets in cents, and how likely."""
        return tuple(nets_of(level.plan) for level in self.played_at)

    @property
    def hourly(self) -> tuple[int, ...]:
        """The rounds after which an hour is over, and the last one."""
        apart = self.hands_per_hour * ceil(self.hours / HOURS_MAX)
        return tuple(sorted({*range(0, self.rounds + 1, apart), self.rounds}))

    @cached_property
    def marks(self) -> tuple[int, ...]:
        """The rounds after which the bankroll is looked at: hours, and moments between."""
        between = (self.rounds * place // MARKS for place in range(MARKS + 1))
        return tuple(sorted({*self.hourly, *between}))

    def document(self) -> dict[str, object]:
        """What the answer rests on, as JSON carries it."""
        plan = self.plan.document()
        kept = ("ante", "side", "seats", "strategy", "mistakes", "shoe")
        return {
            **{name: plan[name] for name in kept if name in plan},
            "bankroll": money(self.bankroll),
            "hours": float(self.hours),
            "hands_per_hour": self.hands_per_hour,
            "rounds": self.rounds,
            "stop_loss": None if self.stop_loss is None else money(self.stop_loss),
            "goal": None if self.goal is None else money(self.goal),
            "overlooked": list(self.overlooked),
            "stake_min": money(self.stake_min),
            "stake_max": money(self.stake_max),
        }


def session(
    plan: Plan,
    *,
    bankroll: Cents,
    hours: Fraction,
    hands_per_hour: int = 40,
    stop_loss: Cents | None = None,
    goal: Cents | None = None,
) -> Session:
    """A session that can be played; raises with a sentence where it cannot."""
    made = Session(plan, bankroll, hours, hands_per_hour, stop_loss, goal)
    if not 1 <= hands_per_hour <= 10_000:
        raise SimulationError(say("simulate.hands-an-hour", given=hands_per_hour))
    if not 1 <= made.rounds <= ROUNDS_MAX:
        long = {"hours": f"{float(hours):g}", "hands": hands_per_hour, "rounds": made.rounds}
        raise SimulationError(say("simulate.session-rounds", most=ROUNDS_MAX, **long))
    if bankroll < made.stake_min:
        least = {"bankroll": bankroll, "least": made.stake_min}
        raise SimulationError(say("simulate.bankroll", **least))
    if stop_loss is not None and not 0 < stop_loss <= bankroll:
        stop = {"bankroll": bankroll, "given": stop_loss}
        raise SimulationError(say("simulate.stop-loss", **stop))
    if goal is not None and goal <= 0:
        raise SimulationError(say("simulate.goal"))
    return made
