"""Round files and their settlements, exactly as documented."""

from __future__ import annotations

import json

import pytest
from tests.clauses.one_line_rounds import (
    CMS,
    LAS_STAX,
    MHL,
    OMS,
    Json,
    round_document,
    seat,
    without_fields,
)

import pitbook
from pitbook.errors import RoundError
from pitbook.rules import round_file
from pitbook.rules.result_json import report
from pitbook.sheets.edit import change_sheet

STUD: Json = {
    "format": 1,
    "sheet": "catfish-bend/mississippi-stud",
    "community": ["Qs", "Js", "Ts"],
    "seats": [
        {
            "seat": 1,
            "player": "ann",
            "wagers": {"ante": "10", "three-card-bonus": "5"},
            "cards": ["As", "Ks"],
            "play": ["3x", "3x", "3x"],
        },
        {
            "seat": 2,
            "player": "bob",
            "wagers": {"ante": "5"},
            "cards": ["2c", "7d"],
            "play": ["fold"],
        },
    ],
    "voided": [{"seat": 2, "reason": "information"}],
}
HI_LO: Json = {
    "format": 1,
    "sheet": "catfish-bend/matchem-hi-lo",
    "dealer": ["2c", "2d", "3h", "Jc", "Kd"],
    "seats": [
        {
            "seat": 1,
            "player": "ann",
            "wagers": {"bet": "10", "matchem-bonus": "5", "poker-bonus": "5"},
            "cards": ["2s", "3s", "4s"],
            "play": ["high+double"],
        }
    ],
}
JACKS = seat(1, "Jc Jd", "1x 1x 1x", ante=10)
NINE = seat(1, "2c 3d 4h", "low", bet=10)
DEALER = "4c 5d 6h 8s 9c"


def line(*values: str | None) -> Json:
    fields = ("wager", "stake", "outcome", "result", "odds", "wins", "clause")
    return dict(zip(fields, values, strict=True))


def test_the_first_example_of_the_contract() -> None:
    royal = ("royal-flush", "win", "500:1")
    answer = pitbook.settle(STUD).document()
    assert answer == {
        "sheet": "catfish-bend/mississippi-stud",
        "hash": answer["hash"],
        "result": "settled",
        "seats": [
            {
                "seat": 1,
                "player": "ann",
                "lines": [
                    line("ante", "10.00", *royal, "2500.00", "CMS-9"),
                    line("flop", "30.00", *royal, "7500.00", "CMS-9"),
                    line("turn", "30.00", *royal, "7500.00", "CMS-9"),
                    line("river", "30.00", *royal, "7500.00", "CMS-9"),
                    line(
                        "three-card-bonus",
                        *("5.00", "straight-flush", "win", "40:1", "200.00", "CMS-10"),
                    ),
                ],
                "wins": "25200.00",
                "loses": "0.00",
                "net": "25200.00",
            },
            {
                "seat": 2,
                "player": "bob",
                "lines": [line("ante", "5.00", None, "forfeit", None, "0.00", "CMS-16")],
                "wins": "0.00",
                "loses": "5.00",
                "net": "-5.00",
            },
        ],
        "limits": [{"clause": "CMS-12", "due": "50000.00", "paid": "25000.00"}],
        "notes": [{"note": "the hand of seat 2 is void: information", "clause": None}],
        "house_net": "-25195.00",
    }
    assert len(answer["hash"]) == 64


def test_the_second_example_of_the_contract() -> None:
    # The dealer's J K 2 are low, 2 2 3 high: 7 points against 9.
    answer = pitbook.settle(HI_LO).document()
    assert answer == {
        "sheet": "catfish-bend/matchem-hi-lo",
        "hash": answer["hash"],
        "result": "settled",
        "seats": [
            {
                "seat": 1,
                "player": "ann",
                "lines": [
                    line("bet", "10.00", "high", "win", "1:1", "10.00", "MHL-9"),
                    line("double", "10.00", "high", "win", "1:1", "10.00", "MHL-9"),
                    line("matchem-bonus", "5.00", "match-3", "win", "3:1", "15.00", "MHL-11"),
                    line(
                        *("poker-bonus", "5.00", "straight-flush"),
                        *("win", "30:1", "150.00", "MHL-12"),
                    ),
                ],
                "wins": "185.00",
                "loses": "0.00",
                "net": "185.00",
            }
        ],
        "limits": [],
        "notes": [],
        "house_net": "-185.00",
    }


@pytest.mark.parametrize("document", [STUD, HI_LO], ids=["street-stud", "hi-lo"])
def test_format_is_optional_and_text_or_object_are_accepted(document: Json) -> None:
    answer = pitbook.settle(document).document()
    assert pitbook.settle(without_fields(["format"], document)).document() == answer
    assert pitbook.settle(json.dumps(document, indent=2)).document() == answer


def test_money_and_cards_may_be_written_in_several_ways() -> None:
    answer = pitbook.settle(round_document(CMS, "2h 4s 10c", JACKS)).document()
    other_spelling = JACKS | {"wagers": {"ante": "10.00"}, "cards": ["J♣", "jD"]}
    assert pitbook.settle(round_document(CMS, "2♥ 4s Tc", other_spelling)).document() == answer


def test_outcomes_and_results_of_lines() -> None:
    folded = seat(2, None, "1x fold", ante=10)
    pushed = seat(3, "6c 6d", "1x 1x 1x", ante=10)
    lost = seat(4, "3c 9d", "1x 1x 1x", ante=10)
    answer = pitbook.settle(round_document(CMS, "2h 4s Tc", JACKS, folded, pushed, lost)).document()
    outcomes = [
        [
            (wager_line["outcome"], wager_line["result"], wager_line["odds"])
            for wager_line in seat["lines"]
        ]
        for seat in answer["seats"]
    ]
    assert outcomes == [
        [("pair-J-A", "win", "1:1")] * 4,
        [("fold", "lose", None)] * 2,
        [("pair-6-10", "push", None)] * 4,
        [("nothing", "lose", None)] * 4,
    ]
    assert [seat_report["net"] for seat_report in answer["seats"]] == [
        "40.00",
        "-20.00",
        "0.00",
        "-40.00",
    ]
    assert answer["house_net"] == "20.00"


def test_seats_are_reported_in_order() -> None:
    seats = [seat(n, None, "fold", ante=5) for n in (6, 1, 3)]
    answer = pitbook.settle(round_document(CMS, "", *seats)).document()
    assert [seat_report["seat"] for seat_report in answer["seats"]] == [1, 3, 6]


def test_a_seat_without_a_player_is_named_by_its_number() -> None:
    answer = pitbook.settle(
        round_document(CMS, "2h 4s Tc", without_fields(["player"], JACKS))
    ).document()
    assert answer["seats"][0]["player"] == "seat 1"


@pytest.mark.parametrize("cards", [None, []])
def test_a_folded_seats_cards_are_optional_without_a_live_wager(
    cards: list[str] | None,
) -> None:
    folded = seat(1, None, "fold", ante=5, three_card_bonus=1)
    if cards is not None:
        folded["cards"] = cards
    assert pitbook.settle(round_document(CMS, "7s 7d 8c", folded)).document()["house_net"] == "4.00"


def test_a_hand_cap_names_its_seat() -> None:
    answer = pitbook.settle(
        round_document(OMS, "Qs Js Ts", seat(3, "As Ks", "1x 1x 1x", ante=2))
    ).document()
    assert answer["limits"] == [{"clause": "OMS-9", "due": "2000.00", "paid": "1000.00", "seat": 3}]


@pytest.mark.parametrize(
    ("reason", "result", "net"),
    [("information", "forfeit", "-20.00"), ("supervisor", "void", "0.00")],
)
def test_voided_reasons_are_accepted(reason: str, result: str, net: str) -> None:
    # The hand was voided after its flop bet.
    early = seat(1, None, "1x", ante=10)
    later = seat(2, "Jc Jd", "1x 1x 1x", ante=10)
    voided = [{"seat": 1, "reason": reason}]
    answer = pitbook.settle(round_document(CMS, "2h 4s Tc", early, later, voided=voided)).document()
    assert [wager_line["result"] for wager_line in answer["seats"][0]["lines"]] == [result] * 2
    assert [seat_report["net"] for seat_report in answer["seats"]] == [net, "40.00"]


def test_a_misdeal_may_be_declared() -> None:
    answer = pitbook.settle(STUD | {"misdeal": "a card was found on the floor"}).document()
    assert answer["result"] == "misdeal"
    lines = [wager_line for seat in answer["seats"] for wager_line in seat["lines"]]
    assert {
        (wager_line["result"], wager_line["wins"], wager_line["odds"]) for wager_line in lines
    } == {("void", "0.00", None)}
    assert (answer["house_net"], answer["limits"]) == ("0.00", [])
    assert {"note": "misdeal: a card was found on the floor", "clause": "GEN-6"} in answer["notes"]


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (round_document(CMS, "2h 4s Tc", seat(1, "Jc", "1x 1x 1x", ante=5)), "cards at seat 1: 1"),
        (round_document(CMS, "2h 4s Tc", seat(1, "Jc Jd Jh", "1x", ante=5)), "cards at seat 1: 3"),
        (round_document(CMS, "2h 4s Tc 9d", JACKS), "community cards: 4"),
        (round_document(LAS_STAX, "", seat(1, "Jc", "", ante=5, stax=1)), "cards at seat 1: 1"),
        (round_document(MHL, DEALER, seat(2, "Jc", "", bet=5)), "cards at seat 2: 1"),
        (round_document(MHL, "4c 5d 6h 8s", NINE), "dealer cards: 4"),
        (round_document(MHL, f"{DEALER} Tc", NINE), "dealer cards: 6"),
        (round_document(MHL, "4c", seat(1, "2c 3d 4h", "", bet=5)), "dealer cards: 1"),
    ],
)
def test_a_wrong_number_of_cards_is_a_misdeal(document: Json, reason: str) -> None:
    answer = pitbook.settle(document).document()
    assert answer["result"] == "misdeal"
    assert answer["notes"][-1]["note"].startswith(f"misdeal: {reason} instead of ")
    assert answer["house_net"] == "0.00"


def test_consecutive_decisions_without_a_card_are_played() -> None:
    """A street without cards is followed directly by the next decision."""
    sheet = change_sheet(CMS, {"streets[0].reveals": 0, "streets[1].reveals": 2})
    file = round_file.parse(json.dumps(STUD | {"voided": []}))
    settlement = report(round_file.settle(file, lambda _: sheet))
    assert settlement["seats"][0]["net"] == "25200.00"


FOLD = seat(1, "2s 7d 9h Jc 4s", "fold", ante=10)


def settle_against_dealer(sheet: str, *seats: Json, **cards: str) -> Json:
    boards = {place: board_text.split() for place, board_text in cards.items()}
    return pitbook.settle({"sheet": sheet, "seats": list(seats), **boards}).document()


def test_if_all_fold_the_dealer_s_closed_cards_are_not_counted() -> None:
    """CST-4: after folds the dealer's other four cards stay closed, and the hand is not short."""
    settled = settle_against_dealer("classic/caribbean-stud", FOLD, dealer="Qs")
    assert (settled["result"], settled["house_net"]) == ("settled", "10.00")
    assert settled == settle_against_dealer("classic/caribbean-stud", FOLD, dealer="Qs 2h 3h 5h 8h")


@pytest.mark.parametrize(
    ("dealer", "play"), [("Qs", "2x"), ("Qs 2h", "fold"), ("Qs 2h 3h 5h", "fold")]
)
def test_gen_13_any_other_short_dealer_hand_is_a_misdeal(dealer: str, play: str) -> None:
    short_seat = seat(1, "2s 7d 9h Jc 4s", play, ante=10)
    assert (
        settle_against_dealer("classic/caribbean-stud", short_seat, dealer=dealer)["result"]
        == "misdeal"
    )


def test_a_wager_that_equals_the_ante_may_be_named_with_its_amount() -> None:
    holdem, board = "pennsylvania/ultimate-texas-holdem", "2d 3d 4d 5d 7c"
    plain = seat(1, "2c 7d", "check check fold", ante=10)
    named = seat(1, "2c 7d", "check check fold", ante=10, blind=10)
    assert settle_against_dealer(holdem, named, community=board) == settle_against_dealer(
        holdem, plain, community=board
    )


@pytest.mark.parametrize("wagers", [{"ante": 10, "blind": 5}, {"blind": 10}, {"blind": 0}])
def test_a_wager_that_equals_the_ante_is_refused_with_another_amount(wagers: Json) -> None:
    first = seat(1, "2c 7d", "check check fold", **wagers)
    second = seat(2, "3c 8d", "check check fold", ante=10)
    with pytest.raises(RoundError, match="Blind at seat 1 is always as large as Ante"):
        settle_against_dealer(
            "pennsylvania/ultimate-texas-holdem", first, second, community="2d 3d 4d 5d 7c"
        )
