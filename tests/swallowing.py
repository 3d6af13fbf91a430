"""A proxy that can swallow every byte while its lines stay open: a network that died unnoticed."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

BYTES = 65_536


class Proxy:
    """A port before another one; `swallows` loses what either side says from then on."""

    def __init__(self, port: int) -> None:
        self._port, self.swallows, self.lines = port, False, 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        for one in (self._listening, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                self.lines += 1
                self._open.append(near)
                threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        """A line that the house does not take is closed; the others and the next ones live on."""
        try:
            far = socket.create_connection(("127.0.0.1", self._port))
        except OSError:
            near.close()
            return
        self._open.append(far)
        threading.Thread(target=self._pump, args=(far, near), daemon=True).start()
        self._pump(near, far)

    def _pump(self, one: socket.socket, other: socket.socket) -> None:
        lost = False  # A line that has lost a byte is of no use any more.
        try:
            while said := one.recv(BYTES):
                lost = lost or self.swallows
                if not lost:
                    other.sendall(said)
        except OSError:  # Cut off: the house closed it while somebody was asking.
            one.close()
        finally:
            if not lost:
                with suppress(OSError):
                    other.shutdown(socket.SHUT_WR)


@contextmanager
def swallowing(address: str) -> Iterator[Proxy]:
    """A proxy before an address of this machine."""
    made = Proxy(int(address.rsplit(":", 1)[1]))
    try:
        yield made
    finally:
        made.close()
