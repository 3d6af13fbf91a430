"""Optional packages, and the command that installs each."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from pitbook.errors import ExtraMissing
from pitbook.text import say

EXTRA_OF = {  # The extra that installs each package.
    "cupy": "gpu",
    "matplotlib": "plots",
    "numba": "simulate",
    "psycopg": "postgres",
    "pyarrow": "parquet",
    "ray": "ray",
    "typst": "papers",
}


def require_extra(package: str) -> None:
    """Raise ExtraMissing if a package is not installed, without importing it."""
    if find_spec(package) is None:
        raise ExtraMissing(say("extras.missing", package=package, extra=EXTRA_OF[package]))


def load_extra(module: str) -> Any:
    """Import a module of an optional package; raise ExtraMissing if that fails."""
    package = module.partition(".")[0]
    require_extra(package)
    try:
        return import_module(module)
    except ImportError as error:  # For example psycopg without the PostgreSQL client library.
        reason = " ".join(str(error).split())
        details = {"package": package, "extra": EXTRA_OF[package], "why": reason}
        raise ExtraMissing(say("extras.broken", **details)) from error
