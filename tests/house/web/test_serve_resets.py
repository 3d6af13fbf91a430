"""`pitbook users reset` and `forget-factor`, for people who cannot sign in."""

from __future__ import annotations

import json
from pathlib import Path

import pyotp
import pytest
from tests.command_line import Ask
from tests.house.web.conftest import PASSWORD, WEAK, fast_folder
from tests.house.web.server_process import environment

from pitbook.house.people.account_register import Person
from pitbook.house.people.accounts import Accounts, PasswordResets, People
from pitbook.shoe.crypto import Vault


def test_reset_link_and_lost_phone(
    tmp_path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PITBOOK_ORIGINS", "https://pit.example")
    with fast_folder(tmp_path) as folder:
        people = People(folder.ledger, Vault(folder.keys.sealing), WEAK)
        people.add("sue", "supervisor", PASSWORD, actor="test")
        begun = Accounts(people).begin_factor("sue")
        code = pyotp.TOTP(begun.secret).now()
        Accounts(people).confirm_factor("sue", PASSWORD, begun.pending, code)

        listed = ask("users", "list", "--data", str(tmp_path))
        assert listed.out == "sue  supervisor  two-step\n"
        reset_answer = ask("users", "reset", "SUE", "--data", str(tmp_path), "--json")
        document = json.loads(reset_answer.out)
        assert (document["name"], list(document)) == ("sue", ["name", "link", "until"])
        path, _, token = document["link"].rpartition("/")
        assert path == "https://pit.example/api/resets"
        assert PasswordResets(people).owner_of(token) == "sue"

        lines = ask("users", "reset", "sue", "--data", str(tmp_path)).out.splitlines()
        assert lines[0].startswith("Give this link to sue. It works once, until 20")
        assert PasswordResets(people).owner_of(token) is None, "the newer link voids it"
        newer = lines[1].rpartition("/")[2]
        assert PasswordResets(people).use(newer, "quite another one").person.name == "sue"

        factor_answer = ask("users", "forget-factor", "sue", "--data", str(tmp_path))
        assert factor_answer.out == "Two-step verification is off for sue.\n"
        assert people.sign_in("sue", "quite another one") == Person("sue", "supervisor")
        unknown_answer = ask("users", "reset", "suse", "--data", str(tmp_path))
        assert (unknown_answer.code, unknown_answer.err) == (
            1,
            'pitbook: There is no account "suse". Did you mean "sue"?\n',
        )
