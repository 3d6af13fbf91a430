"""The money on the page equals the ledger's after every one of many random rounds."""

from __future__ import annotations

import secrets

import pytest
from tests.browser.conftest import Visit
from tests.browser.page_build import script
from tests.browser.player import (
    Game,
    Json,
    Player,
    commands_to_finish,
    each_kind,
    format_amount,
    keep_settings,
)
from tests.browser.server import House

from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.data_folder import Folder
from pitbook.money import money

ROUNDS_FEW, ROUNDS_MANY = 3, 600  # Rounds of each sheet.
ANIMATED = {"motion": "dealt"}
BALANCE_MIN = 200  # Dollars; a player with less sits down again with fresh chips.


def play_and_compare(player: Player, house: House, game: Game, rounds: int) -> None:
    """Play this many rounds; compare the money after each, and with the ledger after each table."""
    page, so_far = player.page, 0
    while so_far < rounds:
        player.sit(game, *commands_to_finish(game, *game.optional))
        player.wait_for_result()
        page.keyboard.press("k")  # The coach is not needed here.
        seed = secrets.randbits(32)
        rounds_played = page.evaluate(
            script("play_rounds"), [rounds - so_far, seed, BALANCE_MIN, False]
        )
        where = f"{game.id}, seed {seed}"
        assert rounds_played, where
        for round_told in rounds_played:
            assert_round_agrees(round_told, where)
        assert rounds_played[-1]["wallet"] == ledger_balance(house, player), where
        so_far += len(rounds_played)
        # A house keeps at most twenty practice tables per guest.
        player.command(player.table, do="retire")


def assert_round_agrees(round_told: Json, where: str) -> None:
    """Assert that the banner, the result and the house agree on one round."""
    assert round_told["shown"] == format_amount(round_told["wallet"]), f"{round_told} {where}"
    assert cents(round_told["before"]) + cents(round_told["net"]) == cents(round_told["shown"]), (
        f"{round_told} {where}"
    )


def cents(written: str) -> int:
    """The cents of an amount as the page formats it: "−$1,234.50"."""
    whole, _, fraction = (
        written.lstrip("+−-\u2060").removeprefix("$").replace(",", "").partition(".")
    )
    amount = 100 * int(whole) + int(fraction or "0")
    return -amount if written.startswith(("−", "-")) else amount


def ledger_balance(house: House, player: Player) -> str:
    """The wallet in the ledger's own file."""
    name = player.get("/api/me")["name"]
    with Folder.open(house.folder, None) as folder:
        account = Account("play", "wallet", f"{player.table}/{name}")
        return money(folder.ledger.balance(account))


@pytest.mark.slow_cases("louisiana-stud/stax-required-3")
@pytest.mark.parametrize("rounds", [ROUNDS_FEW, pytest.param(ROUNDS_MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("sheet", each_kind())
def test_page_and_ledger_agree_after_random_rounds(
    sheet: str, rounds: int, house: House, guest: Player, games: dict[str, Game]
) -> None:
    play_and_compare(guest, house, games[sheet], rounds)


@pytest.mark.slow_cases(
    "catfish-bend/matchem-hi-lo-1",
    "catfish-bend/matchem-hi-lo",
    "catfish-bend/mississippi-stud-1",
    "catfish-bend/mississippi-stud",
    "louisiana-stud/stax-required-1",
    "louisiana-stud/stax-required",
)
@pytest.mark.parametrize("sheet", each_kind())
def test_page_and_ledger_agree_with_animation(
    sheet: str, house: House, visit: Visit, games: dict[str, Game]
) -> None:
    """Animated; `test_motion_money.py` plays thousands of such rounds."""
    page = visit()
    keep_settings(page, **ANIMATED)
    play_and_compare(Player(page), house, games[sheet], 1)


def test_one_cent_off_is_detected() -> None:
    fine = {"before": "$1,000", "net": "−\u2060$10.50", "shown": "$989.50", "wallet": "989.50"}
    assert_round_agrees(fine, "")
    for wrong in ({"wallet": "989.51"}, {"net": "−\u2060$10.51"}, {"before": "$1,000.01"}):
        with pytest.raises(AssertionError):
            assert_round_agrees(fine | wrong, "")
