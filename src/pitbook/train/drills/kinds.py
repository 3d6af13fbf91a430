"""Kinds of drills, and which of them a game's structure allows. Nobody asks which game it is."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from pitbook.errors import PitbookError
from pitbook.rules.game import Game
from pitbook.sheets.findings import did_you_mean
from pitbook.text import Sentence, say
from pitbook.train.drills import (
    caps,
    clauses,
    heart,
    irregular,
    paying,
    procedure,
    reading,
    spotting,
)
from pitbook.train.drills.item import Item
from pitbook.train.drills.luck import Draws

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
