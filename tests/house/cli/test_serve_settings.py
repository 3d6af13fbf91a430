"""Who looks for the house finds the same one: `serve` and `users` read file, variables, flags."""

from __future__ import annotations

import errno
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Answer, Ask
from tests.house.web.conftest import fast_folder
from tests.house.web.server_process import WEAK

from pitbook.house.cli.serve import serve, tell
from pitbook.house.settings import Settings, settings_from
from pitbook.house.web import serve as web
from pitbook.house.web.serve import Opening

PASSWORD = "one two three four"


@pytest.fixture
def two_data_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two data folders, "one" and "two", in the working folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("PITBOOK_DATA", "PITBOOK_DATABASE", "PITBOOK_CONFIG", "PITBOOK_PORT"):
        monkeypatch.delenv(name, raising=False)
    for name, value in WEAK.items():
        monkeypatch.setenv(name, value)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        with fast_folder(tmp_path / name):
            pass
    return tmp_path


@pytest.fixture
def add_user(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    """`pitbook users add` with a password."""

    def add(name: str, *where: str, password: str = PASSWORD) -> Answer:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{password}\n"))
        return ask("users", "add", name, "player", "--stdin", *where)

    return add


def names(ask: Ask, data: str) -> list[str]:
    document = ask("users", "list", "--data", data, "--json").document
    return [person["name"] for person in document["people"]]


@pytest.mark.long
def test_users_command_finds_the_same_house_as_serve(
    two_data_folders: Path,
    ask: Ask,
    add_user: Callable[..., Answer],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (two_data_folders / "pitbook.toml").write_text(
        'data = "one"\n[sign_in]\npassword_length_min = 12\n'
    )
    (two_data_folders / "other.toml").write_text('data = "two"\n')
    assert add_user("ann").code == 0
    short = add_user("bob", password="only eleven")
    assert (short.code, short.err) == (1, "pitbook: A password needs 12 to 1000 characters.\n")
    assert add_user("cyd", "--config", "other.toml", password="only eleven").code == 0
    with monkeypatch.context() as patched:
        patched.setenv("PITBOOK_CONFIG", "other.toml")
        assert add_user("dan").code == 0
        patched.setenv("PITBOOK_DATA", "one")
        assert add_user("eva").code == 0, "a variable wins over the file"
        assert add_user("fay", "--data", "two").code == 0, "and a flag over both"
    assert (names(ask, "one"), names(ask, "two")) == (["ann", "eva"], ["cyd", "dan", "fay"])


@pytest.mark.parametrize("arguments", [("users", "list"), ("serve",)])
def test_misspelled_setting_stops_users_and_serve(
    two_data_folders: Path, ask: Ask, arguments: tuple[str, ...]
) -> None:
    (two_data_folders / "pitbook.toml").write_text('dta = "one"\n')
    answer = ask(*arguments)
    message = 'pitbook: pitbook.toml: "dta" is not a setting. Did you mean "data"?\n'
    assert (answer.code, answer.out, answer.err) == (1, "", message)


def test_the_database_of_the_file_is_used(two_data_folders: Path, ask: Ask) -> None:
    (two_data_folders / "pitbook.toml").write_text('data = "one"\ndatabase = "mysql://x"\n')
    answer = ask("users", "list")
    assert answer.code == 1
    assert answer.err.startswith('pitbook: "mysql" is not supported')


def test_other_pitbook_variables_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot's variables are spelled like server settings."""
    others = {"PITBOOK_SERVER": "http://x", "PITBOOK_PASSWORD": "secret", "PITBOOK_OPERATOR": "x"}
    assert settings_from(None, others) == Settings()
    assert settings_from(None, {"PITBOOK_PORT": "", "PITBOOK_DATABASE": ""}) == Settings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("data = 5", "data is 5: it must be text"),
        ("limits = 3", "limits is 3: it has settings of its own, like [limits]. Make it a table"),
        ("https = 3", "https is 3: it must be true or false"),
        ('https = "maybe"', 'https is "maybe": it must be true or false'),
        ('origins = "x"', 'origins is "x": it must be a list, like ["one", "two"]'),
        ("trusted_proxies = [3]", "trusted_proxies[0] is 3: it must be text"),
        ("port = 1.5", "port is 1.5: it must be a whole number"),
        (
            '[clocks]\nbetting_seconds = "x"',
            'clocks.betting_seconds is "x": it must be a whole number',
        ),
        (
            '[sign_in]\nbackoff_max_minutes = "x"',
            'sign_in.backoff_max_minutes is "x": it must be a number',
        ),
    ],
)
def test_value_of_the_wrong_type_is_reported_without_jargon(
    two_data_folders: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    monkeypatch.setattr(web, "run", lambda *_: pytest.fail("it opened"))
    (two_data_folders / "pitbook.toml").write_text(text)
    answer = ask("serve", "--json")
    assert answer.code == 1
    assert answer.document == {"error": f"pitbook.toml: {message}."}


def test_settings_file_that_is_not_text(two_data_folders: Path, ask: Ask) -> None:
    (two_data_folders / "pitbook.toml").write_bytes(b"\xff\xfe")
    assert ask("serve").err == "pitbook: pitbook.toml: not a text file. Save it as UTF-8.\n"


def test_data_folder_that_is_a_file_is_refused(two_data_folders: Path, ask: Ask) -> None:
    (two_data_folders / "file").write_text("")
    for data in ("file", "file/house"):
        answer = ask("serve", "--port", "0", "--data", data)
        message = f"{data} is a file. Name a folder with --data."
        assert (answer.code, answer.out, answer.err) == (1, "", f"pitbook: {message}\n")


def test_unwritable_data_folder_is_reported(
    two_data_folders: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deny(*_: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "house/serve.lock")

    monkeypatch.setattr(web, "FolderLock", deny)
    answer = ask("serve", "--port", "0", "--data", "house")
    assert (answer.code, answer.err) == (
        1,
        "pitbook: house: the data folder cannot be used (house/serve.lock: Permission denied). "
        "Allow this user to write there, or choose another with --data.\n",
    )


def test_broken_pipe_is_not_blamed_on_the_data_folder(
    two_data_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*_: Any) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(web, "run", run)
    with pytest.raises(BrokenPipeError):
        serve()


def test_public_server_without_tls_gets_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    opening = Opening("http://10.0.0.1:8710", 1, None)
    warnings_shown = []
    for settings in (
        Settings(),
        Settings(host="0.0.0.0", https=True),
        Settings(host="0.0.0.0"),
    ):
        tell(opening, settings)
        warnings_shown.append("Put TLS in front of it" in capsys.readouterr().out)
    assert warnings_shown == [False, False, True]


def test_opening_is_one_json_document(
    two_data_folders: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(settings: Settings, announce: Callable[[Opening], None]) -> None:
        announce(Opening(f"http://127.0.0.1:{settings.port}", 0, None))

    monkeypatch.setattr(web, "run", run)
    assert ask("serve", "--json", "--port", "1").document["address"] == "http://127.0.0.1:1"
    words = ask("serve", "--port", "1").out
    assert words.startswith(
        "Pitbook is running at http://127.0.0.1:1 with 0 tables. Press Ctrl-C to stop."
    )
