"""Values of plays in random spots: all stages, dead cards, purses, side wagers."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.golden_record import shelf
from tests.golden_record.adapter import Json, advice_text, answer_or_error, body_of, sheet_of
from tests.golden_record.kinds import ItemParts, Kind, numbered_names
from tests.golden_record.walk import shuffled_shoe

import pitbook

SPOTS = 72  # Of each sheet: 2,016 in all.


def advise_spot(sheet: str, name: str) -> ItemParts:
    """One spot, and the advice for it."""
    spot = random_spot(sheet, shelf.seeded_random("spots", sheet, name))
    response = answer_or_error(lambda: _document(pitbook.advice(sheet_of(sheet), **spot)))
    return {"spot": spot, "advice": response}


def _document(advice: Any) -> Json:
    return {**advice.document(), "words": advice_text(advice)}


def random_spot(sheet: str, rng: Random) -> Json:
    """A random spot, mostly possible, sometimes with a bet or a card too many."""
    body, shoe = body_of(sheet), shuffled_shoe(sheet, rng)
    spot: Json = {"cards": _cards(shoe, shelf.hole_card_count(sheet))}
    streets = body.get("streets", [])
    if streets:
        spot |= _random_streets(streets, shoe, rng)
    ante_min, ante_max = (shelf.main_stake(sheet)[name] for name in ("min", "max"))
    if rng.random() < 0.6:
        spot["ante"] = rng.choice((ante_min, ante_max))
    if rng.random() < 0.3:
        spot["dead"] = _cards(shoe, rng.randint(1, 6))
    if rng.random() < 0.3:
        spot["side"] = _random_side_stakes(sheet, rng)
    if "ante" in spot and rng.random() < 0.3:
        spot["purse"] = f"{float(spot['ante']) * rng.randint(0, 6):.2f}"
    return spot


def _random_streets(streets: list[Json], shoe: list[str], rng: Random) -> Json:
    """The bets so far, and the board at that stage."""
    stage = rng.randrange(len(streets))
    bets_made = [f"{rng.choice(street['bets'])}x" for street in streets[:stage]]
    board_size = sum(street["reveals"]["is"] for street in streets[:stage])
    if rng.random() < 0.04:
        board_size += 1
    return {"bets": bets_made, "community": _cards(shoe, board_size)}


def _random_side_stakes(sheet: str, rng: Random) -> dict[str, str]:
    sides = shelf.side_wagers(sheet).items()
    return {
        wager: side_wager["stake"][rng.choice(("min", "max"))]
        for wager, side_wager in sides
        if rng.random() < 0.6
    }


def _cards(shoe: list[str], count: int) -> str:
    return " ".join(shoe.pop() for _ in range(count))


KINDS = (
    Kind("advise", shelf.sheet_ids, numbered_names(SPOTS), advise_spot, keep=6, batches_sampled=10),
)
