"""Motion is for the eye: the same cards in motion and at rest come to the same money, to the cent.

Two who do the same sit at two tables that are dealt alike, one where cards and chips travel (most
rounds with keys that end all motion halfway), one who wants little motion. Round by round what they
staked, held and were paid is compared, and `pitbook settle` is asked about the same cards.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser.alike import SEED, AlikeHouse
from tests.browser.built import build_page, script
from tests.browser.conftest import Visit
from tests.browser.player import Game, Json, Player, dealt, game_of, keep_settings
from tests.browser.test_money import ENOUGH, MOVING, cents
from tests.command_line import Ask
from tests.lanes import examples
from tests.sheets.samples import EVERY

from pitbook.cards import DECK
from pitbook.cards import name as name_of

ROUNDS = 3_000
EACH = examples(2, -(-ROUNDS // len(EVERY)))  # Of every sheet.
PAIRS = examples(1, 4)  # Who play at the same time, each in two pages.
LOOK_MS = 250
SMALL: Json = {"width": 360, "height": 740}  # Quickly drawn.
AROUND = {"community": "dealer", "dealer": "community"}

BEGIN = f"""asked => {{
  window.told = null;
  const tell = (told) => {{ window.told = told; }};
  ({script("robot")})(asked).then(tell, (error) => tell(String(error)));
}}"""


class Twins:
    """Two at the same cards, one in motion; what both were told of each round, in pairs."""

    def __init__(self, visit: Visit, at: str) -> None:
        pages = (visit(at=at, **SMALL), visit(at=at, **SMALL, reduced_motion="reduce"))
        for page in pages:
            keep_settings(page, **MOVING)
        self.both = [Player(page) for page in pages]

    def evening(self, game: Game, rounds: int) -> Iterator[list[list[Json]]]:
        """Tables one after the other until so many rounds are played; None while they play."""
        so_far = 0
        while so_far < rounds:
            seed = secrets.randbits(31)
            tables = [one.seat(game, *dealt(game, *game.optional)[:-1]) for one in self.both]
            for player, table in zip(self.both, tables, strict=True):
                player.come_to(table)
                player.page.keyboard.press("k")  # What the coach would say is not asked for here.
                asked = [rounds - so_far, seed, ENOUGH, player is self.both[0]]
                player.page.evaluate(BEGIN, asked)
            while not all(one.page.evaluate("window.told !== null") for one in self.both):
                yield []
            told = [one.page.evaluate("window.told") for one in self.both]
            assert not any(isinstance(one, str) for one in told), (game.id, seed, told)
            so_far += len(told[0])
            for player, table in zip(self.both, tables, strict=True):
                player.command(table, do="retire")  # A house lends nobody more than twenty.
            yield told


def round_file(one: Json, game: Game) -> Json:
    """What the screen's table holds at the end, as somebody would write it down."""
    view = one["view"]
    (seat,) = (one for one in view["seats"] if one["player"] is not None)
    name = view["board"]["name"]
    common = dict(zip((name, AROUND[name]), (one["cards"] for one in view["common"]), strict=False))
    made = {bet["wager"] for bet in game.bets.values()}  # The others follow from these.
    wagers = {wager: amount for wager, amount in one["wagers"] if wager in made}
    played: Json = {"seat": seat["seat"], "wagers": wagers, "play": seat["plays"]}
    if None not in seat["cards"]:
        played["cards"] = seat["cards"]
    seen = [card for cards in (seat["cards"], *common.values()) for card in cards]
    filled = iter(name_of(card) for card in DECK if name_of(card) not in seen)
    return {"sheet": game.id, "seats": [played]} | {
        # What stayed shut decides nothing: any card will do for it in a dealer's hand.
        place: [card or next(filled) for card in cards if card or place == "dealer"]
        for place, cards in common.items()
    }


def what(one: Json) -> tuple[Any, ...]:
    """All of a round but the names of its table and people."""
    (seat,) = (one for one in one["view"]["seats"] if one["player"] is not None)
    lines = one["view"]["result"]["seats"][0]["lines"]
    own = (seat["wagers"], seat["cards"], seat["plays"], one["view"]["common"], lines)
    return (one["wagers"], own, one["net"], one["shown"], one["view"]["wallet"])


@pytest.fixture(scope="module")
def house_alike(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AlikeHouse]:
    """A house that deals to two tables at a time what it deals to the first."""
    build_page()
    made = AlikeHouse(tmp_path_factory.mktemp("alike") / "house", **{SEED: secrets.token_hex(4)})
    yield made
    made.close()


@pytest.mark.slow
@pytest.mark.parametrize("sheet", EVERY)
def test_three_thousand_rounds_in_motion_and_at_rest_come_to_the_same_money(
    sheet: str, visit: Visit, house_alike: AlikeHouse, ask: Ask, tmp_path: Path
) -> None:
    sheets = house_alike.get("/api/sheets")["sheets"]
    (game,) = (game_of(one) for one in sheets if one["id"] == sheet)
    file, rounds = tmp_path / "round.json", 0
    twins = [Twins(visit, house_alike.address) for _ in range(PAIRS)]
    for moving, still in played_by_all(twins, game, -(-EACH // PAIRS)):
        assert [what(one) for one in moving] == [what(one) for one in still]
        for one in still:
            file.write_text(json.dumps(round_file(one, game)), encoding="utf-8")
            settled = ask("settle", str(file), "--json")
            assert settled.code == 0, (round_file(one, game), settled)
            (own,) = settled.document["seats"]
            assert cents(one["net"]) == cents(own["net"]), one
            rounds += 1
    assert rounds >= EACH


def played_by_all(twins: list[Twins], game: Game, rounds: int) -> Iterator[list[list[Json]]]:
    """What each pair was told at each table, as soon as they leave it; so many rounds each."""
    evenings = [one.evening(game, rounds) for one in twins]
    while evenings:
        for evening in list(evenings):
            told = next(evening, None)
            if told is None:
                evenings.remove(evening)
            elif told:
                yield told
        twins[0].both[0].page.wait_for_timeout(LOOK_MS)
