"""Command groups that import a command only when it is called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

SETTINGS = {"help_option_names": ["--help", "-h"]}


@dataclass(frozen=True)
class ListedCommand:
    """The module whose `app` is the command, and its line in the overview."""

    module: str
    summary: str
    interactive: bool = False
    """Waits for a person or serves others: idle when silent, and handles Ctrl-C itself."""


class CommandTable(Mapping[str, ListedCommand]):
    """The commands of this package, then those of installed packages.

    An installed package names its table as an entry point of `entry_point_group`.
    """

    def __init__(self, commands: Mapping[str, ListedCommand], entry_point_group: str) -> None:
        self._commands = commands
        self._group = entry_point_group

    @cached_property
    def _installed(self) -> Mapping[str, ListedCommand]:
        from importlib.metadata import entry_points  # noqa: PLC0415  Slow, and seldom needed.

        tables = [entry_point.load() for entry_point in entry_points(group=self._group)]
        return {name: command for table in tables for name, command in table.items()}

    def __getitem__(self, name: str) -> ListedCommand:
        return self._commands[name] if name in self._commands else self._installed[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._commands
        yield from self._installed

    def __len__(self) -> int:
        return sum(1 for _ in self)


def command() -> typer.Typer:
    """The app of a module that holds one command."""
    return typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=SETTINGS)


def group(
    catalogue: Mapping[str, ListedCommand], about: str, *, epilog: str, add_completion: bool = False
) -> typer.Typer:
    """The app of a group whose commands are loaded on demand."""

    class Group(_LazyGroup):
        entries = catalogue

    return typer.Typer(
        cls=Group,
        help=about,
        epilog=epilog,
        add_completion=add_completion,
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings=SETTINGS,
    )


class _LazyGroup(TyperGroup):
    entries: Mapping[str, ListedCommand] = {}

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Commands(self.entries)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names alone; asking the commands themselves would import them all."""
        return list(self.entries)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The overview, from the catalogue."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in self.entries.items()])


class _Commands(MutableMapping[str, Any]):
    """Names at once, commands when asked for."""

    def __init__(self, entries: Mapping[str, ListedCommand]) -> None:
        self._entries = entries
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            loaded = get_command(import_module(self._entries[name].module).app)
            loaded.name = name
            self._loaded[name] = loaded
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __setitem__(self, name: str, value: Any) -> None:
        self._loaded[name] = value

    def __delitem__(self, name: str) -> None:
        self._loaded.pop(name, None)
