"""Read-only copies are read in place and not changed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir

import pytest
from tests.house.ledger.kit import NOTED, fill

from pitbook import private_files
from pitbook.errors import LedgerError
from pitbook.house.ledger.data_folder import LEDGER_FILE, Folder, open_read_only

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


@pytest.fixture
def make_copy_of_house(tmp_path: Path) -> Callable[[bool], tuple[Path, Path]]:
    """Make a copy of a folder and of its ledger elsewhere; a live one has a log."""

    def make_copy(live: bool) -> tuple[Path, Path]:
        with Folder.make(tmp_path / "live") as folder:
            fill(folder.ledger)
            folder.sign()
            folder.ledger.append("table-2", folder.ledger.claim("table-2"), [NOTED])
            if live:
                shutil.copytree(tmp_path / "live", tmp_path / "house")
        if not live:
            shutil.copytree(tmp_path / "live", tmp_path / "house")
        house, vault = tmp_path / "house", tmp_path / "vault"
        vault.mkdir(0o700)
        for file in house.glob(f"{LEDGER_FILE}*"):
            file.rename(vault / file.name)
        assert (vault / f"{LEDGER_FILE}-wal").exists() is live
        return house, vault

    return make_copy


def as_it_is(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Names, modes, times and contents of a folder."""
    files = {path.name: (path.stat(), path.read_bytes()) for path in folder.iterdir()}
    stats = {name: (at.st_mode, at.st_mtime_ns, text) for name, (at, text) in files.items()}
    return stats | {".": (folder.stat().st_mode, folder.stat().st_mtime_ns, b"")}


@contextmanager
def make_read_only(*folders: Path, files: int = 0o400) -> Iterator[None]:
    """Make folders read-only and check that nothing changes."""
    for folder in folders:
        for file in folder.iterdir():
            if not file.is_symlink():
                file.chmod(files)
        folder.chmod(0o500)
    before = [as_it_is(folder) for folder in folders]
    try:
        yield
        assert [as_it_is(folder) for folder in folders] == before
    finally:
        for folder in folders:
            folder.chmod(0o700)


@pytest.mark.parametrize("live", [False, True])
def test_read_only_external_ledger_is_not_changed(
    make_copy_of_house: Callable[[bool], tuple[Path, Path]], live: bool
) -> None:
    house, vault = make_copy_of_house(live)
    with (
        make_read_only(house, vault),
        open_read_only(house, f"sqlite:///{vault / LEDGER_FILE}") as read_only,
    ):
        verdict = read_only.verify()
        assert (verdict.findings, verdict.checkpoints, verdict.proved.unsigned_entries) == (
            (),
            1,
            2,
        )
        assert read_only.loose_files == ()


@pytest.mark.parametrize("live", [False, True])
def test_linked_read_only_ledger_is_read_with_its_log(
    make_copy_of_house: Callable[[bool], tuple[Path, Path]], live: bool
) -> None:
    house, vault = make_copy_of_house(live)
    (house / LEDGER_FILE).symlink_to(vault / LEDGER_FILE)
    with make_read_only(house, vault), open_read_only(house) as read_only:
        verdict = read_only.verify()
        assert (verdict.findings, verdict.proved.unsigned_entries) == ((), 2)


def test_folder_copy_does_not_make_an_external_ledger_a_copy(
    make_copy_of_house: Callable[[bool], tuple[Path, Path]],
) -> None:
    house, vault = make_copy_of_house(False)
    with (
        make_read_only(house),
        open_read_only(house, f"sqlite:///{vault / LEDGER_FILE}") as read_only,
    ):
        assert (vault / f"{LEDGER_FILE}-wal").exists()
        assert read_only.verify().findings == ()


def test_copy_readable_by_others_is_accepted_and_reported(
    make_copy_of_house: Callable[[bool], tuple[Path, Path]],
) -> None:
    house, vault = make_copy_of_house(False)
    book = vault / LEDGER_FILE
    with (
        make_read_only(house),
        make_read_only(vault, files=0o444),
        open_read_only(house, f"sqlite:///{book}") as read_only,
    ):
        assert read_only.loose_files == (book,)


@pytest.mark.long
def test_temporary_copy_with_a_log_is_private(
    make_copy_of_house: Callable[[bool], tuple[Path, Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    house, vault = make_copy_of_house(True)
    (house / LEDGER_FILE).symlink_to(vault / LEDGER_FILE)
    touched, touch = list[Path](), private_files.touch

    def seen_to(file: Path) -> None:
        touched.append(file)
        touch(file)

    monkeypatch.setattr(private_files, "touch", seen_to)
    before = os.umask(0o777)
    try:
        with make_read_only(house, vault), open_read_only(house) as read_only:
            assert read_only.verify().findings == ()
            place = touched[0].parent
            assert place.parent == Path(gettempdir())
            assert place.stat().st_mode & 0o777 == 0o700
            assert {path.stat().st_mode & 0o777 for path in place.iterdir()} == {0o600}
    finally:
        os.umask(before)
    assert not place.exists()


def test_folder_without_a_ledger_is_not_a_copy(tmp_path: Path) -> None:
    Folder.make(tmp_path / "house").close()
    (tmp_path / "house" / LEDGER_FILE).unlink()
    with (
        pytest.raises(LedgerError, match="Name its server with --database"),
        open_read_only(tmp_path / "house"),
    ):
        pass
