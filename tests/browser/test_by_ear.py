"""Whole rounds by the aria tree alone: controls by role and name, cards and results as told.

What a screen reader has is all that there is here; what the house has on record judges it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Visit
from tests.browser.player import CARD, INSTANT, Player, keep_settings
from tests.browser.test_money import cents
from tests.browser.test_text import said
from tests.house.web.live import SHEETS
from tests.sheets.samples import AGAINST_THE_DEALER, LIR, PMS

UTH = "pennsylvania/ultimate-texas-holdem"
# A street, a dealer's hand that is arranged, and two places of common cards come first.
LAYOUTS = (SHEETS[0], SHEETS[2], UTH)
REST = tuple(one for one in (*SHEETS, *AGAINST_THE_DEALER, LIR, PMS) if one not in LAYOUTS)
LINE = re.compile(
    r"""^(?P<deep> *)- '?(?P<role>[a-z]+)(?: "(?P<name>(?:[^"\\]|\\.)*)")?(?P<rest>.*)$"""
)
STAYS_OUT = ("Fold", "Surrender")
NO_PLAY = ("Hint", "Keys", "Double")
LOOKS = 300
ROUNDS = 300  # Of Casino War one in thirteen asks for a decision: none of so many, once in 10^10.


class Node(NamedTuple):
    """One line of the tree."""

    deep: int
    role: str
    name: str
    rest: str

    @property
    def text(self) -> str:
        return f"{self.name} {self.rest.lstrip(': ')}".strip()


def unquoted(name: str | None) -> str:
    return (name or "").replace('\\"', '"')


class Ear:
    """Somebody who hears the page and names what to press."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def tree(self) -> list[Node]:
        lines = self.page.locator("body").aria_snapshot().splitlines()
        found = (LINE.match(line) for line in lines)
        return [
            Node(
                len(one["deep"]), one["role"], (one["name"] or "").replace('\\"', '"'), one["rest"]
            )
            for one in found
            if one
        ]

    def under(self, role: str, name: str) -> list[Node]:
        """What a part of that name holds; nothing where there is none."""
        tree = self.tree()
        for n, one in enumerate(tree):
            if one.role == role and re.match(name, one.name):
                deeper = (m for m in range(n + 1, len(tree)) if tree[m].deep <= one.deep)
                return tree[n + 1 : next(deeper, len(tree))]
        return []

    def able(self, role: str, name: str) -> list[str]:
        """The buttons of a part that can be pressed now."""
        inside = self.under(role, name)
        return [one.name for one in inside if one.role == "button" and "[disabled]" not in one.rest]

    def press(self, part: tuple[str, str], name: str) -> None:
        where = self.page.get_by_role(part[0], name=re.compile(part[1]))  # type: ignore[arg-type]
        where.get_by_role("button", name=name, exact=True).click()

    def cards(self, role: str, name: str) -> list[str]:
        images = [one.name for one in self.under(role, name) if one.role == "img"]
        return [one for one in images if one and CARD.fullmatch(one)]

    @property
    def balance(self) -> int:
        (told,) = (one for one in self.under("banner", "") if "Play chips" in one.rest)
        return cents(told.rest.rpartition(" ")[2])

    @property
    def asked(self) -> str:
        """The decision that is asked for; nothing where none is."""
        told = (one.rest for one in self.tree() if one.role == "paragraph")
        return next((one.strip(': "') for one in told if "your decision" in one), "")

    @property
    def result(self) -> str:
        """What the round came to, as it is told beside the table; nothing before that."""
        heads = [one.name for one in self.under("tabpanel", "Result") if one.role == "heading"]
        return next((one for one in heads if one.startswith("You ")), "")


def card_of(page: Page, sheet: str) -> Locator:
    """A game in the lobby; the link to its rules tells its id."""
    ended = re.compile(", " + sheet.replace("/", r"\/") + "$")  # In the browser a slash ends it.
    return page.get_by_role("article").filter(has=page.get_by_role("link", name=ended))


SPOT, ACTIONS = ("region", "^Your spot"), ("group", "^Actions")


def bets(ear: Ear) -> None:
    """A chip on every circle that says what it takes."""
    for _ in range(LOOKS):
        empty = [one for one in ear.able(*SPOT) if "–" in one]
        if not empty and any(one.startswith("Deal") for one in ear.able(*ACTIONS)):
            return
        if empty:
            ear.press(SPOT, empty[0])
            gone = ear.page.get_by_role("button", name=empty[0], exact=True)
            expect(gone).to_have_count(0)
    raise AssertionError(ear.able(*SPOT))


def plays(ear: Ear) -> list[str]:
    return [one for one in ear.able(*ACTIONS) if not one.startswith(NO_PLAY)]


def decides(ear: Ear, rounds: Player) -> int:
    """Decisions until the round is over, each with the cards that are heard before it."""
    made = 0
    for _ in range(LOOKS):
        asked = ear.asked
        if asked and (able := [one for one in plays(ear) if not one.startswith(STAYS_OUT)]):
            (mine,) = (one for one in rounds.view()["seats"] if one["player"] is not None)
            assert ear.cards(*SPOT) == [said(card) for card in mine["cards"]]
            ear.press(ACTIONS, able[0])
            made += 1
            expect(ear.page.get_by_text(asked, exact=True)).to_have_count(0)
        elif not asked and ear.result and "Rebet R" in ear.able(*ACTIONS):
            return made
    raise AssertionError("nobody says how it ended")


@pytest.mark.slow_cases("catfish-bend/matchem-hi-lo")
@pytest.mark.parametrize(
    "sheet", [*LAYOUTS, *(pytest.param(one, marks=pytest.mark.slow) for one in REST)]
)
def test_a_round_by_ear(sheet: str, visit: Visit) -> None:
    page = visit()
    keep_settings(page, **INSTANT)
    ear, player = Ear(page), Player(page)
    page.goto("/")
    card_of(page, sheet).get_by_role("button", name=re.compile("^Practise ")).click()
    expect(page.get_by_role("region", name=re.compile(SPOT[1]))).to_be_visible()
    before, made = ear.balance, 0
    for _ in range(ROUNDS):
        bets(ear)
        ear.press(ACTIONS, "Deal Enter")
        expect(page.get_by_text("Place your bets", exact=True)).to_have_count(0)
        made += decides(ear, player)
        if made:
            break
        before = ear.balance
        ear.press(ACTIONS, "Rebet R")
    assert made, f"no decision in {ROUNDS} rounds"
    hears_what_is_on_record(ear, player, before)


def hears_what_is_on_record(ear: Ear, player: Player, before: int) -> None:
    """Every card and the money; and what each wager came to."""
    view = player.view()
    (mine,) = (one for one in view["seats"] if one["player"] is not None)
    assert sorted(ear.cards(*SPOT)) == sorted(said(card) for card in mine["cards"])
    common = [card for place in view["common"] for card in place["cards"]]
    heard = ear.cards("region", "^Community cards") + ear.cards("region", "^Dealer's cards")
    assert sorted(heard) == sorted(said(card) for card in common)
    net = ear.result.rpartition(" ")[2]
    assert cents(net) == round(100 * float(mine["net"]))
    assert before + cents(net) == ear.balance
    told, spot = words(ear.under("tabpanel", "Result")), words(ear.under(*SPOT))
    titles = [re.sub(r"\W+", " ", one["title"]) for one in view["result"]["seats"][0]["lines"]]
    assert [one for one in titles if one not in told or one not in spot] == []


def words(nodes: list[Node]) -> str:
    """Words alone: one that is explained is a link of its own."""
    return re.sub(r"\W+", " ", " ".join(one.text for one in nodes))
