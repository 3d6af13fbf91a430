"""The kinds of drills a game allows, and the choice of the next question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Literal, NamedTuple

from pitbook.drills import hands as reading
from pitbook.drills import irregularities as clauses
from pitbook.drills import irregularities as irregular
from pitbook.drills import memory as heart
from pitbook.drills import paying, procedure
from pitbook.drills import paying as caps
from pitbook.drills import spot_error as spotting
from pitbook.drills.item import Item
from pitbook.drills.memory import facts_of
from pitbook.drills.progress import Standing, level_of
from pitbook.drills.rounds import Draws
from pitbook.errors import PitbookError
from pitbook.rules.game import Game
from pitbook.sheets.findings import did_you_mean
from pitbook.text import Sentence, say

TRIES = 4_000  # Rounds that are dealt until one fits a question; most kinds need a few.
SAMPLES, TRIES_EACH = 4, 60  # A kind is allowed where so many questions come so soon.
_FACT = " by heart "
MakeItem = Callable[[Game, Draws], Item | None]


class DrillKind(NamedTuple):
    """A kind of question: whether a game has it, and how one is made."""

    id: str
    fits: Callable[[Game], bool]
    make: MakeItem


def _always(game: Game) -> bool:
    return True


def _has_seats(game: Game) -> bool:
    return game.sheet.seats.count > 1


KINDS: dict[str, DrillKind] = {
    one.id: one
    for one in (
        DrillKind("pay-hand", _always, paying.pay_hand),
        DrillKind("cut-chips", _always, paying.cut_chips),
        DrillKind("settle-table", _has_seats, paying.settle_table),
        DrillKind("what-becomes", _always, paying.what_becomes),
        DrillKind("after-fold", heart.has_fold_and_sides, heart.after_fold),
        DrillKind("read-hand", reading.has_lines, reading.read_hand),
        DrillKind("best-cards", reading.has_choice_of_cards, reading.best_cards),
        DrillKind("qualifies", reading.has_qualifying, reading.qualifies),
        DrillKind("arrange", reading.has_areas, reading.arrange),
        DrillKind("points", reading.has_areas, reading.points),
        DrillKind("shares", caps.has_caps, caps.shares),
        DrillKind("odds", heart.has_odds, heart.odds),
        DrillKind("bounds", _always, heart.bounds),
        DrillKind("next-step", _always, procedure.next_step),
        DrillKind("paying-order", _has_seats, procedure.paying_order),
        DrillKind("dealing-order", _has_seats, procedure.dealing_order),
        DrillKind("what-now", _always, irregular.what_now),
        DrillKind("which-clause", clauses.has_places, clauses.which_clause),
        DrillKind("spot-error", _always, spotting.spot_error),
    )
}


@lru_cache(maxsize=200)
def allowed(game: Game) -> tuple[str, ...]:
    """The kinds that a game's rules allow: its structure fits, and a question comes of it."""
    fits = (kind for kind in KINDS.values() if kind.fits(game))
    return tuple(
        one.id
        for one in fits
        if all(_made(game, one, f"sample {n}", TRIES_EACH) for n in range(SAMPLES))
    )


def drill(game: Game, kind: str, seed: str) -> Item:
    """The question of a kind that a seed stands for; raises PitbookError where there is none."""
    fact = seed.partition(_FACT)[0] if _FACT in seed else None
    if fact in heart.facts_of(game) and kind_of_fact(fact) == kind:
        return heart.item_of(game, Draws(f"{game.digest}/{seed}"), fact)
    found = _made(game, kind_of(kind), seed)
    if found is None:
        fields = {"kind": title_of(kind), "title": game.sheet.title}
        raise PitbookError(say("drills.not-here", **fields))
    return found


def by_fact(fact: str, seed: str) -> str:
    """The seed of a question for one fact."""
    return f"{fact}{_FACT}{seed}"


def kind_of_fact(fact: str) -> str:
    """The kind of question that asks for a fact."""
    return "odds" if fact.startswith("odds/") else "bounds"


def kind_of(text: str) -> DrillKind:
    """A kind by its id; raises PitbookError with one that is near."""
    if text not in KINDS:
        remedy = did_you_mean(text, list(KINDS))
        raise PitbookError(say("drills.no-kind", kind=text, remedy=remedy))
    return KINDS[text]


def title_of(kind: str) -> Sentence:
    """What a kind is called."""
    return say("drills.kind", kind=kind)


def _made(game: Game, kind: DrillKind, seed: str, tries: int = TRIES) -> Item | None:
    if not kind.fits(game):
        return None
    luck = Draws(f"{game.digest}/{kind.id}/{seed}")
    for _ in range(tries):
        item = kind.make(game, luck)
        if item is not None and not item.gives_itself_away:
            return item
    return None


# Offline packets ----------------------------------------------------------------------------------


QUESTIONS = 36


@lru_cache(maxsize=64)
def packet(game: Game, day: str) -> tuple[Item, ...]:
    """The questions of a day, each kind as often as another; a test never asks any of them."""
    kinds = allowed(game)
    return tuple(
        drill(game, kinds[number % len(kinds)], f"packet {day} {number}")
        for number in range(QUESTIONS)
    )


# Choosing the next question -----------------------------------------------------------------------


Bias = Literal["none", "errors", "hard"]
TRIED = 4  # Questions of which the one that fits best is asked.
TARGET = 0.8  # The share of right answers that teaches most.


class ChosenItem(NamedTuple):
    """A question and the seed that makes it again."""

    item: Item
    seed: str


def choose(
    game: Game,
    standing: Standing,
    seed: str,
    now: datetime,
    *,
    kinds: Sequence[str] = (),
    bias: Bias = "none",
) -> ChosenItem:
    """What to ask next of these kinds, or of all that the sheet has."""
    wanted = tuple(kinds) or allowed(game)
    luck = Draws(seed)
    if bias == "errors" and (again := _missed(game, standing, wanted, luck)) is not None:
        return again
    if (fact := _due(game, standing, wanted, now)) is not None:
        return _of(game, kind_of_fact(fact), by_fact(fact, seed))
    kind = luck.one_of(wanted)
    tried = [_of(game, kind, f"{seed}.{number}") for number in range(TRIED)]
    return min(tried, key=_distance(game, standing, bias))


def _missed(game: Game, standing: Standing, kinds: Sequence[str], luck: Draws) -> ChosenItem | None:
    """A question that was missed before, the very same."""
    missed = [one for one in standing.missed(game.digest) if one.kind in kinds]
    if not missed:
        return None
    one = luck.one_of(missed)
    return _of(game, one.kind, one.seed)


def _due(game: Game, standing: Standing, kinds: Sequence[str], now: datetime) -> str | None:
    facts = [fact for fact in facts_of(game) if kind_of_fact(fact) in kinds]
    return next(iter(standing.due(game.sheet.id, facts, now)), None)


def _distance(game: Game, standing: Standing, bias: Bias) -> Callable[[ChosenItem], float]:
    """How badly a question fits: far from what four of five get right; for hard ones, how easy."""

    def far(one: ChosenItem) -> float:
        ease = standing.ease((game.sheet.id, one.item.kind, level_of(one.item.work)))
        return ease if bias == "hard" else abs(ease - TARGET)

    return far


def _of(game: Game, kind: str, seed: str) -> ChosenItem:
    return ChosenItem(drill(game, kind, seed), seed)
