/** Watched answers come over one socket; without it they are polled. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";

class FakeSocket {
  static all: FakeSocket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  sent: unknown[] = [];
  closed = false;
  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.onclose?.();
  }
  receive(frame: unknown): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}

const requests: string[] = [];
let watch: (typeof import("./watch"))["watch"];
const every = () => 4_000;
const lastSocket = () => FakeSocket.all.at(-1) as FakeSocket;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  FakeSocket.all = [];
  requests.length = 0;
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", { protocol: "http:", host: "house" });
  vi.stubGlobal("fetch", (path: string) => {
    requests.push(path);
    return Promise.resolve(new Response(JSON.stringify({ polled: path })));
  });
  ({ watch } = await import("./watch"));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("two screens share one socket, and each gets its own answers", () => {
  const [tables, floor] = [vi.fn(), vi.fn()];
  const stop = watch("/api/tables", tables, every);
  watch("/api/pit/floor", floor, every);
  expect(FakeSocket.all.length).toBe(1);
  lastSocket().onopen?.();
  expect(lastSocket().sent).toEqual([{ watch: ["/api/tables", "/api/pit/floor"] }]);
  lastSocket().receive({ watched: "/api/tables", version: 1, status: 200, body: { tables: [] } });
  lastSocket().receive({ watched: "/api/pit/floor", version: 1, status: 403, body: { error: "" } });
  expect(tables.mock.calls).toEqual([[{ tables: [] }]]);
  expect(floor).not.toHaveBeenCalled();
  stop();
  expect(lastSocket().sent.at(-1)).toEqual({ watch: ["/api/pit/floor"] });
  expect(lastSocket().closed).toBe(false);
});

test("the socket closes after the last watch", () => {
  const stop = watch("/api/tables", () => undefined, every);
  lastSocket().onopen?.();
  stop();
  expect(lastSocket().closed).toBe(true);
});

test("nothing is polled while the socket is open; after a loss it is, and the socket returns", async () => {
  const tables = vi.fn();
  watch("/api/tables", tables, every);
  lastSocket().onopen?.();
  for (let n = 0; n < 5; n++) {
    await vi.advanceTimersByTimeAsync(4_000);
    lastSocket().receive({ ping: 0 });
  }
  expect(requests).toEqual([]);
  lastSocket().close();
  await vi.advanceTimersByTimeAsync(4_100);
  expect(requests).toEqual(["/api/tables"]);
  expect(tables).toHaveBeenCalledWith({ polled: "/api/tables" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(FakeSocket.all.length).toBe(2);
});

test("a silent socket is given up", async () => {
  watch("/api/tables", () => undefined, every);
  lastSocket().onopen?.();
  await vi.advanceTimersByTimeAsync(10_100);
  expect(FakeSocket.all[0]?.closed).toBe(true);
});
