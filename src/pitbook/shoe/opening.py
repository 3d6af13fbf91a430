"""Builds the document that opens a round card by card, for a player or in full."""

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
    """A stored round with openings of the cards it names; `whole` opens the whole shoe.

    A card that the reader may not see is null in the round and stays closed.
    """
    assert record.commitment is not None
    salted_deck, drawn = deck(record, vault), sum(deal.cards for deal in past)
    tree = salted_deck.tree
    if salted_deck.commitment_for(tree) != record.commitment:
        raise ShoeError(say("shoe.record.other-deck", id=record.id))
    order = positions(record.commitment, seeds, size=len(salted_deck.cards), past=past)
    card_names = _card_names(round)
    chosen = list(islice(order, drawn, drawn + len(card_names)))
    cards = [
        {
            "position": position,
            **(_opening(salted_deck, tree, position) if card_name and not whole else {}),
        }
        for position, card_name in zip(chosen, card_names, strict=True)
    ]
    return {
        "format": CARD_FORMAT,
        "round_id": round_id,
        "shoe": _shoe(record, seeds, past),
        "drawn": drawn,
        "cards": cards,
        **({"deck": _deck(salted_deck)} if whole else {}),
        "round": round,
    }


def _card_names(round: Json) -> list[str | None]:
    """The name of each card in the order of the deal; None if the round does not show it."""
    places = _places(round)
    names_by_place: dict[Any, Iterator[str | None]] = {
        place: iter(
            [action.get("card") for action in round["actions"] if _shows_card(action, place)]
        )
        for place in set(places)
    }
    return [next(names_by_place[place], None) for place in places]


def _places(round: Json) -> list[Any]:
    """The place of each card, in the order of the deal."""
    return [action["place"] for action in round["actions"] if action["do"] == "deal"]


def _shows_card(action: Json, place: Any) -> bool:
    return action["do"] in ("turn", "expose") and action["place"] == place


def _opening(salted_deck: SaltedDeck, tree: Tree, position: int) -> Json:
    return {
        "card": name(salted_deck.cards[position]),
        "salt": salted_deck.salts[position].hex(),
        "path": [sibling.hex() for sibling in path(tree, position)],
    }


def _deck(salted_deck: SaltedDeck) -> list[list[str]]:
    pairs = zip(salted_deck.cards, salted_deck.salts, strict=True)
    return [[name(card), salt.hex()] for card, salt in pairs]


def _shoe(record: ShoeRecord, seeds: Seeds, past: tuple[Past, ...]) -> Json:
    return {
        "id": record.id,
        "kind": record.kind,
        "decks": record.decks,
        "commitment": record.commitment,
        "past": [{"cards": deal.cards, "seat_seeds": _seeds(deal.seeds)} for deal in past],
        "seat_seeds": _seeds(seeds),
    }


def _seeds(seeds: Seeds) -> Mapping[str, str]:
    return {str(seat): text for seat, text in seeds}
