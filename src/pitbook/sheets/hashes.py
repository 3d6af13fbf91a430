"""Hashes of a sheet's meaning, and whether an approval covers the current rules."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, Literal

from pydantic.fields import FieldInfo

from pitbook.money import Odds
from pitbook.sheets.field_types import TomlTable
from pitbook.sheets.findings import Finding
from pitbook.sheets.model import Approval, House, Sheet
from pitbook.sheets.provenance import has_assumptions, rules_of
from pitbook.text import say

# Printed in papers, but not rules of play.
PAPERWORK = ("procedures", "notices")
APPROVAL_DETAILS = ("signatory", "reference", "rules_hash", "papers")
PROSE = ("note", "source", "ours", "variants", "filing", *PAPERWORK, *APPROVAL_DETAILS)
# GEN-4: shares follow the order of wagers. GEN-2: the first listed line pays.
ORDERED = ("side", "pays")


def digest(sheet: Sheet) -> str:
    """The SHA-256 of a sheet's meaning, in hexadecimal."""
    return _digest(sheet)


def packet_digest(sheet: Sheet) -> str:
    """The SHA-256 of everything in the papers: all texts of the sheet, including notes."""
    document = sheet.model_dump(mode="json", by_alias=True, exclude_none=True)
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=256)
def approval_digest(sheet: Sheet) -> str:
    """The SHA-256 of what a commission approves: rules, variants, procedures and notices.

    The document they come from counts, and so do the marks of our assumptions: without them, a
    paper would claim that another document, or more rules, were approved. The approval itself is
    left out, so that recording one does not change the hash.
    """
    unapproved = sheet.model_copy(update={"house": _without_approval(sheet.house)})
    paperwork = {name: canonical_value(getattr(sheet, name)) for name in ("variants", *PAPERWORK)}
    source = [sheet.source.document, canonical_value(sheet.source.dated)]
    marks = [[path, rule.ours] for path, rule in rules_of(unapproved, ()) if rule.ours is not None]
    parts = [canonical_value(unapproved), paperwork, source, marks]
    content = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(content.encode()).hexdigest()


def _without_approval(house: House) -> House:
    return house.model_copy(update={"approval": None})


@lru_cache(maxsize=256)  # Every settled round needs it; equal sheets share an entry.
def _digest(sheet: Sheet) -> str:
    return hashlib.sha256(canonical_json(sheet).encode()).hexdigest()


def canonical_json(sheet: Sheet) -> str:
    """The meaning as one line of JSON, without defaults; cents and odds in a canonical form."""
    return json.dumps(
        canonical_value(sheet), sort_keys=True, separators=(",", ":"), ensure_ascii=True
    )


def canonical_value(part: Any) -> Any:
    """A part of a sheet as plain JSON values for hashing; mappings become pairs."""
    if isinstance(part, TomlTable):
        return dict(_fields(part))
    if isinstance(part, Mapping):
        return [[name, canonical_value(value)] for name, value in part.items()]
    if isinstance(part, tuple):
        return [canonical_value(value) for value in part]
    if isinstance(part, Odds):
        return str(part)
    return part.isoformat() if isinstance(part, datetime.date) else part


def _fields(table: TomlTable) -> list[tuple[str, Any]]:
    fields = []
    for name, title, default_meaning in _meaningful_fields(type(table)):
        value = getattr(table, name)
        field_meaning = canonical_value(value)
        if isinstance(value, Mapping) and name not in ORDERED:
            field_meaning = sorted(field_meaning)
        if field_meaning != default_meaning:
            fields.append((title, field_meaning))
    return fields


@cache
def _meaningful_fields(kind: type[TomlTable]) -> tuple[tuple[str, str, Any], ...]:
    """Fields with meaning: name, name in the file, and the meaning that is omitted."""
    return tuple(
        (
            name,
            field.alias or name,
            _REQUIRED if field.is_required() else canonical_value(_default_value(field)),
        )
        for name, field in kind.model_fields.items()
        if name not in PROSE
    )


def _default_value(field: FieldInfo) -> Any:
    return field.get_default(call_default_factory=True, validated_data={})


_REQUIRED = object()  # Differs from every meaning.


# "restated": the commission approved a document, and the sheet adds assumptions to it.
ApprovalStatus = Literal["none", "draft", "approved", "restated"]


def current_approval(sheet: Sheet, paper: str = "rules") -> Approval | None:
    """The recorded approval, if it covers these rules and this paper."""
    approval = sheet.house.approval
    if approval is None or approval.rules_hash != approval_digest(sheet):
        return None
    return approval if paper in approval.papers else None


def approval_status(sheet: Sheet, paper: str = "rules") -> ApprovalStatus:
    """What a paper may claim about its approval."""
    if current_approval(sheet, paper):
        return "restated" if has_assumptions(sheet) else "approved"
    return "none" if sheet.house.approval is None or current_approval(sheet) else "draft"


def check_approval(sheet: Sheet) -> Iterator[Finding]:
    """Notices if the rules took effect before their approval or differ from the approved ones."""
    approval, place = sheet.house.approval, ("house", "approval")
    if approval is None:
        return
    if sheet.effective and sheet.effective < approval.on:
        message = say("findings.fits.before-approval", day=sheet.effective.isoformat())
        yield Finding("notice", "approval", message, (*place, "on"), approval.clause)
    rules_hash = approval_digest(sheet)
    if approval.rules_hash is None:
        message = say("findings.fits.approval-without-hash", hash=rules_hash)
        yield Finding("notice", "approval", message, place, approval.clause)
    elif approval.rules_hash != rules_hash:
        message = say("findings.fits.approval-of-other-rules", day=approval.on, hash=rules_hash)
        yield Finding("notice", "approval", message, (*place, "rules_hash"), approval.clause)
