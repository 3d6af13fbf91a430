"""Tables with real shoes: sealed, committed, revealed and dealt again."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from tests.clauses.one_line_rounds import CMS, LAS, MHL
from tests.house.table.kit import DEALER, START, Live, top

from pitbook.cards import DECK, Card
from pitbook.house.table.apply_facts import replay
from pitbook.house.table.commands import CloseBetting, Decide, SeatSeed
from pitbook.house.table.decide import opening_facts
from pitbook.house.table.environment import LiveEnv
from pitbook.money import Cents
from pitbook.rules.stored_rounds import encode, store
from pitbook.sheets.model import Sheet
from pitbook.shoe.commitments import deck_of
from pitbook.shoe.crypto import Vault
from pitbook.shoe.proof import build_card_proof
from pitbook.shoe.stored_shoe import ShoeRecord
from pitbook.shoe.verify import verify

VAULT = Vault(bytes(range(32)))


def real(live: Live, **choice: Any) -> LiveEnv:
    return LiveEnv(VAULT, wallet=live.env.wallet, now=live.env.now, **choice)


def table(sheet: Sheet, **choice: Any) -> Live:
    """A table with a real shoe."""
    live = Live(sheet)
    luck = real(live, **choice)
    live.facts = list(
        opening_facts(table="t1", kind=live.state.kind, unit=live.state.unit, sheet=sheet, env=luck)
    )
    live.state = replay(live.facts)
    live.env = luck  # type: ignore[assignment]
    return live


def whole_round(live: Live, *plays: str) -> Live:
    live.do("ann", SeatSeed(1, "seven")).do(DEALER, CloseBetting())
    return live.do("ann", *(Decide(1, play) for play in plays))


@pytest.mark.parametrize("sheet", [CMS, LAS, MHL], ids=lambda sheet: sheet.id)
def test_revealed_round_can_be_dealt_again(sheet: Sheet) -> None:
    live = table(sheet)
    if sheet is MHL:
        whole_round(live.seat(1, "ann", bet=10), "low")
    else:
        whole_round(live.seat(1, "ann", ante=10), "1x", "1x", "1x")
    record = ShoeRecord.of(live.facts_json[1]["record"])
    stored = store(live.round, live.state.actions)
    how: Any = {"seeds": ((1, "seven"),), "past": (), "round": stored, "round_id": "t1-000001"}
    for whole in (False, True):
        assert verify(build_card_proof(record, VAULT, **how, whole=whole)).differences == ()
    assert live.state.revealed is not None
    seed = bytes.fromhex(live.state.revealed["seed"])
    deck = deck_of(seed, shoe=record.id, decks=record.decks)
    assert deck.commitment == record.commitment == live.state.revealed["commitment"]
    assert [encode(action) for action in live.state.actions]


def test_cards_do_not_depend_on_the_order_of_queries() -> None:
    luck = real(Live(CMS))
    record = luck.shoe("s1", decks=1, pack=1, shuffle="automatic", times=1, typed=False)
    other = luck.shoe("s2", decks=1, pack=1, shuffle="automatic", times=1, typed=False)
    whole = luck.cards(record, {}, 0, 52)
    assert sorted(whole) == list(DECK)
    assert luck.cards(other, {}, 0, 5) != whole[:5]
    assert luck.cards(record, {}, 7, 3) == whole[7:10]
    assert luck.cards(record, {}, 2, 1) == whole[2:3]
    assert luck.cards(record, {1: "mine"}, 0, 52) != whole
    assert real(Live(CMS)).cards(record, {}, 40, 12) == whole[40:]


def test_each_kind_of_shoe_reveals_its_own_data() -> None:
    live = Live(CMS)
    options: dict[str, Any] = {"decks": 1, "pack": 1, "shuffle": "hand", "times": 1}
    committed, system = real(live), real(live, kind="system")
    seeded = real(live, kind="seeded", seed="nine")
    record = committed.shoe("s", typed=False, **options)
    assert len(committed.reveal(record) or "") == 64
    assert system.reveal(system.shoe("s", typed=False, **options)) is None
    assert seeded.reveal(seeded.shoe("s", typed=False, **options)) == b"nine s".hex()
    typed = committed.shoe("s", typed=True, **options)
    assert (typed["kind"], typed["sealed"], committed.reveal(typed)) == ("typed", None, None)


def test_seeded_shoes_are_reproducible_and_distinct() -> None:
    def cards(name: str) -> tuple[Card, ...]:
        luck = real(Live(CMS), kind="seeded", seed="nine")
        shoe = luck.shoe(name, decks=1, pack=1, shuffle="automatic", times=1, typed=False)
        return luck.cards(shoe, {}, 0, 20)

    assert cards("a") == cards("a") != cards("b")


def test_an_arranged_shoe_deals_the_chosen_spot() -> None:
    live = table(CMS, kind="arranged", first=top("Qs Js Ts As Ks"))
    live.seat(1, "ann", ante=10).do("ann", CloseBetting())
    assert live.round.seats[0].cards == top("As Ks")
    assert live.state.shoe is not None
    assert live.state.shoe["kind"] == "arranged"


def test_env_uses_the_given_wallet_and_clock() -> None:
    luck = LiveEnv(VAULT, wallet=lambda name: Cents(len(name)), now=lambda: START)
    assert (luck.wallet("ann"), luck.now()) == (3, START)
    assert isinstance(luck.now(), datetime)
