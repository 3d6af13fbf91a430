"""A superseded version stays unchanged, even if a build is interrupted or reverted."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from tests.printing.pdf_reader import sheet_of

from pitbook.errors import PitbookError
from pitbook.printing import packet as filing
from pitbook.printing.packet import (
    PaperOrder,
    ProgressCallback,
    build,
    file_states,
    load_index,
    write_file,
)
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.hashes import packet_digest
from pitbook.sheets.model import Sheet

DAY = date(2026, 11, 17)
OLD = sheet_of("classic/casino-war")
NEW = change_sheet(OLD, {"ante.max": "200"})


@pytest.fixture(autouse=True)
def _fake_typesetting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fake papers contain only their sheet and page size; typesetting is not tested here."""

    def fake_pdfs(sheet: Sheet, order: PaperOrder, _done: ProgressCallback) -> dict[str, bytes]:
        content = f"{packet_digest(sheet)} {order.size}".encode()
        return {f"{name}.pdf": content for name in ("layout", "rules", "sign")}

    monkeypatch.setattr(filing, "_make_files", fake_pdfs)


@pytest.mark.parametrize("papers", range(4))
@pytest.mark.parametrize("stop", [KeyboardInterrupt(), PitbookError("full")])
def test_interrupted_build_loses_no_earlier_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, papers: int, stop: BaseException
) -> None:
    build(OLD, tmp_path, PaperOrder(), on=DAY)
    remaining = [papers]

    def write_until_stop(path: Path, content: bytes) -> None:
        if path.suffix == ".pdf" and not remaining[0]:
            raise stop
        remaining[0] -= path.suffix == ".pdf"
        write_file(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(filing, "write_file", write_until_stop)
        if papers < 3:
            with pytest.raises(type(stop)):
                build(NEW, tmp_path, PaperOrder(), on=DAY)
            (superseded,) = load_index(tmp_path)["superseded"]
            assert set(file_states(tmp_path, superseded).values()) == {"kept"}
    for _ in range(2):
        (superseded,) = build(NEW, tmp_path, PaperOrder(), on=DAY)["superseded"]
        assert set(file_states(tmp_path, superseded).values()) == {"kept"}
    current = load_index(tmp_path)["current"]
    assert set(file_states(tmp_path, current).values()) == {"kept"}


def test_returning_version_does_not_overwrite_its_first_papers(
    tmp_path: Path,
) -> None:
    build(OLD, tmp_path, PaperOrder(), on=DAY)
    build(NEW, tmp_path, PaperOrder(), on=DAY)
    build(OLD, tmp_path, PaperOrder(size="a4"), on=DAY)
    superseded = build(NEW, tmp_path, PaperOrder(), on=DAY)["superseded"]
    assert len({version["folder"] for version in superseded}) == 3
    assert {
        state for version in superseded for state in file_states(tmp_path, version).values()
    } == {"kept"}


def test_folder_with_only_superseded_papers_belongs_to_its_sheet(tmp_path: Path) -> None:
    build(OLD, tmp_path, PaperOrder(), on=DAY)
    index = load_index(tmp_path)
    filing._archive_current(tmp_path, index, DAY)
    with pytest.raises(PitbookError, match="has papers of classic/casino-war"):
        build(sheet_of("classic/caribbean-stud"), tmp_path, PaperOrder(), on=DAY)
