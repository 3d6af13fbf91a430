"""Facts have one stored form, given by their types."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NamedTuple, NewType, TypeAlias

import pytest
from pydantic import BaseModel

from pitbook.cards import Card, card
from pitbook.errors import FactError, RoundError
from pitbook.house.ledger.fact_codec import Codec, Json, JsonForm, OmitDefault, Row, StoredAs
from pitbook.house.ledger.hash_chain import GENESIS, Entry, entry_content
from pitbook.money import Cents
from pitbook.rules import actions
from pitbook.rules.stored_rounds import decode, encode

Number = NewType("Number", int)
Action: TypeAlias = Annotated[actions.Action, JsonForm(encode, decode)]


class Clock(BaseModel):
    seconds: int = 30
    name: str


class Line(NamedTuple):
    seat: int
    wins: Cents
    back: OmitDefault[Cents] = Cents(0)


class Chair(NamedTuple):
    table: int
    player: str


class Everything(NamedTuple):
    seat: Number
    player: str
    on: bool
    given: Cents
    card: Card
    at: datetime
    how: Literal["played", "divided"]
    clock: Clock
    action: Action
    free: Json
    loose: Any
    rest: list[Any]
    place: str | int
    lines: tuple[Line, ...]
    chairs: tuple[Row[Chair], ...]
    pair: tuple[str, Cents]
    drawn: tuple[int, ...]
    due: Mapping[str, Cents]
    words: Mapping[str, str]
    broken: int | None
    rack: Cents | None
    late: datetime | None = None
    spot: OmitDefault[Json | None] = None


class Coach(NamedTuple):
    on: bool


class Empty(NamedTuple):
    pass


CODEC: Codec[Any] = Codec("a table", {"everything": Everything, "empty": Empty})
CODEC.fact("coach")(Coach)

AT = datetime(2026, 11, 17, 20, 15, tzinfo=UTC)
FACT = Everything(
    seat=Number(1),
    player="Ann",
    on=True,
    given=Cents(1250),
    card=card("Qs"),
    at=AT,
    how="played",
    clock=Clock(name="betting"),
    action=actions.Turn(0, card("2h")),
    free={"any": [1, None]},
    loose=[0.5],
    rest=["a", 1],
    place="board",
    lines=(Line(1, Cents(100)), Line(2, Cents(0), back=Cents(5))),
    chairs=(Chair(1, "Ann"),),
    pair=("ante", Cents(500)),
    drawn=(3, 1),
    due={"Bob": Cents(1)},
    words={"a": "b"},
    broken=None,
    rack=Cents(7),
)
KEPT: Json = {
    "fact": "everything",
    "seat": 1,
    "player": "Ann",
    "on": True,
    "given": "12.50",
    "card": "Qs",
    "at": "2026-11-17T20:15:00+00:00",
    "how": "played",
    "clock": {"name": "betting"},
    "action": {"do": "turn", "place": "board", "card": "2h"},
    "free": {"any": [1, None]},
    "loose": [0.5],
    "rest": ["a", 1],
    "place": "board",
    "lines": [{"seat": 1, "wins": "1.00"}, {"seat": 2, "wins": "0.00", "back": "0.05"}],
    "chairs": [[1, "Ann"]],
    "pair": ["ante", "5.00"],
    "drawn": [3, 1],
    "due": {"Bob": "0.01"},
    "words": {"a": "b"},
    "broken": None,
    "rack": "0.07",
    "late": None,
}


def test_every_type_is_encoded_and_decoded() -> None:
    assert CODEC.dump(FACT) == KEPT
    assert CODEC.load(KEPT) == FACT
    assert type(CODEC.load(KEPT)) is Everything
    assert type(CODEC.load(KEPT).lines[0]) is Line
    assert type(CODEC.load(KEPT).chairs[0]) is Chair


def test_default_is_omitted_and_other_values_are_written() -> None:
    fact = FACT._replace(spot={"hand": "low"}, late=AT, rack=None)
    stored = CODEC.dump(fact)
    assert stored == {**KEPT, "spot": {"hand": "low"}, "late": AT.isoformat(), "rack": None}
    assert CODEC.load(stored) == fact


def test_missing_field_takes_its_default() -> None:
    stored = {name: value for name, value in KEPT.items() if name != "late"}
    assert CODEC.load(stored) == FACT


def test_fact_without_fields_is_valid() -> None:
    assert CODEC.dump(Empty()) == {"fact": "empty"}
    assert CODEC.load({"fact": "empty"}) == Empty()


def test_fact_names_are_unique() -> None:
    assert CODEC.name(Coach) == "coach"
    assert list(CODEC.kinds) == ["everything", "empty", "coach"]
    with pytest.raises(AssertionError, match='two facts "coach"'):
        CODEC.fact("coach")(Empty)


@pytest.mark.parametrize(
    ("field", "stored", "why"),
    [
        ("seat", "1", "'1' is not of type int"),
        ("seat", True, "True is not of type int"),
        ("player", None, "None is not of type str"),
        ("on", 1, "1 is not of type bool"),
        ("given", "12.5", '"12.5" is not an amount. Write "12.50"'),
        ("given", 12, "expected string or bytes-like object"),
        ("card", "1s", '"1s" is not a card'),
        ("card", None, "None is not of type str"),
        ("card", ["Qs"], r"\['Qs'\] is not of type str"),
        ("at", "today", "Invalid isoformat string"),
        ("at", "2026-11-17", "'2026-11-17' has no time zone"),
        ("at", "2026-11-17T20:00:45", "has no time zone"),
        ("how", "clock", "'clock' is not one of played, divided"),
        ("how", [], r"\[\] is not one of played, divided"),
        ("clock", {}, "1 validation error for Clock"),
        ("action", {"do": "nod"}, 'is not a valid action. "do" must be one of'),
        ("free", [], r"\[\] is not of type dict"),
        ("rest", {}, "{} is not of type list"),
        ("place", 1.5, "1.5 is not of type str or int"),
        ("lines", {}, "{} is not of type list"),
        ("lines", ["a"], "'a' is not of type dict"),
        (
            "lines",
            [{"seat": 1}],
            "{'seat': 1}: it must have exactly these fields: seat, wins, back",
        ),
        ("chairs", [[1]], "shorter than"),
        ("chairs", [["a", "b"]], "'a' is not of type int"),
        ("pair", ["ante", "5.00", 1], "longer than"),
        ("drawn", [None], "None is not of type int"),
        ("due", [], r"\[\] is not of type dict"),
        ("due", {"Bob": "x"}, '"x" is not an amount'),
        ("broken", "x", "'x' is not of type int"),
    ],
)
def test_a_wrong_type_is_refused_with_a_sentence(field: str, stored: Any, why: str) -> None:
    with pytest.raises(RoundError, match=f'^event "everything" cannot be read: .*{why}'):
        CODEC.load({**KEPT, field: stored})


@pytest.mark.parametrize(
    "stored",
    [
        {"fact": "coach"},
        {"fact": "coach", "on": True, "why": "x"},
        {"fact": "coach", "off": True},
        {"fact": "coach", "on": True, "format": 1},
    ],
)
def test_a_missing_and_a_surplus_field_are_refused(stored: Json) -> None:
    with pytest.raises(RoundError, match=r'^event "coach" must have exactly these fields: on$'):
        CODEC.load(stored)
    with pytest.raises(RoundError, match=r'^event "empty" must not have any fields$'):
        CODEC.load({**stored, "fact": "empty", "x": 1})


@pytest.mark.parametrize("name", ["nodded", None, 3, ["coach"]])
def test_unknown_fact_is_refused(name: Any) -> None:
    with pytest.raises(RoundError, match=r"^a table has no event "):
        CODEC.load({"fact": name, "on": True})
    with pytest.raises(RoundError, match=r"^a table has no event type Chair"):
        CODEC.dump(Chair(1, "Ann"))


def test_key_error_in_a_reader_is_not_a_missing_field() -> None:
    codec: Codec[Any] = Codec("a table", {"placed": Placed})
    with pytest.raises(RoundError, match="cannot be read: 'roof'"):
        codec.load({"fact": "placed", "place": "roof"})


class Placed(NamedTuple):
    place: Annotated[int, JsonForm(None, {"board": 0}.__getitem__)]


class Sat(NamedTuple):
    seat: int
    player: str
    given: Cents


def _seat_codec() -> Codec[Sat]:
    codec: Codec[Sat] = Codec("a table")
    codec.fact("sat", in_format=3)(Sat)
    return codec


@pytest.mark.parametrize("stored", [None, 1, "coach", ["coach"], {}, {"on": True}, {"fact": []}])
def test_entry_without_a_fact_is_refused(stored: Any) -> None:
    entry = Entry("t", 1, "", 1, "", None, None, entry_content([stored], ()), GENESIS, "")
    with pytest.raises(RoundError, match=r"^a table has (no event|an event that is not an object)"):
        CODEC.load_entry(entry)
    if not isinstance(stored, dict):
        with pytest.raises(
            RoundError, match=r"^a table has (no event|an event that is not an object)"
        ):
            CODEC.load_kind(entry, Coach)


def test_current_form_states_its_format() -> None:
    stored = {"fact": "sat", "format": 3, "seat": 1, "player": "Ann", "given": "5.00"}
    assert _seat_codec().dump(Sat(1, "Ann", Cents(500))) == stored


@pytest.mark.parametrize("number", [4, 2, 1, 0, "3", [3], None])
def test_another_format_is_refused(number: Any) -> None:
    stored = {"fact": "sat", "format": number, "seat": 1, "player": "Ann", "given": "5.00"}
    with pytest.raises(RoundError, match=r'event "sat" of a table has format .*, not 3'):
        _seat_codec().load(stored)


def test_load_entry_skips_the_ledgers_own_facts() -> None:
    facts: list[Json] = [
        {"fact": "claimed", "epoch": 1},
        {"fact": "coach", "on": True},
        {"fact": "kept"},
    ]
    entry = Entry("t", 1, "", 1, "", None, None, entry_content(facts, ()), GENESIS, "")
    assert CODEC.load_entry(entry) == [Coach(True)]
    assert CODEC.dump_all([Coach(True), Empty()]) == [facts[1], {"fact": "empty"}]


def test_facts_are_found_by_kind() -> None:
    codec = _seat_codec()
    codec.fact("coach")(Coach)
    stored: list[Json] = [
        {"fact": "sat", "format": 3, "seat": 1, "player": "Ann", "given": "0.00"},
        {"fact": "coach", "on": True},
        {"fact": "sat", "format": 3, "seat": 2, "player": "Bob", "given": "0.00"},
    ]
    entry = Entry("t", 1, "", 1, "", None, None, entry_content(stored, ()), GENESIS, "")
    assert codec.load_kind(entry, Sat) == [Sat(1, "Ann", Cents(0)), Sat(2, "Bob", Cents(0))]
    assert codec.load_kind(entry, Coach) == [Coach(True)]
    assert codec.names(Sat, Coach) == ["sat", "coach"]


def test_body_omits_name_and_format() -> None:
    fact = Sat(1, "Ann", Cents(0))
    assert _seat_codec().body(fact) == {"seat": 1, "player": "Ann", "given": "0.00"}


def test_unsupported_types_raise() -> None:
    class Odd(NamedTuple):
        pairs: Mapping[int, str]

    class Either(NamedTuple):
        one: Coach | Empty

    for kind in (Odd, Either):
        with pytest.raises(AssertionError, match=r"no form on record|no plain types"):
            Codec("a table", {"odd": kind}).load({"fact": "odd"})


class Renamed(NamedTuple):
    seat: int
    player: Annotated[str, StoredAs("who")]
    note: Annotated[OmitDefault[str | None], StoredAs("told")] = None


@pytest.mark.parametrize(
    ("fact", "stored"),
    [
        (Renamed(1, "ann"), {"fact": "renamed", "seat": 1, "who": "ann"}),
        (Renamed(1, "ann", "late"), {"fact": "renamed", "seat": 1, "who": "ann", "told": "late"}),
    ],
)
def test_a_field_may_be_stored_under_another_name(fact: Renamed, stored: Json) -> None:
    codec: Codec[Any] = Codec("a table", {"renamed": Renamed})
    assert codec.dump(fact) == stored
    assert codec.load(stored) == fact
    with pytest.raises(FactError, match="seat, who, told"):
        codec.load({"fact": "renamed", "seat": 1, "player": "ann"})
