"""Plain pages, the API's description and forms behind links; they need no other server."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from html import escape
from typing import Any, NamedTuple

from pitbook.english import plural
from pitbook.web.pages.plain_style import SCRIPT, STYLE
from pitbook.web.people.access import ANYONE, ROUTES, SIGNED_IN

__all__ = [
    "api_page",
    "closed_page",
    "invitation_page",
    "nowhere_page",
    "page_headers",
    "reset_page",
]

Json = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")
DEPTH_MAX = 5


class _Part(NamedTuple):
    title: str
    about: str


# What a newcomer looks for first stands first; a tag that is not here comes last.
PARTS = {
    "tables": _Part(
        "Tables", "Sit down, bet, decide, look back. No account is needed to practise."
    ),
    "history": _Part("History", "Rounds of the past, step by step, and links to share one."),
    "coach": _Part("Coach", "What a play gives away, at a practice table of one's own."),
    "sheets": _Part("Rule sheets", "The rules of every game, and a check of your own."),
    "mathematics": _Part("Mathematics", "Exact figures; probabilities come as fractions."),
    "people": _Part("People", "Signing in and out, invitations, the register."),
    "pit": _Part("Pit", "Tables opened, games and players shut out, and what happened."),
    "cage": _Part("Cage", "Money becomes a wallet, and a wallet money."),
    "nights": _Part("Event nights", "Chips of one evening, tournaments, clock and statement."),
    "running": _Part("Running it", "For whoever looks after the machine."),
}

# Every frame that a socket takes or sends.
FRAMES: tuple[tuple[str, Json, str], ...] = (
    (
        "you",
        {
            "request": "ann-17",
            "command": {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"},
        },
        "A command, with an id of your own. Sent again with the same id it has one effect.",
    ),
    ("you", {"view": True}, "Show me the table as it is now, with all that I may do."),
    ("you", {"ping": 1}, "Are you there? The answer is a pong with the same number."),
    (
        "house",
        {"view": {"table": "stud-1", "version": 12, "phase": "wagers", "offers": []}},
        "The table as you may see it: first of all, and whenever you ask.",
    ),
    (
        "house",
        {"events": [{"version": 13, "what": "sat", "body": {"seat": 2, "player": "bob"}}]},
        "What happened, in order and without a gap; what is not for you comes as blank.",
    ),
    (
        "house",
        {"answer": {"request": "ann-17", "accepted": {"seq": 42, "hash": "9f86d081"}}},
        "Your command is on record. Or refused, with code, message and clause; or error.",
    ),
    (
        "house",
        {"ping": 1},
        "On a line where nothing was said for some seconds. Answer with a pong, or the house "
        "takes you for gone.",
    ),
)


def page_headers() -> dict[str, str]:
    """What our pages may do: their own style and script, and ask this server."""
    style, script = (
        base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in (STYLE, SCRIPT)
    )
    policy = (
        f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; "
        "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
    return {"Content-Security-Policy": policy}


def invitation_page(role: str) -> str:
    """A form for a name and a password."""
    some = "an" if role[0] in "aeiou" else "a"
    return _page(
        "Invitation",
        '<main class="card"><p class="mark" aria-hidden="true">♠</p>'
        "<h1>Welcome to the house</h1>"
        f"<form><p>Choose a name and a password to become {some} {escape(role)}. "
        "This link works once.</p>"
        '<label for="name">Name</label><input id="name" name="name" '
        'autocomplete="username" maxlength="60" required autofocus>'
        '<label for="password">Password</label><input id="password" name="password" '
        'type="password" autocomplete="new-password" required>'
        '<label class="show"><input id="show" type="checkbox">Show the password</label>'
        "<button>Come in</button></form>"
        '<p id="said" role="status"></p>'
        f'<p id="next" hidden><a href="{_home(role)}">To your part of the house</a></p></main>'
        f"<script>{SCRIPT}</script>",
        kind="door",
    )


def reset_page(name: str) -> str:
    """A form for a new password."""
    return _page(
        "A new password",
        '<main class="card"><p class="mark" aria-hidden="true">♠</p>'
        "<h1>A new password</h1>"
        f"<form><p>For {escape(name)}. This link works once, and you sign in with the new password "
        "then.</p>"
        f'<input type="text" value="{escape(name)}" autocomplete="username" hidden>'
        '<label for="password">New password</label><input id="password" name="password" '
        'type="password" autocomplete="new-password" required autofocus>'
        '<label class="show"><input id="show" type="checkbox">Show the password</label>'
        "<button>Set it</button></form>"
        '<p id="said" role="status"></p>'
        '<p id="next" hidden><a href="/sign-in">Sign in</a></p></main>'
        f"<script>{SCRIPT}</script>",
        kind="door",
    )


def _home(role: str) -> str:
    """Where somebody begins: the pit, the nights, or the lobby."""
    return {"supervisor": "/pit", "auditor": "/pit", "organiser": "/night", "brush": "/night"}.get(
        role, "/"
    )


def closed_page(why: str) -> str:
    """For whoever follows a link that is no good any more."""
    return _page(
        "A closed link",
        '<main class="card"><p class="mark" aria-hidden="true">♠</p>'
        f"<h1>This link is closed</h1><p>{escape(why[:1].upper() + why[1:])}.</p>"
        '<p><a href="/">To the lobby</a></p></main>',
        kind="door",
    )


def nowhere_page() -> str:
    """For whoever comes to an address that is no page of the house."""
    return _page(
        "Nothing here",
        '<main class="card"><p class="mark" aria-hidden="true">♠</p>'
        "<h1>There is nothing at this address</h1>"
        "<p>It may have been mistyped, or what was here is gone.</p>"
        '<p><a href="/">To the lobby</a></p><p><a href="/rounds">Your rounds</a></p></main>',
        kind="door",
    )


def api_page(document: Json) -> str:
    """HTML that lists every route with who may ask, what it takes and what it gives."""
    parts = _parts(document)
    links = "".join(f'<li><a href="#{tag}">{escape(_part(tag).title)}</a></li>' for tag in parts)
    links += '<li><a href="#socket">The socket</a></li>'
    sections = "\n".join(_section(document, tag, routes) for tag, routes in parts.items())
    about, version = (escape(document["info"].get(key, "")) for key in ("description", "version"))
    return _page(
        f"{document['info']['title']} API",
        f'<nav aria-label="Parts"><p class="name">♠ Pitbook <small>{version}</small></p>'
        f'<ul>{links}</ul></nav><main><h1>The API of this house</h1><p class="lead">{about}</p>'
        "<p>Bodies and answers are JSON, sent with <code>Content-Type: application/json</code>. "
        "Money is text in dollars, as <code>&quot;10.00&quot;</code>. Who signs in, or sits down "
        "to practise, gets a cookie; send it back. What is wrong is answered with "
        '<code>{"error": …}</code>, a play that the rules forbid with <code>{"refused": …}</code>. '
        'For programs there is <a href="/api/openapi.json">OpenAPI</a>.</p>'
        f"{sections}{_socket()}</main>",
        kind="book",
    )


def _page(title: str, body: str, *, kind: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<style>{STYLE}</style></head><body class="{kind}">{body}</body></html>'
    )


class _Route(NamedTuple):
    method: str
    path: str
    told: Json


def _parts(document: Json) -> dict[str, list[_Route]]:
    found: dict[str, list[_Route]] = {tag: [] for tag in PARTS}
    for path, methods in document["paths"].items():
        for method in (one for one in METHODS if one in methods):
            told = methods[method]
            tag = (told.get("tags") or ["more"])[0]
            found.setdefault(tag, []).append(_Route(method, path, told))
    return {tag: routes for tag, routes in found.items() if routes}


def _part(tag: str) -> _Part:
    return PARTS.get(tag, _Part(tag.capitalize(), ""))


def _section(document: Json, tag: str, routes: list[_Route]) -> str:
    title, about = (escape(one) for one in _part(tag))
    inside = "\n".join("".join(_article(document, one)) for one in routes)
    return f'<section id="{escape(tag)}"><h2>{title}</h2><p>{about}</p>{inside}</section>'


def _article(document: Json, route: _Route) -> Iterator[str]:
    method, told = route.method.upper(), route.told
    yield f'<article aria-label="{method} {escape(route.path)}">'
    badge = f'<span class="{route.method}">{method}</span>'
    yield f"<h3>{badge} <code>{_broken(route.path)}</code></h3>"
    yield f"<p><b>{escape(told.get('summary', ''))}.</b> {escape(told.get('description', ''))}</p>"
    yield f'<p class="who">For {escape(_askers(route))}.{_query(told)}</p>'
    if (taken := _taken(document, told)) is not None:
        yield f"<h4>It takes</h4>{_shown(taken)}"
    if (given := _given(document, told)) is not None:
        yield f"<details><summary>It answers</summary>{_shown(given)}</details>"
    yield "</article>"


def _broken(path: str) -> str:
    """A path that a narrow screen may break behind its slashes."""
    return escape(path).replace("/", "/<wbr>")


def _askers(route: _Route) -> str:
    """Who may ask, from the catalogue; its name stands at the beginning of FastAPI's id."""
    ending = re.sub(r"\W", "_", route.path) + f"_{route.method}"
    askers = ROUTES.get(route.told.get("operationId", "").removesuffix(ending), frozenset())
    if askers == ANYONE:
        return "anybody"
    if askers == SIGNED_IN:
        return "whoever is signed in, guests too"
    return " and ".join(plural(one) for one in sorted(askers)) or "nobody"


def _query(told: Json) -> str:
    names = [one["name"] for one in told.get("parameters", ()) if one["in"] == "query"]
    listed = ", ".join(f"<code>{escape(one)}</code>" for one in names)
    return f" Query: {listed}." if names else ""


def _taken(document: Json, told: Json) -> Any:
    """The body that a route takes, from the examples of its fields."""
    return _example(document, told.get("requestBody", {}))


def _given(document: Json, told: Json) -> Any:
    """What it answers when all is well."""
    fine = [told["responses"][one] for one in ("200", "201") if one in told.get("responses", {})]
    return _example(document, fine[0]) if fine else None


def _example(document: Json, body: Json) -> Any:
    content = body.get("content", {}).get("application/json", {})
    if "example" in content:
        return content["example"]
    return _of_schema(document, content["schema"]) if content.get("schema") else None


def _of_schema(document: Json, schema: Json, depth: int = 0) -> Any:
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    if schema.get("examples"):
        return schema["examples"][0]
    if schema.get("type") == "array":
        return [_of_schema(document, schema.get("items", {}), depth + 1)]
    if depth > DEPTH_MAX or "properties" not in schema:
        return schema.get("default", schema.get("const", schema.get("type")))
    return {
        name: _of_schema(document, inner, depth + 1) for name, inner in schema["properties"].items()
    }


def _shown(value: Any) -> str:
    return f"<pre>{escape(json.dumps(value, ensure_ascii=False, indent=2), quote=False)}</pre>"


def _socket() -> str:
    rows = "".join(
        f"<tr><th>{who}</th><td><pre>{escape(json.dumps(frame), quote=False)}</pre>"
        f"<p>{escape(about)}</p></td></tr>"
        for who, frame, about in FRAMES
    )
    return (
        '<section id="socket"><h2>The socket</h2><p>A seat that hears at once of everything: a '
        "WebSocket at <code>/api/tables/<wbr>{table}/socket</code> with the same cookie, one JSON "
        "object a frame. Come back with <code>?from=VERSION</code> and you are told all that "
        f"happened since.</p><table>{rows}</table></section>"
    )
