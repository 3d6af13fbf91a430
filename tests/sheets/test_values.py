"""A loaded sheet cannot be bent: no container of it takes a change, and caches go by content."""

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
from tests.sheets.samples import CMS, IDS, MHL, OMS, STAX, changed, sheet_of, stud, text_of

from pitbook.errors import PitbookError
from pitbook.exact.compare import edge_of
from pitbook.exact.methods.ladder.solve import cached_solution
from pitbook.house.nights.house_rules import HouseRules
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.money import odds
from pitbook.rules.game import compile_game
from pitbook.rules.narration import _title
from pitbook.sheets.digest import digest
from pitbook.sheets.families import models
from pitbook.sheets.values import Choice, Entries, TomlTable

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


def parts(value: Any, path: str = "sheet") -> Iterator[tuple[str, Any]]:
    """Everything that a sheet leads to, with its path."""
    yield path, value
    if isinstance(value, BaseModel):
        for name, inner in vars(value).items():
            yield from parts(inner, f"{path}.{name}")
        yield f"{path}.model_fields_set", value.model_fields_set
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from parts(inner, f"{path}[{name!r}]")
    elif isinstance(value, tuple | list | set | frozenset):
        for place, inner in enumerate(value):
            yield from parts(inner, f"{path}[{place}]")


@pytest.mark.parametrize("sheet_id", IDS)
def test_nothing_that_a_sheet_leads_to_takes_a_change(sheet_id: str) -> None:
    sheet = sheet_of(text_of(sheet_id))
    before, bent = pickle.dumps(sheet.model_dump()), []
    for path, value in parts(sheet):
        for name, arguments in MUTATORS.items():
            if callable(change := getattr(value, name, None)) and _takes(change, arguments):
                bent.append(f"{path}.{name}")
        for name in getattr(type(value), "model_fields", ("anything",)):
            for change, arguments in ((setattr, (name, 1)), (delattr, (name,))):
                if _takes(change, (value, *arguments)):
                    bent.append(f"{path}.{name}: {change.__name__}")
    assert bent == []
    assert pickle.dumps(sheet.model_dump()) == before


def _takes(change: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    try:
        change(*arguments)
    except (TypeError, AttributeError):
        return False
    return True


def test_a_change_in_place_is_refused_with_the_remedy() -> None:
    sheet = sheet_of(text_of(CMS))
    refused = pytest.raises(PitbookError, match=r"pitbook\.changed\(sheet, ")
    with refused:
        sheet.main.pays["flush"] = odds("10:1")  # type: ignore[index]
    with refused:
        sheet.main.pays.update(flush=odds("10:1"))  # type: ignore[attr-defined]
    with refused:
        sheet.main.pays = {}  # type: ignore[misc, assignment]
    with refused:
        del sheet.title


def test_no_model_has_a_field_that_could_be_written_to() -> None:
    every = {*_models(*models().values(), HouseRules, Schedule)}
    writable = [
        f"{model.__name__}.{name}: {kind}"
        for model in every
        for name, field in model.model_fields.items()
        for kind in _kinds(field.annotation)
        if isinstance(kind, type) and issubclass(kind, dict | list | set | bytearray)
    ]
    assert len(every) > 40
    assert writable == [], "write Entries[K, V] for a dict, Order[T] for a list"


def _models(*models: Any) -> Iterator[type[TomlTable]]:
    for model in models:
        yield model
        for field in model.model_fields.values():
            inner = [one for one in _kinds(field.annotation) if isinstance(one, type)]
            yield from _models(*(one for one in inner if issubclass(one, TomlTable)))


def _kinds(annotation: Any) -> Iterator[Any]:
    origin = get_origin(annotation)
    if origin is not None and origin not in (Union, UnionType):
        yield origin
    if origin is None:
        yield annotation
    for one in get_args(annotation):
        yield from _kinds(one)


@pytest.mark.parametrize("sheet_id", IDS)
def test_copies_are_equal_and_as_firm(sheet_id: str) -> None:
    sheet = sheet_of(text_of(sheet_id))
    copies = [copy.copy(sheet), copy.deepcopy(sheet), sheet.model_copy(deep=True)]
    for one in (*copies, pickle.loads(pickle.dumps(sheet))):
        assert one == sheet
        assert hash(one) == hash(sheet)
        assert digest(one) == digest(sheet)
        assert not any(isinstance(part, dict | list | set) for _, part in parts(one))


def test_a_model_made_or_copied_in_code_is_as_firm() -> None:
    sheet = sheet_of(text_of(CMS))
    pays: dict[str, Any] = {**sheet.main.pays, "flush": odds("10:1")}
    main = sheet.main.model_copy(update={"pays": pays})
    other = sheet.model_copy(update={"main": main, "limits": [*sheet.limits]})
    made = Choice[Any].model_construct(value=[1, {"a": {2}}], clause="X", note=None)
    pays["flush"] = odds("100:1")
    assert str(other.main.pays["flush"]) == "10:1"
    assert digest(other) != digest(sheet)
    assert other.limits == sheet.limits
    assert made.value == (1, {"a": frozenset({2})})
    assert not any(isinstance(part, dict | list | set) for _, part in parts(other))
    assert not any(isinstance(part, dict | list | set) for _, part in parts(made))


def test_the_edge_follows_the_table_whatever_was_asked_before() -> None:
    sheet, edges, hashes = sheet_of(text_of(CMS)), [], set()
    several = ("6:1", "7:1", "8:1", "9:1", "10:1")[:: examples(2, 1)]
    gc.freeze()  # All that other tests have made; going through it takes a second each time.
    for text in several:
        pays = {**sheet.main.pays, "flush": odds(text)}
        other = sheet.model_copy(update={"main": sheet.main.model_copy(update={"pays": pays})})
        edges.append(edge_of(other, "main"))
        hashes.add(digest(other))
        del other
        gc.collect()  # The next one may lie where this one lay.
    gc.unfreeze()
    assert edges == sorted(edges, reverse=True)
    assert len(set(edges)) == len(hashes) == len(several)


def test_what_is_forced_upon_a_sheet_shows_in_its_hash() -> None:
    sheet = stud(CMS).model_copy(deep=True)  # Others are given the same one.
    before, worth = digest(sheet), cached_solution(sheet).expected
    pays = {**sheet.main.pays, "flush": odds("10:1")}
    object.__setattr__(sheet.main, "__dict__", {**vars(sheet.main), "pays": Entries(pays)})
    assert digest(sheet) != before
    assert cached_solution(sheet).expected > worth


def test_the_order_of_a_pay_table_tells_sheets_apart() -> None:
    one, other = Entries({"a": 1, "b": 2}), Entries({"b": 2, "a": 1})
    assert one != other
    assert one == {"b": 2, "a": 1}
    assert Entries({"a": 1, "b": 2}) == one
    assert hash(Entries({"a": 1, "b": 2})) == hash(one)
    assert repr(one) == "{'a': 1, 'b': 2}"
    assert (one | {"c": 3}, {"c": 3} | one) == ({"a": 1, "b": 2, "c": 3}, {"c": 3, "a": 1, "b": 2})


@pytest.mark.parametrize("sheet_id", [CMS, OMS, MHL, STAX])
def test_games_of_equal_sheets_are_equal_and_words_go_by_content(sheet_id: str) -> None:
    sheet, again = sheet_of(text_of(sheet_id)), sheet_of(text_of(sheet_id))
    assert compile_game(sheet) == compile_game(again)
    assert hash(compile_game(sheet)) == hash(compile_game(again))
    main, rule = compile_game(sheet).main
    other = sheet_of(changed(sheet_id, (f'title = "{rule.title}"', 'title = "Stake"')))
    assert compile_game(other) != compile_game(sheet)
    assert (_title(compile_game(sheet), main), _title(compile_game(other), main)) == (
        rule.title,
        "Stake",
    )
