"""The sign at the table: limits and caps, large enough to be read from a chair."""

from __future__ import annotations

from pitbook.papers.cards.limits import bets_limited, caps_posted, limits_table, made_together
from pitbook.papers.content import Paper, Paragraph, Section
from pitbook.papers.identity import identity
from pitbook.sheets.model import Sheet
from pitbook.text import say


def sign(sheet: Sheet) -> Paper:
    """What may be wagered, what is paid at most, and what else is posted."""
    caps = tuple(caps_posted(sheet))
    notices = tuple(
        Paragraph(one.text, f"notices[{place}]", (one.clause,))
        for place, one in enumerate(sheet.notices)
    )
    made = (*made_together(sheet), *bets_limited(sheet))
    sections = [Section("", (limits_table(sheet), *made), "limits")]
    sections += [Section(say("papers.sign.caps"), caps, "caps")] if caps else []
    sections += [Section(say("papers.sign.notices"), notices, "notices")] if notices else []
    return Paper(
        "sign", say("papers.sign.title"), (), identity(sheet, "sign"), tuple(sections), "sign"
    )
