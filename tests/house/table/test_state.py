"""A table's state is the replay of its facts; impossible facts are refused."""

from __future__ import annotations

from typing import Any

import pytest
from tests.clauses.one_line_rounds import CMS
from tests.house.table.kit import DEALER, Live

from pitbook.errors import RoundError
from pitbook.house.table.apply_facts import apply, replay
from pitbook.house.table.commands import CloseBetting
from pitbook.house.table.facts import FACTS, Acted
from pitbook.house.table.state import TableState, restore, snapshot
from pitbook.house.table.stored_sheets import dump_sheet, game_of
from pitbook.rules.actions import Settle


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        ({}, 'a table has no event "None"'),
        ({"fact": "won-the-lottery"}, 'a table has no event "won-the-lottery"'),
        ({"fact": "acted", "action": {"do": "close"}}, "has no round in progress"),
        (
            {"fact": "table-opened", "format": 2},
            'event "table-opened" of a table has format 2, not 1',
        ),
    ],
)
def test_impossible_fact_is_refused(fact: dict[str, Any], message: str) -> None:
    with pytest.raises(RoundError) as error:
        apply(TableState(), FACTS.load(fact))
    assert message in str(error.value)


def test_recorded_action_refused_by_the_round_is_an_error() -> None:
    live = Live(CMS).seat(1, "ann", ante=10)
    with pytest.raises(RoundError, match="The hands cannot be settled yet"):
        apply(live.state, Acted(Settle()))


@pytest.mark.parametrize("document", [None, {}, {"format": 2}])
def test_snapshot_of_another_format_is_refused(document: Any) -> None:
    with pytest.raises(RoundError, match="the table snapshot has format 1"):
        restore(document)


def test_snapshot_keeps_every_field() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).do(DEALER, CloseBetting())
    changed = {
        name: value
        for name, value in live.state._asdict().items()
        if value != TableState._field_defaults[name]
    }
    assert len(changed) > 15
    stored = {
        "drawn_before_round": "first",
        "last_rack_request": "asks",
        "rack_requests": "asked",
        "seed_authors": "seeded",
    }
    names = {stored.get(name, name) for name in TableState._fields}
    assert set(snapshot(live.state)) == {*names, "format"}
    assert restore(snapshot(live.state)) == live.state


def test_facts_can_be_folded_in_parts() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).do(DEALER, CloseBetting())
    for cut in range(len(live.facts)):
        middle = restore(snapshot(replay(live.facts[:cut])))
        assert replay(live.facts[cut:], middle) == live.state


def test_sheet_in_a_snapshot_is_compiled_once() -> None:
    stored = dump_sheet(CMS)
    assert game_of(stored) is game_of(dict(stored))
    assert game_of(stored).sheet == CMS


def test_version_counts_facts() -> None:
    live = Live(CMS).seat(1, "ann", ante=10)
    assert live.state.version == len(live.facts) == live.events[-1].version
