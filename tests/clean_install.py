"""The wheel in a virtual environment of its own, with the packages it declares and no others."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.web.served import SECONDS, WEAK, Served

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements" / "lock.txt"
UV = Path(sys.executable).with_name("uv")


def build_wheel(folder: Path) -> Path:
    """Build the project's wheel into a folder."""
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)])
    (wheel,) = folder.glob("*.whl")
    return wheel


class CleanInstall:
    """The wheel, installed by uv with its mandatory dependencies at their locked versions.

    uv takes the packages from the cache that filled this environment, as hard links, so this
    takes about a second. What Pitbook compiles and counts is kept in a cache of its own.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **{name: text for name, text in os.environ.items() if is_harmless(name)},
            "XDG_CACHE_HOME": str(folder / "cache"),
        }
        venv = folder / "venv"
        run([str(UV), "venv", "--quiet", "--python", sys.executable, str(venv)])
        self.python = venv / ("Scripts" if os.name == "nt" else "bin") / "python"
        self.install(str(build_wheel(folder)))

    def install(self, requirement: str) -> None:
        """Install something, at the versions of the lock file."""
        where = ["--quiet", "--python", str(self.python), "--constraint", str(LOCK)]
        run([str(UV), "pip", "install", *where, requirement], env=self.uv_environment())

    def ask(self, code: str, *arguments: str) -> str:
        """Run Python code there; what it prints."""
        command = [str(self.python), "-I", "-c", code, *arguments]
        return run(command, cwd=self.folder, env=self.environment)

    @contextmanager
    def served(self) -> Iterator[Served]:
        """`pitbook serve` there, on any free port."""
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
            yield Served(process)
        finally:
            process.kill()
            process.wait(SECONDS)

    def uv_environment(self) -> dict[str, str]:
        """This environment, with pip's package mirror for uv too, as in the Makefile."""
        mirror = os.environ.get("PIP_INDEX_URL")
        return {**({"UV_DEFAULT_INDEX": mirror} if mirror else {}), **os.environ}


def is_harmless(variable: str) -> bool:
    """Whether an environment variable cannot change which code is imported or what is cached."""
    return not variable.startswith(("PITBOOK", "PYTHON", "NUMBA", "VIRTUAL_ENV", "CONDA"))


def run(command: list[str], cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """Run a command; what it prints. A failure shows what it printed on standard error."""
    ended = subprocess.run(command, cwd=cwd, env=env, capture_output=True, check=False, text=True)
    assert ended.returncode == 0, f"{' '.join(command)}\n{ended.stderr}"
    return ended.stdout
