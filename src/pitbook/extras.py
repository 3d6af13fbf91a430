"""Optional packages, and the command that installs each."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from pitbook.errors import ExtraMissing
from pitbook.text import say

HOUSE = "house"
EXTRA_OF = {  # The extra that installs each package.
    "alembic": HOUSE,
    "argon2": HOUSE,
    "confusable_homoglyphs": HOUSE,
    "cryptography": HOUSE,
    "cupy": "gpu",
    "fastapi": HOUSE,
    "h11": HOUSE,
    "httpx": HOUSE,
    "matplotlib": "plots",
    "numba": "simulate",
    "prometheus_client": HOUSE,
    "psycopg": "postgres",
    "pyarrow": "parquet",
    "pyotp": HOUSE,
    "ray": "ray",
    "segno": HOUSE,
    "sqlalchemy": HOUSE,
    "starlette": HOUSE,
    "typst": "papers",
    "uvicorn": HOUSE,
    "websockets": HOUSE,
}


def require_extra(package: str) -> None:
    """Raise ExtraMissing if a package is not installed, without importing it."""
    if find_spec(package) is None:
        raise missing_package(package)


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


def missing_package(package: str) -> ExtraMissing:
    """The error for a package that is not installed."""
    return ExtraMissing(say("extras.missing", package=package, extra=EXTRA_OF[package]))


class HouseFinder:
    """The last finder of the import system, asked for packages that no other finder knows.

    The house imports its packages in many modules. If one is missing, the import raises
    ExtraMissing. That is also a ModuleNotFoundError, so libraries that try an import go on.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if EXTRA_OF.get(name) == HOUSE:
            raise missing_package(name)


def name_missing_house_packages() -> None:
    """Make imports of the house's missing packages raise ExtraMissing."""
    if HouseFinder not in sys.meta_path:
        sys.meta_path.append(HouseFinder)
