"""Seeds against a dishonest server and hostile players."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.clauses.one_line_rounds import CMS, LAS
from tests.house.table.kit import DEALER, SUPERVISOR
from tests.house.table.proof_table import VAULT, Json, Proved
from tests.house.table.visible_cards import for_viewer
from tests.house.web.conftest import fast_ledger
from tests.shoe.test_packs import with_cut_card

from pitbook.house.table import commands as c
from pitbook.house.table.round_records import RoundRecord, find_round
from pitbook.house.table.round_replay import build_proof, replay_steps
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.sheets.model import Sheet
from pitbook.shoe.verify import verify


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Proved]:
    with fast_ledger(tmp_path / "book.db") as book:
        yield Proved(book, CMS)


def changed_under_a_bet(live: Proved) -> None:
    """The rules change while a bet is on the table; the shoe is replaced."""
    live.seat(1, "ann", ante=10).do(SUPERVISOR, c.ChangeSheet(dump_sheet(LAS)))
    live.do("ann", c.Undo(1))


@pytest.mark.parametrize("with_history", [True, False])
def test_shoe_with_a_known_seed_is_refused(live: Proved, *, with_history: bool) -> None:
    """The bet opens the shoe, so its seed was known before the shuffle."""
    changed_under_a_bet(live)
    history, before = live.state.history, live.state.shoe
    live.do(
        "ann",
        c.PutWager(
            1, "ante", live.state.game.main[1].min, "early", history if with_history else None
        ),
    )
    assert live.state.shoe != before
    assert live.state.seat_seeds == {}
    live.do("ann", c.SeatSeed(1, "of ann", live.state.history))
    live.do(DEALER, c.CloseBetting()).do("ann", c.Decide(1, "fold"))
    document = live.proof("ann")
    assert document["shoe"]["seat_seeds"] == {"1": "of ann"}
    assert verify(document).differences == ()


def test_added_seed_survives_later_requests(live: Proved) -> None:
    live.seat(1, "ann", ante=10).seat(2, "bob", ante=10)
    live.do("ann", c.SeatSeed(1, "of ann"))
    for other in (c.SeatSeed(1, "second"), c.SeatSeed(1, "of ann")):
        assert (
            live.no("ann", other).message
            == "Seat 1 has already added a seed to this deal. Add another to the next one."
        )
    live.no("bob", c.SeatSeed(1, "bob at ann's seat"))
    live.do("ann", c.Undo(1), c.PutWager(1, "ante", live.state.game.main[1].min, "third"))
    assert live.state.seat_seeds == {1: "of ann"}
    live.do(DEALER, c.CloseBetting())
    for late in ("ann", "bob"):
        live.no(late, c.SeatSeed(1 if late == "ann" else 2, "late", live.state.history))
    assert live.state.seat_seeds == {1: "of ann"}


def test_seed_is_private_until_the_deal_is_over(live: Proved) -> None:
    """Knowing all other seeds does not let a player choose cards."""
    live.seat(1, "ann", ante=10).seat(2, "bob", ante=10).do("ann", c.SeatSeed(1, "of ann"))
    for viewer in (Viewer("bob", "player"), Viewer("sue", "supervisor"), Viewer("x", "spectator")):
        visible = [for_viewer(event, viewer) for event in live.events]
        assert "of ann" not in json.dumps(
            [visible, table_view(live.state, viewer, live.env.wallet)]
        )


def test_player_without_a_seed_is_dealt_in_and_told(live: Proved) -> None:
    live.seat(1, "ann", ante=10).do(DEALER, c.CloseBetting()).do("ann", c.Decide(1, "fold"))
    document = live.proof("ann")
    assert (document["shoe"]["seat_seeds"], verify(document).differences) == ({}, ())


@pytest.mark.parametrize(
    "sheet", [CMS, with_cut_card(60)], ids=["a deck for each", "a shoe for several"]
)
def test_seed_between_rounds_counts_for_the_next_deal(live: Proved, sheet: Sheet) -> None:
    main, play = ("ante", "fold") if sheet is CMS else ("bet", "low")
    live = Proved(live.ledger, sheet, table="t2")
    live.seat(1, "ann", "1000", **{main: 10}).seat(2, "bob", "1000", **{main: 10})
    live.do(DEALER, c.CloseBetting())
    live.do("ann", c.Decide(1, play)).do("bob", c.Decide(2, play))
    live.do("ann", c.SeatSeed(1, "of ann", live.state.history))
    for name in ("ann", "bob"):
        assert "of ann" not in json.dumps(replay_round(find_round(live.ledger, "t2-000001"), name))
    live.restart()
    live.do("ann", c.Rebet(1, "too many", live.state.history)).do("bob", c.Rebet(2))
    live.do(DEALER, c.CloseBetting())
    live.do("ann", c.Decide(1, play)).do("bob", c.Decide(2, play))
    record = find_round(live.ledger, "t2-000002")
    document = build_proof(record, VAULT, Viewer("bob", "player"))
    assert document["shoe"]["seat_seeds"] == {"1": "of ann"}
    assert verify(json.loads(json.dumps(document))).differences == ()


def replay_round(record: RoundRecord, name: str) -> list[Json]:
    return [dict(step) for step in replay_steps(record, Viewer(name, "player"))]
