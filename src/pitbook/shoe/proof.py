"""Deals a revealed round again, so that anyone with the file can see that no card was chosen for
it.
"""

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
from pitbook.shoe.judged import card_difference, settlement_differences, shoe_differences
from pitbook.shoe.record import ShoeRecord, arranged_cards, commitment_of, reveal, secret_of
from pitbook.shoe.revealed import FIELDS, FORMAT, Proof, parse
from pitbook.shoe.vault import Vault
from pitbook.shoe.verdict import DealDifference, DealtHand, DealVerdict, seat_at
from pitbook.text import say


def build_revealed_proof(
    record: ShoeRecord,
    vault: Vault,
    *,
    seat_seeds: Mapping[int, str],
    drawn: int,
    round: dict[str, Any],
    round_id: str,
) -> dict[str, Any]:
    """The document with which anyone can redeal a stored round after its shoe has ended."""
    shoe: dict[str, Any] = {
        "id": record.id,
        "kind": record.kind,
        "decks": record.decks,
        "commitment": record.commitment,
        "seed": reveal(record, vault),
        "seat_seeds": {str(seat): seat_seeds[seat] for seat in sorted(seat_seeds)},
    }
    if first_cards := arranged_cards(record, vault):
        shoe["chosen"] = [None if card is None else name(card) for card in first_cards]
    return dict(zip(FIELDS, (FORMAT, shoe, drawn, round, round_id), strict=True))


def verify(document: Any) -> DealVerdict:
    """Deal the round again from its shoe; raises ShoeError or RoundError for an invalid
    document.
    """
    if isinstance(document, dict) and cardwise.is_card_format(document.get("format")):
        return cardwise.verify(document)
    proof = parse(document)
    opened_round, actions = restore(proof.round)
    final = replay(opened_round, actions)
    piles = _deal_again(proof, actions)
    differences = (
        *_seed_differences(proof),
        *shoe_differences(proof.shoe.decks, proof.drawn, final.game.sheet),
        *_card_differences(final, actions, piles),
        *settlement_differences(proof.round),
    )
    hands = _hands(final, actions, piles)
    return DealVerdict(proof.shoe, proof.drawn, hands, differences, proof.round_id)


Piles = Mapping[PlaceNumber, list[Card]]


def _deal_again(proof: Proof, actions: list[Action]) -> Piles:
    """The cards that the shoe deals to each place, in order."""
    places = [action.place for action in actions if isinstance(action, Deal)]
    shoe = proof.shoe.dealing()
    if proof.drawn + len(places) > shoe.remaining:
        raise ShoeError(
            say("shoe.proof.too-many", drawn=proof.drawn, dealt=len(places), held=shoe.remaining)
        )
    shoe.skip(proof.drawn)
    piles: dict[PlaceNumber, list[Card]] = defaultdict(list)
    for place in places:
        piles[place].append(shoe.draw())
    return piles


def _seed_differences(proof: Proof) -> list[DealDifference]:
    shoe = proof.shoe
    published = shoe.commitment
    if published is None or commitment_of(secret_of(shoe.seed, shoe.chosen)) == published:
        return []
    message = say("shoe.proof.other-seed")
    return [DealDifference("commitment", message)]


def _card_differences(final: Round, actions: list[Action], piles: Piles) -> list[DealDifference]:
    turned: dict[PlaceNumber, int] = defaultdict(int)
    differences = []
    for action in actions:
        if not isinstance(action, Turn | Expose):
            continue
        place, number = action.place, turned[action.place]
        turned[place] += 1
        if (card := piles[place][number]) != action.card:
            differences.append(
                card_difference(place_name(final, place), number + 1, action.card, card)
            )
    return differences


def _hands(final: Round, actions: list[Action], piles: Piles) -> tuple[DealtHand, ...]:
    named_cards: dict[PlaceNumber, tuple[Card, ...]] = defaultdict(tuple)
    for action in actions:
        if isinstance(action, Turn | Expose):
            named_cards[action.place] += (action.card,)
    return tuple(
        DealtHand(
            place_name(final, place),
            named_cards[place],
            len(pile) - len(named_cards[place]),
            seat_at(place),
        )
        for place, pile in sorted(piles.items())
    )
