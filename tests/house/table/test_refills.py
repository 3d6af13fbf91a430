"""Refills of play chips: in practice only, below a hand's minimum, and recorded."""

from __future__ import annotations

import pytest
from tests.clauses.one_line_rounds import CMS, LAS_STAX, MHL, OMS
from tests.house.table.kit import SUPERVISOR, Live

from pitbook.house.ledger.accounts import Account, move
from pitbook.house.people.access_list import AccessList
from pitbook.house.table.commands import CloseBetting, Decide, Refill, Retire, Sit
from pitbook.house.table.offers import offers
from pitbook.house.table.seats import minimum_to_play
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.rules.game import compile_game
from pitbook.rules.refusals import Code, Refusal
from pitbook.sheets.model import Sheet

LEAST = {CMS.id: 20, OMS.id: 8, LAS_STAX.id: 21, MHL.id: 5}


def with_dollars(sheet: Sheet, dollars: int, kind: str = "practice") -> Live:
    """Ann at seat 1 with this much left."""
    live = Live(sheet, kind, owner="ann").seat(1, "ann")
    spent = live.wallet("ann") - dollars
    if spent:
        sink = Account(live.till.unit, "issued" if kind == "practice" else "cash")
        live.pay(move(live.till.wallet("ann"), sink, Cents(spent * 100), ""))
    return live


@pytest.mark.parametrize("sheet", [CMS, OMS, LAS_STAX, MHL], ids=lambda sheet: sheet.id)
def test_refill_is_available_below_the_cost_of_a_hand(sheet: Sheet) -> None:
    least = LEAST[sheet.id]
    assert minimum_to_play(compile_game(sheet)) == Cents(100 * least)
    refusal = with_dollars(sheet, least).no("ann", Refill(1))
    assert refusal.code == Code.NOT_NOW
    assert refusal.message == (
        f"ann has ${least}. You can refill below ${least}, the minimum for a hand."
    )
    for dollars in (least - 1, 0):
        live = with_dollars(sheet, dollars).do("ann", Refill(1))
        assert live.wallet("ann") == dollars + 1_000
        assert live.facts_json[-1] == {
            "fact": "refilled",
            "seat": 1,
            "player": "ann",
            "given": "1000.00",
        }
        live.no("ann", Refill(1))  # Once is enough.
        live.sound()
        live.do("ann", Retire())
        assert live.wallet("ann") == 0


def test_gen_10_refill_does_not_apply_during_a_hand() -> None:
    live = with_dollars(CMS, 19).seat(1, "ann", ante=5)
    live.do("ann", CloseBetting())
    refusal = live.no("ann", Refill(1))
    assert (refusal.code, refusal.clause) == (Code.NOT_NOW, "GEN-10")
    live.do("ann", Decide(1, "fold"), Refill(1))
    assert live.wallet("ann") == 1_014
    live.sound()


def test_withdrawable_wagers_count_as_chips() -> None:
    assert with_dollars(CMS, 20).seat(1, "ann", ante=10).no("ann", Refill(1)).code == Code.NOT_NOW
    assert with_dollars(CMS, 19).seat(1, "ann", ante=10).do("ann", Refill(1)).wallet("ann") == 1_009


@pytest.mark.parametrize(("kind", "called"), [("house", "Pitbook-dealt"), ("typed", "dealer-run")])
def test_no_refill_at_money_or_tournament_tables(kind: str, called: str) -> None:
    live = with_dollars(CMS, 0, kind)
    assert live.no("ann", Refill(1)).message == f'"refill" is not available at a {called} table.'
    assert not [
        offer
        for offer in offers(live.state, Viewer("ann", "player"), live.env.wallet)
        if offer["do"] == "refill"
    ]


def test_only_the_player_gets_a_refill() -> None:
    live = with_dollars(CMS, 0)
    assert live.no(SUPERVISOR, Refill(1)).code == Code.FORBIDDEN
    assert live.no("ann", Refill(2)).code == Code.FORBIDDEN
    assert live.do("bob", Sit(2)).no("bob", Refill(1)).code == Code.FORBIDDEN


def test_excluded_player_gets_no_refill(monkeypatch: pytest.MonkeyPatch) -> None:
    live = with_dollars(CMS, 0)
    no = Refusal(Code.FORBIDDEN, "ann is excluded")
    monkeypatch.setattr(AccessList, "exclusion_of", lambda *_: no)
    assert live.no("ann", Refill(1)) == no


def test_refill_is_offered_with_its_reason() -> None:
    for dollars, refused in ((19, False), (20, True)):
        live = with_dollars(CMS, dollars)
        (refill_offer,) = (
            offer
            for offer in offers(live.state, Viewer("ann", "player"), live.env.wallet)
            if offer["do"] == "refill"
        )
        assert (refill_offer["seat"], "refused" in refill_offer) == (1, refused)
