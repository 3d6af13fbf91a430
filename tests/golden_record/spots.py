"""What plays are worth in spots drawn at random: all stages, dead cards, purses, side wagers."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.golden_record import shelf
from tests.golden_record.adapter import Json, body_of, refused, sheet_of
from tests.golden_record.kinds import Kind, Made, numbered
from tests.golden_record.walk import shuffled

import pitbook

SPOTS = 72  # Of each sheet: 2,016 in all.


def advised(sheet: str, name: str) -> Made:
    """One spot, and what is said about it."""
    spot = drawn(sheet, shelf.luck("spots", sheet, name))
    answer = refused(lambda: _document(pitbook.advice(sheet_of(sheet), **spot)))
    return {"spot": spot, "advice": answer}


def _document(advice: Any) -> Json:
    return {**advice.document(), "words": str(advice)}


def drawn(sheet: str, luck: Random) -> Json:
    """A spot: mostly one that can come up, now and then with a bet or a card too many."""
    body, shoe = body_of(sheet), shuffled(sheet, luck)
    spot: Json = {"cards": _cards(shoe, shelf.own_cards(sheet))}
    streets = body.get("streets", [])
    if streets:
        spot |= _streets(streets, shoe, luck)
    least, most = (shelf.main_of(sheet)[name] for name in ("min", "max"))
    if luck.random() < 0.6:
        spot["ante"] = luck.choice((least, most))
    if luck.random() < 0.3:
        spot["dead"] = _cards(shoe, luck.randint(1, 6))
    if luck.random() < 0.3:
        spot["side"] = _sides(sheet, luck)
    if "ante" in spot and luck.random() < 0.3:
        spot["purse"] = f"{float(spot['ante']) * luck.randint(0, 6):.2f}"
    return spot


def _streets(streets: list[Json], shoe: list[str], luck: Random) -> Json:
    """Bets made so far, and the board that goes with them."""
    stage = luck.randrange(len(streets))
    made = [f"{luck.choice(one['bets'])}x" for one in streets[:stage]]
    turned = sum(one["reveals"]["is"] for one in streets[:stage])
    if luck.random() < 0.04:
        turned += 1
    return {"bets": made, "community": _cards(shoe, turned)}


def _sides(sheet: str, luck: Random) -> dict[str, str]:
    sides = shelf.sides_of(sheet).items()
    return {k: one["stake"][luck.choice(("min", "max"))] for k, one in sides if luck.random() < 0.6}


def _cards(shoe: list[str], count: int) -> str:
    return " ".join(shoe.pop() for _ in range(count))


KINDS = (Kind("advise", shelf.ids, numbered(SPOTS), advised, keep=6, batches_sampled=10),)
