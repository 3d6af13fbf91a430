"""Requests that the API's own description gives rise to, some of them about what there is."""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.core import NotSet
from schemathesis.core.result import Ok
from tests.fuzz.asked import Request
from tests.fuzz.floor import Floor
from tests.fuzz.known import Known

Take = Callable[[str, Request], None]
QUIET = settings(
    phases=[Phase.generate],
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


class Shape(NamedTuple):
    """A case of an operation, and the number from which whoever sends it draws luck."""

    label: str
    case: Case[Any]
    number: int


def generate(floor: Floor, count: int, luck: str, own: str, take: Take) -> None:
    """Hand over so many requests of all operations, half of them wrong by the description.

    The same `luck` gives the same shapes; `own` decides what of the house is put into them.
    """
    for label, case, number in shapes(json.dumps(floor.app.openapi()), count, luck):
        take(label, request_of(case, Known(floor, Random(f"{own} {label} {number}"))))


@functools.lru_cache(maxsize=1)  # Making them takes three times as long as asking them.
def shapes(document: str, count: int, luck: str) -> tuple[Shape, ...]:
    """So many cases of all operations, of each one that is right."""
    turns = [(one, turn) for one in _operations(document) for turn in (0, 1)]
    shares = _shares(count, [_weight(one) for one, _ in turns])
    return tuple(
        Shape(one.label, case, number)
        for (one, turn), share in zip(turns, shares, strict=True)
        for case, number in _each(
            _cases(one, turn), max(share, 1 - turn), f"{luck} {one.label} {turn}"
        )
    )


def _cases(operation: Any, turn: int) -> st.SearchStrategy[Case[Any]]:
    wrong = turn and _can_be_wrong(operation)
    mode = GenerationMode.NEGATIVE if wrong else GenerationMode.POSITIVE
    cases: st.SearchStrategy[Case[Any]] = operation.as_strategy(generation_mode=mode)
    return cases


def _weight(operation: Any) -> int:
    """Where there is more to get wrong, more is tried; a table takes thirty kinds of commands."""
    told = operation.definition.raw
    if operation.path.endswith("/commands"):
        return 20
    return 1 + 2 * ("requestBody" in told) + 2 * bool(told.get("parameters"))


def _shares(count: int, weights: list[int]) -> Iterator[int]:
    """So many in all, by weight."""
    ends = [0, *itertools.accumulate(weights)]
    for start, end in itertools.pairwise(ends):
        yield count * end // ends[-1] - count * start // ends[-1]


@functools.cache
def _operations(document: str) -> list[Any]:
    schema = schemathesis.openapi.from_dict(json.loads(document))
    return [one.ok() for one in schema.get_all_operations() if isinstance(one, Ok)]


def _can_be_wrong(operation: Any) -> bool:
    """Any text is right where a text is asked for, and so is nothing where nothing is."""
    told = operation.definition.raw
    plain = {"in": "path", "type": "string"}
    asked = [{"in": one["in"], **one["schema"]} for one in told.get("parameters", ())]
    return "requestBody" in told or any(not plain.items() <= one.items() for one in asked)


def _each(
    cases: st.SearchStrategy[Case[Any]], count: int, luck: str
) -> list[tuple[Case[Any], int]]:
    """So many cases, each with a number of its own."""
    if not count:
        return []
    found: list[tuple[Case[Any], int]] = []

    # The number beside each case keeps Hypothesis from stopping where there is little to vary.
    @seed(luck)
    @settings(QUIET, max_examples=count)
    @given(cases, st.integers(0, 2**64))
    def each(case: Case[Any], number: int) -> None:
        found.append((case, number))

    each()
    return found


def request_of(case: Case[Any], known: Known) -> Request:
    """The request of a case, with something that the house knows put in here and there."""
    path = {key: _segment(value) for key, value in known.among(case.path_parameters).items()}
    query = urlencode(_flat(known.among(case.query)), doseq=True, errors="replace")
    headers = {key: _line(value) for key, value in known.among(case.headers).items()}
    target = case.path.format(**path) + (f"?{query}" if query else "")
    if isinstance(case.body, NotSet):
        return Request(case.method, target, headers)
    headers |= {"content-type": case.media_type or "application/json"}
    return Request(case.method, target, headers, _bytes(known.body(case.body)))


def _segment(value: Any) -> str:
    """A part of a path; what the description gave rise to is quoted already."""
    text = str(value)
    return text if "%" in text else quote(text, safe="", errors="replace")


def _flat(query: Mapping[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, dict) else value for key, value in query.items()}


def _line(value: Any) -> str:
    """What a header can carry."""
    return "".join(one for one in str(value) if one.isprintable()).encode().decode("latin-1")


def _bytes(body: Any) -> bytes:
    return body if isinstance(body, bytes) else json.dumps(body).encode()
