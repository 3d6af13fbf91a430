"""The bundled sheets as texts to modify, and helpers to examine the result."""

from __future__ import annotations

import datetime
import json
import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.sheets.findings import Finding
from pitbook.sheets.library import BUNDLED
from pitbook.sheets.load import examine
from pitbook.sheets.model import Sheet

CMS = "catfish-bend/mississippi-stud"
OMS = "oceanfront/mississippi-stud"
MHL = "catfish-bend/matchem-hi-lo"
LAS = "louisiana-stud/standard"
STAX = "louisiana-stud/stax-required"
IDS = (CMS, OMS, MHL, LAS, STAX)
LIR = "pennsylvania/let-it-ride"
PMS = "pennsylvania/mississippi-stud"
AGAINST_THE_DEALER = (
    *("classic/caribbean-stud", "classic/casino-holdem", "classic/casino-war"),
    "classic/ultimate-three-card-poker",
    *("pennsylvania/crazy-4-poker", "pennsylvania/four-card-poker"),
    *("pennsylvania/three-card-poker", "pennsylvania/ultimate-texas-holdem"),
)
ALL_IDS = (*IDS, LIR, PMS, *AGAINST_THE_DEALER)  # All bundled sheets, IDS first.
UNUSUAL = Path(__file__).parent / "unusual"

Swap = tuple[str, str]


def path_of(sheet_id: str) -> Path:
    return BUNDLED / f"{sheet_id}.toml"


@cache
def text_of(sheet_id: str) -> str:
    return path_of(sheet_id).read_text(encoding="utf-8")


def modified_text(sheet_id: str, *swaps: Swap) -> str:
    """The sheet's text with the first occurrence of each old text replaced; it must occur."""
    text = text_of(sheet_id)
    for old, new in swaps:
        assert old in text, f"{sheet_id} has no {old!r}"
        text = text.replace(old, new, 1)
    return text


def finding_lines(text: str, *, thorough: bool = False) -> list[str]:
    """Every finding as "line:column level code: message"."""
    findings = examine(text, "sheet.toml", thorough=thorough).findings
    return [
        f"{finding.line}:{finding.column} {finding.level} {finding.code}: {finding.message}"
        for finding in findings
    ]


def findings(sheet_id: str, *swaps: Swap, thorough: bool = False) -> tuple[Finding, ...]:
    return examine(modified_text(sheet_id, *swaps), "sheet.toml", thorough=thorough).findings


def messages(sheet_id: str, *swaps: Swap, code: str | None = None) -> list[str]:
    """The messages of a modified sheet's findings, all or those of one code.

    The approval notice, which any change causes, is omitted unless requested.
    """
    return [
        finding.message
        for finding in findings(sheet_id, *swaps)
        if (finding.code == code if code else finding.code != "approval")
    ]


@lru_cache(maxsize=64)
def sheet_of(text: str) -> Sheet:
    """The sheet of a text; cached, since sheets are immutable."""
    reading = examine(text, "sheet.toml", thorough=False)
    assert reading.sheet is not None, reading.findings
    return reading.sheet


def stud(sheet_id: str, *swaps: Swap) -> StreetStud:
    sheet = sheet_of(modified_text(sheet_id, *swaps))
    assert isinstance(sheet, StreetStud)
    return sheet


def hi_lo(sheet_id: str, *swaps: Swap) -> HiLo:
    sheet = sheet_of(modified_text(sheet_id, *swaps))
    assert isinstance(sheet, HiLo)
    return sheet


@cache
def document_of(sheet_id: str) -> dict[str, Any]:
    """The sheet as plain TOML, without Pitbook code."""
    return tomllib.loads(text_of(sheet_id))


def assert_fields(sheet: str, **fields: Any) -> None:
    """Assert the value of each field (a__b for a.b, "is" omitted) of the TOML text."""
    for name, expected in fields.items():
        part: Any = document_of(sheet)
        for step in name.split("__"):
            step_or_number = int(step) if isinstance(part, list) else step.replace("_dash_", "-")
            part = part[step_or_number]
        value = part["is"] if isinstance(part, dict) and "is" in part else part
        assert value == expected, name


def part_of(sheet: str, field: str) -> Any:
    """The part of the TOML text at a dotted field."""
    part: Any = document_of(sheet)
    for step in field.split("."):
        part = part[int(step) if isinstance(part, list) else step]
    return part


def with_pays(sheet: str, wager: str, table: str, *swaps: Swap) -> str:
    """The sheet's text with a pay table written "flush 6:1, straight 4:1"."""
    header = "[main.pays]" if wager == "main" else f"[side.{wager}.pays]"
    before, _, after = modified_text(sheet, *swaps).partition(f"{header}\n")
    lines = [pay_line.split() for pay_line in table.split(",")]
    table_text = "\n".join(f'{line} = "{pay}"' for line, pay in lines)
    return f"{before}{header}\n{table_text}\n\n{after[after.index('[') :]}"


def with_value(document: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """The document with one value replaced; unchanged parts are shared."""
    if not path:
        return value
    copy = document.copy()
    copy[path[0]] = with_value(document[path[0]], path[1:], value)
    return copy


def toml(value: Any) -> str:
    """A value in TOML, tables within tables on one line."""
    if isinstance(value, dict):
        return (
            "{ "
            + ", ".join(f"{json.dumps(key)} = {toml(inner)}" for key, inner in value.items())
            + " }"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return value.isoformat() if isinstance(value, datetime.date) else json.dumps(value)


def toml_text(document: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(name)} = {toml(value)}\n" for name, value in document.items())
