"""Pytest configuration; the header shows how to repeat a random run."""

from __future__ import annotations

import gc
import os
import secrets
import signal
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import hypothesis
import pytest
from tests.command_line import ask, shell  # noqa: F401  Fixtures that call pitbook.
from tests.coverage_check import COVERAGE_PLUGIN  # First: it counts only later imports.
from tests.lanes import LONG_FOLDERS, THOROUGH, is_long, is_slow_case
from tests.postgres import postgres  # noqa: F401  A real server.

pytest_plugins = ("tests.cached_setup",)

# Generated rule sheets are large and slow, through no fault of the tests.
LARGE = [
    hypothesis.HealthCheck.data_too_large,
    hypothesis.HealthCheck.filter_too_much,
    hypothesis.HealthCheck.too_slow,
]
hypothesis.settings.register_profile(
    "pitbook", deadline=None, print_blob=True, suppress_health_check=LARGE
)
hypothesis.settings.register_profile(
    "sample", hypothesis.settings.get_profile("pitbook"), max_examples=25
)
hypothesis.settings.load_profile("pitbook" if THOROUGH else "sample")

# Servers and commands start hundreds of times; each start saves half a second if it may
# write bytecode.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ.setdefault("PITBOOK_SIMULATION_SECONDS", "0")  # A million rounds for new sheets.
gc.set_threshold(50_000, 20, 50)  # Imported objects are never garbage.
if "MUTANT_UNDER_TEST" in os.environ:  # mutmut 3.8 needs an attribute that pytest 9.2 removed.
    pytest.Item._nodeid = property(lambda item: item.nodeid)  # type: ignore[attr-defined]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.random)
        if is_slow_case(item):
            item.add_marker(pytest.mark.slow)
        if is_long(item):
            item.add_marker(pytest.mark.long)
    # Long tests first, so that no worker waits for one at the end.
    items.sort(key=lambda item: not item.nodeid.startswith(LONG_FOLDERS))


def pytest_xdist_auto_num_workers() -> int:
    """One more than the number of cores: tests wait for other processes a fifth of the time."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    gc.freeze()  # Tests live until the end, so the collector can skip them.


def _require_current_install() -> None:
    """Stop if Pitbook was installed before its entry points changed: commands would be missing."""
    pyproject = Path(__file__).parent.parent / "pyproject.toml"
    declared = tomllib.loads(pyproject.read_text("utf-8"))["project"]["entry-points"]
    for group, references in declared.items():
        if references != {point.name: point.value for point in entry_points(group=group)}:
            command = "uv pip install --python .venv/bin/python --no-deps --no-build-isolation -e ."
            pytest.exit(f"entry points changed; install again: make, or .venv/bin/{command}", 4)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    _require_current_install()
    # Started from cron or nohup, Python ignores Ctrl-C, as would all child processes.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if COVERAGE_PLUGIN:
        config.pluginmanager.register(COVERAGE_PLUGIN, "pitbook-counting")
    # xdist passes options on, so all workers share the seed shown in the header.
    if config.getoption("--hypothesis-seed") is None:
        in_ci = os.environ.get("CI")  # A fixed seed in CI, a new one elsewhere.
        config.option.hypothesis_seed = "52" if in_ci else str(secrets.randbits(32))


def pytest_report_header(config: pytest.Config) -> str:
    return f"to repeat this run: --hypothesis-seed={config.getoption('--hypothesis-seed')}"
