"""The document of a round whose shoe opens card by card: what its reader has seen, or all of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from pitbook.cards import name
from pitbook.errors import ShoeError
from pitbook.shoe.deck import SaltedDeck
from pitbook.shoe.order import Past, Seeds, positions
from pitbook.shoe.record import CARD_FORMAT, ShoeRecord, deck
from pitbook.shoe.tree import path
from pitbook.shoe.vault import Vault
from pitbook.text import say

Json = dict[str, Any]
Tree = Sequence[Sequence[bytes]]


def opening(
    record: ShoeRecord,
    vault: Vault,
    *,
    seeds: Seeds,
    past: tuple[Past, ...],
    round: Json,
    round_id: str,
    whole: bool = False,
) -> Json:
    """A stored round with the openings of the cards that it names; `whole` opens the shoe.

    A card that the reader may not see is null in the round, and stays closed.
    """
    assert record.commitment is not None
    opened, drawn = deck(record, vault), sum(one.cards for one in past)
    tree = opened.tree
    if opened.committed(tree) != record.commitment:
        raise ShoeError(say("shoe.record.other-deck", id=record.id))
    order = positions(record.commitment, seeds, size=len(opened.cards), past=past)
    named = _named(round)
    chosen = list(islice(order, drawn, drawn + len(named)))
    laid = [
        {"position": position, **(_opening(opened, tree, position) if one and not whole else {})}
        for position, one in zip(chosen, named, strict=True)
    ]
    return {
        "format": CARD_FORMAT,
        "round_id": round_id,
        "shoe": _shoe(record, seeds, past),
        "drawn": drawn,
        "cards": laid,
        **({"deck": _deck(opened)} if whole else {}),
        "round": round,
    }


def _named(round: Json) -> list[str | None]:
    """The name of each card in the order of the deal; None where the round does not tell it."""
    places = _places(round)
    named: dict[Any, Iterator[str | None]] = {
        place: iter([one.get("card") for one in round["actions"] if _names(one, place)])
        for place in set(places)
    }
    return [next(named[place], None) for place in places]


def _places(round: Json) -> list[Any]:
    """Where each card goes, in the order of the deal."""
    return [one["place"] for one in round["actions"] if one["do"] == "deal"]


def _names(action: Json, place: Any) -> bool:
    return action["do"] in ("turn", "expose") and action["place"] == place


def _opening(opened: SaltedDeck, tree: Tree, position: int) -> Json:
    return {
        "card": name(opened.cards[position]),
        "salt": opened.salts[position].hex(),
        "path": [one.hex() for one in path(tree, position)],
    }


def _deck(opened: SaltedDeck) -> list[list[str]]:
    both = zip(opened.cards, opened.salts, strict=True)
    return [[name(card), salt.hex()] for card, salt in both]


def _shoe(record: ShoeRecord, seeds: Seeds, past: tuple[Past, ...]) -> Json:
    return {
        "id": record.id,
        "kind": record.kind,
        "decks": record.decks,
        "commitment": record.commitment,
        "past": [{"cards": one.cards, "seat_seeds": _seeds(one.seeds)} for one in past],
        "seat_seeds": _seeds(seeds),
    }


def _seeds(seeds: Seeds) -> Mapping[str, str]:
    return {str(seat): text for seat, text in seeds}
