"""Events: one per fact, with the same version for everyone and its own audience."""

from __future__ import annotations

from tests.clauses.one_line_rounds import CMS, LAS, MHL, with_field
from tests.house.table.kit import DEALER, SUPERVISOR, Live, top
from tests.house.table.visible_cards import (
    WATCHERS,
    blanks,
    cards_in,
    for_viewer,
    no_gap,
    visible_events,
)

from pitbook.cards import card
from pitbook.house.table.commands import (
    AdviceShown,
    Arrange,
    ChangeSheet,
    CloseBetting,
    CorrectCard,
    Decide,
    ExposeCard,
    Fill,
    PutWager,
    Retire,
    SeatSeed,
    Settle,
    TypeCard,
    VoidHand,
)
from pitbook.house.table.events import BLANK, Event
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.house.table.visibility import EVERYONE, Viewer
from pitbook.money import Cents
from pitbook.rules.narration import report_with_words

ANN, BOB = Viewer("ann", "player"), Viewer("bob", "player")
DEE, SUE, CROWD = Viewer("d", "dealer"), Viewer("s", "supervisor"), Viewer("", "spectator")


def visible_bodies(live: Live, viewer: Viewer, what: str) -> list[dict[str, object]]:
    return [event.body for event in visible_events(live.events, viewer) if event.what == what]


def two(top_cards: str = "Qs Js Ts As Ks 2c 7d") -> Live:
    live = Live(CMS)
    live.env.top = top(top_cards)
    live.seat(1, "ann", ante=10).seat(2, "bob", ante=10)
    return live.do(DEALER, CloseBetting())


def test_versions_have_no_gap_and_are_the_same_for_all() -> None:
    live = two().do("ann", Decide(1, "1x")).do("bob", Decide(2, "fold"))
    for viewer in WATCHERS:
        events = visible_events(live.events, viewer)
        assert [event.version for event in events] == list(range(1, len(live.facts) + 1))
        assert no_gap(events)
    assert live.events[-1].version == live.state.version


def test_hole_cards_are_visible_to_their_owner_only() -> None:
    live = two()
    assert [body["card"] for body in visible_bodies(live, ANN, "turn") if "card" in body] == [
        "As",
        "Ks",
    ]
    for viewer in (BOB, DEE, SUE, CROWD, Viewer("ann", "spectator")):
        looked = [body for body in visible_bodies(live, viewer, "turn") if body["place"] == 1]
        assert [("card" in body, body["phase"]) for body in looked] == [(False, "play")] * 2


def test_board_is_public() -> None:
    live = two().do("ann", Decide(1, "1x")).do("bob", Decide(2, "1x"))
    for viewer in WATCHERS:
        (turned,) = [
            body for body in visible_bodies(live, viewer, "turn") if body["place"] == "board"
        ]
        assert (turned["card"], turned["waiting"]) == ("Qs", [1, 2])


def test_decision_event_includes_its_cost() -> None:
    live = two().do("ann", Decide(1, "3x")).do("bob", Decide(2, "fold"))
    first, second = visible_bodies(live, CROWD, "decide")
    assert (first["seat"], first["play"], first["cost"]) == (1, "3x", "30.00")
    assert not first["folded"]
    assert (second["play"], second["cost"], second["folded"]) == ("fold", "0.00", True)
    assert first["waiting"] == [2]


def test_opened_hands_become_public_when_they_are_settled_and_folded_ones_never() -> None:
    live = two().do("bob", Decide(2, "fold"))
    live.do("ann", *(Decide(1, "1x") for _ in range(3)))
    for viewer in (BOB, DEE, CROWD):
        assert [
            (body["seat"], body["cards"]) for body in visible_bodies(live, viewer, "settle")
        ] == [
            (2, None),
            (1, ["As", "Ks"]),
        ]
        assert cards_in([event.body for event in visible_events(live.events, viewer)]).isdisjoint(
            top("2c 7d") if viewer != BOB else ()
        )


def test_a_house_may_choose_to_show_folded_hands() -> None:
    live = Live(with_field(CMS, "fold.shown", True))
    live.env.top = top("Qs Js Ts As Ks 2c 7d")
    live.seat(1, "ann", ante=10).seat(2, "bob", ante=10).do(DEALER, CloseBetting())
    live.do("bob", Decide(2, "fold")).do("ann", *(Decide(1, "1x") for _ in range(3)))
    assert visible_bodies(live, CROWD, "settle")[0]["cards"] == ["2c", "7d"]


def test_las_7_board_bonus_opens_no_hand() -> None:
    live = Live(LAS).seat(1, "ann", ante=10, three_up=5)
    live.do("ann", CloseBetting(), *(Decide(1, "1x") for _ in range(3)))
    first, second = visible_bodies(live, CROWD, "settle")
    assert (first["wagers"], first["cards"]) == (["three-up"], None)
    assert second["cards"] is not None


def test_a_void_hand_is_not_opened() -> None:
    live = two().do(SUPERVISOR, VoidHand(1, "supervisor"))
    live.do("bob", *(Decide(2, "1x") for _ in range(3)))
    assert [(body["seat"], body["cards"]) for body in visible_bodies(live, CROWD, "settle")] == [
        (2, ["2c", "7d"]),
        (1, None),
    ]


def test_exposed_card_is_public() -> None:
    live = Live(CMS, "typed").seat(1, "ann", ante=10).do(DEALER, CloseBetting())
    live.do(DEALER, ExposeCard(1, card("9s")), TypeCard(1, card("2h")))
    (exposed,) = visible_bodies(live, CROWD, "expose")
    assert exposed["card"] == "9s"
    assert "card" not in visible_bodies(live, CROWD, "turn")[0]
    assert visible_bodies(live, SUE, "turn")[0]["card"] == "2h"


def test_correction_is_visible_to_the_cards_audience() -> None:
    live = Live(MHL, "typed").seat(1, "ann", bet=10).do(DEALER, CloseBetting())
    live.do(DEALER, *(TypeCard(1, card(text)) for text in ("9s", "2h", "3h")))
    live.do(SUPERVISOR, CorrectCard(1, 2, card("4h"), "misread"))
    assert visible_bodies(live, ANN, "corrected")[0]["card"] == "4h"
    assert visible_bodies(live, BOB, "corrected") == [{"place": 1, "number": 2}]
    live.do(DEALER, Decide(1, "low"))
    live.do(DEALER, *(TypeCard(0, card(text)) for text in ("2c", "2d", "3s", "Jc", "Kd")))
    live.do(SUPERVISOR, CorrectCard(0, 1, card("5c"), "misread"))
    assert visible_bodies(live, CROWD, "corrected")[-1]["was"] == "2c"
    live.do(DEALER, Settle())
    assert visible_bodies(live, CROWD, "settle")[0]["cards"] == ["9s", "4h", "3h"]


def test_shoe_commitment_is_public_and_its_seal_is_not() -> None:
    live = two()
    (opened,) = visible_bodies(live, CROWD, "shoe-opened")
    shoe = opened["shoe"]
    assert isinstance(shoe, dict)
    assert (len(shoe["commitment"]), "sealed" in shoe) == (64, False)


def test_gen_14_no_viewer_sees_the_seed_of_a_committed_shoe() -> None:
    live = two().do("ann", Decide(1, "fold")).do("bob", Decide(2, "fold"))
    (revealed,) = [fact for fact in live.facts_json if fact["fact"] == "shoe-revealed"]
    assert revealed["seed"] == "SEED t1-shoe-000001"
    for viewer in WATCHERS:
        assert visible_bodies(live, viewer, "shoe-revealed") == [{"id": "t1-shoe-000001"}]


def test_seed_of_an_arranged_shoe_is_revealed_to_its_players_and_staff() -> None:
    live = Live(CMS, "practice", owner="ann").seat(1, "ann").do("ann", Arrange(1, "Qs Jd"))
    live.seat(1, "ann", ante=10).do("ann", CloseBetting(), Decide(1, "fold"))
    for viewer in (ANN, DEE, SUE):
        assert visible_bodies(live, viewer, "shoe-revealed")[-1]["seed"] == "SEED t1-shoe-000002"
    for viewer in (BOB, CROWD):
        assert visible_bodies(live, viewer, "shoe-revealed")[-1] == {"id": "t1-shoe-000002"}


def test_seed_and_advice_are_private_to_their_seat() -> None:
    live = Live(CMS, "practice", owner="ann").seat(1, "ann")
    live.do("ann", SeatSeed(1, "seven"), AdviceShown(1, "bet 1x"))
    assert visible_bodies(live, ANN, "seat-seed") == [{"seat": 1, "text": "seven"}]
    assert visible_bodies(live, BOB, "seat-seed") == [{"seat": 1}]
    assert visible_bodies(live, ANN, "advice") == [{"seat": 1, "text": "bet 1x"}]
    assert visible_bodies(live, BOB, "advice") == []
    assert blanks(visible_events(live.events, BOB)) == [live.state.version]
    assert visible_bodies(live, ANN, "sat")[0]["given"] == "1000.00"
    assert visible_bodies(live, BOB, "sat") == [{"seat": 1, "player": "ann"}]


def test_rack_is_visible_to_staff_only() -> None:
    live = Live(CMS).do(SUPERVISOR, Fill(Cents(500))).do(SUPERVISOR, Retire())
    assert visible_bodies(live, DEE, "fill") == [{"amount": "5.00", "why": "fill"}]
    assert visible_bodies(live, CROWD, "fill") == []
    assert visible_bodies(live, CROWD, "retired") == [{}]
    assert visible_bodies(live, SUE, "retired") == [{"rack": "5.00"}]


def test_sheet_event_has_id_title_and_hash() -> None:
    live = Live(CMS).do(SUPERVISOR, ChangeSheet(dump_sheet(MHL)))
    (opened,) = visible_bodies(live, CROWD, "table-opened")
    assert opened["sheet"] == {
        "id": "catfish-bend/mississippi-stud",
        "title": "Mississippi Stud",
        "hash": dump_sheet(CMS)["hash"],
    }
    (changed,) = visible_bodies(live, CROWD, "sheet-changed")
    assert changed["sheet"] == {
        "id": "catfish-bend/matchem-hi-lo",
        "title": "Match'em Hi-Lo",
        "hash": dump_sheet(MHL)["hash"],
    }


def test_wagers_and_results_are_public() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).do("ann", CloseBetting(), Decide(1, "fold"))
    (wager,) = visible_bodies(live, CROWD, "wager")
    assert (wager["player"], wager["wager"], wager["amount"]) == ("ann", "ante", "10.00")
    (settled,) = visible_bodies(live, CROWD, "settled")
    assert live.state.result is not None
    assert live.state.round is not None
    assert settled["report"] == report_with_words(live.state.result, live.state.round)
    live.do("ann", PutWager(1, "ante", Cents(500)))


def test_event_does_not_name_its_audience() -> None:
    secret = Event(7, "turn", EVERYONE._replace(everyone=False), {"card": "As"})
    assert for_viewer(secret, ANN) == Event(7, BLANK, EVERYONE, {})
