"""Lines that knock while the house is busy do not wait for one turn of the loop each."""

from __future__ import annotations

import socket

import pytest

from pitbook.house.web import serve


@pytest.mark.parametrize(("fast", "count"), [(True, serve.ENTERING), (False, 1)])
def test_the_faster_loop_hears_the_port_more_than_once(
    monkeypatch: pytest.MonkeyPatch, fast: bool, count: int
) -> None:
    """It takes one line from each socket at a turn: whoever came behind 2,000 waited 10 s."""
    monkeypatch.setattr(serve, "_loop", lambda: object if fast else None)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ears = serve._ears(listening)
        assert len({ear.fileno() for ear in ears}) == count
        assert {ear.getsockname() for ear in ears} == {listening.getsockname()}
        for ear in ears:
            ear.close()
