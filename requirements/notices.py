"""Write THIRD_PARTY_NOTICES.txt: `make notices`, after `make lock` or new packages in the page.

The wheel contains the page and its fonts; pip installs the Python packages beside it. Names and
versions come from the lock files, license texts from the packages themselves.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from email import message_from_string
from email.message import Message
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
NOTICES = ROOT / "THIRD_PARTY_NOTICES.txt"
MODULES = ROOT / "frontend" / "node_modules"
FONTS = ROOT / "src" / "pitbook" / "printing" / "fonts"
# What the built page contains; building it fails if a package is missing here.
BUNDLED = (
    "@fontsource-variable/archivo",
    "@fontsource-variable/besley",
    "@noble/ciphers",
    "@noble/hashes",
    "clsx",
    "esm-env",
    "svelte",
    "vite",
)
LICENSES = {"cupy-cuda12x": "MIT", "pysqlite3": "Zlib"}  # Where no metadata names one.
SAME_TEXT = {"ray": "typst"}  # Ray's wheel only says "Apache 2.0"; Typst's has the whole license.
EVERY_INSTALLATION = "every installation"
LICENSE_FILE = re.compile(r"licen[cs]e|copying|notice|copyright", re.IGNORECASE)
PIN = re.compile(r"^([a-z0-9._-]+)(?:\[[^]]*\])?==(\S+)", re.MULTILINE)
SITE_PACKAGES = [Path(path) for path in sys.path if path.endswith("site-packages")]
SYSTEMS = [  # A package may be needed on one of these alone.
    {"sys_platform": platform, "platform_system": system, "os_name": os_name}
    | {"python_version": python, "python_full_version": f"{python}.0"}
    for platform, system, os_name in (
        ("linux", "Linux", "posix"),
        ("darwin", "Darwin", "posix"),
        ("win32", "Windows", "nt"),
    )
    for python in ("3.11", "3.12", "3.13", "3.14")
]
RULE = "=" * 100
INTRODUCTION = """\
THIRD-PARTY NOTICES

Pitbook itself is under the MIT license (see LICENSE). This file lists the work of others that the
Pitbook package contains, and the Python packages that are installed with it, each with its license.

Written by `make notices` from requirements/lock.txt and frontend/package-lock.json.
"""


class Notice(NamedTuple):
    """A package: its name, its locked versions, its license, what it is used for, and the text."""

    name: str
    versions: tuple[str, ...]
    license: str
    used: str
    text: str

    @property
    def heading(self) -> str:
        """One line for the table of contents and above the text."""
        return f"{self.name} {', '.join(self.versions)}".strip()


def locked_versions(lock: str) -> dict[str, tuple[str, ...]]:
    """The versions of each package in a lock file; some have several, for several Pythons."""
    versions: dict[str, tuple[str, ...]] = {}
    for name, version in PIN.findall(lock):
        versions[name] = (*versions.get(name, ()), version)
    return versions


def uses() -> dict[str, list[str]]:
    """For each package that a user may install, the installations that it comes with."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = {EVERY_INSTALLATION: project["dependencies"]}
    for extra, lines in project["optional-dependencies"].items():
        if extra != "all":
            requirements[f"pitbook[{extra}]"] = lines
    installations: dict[str, list[str]] = {}
    for installation, lines in requirements.items():
        for name in closure(map(Requirement, lines)):
            if EVERY_INSTALLATION not in installations.get(name, ()):
                installations.setdefault(name, []).append(installation)
    return installations


def closure(requirements: Iterable[Requirement]) -> set[str]:
    """Every package that requirements install on any system, by the installed metadata."""
    extras_by_name: dict[str, set[str]] = {}  # The extras that each is installed with.
    waiting = [requirement for requirement in requirements if requirement.name != "pitbook"]
    while waiting:
        requirement = waiting.pop()
        name, extras = canonicalize_name(requirement.name), {"", *requirement.extras}
        if not extras - extras_by_name.get(name, set()):
            continue
        extras_by_name.setdefault(name, set()).update(extras)
        folder = metadata_folder(name, SITE_PACKAGES)
        lines = read_metadata(folder).get_all("Requires-Dist", []) if folder else []
        more = map(Requirement, lines)
        waiting += [
            requirement
            for requirement in more
            if is_installed_with(requirement, extras_by_name[name])
        ]
    return set(extras_by_name)


def is_installed_with(requirement: Requirement, extras: Iterable[str]) -> bool:
    """Whether a requirement of a package with some extras holds on any system."""
    marker = requirement.marker
    cases = ({**system, "extra": extra} for system in SYSTEMS for extra in extras)
    return marker is None or any(marker.evaluate(case) for case in cases)


def python_notices() -> Iterator[Notice]:
    """The Python packages that come with Pitbook or one of its extras."""
    locked = locked_versions((HERE / "lock.txt").read_text(encoding="utf-8"))
    used = uses()
    absent = [name for name in used if name in locked and not metadata_folder(name, SITE_PACKAGES)]
    with tempfile.TemporaryDirectory() as fetched:
        fetch([f"{name}=={locked[name][-1]}" for name in absent], fetched)
        for name in sorted(used):
            versions, uses_of = locked.get(name, ()), ", ".join(used[name])
            folder = metadata_folder(name, [*SITE_PACKAGES, Path(fetched)])
            if folder is None:  # CuPy needs CUDA, and is not locked.
                yield Notice(name, versions, LICENSES[name], uses_of, "The package has its text.\n")
            else:
                license_ = LICENSES.get(name) or license_of(read_metadata(folder))
                folder = metadata_folder(SAME_TEXT.get(name, ""), SITE_PACKAGES) or folder
                yield Notice(name, versions, license_, uses_of, texts_in(folder))


def fetch(requirements: list[str], folder: str) -> None:
    """Fetch packages that are locked for another system, to read their licenses."""
    if not requirements:
        return
    uv = str(Path(sys.executable).with_name("uv"))
    arguments = ["--no-deps", "--python-platform", "windows", "--target", folder, *requirements]
    subprocess.run([uv, "pip", "install", "--quiet", *arguments], check=True)  # noqa: S603


def metadata_folder(name: str, folders: Iterable[Path]) -> Path | None:
    """The .dist-info folder of an installed package."""
    pattern = re.compile(re.sub(r"[-_.]+", "[-_.]+", name) + r"-[^-]+\.dist-info", re.IGNORECASE)
    folders_found = (path for folder in folders for path in folder.glob("*.dist-info"))
    return next((path for path in folders_found if pattern.fullmatch(path.name)), None)


def read_metadata(folder: Path) -> Message:
    """What an installed package says of itself."""
    return message_from_string((folder / "METADATA").read_text(encoding="utf-8"))


def license_of(metadata: Message) -> str:
    """The license that a package names, in a few words; empty if it names none."""
    if expression := metadata.get("License-Expression"):
        return str(expression)
    named = " ".join(str(metadata.get("License", "")).split())
    if named and len(named) < 60:
        return named
    classifiers = metadata.get_all("Classifier", [])
    return ", ".join(
        line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License")
    )


def texts_in(folder: Path) -> str:
    """The license files of an installed package, one after the other."""
    return texts_of([*folder.glob("*"), *folder.glob("licenses/*")])


def texts_of(files: Iterable[Path]) -> str:
    """Those of some files that are licenses, one after the other."""
    named = [path for path in sorted(files) if path.is_file() and LICENSE_FILE.search(path.name)]
    return "\n".join(cleaned(path.read_text(encoding="utf-8", errors="replace")) for path in named)


def cleaned(text: str) -> str:
    """A text without trailing spaces and blank lines at its ends."""
    lines = (line.rstrip() for line in text.replace("\f", "").splitlines())
    return "\n".join(lines).strip("\n") + "\n"


def page_notices() -> Iterator[Notice]:
    """The npm packages in the built page."""
    locked = json.loads((ROOT / "frontend" / "package-lock.json").read_text(encoding="utf-8"))
    for name in BUNDLED:
        package = locked["packages"][f"node_modules/{name}"]
        text = texts_of(MODULES.joinpath(name).glob("*"))
        text = text.partition("# Licenses of bundled dependencies")[0]  # Vite's own tools.
        yield Notice(name, (package["version"],), package["license"], "the page", cleaned(text))


def font_notices() -> Iterator[Notice]:
    """The fonts in papers; the ranks on the page's playing cards are outlines of Besley."""
    used = {"Archivo": "papers as PDF", "Besley": "papers as PDF, and the ranks on playing cards"}
    for name, purpose in used.items():
        text = (FONTS / f"OFL-{name}.txt").read_text(encoding="utf-8")
        yield Notice(name, (), "OFL-1.1", purpose, cleaned(text))


def written(contained: list[Notice], installed: list[Notice]) -> str:
    """The whole file: two lists, then every license text once."""
    parts = [
        INTRODUCTION,
        "In the package:\n",
        *map(line_of, contained),
        "\nInstalled with it by pip, or with the extra that is named:\n",
        *map(line_of, installed),
        "",
    ]
    first_with: dict[str, str] = {}
    for notice in (*contained, *installed):
        same = first_with.setdefault(notice.text, notice.heading)
        text = notice.text if same == notice.heading else f"The text is that of {same}, above.\n"
        parts.append(f"{RULE}\n{notice.heading}\nLicense: {notice.license}\n{RULE}\n\n{text}")
    return "\n".join(parts)


def line_of(notice: Notice) -> str:
    """A package in a list."""
    return f"  {notice.heading} | {notice.license} | {notice.used}"


def main() -> None:
    """Write the file, from what is locked and installed now."""
    contained = [*page_notices(), *font_notices()]
    NOTICES.write_text(written(contained, [*python_notices()]), encoding="utf-8")


if __name__ == "__main__":
    main()
