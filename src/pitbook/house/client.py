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

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from pitbook.errors import ClientError
from pitbook.text import say

__all__ = ["Accepted", "Answer", "Client", "ClientError", "Live", "Refused"]

LATER = (421, 429, 503)  # Not here, not so fast, not now: the same request once more.


class Accepted(NamedTuple):
    """A command that is on record."""

    seq: int
    hash: str


class Refused(NamedTuple):
    """A command that the rules do not allow; nothing has changed."""

    code: str
    message: str
    clause: str | None
    key: str | None = None  # What is said, and of what, whatever the language.
    fields: Json = {}  # noqa: RUF012  Nobody writes into it.

    @classmethod
    def read(cls, told: Json) -> Refused:
        """The refusal of an answer; what a later house may add to it is left out."""
        return cls(**{name: told[name] for name in cls._fields if name in told})


Answer = Accepted | Refused


def new_request() -> str:
    """An id that nobody has chosen before."""
    return secrets.token_hex(12)


def read(answer: httpx.Response) -> Json:
    """The object that an answer holds, or an error for what holds none."""
    with suppress(ValueError):
        if isinstance(told := answer.json(), dict):
            return told
    return {"error": say("client.status", status=answer.status_code)}


def fine(answer: httpx.Response) -> Json:
    """The same, where all is well; raises ClientError."""
    told = read(answer)
    if answer.is_success:
        return told
    error = told.get("error", told)
    raise ClientError(error if isinstance(error, str) else str(error), answer.status_code)


def turned_away(refused: InvalidStatus) -> ClientError | None:
    """What a handshake was answered with; None where it may be tried again."""
    status = refused.response.status_code
    if status in LATER:
        return None
    try:
        told = str(json.loads(refused.response.body or b"")["error"])
    except (ValueError, KeyError, TypeError):
        told = say("client.socket-refused", status=status)
    return ClientError(told, status)


Json = dict[str, Any]
PATIENCE = 60.0  # Seconds over which a request is sent again before it is given up.
ANSWER_SECONDS = 30.0
SILENT_SECONDS = 10.0  # A process that hangs keeps its lines open; so long is one waited for.
CALL_SECONDS = 3.0  # Nothing was heard on a line for so long: it is called. The house calls before.
LINE_SECONDS = 5.0  # And for so long: it is lost, and another is opened.
AGAIN_SECONDS = 3.0  # A command without an answer for so long is sent again, with its id.
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
ELSEWHERE = 421
FINAL = (1009, 4400, 4401)  # Codes after which coming back would change nothing.
FRAME_MAX = 4_000_000
LANGUAGE = "Accept-Language"


class Client:
    """Somebody at a house, with one cookie jar for all its addresses.

    `told` hears a sentence whenever a line is lost or back, or an answer is waited for. The house
    answers in the `language`, where it speaks it.
    """

    def __init__(
        self,
        base: str | Sequence[str],
        *,
        http: httpx.AsyncClient | None = None,
        patience: float = PATIENCE,
        told: Callable[[str], None] = lambda _: None,
        language: str | None = None,
    ) -> None:
        given = (base,) if isinstance(base, str) else base
        self.bases, self.patience = tuple(one.rstrip("/") for one in given), patience
        self.http, self.place, self.told = http or httpx.AsyncClient(), 0, told
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
        """Sign in, with a code where there is a second factor; raises ClientError."""
        given = {"name": name, "password": password} | ({"code": code} if code else {})
        return await self.ask("POST", "/api/sign-in", given)

    async def practice(self, sheet: str) -> Json:
        """A seat at a practice table of one's own: player, table, seat and view."""
        return await self.ask("POST", "/api/practice", {"sheet": sheet})

    async def tables(self) -> list[Json]:
        """The tables that one may come to, whichever process holds them."""
        listed: list[Json] = (await self.ask("GET", "/api/tables"))["tables"]
        for base in set(self.bases) - {self.base}:
            with suppress(httpx.TransportError, ClientError):
                listed += fine(await self.http.get(f"{base}/api/tables"))["tables"]
        found = {one["table"]: one for one in listed}
        return [found[name] for name in sorted(found)]

    async def view(self, table: str) -> Json:
        """A table as one may see it."""
        return await self.ask("GET", f"/api/tables/{table}")

    async def send(self, table: str, command: Json, request: str | None = None) -> Answer:
        """A command's answer over HTTP; sent again with the same id until there is one."""
        body = {"request": request or new_request(), "command": command}
        answer = await self._asked("POST", f"/api/tables/{table}/commands", body, again=True)
        told = read(answer)
        if "refused" in told:
            return Refused.read(told["refused"])
        return Accepted(**fine(answer)["accepted"])

    async def ask(self, method: str, path: str, body: Json | None = None) -> Json:
        """Any other question; raises ClientError. A request without an id is not sent again."""
        again = method == "GET" or "request" in (body or {})
        return fine(await self._asked(method, path, body, again=again))

    def live(self, table: str) -> Live:
        """The table over a socket: `async with client.live(table) as table: ...`."""
        return Live(self, table)

    async def _asked(
        self, method: str, path: str, body: Json | None, *, again: bool
    ) -> httpx.Response:
        way = Way(self)
        seconds = SILENT_SECONDS if body and again else ANSWER_SECONDS
        while True:
            try:
                url = f"{way.base}{path}"
                answer = await self.http.request(method, url, json=body, timeout=seconds)
            except httpx.TransportError as error:
                more = again or isinstance(error, NOT_SENT)
                if not (more and await way.leads_on()):
                    why = str(error) or type(error).__name__
                    raise way.unreached(why) from error
                if not isinstance(error, NOT_SENT):
                    self.told(say("client.no-answer"))
                continue
            more = answer.status_code == ELSEWHERE or (again and answer.status_code in LATER)
            if not (more and await way.leads_on(float(answer.headers.get("retry-after", 0)))):
                way.answered()
                self._keep(answer)
                return answer

    def _keep(self, answer: httpx.Response) -> None:
        """A sign-in is good at every address of the house, and so is its end."""
        if "set-cookie" in answer.headers:
            given = {one.name: one.value or "" for one in answer.cookies.jar}
            self.http.cookies = httpx.Cookies(given)


class Live:
    """A table over a socket that comes back by itself, and misses nothing.

    `view` is the table as it was at `view["version"]`; `events()` are all that happened since.
    """

    def __init__(self, client: Client, table: str) -> None:
        self.client, self.table = client, table
        self.view: Json = {}
        self.version: int | None = None
        self.connections = 0
        self._events: asyncio.Queue[Json | None] = asyncio.Queue()
        self._waiting: dict[str, tuple[Json, asyncio.Future[Answer]]] = {}
        self._looking: asyncio.Future[Json] | None = None
        self._socket: ClientConnection | None = None
        self._ready: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._failed: ClientError | None = None
        self.standing: Literal["connecting", "live", "lost"] = "connecting"

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
        """A command's answer; over as many connections as it takes, and with one effect."""
        self._check()
        request = request or new_request()
        frame = {"request": request, "command": command}
        made: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        _, answer = self._waiting.setdefault(request, (frame, made))
        if answer is made:
            await self._put(frame)  # It may be answered before this returns.
        if not (await asyncio.wait({answer}, timeout=AGAIN_SECONDS))[0]:
            self.client.told(say("client.no-answer-to", command=str(command.get("do"))))
        while not answer.done():
            await self._put(frame)
            await asyncio.wait({answer}, timeout=AGAIN_SECONDS)
        return answer.result()

    async def look(self) -> Json:
        """The table as it is now, with what one may do; `view` is replaced by it."""
        self._check()
        if (looking := self._looking) is None:
            looking = self._looking = asyncio.get_running_loop().create_future()
            await self._put({"view": True})
        return await asyncio.shield(looking)

    async def events(self) -> AsyncIterator[Json]:
        """What happens, in order: {"version", "what", "body"}; a new view comes as "view"."""
        while (event := await self._events.get()) is not None:
            yield event

    async def lose(self) -> None:
        """Cut the line, as a bad network would."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def close(self) -> None:
        """Go away for good."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._give_up(ClientError(say("client.closed")))

    def _check(self) -> None:
        if self._failed is not None:
            raise self._failed

    async def _run(self) -> None:
        way = Way(self.client)
        while True:
            before, final = self.connections, None
            why: str = say("client.cut")
            try:
                final = await self._connected(way.base)
            except InvalidStatus as refused:
                final, why = turned_away(refused), str(refused)
            except (OSError, WebSocketException, TimeoutError) as error:
                why = str(error) or type(error).__name__
            if self.connections != before:
                way.answered()
            elif final is None:  # Who is turned away for good opens no other.
                self._stands("lost")
            if final is None and not await way.leads_on():
                final = way.unreached(why)
            if final is not None:
                self._give_up(final)
                return

    async def _connected(self, base: str) -> ClientError | None:
        """One connection, from its beginning to its end; an error where that end is final."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.client.http.cookies.items())
        headers = {"Cookie": cookie} if cookie else {}
        headers |= {LANGUAGE: spoken} if (spoken := self.client.http.headers.get(LANGUAGE)) else {}
        async with connect(
            self._url(base),
            additional_headers=headers,
            max_size=FRAME_MAX,
            open_timeout=SILENT_SECONDS,
            ping_interval=None,  # The house and we call each other.
            close_timeout=1,
        ) as socket:
            self._socket = socket
            self.connections += 1
            if self._looking is not None:
                await self._put({"view": True})
            for frame, _ in list(self._waiting.values()):
                await self._put(frame)
            if self.version is not None:
                self._is_ready()
            try:
                with suppress(ConnectionClosed):
                    while True:
                        await self._take(json.loads(await self._heard(socket)))
            except TimeoutError:
                self._stands("lost")
                socket.transport.abort()  # Nobody is there to say goodbye to.
                raise
            finally:
                self._socket = None
        if socket.close_code in FINAL:
            return ClientError(socket.close_reason or say("client.closed"), socket.close_code)
        return None

    async def _heard(self, socket: ClientConnection) -> str | bytes:
        """The next frame; raises TimeoutError where the line is silent, called or not."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CALL_SECONDS):
                return await socket.recv()
        async with asyncio.timeout(LINE_SECONDS - CALL_SECONDS):
            await self._put({"ping": 0})
            return await socket.recv()

    def _stands(self, standing: Literal["live", "lost"]) -> None:
        """Say so when the line is lost, and when it is back."""
        before, self.standing = self.standing, standing
        if (before, standing) == ("live", "lost"):
            self.client.told(say("client.lost"))
        elif (before, standing) == ("lost", "live"):
            self.client.told(say("client.back"))

    def _url(self, base: str) -> str:
        since = "" if self.version is None else f"?from={self.version}"
        return f"{base.replace('http', 'ws', 1)}/api/tables/{self.table}/socket{since}"

    async def _put(self, frame: Json) -> None:
        """Send a frame if there is a line; else it goes with the next one."""
        if self._socket is not None:
            with suppress(WebSocketException, OSError):
                await self._socket.send(json.dumps(frame))

    async def _take(self, frame: Json) -> None:
        self._stands("live")
        for event in frame.get("events", ()):
            self._happened(event)
        if "view" in frame:
            self._viewed(frame["view"])
        if "answer" in frame:
            await self._answered(**frame["answer"])
        if "ping" in frame:
            await self._put({"pong": frame["ping"]})

    def _happened(self, event: Json) -> None:
        if self.version is not None and event["version"] <= self.version:
            return
        self.version = event["version"]
        self._events.put_nowait(event)

    def _viewed(self, view: Json) -> None:
        missed = self.version is not None and view["version"] > self.version
        self.view, self.version = view, view["version"]
        if missed:  # Too long away for every event to be kept.
            self._events.put_nowait({"version": self.version, "what": "view", "body": view})
        if self._looking is not None:
            self._looking.set_result(view)
            self._looking = None
        self._is_ready()

    async def _answered(self, request: str, retry_after: float | None = None, **told: Any) -> None:
        if request not in self._waiting:
            return
        frame, answer = self._waiting[request]
        if retry_after is not None:
            later = asyncio.get_running_loop().call_later
            later(retry_after, lambda: asyncio.ensure_future(self._put(frame)))
            return
        del self._waiting[request]
        if "accepted" in told:
            answer.set_result(Accepted(**told["accepted"]))
        elif "refused" in told:
            answer.set_result(Refused.read(told["refused"]))
        else:
            answer.set_exception(ClientError(str(told.get("error"))))

    def _is_ready(self) -> None:
        if self._ready is not None and not self._ready.done():
            self._ready.set_result(None)

    def _give_up(self, error: ClientError) -> None:
        self._failed = self._failed or error
        waiting: list[asyncio.Future[Any] | None] = [one for _, one in self._waiting.values()]
        for one in (*waiting, self._looking, self._ready):
            if one is not None and not one.done():
                one.set_exception(error)
                one.exception()  # It may be that nobody waits any more.
        self._waiting.clear()
        self._events.put_nowait(None)


WAIT_MIN, WAIT_MAX = 0.05, 1.0


class Way:
    """To whichever process answers: all addresses in turn, then a pause, while patience lasts."""

    def __init__(self, client: Client) -> None:
        self._client, self._place = client, client.place
        self._wait, self._left, self._until = 0.0, 0, 0.0
        self.answered()

    @property
    def base(self) -> str:
        """The address to ask now."""
        return self._client.bases[self._place]

    def answered(self) -> None:
        """Somebody is there: others begin here, and patience begins anew."""
        self._client.place = self._place
        self._wait, self._left = WAIT_MIN, len(self._client.bases)
        self._until = time.monotonic() + self._client.patience

    async def leads_on(self, after: float = 0.0) -> bool:
        """Go on to the next address, with a pause where all were asked; or give up."""
        if time.monotonic() >= self._until:
            return False
        self._place = (self._place + 1) % len(self._client.bases)
        self._left -= 1
        if not self._left:
            await asyncio.sleep(max(self._wait, after))
            self._wait = min(2 * self._wait, WAIT_MAX)
            self._left = len(self._client.bases)
        return True

    def unreached(self, why: str) -> ClientError:
        """That nothing answers at the address."""
        return ClientError(say("client.unreached", address=self.base, why=why))
