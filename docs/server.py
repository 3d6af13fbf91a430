"""The tables of docs/server.md, from the server itself; run as a module it updates the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from docs.markdown import row, rule

from pitbook.house.settings import Settings, variables
from pitbook.house.table import socket
from pitbook.house.table.commands import NAMES, AdviceShown, TableRole, Tick
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.table.rights import ALL_KINDS, RIGHTS
from pitbook.house.web.access import ANYONE, ROUTE_ROLES, SIGNED_IN
from pitbook.house.web.app import ROUTERS
from pitbook.house.web.metrics import Metrics
from pitbook.text.english import plural

FILE = Path(__file__).parent / "server.md"
SPEAKING_ROLES: tuple[TableRole, ...] = ("player", "dealer", "supervisor")
TABLE = re.compile(r"(?P<head><!-- table (?P<name>\w+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL)


def server() -> str:
    """The page with current tables."""
    text = FILE.read_text(encoding="utf-8")
    return TABLE.sub(lambda match: match["head"] + TABLES[match["name"]]() + match["end"], text)


def _table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    names = list(heads)
    return "\n".join([row(*names), rule(len(names)), *(row(*cells) for cells in rows)]) + "\n"


def _settings_table() -> str:
    rows = []
    for variable, path in variables().items():
        section: Any = Settings()
        for step in path[:-1]:
            section = getattr(section, step)
        meaning = type(section).model_fields[path[-1]].description
        default = _format_default(getattr(section, path[-1]))
        rows.append((f"`{'.'.join(path)}`", f"`{variable}`", default, meaning))
    return _table(("key", "variable", "default", "meaning"), rows)


def _format_default(setting: object) -> str:
    if setting is None or setting == ():
        return ""
    return f"`{str(setting).lower() if isinstance(setting, bool) else setting}`"


def _routes_table() -> str:
    groups: dict[frozenset[str], list[str]] = {}
    routes: list[Any] = [route for router in ROUTERS for route in router.routes]
    for route in (route for route in routes if route.path.startswith(("/api/", "/metrics"))):
        methods = sorted(getattr(route, "methods", None) or ["socket"])
        requests = " ".join(f"`{method} {route.path}`" for method in methods)
        groups.setdefault(frozenset(ROUTE_ROLES[route.name]), []).append(requests)
    ordered = sorted(groups, key=lambda role_group: (-len(role_group), sorted(role_group)))
    return _table(
        ("for", "routes"),
        ((_describe_roles(role_group), ", ".join(groups[role_group])) for role_group in ordered),
    )


def _describe_roles(roles: frozenset[str]) -> str:
    if roles == ANYONE:
        return "anyone"
    if roles == SIGNED_IN:
        return "anyone signed in, including guests"
    *others, last = (plural(role.replace("organiser", "organizer")) for role in sorted(roles))
    return f"{', '.join(others)} and {last}" if others else last


def _rights_table() -> str:
    command_types = [
        kind for kind in RIGHTS if kind not in (AdviceShown, Tick)
    ]  # The house's own commands are left out.
    rows = (
        (f"`{NAMES[kind]}`", *(_tables_allowing(kind, role) for role in SPEAKING_ROLES))
        for kind in command_types
    )
    return _table(("command", *SPEAKING_ROLES), rows)


def _tables_allowing(command: type, role: TableRole) -> str:
    """The tables at which a role may give a command."""
    kinds = [kind for kind in ALL_KINDS if role in RIGHTS[command].roles_at(kind)]
    return "everywhere" if len(kinds) == len(ALL_KINDS) else ", ".join(kinds)


def _metrics_table() -> str:
    ledger = SimpleNamespace(streams=list)
    house = cast(LiveTables, SimpleNamespace(tables={}, ledger=ledger))
    families = Metrics(house).registry.collect()
    rows = [(f"`{_metric_name(family)}`", family.type, family.documentation) for family in families]
    return _table(("figure", "kind", "meaning"), sorted(rows))


def _metric_name(family: Any) -> str:
    return f"{family.name}_total" if family.type == "counter" else str(family.name)


def _close_codes_table() -> str:
    codes = [
        constant
        for constant in vars(socket).values()
        if isinstance(constant, tuple) and len(constant) == 2 and isinstance(constant[0], int)
    ]
    return _table(("code", "the house closes a socket because"), sorted(codes))


TABLES: dict[str, Callable[[], str]] = {
    "settings": _settings_table,
    "routes": _routes_table,
    "rights": _rights_table,
    "metrics": _metrics_table,
    "closes": _close_codes_table,
}


if __name__ == "__main__":
    FILE.write_text(server(), encoding="utf-8")
