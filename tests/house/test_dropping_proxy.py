"""The dropping proxy passes on how a connection ended, so that clients do not wait forever."""

from __future__ import annotations

import socket
import struct
import threading

from tests.house.dropping_proxy import dropping_proxy

RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # Linger options with which a closed connection is reset.


def test_a_reset_by_the_server_reaches_the_client() -> None:
    with socket.create_server(("127.0.0.1", 0)) as house:

        def reset() -> None:
            connection, _ = house.accept()
            connection.recv(1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            connection.close()

        threading.Thread(target=reset, daemon=True).start()
        with (
            dropping_proxy(f"http://127.0.0.1:{house.getsockname()[1]}") as between,
            socket.create_connection(("127.0.0.1", between.port), timeout=60) as asking,
        ):
            asking.sendall(b"GET / HTTP/1.1\r\n")
            assert asking.recv(1) == b""
