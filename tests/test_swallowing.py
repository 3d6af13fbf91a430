"""The proxy of the tests passes on how a line ended: else a page would wait for ever."""

from __future__ import annotations

import socket
import struct
import threading

from tests.swallowing import swallowing

AT_ONCE = struct.pack("ii", 1, 0)  # A line that is closed with this is reset.


def test_whoever_asks_on_a_line_that_the_house_resets_hears_of_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as house:

        def reset() -> None:
            line, _ = house.accept()
            line.recv(1)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            line.close()

        threading.Thread(target=reset, daemon=True).start()
        with (
            swallowing(f"http://127.0.0.1:{house.getsockname()[1]}") as between,
            socket.create_connection(("127.0.0.1", between.port), timeout=60) as asking,
        ):
            asking.sendall(b"GET / HTTP/1.1\r\n")
            assert asking.recv(1) == b""
