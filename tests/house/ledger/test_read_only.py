"""A copy that nobody may write to is read where it lies, and left as it was to the last file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir

import pytest
from tests.house.ledger.kit import NOTED, fill

from pitbook.errors import LedgerError
from pitbook.house.ledger import file_modes
from pitbook.house.ledger.folder import BOOK, Folder, open_read_only

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[bool], tuple[Path, Path]]:
    """The copy of a house and, in a folder beside it, of its book; or of a live one, with a log."""

    def made(live: bool) -> tuple[Path, Path]:
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
        for file in house.glob(f"{BOOK}*"):
            file.rename(vault / file.name)
        assert (vault / f"{BOOK}-wal").exists() is live
        return house, vault

    return made


def as_it_is(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Names, modes, times and contents; the folder's own time tells what came and went."""
    found = {one.name: (one.stat(), one.read_bytes()) for one in folder.iterdir()}
    kept = {name: (at.st_mode, at.st_mtime_ns, text) for name, (at, text) in found.items()}
    return kept | {".": (folder.stat().st_mode, folder.stat().st_mtime_ns, b"")}


@contextmanager
def locked(*folders: Path, files: int = 0o400) -> Iterator[None]:
    """Nobody may write; whatever happens in between leaves no trace."""
    for folder in folders:
        for file in folder.iterdir():
            if not file.is_symlink():
                file.chmod(files)
        folder.chmod(0o500)
    before = [as_it_is(one) for one in folders]
    try:
        yield
        assert [as_it_is(one) for one in folders] == before
    finally:
        for folder in folders:
            folder.chmod(0o700)


@pytest.mark.parametrize("live", [False, True])
def test_a_read_only_book_elsewhere_stays_as_it_is(
    copied: Callable[[bool], tuple[Path, Path]], live: bool
) -> None:
    house, vault = copied(live)
    with locked(house, vault), open_read_only(house, f"sqlite:///{vault / BOOK}") as seen:
        verdict = seen.verify()
        assert (verdict.findings, verdict.checkpoints, verdict.proved.since) == ((), 1, 2)
        assert seen.loose == ()


@pytest.mark.parametrize("live", [False, True])
def test_a_read_only_book_that_is_linked_to_is_read_with_its_log(
    copied: Callable[[bool], tuple[Path, Path]], live: bool
) -> None:
    house, vault = copied(live)
    (house / BOOK).symlink_to(vault / BOOK)
    with locked(house, vault), open_read_only(house) as seen:
        verdict = seen.verify()
        assert (verdict.findings, verdict.proved.since) == ((), 2)


def test_a_copy_of_the_folder_alone_does_not_make_a_book_elsewhere_one(
    copied: Callable[[bool], tuple[Path, Path]],
) -> None:
    house, vault = copied(False)
    with locked(house), open_read_only(house, f"sqlite:///{vault / BOOK}") as seen:
        assert (vault / f"{BOOK}-wal").exists()
        assert seen.verify().findings == ()


def test_others_may_read_a_copy_elsewhere_and_that_is_told(
    copied: Callable[[bool], tuple[Path, Path]],
) -> None:
    house, vault = copied(False)
    book = vault / BOOK
    with (
        locked(house),
        locked(vault, files=0o444),
        open_read_only(house, f"sqlite:///{book}") as seen,
    ):
        assert seen.loose == (book,)


@pytest.mark.long
def test_the_place_of_a_copy_with_a_log_is_open_to_its_owner_alone(
    copied: Callable[[bool], tuple[Path, Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    house, vault = copied(True)
    (house / BOOK).symlink_to(vault / BOOK)
    made, touch = list[Path](), file_modes.touch

    def seen_to(file: Path) -> None:
        made.append(file)
        touch(file)

    monkeypatch.setattr(file_modes, "touch", seen_to)
    before = os.umask(0o777)
    try:
        with locked(house, vault), open_read_only(house) as seen:
            assert seen.verify().findings == ()
            place = made[0].parent
            assert place.parent == Path(gettempdir())
            assert place.stat().st_mode & 0o777 == 0o700
            assert {one.stat().st_mode & 0o777 for one in place.iterdir()} == {0o600}
    finally:
        os.umask(before)
    assert not place.exists()


def test_a_folder_without_a_book_is_no_copy(tmp_path: Path) -> None:
    Folder.make(tmp_path / "house").close()
    (tmp_path / "house" / BOOK).unlink()
    with pytest.raises(LedgerError, match="it has no book"), open_read_only(tmp_path / "house"):
        pass
