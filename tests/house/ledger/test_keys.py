"""Private key files and signatures."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from tests.house.ledger.kit import case_ids, refusal_of

from pitbook.errors import LedgerError
from pitbook.house.ledger.keys import Keys, generate_keys, is_signed_by, read_keys, write_keys

KEYS = Keys(bytes(range(32)), bytes(range(32, 64)))
# RFC 8032, 7.1, test 1: the empty message.
RFC = Keys(
    bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"), bytes(32)
)
RFC_PUBLIC = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
RFC_SIGNATURE = (
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
    "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
)


def test_published_signature_is_unchanged() -> None:
    assert RFC.public == RFC_PUBLIC
    assert RFC.sign("") == RFC_SIGNATURE
    assert is_signed_by(RFC_PUBLIC, "", RFC_SIGNATURE)


def test_signature_is_bound_to_message_and_key() -> None:
    signature = KEYS.sign("é")
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(KEYS.public)).verify(
        bytes.fromhex(signature), "é".encode()
    )
    assert is_signed_by(KEYS.public, "é", signature)
    assert not is_signed_by(KEYS.public, "e", signature)
    assert not is_signed_by(RFC_PUBLIC, "é", signature)
    assert not is_signed_by(KEYS.public, "é", RFC_SIGNATURE)


@pytest.mark.parametrize("text", ["", "zz", "00", "é", "00" * 31, "00" * 65], ids=case_ids())
def test_invalid_key_or_signature_is_rejected(text: str) -> None:
    assert not is_signed_by(text, "a", KEYS.sign("a"))
    assert not is_signed_by(KEYS.public, "a", text)


def test_new_keys_are_two_random_secrets() -> None:
    key_secrets = [secret for _ in range(3) for secret in generate_keys()]
    assert len(set(key_secrets)) == 6
    assert {len(secret) for secret in key_secrets} == {32}


def test_key_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    before = os.umask(0)
    try:
        write_keys(file, KEYS)
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == 0o600
    assert read_keys(file) == KEYS
    assert json.loads(file.read_text()) == {
        "format": 1,
        "signing": KEYS.signing.hex(),
        "sealing": KEYS.sealing.hex(),
    }


def test_keys_are_private_even_with_umask_777(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    before = os.umask(0o777)
    try:
        write_keys(file, KEYS)
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == 0o600


def test_keys_are_synced_before_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, synced = tmp_path / "keys.json", list[str]()
    monkeypatch.setattr("os.fsync", lambda _: synced.append(file.read_text()))
    write_keys(file, KEYS)
    assert synced == [file.read_text()]


def test_keys_are_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    write_keys(file, KEYS)
    with pytest.raises(FileExistsError):
        write_keys(file, generate_keys())
    assert read_keys(file) == KEYS


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o610, 0o601, 0o620, 0o602, 0o644, 0o777])
def test_key_file_readable_by_others_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "keys.json"
    write_keys(file, KEYS)
    file.chmod(mode)
    assert refusal_of(read_keys, file) == (
        LedgerError,
        f"{file}: other users can read the keys. Run chmod 600 {file}",
    )
    file.chmod(0o400)
    assert read_keys(file) == KEYS


def test_file_modes_are_ignored_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "keys.json"
    write_keys(file, KEYS)
    file.chmod(0o644)
    monkeypatch.setattr("pitbook.house.ledger.keys.os.name", "nt")
    assert read_keys(file) == KEYS


NO_KEY: list[Any] = ["zz", 5, None, [], "abc"]
GOOD: dict[str, Any] = {"format": 1, "signing": "ab" * 32, "sealing": "cd" * 32}


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "[]", "5", "null", '"text"', "\ud800"),
        *(json.dumps({k: v for k, v in GOOD.items() if k != left}) for left in GOOD),
        json.dumps({**GOOD, "more": 1}),
        *(json.dumps({**GOOD, "format": other}) for other in (0, 2, "1", None)),
        *(json.dumps({**GOOD, "signing": other}) for other in NO_KEY),
        *(json.dumps({**GOOD, "sealing": other}) for other in NO_KEY),
    ],
    ids=case_ids(),
)
def test_malformed_key_file_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "keys.json"
    file.write_text(content, encoding="utf-8", errors="surrogatepass")
    file.chmod(0o600)
    assert refusal_of(read_keys, file) == (LedgerError, f"{file}: not a key file of format 1.")


@pytest.mark.parametrize("field", ["signing", "sealing"])
@pytest.mark.parametrize("length", [0, 31, 33])
def test_keys_of_another_length_are_refused(tmp_path: Path, field: str, length: int) -> None:
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({**GOOD, field: "ab" * length}))
    file.chmod(0o600)
    assert refusal_of(read_keys, file) == (LedgerError, f"{file}: both keys must be 32 bytes long.")
