"""A revealed round dealt again: whoever has the file can see that no card was chosen for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from pitbook.cards import Card, name
from pitbook.engine.actions import Action, Deal, Expose, Place, Turn
from pitbook.engine.journal import replay
from pitbook.engine.round import Round
from pitbook.engine.step import place_name
from pitbook.english import counted
from pitbook.errors import RoundError, ShoeError
from pitbook.games.stored import replayed, restore
from pitbook.shoe.packs import fresh_due
from pitbook.shoe.record import Record, chosen, commitment_of, reveal, secret_of
from pitbook.shoe.revealed import FIELDS, FORMAT, NAMED, Proof, Revealed, parse
from pitbook.shoe.vault import Vault

__all__ = ["Difference", "Hand", "Verdict", "revealed", "verify"]


class Hand(NamedTuple):
    """What lies at a place: the cards that were turned, and how many never were (GEN-14)."""

    place: str
    turned: tuple[Card, ...]
    unturned: int


class Difference(NamedTuple):
    """Where the record and the shoe disagree; the last four are for a card."""

    code: str
    message: str
    clause: str | None = None
    place: str | None = None
    number: int | None = None
    recorded: str | None = None
    dealt: str | None = None


class Verdict(NamedTuple):
    """A round dealt again; it agrees where there is no difference."""

    shoe: Revealed
    drawn: int
    hands: tuple[Hand, ...]
    differences: tuple[Difference, ...]
    round_id: str | None = None


def revealed(
    record: Record,
    vault: Vault,
    *,
    seat_seeds: Mapping[int, str],
    drawn: int,
    round: dict[str, Any],
    round_id: str | None = None,
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
    told = dict(zip(FIELDS, (FORMAT, shoe, drawn, round), strict=True))
    return told if round_id is None else {**told, NAMED: round_id}


def verify(document: Any) -> Verdict:
    """The round dealt again from its shoe; raises ShoeError or RoundError for no such document."""
    proof = parse(document)
    opened, actions = restore(proof.round)
    final = replay(opened, actions)
    piles = _dealt(proof, actions)
    differences = (
        *_of_the_shoe(proof, final),
        *_of_the_cards(final, actions, piles),
        *_of_the_settlement(proof),
    )
    hands = _hands(final, actions, piles)
    return Verdict(proof.shoe, proof.drawn, hands, differences, proof.round_id)


Piles = Mapping[Place, list[Card]]


def _dealt(proof: Proof, actions: list[Action]) -> Piles:
    """The cards that the shoe lays at each place, in order."""
    places = [action.place for action in actions if isinstance(action, Deal)]
    shoe = proof.shoe.dealing()
    if proof.drawn + len(places) > shoe.left:
        raise ShoeError(
            f"{proof.drawn} cards drawn before and {len(places)} dealt are more than "
            f"the {shoe.left} that the shoe holds"
        )
    shoe.skip(proof.drawn)
    piles: dict[Place, list[Card]] = defaultdict(list)
    for place in places:
        piles[place].append(shoe.draw())
    return piles


def _of_the_shoe(proof: Proof, final: Round) -> list[Difference]:
    shoe, sheet = proof.shoe, final.game.sheet
    found = []
    published = shoe.commitment
    if published is not None and commitment_of(secret_of(shoe.seed, shoe.chosen)) != published:
        message = "the seed does not have the hash that was published as the shoe's commitment"
        found.append(Difference("commitment", message))
    if shoe.decks != sheet.deck.decks:
        message = (
            f"the shoe has {counted(shoe.decks, 'deck')}, the sheet asks for {sheet.deck.decks}"
        )
        found.append(Difference("decks", message, sheet.deck.clause))
    due, clause = fresh_due(sheet, 52 * shoe.decks - proof.drawn)
    if proof.drawn and due:
        message = (
            f"dealt before: {counted(proof.drawn, 'card')}; the sheet asks for a fresh shoe by then"
        )
        found.append(Difference("fresh", message, clause))
    return found


def _of_the_cards(final: Round, actions: list[Action], piles: Piles) -> list[Difference]:
    turned: dict[Place, int] = defaultdict(int)
    found = []
    for action in actions:
        if not isinstance(action, Turn | Expose):
            continue
        place, number = action.place, turned[action.place]
        turned[place] += 1
        if (card := piles[place][number]) != action.card:
            found.append(_other_card(place_name(final, place), number + 1, action.card, card))
    return found


def _other_card(place: str, number: int, recorded: Card, dealt: Card) -> Difference:
    message = f"card {number} of {place}: recorded {name(recorded)}, the shoe deals {name(dealt)}"
    return Difference("card", message, None, place, number, name(recorded), name(dealt))


def _of_the_settlement(proof: Proof) -> list[Difference]:
    try:
        replayed(proof.round)
    except RoundError as error:
        return [Difference("settlement", str(error))]
    return []


def _hands(final: Round, actions: list[Action], piles: Piles) -> tuple[Hand, ...]:
    named: dict[Place, tuple[Card, ...]] = defaultdict(tuple)
    for action in actions:
        if isinstance(action, Turn | Expose):
            named[action.place] += (action.card,)
    return tuple(
        Hand(place_name(final, place), named[place], len(pile) - len(named[place]))
        for place, pile in sorted(piles.items())
    )
