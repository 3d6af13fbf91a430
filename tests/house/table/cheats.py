"""Forged proofs by a server that knows the deck and the seeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pitbook.cards import names
from pitbook.shoe.commitments import SaltedDeck, path

Json = dict[str, Any]


class Table(NamedTuple):
    """What a cheating server has: a document, the deck, and another shoe's document."""

    document: Json
    deck: SaltedDeck
    other: Json

    @property
    def opened(self) -> list[Json]:
        """The cards that the document opens."""
        return opened_cards(self.document)


def opened_cards(document: Json) -> list[Json]:
    return [card for card in document["cards"] if "salt" in card]


def another_card(at: Table) -> None:
    at.opened[0]["card"] = "2c" if at.opened[0]["card"] != "2c" else "2d"


def swap_cards(at: Table) -> None:
    cards = at.document["cards"]
    first, there = (cards.index(card) for card in at.opened[:2])
    cards[first], cards[there] = cards[there], cards[first]


def swapped_positions(at: Table) -> None:
    first, there = at.opened[:2]
    first["position"], there["position"] = there["position"], first["position"]


def anothers_leaf(at: Table) -> None:
    """A committed card from another position of the deck."""
    dealt = {card["position"] for card in at.document["cards"]}
    place = next(n for n in range(52) if n not in dealt)
    steps = [step.hex() for step in path(at.deck.tree, place)]
    salt, card = at.deck.salts[place].hex(), names([at.deck.cards[place]])
    at.opened[0].update({"position": place, "card": card, "salt": salt, "path": steps})


def path_of_another_shoe(at: Table) -> None:
    at.opened[0]["path"] = opened_cards(at.other)[0]["path"]


def leaf_of_another_shoe(at: Table) -> None:
    theirs = opened_cards(at.other)[0]
    at.opened[0].update({key: theirs[key] for key in ("card", "salt", "path")})


def truncate(at: Table) -> None:
    at.opened[0]["path"].pop()


def grown(at: Table) -> None:
    at.opened[0]["path"].append("00" * 32)


def node_for_a_leaf(at: Table) -> None:
    """A tree one level lower: a neighbor's hash in place of a salt."""
    at.opened[0]["salt"] = at.opened[0]["path"].pop(0)


def other_seed(at: Table) -> None:
    at.document["shoe"]["seat_seeds"]["1"] = "of ann "


def seed_left_out(at: Table) -> None:
    at.document["shoe"]["seat_seeds"] = {}


def seed_slipped_in(at: Table) -> None:
    at.document["shoe"]["seat_seeds"]["2"] = "ground until it pleased the house"


def other_shoe(at: Table) -> None:
    at.document["shoe"]["id"] = "t1-shoe-000009"


def said_and_not_opened(at: Table) -> None:
    cards = at.document["cards"]
    cards[cards.index(at.opened[0])] = {"position": at.opened[0]["position"]}


def reshuffle(at: Table) -> None:
    """A deck chosen after the seeds are known."""
    cards, position = [*at.deck.cards], at.opened[0]["position"]
    cards[position - 1], cards[position] = cards[position], cards[position - 1]
    better = SaltedDeck(at.deck.shoe, cards, at.deck.salts)
    for card in at.opened:
        card["card"] = names([cards[card["position"]]])
        card["path"] = [step.hex() for step in path(better.tree, card["position"])]


CHEATS: dict[Callable[[Table], None], str] = {
    another_card: "commitment",
    swap_cards: "order",
    swapped_positions: "commitment",
    anothers_leaf: "order",
    path_of_another_shoe: "commitment",
    leaf_of_another_shoe: "commitment",
    truncate: "commitment",
    grown: "commitment",
    node_for_a_leaf: "commitment",
    other_seed: "order",
    seed_left_out: "order",
    seed_slipped_in: "order",
    other_shoe: "commitment",
    said_and_not_opened: "closed",
    reshuffle: "commitment",
}
