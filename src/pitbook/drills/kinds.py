"""The kinds of drills a game allows, and the choice of the next question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Literal, NamedTuple

from pitbook.drills import (
    irregularities,
    memorized_facts,
    paying,
    procedure,
    reading_hands,
    spot_error,
)
from pitbook.drills.memorized_facts import memory_facts
from pitbook.drills.progress import TraineeProgress, difficulty_level
from pitbook.drills.question import Item
from pitbook.drills.random_rounds import Draws
from pitbook.errors import PitbookError
from pitbook.rules.game import Game
from pitbook.text import Sentence, say
from pitbook.text.user_input import did_you_mean

TRIES = 4_000  # Rounds dealt in search of one that fits; most kinds need a few.
# A kind is supported if each of these samples succeeds in so many tries.
SAMPLES, TRIES_EACH = 4, 60
_FACT = " by heart "
MakeItem = Callable[[Game, Draws], Item | None]


class DrillKind(NamedTuple):
    """A kind of question: whether a game supports it, and how to make one."""

    id: str
    fits: Callable[[Game], bool]
    make: MakeItem


def _always(game: Game) -> bool:
    return True


def _has_several_seats(game: Game) -> bool:
    return game.sheet.seats.count > 1


KINDS: dict[str, DrillKind] = {
    kind.id: kind
    for kind in (
        DrillKind("pay-hand", _always, paying.pay_hand),
        DrillKind("cut-chips", _always, paying.cut_chips),
        DrillKind("settle-table", _has_several_seats, paying.settle_table),
        DrillKind("what-becomes", _always, paying.what_becomes),
        DrillKind("after-fold", memorized_facts.has_fold_and_sides, memorized_facts.after_fold),
        DrillKind("read-hand", reading_hands.has_pay_table, reading_hands.read_hand),
        DrillKind("best-cards", reading_hands.has_choice_of_cards, reading_hands.best_cards),
        DrillKind("qualifies", reading_hands.has_qualifying, reading_hands.qualifies),
        DrillKind("arrange", reading_hands.has_board_areas, reading_hands.arrange),
        DrillKind("points", reading_hands.has_board_areas, reading_hands.points),
        DrillKind("shares", paying.has_caps, paying.shares),
        DrillKind("odds", memorized_facts.has_odds, memorized_facts.odds),
        DrillKind("bounds", _always, memorized_facts.bounds),
        DrillKind("next-step", _always, procedure.next_step),
        DrillKind("paying-order", _has_several_seats, procedure.paying_order),
        DrillKind("dealing-order", _has_several_seats, procedure.dealing_order),
        DrillKind("what-now", _always, irregularities.what_now),
        DrillKind("which-clause", irregularities.has_places, irregularities.which_clause),
        DrillKind("spot-error", _always, spot_error.spot_error),
    )
}


@lru_cache(maxsize=200)
def supported_kinds(game: Game) -> tuple[str, ...]:
    """The kinds of question that a game's rules support."""
    fits = (kind for kind in KINDS.values() if kind.fits(game))
    return tuple(
        kind.id
        for kind in fits
        if all(_make_item(game, kind, f"sample {n}", TRIES_EACH) for n in range(SAMPLES))
    )


def drill(game: Game, kind: str, seed: str) -> Item:
    """The question for a seed. Raises PitbookError if the game has none of that kind."""
    fact = seed.partition(_FACT)[0] if _FACT in seed else None
    if fact in memorized_facts.memory_facts(game) and kind_of_fact(fact) == kind:
        return memorized_facts.fact_item(game, Draws(f"{game.digest}/{seed}"), fact)
    item = _make_item(game, find_kind(kind), seed)
    if item is None:
        fields = {"kind": kind_title(kind), "title": game.sheet.title}
        raise PitbookError(say("drills.not-here", **fields))
    return item


def fact_seed(fact: str, seed: str) -> str:
    """The seed of a question about one fact."""
    return f"{fact}{_FACT}{seed}"


def kind_of_fact(fact: str) -> str:
    """The kind of question that asks for a fact."""
    return "odds" if fact.startswith("odds/") else "bounds"


def find_kind(text: str) -> DrillKind:
    """A kind by its id. Raises PitbookError with a suggestion if there is none."""
    if text not in KINDS:
        remedy = did_you_mean(text, list(KINDS))
        raise PitbookError(say("drills.no-kind", kind=text, remedy=remedy))
    return KINDS[text]


def kind_title(kind: str) -> Sentence:
    return say("drills.kind", kind=kind)


def _make_item(game: Game, kind: DrillKind, seed: str, tries: int = TRIES) -> Item | None:
    if not kind.fits(game):
        return None
    draws = Draws(f"{game.digest}/{kind.id}/{seed}")
    for _ in range(tries):
        item = kind.make(game, draws)
        if item is not None and not item.reveals_answer:
            return item
    return None


# Offline packets ----------------------------------------------------------------------------------


QUESTIONS = 36


@lru_cache(maxsize=64)
def daily_packet(game: Game, day: str) -> tuple[Item, ...]:
    """The questions for a day, evenly spread over the kinds. Tests never use them."""
    kinds = supported_kinds(game)
    return tuple(
        drill(game, kinds[number % len(kinds)], f"packet {day} {number}")
        for number in range(QUESTIONS)
    )


# Choosing the next question -----------------------------------------------------------------------


Bias = Literal["none", "errors", "hard"]
CANDIDATES = 4  # Questions compared to find the best fit.
TARGET = 0.8  # The share of correct answers that teaches most.


class ChosenItem(NamedTuple):
    """A question and the seed that reproduces it."""

    item: Item
    seed: str


def choose_item(
    game: Game,
    progress: TraineeProgress,
    seed: str,
    now: datetime,
    *,
    kinds: Sequence[str] = (),
    bias: Bias = "none",
) -> ChosenItem:
    """Choose the next question from these kinds, or from all that the sheet supports."""
    eligible = tuple(kinds) or supported_kinds(game)
    draws = Draws(seed)
    if bias == "errors" and (again := _repeat_missed(game, progress, eligible, draws)) is not None:
        return again
    if (fact := _due_fact(game, progress, eligible, now)) is not None:
        return _chosen_item(game, kind_of_fact(fact), fact_seed(fact, seed))
    kind = draws.choice(eligible)
    candidates = [_chosen_item(game, kind, f"{seed}.{number}") for number in range(CANDIDATES)]
    return min(candidates, key=_misfit(game, progress, bias))


def _repeat_missed(
    game: Game, progress: TraineeProgress, kinds: Sequence[str], draws: Draws
) -> ChosenItem | None:
    """Repeat a question that was missed before."""
    missed = [answer for answer in progress.open_mistakes(game.digest) if answer.kind in kinds]
    if not missed:
        return None
    answer = draws.choice(missed)
    return _chosen_item(game, answer.kind, answer.seed)


def _due_fact(
    game: Game, progress: TraineeProgress, kinds: Sequence[str], now: datetime
) -> str | None:
    facts = [fact for fact in memory_facts(game) if kind_of_fact(fact) in kinds]
    return next(iter(progress.due(game.sheet.id, facts, now)), None)


def _misfit(game: Game, progress: TraineeProgress, bias: Bias) -> Callable[[ChosenItem], float]:
    """How badly a question fits: its distance from TARGET, or its ease if hard ones are wanted."""

    def distance(candidate: ChosenItem) -> float:
        ease = progress.ease(
            (game.sheet.id, candidate.item.kind, difficulty_level(candidate.item.work))
        )
        return ease if bias == "hard" else abs(ease - TARGET)

    return distance


def _chosen_item(game: Game, kind: str, seed: str) -> ChosenItem:
    return ChosenItem(drill(game, kind, seed), seed)
