"""A dealer at the page with real cards: keys alone type them, and what lies there is read back."""

from __future__ import annotations

import json
from datetime import date
from random import Random
from typing import Any

from playwright.sync_api import Page, expect
from tests.browser.house import House
from tests.browser.player import INSTANT, keep_settings

from pitbook.cards import DECK, name
from pitbook.rules import round_file
from pitbook.rules.report import report
from pitbook.sheets.library import Library

Json = dict[str, Any]
LOOKS = 200
COMMON = {"street-stud": "community"}  # All other families have a dealer's hand there.


class TypedTable:
    """A table with real cards, its dealer at a browser, and guests that have no account."""

    def __init__(self, house: House, page: Page, sheet: str, seed: int) -> None:
        self.house, self.page, self.sheet = house, page, sheet
        self.luck = Random(seed)
        self.left: list[str] = []
        self.table = house.table(sheet, kind="typed")
        keep_settings(page, **INSTANT)
        page.goto(f"/table/{self.table}")
        page.wait_for_url(f"**/table/{self.table}/deal")

    # What lies there ---------------------------------------------------------------------------

    def view(self) -> Json:
        """The table as the house tells it to the dealer, once the page shows it too."""
        main = self.page.locator("main[data-version]")
        for _ in range(LOOKS):
            answer = self.page.request.get(f"/api/tables/{self.table}", max_retries=3)
            assert answer.ok, answer.text()
            found: Json = answer.json()
            if main.get_attribute("data-version") == str(found["version"]):
                return found
            self.page.wait_for_timeout(20)
        raise AssertionError("the page does not show what the house tells")

    @property
    def next(self) -> Json:
        return self.view()["dealing"]["next"] or {}

    # What is done ------------------------------------------------------------------------------

    def done(self, version: int) -> None:
        """Returns when the table has gone on since a version."""
        self.page.locator(f'main:not([data-version="{version}"])').wait_for()

    def sit(self, seat: int, guest: str, cash: str, bets: Json) -> None:
        """A guest sits down, buys in and bets."""
        page = self.page
        self.view()
        page.keyboard.press(str(seat))
        page.get_by_label("Name or ticket number").fill(guest)
        page.keyboard.press("Enter")
        form = page.get_by_role("form", name=f"Cash of {guest}")
        form.get_by_label("Cash for chips").fill(cash)
        page.keyboard.press("Enter")
        expect(page.get_by_role("region", name=f"Seat {seat}, {guest}")).to_contain_text("$")
        betting = page.get_by_role("form", name=f"Bets of {guest}")
        for title, amount in bets.items():
            betting.get_by_label(title).first.fill(amount)
        before = self.view()["version"]
        page.keyboard.press("Enter")
        self.done(before)

    def shuffle(self) -> None:
        self.left = [name(card) for card in DECK]
        self.luck.shuffle(self.left)

    def keys(self, card: str) -> None:
        """A card as a dealer types it; a ten is a one and a nought half of the time."""
        rank, suit = card[0], card[1]
        ten = rank == "T" and self.luck.random() < 0.5
        for key in ("1", "0", suit) if ten else (rank.lower(), suit):
            self.page.keyboard.press(key)

    def card(self) -> str:
        """The next card of the shoe, typed where the page wants it."""
        drawn = self.left.pop()
        before = self.view()["version"]
        self.keys(drawn)
        self.done(before)
        return drawn

    def decide(self) -> None:
        """A play that is open to the seat, by its key."""
        view = self.view()
        seat = view["dealing"]["next"]["seat"]
        (offer,) = (one for one in view["offers"] if one["do"] == "decide" and one["seat"] == seat)
        plain = [one for one in offer["choices"] if one["plain"] is None and "refused" not in one]
        choice = self.luck.choice([one for one in plain if not one["folds"]] * 3 + plain)
        self.page.keyboard.press(choice["key"])
        self.done(view["version"])

    def step(self) -> None:
        """Whatever comes next."""
        do = self.next["do"]
        if do == "type-card":
            self.card()
        elif do == "decide":
            self.decide()
        else:
            before = self.view()["version"]
            self.page.keyboard.press("Enter")
            self.done(before)

    def bet_again(self) -> None:
        """Everybody's bets of the last round."""
        self.page.keyboard.press("r")
        seated = sum(1 for one in self.view()["seats"] if one["player"])
        while sum(1 for one in self.view()["seats"] if one.get("held", "0.00") != "0.00") < seated:
            self.page.wait_for_timeout(20)

    def finish(self) -> Json:
        """The round to its end, and what became of it."""
        while (seen := self.view())["phase"] != "over":
            self.step()
        return seen

    def until(self, do: str) -> None:
        """As far as something is due."""
        while self.next["do"] != do:
            self.step()

    # What it must come to ----------------------------------------------------------------------

    def settled_alone(self, seen: Json) -> list[Json]:
        """What `pitbook settle` makes of the same cards, seat by seat."""
        sheet = Library().load(self.sheet, date.today())  # noqa: DTZ011  As the house has it.
        family = COMMON.get(sheet.family, "dealer")
        opened = [card for card in seen["common"][0]["cards"] if card]
        put = {one["wager"] for one in seen["offers"] if one["do"] == "put-wager"}
        seats = [_played(one, put) for one in seen["seats"] if one.get("wagers")]
        file: Json = {"sheet": self.sheet, "seats": seats}
        if opened:
            file[family] = opened
        if seen["result"]["result"] == "misdeal":
            file["misdeal"] = "as called"
        final, _ = round_file.play(round_file.parse(json.dumps(file)), sheet)
        return list(report(final)["seats"])


def _played(seat: Json, put: set[str]) -> Json:
    """A seat as a round file has it; what plays put is told by the plays."""
    cards = [card for card in seat["cards"] if card]
    bets = {wager: amount for wager, amount in seat["wagers"] if wager in put}
    return {
        "seat": seat["seat"],
        "player": seat["played_by"],
        "wagers": bets,
        "play": seat["plays"],
        **({"cards": cards} if cards else {}),
    }


def paid(seen: Json) -> list[Json]:
    """What the page's table paid, without the words for it."""
    keys = ("wager", "stake", "outcome", "result", "odds", "wins", "clause")
    return [
        {
            **{key: seat[key] for key in ("seat", "player", "wins", "loses", "net")},
            "lines": [{key: line[key] for key in keys} for line in seat["lines"]],
        }
        for seat in seen["result"]["seats"]
    ]
