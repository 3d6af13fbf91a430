"""Views of one moment share what is the same and are kept while nothing changes, exactly."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from tests.clauses.table import CMS
from tests.house.table.kit import START, Live
from tests.house.table.test_properties import played
from tests.house.table.watching import WATCHERS
from tests.lanes import spread
from tests.rules.rounds.play import known_sheets

from pitbook.house.ledger.chain import canonical
from pitbook.house.people.names import name_key
from pitbook.house.people.roster import AccessList, Exclusion
from pitbook.house.table.seen.sight import Viewer
from pitbook.house.table.seen.views import Moment, view
from pitbook.sheets.model import Sheet

ANN, BOB = Viewer("ann", "player"), Viewer("bob", "player")


def test_a_view_of_a_table_that_stands_still_is_not_worked_out_again() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).seat(2, "bob", ante=10)
    moment, door = Moment(live.state), live.luck.door()
    first = moment.seen_by(ANN, live.luck.wallet, door)
    assert moment.seen_by(ANN, live.luck.wallet, door._replace(now=START)) is first
    assert moment.seen_by(BOB, live.luck.wallet, door) is not first
    live.buy_in("ann", "5")
    richer = moment.seen_by(ANN, live.luck.wallet, door)
    assert (richer is first, richer["wallet"]) == (False, "995.00")


def test_a_view_ends_with_what_the_door_said() -> None:
    live = Live(CMS).seat(1, "ann", ante=10)
    moment, wallet = Moment(live.state), live.luck.wallet
    shut = Exclusion("ann", START.date().isoformat(), "UTC", "", "sue", "")
    roster = live.luck.roster._replace(excluded={name_key("ann"): shut})
    for door in (AccessList(live.luck.roster, START), AccessList(roster, START)):
        assert moment.seen_by(ANN, wallet, door) == view(live.state, ANN, wallet, door)
    later = AccessList(roster, START + timedelta(days=1))
    assert moment.seen_by(ANN, wallet, later) == view(live.state, ANN, wallet, later)
    assert moment.seen_by(ANN, wallet, AccessList(roster, START)) != view(
        live.state, ANN, wallet, later
    )


@pytest.mark.long
@pytest.mark.parametrize("sheet", spread(known_sheets(), 4), ids=lambda one: one.id)
@pytest.mark.parametrize("kind", ["practice", "house", "typed"])
def test_whoever_looked_before_a_view_is_what_it_is_alone(sheet: Sheet, kind: str) -> None:
    luck = Random(f"{sheet.id} {kind}")
    for live, _ in played(sheet, kind, luck.randrange(10**6), steps=40):
        moment, door = Moment(live.state), live.luck.door()
        for viewer in luck.choices(WATCHERS, k=6):
            seen = moment.seen_by(viewer, live.luck.wallet, door)
            alone = view(live.state, viewer, live.luck.wallet, door)
            assert (seen, list(seen)) == (alone, list(alone))
            assert canonical(seen) == canonical(alone)
