"""Loaded sheets are immutable, and caches go by content."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Callable, Iterator, Mapping
from types import UnionType
from typing import Any, Union, get_args, get_origin

import pytest
from pydantic import BaseModel
from tests.lanes import examples
from tests.sheets.samples import CMS, IDS, MHL, OMS, STAX, modified_text, sheet_of, stud, text_of

from pitbook.errors import PitbookError
from pitbook.exact.compare import edge_of
from pitbook.exact.methods.ladder.solve import cached_solution
from pitbook.house.nights.house_rules import HouseRules
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.money import odds
from pitbook.rules.game import compile_game
from pitbook.rules.narration import _title
from pitbook.sheets.family_registry import models
from pitbook.sheets.field_types import Choice, Entries, TomlTable
from pitbook.sheets.hashes import digest

MUTATORS: dict[str, tuple[Any, ...]] = {
    "__setitem__": ("flush", 1),
    "__delitem__": ("flush",),
    "__ior__": ({"flush": 1},),
    "__iadd__": ([1],),
    "clear": (),
    "pop": ("flush",),
    "popitem": (),
    "setdefault": ("flush", 1),
    "update": ({"flush": 1},),
    "append": (1,),
    "extend": ([1],),
    "insert": (0, 1),
    "remove": (1,),
    "sort": (),
    "reverse": (),
    "add": ("flush",),
    "discard": ("flush",),
}


def all_parts(value: Any, path: str = "sheet") -> Iterator[tuple[str, Any]]:
    """Every value reachable from a sheet, with its path."""
    yield path, value
    if isinstance(value, BaseModel):
        for name, inner in vars(value).items():
            yield from all_parts(inner, f"{path}.{name}")
        yield f"{path}.model_fields_set", value.model_fields_set
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from all_parts(inner, f"{path}[{name!r}]")
    elif isinstance(value, tuple | list | set | frozenset):
        for place, inner in enumerate(value):
            yield from all_parts(inner, f"{path}[{place}]")


@pytest.mark.parametrize("sheet_id", IDS)
def test_no_part_of_a_sheet_can_be_changed(sheet_id: str) -> None:
    sheet = sheet_of(text_of(sheet_id))
    before, changed_paths = pickle.dumps(sheet.model_dump()), []
    for path, value in all_parts(sheet):
        for name, arguments in MUTATORS.items():
            if callable(change := getattr(value, name, None)) and _accepts(change, arguments):
                changed_paths.append(f"{path}.{name}")
        for name in getattr(type(value), "model_fields", ("anything",)):
            for change, arguments in ((setattr, (name, 1)), (delattr, (name,))):
                if _accepts(change, (value, *arguments)):
                    changed_paths.append(f"{path}.{name}: {change.__name__}")
    assert changed_paths == []
    assert pickle.dumps(sheet.model_dump()) == before


def _accepts(change: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    try:
        change(*arguments)
    except (TypeError, AttributeError):
        return False
    return True


def test_a_change_in_place_is_refused_with_the_remedy() -> None:
    sheet = sheet_of(text_of(CMS))
    raises = pytest.raises(PitbookError, match=r"pitbook\.changed\(sheet, ")
    with raises:
        sheet.main.pays["flush"] = odds("10:1")  # type: ignore[index]
    with raises:
        sheet.main.pays.update(flush=odds("10:1"))  # type: ignore[attr-defined]
    with raises:
        sheet.main.pays = {}  # type: ignore[misc, assignment]
    with raises:
        del sheet.title


def test_no_model_has_a_mutable_field() -> None:
    all_models = {*_models(*models().values(), HouseRules, Schedule)}
    writable = [
        f"{model.__name__}.{name}: {kind}"
        for model in all_models
        for name, field in model.model_fields.items()
        for kind in _kinds(field.annotation)
        if isinstance(kind, type) and issubclass(kind, dict | list | set | bytearray)
    ]
    assert len(all_models) > 40
    assert writable == [], "write Entries[K, V] for a dict, Order[T] for a list"


def _models(*models: Any) -> Iterator[type[TomlTable]]:
    for model in models:
        yield model
        for field in model.model_fields.values():
            inner = [
                inner_type
                for inner_type in _kinds(field.annotation)
                if isinstance(inner_type, type)
            ]
            yield from _models(
                *(inner_type for inner_type in inner if issubclass(inner_type, TomlTable))
            )


def _kinds(annotation: Any) -> Iterator[Any]:
    origin = get_origin(annotation)
    if origin is not None and origin not in (Union, UnionType):
        yield origin
    if origin is None:
        yield annotation
    for argument in get_args(annotation):
        yield from _kinds(argument)


@pytest.mark.parametrize("sheet_id", IDS)
def test_copies_are_equal_and_immutable(sheet_id: str) -> None:
    sheet = sheet_of(text_of(sheet_id))
    copies = [copy.copy(sheet), copy.deepcopy(sheet), sheet.model_copy(deep=True)]
    for copied in (*copies, pickle.loads(pickle.dumps(sheet))):
        assert copied == sheet
        assert hash(copied) == hash(sheet)
        assert digest(copied) == digest(sheet)
        assert not any(isinstance(part, dict | list | set) for _, part in all_parts(copied))


def test_models_made_in_code_are_immutable() -> None:
    sheet = sheet_of(text_of(CMS))
    pays: dict[str, Any] = {**sheet.main.pays, "flush": odds("10:1")}
    main = sheet.main.model_copy(update={"pays": pays})
    other = sheet.model_copy(update={"main": main, "limits": [*sheet.limits]})
    constructed = Choice[Any].model_construct(value=[1, {"a": {2}}], clause="X", note=None)
    pays["flush"] = odds("100:1")
    assert str(other.main.pays["flush"]) == "10:1"
    assert digest(other) != digest(sheet)
    assert other.limits == sheet.limits
    assert constructed.value == (1, {"a": frozenset({2})})
    assert not any(isinstance(part, dict | list | set) for _, part in all_parts(other))
    assert not any(isinstance(part, dict | list | set) for _, part in all_parts(constructed))


def test_the_edge_follows_the_pay_table() -> None:
    sheet, edges, hashes = sheet_of(text_of(CMS)), [], set()
    several = ("6:1", "7:1", "8:1", "9:1", "10:1")[:: examples(2, 1)]
    gc.freeze()  # Excludes objects of other tests, which would take a second each time.
    for text in several:
        pays = {**sheet.main.pays, "flush": odds(text)}
        other = sheet.model_copy(update={"main": sheet.main.model_copy(update={"pays": pays})})
        edges.append(edge_of(other, "main"))
        hashes.add(digest(other))
        del other
        gc.collect()  # The next object may reuse this one's address.
    gc.unfreeze()
    assert edges == sorted(edges, reverse=True)
    assert len(set(edges)) == len(hashes) == len(several)


def test_a_forced_change_changes_the_hash() -> None:
    sheet = stud(CMS).model_copy(deep=True)  # The cached one is shared.
    before, expected_before = digest(sheet), cached_solution(sheet).expected
    pays = {**sheet.main.pays, "flush": odds("10:1")}
    object.__setattr__(sheet.main, "__dict__", {**vars(sheet.main), "pays": Entries(pays)})
    assert digest(sheet) != before
    assert cached_solution(sheet).expected > expected_before


def test_the_order_of_a_pay_table_tells_sheets_apart() -> None:
    first, second = Entries({"a": 1, "b": 2}), Entries({"b": 2, "a": 1})
    assert first != second
    assert first == {"b": 2, "a": 1}
    assert Entries({"a": 1, "b": 2}) == first
    assert hash(Entries({"a": 1, "b": 2})) == hash(first)
    assert repr(first) == "{'a': 1, 'b': 2}"
    assert (first | {"c": 3}, {"c": 3} | first) == (
        {"a": 1, "b": 2, "c": 3},
        {"c": 3, "a": 1, "b": 2},
    )


@pytest.mark.parametrize("sheet_id", [CMS, OMS, MHL, STAX])
def test_games_of_equal_sheets_are_equal(sheet_id: str) -> None:
    sheet, again = sheet_of(text_of(sheet_id)), sheet_of(text_of(sheet_id))
    assert compile_game(sheet) == compile_game(again)
    assert hash(compile_game(sheet)) == hash(compile_game(again))
    main, rule = compile_game(sheet).main
    other = sheet_of(modified_text(sheet_id, (f'title = "{rule.title}"', 'title = "Stake"')))
    assert compile_game(other) != compile_game(sheet)
    assert (_title(compile_game(sheet), main), _title(compile_game(other), main)) == (
        rule.title,
        "Stake",
    )
