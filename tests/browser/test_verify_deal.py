"""Verify this deal: the browser takes no proof but that of the round, cards and hash it saw."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect
from tests.browser.between import Answer, Between
from tests.browser.player import Game, Player
from tests.browser.test_history import AGREES, DISAGREES, STUD, verify

Json = dict[str, Any]
Bend = Callable[[Json, Json], Json]


def another_round(right: Json, other: Json) -> Json:
    return other


def another_round_renamed(right: Json, other: Json) -> Json:
    return {**other, "round_id": right.get("round_id")}


def another_shoe(right: Json, other: Json) -> Json:
    """The right actions behind another shoe, whose seed has its hash."""
    return {**right, "shoe": other["shoe"]}


def swapped_places(right: Json, other: Json) -> Json:
    """The order of the deal bent, so that seat and board change cards."""
    bent = copy.deepcopy(right)
    deals = [one for one in bent["round"]["actions"] if one["do"] == "deal"]
    places = [one["place"] for one in deals]
    for one, place in zip(deals, reversed(places), strict=True):
        one["place"] = place
    return bent


ATTACKS: dict[Bend, str] = {
    another_round: "Round",
    another_round_renamed: "Cards on the felt",
    another_shoe: "Commitment",
    swapped_places: "Deal",
}


def test_no_proof_of_another_round_is_taken(guest: Player, games: dict[str, Game]) -> None:
    page = guest.page
    guest.sit(games[STUD])
    guest.round(games[STUD], "3 Card Bonus")
    kept = guest.get(f"/api/tables/{guest.table}/rounds")["rounds"][0]["shoe"]["commitment"]
    guest.rebet()
    guest.deal()
    guest.play("Fold")
    guest.settled()
    page.get_by_role("link", name="History").click()
    page.get_by_role("link", name=re.compile("Round 1")).click()
    rounds = [one["round"] for one in guest.get(f"/api/tables/{guest.table}/rounds")["rounds"]]
    other, right = (guest.get(f"/api/tables/{guest.table}/rounds/{one}/proof") for one in rounds)
    verify(page)
    expect(page.get_by_text(AGREES)).to_be_visible()
    expect(guest.beside).to_contain_text("this browser saw and kept before your bets")
    expect(guest.beside).to_contain_text(kept)
    between = Between(page, "**/proof")
    for bend, named in ATTACKS.items():
        between.answers(with_proof(bend(right, other)))
        page.get_by_role("button", name="Verify this deal").click()
        expect(page.get_by_text(DISAGREES)).to_be_visible()
        expect(page.get_by_text(AGREES)).to_have_count(0)
        expect(guest.beside.get_by_role("listitem").filter(has_text="Differs:")).not_to_have_count(
            0
        )
        expect(
            guest.beside.get_by_role("listitem").filter(has_text=f"Differs: {named}")
        ).to_be_visible()
    between.steps_aside()
    page.reload()
    verify(page)
    expect(guest.beside).to_contain_text("this browser saw and kept before your bets")
    page.evaluate("localStorage.clear()")
    page.reload()
    verify(page)
    expect(page.get_by_text(AGREES)).to_be_visible()
    expect(guest.beside).to_contain_text("This browser did not see the commitment before the bets")


def with_proof(proof: Json) -> Answer:
    return lambda route: route.fulfill(json=proof)
