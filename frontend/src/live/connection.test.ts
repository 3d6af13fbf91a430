/** On a bad network, each command takes effect once and no event is shown twice. */

import type { TableEvent, View } from "../api/types";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import {
  type Hooks,
  TableConnection,
  newRequest,
  type ConnectionStatus,
  type Socket,
} from "./connection";

class Fake implements Socket {
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  sent: Record<string, unknown>[] = [];
  closed = false;
  constructor(readonly from: number | null) {}
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.closed = true;
    this.onclose?.({ code: 1000, reason: "" });
  }
  tell(frame: unknown): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
  lose(code = 1006, reason = ""): void {
    this.onclose?.({ code, reason });
  }
}

const view = (version: number) => ({ version }) as View;
const event = (version: number): TableEvent => ({ version, what: "blank", body: {} });

let sockets: Fake[];
let views: number[];
let happened: number[];
let statuses: ConnectionStatus[];
let why: string | null;
let hooks: Hooks;

beforeEach(() => {
  vi.useFakeTimers();
  [sockets, views, happened, statuses, why] = [[], [], [], [], null];
  hooks = {
    onView: (view) => views.push(view.version),
    onEvents: (events) => happened.push(...events.map((event) => event.version)),
    onPresence: () => undefined,
    onStatus: (status) => statuses.push(status),
    probe: () => Promise.resolve(why),
  };
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function dial(version: number | null = null): TableConnection {
  const make = (from: number | null) => {
    sockets.push(new Fake(from));
    return last();
  };
  return new TableConnection(make, hooks, version);
}

function last(): Fake {
  const socket = sockets[sockets.length - 1];
  if (!socket) throw new Error("nobody has dialled");
  return socket;
}

async function reconnect(): Promise<void> {
  last().lose();
  await vi.advanceTimersByTimeAsync(10_000);
  last().onopen?.();
}

test("events, the view after them and the answer come in one frame, without a request", async () => {
  const line = dial();
  last().onopen?.();
  last().tell({ view: view(3) });
  const answer = line.send({ do: "close-betting" }, "r1");
  expect(last().sent).toEqual([{ request: "r1", command: { do: "close-betting" } }]);
  last().tell({
    events: [event(4), event(5)],
    view: view(5),
    answer: { request: "r1", accepted: { seq: 9, hash: "x" } },
  });
  await expect(answer).resolves.toEqual({ accepted: { seq: 9, hash: "x" } });
  expect(happened).toEqual([4, 5]);
  expect(last().sent.length).toBe(1);
  expect([views, statuses]).toEqual([
    [3, 5],
    ["live", "live"],
  ]);
});

test("a view that does not follow its events is requested after three seconds", async () => {
  dial();
  last().onopen?.();
  last().tell({ view: view(3) });
  last().tell({ events: [event(4)] });
  await vi.advanceTimersByTimeAsync(2_500);
  expect(last().sent).toEqual([]);
  last().tell({ ping: 1 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(last().sent).toEqual([{ pong: 1 }, { view: true }]);
  last().tell({ view: view(4) });
  expect(views).toEqual([3, 4]);
});

test("after a lost line it comes back from its version, and sends the same request again", async () => {
  const line = dial();
  last().onopen?.();
  last().tell({ view: view(7) });
  const answer = line.send({ do: "undo", seat: 1 }, "r2");
  await reconnect();
  expect(last().from).toBe(7);
  expect(last().sent).toEqual([{ request: "r2", command: { do: "undo", seat: 1 } }]);
  last().tell({ answer: { request: "r2", accepted: { seq: 1, hash: "h" } } });
  await expect(answer).resolves.toHaveProperty("accepted");
  expect(statuses).toContain("lost");
});

test("a page that is loaded again starts from the version it kept", () => {
  dial(41);
  last().onopen?.();
  expect(last().from).toBe(41);
  expect(last().sent).toEqual([]);
});

test("what was told before is not told twice, and an old view does not turn time back", () => {
  dial();
  last().onopen?.();
  last().tell({ view: view(5) });
  last().tell({ events: [event(4), event(5), event(6)] });
  last().tell({ view: view(5) });
  expect([happened, views]).toEqual([[6], [5]]);
});

test("too fast: the same frame is sent again after the wait", async () => {
  const line = dial();
  last().onopen?.();
  const answer = line.send({ do: "rebet", seat: 1 }, "r3");
  last().tell({ answer: { request: "r3", error: "too many commands", retry_after: 0.5 } });
  await vi.advanceTimersByTimeAsync(600);
  expect(last().sent.map((command) => command.request)).toEqual(["r3", "r3"]);
  last().tell({
    answer: { request: "r3", refused: { code: "not-now", message: "no", clause: null } },
  });
  await expect(answer).resolves.toHaveProperty("refused");
});

test("an error is the sender's to read", async () => {
  const line = dial();
  last().onopen?.();
  const answer = line.send({ do: "dance" } as never, "r4");
  last().tell({ answer: { request: "r4", error: "there is no command dance" } });
  await expect(answer).rejects.toThrow("there is no command dance");
});

test("a ping is answered", () => {
  dial();
  last().onopen?.();
  last().tell({ ping: 3 });
  expect(last().sent).toEqual([{ pong: 3 }]);
});

test.each([
  [4401, "the sign-in has ended"],
  [1009, "The frame is too large."],
])("code %i is the end, and whoever waits is told why", async (code, reason) => {
  const line = dial();
  last().onopen?.();
  const answer = line.send({ do: "undo", seat: 1 }, "r5");
  last().lose(code, reason);
  await expect(answer).rejects.toThrow(reason);
  expect(statuses.at(-1)).toBe("ended");
  await expect(line.send({ do: "undo", seat: 1 })).rejects.toThrow("disconnected");
});

test("a socket that never opened asks why; a final answer ends it, any other tries again", async () => {
  dial();
  last().lose();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sockets.length).toBeGreaterThan(1);
  why = "There is no such table.";
  last().lose();
  await vi.advanceTimersByTimeAsync(10);
  expect(statuses.at(-1)).toBe("ended");
});

test("when the network is back nobody waits for the clock", async () => {
  const line = dial();
  last().onopen?.();
  last().lose();
  await vi.advanceTimersByTimeAsync(0);
  const before = sockets.length;
  line.reconnectNow();
  expect(sockets.length).toBe(before + 1);
});

test("ids differ", () => {
  expect(new Set(Array.from({ length: 100 }, newRequest)).size).toBe(100);
});

test("a silent line is called, then shown as lost within five seconds, and another is dialled", async () => {
  dial();
  last().onopen?.();
  last().tell({ view: view(3) });
  const silent = last();
  await vi.advanceTimersByTimeAsync(3_500);
  expect(silent.sent).toEqual([{ ping: 0 }]);
  expect(statuses).toEqual(["live"]);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(statuses).toEqual(["live", "lost"]);
  expect(silent.closed).toBe(true);
  await vi.advanceTimersByTimeAsync(500);
  expect(last()).not.toBe(silent);
  expect(last().from).toBe(3);
});

test("any word from the house keeps the line, and a line with words is never called", async () => {
  dial();
  last().onopen?.();
  last().tell({ view: view(3) });
  for (let n = 1; n <= 20; n++) {
    await vi.advanceTimersByTimeAsync(2_500);
    last().tell({ ping: n });
  }
  expect(statuses).toEqual(["live"]);
  expect(last().sent.every((frame) => "pong" in frame)).toBe(true);
  expect(sockets.length).toBe(1);
});

test("a tab whose timers were held back hears before it judges", async () => {
  dial();
  last().onopen?.();
  last().tell({ view: view(3) });
  const awake = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => awake() + 60_000);
  await vi.advanceTimersByTimeAsync(500);
  expect(statuses).toEqual(["live"]);
  last().tell({ ping: 1 }); // Frames that arrived meanwhile are processed after the timer.
  await vi.advanceTimersByTimeAsync(2_000);
  expect(statuses).toEqual(["live"]);
  expect(sockets.length).toBe(1);
});

test("a socket that hangs while it is opened is given up, and a question that hangs too", async () => {
  hooks.probe = () => new Promise(() => undefined);
  dial();
  await vi.advanceTimersByTimeAsync(11_000);
  expect(sockets.length).toBe(2);
  expect(statuses).toContain("lost");
  last().lose(); // Refused before it opened. The server is asked for the reason and gives none.
  await vi.advanceTimersByTimeAsync(6_000);
  expect(sockets.length).toBeGreaterThan(2);
});

test("a command without an answer says so and is sent again with its id, until there is one", async () => {
  const unanswered: boolean[] = [];
  hooks.onUnanswered = (is) => unanswered.push(is);
  const line = dial();
  last().onopen?.();
  last().tell({ view: view(3) });
  const answer = line.send({ do: "undo", seat: 1 }, "r6");
  await vi.advanceTimersByTimeAsync(2_000);
  last().tell({ ping: 1 });
  expect(unanswered).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(unanswered).toEqual([true]);
  expect(last().sent.filter((frame) => frame.request === "r6").length).toBe(2);
  last().tell({ answer: { request: "r6", accepted: { seq: 1, hash: "h" } } });
  await expect(answer).resolves.toHaveProperty("accepted");
  expect(unanswered).toEqual([true, false]);
});
