"""Differences between two sheets, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from typing import Any

from pitbook.money import Odds
from pitbook.sheets.findings import FieldPath, format_path
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Settlement
from pitbook.sheets.pay_tables import lines_paid, pays_of, scope_of, span_name, stem_of
from pitbook.sheets.prose.rule_text import HEADINGS, RuleText, rule_text
from pitbook.sheets.prose.rules import rule_texts
from pitbook.sheets.prose.words import format_day, outcome, pay_words, stake_bounds
from pitbook.sheets.values import Push
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
    """The hands that two sheets pay differently for a wager, the highest first; pairs as ranges."""
    by_a, by_b = _by_hand(a, wager), _by_hand(b, wager)
    if list(by_a) != list(by_b):  # Hands of other sizes: only the lines can be compared.
        by_a, by_b = dict(pays_of(a, wager)), dict(pays_of(b, wager))
    every = [(name, by_a.get(name), by_b.get(name)) for name in dict.fromkeys((*by_a, *by_b))]
    changed = [one for one in _ranges(every) if str(one[1]) != str(one[2])]
    told = {name: (str(old), str(new)) for name, old, new in changed}
    named = {*pays_of(a, wager), *pays_of(b, wager)}
    return [one for one in changed if not _an_echo(one[0], told, named)]


def _an_echo(name: str, told: dict[str, tuple[str, str]], named: set[str]) -> bool:
    """A hand that neither table names, within another that changes alike: a mini royal within
    straight flushes, a suited pair in one suit within suited pairs.
    """
    if name in WITHIN:
        return name not in named and told.get(WITHIN[name]) == told[name]
    return name.endswith("-flush") and told.get(name.removesuffix("-flush")) == told[name]


def _by_hand(sheet: Sheet, wager: str) -> dict[str, PayOrNone]:
    """What each kind of hand is paid, the highest first."""
    scope, pays = scope_of(sheet, wager), pays_of(sheet, wager)
    assert scope is not None  # Only sheets without errors are compared.
    lines = lines_paid(pays, scope, sheet.payouts.several_lines.value)
    kinds = [kind.name for kind in scope.kinds]
    paid_by = zip(reversed(kinds), reversed(lines), strict=True)
    return {kind: pays[line] if line else None for kind, line in paid_by}


def _ranges(every: list[PayChange]) -> Iterator[PayChange]:
    """Pairs and high cards that are paid alike, one after the other, as one range."""
    names = [name for name, _, _ in every]
    for _, group in groupby(every, key=lambda one: (stem_of(one[0]), str(one[1]), str(one[2]))):
        same = list(group)
        yield span_name([name for name, _, _ in same], names), same[0][1], same[0][2]


PAPERS_ALONE = ("procedures", "notices", "filing")  # The redline tells of them.
LEFT_OUT = ("clause", "note", "ours", "source", "format", *PAPERS_ALONE)
BRIEF = 48


@dataclass(frozen=True)
class Difference:
    """One field that differs, as plain JSON values; None where a sheet does not have it."""

    heading: str
    path: FieldPath
    a: Any
    b: Any
    words: str
    covers: tuple[FieldPath, ...] = field(default=(), repr=False)

    def document(self) -> dict[str, Any]:
        """The difference as JSON carries it."""
        return {"field": format_path(self.path), "a": self.a, "b": self.b, "words": self.words}


def diff(a: Sheet, b: Sheet, called: tuple[str, str] | None = None) -> list[Difference]:
    """Every rule that differs between two sheets; ids, clauses and notes are not rules."""
    names = _names(a, b, called or (say("diff.first"), say("diff.second")))
    both = _Both(_Side(a), _Side(b), *names)
    found = [*_families(both), *_rules(both), *_offers(both), *_pay_tables(both), *_caps(both)]
    found += _unsaid(both, {path for one in found for path in (*one.covers, one.path)})
    return sorted(found, key=lambda one: HEADINGS.index(one.heading))


@dataclass(frozen=True)
class _Name:
    """What a sheet is called beside the other: "Oceanfront Gaming", "at Oceanfront Gaming"."""

    itself: str
    where: str
    by: FieldPath = ()


@dataclass(frozen=True)
class _Side:
    """A sheet, its plain values, and what it says."""

    sheet: Sheet
    values: Any = field(init=False)
    said: dict[str, RuleText] = field(init=False)

    def __post_init__(self) -> None:
        dump = self.sheet.model_dump(mode="json", by_alias=True)
        object.__setattr__(self, "values", _meaning(dump))
        object.__setattr__(self, "said", _rules_of(self.sheet))

    def at(self, path: FieldPath) -> Any:
        return _value(self.values, path)


def _rules_of(sheet: Sheet) -> dict[str, RuleText]:
    """What a sheet says of its rules, by key."""
    said = (one for one in rule_texts(sheet) if _is_rule(one))
    return {one.key: one for one in said}


def _is_rule(one: RuleText) -> bool:
    return not any(path and path[0] in PAPERS_ALONE for path in one.paths)


@dataclass(frozen=True)
class _Both:
    """Two sheets side by side, and what each is called."""

    a: _Side
    b: _Side
    name_a: _Name
    name_b: _Name

    @property
    def one_family(self) -> bool:
        return self.a.sheet.family == self.b.sheet.family

    @property
    def in_common(self) -> tuple[str, ...]:
        """The fields that both sheets have, whatever their families."""
        return (*Sheet.model_fields, self.a.sheet.main_id, self.b.sheet.main_id, "settlement")

    @property
    def bets_named(self) -> frozenset[FieldPath]:
        """Where a sheet gives its bets ids of their own."""
        bets = (*self.a.sheet.named_bets(), *self.b.sheet.named_bets())
        return frozenset((*_named(one.path), "id") for one in bets)

    def own(self, side: _Side, text: str) -> str:
        """What a sheet says, its money in its own currency where the other has another."""
        mine, others = side.sheet.house.currency, {one.sheet.house.currency for one in self.sides}
        return text if len(others) == 1 else in_currency(text, mine)

    @property
    def sides(self) -> tuple[_Side, _Side]:
        return self.a, self.b

    def each(self, a: str, b: str) -> str:
        """Two clauses, each with its place."""
        a, b = self.own(self.a, a), self.own(self.b, b)
        return say("diff.each", here=self.name_a.where, a=a, there=self.name_b.where, b=b)

    def beside(self, subject: str, a: str, b: str) -> str:
        """One subject with two predicates, in one breath where both are brief."""
        here, there = self.name_a.where, self.name_b.where
        if _brief(a) and _brief(b):
            a, b = self.own(self.a, a), self.own(self.b, b)
            return say("diff.beside", subject=subject, a=a, here=here, b=b, there=there)
        return self.each(*(say("diff.told", subject=subject, says=one) for one in (a, b)))

    def only(self, a: str | None, b: str | None) -> str:
        """A clause that one sheet has alone."""
        has, lacks = (self.name_a, self.name_b) if a else (self.name_b, self.name_a)
        says = self.own(self.a, a) if a else self.own(self.b, b or "")
        return say("diff.only", here=has.where, says=says, there=lacks.where)


def _names(a: Sheet, b: Sheet, called: tuple[str, str]) -> tuple[_Name, _Name]:
    """What tells two sheets apart: venue, title, day or id, else what they are called."""
    if a.house.venue != b.house.venue:
        return _at(a.house.venue), _at(b.house.venue)
    if a.title != b.title:
        quoted = [say("diff.quoted", title=one.title) for one in (a, b)]
        return _in(quoted[0], "title"), _in(quoted[1], "title")
    if a.effective != b.effective:
        return _in(_version(a), "effective"), _in(_version(b), "effective")
    if a.id != b.id:
        return _in(a.id), _in(b.id)
    return _in(called[0]), _in(called[1])


def _at(venue: str) -> _Name:
    return _Name(venue, say("diff.at", venue=venue), ("house", "venue"))


def _in(name: str, *by: str) -> _Name:
    return _Name(name, say("diff.in", name=name), by)


def _version(sheet: Sheet) -> str:
    if sheet.effective is None:
        return say("diff.undated")
    return say("diff.version", day=format_day(sheet.effective))


def _families(both: _Both) -> Iterator[Difference]:
    a, b = both.a.sheet.family, both.b.sheet.family
    if a != b:
        told = (say("diff.of-family", family=one) for one in (a, b))
        words = say("diff.families", told=both.beside(say("diff.game"), *told))
        yield Difference("House", ("family",), a, b, words)


def _rules(both: _Both) -> Iterator[Difference]:
    """What the two sheets say differently of the same thing."""
    for key in dict.fromkeys((*both.a.said, *both.b.said)):
        a, b = (side.said.get(key) or _unless_said(key) for side in both.sides)
        some = a or b
        assert some is not None
        if some.paths and _compared(both, some):
            yield from _rule(both, a, b, some)


def _unless_said(key: str) -> RuleText | None:
    """What holds of a sheet that does not say it: its money is dollars."""
    if key != "house.currency":
        return None
    return rule_text("House", "aloud.house.currency", "house.currency", currency=DOLLAR)


def _compared(both: _Both, one: RuleText) -> bool:
    path = one.paths[0]
    if one.heading == "Limits" or (not both.one_family and path[0] not in both.in_common):
        return False
    if path in both.bets_named:  # Told by the titles, where they differ.
        titles = (*path[:-1], "title")
        return bool(both.a.at(titles) == both.b.at(titles))
    if path[0] == "side":
        return path[1] in both.a.sheet.side and path[1] in both.b.sheet.side
    return both.one_family or path[0] != "settlement" or path[-1] in _SETTLED_ALIKE


_SETTLED_ALIKE = frozenset(Settlement.model_fields) - {"passes"}  # In every family.


def _rule(
    both: _Both, a: RuleText | None, b: RuleText | None, some: RuleText
) -> Iterator[Difference]:
    paths = zip((a or some).paths, (b or some).paths, strict=True)
    values = [(path, both.a.at(path), both.b.at(other)) for path, other in paths]
    changed = next((one for one in values if one[1] != one[2]), None)
    if changed is None and a and b:
        return
    path, value_a, value_b = changed or values[0]
    if path[-1] == "clause":  # The rule is there or is not; it has no value of its own.
        path, value_a, value_b = path[:-1], both.a.at(path[:-1]), both.b.at(path[:-1])
    if path == both.name_a.by:
        words: str = say("diff.two-sheets", a=both.name_a.itself, b=both.name_b.itself)
    elif a is None or b is None:
        words = both.only(a.sentence if a else None, b.sentence if b else None)
    elif a.sentence == b.sentence:
        return  # The words hide it; the plain values will tell.
    elif a.subject == b.subject:
        words = both.beside(a.subject, a.says, b.says)
    else:
        words = both.each(a.sentence, b.sentence)
    covers = (*(a or some).paths, *(b or some).paths)
    yield Difference(some.heading, path, value_a, value_b, words, covers)


def _offers(both: _Both) -> Iterator[Difference]:
    """Side wagers that one sheet has alone, and the order of those that both have."""
    for here, other, name in ((both.a, both.b, both.name_a), (both.b, both.a, both.name_b)):
        for wager, side in here.sheet.side.items():
            if wager not in other.sheet.side:
                words = say(
                    "diff.offers",
                    whose=name.itself,
                    title=side.title,
                    bounds=both.own(here, stake_bounds(side.stake)),
                    required=bool(side.stake.required),
                )
                path: FieldPath = ("side", wager)
                yield Difference("Side wagers", path, both.a.at(path), both.b.at(path), words)
    a, b = list(both.a.sheet.side), list(both.b.sheet.side)
    if a != b and sorted(a) == sorted(b):
        titles = ([one.title for one in side.sheet.side.values()] for side in both.sides)
        orders = (say("diff.come-as", wagers=one) for one in titles)
        told = both.beside(say("diff.side-wagers"), *orders)
        yield Difference("Side wagers", ("side", "order"), a, b, told)


def _pay_tables(both: _Both) -> Iterator[Difference]:
    """Hand by hand, since lines of other names may cover the same hands."""
    sides = both.a.sheet.side
    wagers = [wager for wager in sides if wager in both.b.sheet.side]
    for wager in ("main", *wagers) if both.one_family else wagers:
        heading, on = ("Pay table", "") if wager == "main" else ("Side wagers", sides[wager].title)
        path: FieldPath = ("main", "pays") if wager == "main" else ("side", wager, "pays")
        for name, a, b in pay_changes(both.a.sheet, both.b.sheet, wager):
            hand = outcome(name)
            subject = say("diff.on-wager", title=on, hand=hand) if on else hand
            rules = (one.sheet if wager == "main" else None for one in (both.a, both.b))
            does = (_does(name, pay, main=one) for pay, one in zip((a, b), rules, strict=True))
            words = both.beside(subject, *does)
            yield Difference(heading, (*path, name), _text(a), _text(b), words)


def _does(name: str, pay: Odds | Push | None, *, main: Sheet | None) -> str:
    """What is paid, in the plural for several matches."""
    if pay is None and main is not None and not main.unlisted_loses:
        return say("diff.no-line")
    if not name.startswith("match-") or name == "match-1":
        return pay_words(pay)
    if pay is None:
        return say("diff.many-lose")
    return say("diff.many-push") if pay == "push" else say("diff.many-pay", odds=pay)


def _text(pay: Odds | Push | None) -> str | None:
    return None if pay is None else str(pay)


def _caps(both: _Both) -> Iterator[Difference]:
    """Limits have no names: those that both sheets have are left out, the rest told in order."""
    a, b = _limits(both.a), _limits(both.b)
    only_a = [one for one in a if one.value not in [other.value for other in b]]
    only_b = [one for one in b if one.value not in [other.value for other in a]]
    for one, other in zip_longest(only_a, only_b):
        if one and other:
            if one.sentence == other.sentence:
                continue  # The words hide it; the plain values will tell.
            words = both.each(one.sentence, other.sentence)
        else:
            words = both.only(one.sentence if one else None, other.sentence if other else None)
        caps = [cap for cap in (one, other) if cap]
        values = one.value if one else None, other.value if other else None
        yield Difference("Limits", caps[0].path, *values, words, tuple(cap.path for cap in caps))


@dataclass(frozen=True)
class _Cap:
    path: FieldPath
    value: Any
    sentence: str


def _limits(side: _Side) -> list[_Cap]:
    said = [one.sentence for one in side.said.values() if one.heading == "Limits"]
    if side.sheet.uncapped:
        return [_Cap(("uncapped",), "uncapped", said[0])]
    values = enumerate(side.at(("limits",)))
    return [_Cap(("limits", n), value, said[n]) for n, value in values]


def _unsaid(both: _Both, told: set[FieldPath]) -> Iterator[Difference]:
    """Fields that no words cover or that words hide: named plainly, never dropped."""
    if not both.one_family:
        return
    told |= {("id",), ("main", "pays"), *both.bets_named}
    told |= {("side", wager, "pays") for wager in both.a.sheet.side}
    for path, a, b in _leaves(both.a.values, both.b.values, ()):
        if not any(_overlap(path, one) or _overlap(_named(path), one) for one in told):
            values = (say("diff.is", value=_shown(one)) for one in (a, b))
            words = both.beside(_spelled(path), *values)
            yield Difference(_heading(both, path), path, a, b, words)


def _overlap(path: FieldPath, other: FieldPath) -> bool:
    shared = min(len(path), len(other))
    return path[:shared] == other[:shared]


def _leaves(a: Any, b: Any, path: FieldPath) -> Iterator[tuple[FieldPath, Any, Any]]:
    if a == b:
        return
    if isinstance(a, dict) and isinstance(b, dict):
        for name in dict.fromkeys((*a, *b)):
            yield from _leaves(a.get(name), b.get(name), (*path, name))
    elif _tables_in(a) and _tables_in(b) and len(a) == len(b):
        for number, (one, other) in enumerate(zip(a, b, strict=True)):
            yield from _leaves(one, other, (*path, number))
    else:
        yield path, a, b


def _tables_in(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _meaning(part: Any) -> Any:
    """Plain values without clauses and notes; a choice is its value."""
    if isinstance(part, dict):
        kept = {name: _meaning(value) for name, value in part.items() if name not in LEFT_OUT}
        return kept["is"] if list(kept) == ["is"] else kept
    return [_meaning(one) for one in part] if isinstance(part, list) else part


def _value(values: Any, path: FieldPath) -> Any:
    """The value at a path; a name inside a list is that column of its tables."""
    for number, step in enumerate(path):
        if isinstance(values, list) and isinstance(step, str):
            return [_value(one, path[number:]) for one in values]
        values = values.get(step) if isinstance(values, dict) else None
    return values


def _named(path: FieldPath) -> FieldPath:
    return tuple(step for step in path if isinstance(step, str))


def _heading(both: _Both, path: FieldPath) -> str:
    said = (*both.a.said.values(), *both.b.said.values())
    return next(
        (one.heading for one in said if one.paths[:1] and one.paths[0][0] == path[0]), "House"
    )


def _spelled(path: FieldPath) -> str:
    return " ".join(f"{step + 1}" if isinstance(step, int) else step for step in path).replace(
        "_", " "
    )


def _shown(value: Any) -> str:
    if value is None:
        return say("diff.not-said")
    if isinstance(value, bool):
        return say("diff.yes-or-no", value=value)
    if isinstance(value, list):
        return say("diff.values", values=[*map(_shown, value)]) if value else say("diff.none")
    return say("diff.said") if isinstance(value, dict) else str(value)


def _brief(says: str) -> bool:
    return len(says) <= BRIEF and not any(mark in says for mark in (",", ";", ": ", "("))
