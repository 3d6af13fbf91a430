"""Texts on every page of a paper: sheet, version and approval, running head, foot and legend."""

from __future__ import annotations

from pitbook.printing.content import Identity, Paper, SmallTables
from pitbook.printing.pdf_file import program
from pitbook.sheets.assumptions import legend
from pitbook.sheets.clauses import is_unread
from pitbook.sheets.hashes import approval_status, current_approval, digest, packet_digest
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say


def identity(sheet: Sheet, paper: str) -> Identity:
    """The sheet's identity as a paper shows it."""
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
    """The casino's version name or the effective date; a draft is named by its hash."""
    if sheet.filing and sheet.filing.version:
        return sheet.filing.version
    if approval_status(sheet) == "draft":
        return say("papers.identity.draft-version", hash=digest(sheet)[:8])
    return sheet.effective.isoformat() if sheet.effective else say("papers.identity.unversioned")


HASH_DIGITS = 12  # Digits of a hash: enough to tell sheets apart, and short enough to read aloud.


def page_texts(paper: Paper) -> dict[str, object]:
    """Texts that surround a page's content; typesetting fills in `{page}` and `{pages}`."""
    identity = paper.identity
    return {
        "head": (identity.venue, paper.title, identity.effective),
        "foot": foot(paper),
        "legend": legend(),
        "page": say("papers.page", page="{page}", pages="{pages}"),
    }


def head(paper: Paper) -> tuple[str, ...]:
    """The running head: venue, title and effective date."""
    identity = paper.identity
    return identity.venue, paper.title, identity.effective


GUEST_SHAPES = ("rack", "wallet")  # Their hashes are in the file alone.


def foot(paper: Paper) -> tuple[str, ...]:
    """The foot of every page."""
    identity = paper.identity
    made_with = say("papers.foot.program", program=program())
    if identity.lines:
        return *identity.lines, made_with
    marks = {
        "sheet": identity.sheet,
        "hash": identity.hash[:HASH_DIGITS],
        "packet": identity.packet[:HASH_DIGITS],
    }
    return (
        *((say("papers.foot.sheet", **marks),) if paper.shape not in GUEST_SHAPES else ()),
        say("papers.foot.dates", effective=identity.effective, approved=identity.approved)
        if identity.approved
        else identity.effective,
        say("papers.foot.version", version=identity.version),
        made_with,
        *((say("papers.foot.unread"),) if any(map(is_unread, _cited_clauses(paper))) else ()),
        *((say("papers.foot.general"),) if _cites_general_rules(paper) else ()),
    )


def subject(paper: Paper) -> str:
    """The subject in the file's metadata: the program, and the sheet with its full hashes."""
    identity = paper.identity
    marks = {"sheet": identity.sheet, "hash": identity.hash, "packet": identity.packet}
    return say("papers.foot.subject", program=program(), has_sheet=bool(identity.sheet), **marks)


def _cites_general_rules(paper: Paper) -> bool:
    """Whether a paper without an annex of its own cites a general rule."""
    annexed = any(section.key == "annex" for section in paper.sections)
    return not annexed and any(clause.startswith("GEN-") for clause in _cited_clauses(paper))


def _cited_clauses(paper: Paper) -> list[str]:
    """Every clause that a paper cites."""
    blocks = [block for section in paper.sections for block in section.blocks]
    blocks += [
        table for block in blocks if isinstance(block, SmallTables) for table in block.tables
    ]
    return [clause for block in blocks for clause in getattr(block, "clauses", ())]
