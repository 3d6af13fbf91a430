"""Command groups that import a command only when it is called."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, TypeVar

import typer
from typer.main import get_command

from pitbook.cli.help import Command, Group, first_sentence, write_section

SETTINGS = {"help_option_names": ["--help", "-h"]}
ENTRY_POINTS = "pitbook.commands"
Run = TypeVar("Run", bound=Callable[..., Any])


@dataclass(frozen=True)
class ListedCommand:
    """A command's module, whose `app` it is, and its line in the overview."""

    module: str
    summary: str
    section: str = "Commands"
    """The heading in the overview."""
    interactive: bool = False
    """Waits for a person or serves others: idle when silent, and handles Ctrl-C itself."""


class CommandTable(Mapping[str, ListedCommand]):
    """The commands of this package, then those of installed packages.

    An installed package lists its commands in an entry point of `pitbook.commands`. The name of a
    command in a group begins with the group: "rounds share".
    """

    def __init__(self, commands: Mapping[str, ListedCommand], group: str = "") -> None:
        self._commands = commands
        self._group = group

    @cached_property
    def _installed(self) -> Mapping[str, ListedCommand]:
        from importlib.metadata import entry_points  # noqa: PLC0415  Slow, and rarely needed.

        installed = entry_points(group=ENTRY_POINTS)  # Our own come before those of other packages.
        points = sorted(installed, key=lambda point: not point.value.startswith("pitbook."))
        tables = [point.load() for point in points]
        paths = {tuple(path.split()): entry for table in tables for path, entry in table.items()}
        group = tuple(self._group.split())
        return {path[-1]: entry for path, entry in paths.items() if path[:-1] == group}

    def __getitem__(self, name: str) -> ListedCommand:
        return self._commands[name] if name in self._commands else self._installed[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._commands
        yield from self._installed

    def __len__(self) -> int:
        return sum(1 for _ in self)


class App(typer.Typer):
    """A typer app whose commands print our layout of `--help`."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(
            **{
                "cls": Group,
                "add_completion": False,
                "rich_markup_mode": None,
                "context_settings": SETTINGS,
                **settings,
            }
        )

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Run], Run]:
        """Like typer's."""
        return super().command(name, **{"cls": Command, **settings})


def command() -> App:
    """The app of a module with a single command, or with commands for a group."""
    return App()


def group(
    about: str,
    *,
    epilog: str,
    commands: Mapping[str, ListedCommand] | None = None,
    add_completion: bool = False,
) -> App:
    """The app of a group: commands registered by its module, then `commands`, imported on
    demand.
    """

    class ListedGroup(_LazyGroup):
        listed = {} if commands is None else commands  # `or` would look for installed packages.

    app = App(
        cls=ListedGroup,
        help=about,
        epilog=epilog,
        add_completion=add_completion,
        no_args_is_help=True,
    )
    app.callback()(lambda: None)  # Without a callback, typer makes a single command of the group.
    return app


class _LazyGroup(Group):
    listed: Mapping[str, ListedCommand] = {}

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._registered = dict(self.commands)
        self.commands = _LoadedCommands(self._registered, self.listed)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names only; loading the commands would import them all."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The overview by section, without importing any command."""
        rows = {
            "Commands": [(name, first_sentence(item)) for name, item in self._registered.items()]
        }
        for name, entry in self.listed.items():
            rows.setdefault(entry.section, []).append((name, entry.summary))
        for section, section_rows in rows.items():
            write_section(formatter, section, section_rows)


class _LoadedCommands(MutableMapping[str, Any]):
    """Commands by name, imported on lookup."""

    def __init__(self, registered: Mapping[str, Any], listed: Mapping[str, ListedCommand]) -> None:
        self._loaded = dict(registered)
        self._names = [*registered]
        self._listed = listed

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            module_command = get_command(import_module(self._listed[name].module).app)
            # A module may define several listed commands: backup and restore.
            loaded = getattr(module_command, "commands", {}).get(name, module_command)
            loaded.name = name
            self._loaded[name] = loaded
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._names
        yield from self._listed

    def __len__(self) -> int:
        return len(self._names) + len(self._listed)

    def __setitem__(self, name: str, value: Any) -> None:
        self._loaded[name] = value

    def __delitem__(self, name: str) -> None:
        self._loaded.pop(name, None)
