/** The service worker caches public answers of the server, and nothing else. */

import { expect, test } from "vitest";

import worker from "../public/worker.js?raw";

interface Fetched {
  request: { url: string; method: string; mode: string };
  respondWith: (answer: Promise<Response>) => void;
  waitUntil: (pending: Promise<void>) => void;
}

/** Run the worker on an address with this answer. Returns true if it cached the answer. */
async function keeps(url: string, answer: Response): Promise<boolean> {
  const heard: Record<string, (event: Fetched) => void> = {};
  const store = new Map<string, Response>();
  const cache = {
    put: (request: { url: string }, response: Response) => void store.set(request.url, response),
    keys: () => [...store.keys()],
  };
  const self = {
    location: new URL(url),
    addEventListener: (name: string, listener: (event: Fetched) => void) =>
      (heard[name] = listener),
  };
  const install = new Function("self", "caches", "fetch", "FILES", "VERSION", worker) as (
    ...given: unknown[]
  ) => void;
  install(self, { open: () => cache }, () => Promise.resolve(answer), [], "1");
  const waited: Promise<unknown>[] = [];
  const wait = (promise: Promise<unknown>) => void waited.push(promise);
  const request = { url, method: "GET", mode: "cors" };
  heard["fetch"]?.({ request, respondWith: wait, waitUntil: wait });
  for (const promise of waited) await promise; // Caching is the last promise.
  return store.has(url);
}

const HOUSE = "https://house.example/api/sheets";
const of = (type: string, status = 200) =>
  new Response("{}", { status, headers: { "Content-Type": type } });

test.each([
  ["what the house says", HOUSE, of("application/json"), true],
  ["the page of a network that wants a password", HOUSE, of("text/html; charset=utf-8"), false],
  ["a no", HOUSE, of("application/json", 503), false],
  ["what is somebody's own", "https://house.example/api/me", of("application/json"), false],
])("%s: is it kept?", async (_, url, answer, cached) => {
  expect(await keeps(url, answer)).toBe(cached);
});
