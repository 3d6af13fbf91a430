"""GEN-14 at a live table: who may see a folded hand in events and views."""

from __future__ import annotations

import pytest
from tests.clauses.one_line_rounds import CMS, LAS, LAS_STAX, OMS
from tests.house.table.kit import DEALER, Live, top
from tests.house.table.visible_cards import WATCHERS, cards_in, visible_events

from pitbook.house.table.commands import CloseBetting, Decide, Rebet, TypeCard
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.rules.refusals import Code
from pitbook.sheets.model import Sheet

FOLDED = top("2c 7d")
OWNER = Viewer("bob", "player")
OTHERS = [viewer for viewer in WATCHERS if viewer != OWNER]


def table_with_fold(sheet: Sheet, **side: int) -> Live:
    """Ann plays on; Bob folds 2c 7d at the first street."""
    live = Live(sheet)
    players_first = sheet.deal.order[0] == "players"
    live.env.top = top("As Ks 2c 7d Qs Js Ts" if players_first else "Qs Js Ts As Ks 2c 7d")
    ante = 2 if sheet is OMS else 10
    live.seat(1, "ann", "9000", ante=ante, **side).seat(2, "bob", "9000", ante=ante, **side)
    live.do(DEALER, CloseBetting()).do("bob", Decide(2, "fold"))
    return live.do("ann", *(Decide(1, "1x") for _ in range(3)))


@pytest.mark.parametrize("sheet", [CMS, OMS, LAS], ids=lambda sheet: sheet.id)
def test_gen_14_only_the_owner_sees_a_folded_hand(sheet: Sheet) -> None:
    live = table_with_fold(sheet)
    assert live.round.phase == "over"
    for viewer in OTHERS:
        events = visible_events(live.events, viewer)
        assert cards_in([event.body for event in events]).isdisjoint(FOLDED)
        view = table_view(live.state, viewer, live.env.wallet)
        assert view["seats"][1]["cards"] == [None, None]
        assert cards_in(view).isdisjoint(FOLDED)


@pytest.mark.parametrize("sheet", [LAS, LAS_STAX], ids=lambda sheet: sheet.id)
def test_gen_14_a_folded_hand_stays_closed_if_a_side_wager_uses_it(
    sheet: Sheet,
) -> None:
    live = table_with_fold(sheet, stax=5)
    assert live.state.result is not None
    lines = {line["wager"]: line["result"] for line in live.state.result["seats"][1]["lines"]}
    assert lines == {"ante": "lose", "stax": "lose"}
    for viewer in OTHERS:
        events = visible_events(live.events, viewer)
        assert cards_in([event.body for event in events]).isdisjoint(FOLDED)
        assert cards_in(table_view(live.state, viewer, live.env.wallet)).isdisjoint(FOLDED)


def test_gen_14_the_owner_still_sees_the_hand() -> None:
    live = table_with_fold(CMS)
    assert cards_in([event.body for event in visible_events(live.events, OWNER)]) >= set(FOLDED)
    assert table_view(live.state, OWNER, live.env.wallet)["seats"][1]["cards"] == ["2c", "7d"]


def test_gen_14_events_rebuilt_from_the_record_hide_it_too() -> None:
    from pitbook.house.table.apply_facts import apply
    from pitbook.house.table.events import events
    from pitbook.house.table.state import TableState

    live = table_with_fold(LAS, stax=5).do("ann", Rebet(1))
    rebuilt, state = [], TableState()
    for fact in live.facts:
        before, state = state, apply(state, fact)
        rebuilt += events(before, fact, state)
    assert rebuilt == live.events
    for viewer in OTHERS:
        assert cards_in([event.body for event in visible_events(rebuilt, viewer)]).isdisjoint(
            FOLDED
        )


def test_gen_14_a_dealer_cannot_turn_a_folded_hand_without_live_wagers() -> None:
    live = Live(CMS, "typed").seat(1, "ann", ante=10).seat(2, "bob", ante=10)
    live.do(DEALER, CloseBetting()).do("bob", Decide(2, "fold"))
    refusal = live.no(DEALER, TypeCard(2, FOLDED[0]))
    assert (refusal.code, refusal.clause) == (Code.NOT_NOW, "GEN-14")


def test_gen_14_the_seed_that_deals_a_folded_hand_again_is_not_shown() -> None:
    live = table_with_fold(CMS)
    seed = "SEED t1-shoe-000001"
    assert seed in str(live.facts_json)
    for viewer in WATCHERS:
        assert seed not in str(visible_events(live.events, viewer))
        assert seed not in str(table_view(live.state, viewer, live.env.wallet))
