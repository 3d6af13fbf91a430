"""What a sheet says for its papers: procedures, notices, who files it."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.sheets.aloud.saying import Saying, aloud
from pitbook.sheets.model import Sheet
from pitbook.sheets.paperwork import Procedures

__all__ = ["paperwork"]


def paperwork(sheet: Sheet) -> Iterator[Saying]:
    """Procedures with the cards, notices and the filing with the house."""
    for name in Procedures.model_fields if sheet.procedures else ():
        if rule := getattr(sheet.procedures, name):
            told = {"procedure": name, "steps": rule.steps}
            fields = f"procedures.{name}"
            yield aloud("Cards", "aloud.paperwork.procedure", fields, rule, **told)
    for place, one in enumerate(sheet.notices):
        at = f"notices[{place}]"
        yield aloud("House", "aloud.paperwork.notice", "notices", one, at=at, text=one.text)
    if filed := sheet.filing:
        for name in ("sponsor", "rights", "version"):
            if text := getattr(filed, name):
                told = {"name": name, "text": text}
                yield aloud("House", "aloud.paperwork.filing", f"filing.{name}", **told)
