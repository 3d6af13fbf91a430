"""A purse that does not cover the hand: warned before the deal, by the coach, and on the fold."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.player import Game, Player

STUD = "catfish-bend/mississippi-stud"
TAKES = "You need $1,500 to play the hand to the end and have $500. Bet less, or add $1,000."
FOLDED = "Turn bet costs at least $500 and you don't have enough chips."


def test_short_purse_is_warned_about(guest: Player, games: dict[str, Game]) -> None:
    """$1,000 and an ante of $500, at the size of a small laptop."""
    guest.page.set_viewport_size({"width": 1366, "height": 657})
    guest.sit(games[STUD])
    warned = guest.actions.get_by_role("status").filter(has_text=TAKES)
    guest.actions.get_by_role("radio", name="$500 chip").check(force=True)
    expect(warned).to_have_count(0)
    guest.bet(games[STUD])
    expect(warned).to_be_visible()
    guest.deal()
    guest.wait_for_decision()
    expect(warned).to_have_count(0)
    guest.action("Hint").click()
    expect(guest.actions.get_by_text("Best play: Fold", exact=True)).to_be_visible()
    guest.page.get_by_role("tab", name="Coach").click()
    expect(guest.side_panel.get_by_role("row", name="2x")).to_contain_text("not enough chips")
    guest.play("1x")
    expect(guest.spot).to_contain_text("Folded: not enough chips")
    expect(guest.log).to_contain_text(f"{FOLDED} Your hand is folded.")
    guest.page.get_by_role("tab", name="Result").click()
    expect(guest.side_panel).to_contain_text(
        "Seat 1 has too few chips for the Turn bet, $500 at least: fold."
    )
    expect(guest.page.get_by_text("absent")).to_have_count(0)
