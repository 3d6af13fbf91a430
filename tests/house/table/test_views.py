"""A table as one viewer may see it."""

from __future__ import annotations

from typing import Any

from tests.clauses.one_line_rounds import CMS, LAS, MHL, OMS, with_field
from tests.house.table.kit import DEALER, SUPERVISOR, Live, top

from pitbook.house.table.commands import (
    Agree,
    Arrange,
    ChangeSheet,
    CloseBetting,
    Decide,
    Fill,
    Retire,
    SeatSeed,
    ShufflerFailed,
)
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents

Json = dict[str, Any]
ANN, BOB = Viewer("ann", "player"), Viewer("bob", "player")
DEE, SUE, CROWD = Viewer("d", "dealer"), Viewer("s", "supervisor"), Viewer("", "spectator")


def look(live: Live, viewer: Viewer) -> Json:
    return dict(table_view(live.state, viewer, live.env.wallet))


def offers(live: Live, viewer: Viewer, do: str) -> list[Json]:
    return [offer for offer in look(live, viewer)["offers"] if offer["do"] == do]


def why(offer: Json) -> str | None:
    message: str | None = offer.get("refused", {}).get("message")
    return message


def two() -> Live:
    live = Live(CMS)
    live.env.top = top("Qs Js Ts As Ks 2c 7d")
    live.seat(1, "ann", ante=10, three_card_bonus=5).seat(2, "bob", "40", ante=10)
    return live


def test_view_of_an_empty_table() -> None:
    view = look(Live(CMS), CROWD)
    assert (view["table"], view["kind"]) == ("t1", "house")
    assert (view["phase"], view["round"]) == ("open", None)
    assert view["sheet"]["id"] == "catfish-bend/mississippi-stud"
    assert view["seats"] == [{"seat": number, "player": None} for number in range(1, 7)]
    assert view["board"] == {"name": "community", "cards": [], "told": None, "arranged": None}
    assert (view["offers"], "wallet" in view, "rack" in view) == ([], False, False)
    assert set(view["shoe"]) == {
        *("id", "kind", "decks", "commitment", "pack", "shuffle", "times", "format", "history"),
    }


def test_hand_in_play_as_seen_by_owner_and_neighbor() -> None:
    live = two().do(DEALER, CloseBetting()).do("ann", Decide(1, "2x"))
    mine, his = look(live, ANN)["seats"][:2]
    assert mine == {
        "seat": 1,
        "player": "ann",
        "played_by": "ann",
        "wagers": [["ante", "10.00"], ["flop", "20.00"], ["three-card-bonus", "5.00"]],
        "chips": {
            "ante": [["5.00", 2]],
            "flop": [["5.00", 4]],
            "three-card-bonus": [["5.00", 1]],
        },
        "held": "35.00",
        "cards": ["As", "Ks"],
        "named": {
            "name": "Ace high",
            "told": "not paid as it stands, three cards to come",
            "cards": ["As", "Ks"],
        },
        "points": None,
        "plays": ["2x"],
        "said": None,
        "added": 0,
        "waiting": False,
        "folded": False,
        "forced": None,
        "tucked": None,
        "void": None,
        "net": None,
        "settled": None,
    }
    assert (his["cards"], his["waiting"], his["named"]) == ([None, None], True, None)
    assert look(live, BOB)["seats"][0]["cards"] == [None, None]
    assert look(live, CROWD)["board"]["cards"] == [None, None, None]
    assert look(live, ANN)["wallet"] == "965.00"


def test_result_stays_until_the_next_wager() -> None:
    live = two().do(DEALER, CloseBetting()).do("bob", Decide(2, "fold"))
    live.do("ann", *(Decide(1, "1x") for _ in range(3)))
    view = look(live, CROWD)
    assert (view["phase"], view["result"]["result"]) == ("over", "settled")
    assert [seat["cards"] for seat in view["seats"][:2]] == [["As", "Ks"], [None, None]]
    assert [seat["net"] for seat in view["seats"][:2]] == ["20200.00", "-10.00"]
    assert [seat["held"] for seat in view["seats"][:2]] == ["0.00", "0.00"]
    live.seat(1, "ann", ante=10)
    assert (look(live, CROWD)["result"], look(live, CROWD)["phase"]) == (None, "wagers")


def test_offers_carry_bounds_and_reasons() -> None:
    live = two()
    ante, bonus = offers(live, ANN, "put-wager")
    assert {key: ante[key] for key in ("wager", "min", "max", "step", "now")} == {
        "wager": "ante",
        "min": "5.00",
        "max": "500.00",
        "step": "1.00",
        "now": "10.00",
    }
    assert (why(ante), why(bonus), bonus["now"]) == (None, None, "5.00")
    (decide,) = offers(live, ANN, "decide")
    assert {why(choice) for choice in decide["choices"]} == {
        "There is no decision now. Bet, or wait for the cards."
    }
    (close,) = offers(live, ANN, "close-betting")
    assert (
        why(close)
        == "bob can still bet. Betting closes when everyone is ready, or when the dealer or the "
        "clock closes it."
    )
    live.do(DEALER, CloseBetting())
    (decide,) = offers(live, BOB, "decide")
    assert [(choice["play"], choice["cost"], why(choice)) for choice in decide["choices"]] == [
        ("fold", "0.00", None),
        ("1x", "10.00", None),
        ("2x", "20.00", None),
        ("3x", "30.00", None),
    ]
    live.do("bob", Decide(2, "2x"))
    live.do("ann", Decide(1, "1x"))
    (decide,) = offers(live, BOB, "decide")
    assert why(decide["choices"][2]) == "bob has $10 left and needs $20."
    assert (
        why(offers(live, BOB, "undo")[0])
        == "Betting is closed and bets stay. Change them in the next round."
    )
    assert why(offers(live, BOB, "leave")[0]) == "Seat 2 has bets in play. Finish the round first."


def test_newcomer_is_offered_only_seats() -> None:
    live = two()
    newcomer = look(live, Viewer("cyd", "player"))
    assert [offer["seat"] for offer in newcomer["offers"] if offer["do"] == "sit"] == [3, 4, 5, 6]
    assert {offer["do"] for offer in newcomer["offers"]} == {"sit", "close-betting"}
    taken = [why(offer) for offer in offers(live, ANN, "sit")]
    assert taken == ["ann already has seat 1. The maximum is one seat. Leave it first."] * 4


def test_staff_are_offered_their_own_commands() -> None:
    live = two().do(SUPERVISOR, Fill(Cents(100_000))).do(DEALER, CloseBetting())
    dealer, floor = look(live, DEE), look(live, SUE)
    assert {offer["do"] for offer in dealer["offers"]} == {
        *("leave", "warn", "close-betting", "open-round", "misdeal", "expose-card"),
        "shuffler-failed",
    }
    assert {offer["do"] for offer in floor["offers"]} > {
        "void-hand",
        "interrupt",
        "retire",
        "coach",
    }
    assert (dealer["rack"], floor["rack"]) == ("1000.00", "1000.00")
    (misdeal,) = offers(live, DEE, "misdeal")
    assert misdeal == {"do": "misdeal", "card_count": False}
    assert [offer["place"] for offer in offers(live, DEE, "expose-card")] == ["board"]


def test_nothing_is_offered_at_a_retired_table() -> None:
    live = Live(CMS).do(SUPERVISOR, Retire())
    assert (look(live, SUE)["phase"], look(live, SUE)["offers"]) == ("retired", [])


def test_players_are_asked_whether_to_finish() -> None:
    live = Live(OMS).seat(1, "ann", ante=2).seat(2, "bob", ante=2).do(DEALER, CloseBetting())
    live.restart("storm").do("ann", Agree(1, finish=True))
    view = look(live, BOB)
    assert view["phase"] == "agreement"
    assert view["interruption"] == {"why": "storm", "answers": {"ann": True, "bob": None}}
    assert set(view["deadlines"]) == {"agree"}
    assert [seat["held"] for seat in view["seats"][:2]] == ["2.00", "2.00"]
    assert [why(offer) for offer in offers(live, BOB, "agree")] == [None]
    assert [why(offer) for offer in offers(live, ANN, "agree")] == [
        "ann has already answered. Wait for the others."
    ]
    assert [offer["do"] for offer in offers(live, SUE, "unreadable")] == ["unreadable"]


def test_seeds_are_shown_to_those_they_concern() -> None:
    live = Live(CMS).seat(1, "ann").do("ann", SeatSeed(1, "seven"))
    assert look(live, ANN)["seat_seeds"] == {"1": "seven"}
    assert look(live, BOB)["seat_seeds"] == {"1": None}
    assert look(live, Viewer("ann", "spectator"))["seat_seeds"] == {"1": None}
    live.seat(1, "ann", ante=10).do("ann", CloseBetting(), Decide(1, "fold"))
    for viewer in (ANN, BOB, DEE, SUE, CROWD):
        assert set(look(live, viewer)["revealed"]) == {"id", "commitment"}


def test_seed_of_an_arranged_shoe_is_shown_to_its_players_and_staff() -> None:
    live = Live(CMS, "practice", owner="ann").seat(1, "ann").do("ann", Arrange(1, "Qs Jd"))
    live.do("ann", SeatSeed(1, "seven"))
    live.seat(1, "ann", ante=10).do("ann", CloseBetting(), Decide(1, "fold"))
    for viewer in (ANN, DEE, SUE):
        assert look(live, viewer)["revealed"]["seed"] == "SEED t1-shoe-000002"
        assert look(live, viewer)["revealed"]["seat_seeds"] == [[1, "seven"]]
    for viewer in (BOB, CROWD):
        assert set(look(live, viewer)["revealed"]) == {"id", "commitment"}


def test_seat_removed_by_new_rules_is_shown_and_may_leave() -> None:
    fewer = with_field(MHL, "seats.count", 4)
    live = Live(MHL).seat(6, "ann").do(SUPERVISOR, ChangeSheet(dump_sheet(fewer)))
    assert [seat["seat"] for seat in look(live, ANN)["seats"]] == [1, 2, 3, 4, 6]
    assert why(offers(live, ANN, "leave")[0]) is None
    assert why(offers(live, ANN, "put-wager")[0]) == "There is no seat 6. Choose 1 to 4."


def test_pending_rules_are_announced() -> None:
    live = two().do(SUPERVISOR, ChangeSheet(dump_sheet(LAS)))
    view = look(live, CROWD)
    assert view["sheet"]["id"] == "catfish-bend/mississippi-stud"
    assert view["next_sheet"]["id"] == "louisiana-stud/standard"


def test_dealers_hand_is_named() -> None:
    live = Live(MHL).seat(1, "ann", bet=10).do("ann", CloseBetting(), Decide(1, "low"))
    board = look(live, CROWD)["board"]
    assert board["name"] == "dealer"
    assert "Lo" in board["told"]


def test_broken_shuffler_is_shown_as_the_reason_for_no_game() -> None:
    live = Live(CMS).seat(1, "ann").do(DEALER, ShufflerFailed())
    view = look(live, ANN)
    assert (view["shuffler"], view["shoe"]) == (False, None)
    refusal = offers(live, ANN, "put-wager")[0]["refused"]
    assert (refusal["code"], refusal["clause"]) == ("not-now", "CMS-3")
