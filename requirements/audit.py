"""Known vulnerabilities of what is locked: `make audit`. A service that cannot speak clears nobody.

Both services are first asked about a package that is known to be vulnerable. A service that cannot
be reached, or that does not know of that one, has said nothing about ours, and that is told.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BIN = Path(sys.executable).parent
TOOLS = ROOT / ".venv" / "audit"  # pip-audit and what it needs, apart from what we are built with.
LOCKED = ("bootstrap.txt", "lock.txt")
CANARY = {"PyPI": ("jinja2", "2.4.1"), "npm": ("lodash", "4.17.4")}
FINE, FOUND, UNASKED = 0, 1, 3
SHOWN = 300
LAST = 2  # Lines of what a tool printed.


class Report(NamedTuple):
    """What a service said: how many packages it was asked about, what it found, or why nothing."""

    service: str
    asked: int = 0
    found: tuple[str, ...] = ()
    failed: str = ""


Run = Callable[[Sequence[str], Path], tuple[str, str]]


def run(command: Sequence[str], folder: Path) -> tuple[str, str]:
    """What a command prints, on standard output and on standard error."""
    ran = subprocess.run(  # noqa: S603
        list(command), cwd=folder, capture_output=True, text=True, errors="replace", check=False
    )
    return ran.stdout, ran.stderr


def python_report(run: Run) -> Report:
    """What PyPI's advisories say of the Python packages that are locked."""
    pip_audit = [str(TOOLS / "bin" / "pip-audit"), "--disable-pip", "--no-deps", "--format=json"]
    with tempfile.TemporaryDirectory() as folder:
        canary = Path(folder) / "canary.txt"
        canary.write_text("==".join(CANARY["PyPI"]) + "\n")
        known = _pip_read(*run([*pip_audit, "-r", str(canary)], ROOT))
    if known.failed or not known.found:
        return _unspoken(known)
    files = [part for name in LOCKED for part in ("-r", str(HERE / name))]
    return _pip_read(*run([*pip_audit, *files], ROOT))


def _pip_read(out: str, said: str) -> Report:
    try:
        listed: list[dict[str, Any]] = json.loads(out)["dependencies"]
        skipped = [f"{one['name']}: {one['skip_reason']}" for one in listed if "skip_reason" in one]
        found = [
            f"{one['name']} {one['version']}: {bug['id']}, mended in {_versions(bug)}"
            for one in listed
            for bug in one.get("vulns", ())
        ]
    except (ValueError, KeyError, TypeError):
        return Report("PyPI", failed=_last(said or out))
    if skipped:
        return Report("PyPI", len(listed), tuple(found), f"not asked about {'; '.join(skipped)}")
    return Report("PyPI", len(listed), tuple(found))


def _versions(bug: dict[str, Any]) -> str:
    return ", ".join(bug.get("fix_versions") or ["no version yet"])


def npm_report(run: Run) -> Report:
    """What npm's advisories say of the packages that the page is built with."""
    npm = [sys.executable, str(ROOT / "frontend" / "npm.py"), "audit", "--json"]
    with tempfile.TemporaryDirectory() as folder:
        _canary_project(Path(folder))
        known = _npm_read(*run([*npm, "--prefix", folder, "--package-lock-only"], ROOT))
    if known.failed or not known.found:
        return _unspoken(known)
    return _npm_read(*run([*npm, "--package-lock-only"], ROOT))


def _canary_project(folder: Path) -> None:
    name, version = CANARY["npm"]
    wanted = {"name": "canary", "version": "1.0.0", "dependencies": {name: version}}
    packages = {"": wanted, f"node_modules/{name}": {"version": version}}
    locked = {**wanted, "lockfileVersion": 3, "requires": True, "packages": packages}
    (folder / "package.json").write_text(json.dumps(wanted))
    (folder / "package-lock.json").write_text(json.dumps(locked))


def _npm_read(out: str, said: str) -> Report:
    try:
        document = json.loads(out)
        asked = int(document["metadata"]["dependencies"]["total"])
        found = [
            f"{name} {one['range']}: {one['severity']}"
            for name, one in document["vulnerabilities"].items()
        ]
    except (ValueError, KeyError, TypeError):
        return Report("npm", failed=_last(_npm_error(out) or said or out))
    return Report("npm", asked, tuple(found))


def _npm_error(out: str) -> str:
    try:
        document = json.loads(out)
        return str(document.get("message") or document["error"]["summary"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return ""


def _unspoken(known: Report) -> Report:
    name, version = CANARY[known.service]
    why = known.failed or (
        f"it says nothing of {name} {version}, which is known to be vulnerable, "
        "so its silence about ours would mean nothing"
    )
    return Report(known.service, failed=why)


def _last(printed: str) -> str:
    """The tool's last words in one line."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return " ".join(lines[-LAST:])[-SHOWN:] or "it printed nothing"


def told(reports: Iterable[Report]) -> tuple[list[str], int]:
    """What a person reads, and the exit code: 1 for a finding, 3 for what could not be asked."""
    lines, code = [], FINE
    for one in reports:
        lines += [f"{one.service}: {found}" for found in one.found]
        if one.found:
            code = FOUND
        if one.failed:
            lines.append(f"{one.service} could not be asked: {one.failed}")
            lines.append(f"{one.service}: whether what we use is vulnerable is NOT KNOWN.")
            code = code or UNASKED
        elif not one.found:
            lines.append(f"{one.service}: nothing is known against {one.asked} packages.")
    return lines, code


def set_up(run: Run) -> None:
    """pip-audit as it is locked, in an environment of its own."""
    uv = str(BIN / "uv")
    python = str(TOOLS / "bin" / "python")
    if not (TOOLS / "bin" / "python").exists():
        run([uv, "venv", "--quiet", "--python", sys.executable, str(TOOLS)], ROOT)
    locked = ["--require-hashes", str(HERE / "audit.txt")]
    run([uv, "pip", "sync", "--quiet", "--python", python, *locked], ROOT)


def main() -> int:
    """Ask both; each is told of, whatever the other said."""
    set_up(run)
    reports = [_safely("PyPI", python_report), _safely("npm", npm_report)]
    lines, code = told(reports)
    print("\n".join(lines))  # noqa: T201
    return code


def _safely(service: str, report: Callable[[Run], Report]) -> Report:
    try:
        return report(run)
    except OSError as failed:  # The tool itself is not there: it could not be fetched either.
        return Report(service, failed=f"{failed.strerror}: {failed.filename}")


if __name__ == "__main__":
    sys.exit(main())
