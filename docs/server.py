"""The tables of docs/server.md, from the server itself; run as a module it writes them anew."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from docs.markdown import row, rule

from pitbook.house.table import socket
from pitbook.house.table.commands import NAMES, AdviceShown, TableRole, Tick
from pitbook.house.table.rights import ALL_KINDS, RIGHTS
from pitbook.house.table.tables import LiveTables
from pitbook.house.web.access import ANYONE, ROUTE_ROLES, SIGNED_IN
from pitbook.house.web.app import ROUTERS
from pitbook.house.web.metrics import Metrics
from pitbook.house.web.settings import Settings, variables
from pitbook.text.english import plural

FILE = Path(__file__).parent / "server.md"
SPEAKING: tuple[TableRole, ...] = ("player", "dealer", "supervisor")
TABLE = re.compile(r"(?P<head><!-- table (?P<name>\w+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL)


def server() -> str:
    """The page with its tables as they are now."""
    text = FILE.read_text(encoding="utf-8")
    return TABLE.sub(lambda one: one["head"] + TABLES[one["name"]]() + one["end"], text)


def _table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    names = list(heads)
    return "\n".join([row(*names), rule(len(names)), *(row(*one) for one in rows)]) + "\n"


def _settings() -> str:
    rows = []
    for variable, path in variables().items():
        section: Any = Settings()
        for step in path[:-1]:
            section = getattr(section, step)
        meaning = type(section).model_fields[path[-1]].description
        default = _default(getattr(section, path[-1]))
        rows.append((f"`{'.'.join(path)}`", f"`{variable}`", default, meaning))
    return _table(("key", "variable", "default", "meaning"), rows)


def _default(value: object) -> str:
    if value is None or value == ():
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _routes() -> str:
    groups: dict[frozenset[str], list[str]] = {}
    routes: list[Any] = [one for router in ROUTERS for one in router.routes]
    for route in (one for one in routes if one.path.startswith(("/api/", "/metrics"))):
        methods = sorted(getattr(route, "methods", None) or ["socket"])
        asked = " ".join(f"`{method} {route.path}`" for method in methods)
        groups.setdefault(frozenset(ROUTE_ROLES[route.name]), []).append(asked)
    ordered = sorted(groups, key=lambda askers: (-len(askers), sorted(askers)))
    return _table(("for", "routes"), ((_who(one), ", ".join(groups[one])) for one in ordered))


def _who(askers: frozenset[str]) -> str:
    if askers == ANYONE:
        return "anybody"
    if askers == SIGNED_IN:
        return "whoever is signed in, guests too"
    *rest, last = (plural(one) for one in sorted(askers))
    return f"{', '.join(rest)} and {last}" if rest else last


def _rights() -> str:
    given = [kind for kind in RIGHTS if kind not in (AdviceShown, Tick)]  # The house's own.
    rows = ((f"`{NAMES[kind]}`", *(_tables(kind, role) for role in SPEAKING)) for kind in given)
    return _table(("command", *SPEAKING), rows)


def _tables(command: type, role: TableRole) -> str:
    """The tables at which a role may give a command."""
    kinds = [kind for kind in ALL_KINDS if role in RIGHTS[command].roles_at(kind)]
    return "everywhere" if len(kinds) == len(ALL_KINDS) else ", ".join(kinds)


def _metrics() -> str:
    ledger = SimpleNamespace(streams=list)
    house = cast(LiveTables, SimpleNamespace(tables={}, ledger=ledger))
    found = Metrics(house).registry.collect()
    rows = [(f"`{_exposed(one)}`", one.type, one.documentation) for one in found]
    return _table(("figure", "kind", "meaning"), sorted(rows))


def _exposed(family: Any) -> str:
    return f"{family.name}_total" if family.type == "counter" else str(family.name)


def _closes() -> str:
    codes = [
        one
        for one in vars(socket).values()
        if isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], int)
    ]
    return _table(("code", "the house closes a socket because"), sorted(codes))


TABLES: dict[str, Callable[[], str]] = {
    "settings": _settings,
    "routes": _routes,
    "rights": _rights,
    "metrics": _metrics,
    "closes": _closes,
}


if __name__ == "__main__":
    FILE.write_text(server(), encoding="utf-8")
