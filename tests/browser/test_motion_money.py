"""Animation changes no money: animated and still rounds of the same cards pay the same.

Two players do the same at tables dealt alike, one animated (mostly with keys that end the motion
halfway), one with reduced motion. Their bets, cards and pay are compared round by round, and
with `pitbook settle`.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import Visit
from tests.browser.identical_deals import SEED_VARIABLE, AlikeHouse
from tests.browser.page_build import build_page, script
from tests.browser.player import Game, Json, Player, commands_to_deal, game_of, keep_settings
from tests.browser.test_money import ANIMATED, BALANCE_MIN, cents
from tests.command_line import Ask
from tests.lanes import examples
from tests.sheets.samples import ALL_IDS

from pitbook.cards import DECK
from pitbook.cards import name as name_of

ROUNDS = 3_000
ROUNDS_PER_SHEET = examples(2, -(-ROUNDS // len(ALL_IDS)))  # Of every sheet.
TWIN_COUNT = examples(1, 4)  # Pairs that play at the same time, each in two pages.
LOOK_MS = 250
SMALL_WINDOW: Json = {"width": 360, "height": 740}  # Small windows draw quickly.
AROUND = {"community": "dealer", "dealer": "community"}

BEGIN = f"""asked => {{
  window.told = null;
  const tell = (told) => {{ window.told = told; }};
  ({script("play_rounds")})(asked).then(tell, (error) => tell(String(error)));
}}"""


class TwinPlayers:
    """Two players of the same cards, one animated; yields both reports of each round in pairs."""

    def __init__(self, visit: Visit, at: str) -> None:
        pages = (
            visit(at=at, **SMALL_WINDOW),
            visit(at=at, **SMALL_WINDOW, reduced_motion="reduce"),
        )
        for page in pages:
            keep_settings(page, **ANIMATED)
        self.both = [Player(page) for page in pages]

    def play_rounds(self, game: Game, rounds: int) -> Iterator[list[list[Json]]]:
        """Play tables until this many rounds are done; yields an empty list while they play."""
        so_far = 0
        while so_far < rounds:
            seed = secrets.randbits(31)
            tables = [
                player.seat(game, *commands_to_deal(game, *game.optional)[:-1])
                for player in self.both
            ]
            for player, table in zip(self.both, tables, strict=True):
                player.come_to(table)
                player.page.keyboard.press("k")  # The coach is not needed here.
                arguments = [rounds - so_far, seed, BALANCE_MIN, player is self.both[0]]
                player.page.evaluate(BEGIN, arguments)
            while not all(player.page.evaluate("window.told !== null") for player in self.both):
                yield []
            rounds_told = [player.page.evaluate("window.told") for player in self.both]
            assert not any(isinstance(error, str) for error in rounds_told), (
                game.id,
                seed,
                rounds_told,
            )
            so_far += len(rounds_told[0])
            for player, table in zip(self.both, tables, strict=True):
                # A house keeps at most twenty practice tables per guest.
                player.command(table, do="retire")
            yield rounds_told


def round_file_of(round_told: Json, game: Game) -> Json:
    """The table on the screen as a round file."""
    view = round_told["view"]
    (seat,) = (seat_view for seat_view in view["seats"] if seat_view["player"] is not None)
    name = view["board"]["name"]
    common = dict(
        zip((name, AROUND[name]), (place["cards"] for place in view["common"]), strict=False)
    )
    bet_names = {bet["wager"] for bet in game.bets.values()}  # The other wagers follow from these.
    wagers = {wager: amount for wager, amount in round_told["wagers"] if wager in bet_names}
    played: Json = {"seat": seat["seat"], "wagers": wagers, "play": seat["plays"]}
    if None not in seat["cards"]:
        played["cards"] = seat["cards"]
    visible = [card for cards in (seat["cards"], *common.values()) for card in cards]
    filled = iter(name_of(card) for card in DECK if name_of(card) not in visible)
    return {"sheet": game.id, "seats": [played]} | {
        # Hidden cards decide nothing: any card will do in a dealer's hand.
        place: [card or next(filled) for card in cards if card or place == "dealer"]
        for place, cards in common.items()
    }


def comparable_round(round_told: Json) -> tuple[Any, ...]:
    """Everything of a round except names of its table and people."""
    (seat,) = (
        seat_view for seat_view in round_told["view"]["seats"] if seat_view["player"] is not None
    )
    lines = round_told["view"]["result"]["seats"][0]["lines"]
    seat_state = (seat["wagers"], seat["cards"], seat["plays"], round_told["view"]["common"], lines)
    return (
        round_told["wagers"],
        seat_state,
        round_told["net"],
        round_told["shown"],
        round_told["view"]["wallet"],
    )


@pytest.fixture(scope="module")
def house_alike(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AlikeHouse]:
    """A house that deals the same cards to each pair of tables."""
    build_page()
    twin_house = AlikeHouse(
        tmp_path_factory.mktemp("alike") / "house", **{SEED_VARIABLE: secrets.token_hex(4)}
    )
    yield twin_house
    twin_house.close()


@pytest.mark.slow
@pytest.mark.parametrize("sheet", ALL_IDS)
def test_animated_and_still_rounds_pay_the_same(
    sheet: str, visit: Visit, house_alike: AlikeHouse, ask: Ask, tmp_path: Path
) -> None:
    sheets = house_alike.get("/api/sheets")["sheets"]
    (game,) = (game_of(sheet_summary) for sheet_summary in sheets if sheet_summary["id"] == sheet)
    file, rounds = tmp_path / "round.json", 0
    twins = [TwinPlayers(visit, house_alike.address) for _ in range(TWIN_COUNT)]
    for moving, still in play_all(twins, game, -(-ROUNDS_PER_SHEET // TWIN_COUNT)):
        assert [comparable_round(round_told) for round_told in moving] == [
            comparable_round(round_told) for round_told in still
        ]
        for round_told in still:
            file.write_text(json.dumps(round_file_of(round_told, game)), encoding="utf-8")
            settled = ask("settle", str(file), "--json")
            assert settled.code == 0, (round_file_of(round_told, game), settled)
            (settled_seat,) = settled.document["seats"]
            assert cents(round_told["net"]) == cents(settled_seat["net"]), round_told
            rounds += 1
    assert rounds >= ROUNDS_PER_SHEET


def play_all(twins: list[TwinPlayers], game: Game, rounds: int) -> Iterator[list[list[Json]]]:
    """The reports of each pair at each table, as they finish."""
    evenings = [pair.play_rounds(game, rounds) for pair in twins]
    while evenings:
        for evening in list(evenings):
            rounds_told = next(evening, None)
            if rounds_told is None:
                evenings.remove(evening)
            elif rounds_told:
                yield rounds_told
        twins[0].both[0].page.wait_for_timeout(LOOK_MS)
