"""No refusal, and no error that players or people at the page meet, has its words in code."""

from __future__ import annotations

import ast

import pytest
from tests.text.literals import (
    SOURCE,
    literal_noes,
    literal_prints,
    literal_reasons,
    literal_tellings,
    literals_in,
)

PACKAGES = tuple(sorted(path.name for path in SOURCE.iterdir() if path.is_dir()))

# What only programmers meet, or what others word.
ALLOWED = {
    "rules/game/records.py": "as a named tuple says it",
    "sheets/families.py": "misuse of the library",
    "sheets/values.py": "what pydantic is told; sheets.wording words it",
    "train/spots.py": "our own mistake",
    "text/": "a catalogue that is no catalogue",
}


@pytest.mark.long
def test_no_error_has_its_words_in_code() -> None:
    found = [one for one in literal_noes(*PACKAGES) if not one.startswith(tuple(ALLOWED))]
    assert not found


def test_what_is_allowed_is_still_there() -> None:
    """A line of the list that nothing needs any more goes."""
    found = list(literal_noes(*PACKAGES))
    assert [one for one in ALLOWED if not any(each.startswith(one) for each in found)] == []


@pytest.mark.long
def test_no_refusal_has_its_words_in_code() -> None:
    assert not list(literal_noes(*PACKAGES, only=("Refusal", "Problem")))


@pytest.mark.long
def test_no_reason_has_its_words_in_code() -> None:
    """What a function answers that says why not, or nothing."""
    # Not for people: one keeps a stream of events alive.
    assert [*literal_reasons(*PACKAGES)] == ["house/web/routes/watch.py"]


def test_no_list_of_what_is_wrong_has_its_words_in_code() -> None:
    """What the audit finds, and whatever else is told sentence by sentence."""
    assert [*literal_tellings(*PACKAGES)] == ["house/ledger/guards.py"]  # Orders to the database.


def test_no_command_prints_words_of_its_code() -> None:
    found = [one.rpartition(":")[0] for one in literal_prints("cli")]
    assert found == ["cli/app.py"]  # The program's name and version.


def test_a_sentence_in_code_is_found() -> None:
    module = ast.parse(
        """
KNOWN = "a sentence of the module"

def one(seat, known):
    message = f"seat {seat} is taken"
    raise RoundError(message)

def two(known):
    return Refusal(Code.OVER, KNOWN if known else known), Problem(404, "no %s".format(1))

async def three(why):
    raise PeopleError("no " + why)

def fine(why, key):
    raise PeopleError(say("a.key", why=why))
    return Refusal(Code.OVER, why), refused(Code.OVER, "a.key"), RoundError(f"{why}")
"""
    )
    found = [line for line, _ in literals_in(module)]
    assert found == [6, 9, 9, 12]
