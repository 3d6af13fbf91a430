"""Settings from three places, later ones winning, and messages for everything invalid."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitbook.errors import SettingsError
from pitbook.house.settings import Settings, is_loopback, settings_from


def toml(folder: Path, text: str) -> Path:
    file = folder / "pitbook.toml"
    file.write_text(text)
    return file


def test_default_server_is_on_loopback() -> None:
    plain = settings_from(None, {})
    assert plain == Settings()
    assert (plain.host, plain.port, plain.data) == ("127.0.0.1", 8710, Path("pitbook-data"))
    assert (plain.https, plain.origins, plain.trusted_proxies) == (False, (), ())
    assert plain.is_loopback
    assert not Settings(host="0.0.0.0").is_loopback


def test_security_defaults() -> None:
    plain = Settings()
    assert (plain.sign_in.failures_max, plain.sign_in.backoff_max_minutes) == (3, 15)
    # OWASP's minimum for Argon2id is 19 MiB and two passes; ours is RFC 9106's second choice.
    assert (plain.sign_in.argon2_memory_kib, plain.sign_in.argon2_time_cost) == (65_536, 3)


def test_environment_beats_file_and_flags_beat_both(tmp_path: Path) -> None:
    file = toml(
        tmp_path, 'host = "10.0.0.1"\nport = 1\ndata = "a"\n[limits]\nbody_bytes_max = 2000\n'
    )
    given = {"PITBOOK_PORT": "2", "PITBOOK_DATA": "b", "PITBOOK_LIMITS_FRAME_BYTES_MAX": "3000"}
    settings = settings_from(file, given, {"data": Path("c"), "host": None})
    assert (settings.host, settings.port, settings.data) == ("10.0.0.1", 2, Path("c"))
    assert (settings.limits.body_bytes_max, settings.limits.frame_bytes_max) == (2000, 3000)
    assert settings.limits.practice_tables_per_address == 400


def test_lists_are_read_from_the_environment() -> None:
    settings = settings_from(
        None,
        {
            "PITBOOK_ORIGINS": "https://a.example, http://b.example:8080",
            "PITBOOK_TRUSTED_PROXIES": "10.0.0.2",
            "PITBOOK_SHEETS": "one:two",
            "PITBOOK_HTTPS": "true",
            "PITBOOK_CONFIG": "ours.toml",
            "HOME": "nothing to us",
            "PITBOOK_PORT_80_TCP": "somebody else's",
        },
    )
    assert settings.origins == ("https://a.example", "http://b.example:8080")
    assert settings.trusted_proxies == ("10.0.0.2",)
    assert settings.sheets == (Path("one"), Path("two"))
    assert settings.https is True


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prot = 1", 'pitbook.toml: "prot" is not a setting. Did you mean "port"?'),
        ("[limit]\nx = 1", 'pitbook.toml: "limit" is not a setting. Did you mean "limits"?'),
        (
            "[limits]\nbody_bytes_mx = 1",
            'pitbook.toml: "limits.body_bytes_mx" is not a setting. Did you mean "body_bytes_max"?',
        ),
        ("port = 70000", "pitbook.toml: port is 70000: it should be less than or equal to 65535."),
        (
            'origins = ["a.example"]',
            'pitbook.toml: origins: "a.example" is not an address. Write https://HOST or http://HOST:PORT.',
        ),
        (
            'origins = ["https://a.example/x"]',
            'pitbook.toml: origins: "https://a.example/x" is not an address. Write https://HOST or http://HOST:PORT.',
        ),
        ("port = ", "pitbook.toml: not valid TOML: Invalid value (at end of document)."),
        (
            'log_level = "loud"',
            'pitbook.toml: log_level is "loud": '
            "it should be 'debug', 'info', 'warning' or 'error'.",
        ),
    ],
)
def test_invalid_file_is_reported(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingsError) as error:
        settings_from(toml(tmp_path, text), {})
    assert str(error.value) == f"{tmp_path}/{message}"


def test_invalid_value_is_reported_with_its_source(tmp_path: Path) -> None:
    file = toml(tmp_path, "port = 1")
    with pytest.raises(SettingsError, match=r"^PITBOOK_PORT: port is \"x\": it must be a whole"):
        settings_from(file, {"PITBOOK_PORT": "x"})
    with pytest.raises(
        SettingsError, match=r"^PITBOOK_LIMITS_BODY_BYTES_MAX: limits.body_bytes_max is "
    ):
        settings_from(file, {"PITBOOK_LIMITS_BODY_BYTES_MAX": "5"})
    with pytest.raises(SettingsError, match=r"^--port: port is -1: it should be greater"):
        settings_from(file, {"PITBOOK_PORT": "x"}, {"port": -1})
    with pytest.raises(
        SettingsError, match=r"^PITBOOK_PROT is not a setting. Did you mean PITBOOK_PO"
    ):
        settings_from(file, {"PITBOOK_PROT": "1"})


def test_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.toml: the settings file does not exist.$"):
        settings_from(tmp_path / "none.toml", {})
    with pytest.raises(SettingsError, match=r"cannot be read: Is a directory.$"):
        settings_from(tmp_path, {})


def test_settings_are_immutable() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().port = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("address", "expected"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("10.0.0.1", False), ("x", False)],
)
def test_loopback_addresses(address: str, expected: bool) -> None:
    assert is_loopback(address) is expected
