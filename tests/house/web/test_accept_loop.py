"""Connections that arrive while the server is busy are accepted several per loop iteration."""

from __future__ import annotations

import socket

import pytest

from pitbook.house.web import serve


@pytest.mark.parametrize(("fast", "count"), [(True, serve.ACCEPTS_PER_TURN), (False, 1)])
def test_uvloop_accepts_on_several_copies_of_the_socket(
    monkeypatch: pytest.MonkeyPatch, fast: bool, count: int
) -> None:
    """uvloop accepts one connection per socket and iteration: behind 2,000, one waited 10 s."""
    monkeypatch.setattr(serve, "_loop", lambda: object if fast else None)
    with socket.create_server(("127.0.0.1", 0)) as listener_socket:
        sockets = serve._listener_sockets(listener_socket)
        assert len({copy.fileno() for copy in sockets}) == count
        assert {copy.getsockname() for copy in sockets} == {listener_socket.getsockname()}
        for copy in sockets:
            copy.close()
