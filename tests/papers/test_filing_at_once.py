"""Two builds into one folder at once leave the packet of one of them, whole."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from threading import Thread

import pytest
from tests.papers.read_back import sheet_of

from pitbook.papers import packet as filing
from pitbook.papers.packet import HearDone, PaperOrder, build, kept_as, listed, written
from pitbook.sheets.model import Sheet

DAY = date(2026, 11, 17)


def drawn(_sheet: Sheet, asked: PaperOrder, _done: HearDone) -> dict[str, bytes]:
    """Papers that tell no more than their size: how they are drawn is not asked here."""
    return {f"{name}.pdf": asked.size.encode() for name in ("layout", "rules", "sign")}


@pytest.mark.long
def test_papers_of_two_builds_at_once_are_not_mixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = sheet_of("classic/casino-war")
    other = Thread(target=build, args=(sheet, tmp_path, PaperOrder(size="a4")), kwargs={"on": DAY})

    def then_the_other(path: Path, content: bytes) -> None:
        written(path, content)
        if not other.ident:  # Once, between the first build's first paper and its second.
            other.start()
            other.join(timeout=0.3)

    monkeypatch.setattr(filing, "_made", drawn)
    monkeypatch.setattr(filing, "written", then_the_other)
    build(sheet, tmp_path, PaperOrder(), on=DAY)
    other.join()
    current = listed(tmp_path)["current"]
    assert set(kept_as(tmp_path, current).values()) == {"kept"}
    assert {one.read_bytes() for one in tmp_path.glob("*.pdf")} == {b"a4"}
