/** Clock keys do nothing while the user types. */

import { expect, test, vi } from "vitest";

import { clockKey } from "./clockKeys";

/** A focused element inside another. */
const thing = (kind = "") => ({
  closest: (within: string) => (kind && within.includes(kind) ? {} : null),
});
const body = thing();
const page = { body, querySelector: (): unknown => null };
vi.stubGlobal("document", page);

const press = (key: string, target: object = body, more = {}) =>
  clockKey({ key, target, ...more } as unknown as KeyboardEvent);

test("keys of a clock are its own while nothing else has the focus", () => {
  const keys = [" ", "+", "=", "-", "n", "P", "x"];
  const commands = ["pause", "more", "more", "less", "next", "previous", null];
  expect(keys.map((key) => press(key))).toEqual(commands);
  expect(press("n", body, { repeat: true })).toBeNull();
  expect(press("n", body, { ctrlKey: true })).toBeNull();
});

test("what is typed or pressed is no command to the clock, and a dialog has its own keys", () => {
  const [input, button] = [thing("textarea"), thing("button")];
  const given = [press("n", input), press(" ", input), press(" ", button)];
  expect(given).toEqual([null, null, null]);
  page.querySelector = () => ({});
  expect(press("n")).toBeNull();
});
