"""After a stop the table continues, and the sheet decides how the hand ends."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.clauses.one_line_rounds import CMS, MHL, OMS
from tests.house.table.kit import DEALER, SUPERVISOR, Live

from pitbook.house.table.commands import (
    CLOCK,
    Agree,
    By,
    CloseBetting,
    Command,
    Decide,
    Interrupt,
    Leave,
    Misdeal,
    PutWager,
    Sit,
    Tick,
    Undo,
    Unreadable,
)
from pitbook.money import Cents
from pitbook.rules.refusals import Code
from pitbook.sheets.model import Sheet


def oms(players: str = "ann bob cyd") -> Live:
    """A charity table with a hand in play; the first player has decided."""
    live = Live(OMS, clocks={"decision": 30, "agree": 60})
    for seat, name in enumerate(players.split(), start=1):
        live.seat(seat, name, "100", ante=2)
    return live.do(DEALER, CloseBetting()).do(players.split(maxsplit=1)[0], Decide(1, "2x"))


def agree(live: Live, *names: str, finish: bool = True) -> Live:
    seats = {name: seat for seat, name in live.state.seats.items()}
    for name in names:
        live.do(name, Agree(seats[name], finish=finish))
    return live


def awaiting_answers(live: Live) -> dict[str, bool | None] | None:
    return None if live.state.awaiting is None else dict(live.state.awaiting)


def test_gen_15_play_resumes_where_it_stopped() -> None:
    live = Live(CMS, clocks={"decision": 30}).seat(1, "ann", ante=10).seat(2, "bob", ante=10)
    live.do(DEALER, CloseBetting()).do("ann", Decide(1, "2x")).later(25)
    before = live.round
    live.restart("power cut")
    assert [fact["fact"] for fact in live.facts_json[-3:]] == ["interrupted", "acted", "deadline"]
    assert replace(live.round, notes=()) == before
    assert live.round.notes[-1] == ("interrupted; resumed", "GEN-15")
    assert live.state.deadlines == {"decision": "2026-01-02T20:00:55+00:00"}
    assert (live.state.interruption, live.state.awaiting) == ("power cut", None)
    live.do("bob", Decide(2, "1x")).sound()


def test_wagers_before_the_deal_are_kept_and_the_clock_restarts() -> None:
    live = Live(OMS, clocks={"betting": 30}).seat(1, "ann", ante=2).later(29).restart()
    assert [fact["fact"] for fact in live.facts_json[-2:]] == ["resumed", "deadline"]
    assert (live.held, live.state.deadlines) == (200, {"betting": "2026-01-02T20:00:59+00:00"})
    live.do("ann", Undo(1))
    assert live.held == 0


@pytest.mark.parametrize("sheet", [CMS, OMS, MHL], ids=lambda sheet: sheet.id)
def test_a_table_without_a_wager_has_nothing_to_resume(sheet: Sheet) -> None:
    live = Live(sheet)
    facts = len(live.facts)
    assert len(live.restart().facts) == facts
    live.do("ann", Sit(1)).restart()
    assert len(live.facts) == facts + 1


def test_oms_16_hand_is_finished_if_all_agree() -> None:
    live = oms().later(20).restart("storm")
    assert awaiting_answers(live) == {"ann": None, "bob": None, "cyd": None}
    assert live.state.deadlines == {"agree": "2026-01-02T20:01:20+00:00"}
    assert live.held == 1000
    agree(live, "bob", "ann")
    assert awaiting_answers(live) == {"ann": True, "bob": True, "cyd": None}
    agree(live, "cyd")
    assert awaiting_answers(live) is None
    assert live.round.notes[-1] == ("interrupted; all agree to finish", "OMS-16")
    assert live.state.deadlines == {"decision": "2026-01-02T20:00:50+00:00"}
    live.do("bob", Decide(2, "1x")).do("cyd", Decide(3, "fold"))
    live.sound()


def test_oms_16_hand_is_dead_if_one_player_refuses() -> None:
    live = agree(oms().restart(), "ann")
    agree(live, "bob", finish=False)
    assert (live.round.ending, live.held) == ("dead", 0)
    assert [live.wallet(name) for name in ("ann", "bob", "cyd")] == [100, 100, 100]
    assert [f["fact"] for f in live.facts_json[-3:]] == ["settled", "shoe-revealed", "shoe-opened"]
    live.sound()


def test_oms_16_an_unreadable_hand_is_dead() -> None:
    live = oms()
    assert live.no(SUPERVISOR, Unreadable()).code == Code.NOT_NOW
    live.restart()
    assert live.no(DEALER, Unreadable()).code == Code.FORBIDDEN
    live.do(SUPERVISOR, Unreadable())
    assert (live.round.ending, live.held) == ("dead", 0)
    live.sound()


def test_oms_16_no_answer_in_time_counts_as_no() -> None:
    live = agree(oms().restart(), "ann", "bob").later(59).do(CLOCK, Tick())
    assert awaiting_answers(live)
    live.later(1).do(CLOCK, Tick())
    assert (live.round.ending, live.held) == ("dead", 0)
    assert not live.state.deadlines


def test_oms_16_only_players_with_a_live_wager_are_asked() -> None:
    live = oms().do("bob", Decide(2, "fold")).restart()
    assert live.state.awaiting == {"ann": None, "cyd": None}
    refusal = live.no("bob", Agree(2, finish=False))
    assert (refusal.code, refusal.clause) == (Code.UNKNOWN_SEAT, "OMS-16")
    live.do("bob", Leave(2))
    agree(live, "ann", "cyd")
    assert live.round.phase == "play"


def test_restart_during_the_vote_keeps_the_answers() -> None:
    live = agree(oms().restart(), "ann").later(50).restart("again")
    assert live.state.awaiting == {"ann": True, "bob": None, "cyd": None}
    assert live.state.interruption == "again"
    assert live.state.deadlines == {"agree": "2026-01-02T20:01:50+00:00"}
    assert (
        live.no("ann", Agree(1, finish=False)).message
        == "ann has already answered. Wait for the others."
    )
    agree(live, "bob", "cyd")
    assert live.round.phase == "play"
    live.sound()


@pytest.mark.parametrize(
    ("who", "command"),
    [("bob", Decide(2, "1x")), (DEALER, Misdeal("x")), ("ann", Undo(1)), (DEALER, CloseBetting())],
)
def test_play_is_refused_during_the_vote(who: By | str, command: Command) -> None:
    live = agree(oms().restart(), "cyd")
    refusal = live.no(who, command)
    assert (refusal.code, refusal.clause) == (Code.NOT_NOW, "OMS-16")
    assert refusal.message == "Play was stopped. ann and bob must agree to finish the hand."


def test_the_floor_stops_play_by_hand() -> None:
    live = oms()
    live.do(SUPERVISOR, Interrupt("fire alarm"))
    assert live.state.awaiting == {"ann": None, "bob": None, "cyd": None}
    assert Live(OMS).no(SUPERVISOR, Interrupt("x")).message == "No hand is in play."
    betting = Live(OMS).seat(1, "ann", ante=2)
    assert betting.no(SUPERVISOR, Interrupt("x")).code == Code.NOT_NOW
    hi_lo = Live(MHL).seat(1, "ann", bet=10).do("ann", CloseBetting())
    hi_lo.do(SUPERVISOR, Interrupt("alarm"))
    assert (hi_lo.state.awaiting, hi_lo.round.waiting) == (None, (1,))


def test_agree_is_refused_without_an_interruption() -> None:
    live = oms()
    assert live.no("ann", Agree(1, finish=True)).code == Code.NOT_NOW
    live.restart()
    assert live.no("ann", Agree(2, finish=True)).code == Code.FORBIDDEN


def test_dealer_may_answer_for_a_player_at_a_dealt_table() -> None:
    live = Live(OMS, "typed").seat(1, "ann", ante=2).do(DEALER, CloseBetting()).restart()
    live.do(DEALER, Agree(1, finish=True))
    assert live.state.awaiting is None


def test_interruption_ends_with_the_next_round() -> None:
    live = oms("ann").restart()
    agree(live, "ann", finish=False)
    live.do("ann", PutWager(1, "ante", Cents(200)))
    assert live.state.interruption is None
