"""A supervisor's session alone does not change the supervisor's own password or factor."""

from __future__ import annotations

from typing import Any

import pytest
from tests.house.web.conftest import PASSWORD, Running, SignedIn

from pitbook.house.people.accounts import People

NEW = "thiefs own pw 9"


@pytest.mark.parametrize("name", ["sue", "SUE", "ｓｕｅ"])
@pytest.mark.parametrize("change", [{"password": NEW}, {"forget_factor": True}])
def test_the_own_password_and_factor_are_not_changed_in_the_register(
    run: Running, people: People, signed_in: SignedIn, name: str, change: dict[str, Any]
) -> None:
    before = people.register.seq
    given = {"name": name, "unlock": True, **change}
    answer = run(signed_in("supervisor").patch("/api/people", json=given))
    assert answer.status_code == 400
    assert "POST /api/me/" in answer.json()["error"]
    assert people.catch_up().seq == before
    assert people.sign_in("sue", PASSWORD) is not None


def test_nor_by_a_link_that_one_hands_to_oneself(
    run: Running, people: People, signed_in: SignedIn
) -> None:
    answer = run(signed_in("supervisor").post("/api/resets", json={"name": "Sue"}))
    assert answer.status_code == 400
    assert "POST /api/me/password" in answer.json()["error"]
    assert not people.catch_up().resets


@pytest.mark.long
def test_anything_else_of_oneself_and_others_can_be_changed(
    run: Running, people: People, signed_in: SignedIn
) -> None:
    people.add("sid", "supervisor", PASSWORD, actor="test")
    sue = signed_in("supervisor")
    for given in (
        {"name": "sid", "password": NEW, "forget_factor": True},
        {"name": "sue", "unlock": True},
        {"name": "sue", "role": "auditor"},
    ):
        assert run(sue.patch("/api/people", json=given)).status_code == 200
