"""Whose signatures count: the house's, by its keys or as the anchor has it, and one key's alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.house.ledger.kit import ANN, NOTED, buy_in, fill

from pitbook.errors import LedgerError
from pitbook.house.ledger import checkpoints
from pitbook.house.ledger.anchors import AnchoredCheckpoint, anchor_at, key_of
from pitbook.house.ledger.audit import BookVerdict, verify
from pitbook.house.ledger.checkpoints import CheckpointFile, read_checkpoints
from pitbook.house.ledger.folder import CHECKPOINTS, Folder, book_url, verified
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.keys import fresh_keys
from pitbook.house.ledger.writer import utc_now

pytestmark = pytest.mark.long


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A house that signed twice, told the anchor, and was not closed."""
    path = tmp_path / "house"
    with Folder.make(path) as folder:
        fill(folder.anchored_at(str(tmp_path / "notary")).ledger)
        folder.sign()
        folder.sign()
    return path


def known(house: Path) -> list[AnchoredCheckpoint]:
    return anchor_at(str(house.parent / "notary"), house).read()


def forge(house: Path, *, anew: bool = False) -> str:
    """Money that nobody brought, signed with a key of the forger's own."""
    if anew:
        (house / CHECKPOINTS).unlink()
    keys, file = fresh_keys(), CheckpointFile(house / CHECKPOINTS)
    with Ledger.open(book_url(house, None)) as ledger:
        epoch = ledger.claim("table-2")
        ledger.append("table-2", epoch, [NOTED], [buy_in(ANN, 5_000_000)])
        instead = checkpoints.replaced_file(ledger, file.last)
        _, place = file.add(ledger.streams(), keys, at=utc_now().isoformat())
        checkpoints.note_checkpoint(ledger, place, keys.public, instead)
    return keys.public


def test_second_key_signs_nothing_in_a_ledger_that_was_signed(house: Path) -> None:
    with (
        Folder(house, fresh_keys(), Ledger.open(book_url(house, None))) as folder,
        pytest.raises(LedgerError, match="the ledger is signed with another key"),
    ):
        folder.sign()
    assert seen(house, known(house)).findings == ()


def seen(
    house: Path, anchored: list[AnchoredCheckpoint] | None, copy: Path | None = None
) -> BookVerdict:
    """What an auditor without any keys is told."""
    with Ledger.open(book_url(house, None)) as ledger:
        return verified(ledger, house, copy, anchored=anchored)


@pytest.mark.parametrize("copied", [False, True])
def test_without_keys_the_anchor_s_key_is_the_house_s(house: Path, copied: bool) -> None:
    copy = house / CHECKPOINTS if copied else None
    assert seen(house, known(house), copy).findings == ()
    other = forge(house)
    last = read_checkpoints(house / CHECKPOINTS)[-1]
    verdict = seen(house, known(house), copy)
    assert [str(one) for one in verdict.findings] == [
        f"the checkpoint of {last.at}: it is signed by {other}, not by the house's key"
    ]
    assert verdict.proved.at == read_checkpoints(house / CHECKPOINTS)[1].at
    left = [(one.stream, one.entries) for one in verdict.proved.open]
    assert left == [("checkpoints", 1), ("table-2", 2)]  # Nor does it prove the book's note of it.


@pytest.mark.parametrize("asked", [False, True])
def test_two_keys_are_a_finding_whoever_has_neither(house: Path, asked: bool) -> None:
    own = read_checkpoints(house / CHECKPOINTS)[0].key
    other = forge(house)
    signed = read_checkpoints(house / CHECKPOINTS)
    told = f"it is signed by {other}, and those before it by {own}"
    with Ledger.open(book_url(house, None)) as ledger:
        verdict = verify(ledger, signed, anchored=known(house) if asked else None)
    assert [str(one) for one in verdict.findings] == [f"the checkpoint of {signed[-1].at}: {told}"]
    assert (verdict.proved.at, verdict.proved.key) == (signed[1].at, own)


def test_checkpoints_that_are_all_by_another_key_prove_nothing(house: Path) -> None:
    forge(house, anew=True)
    verdict = seen(house, known(house))
    assert "not by the house's key" in str(verdict.findings[0])
    assert "the anchor knows 2, " in str(verdict.findings[-1])
    assert (verdict.proved.at, verdict.proved.key) == (None, None)


def test_an_anchor_of_several_houses_tells_each_its_key(house: Path) -> None:
    own = known(house)
    another = [one._replace(key="0" * 64, chain="1" * 64) for one in own]
    signed = read_checkpoints(house / CHECKPOINTS)
    assert key_of([*own, *another], signed) == own[0].key
    assert key_of(another, signed) == "0" * 64
    assert key_of(another, ()) == "0" * 64
    assert key_of([], signed) is None
    assert key_of(None, signed) is None
    assert seen(house, [*own, *another]).findings == ()
    assert seen(house, [*own, *another], house / CHECKPOINTS).findings == ()


def test_the_anchor_tells_another_file_and_another_checkpoint(house: Path) -> None:
    own, signed = known(house), read_checkpoints(house / CHECKPOINTS)
    others = [one._replace(chain="1" * 64) for one in own]
    at = own[-1].at
    assert [one.what for one in seen(house, others).findings] == [
        f"the anchor knows others, the last of {at}"
    ]
    another = [own[0], own[1]._replace(hash="1" * 64)]
    assert [one.what for one in seen(house, another).findings] == [
        f"the anchor knows another checkpoint 2, of {at}"
    ]
    assert signed[-1].at == at
