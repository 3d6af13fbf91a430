"""Forgeries by a server that knows the seeds; all agree with the committed deck."""

from __future__ import annotations

import copy
from collections import defaultdict
from itertools import islice
from typing import Any

from pitbook.rules.result_json import report
from pitbook.shoe.dealing import Past, positions, seeds_of
from pitbook.shoe.proof import PAST_FIELDS
from pitbook.shoe.redacted_rounds import parse_partial_round, replay_partial

Json = dict[str, Any]


def forge_deal(
    auditor_proof: Json, *, seeds: Json | None = None, past: tuple[Past, ...] = ()
) -> Json:
    """The auditor's proof as if other seeds, or another past, had chosen its positions."""
    forged, shoe = copy.deepcopy(auditor_proof), auditor_proof["shoe"]
    seat_seeds = shoe["seat_seeds"] if seeds is None else seeds
    forged["shoe"]["seat_seeds"] = seat_seeds
    forged["shoe"]["past"] = [
        dict(
            zip(PAST_FIELDS, (deal.cards, {str(at): text for at, text in deal.seeds}), strict=True)
        )
        for deal in past
    ]
    forged["drawn"] = sum(deal.cards for deal in past)
    seeds_used = seeds_of({int(seat): text for seat, text in seat_seeds.items()})
    order = positions(shoe["commitment"], seeds_used, size=52 * shoe["decks"], past=past)
    chosen = list(islice(order, forged["drawn"], forged["drawn"] + len(forged["cards"])))
    forged["cards"] = [{"position": position} for position in chosen]
    _rename_cards(forged, chosen)
    return forged


def _rename_cards(forged: Json, chosen: list[int]) -> None:
    """Replace the recorded cards and the settlement by those of the forged deal."""
    piles, actions = defaultdict(list), forged["round"]["actions"]
    places = [action["place"] for action in actions if action["do"] == "deal"]
    for place, position in zip(places, chosen, strict=True):
        piles[place].append(forged["deck"][position][0])
    for action in actions:
        if action["do"] == "turn":
            action["card"] = piles[action["place"]].pop(0)
    forged["round"]["settlement"] = report(replay_partial(parse_partial_round(forged["round"])))
