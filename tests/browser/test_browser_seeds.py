"""Fair dealing as a player sees it: a browser seed in every deal, and hidden hands."""

from __future__ import annotations

import re

from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.player import Game
from tests.browser.server import House
from tests.browser.test_history import AGREES, verify_deal
from tests.browser.test_shared_tables import STUD, Party
from tests.browser.visitors import go

COULD_NOT = "The casino could not have picked these cards"


def test_browser_seeds_every_round_and_folded_hands_stay_hidden(
    house: House, visit: Visit, games: dict[str, Game]
) -> None:
    party = Party(house, visit, STUD)
    ann, bob = party.players
    ann.page.get_by_role("tab", name="Seat").click()
    field = ann.side_panel.get_by_role("textbox", name="Your seed")
    expect(field).to_have_value(re.compile("^[0-9a-f]{24}$"))
    first = field.input_value()
    assert ann.view()["seat_seeds"] == {}  # Nothing is sent before the bet.
    ann.bet(games[STUD])
    bob.command(party.table, do="put-wager", seat=2, **games[STUD].bets[games[STUD].main])
    expect(party.other(0)).to_contain_text("$5")
    # His bet was made over the API; his page adds its seed.
    while "2" not in ann.view()["seat_seeds"]:
        ann.page.wait_for_timeout(50)
    house.command(party.table, do="close-betting")
    view = ann.view()
    assert view["seat_seeds"] == {"1": first, "2": None}
    expect(ann.side_panel).to_contain_text("The casino could not have picked your cards")
    folded = bob.view()["seats"][1]["cards"]
    bob.play("Fold")
    ann.play("1x", "1x", "1x")
    ann.wait_for_result()
    expect(field).to_be_enabled()  # The next shoe's hash is shown, and a new seed is generated.
    expect(field).not_to_have_value(first)
    expect(field).to_have_value(re.compile("^[0-9a-f]{24}$"))
    proof = ann.get(f"/api/tables/{party.table}/rounds/{view['round']}/proof")
    assert proof["shoe"]["seat_seeds"]["1"] == first
    assert not [card for card in folded if f"'{card}'" in f"{proof['cards']}{proof['round']}"]
    go(ann.page, f"/table/{party.table}/rounds/{view['round']}")
    verify_deal(ann.page)
    expect(ann.page.get_by_text(AGREES)).to_be_visible()
    expect(ann.side_panel).to_contain_text(COULD_NOT)
    expect(ann.side_panel).to_contain_text("(2 hidden)")
    expect(ann.side_panel).to_contain_text("this browser saved before your bets")
