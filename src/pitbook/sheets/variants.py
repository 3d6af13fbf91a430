"""A sheet by another of the pay tables that its document allows, named as in id+variant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pitbook.errors import SheetError, SheetUnknown
from pitbook.sheets.changed import changed
from pitbook.sheets.findings import Finding, did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Variant
from pitbook.text import say, sentence_of


def varied(sheet: Sheet, name: str) -> Sheet:
    """The sheet as a variant of it has it; raises SheetUnknown where it has no such variant."""
    variants: Mapping[str, Variant] = sheet.variants or {}
    variant = variants.get(name)
    if variant is None:
        remedy = did_you_mean(name, variants) if variants else say("sheets.no-variants")
        raise SheetUnknown(say("sheets.no-variant", sheet=sheet.id, name=name, remedy=remedy))
    changes: dict[str, Any] = dict.fromkeys(variant.without)
    changes |= dict(variant.changes)
    plain = sheet.model_copy(update={"variants": None})
    return changed(plain, {"title": f"{sheet.title} ({variant.title})", **changes})


def check(sheet: Sheet) -> Iterator[Finding]:
    """Every variant is a sound sheet."""
    for name, variant in (sheet.variants or {}).items():
        try:
            varied(sheet, name)
        except SheetError as error:
            message = say("findings.variant", why=sentence_of(error))
            yield Finding("error", "variant", message, ("variants", name), variant.clause)
