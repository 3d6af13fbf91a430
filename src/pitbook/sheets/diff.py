"""Differences between two sheets, in words: `pitbook.diff`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from typing import Any

from pitbook.answer_tables import Answer
from pitbook.money import Odds
from pitbook.sheets.arguments import SomeSheet, sheet_of
from pitbook.sheets.field_types import Push
from pitbook.sheets.findings import FieldPath, format_path
from pitbook.sheets.model import Settlement, Sheet
from pitbook.sheets.pay_tables import lines_paid, pays_of, scope_of, span_name, stem_of
from pitbook.sheets.phrases import format_day, outcome, pay_words, stake_bounds
from pitbook.sheets.prose import HEADINGS, RuleText, rule_text, rule_texts
from pitbook.text import in_currency, say
from pitbook.text.formats import DOLLAR

PayOrNone = Odds | Push | None
PayChange = tuple[str, PayOrNone, PayOrNone]
WITHIN = {
    "royal-flush": "straight-flush",
    "mini-royal": "straight-flush",
    "four-aces": "four-of-a-kind",
}


def pay_changes(a: Sheet, b: Sheet, wager: str) -> list[PayChange]:
    """The hands that two sheets pay differently for a wager, highest first; pairs as ranges."""
    by_a, by_b = _by_hand(a, wager), _by_hand(b, wager)
    if list(by_a) != list(by_b):  # For other hand sizes only the lines can be compared.
        by_a, by_b = dict(pays_of(a, wager)), dict(pays_of(b, wager))
    all_pays = [(name, by_a.get(name), by_b.get(name)) for name in dict.fromkeys((*by_a, *by_b))]
    changed_ranges = [change for change in _ranges(all_pays) if str(change[1]) != str(change[2])]
    changed_pays = {name: (str(old), str(new)) for name, old, new in changed_ranges}
    listed = {*pays_of(a, wager), *pays_of(b, wager)}
    return [change for change in changed_ranges if not _is_implied(change[0], changed_pays, listed)]


def _is_implied(name: str, changed_pays: dict[str, tuple[str, str]], listed: set[str]) -> bool:
    """Whether an unlisted hand changes just like the listed one that contains it.

    Such as a mini royal within straight flushes, or a suited pair in one suit within suited pairs.
    """
    if name in WITHIN:
        return name not in listed and changed_pays.get(WITHIN[name]) == changed_pays[name]
    return (
        name.endswith("-flush")
        and changed_pays.get(name.removesuffix("-flush")) == changed_pays[name]
    )


def _by_hand(sheet: Sheet, wager: str) -> dict[str, PayOrNone]:
    """The pay of each kind of hand, highest first."""
    scope, pays = scope_of(sheet, wager), pays_of(sheet, wager)
    assert scope is not None  # Only sheets without errors are compared.
    lines = lines_paid(pays, scope, sheet.payouts.several_lines.value)
    kinds = [kind.name for kind in scope.kinds]
    paid_by = zip(reversed(kinds), reversed(lines), strict=True)
    return {kind: pays[line] if line else None for kind, line in paid_by}


def _ranges(all_pays: list[PayChange]) -> Iterator[PayChange]:
    """Runs of pairs and high cards with the same pay, each as one range."""
    names = [name for name, _, _ in all_pays]
    for _, group in groupby(
        all_pays, key=lambda change: (stem_of(change[0]), str(change[1]), str(change[2]))
    ):
        run = list(group)
        yield span_name([name for name, _, _ in run], names), run[0][1], run[0][2]


PAPER_FIELDS = ("procedures", "notices", "filing")  # The redline covers them.
IGNORED_FIELDS = ("clause", "note", "ours", "source", "format", *PAPER_FIELDS)
BRIEF_MAX = 48


@dataclass(frozen=True)
class Difference:
    """One field that differs, as plain JSON values; None if a sheet lacks it."""

    heading: str
    path: FieldPath
    a: Any
    b: Any
    words: str
    covers: tuple[FieldPath, ...] = field(default=(), repr=False)

    def document(self) -> dict[str, Any]:
        """The difference as JSON."""
        return {"field": format_path(self.path), "a": self.a, "b": self.b, "words": self.words}


def find_differences(
    a: Sheet, b: Sheet, names_given: tuple[str, str] | None = None
) -> list[Difference]:
    """Every rule that differs between two sheets, without ids, clauses and notes."""
    names = _names(a, b, names_given or (say("diff.first"), say("diff.second")))
    comparison = _Comparison(_Side(a), _Side(b), *names)
    differences = [
        *_family_difference(comparison),
        *_rule_differences(comparison),
        *_side_wager_differences(comparison),
        *_pay_differences(comparison),
        *_cap_differences(comparison),
    ]
    differences += _uncovered_differences(
        comparison,
        {path for difference in differences for path in (*difference.covers, difference.path)},
    )
    return sorted(differences, key=lambda difference: HEADINGS.index(difference.heading))


@dataclass(frozen=True)
class _Name:
    """How a sheet is referred to: "Oceanfront Gaming", "at Oceanfront Gaming"."""

    itself: str
    where: str
    by: FieldPath = ()


@dataclass(frozen=True)
class _Side:
    """A sheet, its plain values, and its rule texts."""

    sheet: Sheet
    values: Any = field(init=False)
    texts: dict[str, RuleText] = field(init=False)

    def __post_init__(self) -> None:
        dump = self.sheet.model_dump(mode="json", by_alias=True)
        object.__setattr__(self, "values", _strip_notes(dump))
        object.__setattr__(self, "texts", _rules_of(self.sheet))

    def at(self, path: FieldPath) -> Any:
        return _value(self.values, path)


def _rules_of(sheet: Sheet) -> dict[str, RuleText]:
    """The rule texts of a sheet, by key."""
    texts = (text for text in rule_texts(sheet) if _is_rule(text))
    return {text.key: text for text in texts}


def _is_rule(text: RuleText) -> bool:
    return not any(path and path[0] in PAPER_FIELDS for path in text.paths)


@dataclass(frozen=True)
class _Comparison:
    """Two sheets side by side, with names for each."""

    a: _Side
    b: _Side
    name_a: _Name
    name_b: _Name

    @property
    def one_family(self) -> bool:
        return self.a.sheet.family == self.b.sheet.family

    @property
    def common_fields(self) -> tuple[str, ...]:
        """The fields shared by all families."""
        return (*Sheet.model_fields, self.a.sheet.main_id, self.b.sheet.main_id, "settlement")

    @property
    def bets_named(self) -> frozenset[FieldPath]:
        """The paths at which a sheet gives its bets ids."""
        bets = (*self.a.sheet.named_bets(), *self.b.sheet.named_bets())
        return frozenset((*_names_only(bet.path), "id") for bet in bets)

    def in_own_currency(self, side: _Side, text: str) -> str:
        """A text, with its currency written out if the two sheets have different currencies."""
        own_currency = side.sheet.house.currency
        currencies = {side_sheet.sheet.house.currency for side_sheet in self.sides}
        return text if len(currencies) == 1 else in_currency(text, own_currency)

    @property
    def sides(self) -> tuple[_Side, _Side]:
        return self.a, self.b

    def name_each(self, a: str, b: str) -> str:
        """Two clauses, each with its place."""
        a, b = self.in_own_currency(self.a, a), self.in_own_currency(self.b, b)
        return say("diff.each", here=self.name_a.where, a=a, there=self.name_b.where, b=b)

    def compare_predicates(self, subject: str, a: str, b: str) -> str:
        """One subject with two predicates, in one sentence if both are brief."""
        place_a, place_b = self.name_a.where, self.name_b.where
        if _is_brief(a) and _is_brief(b):
            a, b = self.in_own_currency(self.a, a), self.in_own_currency(self.b, b)
            return say("diff.beside", subject=subject, a=a, here=place_a, b=b, there=place_b)
        return self.name_each(
            *(say("diff.told", subject=subject, says=predicate) for predicate in (a, b))
        )

    def name_one(self, a: str | None, b: str | None) -> str:
        """A clause of one sheet only."""
        has, lacks = (self.name_a, self.name_b) if a else (self.name_b, self.name_a)
        clause_text = (
            self.in_own_currency(self.a, a) if a else self.in_own_currency(self.b, b or "")
        )
        return say("diff.only", here=has.where, says=clause_text, there=lacks.where)


def _names(a: Sheet, b: Sheet, names_given: tuple[str, str]) -> tuple[_Name, _Name]:
    """Names that tell two sheets apart: venue, title, day or id, else the given ones."""
    if a.house.venue != b.house.venue:
        return _named_at(a.house.venue), _named_at(b.house.venue)
    if a.title != b.title:
        quoted = [say("diff.quoted", title=sheet.title) for sheet in (a, b)]
        return _named_in(quoted[0], "title"), _named_in(quoted[1], "title")
    if a.effective != b.effective:
        return _named_in(_version(a), "effective"), _named_in(_version(b), "effective")
    if a.id != b.id:
        return _named_in(a.id), _named_in(b.id)
    return _named_in(names_given[0]), _named_in(names_given[1])


def _named_at(venue: str) -> _Name:
    return _Name(venue, say("diff.at", venue=venue), ("house", "venue"))


def _named_in(name: str, *by: str) -> _Name:
    return _Name(name, say("diff.in", name=name), by)


def _version(sheet: Sheet) -> str:
    if sheet.effective is None:
        return say("diff.undated")
    return say("diff.version", day=format_day(sheet.effective))


def _family_difference(comparison: _Comparison) -> Iterator[Difference]:
    a, b = comparison.a.sheet.family, comparison.b.sheet.family
    if a != b:
        families = (say("diff.of-family", family=family) for family in (a, b))
        words = say(
            "diff.families", told=comparison.compare_predicates(say("diff.game"), *families)
        )
        yield Difference("House", ("family",), a, b, words)


def _rule_differences(comparison: _Comparison) -> Iterator[Difference]:
    """Rules stated differently in the two sheets."""
    for key in dict.fromkeys((*comparison.a.texts, *comparison.b.texts)):
        a, b = (side.texts.get(key) or _default_text(key) for side in comparison.sides)
        text = a or b
        assert text is not None
        if text.paths and _is_comparable(comparison, text):
            yield from _rule_difference(comparison, a, b, text)


def _default_text(key: str) -> RuleText | None:
    """The default of a rule that a sheet leaves out: its money is dollars."""
    if key != "house.currency":
        return None
    return rule_text("House", "aloud.house.currency", "house.currency", currency=DOLLAR)


def _is_comparable(comparison: _Comparison, text: RuleText) -> bool:
    path = text.paths[0]
    if text.heading == "Limits" or (
        not comparison.one_family and path[0] not in comparison.common_fields
    ):
        return False
    if path in comparison.bets_named:  # Covered by the titles, if they differ.
        titles = (*path[:-1], "title")
        return bool(comparison.a.at(titles) == comparison.b.at(titles))
    if path[0] == "side":
        return path[1] in comparison.a.sheet.side and path[1] in comparison.b.sheet.side
    return comparison.one_family or path[0] != "settlement" or path[-1] in _COMMON_SETTLEMENT


_COMMON_SETTLEMENT = frozenset(Settlement.model_fields) - {"passes"}  # In every family.


def _rule_difference(
    comparison: _Comparison, a: RuleText | None, b: RuleText | None, either: RuleText
) -> Iterator[Difference]:
    paths = zip((a or either).paths, (b or either).paths, strict=True)
    values = [(path, comparison.a.at(path), comparison.b.at(other)) for path, other in paths]
    first_change = next(
        (value_pair for value_pair in values if value_pair[1] != value_pair[2]), None
    )
    if first_change is None and a and b:
        return
    path, value_a, value_b = first_change or values[0]
    if path[-1] == "clause":  # The rule as a whole is missing; a clause has no value of its own.
        path, value_a, value_b = path[:-1], comparison.a.at(path[:-1]), comparison.b.at(path[:-1])
    if path == comparison.name_a.by:
        words: str = say("diff.two-sheets", a=comparison.name_a.itself, b=comparison.name_b.itself)
    elif a is None or b is None:
        words = comparison.name_one(a.sentence if a else None, b.sentence if b else None)
    elif a.sentence == b.sentence:
        return  # The texts are equal; the plain values show the difference.
    elif a.subject == b.subject:
        words = comparison.compare_predicates(a.subject, a.says, b.says)
    else:
        words = comparison.name_each(a.sentence, b.sentence)
    covers = (*(a or either).paths, *(b or either).paths)
    yield Difference(either.heading, path, value_a, value_b, words, covers)


def _side_wager_differences(comparison: _Comparison) -> Iterator[Difference]:
    """Side wagers of one sheet only, and the order of shared ones."""
    for owner, other, name in (
        (comparison.a, comparison.b, comparison.name_a),
        (comparison.b, comparison.a, comparison.name_b),
    ):
        for wager, side in owner.sheet.side.items():
            if wager not in other.sheet.side:
                words = say(
                    "diff.offers",
                    whose=name.itself,
                    title=side.title,
                    bounds=comparison.in_own_currency(owner, stake_bounds(side.stake)),
                    required=bool(side.stake.required),
                )
                path: FieldPath = ("side", wager)
                yield Difference(
                    "Side wagers", path, comparison.a.at(path), comparison.b.at(path), words
                )
    a, b = list(comparison.a.sheet.side), list(comparison.b.sheet.side)
    if a != b and sorted(a) == sorted(b):
        titles = (
            [side_wager.title for side_wager in side.sheet.side.values()]
            for side in comparison.sides
        )
        orders = (say("diff.come-as", wagers=wager_titles) for wager_titles in titles)
        order_words = comparison.compare_predicates(say("diff.side-wagers"), *orders)
        yield Difference("Side wagers", ("side", "order"), a, b, order_words)


def _pay_differences(comparison: _Comparison) -> Iterator[Difference]:
    """Hand by hand, since differently named lines may cover the same hands."""
    sides = comparison.a.sheet.side
    wagers = [wager for wager in sides if wager in comparison.b.sheet.side]
    for wager in ("main", *wagers) if comparison.one_family else wagers:
        heading, on = ("Pay table", "") if wager == "main" else ("Side wagers", sides[wager].title)
        path: FieldPath = ("main", "pays") if wager == "main" else ("side", wager, "pays")
        for name, a, b in pay_changes(comparison.a.sheet, comparison.b.sheet, wager):
            hand = outcome(name)
            subject = say("diff.on-wager", title=on, hand=hand) if on else hand
            rules = (
                side.sheet if wager == "main" else None for side in (comparison.a, comparison.b)
            )
            predicates = (
                _pay_predicate(name, pay, main=main_sheet)
                for pay, main_sheet in zip((a, b), rules, strict=True)
            )
            words = comparison.compare_predicates(subject, *predicates)
            yield Difference(heading, (*path, name), _pay_text(a), _pay_text(b), words)


def _pay_predicate(name: str, pay: Odds | Push | None, *, main: Sheet | None) -> str:
    """The pay of a hand as a predicate, in the plural for several matches."""
    if pay is None and main is not None and not main.unlisted_loses:
        return say("diff.no-line")
    if not name.startswith("match-") or name == "match-1":
        return pay_words(pay)
    if pay is None:
        return say("diff.many-lose")
    return say("diff.many-push") if pay == "push" else say("diff.many-pay", odds=pay)


def _pay_text(pay: Odds | Push | None) -> str | None:
    return None if pay is None else str(pay)


def _cap_differences(comparison: _Comparison) -> Iterator[Difference]:
    """Limits without those that both sheets have; the others are paired in order."""
    a, b = _limits(comparison.a), _limits(comparison.b)
    only_a = [cap for cap in a if cap.value not in [other.value for other in b]]
    only_b = [cap for cap in b if cap.value not in [other.value for other in a]]
    for cap_a, other in zip_longest(only_a, only_b):
        if cap_a and other:
            if cap_a.sentence == other.sentence:
                continue  # The texts are equal; the plain values show the difference.
            words = comparison.name_each(cap_a.sentence, other.sentence)
        else:
            words = comparison.name_one(
                cap_a.sentence if cap_a else None, other.sentence if other else None
            )
        caps = [cap for cap in (cap_a, other) if cap]
        values = cap_a.value if cap_a else None, other.value if other else None
        yield Difference("Limits", caps[0].path, *values, words, tuple(cap.path for cap in caps))


@dataclass(frozen=True)
class _Cap:
    path: FieldPath
    value: Any
    sentence: str


def _limits(side: _Side) -> list[_Cap]:
    sentences = [text.sentence for text in side.texts.values() if text.heading == "Limits"]
    if side.sheet.uncapped:
        return [_Cap(("uncapped",), "uncapped", sentences[0])]
    values = enumerate(side.at(("limits",)))
    return [_Cap(("limits", n), value, sentences[n]) for n, value in values]


def _uncovered_differences(
    comparison: _Comparison, covered: set[FieldPath]
) -> Iterator[Difference]:
    """Changed fields without a text of their own, named by path."""
    if not comparison.one_family:
        return
    covered |= {("id",), ("main", "pays"), *comparison.bets_named}
    covered |= {("side", wager, "pays") for wager in comparison.a.sheet.side}
    for path, a, b in _changed_leaves(comparison.a.values, comparison.b.values, ()):
        if not any(
            _overlap(path, covered_path) or _overlap(_names_only(path), covered_path)
            for covered_path in covered
        ):
            values = (say("diff.is", value=_value_text(value)) for value in (a, b))
            words = comparison.compare_predicates(_path_text(path), *values)
            yield Difference(_heading(comparison, path), path, a, b, words)


def _overlap(path: FieldPath, other: FieldPath) -> bool:
    shared = min(len(path), len(other))
    return path[:shared] == other[:shared]


def _changed_leaves(a: Any, b: Any, path: FieldPath) -> Iterator[tuple[FieldPath, Any, Any]]:
    if a == b:
        return
    if isinstance(a, dict) and isinstance(b, dict):
        for name in dict.fromkeys((*a, *b)):
            yield from _changed_leaves(a.get(name), b.get(name), (*path, name))
    elif _is_list_of_tables(a) and _is_list_of_tables(b) and len(a) == len(b):
        for number, (child_a, child_b) in enumerate(zip(a, b, strict=True)):
            yield from _changed_leaves(child_a, child_b, (*path, number))
    else:
        yield path, a, b


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(element, dict) for element in value)


def _strip_notes(part: Any) -> Any:
    """Plain values without clauses and notes; a choice is reduced to its value."""
    if isinstance(part, dict):
        fields = {
            name: _strip_notes(value) for name, value in part.items() if name not in IGNORED_FIELDS
        }
        return fields["is"] if list(fields) == ["is"] else fields
    return [_strip_notes(element) for element in part] if isinstance(part, list) else part


def _value(values: Any, path: FieldPath) -> Any:
    """The value at a path; a name within a list selects that column of its tables."""
    for number, step in enumerate(path):
        if isinstance(values, list) and isinstance(step, str):
            return [_value(element, path[number:]) for element in values]
        values = values.get(step) if isinstance(values, dict) else None
    return values


def _names_only(path: FieldPath) -> FieldPath:
    return tuple(step for step in path if isinstance(step, str))


def _heading(comparison: _Comparison, path: FieldPath) -> str:
    texts = (*comparison.a.texts.values(), *comparison.b.texts.values())
    return next(
        (text.heading for text in texts if text.paths[:1] and text.paths[0][0] == path[0]), "House"
    )


def _path_text(path: FieldPath) -> str:
    return " ".join(f"{step + 1}" if isinstance(step, int) else step for step in path).replace(
        "_", " "
    )


def _value_text(value: Any) -> str:
    if value is None:
        return say("diff.not-said")
    if isinstance(value, bool):
        return say("diff.yes-or-no", value=value)
    if isinstance(value, list):
        return say("diff.values", values=[*map(_value_text, value)]) if value else say("diff.none")
    return say("diff.said") if isinstance(value, dict) else str(value)


def _is_brief(text: str) -> bool:
    return len(text) <= BRIEF_MAX and not any(mark in text for mark in (",", ";", ": ", "("))


@dataclass(frozen=True, repr=False)
class SheetDiff(Answer):
    """Every rule that differs between two sheets, in words."""

    a: str
    b: str
    differences: tuple[Difference, ...]

    def document(self) -> dict[str, Any]:
        """The result of `pitbook sheets diff --json`."""
        documents = [difference.document() for difference in self.differences]
        return {"a": self.a, "b": self.b, "differences": documents}

    def _rows(self) -> Iterator[dict[str, Any]]:
        for difference in self.differences:
            a, b = (_flat(value) for value in (difference.a, difference.b))
            field_name = format_path(difference.path)
            heading, words = str(difference.heading), str(difference.words)
            yield {"heading": heading, "field": field_name, "a": a, "b": b, "words": words}

    def _lines(self) -> tuple[str, ...]:
        return (f"{self.a} and {self.b}: {len(self.differences)} differences",)


def _flat(value: Any) -> str | int | None:
    """A field's value for a data frame: lists and tables as JSON."""
    return value if isinstance(value, str | int | None) else json.dumps(value)


def diff(a: SomeSheet, b: SomeSheet) -> SheetDiff:
    """How two sheets differ, rule by rule. Ids, clauses and notes are not compared.

    >>> changes = diff("louisiana-stud/standard", "louisiana-stud/stax-required").differences
    >>> changes[0].words
    'The two sheets are "Louisiana Stud" and "Louisiana Stud, STAX required".'
    """
    first, second = sheet_of(a), sheet_of(b)
    return SheetDiff(first.id, second.id, tuple(find_differences(first, second)))
