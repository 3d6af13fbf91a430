"""Every choice of a sheet, what else it could be, and what goes with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args, get_origin

from annotated_types import Ge, Le
from tests.clauses.table import altered

from pitbook.money import Cents, odds
from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Counts, Information, Limit
from pitbook.sheets.values import DESCRIPTIVE, Choice, TomlTable

# Which choices there are --------------------------------------------------------------------------


class Found(NamedTuple):
    """A choice of a sheet: where it stands and what else it might be."""

    path: str
    others: tuple[Any, ...]


def choices(sheet: Sheet) -> list[Found]:
    """Every choice that a sheet makes, written or by default."""
    return list(_choices(sheet, ""))


def _choices(part: Any, above: str) -> Iterator[Found]:
    if isinstance(part, Mapping):
        named = list(part.items())
    elif isinstance(part, tuple):
        named = list(enumerate(part))
    elif isinstance(part, TomlTable):
        named = [(one, getattr(part, one)) for one in type(part).model_fields]
    else:
        return
    for one, value in named:
        path = f"{above}.{one}".removeprefix(".")
        if isinstance(value, Choice):
            yield Found(path, tuple(_others(value.value, _asked(part, str(one)), path)))
        else:
            yield from _choices(value, path)


def _asked(part: Any, field: str) -> Any:
    """What the model of a table says that a choice may be."""
    declared = type(part).model_fields[field].annotation
    for one in (declared, *get_args(declared)):
        if isinstance(one, type) and issubclass(one, Choice):
            return one.model_fields["value"]
    raise AssertionError(f"{field} is no choice")


def _others(value: Any, asked: Any, path: str) -> Iterator[Any]:
    kind = asked.annotation
    if get_origin(kind) is Literal:
        yield from (one for one in get_args(kind) if one != value)
    elif kind is bool:
        yield not value
    elif isinstance(value, tuple):
        yield from {(), value[::-1]} - {value}
    else:
        yield from _numbers(value, asked.metadata, 100 if path == "single_bet_max" else 1)


def _numbers(value: int, bounds: Any, by: int) -> Iterator[int]:
    least = next((one.ge for one in bounds if isinstance(one, Ge)), 1)
    most = next((one.le for one in bounds if isinstance(one, Le)), 10**9)
    yield from (one for one in (value - by, value + by) if least <= one <= most)  # type: ignore[operator]


# What is no choice --------------------------------------------------------------------------------


def described(model: Any) -> list[tuple[str, Any]]:
    """Every field below a model that is marked descriptive, with its kind."""
    found: list[tuple[str, Any]] = []
    for field, info in model.model_fields.items():
        if info.json_schema_extra == DESCRIPTIVE:
            found.append((field, info.annotation))
        for inner in _tables(info.annotation):
            found += described(inner)
    return found


def _tables(kind: Any) -> list[Any]:
    if isinstance(kind, type) and issubclass(kind, TomlTable):
        return [kind]
    return [table for one in get_args(kind) for table in _tables(one)]


def reworded(part: Any) -> Any:
    """A sheet with everything that is marked descriptive said otherwise."""
    if isinstance(part, Mapping):
        return {name: reworded(one) for name, one in part.items()}
    if isinstance(part, tuple) and not hasattr(part, "_fields"):
        return tuple(reworded(one) for one in part)
    if not isinstance(part, TomlTable):
        return part
    fields = type(part).model_fields.items()
    said = {
        name: _otherwise(getattr(part, name))
        if info.json_schema_extra == DESCRIPTIVE and get_origin(info.annotation) is not Literal
        else reworded(getattr(part, name))
        for name, info in fields
    }
    return part.model_copy(update=said)


def _otherwise(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return f"not {value}"
    return value + 1 if isinstance(value, int) else value


# What goes with a choice, in both houses ----------------------------------------------------------

TOLD = {
    "clause": "HOUSE",
    "result": "forfeit",
    "whose": {"is": "giver-and-taker", "clause": "HOUSE"},
}


def beside(sheet: Sheet, path: str, value: Any) -> tuple[Sheet, Sheet]:
    """Two houses that differ in one choice alone, or in what must change with it."""
    other = altered(sheet, path, value)
    return sheet, _THEN[path](other) if path in _THEN else other


def given_something_to_decide(sheet: Sheet, path: str) -> Sheet:
    """The sheet with what it lacks for the choice to matter, for both houses alike."""
    return _WITH[path](sheet) if path in _WITH else sheet


def _listed_otherwise(sheet: Sheet) -> Sheet:
    """Pay tables with a hand that fits two lines, the lower one listed first."""
    if isinstance(sheet, StreetStud):  # A royal flush is a straight flush too.
        return altered(sheet, "main.pays", dict(reversed(list(sheet.main.pays.items()))))
    pays = dict(sheet.side["poker-bonus"].pays)  # A suited pair may be a flush too.
    order = {"suited-pair": "flush", "flush": "suited-pair"}
    listed = {line: pays[line] for line in (order.get(line, line) for line in pays)}
    return altered(sheet, "side.poker-bonus.pays", listed)


def _capped(sheet: Sheet) -> Sheet:
    """A cap of ten dollars on the whole round, for every win; three equal wins do not divide it."""
    low = Counts.model_construct(odds_at_least=odds("1:1"), lines=None)
    cap = Limit.model_construct(
        clause="HOUSE", note=None, per="round", pays_max=Cents(1000), counts=low, departs="ours"
    )
    return sheet.model_copy(update={"limits": (cap,), "uncapped": None})


def _with_offence(sheet: Sheet) -> Sheet:
    if sheet.irregularities.information is not None:
        return sheet
    return altered(sheet, "irregularities.information", Information.model_validate(TOLD))


def _by_machine(sheet: Sheet) -> Sheet:
    return altered(sheet, "deck.shuffle", "automatic")


def _nothing_left(sheet: Sheet) -> Sheet:
    """No side wager outlives a fold, so that nobody needs the board."""
    for wager in sheet.side:
        sheet = altered(sheet, f"side.{wager}.after_fold.plays", False)
    return sheet


def _even(sheet: Sheet) -> Sheet:
    """A game with spots where a bet is worth nothing, so that all bets are worth the same."""
    if isinstance(sheet, StreetStud):  # A low pair before the last card.
        more = {"flush": "9:1", "straight": "8:1", "three-of-a-kind": "7:1", "two-pair": "4:1"}
        pays = {**sheet.main.pays, "full-house": odds("10:1")}
        pays |= {line: odds(pay) for line, pay in more.items()}
        return altered(altered(sheet, "main.pays", pays), "main.prose", None)
    assert isinstance(sheet, HiLo)
    flat = dict.fromkeys(sheet.points.values, 0)
    sheet = altered(altered(sheet, "points.values", flat), "points.in_high_hand", {})
    return altered(sheet, "main.ties", "push")


def _aces_count_nothing(sheet: Sheet) -> Sheet:
    """In a low hand, as jacks, queens and kings do: where the ace lies among them decides."""
    assert isinstance(sheet, HiLo)
    return altered(sheet, "points.values", {**sheet.points.values, "A": 0})


def _no_board_wager(sheet: Sheet) -> Sheet:
    """Without wagers on the board, which may then have another number of cards."""
    side = {name: one for name, one in sheet.side.items() if one.looks_at != "community"}
    assert isinstance(sheet, StreetStud)
    tucks = sheet.fold and sheet.fold.tucks_under
    if tucks:
        kept = tuple(one for one in tucks.value if one in side)
        sheet = altered(sheet, "fold.tucks_under", kept)
    groups = (tuple(one for one in group if one in ("main", *side)) for group in _passes(sheet))
    passes = tuple(group for group in groups if group)
    return altered(altered(sheet, "side", side), "settlement.passes", passes)


def _passes(sheet: Sheet) -> tuple[tuple[str, ...], ...]:
    return sheet.settlement.passes


# What a sheet needs before the choice has something to decide, where it has nothing as it stands.
_WITH: dict[str, Callable[[Sheet], Sheet]] = {
    "payouts.several_lines": _listed_otherwise,
    "payouts.share_ties": _capped,
    "irregularities.misdeal_over_offence": _with_offence,
    "deck.fallback": _by_machine,
    "fold.board_when_all_fold": _nothing_left,
    "best_play.ties": _even,
    "deal.hole": _no_board_wager,
    "dealer.equal_points": _aces_count_nothing,
}


def _five_cards(sheet: Sheet) -> Sheet:
    """Hole cards and community cards make five together: the last street turns the rest."""
    assert isinstance(sheet, StreetStud)
    last = len(sheet.streets) - 1
    left = sheet.streets[last].reveals.value + 5 - sheet.deal.hole.value - sheet.community
    return altered(sheet, f"streets.{last}.reveals", left)


def _turned_elsewhere(number: int) -> Callable[[Sheet], Sheet]:
    """What one street turns more, another one turns less."""

    def made(sheet: Sheet) -> Sheet:
        assert isinstance(sheet, StreetStud)
        other = (number + 1) % len(sheet.streets)
        left = sheet.streets[other].reveals.value + 5 - sheet.deal.hole.value - sheet.community
        return altered(sheet, f"streets.{other}.reveals", left)

    return made


def _cut(sheet: Sheet) -> Sheet:
    return altered(sheet, "deck.cut_card", 20)


# What must change with a choice, for the sheet to be sound.
_THEN: dict[str, Callable[[Sheet], Sheet]] = {
    "deal.hole": _five_cards,
    "deck.fresh": _cut,
    **{f"streets.{number}.reveals": _turned_elsewhere(number) for number in range(6)},
}
