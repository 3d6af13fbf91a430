"""No refusal, and no error that players or people at the page meet, has its words in code."""

from __future__ import annotations

import ast

from tests.wording.literals import SOURCE, literal_noes, literal_reasons, literals_in

WORDED = (
    *("engine", "exact", "families", "game", "games", "identity", "ledger", "nights", "sheets"),
    *("shoe", "simulate", "streams", "table", "train", "web"),
)

# Said to whoever keeps the machine, the books or a proof, at the terminal and in logs.
ALLOWED = {
    "engine/journal.py": "a stored round that cannot be replayed",
    "engine/report.py": "misuse of the library",
    "engine/round.py": "misuse of the library",
    "exact/methods/plain/solving.py": "misuse of the library",
    "game/records.py": "as a named tuple says it",
    "ledger/": "the book's files, keys and databases",
    "sheets/families.py": "misuse of the library",
    "sheets/values.py": "what pydantic is told; sheets.wording words it",
    "simulate/counts/distribution.py": "misuse of the library",
    "simulate/runners/": "files, clusters and GPUs of whoever simulates at the terminal",
    "shoe/": "proofs and seals, as pitbook verify-deal tells them",
    "streams/": "facts on record that nobody can read",
    "table/evolve.py": "facts on record that cannot have happened",
    "table/facts.py": "facts on record that nobody can read",
    "table/model.py": "a sheet on record that nobody can read",
    "table/past/records.py": "a book without its head",
    "table/snapshot.py": "a state on record that nobody can read",
    "train/spots.py": "our own mistake",
    "web/running/serve.py": "what keeps a server from opening",
    "web/running/settings.py": "settings of a server",
}


def test_no_error_has_its_words_in_code() -> None:
    found = [one for one in literal_noes(*WORDED) if not one.startswith(tuple(ALLOWED))]
    assert not found


def test_what_is_allowed_is_still_there() -> None:
    """A line of the list that nothing needs any more goes."""
    found = list(literal_noes(*WORDED))
    assert [one for one in ALLOWED if not any(each.startswith(one) for each in found)] == []


def test_no_refusal_has_its_words_in_code() -> None:
    packages = sorted(path.name for path in SOURCE.iterdir() if path.is_dir())
    assert not list(literal_noes(*packages, only=("Refusal", "Problem")))


def test_no_reason_has_its_words_in_code() -> None:
    """What a function answers that says why not, or nothing."""
    packages = {path.name for path in SOURCE.iterdir() if path.is_dir()} - {"api", "cli"}
    found = [*literal_reasons(*sorted(packages))]
    assert found == ["web/routes/watch.py"]  # Not for people: it keeps a stream of events alive.


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
