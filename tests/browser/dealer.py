"""A dealer at the page with real cards, typed by keys and read back from the house."""

from __future__ import annotations

import json
from datetime import date
from random import Random
from typing import Any

from playwright.sync_api import Page, expect
from tests.browser.player import INSTANT, keep_settings
from tests.browser.server import House

from pitbook.cards import DECK, name
from pitbook.rules import round_file
from pitbook.rules.result_json import report
from pitbook.sheets.library import Library

Json = dict[str, Any]
LOOKS = 200
COMMON = {"street-stud": "community"}  # All other families have a dealer's hand.


class TypedTable:
    """A typed-card table, with its dealer at a browser and guests without accounts."""

    def __init__(self, house: House, page: Page, sheet: str, seed: int) -> None:
        self.house, self.page, self.sheet = house, page, sheet
        self.rng = Random(seed)
        self.deck: list[str] = []
        self.table = house.table(sheet, kind="typed")
        keep_settings(page, **INSTANT)
        page.goto(f"/table/{self.table}")
        page.wait_for_url(f"**/table/{self.table}/deal")

    # Reading the page ---------------------------------------------------------------------------

    def view(self) -> Json:
        """The dealer's view, once the page shows the same version."""
        main = self.page.locator("main[data-version]")
        for _ in range(LOOKS):
            answer = self.page.request.get(f"/api/tables/{self.table}", max_retries=3)
            assert answer.ok, answer.text()
            view: Json = answer.json()
            if main.get_attribute("data-version") == str(view["version"]):
                return view
            self.page.wait_for_timeout(20)
        raise AssertionError("the page does not show what the house tells")

    @property
    def next(self) -> Json:
        return self.view()["dealing"]["next"] or {}

    # What is done ------------------------------------------------------------------------------

    def wait_past(self, version: int) -> None:
        """Wait until the table has passed a version."""
        self.page.locator(f'main:not([data-version="{version}"])').wait_for()

    def sit(self, seat: int, guest: str, cash: str, bets: Json) -> None:
        """Seat a guest, sell chips, and place bets."""
        page = self.page
        self.view()
        page.keyboard.press(str(seat))
        page.get_by_label("Name or check-in code").fill(guest)
        page.keyboard.press("Enter")
        form = page.get_by_role("form", name=f"{guest}'s cash")
        form.get_by_label("Cash for chips").fill(cash)
        page.keyboard.press("Enter")
        expect(page.get_by_role("region", name=f"Seat {seat}, {guest}")).to_contain_text("$")
        betting = page.get_by_role("form", name=f"{guest}'s bets")
        for title, amount in bets.items():
            betting.get_by_label(title).first.fill(amount)
        before = self.view()["version"]
        page.keyboard.press("Enter")
        self.wait_past(before)

    def shuffle(self) -> None:
        self.deck = [name(card) for card in DECK]
        self.rng.shuffle(self.deck)

    def keys(self, card: str) -> None:
        """Type a card as a dealer would; a ten is typed as 10 half of the time."""
        rank, suit = card[0], card[1]
        ten = rank == "T" and self.rng.random() < 0.5
        for key in ("1", "0", suit) if ten else (rank.lower(), suit):
            self.page.keyboard.press(key)

    def card(self) -> str:
        """Type the next card of the shoe."""
        card = self.deck.pop()
        before = self.view()["version"]
        self.keys(card)
        self.wait_past(before)
        return card

    def decide(self) -> None:
        """Make a random play that is open to the seat, by its key."""
        view = self.view()
        seat = view["dealing"]["next"]["seat"]
        (offer,) = (
            offer for offer in view["offers"] if offer["do"] == "decide" and offer["seat"] == seat
        )
        playable = [
            play for play in offer["choices"] if play["plain"] is None and "refused" not in play
        ]
        choice = self.rng.choice([play for play in playable if not play["folds"]] * 3 + playable)
        self.page.keyboard.press(choice["key"])
        self.wait_past(view["version"])

    def step(self) -> None:
        """Do the next step."""
        next_action = self.next["do"]
        if next_action == "type-card":
            self.card()
        elif next_action == "decide":
            self.decide()
        else:
            before = self.view()["version"]
            self.page.keyboard.press("Enter")
            self.wait_past(before)

    def bet_again(self) -> None:
        """Repeat everyone's bets of the last round."""
        self.page.keyboard.press("r")
        seated = sum(1 for seat in self.view()["seats"] if seat["player"])
        while (
            sum(1 for seat in self.view()["seats"] if seat.get("held", "0.00") != "0.00") < seated
        ):
            self.page.wait_for_timeout(20)

    def finish(self) -> Json:
        """Play the round to its end; returns the final view."""
        while (view := self.view())["phase"] != "over":
            self.step()
        return view

    def until(self, do: str) -> None:
        """Continue until this action is due."""
        while self.next["do"] != do:
            self.step()

    # What it must come to ----------------------------------------------------------------------

    def settle_by_file(self, view: Json) -> list[Json]:
        """The seats as `pitbook settle` settles the same cards."""
        sheet = Library().load(self.sheet, date.today())  # noqa: DTZ011  As in the house.
        family = COMMON.get(sheet.family, "dealer")
        board = [card for card in view["common"][0]["cards"] if card]
        placed = {offer["wager"] for offer in view["offers"] if offer["do"] == "put-wager"}
        seats = [_seat_record(seat, placed) for seat in view["seats"] if seat.get("wagers")]
        file: Json = {"sheet": self.sheet, "seats": seats}
        if board:
            file[family] = board
        if view["result"]["result"] == "misdeal":
            file["misdeal"] = "as called"
        final, _ = round_file.play(round_file.parse(json.dumps(file)), sheet)
        return list(report(final)["seats"])


def _seat_record(seat: Json, placed: set[str]) -> Json:
    """A seat for a round file, with only the wagers placed before the deal."""
    cards = [card for card in seat["cards"] if card]
    bets = {wager: amount for wager, amount in seat["wagers"] if wager in placed}
    return {
        "seat": seat["seat"],
        "player": seat["played_by"],
        "wagers": bets,
        "play": seat["plays"],
        **({"cards": cards} if cards else {}),
    }


def paid_seats(view: Json) -> list[Json]:
    """What the page's table paid, without the wording."""
    keys = ("wager", "stake", "outcome", "result", "odds", "wins", "clause")
    return [
        {
            **{key: seat[key] for key in ("seat", "player", "wins", "loses", "net")},
            "lines": [{key: line[key] for key in keys} for line in seat["lines"]],
        }
        for seat in view["result"]["seats"]
    ]
