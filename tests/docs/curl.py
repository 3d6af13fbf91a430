"""As much of curl as docs/server.md needs, for machines without it."""

from __future__ import annotations

import argparse
import sys
from http.cookiejar import MozillaCookieJar

import httpx


def main(arguments: list[str] | None = None) -> int:
    """Ask once and print the answer's body."""
    parser = argparse.ArgumentParser("curl")
    parser.add_argument("url")
    parser.add_argument("-s", action="store_true")
    parser.add_argument("-c", metavar="JAR", help="where cookies are kept")
    parser.add_argument("-b", metavar="JAR", help="where cookies come from")
    parser.add_argument("-H", dest="headers", action="append", default=[])
    parser.add_argument("-d", dest="body")
    given = parser.parse_args(arguments)
    jar = MozillaCookieJar(given.c or given.b)
    if given.b:
        jar.load(ignore_discard=True)
    headers = dict(one.split(": ", 1) for one in given.headers)
    method = "GET" if given.body is None else "POST"
    with httpx.Client(cookies=jar, timeout=60) as client:
        answer = client.request(method, given.url, headers=headers, content=given.body)
        sys.stdout.buffer.write(answer.content)
        if given.c:
            for cookie in client.cookies.jar:
                jar.set_cookie(cookie)
            jar.save(ignore_discard=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
