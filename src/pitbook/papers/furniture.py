"""What stands around a paper's content: running head, foot, and the words of its parts."""

from __future__ import annotations

from pitbook.papers.assumptions import legend
from pitbook.papers.content import Paper, SmallTables
from pitbook.papers.pdf_file import program
from pitbook.sheets.clauses import is_unread
from pitbook.text import say

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
