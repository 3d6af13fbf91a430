"""Every choice of a sheet, its alternatives, and what must change with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args, get_origin

from annotated_types import Ge, Le
from tests.clauses.one_line_rounds import with_field

from pitbook.money import Cents, odds
from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.sheets.field_types import DESCRIPTIVE, Choice, TomlTable
from pitbook.sheets.model import Counts, Information, Limit, Sheet

# Choices of a sheet


class SheetChoice(NamedTuple):
    """A choice of a sheet: its path and its alternatives."""

    path: str
    others: tuple[Any, ...]


def choices(sheet: Sheet) -> list[SheetChoice]:
    """Every choice of a sheet, stated or by default."""
    return list(_choices(sheet, ""))


def _choices(part: Any, parent_path: str) -> Iterator[SheetChoice]:
    if isinstance(part, Mapping):
        children = list(part.items())
    elif isinstance(part, tuple):
        children = list(enumerate(part))
    elif isinstance(part, TomlTable):
        children = [
            (field_name, getattr(part, field_name)) for field_name in type(part).model_fields
        ]
    else:
        return
    for key, value in children:
        path = f"{parent_path}.{key}".removeprefix(".")
        if isinstance(value, Choice):
            yield SheetChoice(
                path, tuple(_alternatives(value.value, _choice_field(part, str(key)), path))
            )
        else:
            yield from _choices(value, path)


def _choice_field(part: Any, field: str) -> Any:
    """The model field of a choice's value."""
    declared = type(part).model_fields[field].annotation
    for annotation in (declared, *get_args(declared)):
        if isinstance(annotation, type) and issubclass(annotation, Choice):
            return annotation.model_fields["value"]
    raise AssertionError(f"{field} is no choice")


def _alternatives(value: Any, field: Any, path: str) -> Iterator[Any]:
    kind = field.annotation
    if get_origin(kind) is Literal:
        yield from (alternative for alternative in get_args(kind) if alternative != value)
    elif kind is bool:
        yield not value
    elif isinstance(value, tuple):
        yield from {(), value[::-1]} - {value}
    else:
        yield from _numbers(value, field.metadata, 100 if path == "single_bet_max" else 1)


def _numbers(value: int, bounds: Any, distance: int) -> Iterator[int]:
    least = next((bound.ge for bound in bounds if isinstance(bound, Ge)), 1)
    most = next((bound.le for bound in bounds if isinstance(bound, Le)), 10**9)
    for neighbor in (value - distance, value + distance):
        if least <= neighbor <= most:  # type: ignore[operator]
            yield neighbor


# Fields that are not choices


def descriptive_fields(model: Any) -> list[tuple[str, Any]]:
    """Every descriptive field of a model, with its annotation."""
    fields: list[tuple[str, Any]] = []
    for field, info in model.model_fields.items():
        if info.json_schema_extra == DESCRIPTIVE:
            fields.append((field, info.annotation))
        for inner in _tables(info.annotation):
            fields += descriptive_fields(inner)
    return fields


def _tables(kind: Any) -> list[Any]:
    if isinstance(kind, type) and issubclass(kind, TomlTable):
        return [kind]
    return [table for argument in get_args(kind) for table in _tables(argument)]


def change_descriptive(part: Any) -> Any:
    """A sheet with every descriptive field changed."""
    if isinstance(part, Mapping):
        return {name: change_descriptive(child) for name, child in part.items()}
    if isinstance(part, tuple) and not hasattr(part, "_fields"):
        return tuple(change_descriptive(child) for child in part)
    if not isinstance(part, TomlTable):
        return part
    fields = type(part).model_fields.items()
    changes = {
        name: _changed_text(getattr(part, name))
        if info.json_schema_extra == DESCRIPTIVE and get_origin(info.annotation) is not Literal
        else change_descriptive(getattr(part, name))
        for name, info in fields
    }
    return part.model_copy(update=changes)


def _changed_text(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return f"not {value}"
    return value + 1 if isinstance(value, int) else value


# Fields that depend on a choice, in both houses

INFORMATION_RULE = {
    "clause": "HOUSE",
    "result": "forfeit",
    "whose": {"is": "giver-and-taker", "clause": "HOUSE"},
}


def two_houses(sheet: Sheet, path: str, value: Any) -> tuple[Sheet, Sheet]:
    """Two houses that differ in one choice only, and in what must change with it."""
    other = with_field(sheet, path, value)
    return sheet, _DEPENDENT_FIELDS[path](other) if path in _DEPENDENT_FIELDS else other


def with_context(sheet: Sheet, path: str) -> Sheet:
    """The sheet with the additions that make a choice matter, for both houses."""
    return _CONTEXT[path](sheet) if path in _CONTEXT else sheet


def _reorder_lines(sheet: Sheet) -> Sheet:
    """Pay tables with a hand that fits two lines, the lower one listed first."""
    if isinstance(sheet, StreetStud):  # A royal flush is a straight flush too.
        return with_field(sheet, "main.pays", dict(reversed(list(sheet.main.pays.items()))))
    pays = dict(sheet.side["poker-bonus"].pays)  # A suited pair may be a flush too.
    order = {"suited-pair": "flush", "flush": "suited-pair"}
    listed = {line: pays[line] for line in (order.get(line, line) for line in pays)}
    return with_field(sheet, "side.poker-bonus.pays", listed)


def _add_cap(sheet: Sheet) -> Sheet:
    """A cap of ten dollars on the whole round, for every win; three equal wins do not divide it."""
    all_wins = Counts.model_construct(odds_at_least=odds("1:1"), lines=None)
    cap = Limit.model_construct(
        clause="HOUSE",
        note=None,
        per="round",
        pays_max=Cents(1000),
        counts=all_wins,
        departs="ours",
    )
    return sheet.model_copy(update={"limits": (cap,), "uncapped": None})


def _with_offense(sheet: Sheet) -> Sheet:
    if sheet.irregularities.information is not None:
        return sheet
    return with_field(
        sheet, "irregularities.information", Information.model_validate(INFORMATION_RULE)
    )


def _use_shuffler(sheet: Sheet) -> Sheet:
    return with_field(sheet, "deck.shuffle", "automatic")


def _lose_with_fold(sheet: Sheet) -> Sheet:
    """Side wagers lose with the fold, so that no wager needs the board."""
    for wager in sheet.side:
        sheet = with_field(sheet, f"side.{wager}.after_fold.plays", False)
    return sheet


def _make_bets_equal(sheet: Sheet) -> Sheet:
    """A game in which some bets have an EV of zero, so that all bets are equally good."""
    if isinstance(sheet, StreetStud):  # A low pair before the last card.
        pay_changes = {
            "flush": "9:1",
            "straight": "8:1",
            "three-of-a-kind": "7:1",
            "two-pair": "4:1",
        }
        pays = {**sheet.main.pays, "full-house": odds("10:1")}
        pays |= {line: odds(pay) for line, pay in pay_changes.items()}
        return with_field(with_field(sheet, "main.pays", pays), "main.prose", None)
    assert isinstance(sheet, HiLo)
    flat = dict.fromkeys(sheet.points.values, 0)
    sheet = with_field(with_field(sheet, "points.values", flat), "points.in_high_hand", {})
    return with_field(sheet, "main.ties", "push")


def _zero_aces(sheet: Sheet) -> Sheet:
    """Aces count zero in a low hand, like jacks, queens and kings, so that the order of ranks
    matters.
    """
    assert isinstance(sheet, HiLo)
    return with_field(sheet, "points.values", {**sheet.points.values, "A": 0})


def _drop_board_wagers(sheet: Sheet) -> Sheet:
    """The sheet without wagers on the board, whose number of cards may then change."""
    side = {
        name: side_wager
        for name, side_wager in sheet.side.items()
        if side_wager.looks_at != "community"
    }
    assert isinstance(sheet, StreetStud)
    tucks = sheet.fold and sheet.fold.tucks_under
    if tucks:
        remaining = tuple(wager for wager in tucks.value if wager in side)
        sheet = with_field(sheet, "fold.tucks_under", remaining)
    groups = (
        tuple(wager for wager in group if wager in ("main", *side)) for group in _passes(sheet)
    )
    passes = tuple(group for group in groups if group)
    return with_field(with_field(sheet, "side", side), "settlement.passes", passes)


def _passes(sheet: Sheet) -> tuple[tuple[str, ...], ...]:
    return sheet.settlement.passes


# Additions without which a choice would have no effect.
_CONTEXT: dict[str, Callable[[Sheet], Sheet]] = {
    "payouts.several_lines": _reorder_lines,
    "payouts.share_ties": _add_cap,
    "irregularities.misdeal_over_offence": _with_offense,
    "deck.fallback": _use_shuffler,
    "fold.board_when_all_fold": _lose_with_fold,
    "best_play.ties": _make_bets_equal,
    "deal.hole": _drop_board_wagers,
    "dealer.equal_points": _zero_aces,
}


def _keep_five_cards(sheet: Sheet) -> Sheet:
    """Keep hole and community cards at five in total, by changing the last street."""
    assert isinstance(sheet, StreetStud)
    last = len(sheet.streets) - 1
    last_cards = sheet.streets[last].reveals.value + 5 - sheet.deal.hole.value - sheet.community
    return with_field(sheet, f"streets.{last}.reveals", last_cards)


def _move_card(number: int) -> Callable[[Sheet], Sheet]:
    """Move a card between one street and the next."""

    def change(sheet: Sheet) -> Sheet:
        assert isinstance(sheet, StreetStud)
        other = (number + 1) % len(sheet.streets)
        other_cards = (
            sheet.streets[other].reveals.value + 5 - sheet.deal.hole.value - sheet.community
        )
        return with_field(sheet, f"streets.{other}.reveals", other_cards)

    return change


def _add_cut_card(sheet: Sheet) -> Sheet:
    return with_field(sheet, "deck.cut_card", 20)


# Changes that keep the sheet valid.
_DEPENDENT_FIELDS: dict[str, Callable[[Sheet], Sheet]] = {
    "deal.hole": _keep_five_cards,
    "deck.fresh": _add_cut_card,
    **{f"streets.{number}.reveals": _move_card(number) for number in range(6)},
}
