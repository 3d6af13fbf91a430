"""Async client of a server: every command has one effect, however bad the connection.

A house of several processes has several addresses. The client asks the next one if one is gone,
hangs, or does not hold the table.

>>> async def one_round() -> None:
...     async with Client("http://127.0.0.1:8710") as guest:
...         seated = await guest.practice("catfish-bend/mississippi-stud")
...         async with guest.live(seated["table"]) as table:
...             await table.send({"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"})
...             await table.send({"do": "close-betting"})
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from pitbook.errors import ClientError
from pitbook.text import say

__all__ = ["Accepted", "Answer", "Client", "ClientError", "Live", "Refused"]

RETRY_STATUSES = (421, 429, 503)  # Wrong process, too fast, not ready: send the same request again.


class Accepted(NamedTuple):
    """A command on record."""

    seq: int
    hash: str


class Refused(NamedTuple):
    """A command that the rules do not allow. Nothing has changed."""

    code: str
    message: str
    clause: str | None
    key: str | None = None  # The message's key and fields, for other languages.
    fields: Json = {}  # noqa: RUF012  Never modified.

    @classmethod
    def read(cls, document: Json) -> Refused:
        """The refusal in an answer; fields from newer servers are ignored."""
        return cls(**{name: document[name] for name in cls._fields if name in document})


Answer = Accepted | Refused


def new_request() -> str:
    """A new random request id."""
    return secrets.token_hex(12)


def parse_answer(answer: httpx.Response) -> Json:
    """The JSON object of an answer, or an error if it has none."""
    with suppress(ValueError):
        if isinstance(document := answer.json(), dict):
            return document
    return {"error": say("client.status", status=answer.status_code)}


def require_success(answer: httpx.Response) -> Json:
    """The JSON object of a successful answer; raises ClientError otherwise."""
    body = parse_answer(answer)
    if answer.is_success:
        return body
    error = body.get("error", body)
    raise ClientError(error if isinstance(error, str) else str(error), answer.status_code)


def final_refusal(handshake_error: InvalidStatus) -> ClientError | None:
    """The error of a refused handshake, or None if it may be tried again."""
    status = handshake_error.response.status_code
    if status in RETRY_STATUSES:
        return None
    try:
        message = str(json.loads(handshake_error.response.body or b"")["error"])
    except (ValueError, KeyError, TypeError):
        message = say("client.socket-refused", status=status)
    return ClientError(message, status)


Json = dict[str, Any]
PATIENCE = 60.0  # Seconds to keep sending a request again.
ANSWER_SECONDS = 30.0
SILENT_SECONDS = 10.0  # A process that hangs keeps its connections open; wait this long.
CALL_SECONDS = 3.0  # Ping a connection silent for this long. The server pings earlier.
LINE_SECONDS = 5.0  # After this long it is lost, and another one is opened.
RESEND_SECONDS = 3.0  # A command without an answer is sent again with its id.
UNSENT_ERRORS = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
MISDIRECTED = 421
FINAL_CODES = (1009, 4400, 4401)  # Close codes after which reconnecting is useless.
FRAME_MAX = 4_000_000
LANGUAGE = "Accept-Language"


class Client:
    """A user of a server, with one cookie jar for all its addresses.

    `told` is called with a message whenever the connection is lost or back, or an answer is
    late. The server answers in `language` if it has it.
    """

    def __init__(
        self,
        base: str | Sequence[str],
        *,
        http: httpx.AsyncClient | None = None,
        patience: float = PATIENCE,
        on_message: Callable[[str], None] = lambda _: None,
        language: str | None = None,
    ) -> None:
        bases = (base,) if isinstance(base, str) else base
        self.bases, self.patience = tuple(address.rstrip("/") for address in bases), patience
        self.http, self.place, self.on_message = http or httpx.AsyncClient(), 0, on_message
        if language is not None:
            self.http.headers[LANGUAGE] = language

    @property
    def base(self) -> str:
        """The address that answered last."""
        return self.bases[self.place]

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def sign_in(self, name: str, password: str, code: str | None = None) -> Json:
        """Sign in, with a code if there is a second factor; raises ClientError."""
        credentials = {"name": name, "password": password} | ({"code": code} if code else {})
        return await self.ask("POST", "/api/sign-in", credentials)

    async def practice(self, sheet: str) -> Json:
        """A seat at a new practice table: player, table, seat and view."""
        return await self.ask("POST", "/api/practice", {"sheet": sheet})

    async def tables(self) -> list[Json]:
        """The tables that the user may enter, in any process."""
        tables: list[Json] = (await self.ask("GET", "/api/tables"))["tables"]
        for base in set(self.bases) - {self.base}:
            with suppress(httpx.TransportError, ClientError):
                tables += require_success(await self.http.get(f"{base}/api/tables"))["tables"]
        table_by_name = {table["table"]: table for table in tables}
        return [table_by_name[name] for name in sorted(table_by_name)]

    async def view(self, table: str) -> Json:
        """A table as the user may see it."""
        return await self.ask("GET", f"/api/tables/{table}")

    async def send(self, table: str, command: Json, request: str | None = None) -> Answer:
        """A command's answer over HTTP; sent again with the same id until there is one."""
        body = {"request": request or new_request(), "command": command}
        answer = await self._request(
            "POST", f"/api/tables/{table}/commands", body, is_repeatable=True
        )
        document = parse_answer(answer)
        if "refused" in document:
            return Refused.read(document["refused"])
        return Accepted(**require_success(answer)["accepted"])

    async def ask(self, method: str, path: str, body: Json | None = None) -> Json:
        """Any other request; raises ClientError. A request without an id is not sent again."""
        is_repeatable = method == "GET" or "request" in (body or {})
        return require_success(await self._request(method, path, body, is_repeatable=is_repeatable))

    def live(self, table: str, *, views: bool = False) -> Live:
        """The table over a socket: `async with client.live(table) as table: ...`.

        With `views`, the server sends a view with each change, and `view` is always current.
        """
        return Live(self, table, views=views)

    async def _request(
        self, method: str, path: str, body: Json | None, *, is_repeatable: bool
    ) -> httpx.Response:
        failover = Failover(self)
        seconds = SILENT_SECONDS if body and is_repeatable else ANSWER_SECONDS
        while True:
            try:
                url = f"{failover.base}{path}"
                answer = await self.http.request(method, url, json=body, timeout=seconds)
            except httpx.TransportError as error:
                may_retry = is_repeatable or isinstance(error, UNSENT_ERRORS)
                if not (may_retry and await failover.try_next()):
                    why = str(error) or type(error).__name__
                    raise failover.unreachable_error(why) from error
                if not isinstance(error, UNSENT_ERRORS):
                    self.on_message(say("client.no-answer"))
                continue
            may_retry = answer.status_code == MISDIRECTED or (
                is_repeatable and answer.status_code in RETRY_STATUSES
            )
            if not (
                may_retry and await failover.try_next(float(answer.headers.get("retry-after", 0)))
            ):
                failover.reset()
                self._store_cookies(answer)
                return answer

    def _store_cookies(self, answer: httpx.Response) -> None:
        """Store cookies for all addresses of the server."""
        if "set-cookie" in answer.headers:
            cookies = {cookie.name: cookie.value or "" for cookie in answer.cookies.jar}
            self.http.cookies = httpx.Cookies(cookies)


class Live:
    """A table over a socket that reconnects by itself and misses no event.

    `view` is the table as of `view["version"]`; `events()` yields everything since.
    """

    def __init__(self, client: Client, table: str, *, views: bool = False) -> None:
        self.client, self.table, self.views = client, table, views
        self.view: Json = {}
        self.version: int | None = None
        self.connections = 0
        self._events: asyncio.Queue[Json | None] = asyncio.Queue()
        self._waiting: dict[str, tuple[Json, asyncio.Future[Answer]]] = {}
        self._pending_view: asyncio.Future[Json] | None = None
        self._socket: ClientConnection | None = None
        self._ready: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._failed: ClientError | None = None
        self.status: Literal["connecting", "live", "lost"] = "connecting"

    async def __aenter__(self) -> Live:
        self._ready = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._run(), name=f"pitbook live {self.table}")
        try:
            await self._ready
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def send(self, command: Json, request: str | None = None) -> Answer:
        """A command's answer, over as many connections as needed, with one effect."""
        self._check()
        request = request or new_request()
        frame = {"request": request, "command": command}
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        _, answer = self._waiting.setdefault(request, (frame, future))
        if answer is future:
            await self._send_frame(frame)  # It may be answered before this returns.
        if not (await asyncio.wait({answer}, timeout=RESEND_SECONDS))[0]:
            self.client.on_message(say("client.no-answer-to", command=str(command.get("do"))))
        while not answer.done():
            await self._send_frame(frame)
            await asyncio.wait({answer}, timeout=RESEND_SECONDS)
        return answer.result()

    async def look(self) -> Json:
        """The current table with the user's options; replaces `view`."""
        self._check()
        if (pending_view := self._pending_view) is None:
            pending_view = self._pending_view = asyncio.get_running_loop().create_future()
            await self._send_frame({"view": True})
        return await asyncio.shield(pending_view)

    async def events(self) -> AsyncIterator[Json]:
        """Events in order: {"version", "what", "body"}; a new view comes as "view"."""
        while (event := await self._events.get()) is not None:
            yield event

    async def lose(self) -> None:
        """Drop the connection, as a bad network would."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def close(self) -> None:
        """Close for good."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._give_up(ClientError(say("client.closed")))

    def _check(self) -> None:
        if self._failed is not None:
            raise self._failed

    async def _run(self) -> None:
        failover = Failover(self.client)
        while True:
            before, final = self.connections, None
            why: str = say("client.cut")
            try:
                final = await self._connect(failover.base)
            except InvalidStatus as handshake_error:
                final, why = final_refusal(handshake_error), str(handshake_error)
            except (OSError, WebSocketException, TimeoutError) as error:
                why = str(error) or type(error).__name__
            if self.connections != before:
                failover.reset()
            elif final is None:  # Do not report a lost connection that was refused for good.
                self._set_status("lost")
            if final is None and not await failover.try_next():
                final = failover.unreachable_error(why)
            if final is not None:
                self._give_up(final)
                return

    async def _connect(self, base: str) -> ClientError | None:
        """One connection from start to end; an error if it must not be retried."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.client.http.cookies.items())
        headers = {"Cookie": cookie} if cookie else {}
        headers |= (
            {LANGUAGE: language} if (language := self.client.http.headers.get(LANGUAGE)) else {}
        )
        async with connect(
            self._url(base),
            additional_headers=headers,
            max_size=FRAME_MAX,
            open_timeout=SILENT_SECONDS,
            ping_interval=None,  # Our protocol has its own pings.
            close_timeout=1,
        ) as socket:
            self._socket = socket
            self.connections += 1
            if self._pending_view is not None:
                await self._send_frame({"view": True})
            for frame, _ in list(self._waiting.values()):
                await self._send_frame(frame)
            if self.version is not None:
                self._is_ready()
            try:
                with suppress(ConnectionClosed):
                    while True:
                        await self._handle_frame(json.loads(await self._receive(socket)))
            except TimeoutError:
                self._set_status("lost")
                socket.transport.abort()  # Nobody is there to say goodbye to.
                raise
            finally:
                self._socket = None
        if socket.close_code in FINAL_CODES:
            return ClientError(socket.close_reason or say("client.closed"), socket.close_code)
        return None

    async def _receive(self, socket: ClientConnection) -> str | bytes:
        """The next frame; raises TimeoutError if a silent connection does not answer a ping."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CALL_SECONDS):
                return await socket.recv()
        async with asyncio.timeout(LINE_SECONDS - CALL_SECONDS):
            await self._send_frame({"ping": 0})
            return await socket.recv()

    def _set_status(self, status: Literal["live", "lost"]) -> None:
        """Report when the connection is lost or back."""
        before, self.status = self.status, status
        if (before, status) == ("live", "lost"):
            self.client.on_message(say("client.lost"))
        elif (before, status) == ("lost", "live"):
            self.client.on_message(say("client.back"))

    def _url(self, base: str) -> str:
        query = {} if self.version is None else {"from": str(self.version)}
        query_text = urlencode(query | ({"views": "true"} if self.views else {}))
        return f"{base.replace('http', 'ws', 1)}/api/tables/{self.table}/socket?{query_text}"

    async def _send_frame(self, frame: Json) -> None:
        """Send a frame if connected; otherwise it goes with the next connection."""
        if self._socket is not None:
            with suppress(WebSocketException, OSError):
                await self._socket.send(json.dumps(frame))

    async def _handle_frame(self, frame: Json) -> None:
        self._set_status("live")
        for event in frame.get("events", ()):
            self._add_event(event)
        if "view" in frame:
            self._set_view(frame["view"])
        if "answer" in frame:
            await self._resolve_answer(**frame["answer"])
        if "ping" in frame:
            await self._send_frame({"pong": frame["ping"]})

    def _add_event(self, event: Json) -> None:
        if self.version is not None and event["version"] <= self.version:
            return
        self.version = event["version"]
        self._events.put_nowait(event)

    def _set_view(self, view: Json) -> None:
        missed = self.version is not None and view["version"] > self.version
        self.view, self.version = view, view["version"]
        if missed:  # Away too long for every event to be kept.
            self._events.put_nowait({"version": self.version, "what": "view", "body": view})
        if self._pending_view is not None:
            self._pending_view.set_result(view)
            self._pending_view = None
        self._is_ready()

    async def _resolve_answer(
        self, request: str, retry_after: float | None = None, **outcome: Any
    ) -> None:
        if request not in self._waiting:
            return
        frame, answer = self._waiting[request]
        if retry_after is not None:
            later = asyncio.get_running_loop().call_later
            later(retry_after, lambda: asyncio.ensure_future(self._send_frame(frame)))
            return
        del self._waiting[request]
        if "accepted" in outcome:
            answer.set_result(Accepted(**outcome["accepted"]))
        elif "refused" in outcome:
            answer.set_result(Refused.read(outcome["refused"]))
        else:
            answer.set_exception(ClientError(str(outcome.get("error"))))

    def _is_ready(self) -> None:
        if self._ready is not None and not self._ready.done():
            self._ready.set_result(None)

    def _give_up(self, error: ClientError) -> None:
        self._failed = self._failed or error
        waiting: list[asyncio.Future[Any] | None] = [future for _, future in self._waiting.values()]
        for future in (*waiting, self._pending_view, self._ready):
            if future is not None and not future.done():
                future.set_exception(error)
                future.exception()  # Maybe nobody waits any more.
        self._waiting.clear()
        self._events.put_nowait(None)


WAIT_MIN, WAIT_MAX = 0.05, 1.0


class Failover:
    """Failover between addresses: each in turn, then a pause, while patience lasts."""

    def __init__(self, client: Client) -> None:
        self._client, self._place = client, client.place
        self._wait, self._left, self._until = 0.0, 0, 0.0
        self.reset()

    @property
    def base(self) -> str:
        """The current address."""
        return self._client.bases[self._place]

    def reset(self) -> None:
        """Record an answer: other requests start here, with full patience."""
        self._client.place = self._place
        self._wait, self._left = WAIT_MIN, len(self._client.bases)
        self._until = time.monotonic() + self._client.patience

    async def try_next(self, after: float = 0.0) -> bool:
        """Move to the next address, with a pause after a full round; False to give up."""
        if time.monotonic() >= self._until:
            return False
        self._place = (self._place + 1) % len(self._client.bases)
        self._left -= 1
        if not self._left:
            await asyncio.sleep(max(self._wait, after))
            self._wait = min(2 * self._wait, WAIT_MAX)
            self._left = len(self._client.bases)
        return True

    def unreachable_error(self, why: str) -> ClientError:
        """The error that nothing answers at the address."""
        return ClientError(say("client.unreached", address=self.base, why=why))
