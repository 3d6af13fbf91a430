"""The layout of `--help`: plain placeholders, commands in sections, and the exit codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from typer.core import TyperCommand, TyperGroup

EXIT_CODES = (
    ("0", "success"),
    ("1", "a refusal, a failed check, or an error; the message says which"),
    ("2", "wrong usage, such as an unknown option"),
    ("130", "interrupted by Ctrl-C"),
)
SectionRows = Sequence[tuple[str, str]]


class Command(TyperCommand):
    """A command whose help says SHEET and N where typer says {SHEET} and <int range>."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The placeholders of the usage line; those in brackets are optional."""
        return [
            *([self.options_metavar] if self.options_metavar else []),
            *(_usage_name(param) for param in _arguments(self, ctx)),
        ]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments and options, each with its placeholder."""
        write_parameters(self, ctx, formatter)


class Group(TyperGroup):
    """A group that prints a whole sentence for each of its commands."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return ["COMMAND ..."]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Options, then commands."""
        write_parameters(self, ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands with their first sentences, wrapped rather than cut."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        write_section(
            formatter,
            "Commands",
            [(name, first_sentence(command)) for name, command in commands if command],
        )


def first_sentence(command: Any) -> str:
    """The first sentence of a command's help."""
    text = " ".join((command.short_help or command.help or "").partition("\n\n")[0].split())
    sentence, period, _ = text.partition(". ")
    return f"{sentence}." if period else text


def write_section(formatter: Any, title: str, rows: SectionRows) -> None:
    """A titled list of names and descriptions."""
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)


def write_parameters(command: Any, ctx: Any, formatter: Any) -> None:
    """The arguments and options of a command."""
    arguments = {_argument_name(param): _help(param, ctx) for param in _arguments(command, ctx)}
    options = [
        (_option_name(param), _help(param, ctx))
        for param in command.get_params(ctx)
        if param.param_type_name == "option" and not param.hidden
    ]
    write_section(formatter, "Arguments", list(arguments.items()))  # Repeated names share a line.
    write_section(formatter, "Options", options)


def _arguments(command: Any, ctx: Any) -> Iterable[Any]:
    return (param for param in command.get_params(ctx) if param.param_type_name == "argument")


def _argument_name(param: Any) -> str:
    return f"{param.display_name_raw}..." if param.nargs != 1 else str(param.display_name_raw)


def _usage_name(param: Any) -> str:
    name = _argument_name(param)
    return name if param.required else f"[{name}]"


def _option_name(param: Any) -> str:
    """For example "-o, --out DIR" or "--coach / --no-coach"."""
    names = ", ".join(sorted(param.opts, key=len))
    if param.secondary_opts:
        return f"{names} / {', '.join(param.secondary_opts)}"
    return names if param.is_flag else f"{names} {_placeholder(param)}"


def _placeholder(param: Any) -> str:
    if param.metavar:
        return str(param.metavar)
    described = param.type_descriptor
    if described.is_choice:
        return "|".join(str(getattr(choice, "value", choice)) for choice in described.choices)
    return "N" if described.is_ranged or described.annotation in (int, float) else "TEXT"


def _help(param: Any, ctx: Any) -> str:
    """The help of a parameter with its default, range and environment variable."""
    text, notes = param.help or "", "; ".join(_notes(param, ctx))
    return f"{text}  [{notes}]".strip() if notes else text


def _notes(param: Any, ctx: Any) -> Iterable[str]:
    if param.envvar and param.show_envvar:
        yield f"env var: {param.envvar}"
    default = param.get_default(ctx, call=False)
    if default is not None and param.show_default:
        text = param._get_default_string(  # noqa: SLF001  Typer has no public access to it.
            ctx=ctx, show_default_is_str=False, default_value=default
        )
        if text:
            yield f"default: {text}"
    if param.min is not None and param.max is not None:
        yield f"{param.min} to {param.max}"
    elif param.min is not None:
        yield f"at least {param.min}"
    if param.required and param.param_type_name == "option":
        yield "required"


def exit_codes() -> str:
    """The exit codes of every command, for the end of the overview."""
    rows = "\n".join(f"  {code:<5}{meaning}" for code, meaning in EXIT_CODES)
    return f"\b\nExit codes:\n{rows}"
