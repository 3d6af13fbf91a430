/** House edges load one sheet at a time, and again while the server is computing them. */

import { afterEach, expect, test, vi } from "vitest";

import { type Edge, edges } from "./edges";

const main = { expected: "-1/20", house_edge: 0.05, ours: "" };
const requests: { path: string; answer: (status: number, more?: object) => void }[] = [];

vi.stubGlobal("fetch", (path: string) => {
  return new Promise<Response>((resolve) => {
    const body = { assumptions: {}, wagers: { main } };
    requests.push({
      path,
      answer: (status, more) =>
        resolve(new Response(JSON.stringify({ ...body, ...more }), { status })),
    });
  });
});

afterEach(() => requests.splice(0));

const paths = () => requests.map((request) => request.path);
const turn = () => new Promise((done) => setTimeout(done));

async function answerRequest(place: number, status = 200): Promise<void> {
  requests[place]?.answer(status);
  await turn();
}

function wish(sheet: string): { found: Edge[] | null | undefined; leave: () => void } {
  const listener: ReturnType<typeof wish> = { found: undefined, leave: () => undefined };
  listener.leave = edges(
    sheet,
    `hash of ${sheet}`,
    (edges) => (listener.found = edges),
    () => (listener.found = null),
  );
  return listener;
}

test("sheets are asked for one at a time, so that lines stay free for a seat", async () => {
  const [first, second] = [wish("a/one"), wish("a/two")];
  await turn();
  expect(paths()).toEqual(["/api/math/a/one"]);
  await answerRequest(0);
  expect(first.found).toEqual([{ wager: "main", shoe: "", ...main }]);
  expect(paths()).toEqual(["/api/math/a/one", "/api/math/a/two"]);
  expect(second.found).toBeUndefined();
  await answerRequest(1);
  expect(second.found).toEqual(first.found);
});

test("what nobody looks at any more is not asked for, and what is known not again", async () => {
  const [first, second, third] = [wish("b/one"), wish("b/two"), wish("b/three")];
  first.leave();
  second.leave();
  await answerRequest(0);
  expect(first.found).toBeUndefined();
  expect(paths()).toEqual(["/api/math/b/one", "/api/math/b/three"]);
  await answerRequest(1);
  expect(third.found).toHaveLength(1);
  const again = wish("b/one");
  await turn();
  expect(again.found).toHaveLength(1);
  expect(paths()).toHaveLength(2);
});

test("a no of the house holds up nobody", async () => {
  const [first, second] = [wish("c/one"), wish("c/two")];
  await answerRequest(0, 400);
  expect(first.found).toBeNull();
  await answerRequest(1);
  expect(second.found).toHaveLength(1);
});

test("what is still being worked out is asked for again, after the others", async () => {
  vi.useFakeTimers();
  try {
    const later = vi.fn<() => void>();
    let latest: Edge[] | null | undefined;
    const leave = edges(
      "d/slow",
      "hash of d/slow",
      (answer) => (latest = answer),
      () => (latest = null),
      later,
    );
    const next = wish("d/next");
    requests[0]?.answer(503);
    await vi.advanceTimersByTimeAsync(0);
    expect(later).toHaveBeenCalledOnce();
    expect(paths()).toEqual(["/api/math/d/slow", "/api/math/d/next"]);
    requests[1]?.answer(200);
    await vi.advanceTimersByTimeAsync(3000);
    expect(next.found).toHaveLength(1);
    expect(paths()).toEqual(["/api/math/d/slow", "/api/math/d/next", "/api/math/d/slow"]);
    requests[2]?.answer(200);
    await vi.advanceTimersByTimeAsync(0);
    expect(latest).toHaveLength(1);
    leave();
  } finally {
    vi.useRealTimers();
  }
});

test("the page does not retry if the server lacks a package", async () => {
  vi.useFakeTimers();
  try {
    const lacking = wish("f/one");
    requests[0]?.answer(503, { error: "install it with: pip install", key: "extras.missing" });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lacking.found).toBeNull();
    expect(paths()).toEqual(["/api/math/f/one"]);
  } finally {
    vi.useRealTimers();
  }
});

test("whoever left is not told again, and the house not asked", async () => {
  vi.useFakeTimers();
  try {
    const gone = wish("e/slow");
    requests[0]?.answer(503);
    await vi.advanceTimersByTimeAsync(0);
    gone.leave();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(paths()).toEqual(["/api/math/e/slow"]);
    expect(gone.found).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
