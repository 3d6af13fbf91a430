/** Command forms: notices stay, commands take effect once, and a second click waits. */

import { afterEach, expect, test, vi } from "vitest";

import { get, RequestError } from "../api/requests";
import { CommandForm } from "./commandForm.svelte";

afterEach(() => vi.unstubAllGlobals());

const PORTAL = () => new Response("<p>Sign in</p>", { headers: { "Content-Type": "text/html" } });
const NO = () => new Response(JSON.stringify({ error: "the drawer is closed" }), { status: 409 });
const BUSY = () => new Response("{}", { status: 503 });
const YES = () => new Response("{}");
const CUT = () => Promise.reject(new TypeError("cut"));

/** A server that gives these answers in turn. Returns the bodies it received. */
function house(...answers: (() => Response | Promise<Response>)[]): { request?: string }[] {
  const requests: { request?: string }[] = [];
  vi.stubGlobal("fetch", (_: string, { body = "{}" }: { body?: string }) => {
    requests.push(JSON.parse(body) as { request?: string });
    return Promise.resolve((answers[requests.length - 1] ?? YES)());
  });
  return requests;
}

const buyIn = (form: CommandForm, amount = "100") =>
  form.submit("/api/cage/buy-in", { player: "ann", amount }, "bought in");

test.each([
  ["that nobody answers", CUT],
  ["that another than the house answers", PORTAL],
  ["that the house refuses", NO],
])(
  "what is done is said to be, whatever becomes of the look after it: one %s",
  async (_, refresh) => {
    const requests = house(YES, refresh);
    const form = new CommandForm(async () => void (await get("/api/cage/ann")));
    expect(await buyIn(form)).toBe(true);
    expect([form.notice, form.error, form.busy, requests.length]).toEqual([
      "bought in",
      "",
      false,
      2,
    ]);
  },
);

test("a fault of the page's own does not make a yes a no, and is heard of", async () => {
  house(YES);
  const heard = vi.fn();
  vi.stubGlobal("reportError", heard);
  const form = new CommandForm(() => {
    throw new RangeError("ours");
  });
  expect(await buyIn(form)).toBe(true);
  expect(heard).toHaveBeenCalledOnce();
});

test.each([
  ["cut", CUT, true],
  ["busy", BUSY, true],
  ["not the house's", PORTAL, true],
  ["a no", NO, false],
  ["a yes", YES, false],
])(
  "after an answer that was %s, the same question again: one request? %s",
  async (_, before, same) => {
    const [first, again] = await (async () => {
      const requests = house(before, YES);
      const form = new CommandForm(() => undefined);
      await buyIn(form);
      await buyIn(form);
      return requests;
    })();
    expect(first?.request === again?.request).toBe(same);
  },
);

test("another sum is another question", async () => {
  const requests = house(CUT, CUT);
  const form = new CommandForm(() => undefined);
  await buyIn(form, "100");
  await buyIn(form, "200");
  expect(requests[0]?.request).not.toBe(requests[1]?.request);
});

test("a second press asks nothing while the first is under way", async () => {
  const requests = house(YES);
  const form = new CommandForm(() => undefined);
  const pressed = await Promise.all([buyIn(form), buyIn(form)]);
  expect([pressed, requests.length]).toEqual([[true, false], 1]);
});

test("a no is told with its clause", async () => {
  house();
  const form = new CommandForm(() => undefined);
  const no = () => Promise.reject(new RequestError(409, "too late", "CMS-9"));
  expect(await form.run(no, "done")).toBe(false);
  expect(form.error).toBe("Too late. (CMS-9)");
});
