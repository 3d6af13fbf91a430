"""What commands load: one process calls them one after another, those that need least first."""

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
MATH = ("math", LAS, "--ante", "10")
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
def told() -> list[str]:
    """What the process had loaded after each command, and the whole rounds it worked out."""
    asked = json.dumps([*HELP, LIST, SHOW, DIFF, MATH])
    command = [sys.executable, "-c", CODE, asked]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stderr.splitlines()


def loaded_after(*arguments: str) -> set[str]:
    """The modules there are after that command and those before it."""
    return set(told()[[*HELP, LIST, SHOW, DIFF, MATH].index(arguments)].split())
