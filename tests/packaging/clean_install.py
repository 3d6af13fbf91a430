"""The wheel in a clean virtual environment, with only the packages it declares."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_string
from functools import cache
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from tests.house.web.server_process import SECONDS, WEAK, ServerProcess

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements" / "lock.txt"
UV = Path(sys.executable).with_name("uv")


def build_wheel(folder: Path) -> Path:
    """Build the project's wheel into a folder."""
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)])
    (wheel,) = folder.glob("*.whl")
    return wheel


class CleanInstall:
    """The wheel, alone or with an extra, installed by uv at the locked versions.

    uv takes the packages from the cache that filled this environment, as hard links, in about a
    second and without network. Pitbook's own caches are separate.
    """

    def __init__(self, folder: Path, extra: str = "") -> None:
        self.folder = folder
        self.environment = {
            **{name: text for name, text in os.environ.items() if is_harmless(name)},
            "XDG_CACHE_HOME": str(folder / "cache"),
        }
        venv = folder / "venv"
        run([str(UV), "venv", "--quiet", "--python", sys.executable, str(venv)])
        self.python = venv / ("Scripts" if os.name == "nt" else "bin") / "python"
        wheel, pins = build_wheel(folder), folder / "pins.txt"
        pins.write_text(pins_of(wheel, extra), encoding="utf-8")
        self.install("--require-hashes", "-r", str(pins))
        self.install(str(wheel))

    def install(self, *requirements: str) -> None:
        """Install exactly these requirements, from uv's cache or else from the index."""
        command = [str(UV), "pip", "install", "--quiet", "--no-deps", "--python", str(self.python)]
        mirror = os.environ.get("PIP_INDEX_URL")  # Pip's mirror is uv's too, as in the Makefile.
        variables = {**({"UV_DEFAULT_INDEX": mirror} if mirror else {}), **os.environ}
        try:
            run([*command, "--offline", *requirements], env=variables)
        except AssertionError:
            run([*command, *requirements], env=variables)

    @property
    def packages(self) -> Path:
        """The folder of installed packages."""
        return Path(self.ask("import sysconfig; print(sysconfig.get_path('purelib'))").strip())

    def pitbook(self, *arguments: str, text: str | None = None) -> str:
        """Run a command in the environment and return its output."""
        return self.run_python("-m", "pitbook", *arguments, text=text)

    def run_python(self, *arguments: str, text: str | None = None) -> str:
        """Run Python in the environment and return its output."""
        command = [str(self.python), *arguments]
        return run(command, cwd=self.folder, env=self.environment, text=text)

    def ask(self, code: str, *arguments: str) -> str:
        """Run Python code in the environment and return its output."""
        command = [str(self.python), "-I", "-c", code, *arguments]
        return run(command, cwd=self.folder, env=self.environment)

    @contextmanager
    def serve(self) -> Iterator[ServerProcess]:
        """`pitbook serve` in the environment, on a free port."""
        data = str(self.folder / "house")
        process = subprocess.Popen(
            [str(self.python), "-m", "pitbook", "serve", "--data", data, "--port", "0"],
            cwd=self.folder,
            env=self.environment | WEAK,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            yield ServerProcess(process)
        finally:
            process.kill()
            process.wait(SECONDS)


def pins_of(wheel: Path, extra: str = "") -> str:
    """The lock file's lines for a wheel's dependencies and everything they require."""
    notices = load_notices()
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (item for item in archive.namelist() if item.endswith(".dist-info/METADATA"))
        metadata = message_from_string(archive.read(name).decode())
    declared = [Requirement(line) for line in metadata.get_all("Requires-Dist", [])]
    names = notices.closure(item for item in installed_requirements(declared, extra))
    blocks = re.split(r"\n(?=[a-z0-9])", LOCK.read_text(encoding="utf-8"))
    pins = [block for block in blocks if re.split(r"[=\[]", block)[0] in names]
    assert len(pins) >= len(names)
    return "\n".join(pins) + "\n"


def installed_requirements(declared: list[Requirement], extra: str) -> list[Requirement]:
    """The requirements of an installation with an extra, or of the core."""
    chosen = []
    for item in declared:
        if item.marker is None or item.marker.evaluate({"extra": extra}):
            chosen += (
                [item]
                if item.name != "pitbook"
                else [
                    part for name in item.extras for part in installed_requirements(declared, name)
                ]
            )
    return chosen


@cache
def load_notices() -> Any:
    """The module that writes the third-party notice; it resolves dependencies."""
    spec = importlib.util.spec_from_file_location("notices", ROOT / "requirements" / "notices.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def is_harmless(variable: str) -> bool:
    """Whether an environment variable cannot affect imports or caches."""
    return not variable.startswith(("PITBOOK", "PYTHON", "NUMBA", "VIRTUAL_ENV", "CONDA"))


def run(
    command: list[str],
    cwd: Path = ROOT,
    env: dict[str, str] | None = None,
    text: str | None = None,
) -> str:
    """Run a command and return its output; a failure shows its standard error."""
    result = subprocess.run(
        command, cwd=cwd, env=env, input=text, capture_output=True, check=False, text=True
    )
    assert result.returncode == 0, f"{' '.join(command)}\n{result.stderr}"
    return result.stdout
