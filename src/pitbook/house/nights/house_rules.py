"""House rules of a charity casino: the file, its checks, and its summary."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar

from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import ErrorDetails

from pitbook.errors import LedgerError, SheetUnknown
from pitbook.house.nights.tournament.schedule import TournamentRules
from pitbook.house.people.names import title_error
from pitbook.sheets.digest import meaning
from pitbook.sheets.findings import (
    FOUND_MAX,
    Finding,
    SheetInvalid,
    did_you_mean,
    printable,
    show_value,
)
from pitbook.sheets.jurisdictions import remedy, state_of
from pitbook.sheets.load import add_position, finding_of, parse_toml, read_text
from pitbook.sheets.parts import Source
from pitbook.sheets.toml_text import Places
from pitbook.sheets.values import Choice, Format, Money, Order, Rule, Slug, TomlTable, Words
from pitbook.text import say, sentence_of

Read = TypeVar("Read", bound=TomlTable)
FoundInRules = tuple[Finding, bool]


class Examined(NamedTuple, Generic[Read]):
    """What a text holds, or the findings that prevent it."""

    file: str
    table: Read | None
    findings: tuple[Finding, ...]


def _sensible(_: Any) -> Iterable[Finding]:
    return ()


def examine(
    model: type[Read],
    text: str,
    file: str,
    check: Callable[[Read], Iterable[Finding]] = _sensible,
) -> Examined[Read]:
    """A text read as a table of that kind; never raises for what the text holds."""
    document = parse_toml(text, file)
    if isinstance(document, Finding):
        return Examined(file, None, (document,))
    try:
        table = model.model_validate(document)
    except ValidationError as error:
        found = [_worded(detail, model, document) for detail in _mistakes(error)]
        return Examined(file, None, _placed(found, text, file))
    odd = _placed([(one, False) for one in check(table)], text, file)
    return Examined(file, None if odd else table, odd)


def examine_fields(
    model: type[Read],
    fields: dict[str, Any],
    check: Callable[[Read], Iterable[Finding]] = _sensible,
) -> Examined[Read]:
    """Fields of a form, read as the same table would be; findings name the field, not a line."""
    try:
        table = model.model_validate(fields)
        odd = tuple(check(table))
        return Examined("", None if odd else table, odd)
    except ValidationError as error:
        found = [_at_field(detail, model, fields) for detail in _mistakes(error)]
        unique = {(one.path, one.message): one for one in found}
        return Examined("", None, tuple(unique.values()))


def understood(examined: Examined[Read]) -> Read:
    """The table; raises SheetInvalid with every finding where there is none."""
    if examined.table is None:
        raise SheetInvalid(examined.findings)
    return examined.table


def _mistakes(error: ValidationError) -> list[ErrorDetails]:
    """What is wrong, each once: a list is not too short because what stands in it is wrong."""
    found = error.errors(include_url=False)
    inner = {mistake["loc"][:depth] for mistake in found for depth in range(1, len(mistake["loc"]))}
    mistakes = [
        mistake
        for mistake in found
        if mistake["type"] != "too_short" or mistake["loc"] not in inner
    ]
    return mistakes[:FOUND_MAX]


def _at_field(detail: ErrorDetails, model: type[TomlTable], fields: dict[str, Any]) -> Finding:
    """A field that is missing has a place in a form, though none in a file."""
    finding, _ = _worded(detail, model, fields)
    if detail["type"] != "missing":
        return finding
    return dataclasses.replace(finding, path=tuple(detail["loc"]))


def _worded(detail: ErrorDetails, model: type[TomlTable], document: dict[str, Any]) -> FoundInRules:
    finding, key = finding_of(detail, model, document)
    if detail["type"] == "value_error":  # Of a check in the model, which has words of its own.
        said = sentence_of(detail["ctx"]["error"])
        return dataclasses.replace(finding, message=said), key
    return finding, key


def _placed(found: Iterable[FoundInRules], text: str, file: str) -> tuple[Finding, ...]:
    places = Places(text)
    unique = {(one.path, one.message): (one, key) for one, key in found}
    placed = [add_position(one, places, file, key=key) for one, key in unique.values()]
    return tuple(sorted(placed, key=lambda one: (one.line, one.column)))


DESCRIPTIVE, STATED = "descriptive", "stated"


def descriptive(says: str) -> Any:
    """A field of words about the rules: nothing follows from it."""
    return Field(description=says, json_schema_extra={DESCRIPTIVE: True})


def stated(says: str) -> Any:
    """A field that says what always holds here, with its clause: a file that differs is refused."""
    return Field(description=says, json_schema_extra={STATED: True})


BUNDLED = Path(__file__).parent / "houses"


def _hour(text: str) -> str:
    if not HOUR.fullmatch(text):
        raise ValueError(say("nights.house.no-hour", hour=printable(text)))
    return text


HOUR = re.compile(r"(0[0-9]|1[01]):[0-5][0-9]", re.ASCII)
Hour = Annotated[str, AfterValidator(_hour)]


class BetLimit(Rule):
    """The most that may be bet in games of a kind."""

    bet_max: Money = Field(description="The limit itself, in dollars.")
    counts: Choice[Literal["each-bet", "whole-circle"]] = Field(
        description="each-bet: a bet, a raise and a re-raise alone; whole-circle: all together."
    )


class PokerLimit(BetLimit):
    """The same for poker between players; only nights on record have it, and none was dealt."""

    raises_max: Annotated[int, Field(ge=0, le=20)]


class TournamentBets(Rule):
    """Bets in chips that are worth no money."""

    bet_limit: Literal["none", "as-chance"] = Field(
        description="as-chance: the limit of games of chance holds for tournament chips, too."
    )


class Bets(TomlTable):
    """What may be bet, by kind of game."""

    chance: BetLimit
    live_poker: PokerLimit | None = Field(
        default=None, alias="live-poker", description="Refused in a file: no live poker is dealt."
    )
    tournament: TournamentBets


class Chips(Rule):
    """Whose chips they are, and how long they are good."""

    owner: Words = Field(description="They stay the owner's, whoever holds them.")
    values: Annotated[Order[Money], Field(min_length=1, max_length=20)] = Field(
        description="Denominations in dollars, rising."
    )
    means_of_payment: Choice[bool] = stated("Nothing is paid for with them: false.")
    redeemed_at: Choice[Literal["face-value"]] = stated("What the cage gives for them.")
    day_ends: Choice[Literal["closing", "midnight"]] = Field(
        description="closing: when the event closes; midnight: with the gaming date itself."
    )
    latest: Choice[Hour] | None = Field(
        default=None,
        description="closing: the hour after midnight at which the day ends, open or not.",
    )
    unredeemed: Choice[Literal["expire"]] = stated(
        "What becomes of chips that nobody redeemed in time."
    )


class Refunds(TomlTable):
    """Where money is given back for a change of mind; tournaments have a table of their own."""

    chance: Choice[bool] = stated("Games of chance give none: false.")


class Interruptions(TomlTable):
    """What a power cut does at tables that play for chips of value."""

    chance: Choice[Literal["agree-or-dead", "resume"]] = Field(
        description="agree-or-dead: finished if it can be read and all agree, else dead."
    )


class Proceeds(Rule):
    """Who has what is left of the evening."""

    to: Literal["charity"] = stated("The charity that sponsors the event.")


class Notice(Rule):
    """What is posted for everybody to read."""

    regulator: Words
    address: Annotated[Order[Words], Field(min_length=1, max_length=10)]
    invites: Words = Field(description="What people may turn to the regulator with.")
    governed_by: Words


class Operator(TomlTable):
    """Who runs the games, and under whose law."""

    name: Words
    jurisdiction: Words


class HouseRules(TomlTable):
    """The rules of a house for its charity nights."""

    format: Format = stated("The version of this format.")
    id: Slug = descriptive("What the house is called in commands.")
    title: Words = descriptive("What the rules are called.")
    source: Source = descriptive("The document that they were made from.")
    house: Operator
    bets: Bets
    chips: Chips
    refunds: Refunds
    interruptions: Interruptions
    tournaments: TournamentRules
    proceeds: Proceeds
    notice: Notice


def bundled() -> list[str]:
    """The houses that come with Pitbook."""
    return sorted(path.stem for path in BUNDLED.glob("*.toml"))


def find(argument: str) -> Path:
    """The file for a house's id, or for a path to a TOML file."""
    if argument.endswith(".toml"):
        return Path(argument)
    if argument not in bundled():
        remedy = did_you_mean(argument, bundled())
        raise SheetUnknown(say("nights.house.unknown", house=argument, remedy=remedy))
    return BUNDLED / f"{argument}.toml"


def load(argument: str) -> HouseRules:
    """The rules of a house, fit for a night; raises SheetInvalid with every error."""
    path = find(argument)
    return understood(examined(read_text(path), str(path)))


def examined(text: str, file: str) -> Examined[HouseRules]:
    """A text read as house rules and checked; never raises for what the text holds."""
    return examine(HouseRules, text, file, _checked)


def _checked(rules: HouseRules) -> list[Finding]:
    """What is well written and yet makes no sense."""
    return [
        *_names(rules),
        *_state(rules),
        *_live_poker(rules),
        *_tournament_limits(rules),
        *_chips(rules),
        *_refunds(rules),
        *_day(rules),
    ]


def _names(rules: HouseRules) -> list[Finding]:
    """Names that are printed and exported."""
    names = {
        ("title",): rules.title,
        ("house", "name"): rules.house.name,
        ("chips", "owner"): rules.chips.owner,
        ("notice", "regulator"): rules.notice.regulator,
    }
    return [
        Finding("error", "name", problem, path)
        for path, name in names.items()
        if (problem := title_error(".".join(path), name))
    ]


def _state(rules: HouseRules) -> list[Finding]:
    """A state that nobody knows would switch its own rules off."""
    written = rules.house.jurisdiction
    if state_of(written):
        return []
    unknown = {"given": show_value(written), "remedy": remedy(written)}
    message = say("nights.house.jurisdiction", **unknown)
    return [Finding("error", "jurisdiction", message, ("house", "jurisdiction"))]


def _live_poker(rules: HouseRules) -> list[Finding]:
    """OMS-10 names a limit for it; a number here would be one that nobody keeps."""
    if rules.bets.live_poker is None:
        return []
    message = say("nights.house.live-poker")
    path, clause = ("bets", "live-poker"), rules.bets.live_poker.clause
    return [Finding("error", "live-poker", message, path, clause)]


def _refunds(rules: HouseRules) -> list[Finding]:
    chance = rules.refunds.chance
    if not chance.value:
        return []
    message = say("nights.house.refunds")
    return [Finding("error", "refunds", message, ("refunds", "chance"), chance.clause)]


def _day(rules: HouseRules) -> list[Finding]:
    """OMS-17: a day that ends with the event has an hour at which it ends in any case."""
    ends, latest = rules.chips.day_ends, rules.chips.latest
    if (ends.value == "closing") == (latest is not None):
        return []
    example = 'latest = { is = "04:00", ... }'
    message = (
        say("nights.house.day-has-ended")
        if latest is not None
        else say("nights.house.last-hour", example=example)
    )
    path = ("chips", "day_ends" if latest is None else "latest")
    return [Finding("error", "day", message, path, ends.clause)]


def _tournament_limits(rules: HouseRules) -> list[Finding]:
    usual, higher = rules.tournaments.spending, rules.tournaments.higher_spending
    if higher is None or higher.player_max > usual.player_max:
        return []
    limits = {"higher": higher.player_max, "usual": usual.player_max}
    message = say("nights.house.spending", **limits)
    path = ("tournaments", "higher_spending", "player_max")
    return [Finding("error", "spending", message, path, higher.clause)]


def _chips(rules: HouseRules) -> list[Finding]:
    chips, found = rules.chips, []
    if list(chips.values) != sorted(set(chips.values)):
        message, path = say("nights.house.chips-rise"), ("chips", "values")
        found.append(Finding("error", "chips", message, path, chips.clause))
    if chips.means_of_payment.value:
        message = say("nights.house.chips-are-no-money")
        path, clause = ("chips", "means_of_payment"), chips.means_of_payment.clause
        found.append(Finding("error", "chips", message, path, clause))
    return found


def digest(rules: HouseRules) -> str:
    """The SHA-256 of what the rules mean; comments, notes and white space do not change it."""
    said = json.dumps(meaning(rules), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(said.encode()).hexdigest()


def kept_rules(rules: HouseRules) -> dict[str, Any]:
    """The rules as a fact keeps them: the hash and the whole body."""
    body = rules.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {"hash": digest(rules), "body": body}


def rules_of(kept: dict[str, Any]) -> HouseRules:
    """The rules that a night was made under; raises LedgerError where they are damaged."""
    try:
        rules = HouseRules.model_validate_json(json.dumps(kept["body"]))
    except (KeyError, TypeError, ValidationError):
        raise LedgerError(say("nights.house.damaged")) from None
    if digest(rules) != kept["hash"]:
        raise LedgerError(say("nights.house.other-hash"))
    return rules


def written(fields: Mapping[str, Any]) -> str:
    """The text of a file that holds these fields, and nothing that a form does not know.

    >>> print(written({"title": "Stud", "buy_in": {"costs": "60"}}), end="")
    title = "Stud"
    <BLANKLINE>
    [buy_in]
    costs = "60"
    """
    plain: list[str] = []
    parts: list[list[str]] = []
    for key, value in _there(fields):
        if _is_tables(value):
            parts += [[f"[[{_key(key)}]]", *_lines(one)] for one in value]
        elif isinstance(value, dict):
            parts.append([f"[{_key(key)}]", *_lines(value)])
        else:
            plain.append(f"{_key(key)} = {_value(value)}")
    return "\n\n".join("\n".join(part) for part in (plain, *parts)) + "\n"


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _lines(table: Mapping[str, Any]) -> Iterable[str]:
    return (f"{_key(key)} = {_value(value)}" for key, value in _there(table))


def _there(table: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    """TOML has no word for nothing: what is nothing is left out."""
    return ((key, value) for key, value in table.items() if value is not None)


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if bare else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        inside = ", ".join(_lines(value))
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(_value(one) for one in value if one is not None)}]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(text: str) -> str:
    """As JSON has it, and so does TOML, but for one character that TOML must not hold."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
