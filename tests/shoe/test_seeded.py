"""A seed always deals the same cards, and fresh seeds are unpredictable."""

from __future__ import annotations

from pitbook.cards import names
from pitbook.shoe.crypto import deal_key
from pitbook.shoe.dealing import fresh_seed, seed_bytes, seeded_shoe

FIRST_FIVE_OF_SEVEN = "8s 2s 5d Td 6d"


def first_five(seed: str, shoe: str = "round 1", decks: int = 1) -> str:
    shoe_dealt = seeded_shoe(seed, shoe=shoe, decks=decks)
    return names(shoe_dealt.draw() for _ in range(5))


def test_the_deal_of_a_seed_never_changes() -> None:
    assert first_five("seven") == first_five("seven") == FIRST_FIVE_OF_SEVEN
    assert first_five("seven", decks=6) == "8s 7h 8d Td Ac"


def test_other_seeds_and_other_rounds_are_other_deals() -> None:
    deals = {first_five(seed, shoe) for seed in ("seven", "eight") for shoe in ("1", "2")}
    assert len(deals) == 4


def test_seed_accepts_any_command_line_text() -> None:
    assert seed_bytes("é") == b"\xc3\xa9"
    assert seed_bytes("\udcff") == b"\xed\xb3\xbf"
    assert first_five("") != first_five(" ")


def test_seeded_shoes_use_the_common_algorithm() -> None:
    from pitbook.shoe.dealing import Dealing

    dealt = Dealing(deal_key(b"seven", shoe="round 1", seat_seeds={}), decks=1)
    assert names(dealt.draw() for _ in range(5)) == FIRST_FIVE_OF_SEVEN


def test_fresh_seeds_have_64_bits_and_differ() -> None:
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(len(bytes.fromhex(seed)) == 8 for seed in seeds)
