"""`pitbook sheets schema`: accepts every sheet, refuses what the loader refuses."""

from __future__ import annotations

import datetime
import tomllib
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.command_line import Ask
from tests.sheets.samples import CMS, IDS, MHL, UNUSUAL, text_of

from pitbook.sheets.family_registry import models

TEXTS = [
    *(text_of(sheet_id) for sheet_id in IDS),
    *(path.read_text() for path in UNUSUAL.glob("*.toml")),
]


def plain(value: Any) -> Any:
    """TOML as JSON: days become text."""
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return value.isoformat() if isinstance(value, datetime.date) else value


def document(text: str) -> Any:
    return plain(tomllib.loads(text))


@pytest.mark.long
@pytest.mark.parametrize("family", [None, *models()])
def test_schema_is_valid_and_names_its_dialect(ask: Ask, family: str | None) -> None:
    schema = ask("sheets", "schema", *([family] if family else [])).document
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert family is None or family in schema["title"]


def test_schema_marks_descriptive_fields(ask: Ask) -> None:
    schema = ask("sheets", "schema", "hi-lo").document["$defs"]
    settlement_fields, mishaps = (
        schema["HiLoSettlement"]["properties"],
        schema["Irregularities"]["properties"],
    )
    for field in (
        settlement_fields["high_laid"],
        schema["Areas"]["properties"]["low"],
        mishaps["fouled_deck"],
    ):
        assert field["descriptive"] is True
    for field in (settlement_fields["direction"], mishaps["early_card"]):
        assert "descriptive" not in field


def test_schema_of_all_families_accepts_every_sheet(ask: Ask) -> None:
    validator = Draft202012Validator(ask("sheets", "schema").document)
    assert len(TEXTS) > 6
    for text in TEXTS:
        assert [error.message for error in validator.iter_errors(document(text))] == []


@pytest.mark.long
def test_family_schema_accepts_only_its_own_sheets(ask: Ask) -> None:
    for family in models():
        validator = Draft202012Validator(ask("sheets", "schema", family).document)
        for text in TEXTS:
            sheet = document(text)
            assert validator.is_valid(sheet) == (sheet["family"] == family)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("nonsense",), 1),
        (("ante", "min"), 5),
        (("ante", "min"), "5 dollars"),
        (("ante", "minimum"), "5"),
        (("deck", "shuffle"), "robot"),
        (("main", "pays", "flush"), "6 to 1"),
        (("seats", "count"), 0),
        (("seats", "per_player"), 1),
        (("streets",), []),
        (("family",), "poker"),
    ],
    ids=str,
)
def test_schema_refuses_what_the_loader_refuses(
    ask: Ask, path: tuple[str, ...], value: object
) -> None:
    sheet = document(text_of(CMS))
    inner = sheet
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    assert not Draft202012Validator(ask("sheets", "schema").document).is_valid(sheet)


def test_schema_has_descriptions_and_no_pydantic_leftovers(ask: Ask) -> None:
    text = ask("sheets", "schema").out
    assert text.count('"description"') > 200
    for word in ("FieldInfo", "Choice_", "pitbook__", '"null"'):
        assert word not in text


def test_optional_fields_are_not_required(ask: Ask) -> None:
    validator = Draft202012Validator(ask("sheets", "schema").document)
    sheet = document(text_of(MHL))
    for field in ("double", "payouts", "best_play", "limits"):
        del sheet[field]
    assert validator.is_valid(sheet)
