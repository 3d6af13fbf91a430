"""A seal opens only with its secret, for its shoe, and unchanged."""

from __future__ import annotations

import pytest

from pitbook.errors import ShoeError
from pitbook.shoe.crypto import Vault

SECRET = bytes(range(32))
SENTENCE = (
    'The seal of "shoe 1" does not open. Either the key file is not the one that sealed it, '
    "or the record was changed."
)


def test_sealed_bytes_can_be_unsealed() -> None:
    for plain in (b"", b"seed", bytes(1000)):
        sealed = Vault(SECRET).seal(plain, "shoe 1")
        assert sealed.isascii()
        assert Vault(SECRET).unseal(sealed, "shoe 1") == plain


def test_a_seal_of_the_first_format_opens_for_ever() -> None:
    assert Vault(SECRET).unseal(STORED_SEAL, "shoe 1") == b"a seed of thirty-two bytes, kept"


STORED_SEAL = (
    "1.054f77f0c0f0a84db37237cec201acb0dded4b45175be2b9f8621e50739ca20ca76a"
    "044426489ff1ab67d790b8bf9c641ce5a20f36a7f1380fafe824"
)


def test_no_two_seals_are_alike() -> None:
    vault = Vault(SECRET)
    assert len({vault.seal(b"seed", "shoe 1") for _ in range(100)}) == 100


def test_a_seal_does_not_show_what_it_holds() -> None:
    assert b"seed".hex() not in Vault(SECRET).seal(b"seed" * 8, "shoe 1")


def error_of_unsealing(vault: Vault, sealed: str) -> str:
    with pytest.raises(ShoeError) as error:
        vault.unseal(sealed, "shoe 1")
    return str(error.value)


def test_another_secret_or_another_shoe_does_not_open_it() -> None:
    vault = Vault(SECRET)
    assert error_of_unsealing(Vault(SECRET[::-1]), vault.seal(b"seed", "shoe 1")) == SENTENCE
    assert error_of_unsealing(vault, vault.seal(b"seed", "shoe 2")) == SENTENCE


def test_any_changed_character_is_detected() -> None:
    vault = Vault(SECRET)
    sealed = vault.seal(b"seed", "shoe 1")
    changed = [
        sealed[:at] + other + sealed[at + 1 :]
        for at in range(len(sealed))
        for other in "0f.Z é"
        if other != sealed[at]
    ]
    shapes = ["", "1.", "1", sealed[2:], sealed[:-2], sealed + "00", sealed + " ", "1.00", "é"]
    capitals = sealed.upper()
    assert capitals != sealed
    for changed_seal in (*changed, *shapes, capitals, sealed[:20]):
        assert error_of_unsealing(vault, changed_seal) == SENTENCE


@pytest.mark.parametrize("size", [0, 31, 33])
def test_secret_has_32_bytes(size: int) -> None:
    with pytest.raises(ShoeError) as error:
        Vault(bytes(size))
    assert str(error.value) == f"A sealing secret must have 32 bytes, not {size}."
