"""What every page of a paper shows: its sheet, version and approval, running head and foot."""

from __future__ import annotations

from pitbook.papers.assumptions import legend
from pitbook.papers.content import Identity, Paper, SmallTables
from pitbook.papers.pdf_file import program
from pitbook.sheets.clauses import is_unread
from pitbook.sheets.digest import approval_status, current_approval, digest, packet_digest
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say


def identity(sheet: Sheet, paper: str) -> Identity:
    """The identity that every page of a paper shows."""
    status = approval_status(sheet, paper)
    return Identity(
        sheet=sheet.id,
        hash=digest(sheet),
        packet=packet_digest(sheet),
        venue=sheet.house.venue,
        title=sheet.title,
        effective=say("papers.identity.draft") if status == "draft" else _effective(sheet),
        approved=_approval_text(sheet, paper),
        version=version_of(sheet),
    )


def _effective(sheet: Sheet) -> Sentence:
    if sheet.effective is None:
        return say("papers.identity.undated")
    return say("papers.identity.in-force", day=sheet.effective)


def _approval_text(sheet: Sheet, paper: str) -> str:
    """The approval line; empty for a draft, which is marked in place of its effective date."""
    approval = current_approval(sheet, paper)
    if approval is None:
        draft = approval_status(sheet, paper) == "draft"
        return "" if draft else say("papers.identity.not-approved")
    status = approval_status(sheet, paper)
    return say("papers.identity.approved", status=status, day=approval.on)


def version_of(sheet: Sheet) -> str:
    """The version that the house names, or the effective date; a draft has neither date."""
    if sheet.filing and sheet.filing.version:
        return sheet.filing.version
    if approval_status(sheet) == "draft":
        return say("papers.identity.draft-version", hash=digest(sheet)[:8])
    return sheet.effective.isoformat() if sheet.effective else say("papers.identity.unversioned")


SHOWN = 12  # Of a hash: enough to tell sheets apart, and short enough to read out.


def furniture(paper: Paper) -> dict[str, object]:
    """The words that a page needs beside its content; `{page}` and `{pages}` are for the setter."""
    one = paper.identity
    return {
        "head": (one.venue, paper.title, one.effective),
        "foot": foot(paper),
        "legend": legend(),
        "page": say("papers.page", page="{page}", pages="{pages}"),
    }


def head(paper: Paper) -> tuple[str, ...]:
    """The running head: whose, what, since when."""
    one = paper.identity
    return one.venue, paper.title, one.effective


def foot(paper: Paper) -> tuple[str, ...]:
    """What every page carries at its foot."""
    one = paper.identity
    made_with = say("papers.foot.program", program=program())
    if one.lines:
        return *one.lines, made_with
    marks = {"sheet": one.sheet, "hash": one.hash[:SHOWN], "packet": one.packet[:SHOWN]}
    return (
        say("papers.foot.sheet", **marks),
        say("papers.foot.dates", effective=one.effective, approved=one.approved)
        if one.approved
        else one.effective,
        say("papers.foot.version", version=one.version),
        made_with,
        *((say("papers.foot.unread"),) if _cites_unread(paper) else ()),
    )


def subject(paper: Paper) -> str:
    """The subject in its file: the program, and the sheet with its full hashes."""
    one = paper.identity
    marks = {"sheet": one.sheet, "hash": one.hash, "packet": one.packet}
    return say("papers.foot.subject", program=program(), has_sheet=bool(one.sheet), **marks)


def _cites_unread(paper: Paper) -> bool:
    blocks = [block for section in paper.sections for block in section.blocks]
    blocks += [table for one in blocks if isinstance(one, SmallTables) for table in one.tables]
    return any(is_unread(clause) for one in blocks for clause in getattr(one, "clauses", ()))
