"""Whatever is random in a test run shows how to run it again."""

from __future__ import annotations

import secrets

import hypothesis
import pytest

hypothesis.settings.register_profile("pitbook", deadline=None, print_blob=True)
hypothesis.settings.load_profile("pitbook")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    # xdist hands the options on, so all workers share the seed that the header shows.
    if config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = str(secrets.randbits(32))


def pytest_report_header(config: pytest.Config) -> str:
    return f"to repeat this run: --hypothesis-seed={config.getoption('--hypothesis-seed')}"
