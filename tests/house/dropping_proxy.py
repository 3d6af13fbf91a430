"""A proxy that can drop all bytes while connections stay open, like a dead network."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

BYTES = 65_536


class DroppingProxy:
    """A proxy for another port; while `drops` is set, it discards all bytes."""

    def __init__(self, port: int) -> None:
        self._port, self.drops, self.connections = port, False, 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        for each_socket in (self._listening, *self._open):
            with suppress(OSError):
                each_socket.shutdown(socket.SHUT_RDWR)
            each_socket.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client_socket, _ = self._listening.accept()
                self.connections += 1
                self._open.append(client_socket)
                threading.Thread(target=self._connect, args=(client_socket,), daemon=True).start()

    def _connect(self, client_socket: socket.socket) -> None:
        """Close a connection that the server does not accept; others continue."""
        try:
            server_socket = socket.create_connection(("127.0.0.1", self._port))
        except OSError:
            client_socket.close()
            return
        self._open.append(server_socket)
        threading.Thread(
            target=self._pump, args=(server_socket, client_socket), daemon=True
        ).start()
        self._pump(client_socket, server_socket)

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        dropped_bytes = False  # A connection that has lost bytes stays silent.
        try:
            while received := source.recv(BYTES):
                dropped_bytes = dropped_bytes or self.drops
                if not dropped_bytes:
                    target.sendall(received)
        except OSError:  # The server closed the connection during a request.
            source.close()
        finally:
            if not dropped_bytes:
                with suppress(OSError):
                    target.shutdown(socket.SHUT_WR)


@contextmanager
def dropping_proxy(address: str) -> Iterator[DroppingProxy]:
    """A proxy for an address of this machine."""
    proxy = DroppingProxy(int(address.rsplit(":", 1)[1]))
    try:
        yield proxy
    finally:
        proxy.close()
