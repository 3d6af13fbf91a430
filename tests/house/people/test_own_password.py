"""A supervisor's session alone does not change the supervisor's own password or factor."""

from __future__ import annotations

from typing import Any

import pytest
from tests.house.web.conftest import PASSWORD, LoopRunner, SignedIn

from pitbook.house.people.accounts import People

NEW = "thiefs own pw 9"


@pytest.mark.parametrize("name", ["sue", "SUE", "ｓｕｅ"])
@pytest.mark.parametrize("change", [{"password": NEW}, {"forget_factor": True}])
def test_own_password_and_factor_cannot_be_changed_as_supervisor(
    run: LoopRunner, people: People, signed_in: SignedIn, name: str, change: dict[str, Any]
) -> None:
    before = people.register.seq
    given = {"name": name, "unlock": True, **change}
    answer = run(signed_in("supervisor").patch("/api/people", json=given))
    assert answer.status_code == 400
    assert "under Account" in answer.json()["error"]
    assert people.catch_up().seq == before
    assert people.sign_in("sue", PASSWORD) is not None


def test_supervisor_cannot_make_a_reset_link_for_themselves(
    run: LoopRunner, people: People, signed_in: SignedIn
) -> None:
    answer = run(signed_in("supervisor").post("/api/resets", json={"name": "Sue"}))
    assert answer.status_code == 400
    assert "under Account" in answer.json()["error"]
    assert not people.catch_up().resets


@pytest.mark.long
def test_other_own_fields_and_others_accounts_can_be_changed(
    run: LoopRunner, people: People, signed_in: SignedIn
) -> None:
    people.add("sid", "supervisor", PASSWORD, actor="test")
    sue = signed_in("supervisor")
    for given in (
        {"name": "sid", "password": NEW, "forget_factor": True},
        {"name": "sue", "unlock": True},
        {"name": "sue", "role": "auditor"},
    ):
        assert run(sue.patch("/api/people", json=given)).status_code == 200
