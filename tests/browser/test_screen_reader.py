"""Whole rounds by the aria tree alone: controls by role and name, cards and results as read.

The test sees only what a screen reader has; the house's record is the reference.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Visit
from tests.browser.player import CARD, INSTANT, Player, keep_settings
from tests.browser.test_money import cents
from tests.browser.test_text_table import card_name
from tests.house.web.live_server import SHEETS
from tests.sheets.samples import AGAINST_THE_DEALER, LIR, PMS

UTH = "pennsylvania/ultimate-texas-holdem"
# Layouts with streets, with an arranged dealer's hand, and with two places of common cards.
LAYOUTS = (SHEETS[0], SHEETS[2], UTH)
OTHER_SHEETS = tuple(
    sheet for sheet in (*SHEETS, *AGAINST_THE_DEALER, LIR, PMS) if sheet not in LAYOUTS
)
LINE = re.compile(
    r"""^(?P<deep> *)- '?(?P<role>[a-z]+)(?: "(?P<name>(?:[^"\\]|\\.)*)")?(?P<rest>.*)$"""
)
STAYS_OUT = ("Fold", "Surrender")
NO_PLAY = ("Hint", "Keys", "Double")
LOOKS = 300
ROUNDS = 300  # One round of Casino War in thirteen asks for a decision.


class Node(NamedTuple):
    """One line of the aria tree."""

    deep: int
    role: str
    name: str
    rest: str

    @property
    def text(self) -> str:
        return f"{self.name} {self.rest.lstrip(': ')}".strip()


def unquote(name: str | None) -> str:
    return (name or "").replace('\\"', '"')


class AriaReader:
    """Reads the page's aria tree and presses buttons by name."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def tree(self) -> list[Node]:
        lines = self.page.locator("body").aria_snapshot().splitlines()
        matches = (LINE.match(line) for line in lines)
        return [
            Node(
                len(match["deep"]),
                match["role"],
                (match["name"] or "").replace('\\"', '"'),
                match["rest"],
            )
            for match in matches
            if match
        ]

    def subtree(self, role: str, name: str) -> list[Node]:
        """The nodes inside a part of this role and name; empty if there is none."""
        tree = self.tree()
        for n, node in enumerate(tree):
            if node.role == role and re.match(name, node.name):
                deeper = (m for m in range(n + 1, len(tree)) if tree[m].deep <= node.deep)
                return tree[n + 1 : next(deeper, len(tree))]
        return []

    def enabled_buttons(self, role: str, name: str) -> list[str]:
        """The enabled buttons of a part."""
        inside = self.subtree(role, name)
        return [
            node.name for node in inside if node.role == "button" and "[disabled]" not in node.rest
        ]

    def press(self, part: tuple[str, str], name: str) -> None:
        region = self.page.get_by_role(part[0], name=re.compile(part[1]))  # type: ignore[arg-type]
        region.get_by_role("button", name=name, exact=True).click()

    def cards(self, role: str, name: str) -> list[str]:
        images = [node.name for node in self.subtree(role, name) if node.role == "img"]
        return [card_name for card_name in images if card_name and CARD.fullmatch(card_name)]

    @property
    def balance(self) -> int:
        (balance_node,) = (node for node in self.subtree("banner", "") if "Play chips" in node.rest)
        return cents(balance_node.rest.rpartition(" ")[2])

    @property
    def decision(self) -> str:
        """The decision that is asked for; empty if none is."""
        paragraphs = (node.rest for node in self.tree() if node.role == "paragraph")
        return next((text.strip(': "') for text in paragraphs if "your turn" in text), "")

    @property
    def result(self) -> str:
        """The result beside the table; empty before the end of the round."""
        heads = [node.name for node in self.subtree("tabpanel", "Result") if node.role == "heading"]
        return next((heading for heading in heads if heading.startswith("You ")), "")


def card_of(page: Page, sheet: str) -> Locator:
    """A game's card in the lobby, found by the link to its rules."""
    # In the browser a slash ends the pattern.
    ended = re.compile(", " + sheet.replace("/", r"\/") + "$")
    return page.get_by_role("article").filter(has=page.get_by_role("link", name=ended))


SPOT, ACTIONS = ("region", "^Your seat"), ("group", "^Actions")


def place_bets(ear: AriaReader) -> None:
    """Put a chip on every circle that shows its limits."""
    for _ in range(LOOKS):
        empty = [button for button in ear.enabled_buttons(*SPOT) if "–" in button]
        if not empty and any(button.startswith("Deal") for button in ear.enabled_buttons(*ACTIONS)):
            return
        if empty:
            ear.press(SPOT, empty[0])
            pressed = ear.page.get_by_role("button", name=empty[0], exact=True)
            expect(pressed).to_have_count(0)
    raise AssertionError(ear.enabled_buttons(*SPOT))


def staying_plays(ear: AriaReader) -> list[str]:
    return [button for button in ear.enabled_buttons(*ACTIONS) if not button.startswith(NO_PLAY)]


def make_decisions(ear: AriaReader, rounds: Player) -> int:
    """Decide until the round is over; the player's cards must be readable before each decision."""
    decisions = 0
    for _ in range(LOOKS):
        caption = ear.decision
        if caption and (
            enabled := [play for play in staying_plays(ear) if not play.startswith(STAYS_OUT)]
        ):
            (mine,) = (seat for seat in rounds.view()["seats"] if seat["player"] is not None)
            assert ear.cards(*SPOT) == [card_name(card) for card in mine["cards"]]
            ear.press(ACTIONS, enabled[0])
            decisions += 1
            expect(ear.page.get_by_text(caption, exact=True)).to_have_count(0)
        elif not caption and ear.result and "Rebet R" in ear.enabled_buttons(*ACTIONS):
            return decisions
    raise AssertionError("nobody says how it ended")


@pytest.mark.slow_cases("catfish-bend/matchem-hi-lo")
@pytest.mark.parametrize(
    "sheet", [*LAYOUTS, *(pytest.param(sheet, marks=pytest.mark.slow) for sheet in OTHER_SHEETS)]
)
def test_round_by_aria_tree_alone(sheet: str, visit: Visit) -> None:
    page = visit()
    keep_settings(page, **INSTANT)
    ear, player = AriaReader(page), Player(page)
    page.goto("/")
    card_of(page, sheet).get_by_role("button", name=re.compile("^Practice ")).click()
    expect(page.get_by_role("region", name=re.compile(SPOT[1]))).to_be_visible()
    before, decisions = ear.balance, 0
    for _ in range(ROUNDS):
        place_bets(ear)
        ear.press(ACTIONS, "Deal Enter")
        expect(page.get_by_text("Place your bets", exact=True)).to_have_count(0)
        decisions += make_decisions(ear, player)
        if decisions:
            break
        before = ear.balance
        ear.press(ACTIONS, "Rebet R")
    assert decisions, f"no decision in {ROUNDS} rounds"
    assert_matches_record(ear, player, before)


def assert_matches_record(ear: AriaReader, player: Player, before: int) -> None:
    """Assert that all cards, the money and every wager's result match the record."""
    view = player.view()
    (mine,) = (seat for seat in view["seats"] if seat["player"] is not None)
    assert sorted(ear.cards(*SPOT)) == sorted(card_name(card) for card in mine["cards"])
    common = [card for place in view["common"] for card in place["cards"]]
    cards_read = ear.cards("region", "^Community cards") + ear.cards("region", "^Dealer's cards")
    assert sorted(cards_read) == sorted(card_name(card) for card in common)
    net = ear.result.rpartition(" ")[2]
    assert cents(net) == round(100 * float(mine["net"]))
    assert before + cents(net) == ear.balance
    result_words, spot_words = (
        plain_words(ear.subtree("tabpanel", "Result")),
        plain_words(ear.subtree(*SPOT)),
    )
    titles = [re.sub(r"\W+", " ", line["title"]) for line in view["result"]["seats"][0]["lines"]]
    assert [title for title in titles if title not in result_words or title not in spot_words] == []


def plain_words(nodes: list[Node]) -> str:
    """Words only; an explained term is a separate link."""
    return re.sub(r"\W+", " ", " ".join(node.text for node in nodes))
