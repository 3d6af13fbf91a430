"""Which signing key counts: the folder's, the anchor's, or the first checkpoint's."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.house.ledger.kit import ANN, NOTED, buy_in, fill

from pitbook.errors import LedgerError
from pitbook.house.ledger import checkpoints
from pitbook.house.ledger.anchors import AnchoredCheckpoint, anchor_at, anchored_key
from pitbook.house.ledger.audit import LedgerVerdict, verify
from pitbook.house.ledger.checkpoints import CheckpointFile, read_checkpoints
from pitbook.house.ledger.data_folder import CHECKPOINTS_FILE, Folder, ledger_url, verify_folder
from pitbook.house.ledger.keys import generate_keys
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.writer import utc_now

pytestmark = pytest.mark.long


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A folder with two checkpoints and an anchor, not closed."""
    path = tmp_path / "house"
    with Folder.make(path) as folder:
        fill(folder.use_anchor(str(tmp_path / "notary")).ledger)
        folder.sign()
        folder.sign()
    return path


def read_anchor(house: Path) -> list[AnchoredCheckpoint]:
    return anchor_at(str(house.parent / "notary"), house).read()


def forge(house: Path, *, anew: bool = False) -> str:
    """Add forged entries and sign them with another key."""
    if anew:
        (house / CHECKPOINTS_FILE).unlink()
    keys, file = generate_keys(), CheckpointFile(house / CHECKPOINTS_FILE)
    with Ledger.open(ledger_url(house, None)) as ledger:
        epoch = ledger.claim("table-2")
        ledger.append("table-2", epoch, [NOTED], [buy_in(ANN, 5_000_000)])
        instead = checkpoints.replaced_file(ledger, file.last)
        _, place = file.add(ledger.streams(), keys, at=utc_now().isoformat())
        checkpoints.note_checkpoint(ledger, place, keys.public, instead)
    return keys.public


def test_second_key_cannot_sign_a_signed_ledger(house: Path) -> None:
    with (
        Folder(house, generate_keys(), Ledger.open(ledger_url(house, None))) as folder,
        pytest.raises(LedgerError, match="the ledger is signed with another key"),
    ):
        folder.sign()
    assert verify_without_keys(house, read_anchor(house)).findings == ()


def verify_without_keys(
    house: Path, anchored: list[AnchoredCheckpoint] | None, copy: Path | None = None
) -> LedgerVerdict:
    """The verdict of an auditor without keys."""
    with Ledger.open(ledger_url(house, None)) as ledger:
        return verify_folder(ledger, house, copy, anchored=anchored)


@pytest.mark.parametrize("copied", [False, True])
def test_without_keys_the_anchors_key_is_used(house: Path, copied: bool) -> None:
    copy = house / CHECKPOINTS_FILE if copied else None
    assert verify_without_keys(house, read_anchor(house), copy).findings == ()
    other = forge(house)
    last = read_checkpoints(house / CHECKPOINTS_FILE)[-1]
    verdict = verify_without_keys(house, read_anchor(house), copy)
    assert [str(finding) for finding in verdict.findings] == [
        f"the checkpoint of {last.at}: it is signed with key {other}, not with this casino's key"
    ]
    assert verdict.proved.at == read_checkpoints(house / CHECKPOINTS_FILE)[1].at
    left = [(tail.stream, tail.entries) for tail in verdict.proved.open]
    assert left == [("checkpoints", 1), ("table-2", 2)]  # Nor does it prove the book's note of it.


@pytest.mark.parametrize("with_anchor", [False, True])
def test_checkpoints_by_two_keys_are_a_finding_without_keys(house: Path, with_anchor: bool) -> None:
    first_key = read_checkpoints(house / CHECKPOINTS_FILE)[0].key
    other = forge(house)
    signed = read_checkpoints(house / CHECKPOINTS_FILE)
    message = f"it is signed with key {other}, earlier ones with {first_key}"
    with Ledger.open(ledger_url(house, None)) as ledger:
        verdict = verify(ledger, signed, anchored=read_anchor(house) if with_anchor else None)
    assert [str(finding) for finding in verdict.findings] == [
        f"the checkpoint of {signed[-1].at}: {message}"
    ]
    assert (verdict.proved.at, verdict.proved.key) == (signed[1].at, first_key)


def test_checkpoints_by_another_key_prove_nothing(house: Path) -> None:
    forge(house, anew=True)
    verdict = verify_without_keys(house, read_anchor(house))
    assert "not with this casino's key" in str(verdict.findings[0])
    assert "the anchor has 2 checkpoints, " in str(verdict.findings[-1])
    assert (verdict.proved.at, verdict.proved.key) == (None, None)


def test_shared_anchor_gives_each_house_its_key(house: Path) -> None:
    anchored = read_anchor(house)
    another = [checkpoint._replace(key="0" * 64, chain="1" * 64) for checkpoint in anchored]
    signed = read_checkpoints(house / CHECKPOINTS_FILE)
    assert anchored_key([*anchored, *another], signed) == anchored[0].key
    assert anchored_key(another, signed) == "0" * 64
    assert anchored_key(another, ()) == "0" * 64
    assert anchored_key([], signed) is None
    assert anchored_key(None, signed) is None
    assert verify_without_keys(house, [*anchored, *another]).findings == ()
    assert (
        verify_without_keys(house, [*anchored, *another], house / CHECKPOINTS_FILE).findings == ()
    )


def test_anchor_finds_another_file_and_another_checkpoint(house: Path) -> None:
    anchored, signed = read_anchor(house), read_checkpoints(house / CHECKPOINTS_FILE)
    others = [checkpoint._replace(chain="1" * 64) for checkpoint in anchored]
    at = anchored[-1].at
    assert [finding.what for finding in verify_without_keys(house, others).findings] == [
        f"the anchor has different checkpoints, the last at {at}"
    ]
    another = [anchored[0], anchored[1]._replace(hash="1" * 64)]
    assert [finding.what for finding in verify_without_keys(house, another).findings] == [
        f"checkpoint 2 of {at} differs from the one in the anchor"
    ]
    assert signed[-1].at == at
