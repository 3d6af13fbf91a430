"""GEN-14 in a proof: a player opens the own cards and the board, the auditor the whole shoe.

A house that cheats, and a player who pries, are tried on documents that the table really gave out.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.clauses.one_line_rounds import CMS, MHL
from tests.house.table.cheats import CHEATS, Table, opened_cards
from tests.house.table.kit import DEALER, SUPERVISOR
from tests.house.table.proof_table import VAULT, Proved
from tests.house.table.visible_cards import for_viewer
from tests.house.web.conftest import fast_ledger
from tests.lanes import examples
from tests.shoe.test_packs import with_cut_card

from pitbook.cards import DECK, names
from pitbook.errors import ShoeError
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.table import commands as c
from pitbook.house.table.round_history import rounds_page
from pitbook.house.table.round_records import find_round, round_shoe
from pitbook.house.table.state import restore, snapshot
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.shoe.commitments import SaltedDeck, leaf
from pitbook.shoe.dealing import Past
from pitbook.shoe.stored_shoe import ShoeRecord, reveal
from pitbook.shoe.verdict import KnownRound, compare
from pitbook.shoe.verify import verify


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with fast_ledger(tmp_path / "book.db") as book:
        yield book


def folded_by_bob(ledger: Ledger) -> tuple[Proved, SaltedDeck, list[str]]:
    """Ann plays to the end, bob folds; with the deck."""
    live = Proved(ledger, CMS)
    deck = live.deck
    live.seat(1, "ann", ante=10).seat(2, "bob", ante=10)
    live.do("ann", c.SeatSeed(1, "of ann")).do(DEALER, c.CloseBetting())
    bobs = live.hand(2)
    live.do("bob", c.Decide(2, "fold")).do("ann", *(c.Decide(1, "1x") for _ in range(3)))
    return live, deck, bobs


def test_hand_voided_before_its_decision_is_provable_to_others(ledger: Ledger) -> None:
    """A closed hand with a side wager and no play."""
    live = Proved(ledger, MHL)
    live.seat(1, "ann", bet=5).seat(2, "bob", bet=5, matchem_bonus=1)
    live.do(DEALER, c.CloseBetting()).do(SUPERVISOR, c.VoidHand(2, "supervisor"))
    live.do("ann", c.Decide(1, "high"))
    for viewer in ("ann", "bob", None):
        assert verify(live.proof(viewer)).differences == (), viewer


@pytest.mark.long
def test_gen_14_anns_proof_keeps_bobs_folded_hand_closed(ledger: Ledger) -> None:
    live, deck, bobs = folded_by_bob(ledger)
    document = live.proof("ann")
    verdict = verify(document)
    assert verdict.differences == ()
    board, ann, bob = verdict.hands
    assert (bob.turned, bob.unturned, verdict.closed) == ((None, None), 0, 2)
    assert (len(board.turned), names(card for card in ann.turned if card is not None)) == (
        3,
        " ".join(live.hand(1)),
    )
    assert {card["position"] for card in document["cards"] if len(card) == 1} == {
        deck.cards.index(card) for card in DECK if names([card]) in bobs
    }
    assert live.proof("bob")["round"]["actions"] != document["round"]["actions"]
    assert verify(live.proof("bob")).hands[2].turned != (None, None)


def test_anns_proof_discloses_no_closed_card(ledger: Ledger) -> None:
    """All 52 cards are tried against every hash in the proof."""
    live, deck, bobs = folded_by_bob(ledger)
    document = live.proof("ann")
    text = json.dumps({key: document[key] for key in document if key != "round"})
    played = json.dumps(document["round"]["actions"])
    record = find_round(ledger, "t1-000001")
    assert record.before.shoe is not None
    seed = reveal(ShoeRecord.of(record.before.shoe), VAULT)
    opened = [card["position"] for card in document["cards"] if "salt" in card]
    assert len(opened) == 5
    for position, (card, salt) in enumerate(zip(deck.cards, deck.salts, strict=True)):
        closed = position not in opened
        assert closed is (salt.hex() not in text)
        assert closed is (f'"{names([card])}"' not in text)
    assert not any(card in played for card in bobs)
    assert seed not in text + played
    assert record.before.shoe["sealed"] not in text + played
    # Somebody who tries every card needs a salt; those that the document holds are others'.
    salts = [bytes.fromhex(card["salt"]) for card in document["cards"] if "salt" in card]
    salts += [bytes(32), bytes.fromhex(document["shoe"]["commitment"])]
    hashes = {hash_ for card in document["cards"] for hash_ in card.get("path", ())}
    closed_to_ann = [card["position"] for card in document["cards"] if "salt" not in card]
    for position, card, salt in product(closed_to_ann, DECK, salts):
        assert leaf(position, salt, card).hex() not in hashes


def test_seed_is_in_no_view_event_or_record(ledger: Ledger) -> None:
    live, _, _ = folded_by_bob(ledger)
    record = find_round(ledger, "t1-000001")
    assert record.before.shoe is not None
    seed = reveal(ShoeRecord.of(record.before.shoe), VAULT)
    roles = ("player", "dealer", "supervisor", "spectator")
    for viewer in (Viewer("ann", role) for role in roles):  # type: ignore[arg-type]
        events = [for_viewer(event, viewer) for event in live.events]
        view = table_view(live.state, viewer, live.env.wallet)
        assert seed not in json.dumps([events, view])
    assert seed not in json.dumps(rounds_page(ledger, "ann").rounds)
    auditors = round_shoe(record, seed=True)
    assert auditors is not None
    assert auditors["seed"] == seed
    assert auditors["seat_seeds"] == [[1, "of ann"]]


def test_the_auditor_opens_everything_when_the_shoe_has_ended(ledger: Ledger) -> None:
    live, deck, bobs = folded_by_bob(ledger)
    document = live.proof(None)
    verdict = verify(document)
    assert (verdict.differences, verdict.whole, verdict.closed) == ((), True, 0)
    assert names(card for card in verdict.hands[2].turned if card is not None) == " ".join(bobs)
    assert [card for card, _ in document["deck"]] == names(deck.cards).split()


def test_dealing_other_cards_is_detected(ledger: Ledger) -> None:
    live, deck, _ = folded_by_bob(ledger)
    right = live.proof("ann")
    live.seat(1, "ann", ante=10).do(DEALER, c.CloseBetting())
    live.do("ann", c.Decide(1, "fold"))
    other = live.proof("ann")
    assert verify(right).differences == verify(other).differences == ()
    for cheat, code in CHEATS.items():
        at = Table(copy.deepcopy(right), deck, other)
        cheat(at)
        assert code in {difference.code for difference in verify(at.document).differences}, cheat


def test_swapped_deck_changes_the_committed_hash(ledger: Ledger) -> None:
    """A consistent proof must still match the commitment shown before the bets."""
    live, deck, _ = folded_by_bob(ledger)
    at = Table(live.proof(None), deck, {})
    cards = [*deck.cards[1:], deck.cards[0]]
    better = SaltedDeck(deck.shoe, cards, deck.salts)
    at.document["deck"] = [
        [names([card]), salt.hex()] for card, salt in zip(cards, deck.salts, strict=True)
    ]
    at.document["shoe"]["commitment"] = better.commitment
    differences = compare(verify(at.document), KnownRound(commitment=deck.commitment)).differences
    assert "kept" in {difference.code for difference in differences}


def test_auditor_finds_a_committed_but_incomplete_deck(ledger: Ledger) -> None:
    """A deck with a duplicate card, committed to: the auditor counts all cards."""
    live, deck, _ = folded_by_bob(ledger)
    document = live.proof(None)
    dealt = {card["position"] for card in document["cards"]}
    duplicated, gone = [n for n in range(52) if n not in dealt][:2]
    cards = [*deck.cards]
    cards[gone] = cards[duplicated]
    document["deck"][gone][0] = names([cards[duplicated]])
    assert {difference.code for difference in verify(document).differences} == {
        "commitment",
        "deck",
    }
    document["shoe"]["commitment"] = SaltedDeck(deck.shoe, cards, deck.salts).commitment
    (no_full_deck,) = [
        difference for difference in verify(document).differences if difference.code == "deck"
    ]
    assert f"{names([deck.cards[gone]])} 0 times" in no_full_deck.message
    assert f"{names([cards[duplicated]])} 2 times" in no_full_deck.message


@pytest.mark.long
def test_every_bit_of_a_proof_counts(ledger: Ledger) -> None:
    """Every hash and salt; the slow tests flip every bit."""
    live, _, _ = folded_by_bob(ledger)
    document = live.proof("ann")
    holders: list[tuple[Any, str | int]] = [(document["shoe"], "commitment")]
    for card in opened_cards(document):
        holders += [(card, "salt"), *((card["path"], step) for step in range(len(card["path"])))]
    bits = [(place, bit) for place in range(len(holders)) for bit in range(256)]
    for place, bit in Random(6).sample(bits, examples(40, len(bits))):
        holder, field = holders[place]
        right = holder[field]
        holder[field] = f"{int(right, 16) ^ (1 << bit):064x}"
        assert verify(document).differences, (field, bit)
        holder[field] = right
    assert verify(document).differences == ()


@pytest.mark.long
def test_rounds_of_one_shoe_have_their_own_seeds(ledger: Ledger) -> None:
    """With a cut card, each round's seeds choose among the remaining positions."""
    live = Proved(ledger, with_cut_card(60))
    committed = live.state.history
    histories = [committed]
    for number in range(1, 7):
        live.seat(1, "ann", bet=10)
        if number != 3:
            live.do("ann", c.SeatSeed(1, f"ann {number}", histories[-1]))
        refusal = live.no("ann", c.SeatSeed(1, "again")) if number != 3 else None
        assert (
            refusal is None
            or refusal.message
            == "Seat 1 has already added a seed to this deal. Add another to the next one."
        )
        live.do(DEALER, c.CloseBetting())
        assert "Betting is closed" in live.no("ann", c.SeatSeed(1, "late")).message
        live.do("ann", c.Decide(1, "low"))
        assert live.state.seat_seeds == {}
        assert live.state.history not in histories
        histories.append(live.state.history)
        live.sound()
    dealt: set[int] = set()
    for number in range(1, 7):
        document = live.proof("ann", number)
        verdict = verify(document)
        assert (verdict.differences, verdict.drawn) == ((), len(dealt))
        seeds = {} if number == 3 else {1: f"ann {number}"}
        assert verdict.shoe.seat_seeds == seeds
        assert verdict.shoe.commitment == committed
        positions = {card["position"] for card in document["cards"]}
        assert not positions & dealt
        dealt |= positions
    document = live.proof("ann", 6)
    document["shoe"]["past"][1]["seat_seeds"]["1"] = "other"
    assert {difference.code for difference in verify(document).differences} == {"order"}
    with pytest.raises(ShoeError, match="The seed of its shoe is not revealed yet"):
        live.proof(None, 2)  # It is still dealt from.
    live.do(SUPERVISOR, c.Retire())
    assert verify(live.proof(None, 2)).differences == ()


def test_shoe_continues_after_a_restart(ledger: Ledger) -> None:
    live = Proved(ledger, with_cut_card(60))
    for number in (1, 2):
        live.seat(1, "ann", bet=10).do("ann", c.SeatSeed(1, f"{number}"))
        live.do(DEALER, c.CloseBetting())
        before = live.hand(1)
        live.restart()
        live.env = live.lucky(1)  # Another process has drawn nothing yet.
        assert live.hand(1) == before
        live.do("ann", c.Decide(1, "low"))
        assert verify(live.proof("ann")).differences == ()


def test_stale_seed_is_ignored_and_the_bet_kept(ledger: Ledger) -> None:
    live = Proved(ledger, CMS)
    old = live.state.history
    live.seat(1, "ann", ante=10).do(DEALER, c.CloseBetting()).do("ann", c.Decide(1, "fold"))
    assert live.state.history != old
    refusal = live.no("ann", c.SeatSeed(1, "made before the hash was shown", old))
    assert refusal.message.startswith("The shoe has changed since this seed was made")
    ante = live.state.last[1][1][0][1]
    live.do("ann", c.PutWager(1, "ante", ante, "stale", old))
    assert (live.state.seat_seeds, live.round.seats[0].player) == ({}, "ann")
    live.do("ann", c.PutWager(1, "ante", ante, "fresh", live.state.history))
    live.do("ann", c.PutWager(1, "ante", ante, "second", live.state.history))
    assert live.state.seat_seeds == {1: "fresh"}
    live.do(DEALER, c.CloseBetting()).do("ann", c.Decide(1, "fold"))
    live.do("ann", c.Rebet(1, "with a rebet", live.state.history))
    assert live.state.seat_seeds == {1: "with a rebet"}


def test_seed_cannot_be_removed(ledger: Ledger) -> None:
    """Removing a seed would let the server choose; another player of the seat adds one more."""
    live = Proved(ledger, CMS)
    live.seat(1, "ann", ante=10).seat(2, "bob", ante=10)
    live.do("ann", c.SeatSeed(1, "ann")).do(DEALER, c.Leave(1))
    live.seat(1, "cho", ante=10)
    assert table_view(live.state, Viewer("cho", "player"), live.env.wallet)["seat_seeds"] == {
        "1": None
    }
    live.do("cho", c.SeatSeed(1, "cho"))
    view = table_view(live.state, Viewer("cho", "player"), live.env.wallet)
    assert view["seat_seeds"] == {"1": "cho"}
    live.do(DEALER, c.CloseBetting())
    live.do("cho", c.Decide(1, "fold")).do("bob", c.Decide(2, "fold"))
    document = live.proof("bob")
    assert document["shoe"]["seat_seeds"] == {"1": "ann\ncho"}
    assert verify(document).differences == ()


def test_deal_does_not_depend_on_round_number_or_clock(ledger: Ledger) -> None:
    """Opening empty rounds after the seeds are known does not change the cards."""
    live = Proved(ledger, CMS)
    live.seat(1, "ann", ante=10).do("ann", c.SeatSeed(1, "seed")).do("ann", c.Undo(1))
    live.do(DEALER, c.OpenRound(), c.OpenRound())
    order = list(live.state.seat_seeds.items())
    live.seat(1, "ann", ante=10).do(DEALER, c.CloseBetting())
    assert (order, live.state.number) == ([(1, "seed")], 3)
    live.do("ann", c.Decide(1, "fold"))
    assert verify(live.proof("ann")).differences == ()


def test_older_snapshot_is_read(ledger: Ledger) -> None:
    live = Proved(ledger, with_cut_card(60))
    live.seat(1, "ann", bet=10).do("ann", c.SeatSeed(1, "x")).do(DEALER, c.CloseBetting())
    live.do("ann", c.Decide(1, "low")).do("ann", c.SeatSeed(1, "for the next"))
    snapshot_json = json.loads(json.dumps(snapshot(live.state)))
    assert restore(snapshot_json) == live.state
    assert live.state.past == (Past(8, ((1, "x"),)),)
    for later in ("past", "seeded"):
        del snapshot_json[later]
    assert restore(snapshot_json).past == ()
