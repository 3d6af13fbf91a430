"""The modules that commands import: one process runs them in order of increasing needs."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache

from tests.sheets.samples import CMS, LAS, OMS

HELP = (
    *(("--help",), ("--version",), ("sheets", "--help")),
    *(("audit", "--help"), ("audit", "verify", "--help")),
)
LIST, SHOW, DIFF = ("sheets", "list"), ("sheets", "show", CMS), ("sheets", "diff", CMS, OMS)
MATH, MATH_AT_10 = ("math", LAS), ("math", LAS, "--ante", "10")
CODE = """
import json, sys
from pitbook.cli import main
for command in json.loads(sys.argv[1]):
    try: main(command)
    except SystemExit as ended: assert not ended.code, command
    print(*sys.modules, file=sys.stderr)
from pitbook.exact.methods.ladder.enumerate import enumerate_deals
print(enumerate_deals.cache_info().currsize, file=sys.stderr)
"""


@cache
def output_lines() -> list[str]:
    """The modules loaded after each command, and the number of enumerated rounds."""
    commands = json.dumps([*HELP, LIST, MATH, SHOW, DIFF, MATH_AT_10])
    command = [sys.executable, "-c", CODE, commands]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stderr.splitlines()


def loaded_after(*arguments: str) -> set[str]:
    """The modules loaded after a command and those before it."""
    return set(output_lines()[[*HELP, LIST, MATH, SHOW, DIFF, MATH_AT_10].index(arguments)].split())
