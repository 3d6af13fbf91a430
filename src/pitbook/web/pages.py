"""Two plain pages, the API's description and an invitation's form; they need no other server."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from html import escape
from typing import Any

__all__ = ["api_page", "invitation_page", "page_headers"]

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "code,pre{font-family:ui-monospace,monospace;font-size:.9em}"
    "pre{background:#8881;padding:.5rem 1rem;overflow:auto}h3{margin:2rem 0 0}"
    ":root{color-scheme:light dark}"
    "input,button{box-sizing:border-box;width:100%;max-width:22rem;min-height:44px;"
    "padding:0 .7rem;font:inherit}"
)
SCRIPT = """
document.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = Object.fromEntries(new FormData(event.target));
  const said = document.querySelector("output");
  const answer = await fetch(location.href, {
    method: "POST",
    headers: {"Content-Type": "application/json"},
    body: JSON.stringify(given),
  });
  const told = await answer.json();
  if (!answer.ok) { said.textContent = told.error; return; }
  event.target.hidden = true;
  said.textContent = `You are ${told.name}, ${told.role}, and signed in.`;
});
"""
METHODS = ("get", "post", "put", "patch", "delete")


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
    return _page(
        "Invitation",
        f"<p>Choose a name and a password to become a {escape(role)}.</p>"
        '<form><p><label>Name<br><input name="name" autocomplete="username" required autofocus>'
        '</label></p><p><label>Password<br><input name="password" type="password" '
        'autocomplete="new-password" required></label></p><button>Come in</button></form>'
        f'<p><output role="status"></output></p><script>{SCRIPT}</script>',
    )


def api_page(document: dict[str, Any]) -> str:
    """HTML that lists every route with what it takes and gives."""
    about = escape(document["info"].get("description", ""))
    head = f'<p>{about} As <a href="/api/openapi.json">OpenAPI</a>.</p>\n'
    return _page(f"{document['info']['title']} API", head + "\n".join(_routes(document)))


def _page(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
        f"<body><h1>{escape(title)}</h1>{body}</body></html>"
    )


def _routes(document: dict[str, Any]) -> Iterator[str]:
    for path, methods in document["paths"].items():
        for method in (one for one in METHODS if one in methods):
            yield from _route(document, path, method, methods[method])


def _route(document: dict[str, Any], path: str, method: str, told: dict[str, Any]) -> Iterator[str]:
    yield f"<h3><code>{method.upper()} {escape(path)}</code></h3>"
    yield f"<p><b>{escape(told.get('summary', ''))}.</b> {escape(told.get('description', ''))}</p>"
    names = [one["name"] for one in told.get("parameters", ()) if one["in"] == "query"]
    if names:
        yield f"<p>Query: <code>{escape(', '.join(names))}</code></p>"
    example = _example(document, told)
    if example is not None:
        yield f"<pre>{escape(json.dumps(example, ensure_ascii=False, indent=2))}</pre>"


def _example(document: dict[str, Any], told: dict[str, Any]) -> Any:
    """The body that a route takes, from the examples of its fields."""
    content = told.get("requestBody", {}).get("content", {}).get("application/json", {})
    if "example" in content:
        return content["example"]
    for one in content.get("examples", {}).values():
        return one.get("value")
    return _of_schema(document, content["schema"]) if "schema" in content else None


def _of_schema(document: dict[str, Any], schema: dict[str, Any], depth: int = 0) -> Any:
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        schema = document["components"]["schemas"][name]
    if schema.get("examples"):
        return schema["examples"][0]
    if depth > 5 or "properties" not in schema:
        return schema.get("default", schema.get("type"))
    return {
        name: _of_schema(document, inner, depth + 1) for name, inner in schema["properties"].items()
    }
