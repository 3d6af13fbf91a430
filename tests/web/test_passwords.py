"""What a password may be: long enough, not everybody's, not one's own name, in any letters."""

from __future__ import annotations

import pytest
from tests.web.conftest import PASSWORD

from pitbook.web.people import People, PeopleError


@pytest.mark.parametrize(
    "common", ["password", "PASSWORD123", "iloveyou", "xxxxxxxx", "ｐａｓｓｗｏｒｄ1"]
)
def test_a_password_that_everybody_tries_first_is_refused(people: People, common: str) -> None:
    with pytest.raises(PeopleError, match="guessers try first"):
        people.set_password("ann", common, actor="sue")


def test_one_password_in_other_forms_of_unicode_is_one(people: People) -> None:
    people.set_password("ann", "cafe\u0301 ﬁve Ångström", actor="sue")
    assert people.sign_in("ann", "café five Ångström") is not None


def test_what_is_longer_than_any_password_is_none(people: People) -> None:
    people.set_password("ann", "x y" * 333 + "z", actor="sue")
    assert people.sign_in("ann", "x y" * 333 + "z and more") is None
    assert people.sign_in("ann", PASSWORD) is None
