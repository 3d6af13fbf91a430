"""Requests generated from the API's own description, some with values that exist."""

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
from tests.fuzz.house import Floor
from tests.fuzz.known_values import KnownValues
from tests.fuzz.requests import Request

Send = Callable[[str, Request], None]
QUIET = settings(
    phases=[Phase.generate],
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


class Shape(NamedTuple):
    """A case of an operation, and the seed for the values that are put into it."""

    label: str
    case: Case[Any]
    number: int


def generate(floor: Floor, count: int, seed_text: str, value_seed: str, send: Send) -> None:
    """Generate requests of all operations, half of them invalid by the description.

    The same `seed_text` gives the same shapes; `value_seed` decides which values of the house
    are used.
    """
    for label, case, number in shapes(json.dumps(floor.app.openapi()), count, seed_text):
        send(label, request_of(case, KnownValues(floor, Random(f"{value_seed} {label} {number}"))))


@functools.lru_cache(maxsize=1)  # Generating them takes three times as long as sending them.
def shapes(document: str, count: int, seed_text: str) -> tuple[Shape, ...]:
    """The cases of all operations, at least one valid case of each."""
    turns = [(operation, turn) for operation in _operations(document) for turn in (0, 1)]
    shares = _shares(count, [_weight(operation) for operation, _ in turns])
    return tuple(
        Shape(operation.label, case, number)
        for (operation, turn), share in zip(turns, shares, strict=True)
        for case, number in _draw_cases(
            _cases(operation, turn), max(share, 1 - turn), f"{seed_text} {operation.label} {turn}"
        )
    )


def _cases(operation: Any, turn: int) -> st.SearchStrategy[Case[Any]]:
    wrong = turn and _can_be_wrong(operation)
    mode = GenerationMode.NEGATIVE if wrong else GenerationMode.POSITIVE
    cases: st.SearchStrategy[Case[Any]] = operation.as_strategy(generation_mode=mode)
    return cases


def _weight(operation: Any) -> int:
    """The share of an operation: more for operations with more input, most for table commands."""
    definition = operation.definition.raw
    if operation.path.endswith("/commands"):
        return 20
    return 1 + 2 * ("requestBody" in definition) + 2 * bool(definition.get("parameters"))


def _shares(count: int, weights: list[int]) -> Iterator[int]:
    """The count, distributed by weight."""
    ends = [0, *itertools.accumulate(weights)]
    for start, end in itertools.pairwise(ends):
        yield count * end // ends[-1] - count * start // ends[-1]


@functools.cache
def _operations(document: str) -> list[Any]:
    schema = schemathesis.openapi.from_dict(json.loads(document))
    return [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]


def _can_be_wrong(operation: Any) -> bool:
    """Whether an invalid value exists: any text is valid for a plain text parameter."""
    definition = operation.definition.raw
    plain = {"in": "path", "type": "string"}
    parameters = [
        {"in": parameter["in"], **parameter["schema"]}
        for parameter in definition.get("parameters", ())
    ]
    return "requestBody" in definition or any(
        not plain.items() <= parameter.items() for parameter in parameters
    )


def _draw_cases(
    cases: st.SearchStrategy[Case[Any]], count: int, seed_text: str
) -> list[tuple[Case[Any], int]]:
    """That many cases, each with its own number."""
    if not count:
        return []
    numbered_cases: list[tuple[Case[Any], int]] = []

    # The number keeps Hypothesis from stopping early if there is little to vary.
    @seed(seed_text)
    @settings(QUIET, max_examples=count)
    @given(cases, st.integers(0, 2**64))
    def collect(case: Case[Any], number: int) -> None:
        numbered_cases.append((case, number))

    collect()
    return numbered_cases


def request_of(case: Case[Any], known_values: KnownValues) -> Request:
    """The request of a case, with some values replaced by ones that exist."""
    path = {
        key: _segment(value)
        for key, value in known_values.replace_fields(case.path_parameters).items()
    }
    query = urlencode(_flat(known_values.replace_fields(case.query)), doseq=True, errors="replace")
    headers = {
        key: _line(value) for key, value in known_values.replace_fields(case.headers).items()
    }
    target = case.path.format(**path) + (f"?{query}" if query else "")
    if isinstance(case.body, NotSet):
        return Request(case.method, target, headers)
    headers |= {"content-type": case.media_type or "application/json"}
    return Request(case.method, target, headers, _bytes(known_values.replace_body(case.body)))


def _segment(value: Any) -> str:
    """A part of a path; generated parts are already quoted."""
    text = str(value)
    return text if "%" in text else quote(text, safe="", errors="replace")


def _flat(query: Mapping[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, dict) else value for key, value in query.items()}


def _line(value: Any) -> str:
    """The characters that a header can carry."""
    return (
        "".join(letter for letter in str(value) if letter.isprintable()).encode().decode("latin-1")
    )


def _bytes(body: Any) -> bytes:
    return body if isinstance(body, bytes) else json.dumps(body).encode()
