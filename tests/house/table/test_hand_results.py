"""Every text about a hand's result matches how its wagers were settled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.clauses.one_line_rounds import CMS, LAS, OMS, with_field
from tests.house.table.kit import DEALER, SUPERVISOR, Live
from tests.house.table.recorded_table import OnRecord
from tests.house.table.test_hand_by_hand import (
    agreement_rules,
    deal_round,
    half_settled,
    seat_players,
    to_settle,
    type_cards,
)
from tests.house.table.test_round_text import CASES, load
from tests.transcripts.scenarios import play_ending

from pitbook.house.inspect.round_search import RoundIndex, RoundQuery, hands_of
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.papers.round_report import round_report
from pitbook.house.table.commands import Agree, Interrupt, Misdeal, Settle, Unreadable, VoidHand
from pitbook.house.table.explain import explain_seat
from pitbook.house.table.facts import Settled
from pitbook.printing.html import page
from pitbook.rules.narration import report_with_words, transcript
from pitbook.rules.result_json import hand_result, report
from pitbook.rules.stored_rounds import replay
from pitbook.text import locale_of

KEEPS_OFFENSE = with_field(CMS, "irregularities.misdeal_over_offence", False)  # GEN-7


def results(live: Live) -> dict[int, str]:
    """The result of each seat's hand in the index of rounds."""
    (report,) = (fact.report for fact in live.facts if isinstance(fact, Settled))
    hands = hands_of("2026-01-02", "t1", report, "t1-000001")
    return {int(hand[3]): str(hand[-1]) for hand, _ in hands}


def half_dead() -> Live:
    """Seat 3 has won and seat 2 has lost when seat 1's hand is dead."""
    live = half_settled().do(SUPERVISOR, Interrupt("power failure"))
    return live.do("ann", Agree(1, finish=False))


def with_offense(ending: Any) -> Live:
    """Seat 2 disclosed information before the round ended early."""
    live = to_settle(deal_round(KEEPS_OFFENSE, 50), "Qs Js Ts")
    live.do(SUPERVISOR, VoidHand(2, "information", part="gave"))
    return live.do(DEALER if isinstance(ending, Misdeal) else SUPERVISOR, ending)


def test_hands_that_were_settled_before_the_others_were_dead_are_settled() -> None:
    assert results(half_dead()) == {1: "dead", 2: "settled", 3: "settled"}


def test_hand_with_a_settled_side_wager_is_settled_when_the_rest_of_it_is_dead() -> None:
    asks = LAS.model_copy(update={"irregularities": agreement_rules(LAS)})
    live = to_settle(deal_round(asks, 5, three_up=5), "Qs Qd 2h", folds=(2,)).do(DEALER, Settle())
    live.do(SUPERVISOR, Interrupt("alarm"), Unreadable())
    assert results(live) == {1: "settled", 2: "settled", 3: "settled"}


def test_settled_hands_count_as_misdealt_after_a_misdeal() -> None:
    live = half_settled().do(DEALER, Misdeal("a boxed card"))
    assert results(live) == {1: "misdeal", 2: "misdeal", 3: "misdeal"}


def test_hand_voided_alone_is_void_in_a_settled_round() -> None:
    live = to_settle(deal_round(OMS, 2), "Qs Jd 2h").do(SUPERVISOR, VoidHand(2, "supervisor"))
    for number, cards in ((3, "Qd 3c"), (1, "6d 6c")):
        live = type_cards(live, number, cards)
    while live.round.phase != "over":
        live.do(DEALER, Settle())
    assert results(live) == {1: "settled", 2: "void", 3: "settled"}


def test_forfeited_hand_in_a_misdeal_is_shown_as_forfeit() -> None:
    live = with_offense(Misdeal("a boxed card"))
    assert results(live) == {1: "misdeal", 2: "forfeit", 3: "misdeal"}
    assert live.state.result is not None
    sentences = [
        sentence["text"] for sentence in report_with_words(live.state.result, live.round)["told"]
    ]
    assert sentences[0] == "Misdeal: bets are returned, except those lost or forfeited."
    (last,) = transcript(live.round, [])[:1]
    assert last == "Void: bets are returned, except those lost or forfeited."


def test_misdeal_sentence_excludes_kept_wagers_of_folded_hands() -> None:
    rules = with_field(CMS, "irregularities.misdeal.returns", "live-wagers")
    live = to_settle(deal_round(rules, 50), "Qs Js Ts", folds=(2,)).do(
        DEALER, Misdeal("a boxed card")
    )
    assert results(live) == {1: "misdeal", 2: "settled", 3: "misdeal"}
    assert transcript(live.round, [])[0] == (
        "Void: bets are returned, except those lost or forfeited."
    )


def test_misdeal_sentence_mentions_forfeits_only_if_there_are_any() -> None:
    live = half_settled().do(DEALER, Misdeal("a boxed card"))
    assert live.state.result is not None
    sentences = [
        sentence["text"] for sentence in report_with_words(live.state.result, live.round)["told"]
    ]
    assert sentences[0] == "Misdeal: bets are returned."
    (last,) = transcript(live.round, [])[:1]
    assert last == "Void: all bets are returned."


@pytest.mark.long
def test_inspector_explanation_and_paper_agree_on_each_hand_of_a_round_cut_short(
    tmp_path: Path,
) -> None:
    with Ledger.open(f"sqlite:///{tmp_path / 'book.db'}") as ledger:
        live = to_settle(seat_players(OnRecord(ledger, OMS, "typed"), 2), "Qs Jd 2h")
        type_cards(live, 3, "Qd 3c")
        type_cards(live, 2, "4c 5d").do(DEALER, Settle())
        live.do(SUPERVISOR, Interrupt("power failure")).do("ann", Agree(1, finish=False))
        index = RoundIndex(tmp_path / "rounds.index")
        index.catch_up(ledger)
        results = {hand.seat: (hand.result, hand.net) for hand in index.find(RoundQuery())}
        assert results == {1: ("dead", 0), 2: ("settled", -800), 3: ("settled", 800)}
        for seat, (result, net) in results.items():
            account = explain_seat(ledger, "t1-1", seat)
            assert account.document()["result"] == result
            assert account.settlement is not None
            assert account.settlement.net == net
            paper = page(round_report(account), locale_of("en"))
            assert ("is returned" in paper) == (result == "dead"), seat


@pytest.mark.parametrize(("sheet", "ending"), CASES)
@pytest.mark.parametrize("keeps_offense", [False, True])
def test_text_for_each_hand_agrees_with_its_settlement(
    sheet: str, ending: str, keeps_offense: bool
) -> None:
    rules = with_field(load(sheet), "irregularities.misdeal_over_offence", not keeps_offense)
    final = replay(*play_ending(rules, ending))
    document = report(final)
    for seat in document["seats"]:
        lines = {line["result"] for line in seat["lines"]}
        result = hand_result(document["result"], [line["result"] for line in seat["lines"]])
        assert (result in ("void", "misdeal", "dead")) == (lines == {"void"})
        assert (result == "forfeit") == ("forfeit" in lines and lines <= {"forfeit", "void"})
        if result in ("void", "misdeal", "dead"):
            assert (seat["wins"], seat["loses"], seat["net"]) == ("0.00", "0.00", "0.00")
        if result == "forfeit":
            assert seat["net"].startswith("-")
    results = {line["result"] for seat in document["seats"] for line in seat["lines"]}
    sentences = [
        *transcript(final, []),
        *(text["text"] for text in report_with_words(document, final)["told"]),
    ]
    returned = [text for text in sentences if "bets" in text and "returned" in text]
    assert bool(returned) == (final.ending != "settled")
    for sentence in returned:
        if "all bets" in sentence:
            assert results == {"void"}
        unsettled = {line.result for _, line in set(final.results) - set(final.paid)}
        assert ("lost or forfeited" in sentence) == (unsettled != {"void"})
