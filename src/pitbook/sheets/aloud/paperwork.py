"""What a sheet says for its papers: procedures, notices, who files it."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.sheets.aloud.saying import Saying, aloud
from pitbook.sheets.model import Sheet
from pitbook.sheets.paperwork import Procedures

HEADING_OF = {
    "folded": "Fold",
    **dict.fromkeys(("late_bet", "malfunction", "mispaid", "cheating"), "Irregularities"),
}


def paperwork(sheet: Sheet) -> Iterator[Saying]:
    """Procedures with the cards, notices and the filing with the house."""
    for name in Procedures.model_fields if sheet.procedures else ():
        if rule := getattr(sheet.procedures, name):
            *first, last = rule.steps
            fields, steps = f"procedures.{name}", (*first, _open(last))
            key, heading = "aloud.paperwork.procedure", HEADING_OF.get(name, "Cards")
            yield aloud(heading, key, fields, rule, procedure=name, steps=steps)
    for place, one in enumerate(sheet.notices):
        at = f"notices[{place}]"
        yield aloud("House", "aloud.paperwork.notice", "notices", one, at=at, text=_open(one.text))
    if filed := sheet.filing:
        for name in ("sponsor", "rights", "version"):
            if text := getattr(filed, name):
                key, fields = "aloud.paperwork.filing", f"filing.{name}"
                yield aloud("House", key, fields, name=name, text=_open(text))


def _open(text: str) -> str:
    """A house's own sentence without its full stop, as sayings stand."""
    return text.removesuffix(".")
