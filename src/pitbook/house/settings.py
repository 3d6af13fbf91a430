"""Server settings from a file, environment variables and the command line; later ones win."""

from __future__ import annotations

import ipaddress
import os
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_core import ErrorDetails

from pitbook.errors import SettingsError
from pitbook.house.web.validation import validation_reason
from pitbook.sheets.findings import format_path
from pitbook.text import say, sentence_of
from pitbook.text.user_input import did_you_mean, show_value

PREFIX = "PITBOOK_"
LOOPBACK_OF_WILDCARD = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
OTHER_VARIABLES = (  # Known, but not server settings.
    "PITBOOK_CONFIG",
    "PITBOOK_MAKE",
    "PITBOOK_OPERATOR",
    "PITBOOK_PASSWORD",
    "PITBOOK_RELIABILITY",
    "PITBOOK_SERVER",
    "PITBOOK_TEST_POSTGRES",
    "PITBOOK_TRACEBACK",
)


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _number(default: float, description: str, **bounds: float) -> Any:
    return Field(default, description=description, **bounds)  # type: ignore[call-overload]


class RequestLimits(_Section):
    """Limits on requests, frames and connections per person and per address."""

    body_bytes_max: int = _number(200_000, "largest request body", ge=1_000, le=5_000_000)
    body_timeout_seconds: float = _number(10, "time allowed for a request body to arrive", gt=0)
    frame_bytes_max: int = _number(16_384, "largest socket frame", ge=1_000, le=1_000_000)
    json_depth_max: int = _number(32, "deepest nesting in a JSON document", ge=4, le=200)
    json_values_max: int = _number(
        10_000,
        "values in a JSON body of a signed-in user; guests get 5% of it",
        ge=20,
        le=1_000_000,
    )
    requests_per_second: float = _number(20, "sustained requests of one person or connection", gt=0)
    requests_burst: int = _number(200, "burst of requests of one person or connection", ge=1)
    commands_per_second: float = _number(
        10,
        "sustained commands of one seat; the same number of views and three times the frames",
        gt=0,
    )
    commands_burst: int = _number(30, "burst of commands of one seat", ge=1)
    address_multiplier: float = _number(
        25, "limit of an address as a multiple of one person's; guests and users separately", ge=1
    )
    connections_per_address: int = _number(
        2_000, "open connections of one address; trusted proxies are exempt", ge=1
    )
    header_timeout_seconds: float = _number(10, "time allowed for request headers to arrive", gt=0)
    sign_ins_per_minute: float = _number(
        30, "successful sign-ins of one person; failures are delayed instead", gt=0
    )
    guests_per_minute: float = _number(600, "new guests from one address", gt=0)
    practice_tables_per_address: int = _number(400, "open practice tables of one address", ge=0)
    practice_tables_per_person: int = _number(20, "open practice tables of one person", ge=0)
    sockets_per_address: int = _number(
        1_000,
        "open sockets and event streams of one address; guests and users separately",
        ge=1,
    )
    sockets_per_person: int = _number(40, "open sockets and event streams of one person", ge=1)


class SignInRules(_Section):
    """Passwords, second factors, and how long sign-ins and links are valid."""

    second_factor: Literal["none", "staff"] = Field(
        "none", description="who must use a second factor; staff: every role except player"
    )
    failures_max: int = _number(
        3, "wrong passwords for one name before unknown devices must wait", ge=1
    )
    backoff_max_minutes: float = _number(15, "longest wait after wrong passwords", gt=0)
    address_failures_max: int = _number(
        30, "wrong passwords from one address before its unknown devices must wait", ge=1
    )
    known_device_days: float = _number(
        180, "days until a browser is an unknown device again", gt=0, le=3_650
    )
    session_hours: float = _number(12, "hours until a session expires", gt=0)
    invitation_hours: float = _number(24, "hours until an invitation expires", gt=0)
    reset_hours: float = _number(4, "hours until a password reset link expires", gt=0)
    failure_delay_seconds: float = _number(0.5, "shortest response time of a failed sign-in", ge=0)
    password_length_min: int = _number(8, "shortest password, in characters", ge=1)
    argon2_time_cost: int = _number(3, "Argon2 time cost (passes)", ge=1)
    argon2_memory_kib: int = _number(65_536, "Argon2 memory cost, in KiB", ge=8)
    argon2_parallelism: int = _number(1, "Argon2 parallelism (lanes)", ge=1)


class ClockSettings(_Section):
    """Time that players have at a new house table."""

    betting_seconds: int = _number(45, "time to bet, from the first wager on", ge=1)
    decision_seconds: int = _number(45, "time for a decision", ge=1)
    agree_seconds: int = _number(120, "time to agree how an interrupted round continues", ge=1)

    def by_clock(self) -> dict[str, int]:
        """Seconds by clock name."""
        return {
            "betting": self.betting_seconds,
            "decision": self.decision_seconds,
            "agree": self.agree_seconds,
        }


class CageSettings(_Section):
    """What a cashier may do without a second person."""

    dual_control_above: int = _number(
        100, "dollars above which voiding a receipt takes a second person", ge=0, le=1_000_000
    )


class ReportSettings(_Section):
    """Thresholds and retention of reports."""

    large_win: int = _number(1_200, "dollars from which a win is reported as large", ge=1)
    day_close_retention_days: int = _number(
        0, "days to keep signed day-close files; 0 keeps all; the ledger is never pruned", ge=0
    )


class Settings(_Section):
    """Everything that can be configured about a server."""

    data: Path = Field(
        Path("pitbook-data"), description="data folder with ledger, keys and checkpoints"
    )
    database: str | None = Field(
        None, description="database URL of the ledger, if it is not in the data folder"
    )
    anchor: str | None = Field(
        None, description="file or database outside the data folder that records every checkpoint"
    )
    host: str = Field("127.0.0.1", description="address to listen on")
    port: int = _number(8710, "port to listen on; 0 picks a free one", ge=0, le=65_535)
    origins: tuple[str, ...] = Field(
        (), description="public URLs of the server; the first one is used in links"
    )
    trusted_proxies: tuple[str, ...] = Field(
        (), description="proxies whose X-Forwarded-For header is trusted"
    )
    https: bool = Field(False, description="browsers connect over HTTPS")
    sheets: tuple[Path, ...] = Field((), description="folders with the house's own rule sheets")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="least severe log level to write"
    )
    log_format: Literal["auto", "json", "text"] = Field(
        "auto", description="text, or one JSON object per line; auto: text on a terminal"
    )
    shutdown_seconds: int = _number(5, "time for open requests to finish at shutdown", ge=0)
    limits: RequestLimits = RequestLimits()
    sign_in: SignInRules = SignInRules()
    clocks: ClockSettings = ClockSettings()
    cage: CageSettings = CageSettings()
    reports: ReportSettings = ReportSettings()

    @field_validator("origins")
    @classmethod
    def _are_origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            scheme, host, rest = origin.partition("://")
            if scheme not in ("http", "https") or not host or not rest or "/" in rest:
                raise ValueError(say("web.settings.no-origin", origin=origin))
        return origins

    @property
    def address(self) -> str:
        """The address for browsers, as far as the settings tell."""
        if self.origins:
            return self.origins[0]
        host = LOOPBACK_OF_WILDCARD.get(self.host, self.host)
        url_host = f"[{host}]" if ":" in host else host
        return f"{'https' if self.https else 'http'}://{url_host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host == "localhost" or is_loopback(self.host)


def is_loopback(address: str) -> bool:
    """Whether an address is a loopback address."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def settings_from(
    file: Path | None,
    environ: Mapping[str, str],
    overrides: Mapping[str, Any] | None = None,
) -> Settings:
    """Settings from a file, PITBOOK_* variables and flags; raises SettingsError."""
    overrides_given = (overrides or {}).items()
    flags = {name: value for name, value in overrides_given if value is not None}
    file_values, environ_values = _read_file(file) if file else {}, _read_environ(environ)
    merged = _merge(_merge(file_values, environ_values), flags)
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        detail = error.errors()[0]
        source = _source_of(detail, environ_values, flags) or str(file)
        raise SettingsError(
            say("web.settings.at", where=source, why=_describe_error(detail))
        ) from None


def _read_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SettingsError(say("web.settings.no-file", file=file)) from None
    except OSError as error:
        raise SettingsError(say("web.settings.unread", file=file, why=error.strerror)) from None
    except UnicodeDecodeError:
        raise SettingsError(say("web.settings.no-text", file=file)) from None
    except ValueError as error:
        raise SettingsError(say("web.settings.no-toml", file=file, why=str(error))) from None


def _read_environ(environ: Mapping[str, str]) -> dict[str, Any]:
    paths = variables()
    values: dict[str, Any] = {}
    for name, value in environ.items():
        if not value:
            continue  # An empty variable counts as unset.
        if name in paths:
            _set_path(values, paths[name], _split_list(paths[name], value))
        elif name.startswith(PREFIX) and name not in OTHER_VARIABLES:
            _refuse_misspelt(name, paths)
    return values


def _refuse_misspelt(name: str, names: Iterable[str]) -> None:
    """Refuse a variable that is probably a misspelled setting; others are ignored."""
    if near := get_close_matches(name, names, n=1, cutoff=0.85):
        raise SettingsError(say("web.settings.misspelt", name=name, near=near[0]))


def variables() -> dict[str, tuple[str, ...]]:
    """Every variable, with the path of its setting."""
    paths: list[tuple[str, ...]] = []
    for name, field in Settings.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, _Section):
            paths += [(name, inner) for inner in kind.model_fields]
        else:
            paths.append((name,))
    return {PREFIX + "_".join(path).upper(): path for path in paths}


def _split_list(path: tuple[str, ...], value: str) -> Any:
    if path == ("sheets",):
        return [path for path in value.split(os.pathsep) if path]
    if path in (("origins",), ("trusted_proxies",)):
        return [text.strip() for text in value.split(",") if text.strip()]
    return value


def _set_path(values: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for step in path[:-1]:
        values = values.setdefault(step, {})
    values[path[-1]] = value


def _merge(base: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for name, value in overrides.items():
        base_value = merged.get(name)
        both_are_tables = isinstance(base_value, Mapping) and isinstance(value, Mapping)
        merged[name] = _merge(base_value, value) if both_are_tables else value  # type: ignore[arg-type]
    return merged


def _source_of(
    detail: ErrorDetails, environ: Mapping[str, Any], flags: Mapping[str, Any]
) -> str | None:
    """Where the wrong value came from, if not from the file."""
    path = [str(step) for step in detail["loc"]]
    if path[0] in flags:
        return f"--{path[0].replace('_', '-')}"
    node: Any = environ
    for step in path[:2]:
        node = node.get(step) if isinstance(node, Mapping) else None
        if node is not None and not isinstance(node, Mapping):
            return PREFIX + "_".join(path[:2] if path[0] in _sections() else path[:1]).upper()
    return None


def _sections() -> list[str]:
    return [path[0] for path in variables().values() if len(path) > 1]


def _describe_error(detail: ErrorDetails) -> str:
    name = format_path(detail["loc"])
    if detail["type"] == "extra_forbidden":
        parent = detail["loc"][:-1]
        names = [path[-1] for path in variables().values() if path[:-1] == parent]
        names += [] if parent else sorted(set(_sections()))
        remedy = did_you_mean(str(detail["loc"][-1]), names)
        return say("web.settings.none", name=name, remedy=remedy)
    if detail["type"] == "value_error":
        return say("web.settings.at", where=name, why=sentence_of(detail["ctx"]["error"]))
    return say("web.settings.is", name=name, value=show_value(detail["input"]), why=_reason(detail))


def _reason(detail: ErrorDetails) -> str:
    """Why a value is invalid; pydantic's type errors are reworded for operators."""
    if (kind := _KINDS.get(detail["type"])) is not None:
        return say("web.settings.kind", kind=kind, example=EXAMPLE)
    return validation_reason(detail)


EXAMPLE = '["one", "two"]'
_KINDS = {
    "bool_parsing": "truth",
    "bool_type": "truth",
    "float_parsing": "number",
    "float_type": "number",
    "int_from_float": "whole",
    "int_parsing": "whole",
    "int_type": "whole",
    "model_type": "table",
    "path_type": "text",
    "string_type": "text",
    "tuple_type": "list",
}
