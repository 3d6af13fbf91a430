"""The third-party notice lists every locked package with its license and license text."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.command_line import Ask
from tests.packaging.clean_install import build_wheel, load_notices

ROOT = Path(__file__).parents[2]
NOTICES = ROOT / "THIRD_PARTY_NOTICES.txt"
RENEW = "run make notices"


class Entry(NamedTuple):
    name: str
    versions: tuple[str, ...]
    license: str
    text: str


@pytest.fixture(scope="module")
def notices() -> Any:
    return load_notices()


@pytest.fixture(scope="module")
def entries(notices: Any) -> dict[str, Entry]:
    """Every package in the file, by its name."""
    form = rf"^{notices.RULE}\n(\S+)(.*)\nLicense: (.*)\n{notices.RULE}\n"
    parts = re.split(form, NOTICES.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    rows = zip(parts[::4], parts[1::4], parts[2::4], parts[3::4], strict=True)
    notices_read = [
        Entry(name, tuple(re.findall(r"[^, ]+", versions)), *rest) for name, versions, *rest in rows
    ]
    assert len({entry.name for entry in notices_read}) == len(notices_read)
    return {entry.name: entry for entry in notices_read}


def test_every_python_package_of_an_installation_is_named_at_its_locked_version(
    notices: Any, entries: dict[str, Entry]
) -> None:
    locked = notices.locked_versions((ROOT / "requirements/lock.txt").read_text(encoding="utf-8"))
    expected = {name: locked.get(name, ()) for name in notices.uses()}
    contained = {*notices.BUNDLED, "Archivo", "Besley"}
    versions = {name: entry.versions for name, entry in entries.items() if name not in contained}
    assert versions == expected, RENEW


def test_every_package_of_the_page_is_named_at_its_locked_version(
    notices: Any, entries: dict[str, Entry]
) -> None:
    """Building the page fails if it takes in a package that is not in the file."""
    lock = json.loads((ROOT / "frontend/package-lock.json").read_text(encoding="utf-8"))
    for name in notices.BUNDLED:
        package = lock["packages"][f"node_modules/{name}"]
        assert entries[name].versions == (package["version"],), RENEW
        assert entries[name].license == package["license"], RENEW


def test_every_package_has_a_license_and_its_text(entries: dict[str, Entry]) -> None:
    assert [name for name, entry in entries.items() if not entry.license.strip()] == []
    unread = {"cupy-cuda12x"}  # It needs CUDA, and is not locked.
    short = [name for name, entry in entries.items() if len(entry.text.split()) < 80]
    same = [name for name in short if "The text is that of" in entries[name].text]
    assert {*short} - {*same} == unread


def test_texts_are_those_of_the_installed_packages(notices: Any, entries: dict[str, Entry]) -> None:
    """Compare only packages installed at the version in the notice."""
    compared = 0
    for name, entry in entries.items():
        folder = notices.metadata_folder(name, notices.SITE_PACKAGES)
        if (
            folder is None
            or name in notices.SAME_TEXT
            or "The text is that of" in entry.text
            or len(entry.versions) != 1
        ):
            continue
        if folder.name.endswith(f"-{entry.versions[0]}.dist-info"):
            assert entry.text.strip() == notices.texts_in(folder).strip(), f"{name}: {RENEW}"
            compared += 1
    assert compared > 40


def test_mandatory_packages_may_be_used_in_closed_source_products(
    notices: Any, entries: dict[str, Entry]
) -> None:
    """Packages under a copyleft license come with an extra, and so only to those who ask."""
    copyleft = {name for name, entry in entries.items() if re.search(r"\bA?L?GPL", entry.license)}
    assert copyleft == {"psycopg", "psycopg-binary"}
    every = notices.EVERY_INSTALLATION
    assert [name for name in copyleft if every in notices.uses()[name]] == []


@pytest.mark.long
def test_wheel_contains_the_notice(tmp_path: Path) -> None:
    with zipfile.ZipFile(build_wheel(tmp_path)) as wheel:
        (name,) = (
            member for member in wheel.namelist() if member.endswith("/THIRD_PARTY_NOTICES.txt")
        )
        assert wheel.read(name) == NOTICES.read_bytes()


def test_licenses_option_prints_the_notice(ask: Ask) -> None:
    answer = ask("--licenses")
    assert answer.code == 0
    assert answer.out.startswith("THIRD-PARTY NOTICES\n")
    assert "LGPL-3.0-only | pitbook[postgres]" in answer.out
