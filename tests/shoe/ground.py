"""What a house can forge that knows the seeds: all in agreement with the deck that was fixed."""

from __future__ import annotations

import copy
from collections import defaultdict
from itertools import islice
from typing import Any

from pitbook.rules.report import report
from pitbook.shoe.opened import PAST_FIELDS
from pitbook.shoe.order import Past, positions, seeds_of
from pitbook.shoe.partly import dealt, partly

Json = dict[str, Any]


def dealt_anew(auditors: Json, *, seeds: Json | None = None, past: tuple[Past, ...] = ()) -> Json:
    """The auditor's proof as if these seeds, or such a past, had chosen its positions."""
    made, shoe = copy.deepcopy(auditors), auditors["shoe"]
    told = shoe["seat_seeds"] if seeds is None else seeds
    made["shoe"]["seat_seeds"] = told
    made["shoe"]["past"] = [
        dict(zip(PAST_FIELDS, (one.cards, {str(at): text for at, text in one.seeds}), strict=True))
        for one in past
    ]
    made["drawn"] = sum(one.cards for one in past)
    own = seeds_of({int(seat): text for seat, text in told.items()})
    order = positions(shoe["commitment"], own, size=52 * shoe["decks"], past=past)
    chosen = list(islice(order, made["drawn"], made["drawn"] + len(made["cards"])))
    made["cards"] = [{"position": position} for position in chosen]
    _name(made, chosen)
    return made


def _name(made: Json, chosen: list[int]) -> None:
    """The cards of the record, and its settlement, are those that lie there now."""
    piles, actions = defaultdict(list), made["round"]["actions"]
    places = [one["place"] for one in actions if one["do"] == "deal"]
    for place, position in zip(places, chosen, strict=True):
        piles[place].append(made["deck"][position][0])
    for one in actions:
        if one["do"] == "turn":
            one["card"] = piles[one["place"]].pop(0)
    made["round"]["settlement"] = report(dealt(partly(made["round"])))
