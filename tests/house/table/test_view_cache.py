"""Views share common parts and are cached until something changes."""

from __future__ import annotations

import json
from datetime import timedelta
from random import Random

import pytest
from pydantic_core import to_json
from tests.clauses.one_line_rounds import CMS
from tests.house.table.kit import START, Live
from tests.house.table.test_properties import play_random
from tests.house.table.visible_cards import WATCHERS
from tests.lanes import spread
from tests.rules.random_rounds import known_sheets

from pitbook.house.ledger.hash_chain import canonical
from pitbook.house.people.access_list import AccessList
from pitbook.house.people.names import name_key
from pitbook.house.people.roster import Exclusion
from pitbook.house.table.views import ViewCache, table_view
from pitbook.house.table.visibility import Viewer
from pitbook.sheets.model import Sheet
from pitbook.text.sentences import translate_document

ANN, BOB = Viewer("ann", "player"), Viewer("bob", "player")


def test_view_of_an_unchanged_table_is_cached() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).seat(2, "bob", ante=10)
    moment, door = ViewCache(live.state), live.env.access_list()
    first = moment.render_for(ANN, live.env.wallet, door)
    assert moment.render_for(ANN, live.env.wallet, door._replace(now=START)) is first
    assert moment.render_for(BOB, live.env.wallet, door) is not first
    live.buy_in("ann", "5")
    richer = moment.render_for(ANN, live.env.wallet, door)
    assert (richer is first, richer["wallet"]) == (False, "995.00")


def test_view_is_rebuilt_when_exclusions_change() -> None:
    live = Live(CMS).seat(1, "ann", ante=10)
    moment, wallet = ViewCache(live.state), live.env.wallet
    shut = Exclusion("ann", START.date().isoformat(), "UTC", "", "sue", "")
    roster = live.env.roster._replace(excluded={name_key("ann"): shut})
    for door in (AccessList(live.env.roster, START), AccessList(roster, START)):
        assert moment.render_for(ANN, wallet, door) == table_view(live.state, ANN, wallet, door)
    later = AccessList(roster, START + timedelta(days=1))
    assert moment.render_for(ANN, wallet, later) == table_view(live.state, ANN, wallet, later)
    assert moment.render_for(ANN, wallet, AccessList(roster, START)) != table_view(
        live.state, ANN, wallet, later
    )


@pytest.mark.long
@pytest.mark.parametrize("sheet", spread(known_sheets(), 4), ids=lambda sheet: sheet.id)
@pytest.mark.parametrize("kind", ["practice", "house", "typed"])
def test_cached_view_equals_a_fresh_one(sheet: Sheet, kind: str) -> None:
    luck = Random(f"{sheet.id} {kind}")
    for live, _ in play_random(sheet, kind, luck.randrange(10**6), steps=40):
        moment, door = ViewCache(live.state), live.env.access_list()
        for viewer in luck.choices(WATCHERS, k=6):
            view = moment.render_for(viewer, live.env.wallet, door)
            alone = table_view(live.state, viewer, live.env.wallet, door)
            assert (view, list(view)) == (alone, list(alone))
            assert canonical(view) == canonical(alone)
            for language in ("en", "es"):
                text = moment.text_for(viewer, live.env.wallet, door, language)
                expected = to_json(translate_document(alone, language))
                assert json.loads(text) == json.loads(expected)
