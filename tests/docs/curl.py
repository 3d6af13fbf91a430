"""The subset of curl that docs/server.md needs, for machines without it."""

from __future__ import annotations

import argparse
import sys
from http.cookiejar import MozillaCookieJar

import httpx


def main(arguments: list[str] | None = None) -> int:
    """Send one request and print the response body."""
    parser = argparse.ArgumentParser("curl")
    parser.add_argument("url")
    parser.add_argument("-s", action="store_true")
    parser.add_argument("-c", metavar="JAR", help="where cookies are kept")
    parser.add_argument("-b", metavar="JAR", help="where cookies come from")
    parser.add_argument("-H", dest="headers", action="append", default=[])
    parser.add_argument("-d", dest="body")
    options = parser.parse_args(arguments)
    jar = MozillaCookieJar(options.c or options.b)
    if options.b:
        jar.load(ignore_discard=True)
    headers = dict(header.split(": ", 1) for header in options.headers)
    method = "GET" if options.body is None else "POST"
    with httpx.Client(cookies=jar, timeout=60) as client:
        response = client.request(method, options.url, headers=headers, content=options.body)
        sys.stdout.buffer.write(response.content)
        if options.c:
            for cookie in client.cookies.jar:
                jar.set_cookie(cookie)
            jar.save(ignore_discard=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
