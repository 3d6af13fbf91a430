"""The walk of docs/server.md, run with its commands in a real shell against a real house."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from docs.examples import blocks
from docs.server import FILE
from tests.house.web.server_process import SECONDS, ServerProcess

HEADING = "## A walk through the house\n"
SHOWN = "127.0.0.1:8710"
LINK = "THE-REST-OF-YOURS"
CURL = Path(__file__).with_name("curl.py")
WRAPPED = '#!/bin/sh\nexec "{python}" {rest} "$@"\n'
END = "-- end of step"

# Text that depends on the run, the port or the cards.
MASKS = [
    (re.compile(pattern), name)
    for pattern, name in (
        (r"127\.0\.0\.1:\d+", "HOUSE"),
        (r"guest-[0-9a-f]+", "GUEST"),
        (r"practice-[0-9a-f]+", "PRACTICE"),
        (r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", "TIME"),
        (r"\b[0-9a-f]{16,64}(?![0-9a-z])", "HASH"),
        (r"\b[2-9TJQKA][cdhs]\b", "CARD"),
        (r"\b(win|lose|push)\b", "RESULT"),
        (r"(?<=then )[\d.]+", "AMOUNT"),
        (r"(?<=net |ped |red |bet )-?\$?[\d,.]*\d", "AMOUNT"),
        (r"(?<=balance )\$?[\d,.]*\d(?= play|[,;\n]|$)", "AMOUNT"),
        (r"\b[\d,]+ entries( and \d+ checkpoints?)?", "ENTRIES"),
        (r'"-?\d+\.\d\d"', "AMOUNT"),
        (r'"-?\d+(/\d+)?"', "FRACTION"),
        (r'(?<="best":)"\w+"', "PLAY"),
    )
]


class Step(NamedTuple):
    """A block of commands, and the output shown for them."""

    commands: str
    expected_output: str
    mark: str | None

    @property
    def name(self) -> str:
        """Its first line."""
        return self.commands.splitlines()[0][:50]


def steps(text: str | None = None) -> list[Step]:
    """The steps of the page, in order."""
    page = FILE.read_text(encoding="utf-8") if text is None else text
    page_blocks = blocks(page.partition(HEADING)[2])
    return [
        Step(commands_block.body, output_block.body, commands_block.mark)
        for commands_block, output_block in pairwise(page_blocks)
        if commands_block.kind == "sh" and output_block.kind == "text"
    ]


def mask_varying_text(text: str) -> str:
    """The text with varying parts masked."""
    for pattern, name in MASKS:
        text = pattern.sub(name, text)
    return text


def matches_page(expected: str, output: str) -> bool:
    """Whether an output matches the page; three dots match anything."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(
        mask_varying_text(expected), mask_varying_text(output), flags
    )


class Shell:
    """A separate shell that keeps variables between steps."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._folder, self._count = folder, 0
        self._bash = subprocess.Popen(
            ["bash"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, commands: str) -> str:
        """The output of commands; raises AssertionError if the last one fails."""
        self._count += 1
        script = self._folder / f"step-{self._count}.sh"
        script.write_text(commands, encoding="utf-8")
        assert self._bash.stdin
        assert self._bash.stdout
        self._bash.stdin.write(f"source {script} </dev/null; printf '\\n{END} %s\\n' $?\n")
        self._bash.stdin.flush()
        lines: list[str] = []
        for line in self._bash.stdout:
            if line.startswith(END):
                printed = "".join(lines)
                assert line == f"{END} 0\n", f"it ended with {line[len(END) :].strip()}:\n{printed}"
                return printed
            lines.append(line)
        raise AssertionError(f"the shell is gone:\n{''.join(lines)}")

    def __enter__(self) -> Shell:
        return self

    def __exit__(self, *_: object) -> None:
        self._bash.kill()
        self._bash.communicate(timeout=SECONDS)


class Walk(NamedTuple):
    """The first terminal, where the house runs, and the second."""

    server: ServerProcess
    shell: Shell
    token: str

    @property
    def opening(self) -> str:
        """The output of the first terminal."""
        return "".join(self.server.output)

    def run_step(self, step: Step) -> str:
        """Run a step and return its output."""
        address = self.server.address.removeprefix("http://")
        return self.shell.run(step.commands.replace(SHOWN, address).replace(LINK, self.token))


@contextmanager
def walk(folder: Path, *, curl: bool) -> Iterator[Walk]:
    """Both terminals in an empty folder; with this machine's curl, or with our substitute."""
    environment = _environment(folder, curl=curl)
    (server_step,) = (step for step in steps() if step.mark == "server")
    house = subprocess.Popen(
        ["bash", "-c", f"exec {server_step.commands}"],
        cwd=folder,
        env=environment | {"PITBOOK_PORT": "0", "PITBOOK_SHUTDOWN_SECONDS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with house:
        try:
            served = ServerProcess(house)
            link = served.link()
            with Shell(folder, environment | {"PITBOOK_SERVER": served.address}) as shell:
                yield Walk(served, shell, link.rpartition("/")[2])
            assert served.stop(signal.SIGINT) == 0
        finally:
            house.kill()
            house.wait(SECONDS)


def _environment(folder: Path, *, curl: bool) -> dict[str, str]:
    """An environment whose PATH has Pitbook, its Python and curl, without Pitbook settings."""
    arguments_by_program = {"python3": "", "pitbook": "-m pitbook"} | (
        {} if curl else {"curl": str(CURL)}
    )
    bin_ = folder / "bin"
    bin_.mkdir()
    for name, arguments in arguments_by_program.items():
        (bin_ / name).write_text(WRAPPED.format(python=sys.executable, rest=arguments))
        (bin_ / name).chmod(0o755)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PITBOOK")
    }
    path = f"{bin_}{os.pathsep}{environment.get('PATH', '')}"
    return environment | {"PATH": path, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}


def has_curl() -> bool:
    """Whether this machine has curl."""
    return shutil.which("curl") is not None
