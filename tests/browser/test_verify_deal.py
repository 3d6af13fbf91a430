"""Verify deal: the browser accepts only the proof of the round, cards and hash that it saw."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect
from tests.browser.player import Game, Player
from tests.browser.proxy import Answer, Interceptor
from tests.browser.test_history import AGREES, DISAGREES, STUD, verify_deal

Json = dict[str, Any]
ProofChange = Callable[[Json, Json], Json]


def use_another_round(right: Json, other: Json) -> Json:
    return other


def use_renamed_round(right: Json, other: Json) -> Json:
    return {**other, "round_id": right.get("round_id")}


def use_another_shoe(right: Json, other: Json) -> Json:
    """The right actions with another shoe, whose seed matches its hash."""
    return {**right, "shoe": other["shoe"]}


def swap_places(right: Json, other: Json) -> Json:
    """A changed dealing order, so that seat and board exchange cards."""
    changed = copy.deepcopy(right)
    deals = [action for action in changed["round"]["actions"] if action["do"] == "deal"]
    places = [action["place"] for action in deals]
    for action, place in zip(deals, reversed(places), strict=True):
        action["place"] = place
    return changed


ATTACKS: dict[ProofChange, str] = {
    use_another_round: "Round",
    use_renamed_round: "Cards shown",
    use_another_shoe: "Hash",
    swap_places: "Deal",
}


def test_proof_of_another_round_is_rejected(guest: Player, games: dict[str, Game]) -> None:
    page = guest.page
    guest.sit(games[STUD])
    guest.round(games[STUD], "3 Card Bonus")
    commitment = guest.get(f"/api/tables/{guest.table}/rounds")["rounds"][0]["shoe"]["commitment"]
    guest.rebet()
    guest.deal()
    guest.play("Fold")
    guest.wait_for_result()
    page.get_by_role("link", name="Hand history").click()
    page.get_by_role("link", name=re.compile("Round 1")).click()
    rounds = [
        round_record["round"]
        for round_record in guest.get(f"/api/tables/{guest.table}/rounds")["rounds"]
    ]
    other, right = (
        guest.get(f"/api/tables/{guest.table}/rounds/{round_id}/proof") for round_id in rounds
    )
    verify_deal(page)
    expect(page.get_by_text(AGREES)).to_be_visible()
    expect(guest.side_panel).to_contain_text("this browser saved before your bets")
    expect(guest.side_panel).to_contain_text(commitment)
    between = Interceptor(page, "**/proof")
    for change_proof, named in ATTACKS.items():
        between.answer_with(with_proof(change_proof(right, other)))
        page.get_by_role("button", name="Verify deal").click()
        expect(page.get_by_text(DISAGREES)).to_be_visible()
        expect(page.get_by_text(AGREES)).to_have_count(0)
        expect(
            guest.side_panel.get_by_role("listitem").filter(has_text="Mismatch:")
        ).not_to_have_count(0)
        expect(
            guest.side_panel.get_by_role("listitem").filter(has_text=f"Mismatch: {named}")
        ).to_be_visible()
    between.pass_through()
    page.reload()
    verify_deal(page)
    expect(guest.side_panel).to_contain_text("this browser saved before your bets")
    page.evaluate("localStorage.clear()")
    page.reload()
    verify_deal(page)
    expect(page.get_by_text(AGREES)).to_be_visible()
    expect(guest.side_panel).to_contain_text("This browser didn't see the hash before the bets")


def with_proof(proof: Json) -> Answer:
    return lambda route: route.fulfill(json=proof)
