"""A ledger file outside the folder is checked like one inside."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from pitbook.errors import LedgerError
from pitbook.house.ledger.data_folder import Folder, open_read_only, restore_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


@pytest.fixture
def sqlite_ledger(tmp_path: Path) -> Path:
    """A ledger next to its folder, in a public folder."""
    path = tmp_path / "a book.db"
    before = os.umask(0)
    try:
        Folder.make(tmp_path / "house", f"sqlite:///{path}").close()
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    return path


@pytest.mark.long
@pytest.mark.parametrize("end", ["", "-wal", "-journal"])
@pytest.mark.parametrize("loose", [0o604, 0o640, 0o666])
def test_open_external_ledger_is_refused_with_the_chmod_command(
    tmp_path: Path, sqlite_ledger: Path, loose: int, end: str
) -> None:
    house, url = tmp_path / "house", f"sqlite:///{sqlite_ledger}"
    file = Path(f"{sqlite_ledger}{end}")
    file.touch()
    file.chmod(loose)
    mended = f"other users can read the casino's data. Run chmod 600 {shlex.quote(str(file))}"
    with pytest.raises(LedgerError) as error:
        Folder.open(house, url)
    assert str(error.value).endswith(mended)
    with pytest.raises(LedgerError), open_read_only(house, url, "00" * 32):
        pass
    file.chmod(0o600)
    Folder.open(house, url).close()


def test_restore_into_an_open_folder_is_refused(tmp_path: Path, sqlite_ledger: Path) -> None:
    with Folder.open(tmp_path / "house", f"sqlite:///{sqlite_ledger}") as folder:
        folder.back_up(tmp_path / "monday.zip", with_keys=True)
    other = tmp_path / "other.db"
    other.touch(0o644)
    other.chmod(0o644)
    with pytest.raises(LedgerError, match="chmod 600"):
        restore_folder(tmp_path / "monday.zip", tmp_path / "again", f"sqlite:///{other}")
    assert other.stat().st_size == 0
