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
from pitbook.sheets.findings import did_you_mean, format_path, show_value
from pitbook.text import say, sentence_of

PREFIX = "PITBOOK_"
WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
OTHERS = (  # Known, and no settings of a server.
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
        """Seconds by the name that tables use for the clock."""
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
    def _are_origins(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        for one in given:
            scheme, found, rest = one.partition("://")
            if scheme not in ("http", "https") or not found or not rest or "/" in rest:
                raise ValueError(say("web.settings.no-origin", origin=one))
        return given

    @property
    def address(self) -> str:
        """Where a browser finds the house, as far as the settings tell."""
        if self.origins:
            return self.origins[0]
        host = WILDCARDS.get(self.host, self.host)
        shown = f"[{host}]" if ":" in host else host
        return f"{'https' if self.https else 'http'}://{shown}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches the server."""
        return self.host == "localhost" or is_loopback(self.host)


def is_loopback(address: str) -> bool:
    """Whether an address is this machine's own, seen from itself."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def settings_from(
    file: Path | None,
    environ: Mapping[str, str],
    overrides: Mapping[str, Any] | None = None,
) -> Settings:
    """Settings of a file, of PITBOOK_* variables and of flags; raises SettingsError."""
    given = (overrides or {}).items()
    flags = {name: value for name, value in given if value is not None}
    in_file, in_environ = _of_file(file) if file else {}, _of_environ(environ)
    merged = _merged(_merged(in_file, in_environ), flags)
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        detail = error.errors()[0]
        where = _source(detail, in_environ, flags) or str(file)
        raise SettingsError(say("web.settings.at", where=where, why=_worded(detail))) from None


def _of_file(file: Path) -> dict[str, Any]:
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


def _of_environ(environ: Mapping[str, str]) -> dict[str, Any]:
    known = variables()
    found: dict[str, Any] = {}
    for name, value in environ.items():
        if not value:
            continue  # Set to nothing is not set.
        if name in known:
            _put(found, known[name], _listed(known[name], value))
        elif name.startswith(PREFIX) and name not in OTHERS:
            _refuse_misspelt(name, known)
    return found


def _refuse_misspelt(name: str, known: Iterable[str]) -> None:
    """The environment is everybody's: only what is meant for us and nearly right is refused."""
    if near := get_close_matches(name, known, n=1, cutoff=0.85):
        raise SettingsError(say("web.settings.misspelt", name=name, near=near[0]))


def variables() -> dict[str, tuple[str, ...]]:
    """Every variable, and the path of the setting it sets."""
    paths: list[tuple[str, ...]] = []
    for name, field in Settings.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, _Section):
            paths += [(name, inner) for inner in kind.model_fields]
        else:
            paths.append((name,))
    return {PREFIX + "_".join(path).upper(): path for path in paths}


def _listed(path: tuple[str, ...], value: str) -> Any:
    if path == ("sheets",):
        return [one for one in value.split(os.pathsep) if one]
    if path in (("origins",), ("trusted_proxies",)):
        return [one.strip() for one in value.split(",") if one.strip()]
    return value


def _put(found: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for step in path[:-1]:
        found = found.setdefault(step, {})
    found[path[-1]] = value


def _merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    both = dict(first)
    for name, value in second.items():
        before = both.get(name)
        inner = isinstance(before, Mapping) and isinstance(value, Mapping)
        both[name] = _merged(before, value) if inner else value  # type: ignore[arg-type]
    return both


def _source(
    detail: ErrorDetails, environ: Mapping[str, Any], flags: Mapping[str, Any]
) -> str | None:
    """Whence the wrong value came, if not from the file."""
    path = [str(step) for step in detail["loc"]]
    if path[0] in flags:
        return f"--{path[0].replace('_', '-')}"
    here: Any = environ
    for step in path[:2]:
        here = here.get(step) if isinstance(here, Mapping) else None
        if here is not None and not isinstance(here, Mapping):
            return PREFIX + "_".join(path[:2] if path[0] in _sections() else path[:1]).upper()
    return None


def _sections() -> list[str]:
    return [path[0] for path in variables().values() if len(path) > 1]


def _worded(detail: ErrorDetails) -> str:
    name = format_path(detail["loc"])
    if detail["type"] == "extra_forbidden":
        inside = detail["loc"][:-1]
        known = [path[-1] for path in variables().values() if path[:-1] == inside]
        known += [] if inside else sorted(set(_sections()))
        remedy = did_you_mean(str(detail["loc"][-1]), known)
        return say("web.settings.none", name=name, remedy=remedy)
    if detail["type"] == "value_error":
        return say("web.settings.at", where=name, why=sentence_of(detail["ctx"]["error"]))
    return say("web.settings.is", name=name, value=show_value(detail["input"]), why=_reason(detail))


def _reason(detail: ErrorDetails) -> str:
    """What pydantic says of wrong kinds is for programmers."""
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
