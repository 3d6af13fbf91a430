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
from pitbook.sheets.field_types import Choice, Format, Money, Order, Rule, Slug, TomlTable, Words
from pitbook.sheets.findings import FOUND_MAX, Finding, SheetInvalid
from pitbook.sheets.hashes import canonical_value
from pitbook.sheets.jurisdictions import remedy, state_of
from pitbook.sheets.load import add_position, finding_of, parse_toml, read_text
from pitbook.sheets.model import Source
from pitbook.sheets.toml_positions import Places
from pitbook.text import say, sentence_of
from pitbook.text.user_input import did_you_mean, printable, show_value, title_error

Read = TypeVar("Read", bound=TomlTable)
KeyedFinding = tuple[Finding, bool]


class ParseResult(NamedTuple, Generic[Read]):
    """The parsed table, or the findings that prevent it."""

    file: str
    table: Read | None
    findings: tuple[Finding, ...]


def _no_findings(_: Any) -> Iterable[Finding]:
    return ()


def parse_table(
    model: type[Read],
    text: str,
    file: str,
    check: Callable[[Read], Iterable[Finding]] = _no_findings,
) -> ParseResult[Read]:
    """Parse a text as a table of a model. Problems become findings, never exceptions."""
    document = parse_toml(text, file)
    if isinstance(document, Finding):
        return ParseResult(file, None, (document,))
    try:
        table = model.model_validate(document)
    except ValidationError as error:
        findings = [_build_finding(detail, model, document) for detail in _validation_errors(error)]
        return ParseResult(file, None, _locate_findings(findings, text, file))
    problems = _locate_findings([(finding, False) for finding in check(table)], text, file)
    return ParseResult(file, None if problems else table, problems)


def parse_fields(
    model: type[Read],
    fields: dict[str, Any],
    check: Callable[[Read], Iterable[Finding]] = _no_findings,
) -> ParseResult[Read]:
    """Parse a form's fields as a table of a model; findings name the field."""
    try:
        table = model.model_validate(fields)
        problems = tuple(check(table))
        return ParseResult("", None if problems else table, problems)
    except ValidationError as error:
        findings = [_field_finding(detail, model, fields) for detail in _validation_errors(error)]
        unique = {(finding.path, finding.message): finding for finding in findings}
        return ParseResult("", None, tuple(unique.values()))


def require_table(result: ParseResult[Read]) -> Read:
    """The parsed table; raises SheetInvalid with every finding if there is none."""
    if result.table is None:
        raise SheetInvalid(result.findings)
    return result.table


def _validation_errors(error: ValidationError) -> list[ErrorDetails]:
    """The validation errors. A list is not reported as too short because of invalid elements."""
    errors = error.errors(include_url=False)
    inner = {
        mistake["loc"][:depth] for mistake in errors for depth in range(1, len(mistake["loc"]))
    }
    mistakes = [
        mistake
        for mistake in errors
        if mistake["type"] != "too_short" or mistake["loc"] not in inner
    ]
    return mistakes[:FOUND_MAX]


def _field_finding(detail: ErrorDetails, model: type[TomlTable], fields: dict[str, Any]) -> Finding:
    """A finding at its field; a form also shows missing fields."""
    finding, _ = _build_finding(detail, model, fields)
    if detail["type"] != "missing":
        return finding
    return dataclasses.replace(finding, path=tuple(detail["loc"]))


def _build_finding(
    detail: ErrorDetails, model: type[TomlTable], document: dict[str, Any]
) -> KeyedFinding:
    finding, key = finding_of(detail, model, document)
    if detail["type"] == "value_error":  # Raised by a check in the model, with its own message.
        message = sentence_of(detail["ctx"]["error"])
        return dataclasses.replace(finding, message=message), key
    return finding, key


def _locate_findings(findings: Iterable[KeyedFinding], text: str, file: str) -> tuple[Finding, ...]:
    places = Places(text)
    unique = {(finding.path, finding.message): (finding, key) for finding, key in findings}
    located = [add_position(finding, places, file, key=key) for finding, key in unique.values()]
    return tuple(sorted(located, key=lambda finding: (finding.line, finding.column)))


DESCRIPTIVE, STATED = "descriptive", "stated"


def descriptive_field(says: str) -> Any:
    """A field with a description of the rules; nothing depends on it."""
    return Field(description=says, json_schema_extra={DESCRIPTIVE: True})


def stated_field(says: str) -> Any:
    """A field whose value is fixed, with its clause; another value is refused."""
    return Field(description=says, json_schema_extra={STATED: True})


BUNDLED = Path(__file__).parent / "houses"


def _hour(text: str) -> str:
    if not HOUR.fullmatch(text):
        raise ValueError(say("nights.house.no-hour", hour=printable(text)))
    return text


HOUR = re.compile(r"(0[0-9]|1[01]):[0-5][0-9]", re.ASCII)
Hour = Annotated[str, AfterValidator(_hour)]


class BetLimit(Rule):
    """The maximum bet in games of a kind."""

    bet_max: Money = Field(description="The limit itself, in dollars.")
    counts: Choice[Literal["each-bet", "whole-circle"]] = Field(
        description="each-bet: a bet, a raise and a re-raise alone; whole-circle: all together."
    )


class PokerLimit(BetLimit):
    """The limit for live poker. Only old nights on record have it; no live poker was dealt."""

    raises_max: Annotated[int, Field(ge=0, le=20)]


class TournamentBets(Rule):
    """Bets in chips without cash value."""

    bet_limit: Literal["none", "as-chance"] = Field(
        description="as-chance: the limit of games of chance holds for tournament chips, too."
    )


class Bets(TomlTable):
    """The limits on bets, by kind of game."""

    chance: BetLimit
    live_poker: PokerLimit | None = Field(
        default=None, alias="live-poker", description="Refused in a file: no live poker is dealt."
    )
    tournament: TournamentBets


class Chips(Rule):
    """The house's chips: their owner, denominations and validity."""

    owner: Words = Field(description="They stay the owner's, whoever holds them.")
    values: Annotated[Order[Money], Field(min_length=1, max_length=20)] = Field(
        description="Denominations in dollars, rising."
    )
    means_of_payment: Choice[bool] = stated_field("Nothing is paid for with them: false.")
    redeemed_at: Choice[Literal["face-value"]] = stated_field("What the cage gives for them.")
    day_ends: Choice[Literal["closing", "midnight"]] = Field(
        description="closing: when the event closes; midnight: with the gaming date itself."
    )
    latest: Choice[Hour] | None = Field(
        default=None,
        description="closing: the hour after midnight at which the day ends, open or not.",
    )
    unredeemed: Choice[Literal["expire"]] = stated_field(
        "What becomes of chips that nobody redeemed in time."
    )


class Refunds(TomlTable):
    """Refunds when a player changes his mind. Tournaments have their own table."""

    chance: Choice[bool] = stated_field("Games of chance give none: false.")


class Interruptions(TomlTable):
    """What happens to a hand of chance after an interruption."""

    chance: Choice[Literal["agree-or-dead", "resume"]] = Field(
        description="agree-or-dead: finished if it can be read and all agree, else dead."
    )


class Proceeds(Rule):
    """Who receives the proceeds."""

    to: Literal["charity"] = stated_field("The charity that sponsors the event.")


class Notice(Rule):
    """The notice posted for the public."""

    regulator: Words
    address: Annotated[Order[Words], Field(min_length=1, max_length=10)]
    invites: Words = Field(description="What people may turn to the regulator with.")
    governed_by: Words


class Operator(TomlTable):
    """The operator of the games and its jurisdiction."""

    name: Words
    jurisdiction: Words


class HouseRules(TomlTable):
    """A house's rules for charity nights."""

    format: Format = stated_field("The version of this format.")
    id: Slug = descriptive_field("What the house is called in commands.")
    title: Words = descriptive_field("What the rules are called.")
    source: Source = descriptive_field("The document that they were made from.")
    house: Operator
    bets: Bets
    chips: Chips
    refunds: Refunds
    interruptions: Interruptions
    tournaments: TournamentRules
    proceeds: Proceeds
    notice: Notice


def bundled_houses() -> list[str]:
    """The ids of the houses that ship with Pitbook."""
    return sorted(path.stem for path in BUNDLED.glob("*.toml"))


def house_path(argument: str) -> Path:
    """The path of a house's file, given its id or a TOML path."""
    if argument.endswith(".toml"):
        return Path(argument)
    if argument not in bundled_houses():
        remedy = did_you_mean(argument, bundled_houses())
        raise SheetUnknown(say("nights.house.unknown", house=argument, remedy=remedy))
    return BUNDLED / f"{argument}.toml"


def load(argument: str) -> HouseRules:
    """A house's rules; raises SheetInvalid with every error."""
    path = house_path(argument)
    return require_table(parse_rules(read_text(path), str(path)))


def parse_rules(text: str, file: str) -> ParseResult[HouseRules]:
    """Parse and check house rules. Problems become findings, never exceptions."""
    return parse_table(HouseRules, text, file, _check_rules)


def _check_rules(rules: HouseRules) -> list[Finding]:
    """Findings in valid fields that contradict each other or the law."""
    return [
        *_check_names(rules),
        *_check_jurisdiction(rules),
        *_live_poker(rules),
        *_tournament_limits(rules),
        *_check_chips(rules),
        *_check_refunds(rules),
        *_check_day(rules),
    ]


def _check_names(rules: HouseRules) -> list[Finding]:
    """Check the names that are printed and exported."""
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


def _check_jurisdiction(rules: HouseRules) -> list[Finding]:
    """Require a known state, since its own rules depend on it."""
    jurisdiction = rules.house.jurisdiction
    if state_of(jurisdiction):
        return []
    fields = {"given": show_value(jurisdiction), "remedy": remedy(jurisdiction)}
    message = say("nights.house.jurisdiction", **fields)
    return [Finding("error", "jurisdiction", message, ("house", "jurisdiction"))]


def _live_poker(rules: HouseRules) -> list[Finding]:
    """OMS-10 sets a limit for live poker; Pitbook deals none, so a file must not set one."""
    if rules.bets.live_poker is None:
        return []
    message = say("nights.house.live-poker")
    path, clause = ("bets", "live-poker"), rules.bets.live_poker.clause
    return [Finding("error", "live-poker", message, path, clause)]


def _check_refunds(rules: HouseRules) -> list[Finding]:
    chance = rules.refunds.chance
    if not chance.value:
        return []
    message = say("nights.house.refunds")
    return [Finding("error", "refunds", message, ("refunds", "chance"), chance.clause)]


def _check_day(rules: HouseRules) -> list[Finding]:
    """OMS-17: a day that ends with the event also needs a latest hour."""
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


def _check_chips(rules: HouseRules) -> list[Finding]:
    chips, findings = rules.chips, []
    if list(chips.values) != sorted(set(chips.values)):
        message, path = say("nights.house.chips-rise"), ("chips", "values")
        findings.append(Finding("error", "chips", message, path, chips.clause))
    if chips.means_of_payment.value:
        message = say("nights.house.chips-are-no-money")
        path, clause = ("chips", "means_of_payment"), chips.means_of_payment.clause
        findings.append(Finding("error", "chips", message, path, clause))
    return findings


def digest(rules: HouseRules) -> str:
    """SHA-256 of the rules' meaning; comments, notes and white space do not change it."""
    canonical = json.dumps(
        canonical_value(rules), sort_keys=True, separators=(",", ":"), ensure_ascii=True
    )
    return hashlib.sha256(canonical.encode()).hexdigest()


def stored_rules(rules: HouseRules) -> dict[str, Any]:
    """The rules as a fact stores them: hash and body."""
    body = rules.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {"hash": digest(rules), "body": body}


def load_stored_rules(stored: dict[str, Any]) -> HouseRules:
    """The rules that a night was created under; raises LedgerError if they are damaged."""
    try:
        rules = HouseRules.model_validate_json(json.dumps(stored["body"]))
    except (KeyError, TypeError, ValidationError):
        raise LedgerError(say("nights.house.damaged")) from None
    if digest(rules) != stored["hash"]:
        raise LedgerError(say("nights.house.other-hash"))
    return rules


def write_toml(fields: Mapping[str, Any]) -> str:
    """The fields as TOML.

    >>> print(write_toml({"title": "Stud", "buy_in": {"costs": "60"}}), end="")
    title = "Stud"
    <BLANKLINE>
    [buy_in]
    costs = "60"

    Fields that are None are left out.
    """
    top_lines: list[str] = []
    sections: list[list[str]] = []
    for key, value in _fields_with_values(fields):
        if _is_tables(value):
            sections += [[f"[[{_key(key)}]]", *_lines(table)] for table in value]
        elif isinstance(value, dict):
            sections.append([f"[{_key(key)}]", *_lines(value)])
        else:
            top_lines.append(f"{_key(key)} = {_value(value)}")
    return "\n\n".join("\n".join(section) for section in (top_lines, *sections)) + "\n"


def _is_tables(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(element, dict) for element in value)
    )


def _lines(table: Mapping[str, Any]) -> Iterable[str]:
    return (f"{_key(key)} = {_value(value)}" for key, value in _fields_with_values(table))


def _fields_with_values(table: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    """The fields with a value; TOML has no null."""
    return ((key, value) for key, value in table.items() if value is not None)


def _key(key: str) -> str:
    is_bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if is_bare else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        inside = ", ".join(_lines(value))
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(_value(element) for element in value if element is not None)}]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(text: str) -> str:
    """A TOML string: JSON's, with DEL escaped as well."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
