"""A version that was superseded stays as it was, also where a build is cut short or undone."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from tests.papers.read_back import sheet_of

from pitbook.errors import PitbookError
from pitbook.papers import packet as filing
from pitbook.papers.packet import HearDone, PaperOrder, build, kept_as, listed, written
from pitbook.sheets.digest import packet_digest
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.model import Sheet

DAY = date(2026, 11, 17)
OLD = sheet_of("classic/casino-war")
NEW = change_sheet(OLD, {"ante.max": "200"})


@pytest.fixture(autouse=True)
def _drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Papers tell which sheet they are of and in which size; how they are drawn is not asked."""

    def drawn(sheet: Sheet, asked: PaperOrder, _done: HearDone) -> dict[str, bytes]:
        told = f"{packet_digest(sheet)} {asked.size}".encode()
        return {f"{name}.pdf": told for name in ("layout", "rules", "sign")}

    monkeypatch.setattr(filing, "_made", drawn)


@pytest.mark.parametrize("papers", range(4))
@pytest.mark.parametrize("stop", [KeyboardInterrupt(), PitbookError("full")])
def test_a_build_that_is_cut_short_loses_no_earlier_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, papers: int, stop: BaseException
) -> None:
    build(OLD, tmp_path, PaperOrder(), on=DAY)
    left = [papers]

    def until(path: Path, content: bytes) -> None:
        if path.suffix == ".pdf" and not left[0]:
            raise stop
        left[0] -= path.suffix == ".pdf"
        written(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(filing, "written", until)
        if papers < 3:
            with pytest.raises(type(stop)):
                build(NEW, tmp_path, PaperOrder(), on=DAY)
            (kept,) = listed(tmp_path)["superseded"]
            assert set(kept_as(tmp_path, kept).values()) == {"kept"}
    for _ in range(2):
        (kept,) = build(NEW, tmp_path, PaperOrder(), on=DAY)["superseded"]
        assert set(kept_as(tmp_path, kept).values()) == {"kept"}
    current = listed(tmp_path)["current"]
    assert set(kept_as(tmp_path, current).values()) == {"kept"}


def test_a_version_that_comes_back_does_not_take_the_place_of_its_first_papers(
    tmp_path: Path,
) -> None:
    build(OLD, tmp_path, PaperOrder(), on=DAY)
    build(NEW, tmp_path, PaperOrder(), on=DAY)
    build(OLD, tmp_path, PaperOrder(size="a4"), on=DAY)
    found = build(NEW, tmp_path, PaperOrder(), on=DAY)["superseded"]
    assert len({one["folder"] for one in found}) == 3
    assert {how for one in found for how in kept_as(tmp_path, one).values()} == {"kept"}


def test_a_folder_of_superseded_papers_alone_is_its_sheets_own(tmp_path: Path) -> None:
    build(OLD, tmp_path, PaperOrder(), on=DAY)
    index = listed(tmp_path)
    filing._set_aside(tmp_path, index, DAY)
    with pytest.raises(PitbookError, match="holds papers of classic/casino-war"):
        build(sheet_of("classic/caribbean-stud"), tmp_path, PaperOrder(), on=DAY)
