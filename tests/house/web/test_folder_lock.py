"""One process per folder: the lock ends with its process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pitbook.errors import LedgerError
from pitbook.house.ledger.locks import LOCK, FolderLock


def test_folder_is_locked_by_one_process(tmp_path: Path) -> None:
    with FolderLock(tmp_path):
        with pytest.raises(LedgerError, match=r"a server \(process \d+\) already uses this folder"):
            FolderLock(tmp_path).__enter__()
        assert (tmp_path / LOCK).read_text().strip().isdigit()
    with FolderLock(tmp_path):
        pass
    FolderLock(tmp_path).__exit__()


HOLD = "import sys; from pathlib import Path; from pitbook.house.ledger.locks import FolderLock\n"


HOLD += "with FolderLock(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"


@pytest.mark.long
def test_dead_process_releases_the_folder(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(LedgerError, match=rf"\(process {holder.pid}\)"):
            FolderLock(tmp_path).__enter__()
        holder.kill()
    with FolderLock(tmp_path):
        pass
