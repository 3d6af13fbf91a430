"""The language of each request, from its address, cookie or headers; English by default."""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from urllib.parse import parse_qs

from starlette.requests import cookie_parser
from starlette.types import Scope

from pitbook.text import languages, locale_of
from pitbook.text.catalog import ENGLISH

LANGUAGE_QUERY = "language"
LANGUAGE_COOKIE = "pitbook-language"
_LANGUAGE: ContextVar[str] = ContextVar("language", default=ENGLISH)
_LANGUAGE_KEYS = (LANGUAGE_QUERY.encode(), LANGUAGE_COOKIE.encode())
PREFERENCES_MAX = 20  # Languages that a browser may name.


def current_language() -> str:
    """The language of the current request."""
    return _LANGUAGE.get()


def set_currency(currency: str | None) -> None:
    """Set the currency of the current response."""
    _LANGUAGE.set(locale_of(_LANGUAGE.get(), currency))


def set_language(language: str) -> None:
    """Set the language of the current response."""
    _LANGUAGE.set(language)


def requested_language(scope: Scope) -> str:
    """The first language a request names for which there is a catalog."""
    return next(
        (language for language in _named_languages(scope) if language in languages()), ENGLISH
    )


def _named_languages(scope: Scope) -> Iterator[str]:
    if _LANGUAGE_KEYS[0] in (query := scope.get("query_string", b"")):
        yield from parse_qs(query.decode("latin-1")).get(LANGUAGE_QUERY, ())
    headers = scope.get("headers", ())
    for name, value in headers:
        if name == b"cookie" and _LANGUAGE_KEYS[1] in value:
            yield cookie_parser(value.decode("latin-1")).get(LANGUAGE_COOKIE, "")
    for name, value in headers:
        if name == b"accept-language":
            yield from _accepted_languages(value.decode("latin-1"))


def _accepted_languages(header: str) -> list[str]:
    """The languages of a header by preference: "es-MX;q=0.8, en" gives en, then es."""
    preferences = [_parse_preference(part) for part in header.split(",")[:PREFERENCES_MAX]]
    return [
        tag
        for weight, tag in sorted(preferences, key=lambda preference: -preference[0])
        if weight > 0
    ]


def _parse_preference(part: str) -> tuple[float, str]:
    tag, _, rest = part.partition(";")
    weight = rest.strip().lower().removeprefix("q=")
    try:
        value = float(weight) if weight else 1.0
    except ValueError:
        value = 0.0
    return value if 0 <= value <= 1 else 0.0, tag.strip().lower().partition("-")[0]
