"""A revealed round dealt again: whoever has the file can see that no card was chosen for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from pitbook.cards import Card, name
from pitbook.errors import ShoeError
from pitbook.rules.actions import Action, Deal, Expose, PlaceNumber, Turn
from pitbook.rules.round import Round
from pitbook.rules.step import place_name
from pitbook.rules.stored import replay, restore
from pitbook.shoe import cardwise
from pitbook.shoe.judged import of_the_settlement, of_the_shoe, other_card
from pitbook.shoe.record import ShoeRecord, chosen, commitment_of, reveal, secret_of
from pitbook.shoe.revealed import FIELDS, FORMAT, Proof, parse
from pitbook.shoe.vault import Vault
from pitbook.shoe.verdict import DealDifference, DealVerdict, LaidHand, seat_at
from pitbook.text import say


def revealed(
    record: ShoeRecord,
    vault: Vault,
    *,
    seat_seeds: Mapping[int, str],
    drawn: int,
    round: dict[str, Any],
    round_id: str,
) -> dict[str, Any]:
    """The document by which anyone can deal a stored round again, once its shoe has ended."""
    shoe: dict[str, Any] = {
        "id": record.id,
        "kind": record.kind,
        "decks": record.decks,
        "commitment": record.commitment,
        "seed": reveal(record, vault),
        "seat_seeds": {str(seat): seat_seeds[seat] for seat in sorted(seat_seeds)},
    }
    if first := chosen(record, vault):
        shoe["chosen"] = [None if card is None else name(card) for card in first]
    return dict(zip(FIELDS, (FORMAT, shoe, drawn, round, round_id), strict=True))


def verify(document: Any) -> DealVerdict:
    """The round dealt again from its shoe; raises ShoeError or RoundError for no such document."""
    if isinstance(document, dict) and cardwise.is_ours(document.get("format")):
        return cardwise.verify(document)
    proof = parse(document)
    opened, actions = restore(proof.round)
    final = replay(opened, actions)
    piles = _dealt(proof, actions)
    differences = (
        *_of_the_seed(proof),
        *of_the_shoe(proof.shoe.decks, proof.drawn, final.game.sheet),
        *_of_the_cards(final, actions, piles),
        *of_the_settlement(proof.round),
    )
    hands = _hands(final, actions, piles)
    return DealVerdict(proof.shoe, proof.drawn, hands, differences, proof.round_id)


Piles = Mapping[PlaceNumber, list[Card]]


def _dealt(proof: Proof, actions: list[Action]) -> Piles:
    """The cards that the shoe lays at each place, in order."""
    places = [action.place for action in actions if isinstance(action, Deal)]
    shoe = proof.shoe.dealing()
    if proof.drawn + len(places) > shoe.left:
        raise ShoeError(
            say("shoe.proof.too-many", drawn=proof.drawn, dealt=len(places), held=shoe.left)
        )
    shoe.skip(proof.drawn)
    piles: dict[PlaceNumber, list[Card]] = defaultdict(list)
    for place in places:
        piles[place].append(shoe.draw())
    return piles


def _of_the_seed(proof: Proof) -> list[DealDifference]:
    shoe = proof.shoe
    published = shoe.commitment
    if published is None or commitment_of(secret_of(shoe.seed, shoe.chosen)) == published:
        return []
    message = say("shoe.proof.other-seed")
    return [DealDifference("commitment", message)]


def _of_the_cards(final: Round, actions: list[Action], piles: Piles) -> list[DealDifference]:
    turned: dict[PlaceNumber, int] = defaultdict(int)
    found = []
    for action in actions:
        if not isinstance(action, Turn | Expose):
            continue
        place, number = action.place, turned[action.place]
        turned[place] += 1
        if (card := piles[place][number]) != action.card:
            found.append(other_card(place_name(final, place), number + 1, action.card, card))
    return found


def _hands(final: Round, actions: list[Action], piles: Piles) -> tuple[LaidHand, ...]:
    named: dict[PlaceNumber, tuple[Card, ...]] = defaultdict(tuple)
    for action in actions:
        if isinstance(action, Turn | Expose):
            named[action.place] += (action.card,)
    return tuple(
        LaidHand(
            place_name(final, place), named[place], len(pile) - len(named[place]), seat_at(place)
        )
        for place, pile in sorted(piles.items())
    )
