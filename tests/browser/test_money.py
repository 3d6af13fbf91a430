"""Money on the page is money in the book, after every one of many random rounds."""

from __future__ import annotations

import secrets

import pytest
from tests.browser.built import script
from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.player import Game, Json, Player, each_kind, keep_settings, played, spoken

from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.folder import Folder
from pitbook.money import money

FEW, MANY = 3, 600  # Of each sheet.
MOVING = {"motion": "dealt"}
ENOUGH = 200  # Dollars; whoever has less sits down anew with fresh chips.


def evening(player: Player, house: House, game: Game, rounds: int) -> None:
    """So many rounds; money is compared after each, and with the book after each table."""
    page, so_far = player.page, 0
    while so_far < rounds:
        player.sit(game, *played(game, *game.optional))
        player.settled()
        page.keyboard.press("k")  # What the coach would say is not asked for here.
        seed = secrets.randbits(32)
        told = page.evaluate(script("robot"), [rounds - so_far, seed, ENOUGH, False])
        where = f"{game.id}, seed {seed}"
        assert told, where
        for one in told:
            compare(one, where)
        assert told[-1]["wallet"] == in_the_book(house, player), where
        so_far += len(told)
        player.command(player.table, do="retire")  # A house lends nobody more than twenty.


def compare(one: Json, where: str) -> None:
    """One round: the strip above, the result beside the felt, and the house agree."""
    assert one["shown"] == spoken(one["wallet"]), f"{one} {where}"
    assert cents(one["before"]) + cents(one["net"]) == cents(one["shown"]), f"{one} {where}"


def cents(written: str) -> int:
    """Cents of an amount as the page writes it: "−$1,234.50"."""
    whole, _, rest = written.lstrip("+−-\u2060").removeprefix("$").replace(",", "").partition(".")
    found = 100 * int(whole) + int(rest or "0")
    return -found if written.startswith(("−", "-")) else found


def in_the_book(house: House, player: Player) -> str:
    """The wallet as the ledger's own file has it."""
    name = player.get("/api/me")["name"]
    with Folder.open(house.folder, None) as folder:
        account = Account("play", "wallet", f"{player.table}/{name}")
        return money(folder.ledger.balance(account))


@pytest.mark.slow_cases("louisiana-stud/stax-required-3")
@pytest.mark.parametrize("rounds", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("sheet", each_kind())
def test_the_page_and_the_book_agree_after_random_rounds(
    sheet: str, rounds: int, house: House, guest: Player, games: dict[str, Game]
) -> None:
    evening(guest, house, games[sheet], rounds)


@pytest.mark.slow_cases(
    "catfish-bend/matchem-hi-lo-1",
    "catfish-bend/matchem-hi-lo",
    "catfish-bend/mississippi-stud-1",
    "catfish-bend/mississippi-stud",
    "louisiana-stud/stax-required-1",
    "louisiana-stud/stax-required",
)
@pytest.mark.parametrize("sheet", each_kind())
def test_they_agree_while_cards_and_chips_are_in_motion(
    sheet: str, house: House, visit: Visit, games: dict[str, Game]
) -> None:
    """Dealt for the eye; `test_motion_money.py` plays thousands of such rounds."""
    page = visit()
    keep_settings(page, **MOVING)
    evening(Player(page), house, games[sheet], 1)


def test_a_cent_that_is_off_is_found() -> None:
    fine = {"before": "$1,000", "net": "−\u2060$10.50", "shown": "$989.50", "wallet": "989.50"}
    compare(fine, "")
    for wrong in ({"wallet": "989.51"}, {"net": "−\u2060$10.51"}, {"before": "$1,000.01"}):
        with pytest.raises(AssertionError):
            compare(fine | wrong, "")
