"""Commands as JSON; invalid ones are refused with a message."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitbook.cards import card
from pitbook.errors import RoundError
from pitbook.house.table import commands
from pitbook.house.table import commands as pit_commands
from pitbook.house.table.commands import KINDS, Command, decode, encode
from pitbook.money import Cents
from pitbook.rules.actions import BOARD

EACH: list[Command] = [
    commands.Sit(1),
    commands.Sit(6, "bob"),
    commands.BuyIn(1, Cents(20_000)),
    commands.Leave(1),
    commands.PutWager(2, "ante", Cents(1050)),
    commands.Undo(1),
    commands.Rebet(1),
    commands.Refill(1),
    commands.SeatSeed(1, "blue 7 ünd"),
    commands.OpenRound(),
    commands.CloseBetting(),
    commands.Decide(3, "3x"),
    commands.AdviceShown(1, "1x costs 0.2 antes"),
    commands.AdviceShown(1, "x" * 2000),
    commands.AdviceShown(1, "3x costs $1 compared with 1x.", "3x"),
    commands.Arrange(1, "Qs Jd", "7h", stage=1, round="t1-000004"),
    commands.SeatSeed(1, "x" * 200),
    commands.Coach(on=False),
    commands.Misdeal("boxed card"),
    commands.Misdeal("short hand", card_count=True),
    commands.VoidHand(2, "information"),
    commands.VoidHand(2, "information", "as seen", "took"),
    commands.ExposeCard(BOARD),
    commands.ExposeCard(2, card("Qs")),
    commands.Warn(1, "cards off the table"),
    commands.TypeCard(BOARD, card("Td")),
    commands.CorrectCard(1, 2, card("2h"), "misread"),
    commands.DeckFouled(card("As")),
    commands.Settle(),
    commands.Agree(1, finish=True),
    commands.Unreadable(),
    commands.Interrupt("fire alarm"),
    commands.GoOn("the floor supervisor resumed play"),
    commands.CallOff("undone"),
    commands.ShufflerFailed(),
    commands.ShufflerRepaired(),
    commands.Fill(Cents(500_000)),
    commands.Credit(Cents(100)),
    pit_commands.AskFill(Cents(500_000), "low on reds"),
    pit_commands.AskCredit(Cents(100), "too many"),
    pit_commands.GrantRack(1),
    pit_commands.RefuseRack(2, "enough"),
    pit_commands.SignOn(),
    pit_commands.SignOff(),
    pit_commands.ColorUp(1, Cents(2_500)),
    pit_commands.AnnounceSheet({"hash": "00", "body": "{}"}, 30, "a busy night"),
    commands.ChangeSheet({"hash": "00", "body": "{}"}),
    commands.Ready(1),
    commands.Ready(2, on=False),
    commands.Tick(),
    commands.Tick(late=True),
    commands.Retire(),
]


def test_every_command_has_an_example() -> None:
    assert {type(command) for command in EACH} == set(KINDS.values())


@pytest.mark.parametrize("command", EACH, ids=str)
def test_command_round_trips_through_json(command: Command) -> None:
    assert decode(json.loads(json.dumps(encode(command)))) == command


def test_optional_card_may_be_null() -> None:
    document = {"do": "expose-card", "place": 3, "card": None}
    assert decode(document) == commands.ExposeCard(3)


def test_command_is_worded_as_dealers_say_it() -> None:
    wager = encode(commands.PutWager(1, "ante", Cents(1000)))
    assert wager == {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10.00"}
    typed = encode(commands.TypeCard(BOARD, card("10d")))
    assert typed == {"do": "type-card", "place": "board", "card": "Td"}
    assert encode(commands.ExposeCard(3)) == {"do": "expose-card", "place": 3}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (None, "null is not a valid command"),
        ([], "[] is not a valid command"),
        ({"do": "cheat"}, 'not a valid command. "do" must be one of sit, buy-in, leave'),
        ({"do": ["sit"]}, "is not a valid command"),
        ({"do": "sit"}, 'Command "sit" has the fields seat, player.'),
        ({"do": "sit", "seat": 1, "hat": 2}, 'Command "sit" has the fields seat, player.'),
        ({"do": "settle", "at": 1}, 'Command "settle" has no fields.'),
        ({"do": "sit", "seat": "1"}, 'seat: "1" must be a whole number'),
        ({"do": "sit", "seat": True}, "seat: true must be a whole number"),
        ({"do": "sit", "seat": 10**9}, "seat: 1000000000 is too large."),
        ({"do": "sit", "seat": 1, "player": 7}, "player: 7 must be text in quotes"),
        ({"do": "coach", "on": 1}, "on: 1 must be true or false"),
        ({"do": "fill", "amount": 5}, "amount: 5 must be text in quotes"),
        ({"do": "fill", "amount": "-5"}, 'amount: "-5" is not an amount'),
        ({"do": "type-card", "place": 1, "card": "Xx"}, 'card: "Xx" is not a card'),
        ({"do": "type-card", "place": 1, "card": None}, "card: null must be text in quotes"),
        ({"do": "type-card", "place": "bord", "card": "As"}, 'place: "bord" must be a whole'),
        ({"do": "void-hand", "seat": 1, "reason": "x"}, "must be information or supervisor"),
        (
            {"do": "void-hand", "seat": 1, "reason": "information", "part": "x"},
            "must be gave or took",
        ),
        ({"do": "seat-seed", "seat": 1, "text": "a\nb"}, "must be one line of printable text"),
        ({"do": "seat-seed", "seat": 1, "text": "x" * 201}, "is longer than 200 characters"),
        ({"do": "advice-shown", "seat": 1, "text": "x" * 2001}, "is longer than 2000 characters"),
        ({"do": "change-sheet", "sheet": {}}, "sheet: Rules need both a hash and a body."),
        (
            {"do": "change-sheet", "sheet": {"hash": "", "body": {}}},
            "The hash and the body of rules, which is JSON, must be text",
        ),
    ],
)
def test_invalid_command_gives_an_error_message(document: Any, message: str) -> None:
    with pytest.raises(RoundError) as error:
        decode(document)
    assert message in str(error.value)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
fields = ["seat", "player", "wager", "amount", "text", "play", "card", "place", "on", "sheet"]


@given(
    st.sampled_from(sorted(KINDS)),
    st.dictionaries(st.sampled_from(fields), anything, max_size=3),
)
def test_any_json_is_parsed_or_refused_with_a_sentence(
    do: str, given_fields: dict[str, Any]
) -> None:
    document = {"do": do, **given_fields}
    message = sentence(document)
    if message is None:
        command = decode(document)
        assert decode(encode(command)) == command
    else:
        assert message.isprintable()


def sentence(document: Any) -> str | None:
    try:
        decode(document)
    except RoundError as error:
        return str(error)
    return None
