/** Odd names and missing fields break no message in any language. */

import { afterEach, expect, test, vi } from "vitest";

import { Catalog } from "./catalog";
import en from "./en";
import es from "./es";
import { preferredLanguage } from "./languages";
import { say, sayParts, setLanguage, currentLanguage } from "./say.svelte";
import { placeholders, splitTags } from "./templates";

const catalogs = { en: new Catalog(en), es: new Catalog(es) };
const languages = Object.entries(catalogs);

const NASTY = [
  "{player}",
  "{amount, money}",
  "}{",
  "{{",
  "' \" ` \\",
  "<b>bold</b>",
  "</time><script>alert(1)</script>",
  "$& $1 $$",
  "constructor",
  "__proto__",
  "%s %n",
  "\u202eevil",
  "",
];

afterEach(() => setLanguage("en"));

test.each(NASTY)("somebody called %s is called so everywhere", async (player) => {
  for (const language of ["en", "es"] as const) {
    await setLanguage(language);
    expect(say("night.field.is-out", { player })).toContain(player);
    expect(say("night.field.is-paid", { player, amount: "5.00" })).toContain(player);
    expect(say("night.dealt.waits", { players: [player, player] })).toContain(player);
    const text = sayParts("night.unclaimed.paid", { player });
    expect(text[0]).toEqual({ tag: "who", text: player });
    expect(text).toHaveLength(2);
  }
});

/** Sample values for each kind of placeholder. */
const OF: Record<string, unknown[]> = {
  "": ["x", 0, 1, 7, ""],
  plural: [0, 1, 2, 21, 1000],
  select: ["", "other", "constructor", true, false, 0],
  money: ["0.00", "-0.01", "-1234567.89", "9999999999999.99", "", "x"],
  count: [0, -1234567, 10n],
  number: [0, 12, 13, -1],
  capital: ["", "ñandú"],
  quoted: ["", '"'],
  symbol: ["Kc", "??", ""],
  card: ["Kc", "??", ""],
};

test.each(languages)("every text of %s can be said, whatever is filled in", (_, words) => {
  for (const [key, text] of Object.entries(words.texts)) {
    const parts = splitTags(text).flatMap((stretch) => placeholders(stretch.parts));
    for (let n = 0; n < 6; n++) {
      const given = Object.fromEntries(
        parts.map((part) => {
          const kind = "cases" in part ? part.kind : part.format;
          const values = OF[kind] ?? OF["each" in part ? part.each : ""] ?? [];
          const value = values[n % values.length];
          return [part.field, kind in OF ? value : Array(n % 3).fill(value)];
        }),
      );
      const text = words.text(key, given);
      expect(text, key).toBeTypeOf("string");
      expect(text, key).not.toMatch(/undefined|\[object|NaN|[{}]/);
    }
  }
});

test.each(languages)("a field of %s that is missing breaks no page", (_, words) => {
  for (const key of Object.keys(words.texts)) {
    expect(() => words.text(key, {}), key).not.toThrow();
    expect(() => words.text(key, Object.create(null)), key).not.toThrow();
  }
});

test.each(languages)(
  "%s has no text that says nothing, and none with spaces to spare",
  (_, words) => {
    for (const [key, text] of Object.entries(words.texts)) {
      expect(text.trim(), key).not.toBe("");
      expect(text, key).not.toMatch(/ {2}|\t|\n/);
    }
  },
);

test.each(["fr", "", "constructor", "__proto__", "EN", null, 7, {}, ["es"]])(
  "a browser that has kept %j as its language speaks English",
  (name) => {
    expect(preferredLanguage(name, ["de-AT"])).toBe("en");
  },
);

test("who changes their mind while words are on their way gets what they chose last", async () => {
  vi.resetModules();
  const fresh = await import("./say.svelte");
  const slow = fresh.setLanguage("es");
  await fresh.setLanguage("en");
  await slow;
  expect(fresh.currentLanguage()).toBe("en");
  expect(currentLanguage()).toBe("en");
});
